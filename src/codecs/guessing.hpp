// guessing.hpp: what params say about a guess.
#ifndef UTFILTER_CODECS_GUESSING_HPP
#define UTFILTER_CODECS_GUESSING_HPP

#include <utfilter/detail/guess_rules.hpp>
#include <utfilter/params.hpp>

namespace utfilter::detail {

/// Whether it is a number from 0 to 1.
constexpr bool is_share(double number) noexcept { return number >= 0 && number <= 1; }

/// The rules of params. What makes no sense is left out.
guess_rules rules_of(const params&) noexcept;

/// Why params make no sense for a guess, as a sentence for people: params::language. Null if they do. Constant.
const char* why_not_guessing(const params&) noexcept;

}  // namespace utfilter::detail

#endif
