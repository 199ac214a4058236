// printable_fmt_test.cpp: {fmt} formats a printable as it formats a string, but counts characters.
// build: needs:fmt::fmt
#define BOOST_TEST_MODULE printable_fmt
#include <boost/test/unit_test.hpp>

#include "support/printable_formats.hpp"

#include <utfilter/printable_fmt.hpp>

#include <fmt/format.h>

#include <string>

namespace {

/// The formatted text, or "refused".
template <class... Arguments>
std::string formatted(const char* format, Arguments&&... arguments) try {
  return fmt::vformat(format, fmt::make_format_args(arguments...));
} catch (const fmt::format_error&) {
  return "refused";
}

}  // namespace

BOOST_AUTO_TEST_CASE(fmt_formats_as_the_table_says) {
  printable_formats::check([](auto&&... arguments) { return formatted(arguments...); });
}

BOOST_AUTO_TEST_CASE(fmt_cuts_and_pads_every_text_at_every_character) {
  printable_formats::check_every_cut([](auto&&... arguments) { return formatted(arguments...); });
}

BOOST_AUTO_TEST_CASE(a_format_that_is_known_when_it_is_compiled) {
  BOOST_TEST(fmt::format("{} said {:.3}|", utfilter::printable("eve\n"), utfilter::printable("hello")) ==
             "eve\\x0A said hel|");
  fmt::memory_buffer out;
  fmt::format_to(fmt::appender(out), "{:>5}", utfilter::printable("ok"));
  BOOST_TEST(fmt::to_string(out) == "   ok");
}
