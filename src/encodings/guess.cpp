// guess.cpp: decides the encoding of a text without a byte order mark: by its structure, that is well-formed sequences,
// zero bytes, control characters and the scripts of the characters that UTF-16 and UTF-32 would give; by what it declares;
// and by asking a detector.
#include "encodings/guess.hpp"

#include "encodings/declaration.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/name_distance.hpp"
#include "unicode/byte_order.hpp"
#include "unicode/utf32.hpp"
#include "unicode/utf8.hpp"

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
  private_use,
  rare,
  scripts
};

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

script script_of(char32_t c) noexcept {
  const auto after = std::upper_bound(std::begin(blocks), std::end(blocks), c,
                                      [](char32_t value, const block& b) { return value < b.first; });
  return std::prev(after)->of;
}

constexpr unsigned char byte_of(char c) noexcept { return static_cast<unsigned char>(c); }

/// Whether it is a control character that texts of 8-bit encodings do not have. Those have ends of lines and pages, tabs,
/// and the escape sequences of terminals.
bool is_odd_control(char32_t c) noexcept { return c < 0x20 && c != 0x1B && (c < 0x08 || c > 0x0D); }

/// The control characters of ISO 6429's set C1, and DEL. NEL is none of them: on IBM's systems it ends lines.
bool is_c1_control(char32_t c) noexcept { return c >= 0x7F && c < 0xA0 && c != 0x85; }

bool is_printable(char32_t c) noexcept { return c >= 0x20 && c < 0x7F; }

/// ASCII that texts have, but for escape sequences.
bool is_ascii_text(char32_t c) noexcept { return is_printable(c) || (c >= 0x09 && c <= 0x0D); }

bool is_kana(char32_t c) noexcept { return c >= 0x3000 && c < 0x3100; }

/// How much a sample, decoded as one encoding, looks like a text.
struct likeness {
  std::size_t score = 0;  // of texts in the two byte orders, the more likely one has more
  bool is_text = false;
  bool is_ascii = false;  // more than half of it
};

likeness likeness_to(encoding e, std::string_view sample) noexcept {
  // So many zero bytes are a part of the text that was never written, and do not count.
  constexpr std::size_t long_run = 16;
  const encoding_scheme& scheme = *scheme_of(e);
  const auto* at = reinterpret_cast<const unsigned char*>(sample.data());
  const auto* const end = at + sample.size();
  // All counts are bytes.
  std::size_t all = 0, wrong = 0, ascii = 0, ascii_pairs = 0, surrogate_pairs = 0, zeros = 0, zeros_of_runs = 0;
  std::array<std::size_t, scripts> of_script = {};
  for (sequence next; at != end; at += next.size) {
    next = scheme.decode(at, static_cast<std::size_t>(end - at), false);
    if (next.what == sequence::kind::incomplete) break;
    const char32_t c = next.value;
    const bool is_scalar_value = next.what == sequence::kind::scalar;
    all += next.size;
    zeros = is_scalar_value && c == 0 ? zeros + next.size : 0;
    if (zeros == long_run) zeros_of_runs += long_run;
    if (zeros > long_run) zeros_of_runs += next.size;
    if (!is_scalar_value || is_odd_control(c) || is_c1_control(c) || (c & 0xFFFE) == 0xFFFE) {
      wrong += next.size;
      continue;
    }
    if (is_ascii_text(c)) {
      ascii += next.size;
      continue;
    }
    const script of = script_of(c);
    of_script[of] += next.size;
    const bool looks_like_ascii = (of == han || of == common || of == rare) && !is_kana(c);
    if (next.size == 2 && is_printable(at[0]) && is_printable(at[1]) && looks_like_ascii) ascii_pairs += 2;
    if (next.size == 4) surrogate_pairs += 4;
  }
  all -= zeros_of_runs;
  wrong -= zeros_of_runs;
  // A text has few scripts: its own, Latin, and what all have. Or it has more, such as a dictionary, and the spaces and
  // line feeds of a text: in the wrong byte order and in data that is no text, few characters are ASCII.
  const std::size_t others = of_script[common] + of_script[latin];
  const std::size_t of_none = of_script[none];
  of_script[none] = of_script[common] = of_script[latin] = 0;
  const std::size_t coherent = ascii + others + *std::max_element(of_script.begin(), of_script.end());
  const bool has_spaces = ascii >= 3 * scheme.code_unit && ascii >= all / 32;
  const std::size_t characters = has_spaces ? all - wrong - of_none : coherent;
  likeness found;
  // In the wrong byte order, ASCII looks like Chinese, and a surrogate pair like two characters, but seldom anything like
  // these two. So they count more.
  found.score = coherent + 2 * ascii + surrogate_pairs;
  found.is_ascii = 2 * ascii > all;
  // 8-bit text read as UTF-16 looks like Chinese, too, but most of its units are two characters of ASCII. Kana have a
  // byte 30, so that many of them would be two characters as well.
  found.is_text = all != 0 && wrong <= all / 50 && characters >= all - all / 8 && 2 * ascii_pairs < all;
  return found;
}

