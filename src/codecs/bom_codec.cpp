// bom_codec.cpp: strips, adds or checks the byte order mark, and passes all other bytes on unchanged.
#include <utfilter/bom_codec.hpp>

#include "codecs/cursor.hpp"
#include "encodings/encoding_scheme.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace utfilter {

using detail::cursor;

bom_codec::bom_codec(bom b, encoding e) noexcept : codec_with_bom(e, plan_for_input(b, e)) {}

const char* bom_codec::why_not(bom b, encoding e) noexcept {
  if (e == encoding::guess) return "no guess is needed for a byte order mark: use encoding::detect";
  if (const char* const why = detail::why_missing(e)) return why;
  if (!has_bom(e)) return "the encoding has no byte order mark";
  if (b == bom::add && e == encoding::detect) return "bom::add needs the name of an encoding, it cannot be detect";
  return nullptr;
}

codec_progress bom_codec::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
  return detail::progress_of(in, size, out, room, [&](cursor& at) noexcept { return pass_on(at, last); });
}

codec_status bom_codec::pass_on(cursor& at, bool last) noexcept {
  if (phase_ == phase::bom)
    if (const auto stopped = read_bom(at, last)) return *stopped;
  if (phase_ == phase::emission && !write_bom(at)) return codec_status::need_output;
  write_withheld(at);
  if (carried_ != 0) return codec_status::need_output;

  const std::size_t n = std::min(at.left(), at.room());
  if (n != 0) std::memcpy(at.out, at.in, n);
  at.in += n;
  at.out += n;
  position_.offset += n;
  if (at.left() != 0) return codec_status::need_output;
  return last ? codec_status::done : codec_status::need_input;
}

/// Writes the byte order mark, if one must be written. Returns false if it does not fit.
bool bom_codec::write_bom(cursor& at) noexcept {
  std::string_view due;
  if (adds_bom()) due = detail::unicode_scheme_of(facts_.bom ? found() : facts_.encoding)->bom;
  if (at.room() < due.size()) return false;
  at.write(due);
  position_.offset += bom_size_;
  phase_ = phase::text;
  return true;
}

/// Writes the withheld bytes that turned out to be no byte order mark, as many as fit.
void bom_codec::write_withheld(cursor& at) noexcept {
  const std::size_t n = std::min<std::size_t>(carried_, at.room());
  std::copy_n(carry_.begin(), n, at.out);
  at.out += n;
  position_.offset += n;
  drop_carried(n);
}

}  // namespace utfilter
