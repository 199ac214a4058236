// decoding_any.cpp: makes transcoders that decode any encoding, or guess it. A program that links this file has the
// tables of all encodings, and the guesser.
#include "codecs/guessing.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/guess.hpp"

#include <utfilter/transcoder.hpp>

#include <string_view>

namespace utfilter {
namespace {

const detail::encoding_scheme* without_bom(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::scheme_of(e);
  return row != nullptr ? detail::scheme_of(row->without_bom) : nullptr;
}

/// See bom_plan::guess.
bool guess_start(std::string_view sample, detail::bom_plan& plan, text_facts& facts) noexcept {
  const detail::guess found = detail::guess_encoding(sample, plan);
  const bool is_text = found.value != encoding::detect;
  plan.otherwise = without_bom(is_text ? found.value : plan.legacy());
  facts.decided_by = found.decided_by_of_value();
  facts.confidence = static_cast<std::uint8_t>(100 * found.confidence_in_value());
  facts.unused_declaration = found.declaration_beside_value();
  return is_text;
}

}  // namespace

const char* transcoder::why_not_decoding(encoding from, bom b, encoding fallback) noexcept {
  if (const char* const why = why_not_decoding(from, fallback)) return why;
  if (has_bom(from)) return nullptr;
  // bom::add writes U+FEFF at the start of the UTF-8. If U+FEFF is a character of the source, as in CESU-8, the text
  // could begin with two. GBK is decoded as GB18030, in which U+FEFF is a character.
  const bool has_character = !detail::lacks_bom(*detail::scheme_of(from)) || from == encoding::gbk;
  const bool looks_for_one = b == bom::strip || b == bom::require || b == bom::reject;
  if (looks_for_one || (b == bom::add && has_character))
    return "the encoding read has no byte order mark to strip, add, require or reject";
  return nullptr;
}

const char* transcoder::why_not_decoding_any(encoding from, const params& p) noexcept {
  if (const char* const why = why_not_decoding(from, p.bom, p.fallback)) return why;
  if (const char* const why = detail::why_not_guessing(p)) return why;
  return why_not_starting(from, p);
}

transcoder transcoder::decoding_any(encoding from, bom b, encoding fallback) noexcept {
  detail::bom_plan plan = plan_for_input(b, from);
  const encoding assumed = from == encoding::detect ? fallback : from;
  if (assumed == encoding::guess) {
    plan.guess_bytes = default_guess_bytes;
    plan.guess = guess_start;
  }
  plan.otherwise = without_bom(assumed == encoding::guess ? plan.legacy() : assumed);
  plan.is_assumed = from == encoding::detect && fallback != encoding::utf8;
  const encoding named = detail::is_undecided(from) ? encoding::detect : from;
  return {plan.decides ? nullptr : plan.otherwise, &detail::utf8_scheme, named, plan};
}

transcoder transcoder::decoding_any(encoding from, bom b, const checkpoint& start) noexcept {
  return begun(decoding_any(from, b, start.encoding), start, detail::scheme_of(start.encoding));
}

transcoder transcoder::decoding_any(encoding from, const params& p) noexcept {
  if (from == encoding::detect && p.fallback == encoding::guess) from = encoding::guess;
  transcoder codec = p.start ? decoding_any(from, p.bom, *p.start) : decoding_any(from, p.bom, p.fallback);
  if (from != encoding::guess) return codec;
  static_cast<detail::guess_rules&>(codec.plan_) = detail::rules_of(p);
  return codec;
}

}  // namespace utfilter
