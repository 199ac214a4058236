// newline_converter.hpp: the codec of convert_newlines. Its UTF-8 output has one kind of line end.
// layer: codecs
#ifndef UTFILTER_NEWLINE_CONVERTER_HPP
#define UTFILTER_NEWLINE_CONVERTER_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/text_codec.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter {

/// The kinds of line end that text files have.
enum class newline : std::uint8_t {
  lf,    ///< U+000A, of Unix.
  crlf,  ///< U+000D U+000A, of Windows, and of the protocols of the Internet (RFC 5198 section 2).
  cr,    ///< U+000D, of Mac OS before 2001.
};

/// Gives all line ends of a text in UTF-8 the same kind: LF, CR LF and a lone CR become the kind that was named. All
/// other characters pass. So do U+0085, U+2028 and U+2029, because text files do not end lines with them.
///
/// Nothing waits: a carriage return is written as the new line end at once, and a line feed that follows it later is left
/// out. Ill-formed UTF-8 is reported as transcoder reports it, and repairs are part of the text: their line ends become the
/// same kind. `facts().changes`, and stream_report::changes, count the line ends that were of another kind. The places of
/// errors are those of the input, in which only line feeds end a line.
///
/// ```cpp
/// utfilter::newline_converter codec(utfilter::newline::crlf);
/// char       out[64];
/// const auto done = codec.transform("a\nb\r\nc\r", 7, out, sizeof out, true);
/// assert(std::string_view(out, done.produced) == "a\r\nb\r\nc\r\n" && codec.facts().changes == 2);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class newline_converter : public detail::text_codec {
 public:
  /// Throws nothing. Complexity: constant.
  explicit newline_converter(newline to = newline::lf) noexcept : text_codec(rewriter<newline_converter>()), to_(to) {}

 private:
  friend class detail::text_codec;

  UTFILTER_API codec_progress rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept;

  newline to_;
  bool after_return_ = false;  // the text ends with a carriage return so far, which has been written as a line end
};

namespace detail {
template <>
inline constexpr bool has_repairs<newline_converter> = true;
}

}  // namespace utfilter

#endif
