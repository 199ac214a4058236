// guess_rules.hpp: what params say about a guess. Not for users.
// layer: encodings
#ifndef UTFILTER_DETAIL_GUESS_RULES_HPP
#define UTFILTER_DETAIL_GUESS_RULES_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {

/// Of params: what encoding::guess needs. The numbers are small, because each codec has two copies of this.
struct guess_rules {
  std::size_t guess_bytes = 0;  // 0 if there is nothing to guess
  std::string_view (*guess_legacy)(std::string_view) noexcept = nullptr;
  const encoding* candidates = nullptr;  // they live as long as the program, see encoding_list
  std::uint8_t candidate_count = 0;      // 0 for all encodings
  std::uint8_t language = 0;             // the result of language_number
  std::uint8_t least_confidence = 70;    // hundredths
  std::uint8_t legacy_number = static_cast<std::uint8_t>(encoding::windows1252);

  encoding legacy() const noexcept { return static_cast<encoding>(legacy_number); }
};

}  // namespace utfilter::detail

#endif