std::optional<encoding> more_likely_utf16(std::string_view sample) noexcept {
  const likeness little = likeness_to(encoding::utf16le, sample), big = likeness_to(encoding::utf16be, sample);
  if (little.is_text && big.is_text) return little.score >= big.score ? encoding::utf16le : encoding::utf16be;
  // Damaged ASCII looks like Chinese in the wrong byte order.
  if (little.is_text && !big.is_ascii) return encoding::utf16le;
  if (big.is_text && !little.is_ascii) return encoding::utf16be;
  return std::nullopt;
}

/// The UTF-16 with which the sample begins, if most of it is UTF-16. If a byte is lost, the text has the other byte order
/// from there on; if a part is damaged, it is UTF-16 before and after that. So each piece is looked at.
std::optional<encoding> guess_utf16(std::string_view sample) noexcept {
  const std::optional<encoding> of_all = more_likely_utf16(sample);
  constexpr std::size_t piece = 64;  // bytes
  std::optional<encoding> first, before;
  std::size_t pieces = 0, wide = 0;
  for (std::string_view rest = sample; rest.size() >= piece; rest.remove_prefix(piece)) {
    const std::string_view part = rest.substr(0, piece);
    if (part.find_first_not_of('\0') == std::string_view::npos) continue;  // says nothing
    ++pieces;
    const std::optional<encoding> found = more_likely_utf16(part);
    wide += found.has_value();
    if (!first && found && (found == before || found == of_all)) first = found;
    before = found;
  }
  if (!of_all && (wide < 2 || 4 * wide < 3 * pieces)) return std::nullopt;
  return first ? first : of_all;
}

/// How many code units of a sample are characters, if it is UTF-32.
struct utf32_units {
  encoding order = encoding::utf32le;
  std::size_t right = 0, wrong = 0, ascii = 0;

  bool is_text() const noexcept { return right != 0 && 8 * wrong <= right; }
  /// In the wrong byte order, ASCII is no ASCII.
  std::size_t score() const noexcept { return is_text() ? right + ascii : 0; }
};
utf32_units units_of(encoding order, std::string_view sample) noexcept {
  utf32_units found{order};
  for (; sample.size() >= 4; sample.remove_prefix(4)) {
    const sequence next = scheme_of(order)->decode(reinterpret_cast<const unsigned char*>(sample.data()), 4, false);
    const char32_t c = next.value;
    const bool is_scalar_value = next.what == sequence::kind::scalar;
    if (is_scalar_value && c == 0) continue;  // says nothing about the rest
    const bool is_character = is_scalar_value && !is_odd_control(c) && !is_c1_control(c) && script_of(c) != none;
    ++(is_character ? found.right : found.wrong);
    found.ascii += c < 0x80 && is_character;
  }
  return found;
}

/// The more likely byte order, if one is possible, of units that begin at one of the first four bytes.
std::optional<encoding> more_likely_utf32(std::string_view sample) noexcept {
  constexpr std::size_t enough = 4;  // a line feed before zero bytes looks like one unit
  utf32_units best;
  for (std::size_t shift = 0; shift != 4 && shift < sample.size(); ++shift)
    for (const encoding order : {encoding::utf32le, encoding::utf32be})
      if (const utf32_units units = units_of(order, sample.substr(shift));
          units.score() > best.score() && (shift == 0 || units.right >= enough))
        best = units;
  return best.is_text() ? std::optional(best.order) : std::nullopt;
}

