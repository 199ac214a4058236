// encoding.cpp: the names of the encodings.
#include <utfilter/encoding.hpp>

#include <algorithm>
#include <cstddef>

namespace utfilter {
namespace {

struct row {
  encoding         value;
  std::string_view names;  // with a space between them; the preferred one first, as it is written
};

constexpr row rows[] = {
    {encoding::detect, "detect"},
    {encoding::utf8, "UTF-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"},
    {encoding::utf16, "UTF-16 utf16 csutf16"},
    {encoding::utf16le, "UTF-16LE utf16le csutf16le"},
    {encoding::utf16be, "UTF-16BE utf16be csutf16be"},
    {encoding::utf32, "UTF-32 utf32 csutf32"},
    {encoding::utf32le, "UTF-32LE utf32le csutf32le"},
    {encoding::utf32be, "UTF-32BE utf32be csutf32be"},
    {encoding::cesu8, "CESU-8 cesu8 cscesu8 cscesu-8"},
    {encoding::latin1,
     "ISO-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1 iso88591 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1"},
    {encoding::windows1252, "windows-1252 windows1252 cswindows1252 cp1252 x-cp1252"},
};

/// ASCII alone, whatever the locale.
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view encoding_names(encoding e) noexcept {
  for (const row& one : rows)
    if (one.value == e) return one.names;
  return "unknown";
}

std::string_view encoding_name(encoding e) noexcept {
  const std::string_view names = encoding_names(e);
  return names.substr(0, names.find(' '));
}

std::optional<encoding> encoding_from_name(std::string_view name) noexcept {
  for (const row& one : rows) {
    for (std::string_view rest = one.names; !rest.empty();) {
      const std::size_t size = std::min(rest.find(' '), rest.size());
      if (same(name, rest.substr(0, size))) return one.value;
      rest.remove_prefix(std::min(size + 1, rest.size()));
    }
  }
  return std::nullopt;
}

}  // namespace utfilter
