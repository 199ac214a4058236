// input.hpp: one input file of utfcat, which is read, decompressed and decoded to UTF-8.
#ifndef UTFCAT_INPUT_HPP
#define UTFCAT_INPUT_HPP

#include "charsets.hpp"
#include "compression.hpp"
#include "copy_check.hpp"
#include "locator.hpp"
#include "output.hpp"
#include "parallel.hpp"
#include "system.hpp"
#include "text_reader.hpp"
#include "utf16_watch.hpp"

#include <utfilter/byte_range.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/lines.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/utf8_checker.hpp>

#include <boost/iostreams/categories.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace utfcat {

/// Memory that nobody clears, as most files are smaller. There is none before allocate().
class input_buffer {
 public:
  static constexpr std::size_t size = 65536;

  void allocate() {
    if (!bytes_) bytes_.reset(new char[size]);
  }
  char* data() const noexcept { return bytes_.get(); }

 private:
  std::unique_ptr<char[]> bytes_;
};

/// Memory to read one file after the other.
struct input_buffers {
  input_buffer bytes, text;
};

/// The bytes of a file.
class raw_file {
 public:
  /// Opens the file and reads its first bytes into the buffer; "-" is standard input. With `tell_compression` it reads
  /// on until the first bytes show whether the data is compressed. Throws input_failure.
  raw_file(const std::string& name, bool tell_compression, input_buffer& buffer);

  int fd() const noexcept { return fd_; }
  std::uint64_t bytes_read() const noexcept { return bytes_read_; }

  /// All bytes that the first reads have brought, before any is consumed: at least one, if there is one.
  std::string_view start() const noexcept { return {buffer_.data(), end_}; }

  /// The first bytes read so far, at most 64.
  std::string_view head() const noexcept { return {head_.data(), head_size_}; }

  /// Reads the bytes that are available, at most n, and returns their number; 0 at the end. Throws input_failure.
  std::size_t read(char* s, std::size_t n);

  /// The available bytes in the buffer itself; empty at the end. consume() removes them. Throws input_failure.
  std::string_view peek();

  void consume(std::size_t n) noexcept { begin_ += n; }

  /// Lets another thread end a wait for input. After that the file has ended.
  void wait_by(interruption& waiting) noexcept { waiting_ = &waiting; }

 private:
  std::size_t read_file(char* s, std::size_t n);

  std::string name_;
  descriptor own_;  // empty for standard input
  int fd_;
  input_buffer& buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the bytes in buffer_ that are not consumed yet
  std::array<char, 64> head_{};
  std::size_t head_size_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool at_end_ = false;
  interruption* waiting_ = nullptr;
};

/// A raw_file as a device. It holds only a pointer, because Boost.Iostreams copies its devices.
class raw_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  explicit raw_source(raw_file& file) noexcept : file_(&file) {}
  std::streamsize read(char* s, std::streamsize n);

 private:
  raw_file* file_;
};

/// The content of compressed data, as a device. Each read returns as soon as the bytes read so far give some text. So
/// text from a compressed pipe arrives whenever the writer flushes. If the data is damaged, all text before the damage
/// is delivered before the error.
class decompressed_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  /// `name` is the file's name, for messages.
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
  bool full_ = false;  // the last read filled its buffer: there may be more output without more input
};

/// Looks at bytes that are read in an encoding of one byte a code unit, but may be UTF-8. Until on() it looks at nothing.
class utf8_watch {
 public:
  void on() noexcept { is_on_ = true; }
  void take(std::string_view bytes) noexcept {
    if (!is_on_) return;
    const auto is_lead = [](char c) { return static_cast<unsigned char>(c) >= 0xC0; };
    if (sequences_ < enough) sequences_ += static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), is_lead));
    is_on_ = bytes_.take(bytes);
  }
  /// How many sequences beyond ASCII the bytes have, if they are UTF-8 (utfilter::shows_utf8), else 0. Of many, only some
  /// count.
  std::size_t sequences() const noexcept { return is_on_ && bytes_.is_whole() ? sequences_ : 0; }

 private:
  static constexpr std::size_t enough = 2;

  bool is_on_ = false;
  std::size_t sequences_ = 0;
  utfilter::utf8_checker bytes_;
};

/// A device that shows watches what is read from another one.
template <class Source>
class watched_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  watched_source(Source source, utf8_watch& utf8, utf16_watch& utf16)
      : source_(std::move(source)), utf8_(&utf8), utf16_(&utf16) {}
  std::streamsize read(char* s, std::streamsize n) {
    const std::streamsize got = utf16_->read(source_, s, n);
    if (got > 0) utf8_->take({s, static_cast<std::size_t>(got)});
    return got;
  }

 private:
  Source source_;
  utf8_watch* utf8_;
  utf16_watch* utf16_;
};

/// Advice for a file of compressed data, such as "this is gzip data: give --decompress".
std::string advice_on(compression);

/// A file, or a range of it, as UTF-8, piece by piece.
class input final : public text_origin {
 public:
  /// Uses the buffers as long as it exists. Throws input_failure.
  input(const std::string& name, bool decompress, std::optional<utfilter::byte_range>, input_buffers&);

  input(const input&) = delete;
  input& operator=(const input&) = delete;

  /// Call this before the first piece: it sets how to decode the file. With `team`, several threads decode and encode the
  /// text. With `tells_places` one thread does, if the text does not show the sizes of its characters: see in_charset().
  void decode(utfilter::encoding from, const utfilter::params&, const team_work* team, bool tells_places);

  /// Call this before decode(), if the line decides what becomes of errors.
  void sort_lines(utfilter::line_rules rules) { line_rules_ = std::move(rules); }

