// encoding_test.cpp: the names of the encodings, as encoding.hpp lists them, and what else it tells of each.
// build: portable
#define BOOST_TEST_MODULE encoding
#include <boost/test/unit_test.hpp>

#include "support/paths.hpp"
#include "support/single_byte_tables.hpp"

#include <utfilter/encoding.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::string_literals;
using utfilter::encoding;

struct encoding_case {
  encoding value;
  std::string enumerator;
  std::string name;                // IANA's preferred MIME name
  std::vector<std::string> names;  // all accepted names, in lower case
  std::size_t code_unit = 1;       // bytes
  bool bom = false, decided = false, single_byte = false;
};

/// Encodings with more than one byte for a character. The tables in data/single_byte/ have the others.
const encoding_case wide_encodings[] = {
    {encoding::detect, "detect", "detect", {"detect"}, 1, true, true},
    {encoding::guess, "guess", "guess", {"guess"}, 1, true, true},
    {encoding::utf8,
     "utf8",
     "UTF-8",
     {"utf-8", "utf8", "csutf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "cp65001",
      "utf-8-sig", "utf-8-bom", "utf8bom", "utf-8-with-signature", "utf-8-emacs", "utf-8-strict", "utf8x", "utf8mb3",
      "utf8mb4", "utf8nobom"},
     1,
     true},
    {encoding::utf16, "utf16", "UTF-16", {"utf-16", "utf16", "csutf16", "iso-10646-ucs-2", "csunicode"}, 2, true, true},
    {encoding::utf16le,
     "utf16le",
     "UTF-16LE",
     {"utf-16le", "utf16le", "csutf16le", "ucs-2", "ucs2", "ucs-2le", "unicode", "unicodefeff", "utf-16le-bom",
      "cp1200"},
     2,
     true},
    {encoding::utf16be,
     "utf16be",
     "UTF-16BE",
     {"utf-16be", "utf16be", "csutf16be", "ucs-2be", "unicodefffe", "utf-16be-bom", "cp1201", "bigendianunicode"},
     2,
     true},
    {encoding::utf32,
     "utf32",
     "UTF-32",
     {"utf-32", "utf32", "csutf32", "iso-10646-ucs-4", "csucs4", "ucs-4"},
     4,
     true,
     true},
    {encoding::utf32le, "utf32le", "UTF-32LE", {"utf-32le", "utf32le", "csutf32le", "ucs-4le", "cp12000"}, 4, true},
    {encoding::utf32be,
     "utf32be",
     "UTF-32BE",
     {"utf-32be", "utf32be", "csutf32be", "ucs-4be", "cp12001", "bigendianutf32"},
     4,
     true},
    {encoding::cesu8, "cesu8", "CESU-8", {"cesu-8", "cesu8", "cscesu8", "cscesu-8"}},
    {encoding::modified_utf8,
     "modified_utf8",
     "MUTF-8",
     {"mutf-8", "mutf8", "modified-utf-8", "modified-utf8", "modified_utf8"}},
    {encoding::shift_jis,
     "shift_jis",
     "Shift_JIS",
     {"shift_jis", "shift-jis", "shiftjis", "sjis", "x-sjis", "ms_kanji", "mskanji", "csshiftjis", "windows-31j",
      "cswindows31j", "ms932", "cp932", "windows-932", "x-ms-cp932", "win932", "cp943c", "sjis-win", "pck",
      "japanese-shift-jis"}},
    {encoding::euc_jp,
     "euc_jp",
     "EUC-JP",
     {"euc-jp", "euc_jp", "x-euc-jp", "cseucpkdfmtjapanese", "extended_unix_code_packed_format_for_japanese", "eucjis",
      "ujis", "cp51932", "cp20932", "eucjp-ms", "euc-jp-ms", "eucjpms", "eucjp-win", "japanese-iso-8bit", "euc-japan",
      "eucjp"}},
    {encoding::iso_2022_jp,
     "iso_2022_jp",
     "ISO-2022-JP",
     {"iso-2022-jp", "iso_2022_jp", "csiso2022jp", "x-iso-2022-jp", "cp50220", "cp50221", "cp50222",
      "x-windows-iso2022jp", "x-windows-50220", "iso-2022-jp-ms", "junet", "iso2022-jp", "iso2022_jp", "iso2022jp"}},
    {encoding::euc_kr, "euc_kr", "EUC-KR", {"euc-kr",          "euc_kr",        "cseuckr",     "ks_c_5601-1987",
                                            "ks_c_5601-1989",  "csksc56011987", "ksc5601",     "ksc_5601",
                                            "korean",          "iso-ir-149",    "windows-949", "cp949",
                                            "x-windows-949",   "win949",        "ms949",       "uhc",
                                            "cp51949",         "windows-51949", "cp20949",     "x-cp20949",
                                            "korean-iso-8bit", "euc-korea",     "euckr"}},
    {encoding::gbk, "gbk", "GBK", {"gbk",      "csgbk",      "x-gbk",     "gb2312",          "csgb2312",
                                   "gb_2312",  "gb_2312-80", "gb2312-80", "csiso58gb231280", "iso-ir-58",
                                   "chinese",  "cp936",      "ms936",     "windows-936",     "x-mswin-936",
                                   "win936",   "euc-cn",     "euc_cn",    "euccn",           "cn-gb",
                                   "cp51936",  "cp20936",    "x-cp20936", "chinese-gbk",     "chinese-iso-8bit",
                                   "euc-china"}},
    {encoding::gb18030,
     "gb18030",
     "GB18030",
     {"gb18030", "csgb18030", "cp54936", "windows-54936", "gb18030-2000", "gb18030-2022", "chinese-gb18030"}},
    {encoding::big5,
     "big5",
     "Big5",
     {"big5", "big-5", "big5-hkscs", "csbig5", "cn-big5", "x-x-big5", "x-big5", "csbig5hkscs", "big5hk", "big5hkscs",
      "big5_hkscs", "hkscs-big5", "cp950", "windows-950", "x-windows-950", "win950", "ms950", "cp951", "chinese-big5"}},
};

