// line_sorter.cpp: passes whole lines in bulk. A line that the input cuts, or that has an error, is collected and
// decided.
#include <utfilter/line_sorter.hpp>

#include "codecs/cursor.hpp"
#include "encodings/encoding_scheme.hpp"
#include "kernels/words.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace utfilter {

using detail::cursor;

namespace {

constexpr std::size_t least_limit = 8;  // up to three bytes that turn out to be no byte order mark begin the first line
constexpr std::size_t least_reach = 256;  // bytes

/// U+000A in an encoding. It is one code unit.
struct line_feed {
  explicit line_feed(const detail::encoding_scheme& row) noexcept : size(row.encode(U'\n', bytes)) {}

  bool is_at(const char* in) const noexcept { return std::memcmp(in, bytes, size) == 0; }

  char bytes[6];
  std::size_t size;
};

/// The size of the whole lines at the start of the bytes, with their line feeds; 0 if there is no line feed.
std::size_t size_of_lines(const char* in, std::size_t size) noexcept {
  while (size >= 8 && detail::line_feeds_of(detail::load_word(in + size - 8)) == 0) size -= 8;
  return std::string_view(in, size).rfind('\n') + 1;
}
std::size_t size_of_lines(const char* in, std::size_t size, const line_feed& end) noexcept {
  if (end.size == 1) return size_of_lines(in, size);
  for (std::size_t at = size - size % end.size; at != 0; at -= end.size)
    if (end.is_at(in + at - end.size)) return at;
  return 0;
}

/// The size of the first line, with its line feed; 0 if there is no line feed.
std::size_t size_of_line(const char* in, std::size_t size, const line_feed& end) noexcept {
  const std::size_t place = end.bytes[0] == '\n' ? 0 : end.size - 1;  // of the byte 0A
  for (std::size_t at = 0; at < size;) {
    const void* const found = std::memchr(in + at, '\n', size - at);
    if (found == nullptr) return 0;
    at = static_cast<std::size_t>(static_cast<const char*>(found) - in) + 1;
    if (at < place + 1) continue;
    const std::size_t begin = at - 1 - place;
    if (begin % end.size == 0 && size - begin >= end.size && end.is_at(in + begin)) return begin + end.size;
  }
  return 0;
}

/// Whether an ill-formed line is UTF-8 nevertheless: the guess takes a text for UTF-8 by the same rule.
bool is_damaged_utf8(std::string_view line) noexcept {
  std::size_t beyond_ascii = 0, errors = 0;
  while (!line.empty()) {
    const detail::sequence next =
        detail::decode_utf8(reinterpret_cast<const unsigned char*>(line.data()), line.size(), true);
    const bool is_error = next.what == detail::sequence::kind::ill_formed;
    errors += is_error;
    beyond_ascii += !is_error && next.value > 0x7F;
    line.remove_prefix(next.size);
  }
  return beyond_ascii >= 2 && beyond_ascii >= 2 * errors;
}

/// Whether the codec finds no error in the bytes. If it does, its error() is that error.
bool fits(transcoder& codec, const char* in, std::size_t size, bool last) noexcept {
  char text[4096];
  while (true) {
    const codec_progress done = codec.transform(in, size, text, sizeof text, last);
    if (done.status != codec_status::need_output) return done.status != codec_status::malformed;
    in += done.consumed;
    size -= done.consumed;
  }
}

/// The number of bytes from a place in a text to the beginning of the line of a later place; 0 if both are in one line.
std::size_t size_to_line(const text_position& from, const text_position& to) noexcept {
  return to.line == from.line ? 0 : static_cast<std::size_t>(to.line_offset - from.offset);
}

/// The beginning of the line of a place in a text. Precondition: a line feed is before it.
text_position line_of(text_position place) noexcept {
  place.offset = place.line_offset;
  place.pass_lines(0);
  return place;
}

/// A decoder of text that has no byte order mark.
transcoder decoder_of(encoding e) noexcept {
  checkpoint within;
  within.encoding = e;
  transcoder codec = transcoder::decoding(e, bom::automatic);
  codec.go_to(within);
  return codec;
}

}  // namespace

//-------------------------------------------------------------------------------------------------------------- records

std::string odd_line::reason() const { return part == 0 ? to_string(error.code) : "line too long"; }

//--------------------------------------------------------------------------------------------------------- construction

line_sorter::held_line::held_line(std::size_t most) : bytes(new char[most]), capacity(most) {}

