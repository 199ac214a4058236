// messages.hpp: the messages of utfcat: failures with the system's reason, and names that are safe for a terminal.
#ifndef UTFCAT_MESSAGES_HPP
#define UTFCAT_MESSAGES_HPP

#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

/// The command line makes no sense. what() is a message for the user.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One file could not be read to its end. utfcat goes on with the others.
struct input_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// To write the file would make it worse, so it stays as it is. utfcat goes on with the others.
struct left_alone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text cannot be written. utfcat ends.
struct output_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A name, or another text of the user, as utfilter::printable shows it, with tabs escaped; '' for an empty text.
std::string visible(std::string_view text);

/// A message such as "NAME: No space left on device". `error` is a value of errno.
std::string because(std::string_view name, int error);

/// Throws output_failure with the message that because() returns.
[[noreturn]] void cannot_write(std::string_view name, int error = errno);

/// A number of things, such as "1 line" or "2 lines".
std::string counted(std::uint64_t n, std::string_view what);

/// "the nearest name is NAME", or "the nearest names are NAME, NAME and NAME". Precondition: there is one.
std::string nearest_in_words(const std::string& one, const std::string& several, const std::vector<std::string>& names);

/// Writes "utfcat: MESSAGE" to standard error, in one piece.
void complain(std::string_view message);

/// Whether the descriptor is a terminal with colours, and the user wants colours (no-color.org).
bool shows_colours(int fd) noexcept;

}  // namespace utfcat

#endif
