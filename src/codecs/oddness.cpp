// oddness.cpp: what characters do in texts, and which neighbours are odd.
#include "codecs/oddness.hpp"

#include "encodings/characters.hpp"

namespace utfilter::detail {

use use_of(char32_t c) noexcept {
  if (c <= 0x20) return use::space;
  if (c >= U'0' && c <= U'9') return use::digit;
  switch (c) {
    case 0x85: return use::unused;
    case 0xA0: return use::space;
    case 0xA1:
    case 0xAB:
    case 0xBB:
    case 0xBF:
    case 0x2018:
    case 0x201A:
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x2039:
    case 0x203A: return use::quote;
    case 0xA9:
    case 0xAE:
    case 0xB0:
    case 0xB2:
    case 0xB3:
    case 0xB9:
    case 0x2020:
    case 0x2021:
    case 0x2122: return use::follower;
    case 0x2014:
    case 0x2022:
    case 0x2026: return use::neutral;
    default: break;
  }
  if (c >= 0x2500 && c <= 0x259F) return use::box;
  const script of = script_of(c);
  if (of == script::none || of == script::private_use) return use::unused;
  switch (role_of(c)) {
    case role::none: return use::neutral;
    case role::small: return use::small;
    case role::capital: return use::capital;
    case role::letter: return use::letter;
    case role::symbol: return use::symbol;
    case role::unused: return use::unused;
  }
  return use::symbol;
}

namespace {

/// A sign that may stand right before a number or a letter: of mathematics, or of a currency.
bool is_prefix(char32_t c) noexcept {
  switch (c) {
    case 0xA3:
    case 0xA5:
    case 0xA7:
    case 0xB1:
    case 0xD7:
    case 0xF7:
    case 0x20AC:
    case 0x2206:
    case 0x221A: return true;
    default: return false;
  }
}

bool is_mark(char32_t c) noexcept { return c >= 0x300 && c < 0x370; }

/// Whether letters of two scripts stand in one word. Greek letters stand in words of science.
bool mixes_scripts(char32_t a, char32_t b) noexcept {
  const script s = script_of(a), t = script_of(b);
  if (s == t || s == script::common || t == script::common || is_mark(a) || is_mark(b)) return false;
  return !(s == script::greek && t == script::latin) && !(s == script::latin && t == script::greek);
}

/// How many things are odd about two neighbours: of ASCII none is.
int odd(char32_t a, char32_t b) noexcept {
  if (a < 0x80 && b < 0x80) return 0;
  const use x = use_of(a), y = use_of(b);
  if (is_letter(x) && is_letter(y)) return (x == use::small && y == use::capital) + mixes_scripts(a, b);
  if (is_letter(x) && (y == use::symbol || y == use::box)) return 1;
  if (x == use::digit && y == use::box) return 1;
  if (x == use::symbol && is_letter(y)) return !is_prefix(a);
  if (x == use::follower && a == 0xB0 && y != use::small) return 0;  // degrees: 20 °C
  if ((x == use::box || x == use::follower) && (is_letter(y) || y == use::digit)) return 1;
  return (x == use::box) != (y == use::box) && x != use::space && y != use::space;
}

}  // namespace

int odd(char32_t before, const char32_t* in, std::size_t size, char32_t after) noexcept {
  int all = 0;
  char32_t last = before;
  for (std::size_t i = 0; i != size; ++i) {
    const char32_t next = i + 1 != size ? in[i + 1] : after;
    const use here = use_of(in[i]);
    all += odd(last, in[i]) + (here == use::unused);
    all += here == use::quote && is_letter(last) && is_letter(next);  // within a word
    last = in[i];
  }
  return all + odd(last, after);
}

bool ends_word(char32_t c) noexcept {
  switch (c) {
    case 0xA0:
    case 0xA8:
    case 0xAB:
    case 0xB4:
    case 0xBB:
    case 0x2013:
    case 0x2014:
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x2026:
    case 0x2039:
    case 0x203A: return true;
    default: return false;
  }
}

bool is_expected(char32_t c) noexcept {
  if (c < 0x180) return true;
  if (c < 0x250)
    return c == 0x192 || c == 0x1A0 || c == 0x1A1 || c == 0x1AF || c == 0x1B0 || (c >= 0x1CD && c <= 0x1DC) ||
           c == 0x1E6 || c == 0x1E7 || (c >= 0x218 && c <= 0x21B);
  if (c < 0x370) return (c >= 0x2B9 && c <= 0x2DD) || (c >= 0x300 && c < 0x345);
  if (c < 0x400) return c >= 0x384 && c <= 0x3CE;
  if (c < 0x530) return c < 0x460 || (c >= 0x490 && c < 0x500);
  if ((c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF)) return false;
  const script of = script_of(c);
  return of != script::none && of != script::private_use;
}

}  // namespace utfilter::detail
