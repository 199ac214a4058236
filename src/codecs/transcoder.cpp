// transcoder.cpp: the incremental codec. It handles the byte order mark, then the carried bytes, then the text. A
// kernel converts the text in bulk; this file handles the character at which the kernel stops.
#include <utfilter/transcoder.hpp>

#include "codecs/advance.hpp"
#include "codecs/cursor.hpp"
#include "codecs/error_run.hpp"
#include "codecs/guessing.hpp"
#include "codecs/write_in.hpp"
#include "encodings/encoding_scheme.hpp"
#include "kernels/words.hpp"
#include "unicode/ascii.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace utfilter {

using detail::cursor;
using detail::sequence;

//---------------------------------------------------------------- which combinations make sense, and what each leads to
//
// The functions for UTF-8, UTF-16 and UTF-32. Those for any encoding are in any_encoding.cpp, because only they need the
// rows of all encodings.

transcoder::transcoder(const detail::encoding_scheme* source, const detail::encoding_scheme* target, encoding named,
                       const detail::bom_plan& plan) noexcept
    : codec_with_bom(named, plan), writes_states_(target->after != nullptr), target_(target) {
  read(source);
}

const char* transcoder::why_not_decoding(encoding from, encoding fallback) noexcept {
  if (const char* const why = detail::why_missing(from)) return why;
  if (const char* const why = detail::why_missing(fallback)) return why;
  return fallback == encoding::detect ? "params::fallback must name an encoding, it cannot be detect" : nullptr;
}

/// The reasons that are left after those of the encoding, of params::bom and of params::fallback.
const char* transcoder::why_not_starting(encoding from, const params& p) noexcept {
  const bool is_named = detail::why_missing(p.legacy) == nullptr && !detail::is_undecided(p.legacy);
  if (!is_named || code_unit_size(p.legacy) != 1)
    return "params::legacy must name an encoding whose code units are bytes";
  if (p.guess_bytes == 0) return "params::guess_bytes must be at least 1";
  if (!detail::is_share(p.least_confidence)) return "params::least_confidence must be from 0 to 1";
  if (const char* const why = detail::why_no_candidates(p.candidates)) return why;
  if (!p.start) return nullptr;
  if (const char* const why = why_no_checkpoint(*p.start)) return why;
  const encoding there = p.start->encoding;
  const bool fits = is_decided_by_bom(from) ? detail::is_unicode(there) : from == there;
  return fits || detail::is_undecided(from) ? nullptr : "the checkpoint is in a text of another encoding";
}

const char* transcoder::why_not_decoding_unicode(encoding from, const params& p) noexcept {
  // What most chains are made with.
  constexpr encoding usual = encoding::utf8, legacy = encoding::windows1252;
  const bool leaves_guess =
      p.legacy == legacy && p.guess_bytes != 0 && p.candidates.empty() && detail::is_share(p.least_confidence);
  if (from == usual && p.fallback == usual && leaves_guess && !p.start) return nullptr;
  if (const char* const why = why_not_decoding(from, p.fallback)) return why;
  return why_not_starting(from, p);
}

const char* transcoder::why_not_encoding(encoding to, bom b) noexcept {
  if (const char* const why = detail::why_missing(to)) return why;
  if (to == encoding::detect) return "the encoding to write must be named, it cannot be detect";
  if (to == encoding::guess) return "the encoding to write must be named, it cannot be guess";
  if (!has_bom(to) && b == bom::add) return "the encoding written has no byte order mark to add";
  return nullptr;
}

transcoder transcoder::decoding_unicode(encoding from, bom b) noexcept {
  const detail::bom_plan plan = plan_for_input(b, from);
  return {plan.decides ? nullptr : plan.otherwise, &detail::utf8_scheme, from, plan};
}

transcoder transcoder::decoding_unicode(encoding from, bom b, const checkpoint& start) noexcept {
  return begun(decoding_unicode(from, b), start, detail::unicode_scheme_of(start.encoding));
}

transcoder transcoder::decoding_unicode(encoding from, const params& p) noexcept {
  return p.start ? decoding_unicode(from, p.bom, *p.start) : decoding_unicode(from, p.bom);
}

/// The codec at the checkpoint; `row` is that of the checkpoint's encoding.
transcoder transcoder::begun(transcoder codec, const checkpoint& start, const detail::encoding_scheme* row) noexcept {
  codec.plan_.otherwise = row;
  codec.plan_.is_assumed = false;  // the checkpoint tells why
  // While nothing has been read or written, the byte order mark is still to be handled.
  if (start.offset != 0 || start.bytes_out != 0)
    codec.go_to(start);
  else if (codec.plan_.decides)
    codec.note_evidence(start);
  return codec;
}

