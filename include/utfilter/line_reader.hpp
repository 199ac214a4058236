// line_reader.hpp: reads a text in any encoding line by line, and says where each line and each character stands.
// layer: streams
#ifndef UTFILTER_LINE_READER_HPP
#define UTFILTER_LINE_READER_HPP

#include <utfilter/byte_range.hpp>
#include <utfilter/checkpoint.hpp>
#include <utfilter/config.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/detail/naming.hpp>
#include <utfilter/detail/source_map.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <cstdint>
#include <streambuf>
#include <string_view>
#include <vector>

namespace utfilter {

/// Reads the lines of a text in any encoding, as UTF-8. It knows the bytes of the source that each line and each
/// character were decoded from, and the checkpoint at which reading can go on after each line.
///
/// ```cpp
/// std::stringbuf log("one\r\ntw\xFFo\n");
/// utfilter::line_reader lines(log, utfilter::on_error::replace);
/// while (lines.next())
///   if (lines.errors() != 0) std::clog << "line " << lines.number() << ": " << lines.text() << '\n';
/// ```
///
/// Only a line feed (U+000A) of the text ends a line. A line feed or carriage return in params::replacement is text.
/// The last line may lack its end; an empty text, and the rest after the last line feed if it is empty, are no lines.
/// So the lines are those of std::getline over utfilter::istream.
///
/// next() returns a line as soon as its line feed has arrived: it does not wait for more. An observer sees an error
/// when its piece of the source is decoded, perhaps before next() has returned the lines before the error.
///
/// The text fails with utf_error, with an exception of the observer, or with std::length_error for a line that is too
/// long. Then next() first returns all lines before the failure, and throws after them. Each further call throws the
/// same exception. After a utf_error, text() is the part of the line before the error.
///
/// If the source throws, the text has not failed: next() throws that exception, and the line is empty. What was read
/// is kept, and the next call of next() asks the source for more and goes on. An end of the source is final.
///
/// If the source throws while a byte is taken from it (only a source without a get area can do so), the text has
/// failed, because the byte could come twice.
///
/// After the last line, bytes() and errors() are about the bytes after the last line feed that became no text, such as
/// those that on_error::skip left out.
///
/// A line_reader can be moved, with its line, but not copied; a moved-from one can only be destroyed or assigned to. It
/// holds at most one line and one piece of decoded text. Its memory grows with the longest line, up to about twice the
/// limit, and three to six bytes for each repair in the line. Complexity: linear in the bytes read. Thread safety: one
/// thread at a time.
class line_reader {
 public:
  /// The limit for a line, if the constructor is given none: 16 MiB.
  static constexpr std::size_t default_limit = std::size_t{16} << 20;

  /// @{
  /// The source is not owned, and must outlive this object. `limit` is the size of the longest line that is accepted,
  /// in bytes of UTF-8 without the end of the line. Throws std::invalid_argument, with the reason, for params that make
  /// no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit line_reader(std::streambuf& source, detail::named_encoding from = encoding::detect,
                       const Options& options = {}, std::size_t limit = default_limit)
      : line_reader(detail::to_params(options), source, from, limit) {}
  template <class Options = params, class = detail::if_options<Options>>
  line_reader(std::streambuf& source, const Options& options, std::size_t limit = default_limit)
      : line_reader(source, encoding::detect, options, limit) {}
  /// @}

  /// Reads the next line. Returns false after the last line; under on_error::stop the text ends at the first error.
  /// Throws utf_error, std::length_error, and exceptions of the observer and of the source; see above.
  UTFILTER_STREAMS_API bool next();