std::vector<encoding_case> all_encodings() {
  std::vector<encoding_case> all(std::begin(wide_encodings), std::end(wide_encodings));
  for (const single_byte::table& t : single_byte::tables()) {
    std::vector<std::string> names = t.names;
    for (char& c : names.front()) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    all.push_back({utfilter::encoding_from_name(t.names.front()).value(), t.enumerator, t.names.front(), names, 1,
                   false, false, true});
  }
  return all;
}
const std::vector<encoding_case> encodings = all_encodings();

/// Changes ASCII letters only, in any locale.
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::string mixed(std::string name, std::size_t odd) {
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = i % 2 == odd ? upper(name[i]) : name[i];
  return name;
}

bool is(std::string_view name, encoding expected) { return utfilter::encoding_from_name(name) == expected; }

static_assert(noexcept(utfilter::encoding_name(encoding::utf8)) && noexcept(
    utfilter::encoding_from_name("")) && noexcept(utfilter::encoding_names(encoding::utf8)));

BOOST_AUTO_TEST_CASE(each_encoding_has_the_name_that_iana_prefers) {
  for (const encoding_case& one : encodings) BOOST_TEST(utfilter::encoding_name(one.value) == one.name);
}

BOOST_AUTO_TEST_CASE(an_encoding_as_a_string_is_its_name) {
  for (const encoding_case& one : encodings) {
    const std::string name = to_string(one.value);
    BOOST_TEST(name == one.name);
  }
  BOOST_TEST(to_string(static_cast<encoding>(99)) == "unknown");
}

BOOST_AUTO_TEST_CASE(the_name_of_an_encoding_names_it) {
  for (const encoding_case& one : encodings) BOOST_TEST(is(utfilter::encoding_name(one.value), one.value), one.name);
}

BOOST_AUTO_TEST_CASE(each_listed_name_is_accepted_in_any_case) {
  for (const encoding_case& one : encodings)
    for (const std::string& name : one.names) {
      BOOST_TEST(is(name, one.value), name);
      BOOST_CHECK_MESSAGE(is(mixed(mixed(name, 0), 1), one.value), name << " in capitals");
      BOOST_CHECK_MESSAGE(is(mixed(name, 0), one.value), name << " mixed");
      BOOST_CHECK_MESSAGE(is(mixed(name, 1), one.value), name << " mixed");
    }
}

