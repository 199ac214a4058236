// follow_streambuf.hpp: a stream buffer over a file that is being written: it waits for more, and goes on after the file
// was renamed, replaced, truncated or rewritten. No Boost.
// layer: streams
#ifndef UTFILTER_FOLLOW_STREAMBUF_HPP
#define UTFILTER_FOLLOW_STREAMBUF_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/lossless_streambuf.hpp>

#include <chrono>
#include <cstddef>
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
  truncated,  ///< It is shorter than what had been read already. It will be read again from its start.
  stopped,    ///< stop() was called.
  timed_out,  ///< No byte came for as long as follow_options::timeout says.
  rewritten,  ///< It is not shorter, but bytes that had been read already have changed. follow_streambuf::next_file reads
              ///< it again, from its start or from a place before the first change.
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
  /// The bytes of a code unit, if they are known: 1 for UTF-8 and most legacy encodings, 2 for UTF-16, 4 for UTF-32. With
  /// 0, the file tells whether it is UTF-16 or UTF-32, which it cannot in every script.
  std::size_t unit_size = 0;
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
///   with UTF-16 or UTF-32, whose characters have zeros, or if follow_options::unit_size says so.
/// - It does not exist yet: the buffer waits for it.
/// - It is renamed or deleted, and another file gets the name: the buffer reads the old file to its end, until it has
///   not grown for follow_options::grace, and then ends. A symbolic link that points to another file is the same case.
/// - It is truncated, and is shorter than what was read: the buffer ends.
/// - It is rewritten: it is not shorter, but bytes that were read have changed. The buffer ends, too, when it sees that.
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
/// This loop reads a file that was rewritten again from its start, because only that is right for every decoder. To read
/// less again, keep checkpoints. When ended() is file_end::rewritten, give the last one that is not after unchanged() to
/// the next decoder as params::start, and its offset to next_file().
///
/// How a change of what was read is seen: the buffer keeps the last 4096 bytes, and sums of blocks of what came before. A
/// block has 4 KiB, and more if the file has more than 4 MiB, but never more than 1/512 of it. The buffer compares
/// - the last 4096 bytes, whenever it looks;
/// - the whole text, if the time of the last change of the file is another one and the file has not grown. That takes at
///   most a tenth of the time;
/// - 8 KiB in turn, when the file has grown, and 1 MiB when it has not changed for two seconds after that;
/// - the whole text, when another file has the name, before the buffer ends.
/// So what was read of a large file is never read again because a line was appended.
///
/// What is not seen:
/// - If a file of more than 1 MiB grows and is changed before its last 4096 bytes at the same moment, that is seen when it
///   is the turn of that block, or when the file is replaced. After stop() and the timeout nothing is compared.
/// - A file that was truncated and written again, and is not shorter at the next look, counts as one that was rewritten; or
///   as one that grew, if its bytes are those that were read.
/// - If follow_options::offset is more than 1 MiB, the bytes before it are not known, except the last 4096. If they have
///   changed, nobody is told. unchanged() counts them as they are if at least 64 bytes after them are unchanged.
/// - Bytes that were not read before a truncation are lost.
/// - A file that gets the name again, after another file had it, counts as a new file: it is read from its start.
/// - A file is followed from the moment the buffer has opened it. If two files get the name between two looks, the first
///   of the two is not read. The buffer looks for a new file whenever it reads, and opens it at once.
/// - On Windows, and on other systems without POSIX, a file is known only by its last 4096 bytes read and by its size. There
///   the system may refuse to rename or delete a file that is followed.
///
/// Errors: if a file cannot be opened or read, or is no regular file (a directory, a pipe, a device), the read throws
/// std::ios_base::failure with the path and the reason; so does the constructor for the first file. All bytes before
/// the place that cannot be read are returned first. If the file that got the name cannot be opened, the old file is
/// read to its end first. The next read tries again.
///
/// Complexity: linear in the bytes read; each byte is compared a few times at most, if nothing but growth and one change
/// happens. Memory: 144 KiB. It waits without using the processor, except for a look after
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

  /// Goes on after the end of a file: with the next one, with the start of the file that was truncated, or with the file
  /// that was rewritten, at the offset in bytes. If the file has not ended, the rest of it is skipped first; that waits for
  /// its end. Returns false, and does nothing, after stop() and after the timeout. Throws what reading throws, and
  /// std::invalid_argument if the offset is more than unchanged().
  bool next_file(std::uint64_t offset = 0);

  /// After file_end::rewritten: how many bytes at the start of the file are those that were read, as far as the sums tell.
  /// The first one that has changed comes after these, in the same block of sums; if it is one of the last 4096 bytes that
  /// were read, it is the next one. 0 before, and after every other end. Throws nothing. Complexity: constant.
  std::uint64_t unchanged() const noexcept;

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
