// charset_test.cpp: the charsets of ICU: the boundary cases of the WHATWG Encoding Standard's multi-byte encodings,
// names, policies, large texts, and the codecs in filters, streams and files.
// build: optimised needs:utfilter::icu needs:ICU::uc
#define BOOST_TEST_MODULE charset
#include "icu/charset_runs.hpp"
#include "icu/icu_oracle.hpp"
#include "support/brief.hpp"
#include "support/files.hpp"
#include "support/growth.hpp"
#include "support/outcomes.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/icu.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef __unix__
#  include <sys/resource.h>
#endif

namespace io = boost::iostreams;
using namespace std::string_literals;
using namespace std::string_view_literals;
using charset_runs::each_cut;
using charset_runs::outcome;
using charset_runs::summary;
using utfilter::charset;
using utfilter::errc;
using utfilter::on_error;

namespace {

//------------------------------------------------------------------------------------------------------- boundary cases

BOOST_AUTO_TEST_CASE(boundary_cases_of_multi_byte_charsets) {
  struct error {
    std::uint64_t offset;
    int size;
    errc code;
  };
  struct row {
    const char* name;
    std::string bytes, text;  // in the text ? is U+FFFD
    std::vector<error> errors;
  };
  constexpr errc cut = errc::truncated_sequence, at_end = errc::incomplete_at_end, none = errc::unassigned,
                 unused = errc::unused_byte;
  const row table[] = {
      {"Shift_JIS", "\x82\xA0\xB1", "\u3042\uFF71", {}},
      {"Shift_JIS", "a\x82", "a?", {{1, 1, at_end}}},
      {"Shift_JIS", "\x81\"", "?\"", {{0, 1, cut}}},
      {"Shift_JIS", "\x81\n\x81", "?\n?", {{0, 1, cut}, {2, 1, at_end}}},
      {"Shift_JIS", "\x82\x7E", "?~", {{0, 1, none}}},
      {"Shift_JIS", "\x85\x40\\", "?@\\", {{0, 1, none}}},
      {"Shift_JIS", "\x85\x9F", "?", {{0, 2, none}}},
      {"Shift_JIS", "\xA0\xFD", "??", {{0, 1, none}, {1, 1, none}}},
      {"EUC-JP", "\xA4\xA2\x8E\xB1\x8F\xB0\xA1", "\u3042\uFF71\u4E02", {}},
      {"EUC-JP", "\xA4", "?", {{0, 1, at_end}}},
      {"EUC-JP", "\xA4<", "?<", {{0, 1, cut}}},
      {"EUC-JP",
       "\x8E"
       "A",
       "?A",
       {{0, 1, cut}}},
      {"EUC-JP", "\x8F\xA1", "?", {{0, 2, at_end}}},
      {"EUC-JP",
       "\x8F\xA1"
       "A",
       "??A",
       {{0, 1, cut}, {1, 1, cut}}},
      {"EUC-JP", "\xA9\xA1\xFF", "??", {{0, 2, none}, {2, 1, unused}}},
      {"ISO-2022-JP", "a\x1B$B$\"\x1B(Bb", "a\u3042b", {}},
      {"ISO-2022-JP", "a\x1B(Zb", "a?(Zb", {{1, 1, cut}}},
      {"ISO-2022-JP", "\x1B$B$", "?", {{3, 1, at_end}}},
      {"ISO-2022-JP", "a\x1B", "a?", {{1, 1, at_end}}},
      {"ISO-2022-JP", "\xE3\x1B$B\x1B(Ba", "??a", {{0, 1, unused}, {4, 3, cut}}},
      {"EUC-KR", "\xB0\xA1", "\uAC00", {}},
      {"EUC-KR", "\xB0", "?", {{0, 1, at_end}}},
      {"EUC-KR", "\xB0\"\xFE>", "?\"?>", {{0, 1, cut}, {2, 1, cut}}},
      {"EUC-KR",
       "\xB0"
       "A",
       "\uCE9A",
       {}},
      {"EUC-KR", "\xFF", "?", {{0, 1, none}}},
      {"windows-949", "\x81\x41\xB0\xA1", "\uAC02\uAC00", {}},
      {"windows-949", "\x81", "?", {{0, 1, at_end}}},
      {"windows-949", "\xC8\x41\xC8\xA1", "?A\uD624", {{0, 1, none}}},
      {"GBK", "\xD6\xD0\x80", "\u4E2D\u20AC", {}},
      {"GBK", "\x81 \x81\x7F\x81", "? ?\x7F?", {{0, 1, cut}, {2, 1, cut}, {4, 1, at_end}}},
      {"GB18030", "\xD6\xD0\x81\x30\x81\x30\x94\x39\xDA\x33", "\u4E2D\u0080\U0001F4A9", {}},
      {"GB18030", "\x81\x30\n", "?0\n", {{0, 1, cut}}},
      {"GB18030", "\x81\x30\x81\x41", "?0\u4E04", {{0, 1, cut}}},
      {"GB18030", "\x81\x30\x81", "?", {{0, 3, at_end}}},
      {"GB18030", "\x81\x30", "?", {{0, 2, at_end}}},
      {"GB18030", "\x84\x31\xA5\x30<", "?<", {{0, 4, none}}},
      {"GB18030", "\xE3\x32\x9A\x36", "?", {{0, 4, none}}},
      {"GB18030", "\xFF\xFF", "??", {{0, 1, unused}, {1, 1, unused}}},
      {"Big5", "\xA4\xA4\xA4\x40", "\u4E2D\u4E00", {}},
      {"Big5", "\xA1\"\xA1", "?\"?", {{0, 1, cut}, {2, 1, at_end}}},
      {"Big5-HKSCS", "\x88\x66", "\u00CA", {}},
      {"HZ", "~{VP~}~~b", "\u4E2D~b", {}},
      {"HZ", "a~xb", "a?xb", {{1, 1, cut}}},
      {"UTF-7", "a+AOk-b+2AA-", "a\u00E9b?", {{7, 3, errc::unpaired_high_surrogate}}},
      {"UTF-7", "+2AA-b", "?b", {{0, 3, errc::unpaired_high_surrogate}}},
      {"UTF-7", "+3AA-b", "?b", {{0, 3, errc::unpaired_low_surrogate}}},
      {"UTF-16LE",
       "A\0\0\xD8"
       "B\0C"s,
       "A?B?",
       {{2, 2, cut}, {6, 1, at_end}}},
      {"ISCII,version=0", "a\n\xEF", "a\n?", {{2, 1, at_end}}},
      {"ibm-37", "\xC1\x25\xC2", "A\nB", {}},
      {"ibm-930", "\x0E\x44\x81\x0F\xC1\x0E\x41", "\u3042A?", {{6, 1, at_end}}},
  };
  for (const row& r : table) {
    BOOST_TEST_CONTEXT(r.name << " -> " << r.text) {
      charset_runs::converter ours(r.name);
      const outcome got = ours.decode(r.bytes);
      std::string text = got.text;
      for (std::size_t at; (at = text.find("\uFFFD")) != std::string::npos;) text.replace(at, 3, "?");
      BOOST_TEST(text == r.text);
      BOOST_TEST(got.errors.size() == r.errors.size());
      for (std::size_t i = 0; i < std::min(got.errors.size(), r.errors.size()); ++i) {
        BOOST_TEST(got.errors[i].offset == r.errors[i].offset);
        BOOST_TEST(int{got.errors[i].size} == r.errors[i].size);
        BOOST_TEST(to_string(got.errors[i].code) == to_string(r.errors[i].code));
      }
      each_cut(r.bytes.size(), [&](const std::vector<std::size_t>& cuts) {
        if (summary(ours.decode(r.bytes, cuts, 4)) != summary(got)) BOOST_ERROR("another result in pieces");
      });
    }
  }
}

// No byte that is ASCII on its own is lost in any stateless charset, whatever byte comes before it: a quote or a <
// cannot be hidden in a broken character.
BOOST_AUTO_TEST_CASE(no_ascii_byte_is_lost_after_a_broken_character) {
  for (const std::string& name : icu_oracle::names()) {
    const charset c(name);
    charset_runs::converter ours(name);
    if (c.is_stateful()) continue;
    for (int second = 0; second < 0x80; ++second) {
      const std::string ascii(1, static_cast<char>(second));
      if (ours.decode(ascii).text != ascii) continue;
      for (int first = 0x80; first < 0x100; ++first) {
        const outcome got = ours.decode(static_cast<char>(first) + ascii + '\n');
        if (!got.errors.empty() && got.text.find(ascii) == std::string::npos)
          BOOST_ERROR(name << ": " << first << ' ' << second << " is " << got.text);
      }
    }
  }
}

// IBM's tables exchange the characters U+001A, U+001C and U+007F, and so does ICU: Ctrl-Z, which ends a text of DOS,
// would be a separator.
BOOST_AUTO_TEST_CASE(controls_are_the_bytes_of_the_same_value) {
  // In these, other controls are parts of escape sequences, or letters.
  const std::set<std::string> with_other_controls = {"UTF-7", "IMAP-mailbox-name", "SCSU", "BOCU-1", "gsm-03.38-2009"};
  std::string controls, all = "A";
  for (int c = 0; c < 0x20; ++c)
    if (c != 0x0E && c != 0x0F && c != 0x1B) controls += static_cast<char>(c);
  controls += '\x7F';
  for (const char c : controls) all += std::string(1, c) + 'z';
  int checked = 0;
  for (const std::string& name : charset::names()) {
    charset_runs::converter ours(name);
    const bool is_ascii =
        ours.decode("Az09 \n").text == "Az09 \n" && ours.encode("z").text.find('z') != std::string::npos;
    if (!is_ascii || with_other_controls.count(name) != 0 || name.rfind("LMBCS", 0) == 0 ||
        name.rfind("ISCII", 0) == 0)  // changes of the script begin each line
      continue;
    ++checked;
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST((ours.decode(all).text == all));
      // Stateful charsets may begin with an escape sequence.
      const std::string written = ours.encode(all).text;
      BOOST_TEST((written.size() >= all.size() && written.substr(written.size() - all.size()) == all));
      BOOST_TEST((ours.decode(written).text == all));
      const std::string large(5000, 'x');  // takes another way through ICU
      BOOST_TEST((ours.decode(large + all + large).text == large + all + large));
      const std::string much = ours.encode(large + all + large).text;
      BOOST_TEST((much.find(all + large) != std::string::npos));
      for (const char c : {'\x1A', '\x1C', '\x7F'}) {
        const std::string ended = large + c;
        BOOST_TEST((ours.decode(ended).text == ended));
      }
    }
  }
  BOOST_TEST(checked > 100);
}

