// sequence.hpp: the result of decoding the first character of some bytes: the character, or the error there.
#ifndef UTFILTER_UNICODE_SEQUENCE_HPP
#define UTFILTER_UNICODE_SEQUENCE_HPP

#include <utfilter/error.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter::detail {

/// The sequence at the start of some bytes. All fields have 32 bits, because compilers combine narrower fields through
/// memory, which stalls the processor.
struct sequence {
  enum class kind : std::uint32_t { scalar, ill_formed, incomplete };

  char32_t value;  // the scalar value; if ill-formed, the lone surrogate or 0
  errc code;       // the error, if ill-formed
  kind what;
  std::uint32_t size;  // bytes; 0 if incomplete

  static constexpr sequence scalar(char32_t value, std::size_t size) noexcept {
    return {value, errc{}, kind::scalar, static_cast<std::uint32_t>(size)};
  }
  static constexpr sequence ill_formed(errc code, std::size_t size, char32_t value = 0) noexcept {
    return {value, code, kind::ill_formed, static_cast<std::uint32_t>(size)};
  }
  /// The sequence needs more bytes. If none follow (`last`), all `size` bytes are one error.
  static constexpr sequence incomplete(bool last, std::size_t size, char32_t value = 0) noexcept {
    return last ? ill_formed(errc::incomplete_at_end, size, value) : sequence{0, errc{}, kind::incomplete, 0};
  }
};

}  // namespace utfilter::detail

#endif
