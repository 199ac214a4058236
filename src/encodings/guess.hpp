// guess.hpp: guesses the encoding of a text without a byte order mark.
#ifndef UTFILTER_ENCODINGS_GUESS_HPP
#define UTFILTER_ENCODINGS_GUESS_HPP

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace utfilter::detail {

/// The type of params::guess_legacy.
using guesser = std::string_view (*)(std::string_view sample) noexcept;

struct guess {
  encoding value;         // detect for data that is no text
  std::string_view name;  // the same, or the name of a charset that is no encoding here: `value` replaces it
  evidence decided_by;    // why it is `name`
  std::string_view unused_declaration = {};  // the name that the text declares, if it is not `name`

  guess(encoding found, evidence why) noexcept : value(found), name(encoding_name(found)), decided_by(why) {}
  /// Finds the encoding by its name. A charset that is no encoding here is read in `legacy`.
  guess(std::string_view found, evidence why, encoding legacy) noexcept : value(legacy), name(found), decided_by(why) {
    if (const std::optional<encoding> named = encoding_from_name(found)) *this = guess(*named, why);
  }

  /// Why the encoding is `value`: an assumption if `value` replaces `name`.
  evidence decided_by_of_value() const noexcept { return is_value() ? decided_by : evidence::assumption; }
  /// The name that the text declares, if it is not that of `value`.
  std::string_view declaration_beside_value() const noexcept {
    return decided_by == evidence::declaration && !is_value() ? name : unused_declaration;
  }
  bool is_value() const noexcept { return name == encoding_name(value); }
};

/// The guess about a text without a byte order mark: about its first `most` bytes (params::guess_bytes), or all of it if
/// it is shorter. `legacy` and `ask` are params::legacy and guess_legacy.
guess guess_encoding(std::string_view text, std::size_t most, encoding legacy, guesser ask) noexcept;

}  // namespace utfilter::detail

#endif
