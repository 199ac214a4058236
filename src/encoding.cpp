// encoding.cpp: the names of the encodings.
#include <utfilter/encoding.hpp>

#include <algorithm>

namespace utfilter {
namespace {

struct name_entry {
  std::string_view name;  // in lower case
  encoding         value;
};

constexpr name_entry names[] = {
    {"detect", encoding::detect},

    {"utf-8", encoding::utf8},
    {"utf8", encoding::utf8},
    {"csutf8", encoding::utf8},
    {"unicode-1-1-utf-8", encoding::utf8},
    {"unicode11utf8", encoding::utf8},
    {"unicode20utf8", encoding::utf8},
    {"x-unicode20utf8", encoding::utf8},

    {"utf-16", encoding::utf16},
    {"utf16", encoding::utf16},
    {"csutf16", encoding::utf16},
    {"utf-16le", encoding::utf16le},
    {"utf16le", encoding::utf16le},
    {"csutf16le", encoding::utf16le},
    {"utf-16be", encoding::utf16be},
    {"utf16be", encoding::utf16be},
    {"csutf16be", encoding::utf16be},

    {"utf-32", encoding::utf32},
    {"utf32", encoding::utf32},
    {"csutf32", encoding::utf32},
    {"utf-32le", encoding::utf32le},
    {"utf32le", encoding::utf32le},
    {"csutf32le", encoding::utf32le},
    {"utf-32be", encoding::utf32be},
    {"utf32be", encoding::utf32be},
    {"csutf32be", encoding::utf32be},

    {"cesu-8", encoding::cesu8},
    {"cesu8", encoding::cesu8},
    {"cscesu8", encoding::cesu8},
    {"cscesu-8", encoding::cesu8},

    {"iso-8859-1", encoding::latin1},
    {"iso_8859-1", encoding::latin1},
    {"iso_8859-1:1987", encoding::latin1},
    {"iso8859-1", encoding::latin1},
    {"iso88591", encoding::latin1},
    {"iso-ir-100", encoding::latin1},
    {"latin1", encoding::latin1},
    {"l1", encoding::latin1},
    {"ibm819", encoding::latin1},
    {"cp819", encoding::latin1},
    {"csisolatin1", encoding::latin1},

    {"windows-1252", encoding::windows1252},
    {"windows1252", encoding::windows1252},
    {"cswindows1252", encoding::windows1252},
    {"cp1252", encoding::windows1252},
    {"x-cp1252", encoding::windows1252},
};

/// ASCII alone, whatever the locale.
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string_view encoding_name(encoding e) noexcept {
  switch (e) {
    case encoding::detect: return "detect";
    case encoding::utf8: return "UTF-8";
    case encoding::utf16: return "UTF-16";
    case encoding::utf16le: return "UTF-16LE";
    case encoding::utf16be: return "UTF-16BE";
    case encoding::utf32: return "UTF-32";
    case encoding::utf32le: return "UTF-32LE";
    case encoding::utf32be: return "UTF-32BE";
    case encoding::cesu8: return "CESU-8";
    case encoding::latin1: return "ISO-8859-1";
    case encoding::windows1252: return "windows-1252";
  }
  return "unknown";
}

std::optional<encoding> encoding_from_name(std::string_view name) noexcept {
  for (const name_entry& entry : names) {
    const auto same = [](char a, char b) { return lower(a) == b; };
    if (std::equal(name.begin(), name.end(), entry.name.begin(), entry.name.end(), same)) return entry.value;
  }
  return std::nullopt;
}

}  // namespace utfilter