// A replacement is converted as text is, and a control after a lead byte is not swallowed.
BOOST_AUTO_TEST_CASE(controls_in_a_replacement_and_after_a_lead_byte) {
  for (const char* name : {"Shift_JIS", "IBM852"}) {
    utfilter::params p{on_error::replace};
    p.replacement = "\x1A\x1C\x7F";
    utfilter::codec_encoder to(charset(name), p);
    std::vector<char> out(4096);
    const std::string text = "a\u0905z";  // a letter that both lack
    const auto done = to.convert(text.data(), text.size(), out.data(), out.size(), true);
    BOOST_TEST(std::string(out.data(), done.produced) == "a\x1A\x1C\x7Fz");
  }
  charset_runs::converter ours("Shift_JIS");
  for (const std::string control : {"\x1A", "\x1C", "\x7F"})
    BOOST_TEST(ours.decode("\x81" + control).text == "\uFFFD" + control);
}

//--------------------------------------------------------------------------------------------------------- large texts

// Large pieces take another way through ICU than small ones.
BOOST_AUTO_TEST_CASE(large_texts_are_as_icu_has_them) {
  std::mt19937 random(1);
  for (const char* name :
       {"Shift_JIS", "EUC-JP", "EUC-KR", "GB18030", "Big5", "ibm-37", "ISO-2022-JP", "ibm-930", "HZ"}) {
    BOOST_TEST_CONTEXT(name) {
      // ICU has smaller charsets by the names EUC-KR and Big5.
      const std::string icu_name = name == "EUC-KR"s ? "ibm-1363_P11B-1998"
                                   : name == "Big5"s ? "ibm-1375_P100-2008"
                                                     : name;
      const icu_oracle::converter theirs = icu_oracle::open(icu_name);
      const std::vector<char32_t> characters = icu_oracle::characters(theirs.get());
      std::u32string text;
      for (int i = 0; i < 20000; ++i)
        text += random() % 50 == 0 ? U'\n' : random() % 3 == 0 ? U'a' : characters[random() % characters.size()];
      const std::string utf8 = texts::utf8(text), bytes = icu_oracle::encode(icu_name, text).value();
      charset_runs::converter ours(name);
      const outcome written = ours.encode(utf8, {}, 16384), read = ours.decode(bytes);
      BOOST_TEST((written.text == bytes));
      // ICU 76 does not read back every character of GB18030.
      const std::u16string units = icu_oracle::decode(icu_name, bytes).units;
      BOOST_TEST((read.text == icu_oracle::utf8(units)));
      BOOST_TEST(written.report.lines == read.report.lines);

      // With errors: a character that the charset lacks, ill-formed UTF-8, and bytes that are no character.
      std::string bad_utf8 = utf8, bad_bytes = bytes;
      for (int i = 0; i < 20; ++i) {
        bad_utf8.insert(random() % bad_utf8.size(), i % 2 == 0 ? "\xF0\x9F\x92\xA9" : "\xC3");
        bad_bytes.insert(random() % bad_bytes.size(), i % 2 == 0 ? "\xFF" : "\x81");
      }
      const std::string encoded = summary(ours.encode(bad_utf8)), decoded = summary(ours.decode(bad_bytes));
      for (int i = 0; i < 10; ++i) {
        std::vector<std::size_t> cuts{0}, more{0};
        while (cuts.back() < bad_utf8.size()) cuts.push_back(cuts.back() + random() % 9000);
        while (more.back() < bad_bytes.size()) more.push_back(more.back() + random() % 9000);
        cuts.pop_back();
        more.pop_back();
        BOOST_TEST((summary(ours.encode(bad_utf8, cuts, 32 + random() % 20000)) == encoded));
        BOOST_TEST((summary(ours.decode(bad_bytes, more, 4 + random() % 20000)) == decoded));
      }
    }
  }
}

