// control_escaper.cpp: passes runs of harmless characters on, and takes the others one at a time.
#include <utfilter/control_escaper.hpp>

#include "unicode/hex.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace utfilter {

using detail::sequence;

namespace {

constexpr bool is_ascii_control(char32_t c) noexcept { return (c < 0x20 && c != U'\t') || c == 0x7F; }

/// The C1 control characters, the separators of lines and paragraphs, and the characters with the property Bidi_Control
/// (Unicode Character Database, PropList.txt).
constexpr bool is_other_control(char32_t c) noexcept {
  return (c >= 0x80 && c <= 0x9F) || c == 0x2028 || c == 0x2029 || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// Does the same as decode_utf8, but takes CR LF as one sequence, a line feed, unless line feeds are escaped. So a
/// carriage return at the end of the input is incomplete until the next byte is there.
sequence decode(const char* in, std::size_t size, bool last, control_escaper::line_feeds l) noexcept {
  if (*in != '\r' || l == control_escaper::line_feeds::escape)
    return detail::decode_utf8(reinterpret_cast<const unsigned char*>(in), size, last);
  if (size == 1 && !last) return sequence::incomplete(false, 1);
  return size > 1 && in[1] == '\n' ? sequence::scalar(U'\n', 2) : sequence::scalar(U'\r', 1);
}

/// Whether the eight bytes are all 20..7E. If all are, neither the difference nor the sum below sets the high bit of a
/// byte or changes the next byte. If not, look at the lowest byte outside of 20..7E. No borrow or carry from a lower
/// byte reaches it, so it sets a high bit: 00..1F and FF in the difference, 7F..FE in the sum.
bool are_printable_ascii(const char* in) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t bytes;
  std::memcpy(&bytes, in, sizeof bytes);
  return (((bytes - 0x20 * ones) | (bytes + ones)) & 0x80 * ones) == 0;
}

}  // namespace

codec_progress control_escaper::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                          bool last) noexcept {
  codec_progress done{0, 0, codec_status::need_input};
  const auto stop = [&](codec_status status) noexcept {
    done.status = status;
    return done;
  };
  while (true) {
    if (carried_ == 0) {
      const std::size_t n = pass_harmless(in + done.consumed, std::min(size - done.consumed, room - done.produced));
      if (n != 0) std::memcpy(out + done.produced, in + done.consumed, n);
      done.consumed += n;
      done.produced += n;
    }

    // The next sequence begins with the carried bytes; bytes of the input follow. Four bytes are always enough to
    // decide. If there are fewer, the input has no more.
    std::array<char, 4> bytes = carry_;
    const std::size_t taken = std::min(size - done.consumed, bytes.size() - carried_);
    const std::size_t known = carried_ + taken;
    if (known == 0) return stop(last ? codec_status::done : codec_status::need_input);
    if (taken != 0) std::memcpy(bytes.data() + carried_, in + done.consumed, taken);
    const sequence next = decode(bytes.data(), known, last, line_feeds_);

    if (next.what == sequence::kind::incomplete) {
      carry_ = bytes;
      carried_ = static_cast<std::uint8_t>(known);
      done.consumed += taken;
      return stop(codec_status::need_input);
    }
    if (next.what == sequence::kind::scalar) {
      char escape[min_output];
      const bool harmless = !is_control(next.value);
      const std::size_t length = harmless ? next.size : encode(next.value, escape);
      if (length > room - done.produced) return stop(codec_status::need_output);
      std::memcpy(out + done.produced, harmless ? bytes.data() : escape, length);
      done.produced += length;
      count(next.value, next.size);
    } else {
      note_error(next.code, bytes.data(), next.size);
    }
    // All carried bytes belong to this sequence, because they were not a whole sequence themselves.
    done.consumed += next.size - carried_;
    carried_ = 0;
    if (next.what == sequence::kind::ill_formed) return stop(codec_status::malformed);
  }
}

/// Counts the whole characters at the start of `in` that are passed on unchanged; returns the number of their bytes.
std::size_t control_escaper::pass_harmless(const char* in, std::size_t size) noexcept {
  std::size_t at = 0;
  while (at < size) {
    if (size - at >= 8 && are_printable_ascii(in + at)) {
      at += 8;
      position_.offset += 8;
      position_.column += 8;
      continue;
    }
    const sequence next = decode(in + at, size - at, false, line_feeds_);
    if (next.what != sequence::kind::scalar || is_control(next.value)) break;
    at += next.size;
    count(next.value, next.size);
  }
  return at;
}

bool control_escaper::is_control(char32_t c) const noexcept {
  if (c == U'\n') return line_feeds_ == line_feeds::escape;
  return is_ascii_control(c) || is_other_control(c);
}

std::size_t control_escaper::encode(char32_t c, char* out) const noexcept {
  if (!is_control(c)) return encode_utf8(c, out);
  char* const end = is_ascii_control(c) ? detail::write_byte_escape(static_cast<unsigned char>(c), out)
                                        : detail::write_code_point_escape(c, out);
  return static_cast<std::size_t>(end - out);
}

}  // namespace utfilter
