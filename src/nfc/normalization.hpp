// normalization.hpp: the facts about each character that normalization needs. These tables are made once, from those of
// utf8proc, and are faster than utf8proc.
#ifndef UTFILTER_NFC_NORMALIZATION_HPP
#define UTFILTER_NFC_NORMALIZATION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace utfilter::detail {

/// The quick check of a character in Normalization Form C (UAX 15, section 9), as one byte: one of these values, or the
/// combining class of a mark that changes nothing if the marks before it are in order. Such a mark is a non-starter
/// whose NFC_Quick_Check is Yes.
enum nfc_quick : std::uint8_t {
  nfc_plain = 0,    // never changes the text before it: a starter whose NFC_Quick_Check is Yes
  nfc_other = 255,  // may change, or may change the text before it
};

/// The longest canonical decomposition has four characters.
inline constexpr std::size_t longest_decomposition = 8;

/// A run of non-starters has at most this many characters in the Stream-Safe Text Format (UAX 15, section 13).
inline constexpr unsigned most_non_starters = 30;

/// The facts of a character. Those about non-starters refer to its compatibility decomposition, as UAX 15 says.
struct nfc_properties {
  std::uint8_t quick = nfc_plain;    // see nfc_quick
  std::uint8_t combining_class = 0;  // 0 for a starter
  std::uint8_t leading = 0;          // non-starters at the start of the decomposition; all of them if it has no starter
  std::uint8_t trailing = 0;         // non-starters at its end, after the last starter
  bool has_starter = true;
  bool is_hangul_syllable = false;
  bool composes = false;                // whether a composition in the table begins with the character
  std::uint8_t decomposition_size = 0;  // characters of the canonical decomposition; 0 if the character has none
  std::uint16_t decomposition = 0;      // where it begins in decompositions_

  bool operator<(const nfc_properties& other) const noexcept;
};

/// The properties of all characters. Throws std::bad_alloc when it is made. Thread safety: immutable.
class normalization {
 public:
  /// The tables, which the first call makes. Throws std::bad_alloc.
  static const normalization& tables();

  const nfc_properties& of(char32_t c) const noexcept { return properties_[ids_[place(c)]]; }
  /// Whether a character that is not plain begins with this byte in UTF-8.
  bool is_changing_lead(unsigned char byte) const noexcept { return changing_leads_[byte]; }
  /// The member `quick` of the first character of well-formed UTF-8. Precondition: is_changing_lead(in[0]).
  std::uint8_t quick(const unsigned char* in) const noexcept {
    const unsigned lead = in[0], second = in[1] & 0x3Fu;
    if ((changing_pairs_[lead] >> second & 1) == 0) return nfc_plain;
    if (lead < 0xE0) return quick(lead & 0x1F, in[1]);
    if (lead < 0xF0) return quick((lead & 0x0F) << 6 | second, in[2]);
    return quick((lead & 0x07) << 12 | second << 6 | (in[2] & 0x3Fu), in[3]);
  }
  /// The number of marks in a row that cannot exceed the limit of the Stream-Safe Text Format.
  unsigned safe_marks() const noexcept { return safe_marks_; }

  /// Writes the canonical decomposition. Returns its size in characters; 1 if it is the character itself.
  std::size_t decompose(char32_t c, const nfc_properties&, std::array<char32_t, longest_decomposition>&) const noexcept;
  /// The primary composite of two characters; 0 if there is none.
  char32_t compose(char32_t first, char32_t second) const noexcept;
  /// Whether there is a composition that begins with the character.
  bool composes(char32_t c) const noexcept;

 private:
  struct composition {
    char32_t first, second, composite;  // 0 in an empty place
  };

  normalization();
  std::size_t place(char32_t c) const noexcept { return blocks_[c >> 6] * std::size_t{64} + (c & 0x3F); }
  /// The block is the character without its last six bits, which are those of its last byte.
  std::uint8_t quick(std::size_t block, unsigned char last_byte) const noexcept {
    return quick_[blocks_[block] * std::size_t{64} + (last_byte & 0x3Fu)];
  }
  /// Where the search for a composition begins: the bits are mixed by Fibonacci hashing.
  std::size_t home(char32_t first, char32_t second) const noexcept {
    return (first << 11 ^ second) * std::uint32_t{0x9E3779B1} >> home_shift_;
  }
  std::size_t after(std::size_t at) const noexcept { return at + 1 == compositions_.size() ? 0 : at + 1; }

  std::vector<std::uint16_t> blocks_;  // for each block of 64 characters, its place among the different ones
  std::vector<std::uint16_t> ids_;     // for each character of those, its place in properties_
  std::vector<std::uint8_t> quick_;    // for the same characters
  std::vector<nfc_properties> properties_;
  std::vector<char32_t> decompositions_;
  std::vector<composition> compositions_;  // a hash table: each is at its home, or in the places after it
  unsigned home_shift_ = 32;
  std::array<bool, 256> changing_leads_ = {};
  std::array<std::uint64_t, 256> changing_pairs_ = {};  // the same for each lead: a bit for each second byte
  unsigned safe_marks_ = 0;
};

}  // namespace utfilter::detail

#endif
