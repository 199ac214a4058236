// mojibake_test.cpp: undo_mojibake brings back characters whose UTF-8 was read in another encoding, whatever the cut, the
// room, the errors and the policy are, and passes everything else on.
// build: portable optimised
#define BOOST_TEST_MODULE mojibake
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/mojibake_reference.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_trial.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using namespace std::string_literals;
using utfilter::encoding;
using utfilter::errc;
using mojibake_undoer = utfilter::text_codec<utfilter::changes::undo_mojibake>;
using utfilter::on_error;
using utfilter::undo_mojibake;

namespace {

constexpr encoding encodings[] = {encoding::windows1252, encoding::windows1251, encoding::windows1250, encoding::latin1,
                                  encoding::ibm866};

/// The characters of the bytes 80..FF, by the library's decoder, which other tests check. A byte without a character is
/// the control character of its number.
std::vector<std::string> characters_of(encoding e) {
  std::vector<std::string> all;
  for (int byte = 0; byte != 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    all.push_back(utfilter::to_utf8_string(one, e, replacing_with("")));
    if (all.back().empty()) all.back() = texts::utf8({static_cast<char32_t>(byte)});
  }
  return all;
}

/// The bytes of UTF-8, read in the encoding and written as UTF-8 again.
std::string read_wrong(const std::string& text, encoding e) {
  const std::vector<std::string> characters = characters_of(e);
  std::string wrong;
  for (const char c : text) wrong += characters[static_cast<unsigned char>(c)];
  return wrong;
}

using units = std::vector<std::string>;

units units_of(const std::string& text) {
  units all;
  for (const char c : text) {
    if ((c & 0xC0) != 0x80) all.emplace_back();
    all.back() += c;
  }
  return all;
}

/// A character, and the number of units that stand for it; nothing if they stand for none. `level` says how often it was
/// read wrong. `is_cut` becomes true if more units could complete it.
std::optional<std::pair<std::string, std::size_t>> character_at(const units& all, std::size_t at, int level,
                                                                const std::map<std::string, char>& bytes,
                                                                bool& is_cut) {
  if (at == all.size()) {
    is_cut = true;
    return {};
  }
  if (level == 0) return std::pair(all[at], std::size_t{1});
  std::string found;
  std::size_t used = 0;
  while (found.size() != 4) {
    const auto next = character_at(all, at + used, level - 1, bytes, is_cut);
    if (!next || bytes.count(next->first) == 0) return {};
    found += bytes.at(next->first);
    used += next->second;
    const reference::item one = reference::decode(reference::encoding::utf8, found);
    if (one.good && one.value < 0x80) return {};
    if (one.good) return std::pair(found, used);
    if (one.code != reference::errc::incomplete_at_end) return {};
  }
  return {};
}

/// The bytes of the characters of an encoding.
std::map<std::string, char> bytes_of(encoding e) {
  std::map<std::string, char> bytes;
  const std::vector<std::string> characters = characters_of(e);
  for (int byte = 255; byte >= 0; --byte)
    bytes.emplace(characters[static_cast<std::size_t>(byte)], static_cast<char>(byte));
  for (int byte = 0x80; byte != 0xA0; ++byte)
    bytes.emplace(texts::utf8({static_cast<char32_t>(byte)}), static_cast<char>(byte));
  return bytes;
}

char32_t value_of(const std::string& unit) { return reference::decode(reference::encoding::utf8, unit).value; }

/// Whether units that could stand for a character look like the end of a word. `is_cut` becomes true if the next unit must
/// be known.
bool looks_right(const units& all, std::size_t at, const std::pair<std::string, std::size_t>& group,
                 bool is_after_group, const std::map<std::string, char>& bytes, bool& is_cut) {
  const std::size_t end = at + group.second;
  const char32_t before = at == 0 || is_after_group ? 0 : value_of(all[at - 1]), value = value_of(group.first);
  std::u32string characters;
  for (std::size_t i = at; i != end; ++i) characters += value_of(all[i]);
  const bool may_be = reference::looks_right(before, characters, value, 0, false);
  if (end == all.size()) {
    is_cut = is_cut || may_be;
    return may_be;
  }
  const auto next = bytes.find(all[end]);
  const int byte = next == bytes.end() ? 0 : static_cast<unsigned char>(next->second);
  return reference::looks_right(before, characters, value, value_of(all[end]), byte >= 0xC2 && byte <= 0xF4);
}

reference::rewritten undone(const std::map<std::string, char>& bytes, const std::string& text, bool ends) {
  reference::rewritten result;
  const units all = units_of(text);
  bool is_after_group = false;
  for (std::size_t at = 0; at != all.size();) {
    bool is_cut = false;
    const auto once = character_at(all, at, 1, bytes, is_cut);
    const bool may_be_twice = once && bytes.count(once->first) != 0;
    const auto twice = may_be_twice ? character_at(all, at, 2, bytes, is_cut) : std::nullopt;
    const bool stays = !twice && once && looks_right(all, at, *once, is_after_group, bytes, is_cut);
    if (is_cut && !ends) {
      for (; at != all.size(); ++at) result.waiting += all[at].size();
      break;
    }
    const auto found = twice ? twice : stays ? std::nullopt : once;
    result.text += found ? found->first : all[at];
    result.changes += found.has_value();
    at += found ? found->second : 1;
    is_after_group = found.has_value();
  }
  return result;
}

text_filters::expectation expected(encoding e) {
  const auto rewrite = [bytes = bytes_of(e)](const std::string& text, bool at_end) {
    return undone(bytes, text, at_end);
  };
  return [rewrite](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(p, input, writing, ends, rewrite, nullptr, true);
  };
}

std::string filtered(const std::string& text, encoding e = encoding::windows1252) {
  devices::recording_sink sink;
  undo_mojibake filter(e, on_error::replace);
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  return sink.text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_read_wrong_comes_back_and_all_else_passes) {
  const std::pair<std::string, std::string> table[] = {
      {"", ""},
      {"caf\u00C3\u00A9", "caf\u00E9"},
      {"\u00E2\u201A\u00AC 5", "\u20AC 5"},
      {"it\u00E2\u20AC\u2122s", "it\u2019s"},
      {"\u00F0\u0178\u02DC\u20AC", "\U0001F600"},
      {"caf\u00C3\u0192\u00C2\u00A9", "caf\u00E9"},  // twice
      {read_wrong(read_wrong("\u20AC\U0001F600", encoding::windows1252), encoding::windows1252), "\u20AC\U0001F600"},
      {read_wrong(read_wrong(read_wrong("\u00E9", encoding::windows1252), encoding::windows1252),
                  encoding::windows1252),
       "\u00C3\u00A9"},  // three times: twice is undone
      {"\u00C3", "\u00C3"},
      {"S\u00C3O \u00C3 \u00C2!", "S\u00C3O \u00C3 \u00C2!"},
      {"\u00C3\n\u00A9", "\u00C3\n\u00A9"},
      {"\u00E2\u201A", "\u00E2\u201A"},                          // cut
      {"\u00E2\u201Ax", "\u00E2\u201Ax"},                        // broken off
      {"\u00C0\u00A9", "\u00C0\u00A9"},                          // overlong
      {"\u00C1\u2030", "\u00C1\u2030"},                          // overlong
      {"\u00E0\u20AC\u20AC", "\u00E0\u20AC\u20AC"},              // overlong
      {"\u00ED\u00A0\u20AC", "\u00ED\u00A0\u20AC"},              // a surrogate
      {"\u00F4\u0090\u20AC\u20AC", "\u00F4\u0090\u20AC\u20AC"},  // beyond U+10FFFF
      {"\u00F5\u20AC\u20AC\u20AC", "\u00F5\u20AC\u20AC\u20AC"},
      {"\u0401\u3042\u00C3\u3042", "\u0401\u3042\u00C3\u3042"},  // windows-1252 lacks these
      {"\u00C3\u0081", "\u00C1"},                                // windows-1252 has no character for 81
      {"\u00C3\u0080", "\u00C0"},                                // a program may also show 80 as U+0080
      {"\u00C3\u009F", "\u00DF"},
      {"\u00C3\u007F", "\u00C3\u007F"},
      // Right text, where a word ends:
      {"\u00BB\u00C4\u00AB", "\u00BB\u00C4\u00AB"},
      {"wei\u00DF\u00AB\n", "wei\u00DF\u00AB\n"},
      {"CAF\u00C9\u2026 ", "CAF\u00C9\u2026 "},
      {"libert\u00E9\u00A0\u00BB\u00A0!", "libert\u00E9\u00A0\u00BB\u00A0!"},
      {"d\u00E9j\u00E0\u00A0\u00BB.", "d\u00E9j\u00E0\u00A0\u00BB."},
      {"\u00C5\u00C4\u00D6\u201D, 3", "\u00C5\u00C4\u00D6\u201D, 3"},
      {"BL\u00D8\xFF\u2013", "BL\u00D8\uFFFD\u2013"},
      // It could be the end of a word, but is none:
      {"s\u00C4\u2026 ", "s\u0105 "},                  // no capital follows a small letter
      {"\u00D0\u2019 2010", "\u0412 2010"},            // a word of one letter
      {"CAF\u00C9\u2026s", "CAF\u0245s"},              // a letter follows
      {"CAF\u00C9\u20269", "CAF\u02459"},              // a digit
      {"X\u00CE\u201C\u00CE\u201C", "X\u0393\u0393"},  // another group, and after that one the second
      {"IRM\u00C3\u201D", "IRM\u00D4"},                // Latin-1
      {"s\u00E1\u00BB\u2018 ", "s\u1ED1 "},            // Vietnamese
      {"X\u00CE\u00A9", "X\u03A9"},                    // no mark that follows words
      {"\uFEFF\u00D0\u2019", "\uFEFF\u0412"},          // a byte order mark is no part of a word
      {"\uFFFD\u00D0\u2019", "\uFFFD\u0412"},          // nor is what stands for a lost character
      {"A\xFF\u00D0\u2019", "A\uFFFD\u0412"},          // nor what stands before an error
  };
  for (const auto& [text, right] : table) {
    BOOST_TEST(filtered(text) == right);
    text_filters::check_every_cut(mojibake_undoer(), expected(encoding::windows1252), with(on_error::replace), text);
  }
  BOOST_TEST(filtered("\u0420\u045F\u0421\u0402\u0420\u0451\u0420\u0406\u0420\u00B5\u0421\u201A",
                      encoding::windows1251) == "\u041F\u0440\u0438\u0432\u0435\u0442");
  BOOST_TEST(filtered(read_wrong("za\u017C\u00F3\u0142\u0107", encoding::windows1250), encoding::windows1250) ==
             "za\u017C\u00F3\u0142\u0107");
}

BOOST_AUTO_TEST_CASE(a_word_can_end_before_each_quotation_mark_dash_ellipsis_and_no_break_space) {
  const std::string marks[] = {"\u00A0", "\u00AB", "\u00BB", "\u2013", "\u2014", "\u2018",
                               "\u2019", "\u201C", "\u201D", "\u2026", "\u2039", "\u203A"};
  for (int byte = 0x80; byte != 0xC0; ++byte) {
    const std::string mark = characters_of(encoding::windows1252)[static_cast<std::size_t>(byte)];
    const bool stays = std::find(std::begin(marks), std::end(marks), mark) != std::end(marks);
    const std::string pair = "CAF\u00C9" + mark + '.', three = "caf\u00E9" + mark + mark + '.';
    BOOST_TEST((filtered(pair) == pair) == stays, byte);
    BOOST_TEST((filtered(three) == three) == stays, byte);
  }
}

BOOST_AUTO_TEST_CASE(every_character_beyond_ascii_comes_back_once_and_twice) {
  for (const encoding e : encodings) {
    std::string right, once;
    std::size_t wrong = 0, n = 0;
    for (char32_t c = 0x80; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 379) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      right += texts::utf8({c}) + ' ';
      ++n;
    }
    once = read_wrong(right, e);
    const std::string twice = read_wrong(once, e);
    for (const std::string& text : {once, twice}) {
      undo_mojibake kept(e);
      io::filtering_istream in(kept | devices::piecewise_source(devices::in_pieces(text, 1001)));
      const std::string got = files::rest(in);
      wrong += got != right;
      BOOST_TEST(kept.report().changes == n);
    }
    BOOST_TEST(wrong == 0u, to_string(e));
  }
}

