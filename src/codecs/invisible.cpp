// invisible.cpp: the characters of printable_options::invisible. invisible.py writes this file: do not edit it.
#include "codecs/escapes.hpp"

#include <algorithm>
#include <iterator>

// clang-format off
namespace utfilter::detail {
namespace {

struct range {
  char32_t first, last;
};

constexpr range invisible[] = {
    {0x00AD, 0x00AD},
    {0x034F, 0x034F},
    {0x061C, 0x061C},
    {0x115F, 0x1160},
    {0x17B4, 0x17B5},
    {0x180B, 0x180F},
    {0x200B, 0x200F},
    {0x202A, 0x202E},
    {0x2060, 0x206F},
    {0x3164, 0x3164},
    {0xE000, 0xF8FF},
    {0xFDD0, 0xFDEF},
    {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB},
    {0xFFFE, 0xFFFF},
    {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A},
    {0x1FFFE, 0x1FFFF},
    {0x2FFFE, 0x2FFFF},
    {0x3FFFE, 0x3FFFF},
    {0x4FFFE, 0x4FFFF},
    {0x5FFFE, 0x5FFFF},
    {0x6FFFE, 0x6FFFF},
    {0x7FFFE, 0x7FFFF},
    {0x8FFFE, 0x8FFFF},
    {0x9FFFE, 0x9FFFF},
    {0xAFFFE, 0xAFFFF},
    {0xBFFFE, 0xBFFFF},
    {0xCFFFE, 0xCFFFF},
    {0xDFFFE, 0xE0FFF},
    {0xEFFFE, 0x10FFFF},
};

}  // namespace

bool is_invisible(char32_t c) noexcept {
  const auto ends_before = [](const range& r, char32_t value) { return r.last < value; };
  const range* const found = std::lower_bound(std::begin(invisible), std::end(invisible), c, ends_before);
  return found != std::end(invisible) && found->first <= c;
}

}  // namespace utfilter::detail
