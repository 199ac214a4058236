// guess.cpp: guesses the encoding of a text by its structure: well-formed sequences, zero bytes and control characters,
// and the scripts of the characters that UTF-16 and UTF-32 of either byte order would give.
#include "encodings/guess.hpp"

#include "encodings/encoding_scheme.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

namespace utfilter::detail {
namespace {

/// The scripts of living languages; `rare` is all others, `common` the characters that texts of all scripts have. Chinese
/// and Japanese are one script.
enum script : std::uint8_t {
  none,
  common,
  latin,
  greek,
  cyrillic,
  armenian,
  hebrew,
  arabic,
  syriac,
  thaana,
  nko,
  devanagari,
  bengali,
  gurmukhi,
  gujarati,
  oriya,
  tamil,
  telugu,
  kannada,
  malayalam,
  sinhala,
  thai,
  lao,
  tibetan,
  myanmar,
  georgian,
  hangul,
  ethiopic,
  cherokee,
  canadian,
  khmer,
  mongolian,
  han,
  yi,
  tifinagh,
  rare,
  scripts
};

struct block {
  char32_t first;
  script of;
};

/// Where characters of another script begin, from Unicode's Blocks.txt. `none` is for private use and for planes without
/// characters.
constexpr block blocks[] = {
    {0x0000, latin},      {0x0080, common},    {0x00C0, latin},    {0x0370, greek},      {0x0400, cyrillic},
    {0x0530, armenian},   {0x0590, hebrew},    {0x0600, arabic},   {0x0700, syriac},     {0x0750, arabic},
    {0x0780, thaana},     {0x07C0, nko},       {0x0800, rare},     {0x0860, syriac},     {0x0870, arabic},
    {0x0900, devanagari}, {0x0980, bengali},   {0x0A00, gurmukhi}, {0x0A80, gujarati},   {0x0B00, oriya},
    {0x0B80, tamil},      {0x0C00, telugu},    {0x0C80, kannada},  {0x0D00, malayalam},  {0x0D80, sinhala},
    {0x0E00, thai},       {0x0E80, lao},       {0x0F00, tibetan},  {0x1000, myanmar},    {0x10A0, georgian},
    {0x1100, hangul},     {0x1200, ethiopic},  {0x13A0, cherokee}, {0x1400, canadian},   {0x1680, rare},
    {0x1780, khmer},      {0x1800, mongolian}, {0x18B0, canadian}, {0x1900, rare},       {0x19E0, khmer},
    {0x1A00, rare},       {0x1C80, cyrillic},  {0x1C90, georgian}, {0x1CC0, rare},       {0x1D00, latin},
    {0x1F00, greek},      {0x2000, common},    {0x2C00, rare},     {0x2C60, latin},      {0x2C80, rare},
    {0x2D00, georgian},   {0x2D30, tifinagh},  {0x2D80, ethiopic}, {0x2DE0, cyrillic},   {0x2E00, common},
    {0x2E80, han},        {0x3000, common},    {0x3040, han},      {0x3130, hangul},     {0x3190, han},
    {0x4DC0, common},     {0x4E00, han},       {0xA000, yi},       {0xA4D0, rare},       {0xA640, cyrillic},
    {0xA6A0, rare},       {0xA700, latin},     {0xA800, rare},     {0xA8E0, devanagari}, {0xA900, rare},
    {0xA960, hangul},     {0xA980, rare},      {0xAA60, myanmar},  {0xAA80, rare},       {0xAB00, ethiopic},
    {0xAB30, latin},      {0xAB70, cherokee},  {0xABC0, rare},     {0xAC00, hangul},     {0xE000, none},
    {0xF900, han},        {0xFB00, latin},     {0xFB13, armenian}, {0xFB1D, hebrew},     {0xFB50, arabic},
    {0xFE00, common},     {0xFE70, arabic},    {0xFEFF, common},   {0xFF65, han},        {0xFFA0, hangul},
    {0xFFE0, common},     {0x10000, none},     {0x1D400, common},  {0x1D800, none},      {0x1F000, common},
    {0x20000, han},       {0x40000, none},     {0xE0000, common},  {0xE0200, none},
};

script script_of(char32_t c) noexcept {
  const auto after = std::upper_bound(std::begin(blocks), std::end(blocks), c,
                                      [](char32_t value, const block& b) { return value < b.first; });
  return std::prev(after)->of;
}

/// Whether it is a control character that texts of 8-bit encodings do not have. Those have ends of lines and pages, tabs,
/// and the escape sequences of terminals.
bool is_odd_control(char32_t c) noexcept { return c < 0x20 && c != 0x1B && (c < 0x08 || c > 0x0D); }

bool is_printable(char32_t c) noexcept { return c >= 0x20 && c < 0x7F; }

bool is_kana(char32_t c) noexcept { return c >= 0x3000 && c < 0x3100; }

/// How much a sample, decoded as one encoding, looks like a text.
struct likeness {
  std::size_t score = 0;  // of texts in the two byte orders, the more likely one has more
  bool is_text = false;
  bool is_ascii = false;  // more than half of it
};

likeness likeness_to(encoding e, std::string_view sample) noexcept {
  const encoding_scheme& scheme = *scheme_of(e);
  const auto* at = reinterpret_cast<const unsigned char*>(sample.data());
  const auto* const end = at + sample.size();
  // All counts are bytes.
  std::size_t all = 0, wrong = 0, ascii = 0, ascii_pairs = 0, surrogate_pairs = 0;
  std::array<std::size_t, scripts> of_script = {};
  while (at != end) {
    const sequence next = scheme.decode(at, static_cast<std::size_t>(end - at), false);
    if (next.what == sequence::kind::incomplete) break;
    const char32_t c = next.value;
    const bool is_control = is_odd_control(c) || (c >= 0x7F && c < 0xA0 && c != 0x85);
    all += next.size;
    if (next.what == sequence::kind::ill_formed || is_control || (c & 0xFFFE) == 0xFFFE)
      wrong += next.size;
    else if (is_printable(c) || (c >= 0x09 && c <= 0x0D))
      ascii += next.size;
    else
      of_script[script_of(c)] += next.size;
    if (next.size == 2 && is_printable(at[0]) && is_printable(at[1]) && !is_kana(c)) ascii_pairs += 2;
    if (next.size == 4 && scheme.code_unit == 2) surrogate_pairs += 4;
    at += next.size;
  }
  // A text has few scripts: its own, Latin, and what all have.
  const std::size_t others = of_script[common] + of_script[latin];
  of_script[none] = of_script[common] = of_script[latin] = 0;
  const std::size_t coherent = ascii + others + *std::max_element(of_script.begin(), of_script.end());
  likeness found;
  // In the wrong byte order, ASCII looks like Chinese, and a surrogate pair like two characters, but seldom anything like
  // these two. So they count twice.
  found.score = coherent + ascii + surrogate_pairs;
  found.is_ascii = 2 * ascii > all;
  // 8-bit text read as UTF-16 looks like Chinese, too, but most of its units are two characters of ASCII. Kana have a
  // byte 30, so that many of them would be two characters as well.
  found.is_text = all != 0 && wrong <= all / 50 && coherent >= all - all / 8 && 2 * ascii_pairs < all;
  return found;
}

std::optional<encoding> more_likely(encoding little, encoding big, std::string_view sample) noexcept {
  const likeness a = likeness_to(little, sample), b = likeness_to(big, sample);
  if (a.is_text && b.is_text) return a.score >= b.score ? little : big;
  // Damaged ASCII looks like Chinese in the wrong byte order.
  if (a.is_text && !b.is_ascii) return little;
  if (b.is_text && !a.is_ascii) return big;
  return std::nullopt;
}

/// Whether the encoding has a character for each sequence of the sample, whose end may cut one.
bool fits(encoding e, std::string_view sample) noexcept {
  const encoding_scheme& scheme = *scheme_of(e);
  char text[1024];
  while (true) {
    const run done = scheme.to_utf8(sample.data(), sample.size(), text, sizeof text);
    sample.remove_prefix(done.consumed);
    if (sample.empty()) return true;
    const auto* const rest = reinterpret_cast<const unsigned char*>(sample.data());
    const sequence next = scheme.decode(rest, sample.size(), false);
    if (next.what != sequence::kind::scalar) return next.what == sequence::kind::incomplete;
  }
}

/// The encoding that the structure of a sample shows; encoding::detect for data that is no text; std::nullopt for text in
/// any other encoding. The sample is the start of a text, or if `is_whole` all of it.
std::optional<encoding> guess_by_structure(std::string_view sample, bool is_whole) noexcept {
  const bool has_zero = sample.find('\0') != std::string_view::npos;
  const run utf8 = kernels().validate_utf8(sample.data(), sample.size());
  if (utf8.consumed == sample.size() || (!is_whole && fits(encoding::utf8, sample.substr(utf8.consumed)))) {
    if (!has_zero) return encoding::utf8;
    // UTF-16 may look like ASCII with zero bytes, but seldom like UTF-8 beyond ASCII.
    const std::size_t beyond_first = utf8.consumed - utf8.characters;
    if (beyond_first > 2 && beyond_first >= utf8.consumed / 8) return encoding::detect;
  }
  if (has_zero) {
    if (const auto found = more_likely(encoding::utf32le, encoding::utf32be, sample)) return found;
  } else {
    const auto is_odd = [](char c) { return is_odd_control(static_cast<unsigned char>(c)); };
    if (std::none_of(sample.begin(), sample.end(), is_odd)) return std::nullopt;
  }
  if (const auto found = more_likely(encoding::utf16le, encoding::utf16be, sample)) return found;
  return has_zero ? std::optional(encoding::detect) : std::nullopt;
}

}  // namespace

guess guess_encoding(std::string_view text, std::size_t most, encoding legacy,
                     std::string_view (*ask)(std::string_view sample) noexcept) noexcept {
  const std::string_view sample = text.substr(0, most);
  if (const auto found = guess_by_structure(sample, sample.size() < most)) return {*found, encoding_name(*found)};
  const std::string_view name = ask != nullptr ? ask(sample) : std::string_view();
  if (name.empty()) return {legacy, encoding_name(legacy)};
  const std::optional<encoding> named = encoding_from_name(name);
  if (!named) return {legacy, name};
  const encoding_scheme* const scheme = scheme_of(*named);
  const bool is_right = scheme != nullptr && scheme->code_unit == 1 && fits(*named, sample);
  return {is_right ? *named : legacy, encoding_name(is_right ? *named : legacy)};
}

}  // namespace utfilter::detail
