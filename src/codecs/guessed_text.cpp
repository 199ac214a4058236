// guessed_text.cpp: guesses the encoding of text in memory.
#include "codecs/guessing.hpp"
#include "encodings/bom.hpp"
#include "encodings/guess.hpp"

#include <utfilter/text.hpp>

#include <string_view>

namespace utfilter {
namespace {

detail::guess guess_of(std::string_view text, const params& p) noexcept {
  if (const encoding found = detail::encoding_by_bom(text); found != encoding::detect) return {found, evidence::bom};
  return detail::guess_encoding(text, detail::rules_of(p));
}

}  // namespace

encoding_guess guess_encoding(std::string_view text, const params& p) noexcept {
  const detail::guess found = guess_of(text, p);
  return {found.value, found.decided_by_of_value(), found.declaration_beside_value(), found.confidence_in_value(),
          found.is_value() ? found.language : std::string_view()};
}

charset_guess guess_charset(std::string_view text, const params& p) noexcept {
  const detail::guess found = guess_of(text, p);
  return {{found.name}, found.decided_by, found.unused_declaration, found.confidence, found.language};
}

}  // namespace utfilter