BOOST_AUTO_TEST_CASE(text_comes_back_from_every_encoding_of_one_byte) {
  const auto is_lost = [](char byte, encoding e) {  // no program shows it, or it is shown as another byte is
    const std::string shown = utfilter::to_utf8_string(std::string(1, byte), e, replacing_with(""));
    return static_cast<unsigned char>(byte) >= 0xA0 && (shown.empty() || static_cast<signed char>(shown[0]) >= 0);
  };
  std::size_t back = 0, all = 0;
  for (const encoding e : utfilter::encodings()) {
    if (!is_single_byte(e)) continue;
    const auto bytes = bytes_of(e);
    for (const std::string& c : {"\u00DF"s, "\u0436"s, "\u20AC"s, "\u4E2D"s, "\uFF01"s, "\U0001F600"s, "\U0010FFFF"s}) {
      if (std::any_of(c.begin(), c.end(), [&](char byte) { return is_lost(byte, e); })) continue;
      const std::string text =
          "a line that is longer than a block, then " + read_wrong(c, e) + " and a rest, for blocks";
      const std::string right = undone(bytes, text, true).text;
      BOOST_TEST(filtered(text, e) == right, to_string(e) << ", " << hexadecimal(c));
      back += right.find(c) != std::string::npos;
      ++all;
    }
  }
  BOOST_TEST(back > all / 2);
}

