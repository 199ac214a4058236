// codec.hpp: what a codec returns, and the base that spares its author the bookkeeping. The guide to writing one:
// doc/codecs.md.
#ifndef UTFILTER_CODEC_HPP
#define UTFILTER_CODEC_HPP

#include <utfilter/config.hpp>
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
  std::size_t consumed;  ///< Bytes of the input taken, those now carried included.
  std::size_t produced;  ///< Bytes written.
  codec_status status;   ///< Why it returned.
};

/// A place in the input of a codec; see error_info for the meaning of each count.
struct text_position {
  std::uint64_t offset = 0;       ///< Bytes before it.
  std::uint64_t line = 1;         ///< 1 + line feeds before it.
  std::uint64_t column = 1;       ///< 1 + scalar values since the last of these.
  std::uint64_t line_offset = 0;  ///< Bytes before that line.
};

/// What a codec knows of its text as a whole.
struct text_facts {
  /// As declared, then as decided, for stream_report::encoding; detect where none of ours fits.
  utfilter::encoding encoding = encoding::detect;
  /// The input began with a signature, for stream_report::bom.
  bool signature = false;
  /// Ill-formed subsequences are of UTF-8: on_error::windows1252 reads their bytes.
  bool reads_utf8 = false;
};

/// Base of a codec: its position, its error, what it knows of the text, and UTF-8 as its target.
///
/// The guide to codecs, doc/codecs.md, has examples. A codec has a member
///
///     codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;
///
/// and `static constexpr std::size_t min_output`. One whose target is not UTF-8 declares its own encode(). One whose
/// well-formed text is its own output may declare a check, which spares the adaptors a copy:
///
///     std::optional<std::size_t> check(const char* in, std::size_t size) noexcept;
///
/// check passes whole well-formed characters from the start of `in`, moves the position over them and returns their
/// bytes: fewer than `size` before an error, a character that the end of `in` cuts, and where transform must be called
/// first. It writes nothing. It returns nothing at all while the codec changes well-formed text. on_error::keep is for
/// codecs that check.
///
/// Throws nothing. Complexity: each member takes constant time. Thread safety: that of a value.
class codec_base {
 public:
  /// The last error; see the guide.
  const error_info& error() const noexcept { return error_; }
  /// After all that was decoded or reported as ill-formed, before what is carried.
  text_position position() const noexcept { return position_; }
  /// What is known of the text so far.
  const text_facts& facts() const noexcept { return facts_; }

  /// Writes one scalar value in the target encoding, here UTF-8; returns its bytes, 0 where the target lacks it.
  std::size_t encode(char32_t c, char* out) const noexcept { return encode_utf8(c, out); }

 protected:
  /// Notes one decoded character of `size` bytes of input.
  void count(char32_t c, std::size_t size) noexcept {
    position_.offset += size;
    if (c == U'\n') {
      ++position_.line;
      position_.column = 1;
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
  UTFILTER_API void set_error(errc code, const void* bytes, std::size_t size, char32_t code_point = 0) noexcept;

  text_position position_;  ///< Moved by count() and note_error().
  error_info error_;        ///< Set by note_error() and set_error().
  text_facts facts_;        ///< Set by the codec.
};

}  // namespace utfilter

#endif
