// characters.cpp: the scripts of Unicode's blocks, and the roles of the characters of single-byte encodings.
#include "encodings/characters.hpp"

#include <algorithm>
#include <iterator>

namespace utfilter::detail {
namespace {

struct block {
  char32_t first;
  script of;
};

/// Where characters of another script begin, from Unicode's Blocks.txt. `none` is for planes without characters.
constexpr block blocks[] = {
    {0x0000, latin},      {0x0080, common},    {0x00C0, latin},        {0x0370, greek},      {0x0400, cyrillic},
    {0x0530, armenian},   {0x0590, hebrew},    {0x0600, arabic},       {0x0700, syriac},     {0x0750, arabic},
    {0x0780, thaana},     {0x07C0, nko},       {0x0800, rare},         {0x0860, syriac},     {0x0870, arabic},
    {0x0900, devanagari}, {0x0980, bengali},   {0x0A00, gurmukhi},     {0x0A80, gujarati},   {0x0B00, oriya},
    {0x0B80, tamil},      {0x0C00, telugu},    {0x0C80, kannada},      {0x0D00, malayalam},  {0x0D80, sinhala},
    {0x0E00, thai},       {0x0E80, lao},       {0x0F00, tibetan},      {0x1000, myanmar},    {0x10A0, georgian},
    {0x1100, hangul},     {0x1200, ethiopic},  {0x13A0, cherokee},     {0x1400, canadian},   {0x1680, rare},
    {0x1780, khmer},      {0x1800, mongolian}, {0x18B0, canadian},     {0x1900, rare},       {0x19E0, khmer},
    {0x1A00, rare},       {0x1C80, cyrillic},  {0x1C90, georgian},     {0x1CC0, rare},       {0x1D00, latin},
    {0x1F00, greek},      {0x2000, common},    {0x2C00, rare},         {0x2C60, latin},      {0x2C80, rare},
    {0x2D00, georgian},   {0x2D30, tifinagh},  {0x2D80, ethiopic},     {0x2DE0, cyrillic},   {0x2E00, common},
    {0x2E80, han},        {0x3000, common},    {0x3040, han},          {0x3130, hangul},     {0x3190, han},
    {0x4DC0, common},     {0x4E00, han},       {0xA000, yi},           {0xA4D0, rare},       {0xA640, cyrillic},
    {0xA6A0, rare},       {0xA700, latin},     {0xA800, rare},         {0xA8E0, devanagari}, {0xA900, rare},
    {0xA960, hangul},     {0xA980, rare},      {0xAA60, myanmar},      {0xAA80, rare},       {0xAB00, ethiopic},
    {0xAB30, latin},      {0xAB70, cherokee},  {0xABC0, rare},         {0xAC00, hangul},     {0xE000, private_use},
    {0xF900, han},        {0xFB00, latin},     {0xFB13, armenian},     {0xFB1D, hebrew},     {0xFB50, arabic},
    {0xFE00, common},     {0xFE70, arabic},    {0xFEFF, common},       {0xFF65, han},        {0xFFA0, hangul},
    {0xFFE0, common},     {0x10000, rare},     {0x19000, none},        {0x1B000, han},       {0x1B170, rare},
    {0x1D400, common},    {0x1D800, rare},     {0x1F000, common},      {0x20000, han},       {0x40000, none},
    {0xE0000, common},    {0xE0200, none},     {0xF0000, private_use},
};

constexpr bool in(char32_t c, char32_t first, char32_t last) noexcept { return c >= first && c <= last; }

/// In most parts of the blocks of Latin, capitals and small letters take turns.
constexpr role by_turns(char32_t c, unsigned capital) noexcept {
  return c % 2 == capital ? role::capital : role::small;
}

role role_of_latin(char32_t c) noexcept {
  if (c == 0xAA || c == 0xBA) return role::none;  // as in 1\u00AA and n\u00BA
  if (c < 0xC0 || c == 0xD7 || c == 0xF7) return c == 0xB5 ? role::small : role::symbol;
  if (c < 0x100) return c < 0xDF ? role::capital : role::small;
  if (c == 0x138 || c == 0x149 || c == 0x17F || c == 0x192) return role::small;
  if (c == 0x178) return role::capital;
  if (in(c, 0x139, 0x148) || in(c, 0x179, 0x17E) || in(c, 0x1AF, 0x1B0)) return by_turns(c, 1);
  return by_turns(c, 0);
}

role role_of_greek(char32_t c) noexcept {
  if (c == 0x37A || c == 0x384 || c == 0x385 || c == 0x387) return role::symbol;
  return c < 0x3AC && c != 0x390 ? role::capital : role::small;
}

role role_of_cyrillic(char32_t c) noexcept {
  if (c < 0x460) return c < 0x430 ? role::capital : role::small;
  return by_turns(c, 0);
}

role role_of_arabic(char32_t c) noexcept {
  if (in(c, 0x660, 0x669)) return role::none;
  return c < 0x620 || c == 0x66A || c == 0x66D ? role::symbol : role::letter;
}

}  // namespace

script script_of(char32_t c) noexcept {
  const auto after = std::upper_bound(std::begin(blocks), std::end(blocks), c,
                                      [](char32_t value, const block& b) { return value < b.first; });
  return std::prev(after)->of;
}

role role_of(char32_t c) noexcept {
  if (c < 0x80) return in(c, 'a', 'z') ? role::small : in(c, 'A', 'Z') ? role::capital : role::none;
  if (is_c1_control(c) || in(c, 0x2500, 0x259F) || in(c, 0xE000, 0xF8FF)) return role::unused;
  switch (c) {
    case 0x85:    // NEL
    case 0xA0:    // a space
    case 0xAD:    // a hyphen
    case 0xB4:    // an accent for an apostrophe
    case 0xB7:    // Catalan
    case 0x2BC:   // an apostrophe
    case 0x200C:  // joiners
    case 0x200D:
    case 0x2010:  // hyphens and a dash
    case 0x2011:
    case 0x2013:
    case 0x2018:  // apostrophes
    case 0x2019: return role::none;
    default: break;
  }
  if (c < 0x250 || in(c, 0x1E00, 0x1EFF)) return role_of_latin(c);
  if (c < 0x300) return role::symbol;  // accents without a letter
  if (c < 0x370) return role::letter;  // accents on a letter
  if (c < 0x400) return role_of_greek(c);
  if (c < 0x530) return role_of_cyrillic(c);
  if (c >= 0x600 && c < 0x700) return role_of_arabic(c);
  if (c == 0xE3F || in(c, 0x2000, 0x2BFF) || c >= 0xFFF0) return role::symbol;
  return role::letter;
}

}  // namespace utfilter::detail
