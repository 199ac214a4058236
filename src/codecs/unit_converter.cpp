// unit_converter.cpp: converts a whole string between UTF-8 and code units, and counts the code units beforehand.
#include <utfilter/detail/unit_converter.hpp>

#include "codecs/overwrite.hpp"
#include "kernels/kernels.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace utfilter::detail {

namespace {

/// The kernel that converts units of `From` bytes to units of `To` bytes.
template <std::size_t From, std::size_t To>
constexpr convert_kernel kernel_table::*kernel_for() noexcept {
  constexpr bool big = encoding_of_units(2) == encoding::utf16be;
  if (From == 2) return big ? &kernel_table::utf16be_to_utf8 : &kernel_table::utf16le_to_utf8;
  if (From == 4) return big ? &kernel_table::utf32be_to_utf8 : &kernel_table::utf32le_to_utf8;
  if (To == 2) return big ? &kernel_table::utf8_to_utf16be : &kernel_table::utf8_to_utf16le;
  if (To == 4) return big ? &kernel_table::utf8_to_utf32be : &kernel_table::utf8_to_utf32le;
  return &kernel_table::copy_utf8;
}

/// The same for sizes that only the run knows.
convert_kernel kernel_for(std::size_t from, std::size_t to) noexcept {
  const kernel_table& by = kernels();
  if (from == 2) return by.*kernel_for<2, 1>();
  if (from == 4) return by.*kernel_for<4, 1>();
  return to == 2 ? by.*kernel_for<1, 2>() : to == 4 ? by.*kernel_for<1, 4>() : by.*kernel_for<1, 1>();
}

}  // namespace

/// Converts the rest of a string, from its first error on, piece by piece. All counts are code units. At least one of the
/// two sides is UTF-8.
class unit_converter {
 public:
  /// With this much room, in units, next() makes progress. It is the size of the longest repair.
  static constexpr std::size_t least_room = std::tuple_size_v<repair_buffer>;

  /// `from` and `to` are the sizes of the code units in bytes; `size` counts bytes.
  unit_converter(const char* text, std::size_t size, std::size_t from, std::size_t to, on_error policy) noexcept
      : from_(from),
        to_(to),
        repairer_(policy == on_error::keep ? on_error::strict : policy),
        in_(text),
        size_(size),
        codec_(codec(from, to)),
        is_strict_(policy == on_error::strict) {}

  /// The number of units of the text that have not been read yet.
  std::size_t left() const noexcept { return size_ / from_; }
  /// Writes at most `room` units and returns their number. Complexity: linear in the units read and written.
  std::size_t next(void* out, std::size_t room) noexcept { return convert(static_cast<char*>(out), room * to_) / to_; }
  /// Whether all has been written: under on_error::strict and stop, all before the first error.
  bool ended() const noexcept { return ended_; }
  /// Whether the text has ended at an error, and the policy is strict.
  bool failed() const noexcept { return failed_; }

  /// The codec from units of `from` bytes to units of `to` bytes.
  static transcoder codec(std::size_t from, std::size_t to) noexcept {
    return to == 1 ? transcoder::decoding_unicode(encoding_of_units(from), bom::keep)
                   : transcoder::encoding_to_unicode(encoding_of_units(to), bom::keep);
  }

 private:
  std::size_t convert(char* out, std::size_t room) noexcept;

  const std::size_t from_, to_;  // bytes of a code unit
  repairer repairer_;
  const char* in_;
  std::size_t size_;  // bytes of the rest
  transcoder codec_;
  bool is_strict_;
  bool ended_ = false, failed_ = false;
};

/// As next, but counts bytes.
std::size_t unit_converter::convert(char* out, std::size_t room) noexcept {
  std::size_t produced = 0;
  while (!ended_) {
    const auto encode = [this](char32_t c, char* to) noexcept { return codec_.encode(c, to); };
    produced += repairer_.write<transcoder::min_output>(out + produced, room - produced, to_ == 1, encode);
    if (repairer_.has_left()) break;
    const codec_progress step = codec_.transform(in_, size_, out + produced, room - produced, true, repairer_);
    produced += step.produced;
    in_ += step.consumed;
    size_ -= step.consumed;
    if (step.status == codec_status::need_output) break;
    const bool at_error = step.status == codec_status::malformed &&
                          repairer_.meet(codec_.error(), from_ == 1) != repairer::verdict::repair;
    ended_ = at_error || step.status == codec_status::done;
    failed_ = at_error && is_strict_;
  }
  return produced;
}

