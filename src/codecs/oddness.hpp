// oddness.hpp: what looks odd in a text to people who read it.
#ifndef UTFILTER_CODECS_ODDNESS_HPP
#define UTFILTER_CODECS_ODDNESS_HPP

#include <cstddef>

namespace utfilter::detail {

/// What a character does in a text.
enum class use {
  space,
  neutral,   // it may stand anywhere
  quote,     // it begins or ends a word
  follower,  // it may follow a word, but begins none
  digit,
  small,
  capital,
  letter,
  symbol,
  box,  // it draws lines
  unused,
};

constexpr bool is_letter(use u) noexcept { return u == use::small || u == use::capital || u == use::letter; }

use use_of(char32_t c) noexcept;
inline bool is_letter(char32_t c) noexcept { return is_letter(use_of(c)); }

/// How many things are odd about some characters, and about their neighbours beside them: a capital after a small letter, a
/// symbol in a word, letters of two scripts in one word. Among characters of ASCII nothing is. Complexity: linear.
int odd(char32_t before, const char32_t* in, std::size_t size, char32_t after) noexcept;

/// Whether a character often follows a word: a mark of punctuation, or an accent by itself.
bool ends_word(char32_t c) noexcept;

/// Whether texts have this character. Letters of Latin, Greek and Cyrillic that only old or African languages, or phonetic
/// alphabets, need are not expected.
bool is_expected(char32_t c) noexcept;

}  // namespace utfilter::detail

#endif