// Each error in a large text of UTF-8 has the place that the encoder of the library finds for ISO-8859-1.
BOOST_AUTO_TEST_CASE(places_in_utf8_are_those_of_the_other_encoders) {
  std::mt19937 random(5);
  std::string text;
  while (text.size() < 100000)
    text += random() % 40 == 0     ? "\u20AC"
            : random() % 60 == 0   ? "\xE2\x82"
            : random() % 1000 == 0 ? std::string(6000, 'x')
                                   : "\u00E9a\n"s.substr(0, random() % 3 == 0 ? 2 : 4);
  std::vector<utfilter::error_info> expected, got;
  const auto run = [&](auto&& conversion) {
    std::vector<char> out(3 * text.size());
    conversion.convert(text.data(), text.size(), out.data(), out.size(), true);
  };
  utfilter::params p{on_error::replace};
  p.observer = [&](const utfilter::error_info& e) { expected.push_back(e); };
  run(utfilter::encoder(utfilter::encoding::latin1, p));
  p.observer = [&](const utfilter::error_info& e) { got.push_back(e); };
  run(utfilter::codec_encoder(charset("ISO-8859-1"), p));
  BOOST_TEST(expected.size() > 100U);
  BOOST_TEST_REQUIRE(expected.size() == got.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST(to_string(expected[i]) == to_string(got[i]));
    BOOST_TEST(expected[i].line_offset == got[i].line_offset);
  }
}

//---------------------------------------------------------------------------------------------------------------- names

BOOST_AUTO_TEST_CASE(every_name_of_icu_is_accepted_and_means_the_same) {
  std::set<std::string> found;
  for (const std::string& name : charset::names()) {
    BOOST_TEST(charset(name).name() == name);
    BOOST_TEST(found.insert(name).second);
    for (const std::string& alias : charset(name).aliases()) BOOST_TEST(charset(alias).name() == name);
  }
  for (const std::string& name : icu_oracle::names()) BOOST_TEST(charset::exists(name), name);
  BOOST_TEST(charset("sJis").name() == "Shift_JIS");
  BOOST_TEST(charset("ibm_37,swaplfnl").name() == "ibm-37_P100-1995,swaplfnl");
}

/// The name with another mark, or none, in place of each hyphen, underscore and colon, and before its first digit.
std::set<std::string> other_spellings(const std::string& name) {
  std::set<std::string> all;
  for (const std::string& mark : {""s, "-"s, "_"s, ":"s, "--"s}) {
    std::string other, split;
    for (const char c : name) other += "-_:"s.find(c) == std::string::npos ? std::string(1, c) : mark;
    all.insert(other);
    const std::size_t digit = std::min(other.find_first_of("0123456789"), other.size());
    all.insert(other.substr(0, digit) + mark + other.substr(digit));
  }
  return all;
}

