// byte_order.hpp: reads and writes code units of two and four bytes in a byte order, at any address.
#ifndef UTFILTER_UNICODE_BYTE_ORDER_HPP
#define UTFILTER_UNICODE_BYTE_ORDER_HPP

#include <cstddef>

namespace utfilter::detail {

constexpr unsigned byte_at(const char* in, std::size_t i) noexcept { return static_cast<unsigned char>(in[i]); }
constexpr unsigned byte_at(const unsigned char* in, std::size_t i) noexcept { return in[i]; }
constexpr char to_char(char32_t bits) noexcept { return static_cast<char>(static_cast<unsigned char>(bits & 0xFF)); }

/// @{
/// Writes one byte, or two, and returns their number.
constexpr std::size_t put_byte(char32_t byte, char* out) noexcept {
  out[0] = to_char(byte);
  return 1;
}
constexpr std::size_t put_two_bytes(char32_t first, char32_t second, char* out) noexcept {
  out[0] = to_char(first);
  out[1] = to_char(second);
  return 2;
}
/// @}

struct little_endian {
  template <class Byte>
  static constexpr char32_t load16(const Byte* in) noexcept {
    return byte_at(in, 0) | byte_at(in, 1) << 8;
  }
  template <class Byte>
  static constexpr char32_t load32(const Byte* in) noexcept {
    return byte_at(in, 0) | byte_at(in, 1) << 8 | byte_at(in, 2) << 16 | byte_at(in, 3) << 24;
  }
  static constexpr void store16(char32_t unit, char* out) noexcept {
    out[0] = to_char(unit);
    out[1] = to_char(unit >> 8);
  }
  static constexpr void store32(char32_t unit, char* out) noexcept {
    store16(unit, out);
    store16(unit >> 16, out + 2);
  }
};

struct big_endian {
  template <class Byte>
  static constexpr char32_t load16(const Byte* in) noexcept {
    return byte_at(in, 0) << 8 | byte_at(in, 1);
  }
  template <class Byte>
  static constexpr char32_t load32(const Byte* in) noexcept {
    return byte_at(in, 0) << 24 | byte_at(in, 1) << 16 | byte_at(in, 2) << 8 | byte_at(in, 3);
  }
  static constexpr void store16(char32_t unit, char* out) noexcept {
    out[0] = to_char(unit >> 8);
    out[1] = to_char(unit);
  }
  static constexpr void store32(char32_t unit, char* out) noexcept {
    store16(unit >> 16, out);
    store16(unit, out + 2);
  }
};

/// The code unit of 16 bits at this address.
constexpr char32_t unit_at(bool big, const char* in) noexcept {
  return big ? big_endian::load16(in) : little_endian::load16(in);
}

}  // namespace utfilter::detail

#endif