BOOST_AUTO_TEST_CASE(encoding_names_are_all_accepted_names_with_the_preferred_one_first) {
  for (const encoding_case& one : encodings) {
    std::string all = one.name;
    for (std::size_t i = 1; i < one.names.size(); ++i) all += ' ' + one.names[i];
    BOOST_TEST(utfilter::encoding_names(one.value) == all);
    BOOST_TEST(utfilter::encoding_from_name(all).has_value() == (one.names.size() == 1u));
  }
}

BOOST_AUTO_TEST_CASE(the_header_lists_every_accepted_name_and_no_other) {
  std::ifstream header(paths::source("include/utfilter/encoding.hpp"));
  BOOST_REQUIRE(header.is_open());
  // Before each enumerator stands a comment that ends with "Names: name name."
  std::map<std::string, std::set<std::string>> listed;
  std::string comment;
  for (std::string line; std::getline(header, line);) {
    const auto text = line.find_first_not_of(' ');
    if (text == std::string::npos) continue;
    if (line.compare(text, 4, "/// ") == 0) {
      comment += line.substr(text + 3);
    } else {
      if (const auto names = comment.find(" Names: "); names != std::string::npos) {
        BOOST_TEST(comment.back() == '.');
        std::istringstream words(comment.substr(names + 8, comment.size() - names - 9));
        auto& of = listed[line.substr(text, line.find(',') - text)];
        for (std::string name; words >> name;) of.insert(name);
      }
      comment.clear();
    }
  }
  BOOST_TEST(listed.size() == std::size(encodings));
  for (const encoding_case& one : encodings) {
    const std::set<std::string> expected(one.names.begin(), one.names.end());
    BOOST_TEST(listed[one.enumerator] == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(encodings_are_all_but_detect_and_guess_in_the_order_of_the_enumerators) {
  std::vector<encoding> listed;
  for (const encoding e : utfilter::encodings()) listed.push_back(e);
  BOOST_TEST(std::is_sorted(listed.begin(), listed.end()));
  BOOST_TEST(listed.size() + 2 == encodings.size());
  for (const encoding_case& one : encodings)
    if (one.value != encoding::detect && one.value != encoding::guess)
      BOOST_TEST((std::count(listed.begin(), listed.end(), one.value) == 1), one.name);
}

BOOST_AUTO_TEST_CASE(each_encoding_has_the_right_properties) {
  for (const encoding_case& one : encodings) {
    BOOST_TEST_CONTEXT(to_string(one.value)) {
      BOOST_TEST(code_unit_size(one.value) == one.code_unit);
      BOOST_TEST(has_bom(one.value) == one.bom);
      BOOST_TEST(is_decided_by_bom(one.value) == one.decided);
      BOOST_TEST(is_single_byte(one.value) == one.single_byte);
    }
  }
  const auto none = static_cast<encoding>(99);
  BOOST_TEST(!has_bom(none));
  BOOST_TEST(!is_decided_by_bom(none));
  BOOST_TEST(!is_single_byte(none));
  BOOST_TEST(code_unit_size(none) == 1u);
}

// Where a character has several sequences, the shortest one counts. Escape sequences do not count.
BOOST_AUTO_TEST_CASE(a_text_has_the_size_of_its_shortest_sequences) {
  const struct {
    encoding e;
    std::string_view text;
    std::size_t size;
  } table[] = {
      {encoding::iso_2022_jp, "a\n~", 3},
      {encoding::iso_2022_jp, "\u00A5\u203E", 2},
      {encoding::iso_2022_jp, "\u00A7\u3042\uFFE5", 6},
      {encoding::iso_2022_jp, "\uFF61\uFF9F", 2},
  };
  for (const auto& row : table)
    BOOST_TEST(utfilter::detail::source_size_of(row.e)(row.text.data(), row.text.size()) == row.size, row.text);
}

// If IANA and WHATWG define a name differently, the library follows IANA. WHATWG's meaning holds where it has the same
// characters, and more.
BOOST_AUTO_TEST_CASE(a_name_has_the_meaning_that_iana_defines) {
  BOOST_TEST(is("utf-16", encoding::utf16));       // WHATWG: UTF-16LE
  BOOST_TEST(is("iso-8859-1", encoding::latin1));  // WHATWG: windows-1252
  BOOST_TEST(is("latin1", encoding::latin1));
  BOOST_TEST(is("iso-8859-9", encoding::iso8859_9));    // WHATWG: windows-1254
  BOOST_TEST(is("iso-8859-11", encoding::iso8859_11));  // WHATWG: windows-874
  BOOST_TEST(is("us-ascii", encoding::ascii));          // WHATWG: windows-1252
  BOOST_TEST(is("iso-10646-ucs-2", encoding::utf16));   // WHATWG: UTF-16LE
  BOOST_TEST(is("tis-620", encoding::windows874));      // as WHATWG: IANA's has fewer characters
  BOOST_TEST(is("unicode", encoding::utf16le));         // as WHATWG: IANA has no such name
}

BOOST_AUTO_TEST_CASE(no_name_has_two_meanings) {
  std::map<std::string, std::string> owner;
  for (const encoding_case& one : encodings)
    for (const std::string& name : one.names) {
      const auto [found, is_new] = owner.emplace(name, one.name);
      BOOST_CHECK_MESSAGE(is_new, name << " means " << found->second << " and " << one.name);
    }
}

BOOST_AUTO_TEST_CASE(the_page_lists_every_encoding_with_its_names) {
  std::ifstream page(paths::source("doc/encodings.md"));
  BOOST_REQUIRE(page.is_open());
  // A row: | NAME | `ENUMERATOR` | for | unassigned | `name` `name` |
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(page, line);)
    if (const auto end = line.find(" | `"); line.rfind("| ", 0) == 0 && end != std::string::npos)
      rows[line.substr(2, end - 2)] = line;
  BOOST_TEST(rows.size() == encodings.size());
  for (const encoding_case& one : encodings) {
    const std::string& row = rows[one.name];
    std::string names;
    for (std::size_t i = 1; i < one.names.size(); ++i) names += (i == 1 ? "`" : " `") + one.names[i] + '`';
    BOOST_TEST(row.rfind("| " + one.name + " | `" + one.enumerator + "` | ", 0) == 0u, row);
    const std::string end = "| " + names + (names.empty() ? "|" : " |");
    BOOST_TEST((row.size() > end.size() && row.substr(row.size() - end.size()) == end), row);
  }
}

BOOST_AUTO_TEST_CASE(the_names_of_programs_on_the_page_are_accepted) {
  std::ifstream page(paths::source("doc/encodings.md"));
  std::size_t names = 0;
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| names | who writes them |", 0) == 0) in_table = true;
    if (line.empty()) in_table = false;
    if (!in_table) continue;
    for (std::size_t at = 0; (at = line.find('`', at)) != std::string::npos; ++names) {
      const std::size_t end = line.find('`', at + 1);
      const std::string name = line.substr(at + 1, end - at - 1);
      BOOST_TEST(utfilter::encoding_from_name(name).has_value(), name);
      at = end + 1;
    }
  }
  BOOST_TEST(names > 40U);
}

struct nearest_case {
  const char* wrong;
  std::array<std::string_view, 3> nearest;
};

const nearest_case nearest_cases[] = {
    {"utf-9", {"UTF-8"}},
    {"UTF 8", {"UTF-8", "MUTF-8"}},
    {"utf16-le", {"UTF-16LE", "UTF-16BE", "UTF-16"}},
    {"latin11", {"latin1", "latin10", "latin2"}},
    {"latin_9", {"latin-9", "latin1", "latin2"}},
    {"windows-1521", {"windows-1252", "windows-1251", "windows-1250"}},
    {"windows-125", {"windows-1252", "windows-1250", "windows-1251"}},
    {"cp1253x", {"cp1253", "cp1252", "cp1250"}},
    {"iso-8859-12", {"ISO-8859-1", "ISO-8859-2", "ISO-8859-10"}},
    {"koi9-r", {"KOI8-R"}},
    {"detekt", {"detect"}},
    {"l11", {"l1", "l10"}},
    {"vscii", {"ascii", "VISCII"}},
    {"nonesuch", {}},
    {"", {}},
    {"\u6587\u5B57", {}},
};

/// Levenshtein's distance, by its recursive definition: for short names only.
std::size_t distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  if (a[0] == b[0]) return distance(a.substr(1), b.substr(1));
  return 1 + std::min({distance(a.substr(1), b), distance(a, b.substr(1)), distance(a.substr(1), b.substr(1))});
}