std::vector<std::string> names_in(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// ICU takes ucs2 for another byte order than the library takes ucs-2, and ibm-437 has another character than IBM437.
BOOST_AUTO_TEST_CASE(another_spelling_of_an_encoding_means_the_same_or_nothing) {
  using utfilter::encoding;
  const auto read = [](auto reader, const std::string& bytes) {
    std::string out(4 * bytes.size() + 16, '\0');
    const auto done = reader.convert(bytes.data(), bytes.size(), &out[0], out.size(), true);
    out.resize(done.produced);
    return out;
  };
  int accepted = 0;
  for (const encoding e : utfilter::encodings()) {
    const bool is_single = utfilter::is_single_byte(e);
    std::string bytes(is_single ? 128 : 0, '\0');
    for (std::size_t i = 0; i != bytes.size(); ++i) bytes[i] = static_cast<char>(0x80 + i);
    if (!is_single) bytes = read(utfilter::encoder(e, on_error::replace), "a\u00E9\u4E2D");
    const std::string expected = read(utfilter::decoder(e, on_error::replace), bytes);
    for (const std::string& name : names_in(std::string(utfilter::encoding_names(e))))
      for (const std::string& other : other_spellings(name)) BOOST_TEST_CONTEXT(name << ", " << other) {
          if (!charset::exists(other) || (is_single && utfilter::encoding_from_name(other))) continue;
          ++accepted;
          BOOST_TEST(read(utfilter::codec_decoder(charset(other), on_error::replace), bytes) == expected);
        }
  }
  BOOST_TEST(accepted > 100);
  for (const char* const name : {"ucs-2", "ucs2", "unicode", "cp1200", "cp-1200"})
    BOOST_TEST(charset(name).name() == "UTF-16LE");
  for (const char* const name :
       {"windows_1253", "ibm_437", "tis_620", "koi_8_u", "shift:jis", "s-jis", "gb_18030", "big--5"})
    BOOST_TEST(!charset::exists(name), name);
  // These are ICU's own names, and mean its converters: they have other characters than the encodings.
  for (const char* const name :
       {"ibm-943_P15A-2003", "ibm-943", "windows-936-2000", "ibm-1363_P11B-1998", "windows-950-2000", "ibm-1392"})
    BOOST_TEST((charset::exists(name) && !utfilter::encoding_from_name(name)), name);
  BOOST_TEST(charset("euc_jp").name() == "EUC-JP");
  BOOST_TEST(charset("windows-949").name() == "EUC-KR");
  BOOST_TEST(charset("big5_hkscs").name() == "Big5");
  BOOST_TEST(charset("windows-950-2000").name() == "windows-950-2000");
}

BOOST_AUTO_TEST_CASE(a_wrong_name_has_the_nearest_three) {
  for (const std::string& name : {""s, "nonesuch"s, "../Big5"s, "Big5\0"s, "Big5 "s, "Shift_JIS,version=1"s,
                                  std::string(100, 'a'), "x11-compound-text"s})
    BOOST_TEST(!charset::exists(name), name);
  BOOST_TEST(thrown_by<std::invalid_argument>([] { charset("Shift-JIZ"); }) ==
             "utfilter: ICU has no charset \"Shift-JIZ\"; the nearest name is Shift_JIS");
  BOOST_TEST(thrown_by<std::invalid_argument>([] { charset("EUC-JX"); }) ==
             "utfilter: ICU has no charset \"EUC-JX\"; the nearest name is EUC-JP");
  BOOST_TEST(thrown_by<std::invalid_argument>([] { charset("nonesuch"); }) ==
             "utfilter: ICU has no charset \"nonesuch\"");
  BOOST_TEST(charset::nearest_names("EUC-JQ").front() == "EUC-JP");
}

BOOST_AUTO_TEST_CASE(it_is_known_which_charsets_are_stateful) {
  for (const char* name : {"ISO-2022-JP", "ISO-2022-KR", "HZ", "UTF-7", "SCSU", "BOCU-1", "ibm-930", "UTF-16"})
    BOOST_TEST(charset(name).is_stateful(), name);
  for (const char* name : {"Shift_JIS", "EUC-JP", "EUC-KR", "GBK", "GB18030", "Big5", "ibm-37", "UTF-16LE"})
    BOOST_TEST(!charset(name).is_stateful(), name);
}

//------------------------------------------------------------------------------------------------------------- policies

BOOST_AUTO_TEST_CASE(each_policy_does_what_it_says) {
  const auto decode = [](on_error policy, const std::string& bytes) {
    charset_runs::converter c("Shift_JIS", policy);
    const outcome o = c.decode(bytes);
    return o.text + o.failure;
  };
  const std::string bytes = "\x82\xA0\x81\"\x85\x9F";
  BOOST_TEST(decode(on_error::strict, bytes) == "\u3042 line 1, column 2 (byte 2): truncated sequence: 81");
  BOOST_TEST(decode(on_error::stop, bytes) == "\u3042");
  BOOST_TEST(decode(on_error::replace, bytes) == "\u3042\uFFFD\"\uFFFD");
  BOOST_TEST(decode(on_error::skip, bytes) == "\u3042\"");
  BOOST_TEST(decode(on_error::escape, bytes) == "\u3042\\x81\"\\x85\\x9F");
  BOOST_TEST(decode(on_error::windows1252, bytes) == "\u3042\uFFFD\"\uFFFD");

  const auto encode = [](on_error policy, const char* name) {
    charset_runs::converter c(name, policy);
    const outcome o = c.encode("\u3042\u20AC\xC3\u3042");
    return o.text + o.failure;
  };
  BOOST_TEST(encode(on_error::strict, "Shift_JIS") ==
             "\x82\xA0 line 1, column 2 (byte 3): the target encoding lacks U+20AC: E2 82 AC");
  BOOST_TEST(encode(on_error::replace, "Shift_JIS") == "\x82\xA0??\x82\xA0");
  BOOST_TEST(encode(on_error::skip, "Shift_JIS") == "\x82\xA0\x82\xA0");
  BOOST_TEST(encode(on_error::escape, "Shift_JIS") == "\x82\xA0\\u{20AC}\\xC3\x82\xA0");
  BOOST_TEST(encode(on_error::replace, "GB18030") == "\xA4\xA2\xA2\xE3\x84\x31\xA4\x37\xA4\xA2");
  BOOST_TEST(encode(on_error::windows1252, "GB18030") == "\xA4\xA2\xA2\xE3\x81\x30\x87\x31\xA4\xA2");
  BOOST_TEST(encode(on_error::replace, "ISO-2022-JP") == "\x1B$B$\"\x1B(B??\x1B$B$\"\x1B(B");
  BOOST_TEST(encode(on_error::skip, "ISO-2022-JP") == "\x1B$B$\"$\"\x1B(B");
}

BOOST_AUTO_TEST_CASE(a_replacement_may_need_more_room_than_there_is) {
  std::string many;
  for (int i = 0; i < 40; ++i) many += "\u3042";
  utfilter::params p{on_error::replace};
  p.replacement = many + "\u20AC" + many;
  utfilter::codec_encoder encoder(charset("ISO-2022-JP"), p);
  std::vector<utfilter::error_info> none;
  for (const std::size_t room : {32U, 33U, 4096U}) {
    const outcome o = charset_runs::pass(
        encoder, none, utfilter::codec_encoder<utfilter::charset_writer>::direction::writing, "\xFFx", {}, room);
    BOOST_TEST(o.text == charset_runs::converter("ISO-2022-JP").encode(p.replacement + "x").text);
    BOOST_TEST(o.report.bytes_out == o.text.size());
  }
}

BOOST_AUTO_TEST_CASE(a_text_that_fails_ends_in_the_first_state) {
  charset_runs::converter strict("ISO-2022-JP", on_error::strict);
  for (const char* error : {"\u20AC", "\xC3"})
    for (const std::size_t room : {32U, 4096U})
      BOOST_TEST(strict.encode(std::string("a\u3042") + error + "\u3042", {}, room).text == "a\x1B$B$\"\x1B(B");

  const std::string utf8 = "a\u3042\xFF";
  io::filtering_istream in(utfilter::utf8_to_charset(charset("ISO-2022-JP")) | utfilter::utf8_validator() |
                           io::array_source(utf8.data(), utf8.size()));
  in.exceptions(std::ios::badbit);
  std::string bytes;
  const auto read = [&] {
    for (char c; in.get(c);) bytes += c;
  };
  BOOST_CHECK_THROW(read(), utfilter::utf_error);
  BOOST_TEST(bytes == "a\x1B$B$\"\x1B(B");
}

// U+FEFF at the start is dropped, because Shift_JIS lacks it. The places after it count its bytes, but no column.
BOOST_AUTO_TEST_CASE(places_count_the_bytes_of_a_bom_that_is_dropped) {
  struct row {
    std::string text;
    std::uint64_t offset, column;
  };
  const row rows[] = {{"\uFEFF\u20AC", 3, 1},
                      {"\uFEFFab\u20AC", 5, 3},
                      {"\uFEFF\uFEFF", 3, 1},
                      {"\uFEFF\uFEFF\u20AC", 3, 1},
                      {"a\uFEFF", 1, 2}};
  charset_runs::converter c("Shift_JIS");
  for (const row& r : rows)
    for (std::size_t cut = 0; cut <= r.text.size(); ++cut) {
      const outcome o = c.encode(r.text, {cut});
      BOOST_TEST(o.errors.at(0).offset == r.offset);
      BOOST_TEST(o.errors.at(0).column == r.column);
      BOOST_TEST(summary(o) == summary(c.encode(r.text)));
    }
}

// A charset without U+FEFF lacks it like any other character, if the policy keeps it.
BOOST_AUTO_TEST_CASE(a_bom_that_is_kept_counts_in_the_places_after_it) {
  utfilter::params p{on_error::skip, utfilter::bom::keep};
  std::vector<utfilter::error_info> errors;
  p.observer = [&](const utfilter::error_info& e) { errors.push_back(e); };
  std::stringstream bytes;
  utfilter::codec_ostream out(bytes, charset("Shift_JIS"), p);
  out << "\uFEFFab\u20AC";
  out.close();
  BOOST_TEST(bytes.str() == "ab");
  BOOST_REQUIRE(errors.size() == 2u);
  BOOST_TEST(errors[0].offset == 0u);
  BOOST_TEST(errors[1].offset == 5u);
  BOOST_TEST(errors[1].column == 3u);
}

// A text that ends with an error has all characters before it, and ends in the first shift state. So another text can
// be appended to it. UTF-7 keeps bits of a character until the next one.
BOOST_AUTO_TEST_CASE(a_text_that_ends_with_an_error_is_well_formed) {
  const std::pair<const char*, std::string> rows[] = {
      {"ISO-2022-JP", "\x1B$B$\"$$\x1B(B"},
      {"UTF-7", "+MEIwRA-"},
      {"Shift_JIS", "\x82\xA0\x82\xA2"},
  };
  for (const auto& row : rows)
    for (const std::string error : {"\xC3", "\xC3\u3042", "\U0001F4A9", "\U0001F4A9\u3042"}) {
      const std::string name = row.first, written = row.second;  // clang++ 14 cannot capture structured bindings
      if (name == "UTF-7" && error[0] != '\xC3') continue;       // UTF-7 has all characters
      BOOST_TEST_CONTEXT(name) {
        const std::string text = "\u3042\u3044" + error;
        charset_runs::converter strict(name, on_error::strict);
        const outcome whole = strict.encode(text);
        BOOST_TEST(whole.text == written);
        BOOST_TEST(whole.report.bytes_out == written.size());
        BOOST_TEST(whole.errors.size() == 1U);
        for (std::size_t cut = 0; cut <= text.size(); ++cut) {
          BOOST_TEST(summary(strict.encode(text, {cut}, 32)) == summary(whole));
          BOOST_TEST(summary(strict.encode(text, {cut}, 35)) == summary(whole));
        }

        std::stringstream bytes;
        utfilter::codec_ostream out(bytes, charset(name));
        out << text;
        BOOST_CHECK_THROW(out.close(), utfilter::utf_error);
        BOOST_TEST(bytes.str() == written);

        const auto read = [&](auto source, on_error policy) {
          io::filtering_istream in(utfilter::utf8_to_charset(charset(name), policy) | source);
          std::string got(100, '\0');
          in.read(got.data(), 100);
          return got.substr(0, static_cast<std::size_t>(in.gcount()));
        };
        BOOST_TEST(read(io::array_source(text.data(), text.size()), on_error::stop) == written);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_replacement_may_be_a_supplementary_character) {
  utfilter::params p{on_error::replace};
  p.replacement = "\U0001F600";
  std::stringstream bytes;
  utfilter::codec_ostream out(bytes, charset("GB18030"), p);
  out << "a\xFF"
         "b";
  out.close();
  BOOST_TEST(bytes.str() == "a\x94"
                            "9\xFC"
                            "6b");
}

// ibm-1390 has a code for U+304B U+309A together, so ICU keeps U+304B back. It must still come before the next repair.
BOOST_AUTO_TEST_CASE(a_character_that_icu_keeps_back_comes_before_a_repair) {
  charset_runs::converter c("ibm-1390", on_error::escape);
  const std::string together = "\u304B\u309A";
  BOOST_TEST(c.decode(c.encode(together).text).text == together);
  for (const char* error : {"\xC3", "\U0001F4A9"}) {
    const std::string escape = error[0] == '\xC3' ? "\\xC3" : "\\u{1F4A9}";
    const std::string text = "\u304B"s + error + "\u3044";
    const outcome whole = c.encode(text);
    BOOST_TEST(c.decode(whole.text).text == "\u304B" + escape + "\u3044");
    BOOST_TEST(whole.text.back() == '\x0F');  // the first state
    BOOST_TEST(whole.errors.front().offset == 3U);
    charset_runs::converter strict("ibm-1390", on_error::strict);
    BOOST_TEST(c.decode(strict.encode(text).text).text == "\u304B");
    each_cut(text.size(), [&](const std::vector<std::size_t>& cuts) {
      if (summary(c.encode(text, cuts, 32)) != summary(whole)) BOOST_ERROR("another result in pieces");
    });
  }
}

// The same U+304B as a repair is whole: ICU must not keep it for what comes after.
BOOST_AUTO_TEST_CASE(a_repair_that_icu_keeps_back_is_written) {
  utfilter::params p{on_error::replace};
  p.replacement = "\u304B";
  std::stringstream bytes;
  utfilter::codec_ostream out(bytes, charset("ibm-1390"), p);
  out << "\u3042\xFF\u3044";
  out.close();
  BOOST_TEST(charset_runs::converter("ibm-1390").decode(bytes.str()).text == "\u3042\u304B\u3044");
}

// In SCSU ICU looks at the next characters to choose among several codes.
BOOST_AUTO_TEST_CASE(the_codes_of_scsu_do_not_depend_on_the_cuts) {
  charset_runs::converter c("SCSU");
  const std::string text = "\u5D9D2\U00020964\u0416C";
  const outcome whole = c.encode(text);
  BOOST_TEST(c.decode(whole.text).text == text);
  each_cut(text.size(), [&](const std::vector<std::size_t>& cuts) {
    if (summary(c.encode(text, cuts, 32)) != summary(whole)) BOOST_ERROR("another result in pieces");
  });
}

BOOST_AUTO_TEST_CASE(an_initial_byte_order_mark_is_dropped_if_the_charset_lacks_it) {
  const auto encode = [](const char* name, utfilter::bom b, const std::string& text) {
    utfilter::codec_encoder e(charset(name), {on_error::strict, b});
    char out[100];
    const auto done = e.convert(text.data(), text.size(), out, sizeof out, true);
    return std::string(out, done.produced) + (e.failed() ? " fails" : "");
  };
  const std::string mark = "\uFEFF", a = "\x84\x31\x95\x33";
  using utfilter::bom;
  BOOST_TEST(encode("Shift_JIS", bom::automatic, mark + "a" + mark) == "a fails");
  BOOST_TEST(encode("Shift_JIS", bom::strip, mark + "a") == "a");
  BOOST_TEST(encode("Shift_JIS", bom::keep, mark + "a") == " fails");
  BOOST_TEST(encode("GB18030", bom::automatic, mark + "a") == a + "a");
  BOOST_TEST(encode("GB18030", bom::strip, mark + "a") == "a");
  BOOST_TEST(encode("GB18030", bom::add, "a") == a + "a");
  BOOST_TEST(encode("GB18030", bom::require, "a") == " fails");
  BOOST_TEST(encode("GB18030", bom::reject, mark + "a") == " fails");
}

BOOST_AUTO_TEST_CASE(params_without_sense_are_refused_with_the_reason) {
  utfilter::params start, marked, keep, indexed;
  start.start = utfilter::checkpoint();
  marked.bom = utfilter::bom::strip;
  keep.on_error = on_error::keep;
  indexed.index_every = 1000;
  const charset sjis("Shift_JIS"), jp("ISO-2022-JP");
  std::stringbuf buffer;
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::codec_decoder(sjis, start); }) ==
             "utfilter: reading Shift_JIS: params::start is not for charsets: a checkpoint names an encoding of "
             "encoding.hpp");
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::charset_to_utf8(jp, start); }) ==
             "utfilter: reading ISO-2022-JP: params::start is not for this charset: its bytes depend on those "
             "before them");
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::codec_istream(&buffer, sjis, indexed); }) ==
             "utfilter: reading Shift_JIS: params::index_every needs checkpoints, which charsets do not have");
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::codec_istream(&buffer, sjis, marked); }) != "");
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::codec_decoder(sjis, keep); }) != "");
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::utf8_to_charset(sjis, keep); }) != "");
  marked.bom = utfilter::bom::add;
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::codec_ostream(&buffer, sjis, marked); }) ==
             "utfilter: writing Shift_JIS: the charset has no byte order mark to add, require or reject");
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { utfilter::codec_ostream(&buffer, charset("GB18030"), marked); }) ==
             "");
}

