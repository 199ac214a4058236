// follow_streambuf.hpp: a stream buffer over a file that is being written: it waits for more, and goes on after the file
// was renamed, replaced or truncated. No Boost.
// layer: streams
#ifndef UTFILTER_FOLLOW_STREAMBUF_HPP
#define UTFILTER_FOLLOW_STREAMBUF_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/lossless_streambuf.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <ios>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace utfilter {

/// The reason why a file that is followed has ended.
enum class file_end {
  replaced,   ///< Another file has its name now, and all of the old one was read.
  truncated,  ///< It lost bytes that had been read already. It will be read again from its start.
  stopped,    ///< stop() was called.
  timed_out,  ///< No byte came for as long as follow_options::timeout says.
};

/// Options of follow_streambuf and follow_source. An aggregate: in C++20, `{.offset = 100, .polls = true}`.
struct follow_options {
  /// Where to begin in the first file, in bytes: checkpoint::offset, or 0. Then the first file must exist.
  std::uint64_t offset = 0;
  /// Files to read before the file that has the name, in this order: those that were renamed while nobody followed them.
  /// Each must exist, and ends as file_end::replaced.
  std::vector<std::filesystem::path> earlier = {};
  /// The longest time to wait for a byte. Empty: for ever. The time between two reads does not count.
  std::optional<std::chrono::milliseconds> timeout = {};
  /// After another file has got the name, the old one ends when it has not grown for this time. Many programs write to
  /// the old file until they notice the rename.
  std::chrono::milliseconds grace{1000};
  /// Whether to look at the file from time to time instead of letting the system report its changes. The system can
  /// report them only under Linux (inotify).
  bool polls = false;
  /// The time between two looks. With inotify, the time is eight times as long, and matters only for changes that
  /// inotify does not report, such as those that another machine makes in a network file system.
  std::chrono::milliseconds interval{250};
  /// Called when a file ends, by the thread that reads.
  std::function<void(file_end)> observer = {};
};

namespace detail {
class followed_files;
}

/// A stream buffer that reads a file to its end and waits for more. It returns the bytes of the file as soon as they are
/// there.
///
/// The file at the path may change in these ways:
/// - It grows. A character or a code unit that is not complete yet waits for the rest.
/// - It has zeros at its end, because its writer has allocated it beforehand, and will write there. They wait; they are
///   returned when other bytes follow them, or when the file ends. Fewer than four are returned at once if the file begins
///   with UTF-16 or UTF-32, whose characters have zeros.
/// - It does not exist yet: the buffer waits for it.
/// - It is renamed or deleted, and another file gets the name: the buffer reads the old file to its end, until it has
///   not grown for follow_options::grace, and then ends. A symbolic link that points to another file is the same case.
/// - It is truncated: the buffer ends.
///
/// So each file ends as any stream does, and a decoder of it meets an end of the text. next_file() then goes on with the
/// next file, which is a text of its own, with a byte order mark of its own:
///
/// ```cpp
/// void follow(utfilter::follow_streambuf& log) {
///   do {
///     utfilter::line_reader lines(log, utfilter::on_error::replace);
///     while (lines.next()) std::cout << lines.text() << std::endl;
///   } while (log.next_file());  // false after stop() and after the timeout
/// }
/// ```
///
/// To go on where another process has ended, give follow_options::offset and params::start the same checkpoint.
///
/// What is not seen:
/// - A truncation is noticed if the file is then shorter than what was read, or if the last 64 bytes that were read are
///   other bytes now. A file that was truncated and written again with the same 64 bytes in the same place, between two
///   looks, counts as one that grew.
/// - Bytes that were not read before a truncation are lost.
/// - A file that gets the name again, after another file had it, counts as a new file: it is read from its start.
/// - A file is followed from the moment the buffer has opened it. If two files get the name between two looks, the first
///   of the two is not read. The buffer looks for a new file whenever it reads, and opens it at once.
/// - On Windows, and on other systems without POSIX, a file is known only by its last 64 bytes read and by its size. There
///   the system may refuse to rename or delete a file that is followed.
///
/// Errors: if a file cannot be opened or read, or is no regular file (a directory, a pipe, a device), the read throws
/// std::ios_base::failure with the path and the reason; so does the constructor for the first file. All bytes before
/// the place that cannot be read are returned first. If the file that got the name cannot be opened, the old file is
/// read to its end first. The next read tries again.
///
/// Complexity: linear in the bytes read. Memory: 64 KiB. It waits without using the processor, except for a look after
/// each interval. Thread safety: one thread at a time; but stop() may be called by every thread and signal handler. The
/// buffer cannot seek. Up to 64 bytes can be put back.
class UTFILTER_STREAMS_API follow_streambuf : public detail::lossless_streambuf {
 public:
  /// Opens the file, if it exists. Throws std::ios_base::failure with the path and the reason if a file exists and
  /// cannot be followed, or if one that must exist does not; std::invalid_argument if the file has fewer bytes than
  /// follow_options::offset.
  explicit follow_streambuf(const std::filesystem::path& path, const follow_options& options = {});

  /// Closes the files.
  ~follow_streambuf() override;
  follow_streambuf(const follow_streambuf&) = delete;
  follow_streambuf& operator=(const follow_streambuf&) = delete;

  /// Goes on after the end of a file: with the next one, or with the start of the file that was truncated. If the file
  /// has not ended, the rest of it is skipped first; that waits for its end. Returns false, and does nothing, after
  /// stop() and after the timeout. Throws what reading throws.
  bool next_file();

  /// Why the file has ended; empty as long as it has not. Throws nothing. Complexity: constant.
  std::optional<file_end> ended() const noexcept;

  /// Waits until a read would return at once, with bytes or the end, but at most for this time. Returns false if the
  /// time is over. The wait counts for follow_options::timeout, too. Throws what reading throws.
  bool wait_for(std::chrono::milliseconds);

  /// Ends the file: a read that waits, and each later read, returns the end. The rest of the file stays unread. For
  /// other threads and for signal handlers: it is async-signal-safe, and keeps errno. Throws nothing.
  void stop() noexcept;

  /// A text that identifies the file that is being read among all files on this machine, also after a rename: device
  /// and inode under POSIX. Empty if there is no file yet, and on other systems. Throws std::bad_alloc.
  std::string identity() const;
  /// The same for the file at a path; empty if there is none.
  static std::string identity_of(const std::filesystem::path&);

 protected:
  int_type underflow() override;
  std::streamsize showmanyc() override;

 private:
  bool look();

  std::unique_ptr<detail::followed_files> files_;
};

}  // namespace utfilter

#endif
