// likely_encodings.cpp: names the encodings that a text in memory may be in. A file of its own: it refuses params, and with
// them come the codecs, which a program with guess_encoding alone lacks.
// layer: conversion
#include "codecs/guessing.hpp"
#include "encodings/bom.hpp"
#include "encodings/detector.hpp"
#include "encodings/guess.hpp"

#include <utfilter/detail/exceptions.hpp>
#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace utfilter {

std::vector<encoding_candidate> guess_encodings(std::string_view text, const params& p) {
  if (const char* const why = transcoder::why_not_decoding(encoding::guess, p))
    detail::refuse(std::string("utfilter: guess_encodings: ") + why);
  if (const encoding found = detail::encoding_by_bom(text); found != encoding::detect)
    return {{found, {}, 1, evidence::bom}};
  const detail::guess_rules rules = detail::rules_of(p);
  const detail::guess first = detail::guess_encoding(text, rules);
  std::vector<encoding_candidate> all;
  if (first.value == encoding::detect) return all;
  if (first.decided_by == evidence::statistics || first.decided_by == evidence::assumption)
    for (const detail::likely_encoding& each : detail::rank_encodings(text.substr(0, p.guess_bytes), rules)) {
      const bool is_sure = detail::is_sure(each, rules);
      if (each.value != encoding::detect)
        all.push_back(
            {each.value, each.language, each.confidence, is_sure ? evidence::statistics : evidence::assumption});
    }
  if (all.empty() && first.is_value()) all.push_back({first.value, first.language, first.confidence, first.decided_by});
  return all;
}

}  // namespace utfilter