//------------------------------------------------------------------------------------------ codecs, filters and streams

// A copy in the middle of a character, or of the text in a shift state, goes on as the original does.
BOOST_AUTO_TEST_CASE(a_copy_of_a_codec_goes_on_as_the_original) {
  const auto rest = [](auto codec, const std::string& text, std::size_t at) {
    std::string result;
    char out[64];
    const char* in = text.data() + at;
    std::size_t size = text.size() - at;
    for (utfilter::codec_progress done{}; done.status != utfilter::codec_status::done;) {
      done = codec.transform(in, size, out, sizeof out, true);
      in += done.consumed;
      size -= done.consumed;
      result.append(out, done.produced);
      if (done.status == utfilter::codec_status::malformed) result += to_string(codec.error());
    }
    return result;
  };
  for (const char* name :
       {"Shift_JIS", "GB18030", "ISO-2022-JP", "UTF-7", "SCSU", "ibm-930", "LMBCS-1", "ISCII,version=0"}) {
    const std::string utf8 = "a\u0905\u0E01b\u3042\n\u20ACc";
    charset_runs::converter ours(name, on_error::skip);
    const std::string bytes = ours.encode(utf8).text;
    const auto check = [&](const auto& fresh, const std::string& text) {
      for (std::size_t at = 0; at <= text.size(); ++at) {
        auto codec = fresh;
        char out[256];
        const char* in = text.data();
        for (std::size_t left = at; left != 0;) {
          const auto done = codec.transform(in, left, out, sizeof out, false);
          in += done.consumed;
          left -= done.consumed;
        }
        auto copy = codec;
        auto assigned = fresh;
        assigned = codec;
        const std::string expected = rest(std::move(codec), text, at);
        BOOST_TEST(rest(std::move(copy), text, at) == expected);
        BOOST_TEST(rest(std::move(assigned), text, at) == expected);
      }
    };
    check(utfilter::charset_reader(charset(name)), bytes);
    check(utfilter::charset_writer(charset(name)), utf8);
  }
}

