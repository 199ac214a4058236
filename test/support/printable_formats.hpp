// printable_formats.hpp: how a printable is formatted, for {fmt} and for std::format. `format` takes a format and
// arguments, and returns the text, or "refused".
#ifndef UTFILTER_TEST_PRINTABLE_FORMATS_HPP
#define UTFILTER_TEST_PRINTABLE_FORMATS_HPP

#include <boost/test/unit_test.hpp>

#include "support/hostile_strings.hpp"
#include "support/printable_reference.hpp"

#include <utfilter/printable.hpp>

#include <cstddef>
#include <string>

namespace printable_formats {

template <class Format>
void check(const Format& format) {
  const struct {
    const char* format;
    const char* text;
    std::string expected;
  } table[] = {
      {"{}", "", ""},
      {"{}", "a\nb", "a\\x0Ab"},
      {"{:}", "ab", "ab"},
      {"{:s}", "ab", "ab"},
      {"{:5}|", "ab", "ab   |"},
      {"{:<5}|", "ab", "ab   |"},
      {"{:>5}|", "ab", "   ab|"},
      {"{:^5}|", "ab", " ab  |"},
      {"{:*^6}|", "ab", "**ab**|"},
      {"{:\u2026>4}|", "ab", "\u2026\u2026ab|"},
      {"{:\U0001F600<3}|", "ab", "ab\U0001F600|"},
      {"{:<<3}|", "ab", "ab<|"},
      {"{:s<3s}|", "ab", "abs|"},
      {"{:2}|", "abc", "abc|"},
      {"{:6}|", "", "      |"},
      {"{:4}|", "\u6587\u5B57", "\u6587\u5B57  |"},
      {"{:>4}|", "\u00E9\u00E9\u00E9", " \u00E9\u00E9\u00E9|"},
      {"{:6}|", "\x1B", "\\x1B  |"},
      {"{:.2}|", "abc", "ab|"},
      {"{:.3}|", "abc", "abc|"},
      {"{:.4}|", "abc", "abc|"},
      {"{:.0}|", "abc", "|"},
      {"{:.2}|", "\u6587\u5B57\u5217", "\u6587\u5B57|"},
      {"{:.2}|", "e\u0301x", "e\u0301|"},
      {"{:.3}|", "\x1B[", "|"},
      {"{:.4}|", "\x1B[", "\\x1B|"},
      {"{:.5}|", "a\x1B[", "a\\x1B|"},
      {"{:.9}|", "a\u202E", "a\\u{202E}|"},
      {"{:.8}|", "a\u202E", "a|"},
      {"{:>4.2}|", "abc", "  ab|"},
      {"{:-^6.3s}|", "\u00E9\u00E9\u00E9\u00E9", "-\u00E9\u00E9\u00E9--|"},
      {"{:5.1}|", "\xFF", "     |"},
      {"{:05}", "ab", "refused"},
      {"{:d}", "ab", "refused"},
      {"{:+}", "ab", "refused"},
      {"{:#}", "ab", "refused"},
      {"{:5x}", "ab", "refused"},
      {"{:.}", "ab", "refused"},
      {"{:.x}", "ab", "refused"},
      {"{:99999999999}", "ab", "refused"},
      {"{:>{}}|", "ab", "refused"},
      {"{:{1}}", "ab", "refused"},
  };
  for (const auto& row : table) {
    BOOST_TEST_INFO(row.format);
    BOOST_TEST(format(row.format, utfilter::printable(row.text)) == row.expected);
  }

  const utfilter::printable text("abcdef");
  BOOST_TEST(format("{:{}}|", text, 8) == "abcdef  |");
  BOOST_TEST(format("{:.{}}|", text, 2) == "ab|");
  BOOST_TEST(format("{:{}.{}}|", text, 4u, 2LL) == "ab  |");
  BOOST_TEST(format("{0:>{2}.{1}}|", text, 2, 4) == "  ab|");
  BOOST_TEST(format("{:{}}|", text, -1) == "refused");
  BOOST_TEST(format("{:.{}}|", text, 2147483647) == "abcdef|");
  BOOST_TEST(format("{:.{}}|", text, 2147483648u) == "refused");
  BOOST_TEST(format("{:.{}}|", text, 18446744073709551615u) == "refused");
  BOOST_TEST(format("{:{}}|", text, "8") == "refused");
  BOOST_TEST(format("{:{}}|", text, true) == "refused");
  BOOST_TEST(format("{:{}}|", text, 'c') == "refused");
  BOOST_TEST(format("{:{}}|", text, 1.5) == "refused");

  utfilter::printable_options limited;
  limited.limit = 6;
  const utfilter::printable cut("abcdefgh", limited);
  BOOST_TEST(format("{}|", cut) == "abc\u2026|");
  BOOST_TEST(format("{:5}|", cut) == "abc\u2026 |");
  BOOST_TEST(format("{:.4}|", cut) == "abc\u2026|");
  BOOST_TEST(format("{:.3}|", cut) == "abc|");
  const utfilter::printable cut_escape("abc\n", limited);
  BOOST_TEST(format("{:.4}|", cut_escape) == "abc\u2026|");

  utfilter::printable_options lines;
  lines.line_feed = false;
  BOOST_TEST(format("{:.2}|", utfilter::printable("a\r\nb", lines)) == "a|");
  BOOST_TEST(format("{:.3}|", utfilter::printable("a\r\nb", lines)) == "a\r\n|");
  BOOST_TEST(format("{:.3}|", utfilter::printable("a\n\nb", lines)) == "a\n\n|");
}

template <class Format>
void check_every_cut(const Format& format) {
  namespace reference = conformance::reference;
  for (const auto& hostile : hostile::strings(100)) {
    for (const bool json : {false, true}) {
      utfilter::printable_options o;
      o.style = json ? utfilter::escape_style::json : utfilter::escape_style::backslash;
      o.line_feed = false;
      reference::escape_choice choice;
      choice.json = json;
      const auto units = reference::printable_units(hostile.text, choice);
      for (std::size_t most = 0; most < 60; ++most) {
        BOOST_TEST_INFO(hostile.name << ", " << most);
        const std::string cut = reference::cut_to_characters(units, most);
        BOOST_TEST((format("{:.{}}", utfilter::printable(hostile.text, o), most) == cut));
        const std::size_t used = reference::characters_of(reference::joined(units));
        const std::string padding(used < most ? most - used : 0, ' ');
        BOOST_TEST(
            (format("{:>{}}", utfilter::printable(hostile.text, o), most) == padding + reference::joined(units)));
      }
    }
  }
}

}  // namespace printable_formats

#endif
