// codec.hpp: what a codec is, and the base that spares its author the bookkeeping. The guide to writing one.
#ifndef UTFILTER_CODEC_HPP
#define UTFILTER_CODEC_HPP

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <cstddef>
#include <cstdint>

// Writing a codec
// ===============
//
// A codec turns bytes into bytes, incrementally. It does no I/O, allocates nothing, throws nothing, is trivially copyable
// (its copy is a snapshot of its state) and knows neither streams nor policies: codec_filter<Codec> gives it both, and
// with them the promises that every filter of this library keeps. It has these members:
//
//     static constexpr std::size_t min_output;
//         Bytes. With this much room every call makes progress, and it holds any character of the target, also those that only
//         a replacement brings: at least 4 where the target is UTF-8.
//
//     codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept;
//         Decodes from `in`, encodes to `out`, and says why it stopped. `last` says that no input follows. `size` and `room` may
//         be anything, 0 included (`in` may be null then), and `room` less than min_output.
//
//     const error_info& error() const noexcept;
//         After `malformed`, and until the next: the error. Its bytes are consumed (now, or earlier where they were carried), and nothing is
//         written for them: what becomes of them is the filter's affair. The next call continues behind them.
//
//     text_position position() const noexcept;
//         Where the codec stands in its input: behind all that it has decoded or reported as ill-formed, before what it
//         carries. So `malformed` always moves its offset.
//
//     std::size_t encode(char32_t c, char* out) const noexcept;
//         Writes one scalar value, at most min_output bytes, as the codec's target encodes it; returns the bytes written, 0
//         where the target lacks it. Replacements and escapes are written with it. It does not touch the state. The one of
//         codec_base writes UTF-8; another target declares its own (nothing here is virtual).
//
// The rules of transform, which are what makes streaming simple:
//
//  1. Take all input, unless the output is full or an error was met. A partial sequence at the end of the input is consumed
//     and carried in the codec (a few bytes), never left for the caller to present again.
//  2. Whether a sequence is complete, ill-formed or to be carried depends on its bytes and on `last` alone, never on how
//     they were cut into calls. Carry the raw bytes and decide anew with each byte that arrives: then chunking is
//     invisible without further thought.
//  3. Write whole characters only. One that does not fit stays unconsumed, or carried, and the status is need_output.
//  4. With `last`, never ask for more: what is still carried is an error (errc::incomplete_at_end).
//  5. An empty call (no input, not last) changes nothing, unless the call before it ended with need_output or malformed.
//  6. Both counts are told in every case. After an error nothing behind it has been produced. The room behind
//     what is produced may hold anything.
//  7. Where a byte shows that those before it are ill-formed, it is not part of the error: it is looked at again. If all of the
//     error was carried, `malformed` comes with nothing consumed.
//
// The statuses:
//
//     need_input    all input is consumed; more may follow (never with `last`)
//     need_output   the next character needs more room
//     malformed     error() tells; call again to continue behind it
//     done          the text has ended: with `last` when all is consumed and written; without it if the codec itself
//                   found an end. The filter then ends the stream (reading) or ignores the rest (writing), and calls no more.
//
// Derive from codec_base, which holds the position and the error, and the defaults of what few codecs need. Its count() and
// note_error() are what moves the position: call one of them for each character, well-formed or not. A character that the
// target lacks is errc::unmappable, with the character as code_point, so that on_error::escape can name it; a lone surrogate
// is passed there, too (a high one at the end of the input counts two bytes of the error, or three that begin with ED: what is
// behind it is escaped as bytes). A byte encoding then is this, complete but for its table (test/foreign_codec_test.cpp has a
// whole one, both ways; examples/shift_jis.cpp carries bytes):
//
//     class koi8_to_utf8 : public utfilter::codec_base {
//      public:
//       static constexpr std::size_t min_output = 4;
//
//       utfilter::codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
//         utfilter::codec_progress done{0, 0, utfilter::codec_status::need_input};
//         for (; done.consumed < size; ++done.consumed) {
//           const auto     byte = static_cast<unsigned char>(in[done.consumed]);
//           const char32_t c    = byte < 0x80 ? byte : table[byte - 0x80];  // 0 where there is none
//           if (byte >= 0x80 && c == 0) {
//             note_error(utfilter::errc::unused_byte, &byte, 1);
//             return ++done.consumed, done.status = utfilter::codec_status::malformed, done;
//           }
//           if (room - done.produced < min_output) return done.status = utfilter::codec_status::need_output, done;
//           done.produced += encode(c, out + done.produced);
//           count(c, 1);
//         }
//         if (last) done.status = utfilter::codec_status::done;
//         return done;
//       }
//     };
//
//     in.push(utfilter::codec_filter<koi8_to_utf8>(koi8_to_utf8(), utfilter::on_error::replace));

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
  codec_status status;
};

/// A place in the input of a codec; see error_info for the meaning of each count.
struct text_position {
  std::uint64_t offset      = 0;  ///< Bytes before it.
  std::uint64_t line        = 1;
  std::uint64_t column      = 1;
  std::uint64_t line_offset = 0;
};

/// Writes a scalar value as UTF-8 (RFC 3629 section 3): 1 to 4 bytes, which are returned as a count.
/// Precondition: `c` is at most 10FFFF. That it is no surrogate is for the caller to see to.
inline std::size_t encode_utf8(char32_t c, char* out) noexcept {
  const auto unit = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) {
    out[0] = unit(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = unit(0xC0 | c >> 6);
    out[1] = unit(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = unit(0xE0 | c >> 12);
    out[1] = unit(0x80 | (c >> 6 & 0x3F));
    out[2] = unit(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = unit(0xF0 | c >> 18);
  out[1] = unit(0x80 | (c >> 12 & 0x3F));
  out[2] = unit(0x80 | (c >> 6 & 0x3F));
  out[3] = unit(0x80 | (c & 0x3F));
  return 4;
}

/// Base of a codec: its position, its error, and defaults. A codec that knows better declares a member of the same name.
class codec_base {
 public:
  const error_info& error() const noexcept { return error_; }
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
    for (std::size_t i = 0; i < size; ++i) error_.bytes[i] = static_cast<const unsigned char*>(bytes)[i];
  }

  text_position position_;
  error_info    error_;
};

}  // namespace utfilter

#endif
