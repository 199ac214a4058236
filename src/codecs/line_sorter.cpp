// line_sorter.cpp: passes whole lines and records in bulk. One that the input cuts, or that has an error, is collected and
// decided.
#include <utfilter/line_sorter.hpp>

#include "codecs/cursor.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/guess.hpp"
#include "kernels/words.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace utfilter {

using detail::cursor;
using detail::found_records;
using detail::record_search;

namespace {

constexpr std::size_t least_limit = 8;  // up to three bytes that turn out to be no byte order mark begin the first line
constexpr std::size_t least_reach = 256;  // bytes
constexpr std::size_t most_extra = 4;  // bytes: the longest code unit, and the longest character of which CSV may ask

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

/// The first error of the codec in the bytes, or what `find` finds in the decoded text before it, with its place.
template <class Find>
std::optional<error_info> first_error_in(transcoder codec, const char* in, std::size_t size, bool last,
                                         const Find& find) noexcept {
  char text[4096];
  while (true) {
    transcoder before = codec;
    const codec_progress done = codec.transform(in, size, text, sizeof text, last);
    if (std::optional<error_info> found = find(std::string_view(text, done.produced))) {
      const std::size_t size_before = (std::min)(static_cast<std::size_t>(found->offset), done.produced);
      before.transform(in, size, text, size_before, last);
      static_cast<text_position&>(*found) = before.position();
      return found;
    }
    if (done.status == codec_status::malformed) return codec.error();
    if (done.status != codec_status::need_output) return std::nullopt;
    in += done.consumed;
    size -= done.consumed;
  }
}

/// Finds where records end that are no lines.
class record_ends {
 public:
  record_ends(const line_rules& rules, const detail::encoding_scheme& row) noexcept
      : rules_(rules),
        row_(row),
        end_(row),
        is_big_endian_(end_.bytes[0] == 0),
        units_are_characters_(end_.size > 1 || row.longest == 1 || row.value == encoding::utf8) {}

  /// The size of the first record; 0 if its end is not among the first `most` of the bytes. `size` is all of them: those
  /// after `most` only tell what follows; with `last`, nothing follows them. The search goes on from `at`.
  std::size_t find(const char* in, std::size_t most, std::size_t size, bool last, record_search& at) const noexcept {
    return rules_.records == record_kind::csv ? find_csv(in, most, size, at) : find_indented(in, most, size, last, at);
  }

  /// The whole records among the first `most` of the bytes. The bytes begin with a record.
  found_records whole(const char* in, std::size_t most, std::size_t size) const noexcept {
    found_records all;
    if (most == 0) return all;
    if (rules_.records == record_kind::csv && end_.size == 1 && units_are_characters_ &&
        std::memchr(in, rules_.quote, most) == nullptr) {
      all.size = size_of_lines(in, most);
      all.count = static_cast<std::uint64_t>(std::count(in, in + all.size, '\n'));
      return all;
    }
    record_search at;
    for (std::size_t one = 1; one != 0;) {
      at.at = 0;
      at.within = before_field;
      one = find(in + all.size, most - all.size, size - all.size, false, at);
      all.size += one;
      all.count += one != 0;
    }
    return all;
  }

 private:
  /// Where a character of CSV is.
  enum place : std::uint8_t { before_field, in_field, in_quotes, after_quote };

  char32_t unit_at(const char* in) const noexcept {
    char32_t unit = 0;
    for (std::size_t i = 0; i != end_.size; ++i)
      unit = unit << 8 | static_cast<unsigned char>(in[is_big_endian_ ? i : end_.size - 1 - i]);
    return unit;
  }

  std::size_t find_indented(const char* in, std::size_t most, std::size_t size, bool last,
                            record_search& at) const noexcept {
    while (at.at < most) {
      const std::size_t line = size_of_line(in + at.at, most - at.at, end_);
      if (line == 0) {
        at.at = most - most % end_.size;
        return 0;
      }
      const std::size_t next = at.at + line;
      if (size - next < end_.size) return last ? next : 0;
      const char32_t c = unit_at(in + next);
      if (c != U' ' && c != U'\t') return next;
      at.at = next;
    }
    return 0;
  }

  std::size_t find_csv(const char* in, std::size_t most, std::size_t size, record_search& at) const noexcept {
    char32_t c = 0;
    while ((at.at += size_of_no_mark(in + at.at, most - at.at, at.within)) < most) {
      const std::size_t taken = take(in + at.at, size - at.at, at, c);
      if (taken == 0) return 0;
      at.at += taken;
      if (c == U'\n' && at.within != in_quotes) return at.at;
      at.within = after(c, static_cast<place>(at.within));
    }
    return 0;
  }

