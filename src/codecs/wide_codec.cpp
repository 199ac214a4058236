// wide_codec.cpp: decodes and encodes through UTF-8. If the second transcoder stops inside the UTF-8 of the first one,
// the first one converts again, only up to that place. So places and errors are those of the input.
#include <utfilter/detail/wide_codec.hpp>

#include <utfilter/detail/unit_converter.hpp>

#include <algorithm>

namespace utfilter::detail {
namespace {

constexpr encoding wide_encoding = encoding_of_units(sizeof(wchar_t));

}  // namespace

wide_codec::wide_codec(const transcoder& first, const transcoder& second, bool writes) noexcept
    : codec_with_bom(encoding::utf8, {}), first_(first), second_(second), writes_(writes) {
  note_place();
}

wide_codec wide_codec::reading(const transcoder& decoder) noexcept {
  return {decoder, transcoder::encoding_to(wide_encoding, bom::keep), false};
}

wide_codec wide_codec::writing(const transcoder& encoder) noexcept {
  return {transcoder::decoding(wide_encoding, bom::keep), encoder, true};
}

codec_progress wide_codec::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                     bool last) noexcept {
  return pass(in, size, out, room, last, nullptr);
}

codec_progress wide_codec::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                     repairer& by) noexcept {
  return pass(in, size, out, room, last, writes_ ? nullptr : &by);
}

codec_progress wide_codec::pass(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                repairer* by) noexcept {
  codec_progress all{0, 0, codec_status::need_output};
  bool goes_on = true;
  while (goes_on) {
    const codec_progress one =
        step(in + all.consumed, size - all.consumed, out + all.produced, room - all.produced, last, by);
    all = {all.consumed + one.consumed, all.produced + one.produced, one.status};
    goes_on = one.status == codec_status::need_output && one.consumed + one.produced != 0;
  }
  note_place();
  return all;
}

/// Passes one piece through both transcoders. The status need_output may also mean that there is more input.
codec_progress wide_codec::step(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                repairer* by) noexcept {
  // One byte of UTF-8 becomes at most four bytes. More UTF-8 than fits would be made in vain.
  char utf8[2048];
  const std::size_t most = std::clamp(room / 4, min_output, sizeof utf8);
  const bool repairs_all = by != nullptr && room >= 4 * most;  // then second_ takes all that first_ makes
  const transcoder before = first_, second_before = second_;
  codec_progress one{0, 0, codec_status::malformed};
  if (!holds_error_)
    one =
        repairs_all ? first_.transform(in, size, utf8, most, last, *by) : first_.transform(in, size, utf8, most, last);
  const bool is_error = one.status == codec_status::malformed;
  // No byte order mark follows an error: `last` makes second_ write the byte order mark that it adds to a text without
  // one. It must not end a text that goes on after the error.
  const bool begins = is_error && one.produced == 0 && second_.position().offset == 0;
  codec_progress two = second_.transform(utf8, one.produced, out, room, begins || one.status == codec_status::done);

  holds_error_ = false;
  if (two.consumed != one.produced) {
    first_ = before;
    one = first_.transform(in, size, utf8, two.consumed, last);
    if (one.produced != two.consumed) {  // second_ has stopped between the two characters of one sequence
      second_ = second_before;
      two = second_.transform(utf8, one.produced, out, room, false);
      two.status = codec_status::need_output;
    }
  } else if (two.status == codec_status::need_output || two.status == codec_status::malformed) {
    holds_error_ = is_error;
  } else {
    if (is_error || repairs_all) error_ = after_bom(first_.error());
    return {one.consumed, two.produced, one.status};
  }
  if (two.status == codec_status::malformed) note_error_of_second();
  return {one.consumed, two.produced, two.status};
}

/// Reports the error that second_ has met: about the byte order mark, or the last character that first_ has converted.
void wide_codec::note_error_of_second() noexcept {
  const errc code = second_.error().code;
  const bool is_missing = code == errc::missing_bom, is_unexpected = code == errc::unexpected_bom;
  const char32_t c = is_unexpected ? bom_character : second_.error().code_point;
  char units[min_output];
  const std::size_t size = is_missing ? 0 : transcoder::encoding_to(wide_encoding, bom::keep).encode(c, units);
  position_ = {};
  if (!is_missing && !is_unexpected) {
    position_ = place_of_first();
    position_.offset -= size;
    --position_.column;
    position_ = after_bom(position_);
  }
  set_error(code, units, size, is_unexpected ? 0 : c);
}

/// The place, with the byte order mark not counted as a column. (first_ counts it as a character.)
template <class Place>
Place wide_codec::after_bom(Place at) const noexcept {
  if (writes_ && second_.facts().bom && at.line == 1 && at.offset != 0) --at.column;
  return at;
}

/// The place in the input after the text that first_ has converted, and before its error if that is not reported yet.
text_position wide_codec::place_of_first() const noexcept {
  if (!holds_error_) return first_.position();
  return first_.error();
}

void wide_codec::note_place() noexcept {
  position_ = after_bom(place_of_first());
  facts_ = first_.facts();
  if (!writes_) return;
  facts_.encoding = second_.facts().encoding;
  facts_.bom = second_.facts().bom;
  if (facts_.bom && second_.position().offset == 0) position_ = {};  // second_ still has to pass the byte order mark
}

}  // namespace utfilter::detail
