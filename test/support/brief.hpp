// brief.hpp: how many of its similar cases a test runs.
#ifndef UTFILTER_TEST_BRIEF_HPP
#define UTFILTER_TEST_BRIEF_HPP

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdlib>
#include <random>

namespace brief {

/// A test with many similar cases runs every nth of them: all, or every fourth if the environment has UTFILTER_BRIEF.
/// ctest sets this variable if UTFILTER_LONG_TESTS is off.
inline const std::size_t nth = std::getenv("UTFILTER_BRIEF") != nullptr ? 4 : 1;

/// Called before each of many similar cases. Says whether this run takes the case: all, or one of `nth` on average. The
/// choice is random, so that it prefers no way of reading or writing, and the same in each run.
inline bool takes_next() {
  static std::mt19937 random;
  return random() % nth == 0;
}

/// Leaves a test case out of brief runs: it takes long, and other test cases take the same paths.
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