/// Only one in 4,000 values of 32 bits is a character, so that few values suffice, and no statistics are needed. If a byte
/// is lost, the text goes on with values that are no characters, or with those of the other byte order; so each piece of
/// the sample is looked at, and the first decides.
std::optional<encoding> guess_utf32(std::string_view sample) noexcept {
  constexpr std::size_t piece = 64;  // bytes
  std::optional<encoding> first;
  std::size_t pieces = 0, wide = 0;
  for (std::string_view rest = sample; !rest.empty(); rest.remove_prefix(std::min(piece, rest.size()))) {
    const std::string_view part = rest.substr(0, piece);
    if (part.find_first_not_of('\0') == std::string_view::npos) continue;  // says nothing
    const std::optional<encoding> found = more_likely_utf32(part);
    if (!first) first = found;
    wide += found.has_value();
    ++pieces;
  }
  return 4 * wide >= 3 * pieces ? first : std::nullopt;
}

/// Whether the encoding has a character for each sequence of the sample, and none of them is a control character of ISO
/// 6429's set C1, which texts do not have. The end of a sample that is not whole may cut a sequence.
bool fits(encoding e, std::string_view sample, bool is_whole) noexcept {
  const encoding_scheme& scheme = *scheme_of(e);
  const auto* at = reinterpret_cast<const unsigned char*>(sample.data());
  const auto* const end = at + sample.size();
  while (at != end) {
    const sequence next = scheme.decode(at, static_cast<std::size_t>(end - at), is_whole);
    if (next.what == sequence::kind::incomplete) return true;
    if (next.what != sequence::kind::scalar || is_c1_control(next.value)) return false;
    at += next.size;
  }
  return true;
}

/// A sample, read as UTF-8.
struct utf8_facts {
  std::size_t beyond_ascii = 0, printable = 0, controls = 0, zeros = 0;  // characters
  std::size_t lone_zeros = 0;                                            // zeros that follow another byte
  std::size_t errors = 0;                                                // ill-formed sequences
  std::size_t cut = 0;  // continuation bytes at the start, of a character that was cut there; at most 3
  std::size_t right_lines = 0, wrong_lines = 0;  // lines beyond ASCII: without errors, and with errors

  bool is_well_formed() const noexcept { return errors + cut == 0; }
  /// Whether most of the sequences, or half of the lines, are well-formed, so that the others are damage. In text of an
  /// encoding of 8 bits, one sample in some thousand is like that.
  bool is_damaged_text() const noexcept {
    return beyond_ascii >= 2 && (beyond_ascii >= 2 * errors || (right_lines >= 2 && right_lines >= wrong_lines));
  }
};
utf8_facts facts_of_utf8(std::string_view sample, bool is_whole) noexcept {
  utf8_facts found;
  const auto* at = reinterpret_cast<const unsigned char*>(sample.data());
  const auto* const end = at + sample.size();
  const unsigned char* after_zero = nullptr;
  for (; found.cut != 3 && at != end && is_continuation(*at); ++at) ++found.cut;
  std::size_t errors_before = 0, beyond_before = 0;  // those before the line
  const auto end_line = [&]() noexcept {
    if (found.errors != errors_before)
      ++found.wrong_lines;
    else if (found.beyond_ascii != beyond_before)
      ++found.right_lines;
    errors_before = found.errors;
    beyond_before = found.beyond_ascii;
  };
  while (at != end) {
    const sequence next = decode_utf8(at, static_cast<std::size_t>(end - at), is_whole);
    if (next.what == sequence::kind::incomplete) break;
    if (next.what == sequence::kind::ill_formed) {
      ++found.errors;
    } else if (next.value == 0) {
      ++found.zeros;
      found.lone_zeros += at != after_zero;
      after_zero = at + 1;
    } else if (is_odd_control(next.value) || is_c1_control(next.value)) {
      ++found.controls;
    } else {
      ++(next.value < 0x80 ? found.printable : found.beyond_ascii);
    }
    if (next.what == sequence::kind::scalar && next.value == '\n') end_line();
    at += next.size;
  }
  end_line();
  return found;
}

