// input.hpp: one file of utfcat: read, decompressed, decoded to UTF-8.
#ifndef UTFCAT_INPUT_HPP
#define UTFCAT_INPUT_HPP

#include "system.hpp"
#include "zstd_frames.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <ios>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

enum class compression { none, gzip, bzip2, zstd };

/// "gzip", ...
const char* name_of(compression) noexcept;

/// The bytes of a file.
class raw_file {
 public:
  /// "-" is standard input. Reads the first bytes. Throws input_failure.
  explicit raw_file(const std::string& name);

  int           fd() const noexcept { return fd_; }
  compression   data() const noexcept { return data_; }
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  bool          at_end() const noexcept { return at_end_; }

  /// What there is, at most n bytes; -1 at the end. Throws input_failure.
  std::streamsize read(char* s, std::streamsize n);

  /// The same for a decompressor, in small pieces, with a 0 behind each and before the end.
  std::streamsize read_paced(char* s, std::streamsize n);

  /// Whether such a 0 has been returned since the last call of this.
  bool paused() noexcept { return std::exchange(paused_, false); }

  /// Whether read_paced would wait for the file, for all that it knows.
  bool would_wait() const noexcept;

  /// Throws input_failure: the compressed data is cut off, or corrupt.
  [[noreturn]] void damaged(bool cut_off) const;

 private:
  std::size_t fill(char* s, std::size_t n);
  std::size_t take(char* s, std::size_t n) noexcept;

  std::string       name_;
  descriptor        own_;  // none for standard input
  int               fd_;
  std::vector<char> buffer_;
  std::size_t       begin_ = 0, end_ = 0;  // of what is in the buffer
  compression       data_       = compression::none;
  std::uint64_t     bytes_read_ = 0;
  bool              at_end_     = false;
  zstd_frames       frames_;           // of what read_paced has returned
  bool              due_    = false;   // a pause comes next
  bool              paused_ = false;
};

/// raw_file as a device of Boost.Iostreams, which copies its devices.
class raw_source {
 public:
  using char_type = char;
  using category  = boost::iostreams::source_tag;

  explicit raw_source(raw_file& file) noexcept : file_(&file) {}
  std::streamsize read(char* s, std::streamsize n) { return file_->read(s, n); }

 private:
  raw_file* file_;
};

/// What a decompressor of Boost.Iostreams makes of a raw_file, as a device: all that can be decompressed.
///
/// By itself a decompressor reads until the caller's buffer is full, and loses what is in the buffer when the data turns out to
/// be corrupt or cut off. With a source that says "would block" (0) after each piece it returns what the pieces so far have
/// become, so that a compressed pipe is as interactive as its writer's flushes; and asked for a little at a time it loses no
/// more than that.
template <class Decompressor>
class decompressed_source {
 public:
  using char_type = char;
  using category  = boost::iostreams::source_tag;

  decompressed_source(Decompressor decompressor, raw_file& file) : decompressor_(std::move(decompressor)), raw_{&file} {}

  std::streamsize read(char* s, std::streamsize n) {
    if (failure_) std::rethrow_exception(failure_);
    std::streamsize got = 0;
    try {
      while (got < n) {
        const std::streamsize little = raw_.file->at_end() ? 1 : 32;
        const std::streamsize more   = decompressor_.read(raw_, s + got, std::min(n - got, little));
        if (more <= 0) return got != 0 ? got : more;
        got += more;
        // Behind a trailer gzip_decompressor waits to see whether another member follows.
        if (raw_.file->would_wait()) return got;
      }
    } catch (...) {
      if (got == 0) throw;
      failure_ = std::current_exception();
    }
    return got;
  }

 private:
  struct paced {
    using char_type = char;
    using category  = boost::iostreams::source_tag;
    std::streamsize read(char* s, std::streamsize n) { return file->read_paced(s, n); }
    raw_file* file;
  };

  Decompressor       decompressor_;
  paced              raw_;
  std::exception_ptr failure_;  // of the next read
};

/// A file as UTF-8, piece by piece.
class input {
 public:
  /// Throws input_failure.
  explicit input(const std::string& name) : name_(name), raw_(name) {}

  input(const input&) = delete;
  input& operator=(const input&) = delete;

  /// Before the first piece: how to decode the file. `alone` says that U+FEFF must not begin the text, whatever `bom` does.
  void decode(utfilter::encoding from, utfilter::params, bool decompress, bool alone);

  /// What there is, whole characters; empty at the end. Throws utf_error and input_failure, after all that precedes them.
  std::string_view next();

  const std::string&      name() const noexcept { return name_; }
  const raw_file&         raw() const noexcept { return raw_; }
  utfilter::stream_report report() const { return decoder_.report(); }

 private:
  std::string       name_;
  raw_file          raw_;
  utfilter::to_utf8 decoder_;
  std::vector<char> piece_;
  boost::iostreams::filtering_streambuf<boost::iostreams::input> chain_;
};

}  // namespace utfcat

#endif