line_sorter::held_line::held_line(const held_line& other) : held_line() { *this = other; }

line_sorter::held_line& line_sorter::held_line::operator=(const held_line& other) {
  if (bytes == nullptr || capacity != other.capacity) {  // this may be moved from
    bytes.reset(other.capacity == 0 ? nullptr : new char[other.capacity]);
    capacity = other.capacity;
  }
  size = other.size;
  if (size != 0 && this != &other) std::memcpy(bytes.get(), other.bytes.get(), size);
  return *this;
}

line_sorter::line_sorter(const transcoder& decoder, const line_rules& rules)
    : transcoder(decoder), rules_(rules), begin_(position_), fallback_(decoder) {
  if (rules_.policy != line_policy::keep) line_ = held_line(rules_.limit - rules_.limit % 4);
}

const char* line_sorter::why_not(encoding from, const line_rules& rules) noexcept {
  switch (rules.policy) {
    case line_policy::keep:
      if (rules.sink) return "line_policy::keep puts no line aside, so it needs no line_rules::sink";
      break;
    case line_policy::put_aside:
      if (!rules.sink) return "line_policy::put_aside needs a line_rules::sink";
      break;
    case line_policy::fall_back:
      if (rules.fallbacks.empty()) return "line_policy::fall_back needs line_rules::fallbacks";
      break;
  }
  if (rules.policy != line_policy::fall_back && (!rules.fallbacks.empty() || rules.observer))
    return "only line_policy::fall_back uses line_rules::fallbacks and line_rules::observer";
  if (rules.limit < least_limit) return "line_rules::limit must be at least 8";
  const detail::encoding_scheme* const source = detail::scheme_of(from);
  for (const encoding e : rules.fallbacks) {
    const detail::encoding_scheme* const row = detail::scheme_of(e);
    if (row == nullptr) return "line_rules::fallbacks must name encodings of this library";
    if (source != nullptr && row->code_unit != source->code_unit)
      return "the code units of line_rules::fallbacks must be as large as those of the text";
  }
  return nullptr;
}

//------------------------------------------------------------------------------------------------------------ the
//stages

codec_progress line_sorter::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                      bool last) noexcept {
  if (rules_.policy == line_policy::keep) return transcoder::transform(in, size, out, room, last);
  return detail::progress_of(in, size, out, room, [&](cursor& at) noexcept {
    std::optional<codec_status> stopped = begin_lines(at, last);
    while (!stopped) stopped = step(at, last);
    return *stopped;
  });
}

/// Handles the byte order mark. If the withheld bytes turn out to be no byte order mark, they begin the first line.
/// This function and those that it calls return a status if transform must return it.
std::optional<codec_status> line_sorter::begin_lines(cursor& at, bool last) noexcept {
  if (phase_ == phase::text) return std::nullopt;
  if (const auto stopped = begin_bom(at, last)) return stopped;
  counts_.bytes_passed += bom_size_;
  line_begin_ = position_;
  std::copy_n(carry_.begin(), carried_, line_.bytes.get());
  line_.size = carried_;
  carried_ = 0;
  return std::nullopt;
}

std::optional<codec_status> line_sorter::step(cursor& at, bool last) noexcept {
  switch (stage_) {
    case stage::gathering: {
      if (line_.size != 0 || part_ != 0) return gather(at, last);
      const auto stopped = pass_lines(at);
      return stopped ? stopped : gather(at, last);
    }
    case stage::passing:
    case stage::falling: return drain(at);
    case stage::telling:
    case stage::observing: break;
  }
  return codec_status::told;
}

/// The size of whole lines at the start of the bytes, with their line feeds; 0 if there is no line feed. It looks for
/// the last line feed in reach_ bytes alone, or for the first one if that is farther away. note_passed() sets reach_ to
/// about twice the bytes of the last lines that passed. So the bytes that are looked at for one line with an error are
/// as few as those of the lines around it, although a long line may follow: the whole search is linear.
std::size_t line_sorter::find_lines(const char* in, std::size_t size) const noexcept {
  const line_feed end(*source_);
  size = (std::min)(size, line_.capacity);
  for (std::size_t most = reach_;; most *= 4) {
    const std::size_t lines = size_of_lines(in, (std::min)(size, most), end);
    if (lines != 0 || most >= size) return lines;
  }
}

