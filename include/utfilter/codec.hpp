// codec.hpp: what a codec returns, and the base that spares its author the bookkeeping. The guide to writing one: doc/codecs.md.
#ifndef UTFILTER_CODEC_HPP
#define UTFILTER_CODEC_HPP

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/utf8.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter {

/// Why transform returned.
enum class codec_status {
  need_input,   ///< All input is consumed.
  need_output,  ///< The next character needs more room.
  malformed,    ///< An error was met; error() tells which.
  done,         ///< The text has ended, and all of it is written.
};

/// What one call of transform did.
struct codec_progress {
  std::size_t  consumed;  ///< Bytes of the input taken, those now carried included.
  std::size_t  produced;  ///< Bytes written.
  codec_status status;    ///< Why it returned.
};

/// A place in the input of a codec; see error_info for the meaning of each count.
struct text_position {
  std::uint64_t offset      = 0;  ///< Bytes before it.
  std::uint64_t line        = 1;  ///< 1 + line feeds before it.
  std::uint64_t column      = 1;  ///< 1 + scalar values since the last of these.
  std::uint64_t line_offset = 0;  ///< Bytes before that line.
};

/// Base of a codec: its position, its error, and defaults. A codec that knows better declares a member of the same name.
///
/// The guide to writing one, with an example, is doc/codecs.md. Throws nothing. Complexity: each member takes constant time. Thread
/// safety: that of a value.
class codec_base {
 public:
  /// The last error; see the guide.
  const error_info& error() const noexcept { return error_; }
  /// Behind all that was decoded or reported.
  text_position     position() const noexcept { return position_; }

  /// The target is UTF-8.
  std::size_t encode(char32_t c, char* out) const noexcept { return encode_utf8(c, out); }

  /// Whether well-formed input is its own output, a signature aside. on_error::keep is for such codecs only.
  bool identity() const noexcept { return false; }

  /// Whether, from here on, well-formed input is its own output in place. Then transform may be called with
  /// `in == out + pending()`; it writes nothing to bytes that are their own output, and with `in == out` nothing at all
  /// before the status is malformed. The filter checks the caller's buffer in place instead of copying it.
  bool in_place() const noexcept { return false; }

  /// A short way for text without errors, where it is its own output in place: takes whole well-formed characters from the start of
  /// `in`, copies them to `out`, which has room for `size` bytes and may be `in` itself, and returns their bytes; 0 where it cannot
  /// say. transform gets the rest.
  std::size_t pass(const char* /*in*/, std::size_t /*size*/, char* /*out*/) noexcept { return 0; }

  /// Bytes consumed and carried, neither written nor reported as an error yet.
  std::size_t pending() const noexcept { return 0; }

  /// Whether ill-formed subsequences are of UTF-8; on_error::windows1252 reads their bytes. Where identity() holds too, repairs are
  /// copied to the output without encode().
  bool reads_utf8() const noexcept { return false; }

  /// What stream_report::encoding is to say; encoding::detect where none of ours fits.
  encoding text_encoding() const noexcept { return encoding::detect; }

  /// Whether the input began with a signature, for stream_report::bom.
  bool signature() const noexcept { return false; }

  /// Whether the codec follows params::bom, given to its constructor. For others bom must stay automatic.
  static constexpr bool handles_bom = false;

 protected:
  /// Notes one decoded character of `size` bytes of input.
  void count(char32_t c, std::size_t size) noexcept {
    position_.offset += size;
    if (c == U'\n') {
      ++position_.line;
      position_.column      = 1;
      position_.line_offset = position_.offset;
    } else {
      ++position_.column;
    }
  }

  /// Notes an ill-formed subsequence of `size` bytes (1 to 6) at the present position and steps over it.
  void note_error(errc code, const void* bytes, std::size_t size, char32_t code_point = 0) noexcept {
    set_error(code, bytes, size, code_point);
    position_.offset += size;
    ++position_.column;
  }

  /// Notes an error of `size` bytes (0 to 6) at the present position, which stays.
  void set_error(errc code, const void* bytes, std::size_t size, char32_t code_point = 0) noexcept {
    // One by one: loaded as pairs they would wait for the stores of single ones that have just been made.
    const auto single = [](std::uint64_t n) noexcept {
#ifdef __GNUC__
      asm("" : "+r"(n));
#endif
      return n;
    };
    error_.code        = code;
    error_.offset      = single(position_.offset);
    error_.line        = single(position_.line);
    error_.column      = single(position_.column);
    error_.line_offset = single(position_.line_offset);
    error_.size        = static_cast<std::uint8_t>(size);
    error_.code_point  = code_point;
    error_.bytes       = {};
    const auto* const from = static_cast<const unsigned char*>(bytes);
    const std::size_t end  = size < error_.bytes.size() ? size : error_.bytes.size();
    // Not unrolled: else g++ 14 would warn of six bytes read from a codec's array of four.
#ifdef __GNUC__
#pragma GCC unroll 1
#endif
    for (std::size_t i = 0; i < end; ++i) error_.bytes[i] = from[i];
  }

  text_position position_;  ///< Moved by count() and note_error().
  error_info    error_;     ///< Set by note_error() and set_error().
};

}  // namespace utfilter

#endif