transcoder transcoder::encoding_to_unicode(encoding to, bom b) noexcept {
  return writing(detail::unicode_scheme_of(to), b);
}

transcoder transcoder::writing(const detail::encoding_scheme* target, bom b) noexcept {
  const bool lacks = detail::lacks_bom(*target);
  detail::bom_plan plan = plan_for(b, lacks, is_decided_by_bom(target->value));
  plan.marks = detail::boms_of(encoding::utf8);
  // If the target lacks U+FEFF, the byte order mark is dropped, except under bom::keep: there it is an unmappable
  // character.
  if (lacks && b == bom::reject) plan.keep_found = false;
  return {&detail::utf8_scheme, target, target->value, plan};
}

//------------------------------------------------------------------------------ the byte order mark first, then the text

codec_progress transcoder::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                     bool last) noexcept {
  return detail::progress_of(in, size, out, room, [&](cursor& at) noexcept { return pass(at, last); });
}

codec_progress transcoder::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                     repairer& by) noexcept {
  return detail::progress_of(in, size, out, room, [&](cursor& at) noexcept { return pass(at, last, by); });
}

UTFILTER_INLINE codec_status transcoder::pass(cursor& at, bool last) noexcept {
  if (phase_ != phase::text || carried_ != 0)
    if (const auto stopped = begin_text(at, last)) return *stopped;
  return has_states_ ? pass_text<true>(at, last) : pass_text<false>(at, last);
}

namespace {

/// Copies UTF-8 and repairs its errors as long as 1 to 15 characters of ASCII are before each, and no line feed. Adds these
/// characters and errors to `columns`. Returns the place of the last of these errors; null if there is none. Precondition:
/// every error has the repair of the last one, which is `alike`.
UTFILTER_INLINE const char* repair_in_ascii(cursor& at, repairer& by, const error_info& alike,
                                            const detail::encoding_scheme& target, std::size_t& columns) noexcept {
  constexpr std::size_t most = 16, longest = 4;  // bytes before an error, and those that decide about it
  const char* last = nullptr;
  while (at.left() >= most + longest && at.room() >= most) {
    std::size_t ascii = 0;
    detail::word bytes = detail::load_word(at.in);
    if (detail::has_line_feed(bytes)) break;
    detail::store_word(bytes, at.out);
    if (detail::is_ascii(bytes)) {
      ascii = 8;
      bytes = detail::load_word(at.in + ascii);
      if (detail::is_ascii(bytes) || detail::has_line_feed(bytes)) break;
      detail::store_word(bytes, at.out + ascii);
    }
    ascii += detail::first_bit(bytes & detail::all_marks) / 8;
    const char* const error = at.in + ascii;
    const sequence next = detail::decode_utf8(reinterpret_cast<const unsigned char*>(error), longest, false);
    if (ascii == 0 || next.what != sequence::kind::ill_formed) break;
    char* out = at.out + ascii;
    if (!by.repair(alike, true, target, out, at.out_end)) break;
    columns += ascii + 1;
    last = error;
    at.in = error + next.size;
    at.out = out;
  }
  return last;
}

}  // namespace

