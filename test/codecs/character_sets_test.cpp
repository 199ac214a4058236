// character_sets_test.cpp: remove_characters, reject_characters and escape_characters change what is in a set and nothing else,
// whatever the set, the cut, the room, the errors and the policy are. (characters_oracle.py tests what is in the sets.)
// build: portable optimised
#define BOOST_TEST_MODULE characters
#include <boost/test/unit_test.hpp>

#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_trial.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <cstdio>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reference = conformance::reference;
using namespace std::string_literals;
using namespace std::string_view_literals;
using text_filters::filtered;
using utfilter::characters;
using utfilter::errc;
using utfilter::escape_style;
using utfilter::on_error;

namespace {

std::u32string decoded(const std::string& text) { return utfilter::to_u32string(text); }

/// The characters of a text, each through `show`, which returns nothing for those that stay.
template <class Show>
reference::rewritten rewritten(const std::string& text, const Show& show) {
  reference::rewritten result;
  for (const char32_t c : decoded(text)) {
    const std::optional<std::string> shown = show(c);
    result.text += shown ? *shown : texts::utf8({c});
    result.changes += shown.has_value();
  }
  return result;
}

/// U+2066 as \uHHHH, with two of them beyond U+FFFF, or as \u{HHHH}, or \xHH in ASCII.
std::string escaped(char32_t c, escape_style style) {
  char text[32];
  const auto value = static_cast<unsigned>(c);
  if (style == escape_style::backslash)
    std::snprintf(text, sizeof text, c < 0x80 ? "\\x%02X" : "\\u{%04X}", value);
  else if (c < 0x10000)
    std::snprintf(text, sizeof text, "\\u%04X", value);
  else
    std::snprintf(text, sizeof text, "\\u%04X\\u%04X", 0xD7C0 + (value >> 10), 0xDC00 + (value & 0x3FF));
  return text;
}

/// Leaves escape sequences out by a regular expression that sees the whole text.
reference::rewritten without_sequences(const std::string& text, bool /*ends*/) {
  static const std::wregex sequence(
      L"(?:\x1B\\[|\x9B)[ -?]*[@-~]?"
      L"|(?:\x1B[\\]PX^_]|[\x90\x98\x9D\x9E\x9F])[^\x07\x1B\n\r\x18\x1A\x9C]*(?:\x07|\x9C|\x1B\\\\)?"
      L"|(?:\x1B[NO]|[\x8E\x8F])[ -~]?"
      L"|\x1B[ -/]*[0-~]?");
  std::wstring wide;
  for (const char32_t c : decoded(text)) wide += static_cast<wchar_t>(c);
  reference::rewritten result;
  auto from = wide.cbegin();
  const auto pass = [&](auto end) {
    for (; from != end; ++from) result.text += texts::utf8({static_cast<char32_t>(*from)});
  };
  for (std::wsregex_iterator at(wide.cbegin(), wide.cend(), sequence), end; at != end; ++at) {
    pass((*at)[0].first);
    from = (*at)[0].second;
    ++result.changes;
  }
  pass(wide.cend());
  return result;
}

text_filters::expectation expected(const reference::rewriter& rewrite) {
  return [rewrite](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(p, input, writing, ends, rewrite);
  };
}
text_filters::expectation rejecting(bool (*is_refused)(char32_t)) {
  return [is_refused](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(
        p, input, writing, ends, [](const std::string& text, bool) { return reference::rewritten{text}; }, is_refused);
  };
}

/// Some sets, with what the Unicode Standard and the specifications say of them.
struct known_set {
  characters set;
  bool (*has)(char32_t);
};
const known_set sets[] = {
    {characters::bidi,
     [](char32_t c) {
       return c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
     }},
    {characters::tags | characters::line_separators,
     [](char32_t c) { return (c >= 0xE0000 && c <= 0xE007F) || c == 0x2028 || c == 0x2029; }},
    {characters::xml10,
     [](char32_t c) { return (c < 0x20 && c != 9 && c != 10 && c != 13) || c == 0xFFFE || c == 0xFFFF; }},
    {characters::postgresql, [](char32_t c) { return c == 0; }},
    {characters::supplementary, [](char32_t c) { return c >= 0x10000; }},
    {characters::ascii, [](char32_t c) { return c >= 0x80; }},
    {characters::private_use,
     [](char32_t c) { return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xF0000 && (c & 0xFFFE) != 0xFFFE); }},
};

const std::vector<std::string> parts = texts::split(
    "\r|\n|\x1B[31m|\x1B]0;title\x07|\x1B]8;;x\x1B\\|\x1B|\x1BOP|\x1B(B|\u009B1m|\u009Dt\u009C|\u0090|[|;|m|\\|\x07|\x18|"
    "\t|\x7F|a|\u0085|\u00A0|\u00E9|\u061C|\u200B|\u202E|\u2066|\u2028|\u20AC|\uE000|\uFDD0|\uFEFF|\uFFFD|\uFFFE|"
    "\U0001F600|\U0001FFFF|\U000E0041|\U000F0000|\xFF|\x80|\xE2\x80|\xEF|\xC2|\xF3\xA0|\0|"
    "a line that is longer than a block|\u4E00\u4E8C\u4E09\u4E00\u4E8C\u4E09\u4E00\u4E8C\u4E09\u4E00\u4E8C\u4E09"sv);

constexpr char every_part[] = "a\u202E\x1B[1m\xFF\u0085\uFFFE\u2028\U000E0041\xE2\x80\U0001F600\x1B]t\x1B\\z\uE000\xC2";

}  // namespace

