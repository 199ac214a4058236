// charset_writer.cpp: encodes a charset. A transcoder makes UTF-16 of UTF-8, and ICU makes bytes of that.
//
// ICU cuts a character that does not fit into the output. So ICU gets only as many units as surely fit, or one
// character, which it writes into a buffer of the codec.
#include <utfilter/charset.hpp>

#include "icu/charset_facts.hpp"
#include "unicode/surrogates.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/detail/unit_converter.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>

namespace utfilter {

namespace {

/// In bytes. For less text, the step through UTF-16 is as fast.
constexpr std::size_t least_text = 256;

using detail::is_high_surrogate;

/// The policy for the transcoder: bom::automatic keeps an initial U+FEFF if the charset has it, and strips it
/// otherwise.
bom policy_for(const detail::charset_facts& facts, bom b) noexcept {
  return b == bom::automatic ? (facts.has_bom_character ? bom::keep : bom::strip) : b;
}

struct character {
  char32_t value;
  std::size_t units;
};

character character_at(const UChar* units) noexcept {
  if (!is_high_surrogate(units[0])) return {units[0], 1};
  return {detail::from_pair(units[0], units[1]), 2};
}

std::size_t to_units(char32_t c, UChar* units) noexcept {
  if (c < 0x10000) {
    units[0] = static_cast<UChar>(c);
    return 1;
  }
  units[0] = static_cast<UChar>(detail::high_surrogate(c));
  units[1] = static_cast<UChar>(detail::low_surrogate(c));
  return 2;
}

std::size_t utf8_size(char32_t c) noexcept { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

}  // namespace

struct charset_writer::state {
  state(std::shared_ptr<const detail::charset_facts> of, bom b)
      : facts(std::move(of)),
        icu(facts->fresh),
        icu_utf8(facts->utf8),
        drops_bom(policy_for(*facts, b) == bom::strip),
        from_utf8(transcoder::encoding_to(detail::encoding_of_units(sizeof(UChar)), policy_for(*facts, b))) {}

  std::size_t convert(const UChar* in, std::size_t size, char* out, std::size_t room, bool flush) noexcept;
  std::size_t feed(char* out, std::size_t room) noexcept;
  void feed_one() noexcept;
  void flush_into_stage() noexcept;
  void repair_into_stage(char32_t c) noexcept;
  bool write_stage(char* out, std::size_t room, codec_progress& progress) noexcept;
  std::size_t kept() const noexcept;
  void find_lacking() noexcept;
  void refill(const char* in, std::size_t size, bool last, codec_progress& progress) noexcept;
  bool takes_utf8(std::size_t size) const noexcept;
  bool encode_utf8_text(const char* in, std::size_t size, char* out, std::size_t room,
                        codec_progress& progress) noexcept;
  text_position place_of(std::size_t index) const noexcept;

