// growing_file.hpp: the services of the system that follow_streambuf.cpp needs: a file that others write, and a way to wait for
// changes. growing_file_posix.cpp has them for POSIX, growing_file_portable.cpp for all other systems.
#ifndef UTFILTER_STREAMS_GROWING_FILE_HPP
#define UTFILTER_STREAMS_GROWING_FILE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace utfilter::detail {

/// The last bytes that were read from a file, and the offset after them. Together they tell whether it is still the
/// same text.
struct sample {
  static constexpr std::size_t longest = 4096;

  std::uint64_t end = 0;
  std::string_view bytes;

  std::uint64_t begin() const noexcept { return end - bytes.size(); }
};

/// When a file was last written to, in a unit and from a start that the system chooses, and its size in bytes.
struct file_stamp {
  std::int64_t time = 0;
  std::uint64_t size = 0;
};

/// A regular file that is open for reading, or none. It stays open if its name changes.
class growing_file {
 public:
  growing_file() noexcept;
  ~growing_file();
  growing_file(growing_file&&) noexcept;
  growing_file& operator=(growing_file&&) noexcept;

  /// Opens a file. If that fails, the result is not open, and `error` is the reason: no_such_file_or_directory only if
  /// there is no file.
  static growing_file open(const std::filesystem::path&, std::error_code& error);
  bool is_open() const noexcept { return system_ != nullptr; }

  /// Reads at most n bytes at the offset, fewer only at the end of the file or before an error. Returns their number.
  /// Never waits.
  std::size_t read_at(std::uint64_t offset, char* s, std::size_t n, std::error_code& error);

  /// A stamp of zeros if the system does not tell.
  file_stamp stamp() noexcept;
  /// The time since the file was changed or renamed; 0 if the system does not tell.
  std::chrono::milliseconds age() const noexcept;

  /// Whether the path names another file now. `read` is a sample of this file.
  bool is_replaced_at(const std::filesystem::path&, const sample& read);
  /// Whether the two are the same file, as far as the system tells.
  bool is(const growing_file&) const noexcept;
  /// A text that identifies the file among all others, also after a rename. Empty if the file is not open, or if the
  /// system has no such text.
  std::string identity() const;

 private:
  friend class file_watch;
  struct system;
  std::unique_ptr<system> system_;
};

/// Waits until a file may have changed.
class file_watch {
 public:
  using clock = std::chrono::steady_clock;

  /// Waits for changes of the file at the path. With `polls`, or where the system does not report changes, it wakes up
  /// after each interval.
  file_watch(const std::filesystem::path&, bool polls, std::chrono::milliseconds interval);
  ~file_watch();
  file_watch(const file_watch&) = delete;
  file_watch& operator=(const file_watch&) = delete;

  /// From now on waits for changes of this file, too. A change that comes after this call ends the next wait.
  void watch(const growing_file&);
  /// Waits until something may have changed, or wake() was called, or it is time to look; but not beyond `end`.
  void wait(clock::time_point end);
  /// Ends a wait, or the next one. Async-signal-safe.
  void wake() noexcept;

 private:
  struct system;
  std::unique_ptr<system> system_;
};

}  // namespace utfilter::detail

#endif
