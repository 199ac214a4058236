// signed_codec.cpp: reads the signature of a text, and plans whether to drop, keep or add it.
#include <utfilter/detail/signed_codec.hpp>

#include "codecs/cursor.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/guess.hpp"
#include "encodings/signature.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace utfilter::detail {
namespace {

encoding without_signature(encoding e) noexcept {
  const encoding_scheme* const row = scheme_of(e);
  return row != nullptr ? row->without_signature : e;
}

}  // namespace

/// The plan that follows from the policy `b`: what to do if a signature is found, and if none is. With bom::automatic
/// and bom::require the other two arguments say whether to strip a signature that is found, and whether to add one that
/// is absent.
signature_plan signed_codec::plan_for(bom b, bool automatic_strips, bool automatic_adds) noexcept {
  const bool automatic = b == bom::automatic || b == bom::require;
  signature_plan plan;
  plan.must_exist = b == bom::require;
  plan.must_not = b == bom::reject;
  plan.add_absent = b == bom::add || (automatic && automatic_adds);
  plan.keep_found = b != bom::strip && !(automatic && automatic_strips);
  return plan;
}

/// The plan for the signature of the input. It also says which signatures to look for, and which encoding the text has
/// if no signature decides that.
signature_plan signed_codec::plan_for_input(bom b, encoding from, encoding fallback) noexcept {
  const bool decides = is_decided_by_signature(from);
  signature_plan plan = plan_for(b, decides, false);
  // If the name of the encoding fixes its byte order, as that of UTF-16LE does, an initial U+FEFF is a character,
  // unless the policy asks for a signature.
  const bool a_character = !decides && code_unit_size(from) > 1 && (b == bom::automatic || b == bom::keep);
  plan.candidates = a_character ? encoding_set{0} : signatures_of(from);
  plan.decides = decides;
  const encoding assumed = from == encoding::detect ? fallback : from;
  if (assumed == encoding::guess) plan.guess_bytes = default_guess_bytes;
  plan.otherwise = assumed == encoding::guess ? plan.legacy : without_signature(assumed);
  plan.is_assumed = from == encoding::detect && fallback != encoding::utf8 && fallback != encoding::detect;
  return plan;
}

/// Looks at the start of a text whose encoding is to be guessed, without taking it. Returns false if it must see more.
bool signed_codec::guess(const cursor& at, bool last) noexcept {
  if (at.left() == 0 && !last) return false;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(at.in);
  const signature_match match = match_signature(plan_.candidates, bytes, at.left(), last);
  if (match.what == signature_match::kind::undecided) return false;
  if (match.what == signature_match::kind::absent) {
    if (at.left() < plan_.guess_bytes && !last) return false;
    const auto found = guess_encoding({at.in, at.left()}, plan_.guess_bytes, plan_.legacy, plan_.guess_legacy);
    is_no_text_ = found.value == encoding::detect;
    plan_.otherwise = without_signature(is_no_text_ ? plan_.legacy : found.value);
    facts_.decided_by = found.decided_by_of_value();
    facts_.unused_declaration = found.declaration_beside_value();
  }
  plan_.guess_bytes = 0;
  return true;
}

/// Goes on to the text if its first bytes show that it has no signature and needs none, and returns true. It does what
/// read_signature would do, but withholds nothing. Preconditions: nothing is carried, and no signature decides the
/// encoding.
bool signed_codec::skip_to_text(const char* in, std::size_t size) noexcept {
  if (phase_ != phase::signature || plan_.must_exist || plan_.add_absent) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(in);
  if (match_signature(plan_.candidates, bytes, size, false).what != signature_match::kind::absent) return false;
  phase_ = phase::text;
  return true;
}

/// Withholds bytes until the earliest one that decides whether a signature stands here. Returns a status if transform
/// must return it.
std::optional<codec_status> signed_codec::read_signature(cursor& at, bool last) noexcept {
  if (at.left() == 0 && !last) return codec_status::need_input;

  const std::size_t carried_before = carried_;
  const auto look = [&]() noexcept {
    return match_signature(plan_.candidates, carry_.data(), carried_, last && at.left() == 0);
  };
  signature_match match = look();
  for (; match.what == signature_match::kind::undecided; match = look()) {
    if (at.left() == 0) return codec_status::need_input;
    carry_[carried_++] = static_cast<unsigned char>(*at.in++);
  }

  const bool found = match.what == signature_match::kind::found;
  facts_.signature = found;
  signature_size_ = static_cast<std::uint8_t>(match.size);
  if (plan_.decides) {
    facts_.encoding = found ? match.found : plan_.otherwise;
    if (found) facts_.decided_by = evidence::mark;
    if (!found && plan_.is_assumed) facts_.decided_by = evidence::assumption;
  }
  if (found) found_ = match.found;
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

void signed_codec::drop_carried(std::size_t n) noexcept {
  std::copy(carry_.begin() + static_cast<std::ptrdiff_t>(n), carry_.begin() + carried_, carry_.begin());
  carried_ = static_cast<std::uint8_t>(carried_ - n);
}

/// Gives the last n carried bytes back to the input, so that a kernel converts them. The bytes must be from the input
/// of this call.
void signed_codec::give_back(cursor& at, std::size_t n) noexcept {
  at.in -= n;
  carried_ = static_cast<std::uint8_t>(carried_ - n);
}

}  // namespace utfilter::detail
