// unit_converter.cpp: converts a whole string between UTF-8 and code units, and counts the code units beforehand.
#include <utfilter/detail/unit_converter.hpp>

#include "encodings/encoding_scheme.hpp"

#include <utfilter/repair.hpp>

#include <algorithm>
#include <cstring>

namespace utfilter::detail {

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

}  // namespace

std::size_t convert_well_formed(const void* text, std::size_t size, std::size_t from, std::size_t to, void* out,
                                std::size_t room) noexcept {
  const run all =
      convert_start(static_cast<const char*>(text), size * from, from, to, static_cast<char*>(out), room * to);
  return all.consumed == size * from ? all.produced / to : not_converted;
}

std::size_t unit_converter::count() const noexcept {
  const kernel_table& by = kernels();
  if (from_ == 2) return by.utf8_bytes_of_utf16(in_, size_);
  if (from_ == 4) return by.utf8_bytes_of_utf32(in_, size_);
  if (to_ == 2) return by.utf16_units_of_utf8(in_, size_);
  if (to_ == 4) return by.utf32_units_of_utf8(in_, size_);
  return size_;
}

unit_converter::unit_converter(const void* text, std::size_t size, std::size_t from, std::size_t to,
                               on_error policy) noexcept
    : text_(static_cast<const char*>(text)),
      text_size_(size * from),
      from_(from),
      to_(to),
      repairer_(policy == on_error::keep ? on_error::strict : policy),
      in_(text_),
      size_(text_size_) {}

transcoder unit_converter::codec() const noexcept {
  return to_ == 1 ? transcoder::decoding_unicode(encoding_of_units(from_), bom::keep)
                  : transcoder::encoding_to_unicode(encoding_of_units(to_), bom::keep);
}

std::size_t unit_converter::next(void* out, std::size_t room) noexcept {
  return convert(static_cast<char*>(out), room * to_) / to_;
}

/// As next, but counts bytes. The kernel converts the text before the first error, the codec the rest.
std::size_t unit_converter::convert(char* out, std::size_t room) noexcept {
  std::size_t produced = 0;
  if (!codec_) {
    const std::size_t most = room / to_ * 4;  // a unit comes from four bytes, at most
    const run good = convert_start(in_, std::min(size_, most), from_, to_, out, room);
    in_ += good.consumed;
    size_ -= good.consumed;
    produced = good.produced;
    ended_ = size_ == 0;
    if (produced != 0) return produced;  // there is no room, or an error follows
    if (!ended_) codec_ = codec();
  }
  while (!ended_) {
    const auto encode = [this](char32_t c, char* to) noexcept { return codec_->encode(c, to); };
    produced += repairer_.write<transcoder::min_output>(out + produced, room - produced, to_ == 1, encode);
    if (repairer_.has_left()) break;
    const codec_progress step = codec_->transform(in_, size_, out + produced, room - produced, true, repairer_);
    produced += step.produced;
    in_ += step.consumed;
    size_ -= step.consumed;
    if (step.status == codec_status::need_output) break;
    ended_ = step.status != codec_status::malformed ||
             repairer_.meet(codec_->error(), from_ == 1) != repairer::verdict::repair;
  }
  return produced;
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