  /// The bytes before the next one that matters inside a field. It looks at single bytes only.
  std::size_t size_of_no_mark(const char* in, std::size_t size, std::uint8_t within) const noexcept {
    if (!units_are_characters_ || end_.size != 1) return 0;
    const char* at = in;
    if (within == in_quotes)
      at = std::find(in, in + size, rules_.quote);
    else if (within == in_field)
      at = std::find_if(in, in + size, [&](char c) { return c == '\n' || c == rules_.delimiter; });
    return static_cast<std::size_t>(at - in);
  }

  place after(char32_t c, place within) const noexcept {
    const bool is_quote = c == static_cast<char32_t>(rules_.quote);
    if (within == in_quotes) return is_quote ? after_quote : in_quotes;
    if (is_quote && within != in_field) return in_quotes;  // the second of two quotes stands for one
    return c == static_cast<char32_t>(rules_.delimiter) ? before_field : in_field;
  }

  /// Takes one character, or one error, which ends before a line feed. `c` becomes the character if it is one of ASCII.
  /// Returns its size; 0 if it needs more bytes.
  std::size_t take(const char* in, std::size_t size, record_search& at, char32_t& c) const noexcept {
    if (units_are_characters_ || *in == '\n') {
      if (size < end_.size) return 0;
      c = unit_at(in);
      return end_.size;
    }
    const detail::encoding_scheme* const row = at.row == nullptr ? &row_ : at.row;
    const detail::sequence next = row->decode(reinterpret_cast<const unsigned char*>(in), size, false);
    c = next.what == detail::sequence::kind::scalar ? next.value : 0;
    const void* const line_feed = next.size < 2 ? nullptr : std::memchr(in + 1, '\n', next.size - 1);
    if (line_feed != nullptr) return static_cast<std::size_t>(static_cast<const char*>(line_feed) - in);
    if (row->after != nullptr && next.size != 0) at.row = row->after(in, next.size);
    return next.size;
  }

  const line_rules& rules_;
  const detail::encoding_scheme& row_;
  line_feed end_;
  bool is_big_endian_;
  bool units_are_characters_;  // a code unit that looks like a character of ASCII is one
};

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
  extra = other.extra;
  if (size + extra != 0 && this != &other) std::memcpy(bytes.get(), other.bytes.get(), size + extra);
  return *this;
}

line_sorter::line_sorter(const transcoder& decoder, const line_rules& rules)
    : transcoder(decoder), rules_(rules), begin_(position_), fallback_(decoder) {
  // After a record, the first character of the next one may be held.
  if (rules_.policy != line_policy::keep)
    line_ = held_line(limit() + (rules_.records == record_kind::line ? 0 : most_extra));
}

const char* line_sorter::why_not(encoding from, const line_rules& rules) noexcept {
  switch (rules.policy) {
    case line_policy::keep:
      if (rules.sink) return "line_policy::keep puts no line aside, so it needs no line_rules::sink";
      if (rules.records != record_kind::line || rules.finder)
        return "line_policy::keep decides about no line, so it needs neither line_rules::records nor line_rules::finder";
      break;
    case line_policy::put_aside:
      if (!rules.sink) return "line_policy::put_aside needs a line_rules::sink";
      break;
    case line_policy::fall_back:
      if (rules.fallbacks.empty()) return "line_policy::fall_back needs line_rules::fallbacks";
      if (rules.fallbacks.size() > 255) return "line_rules::fallbacks names more than 255 encodings";
      break;
  }
  if (rules.policy != line_policy::fall_back && (!rules.fallbacks.empty() || rules.observer))
    return "only line_policy::fall_back uses line_rules::fallbacks and line_rules::observer";
  if (rules.limit < least_limit) return "line_rules::limit must be at least 8";
  const auto divides = [](char c) { return c == '\n' || c == '\r' || static_cast<unsigned char>(c) > 0x7F; };
  if (rules.records == record_kind::csv &&
      (divides(rules.delimiter) || divides(rules.quote) || rules.delimiter == rules.quote))
    return "line_rules::delimiter and line_rules::quote must be two characters of ASCII that end no line";
  const detail::encoding_scheme* const source = detail::scheme_of(from);
  for (const encoding e : rules.fallbacks) {
    if (e != encoding::guess && detail::scheme_of(e) == nullptr)
      return "line_rules::fallbacks must name encodings of this library";
    if (source != nullptr && code_unit_size(e) != source->code_unit)
      return "the code units of line_rules::fallbacks must be as large as those of the text";
  }
  return nullptr;
}