BOOST_AUTO_TEST_CASE(filters_work_in_both_directions) {
  std::string utf8;
  for (int i = 0; i < 3000; ++i) utf8 += "line " + std::to_string(i) + " \u3042\u4E2D\n";
  for (const char* name : {"Shift_JIS", "ISO-2022-JP", "GB18030"}) {
    const utfilter::charset_to_utf8 decode{charset(name)};
    const utfilter::utf8_to_charset encode{charset(name)};
    std::string bytes, text;
    {
      io::filtering_ostream out(encode | io::back_inserter(bytes));
      out << utf8;
      out.reset();
    }
    BOOST_TEST(encode.report().lines == 3000U);
    BOOST_TEST(encode.report().bytes_out == bytes.size());
    for (const std::streamsize size : {1, 7, 128, 4096}) {
      io::filtering_istream in;
      in.push(decode, size);
      in.push(io::array_source(bytes.data(), bytes.size()), size);
      const std::string got{std::istreambuf_iterator<char>(in), {}};
      BOOST_TEST((got == utf8));
    }
    BOOST_TEST(decode.report().bytes_in == bytes.size());

    // The same types the other way round: decoding while writing, encoding while reading.
    io::filtering_ostream out(decode | io::back_inserter(text));
    for (const char c : bytes) out.write(&c, 1).flush();
    out.reset();
    BOOST_TEST((text == utf8));
    io::filtering_istream in(encode | io::array_source(utf8.data(), utf8.size()));
    BOOST_TEST((std::string{std::istreambuf_iterator<char>(in), {}} == bytes));
  }
  io::filtering_istream chain;
  chain.push(utfilter::from_utf8(utfilter::encoding::utf16le) | utfilter::charset_to_utf8(charset("EUC-KR")) |
             io::array_source("\xB0\xA1", 2));
  BOOST_TEST((std::string{std::istreambuf_iterator<char>(chain), {}} == "\x00\xAC"s));
}

BOOST_AUTO_TEST_CASE(an_error_comes_after_the_text_before_it) {
  io::filtering_istream in(utfilter::charset_to_utf8(charset("EUC-JP")) | io::array_source("\xA4\xA2\n\xA4\xFF", 5));
  in.exceptions(std::ios::badbit);
  std::string line;
  std::getline(in, line);
  BOOST_TEST(line == "\u3042");
  BOOST_CHECK_EXCEPTION(std::getline(in, line), utfilter::utf_error, [](const utfilter::utf_error& e) {
    return e.info().offset == 3 && e.info().line == 2 && e.info().column == 1 && e.info().size == 2;
  });
  io::filtering_ostream out;
  std::string bytes;
  out.push(utfilter::utf8_to_charset(charset("EUC-JP")));
  out.push(io::back_inserter(bytes));
  out << "\u3042\U0001F4A9";
  BOOST_CHECK_THROW(out.reset(), utfilter::utf_error);
  BOOST_TEST(bytes == "\xA4\xA2");
}

BOOST_AUTO_TEST_CASE(streams_and_files) {
  const charset jp("ISO-2022-JP");
  std::stringstream bytes;
  utfilter::codec_ostream out(bytes, jp);
  out << "\u3042\n\u4E2Dx\n";
  out.close();
  BOOST_TEST(bytes.str() == "\x1B$B$\"\x1B(B\n\x1B$BCf\x1B(Bx\n");

  utfilter::codec_istream in(bytes, jp);
  std::string line;
  std::getline(in, line);
  BOOST_TEST(line == "\u3042");
  in.seekg(0);  // decodes again from the start
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  BOOST_TEST(all == "\u3042\n\u4E2Dx\n");
  in.clear();
  in.seekg(4);
  std::getline(in, line);
  BOOST_TEST(line == "\u4E2Dx");

  const files::temporary_file file("charset");
  utfilter::codec_ofstream to(file.path(), jp);
  to << all;
  to.close();
  utfilter::codec_ofstream more(file.path(), jp, {}, std::ios::app);
  more << "\u3042";
  more.close();
  utfilter::codec_ifstream from(file.path(), jp);
  BOOST_TEST((std::string{std::istreambuf_iterator<char>(from), {}} == all + "\u3042"));
  utfilter::codec_ifstream moved = std::move(from);
  BOOST_TEST(moved.report().lines == 2U);
  BOOST_TEST(!utfilter::codec_ifstream("no/such/file", jp).is_open());
}

/// Characters for which charsets change their state.
constexpr const char* of_many_scripts[] = {"z",      "\u00E9", "\u0159", "\u0416", "\u0628", "\u0915",
                                           "\u0E01", "\u3042", "\u4E2D", "\uD55C", "\uFF21", "\U0001F600"};

std::string written(const charset& to, const std::string& text) {
  std::ostringstream bytes;
  utfilter::codec_ostream out(bytes, to);
  out << text;
  const bool lacks_a_character = caught<utfilter::utf_error>([&] { out.close(); }).has_value();
  return lacks_a_character ? "" : bytes.str();
}