//--------------------------------------------------------------------------------------------------- encodings of 7 bits

/// Whether it is a byte of a character of two bytes (ISO 2022: a set of 94 by 94).
bool is_of_pair(char c) noexcept { return c > 0x20 && c < 0x7F; }

/// Whether the sample is ISO-2022-JP (RFC 1468): it has an escape sequence that begins characters of two bytes, and no
/// other sequences than those of the standard. (`ESC ( B` alone is what terminals write.)
bool is_iso2022jp(std::string_view sample) noexcept {
  struct escape {
    std::string_view bytes;
    bool begins_pairs;
  };
  constexpr escape escapes[] = {{"(B", false}, {"(J", false}, {"(I", false}, {"$@", true}, {"$B", true}, {"$(D", true}};
  bool in_pairs = false;
  std::size_t pairs = 0;
  while (!sample.empty()) {
    if (sample.front() == 0x1B) {
      sample.remove_prefix(1);
      if (sample.size() < 3) break;  // the end of the sample cuts it
      const auto* const found = std::find_if(std::begin(escapes), std::end(escapes), [&](const escape& e) {
        return sample.substr(0, e.bytes.size()) == e.bytes;
      });
      if (found == std::end(escapes)) return false;
      in_pairs = found->begins_pairs;
      sample.remove_prefix(found->bytes.size());
    } else if (in_pairs) {
      if (sample.size() == 1) break;
      if (!is_of_pair(sample[0]) || !is_of_pair(sample[1])) return false;
      ++pairs;
      sample.remove_prefix(2);
    } else {
      if (byte_of(sample.front()) >= 0x80) return false;
      sample.remove_prefix(1);
    }
  }
  return pairs != 0;
}

/// Whether the sample has text of two bytes a character between `~{` and `~}`, as HZ has (RFC 1843).
bool is_hz(std::string_view sample) noexcept {
  std::size_t groups = 0;
  for (std::size_t at; (at = sample.find("~{")) != std::string_view::npos; ++groups) {
    sample.remove_prefix(at + 2);
    const std::string_view pairs = sample.substr(0, sample.find("~}"));
    const bool is_cut = pairs.size() == sample.size();
    if (!std::all_of(pairs.begin(), pairs.end(), is_of_pair) || (!is_cut && pairs.size() % 2 != 0)) return false;
    sample.remove_prefix(pairs.size());
  }
  return groups != 0;
}

/// The charset of ASCII bytes that are not ASCII text; empty if there is none. `ask` is params::guess_legacy.
std::string_view charset_of_7_bits(std::string_view sample, guesser ask) noexcept {
  if (is_iso2022jp(sample)) return "ISO-2022-JP";
  const bool has_shifts =
      sample.find("\x1B$)") != std::string_view::npos && sample.find('\x0E') != std::string_view::npos;
  if (ask == nullptr || (!has_shifts && !is_hz(sample))) return {};
  const std::string_view name = ask(sample);
  for (const std::string_view known : {"ISO-2022-KR", "ISO-2022-CN", "HZ-GB-2312"})
    if (name == known) return known;
  return {};
}

//--------------------------------------------------------------------------------------------------------- declarations

/// Whether the names are equal. Case does not matter, and an underscore is a hyphen: iso_8859_1 is Python's spelling.
bool equal_names(std::string_view a, std::string_view b) noexcept {
  const auto plain = [](char c) noexcept { return c == '_' ? '-' : lower(c); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return plain(x) == plain(y); });
}

/// Whether the name is one of `names`, which are separated by spaces.
bool is_among(std::string_view name, std::string_view names) noexcept {
  while (!names.empty())
    if (equal_names(name, take_name(names))) return true;
  return false;
}

