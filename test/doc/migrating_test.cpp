// migrating_test.cpp: what doc/migrating.md says of the code before and after.
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <cstddef>
#include <exception>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <migrating.hpp>

#include "tally.hpp"

namespace {
BOOST_AUTO_TEST_SUITE(migrating)

using namespace std::string_literals;

/// What came of a text: what was delivered, and what was thrown, or set in a stream.
struct outcome {
  std::string text, error;

  friend bool operator==(const outcome& a, const outcome& b) { return a.text == b.text && a.error == b.error; }
  friend std::ostream& operator<<(std::ostream& out, const outcome& o) { return out << hexadecimal(o.text) << "and " << o.error; }
};

template <class Action>
outcome outcome_of(Action action) {
  std::ostringstream to;
  std::string        error;
  try {
    action(to);
  } catch (const std::exception& why) {
    error = why.what();
  }
  return {to.str(), error};
}

template <class Decoder, class From>
outcome in_pieces(From from, std::string_view text, std::size_t first, std::size_t second) {
  return outcome_of([&](std::ostream& to) {
    Decoder decoder(from);
    decoder.feed(text.substr(0, first), false, to);
    decoder.feed(text.substr(first, second), false, to);
    decoder.feed(text.substr(first + second), true, to);
  });
}

BOOST_AUTO_TEST_CASE(iconv) {
  const outcome a = in_pieces<iconv_before::decoder>("UTF-16", "\xFE\xFF\0a"s, 1, 1);
  const outcome b = in_pieces<iconv_after::decoder>(utfilter::encoding::utf16, "\xFE\xFF\0a"s, 1, 1);
  BOOST_TEST(a.text == "a");
  BOOST_TEST(a == b);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
