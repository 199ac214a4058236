// models.cpp: the tables of models.hpp.
#ifndef UTFILTER_WITHOUT_MODELS
#  include "encodings/models.hpp"

#  include <algorithm>
#  include <iterator>

namespace utfilter::detail {
namespace {

#  include "encodings/models.inc"

static_assert(std::size(single_byte_candidates) <= most_candidates);
static_assert(std::size(candidate_languages) <= most_candidate_languages);

}  // namespace

const model_tables models = {
    language_models,
    std::size(language_models),
    single_byte_candidates,
    std::size(single_byte_candidates),
    candidate_languages,
    std::size(candidate_languages),
    mark_costs,
    case_costs,
};

const char* const why_unknown_language = why_unknown;

unsigned cost_of_character(char32_t c, han_language of) noexcept {
  constexpr unsigned least = 4, cost_of_others = 17;
  const auto* const found = std::lower_bound(std::begin(frequent_characters), std::end(frequent_characters), c);
  if (found == std::end(frequent_characters) || *found != c) return cost_of_others;
  const unsigned costs = frequent_costs[found - std::begin(frequent_characters)];
  const unsigned beyond = (costs >> (4 * static_cast<unsigned>(of))) & 15U;
  return beyond == 15 ? cost_of_others : least + beyond;
}

}  // namespace utfilter::detail
#endif
