// charset_reader.cpp: decodes a charset. ICU makes UTF-16 of the bytes, and a transcoder makes UTF-8 of that.
//
// The results must not depend on the pieces in which the bytes arrive. For most charsets ICU guarantees that: it gives
// back the bytes after an error, and tells how many bytes it keeps. The others get their bytes one at a time, whatever
// the pieces are.
#include <utfilter/charset.hpp>

#include "icu/charset_facts.hpp"
#include "unicode/surrogates.hpp"

#include <utfilter/detail/unit_converter.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace utfilter {

namespace {

/// A part of the input: the bytes of input before it, and up to its end.
struct span {
  std::uint64_t begin = 0, end = 0;
};

/// An error that is still to be reported.
struct fault {
  errc code = errc();
  span bytes;
  char32_t surrogate = 0;
};

/// The index after the last byte of this value; 0 if there is none.
std::size_t end_of_last(const char* in, std::size_t size, char byte) noexcept {
  constexpr std::size_t block = 64;
  while (size != 0) {
    const std::size_t n = std::min(size, block);
    if (std::memchr(in + size - n, byte, n) != nullptr) {
      while (in[size - 1] != byte) --size;
      return size;
    }
    size -= n;
  }
  return 0;
}

using detail::is_high_surrogate;
using detail::is_low_surrogate;

/// The last bytes of the input, for the report of an error.
class recent_bytes {
 public:
  void add(const char* in, std::size_t size) noexcept {
    const std::size_t dropped = size - std::min(size, bytes_.size());
    end_ += dropped;
    for (std::size_t i = dropped; i < size; ++i) bytes_[end_++ % bytes_.size()] = static_cast<unsigned char>(in[i]);
  }
  unsigned char at(std::uint64_t offset) const noexcept { return bytes_[offset % bytes_.size()]; }
  /// The bytes of input so far.
  std::uint64_t end() const noexcept { return end_; }

 private:
  std::array<unsigned char, 64> bytes_ = {};
  std::uint64_t end_ = 0;
};

}  // namespace

struct charset_reader::state {
  explicit state(std::shared_ptr<const detail::charset_facts> of) : facts(std::move(of)), icu(facts->fresh) {}

  std::size_t feed(const char* in, std::size_t size, text_position& position) noexcept;
  std::size_t feed_pieces(const char* in, std::size_t size, text_position& position) noexcept;
  std::size_t feed_bytes(const char* in, std::size_t size, text_position& position) noexcept;
  std::size_t convert(const char* in, std::size_t size, UChar* out, std::size_t room, std::int32_t* offsets) noexcept;
  bool pair_units(text_position& position) noexcept;
  void report(const fault& found) noexcept;
  void note_error_of_icu() noexcept;
  errc code_of_icu(span bytes) const noexcept;
  std::uint64_t end_of_decoded() const noexcept;
  bool ends_mark() const noexcept;
  bool are_recent(std::uint64_t begin, const char* bytes, std::size_t size) const noexcept;
  std::uint64_t end_of_text() const noexcept;
  bool knows_kinds() const noexcept { return facts->decodes_by == detail::feeding::pieces; }

  std::shared_ptr<const detail::charset_facts> facts;
  detail::converter icu;
  UErrorCode status = U_ZERO_ERROR;  // of the last call of ICU
  std::size_t made = 0;              // the units that it made
  bool flushed = false;              // ICU knows that the text has ended
  recent_bytes recent;
  std::uint64_t known = 0;     // bytes of input that are decoded or in an error
  std::uint64_t reported = 0;  // bytes of input up to the end of the last error

  std::array<UChar, 4096> units = {};  // between begin and end: whole characters that are still to be written
  std::size_t begin = 0, end = 0;
  std::optional<fault> error;          // after the units
  std::optional<unsigned char> ascii;  // after the error: a byte that ICU took for a part of it
  transcoder to_utf8 = transcoder::decoding(detail::encoding_of_units(sizeof(UChar)), bom::keep);
  text_position counted;  // the place in to_utf8 up to which lines and columns are counted

