// input.hpp: one file of utfcat: read, decompressed, decoded to UTF-8.
#ifndef UTFCAT_INPUT_HPP
#define UTFCAT_INPUT_HPP

#include "compression.hpp"
#include "system.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/categories.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ios>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

/// The bytes of a file.
class raw_file {
 public:
  /// "-" is standard input. Reads what there is, and as much as tells compressed data from other where that is asked.
  /// Throws input_failure.
  raw_file(const std::string& name, bool tell_compression);

  int fd() const noexcept { return fd_; }
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }

  /// The first bytes, some dozens of them where they came at once.
  std::string_view head() const noexcept { return {head_.data(), head_size_}; }

  /// What there is, at most n bytes; 0 at the end. Throws input_failure.
  std::size_t read(char* s, std::size_t n);

  /// The same where it lies, until it is consumed; empty at the end.
  std::string_view peek();

  void consume(std::size_t n) noexcept { begin_ += n; }

 private:
  std::size_t read_file(char* s, std::size_t n);

  std::string name_;
  descriptor own_;  // none for standard input
  int fd_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of what is in the buffer
  std::array<char, 64> head_{};
  std::size_t head_size_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool at_end_ = false;
};

/// raw_file as a device of Boost.Iostreams, which copies its devices.
class raw_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  explicit raw_source(raw_file& file) noexcept : file_(&file) {}
  std::streamsize read(char* s, std::streamsize n);

 private:
  raw_file* file_;
};

/// What compressed data holds, as a device: what the bytes read so far have become, as soon as there is any, so that a
/// compressed pipe is as interactive as its writer's flushes; and before damage all that precedes it.
class decompressed_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  /// `name` of the file, for messages.
  decompressed_source(raw_file& file, compression data, std::string name)
      : file_(&file), data_(data), decompressor_(make_decompressor(data)), name_(std::move(name)) {}

  /// Throws input_failure.
  std::streamsize read(char* s, std::streamsize n);

 private:
  [[noreturn]] void fail(const char* what) const;

  raw_file* file_;
  compression data_;
  std::shared_ptr<decompressor> decompressor_;
  std::string name_;
  damage damage_ = damage::none;
  bool full_ = false;  // the last room was: there may be more without more input
};

/// What to do with a file of compressed data: "this is gzip data: give --decompress".
std::string advice_on(compression);

/// A file as UTF-8, piece by piece.
class input {
 public:
  /// Throws input_failure.
  input(const std::string& name, bool decompress);

  input(const input&) = delete;
  input& operator=(const input&) = delete;

  /// Before the first piece: how to decode the file. `alone` says that U+FEFF must not begin the text, whatever `bom`
  /// does.
  void decode(utfilter::encoding from, utfilter::params, bool alone);

  /// What there is, whole characters; empty at the end. Throws utf_error and input_failure, after all that precedes
  /// them.
  std::string_view next();

  const std::string& name() const noexcept { return name_; }
  const raw_file& raw() const noexcept { return raw_; }
  compression decompressed() const noexcept { return decompressed_; }
  utfilter::stream_report report() const { return decoder_.report(); }

 private:
  template <class Source>
  void read_from(Source, bool alone);

  std::string name_;
  raw_file raw_;
  compression decompressed_ = compression::none;
  utfilter::to_utf8 decoder_;
  std::vector<char> piece_;
  std::function<std::streamsize(char*, std::streamsize)> read_;  // of the decoded text
};

}  // namespace utfcat

#endif
