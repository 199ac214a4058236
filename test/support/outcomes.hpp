// outcomes.hpp: the messages of exceptions, and the text that a filter gives until its end or an exception.
#ifndef UTFILTER_TEST_OUTCOMES_HPP
#define UTFILTER_TEST_OUTCOMES_HPP

#include <exception>
#include <string>

/// The message of the exception that the action throws, or an empty string.
template <class Action>
std::string thrown_by(Action&& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

#endif