// Each charset of ICU either reads what is appended, or refuses to append and leaves the file as it is.
BOOST_AUTO_TEST_CASE(what_is_appended_is_read_back_or_refused) {
  const files::directory d;
  const std::string file = d / "appended";
  std::set<std::string> refused_after_line;
  std::size_t appended = 0, refused = 0;
  const auto append = [&](const charset& to, const std::string& first, const std::string& second) {
    const std::string before = written(to, first);
    files::write(file, before);
    try {
      utfilter::codec_ofstream out(file, to, {}, std::ios::app);
      out << second;
      out.close();
    } catch (const std::ios_base::failure& why) {
      ++refused;
      BOOST_TEST(std::string(why.what()).find(to.name() + " cannot be appended to " + file + ", ") !=
                 std::string::npos);
      BOOST_TEST(files::content(file) == before);
      return false;
    }
    ++appended;
    utfilter::codec_ifstream in(file, to, on_error::escape);
    BOOST_TEST(files::rest(in) == first + second, to.name() << ": " << first << '+' << second);
    return true;
  };
  for (const std::string& name : charset::names()) {
    const charset to(name);
    const bool has_lines = !written(to, "\n").empty();
    std::vector<std::string> texts;
    for (const char* const text : of_many_scripts)
      if (!written(to, text).empty()) texts.emplace_back(text);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string& next = texts[(i + 1) % texts.size()];
      append(to, texts[i], texts[i]);
      append(to, texts[i], next + texts[i]);
      if (has_lines && !append(to, texts[i] + '\n', next)) refused_after_line.insert(name);
    }
  }
  BOOST_TEST(appended > 2000u);
  BOOST_TEST(refused > 30u);
  // SCSU keeps its state over a line feed; the others begin with a byte order mark.
  for (const std::string& name : refused_after_line)
    BOOST_TEST((name == "SCSU" || name.find("UTF-16") == 0 || name.find("UTF-32") == 0), name);
  BOOST_TEST(refused_after_line.count("SCSU") == 1u);
}

BOOST_AUTO_TEST_CASE(nothing_is_appended_to_a_file_that_ends_inside_a_character) {
  const files::directory d;
  const std::string file = d / "cut";
  for (const auto& [name, bytes] : {std::pair{"Shift_JIS", "a\n\x82"s},
                                    {"GB18030", "\x81\x30\x81"s},
                                    {"UTF-16BE", "\0a\0"s},
                                    {"EUC-JP", std::string(5000, 'a') + "\x8F\xB0"}}) {
    files::write(file, bytes);
    const auto why =
        caught<std::ios_base::failure>([&, &name = name] { utfilter::codec_ofstream(file, name, {}, std::ios::app); });
    BOOST_TEST((why && why->code() == errc::incomplete_at_end), name);
    BOOST_TEST(files::content(file) == bytes);
  }
}

#ifdef __unix__
BOOST_AUTO_TEST_CASE(nothing_is_appended_to_a_file_whose_end_cannot_be_read) {
  const files::directory d;
  const std::string file = d / "unread";
  files::write(file, "a\n");
  rlimit before;
  BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none{0, before.rlim_max};
  BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const auto why =
      caught<std::ios_base::failure>([&] { utfilter::codec_ofstream(file, "Shift_JIS", {}, std::ios::app); });
  BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  BOOST_TEST((why && why->code() == std::errc::too_many_files_open));
  BOOST_TEST((why && std::string(why->what()).find("whose end cannot be read") != std::string::npos));
  BOOST_TEST(files::content(file) == "a\n");
}
#endif

BOOST_AUTO_TEST_CASE(no_byte_order_mark_is_appended_or_required) {
  const files::directory d;
  const std::string file = d / "marked";
  utfilter::params p{utfilter::on_error::strict, utfilter::bom::add};
  for (const char* const text : {"a\n", "b\n"}) {
    utfilter::codec_ofstream out(file, "GB18030", p, std::ios::app);
    out << text;
    out.close();
  }
  BOOST_TEST(files::content(file) == "\x84\x31\x95\x33"
                                     "a\nb\n");
  p.bom = utfilter::bom::require;
  const std::string why =
      thrown_by<std::invalid_argument>([&] { utfilter::codec_ofstream(file, "GB18030", p, std::ios::app); });
  BOOST_TEST(why.find("utfilter: writing GB18030: with bom::require") == 0u, why);
}

// ICU drops the byte order mark of some charsets without saying so.
BOOST_AUTO_TEST_CASE(an_error_after_a_byte_order_mark_stands_where_it_is) {
  const std::string marks[] = {"\xFE\xFF",     "\xFF\xFE",     "\0\0\xFE\xFF"s, "\xFF\xFE\0\0"s,   "\xEF\xBB\xBF",
                               "\x0E\xFE\xFF", "\xFB\xEE\x28", "+/v8-",         "\x84\x31\x95\x33"};
  const std::vector<std::string> ends = texts::split(
      "\xD8\0\0A|\0\xD8\x41\0|\xDC\0\0A|\0\xDC\x41\0|\xD8|A|\xFF|\0\0\xD8\0|\0\xD8\0\0|\x80\x80|\xFF\xFF\xFF\xFF|"
      "\xFE\xFF\xFE|\xFF\xFE\xFF"sv);
  std::vector<std::string> names = charset::names();
  for (const char* const more : {"UTF-16,version=1", "UTF-16,version=2", "UTF-16BE,version=1", "UTF-16LE,version=1"})
    if (charset::exists(more)) names.emplace_back(more);
  std::size_t checked = 0;
  for (const std::string& name : names) {
    charset_runs::converter c(name);
    for (const std::string& mark : marks) {
      const outcome of_mark = c.decode(mark);
      if (!of_mark.errors.empty() || (!of_mark.text.empty() && of_mark.text != "\uFEFF")) continue;
      for (const std::string& end : ends) {
        const std::string text = mark + end;
        const outcome o = c.decode(text);
        for (const utfilter::error_info& error : o.errors) {
          ++checked;
          const std::string bytes(error.bytes.begin(), error.bytes.begin() + error.size);
          BOOST_TEST(error.offset >= mark.size(), name << ", offset " << error.offset);
          BOOST_TEST(text.substr(static_cast<std::size_t>(error.offset), error.size) == bytes, name);
        }
        for (std::size_t cut = 1; cut < text.size(); ++cut) BOOST_TEST(summary(c.decode(text, {cut})) == summary(o));
      }
    }
  }
  BOOST_TEST(checked > 100u);
}

BOOST_AUTO_TEST_CASE(a_file_in_a_charset_may_grow) {
  const files::temporary_file file("\xA4\xA2\n\xA4");
  utfilter::codec_ifstream in(file.path(), "EUC-JP", on_error::replace);
  BOOST_TEST(files::rest(in) == "\u3042\n\uFFFD");
  files::write(file.path(), "\xA4\xA2\n\xA4\xA4\n");
  in.clear();
  BOOST_TEST(files::rest(in) == "\u3044\n");
  in.clear();
  in.seekg(4);
  BOOST_TEST(files::rest(in) == "\u3044\n");
  BOOST_TEST(in.report().errors == 0u);
  tally all;
  const auto check = [&](const char* name, const std::string& bytes) {
    growth::check_each_cut(all, name, utfilter::charset_reader(charset(name)), bytes);
  };
  check("EUC-JP", "\xA4\xA2\n\xA4z\x8F\xB0\xA1\xFF.");
  check("CESU-8", "\xE3\x81\x82\xE3\x81z\xED\xA0\xBD\xED\xB8\x80.");
  check("ISO-2022-KR", "\x1B$)Ca\x0E\x30\x21\x0F\n\x1B$z\xFF.");
  check("UTF-7", "a+AGE-b+2D3eAA-\n+AG");
  check("UTF-16", "\xFE\xFF\xD8\x3D\xDE\0\0a\xD8\x3D\0a"s);
  all.summary();
}

