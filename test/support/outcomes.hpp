// outcomes.hpp: the messages of exceptions, and the text that a filter gives until its end or an exception.
#ifndef UTFILTER_TEST_OUTCOMES_HPP
#define UTFILTER_TEST_OUTCOMES_HPP

#include <exception>
#include <ios>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// The message of the exception of this type that the action throws, or an empty string.
template <class Exception = std::exception, class Action>
std::string thrown_by(Action&& action) {
  try {
    action();
  } catch (const Exception& error) {
    return *error.what() == '\0' ? "no message" : error.what();
  }
  return {};
}

/// A copy of the exception of this type that the action throws, or nothing.
template <class Exception, class Action>
std::optional<Exception> caught(Action&& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error;
  }
  return {};
}

/// Reads from the filter into the buffer, to the end. Calls `each` with the text of each read.
template <class Filter, class Source, class Each>
void read_each(Filter& filter, Source& source, std::vector<char>& buffer, const Each& each) {
  for (int reads = 0; reads < 100'000; ++reads) {
    const std::streamsize n = filter.read(source, buffer.data(), static_cast<std::streamsize>(buffer.size()));
    if (n < 0) return;
    each(std::string_view(buffer.data(), static_cast<std::size_t>(n)));
  }
  throw std::logic_error("it reads without end");
}

/// The text that the filter still gives, then `!` and the message of an exception, or `$` for the end.
template <class Filter, class Source>
std::string read_all(Filter& filter, Source& source, std::streamsize at_once = 100) {
  std::string text;
  std::vector<char> buffer(static_cast<std::size_t>(at_once));
  try {
    read_each(filter, source, buffer, [&](std::string_view some) { text += some; });
  } catch (const std::exception& error) {
    return text + "!" + error.what();
  }
  return text + "$";
}

#endif
