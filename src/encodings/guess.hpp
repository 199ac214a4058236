// guess.hpp: guesses the encoding of a text without a byte order mark.
#ifndef UTFILTER_ENCODINGS_GUESS_HPP
#define UTFILTER_ENCODINGS_GUESS_HPP

#include <utfilter/detail/guess_rules.hpp>
#include <utfilter/encoding.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace utfilter::detail {

struct guess {
  encoding value;                  // detect for data that is no text
  std::string_view name;           // the same, or the name of a charset that is no encoding here: `value` replaces it
  evidence decided_by;             // why it is `name`
  double confidence = 1;           // in `name`
  std::string_view language = {};  // by ISO 639, if statistics have found it
  std::string_view unused_declaration = {};  // the name that the text declares, if it is not `name`

  guess(encoding found, evidence why) noexcept : value(found), name(encoding_name(found)), decided_by(why) {
    if (why == evidence::assumption) confidence = 0;
  }
  /// Finds the encoding by its name. A charset that is no encoding here is read in `legacy`.
  guess(std::string_view found, evidence why, encoding legacy) noexcept : value(legacy), name(found), decided_by(why) {
    if (const std::optional<encoding> named = encoding_from_name(found)) *this = guess(*named, why);
  }

  /// Why the encoding is `value`: an assumption if `value` replaces `name`.
  evidence decided_by_of_value() const noexcept { return is_value() ? decided_by : evidence::assumption; }
  /// The confidence in `value`.
  double confidence_in_value() const noexcept { return is_value() ? confidence : 0; }
  /// The name that the text declares, if it is not that of `value`.
  std::string_view declaration_beside_value() const noexcept {
    return decided_by == evidence::declaration && !is_value() ? name : unused_declaration;
  }
  bool is_value() const noexcept { return name == encoding_name(value); }
};

/// Whether the text may be in this encoding: the candidates of the rules are all encodings, or it is one of them.
bool allows(const guess_rules&, encoding) noexcept;

/// The guess about a text without a byte order mark: about its first guess_bytes bytes, or all of it if it is shorter.
guess guess_encoding(std::string_view text, const guess_rules&) noexcept;

}  // namespace utfilter::detail

#endif
