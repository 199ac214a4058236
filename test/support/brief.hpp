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
class left_out : public boost::unit_test::decorator::base {
 private:
  void apply(boost::unit_test::test_unit& unit) override {
    if (nth != 1) unit.p_default_status.value = boost::unit_test::test_unit::RS_DISABLED;
  }
  boost::unit_test::decorator::base_ptr clone() const override {
    return boost::unit_test::decorator::base_ptr(new left_out);
  }
};

}  // namespace brief

#endif