/// As the other pass, but repairs errors. Returns malformed at an error that the repairer does not repair.
UTFILTER_INLINE codec_status transcoder::pass(cursor& at, bool last, repairer& by) noexcept {
  while (true) {
    const std::uint64_t last_error = error_.offset + error_.size;  // its end
    const codec_status why = pass(at, last);
    const char* const repair = at.out;
    if (why != codec_status::malformed || !by.repair(error_, facts_.reads_utf8, *target_, at.out, at.out_end))
      return why;
    if (has_states_) note_states(nullptr, 0, repair, static_cast<std::size_t>(at.out - repair));
    if (carried_ != 0) continue;
    errors_adjoin_ = false;
    constexpr std::size_t few = 8;  // a kernel pays for more bytes
    if (!in_place()) {
      if (!repair_near(at, by, error_.offset - last_error <= few ? few : 0)) return codec_status::malformed;
      continue;
    }
    // Goes from error to error in UTF-8, without what pass does for other encodings and for the last bytes. The kernel
    // starts fast: it pays for one character, unless ASCII is between two errors.
    constexpr std::size_t last_bytes = 3;
    bool is_near = error_.offset - last_error <= few;
    while (at.left() > last_bytes) {
      if (is_near && static_cast<unsigned char>(*at.in) < 0x80 && by.repairs_all_alike()) {
        const char* const from = at.in;
        std::size_t columns = 0;
        if (const char* const error = repair_in_ascii(at, by, error_, *target_, columns)) {
          const auto* const bytes = reinterpret_cast<const unsigned char*>(error);
          const sequence found = detail::decode_utf8(bytes, static_cast<std::size_t>(at.in_end - error), false);
          position_.pass_columns(columns - 1, static_cast<std::size_t>(error - from));
          note_error(found.code, error, found.size, found.value);
        }
      }
      const auto first = static_cast<unsigned char>(at.in[0]), second = static_cast<unsigned char>(at.in[1]);
      if (first >= 0x80 && (first < 0xC0 || !detail::is_continuation(second)) && !repair_near(at, by, 0))
        return codec_status::malformed;
      const detail::run done = detail::kernels().copy_utf8_to_error(at.in, at.left(), at.out, at.room());
      advance(at.in, done);
      at.pass(done);
      is_near = done.consumed < 16 && done.consumed == done.characters;  // ASCII
      if (at.left() <= last_bytes) break;
      const sequence next = detail::decode_utf8(reinterpret_cast<const unsigned char*>(at.in), at.left(), false);
      if (next.what != sequence::kind::ill_formed) break;
      note_error(next.code, at.in, next.size, next.value);
      at.in += next.size;
      if (!by.repair(error_, true, *target_, at.out, at.out_end)) return codec_status::malformed;
    }
  }
}

/// Repairs the errors that follow at once. Precondition: all have the repair of the last one.
UTFILTER_INLINE void transcoder::repair_adjoining(cursor& at, repairer& by) noexcept {
  const std::size_t most = by.most(at.left(), at.out, at.out_end);
  const detail::error_run run =
      source_ == &detail::utf8_scheme
          ? detail::errors_at(at.in, at.left(), most,
                              [](const unsigned char* s, std::size_t n) { return detail::decode_utf8(s, n, false); })
          : detail::errors_at(at.in, at.left(), most,
                              [this](const unsigned char* s, std::size_t n) { return source_->decode(s, n, false); });
  if (run.errors == 0) return;
  by.repair_again(run.errors, at.out, at.out_end);
  at.in += run.bytes;
  position_.pass_columns(run.errors - 1, run.bytes - run.last.size);
  note_error(run.last.code, at.in - run.last.size, run.last.size, run.last.value);
}

/// Goes on after an error without a kernel: repairs the errors that follow, and converts up to `few` bytes between two
/// of them. Leaves the last bytes of the input, and of the room, to transform. Returns false at an error that the
/// repairer does not repair.
UTFILTER_INLINE bool transcoder::repair_near(cursor& at, repairer& by, std::size_t few) noexcept {
  constexpr std::size_t decisive = 6;  // more bytes do not change the first sequence
  const char* last_error = at.in;      // its end
  while (at.left() >= decisive && at.room() >= 2 * min_output) {
    const char* const from = at.in;
    char* const to = at.out;
    const sequence next = source_->decode(reinterpret_cast<const unsigned char*>(from), decisive, false);
    errc code = next.code;
    if (next.what == sequence::kind::scalar) {
      if (static_cast<std::size_t>(from - last_error) >= few) return true;
      if (const std::size_t size = encode_all(next, target_->encode, to); size != 0) {
        count(next.value, next.size);
        if (next.second() != 0) count(next.second(), 0);
        if (has_states_) note_states(from, next.size, to, size);
        at.in += next.size;
        at.out += size;
        continue;
      }
      code = errc::unmappable;
    } else if (next.what != sequence::kind::ill_formed) {
      return true;
    }

    note_error(code, from, next.size, next.value);
    at.in += next.size;
    const auto* const source = source_;
    const auto* const target = target_;
    if (has_states_) note_states(from, next.size, nullptr, 0);
    if (!by.repair(error_, facts_.reads_utf8, *target_, at.out, at.out_end)) return false;
    if (has_states_) note_states(nullptr, 0, to, static_cast<std::size_t>(at.out - to));
    // If the next bytes repeat those of the error and those that decided about it, the same error follows. But in
    // another state the bytes may be another error, or have another repair.
    if (source_ == source && target_ == target && at.left() >= decisive && *at.in == *from) {
      const std::size_t most = by.most(at.left(), at.out, at.out_end);
      const char* const end = at.in + std::min(at.left(), most * next.size + decisive);
      const auto alike = static_cast<std::size_t>(std::mismatch(at.in, end, from).first - at.in);
      const std::size_t copies = alike < decisive ? 0 : std::min(most, (alike - decisive) / next.size + 1);
      by.repair_again(copies, at.out, at.out_end);
      at.in += copies * next.size;
      position_.pass_columns(copies, copies * next.size);
      error_.pass_columns(copies, copies * next.size);
    } else if (by.repairs_all_alike() && !has_states_) {
      repair_adjoining(at, by);
    }
    last_error = at.in;
  }
  return true;
}

