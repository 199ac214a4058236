// encoding.cpp: the functions of encoding.hpp that look into the rows of all encodings.
#include <utfilter/encoding.hpp>

#include "encodings/cjk/names.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/names.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace utfilter {
namespace {

/// The values for a text whose encoding is not known yet.
constexpr encoding undecided_encodings[] = {encoding::detect, encoding::guess};

bool is_among(std::string_view name, std::string_view names) noexcept {
  while (!names.empty())
    if (detail::same_names(name, detail::take_name(names))) return true;
  return false;
}

/// A name and its distance from the name that was asked for.
struct candidate {
  std::string_view name = {};
  std::size_t distance = detail::plain_name::longest + 1;
};

/// The name of the encoding that is nearest to `wanted`.
candidate nearest_name(const detail::plain_name& wanted, encoding e) noexcept {
  candidate nearest;
  for (std::string_view names = encoding_names(e); !names.empty();) {
    const std::string_view name = detail::take_name(names);
    const std::size_t distance = name_distance(wanted, detail::plain_name(name));
    if (distance < nearest.distance) nearest = {name, distance};
  }
  return nearest;
}

}  // namespace

std::string_view encoding_names(encoding e) noexcept {
  if (e == encoding::detect) return "detect";
  if (e == encoding::guess) return "guess";
  const detail::encoding_scheme* const row = detail::scheme_of(e);
  return row != nullptr ? row->names : "unknown";
}

std::string_view encoding_name(encoding e) noexcept {
  const std::string_view names = encoding_names(e);
  return names.substr(0, names.find(' '));
}

std::optional<encoding> encoding_from_name(std::string_view name) noexcept {
  for (const encoding e : encodings())
    if (is_among(name, encoding_names(e))) return e;
  for (const encoding e : undecided_encodings)
    if (is_among(name, encoding_names(e))) return e;
  return std::nullopt;
}

std::array<std::string_view, 3> nearest_encoding_names(std::string_view name) noexcept {
  const detail::plain_name wanted(name);
  std::array<candidate, 3> nearest;
  const auto consider = [&](encoding e) {
    const candidate one = nearest_name(wanted, e);
    if (!is_near(wanted, one.distance)) return;
    const auto nearer = [](const candidate& a, const candidate& b) { return a.distance < b.distance; };
    const auto place = std::upper_bound(nearest.begin(), nearest.end(), one, nearer);
    if (place == nearest.end()) return;
    std::move_backward(place, nearest.end() - 1, nearest.end());
    *place = one;
  };
  for (const encoding e : encodings()) consider(e);
  for (const encoding e : undecided_encodings) consider(e);
  return {nearest[0].name, nearest[1].name, nearest[2].name};
}

std::string detail::why_no_encoding(std::string_view name) {
  constexpr std::size_t most = 64;
  std::string why = "utfilter: there is no encoding \"";
  for (const char c : name.substr(0, most)) why += c >= 0x20 && c < 0x7F ? c : '?';
  why += name.size() > most ? "...\"" : "\"";
  const char* before = "; the nearest names are ";
  for (const std::string_view near : nearest_encoding_names(name)) {
    if (near.empty()) break;
    why.append(before).append(near);
    before = ", ";
  }
  if (*before == ';') why += "; encoding.hpp has all names";
  return why;
}

bool is_single_byte(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::scheme_of(e);
  return row != nullptr && row->longest == 1;
}

detail::source_size_function detail::source_size_of(encoding e) noexcept { return scheme_of(e)->source_size; }

bool detail::is_irregular(encoding e) noexcept {
  const encoding_scheme* const row = scheme_of(e);
  return row != nullptr && row->is_irregular;
}

bool detail::is_left_out(std::string_view name) noexcept {
  return why_missing(encoding::shift_jis) != nullptr &&
         std::any_of(std::begin(all_cjk_names), std::end(all_cjk_names),
                     [name](std::string_view names) { return utfilter::is_among(name, names); });
}

}  // namespace utfilter