  // Only for charsets that get one byte at a time:
  std::array<UChar, 64> new_units = {};  // between new_begin and new_end: made of the last byte
  std::size_t new_begin = 0, new_end = 0;
  span new_bytes;              // the bytes of these units
  std::optional<fault> later;  // an error after these units
  UChar high = 0;              // a high surrogate before these units; 0 if there is none
  span high_bytes;             // its bytes
};

/// Passes bytes to ICU, and returns how many it took. `offsets` may be null.
std::size_t charset_reader::state::convert(const char* in, std::size_t size, UChar* out, std::size_t room,
                                           std::int32_t* offsets) noexcept {
  constexpr std::size_t most = std::size_t{1} << 20;  // ICU counts in 32 bits
  const char* next = in;
  UChar* to = out;
  status = U_ZERO_ERROR;
  ucnv_toUnicode(icu.get(), &to, out + room, &next, in + std::min(size, most), offsets, static_cast<UBool>(flushed),
                 &status);
  made = static_cast<std::size_t>(to - out);
  if (facts->exchanges_controls) detail::restore_decoded_controls(out, made);
  const auto taken = static_cast<std::size_t>(next - in);
  recent.add(in, taken);
  return taken;
}

/// The bytes of input that ICU has decoded or reported as an error.
std::uint64_t charset_reader::state::end_of_decoded() const noexcept {
  UErrorCode ignored = U_ZERO_ERROR;
  const std::int32_t told = ucnv_toUCountPending(icu.get(), &ignored);
  const bool keeps_one = facts->waits_for_next_byte && !flushed;
  const auto kept = static_cast<std::uint64_t>(std::max(told, static_cast<std::int32_t>(keeps_one)));
  return recent.end() - std::min(recent.end(), kept);
}

/// Whether the input so far is a byte order mark that ICU drops.
bool charset_reader::state::ends_mark() const noexcept {
  if (recent.end() != 2) return false;
  return (facts->drops_bom[0] && are_recent(0, "\xFE\xFF", 2)) || (facts->drops_bom[1] && are_recent(0, "\xFF\xFE", 2));
}

bool charset_reader::state::are_recent(std::uint64_t from, const char* bytes, std::size_t size) const noexcept {
  for (std::size_t i = 0; i < size; ++i)
    if (recent.at(from + i) != static_cast<unsigned char>(bytes[i])) return false;
  return true;
}

/// Reports the part of an error after the last one. If error_info cannot hold all of its bytes, keeps the last ones.
void charset_reader::state::report(const fault& found) noexcept {
  constexpr std::uint64_t most = std::tuple_size_v<decltype(error_info::bytes)>;
  fault clipped = found;
  clipped.bytes.begin = std::max(clipped.bytes.begin, reported);
  if (clipped.bytes.begin >= clipped.bytes.end) return;  // ICU reports some bytes twice
  clipped.bytes.begin = std::max(clipped.bytes.begin, clipped.bytes.end - std::min(clipped.bytes.end, most));
  reported = clipped.bytes.end;
  error = clipped;
}

errc charset_reader::state::code_of_icu(span bytes) const noexcept {
  if (status == U_INVALID_CHAR_FOUND || status == U_UNSUPPORTED_ESCAPE_SEQUENCE) return errc::unassigned;
  if (status == U_TRUNCATED_CHAR_FOUND) return errc::incomplete_at_end;
  const unsigned char first = recent.at(bytes.begin);
  const bool can_begin = knows_kinds() ? facts->kinds[first] == detail::byte_kind::lead : first < 0x80;
  return bytes.end - bytes.begin == 1 && !can_begin ? errc::unused_byte : errc::truncated_sequence;
}