/// Call this when `passed` bytes of the lines that find_lines() has found have passed.
void line_sorter::note_passed(std::size_t passed, std::size_t lines) noexcept {
  const std::size_t before = passed == lines ? (std::max)(reach_, passed) : passed;
  reach_ = std::clamp(2 * before, least_reach, (std::max)(least_reach, line_.capacity));
}

/// Decodes whole lines from the input to the output, up to the first one that has an error or no room.
std::optional<codec_status> line_sorter::pass_lines(cursor& at) noexcept {
  while (true) {
    const std::size_t size = find_lines(at.in, at.left());
    if (size == 0) return std::nullopt;
    const transcoder before = *this;
    const codec_progress done = transcoder::transform(at.in, size, at.out, at.room(), false);
    if (done.status == codec_status::need_input) {
      count_passed(before.position());
      at.pass(done);
      note_passed(size, size);
      continue;
    }
    const text_position stop = position_;
    static_cast<transcoder&>(*this) = before;
    const std::size_t passed = size_to_line(position_, stop);
    note_passed(passed, size);
    if (passed == 0) return std::nullopt;
    if (has_states_) {  // only the bytes of the lines tell the state after them
      at.out += transcoder::transform(at.in, passed, at.out, at.room(), false).produced;
    } else {
      at.out += size_of_lines(at.out, done.produced);
      position_ = line_of(stop);
    }
    after_error_ = done.status == codec_status::malformed;
    at.in += passed;
    count_passed(before.position());
    if (done.status == codec_status::need_output) return codec_status::need_output;
    return std::nullopt;
  }
}

/// Collects a line, and decides it when it is whole.
std::optional<codec_status> line_sorter::gather(cursor& at, bool last) noexcept {
  if (line_.size == 0 && part_ == 0) line_begin_ = position_;
  is_ended_ = gather_to_line_feed(at);
  const bool is_part = !is_ended_ && at.left() != 0;  // the line has more bytes than the limit
  is_last_ = !is_ended_ && !is_part;
  if (is_last_ && !last) return codec_status::need_input;
  if (is_last_ && line_.size == 0) {
    const codec_progress end = transcoder::transform(nullptr, 0, at.out, at.room(), true);
    at.out += end.produced;
    return end.status;
  }
  if (!is_part && part_ == 0) return decide(at);
  ++part_;
  line_error_ = {};
  static_cast<text_position&>(line_error_) = line_begin_;
  stage_ = rules_.sink ? stage::telling : stage::passing;
  return std::nullopt;
}

/// Takes bytes up to the first line feed, with it, and returns true; or as many as there are and line_ can hold.
bool line_sorter::gather_to_line_feed(cursor& at) noexcept {
  const line_feed end(*source_);
  while (line_.size % end.size != 0) {  // the input cut a code unit
    if (at.left() == 0) return false;
    line_.bytes[line_.size++] = *at.in++;
    if (line_.size % end.size == 0 && end.is_at(line_.bytes.get() + line_.size - end.size)) return true;
  }
  const std::size_t most = (std::min)(at.left(), line_.capacity - line_.size);
  const std::size_t line = size_of_line(at.in, most, end);
  const std::size_t taken = line != 0 ? line : most;
  std::copy_n(at.in, taken, line_.bytes.get() + line_.size);
  line_.size += taken;
  at.in += taken;
  return line != 0;
}

/// Decodes the line, if it is well-formed. Otherwise goes back to its beginning, and chooses what becomes of it.
std::optional<codec_status> line_sorter::decide(cursor& at) noexcept {
  const transcoder before = *this;
  const codec_progress done = transcoder::transform(line_.bytes.get(), line_.size, at.out, at.room(), is_last_);
  if (done.status == codec_status::need_input || done.status == codec_status::done) {
    at.out += done.produced;
    finish_line(counts_.lines_passed, counts_.bytes_passed);
    return std::nullopt;
  }
  if (done.status == codec_status::need_output) {
    transcoder rest = *this;
    if (fits(rest, line_.bytes.get() + done.consumed, line_.size - done.consumed, is_last_)) {
      at.out += done.produced;
      drained_ = done.consumed;
      stage_ = stage::passing;
      return codec_status::need_output;
    }
    error_ = rest.error();
  }
  line_error_ = error_;
  static_cast<transcoder&>(*this) = before;
  if (find_fallback())
    stage_ = rules_.observer ? stage::observing : stage::falling;
  else
    stage_ = rules_.sink ? stage::telling : stage::passing;
  return std::nullopt;
}