BOOST_AUTO_TEST_CASE(the_observer_sees_each_character_with_its_place_and_none_is_an_error) {
  std::vector<utfilter::error_info> seen;
  utfilter::params p;
  p.observer = [&](const utfilter::error_info& e) { seen.push_back(e); };
  undo_mojibake filter(p);
  devices::recording_sink sink;
  const std::string text = "a\u00C3\u00A9\nb\u00E2\u201A\u00AC\u00C3\u00A9";
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "a\u00E9\nb\u20AC\u00E9");
  BOOST_TEST(filter.report().errors == 0u);
  BOOST_TEST(!filter.report().first_error);
  BOOST_TEST(filter.report().changes == 3u);
  BOOST_TEST_REQUIRE(seen.size() == 3u);
  BOOST_TEST(to_string(seen[0]) == "line 1, column 2 (byte 1): changed to U+00E9: C3 83 C2 A9");
  BOOST_TEST(to_string(seen[1]) == "line 2, column 2 (byte 7): changed to U+20AC: C3 A2 E2 80 9A C2");
  BOOST_TEST(to_string(seen[2]) == "line 2, column 5 (byte 14): changed to U+00E9: C3 83 C2 A9");
  BOOST_TEST((seen[0].code == errc{}));
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_observer_fails_the_use_after_the_text_before_it) {
  utfilter::params p;
  p.observer = [](const utfilter::error_info&) { throw std::runtime_error("enough"); };
  devices::piecewise_source source(devices::in_pieces("ab\u00C3\u00A9c", 2));
  undo_mojibake filter(p);
  BOOST_TEST(read_all(filter, source).find("!enough") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(groups_are_undone_wherever_the_text_is_cut_and_errors_divide_them) {
  const std::string wrong = "\uFEFFa\u00C3\xFF\u00A9\u00C3\u00A9\xE2\u00C3\u00C2\r\n\u00E2\u201A\u00AC\xC3";
  for (const on_error policy : text_filters::policies)
    text_filters::check_every_cut(mojibake_undoer(), expected(encoding::windows1252), with(policy), wrong);
}

BOOST_AUTO_TEST_CASE(mixtures_give_the_same_wherever_they_are_cut) {
  for (const encoding e : encodings) {
    std::vector<std::string> parts = texts::split(
        "\r\n|a|\u00E9|\u20AC|\U0001F600|\xFF|\x80|\xC3|\xE2\x82|\u00C3|\u00C2|\u00A9|\u0420|\u0421|\u0192|"
        "\u0081|A|\u00A0|\u00BB|\u2026|\u00DF|\u00E9\u00A0\u00BB|CAF\u00C9\u2026|"
        "a line that is longer than a block");
    for (const std::string& right : {"\u00E9"s, "\u20AC"s, "\U0001F600"s, "\u0436"s, "\u00C3"s}) {
      parts.push_back(read_wrong(right, e));
      parts.push_back(read_wrong(read_wrong(right, e), e));
      parts.push_back(parts.back().substr(0, units_of(parts.back())[0].size() + 2));
      parts.back() = utfilter::is_utf8(parts.back()) ? parts.back() : "\u00C3";
    }
    text_filters::check_mixtures(utfilter::text_codec{utfilter::changes::undo_mojibake(e)}, expected(e), parts,
                                 200 / brief::nth);
  }
}

BOOST_AUTO_TEST_CASE(an_encoding_that_is_not_of_one_byte_is_refused) {
  utfilter::text_codec<utfilter::changes::undo_mojibake> codec{encoding::utf16};
  char out[8];
  const utfilter::codec_progress done = codec.transform("\u00C3\u00A9", 4, out, sizeof out, true);
  BOOST_TEST(std::string(out, done.produced) == "\u00C3\u00A9");
  for (const encoding e : {encoding::utf8, encoding::utf16, encoding::detect, encoding::shift_jis})
    BOOST_TEST(thrown_by([&] { undo_mojibake{e}; }) ==
               "utfilter::undo_mojibake: mojibake is UTF-8 that was read in an encoding of one byte per character");
  BOOST_TEST(thrown_by([] { undo_mojibake{on_error::keep}; }).find("cannot keep bytes") != std::string::npos);
}
