// system.hpp: utfcat and the system: descriptors, failures with the system's reason, names fit for a terminal.
#ifndef UTFCAT_SYSTEM_HPP
#define UTFCAT_SYSTEM_HPP

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace utfcat {

/// One file could not be read to its end; the others still can.
struct input_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text cannot be written; there is nothing left to do.
struct output_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A name, or whatever else the user gave, on a terminal: control and bidi characters as \x0A or \u{202E}, ill-formed UTF-8 as \xHH.
std::string printable(std::string_view text);

/// "NAME: No space left on device", for a value of errno.
std::string because(std::string_view name, int error);

/// Writes "utfcat: MESSAGE" to standard error, in one piece.
void complain(std::string_view message);

/// Whether it is a terminal with colours, whose user wants them (no-color.org).
bool shows_colours(int fd) noexcept;

/// Gives standard input, output and error a descriptor where the caller closed them, so that no file we open becomes one of
/// them. To use one still fails.
void occupy_standard_descriptors();

/// A descriptor that closes itself.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) noexcept : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }

  int get() const noexcept { return fd_; }

  /// 0, or the errno of a close that failed: some file systems report only here that the disk is full.
  int close() noexcept;

 private:
  int fd_ = -1;
};

/// read(2): what is there, 0 at the end, -1 with errno. Waits also where the descriptor does not.
std::ptrdiff_t read_some(int fd, char* s, std::size_t n) noexcept;

/// write(2) until all is written: false with errno. Waits also where the descriptor does not.
bool write_fully(int fd, const char* s, std::size_t n) noexcept;

}  // namespace utfcat

#endif
