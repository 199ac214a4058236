// printable_std_format.cpp: std::format formats a printable as it formats a string, but counts characters. A test of
// its own, because only C++20 has std::format.
#define BOOST_TEST_MODULE printable_std_format
#include <boost/test/unit_test.hpp>

#include "support/printable_formats.hpp"

#include <utfilter/printable.hpp>

#include <format>
#include <string>

namespace {

/// The formatted text, or "refused".
template <class... Arguments>
std::string formatted(const char* format, Arguments&&... arguments) try {
  return std::vformat(format, std::make_format_args(arguments...));
} catch (const std::format_error&) {
  return "refused";
}

}  // namespace

BOOST_AUTO_TEST_CASE(std_format_formats_as_the_table_says) {
  printable_formats::check([](auto&&... arguments) { return formatted(arguments...); });
}

BOOST_AUTO_TEST_CASE(std_format_cuts_and_pads_every_text_at_every_character) {
  printable_formats::check_every_cut([](auto&&... arguments) { return formatted(arguments...); });
}

BOOST_AUTO_TEST_CASE(a_format_that_is_checked_when_it_is_compiled) {
  BOOST_TEST(std::format("{} said {:.3}|", utfilter::printable("eve\n"), utfilter::printable("hello")) ==
             "eve\\x0A said hel|");
  BOOST_TEST(std::format("{:>{}}", utfilter::printable("ok"), 5) == "   ok");
}
