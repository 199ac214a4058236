// mojibake_group.hpp: finds characters that are the bytes of one character's UTF-8, read in another encoding.
#ifndef UTFILTER_CODECS_MOJIBAKE_GROUP_HPP
#define UTFILTER_CODECS_MOJIBAKE_GROUP_HPP

#include <cstddef>

namespace utfilter::detail {

struct encoding_scheme;

inline constexpr unsigned first_utf8_lead = 0xC2, last_utf8_lead = 0xF4;

/// Well-formed text that was read in an encoding, which has one byte per character.
struct text_at {
  const encoding_scheme& read_as;
  const char* in;
  std::size_t size;
  bool may_go_on;   // whether characters may follow it
  char32_t before;  // the character before it; 0 if there is none, or if that is the end of a group
};

/// The character that a group of characters stands for.
struct group {
  enum class kind { none, found, waits };

  kind what;
  char32_t value = 0;
  std::size_t size = 0;  // bytes of the text
};

/// The bytes of the longest group that waits.
inline constexpr std::size_t longest_group_that_waits = 35;

/// The group at the start of a text, which was read wrong twice, or once. Text that looks right has none:
/// changes.hpp has the rule.
group first_group(const text_at&) noexcept;

/// The last character of well-formed text that has one.
char32_t last_character(const char* in, std::size_t size) noexcept;

}  // namespace utfilter::detail

#endif