/// Finds the bytes of the error that ICU has just met. For a few charsets ICU does not report them, or reports other
/// bytes: then the error has all bytes that are not decoded yet.
void charset_reader::state::note_error_of_icu() noexcept {
  std::array<char, detail::most_told> bytes;
  auto size = static_cast<std::int8_t>(bytes.size());
  UErrorCode ignored = U_ZERO_ERROR;
  ucnv_getInvalidChars(icu.get(), bytes.data(), &size, &ignored);
  const auto told = static_cast<std::size_t>(std::max<int>(size, 0));

  fault found;
  found.bytes = {known, end_of_decoded()};
  if (facts->errors_from_front && told != 0)
    found.bytes.end = known + told;
  else if (told != 0 && told <= found.bytes.end && are_recent(found.bytes.end - told, bytes.data(), told))
    found.bytes.begin = found.bytes.end - told;
  known = found.bytes.end;
  found.code = code_of_icu(found.bytes);

  // ICU takes an ASCII byte for a part of a character that it does not know. The WHATWG Encoding Standard does not.
  const unsigned char last = recent.at(known - 1);
  const bool ends_in_ascii = knows_kinds() && facts->kinds[last] == detail::byte_kind::ascii;
  if (found.code == errc::unassigned && found.bytes.end - found.bytes.begin == 2 && ends_in_ascii) {
    ascii = last;
    --found.bytes.end;
  }
  if (facts->decodes_by == detail::feeding::bytes)
    later = found;
  else
    report(found);
}

/// Passes input to ICU. Returns the number of bytes that it took. Precondition: all units are written, and no error is
/// to be reported.
std::size_t charset_reader::state::feed(const char* in, std::size_t size, text_position& position) noexcept {
  begin = end = 0;
  return facts->decodes_by == detail::feeding::bytes ? feed_bytes(in, size, position) : feed_pieces(in, size, position);
}

std::size_t charset_reader::state::feed_pieces(const char* in, std::size_t size, text_position& position) noexcept {
  const std::uint64_t before = recent.end();
  std::size_t taken = 0, line = 0;  // `line`: the bytes before the last line that begins here
  if (knows_kinds()) {
    taken = convert(in, size, units.data(), units.size(), nullptr);
    line = end_of_last(in, taken, facts->line_feed);
  } else {
    std::array<std::int32_t, std::tuple_size_v<decltype(units)>> offsets;
    taken = convert(in, size, units.data(), units.size(), offsets.data());
    std::size_t n = made;
    while (n != 0 && units[n - 1] != u'\n') --n;
    if (n != 0) line = static_cast<std::size_t>(offsets[n - 1]) + 1;
  }
  end = made;
  if (line != 0) position.line_offset = before + line;
  if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR)
    note_error_of_icu();
  else
    known = end_of_decoded();
  return taken;
}

/// Passes one byte at a time, until there are enough units, or an error.
std::size_t charset_reader::state::feed_bytes(const char* in, std::size_t size, text_position& position) noexcept {
  std::size_t taken = 0;
  while (end + 2 * new_units.size() < units.size()) {
    if (!pair_units(position)) return taken;
    const bool has_more = U_FAILURE(status);
    if (!has_more && taken == size && !flushed) return taken;
    const std::size_t n = has_more || taken == size ? 0 : 1;
    taken += convert(in + taken, n, new_units.data(), new_units.size(), nullptr);
    new_begin = 0;
    new_end = made;
    if (ends_mark()) known = recent.end();
    if (made != 0) {
      new_bytes = {known, end_of_decoded()};
      known = new_bytes.end;
    }
    if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR) note_error_of_icu();
    if (flushed && U_SUCCESS(status)) {
      pair_units(position);
      return taken;
    }
  }
  return taken;
}

/// Appends the new units to the units. Returns false at an error: a surrogate that is not in a pair, or one of ICU.
bool charset_reader::state::pair_units(text_position& position) noexcept {
  while (new_begin != new_end) {
    const UChar unit = new_units[new_begin];
    if (high != 0 && !is_low_surrogate(unit)) {
      report({errc::unpaired_high_surrogate, high_bytes, high});
      high = 0;
      if (error) return false;
    }
    ++new_begin;
    if (is_high_surrogate(unit)) {
      high = unit;
      high_bytes = new_bytes;
    } else if (is_low_surrogate(unit) && high == 0) {
      report({errc::unpaired_low_surrogate, new_bytes, unit});
      if (error) return false;
    } else {
      if (high != 0) units[end++] = std::exchange(high, UChar{0});
      units[end++] = unit;
      if (unit == u'\n') position.line_offset = new_bytes.end;
    }
  }
  if (high != 0 && (later || (flushed && U_SUCCESS(status)))) {
    report({errc::unpaired_high_surrogate, high_bytes, high});
    high = 0;
    if (error) return false;
  }
  if (later) report(*std::exchange(later, std::nullopt));
  return !error;
}

