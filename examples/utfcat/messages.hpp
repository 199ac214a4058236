// messages.hpp: what utfcat says to people: failures with the system's reason, names fit for a terminal.
#ifndef UTFCAT_MESSAGES_HPP
#define UTFCAT_MESSAGES_HPP

#include <cerrno>
#include <stdexcept>
#include <string>
#include <string_view>

namespace utfcat {

/// One file could not be read to its end; the others still can.
struct input_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text cannot be written; there is nothing left to do.
struct output_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A name, or whatever else the user gave, on a terminal: control and bidi characters as \x0A or \u{202E}, ill-formed
/// UTF-8 as \xHH.
std::string printable(std::string_view text);

/// "NAME: No space left on device", for a value of errno.
std::string because(std::string_view name, int error);

/// Throws output_failure, with that text.
[[noreturn]] void cannot_write(std::string_view name, int error = errno);

/// Writes "utfcat: MESSAGE" to standard error, in one piece.
void complain(std::string_view message);

/// Whether it is a terminal with colours, whose user wants them (no-color.org).
bool shows_colours(int fd) noexcept;

}  // namespace utfcat

#endif
