// utf16_to_utf8_test.cpp: utf16_to_utf8 decodes UTF-16 to UTF-8. It does what to_utf8 does, but only for UTF-16: a byte
// order mark decides the byte order, and text without one is big-endian. to_utf8_test.cpp has more rows.
#define BOOST_TEST_MODULE utf16_to_utf8
#include "support/every_way.hpp"
#include "support/files.hpp"
#include "support/test_devices.hpp"

#include <utfilter/utf16_to_utf8.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <utility>

using namespace every_way;
using utfilter::utf16_to_utf8;

namespace {

setup reading(encoding from, params p = {}) { return {filter_kind::utf16_decoder, from, std::move(p)}; }

}  // namespace

BOOST_AUTO_TEST_CASE(it_is_piped_and_found_again) {
  io::filtering_istream in(utf16_to_utf8() | devices::piecewise_source({bytes("\xFF\xFE!\0\xAC\x20")}));
  BOOST_TEST(in.component<utf16_to_utf8>(0) != nullptr);
  BOOST_TEST(files::rest(in) == "!\u20AC");
}

BOOST_AUTO_TEST_CASE(a_mark_decides_the_byte_order_and_is_stripped) {
  check(reading(encoding::utf16), bytes("\xFF\xFE!\0\xAC\x20"), "!\u20AC");
  check(reading(encoding::utf16), bytes("\xFE\xFF\0!\x20\xAC"), "!\u20AC");
  check(reading(encoding::utf16), bytes("\0!\x20\xAC"), "!\u20AC");
  check(reading(encoding::utf16le), bytes("\xFF\xFE!\0"), feff + "!");
  check(reading(encoding::utf16be),
        "a\xFF"
        "b",
        "\u61FF", "incomplete_at_end@2!");
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_with_the_reason) {
  check_refusal(reading(encoding::utf8), "reads utf16, utf16le or utf16be");
  check_refusal(reading(encoding::utf32), "reads utf16, utf16le or utf16be");
  check_refusal(reading(encoding::detect), "reads utf16, utf16le or utf16be");
  check_refusal(reading(encoding::utf16, with(on_error::keep)), "keep");
  check_refusal(reading(encoding::utf16, replacing_with("\xED\xA0\x80")), "replacement");
  for (const bom b : every::mark) check_refusal(reading(encoding::utf16le, with(b)), "");
}
