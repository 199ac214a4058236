// unit_converter.cpp: converts a whole string between UTF-8 and code units, and counts the code units beforehand.
#include <utfilter/detail/unit_converter.hpp>

#include "encodings/encoding_scheme.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace utfilter::detail {

//------------------------------------------------------------------------------------------------------------- counting

namespace {

template <class Unit>
Unit unit_at(const char* in, std::size_t i) noexcept {
  Unit unit;
  std::memcpy(&unit, in + i * sizeof unit, sizeof unit);
  return unit;
}

// The loops over lanes are written so that the compiler makes one vector of the lanes: each is as small as a unit.
template <class Unit>
constexpr std::size_t lanes = 32 / sizeof(Unit);

template <class Unit>
constexpr std::size_t block = 16 * lanes<Unit>;

/// The sum of count_of(unit), which is at most 4, over up to a block of units: so a lane of bytes does not overflow.
/// UTFILTER_NOINLINE: keeps it out of the loop that recognises ASCII.
template <class Unit, class CountOf>
UTFILTER_NOINLINE std::size_t sum_block(const char* in, std::size_t units, CountOf count_of) noexcept {
  Unit sums[lanes<Unit>] = {};
  for (; units >= lanes<Unit>; in += sizeof sums, units -= lanes<Unit>)
    for (std::size_t lane = 0; lane < lanes<Unit>; ++lane)
      sums[lane] = static_cast<Unit>(sums[lane] + count_of(unit_at<Unit>(in, lane)));
  std::size_t total = 0;
  for (const Unit s : sums) total += s;
  for (std::size_t i = 0; i < units; ++i) total += static_cast<Unit>(count_of(unit_at<Unit>(in, i)));
  return total;
}

/// The sum over all units, if ASCII counts as 1: blocks of ASCII are faster to recognise than to count.
template <class Unit, class CountOf>
std::size_t sum(const char* in, std::size_t units, CountOf count_of) noexcept {
  std::size_t total = 0;
  for (; units >= block<Unit>; in += block<Unit> * sizeof(Unit), units -= block<Unit>) {
    Unit bits[lanes<Unit>] = {};
    for (std::size_t at = 0; at < block<Unit>; at += lanes<Unit>)
      for (std::size_t lane = 0; lane < lanes<Unit>; ++lane)
        bits[lane] = static_cast<Unit>(bits[lane] | unit_at<Unit>(in, at + lane));
    Unit all = 0;
    for (const Unit b : bits) all = static_cast<Unit>(all | b);
    total += all < 0x80 ? block<Unit> : sum_block<Unit>(in, block<Unit>, count_of);
  }
  return total + sum_block<Unit>(in, units, count_of);
}

/// 1 if a character begins with this byte, else 0.
int starts(std::uint8_t byte) noexcept { return static_cast<std::int8_t>(byte) > -65; }

}  // namespace

std::size_t unit_converter::count() const noexcept {
  if (from_ == 1 && to_ == 2)
    return sum<std::uint8_t>(in_, size_, [](std::uint8_t c) noexcept { return starts(c) + (c >= 0xF0); });
  if (from_ == 1 && to_ == 4) return sum<std::uint8_t>(in_, size_, [](std::uint8_t c) noexcept { return starts(c); });
  if (from_ == 2)  // each half of a surrogate pair counts as half of the four bytes
    return sum<std::uint16_t>(in_, left(), [](std::uint16_t c) noexcept {
      return 1 + (c >= 0x80) + (c >= 0x800) - ((c & 0xF800) == 0xD800);
    });
  if (from_ == 4)
    return sum<std::uint32_t>(
        in_, left(), [](std::uint32_t c) noexcept { return 1U + (c >= 0x80) + (c >= 0x800) + (c >= 0x10000); });
  return size_;
}

//----------------------------------------------------------------------------------------------------------- converting