  /// Call this before decode(), if the check is to be told all bytes that are decoded. It must live as long as this object.
  void check_by(copy_check& check) noexcept { check_ = &check; }

  /// Call this before decode(): whether UTF-8 ends where UTF-16 begins.
  void end_at_utf16(bool ends) noexcept { ends_at_utf16_ = ends; }

  /// The charset in which the file is, as far as the start of the file can tell. Null if that is an encoding of the
  /// library. Call decode next, with these params: more bytes decide if the file begins with a hole, and fewer if UTF-16 comes
  /// after UTF-8. Throws input_failure for a range of a file in a charset, and for a charset that utfcat cannot read. If
  /// `identifies`, such a file is read all the same, as if each byte were a character.
  std::shared_ptr<const charset> guess_charset(utfilter::params&, bool identifies);

  /// Notes that a text in a charset has no byte order mark, although params::bom requires one. Returns the error.
  utfilter::error_info lack_bom();

  /// As decode, for a file in a charset. `tells_places` is needed for place_of.
  void decode(const charset& from, const utfilter::params&, bool tells_places);

  /// The next available text, in whole characters; empty at the end. Throws utf_error and input_failure, after all text
  /// before the error has been returned.
  std::string_view next();

  /// Set while several threads decode the text.
  const parallel_text* parallel() const noexcept { return parallel_.get(); }

  /// Set if the file is in a charset, or if its places must be found by place_of().
  const charset_text* in_charset() const noexcept { return in_charset_.get(); }
  /// The name of the encoding, as declared or as detected, or of the charset.
  std::string encoding() const;
  /// The language of the text, if the guess has found it.
  std::string_view language() const noexcept { return language_; }

  const std::string& name() const noexcept { return name_; }
  const raw_file& raw() const noexcept { return raw_; }
  /// The bytes, decompressed, that guess_charset() has looked at: those at the start of the file.
  std::string_view sample() const noexcept { return sample_; }
  compression decompressed() const noexcept { return decompressed_; }

  /// Where UTF-16 begins in UTF-8. Call this when next() has come to the end of the text.
  const std::optional<utfilter::error_info>& utf16() const noexcept { return utf16_watch_.found(); }

  /// The first bytes, decompressed: those that the first reads have brought.
  std::string start_of_bytes() const;
  /// How many sequences beyond ASCII the bytes have that were read in another encoding, if they are UTF-8, else 0.
  std::size_t utf8_sequences() const;

  /// The offset in the file of the first byte of the text. It is 0 except in a range.
  std::uint64_t start() const noexcept override { return start_; }
  bool may_have_zeros() const noexcept override { return utf16_watch_.may_have_zeros(); }
  bool knows_offsets() const override;
  bool shows_sizes() const override { return in_charset_ == nullptr; }
  utfilter::text_position place_of(std::uint64_t line, std::uint64_t column) const override {
    return in_charset_->place_of(line, column);
  }
  /// The bytes of the file that have been read for the text.
  std::uint64_t bytes_read() const {
    return range_ ? report().bytes_in - start_ : parallel_ ? parallel_->bytes_read() : raw_.bytes_read();
  }
  utfilter::stream_report report() const override {
    utfilter::stream_report report = in_charset_ ? in_charset_->report()
                                     : parallel_ ? parallel_->report()
                                     : lines_    ? lines_->report()
                                                 : decoder_.report();
    if (guess_ && !report.bom) {
      report.decided_by = guess_->decided_by;
      report.confidence = guess_->confidence;
      report.unused_declaration = guess_->unused_declaration;
    }
    report.errors += lacks_bom_;
    return report;
  }
  /// The counts of lines; set if the line decides what becomes of errors.
  std::optional<utfilter::line_counts> line_counts() const {
    return lines_ ? std::optional(lines_->counts()) : std::nullopt;
  }

 private:
  text_reader file_bytes();
  void read_sample(utfilter::params&);
  text_reader bytes();
  text_reader checked(text_reader) const;
  void leave_out_fallbacks(std::size_t code_unit);
  utfilter::encoding expected(utfilter::encoding from, const utfilter::params&) const;
  template <class Source>
  void place(Source, utfilter::encoding from, const utfilter::params&);
  template <class Filter, class Source>
  void read_through(const Filter&, Source);
  template <class Source>
  void read_from(Source unwatched, utfilter::encoding from, const utfilter::params&, const team_work*,
                 bool tells_places);

  std::string name_;
  raw_file raw_;
  compression decompressed_ = compression::none;
  std::optional<utfilter::byte_range> range_;
  std::uint64_t start_ = 0;
  std::optional<utfilter::line_rules> line_rules_;
  utf8_watch watch_;
  utf16_watch utf16_watch_;
  bool ends_at_utf16_ = false;
  copy_check* check_ = nullptr;
  utfilter::to_utf8 decoder_;
  std::optional<utfilter::to_utf8_lines> lines_;  // replaces decoder_
  input_buffer& piece_;
  text_reader read_;  // reads decoded text
  interruption waiting_;
  std::unique_ptr<parallel_text> parallel_;       // replaces decoder_, piece_ and read_
  std::unique_ptr<charset_text> in_charset_;      // does so, too
  std::string charset_name_;                      // empty if it is an encoding
  std::optional<utfilter::encoding> guessed_;     // by the start of the file
  std::string_view language_;                     // of the guess
  std::optional<utfilter::charset_guess> guess_;  // set if the start of the file decided about a charset or a range
  bool lacks_bom_ = false;
  // The bytes that were read for a guess, and a reader of those after them; empty without a guess.
  std::string sample_;
  text_reader rest_;
};

}  // namespace utfcat

#endif