//----------------------------------------------------------------------------------------------------------- the stages

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

/// The whole lines or records at the start of the bytes. It looks for the last one that ends in reach_ bytes, or for the
/// first one if that ends farther away. note_passed() sets reach_ to about twice the bytes of the last ones that passed. So
/// the bytes that are looked at for one line with an error are as few as those of the lines around it, although a long
/// line may follow: the whole search is linear.
found_records line_sorter::find_records(const char* in, std::size_t size) const noexcept {
  const std::size_t all = size;
  size = (std::min)(size, limit());
  for (std::size_t most = reach_;; most *= 4) {
    const std::size_t part = (std::min)(size, most);
    const found_records found = rules_.records == record_kind::line
                                    ? found_records{size_of_lines(in, part, line_feed(*source_)), 0}
                                    : record_ends(rules_, *source_).whole(in, part, all);
    if (found.size != 0 || most >= size) return found;
  }
}

/// Call this when `passed` bytes of those that find_records() has found have passed.
void line_sorter::note_passed(std::size_t passed, std::size_t found) noexcept {
  const std::size_t before = passed == found ? (std::max)(reach_, passed) : passed;
  reach_ = std::clamp(2 * before, least_reach, (std::max)(least_reach, limit()));
}

/// What the finder of the rules finds in decoded text.
std::optional<error_info> line_sorter::find(std::string_view text) const noexcept {
  if (!rules_.finder || text.empty()) return std::nullopt;
  return rules_.finder(text);
}

/// The first error of the codec in the bytes, or what the finder of the rules finds before it, with its place.
std::optional<error_info> line_sorter::first_error(transcoder codec, const char* in, std::size_t size,
                                                   bool last) const noexcept {
  return first_error_in(codec, in, size, last, [this](std::string_view text) { return find(text); });
}

/// Decodes whole lines or records from the input to the output, up to the first one that has an error or no room.
std::optional<codec_status> line_sorter::pass_lines(cursor& at) noexcept {
  while (true) {
    const found_records found = find_records(at.in, at.left());
    if (found.size == 0) return std::nullopt;
    const transcoder before = *this;
    codec_progress done = transcoder::transform(at.in, found.size, at.out, at.room(), false);
    if (const std::optional<error_info> odd = find({at.out, done.produced})) {
      static_cast<transcoder&>(*this) = before;
      const std::size_t most = (std::min)(static_cast<std::size_t>(odd->offset), done.produced);
      done = transcoder::transform(at.in, found.size, at.out, most, false);
      done.status = codec_status::malformed;
    }
    if (done.status == codec_status::need_input) {
      count_passed(before.position(), found.count);
      at.pass(done);
      note_passed(found.size, found.size);
      continue;
    }
    const text_position stop = position_;
    static_cast<transcoder&>(*this) = before;
    const auto clean = static_cast<std::size_t>(stop.offset - position_.offset);
    const found_records passed = rules_.records == record_kind::line
                                     ? found_records{size_to_line(position_, stop), 0}
                                     : record_ends(rules_, *source_).whole(at.in, clean, found.size);
    note_passed(passed.size, found.size);
    if (passed.size == 0) return std::nullopt;
    if (has_states_ || rules_.records != record_kind::line) {  // only their bytes tell what is after them
      at.out += transcoder::transform(at.in, passed.size, at.out, at.room(), false).produced;
    } else {
      at.out += size_of_lines(at.out, done.produced);
      position_ = line_of(stop);
    }
    after_error_ = done.status == codec_status::malformed;
    at.in += passed.size;
    count_passed(before.position(), passed.count);
    if (done.status == codec_status::need_output) return codec_status::need_output;
    return std::nullopt;
  }
}