namespace {

/// As encoding_of_units.
const encoding_scheme& scheme_of_units(std::size_t unit) noexcept {
  constexpr bool big = encoding_of_units(2) == encoding::utf16be;
  if (unit == 1) return utf8_scheme;
  if (unit == 2) return big ? utf16be_scheme : utf16le_scheme;
  return big ? utf32be_scheme : utf32le_scheme;
}

/// Converts the well-formed start of a text. All sizes are bytes.
run convert_start(const char* text, std::size_t size, std::size_t from, std::size_t to, char* out,
                  std::size_t room) noexcept {
  return to == 1 ? scheme_of_units(from).to_utf8(text, size, out, room)
                 : scheme_of_units(to).from_utf8(text, size, out, room);
}

std::size_t replace_error(const error_info&, repair_buffer& out) noexcept { return encode_utf8(0xFFFD, out.data()); }

}  // namespace

std::size_t convert_well_formed(const void* text, std::size_t size, std::size_t from, std::size_t to, void* out,
                                std::size_t room) noexcept {
  const run all =
      convert_start(static_cast<const char*>(text), size * from, from, to, static_cast<char*>(out), room * to);
  return all.consumed == size * from ? all.produced / to : not_converted;
}

unit_converter::unit_converter(const void* text, std::size_t size, std::size_t from, std::size_t to,
                               on_error policy) noexcept
    : text_(static_cast<const char*>(text)),
      text_size_(size * from),
      from_(from),
      to_(to),
      in_(text_),
      size_(text_size_) {
  switch (policy) {
    case on_error::strict:
    case on_error::stop:
    case on_error::keep: repairs_ = false; break;
    case on_error::skip: break;
    case on_error::replace: make_repair_ = replace_error; break;
    case on_error::escape: make_repair_ = escape_error; break;
    case on_error::windows1252: make_repair_ = from == 1 ? windows1252_error : replace_error; break;
  }
}

transcoder unit_converter::codec() const noexcept {
  return to_ == 1 ? transcoder::decoding(encoding_of_units(from_), bom::keep)
                  : transcoder::encoding_to(encoding_of_units(to_), bom::keep);
}

std::size_t unit_converter::next(void* out, std::size_t room) noexcept {
  return convert(static_cast<char*>(out), room * to_) / to_;
}

/// As next, in bytes. The kernel converts the text before the first error, the codec the rest.
std::size_t unit_converter::convert(char* out, std::size_t room) noexcept {
  std::size_t produced = 0;
  if (!codec_) {
    const run good = convert_start(in_, size_, from_, to_, out, room);
    in_ += good.consumed;
    size_ -= good.consumed;
    produced = good.produced;
    ended_ = size_ == 0;
    if (!ended_) codec_ = codec();
  }
  while (!ended_) {
    if (repair_is_due_) {
      const std::size_t size = put_repair(out + produced, room - produced);
      if (size == 0) break;
      produced += size;
      repair_is_due_ = false;
    }
    transcoder::repairs by;
    by.make = make_repair_;
    if (make_repair_ == nullptr) by.text = "";
    if (!repairs_) by.most = 0;
    const codec_progress step = codec_->transform(in_, size_, out + produced, room - produced, true, by);
    produced += step.produced;
    in_ += step.consumed;
    size_ -= step.consumed;
    if (step.status == codec_status::need_output) break;
    repair_is_due_ = step.status == codec_status::malformed && repairs_;
    ended_ = !repair_is_due_;
  }
  return produced;
}

/// Writes the repair of the last error. Returns 0, and writes nothing that counts, if there is no room.
std::size_t unit_converter::put_repair(char* out, std::size_t room) const noexcept {
  repair_buffer utf8;
  const std::size_t size = make_repair_(codec_->error(), utf8);
  const run done = scheme_of_units(to_).from_utf8(utf8.data(), size, out, room);
  return done.consumed == size ? done.produced : 0;
}

std::optional<error_info> unit_converter::error() const noexcept {
  transcoder whole = codec();
  char room[1024];
  for (std::size_t at = 0;;) {
    const codec_progress step = whole.transform(text_ + at, text_size_ - at, room, sizeof room, true);
    if (step.status == codec_status::malformed) return whole.error();
    if (step.status == codec_status::done) return std::nullopt;
    at += step.consumed;
  }
}

}  // namespace utfilter::detail