std::string letters(std::string_view name) {
  std::string result;
  for (const char c : name)
    if (std::string_view("abcdefghijklmnopqrstuvwxyz0123456789").find(c) != std::string_view::npos) result += c;
  return result;
}

BOOST_AUTO_TEST_CASE(the_nearest_names_to_a_wrong_one_are_found) {
  for (const nearest_case& one : nearest_cases) {
    const auto found = utfilter::nearest_encoding_names(one.wrong);
    BOOST_TEST(found == one.nearest, one.wrong << ": " << found[0] << ' ' << found[1] << ' ' << found[2]);
  }
}

BOOST_AUTO_TEST_CASE(no_other_encoding_has_a_nearer_name) {
  for (const char* const wrong : {"l11", "koi", "utf9", "cp1", "mac1"}) {
    std::vector<std::size_t> distances;
    for (const encoding_case& one : encodings) {
      std::size_t least = 99;
      for (const std::string& name : one.names) {
        const std::string plain = letters(name);
        least =
            std::min(least, plain.size() < 9 ? distance(wrong, plain) : plain.size() - std::string_view(wrong).size());
      }
      distances.push_back(least);
    }
    std::sort(distances.begin(), distances.end());
    std::size_t place = 0;
    std::set<encoding> different;
    const std::size_t most = std::max<std::size_t>(std::string_view(wrong).size() / 3, 1);
    for (const std::string_view name : utfilter::nearest_encoding_names(wrong)) {
      BOOST_TEST(name.empty() == (distances[place] > most), wrong << ", " << place);
      if (name.empty()) break;
      std::string lower(name);
      for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      BOOST_TEST(distance(wrong, letters(lower)) == distances[place++], wrong << ": " << name);
      different.insert(utfilter::encoding_from_name(name).value());
    }
    BOOST_TEST(different.size() == place);
  }
}

