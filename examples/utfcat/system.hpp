// system.hpp: utfcat and the system: the arguments, descriptors, terminals, and the file that is replaced as a whole.
// All there is of POSIX is in system.cpp, all of Windows in system_windows.cpp. Names are UTF-8 on Windows; elsewhere
// they are the system's bytes.
#ifndef UTFCAT_SYSTEM_HPP
#define UTFCAT_SYSTEM_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace utfcat {

inline constexpr int standard_input = 0, standard_output = 1, standard_error = 2;

/// To be called first: main's arguments become names as they are here, and standard input, output and error binary. A
/// file that may not grow is then an error of a write. (A reader that goes away ends the program as the system does,
/// unless its caller ignores SIGPIPE.) A standard descriptor that the caller closed gets one, so that no file we open
/// becomes one of them; to use it still fails.
void prepare(int& argc, char**& argv);

/// Whether it is a terminal, which also obeys escape sequences.
bool is_terminal(int fd) noexcept;

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

/// Below 0 with errno where it cannot be opened.
descriptor open_to_read(const std::string& name);

/// Bytes of a regular file, 0 of any other; nothing where there is none. "-" is standard input.
struct file_size {
  bool regular;
  std::uint64_t bytes;
};
std::optional<file_size> size_of(const std::string& name);

/// read(2): what is there, 0 at the end, -1 with errno. Waits also where the descriptor does not.
std::ptrdiff_t read_some(int fd, char* s, std::size_t n) noexcept;

/// write(2) until all is written: false with errno. Waits also where the descriptor does not.
bool write_fully(int fd, const char* s, std::size_t n) noexcept;

/// What is written to: standard output, or a temporary file that becomes the named one with commit. Throws
/// output_failure.
///
/// The temporary file is for its owner alone until commit. POSIX: a signal that ends the program removes it first.
class destination {
 public:
  /// Standard output where no file is given. Of a symbolic link the target is replaced. A device or pipe is written
  /// directly, and so is an open descriptor (/dev/stdout, /dev/fd/N, /proc/self/fd/N), whatever file is open there.
  explicit destination(const std::optional<std::string>& file);

  /// Without commit the named file is as it was.
  ~destination();

  destination(const destination&) = delete;
  destination& operator=(const destination&) = delete;

  int fd() const noexcept { return fd_.get(); }
  const std::string& name() const noexcept { return name_; }
  bool replaces() const noexcept { return !temporary_.empty(); }

  /// Whether what is written now comes to stand in the regular file of that descriptor.
  bool is(int other) const noexcept;

  /// What was written is complete: it goes to the disk and gets its name. The owner, group, mode and ACL of the file it
  /// replaces stay; where the system does not let us keep them, nobody gets more rights than before.
  void commit();

 private:
  descriptor fd_;
  std::string name_;       // for people
  std::string path_;       // what is replaced
  std::string temporary_;  // empty where there is none
  descriptor old_;         // the file that is replaced, under POSIX; none where there is none
};

}  // namespace utfcat

#endif