/// Lets fallback_ be a decoder of the first encoding in which the line is well-formed. Returns false if there is none, or if
/// the line is damaged UTF-8.
bool line_sorter::find_fallback() noexcept {
  if (source_->value == encoding::utf8 && is_damaged_utf8({line_.bytes.get(), line_.size})) return false;
  for (const encoding e : rules_.fallbacks) {
    if (detail::scheme_of(e)->code_unit != source_->code_unit) continue;
    fallback_ = decoder_of(e);
    transcoder trial = fallback_;
    if (fits(trial, line_.bytes.get(), line_.size, true)) return true;
  }
  return false;
}

/// Decodes the line, or what is left of it, to the output.
std::optional<codec_status> line_sorter::drain(cursor& at) noexcept {
  const bool falls = stage_ == stage::falling;
  transcoder& codec = falls ? fallback_ : *this;
  const codec_progress done = codec.transcoder::transform(line_.bytes.get() + drained_, line_.size - drained_, at.out,
                                                          at.room(), falls || is_last_);
  drained_ += done.consumed;
  at.out += done.produced;
  if (done.status == codec_status::need_output || done.status == codec_status::malformed) return done.status;
  if (falls) {
    position_.pass_columns(fallback_.position().column - 1, line_.size);  // of a line without a line feed
    ++counts_.lines_fallen_back;
    counts_.bytes_fallen_back += line_.size;
  } else if (has_states_ && is_ended_ && position_.line == line_begin_.line) {
    // The line feed was a part of an error. The next line begins in the first state.
    read(detail::scheme_of(source_->value));
  }
  finish_line(counts_.lines_passed, counts_.bytes_passed);
  return std::nullopt;
}

void line_sorter::tell(const std::function<void(const error_info&)>&) {
  odd_line line;
  line.text = {line_.bytes.get(), line_.size};
  line.begin = position_.offset;
  line.end = line.begin + line_.size;
  line.part = part_;
  line.error = line_error_;
  if (stage_ == stage::observing) {
    line.read_as = fallback_.facts().encoding;
    rules_.observer(line);
    stage_ = stage::falling;
    return;
  }
  rules_.sink(line);
  position_.offset = line.end;
  after_error_ = true;
  finish_line(counts_.lines_put_aside, counts_.bytes_put_aside);
}

//-------------------------------------------------------------------------------------------------------- line by line

/// Counts the line, or the part of a line, in line_, and goes on to the next one.
void line_sorter::finish_line(std::uint64_t& lines, std::uint64_t& bytes) noexcept {
  if (part_ <= 1) ++lines;
  bytes += line_.size;
  facts_.changes = counts_.lines_put_aside + counts_.lines_fallen_back;
  if (is_ended_ && position_.line == line_begin_.line) position_.pass_lines(1);
  if (is_ended_) part_ = 0;
  line_.size = drained_ = 0;
  stage_ = stage::gathering;
}

/// Counts the lines from a place to the present one.
void line_sorter::count_passed(const text_position& before) noexcept {
  counts_.lines_passed += position_.line - before.line;
  counts_.bytes_passed += position_.offset - before.offset;
}

std::size_t line_sorter::check(const char* in, std::size_t size) noexcept {
  if (rules_.policy == line_policy::keep) return transcoder::check(in, size);
  std::size_t passed = 0;
  while (true) {
    const std::size_t lines = find_lines(in + passed, size - passed);
    if (lines == 0) return passed;
    const text_position before = position_;
    const std::size_t checked = transcoder::check(in + passed, lines);
    if (checked != lines) position_ = position_.line == before.line ? before : line_of(position_);
    count_passed(before);
    const auto whole = static_cast<std::size_t>(position_.offset - before.offset);
    note_passed(whole, lines);
    passed += whole;
    if (checked != lines) return passed;
  }
}

std::size_t line_sorter::give_back(char* out) noexcept {
  std::copy_n(line_.bytes.get(), line_.size, out);
  return std::exchange(line_.size, 0);
}

line_counts line_sorter::counts() const noexcept {
  line_counts counts = counts_;
  if (rules_.policy != line_policy::keep) return counts;
  counts.lines_passed = position_.line - begin_.line;
  counts.bytes_passed = position_.offset - begin_.offset;
  if (position_.offset > (std::max)(position_.line_offset, begin_.offset + bom_size_)) ++counts.lines_passed;
  return counts;
}

}  // namespace utfilter
