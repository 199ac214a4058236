// policies_page.cpp: runs the sample of doc/policies.md that makes its own repairs. The page has a program, too.
#include <boost/test/unit_test.hpp>

#include <utfilter/utfilter.hpp>

#include <exception>
#include <iterator>
#include <sstream>
#include <string>

#include <policies.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(policies_page)

BOOST_AUTO_TEST_CASE(a_function_makes_the_repairs) {
  std::istringstream bytes("caf\xE9 noir\xFF\n");
  BOOST_TEST(own_repairs::with_places(bytes) == "caf<byte 3> noir<byte 9>\n");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