/// Collects a line or a record, and decides it when it is whole.
std::optional<codec_status> line_sorter::gather(cursor& at, bool last) noexcept {
  if (line_.size == 0 && part_ == 0) line_begin_ = position_;
  is_ended_ = rules_.records == record_kind::line ? gather_to_line_feed(at) : gather_to_end_of_record(at, last);
  const bool is_part =
      !is_ended_ && line_.size == limit() && line_.extra + at.left() != 0;  // it is longer than the limit
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

/// Takes bytes up to the end of a record, and returns true; or as many as there are, or as a part has. What it has taken of
/// the next record goes back, but for those that an earlier call has taken: they are line_.extra.
bool line_sorter::gather_to_end_of_record(cursor& at, bool last) noexcept {
  const record_ends ends(rules_, *source_);
  const char* const begin = at.in;
  while (true) {
    const std::size_t most = (std::min)(line_.size, limit());
    const bool is_all = last && at.left() == 0;
    const std::size_t end = ends.find(line_.bytes.get(), most, line_.size, is_all, search_);
    if (end != 0 || line_.size == line_.capacity || (is_all && line_.size > limit())) {
      line_.extra = line_.size - (end != 0 ? end : most);
      line_.size -= line_.extra;
      const std::size_t back = (std::min)(line_.extra, static_cast<std::size_t>(at.in - begin));
      at.in -= back;
      line_.extra -= back;
      return end != 0;
    }
    if (at.left() == 0) return false;
    const std::size_t taken = (std::min)({at.left(), line_.capacity - line_.size, (std::max)(least_reach, line_.size)});
    std::copy_n(at.in, taken, line_.bytes.get() + line_.size);
    line_.size += taken;
    at.in += taken;
  }
}

/// Decodes the line, if it is well-formed. Otherwise goes back to its beginning, and chooses what becomes of it.
std::optional<codec_status> line_sorter::decide(cursor& at) noexcept {
  const transcoder before = *this;
  const codec_progress done = transcoder::transform(line_.bytes.get(), line_.size, at.out, at.room(), is_last_);
  std::optional<error_info> error;
  if (find({at.out, done.produced}))
    error = first_error(before, line_.bytes.get(), line_.size, is_last_);
  else if (done.status == codec_status::malformed)
    error = error_;
  else if (done.status == codec_status::need_output)
    error = first_error(*this, line_.bytes.get() + done.consumed, line_.size - done.consumed, is_last_);
  if (!error) {
    at.out += done.produced;
    drained_ = done.consumed;
    if (done.status != codec_status::need_output) {
      finish_line(counts_.lines_passed, counts_.bytes_passed, counts_.records_passed);
      return std::nullopt;
    }
    stage_ = stage::passing;
    return codec_status::need_output;
  }
  line_error_ = *error;
  static_cast<transcoder&>(*this) = before;
  // What the finder finds in a well-formed line is no sign of another encoding.
  const auto finds_nothing = [](std::string_view) { return std::optional<error_info>(); };
  const bool is_well_formed =
      rules_.finder && !first_error_in(*this, line_.bytes.get(), line_.size, is_last_, finds_nothing);
  if (!is_well_formed && find_fallback())
    stage_ = rules_.observer ? stage::observing : stage::falling;
  else
    stage_ = rules_.sink ? stage::telling : stage::passing;
  return std::nullopt;
}

namespace {

/// The encoding of these, or of all if there are none, in which the line is likely to be text; detect if none is.
encoding likeliest(std::string_view line, const encoding* candidates, const encoding* end) noexcept {
  detail::guess_rules rules;
  rules.guess_bytes = line.size() + 1;  // the line is the whole text
  rules.candidates = candidates;
  rules.candidate_count = static_cast<std::uint8_t>(end - candidates);
  const detail::guess found = detail::guess_encoding(line, rules);
  return found.decided_by_of_value() == evidence::assumption ? encoding::detect : found.value;
}

}  // namespace

/// Lets fallback_ be a decoder of the first encoding in which the line is well-formed. Returns false if there is none, or if
/// the line is damaged UTF-8.
bool line_sorter::find_fallback() noexcept {
  if (source_->value == encoding::utf8 && is_damaged_utf8({line_.bytes.get(), line_.size})) return false;
  const encoding* const end = rules_.fallbacks.data() + rules_.fallbacks.size();
  for (const encoding* each = rules_.fallbacks.data(); each != end; ++each) {
    if (code_unit_size(*each) != source_->code_unit) continue;
    const encoding named = *each == encoding::guess ? likeliest({line_.bytes.get(), line_.size}, each + 1, end) : *each;
    if (named == encoding::detect) continue;
    fallback_ = decoder_of(named);
    if (!first_error(fallback_, line_.bytes.get(), line_.size, true)) return true;
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
    position_ = moved(fallback_.position(), text_position(), position_);
    counts_.lines_fallen_back += lines_here();
    counts_.bytes_fallen_back += line_.size;
    ++counts_.records_fallen_back;
  } else if (has_states_ && is_ended_ && position_.line_offset != position_.offset) {
    // The line feed was a part of an error. The next line begins in the first state.
    position_.pass_lines(1);
    read(detail::scheme_of(source_->value));
  }
  finish_line(counts_.lines_passed, counts_.bytes_passed, counts_.records_passed);
  return std::nullopt;
}

void line_sorter::tell(const std::function<void(const error_info&)>&) {
  odd_line line;
  line.text = {line_.bytes.get(), line_.size};
  line.begin = position_.offset;
  line.end = line.begin + line_.size;
  line.part = part_;
  line.error = line_error_;
  line.first_line = position_.line;
  line.line_feeds = line_feeds();
  if (stage_ == stage::observing) {
    line.read_as = fallback_.facts().encoding;
    rules_.observer(line);
    stage_ = stage::falling;
    return;
  }
  rules_.sink(line);
  if (line.line_feeds != 0) {
    position_.offset += size_of_lines(line.text.data(), line.text.size(), line_feed(*source_));
    position_.pass_lines(line.line_feeds);
  }
  position_.offset = line.end;
  after_error_ = true;
  finish_line(counts_.lines_put_aside, counts_.bytes_put_aside, counts_.records_put_aside);
}

//-------------------------------------------------------------------------------------------------------- line by line

/// The number of line feeds in line_.
std::uint64_t line_sorter::line_feeds() const noexcept {
  if (rules_.records == record_kind::line) return is_ended_;
  const line_feed end(*source_);
  std::uint64_t count = 0;
  for (std::size_t at = 0; at != line_.size; ++count) {
    const std::size_t line = size_of_line(line_.bytes.get() + at, line_.size - at, end);
    if (line == 0) break;
    at += line;
  }
  return count;
}

/// The number of lines that line_ counts for.
std::uint64_t line_sorter::lines_here() const noexcept {
  if (rules_.records == record_kind::line) return part_ <= 1;
  const bool is_cut = is_last_ && size_of_lines(line_.bytes.get(), line_.size, line_feed(*source_)) != line_.size;
  return line_feeds() + is_cut;
}

/// Counts the line, or the part of a line, in line_, and goes on to the next one.
void line_sorter::finish_line(std::uint64_t& lines, std::uint64_t& bytes, std::uint64_t& records) noexcept {
  lines += lines_here();
  bytes += line_.size;
  records += part_ <= 1;
  facts_.changes = counts_.records_put_aside + counts_.records_fallen_back;
  if (is_ended_) {
    part_ = 0;
    line_begin_ = position_;
    search_ = {};
  } else {
    search_.at -= (std::min)(search_.at, line_.size);
  }
  if (line_.extra != 0) std::memmove(line_.bytes.get(), line_.bytes.get() + line_.size, line_.extra);
  line_.size = std::exchange(line_.extra, 0);
  drained_ = 0;
  stage_ = stage::gathering;
}

/// Counts the lines from a place to the present one.
void line_sorter::count_passed(const text_position& before, std::uint64_t records) noexcept {
  counts_.lines_passed += position_.line - before.line;
  counts_.bytes_passed += position_.offset - before.offset;
  counts_.records_passed += rules_.records == record_kind::line ? position_.line - before.line : records;
}

std::size_t line_sorter::check(const char* in, std::size_t size) noexcept {
  if (rules_.policy == line_policy::keep) return transcoder::check(in, size);
  std::size_t passed = 0;
  while (true) {
    const found_records found = find_records(in + passed, size - passed);
    if (found.size == 0) return passed;
    const text_position before = position_;
    std::size_t checked = transcoder::check(in + passed, found.size);
    if (const std::optional<error_info> odd = find({in + passed, checked})) {
      position_ = before;
      checked = transcoder::check(in + passed, (std::min)(static_cast<std::size_t>(odd->offset), checked));
    }
    std::uint64_t records = found.count;
    if (checked != found.size && rules_.records == record_kind::line) {
      position_ = position_.line == before.line ? before : line_of(position_);
    } else if (checked != found.size) {
      const found_records clean = record_ends(rules_, *source_).whole(in + passed, checked, found.size);
      position_ = before;
      transcoder::check(in + passed, clean.size);
      records = clean.count;
    }
    count_passed(before, records);
    const auto whole = static_cast<std::size_t>(position_.offset - before.offset);
    note_passed(whole, found.size);
    passed += whole;
    if (checked != found.size) return passed;
  }
}

std::size_t line_sorter::give_back(char* out) noexcept {
  std::copy_n(line_.bytes.get(), line_.size, out);
  search_ = {};
  return std::exchange(line_.size, 0);
}

line_counts line_sorter::counts() const noexcept {
  line_counts counts = counts_;
  if (rules_.policy == line_policy::keep) {
    counts.lines_passed = position_.line - begin_.line;
    counts.bytes_passed = position_.offset - begin_.offset;
    if (position_.offset > (std::max)(position_.line_offset, begin_.offset + bom_size_)) ++counts.lines_passed;
    counts.records_passed = counts.lines_passed;
  }
  return counts;
}

}  // namespace utfilter
