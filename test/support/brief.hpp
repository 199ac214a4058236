// brief.hpp: how many of its similar cases a test runs.
#ifndef UTFILTER_TEST_BRIEF_HPP
#define UTFILTER_TEST_BRIEF_HPP

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>

namespace brief {

/// A test with many similar cases runs every nth of them. The environment's UTFILTER_BRIEF is `nth`; without it the
/// test runs all. ctest sets it to 4 if UTFILTER_LONG_TESTS is off, and to 16 under sanitizers and qemu, which make
/// tests slow.
inline const std::size_t nth = [] {
  const char* const brief = std::getenv("UTFILTER_BRIEF");
  return brief != nullptr ? std::stoul(brief) : 1;
}();

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
