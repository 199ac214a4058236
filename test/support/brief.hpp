// brief.hpp: how many of many similar cases a test goes through.
#ifndef UTFILTER_TEST_BRIEF_HPP
#define UTFILTER_TEST_BRIEF_HPP

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdlib>

namespace brief {

/// Of many similar cases the tests run every nth: each one, or each fourth if the environment has UTFILTER_BRIEF. ctest
/// sets it if UTFILTER_LONG_TESTS is off.
inline const std::size_t nth = std::getenv("UTFILTER_BRIEF") != nullptr ? 4 : 1;

/// Leaves out a test case that takes long and the same paths as others.
inline auto left_out() {
  return boost::unit_test::precondition([](boost::unit_test::test_unit_id) { return nth == 1; });
}

}  // namespace brief

#endif