  /// The line as UTF-8, without its end. The view is valid until the next call of next(). Before the first line and
  /// after the last one, text() is empty, and the functions below are about the empty text at that place.
  std::string_view text() const noexcept { return {buffer_.data() + line_, size_}; }
  /// The end of the line: "\n" or "\r\n"; empty for a last line without one, and for the part of a line before an
  /// error. The view is valid until the next call of next().
  std::string_view ending() const noexcept { return {buffer_.data() + line_ + size_, ending_}; }
  /// The number of the line in the whole text, from 1. After params::start it goes on from the line of the checkpoint.
  std::uint64_t number() const noexcept { return number_; }
  /// The bytes of the source that are the line: ill-formed bytes and the end of the line are included. The first line
  /// includes the byte order mark. Each line begins where the one before it ends. Complexity: linear in the size of the
  /// lines since the last call, but at most in that of the line and of a piece of text; constant if the source is
  /// UTF-8.
  byte_range bytes() const noexcept {
    find_places();
    return {begin_.source, end_};
  }
  /// The offset in the source of the first byte of the character that text()[n] is a part of; in a repair, that of the
  /// ill-formed subsequence. If n is text().size(), it is the offset of the end of the line. Throws std::out_of_range
  /// if n is larger. Complexity: that of bytes(), and linear in the size of the line.
  UTFILTER_STREAMS_API std::uint64_t offset_of(std::size_t n) const;
  /// The number of errors in the line, including the one that has ended or failed the text.
  std::uint64_t errors() const noexcept { return errors_; }
  /// The place after the line. A line_reader with it as params::start, whose source begins at its offset, returns the
  /// lines that follow. If the text has failed with utf_error, it is the place before the error; if the line is too
  /// long, or the source has thrown, it is the beginning of the line. Complexity: that of bytes().
  UTFILTER_STREAMS_API checkpoint after() const noexcept;

  /// The report on all text that has been decoded; it may be ahead of the line.
  stream_report report() const { return decoder_.report(); }

 private:
  using source_map = detail::source_map;

  UTFILTER_STREAMS_API line_reader(const params&, std::streambuf& source, encoding from, std::size_t limit);

  /// Bytes of the source that are decoded.
  std::uint64_t position() const noexcept { return taken_ - decoder_.pending(); }
  bool find_end();
  bool take_line(std::size_t end);
  bool follows_repair(std::uint64_t text) const noexcept;
  bool take_rest();
  [[noreturn]] void fail();
  [[noreturn]] void refuse_line();
  void decode();
  void begin_text(std::string_view text, bool is_before_error);
  void add_irregular(transcoder, std::uint64_t text, std::string_view withheld, std::string_view bytes, bool last);
  void meet_error();
  void make_room(std::size_t);

  void find_places() const noexcept {
    if (!places_found_) find_both_places();
  }
  UTFILTER_STREAMS_API void find_both_places() const noexcept;
  std::uint64_t source_size(const char* text, std::size_t size) const noexcept;
  source_map::place place_of(std::uint64_t text, const source_map::cursor& patches) const noexcept;

  decoder decoder_;
  detail::streambuf_reader source_;
  std::uint64_t taken_;        // bytes of the source before those that source_ has at hand
  bool source_ended_ = false;  // the source has no more bytes
  bool stops_;                 // the policy is on_error::stop
  bool adds_bom_;              // the policy is bom::add
  bool begun_;                 // the encoding is decided, map_ knows it, and the byte order mark has passed
  bool ended_ = false;         // all text is in the buffer
  bool failed_ = false;        // next() has thrown decoder_.failure()
  bool busy_ = false;          // next() is being called
  checkpoint start_;           // the beginning of the first line
  std::size_t limit_;

  std::vector<char> buffer_;
  std::size_t filled_ = 0;  // bytes of text in the buffer
  bool is_even_ = true;     // each of them comes from one code unit of the source, as in ASCII
  source_map map_;          // of them

  // The line.
  std::size_t line_ = 0;               // its place in the buffer
  std::size_t size_ = 0, ending_ = 0;  // bytes of its text, and of its end
  bool is_rest_ = false;               // it is the rest of the text; no line follows
  std::uint64_t number_;
  std::uint64_t errors_ = 0;
  std::uint64_t errors_before_;           // errors in the lines before
  std::uint64_t text_before_;             // bytes of text in the lines before
  source_map::cursor patch_, patch_end_;  // before and after its patches
  // While its end is looked for:
  std::size_t searched_ = 0;    // bytes at its start that do not contain the end
  source_map::cursor reached_;  // after the patches that begin in these bytes
  // The place where the line begins, and the bytes of the source up to its end, if places_found_. Otherwise begin_ is
  // an earlier place, from which on the text is in the buffer. They are found on demand: finding them is as slow as
  // reading.
  mutable source_map::place begin_;
  mutable std::uint64_t end_;
  mutable bool places_found_ = false;
};

}  // namespace utfilter

#endif
