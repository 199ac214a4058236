// text_codec.cpp: the walk over UTF-8 of the codecs that change some of its characters.
#include <utfilter/text_codec.hpp>

#include "codecs/advance.hpp"
#include "codecs/cursor.hpp"
#include "codecs/error_run.hpp"
#include "encodings/encoding_scheme.hpp"
#include "kernels/kernels.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace utfilter::detail {

namespace {

using follows = text_piece::follows;

constexpr std::size_t longest_character = text_walk::min_output;

/// The rule that a change has broken with this result; null if it has kept all of them.
UTFILTER_NOINLINE const char* rule_broken_by(const codec_progress& done, const text_piece& in,
                                             std::size_t room) noexcept {
  const std::size_t size = in.text.size();
  if (done.consumed > size) return "the change takes more bytes than it got";
  if (done.produced > room) return "the change writes more bytes than it has room for";
  if (done.consumed != size && is_continuation(static_cast<unsigned char>(in.text[done.consumed])))
    return "the change takes a part of a character";
  switch (done.status) {
    case codec_status::need_input:
      if (size - done.consumed <= (in.may_go_on() ? text_piece::longest_wait : 0)) return nullptr;
      return in.may_go_on() ? "the change leaves more than text_piece::longest_wait bytes"
                            : "the change waits for text that does not follow";
    case codec_status::need_output: return nullptr;
    case codec_status::told:  // without progress it would be asked for ever
      return done.consumed + done.produced != 0 ? nullptr : "the change tells, but takes and writes nothing";
    case codec_status::malformed:
      return done.consumed != size ? nullptr : "the change refuses a character that it has not got";
    case codec_status::done: break;
  }
  return "the change ends the text";
}

}  // namespace

/// Calls the change. If it breaks a rule, nothing has happened but that, and the status is malformed.
codec_progress text_walk::rewrite(const text_piece& in, char* out, std::size_t room) noexcept {
  const codec_progress done = rewrite_(*this, in, out, room);
  const bool is_all = done.status == codec_status::need_input && done.consumed == in.text.size();
  if (is_all && done.produced <= room) return done;
  broken_rule_ = rule_broken_by(done, in, room);
  return broken_rule_ == nullptr ? done : codec_progress{0, 0, codec_status::malformed};
}

error_info text_walk::note_of(error_info told, const text_piece& in) const noexcept {
  if (told.line == 0) {  // before the piece, by so many bytes and characters
    text_position place = position_;
    place.offset -= told.offset;
    place.column -= told.column;
    static_cast<text_position&>(told) = place;
    return told;
  }
  const kernel_table& kernel = kernels();
  const std::string_view before = in.text.substr(0, static_cast<std::size_t>(told.offset));
  text_position place = position_;
  advance(place, kernel.validate_utf8(before.data(), before.size()),
          [&] { return kernel.utf8_last_line(before.data(), before.size()); });
  static_cast<text_position&>(told) = place;
  const std::size_t size = std::min<std::size_t>(told.size, told.bytes.size());
  told.size = static_cast<std::uint8_t>(in.text.copy(reinterpret_cast<char*>(told.bytes.data()), size, before.size()));
  return told;
}

/// What one look at some bytes has led to.
struct text_walk::step {
  std::size_t consumed, produced;
  codec_status status;
  bool waits;  // all that is left of the bytes must be carried
};