/// Names that only declarations have.
struct declared_alias {
  std::string_view name;
  encoding value;
};
constexpr declared_alias declared_aliases[] = {
    {"ansinew", encoding::windows1252},           // TeX's inputenc
    {"applemac", encoding::macintosh},            // the same
    {"utf8x", encoding::utf8},                    // the same
    {"iso-latin-1", encoding::latin1},            // Emacs
    {"iso-latin-2", encoding::iso8859_2},         // the same
    {"iso-latin-9", encoding::iso8859_15},        // the same
    {"cyrillic-koi8", encoding::koi8r},           // the same
    {"utf-8-with-signature", encoding::utf8},     // the same
    {"utf-8-emacs", encoding::utf8},              // the same
    {"utf-8-sig", encoding::utf8},                // Python
    {"latin-1", encoding::latin1},                // the same
    {"microsoft-cp1251", encoding::windows1251},  // Hunspell
};

/// Charsets of two bytes a character that are no encodings of this library. Their names are those of ICU, too.
struct two_byte_charset {
  std::string_view name, aliases;
  bool (*is_lead)(unsigned char) noexcept;
  bool (*is_trail)(unsigned char) noexcept;
};
bool in_94(unsigned char byte) noexcept { return byte > 0xA0 && byte < 0xFF; }
bool is_lead(unsigned char byte) noexcept { return byte > 0x80 && byte < 0xFF; }
bool is_trail(unsigned char byte) noexcept { return byte >= 0x30 && byte != 0x7F && byte != 0xFF; }
constexpr two_byte_charset two_byte_charsets[] = {
    {"Shift_JIS", "shift-jis sjis x-sjis ms-kanji csshiftjis windows-31j ms932 cp932 japanese-shift-jis", is_lead,
     is_trail},
    {"EUC-JP", "euc-jp eucjp x-euc-jp cseucpkdfmtjapanese ujis japanese-iso-8bit euc-japan", is_lead, in_94},
    {"EUC-KR", "euc-kr euckr ks-c-5601-1987 ksc5601 korean iso-ir-149 cseuckr", in_94, in_94},
    {"windows-949", "windows-949 cp949 uhc ms949", is_lead, is_trail},
    {"GBK", "gbk x-gbk cp936 windows-936 gb2312 gb-2312-80 chinese euc-cn csgb2312 chinese-gbk", is_lead, is_trail},
    {"GB18030", "gb18030 chinese-gb18030", is_lead, is_trail},
    {"Big5", "big5 big5-hkscs cn-big5 x-x-big5 csbig5 cp950 chinese-big5", is_lead, is_trail},
};

bool fits(const two_byte_charset& charset, std::string_view sample) noexcept {
  std::size_t pairs = 0;
  while (!sample.empty()) {
    const unsigned char first = byte_of(sample.front());
    sample.remove_prefix(1);
    if (first < 0x80) continue;
    const bool is_kana = charset.name == "Shift_JIS" && first >= 0xA1 && first <= 0xDF;  // of one byte
    if (is_kana) continue;
    if (sample.empty()) break;
    if (!charset.is_lead(first) || !charset.is_trail(byte_of(sample.front()))) return false;
    ++pairs;
    sample.remove_prefix(1);
  }
  return pairs != 0;
}

/// What a declared name means. Nothing, if neither member is set.
struct declared_meaning {
  std::optional<encoding> value;
  const two_byte_charset* charset = nullptr;
};
declared_meaning meaning_of(std::string_view name) noexcept {
  for (const std::string_view ending : {"-unix", "-dos", "-mac"}) {  // Emacs names the ends of lines, too
    const std::size_t size = name.size() - std::min(name.size(), ending.size());
    if (equal_names(name.substr(size), ending)) name = name.substr(0, size);
  }
  if (name.empty()) return {};
  for (const declared_alias& alias : declared_aliases)
    if (equal_names(name, alias.name)) return {alias.value, nullptr};
  for (const encoding e : encodings())
    if (is_among(name, encoding_names(e))) return {e, nullptr};
  for (const two_byte_charset& charset : two_byte_charsets)
    if (is_among(name, charset.aliases)) return {std::nullopt, &charset};
  return {};
}
bool has_meaning(std::string_view name) noexcept {
  const declared_meaning meaning = meaning_of(name);
  return meaning.value || meaning.charset != nullptr;
}

