// codec_with_bom.cpp: reads the byte order mark of a text, and plans whether to drop, keep or add it.
#include <utfilter/detail/codec_with_bom.hpp>

#include "codecs/cursor.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/bom.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace utfilter::detail {
/// The plan that follows from the policy `b`: what to do if a byte order mark is found, and if none is. With
/// bom::automatic and bom::require the other two arguments say whether to strip a byte order mark that is found, and
/// whether to add one that is absent.
bom_plan codec_with_bom::plan_for(bom b, bool automatic_strips, bool automatic_adds) noexcept {
  const bool automatic = b == bom::automatic || b == bom::require;
  bom_plan plan;
  plan.must_exist = b == bom::require;
  plan.must_not = b == bom::reject;
  plan.add_absent = b == bom::add || (automatic && automatic_adds);
  plan.keep_found = b != bom::strip && !(automatic && automatic_strips);
  return plan;
}

/// The plan for the byte order mark of the input: also which byte order marks to look for, and which encoding UTF-16 and
/// UTF-32 have without one.
bom_plan codec_with_bom::plan_for_input(bom b, encoding from) noexcept {
  const encoding_scheme* const row = unicode_scheme_of(from);
  const bool decides = is_undecided(from) || (row != nullptr && row->without_bom != from);
  bom_plan plan = plan_for(b, decides, false);
  // If the name of the encoding fixes its byte order, as that of UTF-16LE does, an initial U+FEFF is a character,
  // unless the policy asks for a byte order mark.
  const bool a_character = !decides && row != nullptr && row->code_unit > 1 && (b == bom::automatic || b == bom::keep);
  plan.marks = a_character ? encoding_set{0} : boms_of(from);
  plan.decides = decides;
  if (row != nullptr) plan.otherwise = decides ? unicode_scheme_of(row->without_bom) : row;
  return plan;
}

/// Looks at the start of a text whose encoding is to be guessed, without taking it. Returns false if it must see more.
bool codec_with_bom::guess(const cursor& at, bool last) noexcept {
  if (at.left() == 0 && !last) return false;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(at.in);
  const bom_match match = match_bom(plan_.marks, bytes, at.left(), last);
  if (match.what == bom_match::kind::undecided) return false;
  if (match.what == bom_match::kind::absent) {
    if (at.left() < plan_.guess_bytes && !last) return false;
    is_no_text_ = !plan_.guess({at.in, at.left()}, plan_, facts_);
  }
  plan_.guess_bytes = 0;
  return true;
}

/// Goes on to the text if its first bytes show that it has no byte order mark and needs none, and returns true. It does
/// what read_bom and the codec would do, but withholds nothing. Precondition: nothing is carried.
bool codec_with_bom::skip_to_text(const char* in, std::size_t size) noexcept {
  if (phase_ != phase::bom || plan_.must_exist || plan_.add_absent) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(in);
  if (match_bom(plan_.marks, bytes, size, false).what != bom_match::kind::absent) return false;
  note_bom(nullptr);
  phase_ = phase::text;
  return true;
}

/// Notes the facts that a byte order mark tells, or its absence if `found` is null.
void codec_with_bom::note_bom(const bom_match* found) noexcept {
  facts_.bom = found != nullptr;
  if (plan_.decides) {
    const encoding otherwise = plan_.otherwise != nullptr ? plan_.otherwise->value : encoding::detect;
    facts_.encoding = found != nullptr ? found->found : otherwise;
    if (found != nullptr) note_evidence(evidence::bom);
    if (found == nullptr && plan_.is_assumed) note_evidence(evidence::assumption);
  }
  if (found == nullptr) return;
  found_number_ = static_cast<std::uint8_t>(found->found);
  bom_size_ = static_cast<std::uint8_t>(found->size);
}

/// Notes what a reader of the text before the place knows.
void codec_with_bom::note_evidence(const checkpoint& place) noexcept {
  if (place.decided_by == evidence::named && place.bom) return note_evidence(evidence::bom);
  facts_.decided_by = place.decided_by;
  facts_.confidence = place.confidence;
  facts_.unused_declaration = place.unused_declaration;
}

/// Withholds bytes until the earliest one that decides whether a byte order mark stands here. Returns a status if
/// transform must return it.
std::optional<codec_status> codec_with_bom::read_bom(cursor& at, bool last) noexcept {
  if (at.left() == 0 && !last) return codec_status::need_input;

  const std::size_t carried_before = carried_;
  const auto look = [&]() noexcept { return match_bom(plan_.marks, carry_.data(), carried_, last && at.left() == 0); };
  bom_match match = look();
  for (; match.what == bom_match::kind::undecided; match = look()) {
    if (at.left() == 0) return codec_status::need_input;
    carry_[carried_++] = static_cast<unsigned char>(*at.in++);
  }

  const bool found = match.what == bom_match::kind::found;
  note_bom(found ? &match : nullptr);
  phase_ = phase::emission;

  const bool missing = plan_.must_exist && !found;
  const bool unexpected = plan_.must_not && found;
  if (missing) set_error(errc::missing_bom, nullptr, 0);
  if (unexpected) set_error(errc::unexpected_bom, carry_.data(), match.size);

  drop_carried(match.size);
  give_back(at, carried_ - std::min<std::size_t>(carried_, carried_before - std::min(carried_before, match.size)));
  if (missing || unexpected) return codec_status::malformed;
  return std::nullopt;
}

void codec_with_bom::drop_carried(std::size_t n) noexcept {
  std::copy(carry_.begin() + static_cast<std::ptrdiff_t>(n), carry_.begin() + carried_, carry_.begin());
  carried_ = static_cast<std::uint8_t>(carried_ - n);
}

/// Gives the last n carried bytes back to the input, so that a kernel converts them. The bytes must be from the input
/// of this call.
void codec_with_bom::give_back(cursor& at, std::size_t n) noexcept {
  at.in -= n;
  carried_ = static_cast<std::uint8_t>(carried_ - n);
}

}  // namespace utfilter::detail
