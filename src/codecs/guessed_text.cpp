// guessed_text.cpp: guesses the encoding of text in memory.
// layer: conversion
#include "codecs/guessing.hpp"
#include "encodings/bom.hpp"
#include "encodings/guess.hpp"

#include <utfilter/detail/exceptions.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace utfilter {
namespace {

/// The encoding of the byte order mark; detect if there is none.
encoding encoding_by_bom(std::string_view text) noexcept {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  const auto match = detail::match_bom(detail::boms_of(encoding::guess), bytes, text.size(), true);
  return match.what == detail::bom_match::kind::found ? match.found : encoding::detect;
}

detail::guess guess_of(std::string_view text, const params& p) noexcept {
  if (const encoding found = encoding_by_bom(text); found != encoding::detect) return {found, evidence::bom};
  return detail::guess_encoding(text, detail::rules_of(p));
}

}  // namespace

encoding_guess guess_encoding(std::string_view text, const params& p) noexcept {
  const detail::guess found = guess_of(text, p);
  return {found.value, found.decided_by_of_value(), found.declaration_beside_value(),
          found.is_value() ? found.confidence : 0, found.is_value() ? found.language : std::string_view()};
}

charset_guess guess_charset(std::string_view text, const params& p) noexcept {
  const detail::guess found = guess_of(text, p);
  return {{found.name}, found.decided_by, found.unused_declaration, found.confidence, found.language};
}

std::vector<encoding_candidate> guess_encodings(std::string_view text, const params& p) {
  if (const char* const why = transcoder::why_not_decoding(encoding::guess, p))
    detail::refuse(std::string("utfilter: guess_encodings: ") + why);
  if (const encoding found = encoding_by_bom(text); found != encoding::detect) return {{found, {}, 1, evidence::bom}};
  std::vector<detail::guess> guesses(8, {encoding::detect, evidence::assumption});
  guesses.resize(detail::guess_encodings(text, detail::rules_of(p), guesses.data(), guesses.size()),
                 {encoding::detect, evidence::assumption});
  std::vector<encoding_candidate> all;
  all.reserve(guesses.size());
  for (const detail::guess& each : guesses)
    all.push_back({each.value, each.language, each.confidence, each.decided_by});
  return all;
}

}  // namespace utfilter
