// system.hpp: the services of the system that utfcat needs: arguments, descriptors, terminals, and a file that is
// replaced as a whole. All code for POSIX is in system.cpp, all code for Windows in system_windows.cpp. Names of files
// are UTF-8 on Windows; on other systems they are the bytes that the system uses.
#ifndef UTFCAT_SYSTEM_HPP
#define UTFCAT_SYSTEM_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace utfcat {

/// A name of utfcat as a path. (C++20 deprecates u8path.)
inline std::filesystem::path path_of(const std::string& name) {
#ifdef __cpp_lib_char8_t
  return std::u8string(name.begin(), name.end());
#else
  return std::filesystem::u8path(name);
#endif
}
/// A path as a name of utfcat. (In C++20 u8string() returns a string of char8_t.)
inline std::string name_of(const std::filesystem::path& path) {
  const auto name = path.u8string();
  return {name.begin(), name.end()};
}

inline constexpr int standard_input = 0, standard_output = 1, standard_error = 2;

/// Call this first.
///
/// Windows: it converts main's arguments to UTF-8, expands patterns in them, and makes standard input, output and error
/// binary.
///
/// POSIX: a write that would exceed the size limit for files then fails, instead of ending the program. (A reader that
/// goes away still ends the program by SIGPIPE, unless the caller ignores that signal.) A standard descriptor that the
/// caller closed is opened, so that no other file gets its number. Reading from it or writing to it still fails.
void prepare(int& argc, char**& argv);

/// Whether the descriptor is a terminal. On Windows it must be one for which escape sequences can be switched on.
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

/// Opens a file. If that fails, the descriptor is below 0 and errno is set. Waits for a pipe's writer.
descriptor open_to_read(const std::string& name);

/// The same for a regular file. Never waits: all other files are refused without opening them, a directory with EISDIR,
/// a pipe, a socket or a device with ESPIPE.
descriptor open_regular(const std::string& name);

/// The size of a file in bytes, 0 if it is not a regular file. size_of() returns nothing if there is no such file. "-"
/// is standard input.
struct file_size {
  bool regular;
  std::uint64_t bytes;
};
std::optional<file_size> size_of(const std::string& name);

/// What tells a file from all others: two names, or a name and a descriptor, have equal ones if they are one file. It is
/// the device and the inode of a regular file or a pipe; the path, after all links, of a file that is not there yet; and
/// empty for all other files, such as a terminal or /dev/null, which may have several uses at once.
std::string identity_of(const std::string& name);
std::string identity_of(int fd);

/// Whether the name is that of an open descriptor, such as /dev/stdout or /dev/fd/N.
bool is_descriptor(const std::string& name);

/// Calls read(2): returns the number of bytes read, 0 at the end, -1 with errno. Waits for the first byte, even on a
/// non-blocking descriptor.
std::ptrdiff_t read_some(int fd, char* s, std::size_t n) noexcept;

/// Reads n bytes of a regular file from the offset on. Returns their number: fewer at the end of the file or before an
/// error. The descriptor's own place may change.
std::size_t read_at(int fd, std::uint64_t offset, char* s, std::size_t n) noexcept;

/// Lets one thread end another thread's wait for input.
class interruption {
 public:
  /// Call this first. Returns false if a wait for this descriptor cannot be ended.
  bool begin(int fd) noexcept;

  /// Waits until the descriptor has input, or has ended. Returns false after interrupt().
  bool wait(int fd) noexcept;

  void interrupt() noexcept;

 private:
  descriptor waits_, interrupts_;  // on POSIX: the two ends of a pipe
};

/// Calls write(2) until all bytes are written. Returns false with errno if that fails. Waits, even on a non-blocking
/// descriptor.
bool write_fully(int fd, const char* s, std::size_t n) noexcept;

/// Calls the function, in a signal handler, when a signal asks the program to end (SIGINT, SIGTERM, SIGHUP). The second
/// time such a signal ends the program. Signals that the caller ignores stay ignored.
void at_signals_to_end(void (*)());

/// The number by which the system knows this process.
std::uint64_t process_id() noexcept;

/// A small file that one process at a time keeps: it locks the file and replaces it again and again. The system frees
/// the lock when the process ends, also by SIGKILL.
class kept_file {
 public:
  /// Locks and reads the file, if there is one. If it is a symbolic link, its target is kept. On POSIX it also removes
  /// what a process that was killed in replace() has left. Throws input_failure if the file cannot be read, or is no
  /// regular file.
  explicit kept_file(const std::string& name);
  ~kept_file();
  kept_file(const kept_file&) = delete;
  kept_file& operator=(const kept_file&) = delete;