/// Passes a word or a line of ASCII in the middle of a text, and copies it if that is asked for. Returns whether the text
/// is one.
template <bool Copy>
UTFILTER_INLINE bool transcoder::pass_line(const char* in, std::size_t size, char* out) noexcept {
  if (phase_ != phase::text || size > detail::short_ascii || static_cast<signed char>(*in) < 0) return false;
  const std::size_t line_feed = in[size - 1] == '\n' ? 1 : 0, columns = size - line_feed;
  if (columns != 0 && !detail::pass_short_ascii<Copy>(in, columns, out)) return false;
  if (Copy && line_feed != 0) out[columns] = '\n';
  position_.pass_columns(columns, size);
  if (line_feed != 0) position_.pass_lines(1);
  return true;
}

/// Moves the position over the well-formed start of UTF-8, and returns the size of that start in bytes. Returns 0 while
/// a byte order mark may follow, or must be written.
std::size_t transcoder::check_text(const char* in, std::size_t size) noexcept {
  return pass_line<false>(in, size, nullptr) ? size : check_long(in, size);
}
std::size_t transcoder::copy(const char* in, std::size_t size, char* out) noexcept {
  return pass_line<true>(in, size, out) ? size : copy_long(in, size, out);
}

/// @{
/// As check_text and copy, for what is no line of ASCII. These are functions of their own: in those two their calls would
/// make short lines slower.
UTFILTER_NOINLINE std::size_t transcoder::check_long(const char* in, std::size_t size) noexcept {
  if (phase_ != phase::text) return skip_to_text(in, size) ? check_text(in, size) : 0;
  const detail::run done = detail::kernels().validate_utf8(in, size);
  advance(in, done);
  return done.consumed;
}
UTFILTER_NOINLINE std::size_t transcoder::copy_long(const char* in, std::size_t size, char* out) noexcept {
  if (phase_ != phase::text) return 0;
  const detail::run done = detail::kernels().copy_utf8(in, size, out, size);
  advance(in, done);
  return done.consumed;
}
/// @}

void transcoder::read(const detail::encoding_scheme* source) noexcept {
  source_ = source;
  facts_.reads_utf8 = source == &detail::utf8_scheme;
  has_states_ = target_->after != nullptr || (source != nullptr && source->after != nullptr);
}

/// Handles the byte order mark and the carried bytes, before the bulk conversion. This function and those that it calls
/// return a status if transform must return it.
std::optional<codec_status> transcoder::begin_text(cursor& at, bool last) noexcept {
  if (const auto stopped = begin_bom(at, last)) return stopped;
  return finish_carried(at, last);
}

/// Handles the byte order mark. If the withheld bytes turn out to be no byte order mark, they become carried bytes.
std::optional<codec_status> transcoder::begin_bom(cursor& at, bool last) noexcept {
  if (phase_ == phase::bom) {
    if (plan_.guess_bytes != 0 && !guess(at, last)) return codec_status::need_input;
    const bool has_none = carried_ == 0 && !is_no_text_ && at.left() != 0 && skip_to_text(at.in, at.left());
    const auto stopped = has_none ? std::nullopt : read_bom(at, last);
    if (phase_ != phase::bom && source_ == nullptr)
      read(facts_.bom ? detail::unicode_scheme_of(found()) : plan_.otherwise);
    if (stopped) return stopped;
  }
  if (phase_ == phase::emission) {
    if (const auto stopped = tell_no_text()) return stopped;
    if (const auto stopped = write_bom(at)) return stopped;
  }
  return std::nullopt;
}

/// Reports no_text, once, if the input is no text. If that error is repaired, goes on in the legacy encoding.
std::optional<codec_status> transcoder::tell_no_text() noexcept {
  if (is_no_text_) {
    is_no_text_ = false;
    facts_.encoding = encoding::detect;
    set_error(errc::no_text, nullptr, 0);
    return codec_status::malformed;
  }
  if (facts_.encoding == encoding::detect) {
    facts_.encoding = source_->value;
    note_evidence(evidence::assumption);
  }
  return std::nullopt;
}