/// The encoding that the text declares, if the sample decodes by it.
std::optional<guess> guess_by_declaration(std::string_view sample, bool is_whole, encoding legacy) noexcept {
  const declared_meaning meaning = meaning_of(declared_name(sample, is_whole, has_meaning));
  if (meaning.charset != nullptr && fits(*meaning.charset, sample))
    return guess{legacy, meaning.charset->name, evidence::declaration};
  if (!meaning.value) return std::nullopt;
  // The declaration was read as single bytes, so the text is no UTF-16 (HTML has the same rule).
  const encoding declared = code_unit_size(*meaning.value) == 1 ? *meaning.value : encoding::utf8;
  if (!fits(declared, sample, is_whole)) return std::nullopt;
  return guess{declared, encoding_name(declared), evidence::declaration};
}

//------------------------------------------------------------------------------------------------------------- structure

/// The encoding that the structure of a sample shows; encoding::detect for data that is no text; std::nullopt for text in
/// any other encoding, and for ASCII. The sample is the start of a text, or if `is_whole` all of it.
std::optional<encoding> guess_by_structure(std::string_view sample, bool is_whole, const utf8_facts& utf8) noexcept {
  // A control character shows that it may be UTF-16. Only DOS ends texts with one.
  if (is_whole && !sample.empty() && sample.back() == 0x1A) sample.remove_suffix(1);
  const auto is_odd = [](char c) { return is_odd_control(byte_of(c)); };
  const bool has_zero = utf8.zeros != 0;
  if (!has_zero && utf8.is_well_formed()) return utf8.beyond_ascii != 0 ? std::optional(encoding::utf8) : std::nullopt;
  if (has_zero)
    if (const auto found = guess_utf32(sample)) return found;
  // In UTF-16 a zero is part of a character, so seldom another one is next to it.
  if (utf8.is_damaged_text() && 4 * utf8.lone_zeros < sample.size()) return encoding::utf8;
  if (!has_zero && std::none_of(sample.begin(), sample.end(), is_odd)) return std::nullopt;
  if (const auto found = guess_utf16(sample)) return found;
  if (!has_zero) return std::nullopt;
  // UTF-8 with zeros: a list of names, or a log with a part that was never written.
  const bool is_text = utf8.is_well_formed() && utf8.controls == 0 && utf8.printable + utf8.beyond_ascii >= utf8.zeros;
  return is_text ? encoding::utf8 : encoding::detect;
}

guess guess_by_statistics(std::string_view sample, bool is_whole, encoding legacy, guesser ask) noexcept {
  const guess assumed{legacy, encoding_name(legacy), evidence::assumption};
  const std::string_view name = ask != nullptr ? ask(sample) : std::string_view();
  if (name.empty()) return assumed;
  const std::optional<encoding> named = encoding_from_name(name);
  if (!named) return {legacy, name, evidence::statistics};
  const encoding_scheme* const scheme = scheme_of(*named);
  const bool is_right = scheme != nullptr && scheme->code_unit == 1 && fits(*named, sample, is_whole);
  return is_right ? guess{*named, encoding_name(*named), evidence::statistics} : assumed;
}

}  // namespace

guess guess_encoding(std::string_view text, std::size_t most, encoding legacy, guesser ask) noexcept {
  const std::string_view sample = text.substr(0, most);
  const bool is_whole = sample.size() < most;
  const utf8_facts utf8 = facts_of_utf8(sample, is_whole);
  if (const auto found = guess_by_structure(sample, is_whole, utf8))
    return {*found, encoding_name(*found), evidence::structure};
  const bool is_ascii = utf8.is_well_formed() && utf8.beyond_ascii == 0;
  if (is_ascii)
    if (const std::string_view name = charset_of_7_bits(sample, ask); !name.empty())
      return {legacy, name, evidence::structure};
  if (const auto found = guess_by_declaration(sample, is_whole, legacy)) return *found;
  if (is_ascii) return {encoding::utf8, encoding_name(encoding::utf8), evidence::structure};
  return guess_by_statistics(sample, is_whole, legacy, ask);
}

}  // namespace utfilter::detail
