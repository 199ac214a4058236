// code_units.hpp: strings of code units in this processor's byte order, and their bytes.
#ifndef UTFILTER_TEST_CODE_UNITS_HPP
#define UTFILTER_TEST_CODE_UNITS_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstring>
#include <string>

namespace code_units {

/// Whether this processor is little-endian.
inline const bool little = [] {
  const char16_t one = 1;
  char first;
  std::memcpy(&first, &one, 1);
  return first == 1;
}();

/// The encoding of units of so many bytes in the processor's byte order.
inline utfilter::encoding encoding_of(std::size_t size) {
  using utfilter::encoding;
  if (size == 1) return encoding::utf8;
  if (size == 2) return little ? encoding::utf16le : encoding::utf16be;
  return little ? encoding::utf32le : encoding::utf32be;
}

/// A string of code units whose memory holds these bytes.
template <class Unit>
std::basic_string<Unit> units_of(const std::string& bytes) {
  std::basic_string<Unit> units(bytes.size() / sizeof(Unit), Unit());
  std::memcpy(units.data(), bytes.data(), bytes.size());
  return units;
}
template <class Unit>
std::string bytes_of(const std::basic_string<Unit>& units) {
  std::string bytes(units.size() * sizeof(Unit), '\0');
  std::memcpy(bytes.data(), units.data(), bytes.size());
  return bytes;
}

}  // namespace code_units

#endif
