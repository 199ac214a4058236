// output.hpp: encodes the text of utfcat and writes it in big pieces, to standard output or to a file that is replaced
// as a whole.
#ifndef UTFCAT_OUTPUT_HPP
#define UTFCAT_OUTPUT_HPP

#include "copy_check.hpp"
#include "options.hpp"
#include "same_content.hpp"
#include "system.hpp"
#include "text_encoder.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <boost/iostreams/categories.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <ios>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace utfcat {

/// A sink of Boost.Iostreams that calls write(2). If that fails, the sink throws output_failure with the system's
/// reason. A stream would only set badbit.
class fd_sink {
 public:
  using char_type = char;
  struct category : boost::iostreams::sink_tag, boost::iostreams::flushable_tag {};

  /// Without a destination (null) nothing is written.
  explicit fd_sink(const destination* to) noexcept : to_(to) {}

  std::streamsize write(const char* s, std::streamsize n);
  bool flush();

  std::uint64_t written() const noexcept { return written_; }

  /// Compares all bytes with those of a file, too.
  void compare_with(comparison& file) noexcept { compared_ = &file; }
  /// Tells the check all bytes, too.
  void check_by(copy_check& check) noexcept { check_ = &check; }

 private:
  void write_now(const char*, std::size_t size) const;

  const destination* to_;
  comparison* compared_ = nullptr;
  copy_check* check_ = nullptr;
  std::vector<char> buffer_;
  std::uint64_t written_ = 0;  // in bytes, including those in the buffer
};

/// How to encode text that is not the beginning of the output.
struct output_coding {
  utfilter::encoding to;
  utfilter::params params;
};

/// A piece of text in the encoding of the output.
struct encoded_text {
  std::string_view bytes;
  const std::vector<utfilter::error_info>* lacking;  // characters that the encoding lacks; offsets are in the piece
  std::uint64_t errors;                              // the number of these characters, also if they are not told
  std::exception_ptr failure;                        // the error that ends the text; null if there is none
};

/// Takes the text of all files as UTF-8, encodes it and writes it. Its functions throw output_failure, and utf_error
/// for a character that the encoding lacks.
class output {
 public:
  /// `to` is null for a check. Throws std::invalid_argument if the options do not fit together.
  output(const options&, const destination* to, std::function<void(const utfilter::error_info&)> observer);

  /// Writes text, in whole characters. When the function returns, the text has left the process. `encoded` is the same
  /// text, encoded as coding() says, or null.
  void write(std::string_view text, const encoded_text* encoded = nullptr);

  /// Empty if the output is UTF-8, and if pieces of it cannot be encoded one by one.
  std::optional<output_coding> coding() const;

  /// Begins a new text: that of the next file of a check.
  void begin();
  /// With --to same: begins the text when the options name its encoding. What comes is a character of the text, also if
  /// it is U+FEFF; the byte order mark, if the output has one, is written before it.
  void begin_same(bool has_bom);

  /// Compares all bytes with those of a file, which must live as long as this object.
  void compare_with(comparison& file) noexcept { sink_.compare_with(file); }
  /// Tells the check all bytes, which must live as long as this object.
  void check_by(copy_check& check) noexcept { sink_.check_by(check); }

  /// Call this after an error that ends one file's text. The function writes the text before the error. Then the next
  /// file's text can follow.
  void recover();

  /// Call this after the last text.
  void finish();

  /// Whether text has been written, or the text is not the beginning of a file.
  bool begun() const noexcept { return begun_; }
  /// Bytes of UTF-8 that were encoded here since the last begin() or recover().
  std::uint64_t bytes_taken() const noexcept { return taken_; }
  std::uint64_t bytes_written() const noexcept { return sink_.written(); }
  std::uint64_t errors() const { return encoder_ ? past_errors_ + encoder_->report().errors : 0; }

 private:
  utfilter::params encoder_params(utfilter::bom) const;
  std::unique_ptr<text_encoder> encoder_for(utfilter::bom) const;
  void write_encoded(const encoded_text&);
  void write_bom();
  void begin(utfilter::bom, bool owes_bom);

  const options& options_;
  std::function<void(const utfilter::error_info&)> observer_;
  fd_sink sink_;
  std::unique_ptr<text_encoder> encoder_;  // null if the output is UTF-8
  std::string_view due_;                   // a byte order mark in UTF-8, until it is written
  bool begun_ = false;
  std::uint64_t taken_ = 0;
  std::uint64_t past_errors_ = 0;  // the errors of other encoders
};

}  // namespace utfcat

#endif
