// likely_encodings.cpp: names the encodings that a text in memory may be in. A file of its own: it refuses params, and with
// them come the codecs, which a program with guess_encoding alone lacks.
// layer: conversion
#include "codecs/guessing.hpp"
#include "encodings/guess.hpp"

#include <utfilter/detail/exceptions.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace utfilter {

std::vector<encoding_candidate> guess_encodings(std::string_view text, const params& p) {
  if (const char* const why = transcoder::why_not_decoding(encoding::guess, p))
    detail::refuse(std::string("utfilter: guess_encodings: ") + why);
  const encoding_guess first = guess_encoding(text, p);
  if (first.decided_by == evidence::bom) return {{first.encoding, {}, 1, evidence::bom}};
  constexpr std::size_t most = 8;
  std::vector<detail::guess> guesses(most, {encoding::detect, evidence::assumption});
  const std::size_t size = detail::guess_encodings(text, detail::rules_of(p), guesses.data(), guesses.size());
  std::vector<encoding_candidate> all;
  all.reserve(size);
  for (std::size_t i = 0; i != size; ++i)
    all.push_back({guesses[i].value, guesses[i].language, guesses[i].confidence, guesses[i].decided_by});
  return all;
}

}  // namespace utfilter