/// Takes characters from the start of the bytes until they are used up, the output is full, or there is an error. `more`
/// says that the present call has more input after these bytes.
text_walk::step text_walk::take_some(const char* in, std::size_t size, bool more, bool last, char* out,
                                     std::size_t room) noexcept {
  const kernel_table& kernel = kernels();
  run text = kernel.validate_utf8(in, size);
  const char* const rest = in + text.consumed;
  const std::size_t left = size - text.consumed;

  sequence next = sequence::incomplete(false, left);
  if (left != 0 && (!more || left >= longest_character))
    next = decode_utf8(reinterpret_cast<const unsigned char*>(rest), left, last && !more);
  const bool is_error = next.what == sequence::kind::ill_formed;
  follows then = follows::unknown;
  if (is_error)
    then = follows::error;
  else if (left == 0 && last && !more)
    then = follows::nothing;
  else if (left != 0)
    then = follows::part;

  const codec_progress done = rewrite({{in, text.consumed}, then}, out, room);
  if (broken_rule_ != nullptr) return {0, 0, codec_status::malformed, false};
  if (done.consumed != text.consumed) text = kernel.validate_utf8(in, done.consumed);
  if (position_.offset == 0) text.characters -= facts_.bom;  // a byte order mark is no column
  advance(position_, text, [&] { return kernel.utf8_last_line(in, done.consumed); });
  if (done.status == codec_status::malformed) {
    const sequence refused = first_character(in + done.consumed, size - done.consumed);
    note_error(errc::forbidden, in + done.consumed, refused.size, refused.value);
    return {done.consumed + refused.size, done.produced, codec_status::malformed, false};
  }
  if (done.status != codec_status::need_input) return {done.consumed, done.produced, done.status, false};
  if (in + done.consumed == rest && is_error) {
    note_error(next.code, rest, next.size);
    return {done.consumed + next.size, done.produced, codec_status::malformed, false};
  }
  return {done.consumed, done.produced, codec_status::need_input, done.consumed != size && !more};
}

codec_progress text_walk::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
  return progress_of(in, size, out, room, [&](cursor& at) noexcept { return pass(at, last); });
}

codec_progress text_walk::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                    repairer& by) noexcept {
  return progress_of(in, size, out, room, [&](cursor& at) noexcept {
    while (true) {
      const codec_status why = pass(at, last);
      if (why != codec_status::malformed || broken_rule_ != nullptr || !repair(at, by)) return why;
    }
  });
}

codec_status text_walk::pass(cursor& at, bool last) noexcept {
  static_assert(longest_carry >= text_piece::longest_wait + longest_character);
  // In bytes. Many are good for a kernel, but few enough to be in the cache when they are read again. At first there are
  // fewer, because the call may soon end at an error.
  constexpr std::size_t least = 64, few = 256, many = 4096;
  const bool is_empty = at.left() == 0;  // an empty call: the change may write what had no room
  std::size_t most = few;
  while (true) {
    const std::size_t left = at.left(), carried = carried_;
    if (carried + left == 0) {
      if (!last && !is_empty) return codec_status::need_input;
      const codec_progress end = rewrite({{}, last ? follows::nothing : follows::unknown}, at.out, at.room());
      at.out += end.produced;
      return end.status == codec_status::need_input && last ? codec_status::done : end.status;
    }

    step one;
    if (carried == 0) {
      const std::size_t n = std::min(left, std::clamp(at.room(), least, most));
      one = take_some(at.in, n, n != left, last, at.out, at.room());
      most = many;
      at.pass(one);
      if (one.waits) {
        std::memcpy(carry_.data(), at.in, at.left());
        carried_ = static_cast<std::uint8_t>(at.left());
        at.in = at.in_end;
      }
    } else {
      // The carried bytes come first. With those after them there are enough to decide about the first character, or
      // the input has no more.
      auto bytes = carry_;
      const std::size_t taken = std::min(left, bytes.size() - carried), known = carried + taken;
      if (taken != 0) std::memcpy(bytes.data() + carried, at.in, taken);
      one = take_some(bytes.data(), known, taken != left, last, at.out, at.room());
      std::size_t still = carried - std::min(carried, one.consumed);  // bytes that must still be carried
      if (one.waits) still = known - one.consumed;
      std::copy_n(bytes.begin() + one.consumed, still, carry_.begin());
      carried_ = static_cast<std::uint8_t>(still);
      at.in += one.consumed + still - carried;
      at.out += one.produced;
    }
    if (one.status != codec_status::need_input || one.waits) return one.status;
  }
}

