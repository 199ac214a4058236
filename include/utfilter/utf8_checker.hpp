// utf8_checker.hpp: checks UTF-8 that comes in pieces, such as the frames of a message, without streams.
// layer: codecs
#ifndef UTFILTER_UTF8_CHECKER_HPP
#define UTFILTER_UTF8_CHECKER_HPP

#include <utfilter/config.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace utfilter {

/// Checks UTF-8 that comes in pieces, such as the frames of a WebSocket message (RFC 6455 section 8.1). It copies
/// nothing and allocates nothing. A piece may end inside a character.
///
/// ```cpp
/// utfilter::utf8_checker text;
/// assert(text.take("caf\xC3") && !text.is_whole());  // a character is unfinished
/// assert(text.take("\xA9") && text.is_whole());
/// assert(!text.take("au lait\xFF!") && text.offset() == 12);
/// ```
///
/// The rules are those of RFC 3629 section 4 and Unicode table 3-7. Complexity: linear in the bytes taken. Thread
/// safety: that of a plain value, such as an int; a copy goes on from the same place.
class utf8_checker {
 public:
  /// Takes the next bytes of the text. Returns false if one of them is impossible: no text that begins like this is
  /// well-formed. Then each further call returns false, until reset(). `size` may be 0, and then `in` may be null.
  bool take(const char* in, std::size_t size) noexcept {
    if (state_ != 0 || !is_short_ascii(in, size)) return take_text(in, size);
    offset_ += size;
    return true;
  }
  /// The same for a string view.
  bool take(std::string_view piece) noexcept { return take(piece.data(), piece.size()); }

  /// Whether the text may end here: no byte was impossible, and no character is unfinished.
  bool is_whole() const noexcept { return state_ == 0; }

  /// The number of bytes taken; after an impossible byte, the number of bytes before it.
  std::uint64_t offset() const noexcept { return offset_; }

  /// Begins a new text.
  void reset() noexcept { *this = utf8_checker(); }

 private:
  /// Whether all bytes are ASCII. Also returns false for long pieces, which a kernel passes faster.
  static bool is_short_ascii(const char* in, std::size_t size) noexcept {
    constexpr std::size_t some = 64;
    if (size > 1024) return false;
    for (; size > some; in += some, size -= some)
      if (!are_ascii(in, some)) return false;
    return are_ascii(in, size);
  }
  /// The same for up to 64 bytes, without a branch for each word of eight. The last word may overlap the one before it.
  static bool are_ascii(const char* in, std::size_t size) noexcept {
    std::uint64_t any = 0, word = 0;
    if (size < sizeof word) {
      for (std::size_t i = 0; i < size; ++i) any |= static_cast<unsigned char>(in[i]);
      return any < 0x80;
    }
    for (std::size_t i = 0; i + sizeof word < size; i += sizeof word) {
      std::memcpy(&word, in + i, sizeof word);
      any |= word;
    }
    std::memcpy(&word, in + size - sizeof word, sizeof word);
    return ((any | word) & 0x8080808080808080) == 0;
  }
  UTFILTER_API bool take_text(const char* in, std::size_t size) noexcept;

  std::uint64_t offset_ = 0;
  std::uint8_t state_ = 0;  // of the automaton for UTF-8; 0 is between two characters
};

}  // namespace utfilter

#endif
