// characters_test.cpp: the roles of characters in words, by which encodings are guessed, at the ends of each range.
// build: static
#define BOOST_TEST_MODULE characters
#include <boost/test/unit_test.hpp>

#include "encodings/characters.hpp"

namespace {

using utfilter::detail::role;
using utfilter::detail::role_of;

const char* name_of(role r) {
  switch (r) {
    case role::none: return "none";
    case role::small: return "small";
    case role::capital: return "capital";
    case role::letter: return "letter";
    case role::symbol: return "symbol";
    case role::unused: return "unused";
  }
  return "no role";
}

// By Unicode's names and general categories; the roles of punctuation are explained in characters.cpp.
BOOST_AUTO_TEST_CASE(each_character_has_its_role) {
  const struct {
    char32_t first, last;
    role is;
  } table[] = {
      {'@', '@', role::none},         {'A', 'Z', role::capital},      {'[', '`', role::none},
      {'a', 'z', role::small},        {'{', 0x7F, role::none},        {0x80, 0x84, role::unused},
      {0x85, 0x85, role::none},       {0x86, 0x9F, role::unused},     {0xA0, 0xA0, role::none},
      {0xA1, 0xA9, role::symbol},     {0xAA, 0xAA, role::none},       {0xAB, 0xAC, role::symbol},
      {0xAD, 0xAD, role::none},       {0xAE, 0xB3, role::symbol},     {0xB4, 0xB4, role::none},
      {0xB5, 0xB5, role::small},      {0xB6, 0xB6, role::symbol},     {0xB7, 0xB7, role::none},
      {0xB8, 0xB9, role::symbol},     {0xBA, 0xBA, role::none},       {0xBB, 0xBF, role::symbol},
      {0xC0, 0xD6, role::capital},    {0xD7, 0xD7, role::symbol},     {0xD8, 0xDE, role::capital},
      {0xDF, 0xF6, role::small},      {0xF7, 0xF7, role::symbol},     {0xF8, 0xFF, role::small},
      {0x100, 0x100, role::capital},  {0x101, 0x101, role::small},    {0x136, 0x136, role::capital},
      {0x137, 0x138, role::small},    {0x139, 0x139, role::capital},  {0x13A, 0x13A, role::small},
      {0x147, 0x147, role::capital},  {0x148, 0x149, role::small},    {0x14A, 0x14A, role::capital},
      {0x177, 0x177, role::small},    {0x178, 0x179, role::capital},  {0x17A, 0x17A, role::small},
      {0x17D, 0x17D, role::capital},  {0x17E, 0x17F, role::small},    {0x192, 0x192, role::small},
      {0x1AE, 0x1AF, role::capital},  {0x1B0, 0x1B0, role::small},    {0x2BC, 0x2BC, role::none},
      {0x2C6, 0x2C7, role::symbol},   {0x2DC, 0x2DC, role::symbol},   {0x300, 0x36F, role::letter},
      {0x37A, 0x37A, role::symbol},   {0x384, 0x385, role::symbol},   {0x386, 0x386, role::capital},
      {0x387, 0x387, role::symbol},   {0x388, 0x388, role::capital},  {0x390, 0x390, role::small},
      {0x391, 0x3AB, role::capital},  {0x3AC, 0x3CE, role::small},    {0x401, 0x42F, role::capital},
      {0x430, 0x45F, role::small},    {0x490, 0x490, role::capital},  {0x491, 0x491, role::small},
      {0x5D0, 0x5EA, role::letter},   {0x60C, 0x60C, role::symbol},   {0x61F, 0x61F, role::symbol},
      {0x621, 0x65F, role::letter},   {0x660, 0x669, role::none},     {0x66A, 0x66A, role::symbol},
      {0x66D, 0x66D, role::symbol},   {0x66E, 0x6FF, role::letter},   {0xE01, 0xE3A, role::letter},
      {0xE3F, 0xE3F, role::symbol},   {0xE40, 0xE59, role::letter},   {0x1E02, 0x1E02, role::capital},
      {0x1E03, 0x1E03, role::small},  {0x200C, 0x200D, role::none},   {0x2010, 0x2011, role::none},
      {0x2013, 0x2013, role::none},   {0x2014, 0x2014, role::symbol}, {0x2018, 0x2019, role::none},
      {0x201A, 0x203A, role::symbol}, {0x20AC, 0x20AC, role::symbol}, {0x24FF, 0x24FF, role::symbol},
      {0x2500, 0x259F, role::unused}, {0x25A0, 0x2BFF, role::symbol}, {0x4E00, 0x4E00, role::letter},
      {0xAC00, 0xAC00, role::letter}, {0xE000, 0xF8FF, role::unused}, {0xFFF0, 0xFFFD, role::symbol},
  };
  for (const auto& row : table)
    for (char32_t c = row.first; c <= row.last; ++c)
      BOOST_TEST(name_of(role_of(c)) == name_of(row.is), "U+" << std::hex << static_cast<unsigned>(c));
}

}  // namespace