/// Writes a repair as text of its own, character by character. With `last` it ends the output: writes what waits. A
/// character that the change refuses becomes ?, as one that the target lacks.
codec_progress text_walk::insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
  codec_status why = codec_status::need_input;
  const auto give = [&](cursor& at, std::string_view text, follows next) noexcept {
    std::size_t taken = 0;
    do {  // the text of a repair is not told
      const codec_progress one = rewrite({text.substr(taken), next}, at.out, at.room());
      at.out += one.produced;
      taken += one.consumed;
      why = one.status;
    } while (why == codec_status::told && !last);
    if (why != codec_status::malformed || broken_rule_ != nullptr) return taken;
    why = codec_status::need_output;
    if (at.room() == 0) return taken;
    at.write("?");
    why = codec_status::need_input;
    return taken + length_by_lead(static_cast<unsigned char>(text[taken]));
  };
  return progress_of(in, size, out, room, [&](cursor& at) noexcept {
    if (keeps_repairs_) {
      const std::size_t n = text_piece{{at.in, at.left()}}.fitting(at.room());
      at.write({at.in, n});
      at.in += n;
      if (at.left() != 0) return codec_status::need_output;
    }
    while (at.left() != 0 && why == codec_status::need_input) {
      const std::size_t n = length_by_lead(static_cast<unsigned char>(*at.in));
      at.in += give(at, {at.in, n}, follows::error);
    }
    if (!last) return why;

    // The text ends here. The first bytes of a character are left out.
    std::size_t waiting = kernels().validate_utf8(carry_.data(), carried_).consumed;
    while (waiting != 0 && why == codec_status::need_input) {
      const std::size_t n = give(at, {carry_.data(), waiting}, follows::nothing);
      waiting -= n;
      carried_ = static_cast<std::uint8_t>(carried_ - n);
      std::copy_n(carry_.begin() + n, carried_, carry_.begin());
    }
    if (why == codec_status::need_input) give(at, {}, follows::nothing);
    return why == codec_status::need_input ? codec_status::done : why;
  });
}

namespace {

/// The errors at the start of the bytes that repeat one of a single byte. What follows the last repetition decides about
/// it, so it is not one of them.
error_run repetitions(const error_info& error, const char* in, std::size_t size, std::size_t most) noexcept {
  if (error.size != 1) return {};
  std::size_t alike = 0;
  while (alike != size && alike <= most && static_cast<unsigned char>(in[alike]) == error.bytes[0]) ++alike;
  if (alike < 2) return {};
  return {alike - 1, alike - 1, sequence::ill_formed(error.code, 1, error.code_point)};
}

}  // namespace

/// Repairs the last error, and those that follow at once and have the same repair. Returns false if the last error noted
/// is not for the codec to repair.
bool text_walk::repair(cursor& at, repairer& by) noexcept {
  constexpr std::size_t longest_change = 12;  // the most bytes that one byte of a repair becomes: an escape of JSON
  bool is_unchanged = false;
  const auto repair_one = [&]() noexcept {
    char raw[repairer::longest_encoded];
    char* end = raw;
    if (at.room() < sizeof raw * longest_change) return false;
    if (!by.repair(error_, true, utf8_scheme, end, raw + sizeof raw)) return false;
    const std::string_view text(raw, static_cast<std::size_t>(end - raw));
    const std::size_t written = insert(raw, text.size(), at.out, at.room(), false).produced;
    is_unchanged = text == std::string_view(at.out, written);
    at.out += written;
    return true;
  };
  const auto alike = [&](std::size_t most) noexcept {
    const error_run run = repetitions(error_, at.in, at.left(), most);
    if (run.errors != 0 || !by.repairs_all_alike()) return run;
    return errors_at(at.in, at.left(), most,
                     [](const unsigned char* s, std::size_t n) { return decode_utf8(s, n, false); });
  };
  const auto note_run = [&](const error_run& run) noexcept {
    at.in += run.bytes;
    position_.pass_columns(run.errors - 1, run.bytes - run.last.size);
    note_error(run.last.code, at.in - run.last.size, run.last.size, run.last.value);
  };
  if (!repair_one()) return false;
  if (!is_unchanged) return true;
  const error_run second = alike(1);
  if (second.errors == 0) return true;
  note_run(second);
  if (!repair_one()) return false;

  // The repair has passed unchanged right after the same repair, so the repairer can write all further ones.
  if (!is_unchanged) return true;
  const error_run others = alike(by.most(at.left(), at.out, at.out_end));
  if (others.errors == 0) return true;
  by.repair_again(others.errors, at.out, at.out_end);
  note_run(others);
  return true;
}

}  // namespace utfilter::detail