/// The bytes of input before those that are carried.
std::uint64_t charset_reader::state::end_of_text() const noexcept {
  if (error) return error->bytes.begin;
  if (ascii) return reported;
  if (high != 0) return high_bytes.begin;
  return known;
}

charset_reader::charset_reader(const charset& from) : state_(std::make_unique<state>(from.facts_)) {}

charset_reader::charset_reader(const charset_reader& other)
    : codec_base(other), state_(std::make_unique<state>(*other.state_)) {}
charset_reader& charset_reader::operator=(const charset_reader& other) { return *this = charset_reader(other); }
charset_reader::charset_reader(charset_reader&&) noexcept = default;
charset_reader& charset_reader::operator=(charset_reader&&) noexcept = default;
charset_reader::~charset_reader() = default;

codec_progress charset_reader::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                         bool last) noexcept {
  state& s = *state_;
  codec_progress progress{0, 0, codec_status::need_input};
  while (true) {
    if (s.begin != s.end) {
      const auto* const bytes = reinterpret_cast<const char*>(s.units.data() + s.begin);
      const codec_progress done = s.to_utf8.transform(bytes, (s.end - s.begin) * sizeof(UChar), out + progress.produced,
                                                      room - progress.produced, false);
      progress.produced += done.produced;
      s.begin += done.consumed / sizeof(UChar);
      const text_position before = std::exchange(s.counted, s.to_utf8.position());
      const text_position now = moved(s.counted, before, position_);
      position_.line = now.line;
      position_.column = now.column;
      if (s.begin != s.end) {
        progress.status = codec_status::need_output;
        return progress;
      }
    }
    if (s.error) {
      const fault error = *std::exchange(s.error, std::nullopt);
      std::array<unsigned char, std::tuple_size_v<decltype(error_info::bytes)>> bytes;
      const auto n = static_cast<std::size_t>(error.bytes.end - error.bytes.begin);
      for (std::size_t i = 0; i < n; ++i) bytes[i] = s.recent.at(error.bytes.begin + i);
      position_.offset = error.bytes.begin;
      note_error(error.code, bytes.data(), n, error.surrogate);
      progress.status = codec_status::malformed;
      return progress;
    }
    if (s.ascii) {
      s.units[0] = *std::exchange(s.ascii, std::nullopt);
      s.begin = 0;
      s.end = 1;
      position_.offset = s.known;
      continue;
    }
    const bool has_more = U_FAILURE(s.status) || s.new_begin != s.new_end;
    if (progress.consumed == size && !has_more) {
      if (!last || s.flushed) {
        if (s.flushed) position_.offset = s.recent.end();
        progress.status = s.flushed ? codec_status::done : codec_status::need_input;
        return progress;
      }
      s.flushed = true;
    }
    progress.consumed += s.feed(in + progress.consumed, size - progress.consumed, position_);
    position_.offset = s.end_of_text();
  }
}

namespace detail {

namespace {

void check_places(const char* what, const charset& of, const params& p) {
  const char* const why = of.is_stateful()
                              ? "params::start is not for this charset: its bytes depend on those before them"
                              : "params::start is not for charsets: a checkpoint names an encoding of encoding.hpp";
  if (p.start) refuse(what, of.name(), why);
  if (p.index_every != 0) refuse(what, of.name(), "params::index_every needs checkpoints, which charsets do not have");
}

}  // namespace

charset_reader naming<charset_reader>::reading(const charset& from, const params& p) {
  check_places("reading", from, p);
  if (p.bom != bom::automatic)
    refuse("reading", from.name(),
           "the charset has no byte order mark to strip, add, require or reject: U+FEFF in it is a character");
  return charset_reader(from);
}

charset_writer naming<charset_writer>::writing(const charset& to, const params& p) {
  check_places("writing", to, p);
  if (const char* const why = charset_writer::why_not(to, p.bom)) refuse("writing", to.name(), why);
  return charset_writer(to, p.bom);
}

}  // namespace detail

}  // namespace utfilter