namespace {

/// The units of `to` bytes that a well-formed text of `size` bytes becomes.
std::size_t count_units(const char* text, std::size_t size, std::size_t from, std::size_t to) noexcept {
  const kernel_table& by = kernels();
  if (from == 2) return by.utf8_bytes_of_utf16(text, size);
  if (from == 4) return by.utf8_bytes_of_utf32(text, size);
  if (to == 2) return by.utf16_units_of_utf8(text, size);
  if (to == 4) return by.utf32_units_of_utf8(text, size);
  return size;
}

/// About as many units: counting all of a long text takes as long as converting it. Counts pieces at equal distances, and
/// adds a little.
std::size_t estimate_units(const char* text, std::size_t size, std::size_t from, std::size_t to) noexcept {
  constexpr std::size_t pieces = 16, piece = 256;  // bytes of a piece: a multiple of each size of units
  if (size <= 2 * pieces * piece) return count_units(text, size, from, to);
  const std::size_t distance = (size - piece) / (pieces - 1) / piece * piece;
  std::size_t counted = 0;
  for (std::size_t i = 0; i != pieces; ++i) counted += count_units(text + i * distance, piece, from, to);
  const std::size_t likely = size / (pieces * piece) * counted + counted;
  return likely + likely / 64;
}

/// Appends the rest of a text, from its first error on, to the `made` units of a string.
template <class Overwrite>
UTFILTER_NOINLINE bool append_rest(unit_converter&& units, std::size_t made, std::size_t to,
                                   const Overwrite& overwrite) {
  while (!units.ended()) {
    const std::size_t room = std::max(units.left(), unit_converter::least_room);
    overwrite(made + room,
              [&](void* all) noexcept { return made += units.next(static_cast<char*>(all) + made * to, room); });
  }
  return !units.failed();
}

/// Appends the text to a string. `overwrite(size, write)` is overwrite() of that string, which is still empty. Returns
/// false if the policy is strict and the text has an error.
template <class Overwrite>
UTFILTER_INLINE bool append_all(const char* text, std::size_t size, std::size_t from, std::size_t to, on_error policy,
                                const Overwrite& overwrite) {
  std::size_t read = 0, made = 0;  // bytes, and units
  const auto append = [&](std::size_t room) {
    bool fits = true;
    overwrite(made + room, [&](void* all) noexcept {
      const run done = kernel_for(from, to)(text + read, size - read, static_cast<char*>(all) + made * to, room * to);
      fits = room * to - done.produced >= transcoder::min_output;
      read += done.consumed;
      return made += done.produced / to;
    });
    return fits;
  };
  const bool fits = append(estimate_units(text, size, from, to));
  if (!fits && read != size) append(count_units(text + read, size - read, from, to));
  return read == size || append_rest({text + read, size - read, from, to, policy}, made, to, overwrite);
}

template <class To, std::size_t Unit>
UTFILTER_NOINLINE std::basic_string<To> convert_long(const char* text, std::size_t size, on_error policy, bool& whole) {
  std::basic_string<To> made;
  whole = append_all(text, size, Unit, sizeof(To), policy, [&](std::size_t room, const auto& write) {
    overwrite(made, room, [&](To* all, std::size_t) noexcept { return write(all); });
  });
  if (made.capacity() - made.size() > made.size() / 4) made.shrink_to_fit();
  return made;
}

constexpr std::size_t few = 1024;  // to count a text that becomes so few units takes longer than to copy it

/// The units of `from` bytes that become at most `few`.
constexpr std::size_t short_size(std::size_t from) noexcept { return few / (from == 2 ? 3 : from); }

}  // namespace

template <class To, std::size_t Unit>
std::basic_string<To> convert_units(const void* text, std::size_t size, on_error policy, bool& whole) {
  const auto* const in = static_cast<const char*>(text);
  if (size <= short_size(Unit)) {
    To buffer[few];
    const run all =
        (kernels().*kernel_for<Unit, sizeof(To)>())(in, size * Unit, reinterpret_cast<char*>(buffer), sizeof buffer);
    if (all.consumed == size * Unit) return {buffer, all.produced / sizeof(To)};
  }
  return convert_long<To, Unit>(in, size * Unit, policy, whole);
}

template UTFILTER_API std::string convert_units<char, 1>(const void*, std::size_t, on_error, bool&);
template UTFILTER_API std::string convert_units<char, 2>(const void*, std::size_t, on_error, bool&);
template UTFILTER_API std::string convert_units<char, 4>(const void*, std::size_t, on_error, bool&);
template UTFILTER_API std::u16string convert_units<char16_t, 1>(const void*, std::size_t, on_error, bool&);
template UTFILTER_API std::u32string convert_units<char32_t, 1>(const void*, std::size_t, on_error, bool&);
template UTFILTER_API std::wstring convert_units<wchar_t, 1>(const void*, std::size_t, on_error, bool&);

bool convert_units(const void* text, std::size_t size, std::size_t unit, on_error policy, const any_string& made) {
  const auto overwrite = [&](std::size_t room, const auto& write) {
    using type = std::remove_reference_t<decltype(write)>;
    made.overwrite(
        made.string, room, [](void* context, void* all) noexcept { return (*static_cast<type*>(context))(all); },
        const_cast<void*>(static_cast<const void*>(&write)));
  };
  const auto* const in = static_cast<const char*>(text);
  if (size <= short_size(unit)) {
    char buffer[few];
    const run all = kernel_for(unit, 1)(in, size * unit, buffer, few);
    if (all.consumed == size * unit) {
      overwrite(all.produced, [&](void* out) noexcept {
        std::memcpy(out, buffer, all.produced);
        return all.produced;
      });
      return true;
    }
  }
  return append_all(in, size * unit, unit, 1, policy, overwrite);
}

std::optional<error_info> first_error(const void* text, std::size_t size, std::size_t from, std::size_t to) noexcept {
  transcoder whole = unit_converter::codec(from, to);
  const auto* at = static_cast<const char*>(text);
  char room[1024];
  for (std::size_t left = size * from;;) {
    const codec_progress step = whole.transform(at, left, room, sizeof room, true);
    if (step.status == codec_status::malformed) return whole.error();
    if (step.status == codec_status::done) return std::nullopt;
    at += step.consumed;
    left -= step.consumed;
  }
}

}  // namespace utfilter::detail
