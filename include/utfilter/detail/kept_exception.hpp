// kept_exception.hpp: exceptions that are kept and thrown again later, and those that must not be kept. Not for users.
#ifndef UTFILTER_DETAIL_KEPT_EXCEPTION_HPP
#define UTFILTER_DETAIL_KEPT_EXCEPTION_HPP

#include <exception>

namespace utfilter::detail {

/// Stands for an exception that could not be kept. It allocates nothing.
class interrupted : public std::exception {
 public:
  const char* what() const noexcept override {
    return "utfilter: a call was interrupted, its thread was cancelled; what was being converted is lost";
  }
};

/// For a `catch (...)`: whether it must end with `throw;`.
///
/// glibc ends a thread that was cancelled (pthread_cancel) by unwinding its stack: every `catch (...)` on the way is
/// entered, and the program is aborted where one of them does not throw on. Standard C++ has no name for that
/// unwinding, but it tells it apart: std::current_exception() is null where what was caught is no C++ exception.
inline bool must_throw_on() noexcept { return std::current_exception() == nullptr; }

/// For a `catch (...)`: the exception, or `interrupted` where it cannot be kept. Never null.
inline std::exception_ptr kept_exception() noexcept {
  std::exception_ptr caught = std::current_exception();
  return caught ? caught : std::make_exception_ptr(interrupted());
}

}  // namespace utfilter::detail

#endif