  const std::string& name() const noexcept { return name_; }
  /// The first 4096 bytes of the file; nothing if there was none.
  const std::optional<std::string>& content() const noexcept { return content_; }
  /// Whether another process keeps the file. Then do not call replace().
  bool is_taken() const noexcept { return taken_; }
  /// The value of errno that tells why the system cannot lock the file; 0 if it can.
  int lock_error() const noexcept { return lock_error_; }

  /// Replaces the file by one with this content, or makes it: the content is written to a new file beside it, flushed
  /// to the disk, and renamed. So the file is whole at each moment, also after a crash of the machine. The owner, group
  /// and mode stay the same as far as the system allows. Returns false, and does nothing, if there is another file now,
  /// which this process does not keep. Throws output_failure, and then leaves no new file.
  bool replace(std::string_view content);

 private:
  std::string name_;  // for messages
  std::string path_;  // of the file itself
  std::optional<std::string> content_;
  bool taken_ = false;
  int lock_error_ = 0;
#ifdef _WIN32
  void* mutex_ = nullptr;  // the lock
#else
  descriptor file_;  // the file, locked; empty if there is none
#endif
};

/// The place of the output: standard output, or a temporary file that commit() turns into the named file. The functions
/// of this class throw output_failure.
///
/// Until commit() only the owner has rights to the temporary file. POSIX: a signal that ends the program removes the
/// temporary file first.
class destination {
 public:
  /// Without a file the output goes to standard output. If the file is a symbolic link, its target is replaced. A
  /// device or a pipe is written directly. So is an open descriptor (/dev/stdout, /dev/fd/N, /proc/self/fd/N), even if
  /// it is a file.
  explicit destination(const std::optional<std::string>& file) : destination(file, way::replace) {}

  /// With way::append, a named file is not replaced: the output is appended to it. It is created if there is none.
  enum class way { replace, append };
  destination(const std::optional<std::string>& file, way);

  /// Without commit() the named file stays unchanged.
  ~destination();

  destination(const destination&) = delete;
  destination& operator=(const destination&) = delete;

  int fd() const noexcept { return fd_.get(); }
  /// Call this after writing bytes, with the last one.
  void wrote(char last) const noexcept { is_inside_line_ = last != '\n'; }
  /// Whether the last line that was written has no end yet.
  bool is_inside_line() const noexcept { return is_inside_line_; }
  const std::string& name() const noexcept { return name_; }
  bool replaces() const noexcept { return !temporary_.empty(); }
  /// The file that is replaced; empty if there is none.
  std::string replaced() const;

  /// Whether the output is written directly to the regular file that `other` has open.
  bool is(int other) const noexcept;

  /// The size of a regular file that the output is appended to; nothing for all other destinations.
  std::optional<std::uint64_t> size() const;
  /// Locks that file as long as this object exists. Returns false if another process has locked it. Does nothing for
  /// other destinations, and where the system has no such locks (on Windows).
  bool lock() const noexcept;
  /// Shortens that file.
  void cut(std::uint64_t size) const;
  /// The bytes in a pipe that its readers have not read yet; nothing if the output is no pipe, or if the system does
  /// not tell (only Linux does).
  std::optional<std::uint64_t> unread() const noexcept;
  /// Waits until the pipe's readers have read everything, or have gone away, but at most so long.
  void wait_for_readers(std::chrono::milliseconds) const noexcept;
  /// Waits until that file is on the disk, with its name. Does nothing for other destinations.
  void sync();

  /// Call this when the output is complete: the temporary file is written to the disk and gets its name. If its content
  /// is that of the file, it is removed instead, and the file stays as it is. The temporary file keeps the
  /// owner, group, mode and ACL of the file that it replaces. If the system does not allow that, nobody gets more
  /// rights than before; extended attributes stay, on Linux. `may_replace` is asked right before the file gets its name; if
  /// the answer is no, the file stays as it is, and commit() returns false.
  struct replacing {
    std::function<bool()> may_replace = [] { return true; };
    bool keep_times = false;  // the new file gets the times of the old one
    std::string backup = "";  // the name that the old file gets; empty: none. A file of that name is replaced
  };
  bool commit(const replacing&);
  bool commit() { return commit(replacing()); }

 private:
  descriptor fd_;
  std::string name_;       // for messages
  std::string path_;       // the file that is replaced
  std::string temporary_;  // the temporary file; empty if there is none
  mutable bool is_inside_line_ = false;
  bool appends_ = false;   // to a regular file
  bool has_name_ = false;  // on the disk, too, after sync()
  descriptor old_;         // on POSIX: the file that is replaced; empty if there is none
};

}  // namespace utfcat

#endif
