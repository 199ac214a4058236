// normalization.cpp: makes the tables from utf8proc's properties and decompositions.
#include "nfc/normalization.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace utfilter::detail {

namespace {

using code_points = std::vector<utf8proc_int32_t>;

constexpr char32_t last_character = 0x10FFFF;
constexpr bool is_surrogate(char32_t c) noexcept { return c >= 0xD800 && c <= 0xDFFF; }

// Unicode section 3.12: syllables of Hangul are composed by arithmetic.
constexpr char32_t first_syllable = 0xAC00, first_leading = 0x1100, first_vowel = 0x1161, before_trailing = 0x11A7;
constexpr char32_t leadings = 19, vowels = 21, trailings = 28;  // one of the trailing consonants is none
constexpr char32_t syllables = leadings * vowels * trailings;
constexpr bool is_in(char32_t c, char32_t first, char32_t count) noexcept { return c - first < count; }
constexpr bool is_syllable(char32_t c) noexcept { return is_in(c, first_syllable, syllables); }
/// Whether a trailing consonant can follow the syllable.
constexpr bool is_open_syllable(char32_t c) noexcept { return is_syllable(c) && (c - first_syllable) % trailings == 0; }

const utf8proc_property_t* properties_of(char32_t c) noexcept {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
}
std::uint8_t class_of(char32_t c) noexcept { return static_cast<std::uint8_t>(properties_of(c)->combining_class); }

code_points decomposed(char32_t c, int options) {
  code_points text(longest_decomposition);
  int unused = 0;
  while (true) {
    const utf8proc_ssize_t n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), text.data(),
                                                       static_cast<utf8proc_ssize_t>(text.size()),
                                                       static_cast<utf8proc_option_t>(options), &unused);
    const bool fits = n <= static_cast<utf8proc_ssize_t>(text.size());
    text.resize(static_cast<std::size_t>(std::max<utf8proc_ssize_t>(n, 0)));
    if (fits) return text;
  }
}

