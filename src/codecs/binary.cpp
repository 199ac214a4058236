// binary.cpp: what is no text, and what is UTF-8 already.
#include <utfilter/binary.hpp>

#include "encodings/formats.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

#include <algorithm>
#include <cstddef>

namespace utfilter {

namespace {

/// Whether one of the code units, of so many bytes, is NUL.
bool has_nul(std::string_view text, std::size_t unit) noexcept {
  for (; text.size() >= unit; text.remove_prefix(unit))
    if (text.substr(0, unit).find_first_not_of('\0') == std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string_view binary_format(std::string_view start) noexcept {
  constexpr std::string_view data = "data";
  start = start.substr(0, default_guess_bytes);
  if (start.empty()) return {};
  if (const std::string_view format = detail::format_of(start); !format.empty()) return format;
  const encoding_guess found = guess_encoding(start);
  if (found.decided_by == evidence::bom) return {};
  const std::size_t unit = code_unit_size(found.encoding);
  return found.encoding == encoding::detect || unit == 4 || has_nul(start, unit) ? data : std::string_view();
}

bool shows_utf8(std::string_view text) noexcept {
  return is_utf8(text) && std::any_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) < 0; });
}

}  // namespace utfilter
