// guessing.cpp: makes the rules of a guess of params.
#include "codecs/guessing.hpp"

#include "encodings/detector.hpp"
#include "encodings/encoding_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace utfilter::detail {

guess_rules rules_of(const params& p) noexcept {
  guess_rules rules;
  rules.guess_bytes = p.guess_bytes;
  rules.guess_legacy = p.guess_legacy;
  if (why_no_candidates(p.candidates) == nullptr) {
    rules.candidates = p.candidates.begin();
    rules.candidate_count = static_cast<std::uint8_t>(p.candidates.end() - p.candidates.begin());
  }
  rules.language = language_number(p.language);
  const double least = p.least_confidence >= 0 ? std::min(p.least_confidence, 1.0) : 0;  // 0 for no number
  rules.least_confidence = static_cast<std::uint8_t>(std::lround(100 * least));
  if (scheme_of(p.legacy) != nullptr) rules.legacy_number = static_cast<std::uint8_t>(p.legacy);
  return rules;
}

const char* why_not_guessing(const params& p) noexcept { return why_no_language(p.language); }

}  // namespace utfilter::detail
