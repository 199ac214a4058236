// characters.hpp: sets of characters that programs, protocols or readers may not want in a text.
// layer: unicode
#ifndef UTFILTER_CHARACTERS_HPP
#define UTFILTER_CHARACTERS_HPP

#include <utfilter/config.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace utfilter {

/// Sets of characters. `|` unites sets: `characters::bidi | characters::tags`. Tab, line feed, carriage return and the
/// printable characters of ASCII are in none of them.
///
/// The properties are those of the Unicode Character Database. No set depends on which characters a version of Unicode has
/// assigned. Other surrogates are in no set: in UTF-8 they are ill-formed.
enum class characters : std::uint32_t {
  none = 0,                ///< No character.
  nul = 0x1,               ///< U+0000.
  c0 = 0x3,                ///< U+0000..U+001F, but not tab, line feed and carriage return.
  c1 = 0x18,               ///< U+0080..U+009F.
  controls = 0x1F,         ///< The general category Cc, but not these three: c0, U+007F and c1.
  line_separators = 0x20,  ///< U+2028 and U+2029.
  bidi = 0x40,             ///< The property Bidi_Control: characters that change the direction of text.
  tags = 0x80,             ///< U+E0000..U+E007F, which can hide text of ASCII.
  invisible = 0x3C0,       ///< The property Default_Ignorable_Code_Point, which bidi and tags have, and U+FFF9..U+FFFB.
  noncharacters = 0x1C00,  ///< The property Noncharacter_Code_Point: U+FDD0..U+FDEF, and the last two of each plane.
  private_use = 0x6000,    ///< The general category Co.
  replacement = 0x8000,    ///< U+FFFD.
  supplementary = 0x25280,  ///< U+10000..U+10FFFF.
  non_ascii = 0x3FFF8,      ///< U+0080..U+10FFFF.
  /// U+DC80..U+DCFF, which Python has for ill-formed bytes. In UTF-8 they are errors, so no filter gets them.
  surrogate_escapes = 0x40000,
  /// Escape sequences of terminals (ECMA-48): they begin with U+001B, or with one of U+008E, U+008F, U+0090, U+0098,
  /// U+009B and U+009D..U+009F. What removes characters removes a whole sequence; see changes::remove_characters.
  ansi = 0x80000000,

  xml10 = 0x403,     ///< What XML 1.0 (section 2.2, Char) excludes: c0, U+FFFE and U+FFFF.
  xml11 = 0x417,     ///< What XML 1.1 (section 2.2) excludes or restricts: controls but U+0085, U+FFFE and U+FFFF.
  json_text = c0,    ///< What JSON (RFC 8259 section 7) takes only as escapes, like tab, LF and CR in strings.
  postgresql = nul,  ///< What a text of PostgreSQL cannot have.
  utf8mb3 = supplementary,  ///< What MySQL's utf8mb3, and other programs of UCS-2, cannot store.
  ascii = non_ascii,        ///< What is not ASCII.
  printable = 0x7FFF,  ///< What readers do not see: controls, line_separators, invisible, noncharacters, private_use.
};

/// @{
/// The union and the intersection of two sets. Complexity: constant.
constexpr characters operator|(characters a, characters b) noexcept {
  return static_cast<characters>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr characters operator&(characters a, characters b) noexcept {
  return static_cast<characters>(static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b));
}
/// @}

/// Whether the set has the code point. Of characters::ansi it has those with which a sequence begins. Complexity:
/// logarithmic in the number of ranges, about fifty. Throws nothing.
UTFILTER_API bool contains(characters set, char32_t c) noexcept;

/// The set with this name, such as "bidi"; several with + between them are united: "bidi+tags". std::nullopt if there is
/// no such set. Names are those of the enumerators. Complexity: linear in the size of the name.
///
/// ```cpp
/// assert(utfilter::characters_from_name("bidi+tags") == (utfilter::characters::bidi | utfilter::characters::tags));
/// ```
UTFILTER_API std::optional<characters> characters_from_name(std::string_view name) noexcept;

namespace detail {
/// The bytes with which the characters of the set beyond ASCII begin: bit n for the byte C0 + n.
UTFILTER_API std::uint64_t leads_of(characters set) noexcept;
}

/// All names, separated by spaces: the sets, then the profiles. Complexity: constant.
UTFILTER_API std::string_view characters_names() noexcept;

/// The smallest of these sets that has the character, by name, such as "bidi"; empty if none has it. Complexity: as
/// contains, times the number of sets.
UTFILTER_API std::string_view set_of(char32_t c) noexcept;

}  // namespace utfilter

#endif
