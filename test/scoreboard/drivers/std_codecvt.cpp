// std_codecvt.cpp: the facets of libstdc++, std::codecvt_utf8 and std::codecvt_utf16, which C++17 deprecates.
#include "codecvt.hpp"

#include <codecvt>

int main() {
  return serve("GCC " __VERSION__, [](const question& asked) -> std::optional<answer> {
    static const std::codecvt_utf8<wchar_t> utf8(1);
    static const std::codecvt_utf8<wchar_t, 0x10FFFF, std::consume_header> signed_utf8(1);
    static const std::codecvt_utf16<wchar_t> utf16be(1);
    static const std::codecvt_utf16<wchar_t, 0x10FFFF, std::little_endian> utf16le(1);
    static const std::codecvt_utf16<wchar_t, 0x10FFFF, std::consume_header> utf16(1);
    const std::string name = asked.encoding + ' ' + asked.signature;
    if (!asked.strict()) return std::nullopt;
    if (name == "utf-8 keep") return convert_by<wchar_t>(utf8, asked);
    if (name == "utf-8 strip") return convert_by<wchar_t>(signed_utf8, asked);
    if (name == "utf-16be keep") return convert_by<wchar_t>(utf16be, asked);
    if (name == "utf-16le keep") return convert_by<wchar_t>(utf16le, asked);
    if (name == "utf-16 strip") return convert_by<wchar_t>(utf16, asked);
    return std::nullopt;
  });
}
