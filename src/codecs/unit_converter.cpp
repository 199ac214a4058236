// unit_converter.cpp: converts a whole string between UTF-8 and code units, and counts the code units beforehand.
#include <utfilter/detail/unit_converter.hpp>

#include "encodings/encoding_scheme.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/utf8.hpp>

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

std::size_t replace_error(const error_info&, repair_buffer& out) noexcept { return encode_utf8(0xFFFD, out.data()); }

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

/// Writes the repair of the last error. Returns 0 if there is no room; the output then has no meaning.
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
