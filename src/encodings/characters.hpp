// characters.hpp: the facts about a character by which an encoding is guessed: its script, and its role in words.
#ifndef UTFILTER_ENCODINGS_CHARACTERS_HPP
#define UTFILTER_ENCODINGS_CHARACTERS_HPP

#include <cstdint>

namespace utfilter::detail {

/// The scripts of living languages; `rare` is all others, `common` the characters that texts of all scripts have. Chinese
/// and Japanese are one script.
enum script : std::uint8_t {
  none,
  common,
  latin,
  greek,
  cyrillic,
  armenian,
  hebrew,
  arabic,
  syriac,
  thaana,
  nko,
  devanagari,
  bengali,
  gurmukhi,
  gujarati,
  oriya,
  tamil,
  telugu,
  kannada,
  malayalam,
  sinhala,
  thai,
  lao,
  tibetan,
  myanmar,
  georgian,
  hangul,
  ethiopic,
  cherokee,
  canadian,
  khmer,
  mongolian,
  han,
  yi,
  tifinagh,
  private_use,
  rare,
  scripts
};

/// The script of a scalar value. Complexity: logarithmic in the number of blocks.
script script_of(char32_t c) noexcept;

/// The role of a character in words.
enum class role : std::uint8_t {
  none,     ///< it stands between words, as a space, or may stand in them, as an apostrophe
  small,    ///< a small letter
  capital,  ///< a capital
  letter,   ///< a letter of a script without capitals, or a mark on a letter
  symbol,   ///< seldom between two letters: a currency sign, a fraction
  unused,   ///< not in prose: a control character of the set C1, a private-use character, a box-drawing character
};

constexpr bool is_letter(role r) noexcept { return r == role::small || r == role::capital || r == role::letter; }

/// The role of a character that single-byte encodings have; `letter` for most others. Complexity: constant.
role role_of(char32_t c) noexcept;

/// Whether it is a control character that texts of 8-bit encodings do not have. Such texts have ends of lines and
/// pages, tabs, backspaces, and the escape sequences of terminals.
constexpr bool is_odd_control(char32_t c) noexcept { return c < 0x20 && c != 0x1B && (c < 0x08 || c > 0x0D); }

/// Whether it is a control character of ISO 6429's set C1, or DEL. NEL does not count: on IBM's systems it ends lines.
constexpr bool is_c1_control(char32_t c) noexcept { return c >= 0x7F && c < 0xA0 && c != 0x85; }

constexpr bool is_printable(char32_t c) noexcept { return c >= 0x20 && c < 0x7F; }

/// Whether it is ASCII that texts have outside of escape sequences.
constexpr bool is_ascii_text(char32_t c) noexcept { return is_printable(c) || (c >= 0x09 && c <= 0x0D); }

constexpr bool is_kana(char32_t c) noexcept { return c >= 0x3000 && c < 0x3100; }

}  // namespace utfilter::detail

#endif