/// Whether the input begins with a whole character.
bool transcoder::begins_whole(const char* in, std::size_t size) const noexcept {
  return source_->decode(reinterpret_cast<const unsigned char*>(in), size, false).what == sequence::kind::scalar;
}

/// Converts text up to the first error. Leaves the cursor where it is.
UTFILTER_INLINE detail::run transcoder::convert_text(const cursor& at) const noexcept {
  if (after_error_ && source_ == target_)
    return detail::kernels().copy_utf8_to_error(at.in, at.left(), at.out, at.room());
  return (target_ == &detail::utf8_scheme ? source_->to_utf8 : target_->from_utf8)(at.in, at.left(), at.out, at.room());
}

template <bool HasStates>
codec_status transcoder::pass_text(cursor& at, bool last) noexcept {
  while (at.left() != 0) {
    // A kernel would convert nothing if the input is only the start of a character, which the next input will complete,
    // or if it begins with another error.
    const bool is_text = (at.left() > 3 && !errors_adjoin_) || begins_whole(at.in, at.left());
    const detail::run done = is_text ? convert_text(at) : detail::run{};
    if (source_->last_line != nullptr) {
      advance(at.in, done);
    } else {
      detail::advance(position_, done, [&] { return detail::last_line_by_utf8(at.in, at.out, done); });
    }
    at.pass(done);
    if (HasStates) {
      // An escape sequence is no character: if each byte is one, there is no such sequence, and the last byte decides.
      const auto decisive = [&](std::size_t bytes) noexcept { return bytes == done.characters ? bytes != 0 : bytes; };
      const std::size_t read = decisive(done.consumed), written = decisive(done.produced);
      note_states(at.in - read, read, at.out - written, written);
    }
    after_error_ = errors_adjoin_ = false;
    const std::size_t left = at.left();
    if (left == 0) break;

    // The kernel has gone as far as it can: the next sequence does not fit, is ill-formed, is cut off, is missing in
    // the target, or is an escape sequence.
    const auto* const bytes = reinterpret_cast<const unsigned char*>(at.in);
    const sequence next = source_->decode(bytes, left, last);
    switch (next.what) {
      case sequence::kind::incomplete:
        std::memcpy(carry_.data(), bytes, left);
        carried_ = static_cast<std::uint8_t>(left);
        at.in = at.in_end;
        return codec_status::need_input;
      case sequence::kind::shift:
        if (!HasStates) break;
        pass_shift(at.in, next.size);
        at.in += next.size;
        continue;
      case sequence::kind::ill_formed:
        note_error(next.code, bytes, next.size, next.value);
        if (HasStates) note_states(at.in, next.size, nullptr, 0);
        break;
      case sequence::kind::scalar:
        char unit[min_output];
        if (encode_all(next, target_->encode, unit) != 0) return codec_status::need_output;
        note_error(errc::unmappable, bytes, next.size, next.value);
        break;
    }
    after_error_ = true;
    errors_adjoin_ = done.consumed == 0;
    at.in += next.size;
    return codec_status::malformed;
  }
  if (HasStates && last && !write_escape(target_->at_end, at)) return codec_status::need_output;
  return last ? codec_status::done : codec_status::need_input;
}

//--------------------------------------------------------------------------------------------------------------- states
//
// An encoding with escape sequences has a row for each state of a text. These functions go on to the row of the next
// state.

/// Takes note of bytes that were decoded, and of bytes that were written.
UTFILTER_INLINE void transcoder::note_states(const char* in, std::size_t consumed, const char* out,
                                             std::size_t produced) noexcept {
  if (source_->after != nullptr && consumed != 0) source_ = source_->after(in, consumed);
  if (target_->after != nullptr && produced != 0) target_ = target_->after(out, produced);
}

/// Moves past an escape sequence, which is no character.
void transcoder::pass_shift(const char* bytes, std::size_t size) noexcept {
  position_.offset += size;
  source_ = source_->after(bytes, size);
}

/// Writes an escape sequence, or nothing if it is empty. Returns false if there is no room.
bool transcoder::write_escape(std::string_view escape, cursor& at) noexcept {
  if (escape.empty()) return true;
  if (escape.size() > at.room()) return false;
  target_ = target_->after(escape.data(), escape.size());
  at.write(escape);
  return true;
}