  std::shared_ptr<const detail::charset_facts> facts;
  detail::converter icu;
  detail::converter icu_utf8;
  UErrorCode status = U_ZERO_ERROR;  // of the last call of ICU
  bool drops_bom;                    // an initial U+FEFF is not among the units
  transcoder from_utf8;
  transcoder checker = transcoder::validating(bom::keep);
  std::uint64_t taken = 0;             // bytes of input
  std::uint64_t unfit_to = 0;          // the input before this offset has a character that the charset lacks
  std::array<UChar, 4096> units = {};  // up to `end`; ICU has taken those before `fed`
  std::size_t fed = 0, end = 0;
  text_position start;                      // of units[0] in the input
  std::optional<std::size_t> lacking;       // the index of a character that the charset lacks
  bool ill_formed = false;                  // after the units, from_utf8 has met an error that is not reported yet
  bool ended = false;                       // from_utf8 has met the end of the text
  bool flushed = false;                     // the last call has told ICU that the text has ended
  std::array<char, min_output> stage = {};  // up to stage_end: bytes that are still to be written
  std::size_t stage_end = 0;
};

/// Passes units to ICU, and moves `fed` if they are the units there. Returns the number of bytes that ICU wrote.
std::size_t charset_writer::state::convert(const UChar* in, std::size_t size, char* out, std::size_t room,
                                           bool flush) noexcept {
  const UChar* next = in;
  char* to = out;
  status = U_ZERO_ERROR;
  ucnv_fromUnicode(icu.get(), &to, out + room, &next, in + size, nullptr, static_cast<UBool>(flush), &status);
  flushed = flush && U_SUCCESS(status);
  if (in == units.data() + fed) fed += static_cast<std::size_t>(next - in);
  const auto made = static_cast<std::size_t>(to - out);
  if (facts->exchanges_controls) detail::restore_encoded_controls(out, made);
  return made;
}

/// The number of units that ICU has taken, but not written: a longer sequence may have another code.
std::size_t charset_writer::state::kept() const noexcept {
  UErrorCode ignored = U_ZERO_ERROR;
  return static_cast<std::size_t>(std::max(ucnv_fromUCountPending(icu.get(), &ignored), 0));
}

/// Passes as many units to ICU as surely fit into the room. Returns the number of bytes that it wrote: 0 if it wrote
/// into the stage.
std::size_t charset_writer::state::feed(char* out, std::size_t room) noexcept {
  constexpr std::size_t slack = 10;  // characters; of UCNV_GET_MAX_BYTES_FOR_STRING
  constexpr std::size_t least = 16;
  const std::size_t fitting = room / facts->longest;
  if (!facts->encodes_in_bulk || fitting < slack + least) {
    feed_one();
    return 0;
  }
  std::size_t n = std::min(end - fed, fitting - slack);
  if (n < end - fed && is_high_surrogate(units[fed + n - 1])) --n;
  const std::size_t produced = convert(units.data() + fed, n, out, room, false);
  find_lacking();
  return produced;
}

void charset_writer::state::feed_one() noexcept {
  const std::size_t n = fed == end ? 0 : character_at(units.data() + fed).units;
  stage_end = convert(units.data() + fed, n, stage.data(), stage.size(), false);
  find_lacking();
}

void charset_writer::state::flush_into_stage() noexcept {
  stage_end = convert(units.data() + fed, 0, stage.data(), stage.size(), true);
  find_lacking();
}

/// Makes the bytes of one character of a repair, or of ? if the charset lacks it.
void charset_writer::state::repair_into_stage(char32_t c) noexcept {
  for (const char32_t one : {c, U'?'}) {
    UChar its[2];
    stage_end = convert(its, to_units(one, its), stage.data(), stage.size(), false);
    if (U_SUCCESS(status) && kept() != 0)
      stage_end += convert(its, 0, stage.data() + stage_end, stage.size() - stage_end, true);
    status = U_ZERO_ERROR;
    if (stage_end != 0) return;
  }
}

/// Writes the bytes of the stage. Returns false if there is too little room.
bool charset_writer::state::write_stage(char* out, std::size_t room, codec_progress& progress) noexcept {
  if (stage_end > room - progress.produced) return false;
  std::copy_n(stage.data(), stage_end, out + progress.produced);
  progress.produced += std::exchange(stage_end, 0);
  return true;
}

/// If ICU has stopped at a character that the charset lacks, finds it among the units.
void charset_writer::state::find_lacking() noexcept {
  if (U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR) return;
  std::array<UChar, detail::most_told> found;
  auto size = static_cast<std::int8_t>(found.size());
  UErrorCode ignored = U_ZERO_ERROR;
  ucnv_getInvalidUChars(icu.get(), found.data(), &size, &ignored);
  std::size_t back = kept() + (facts->encodes_in_bulk ? static_cast<std::size_t>(std::max<int>(size, 1)) : 1);
  back = std::clamp<std::size_t>(back, 1, fed);
  std::size_t index = fed - back;
  if (index > 0 && is_high_surrogate(units[index - 1])) --index;
  lacking = index;
}

/// The place of a unit in the input.
text_position charset_writer::state::place_of(std::size_t index) const noexcept {
  text_position at = start;
  const std::size_t bom_size = from_utf8.facts().bom ? utf8_size(detail::bom_character) : 0;
  if (drops_bom && at.offset == 0) at.offset = bom_size;
  for (std::size_t i = 0; i < index;) {
    const character c = character_at(units.data() + i);
    i += c.units;
    if (at.offset == 0 && at.column == 1 && c.value == detail::bom_character) {
      at.offset = bom_size;
      continue;
    }
    at.pass(c.value, utf8_size(c.value));
  }
  return at;
}

/// Replaces the units by those of the next input. The units that ICU keeps stay, before them.
void charset_writer::state::refill(const char* in, std::size_t size, bool last, codec_progress& progress) noexcept {
  const std::size_t keep = std::min(kept(), fed);
  start = keep == 0 ? from_utf8.position() : place_of(fed - keep);
  std::copy(units.begin() + static_cast<std::ptrdiff_t>(fed - keep), units.begin() + static_cast<std::ptrdiff_t>(fed),
            units.begin());
  fed = keep;
  const codec_progress done = from_utf8.transform(in, size, reinterpret_cast<char*>(units.data() + fed),
                                                  (units.size() - fed) * sizeof(UChar), last);
  end = fed + done.produced / sizeof(UChar);
  ill_formed = done.status == codec_status::malformed;
  ended = done.status == codec_status::done;
  taken += done.consumed;
  progress.consumed += done.consumed;
}

/// Whether encode_utf8_text may take the next bytes of the input.
bool charset_writer::state::takes_utf8(std::size_t size) const noexcept {
  const bool is_at_rest = taken != 0 && taken == from_utf8.position().offset && taken >= unfit_to;
  return facts->encodes_utf8 && is_at_rest && size >= least_text;
}

/// Lets ICU encode the well-formed start of the input without the step through UTF-16. Returns false, and takes
/// nothing, if there is too little of it, or a character that the charset lacks.
bool charset_writer::state::encode_utf8_text(const char* in, std::size_t size, char* out, std::size_t room,
                                             codec_progress& progress) noexcept {
  constexpr std::size_t most = std::size_t{1} << 20;  // ICU counts in 32 bits
  std::size_t n = std::min({size, room, most});       // a character takes no more bytes than in UTF-8
  if (!takes_utf8(n)) return false;
  checker.go_to(from_utf8.here());
  n = checker.check(in, n);
  if (n < least_text) return false;
  const char* next = in;
  char* to = out;
  UErrorCode failure = U_ZERO_ERROR;
  ucnv_convertEx(icu.get(), icu_utf8.get(), &to, out + room, &next, in + n, nullptr, nullptr, nullptr, nullptr, 1, 1,
                 &failure);
  if (U_FAILURE(failure)) {
    ucnv_resetFromUnicode(icu.get());
    unfit_to = taken + n;
    return false;
  }
  from_utf8.go_to(checker.here());
  taken += n;
  progress.consumed += n;
  const auto made = static_cast<std::size_t>(to - out);
  if (facts->exchanges_controls) detail::restore_encoded_controls(out, made);
  progress.produced += made;
  return true;
}

charset_writer::charset_writer(const charset& to, bom b)
    : codec_with_bom(encoding::detect, {}), state_(std::make_unique<state>(to.facts_, b)) {
  facts_.reads_utf8 = true;
}

charset_writer::charset_writer(const charset_writer& other)
    : codec_with_bom(other), state_(std::make_unique<state>(*other.state_)) {}
charset_writer& charset_writer::operator=(const charset_writer& other) { return *this = charset_writer(other); }
charset_writer::charset_writer(charset_writer&&) noexcept = default;
charset_writer& charset_writer::operator=(charset_writer&&) noexcept = default;
charset_writer::~charset_writer() = default;

const char* charset_writer::why_not(const charset& to, bom b) noexcept {
  if (to.facts_->has_bom_character || b == bom::automatic || b == bom::keep || b == bom::strip) return nullptr;
  return "the charset has no byte order mark to add, require or reject";
}

codec_progress charset_writer::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                         bool last) noexcept {
  state& s = *state_;
  codec_progress progress{0, 0, codec_status::need_input};
  const auto stop = [&](codec_status why) noexcept {
    progress.status = why;
    return progress;
  };
  while (true) {
    if (!s.write_stage(out, room, progress)) return stop(codec_status::need_output);
    if (s.lacking) {
      const std::size_t index = *std::exchange(s.lacking, std::nullopt);
      const char32_t c = character_at(s.units.data() + index).value;
      std::array<char, 4> bytes;
      const std::size_t n = encode_utf8(c, bytes.data());
      position_ = s.place_of(index);
      note_error(errc::unmappable, bytes.data(), n, c);
      return stop(codec_status::malformed);
    }
    if (s.fed != s.end || s.status == U_BUFFER_OVERFLOW_ERROR) {
      // Without room for a character of any kind, all is left for the next call.
      if (room - progress.produced < min_output) return stop(codec_status::need_output);
      progress.produced += s.feed(out + progress.produced, room - progress.produced);
      continue;
    }
    if (s.ill_formed) {
      if (s.kept() != 0) {
        s.flush_into_stage();
        continue;
      }
      s.ill_formed = false;
      error_ = s.from_utf8.error();
      position_ = s.from_utf8.position();
      return stop(codec_status::malformed);
    }
    if (s.ended && !s.flushed) {
      s.flush_into_stage();
      continue;
    }
    if (s.ended || (progress.consumed == size && !last)) {
      position_ = s.kept() == 0 ? s.from_utf8.position() : s.place_of(s.end - s.kept());
      return stop(s.ended ? codec_status::done : codec_status::need_input);
    }
    const std::size_t left = size - progress.consumed, room_left = room - progress.produced;
    if (s.encode_utf8_text(in + progress.consumed, left, out + progress.produced, room_left, progress)) continue;
    // Returns early, because with more room the next call can use encode_utf8_text.
    constexpr std::size_t little = 2 * least_text;
    if (progress.produced >= little && room_left < little && s.takes_utf8(left)) return stop(codec_status::need_output);
    s.refill(in + progress.consumed, size - progress.consumed, last, progress);
    facts_.bom = s.from_utf8.facts().bom;
  }
}

codec_progress charset_writer::insert(const char* in, std::size_t size, char* out, std::size_t room,
                                      bool last) noexcept {
  state& s = *state_;
  codec_progress progress{0, 0, codec_status::need_output};
  while (s.write_stage(out, room, progress)) {
    if (progress.consumed != size) {
      const auto* const next = reinterpret_cast<const unsigned char*>(in + progress.consumed);
      const detail::sequence one = detail::decode_utf8(next, size - progress.consumed, true);
      s.repair_into_stage(one.value);
      progress.consumed += one.size;
    } else if (last && !s.flushed) {
      s.flush_into_stage();
    } else {
      progress.status = last ? codec_status::done : codec_status::need_input;
      return progress;
    }
  }
  return progress;
}

}  // namespace utfilter
