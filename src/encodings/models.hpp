// models.hpp: models of languages, by which the encoding of a text is guessed. models/models.py makes them from texts.
//
// A model gives the cost of a pair of neighbouring characters: likely pairs cost little. It looks a character up in two
// steps. A byte of an encoding has a kind: a letter of the script, a digit, a quotation mark, and so on. All languages
// of a script have the same kinds. In each language a kind has a class; letters that the language lacks have one
// together.
#ifndef UTFILTER_ENCODINGS_MODELS_HPP
#define UTFILTER_ENCODINGS_MODELS_HPP

#include "encodings/characters.hpp"

#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter::detail {

/// The kinds of characters. Letters follow the marks: first those of ASCII, which are one kind except in Latin script,
/// then the others of the script.
struct kind {
  enum : std::uint8_t {
    edge,   // a space or a control character
    digit,  // of ASCII, as punctuation is
    punctuation,
    symbol,     // one that texts have, such as a currency sign
    odd,        // any other character that is no letter of the script
    box,        // for drawing boxes
    foreign,    // a letter of the script that none of its languages has
    wrong,      // a control character of the set C1, or no character
    first_mark  // quotation marks, dashes and the like
  };
  static constexpr std::uint8_t marks = 18;
  static constexpr std::uint8_t first_letter = first_mark + marks;
};

struct language_model {
  std::string_view code;  // ISO 639
  script of;
  std::uint8_t classes;                // how many
  const std::uint8_t* class_of;        // the class of each kind
  const std::uint8_t* costs_of_pairs;  // a row for each class, with a half byte for each class after it

  /// The cost of a pair of classes: 0 to 15 steps of 3/4 bit.
  unsigned cost(unsigned before, unsigned after) const noexcept {
    const unsigned width = (classes + 1U) / 2U;
    return (costs_of_pairs[before * width + after / 2] >> (after % 2 * 4)) & 15U;
  }
};

/// An encoding of single bytes that a text may be in.
struct single_byte_candidate {
  std::string_view name;
  encoding value;                // detect if the library lacks it
  script of;                     // of its letters beyond ASCII
  std::uint8_t prior;            // bits: the rarer its texts, the more
  const std::uint8_t* kinds;     // of the bytes 80 to FF
  std::uint64_t capitals[2];     // a bit for each of these bytes
  const char16_t* characters;    // of these bytes; null if the library has the encoding
  std::uint16_t first_language;  // in candidate_languages
  std::uint8_t languages;        // those that it has the letters of

  bool is_capital(unsigned char byte) const noexcept {
    if (byte < 0x80) return byte >= 'A' && byte <= 'Z';
    return ((capitals[(byte - 0x80U) / 64] >> (byte % 64U)) & 1U) != 0;
  }
};

/// A language of a candidate.
struct candidate_language {
  std::uint8_t language;  // in `languages`
  bool is_usual;          // the encoding is one of those in which its texts are found
  bool is_reversed;       // the text has the last letter of a line first: Hebrew in visual order
};

inline constexpr std::size_t most_candidates = 56, most_candidate_languages = 288, most_languages = 64;

struct model_tables {
  const language_model* languages;
  std::size_t language_count;
  const single_byte_candidate* candidates;
  std::size_t candidate_count;
  const candidate_language* candidate_languages;
  std::size_t candidate_language_count;
  const std::uint8_t* mark_costs;  // steps: of each mark after a letter, then of each after another character
  const std::uint8_t* case_costs;  // steps: of a small letter and of a capital, in each case_state
};
extern const model_tables models;
/// A sentence for people, with the codes of all languages.
extern const char* const why_unknown_language;

/// Languages of thousands of characters.
enum class han_language : std::uint8_t { japanese, korean, simplified_chinese, traditional_chinese };
/// The cost of a character in bits. Complexity: logarithmic in the number of frequent characters.
unsigned cost_of_character(char32_t, han_language) noexcept;

}  // namespace utfilter::detail

#endif
