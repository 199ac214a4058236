// outcomes.hpp: the exceptions of actions, and the text that a filter or a conversion takes or gives.
#ifndef UTFILTER_TEST_OUTCOMES_HPP
#define UTFILTER_TEST_OUTCOMES_HPP

#include <utfilter/codec.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <cstddef>
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

/// Whether the action throws a utf_error with this code.
template <class Action>
bool throws(utfilter::errc code, const Action& action) {
  const auto error = caught<utfilter::utf_error>(action);
  return error && error->code() == code;
}

/// Writes a text of which the filter must take all.
template <class Filter, class Sink>
void write_all(Filter& filter, Sink& sink, std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  if (filter.write(sink, text.data(), size) != size) throw std::logic_error("it takes only a part");
}

/// Converts a text in pieces of `piece` bytes, with `room` bytes for the output of each call. Returns the output.
template <class Conversion>
std::string converted(Conversion& text, std::string_view in, std::size_t piece, std::size_t room) {
  using utfilter::codec_status;
  std::string out, part(room, '\0');
  while (true) {
    const std::size_t size = std::min(piece, in.size());
    const utfilter::codec_progress done = text.convert(in.data(), size, part.data(), room, size == in.size());
    in.remove_prefix(done.consumed);
    out.append(part, 0, done.produced);
    if (done.status == codec_status::done || done.status == codec_status::malformed) return out;
  }
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
