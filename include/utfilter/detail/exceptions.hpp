// exceptions.hpp: all that the core does with exceptions, and what it does instead in programs without them. It keeps
// exceptions, recognises those that must not be kept, and refuses arguments. Not for users.
// layer: conversion
#ifndef UTFILTER_DETAIL_EXCEPTIONS_HPP
#define UTFILTER_DETAIL_EXCEPTIONS_HPP

#include <utfilter/config.hpp>

#if UTFILTER_HAS_EXCEPTIONS
#  include <stdexcept>
#else
#  include <cstdio>
#  include <cstdlib>
#endif

#include <exception>
#include <string>
#include <utility>

namespace utfilter::detail {
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

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

/// Calls the action. An exception from it is not thrown on, but passed to `handle(std::exception_ptr)`, which throws
/// nothing.
template <class Action, class Handle>
UTFILTER_INLINE void guarded(Action&& action, Handle&& handle) {
#if UTFILTER_HAS_EXCEPTIONS
  try {
    action();
  } catch (...) {
    handle(kept_exception());
    if (must_throw_on()) throw;
  }
#else
  static_cast<void>(handle);
  action();
#endif
}

/// Throws std::invalid_argument. Without exceptions prints the reason to standard error, and aborts.
[[noreturn]] inline void refuse(const std::string& why) {
#if UTFILTER_HAS_EXCEPTIONS
  throw std::invalid_argument(why);
#else
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
#endif
}

UTFILTER_END_EXCEPTIONS_NAMESPACE
}  // namespace utfilter::detail

#endif
