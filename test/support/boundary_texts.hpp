// boundary_texts.hpp: texts of boundary bytes and code units in each encoding.
#ifndef UTFILTER_TEST_BOUNDARY_TEXTS_HPP
#define UTFILTER_TEST_BOUNDARY_TEXTS_HPP

#include "support/encoding_rows.hpp"

#include <utfilter/decoder.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace boundary_texts {

using utfilter::encoding;
using utfilter::on_error;

/// Calls visit(text) for every string of up to `most` units.
template <class Visit>
void for_each_string(const std::vector<std::string>& units, std::size_t most, const Visit& visit,
                     std::string text = {}) {
  visit(text);
  if (most == 0) return;
  for (const std::string& unit : units) for_each_string(units, most - 1, visit, text + unit);
}

/// The boundary bytes or code units of an encoding.
inline const std::vector<std::string>& units_of(encoding e) { return encoding_rows::of(e).boundaries; }

/// A megabyte of boundary units, mixed with plain text.
inline std::string random_text(encoding from, std::mt19937& random) {
  const std::vector<std::string>& units = units_of(from);
  const encoding to = from == encoding::utf16 ? encoding::utf16be : from == encoding::utf32 ? encoding::utf32be : from;
  utfilter::encoder plain(to, on_error::skip);
  char line[400];
  constexpr std::string_view in = "a line of text, of \u20AC 12 and caf\u00E9\n";
  const utfilter::codec_progress encoded = plain.convert(in.data(), in.size(), line, sizeof line, true);
  std::string text;
  while (text.size() < 1'000'000)
    if (random() % 4 == 0)
      text.append(line, encoded.produced);
    else
      for (std::size_t n = random() % 9; n != 0; --n) text += units[random() % units.size()];
  return text;
}

}  // namespace boundary_texts

#endif
