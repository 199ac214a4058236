// characters.cpp: which characters are in the sets, and the names of the sets.
#include <utfilter/characters.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace utfilter {
namespace {

/// Neighbours that are in the same sets.
struct range {
  char32_t first, last;
  std::uint32_t sets;
};
constexpr range ranges[] = {
#include "unicode/characters.inc"
};

/// The bits of the character.
std::uint32_t sets_of(char32_t c) noexcept {
  const auto ends_before = [](const range& r, char32_t value) { return r.last < value; };
  const range* const found = std::lower_bound(std::begin(ranges), std::end(ranges), c, ends_before);
  if (found != std::end(ranges) && found->first <= c) return found->sets;
  if (c >= 0xD800 && c <= 0xDFFF) return 0;
  return c < 0x80 ? 0 : c < 0x10000 ? 0x10000 : 0x20000;
}

bool begins_escape_sequence(char32_t c) noexcept {
  return c == 0x1B || c == 0x8E || c == 0x8F || c == 0x90 || c == 0x98 || c == 0x9B || (c >= 0x9D && c <= 0x9F);
}

struct named_set {
  std::string_view name;
  characters set;
};
// The sets that a message names come first, the smaller before the larger.
constexpr named_set names[] = {{"nul", characters::nul},
                               {"c0", characters::c0},
                               {"c1", characters::c1},
                               {"controls", characters::controls},
                               {"line_separators", characters::line_separators},
                               {"bidi", characters::bidi},
                               {"tags", characters::tags},
                               {"invisible", characters::invisible},
                               {"noncharacters", characters::noncharacters},
                               {"private_use", characters::private_use},
                               {"replacement", characters::replacement},
                               {"supplementary", characters::supplementary},
                               {"surrogate_escapes", characters::surrogate_escapes},
                               {"non_ascii", characters::non_ascii},
                               {"ansi", characters::ansi},
                               {"xml10", characters::xml10},
                               {"xml11", characters::xml11},
                               {"json_text", characters::json_text},
                               {"postgresql", characters::postgresql},
                               {"utf8mb3", characters::utf8mb3},
                               {"ascii", characters::ascii},
                               {"printable", characters::printable}};

}  // namespace

std::uint64_t detail::leads_of(characters set) noexcept {
  const auto bits = static_cast<std::uint32_t>(set);
  std::uint64_t leads = 0;
  const auto add = [&](char32_t first, char32_t last) noexcept {
    const auto lead_of = [](char32_t c) noexcept {
      return c < 0x800 ? c >> 6 : c < 0x10000 ? 0x20 | c >> 12 : 0x30 | c >> 18;
    };
    for (char32_t lead = lead_of(first); lead <= lead_of(last); ++lead) leads |= std::uint64_t{1} << lead;
  };
  for (const range& r : ranges)
    if (r.first >= 0x80 && (r.sets & bits) != 0) add(r.first, r.last);
  if ((bits & 0x10000) != 0) add(0x80, 0xFFFF);
  if ((bits & 0x20000) != 0) add(0x10000, 0x10FFFF);
  if ((set & characters::ansi) != characters::none) add(0x80, 0x9F);
  return leads;
}

bool contains(characters set, char32_t c) noexcept {
  const auto bits = static_cast<std::uint32_t>(set);
  if ((bits & sets_of(c)) != 0) return true;
  return (set & characters::ansi) != characters::none && begins_escape_sequence(c);
}

std::optional<characters> characters_from_name(std::string_view name) noexcept {
  characters all = characters::none;
  while (true) {
    const std::string_view one = name.substr(0, name.find('+'));
    const auto found = std::find_if(std::begin(names), std::end(names), [&](const auto& n) { return n.name == one; });
    if (found == std::end(names)) return std::nullopt;
    all = all | found->set;
    if (one.size() == name.size()) return all;
    name.remove_prefix(one.size() + 1);
  }
}

std::string_view characters_names() noexcept {
  return "nul c0 c1 controls line_separators bidi tags invisible noncharacters private_use replacement supplementary "
         "surrogate_escapes non_ascii ansi xml10 xml11 json_text postgresql utf8mb3 ascii printable";
}

std::string_view set_of(char32_t c) noexcept {
  const auto found =
      std::find_if(std::begin(names), std::end(names), [c](const auto& n) { return contains(n.set, c); });
  return found == std::end(names) ? std::string_view() : found->name;
}

}  // namespace utfilter