BOOST_AUTO_TEST_CASE(a_charset_that_was_moved_from_is_still_that_charset) {
  charset jp("Shift_JIS");
  const charset moved = std::move(jp);
  BOOST_TEST((jp.name() == "Shift_JIS" && moved.name() == "Shift_JIS" && !jp.is_stateful()));
  charset other("Big5");
  other = std::move(jp);
  charset_runs::converter c(jp.name());
  BOOST_TEST(utfilter::codec_decoder(jp).report().errors == 0u);
  BOOST_TEST(other.name() == jp.name());
  static_assert(std::is_nothrow_move_constructible_v<charset> && std::is_nothrow_move_assignable_v<charset>);
}

// A name stands for the charset wherever one is expected.
BOOST_AUTO_TEST_CASE(bytes_in_a_charset_become_a_string) {
  BOOST_TEST(utfilter::to_utf8_string("\x82\xA0\xFF", "Shift_JIS") == "\u3042\uFFFD");
  BOOST_TEST(utfilter::to_utf8_string("\x82\xA0\xFF", charset("Shift_JIS"), on_error::stop) == "\u3042");
  BOOST_CHECK_THROW(utfilter::to_utf8_string("\x82", "Shift_JIS", on_error::strict), utfilter::utf_error);
  BOOST_CHECK_THROW(utfilter::to_utf8_string("a", "Shift_JIZ"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_name_is_a_charset) {
  std::string text;
  io::filtering_ostream out(utfilter::charset_to_utf8("Shift_JIS", on_error::replace) |
                            utfilter::utf8_to_charset(std::string("EUC-JP")) | io::back_inserter(text));
  out << "\x82\xA0";
  out.reset();
  BOOST_TEST(text == "\xA4\xA2");
  std::stringstream bytes("\x82\xA0");
  utfilter::codec_istream in(bytes, std::string_view("sjis"));
  BOOST_TEST(files::rest(in) == "\u3042");
  const std::string why = thrown_by<std::invalid_argument>([] { utfilter::charset_to_utf8("Shift JISS"); });
  BOOST_TEST(why.find("ICU has no charset \"Shift JISS\"") != std::string::npos, why);
}

BOOST_AUTO_TEST_CASE(classes_find_their_codec_from_a_charset) {
  const charset tw("EUC-TW");
  std::stringbuf b;
  const files::temporary_file file("");
  const utfilter::codec_decoder decodes(tw), decodes_by_name("EUC-TW", on_error::skip);
  const utfilter::codec_encoder encodes(tw), encodes_by_name(std::string("EUC-TW"));
  const utfilter::codec_istreambuf reads(b, tw);
  const utfilter::codec_ostreambuf writes(b, tw, {}, 16);
  const utfilter::codec_istream in(b, "EUC-TW");
  const utfilter::codec_ostream out(b, tw, on_error::skip);
  const utfilter::codec_ifstream file_in(file.path(), tw), file_at_end(file.path(), "EUC-TW", {}, std::ios::ate);
  const utfilter::codec_ofstream file_out(file.path(), tw, std::ios::app),
      more(file.path(), "EUC-TW", {}, std::ios::app);

  using std::is_same_v;
  using utfilter::charset_reader, utfilter::charset_writer;
  static_assert(is_same_v<decltype(decodes), const utfilter::codec_decoder<charset_reader>>);
  static_assert(is_same_v<decltype(decodes_by_name), const utfilter::codec_decoder<charset_reader>>);
  static_assert(is_same_v<decltype(encodes), const utfilter::codec_encoder<charset_writer>>);
  static_assert(is_same_v<decltype(encodes_by_name), const utfilter::codec_encoder<charset_writer>>);
  static_assert(is_same_v<decltype(reads), const utfilter::codec_istreambuf<charset_reader>>);
  static_assert(is_same_v<decltype(writes), const utfilter::codec_ostreambuf<charset_writer>>);
  static_assert(is_same_v<decltype(in), const utfilter::codec_istream<charset_reader>>);
  static_assert(is_same_v<decltype(out), const utfilter::codec_ostream<charset_writer>>);
  static_assert(is_same_v<decltype(file_in), const utfilter::codec_ifstream<charset_reader>>);
  static_assert(is_same_v<decltype(file_at_end), const utfilter::codec_ifstream<charset_reader>>);
  static_assert(is_same_v<decltype(file_out), const utfilter::codec_ofstream<charset_writer>>);
  static_assert(is_same_v<decltype(more), const utfilter::codec_ofstream<charset_writer>>);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
BOOST_AUTO_TEST_CASE(classes_of_charsets_still_have_their_names_of_version_0_2) {
  const charset tw("EUC-TW");
  char out[64];
  utfilter::charset_decoder decoder(tw);
  BOOST_TEST(decoder.convert("\xC4\xE3", 2, out, sizeof out, true).produced == 3u);
  utfilter::charset_encoder encoder(tw);
  BOOST_TEST(encoder.convert("\u4E2D", 3, out, sizeof out, true).produced == 2u);
  std::stringstream bytes;
  utfilter::charset_ostream(bytes, tw) << "\u4E2D\n";
  utfilter::charset_istream in(bytes, tw);
  BOOST_TEST(files::rest(in) == "\u4E2D\n");
  const files::temporary_file file("a\n");
  utfilter::charset_ofstream to(file.path(), "EUC-TW", {}, std::ios::app);
  to << "\u4E2D";
  to.close();
  utfilter::charset_ifstream from(file.path(), "EUC-TW");
  BOOST_TEST(files::rest(from) == "a\n\u4E2D");
}
#pragma GCC diagnostic pop

// A line is there before the next one is sent, and a cut character is kept back.
BOOST_AUTO_TEST_CASE(nothing_waits) {
  for (const char* name : {"Shift_JIS", "ISO-2022-JP", "UTF-7", "ISCII,version=0"}) {
    utfilter::codec_decoder d{charset(name)};
    char out[64];
    const auto done = d.convert("ab\n", 3, out, sizeof out, false);
    const bool waits_for_next_byte = std::string(name) == "ISCII,version=0";
    BOOST_TEST(std::string(out, done.produced) == (waits_for_next_byte ? "ab" : "ab\n"), name);
  }
  utfilter::codec_encoder e{charset("Shift_JIS")};
  char out[64];
  BOOST_TEST(e.convert("a\xE3\x81", 3, out, sizeof out, false).produced == 1U);
  BOOST_TEST(e.convert("\x82", 1, out, sizeof out, false).produced == 2U);
}

}  // namespace
