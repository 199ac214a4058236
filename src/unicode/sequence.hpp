// sequence.hpp: the result of decoding the first sequence of some bytes: a character, an escape sequence, or the error
// there.
#ifndef UTFILTER_UNICODE_SEQUENCE_HPP
#define UTFILTER_UNICODE_SEQUENCE_HPP

#include <utfilter/error.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

/// The sequence at the start of some bytes. All fields have 32 bits, because compilers combine narrower fields through
/// memory, which stalls the processor. Four of them fit into two registers.
struct sequence {
  /// A shift is an escape sequence: it is no character, but changes the meaning of the bytes after it.
  enum class kind : std::uint32_t { scalar, ill_formed, incomplete, shift };

  char32_t value;  // the scalar value; if ill-formed, the lone surrogate or 0
  errc code;       // the error, if ill-formed; otherwise see second()
  kind what;
  std::uint32_t size;  // bytes; 0 if incomplete

  static constexpr sequence scalar(char32_t value, std::size_t size) noexcept {
    return {value, errc{}, kind::scalar, static_cast<std::uint32_t>(size)};
  }
  /// A sequence of two characters. Big5 has four.
  static constexpr sequence pair(char32_t first, char32_t second, std::size_t size) noexcept {
    return {first, static_cast<errc>(second), kind::scalar, static_cast<std::uint32_t>(size)};
  }
  static constexpr sequence shift(std::size_t size) noexcept {
    return {0, errc{}, kind::shift, static_cast<std::uint32_t>(size)};
  }
  static constexpr sequence ill_formed(errc code, std::size_t size, char32_t value = 0) noexcept {
    return {value, code, kind::ill_formed, static_cast<std::uint32_t>(size)};
  }
  /// The sequence needs more bytes. If none follow (`last`), all `size` bytes are one error.
  static constexpr sequence incomplete(bool last, std::size_t size, char32_t value = 0) noexcept {
    return last ? ill_formed(errc::incomplete_at_end, size, value) : sequence{0, errc{}, kind::incomplete, 0};
  }

  /// The character after `value`; 0 if there is none. Only for a scalar.
  constexpr char32_t second() const noexcept { return static_cast<char32_t>(code); }
  /// The columns of the sequence: a shift has none, an error has one.
  constexpr std::size_t characters() const noexcept {
    return what == kind::shift ? 0 : 1 + static_cast<std::size_t>(what == kind::scalar && second() != 0);
  }
};

/// Writes the characters of a sequence, which is a scalar: `encode` writes one, and returns its size, or 0 if the target
/// lacks it. Returns the number of bytes written, or 0.
template <class Encode>
std::size_t encode_all(const sequence& from, const Encode& encode, char* out) noexcept {
  const std::size_t size = encode(from.value, out);
  if (from.second() == 0 || size == 0) return size;
  const std::size_t more = encode(from.second(), out + size);
  return more != 0 ? size + more : 0;
}

}  // namespace utfilter::detail

#endif
