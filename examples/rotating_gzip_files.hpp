// rotating_gzip_files.hpp: a device for the end of a log's chain. It writes numbered gzip files, and survives a full
// disk.
#ifndef UTFILTER_EXAMPLES_ROTATING_GZIP_FILES_HPP
#define UTFILTER_EXAMPLES_ROTATING_GZIP_FILES_HPP

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <deque>
#include <ios>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

/// A device that the logger flushes after each record. Its files are PREFIX.1.gz, PREFIX.2.gz, ...; names that exist
/// are skipped. It gathers lines in blocks and compresses each block to a gzip archive. Several archives one after
/// another are one archive, too. A program that crashes loses the last block.
///
/// The device never reports a failure of the disk to the chain: every later record would be lost, until the program calls
/// resume() of the filter. If the disk does not take an archive as a whole, the device cuts the written part off again, so that
/// the file is complete at any time. The archive waits in memory. With the first record after a pause the device tries
/// again to write the archive to the same file. If too much waits, lines are lost, and the log says so at the place
/// where they are missing. Messages on standard error say when lines begin to wait, when lines begin to be lost, and
/// when the waiting lines are written.
class rotating_gzip_files {
 public:
  using char_type = char;
  struct category : boost::iostreams::sink_tag, boost::iostreams::flushable_tag, boost::iostreams::closable_tag {};

  static constexpr std::size_t block_size = 1 << 16;  // bytes of text
  /// Bytes of waiting archives. A block is added only while fewer bytes wait.
  static constexpr std::size_t most_kept = 1 << 20;
  static constexpr auto pause = std::chrono::seconds(1);

  /// A file ends with the record that brings it to `limit` bytes of text.
  rotating_gzip_files(std::string prefix, std::size_t limit) : prefix_(std::move(prefix)), limit_(limit) {}
  rotating_gzip_files(const rotating_gzip_files&) = delete;
  rotating_gzip_files& operator=(const rotating_gzip_files&) = delete;
  ~rotating_gzip_files() { end_file(); }

  std::streamsize write(const char* s, std::streamsize n) {
    text_.append(s, static_cast<std::size_t>(n));
    return n;
  }

  bool flush() {
    const bool ends_file = size_ + text_.size() >= limit_;
    save();
    if (ends_file || text_.size() >= block_size) {
      pack(ends_file);
      save();
    }
    return true;
  }

  /// Tries once more to write the waiting archives. Archives that cannot be written are lost.
  void close() {
    next_try_ = {};
    save();
    pack(true);
    save();
    for (const archive& a : waiting_) lost_ += a.lines;
    waiting_.clear();
    kept_ = 0;
    end_file();
    if (lost_ != 0) tell(std::to_string(lost_) + " lines are lost: " + why_);
  }

  /// The number of lost lines that no file mentions. It is final after close().
  std::size_t lost() const { return lost_; }

 private:
  struct archive {
    std::string bytes;
    std::size_t lines;
    bool ends_file;
  };

  /// Makes an archive of the text, unless too much waits. If lines were lost before this text, the archive begins with
  /// a line that says how many.
  void pack(bool ends_file) {
    const auto lines = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
    size_ = ends_file ? 0 : size_ + text_.size();
    if (kept_ >= most_kept) {
      if (lost_ == 0) tell("too much waits in memory: lines are lost from now on");
      lost_ += lines;
    } else if (lost_ + lines != 0) {
      if (lost_ != 0) text_.insert(0, std::to_string(lost_) + " lines are lost here: " + why_ + '\n');
      waiting_.push_back({gzipped(text_), lost_ + lines, ends_file});
      kept_ += waiting_.back().bytes.size();
      lost_ = 0;
    }
    text_.clear();
  }

  static std::string gzipped(const std::string& text) {
    namespace io = boost::iostreams;
    std::string bytes;
    io::copy(io::array_source(text.data(), text.size()), io::compose(io::gzip_compressor(), io::back_inserter(bytes)));
    return bytes;
  }

  /// Writes the waiting archives, up to the first failure. During the pause after a failure it writes nothing.
  void save() {
    for (; !waiting_.empty() && std::chrono::steady_clock::now() >= next_try_; waiting_.pop_front()) {
      const archive& next = waiting_.front();
      if (const std::error_code error = append(next.bytes)) {
        why_ = error.message();
        next_try_ = std::chrono::steady_clock::now() + pause;
        if (!std::exchange(failing_, true)) tell(why_ + ": lines wait in memory");
        return;
      }
      kept_ -= next.bytes.size();
      if (next.ends_file) end_file();
    }
    if (waiting_.empty() && std::exchange(failing_, false)) tell("the waiting lines are written");
  }

  /// Adds all of the bytes to the file, or none. If the file has reached the greatest size that the system allows, adds
  /// them to the next file.
  std::error_code append(const std::string& bytes) {
    if (const std::error_code error = open()) return error;
    for (std::size_t done = 0; done != bytes.size();) {
      const ssize_t taken = ::write(file_, bytes.data() + done, bytes.size() - done);
      if (taken > 0) {
        done += static_cast<std::size_t>(taken);
        continue;
      }
      const std::error_code error(taken < 0 ? errno : EIO, std::generic_category());
      if (::ftruncate(file_, written_) != 0) tell("its end is damaged");
      if (error != std::errc::file_too_large || written_ == 0) return error;
      end_file();
      return append(bytes);
    }
    written_ += static_cast<off_t>(bytes.size());
    return {};
  }

  std::error_code open() {
    while (file_ < 0) {
      name_ = prefix_ + '.' + std::to_string(number_) + ".gz";
      file_ = ::open(name_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file_ < 0 && errno != EEXIST) return {errno, std::generic_category()};
      ++number_;
    }
    return {};
  }

  /// Closes the file. An empty file is removed.
  void end_file() {
    if (file_ < 0) return;
    if (::close(file_) != 0) tell("its end may be lost: " + std::generic_category().message(errno));
    if (written_ == 0) ::unlink(name_.c_str());
    file_ = -1;
    written_ = 0;
  }

  void tell(const std::string& what) const { std::cerr << "log file " + name_ + ": " + what + '\n'; }

  std::string prefix_;
  std::size_t limit_;     // bytes of text in one file
  std::string text_;      // the text that is not packed yet
  std::size_t size_ = 0;  // bytes of text packed for the current file
  std::deque<archive> waiting_;
  std::size_t kept_ = 0;  // bytes of the archives in waiting_
  std::size_t lost_ = 0;  // lines lost since the last archive
  bool failing_ = false;  // whether archives wait because a write has failed
  std::string why_;       // the reason of the last failure
  std::chrono::steady_clock::time_point next_try_;
  std::string name_;  // the name of the current file
  int file_ = -1;
  off_t written_ = 0;       // bytes in the current file
  std::size_t number_ = 1;  // the number of the next file
};

#endif