code_points composed(code_points text) {
  const utf8proc_ssize_t n =
      utf8proc_normalize_utf32(text.data(), static_cast<utf8proc_ssize_t>(text.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  text.resize(static_cast<std::size_t>(n));
  return text;
}

bool is(const code_points& text, char32_t c) noexcept {
  return text.size() == 1 && static_cast<char32_t>(text[0]) == c;
}

template <class Iterator>
std::uint8_t count_non_starters(Iterator begin, Iterator end) {
  return static_cast<std::uint8_t>(
      std::find_if(begin, end, [](auto c) { return class_of(static_cast<char32_t>(c)) == 0; }) - begin);
}

std::size_t utf8_lead(char32_t c) noexcept {
  return c < 0x80 ? c : c < 0x800 ? 0xC0 | c >> 6 : c < 0x10000 ? 0xE0 | c >> 12 : 0xF0 | c >> 18;
}

/// The second byte without its two high bits.
unsigned utf8_second(char32_t c) noexcept { return (c < 0x800 ? c : c < 0x10000 ? c >> 6 : c >> 12) & 0x3F; }

auto in_order(const nfc_properties& p) noexcept {
  return std::tuple(p.quick, p.combining_class, p.leading, p.trailing, p.has_starter, p.is_hangul_syllable, p.composes,
                    p.decomposition_size, p.decomposition);
}

}  // namespace

bool nfc_properties::operator<(const nfc_properties& other) const noexcept { return in_order(*this) < in_order(other); }

const normalization& normalization::tables() {
  static const normalization all;
  return all;
}

normalization::normalization() {
  // Every composition, by its first and second character: the second one is the last of the composite's decomposition.
  std::map<char32_t, std::map<char32_t, char32_t>> pairs;
  std::map<char32_t, code_points> changing;  // characters with a canonical decomposition, without Hangul
  std::set<char32_t> stable, seconds;        // those that compose again; those that are the second character of a pair
  const utf8proc_property_t* undivided = nullptr;  // of the last character without a decomposition; many share them
  for (char32_t c = 0; c <= last_character; ++c) {
    const utf8proc_property_t* const properties = properties_of(c);
    if (properties == undivided || is_surrogate(c) || is_syllable(c)) continue;
    code_points text = decomposed(c, UTF8PROC_DECOMPOSE);
    if (is(text, c) || text.size() > longest_decomposition) {
      undivided = properties;
      continue;
    }
    if (is(composed(text), c)) {
      const auto second = static_cast<char32_t>(text.back());
      const code_points first = composed(code_points(text.begin(), std::prev(text.end())));
      pairs[static_cast<char32_t>(first[0])][second] = c;
      seconds.insert(second);
      stable.insert(c);
    }
    changing[c] = std::move(text);
  }
  for (char32_t c = first_vowel; c < first_vowel + vowels; ++c) seconds.insert(c);
  for (char32_t c = before_trailing + 1; c < before_trailing + trailings; ++c) seconds.insert(c);
  std::vector<bool> is_special(last_character + 1);
  for (const auto& [c, text] : changing) is_special[c] = true;
  for (const auto& [c, of_c] : pairs) is_special[c] = true;
  for (const char32_t c : seconds) is_special[c] = true;

  // A quarter of the hash table is filled, at most.
  std::size_t places = 1;
  for (; places < 4 * stable.size(); places *= 2) --home_shift_;
  compositions_.resize(places);
  for (const auto& [first, of_first] : pairs) {
    for (const auto& [second, composite] : of_first) {
      std::size_t at = home(first, second);
      while (compositions_[at].composite != 0) at = after(at);
      compositions_[at] = {first, second, composite};
    }
  }

  std::map<nfc_properties, std::uint16_t> known;
  const auto id_of = [&](char32_t c) {
    nfc_properties p;
    p.combining_class = class_of(c);
    p.is_hangul_syllable = is_syllable(c);
    const auto found = changing.find(c);
    if (found != changing.end()) {
      p.decomposition = static_cast<std::uint16_t>(decompositions_.size());
      p.decomposition_size = static_cast<std::uint8_t>(found->second.size());
      for (const utf8proc_int32_t d : found->second) decompositions_.push_back(static_cast<char32_t>(d));
    }
    p.composes = pairs.count(c) != 0;
    if (!p.is_hangul_syllable) {
      const code_points text = decomposed(c, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
      p.leading = count_non_starters(text.begin(), text.end());
      p.trailing = count_non_starters(text.rbegin(), text.rend());
      p.has_starter = p.leading != text.size();
    }
    const bool stays = found == changing.end() || stable.count(c) != 0;
    // The first character of its decomposition may compose with the text before it (U+113C7, since Unicode 16).
    const auto first = found != changing.end() ? static_cast<char32_t>(found->second.front()) : c;
    const bool joins = seconds.count(c) != 0 || seconds.count(first) != 0;
    const bool is_mark = p.combining_class != 0 && p.leading == 1 && !p.has_starter;
    if (!stays || joins || (!is_mark && p.combining_class + p.leading != 0))
      p.quick = nfc_other;
    else
      p.quick = p.combining_class;
    const auto [at, is_new] = known.emplace(p, static_cast<std::uint16_t>(properties_.size()));
    if (is_new) properties_.push_back(p);
    return at->second;
  };

  std::map<std::vector<std::uint16_t>, std::uint16_t> known_blocks;
  const auto block_at = [&](const std::vector<std::uint16_t>& ids) {
    const auto [at, is_new] = known_blocks.emplace(ids, static_cast<std::uint16_t>(ids_.size() / 64));
    if (is_new) ids_.insert(ids_.end(), ids.begin(), ids.end());
    return at->second;
  };
  // Neighbours with the same properties have the same id, unless they are special or syllables.
  const utf8proc_property_t* last_properties = nullptr;
  std::uint16_t last_id = 0;
  const auto quick_id_of = [&](char32_t c) {
    const utf8proc_property_t* const properties = properties_of(c);
    if (is_special[c] || is_syllable(c)) return id_of(c);
    if (properties != last_properties) {
      last_id = id_of(c);
      last_properties = properties;
    }
    return last_id;
  };
  unsigned most_trailing = 0;
  nfc_properties nothing;  // of a surrogate
  nothing.quick = nfc_other;
  properties_.push_back(nothing);
  for (std::size_t block = 0; block <= last_character >> 6; ++block) {
    std::vector<std::uint16_t> ids;
    for (char32_t c = static_cast<char32_t>(block << 6); ids.size() < 64; ++c) {
      const std::uint16_t id = is_surrogate(c) ? std::uint16_t{0} : quick_id_of(c);
      const nfc_properties& p = properties_[id];
      if (p.quick != nfc_plain) {
        changing_leads_[utf8_lead(c)] = true;
        changing_pairs_[utf8_lead(c)] |= std::uint64_t{1} << utf8_second(c);
      }
      ids.push_back(id);
      most_trailing = std::max<unsigned>(most_trailing, p.trailing);
    }
    blocks_.push_back(block_at(ids));
  }
  for (const std::uint16_t id : ids_) quick_.push_back(properties_[id].quick);
  safe_marks_ = most_non_starters - std::min(most_trailing, most_non_starters);
}

std::size_t normalization::decompose(char32_t c, const nfc_properties& p,
                                     std::array<char32_t, longest_decomposition>& out) const noexcept {
  if (p.is_hangul_syllable) {
    const char32_t index = c - first_syllable, trailing = index % trailings;
    out[0] = first_leading + index / trailings / vowels;
    out[1] = first_vowel + index / trailings % vowels;
    out[2] = before_trailing + trailing;
    return trailing == 0 ? 2 : 3;
  }
  out[0] = c;
  std::copy_n(decompositions_.begin() + p.decomposition, p.decomposition_size, out.begin());
  return std::max<std::size_t>(p.decomposition_size, 1);
}

char32_t normalization::compose(char32_t first, char32_t second) const noexcept {
  if (is_in(first, first_leading, leadings) && is_in(second, first_vowel, vowels))
    return first_syllable + ((first - first_leading) * vowels + (second - first_vowel)) * trailings;
  if (is_open_syllable(first) && is_in(second, before_trailing + 1, trailings - 1))
    return first + (second - before_trailing);
  for (std::size_t at = home(first, second);; at = after(at)) {
    const composition& c = compositions_[at];
    if (c.composite == 0 || (c.first == first && c.second == second)) return c.composite;
  }
}

bool normalization::composes(char32_t c) const noexcept {
  return of(c).composes || is_in(c, first_leading, leadings) || is_open_syllable(c);
}

}  // namespace utfilter::detail
