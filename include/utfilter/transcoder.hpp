// transcoder.hpp: the codec of this library's own filters: every encoding to UTF-8 and back, with the byte order mark.
// layer: codecs
#ifndef UTFILTER_TRANSCODER_HPP
#define UTFILTER_TRANSCODER_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/codec_with_bom.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/repair.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace utfilter {

namespace detail {
struct encoding_scheme;
struct run;
class unit_converter;
}

/// Decodes one encoding and encodes another; at least one of the two is UTF-8. It looks for the byte order mark first.
///
/// A text has two phases. In the first, the transcoder withholds bytes that may be a byte order mark, until the
/// earliest byte that decides whether they are. Then it drops, keeps or adds the byte order mark, and decodes the
/// withheld bytes like any other text. In the second phase it completes a carried sequence byte by byte, and passes the
/// middle of the buffer to a kernel, which converts it in bulk.
///
/// Output, errors, positions and counts depend on the whole input alone, not on how it was cut into pieces.
///
/// ```cpp
/// auto codec = utfilter::transcoder::decoding(utfilter::encoding::utf16le, utfilter::bom::keep);
/// char       out[64];
/// const auto done = codec.transform("A\0\xAC", 3, out, sizeof out, false);  // "A"; AC is carried
/// assert(done.consumed == 3 && done.produced == 1 && codec.position().offset == 2);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class transcoder : public detail::codec_with_bom {
 public:
  /// In bytes. The longest character has six: a supplementary character in CESU-8.
  static constexpr std::size_t min_output = 6;

  /// Checks UTF-8; the output is the same UTF-8.
  static transcoder validating(bom b) noexcept { return decoding_unicode(encoding::utf8, b); }
  /// Decodes `from` to UTF-8. `fallback` is the encoding that encoding::detect assumes without a byte order mark.
  static transcoder decoding(encoding from, bom b, encoding fallback = encoding::utf8) noexcept {
    return detail::is_unicode(from) ? decoding_unicode(from, b) : decoding_any(from, b, fallback);
  }
  /// Decodes `from` to UTF-8. The input begins at the checkpoint of a text. If that is the start of the text, it looks
  /// for a byte order mark; without one, encoding::detect, utf16 and utf32 assume the encoding of the checkpoint.
  static transcoder decoding(encoding from, bom b, const checkpoint& start) noexcept {
    return detail::is_unicode(from) ? decoding_unicode(from, b, start) : decoding_any(from, b, start);
  }
  /// Decodes `from` to UTF-8, with these members of the params: bom, fallback, start, guess_bytes, legacy,
  /// guess_legacy. At the start of the text encoding::guess guesses, even if params::start is a checkpoint there. While
  /// it guesses, transform takes no input until it gets lookahead() bytes at once, or fewer with `last`; conversion
  /// collects them.
  static transcoder decoding(encoding from, const params& p) noexcept {
    return detail::is_unicode(from) ? decoding_unicode(from, p) : decoding_any(from, p);
  }
  /// The same for UTF-8, UTF-16 and UTF-32 alone. A program that calls only this and validating() lacks the tables of
  /// other encodings, even if only the run decides about `from`: it is smaller by half.
  UTFILTER_API static transcoder decoding_unicode(encoding from, const params&) noexcept;
  /// Encodes UTF-8 as `to`.
  static transcoder encoding_to(encoding to, bom b) noexcept {
    return detail::is_unicode(to) ? encoding_to_unicode(to, b) : encoding_to_any(to, b);
  }

  /// @{
  /// Returns the reason why a combination makes no sense, as a sentence for people; null if it makes sense. Call the
  /// factory functions above only with combinations that make sense; they do not check.
  UTFILTER_API static const char* why_not_decoding(encoding from, bom, encoding fallback) noexcept;
  static const char* why_not_decoding(encoding from, const params& p) noexcept {
    return detail::is_unicode(from) ? why_not_decoding_unicode(from, p) : why_not_decoding_any(from, p);
  }
  UTFILTER_API static const char* why_not_decoding_unicode(encoding from, const params&) noexcept;
  UTFILTER_API static const char* why_not_encoding(encoding to, bom) noexcept;
  /// @}

  /// Converts one piece; doc/codecs.md has the rules. Linear in size + room.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// Writes one scalar value in the target encoding. Returns the number of bytes, or 0 if the target lacks the
  /// character.
  UTFILTER_API std::size_t encode(char32_t c, char* out) const noexcept;

  /// Whether the target encoding has states, so that repairs must go through insert().
  bool inserts() const noexcept { return writes_states_; }
  /// Writes text that is not of the input, in whole characters; ? for a character that the target lacks. With `last` it
  /// also ends the text, as transform does: ISO-2022-JP then returns to ASCII. For conversion.
  UTFILTER_API codec_progress insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;

  /// See codec_base. It is true if both encodings are UTF-8.
  bool in_place() const noexcept { return source_ == target_; }
  /// See codec_base. Precondition: in_place(). Linear in size.
  std::size_t check(const char* in, std::size_t size) noexcept {
    return carried_ == 0 && size != 0 ? check_text(in, size) : 0;
  }
  /// As check, and copies the bytes that it accepts to `out`. It may write `size` bytes there. For conversion, which calls
  /// it in the middle of a text, while no bytes are carried, and with at least one byte.
  UTFILTER_API std::size_t copy(const char* in, std::size_t size, char* out) noexcept;

  /// The place of position(), without the counts of output and errors. For conversion.
  UTFILTER_API checkpoint here() const noexcept;
  /// Goes to a place after the start of the text. `last` is the last error before it. `known` and `state` are the
  /// results of facts() and state() there, if the text has been read before. For conversion, which calls it only if
  /// nothing has been read.
  UTFILTER_API void go_to(const checkpoint& place, const error_info& last = {}, const text_facts* known = nullptr,
                          const detail::encoding_scheme* state = nullptr) noexcept;
  /// The state of the text that is read. Null until its encoding is decided. Constant. For conversion.
  const detail::encoding_scheme* state() const noexcept { return source_; }

  /// Converts one piece as transform does, and repairs its errors. The status is malformed if the repairer has not
  /// repaired the last error. For conversion.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                        repairer&) noexcept;

 private:
  friend struct codec_state;  // the tests enumerate the states
  friend class line_sorter;   // goes back to the beginning of a line
  friend class detail::unit_converter;

  UTFILTER_API static transcoder decoding_unicode(encoding from, bom) noexcept;
  UTFILTER_API static transcoder decoding_unicode(encoding from, bom, const checkpoint& start) noexcept;
  UTFILTER_API static transcoder encoding_to_unicode(encoding to, bom) noexcept;
  // These need the tables of all encodings. The public functions choose, so that a compiler that knows the encoding
  // leaves the tables out.
  UTFILTER_API static transcoder decoding_any(encoding from, bom, encoding fallback) noexcept;
  UTFILTER_API static transcoder decoding_any(encoding from, bom, const checkpoint& start) noexcept;
  UTFILTER_API static transcoder decoding_any(encoding from, const params&) noexcept;
  UTFILTER_API static transcoder encoding_to_any(encoding to, bom) noexcept;
  UTFILTER_API static const char* why_not_decoding_any(encoding from, const params&) noexcept;

  static const char* why_not_decoding(encoding from, encoding fallback) noexcept;
  static const char* why_not_starting(encoding from, const params&) noexcept;
  static transcoder begun(transcoder, const checkpoint& start, const detail::encoding_scheme* row) noexcept;
  static transcoder writing(const detail::encoding_scheme* target, bom) noexcept;

  transcoder(const detail::encoding_scheme* source, const detail::encoding_scheme* target, encoding named,
             const detail::bom_plan&) noexcept;

  UTFILTER_API std::size_t check_text(const char* in, std::size_t size) noexcept;
  template <bool Copy>
  bool pass_line(const char* in, std::size_t size, char* out) noexcept;
  std::size_t check_long(const char* in, std::size_t size) noexcept;
  std::size_t copy_long(const char* in, std::size_t size, char* out) noexcept;
  void read(const detail::encoding_scheme* source) noexcept;
  bool begins_whole(const char* in, std::size_t size) const noexcept;
  codec_status pass(detail::cursor&, bool last) noexcept;
  codec_status pass(detail::cursor&, bool last, repairer&) noexcept;
  std::optional<codec_status> begin_text(detail::cursor&, bool last) noexcept;
  std::optional<codec_status> begin_bom(detail::cursor&, bool last) noexcept;
  std::optional<codec_status> tell_no_text() noexcept;
  std::optional<codec_status> write_bom(detail::cursor&) noexcept;
  std::optional<codec_status> finish_carried(detail::cursor&, bool last) noexcept;
  template <bool HasStates>
  codec_status pass_text(detail::cursor&, bool last) noexcept;
  detail::run convert_text(const detail::cursor&) const noexcept;
  bool repair_near(detail::cursor&, repairer&, std::size_t few) noexcept;
  void repair_adjoining(detail::cursor&, repairer&) noexcept;
  void advance(const char* bytes, const detail::run& passed) noexcept;
  void note_states(const char* in, std::size_t consumed, const char* out, std::size_t produced) noexcept;
  void pass_shift(const char* bytes, std::size_t size) noexcept;
  bool write_escape(std::string_view escape, detail::cursor&) noexcept;

  bool writes_states_;                               // the target has states
  bool has_states_ = false;                          // one of the two has
  bool after_error_ = false;                         // whether the last call stopped at an error
  bool errors_adjoin_ = false;                       // whether that call met the error before any text
  const detail::encoding_scheme* source_ = nullptr;  // null until the encoding is detected
  const detail::encoding_scheme* target_;
};

namespace detail {
template <>
inline constexpr bool has_repairs<transcoder> = true;
template <>
inline constexpr bool has_copy<transcoder> = true;
}

}  // namespace utfilter

#endif
