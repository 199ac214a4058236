// call_budget.hpp: how often a device may be called, so that a loop without progress fails instead of hanging.
#ifndef UTFILTER_TEST_CALL_BUDGET_HPP
#define UTFILTER_TEST_CALL_BUDGET_HPP

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace devices {

/// How many calls a device may answer, or how many rounds a loop may make: 16 at first, and more for each byte of text.
/// When the budget is spent, each further call fails the test and throws.
class call_budget {
 public:
  /// Adds two calls for each byte that goes in or comes out.
  void allow_for(std::size_t bytes) { left_ += 2 * bytes; }
  /// Adds the calls to write a piece and to flush after it; the piece may be empty.
  void allow_for_piece(std::size_t bytes) { allow_for(std::max<std::size_t>(bytes, 1)); }
  /// Adds calls that the test expects to make no progress.
  void allow(std::size_t calls) { left_ += calls; }

  void spend() {
    ++spent_;
    if (left_ == 0) {
      exceeded_ = true;
      BOOST_ERROR("a loop without progress");
      throw std::logic_error("a loop without progress");
    }
    --left_;
  }
  std::size_t spent() const { return spent_; }
  bool exceeded() const { return exceeded_; }

 private:
  std::size_t left_ = 16;
  std::size_t spent_ = 0;
  bool exceeded_ = false;
};

}  // namespace devices

#endif
