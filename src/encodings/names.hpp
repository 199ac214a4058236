// names.hpp: compares names of encodings: whether they are equal, and how much they differ, to find those nearest to a
// wrong one.
#ifndef UTFILTER_ENCODINGS_NAMES_HPP
#define UTFILTER_ENCODINGS_NAMES_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace utfilter::detail {

/// The lower case of an ASCII letter, in any locale; other characters stay as they are.
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Removes the first name from `names`, which are separated by spaces, and returns it.
inline std::string_view take_name(std::string_view& names) noexcept {
  const std::string_view name = names.substr(0, names.find(' '));
  names.remove_prefix(std::min(name.size() + 1, names.size()));
  return name;
}

/// Whether the names are equal but for the case of their letters.
inline bool same_names(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// Whether the names are equal. Case does not matter, and an underscore is a hyphen: iso_8859_1 is Python's spelling.
inline bool equal_names(std::string_view a, std::string_view b) noexcept {
  const auto plain = [](char c) noexcept { return c == '_' ? '-' : lower(c); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return plain(x) == plain(y); });
}

/// Whether the names are equal. Case, hyphens, underscores and colons do not matter: "shiftjis" is a name to ICU, too.
/// Not for the encodings of this library, which have exactly the names of their rows.
inline bool alike_names(std::string_view a, std::string_view b) noexcept {
  const auto skip_marks = [](std::string_view& name) noexcept {
    name.remove_prefix(std::min(name.find_first_not_of("-_:"), name.size()));
  };
  while (true) {
    skip_marks(a);
    skip_marks(b);
    if (a.empty() || b.empty()) return a.empty() && b.empty();
    if (lower(a.front()) != lower(b.front())) return false;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
}

/// Whether the name is a number, as that of a code page.
inline bool is_number(std::string_view name) noexcept {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether the name is one of `names`, which are separated by spaces.
inline bool is_among(std::string_view name, std::string_view names) noexcept {
  while (!names.empty())
    if (equal_names(name, take_name(names))) return true;
  return false;
}

/// The letters and digits of a name, in lower case. So "ISO_8859-1" and "iso8859-1" are the same. Names longer than any
/// encoding's are cut.
class plain_name {
 public:
  static constexpr std::size_t longest = 40;

  explicit plain_name(std::string_view name) noexcept {
    for (const char each : name) {
      const char c = lower(each);
      const bool counts = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<signed char>(c) < 0;
      if (counts && size_ < longest) text_[size_++] = c;
    }
  }
  std::string_view text() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, longest> text_;
  std::size_t size_ = 0;
};

/// Levenshtein's distance: how many letters must be added, removed or changed to make one name of the other.
inline std::size_t name_distance(const plain_name& a, const plain_name& b) noexcept {
  const std::string_view from = a.text(), to = b.text();
  // row[n] is the distance between the part of `from` that has been read and the first n letters of `to`.
  std::array<std::size_t, plain_name::longest + 1> row;
  for (std::size_t n = 0; n <= to.size(); ++n) row[n] = n;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t n = 0; n < to.size(); ++n) {
      const std::size_t changed = diagonal + (from[i] != to[n]);
      diagonal = row[n + 1];
      row[n + 1] = std::min(changed, std::min(row[n], diagonal) + 1);
    }
  }
  return row[to.size()];
}

/// Whether a name at this distance may be meant: at most every third letter is another one.
inline bool is_near(const plain_name& wanted, std::size_t distance) noexcept {
  return 3 * distance <= std::max<std::size_t>(wanted.text().size(), 3);
}

}  // namespace utfilter::detail

#endif
