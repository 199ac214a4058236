// bom_codec_test.cpp: bom_codec strips, adds, requires or rejects the byte order mark of a text, and passes all other
// bytes on unchecked. Each row runs through the codec alone and through bom_filter.
#define BOOST_TEST_MODULE bom_codec
#include "support/every_way.hpp"

#include <utfilter/bom_codec.hpp>

#include <string>

using namespace every_way;
using namespace std::string_literals;
using utfilter::bom_codec;

BOOST_AUTO_TEST_CASE(it_touches_the_bom_only) {
  const std::string noise = "\xFF\xC0\n\xEF\xBB\xBF";
  check(bom_of(encoding::utf8, bom::strip), feff + noise, noise);
  check(bom_of(encoding::utf8, bom::strip), noise, noise);
  check(bom_of(encoding::utf8, bom::strip), "\xEF\xBB", "\xEF\xBB");
  check(bom_of(encoding::utf8, bom::keep), feff + noise, feff + noise);
  check(bom_of(encoding::utf8, bom::add), noise, feff + noise);
  check(bom_of(encoding::utf8, bom::add), feff + noise, feff + noise);
  check(bom_of(encoding::utf8, bom::add), "", feff);
  check(bom_of(encoding::utf8, bom::require), noise, "", "missing_bom@0!");
  check(bom_of(encoding::utf8, bom::require), "", "", "missing_bom@0!");
  check(bom_of(encoding::utf8, bom::require, on_error::skip), noise, noise, "missing_bom@0");
  check(bom_of(encoding::utf8, bom::reject), feff + noise, "", "unexpected_bom@0!");
  check(bom_of(encoding::utf8, bom::reject, on_error::keep), feff + noise, feff + noise, "unexpected_bom@0");

  check(bom_of(encoding::utf16, bom::strip), "\xFF\xFE!", "!");
  check(bom_of(encoding::utf16, bom::strip), "\xFE\xFF!", "!");
  check(bom_of(encoding::utf16, bom::add), "!", "\xFE\xFF!");
  check(bom_of(encoding::utf16, bom::add), "\xFF\xFE!", "\xFF\xFE!");
  check(bom_of(encoding::utf16le, bom::add), "!", "\xFF\xFE!");
  check(bom_of(encoding::utf16le, bom::strip), "\xFE\xFF!", "\xFE\xFF!");
  check(bom_of(encoding::utf32, bom::add), "", bytes("\0\0\xFE\xFF"));
  check(bom_of(encoding::utf32le, bom::strip), bytes("\xFF\xFE\0\0!"), "!");
  check(bom_of(encoding::detect, bom::strip), bytes("\xFF\xFE\0\0!"), "!");
  check(bom_of(encoding::detect, bom::strip), bytes("\xFF\xFE\0!"), bytes("\0!"));
  check(bom_of(encoding::detect, bom::strip), feff, "");
  check(bom_of(encoding::detect, bom::require), "A", "", "missing_bom@0!");
  BOOST_TEST(trial(bom_of(encoding::utf8, bom::strip), "\n\n").expected().report.lines == 0u);
}

BOOST_AUTO_TEST_CASE(with_a_fixed_byte_order_a_mark_is_a_character_unless_a_policy_asks_for_it) {
  for (const bom b : {bom::automatic, bom::keep, bom::strip, bom::add, bom::reject}) {
    const outcome o = trial(bom_of(encoding::utf16le, b, on_error::replace), "\xFF\xFE!").expected();
    BOOST_TEST(o.report.bom == (b != bom::automatic && b != bom::keep));
    check(bom_of(encoding::utf16le, b, on_error::replace), "\xFF\xFE!", b == bom::strip ? "!" : "\xFF\xFE!",
          b == bom::reject ? "unexpected_bom@0" : "");
  }
}

BOOST_AUTO_TEST_CASE(a_combination_that_makes_no_sense_has_a_reason) {
  BOOST_TEST(bom_codec::why_not(bom::strip, static_cast<encoding>(99)) == "there is no such encoding"s);
  BOOST_TEST((bom_codec::why_not(bom::strip, encoding::utf8) == nullptr));
}
