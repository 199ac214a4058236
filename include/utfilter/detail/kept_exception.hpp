// kept_exception.hpp: keeps exceptions, to throw them again later, and recognises those that must not be kept. Not for
// users.
#ifndef UTFILTER_DETAIL_KEPT_EXCEPTION_HPP
#define UTFILTER_DETAIL_KEPT_EXCEPTION_HPP

#include <exception>

namespace utfilter::detail {

/// Takes the place of an exception that could not be kept. It allocates nothing.
class interrupted : public std::exception {
 public:
  const char* what() const noexcept override {
    return "utfilter: a call was interrupted because its thread was cancelled; the text of that call is lost";
  }
};

/// Call this in a `catch (...)` handler. Returns whether the handler must end with `throw;`.
///
/// glibc ends a cancelled thread (pthread_cancel) by unwinding its stack. Every `catch (...)` handler on the way is
/// entered, and if one of them does not rethrow, the program is aborted. Standard C++ has no name for this unwinding,
/// but can recognise it: std::current_exception() is null if the caught object is no C++ exception.
inline bool must_throw_on() noexcept { return std::current_exception() == nullptr; }

/// Call this in a `catch (...)` handler. Returns the exception, or `interrupted` if it cannot be kept; never null.
inline std::exception_ptr kept_exception() noexcept {
  std::exception_ptr caught = std::current_exception();
  return caught ? caught : std::make_exception_ptr(interrupted());
}

}  // namespace utfilter::detail

#endif
