// policy_test.cpp: each policy repairs errors, or ends the text, as it says. The results are worked out by hand. Each
// case runs through the codec and through chains in both directions, in every cut.
#define BOOST_TEST_MODULE policy
#include "support/every_way.hpp"

#include <cstdint>
#include <string>

using namespace every_way;

namespace {

params limited_to(std::uint64_t errors, on_error policy) {
  params p = with(policy);
  p.error_limit = errors;
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(replace_writes_the_replacement_once_for_each_ill_formed_subsequence) {
  check(validator(with(on_error::replace)), "p\xF0\x9F\x98q\xFF\xFE", "p\uFFFDq\uFFFD\uFFFD",
        "truncated_sequence@1 unused_byte@5 unused_byte@6");
  check(validator(replacing_with("[?]")), "\xFF.\x80", "[?].[?]", "unused_byte@0 unexpected_continuation@2");
  check(validator(replacing_with("")), "\xFF.\x80", ".", "unused_byte@0 unexpected_continuation@2");
  check(validator(replacing_with("\U0001F600\xC3\xA9")), "\xFF", "\U0001F600\xC3\xA9", "unused_byte@0");
  check(validator(replacing_with(std::string(9, '-') + euro)), "\xFF", std::string(9, '-') + euro, "unused_byte@0");
  check(decoder(encoding::utf16le, replacing_with("<\u20AC>")), bytes("\0\xD8!\0"), "<\u20AC>!",
        "unpaired_high_surrogate@0");
}

BOOST_AUTO_TEST_CASE(skip_leaves_out_errors) {
  check(validator(with(on_error::skip)), "p\xC0\x80q", "pq", "overlong@1 unexpected_continuation@2");
  check(encoder(encoding::latin1, with(on_error::skip)), "p\u20ACq\xE9", "pq", "unmappable@1 incomplete_at_end@5");
  check(decoder(encoding::utf32be, with(on_error::skip)), bytes("\0\0\xD8\0\0\0\0!\0\x11\0\0"), "!",
        "surrogate@0 out_of_range@8");
}

BOOST_AUTO_TEST_CASE(escape_shows_bytes_and_code_points) {
  check(validator(with(on_error::escape)), "\\\xFF\xE2\x82.", "\\\\xFF\\xE2\\x82.",
        "unused_byte@1 truncated_sequence@2");
  check(validator(with(on_error::escape)), "\xED\xA0\x80", "\\xED\\xA0\\x80",
        "surrogate@0 unexpected_continuation@1 unexpected_continuation@2");
  check(decoder(encoding::utf16be, with(on_error::escape)), bytes("\xD8\0\0!\xDF\xFF"), "\\u{D800}!\\u{DFFF}",
        "unpaired_high_surrogate@0 unpaired_low_surrogate@4");
  check(decoder(encoding::utf16be, with(on_error::escape)), bytes("\0"), "\\x00", "incomplete_at_end@0");
  check(decoder(encoding::utf16be, with(on_error::escape)), bytes("\xD8\0\xDC"), "\\u{D800}\\xDC",
        "incomplete_at_end@0");
  check(decoder(encoding::utf32le, with(on_error::escape)), bytes("\0\xD8\0\0\0\0\x11\0!"),
        "\\u{D800}\\x00\\x00\\x11\\x00\\x21", "surrogate@0 out_of_range@4 incomplete_at_end@8");
  check(decoder(encoding::cesu8, with(on_error::escape)), "\xED\xB0\x80\xED\xA0\x80\xED\xB0",
        "\\u{DC00}\\u{D800}\\xED\\xB0", "unpaired_low_surrogate@0 incomplete_at_end@3");
  check(decoder(encoding::cesu8, with(on_error::escape)), "\xED\xA5\x80\xED", "\\u{D940}\\xED", "incomplete_at_end@0");
  // Half a surrogate pair of UTF-16. One of its bytes could also belong to a surrogate in CESU-8, such as ED A5 80.
  check(decoder(encoding::utf16be, with(on_error::escape)), "\xD8\xA5!", "\\u{D8A5}\\x21", "incomplete_at_end@0");
  check(decoder(encoding::utf16le, with(on_error::escape)), "\xED\xD8!", "\\u{D8ED}\\x21", "incomplete_at_end@0");
  check(decoder(encoding::cesu8, with(on_error::escape)), "\xF0\xED", "\\xF0\\xED",
        "forbidden_length@0 incomplete_at_end@1");
  check(encoder(encoding::latin1, with(on_error::escape)), "\xC4\x80\u20AC\U0001F600", "\\u{0100}\\u{20AC}\\u{1F600}",
        "unmappable@0 unmappable@2 unmappable@5");
  check(encoder(encoding::latin1, with(on_error::escape)), "\xF4\x8F\xBF\xBF\xFF", "\\u{10FFFF}\\xFF",
        "unmappable@0 unused_byte@4");
  check(encoder(encoding::latin1, with(on_error::escape)), in(encoding::utf8, U"\uFFFF\U00010000\U000FFFFF\U00100000"),
        "\\u{FFFF}\\u{10000}\\u{FFFFF}\\u{100000}", "unmappable@0 unmappable@3 unmappable@7 unmappable@11");
  check(encoder(encoding::utf16le, with(on_error::escape)), "\xFF", bytes("\\\0x\0F\0F\0"), "unused_byte@0");
}

BOOST_AUTO_TEST_CASE(windows1252_reads_each_ill_formed_byte_of_utf8) {
  const params p = with(on_error::windows1252);
  check(validator(p), "caf\xE9 \x80", "caf\xC3\xA9 \u20AC", "truncated_sequence@3 unexpected_continuation@5");
  check(validator(p), "\xF0\x9F\x98!", "\xC3\xB0\xC5\xB8\xCB\x9C!", "truncated_sequence@0");
  check(validator(p), "\x81\xFF", "\xC2\x81\xC3\xBF", "unexpected_continuation@0 unused_byte@1");
  check(decoder(encoding::detect, p), feff + "\x80", euro, "unexpected_continuation@3");
  check(encoder(encoding::utf16be, p), "\x80", "\x20\xAC", "unexpected_continuation@0");
  check(encoder(encoding::latin1, p), "\xE9 \x80", "\xE9 ?", "truncated_sequence@0 unexpected_continuation@2");
  // For all other errors the policy does the same as replace.
  check(encoder(encoding::latin1, p), euro, "?", "unmappable@0");
  check(decoder(encoding::utf16be, p), "\x80", fffd, "incomplete_at_end@0");
  check(decoder(encoding::cesu8, p), "\x80", fffd, "unexpected_continuation@0");
  check(decoder(encoding::detect, p), "\xFE\xFF\x80", fffd, "incomplete_at_end@2");
}

BOOST_AUTO_TEST_CASE(stop_ends_reading_and_throws_when_writing) {
  const setup s = validator(with(on_error::stop));
  const auto text = "pq\n\xFFrs\xFF";
  check(s, text, "pq\n", "unused_byte@3");
  const outcome writing = trial(s, text).expected(true);
  BOOST_TEST(writing.output == "pq\n");
  BOOST_TEST(summary(writing) == "unused_byte@3!");
  check(decoder(encoding::utf16le, with(on_error::stop)), bytes("!\0\0\xDC!\0"), "!", "unpaired_low_surrogate@2");
  check(decoder(encoding::utf8, with(bom::require, on_error::stop)), "p", "", "missing_bom@0");
}

BOOST_AUTO_TEST_CASE(the_error_beyond_the_limit_is_counted_and_thrown) {
  const std::string text = "\xFF.\xFE.\x80.";
  const std::string first = "unused_byte@0", second = first + " unused_byte@2",
                    third = second + " unexpected_continuation@4";
  for (const on_error policy :
       {on_error::replace, on_error::skip, on_error::escape, on_error::keep, on_error::windows1252}) {
    const auto repaired = [&](std::size_t n) {
      return trial(validator(with(policy)), text.substr(0, n)).expected().output;
    };
    check(validator(limited_to(0, policy)), text, "", first + "!");
    check(validator(limited_to(1, policy)), text, repaired(2), second + "!");
    check(validator(limited_to(2, policy)), text, repaired(4), third + "!");
    check(validator(limited_to(3, policy)), text, repaired(6), third);
  }
  check(validator(limited_to(9, on_error::strict)), text, "", first + "!");
  params p = with(bom::require, on_error::replace);
  p.error_limit = 1;
  check(decoder(encoding::utf8, p), "a\xFF", "a", "missing_bom@0 unused_byte@1!");
}
