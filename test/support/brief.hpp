// brief.hpp: how many of its similar cases a test runs.
#ifndef UTFILTER_TEST_BRIEF_HPP
#define UTFILTER_TEST_BRIEF_HPP

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>

namespace brief {

/// A test with many similar cases runs every nth of them: 1 runs all. The environment variable UTFILTER_BRIEF says n, at
/// most 16. ctest sets it if UTFILTER_LONG_TESTS is off.
inline const std::size_t nth = [] {
  const char* const n = std::getenv("UTFILTER_BRIEF");
  return n != nullptr ? std::stoul(n) : 1;
}();

/// Called before each of many similar cases. Says whether this run takes the case: all, or one of n on average. The
/// choice is random, so that it prefers no way of reading or writing, and the same in each run with the same n.
inline bool takes_next(std::size_t n = nth) {
  static std::mt19937 random(static_cast<std::mt19937::result_type>(nth));
  return random() % n == 0;
}

/// The same for cases that take long only under sanitizers and emulators. Other runs take all.
inline bool takes_next_fast() { return takes_next((nth + 3) / 4); }

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