BOOST_AUTO_TEST_CASE(a_correct_name_is_nearest_to_itself) {
  for (const encoding_case& one : encodings)
    for (const std::string& name : one.names) {
      const std::string_view found = utfilter::nearest_encoding_names(name)[0];
      BOOST_TEST(is(found, one.value), name << ": " << found);
    }
}

BOOST_AUTO_TEST_CASE(names_of_any_size_may_have_no_near_ones) {
  for (const std::string& name : {""s, std::string(1, '\0'), std::string(100'000, 'x'), "\xFF\xFE"s, "---"s})
    for (const std::string_view found : utfilter::nearest_encoding_names(name)) BOOST_TEST(found.empty());
}

BOOST_AUTO_TEST_CASE(other_names_are_refused) {
  const std::string names[] = {
      ""s, " "s, "utf"s, "utf-"s, "utf-7"s, "utf-9"s, "utf-88"s, "utf-8 "s, " utf-8"s, "utf_8"s, "utf-8\0"s, "\0"s,
      "utf-8\n"s, "utf-16 le"s, "utf-32l"s, "unicode-2"s, "ucs"s, "iso-8859"s, "iso-8859-12"s, "latin11"s,
      "windows-1259"s, "cp125"s, "cp12522"s, "shift_jiz"s, "wtf-8"s,
      // letters of other alphabets that look like ASCII letters: a Cyrillic es, a long s, fullwidth letters
      "\xD1\x81p1252"s, "i\xC5\xBFo-8859-1"s, "\xEF\xBC\xB5TF-8"s,
      // characters 32 code points below the right one, which a careless | 0x20 would accept
      "utf\r8"s,
      "utf\x0D"
      "16le"s,
      "iso_8859-1\x1A"
      "1987"s,
      "iso\x7F"
      "8859-1"s};
  for (const std::string& name : names)
    BOOST_CHECK_MESSAGE(!utfilter::encoding_from_name(name).has_value(), '"' << name << '"');
}

}  // namespace