BOOST_AUTO_TEST_CASE(each_character_of_a_set_changes_at_every_place_of_a_block) {
  for (const known_set& one : sets) {
    const utfilter::remove_characters remove(one.set);
    const utfilter::escape_characters escape(one.set, escape_style::json);
    for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3400 || c >= 0xE000 ? 1 : 17) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      const std::string text = texts::utf8({c});
      const std::string left(c % 40, 'a'), right(40 - c % 40, 'z');
      BOOST_TEST_REQUIRE(filtered(remove, left + text + right) == left + (one.has(c) ? "" : text) + right);
      if (c % 7 != 0) continue;
      const std::string shown = one.has(c) ? escaped(c, escape_style::json) : text;
      BOOST_TEST_REQUIRE(filtered(escape, left + text + right) == left + shown + right);
    }
  }
}

BOOST_AUTO_TEST_CASE(characters_change_wherever_the_text_is_cut) {
  for (const known_set& one : sets) {
    const utfilter::text_codec remove{utfilter::changes::remove_characters(one.set)};
    const utfilter::text_codec reject{utfilter::changes::reject_characters(one.set)};
    const utfilter::text_codec escape{utfilter::changes::escape_characters(one.set)};
    const auto removing = expected([&](const std::string& text, bool) {
      return rewritten(text, [&](char32_t c) { return one.has(c) ? std::optional(""s) : std::nullopt; });
    });
    const auto escaping = expected([&](const std::string& text, bool) {
      return rewritten(text, [&](char32_t c) {
        return one.has(c) ? std::optional(escaped(c, escape_style::backslash)) : std::nullopt;
      });
    });
    for (const on_error policy : {on_error::strict, on_error::replace, on_error::escape}) {
      text_filters::check_every_cut(remove, removing, with(policy), every_part);
      text_filters::check_every_cut(reject, rejecting(one.has), with(policy), every_part);
      text_filters::check_every_cut(escape, escaping, with(policy), every_part);
    }
    text_filters::check_mixtures(remove, removing, parts, 300 / brief::nth);
    text_filters::check_mixtures(reject, rejecting(one.has), parts, 300 / brief::nth);
    text_filters::check_mixtures(escape, escaping, parts, 300 / brief::nth);
  }
}

BOOST_AUTO_TEST_CASE(escape_sequences_are_removed_wherever_the_text_is_cut) {
  const std::pair<std::string, std::string> table[] = {
      {"a\x1B[31mb\x1B[0mc", "abc"},
      {"\x1B]0;title\x07x", "x"},
      {"\x1B]8;;http://x\x1B\\link\x1B]8;;\x1B\\.", "link."},
      {"a\x1B(Bb", "ab"},
      {"\u009B1;2Hx", "x"},
      {"\x1B]no end\nnext", "\nnext"},
      {"\x1BPq#0\x1B\\z", "z"},
      {"a\x1B", "a"},
      {"a\x1B\u00E9", "a\u00E9"},
      {"\x1B[\u00E9", "\u00E9"},
      {"\x1BOPx", "x"},
      {"\u009Dt\u00E9\u009Cx", "x"},
      {"\x1B]x\x1B[1my", "y"},
      {"\x1B[1\x1B[2mz", "z"},
      {"\x1B#8q", "q"},
      {"\x1B\x1B[1mq", "q"},
  };
  const utfilter::text_codec codec{utfilter::changes::remove_characters(characters::ansi)};
  for (const auto& [text, left] : table) {
    BOOST_TEST(filtered(utfilter::remove_characters(characters::ansi), text) == left);
    text_filters::check_every_cut(codec, expected(without_sequences), {}, text);
  }
  text_filters::check_mixtures(codec, expected(without_sequences), parts, 1500 / brief::nth);
}

BOOST_AUTO_TEST_CASE(a_refused_character_is_named_with_its_set) {
  const std::pair<std::string, std::string> table[] = {
      {"\u202E", "forbidden character U+202E (bidi): E2 80 AE"},
      {"\x1B", "control character U+001B: 1B"},
      {"\U000E0041", "forbidden character U+E0041 (tags): F3 A0 81 81"},
      {"\u200B", "forbidden character U+200B (invisible): E2 80 8B"},
      {"\uFFFE", "forbidden character U+FFFE (noncharacters): EF BF BE"},
      {"\U0001F600", "forbidden character U+1F600 (supplementary): F0 9F 98 80"},
      {"\u00E9", "forbidden character U+00E9 (non_ascii): C3 A9"},
  };
  for (const auto& [text, message] : table) {
    utfilter::reject_characters filter(characters::ascii | characters::controls, on_error::skip);
    BOOST_TEST(filtered(filter, "a" + text + "b") == "ab");
    BOOST_TEST(filter.report().last_error->message() == message);
    BOOST_TEST((filter.report().last_error->code == errc::forbidden));
  }
}

BOOST_AUTO_TEST_CASE(sets_have_names) {
  using utfilter::characters_from_name;
  BOOST_TEST((characters_from_name("bidi+tags") == (characters::bidi | characters::tags)));
  BOOST_TEST((characters_from_name("utf8mb3") == characters::supplementary));
  for (const char* const wrong : {"", "bid", "bidi+", "+bidi", "bidi++tags", "Bidi", "bidi tags"})
    BOOST_TEST(!characters_from_name(wrong), wrong);
  BOOST_TEST(utfilter::set_of(U'a') == "");
  BOOST_TEST(utfilter::set_of(U'\n') == "");
  BOOST_TEST(utfilter::set_of(0x1B) == "c0");
}
