// tally.hpp: counts the cases of a test, shows the first few that fail, and prints how many there were.
#ifndef UTFILTER_TEST_TALLY_HPP
#define UTFILTER_TEST_TALLY_HPP

#include <boost/test/results_collector.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

/// Each byte as two hexadecimal digits.
inline std::string hexadecimal(std::string_view bytes) {
  std::string text;
  char digits[4];
  for (const char c : bytes) {
    std::snprintf(digits, sizeof digits, "%02X ", unsigned{static_cast<unsigned char>(c)});
    text += digits;
  }
  return text;
}

class tally {
 public:
  /// Counts a case. Returns true if it failed and is one of the first few failures, which the caller shows.
  bool failed(bool passed) {
    ++cases_;
    if (passed) return false;
    if (++failed_ == 11) BOOST_ERROR("further failures are not shown");
    return failed_ <= 10;
  }

  void check(bool passed, const char* what, std::string_view text) {
    if (failed(passed)) BOOST_ERROR(what << ": " << hexadecimal(text));
  }

  /// Runs and counts a case that makes assertions. The case has failed if one of its assertions failed.
  template <class Case>
  void run(const Case& asserted) {
    const auto before = failed_assertions();
    asserted();
    ++cases_;
    failed_ += failed_assertions() != before;
  }

  void add(const tally& part) {
    cases_ += part.cases_;
    failed_ += part.failed_;
  }

  void print(std::string_view of) const {
    std::cout << of << ": " << cases_ << " cases, " << failed_ << " failed" << std::endl;
  }

  /// Fails the test if a case failed, or if there was no case.
  void summary(std::string_view of) const {
    print(of);
    BOOST_TEST(failed_ == 0u);
    BOOST_TEST(cases_ != 0u);
  }
  /// The same, under the name of the current test case.
  void summary() const { summary(boost::unit_test::framework::current_test_case().p_name.get()); }

  std::uint64_t cases() const { return cases_; }

  /// Whether so many cases failed that no more are shown.
  bool is_hopeless() const { return failed_ > 10; }

 private:
  static std::uint64_t failed_assertions() {
    const auto& test = boost::unit_test::framework::current_test_case();
    return boost::unit_test::results_collector.results(test.p_id).p_assertions_failed.get();
  }

  std::uint64_t cases_ = 0, failed_ = 0;
};

#endif
