// unit_converter.hpp: converts a whole string between UTF-8 and code units of this processor's byte order. Not for
// users.
// layer: codecs
#ifndef UTFILTER_DETAIL_UNIT_CONVERTER_HPP
#define UTFILTER_DETAIL_UNIT_CONVERTER_HPP

#include <utfilter/config.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>

#include <array>
#include <cstddef>
#include <optional>

namespace utfilter::detail {

/// The encoding of a string whose code units have `unit` bytes: UTF-8, or UTF-16 or UTF-32 in the byte order of this
/// processor.
constexpr encoding encoding_of_units(std::size_t unit) noexcept {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return unit == 1 ? encoding::utf8 : unit == 2 ? encoding::utf16be : encoding::utf32be;
#else
  return unit == 1 ? encoding::utf8 : unit == 2 ? encoding::utf16le : encoding::utf32le;
#endif
}

/// Converts a whole string of well-formed text, with less work than a unit_converter. Writes at most `room` units and
/// returns their number; returns not_converted if the text is ill-formed or the room too small. Sizes and sides are those
/// of unit_converter.
UTFILTER_API std::size_t convert_well_formed(const void* text, std::size_t size, std::size_t from, std::size_t to,
                                             void* out, std::size_t room) noexcept;
inline constexpr std::size_t not_converted = static_cast<std::size_t>(-1);

/// Converts one string, piece by piece. All counts are code units. At least one of the two sides is UTF-8.
class unit_converter {
 public:
  /// With this much room, in units, next() makes progress. It is the size of the longest repair.
  static constexpr std::size_t least_room = std::tuple_size_v<repair_buffer>;

  /// `from` and `to` are the sizes of the code units in bytes.
  UTFILTER_API unit_converter(const void* text, std::size_t size, std::size_t from, std::size_t to,
                              on_error policy) noexcept;

  /// The number of units of the text that have not been read yet.
  std::size_t left() const noexcept { return size_ / from_; }
  /// The number of units that next() will write, if the rest of the text is well-formed. Complexity: linear.
  UTFILTER_API std::size_t count() const noexcept;
  /// Writes at most `room` units and returns their number. Complexity: linear in the units read and written.
  UTFILTER_API std::size_t next(void* out, std::size_t room) noexcept;
  /// Whether all has been written: under on_error::strict and stop, all before the first error.
  bool ended() const noexcept { return ended_; }
  /// The first error of the text. Complexity: linear.
  UTFILTER_API std::optional<error_info> error() const noexcept;

 private:
  transcoder codec() const noexcept;
  std::size_t convert(char* out, std::size_t room) noexcept;

  const char* const text_;
  const std::size_t text_size_;  // bytes
  const std::size_t from_, to_;  // bytes of a code unit
  repairer repairer_;
  const char* in_;
  std::size_t size_;                 // bytes of the rest
  std::optional<transcoder> codec_;  // converts the rest, once the kernel has stopped
  bool ended_ = false;
};

}  // namespace utfilter::detail

#endif
