// encoding.cpp: the functions of encoding.hpp, which look into the rows of the encodings.
#include <utfilter/encoding.hpp>

#include "encodings/encoding_scheme.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace utfilter {
namespace {

constexpr encoding all_encodings[] = {
#define UTFILTER_ROW(name) encoding::name,
#include "encodings/rows.inc"
#undef UTFILTER_ROW
};

/// The lower case of an ASCII letter, in any locale; other characters stay as they are.
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// Whether `names`, which are separated by spaces, include `name`.
bool is_among(std::string_view name, std::string_view names) noexcept {
  while (!names.empty()) {
    const std::size_t size = std::min(names.find(' '), names.size());
    if (same(name, names.substr(0, size))) return true;
    names.remove_prefix(std::min(size + 1, names.size()));
  }
  return false;
}

}  // namespace

std::string_view encoding_names(encoding e) noexcept {
  if (e == encoding::detect) return "detect";
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
  if (is_among(name, encoding_names(encoding::detect))) return encoding::detect;
  return std::nullopt;
}

encoding_list encodings() noexcept { return {std::begin(all_encodings), std::end(all_encodings)}; }

bool has_signature(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::scheme_of(e);
  return e == encoding::detect || (row != nullptr && !row->signature.empty());
}

bool is_decided_by_signature(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::scheme_of(e);
  return e == encoding::detect || (row != nullptr && row->unmarked != e);
}

std::size_t code_unit_size(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::scheme_of(e);
  return row != nullptr ? row->code_unit : 1;
}

bool is_single_byte(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::scheme_of(e);
  return row != nullptr && row->longest == 1;
}

}  // namespace utfilter
