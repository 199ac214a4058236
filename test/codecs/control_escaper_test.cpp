// control_escaper_test.cpp: control_escaper shows each control character of UTF-8 as an escape, and passes all other
// characters on. escape_controls_test.cpp has its pieces, errors and policies.
// build: portable optimised
#define BOOST_TEST_MODULE control_escaper
#include <boost/test/unit_test.hpp>

#include "support/escape_controls_reference.hpp"
#include "support/outcomes.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/decoder.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

using namespace std::string_literals;
using conformance::reference::shown;
using utfilter::codec_progress;
using utfilter::codec_status;
using utfilter::control_escaper;
using utfilter::escape_style;
using utfilter::printable_options;
using line_feeds = control_escaper::line_feeds;

static_assert(std::is_trivially_copyable_v<control_escaper>);
static_assert(noexcept(std::declval<control_escaper&>().transform(nullptr, 0, nullptr, 0, false)));
static_assert(control_escaper::min_output >= std::string_view("\\uDBFF\\uDFFF").size());

namespace {

/// One call of the codec.
std::string transformed(const std::string& text, control_escaper codec = control_escaper()) {
  std::string out(control_escaper::min_output * text.size(), '?');
  const codec_progress step = codec.transform(text.data(), text.size(), out.data(), out.size(), true);
  out.resize(step.produced);
  return step.status == codec_status::done && step.consumed == text.size() ? out : "not done: " + out;
}
std::string transformed(const std::string& text, const printable_options& o) {
  return transformed(text, control_escaper(o));
}

/// The choices of what is escaped, each on and off.
template <class Action>
void with_each_choice(Action act) {
  for (unsigned bits = 0; bits < 32; ++bits) {
    printable_options o;
    o.line_feed = (bits & 1) != 0;
    o.tab = (bits & 2) != 0;
    o.backslash = (bits & 4) != 0;
    o.quote = (bits & 8) != 0;
    o.style = (bits & 16) != 0 ? escape_style::json : escape_style::backslash;
    act(o, conformance::reference::escape_choice{o.line_feed, o.tab, o.backslash, o.quote, (bits & 16) != 0});
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_follows_plain_text_of_every_size_is_in_its_place) {
  for (std::size_t size = 0; size != 300; ++size) {
    const std::string plain(size, 'a');
    BOOST_TEST(transformed(plain + "\x1Bz\u0085") == plain + "\\x1Bz\\u{0085}");
  }
}

BOOST_AUTO_TEST_CASE(a_carriage_return_that_waits_is_left_out_if_the_source_fails) {
  control_escaper codec;
  char out[64];
  BOOST_TEST(codec.transform("a\r", 2, out, sizeof out, false).produced == 1u);
  const codec_progress end = codec.insert(nullptr, 0, out, sizeof out, true);
  BOOST_TEST(end.consumed == 0u);
  BOOST_TEST(end.produced == 0u);
  BOOST_TEST((end.status == codec_status::done));
}

BOOST_AUTO_TEST_CASE(line_feeds_escape_leaves_no_line_end) {
  BOOST_TEST(transformed("a\tb\nc\r\nd\re\x1B\n", control_escaper(line_feeds::escape)) ==
             "a\tb\\x0Ac\\x0D\\x0Ad\\x0De\\x1B\\x0A");
  BOOST_TEST(transformed("\n", control_escaper(line_feeds::pass)) == "\n");
}

BOOST_AUTO_TEST_CASE(every_code_point_is_escaped_or_kept_alone_and_between_letters) {
  std::size_t wrong = 0, escaped = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text = texts::utf8({c}), expected = shown(c);
    if (expected != text) ++escaped;
    const bool right = transformed(text) == expected && transformed("a" + text + "b") == "a" + expected + "b";
    if (!right && ++wrong < 10)
      BOOST_ERROR("U+" << std::hex << static_cast<unsigned long>(c) << ": " << transformed(text));
  }
  BOOST_TEST(wrong == 0u);
  // 32 of C0 less tab and line feed, DEL, 32 of C1, two separators, twelve of Bidi_Control.
  BOOST_TEST(escaped == 30u + 1 + 32 + 2 + 12);
}

// The codec looks at eight bytes at a time.
BOOST_AUTO_TEST_CASE(every_pair_of_bytes_is_escaped_at_every_place_of_a_block) {
  std::size_t wrong = 0;
  for (char32_t first = 0; first < 0x80; ++first)
    for (char32_t second = 0; second < 0x80; ++second) {
      const std::string pair{static_cast<char>(first), static_cast<char>(second)};
      const std::string expected = pair == "\r\n" ? pair : shown(first) + shown(second);
      for (std::size_t before = 0; before <= 8; ++before) {
        const std::string left(before, 'a'), right(16 - before, 'z');
        if (transformed(left + pair + right) != left + expected + right) ++wrong;
      }
    }
  BOOST_TEST(wrong == 0u);
  for (std::size_t before = 0; before <= 8; ++before) {
    for (const char32_t c :
         U"\x7F\x80\x9F\xA0\u00AD\u061B\u061C\u061D\u200D\u200E\u202F\u2065\u2066\u206A\U0001F600"s) {
      const std::string left(before, 'a'), right(16 - before, 'z');
      BOOST_TEST(transformed(left + texts::utf8({c}) + right) == left + shown(c) + right);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_choice_escapes_its_characters_and_no_others) {
  with_each_choice([](const printable_options& o, const conformance::reference::escape_choice& choice) {
    std::size_t wrong = 0;
    for (char32_t c = 0; c < 0x3000; ++c) {
      const std::string text = texts::utf8({c}), expected = shown(c, choice);
      const std::string left(5, 'a'), right(9, 'z');
      if (transformed(left + text + right, o) != left + expected + right && ++wrong < 10)
        BOOST_ERROR("U+" << std::hex << static_cast<unsigned long>(c) << ": " << transformed(text, o));
    }
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(transformed("\r\n", o) ==
               (o.line_feed || choice.json ? shown('\r', choice) + shown('\n', choice) : "\r\n"));
  });
}

BOOST_AUTO_TEST_CASE(every_pair_of_ascii_is_escaped_under_each_choice_at_every_place_of_a_block) {
  std::size_t wrong = 0;
  with_each_choice([&](const printable_options& o, const conformance::reference::escape_choice& choice) {
    for (const char32_t first : U"\t\n\r !\"#[\\]~\x7F"s)
      for (const char32_t second : U"\t\n\v !\"#[\\]~\x7F"s) {
        const std::string pair{static_cast<char>(first), static_cast<char>(second)};
        const bool ends_line = pair == "\r\n" && !o.line_feed && !choice.json;
        const std::string expected = ends_line ? pair : shown(first, choice) + shown(second, choice);
        for (std::size_t before = 0; before <= 8; ++before) {
          const std::string left(before, 'a'), right(16 - before, 'z');
          if (transformed(left + pair + right, o) != left + expected + right) ++wrong;
        }
      }
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(json_escapes_characters_beyond_the_first_plane_as_surrogate_pairs) {
  printable_options o;
  o.invisible = true;
  BOOST_TEST(transformed("\U000E0041|\U0010FFFF|\u200B|\U0001F600", o) ==
             "\\u{E0041}|\\u{10FFFF}|\\u{200B}|\U0001F600");
  o.style = escape_style::json;
  BOOST_TEST(transformed("\U000E0041|\U0010FFFF|\u200B|\U0001F600", o) ==
             "\\uDB40\\uDC41|\\uDBFF\\uDFFF|\\u200B|\U0001F600");
}

// With an observer, conversion repairs each error by itself; without one, the codec repairs them, runs of equal bytes at
// once. Both must write the same, and report the same.
BOOST_AUTO_TEST_CASE(errors_that_the_codec_repairs_are_those_that_conversion_repairs) {
  using utfilter::codec_decoder;
  using utfilter::control_escaper;
  using utfilter::on_error;
  std::mt19937 random(20);
  const std::vector<std::string> parts = {
      "a",      "\n",     "\r",         "\t",   "\"",   "\\",   "\x1B", "\u00E9",   "\u0085",       "\u4E2D",
      "\u202E", "\u200B", "\U0001F600", "\xFF", "\x80", "\xC3", "\xE9", "\xE2\x82", "\xF0\x9F\x98", "\xED\xA0\x80"};
  std::vector<utfilter::printable_options> all_options(4);
  all_options[1].style = utfilter::escape_style::json;
  all_options[2].backslash = all_options[2].quote = all_options[2].invisible = all_options[2].tab = true;
  all_options[3].line_feed = false;
  const std::vector<std::string> replacements = {"\uFFFD", "", "?", "\x1B[31m\r\n", std::string(200, '\x07')};
  tally cases;
  for (int run = 0; run < 3000; ++run) {
    std::string text;
    while (random() % 12 != 0)
      for (std::size_t n = random() % 3 == 0 ? random() % 40 : 1, part = random() % parts.size(); n != 0; --n)
        text += parts[part];
    utfilter::params p;
    p.on_error = std::vector<on_error>{on_error::replace, on_error::skip, on_error::escape, on_error::windows1252,
                                       on_error::strict}[random() % 5];
    p.replacement = replacements[random() % replacements.size()];
    if (random() % 4 == 0) p.error_limit = random() % 20;
    utfilter::params observed = p;
    std::size_t seen = 0;
    observed.observer = [&](const utfilter::error_info&) { ++seen; };
    const control_escaper codec(all_options[random() % all_options.size()]);
    const std::size_t piece = 1 + random() % (random() % 2 == 0 ? 10 : 500),
                      room = 12 + random() % (random() % 2 == 0 ? 10 : 3000);
    codec_decoder<control_escaper> by_codec(codec, p), by_conversion(codec, observed);
    const std::string got = converted(by_codec, text, piece, room),
                      expected = converted(by_conversion, text, piece, room);
    const utfilter::stream_report a = by_codec.report(), b = by_conversion.report();
    cases.check(got == expected && a.errors == b.errors && a.errors == seen && a.first_error == b.first_error &&
                    a.last_error == b.last_error && a.bytes_in == b.bytes_in && a.bytes_out == b.bytes_out &&
                    a.lines == b.lines && (a.failure == nullptr) == (b.failure == nullptr),
                "not the same", text);
  }
  cases.summary("texts with errors");
}

BOOST_AUTO_TEST_CASE(invisible_characters_are_escaped_only_if_the_options_say_so) {
  const struct {
    const char* text;
    const char* escaped;
  } table[] = {
      {"\u00AD", "\\u{00AD}"},      {"\u034F", "\\u{034F}"},      {"\u115F", "\\u{115F}"},
      {"\u180E", "\\u{180E}"},      {"\u200B", "\\u{200B}"},      {"\u200C", "\\u{200C}"},
      {"\u200D", "\\u{200D}"},      {"\u2060", "\\u{2060}"},      {"\u2062", "\\u{2062}"},
      {"\u206A", "\\u{206A}"},      {"\u3164", "\\u{3164}"},      {"\uFE0F", "\\u{FE0F}"},
      {"\uFEFF", "\\u{FEFF}"},      {"\uFFA0", "\\u{FFA0}"},      {"\U000E0041", "\\u{E0041}"},
      {"\U000E0100", "\\u{E0100}"}, {"\U000E007F", "\\u{E007F}"}, {"\uFDD0", "\\u{FDD0}"},
      {"\uFFFE", "\\u{FFFE}"},      {"\U0001FFFF", "\\u{1FFFF}"}, {"\uE000", "\\u{E000}"},
      {"\uFFF9", "\\u{FFF9}"},      {"\uFFFA", "\\u{FFFA}"},      {"\uFFFB", "\\u{FFFB}"},
      {"\uF8FF", "\\u{F8FF}"},      {"\U000F0000", "\\u{F0000}"}, {"\U0010FFFD", "\\u{10FFFD}"},
      {"\u00AC", "\u00AC"},         {"\u1161", "\u1161"},         {"\u200A", "\u200A"},
      {"\u2070", "\u2070"},         {"\uD7FF", "\uD7FF"},         {"\uF900", "\uF900"},
      {"\uFDF0", "\uFDF0"},         {"\uFE10", "\uFE10"},         {"\uFFFC", "\uFFFC"},
      {"\uFFFD", "\uFFFD"},         {"\U00010000", "\U00010000"}, {"\U000E1000", "\U000E1000"},
  };
  printable_options invisible;
  invisible.invisible = true;
  for (const auto& row : table) {
    BOOST_TEST(transformed(row.text, invisible) == row.escaped);
    BOOST_TEST(transformed(row.text) == row.text);
  }
}
