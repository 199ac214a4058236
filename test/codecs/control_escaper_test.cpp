// control_escaper_test.cpp: control_escaper shows each control character of UTF-8 as an escape, and passes all other
// characters on. escape_controls_test.cpp has its pieces, errors and policies.
// build: portable optimised
#define BOOST_TEST_MODULE control_escaper
#include <boost/test/unit_test.hpp>

#include "support/escape_controls_reference.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

using namespace std::string_literals;
using conformance::reference::shown;
using utfilter::codec_progress;
using utfilter::codec_status;
using utfilter::control_escaper;
using line_feeds = control_escaper::line_feeds;

static_assert(std::is_trivially_copyable_v<control_escaper>);
static_assert(noexcept(std::declval<control_escaper&>().transform(nullptr, 0, nullptr, 0, false)));
static_assert(control_escaper::min_output >= std::string_view("\\u{2028}").size());

namespace {

/// One call of the codec.
std::string transformed(const std::string& text, line_feeds l = line_feeds::pass) {
  control_escaper codec(l);
  std::string out(8 * text.size(), '?');
  const codec_progress step = codec.transform(text.data(), text.size(), out.data(), out.size(), true);
  out.resize(step.produced);
  return step.status == codec_status::done && step.consumed == text.size() ? out : "not done: " + out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(line_feeds_escape_leaves_no_line_end) {
  BOOST_TEST(transformed("a\tb\nc\r\nd\re\x1B\n", line_feeds::escape) == "a\tb\\x0Ac\\x0D\\x0Ad\\x0De\\x1B\\x0A");
  BOOST_TEST(transformed("\n", line_feeds::pass) == "\n");
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