codec_progress transcoder::insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
  return detail::progress_of(in, size, out, room, [&](cursor& at) noexcept {
    at.pass(detail::write_in(target_, {in, size}, out, room));
    if (at.left() != 0 || (last && !write_escape(target_->at_end, at))) return codec_status::need_output;
    return last ? codec_status::done : codec_status::need_input;
  });
}

//-------------------------------------------------------------------------------------------------- at edges of buffers

/// Writes the byte order mark, if one must be written. If the target lacks U+FEFF, that is an error.
std::optional<codec_status> transcoder::write_bom(cursor& at) noexcept {
  char bytes[min_output];
  const bool due = adds_bom();
  const std::size_t size = due ? target_->encode(detail::bom_character, bytes) : 0;
  if (at.room() < size) return codec_status::need_output;

  phase_ = phase::text;
  const bool unmappable = due && size == 0;
  if (unmappable) {
    const std::string_view mark = detail::unicode_scheme_of(found())->bom;
    set_error(errc::unmappable, mark.data(), mark.size(), detail::bom_character);
  } else {
    at.out = std::copy(bytes, bytes + size, at.out);
  }
  position_.offset += bom_size_;
  if (unmappable) return codec_status::malformed;
  return std::nullopt;
}

/// Decodes the carried bytes. Takes bytes from the input one at a time until the sequence is decided.
std::optional<codec_status> transcoder::finish_carried(cursor& at, bool last) noexcept {
  std::size_t taken = 0;
  while (carried_ != 0) {
    const sequence next = source_->decode(carry_.data(), carried_, last && at.left() == 0);
    if (next.what == sequence::kind::incomplete) {
      if (at.left() == 0) return codec_status::need_input;
      carry_[carried_++] = static_cast<unsigned char>(*at.in++);
      ++taken;
      continue;
    }
    const auto* const bytes = reinterpret_cast<const char*>(carry_.data());
    const bool is_scalar = next.what == sequence::kind::scalar;
    char unit[min_output];
    const std::size_t size = is_scalar ? encode_all(next, target_->encode, unit) : 0;
    if (size > at.room()) return codec_status::need_output;
    if (next.what == sequence::kind::shift) {
      pass_shift(bytes, next.size);
    } else if (size != 0) {
      at.out = std::copy(unit, unit + size, at.out);
      count(next.value, next.size);
      if (next.second() != 0) count(next.second(), 0);
      note_states(bytes, next.size, unit, size);
    } else {
      note_error(is_scalar ? errc::unmappable : next.code, carry_.data(), next.size, next.value);
      note_states(bytes, next.size, nullptr, 0);
    }
    const bool is_error = size == 0 && next.what != sequence::kind::shift;
    drop_carried(next.size);
    give_back(at, std::min<std::size_t>(taken, carried_));
    taken = 0;
    if (is_error) return codec_status::malformed;
  }
  return std::nullopt;
}

/// Moves the position over well-formed text, which a kernel has passed.
void transcoder::advance(const char* bytes, const detail::run& passed) noexcept {
  detail::advance(position_, passed, [&] {
    // A piece is often one line of UTF-8: then no text follows its last line feed.
    const bool ends_a_line = facts_.reads_utf8 && bytes[passed.consumed - 1] == '\n';
    return ends_a_line ? detail::line_end{} : source_->last_line(bytes, passed.consumed);
  });
}

checkpoint transcoder::here() const noexcept {
  checkpoint c;
  c.encoding = (source_ == nullptr ? plan_.otherwise : source_)->value;
  c.bom = facts_.bom;
  if (facts_.decided_by != evidence::bom) c.decided_by = facts_.decided_by;
  c.confidence = facts_.confidence;
  c.unused_declaration = facts_.unused_declaration;
  static_cast<text_position&>(c) = position_;
  return c;
}

void transcoder::go_to(const checkpoint& place, const error_info& last, const text_facts* known,
                       const detail::encoding_scheme* state) noexcept {
  phase_ = phase::text;
  read(state != nullptr ? state : plan_.decides ? plan_.otherwise : source_);
  if (plan_.decides) facts_.encoding = place.encoding;
  facts_.bom = place.bom;
  if (plan_.decides) note_evidence(place);
  if (known != nullptr) facts_ = *known;
  position_ = place;
  error_ = last;
}

std::size_t transcoder::encode(char32_t c, char* out) const noexcept { return target_->encode(c, out); }

}  // namespace utfilter
