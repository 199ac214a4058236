// guess.cpp: decides the encoding of a text without a byte order mark: by its structure (well-formed sequences, zero
// bytes, control characters, and the scripts of its characters in UTF-16 and UTF-32), by its declaration, and by asking
// a detector.
#include "encodings/guess.hpp"

#include "encodings/characters.hpp"
#include "encodings/charset_names.hpp"
#include "encodings/declaration.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/formats.hpp"
#include "encodings/names.hpp"
#include "encodings/statistics.hpp"
#include "encodings/two_byte.hpp"
#include "unicode/byte_order.hpp"
#include "unicode/utf32.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>

namespace utfilter::detail {
namespace {

constexpr unsigned char byte_of(char c) noexcept { return static_cast<unsigned char>(c); }

/// A run of this many zero bytes is a part of the text that was never written. It does not count.
constexpr std::size_t long_run = 16;

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
  // A text has few scripts: its own, Latin, and the common characters. A text with more scripts, such as a dictionary,
  // still has spaces and line feeds. In the wrong byte order, and in data that is no text, few characters are ASCII.
  const std::size_t others = of_script[common] + of_script[latin];
  const std::size_t of_none = of_script[none];
  of_script[none] = of_script[common] = of_script[latin] = 0;
  const std::size_t coherent = ascii + others + *std::max_element(of_script.begin(), of_script.end());
  const bool has_spaces = ascii >= 3 * scheme.code_unit && ascii >= all / 32;
  const std::size_t characters = has_spaces ? all - wrong - of_none : coherent;
  likeness found;
  // In the wrong byte order, ASCII looks like Chinese, and a surrogate pair like two characters. Other text seldom
  // looks like ASCII or a surrogate pair, so these two count more.
  found.score = coherent + 2 * ascii + surrogate_pairs;
  found.is_ascii = 2 * ascii > all;
  // 8-bit text read as UTF-16 looks like Chinese, too, but most of its units are two characters of ASCII. Kana do not
  // count as such: their high byte is 30, and many of their low bytes are ASCII, too.
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

/// The kind of UTF-16 with which the sample begins, if most of the sample is UTF-16. After a lost byte the text has the
/// other byte order; before and after a damaged part it is UTF-16. So this looks at each piece.
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

/// Whether the sample, which looks like UTF-16 of the byte order `found`, is UTF-16 from the second byte on: then it has
/// more spaces and ends of lines there. (The letters do not tell, because the high bytes of a script are all the same.
/// In text of ASCII the spaces are the same, too, and `found` is right.) Only the start of the sample counts: if a byte
/// is lost later, the text before it is right.
bool begins_inside_unit(encoding found, std::string_view sample) noexcept {
  const auto spaces = [](encoding e, std::string_view text) {
    std::size_t n = 0;
    for (; text.size() >= 2; text.remove_prefix(2)) {
      const char32_t c = scheme_of(e)->decode(reinterpret_cast<const unsigned char*>(text.data()), 2, true).value;
      n += c == U' ' || c == U'\n';
    }
    return n;
  };
  constexpr std::size_t enough = 3;
  constexpr std::size_t start = 192;  // bytes: a few words
  sample = sample.substr(0, start);
  const std::string_view second = sample.substr(1);
  const std::size_t others = std::max(spaces(encoding::utf16le, second), spaces(encoding::utf16be, second));
  return others >= enough && others > 2 * spaces(found, sample);
}

/// Finds UTF-16 whose bytes are all ASCII. The high byte of three code units in four is the same control character, as
/// in text of one script (0E in Thai). ASCII shows UTF-16 by no other sign.
std::optional<encoding> guess_utf16_of_ascii(std::string_view sample) noexcept {
  constexpr std::size_t fewest = 3;  // units
  std::array<std::array<std::size_t, 0x20>, 2> counts = {};
  for (std::size_t i = 0; i < sample.size(); ++i)
    if (is_odd_control(byte_of(sample[i]))) ++counts[i % 2][byte_of(sample[i])];
  const auto most = [](const auto& of) { return *std::max_element(of.begin(), of.end()); };
  const std::size_t units = sample.size() / 2, first = most(counts[0]), second = most(counts[1]);
  if (units < fewest || 4 * std::max(first, second) < 3 * units) return std::nullopt;
  const encoding found = first > second ? encoding::utf16be : encoding::utf16le;
  return likeness_to(found, sample).is_text ? std::optional(found) : std::nullopt;
}

/// Counts of the code units of a sample, read as UTF-32.
struct utf32_units {
  encoding order = encoding::utf32le;
  std::size_t right = 0, wrong = 0, ascii = 0, zeros = 0;
  std::array<std::size_t, scripts> of_script = {};  // the characters beyond ASCII

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
    if (is_scalar_value && c == 0) {  // says nothing about the rest
      ++found.zeros;
      continue;
    }
    const bool is_character = is_scalar_value && !is_odd_control(c) && !is_c1_control(c) && script_of(c) != none;
    ++(is_character ? found.right : found.wrong);
    if (!is_character) continue;
    if (c < 0x80)
      ++found.ascii;
    else
      ++found.of_script[script_of(c)];
  }
  return found;
}

/// The counts for the most likely byte order and first byte, one of the first four. `right` is 0 if it is no UTF-32.
utf32_units more_likely_utf32(std::string_view sample) noexcept {
  constexpr std::size_t enough = 4;  // a line feed before zero bytes looks like one unit
  utf32_units best;
  for (std::size_t shift = 0; shift != 4 && shift < sample.size(); ++shift)
    for (const encoding order : {encoding::utf32le, encoding::utf32be})
      if (const utf32_units units = units_of(order, sample.substr(shift));
          units.score() > best.score() && (shift == 0 || units.right >= enough))
        best = units;
  return best;
}

/// Only one in 4,000 values of 32 bits is a character, so a few values suffice, and no statistics are needed. After a
/// lost byte the values are no characters, or those of the other byte order. So this looks at each piece of the sample,
/// and the first one of UTF-32 decides. The numbers of 32 bits in data are often zero, so many zeros show data. If they
/// are small, such as offsets in a file, they are characters of many scripts; a text has few.
std::optional<encoding> guess_utf32(std::string_view sample) noexcept {
  constexpr std::size_t piece = 64;  // bytes
  std::optional<encoding> first;
  std::size_t pieces = 0, wide = 0, characters = 0, zeros = 0, ascii = 0;
  std::array<std::size_t, scripts> of_script = {};
  for (std::string_view rest = sample; !rest.empty(); rest.remove_prefix(std::min(piece, rest.size()))) {
    const std::string_view part = rest.substr(0, piece);
    if (part.find_first_not_of('\0') == std::string_view::npos) continue;  // says nothing
    ++pieces;
    const utf32_units found = more_likely_utf32(part);
    if (!found.is_text()) continue;
    if (!first) first = found.order;
    ++wide;
    characters += found.right;
    zeros += found.zeros;
    ascii += found.ascii;
    for (std::size_t i = 0; i != scripts; ++i) of_script[i] += found.of_script[i];
  }
  if (4 * wide < 3 * pieces || zeros > characters) return std::nullopt;
  // Text in Japanese has three scripts, with punctuation four. In damaged text, ASCII shows that it is text.
  constexpr std::size_t most_scripts = 4;
  std::partial_sort(of_script.begin(), of_script.begin() + most_scripts, of_script.end(), std::greater<>());
  const std::size_t of_few = std::accumulate(of_script.begin(), of_script.begin() + most_scripts, ascii);
  return 4 * of_few >= 3 * characters || 8 * ascii >= characters ? first : std::nullopt;
}

/// Counts the parts of a sample, such as its lines, that have bytes beyond ASCII: without errors, and with errors.
struct part_counts {
  std::size_t right = 0, wrong = 0;
  std::size_t errors_before = 0, beyond_before = 0;  // in the parts before this one

  /// Ends a part. The arguments are the counts of the sample up to here.
  void end(std::size_t errors, std::size_t beyond_ascii) noexcept {
    if (errors != errors_before)
      ++wrong;
    else if (beyond_ascii != beyond_before)
      ++right;
    errors_before = errors;
    beyond_before = beyond_ascii;
  }
};

/// Counts of a sample, read as UTF-8.
struct utf8_facts {
  std::size_t beyond_ascii = 0, printable = 0, controls = 0, zeros = 0;  // characters
  std::size_t lone_zeros = 0;                                            // zeros that follow another byte
  std::size_t zeros_of_runs = 0;                                         // those of long runs
  std::size_t errors = 0;                                                // ill-formed sequences
  std::size_t cut = 0;  // continuation bytes at the start, of a character that was cut there; at most 3
  part_counts lines;
  part_counts runs;  // of bytes beyond ASCII

  bool is_well_formed() const noexcept { return errors + cut == 0; }
  bool is_ascii() const noexcept { return is_well_formed() && beyond_ascii == 0; }
  /// Whether it is ASCII, but for the first bytes, which may be the end of a character.
  bool is_cut_ascii() const noexcept { return cut != 0 && errors + beyond_ascii == 0; }
  /// Whether most of the sequences, or half of the lines or runs, are well-formed, so that the others are damage. Of
  /// samples of 8-bit text, one in some thousand is like that.
  bool is_damaged_text() const noexcept {
    if (runs.right != 0 && runs.right >= runs.wrong) return true;
    return beyond_ascii >= 2 && (beyond_ascii >= 2 * errors || (lines.right >= 2 && lines.right >= lines.wrong));
  }
};
utf8_facts facts_of_utf8(std::string_view sample, bool is_whole) noexcept {
  utf8_facts found;
  const auto* at = reinterpret_cast<const unsigned char*>(sample.data());
  const auto* const end = at + sample.size();
  const unsigned char* after_zero = nullptr;
  std::size_t run = 0;  // zeros, one after the other
  for (; found.cut != 3 && at != end && is_continuation(*at); ++at) ++found.cut;
  while (at != end) {
    const sequence next = decode_utf8(at, static_cast<std::size_t>(end - at), is_whole);
    if (next.what == sequence::kind::incomplete) break;
    if (next.what == sequence::kind::ill_formed) {
      ++found.errors;
    } else if (next.value == 0) {
      ++found.zeros;
      run = at == after_zero ? run + 1 : 1;
      found.lone_zeros += run == 1;
      found.zeros_of_runs += run == long_run ? long_run : run > long_run;
      after_zero = at + 1;
    } else if (is_odd_control(next.value) || is_c1_control(next.value)) {
      ++found.controls;
    } else {
      ++(next.value < 0x80 ? found.printable : found.beyond_ascii);
    }
    const bool is_ascii = next.what == sequence::kind::scalar && next.value < 0x80;
    if (is_ascii) found.runs.end(found.errors, found.beyond_ascii);
    if (is_ascii && next.value == '\n') found.lines.end(found.errors, found.beyond_ascii);
    at += next.size;
  }
  found.runs.end(found.errors, found.beyond_ascii);
  found.lines.end(found.errors, found.beyond_ascii);
  return found;
}

//--------------------------------------------------------------------------------------------------- encodings of 7 bits

/// Whether it is a byte of a character of two bytes (ISO 2022: a set of 94 by 94).
bool is_of_pair(char c) noexcept { return c > 0x20 && c < 0x7F; }

/// Whether the sample is ISO-2022-JP (RFC 1468): it has an escape sequence that begins characters of two bytes, and
/// only sequences of the standard. (`ESC ( B` alone is what terminals write.)
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

/// Whether the sample has text of two bytes a character between `~{` and `~}`, as HZ has (RFC 1843). Most characters
/// must be among the frequent ones of GB 2312: punctuation in its rows 21 to 23, and those of level 1 in 30 to 57.
bool is_hz(std::string_view sample) noexcept {
  std::size_t characters = 0, frequent = 0;
  for (std::size_t at; (at = sample.find("~{")) != std::string_view::npos;) {
    sample.remove_prefix(at + 2);
    const std::string_view pairs = sample.substr(0, sample.find("~}"));
    const bool is_cut = pairs.size() == sample.size();
    if (!std::all_of(pairs.begin(), pairs.end(), is_of_pair) || (!is_cut && pairs.size() % 2 != 0)) return false;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2, ++characters)
      frequent += (pairs[i] >= 0x21 && pairs[i] <= 0x23) || (pairs[i] >= 0x30 && pairs[i] <= 0x57);
    sample.remove_prefix(pairs.size());
  }
  return characters != 0 && 4 * frequent >= 3 * characters;
}

/// Whether the sample is a page, or a part of one. Browsers do not read pages in ISO-2022-KR and ISO-2022-CN, because a script
/// could hide in them.
bool is_html(std::string_view sample) noexcept {
  for (std::size_t at; (at = sample.find('<')) != std::string_view::npos;) {
    sample.remove_prefix(at + 1);
    for (const std::string_view tag : {"html", "meta", "script", "!doctype"})
      if (equal_names(sample.substr(0, tag.size()), tag)) return true;
  }
  return false;
}

/// The charset of ASCII bytes that are not ASCII text; empty if there is none. `ask` is params::guess_legacy: only a detector
/// can tell HZ from ASCII.
std::string_view charset_of_7_bits(std::string_view sample, decltype(guess_rules::guess_legacy) ask) noexcept {
  const auto has = [&](std::string_view part) { return sample.find(part) != std::string_view::npos; };
  // ISO-2022-JP-1 (RFC 2237) adds the set JIS X 0212.
  if (is_iso2022jp(sample)) return has("\x1B$(D") ? "ISO-2022-JP-1" : "ISO-2022-JP";
  if (has("\x0E") && !is_html(sample)) {
    if (has("\x1B$)C")) return "ISO-2022-KR";                    // RFC 1557
    if (has("\x1B$)A") || has("\x1B$)G")) return "ISO-2022-CN";  // RFC 1922
  }
  return ask != nullptr && is_hz(sample) && ask(sample) == "HZ-GB-2312" ? "HZ-GB-2312" : std::string_view();
}

//--------------------------------------------------------------------------------------------------------- declarations

/// The encoding in which to read a text that declares this one. The declaration was read as single bytes, so the text is no
/// UTF-16 (HTML has the same rule). ASCII is read as UTF-8, because other characters may follow the sample.
encoding read_as(encoding declared) noexcept {
  return code_unit_size(declared) != 1 || declared == encoding::ascii ? encoding::utf8 : declared;
}
/// The declared name, if the text is read as `found` instead; empty if both mean the same.
std::string_view name_unless(const declared_meaning& declared, std::string_view found) noexcept {
  const bool has_charset = !declared.value || !declared.charset.empty();
  const std::string_view name = has_charset ? declared.charset : encoding_name(*declared.value);
  const std::string_view wanted = has_charset ? name : encoding_name(read_as(*declared.value));
  return equal_names(wanted, found) ? std::string_view() : name;
}

/// What the text declares.
declared_meaning declared_in(std::string_view sample, bool is_whole) noexcept {
  const declaration found =
      find_declaration(sample, is_whole, [](std::string_view name) { return static_cast<bool>(meaning_of(name)); });
  const bool is_private = found.form == name_form::html && equal_names(found.name, "x-user-defined");
  return meaning_of(is_private ? "windows-1252" : found.name);
}

/// The guess by what the text declares, if the sample decodes by it.
std::optional<guess> guess_by(const declared_meaning& declared, std::string_view sample, bool is_whole,
                              const utf8_facts& utf8, encoding legacy) noexcept {
  // After ASCII, characters of two bytes may follow the sample. A whole text without them is ASCII.
  const bool has_form = has_form_of(declared.charset, sample, is_whole);
  // Any text has the form of a charset of single bytes. If it is likely text in `legacy`, it has symbols in the other.
  const auto is_other = [&] {
    return two_byte_charset_named(declared.charset).empty() && contradicts_declaration(legacy, sample);
  };
  if (has_form && !is_other()) return guess(declared.charset, evidence::declaration, legacy);
  if (!declared.charset.empty() || !declared.value) return std::nullopt;
  // This is UTF-8 that is too damaged to be known by its structure. Its errors will be reported.
  const bool is_utf8 = *declared.value == encoding::utf8 && utf8.beyond_ascii != 0 && utf8.beyond_ascii >= utf8.errors;
  const bool is_text = is_utf8 || decodes_as(read_as(*declared.value), sample, is_whole) ||
                       is_damaged_text_of(read_as(*declared.value), sample);
  if (!is_text) return std::nullopt;
  return guess(read_as(*declared.value), evidence::declaration);
}

//------------------------------------------------------------------------------------------------------------- structure

/// Whether the sample begins with lines of bytes, and UTF-16LE comes after them: PowerShell's >> adds that to any file. A
/// line is longer than the characters of Gurmukhi, whose second byte is a line feed.
bool begins_with_lines_of_bytes(std::string_view sample) noexcept {
  const std::size_t zero = std::min(sample.find('\0'), sample.size());
  const std::string_view before = sample.substr(0, zero - std::min<std::size_t>(zero, 1));
  if (before.empty() || before.back() != '\n') return false;
  const utf8_facts utf8 = facts_of_utf8(before, true);
  std::size_t longest = 0;
  for (std::size_t at = 0, end; at != before.size(); at = end + 1) {
    end = before.find('\n', at);
    longest = std::max(longest, end - at);
  }
  return utf8.is_well_formed() && utf8.controls == 0 && longest >= 3;
}

/// The encoding that the structure of a sample shows; encoding::detect for data that is no text; std::nullopt for text in
/// any other encoding, and for ASCII. The sample is the start of a text, or if `is_whole` all of it.
std::optional<encoding> guess_by_structure(std::string_view sample, bool is_whole, const utf8_facts& utf8) noexcept {
  // A control character is a sign of UTF-16. But 1A at the end is none: DOS ends texts with it.
  if (is_whole && !sample.empty() && sample.back() == 0x1A) sample.remove_suffix(1);
  const auto is_odd = [](char c) { return c != 0 && is_odd_control(byte_of(c)); };
  // Long runs of zeros are holes in a text, if there is a text.
  const bool has_text = utf8.printable + utf8.beyond_ascii != 0;
  const bool has_zero = utf8.zeros != utf8.zeros_of_runs || (utf8.zeros != 0 && !has_text);
  if (!has_zero && utf8.is_well_formed()) {
    if (utf8.beyond_ascii != 0) return encoding::utf8;
    return guess_utf16_of_ascii(sample);
  }
  if (has_zero)
    if (const auto found = guess_utf32(sample)) return found;
  // In UTF-16 a zero is a part of a character, and zeros are seldom neighbours.
  if (utf8.is_damaged_text() && 4 * utf8.lone_zeros < sample.size()) return encoding::utf8;
  const auto controls = static_cast<std::size_t>(std::count_if(sample.begin(), sample.end(), is_odd));
  if (!has_zero && controls == 0) return std::nullopt;
  if (has_zero && begins_with_lines_of_bytes(sample)) return encoding::utf8;
  if (const auto found = guess_utf16(sample)) return begins_inside_unit(*found, sample) ? encoding::detect : *found;
  if (!has_zero) return 4 * controls >= sample.size() ? std::optional(encoding::detect) : std::nullopt;
  // UTF-8 with zeros: a list of names, or a log with a part that was never written.
  const bool is_text = utf8.is_well_formed() && utf8.controls == 0 && utf8.printable + utf8.beyond_ascii >= utf8.zeros;
  return is_text ? encoding::utf8 : encoding::detect;
}

//------------------------------------------------------------------------------------------------------------ candidates

const encoding* end_of_candidates(const guess_rules& rules) noexcept {
  return rules.candidates + rules.candidate_count;
}

bool allows(const guess_rules& rules, const guess& found) noexcept {
  return rules.candidate_count == 0 || (found.is_value() && allows(rules, found.value));
}

/// ASCII is text in most candidates. UTF-8 tells if a later part of the text is in another one.
guess guess_of_ascii(const guess_rules& rules) noexcept {
  if (allows(rules, encoding::utf8)) return {encoding::utf8, evidence::structure};
  const encoding* const end = end_of_candidates(rules);
  const auto* const found = std::find_if(rules.candidates, end, [](encoding e) { return code_unit_size(e) == 1; });
  return found != end ? guess(*found, evidence::structure) : guess(*rules.candidates, evidence::assumption);
}

/// The guess among the candidates about a sample whose structure shows none of them. Candidates that are told by their
/// structure are thus excluded.
guess guess_among(std::string_view sample, bool is_whole, const guess_rules& rules) noexcept {
  const encoding* const end = end_of_candidates(rules);
  const auto has_structure = [](encoding e) { return is_unicode(e) || has_states(e); };
  const auto fits = [&](encoding e) { return !has_structure(e) && decodes_as(e, sample, is_whole); };
  const encoding* const only = std::find_if(rules.candidates, end, fits);
  if (only != end && std::none_of(only + 1, end, fits)) return {*only, evidence::structure};
  const guess found = guess_by_models(sample, is_whole, rules);
  if (allows(rules, found)) return found;
  if (only != end) return {*only, evidence::assumption};
  const encoding* const legacy = std::find_if_not(rules.candidates, end, has_structure);
  return {legacy != end ? *legacy : *rules.candidates, evidence::assumption};
}

/// The guess about a sample without a byte order mark.
guess guess_sample(std::string_view sample, bool is_whole, const utf8_facts& utf8, const declared_meaning& declared,
                   const guess_rules& rules) noexcept {
  const encoding legacy = rules.legacy();
  if (const auto found = guess_by_structure(sample, is_whole, utf8))
    if (*found == encoding::detect || allows(rules, *found)) return {*found, evidence::structure};
  if (utf8.is_ascii())
    if (const std::string_view name = charset_of_7_bits(sample, rules.guess_legacy); !name.empty())
      if (const guess found(name, evidence::structure, legacy); allows(rules, found)) return found;
  if (const auto found = guess_by(declared, sample, is_whole, utf8, legacy); found && allows(rules, *found))
    return *found;
  if (utf8.is_ascii()) return guess_of_ascii(rules);
  const bool asks = rules.guess_legacy != nullptr, has_candidates = rules.candidate_count != 0;
  if (has_candidates && !asks) return guess_among(sample, is_whole, rules);
  const guess found = (asks ? guess_by_asking : guess_by_models)(sample, is_whole, rules);
  if (has_candidates) {
    const bool is_answer = found.decided_by == evidence::statistics && allows(rules, found);
    return is_answer ? found : guess_among(sample, is_whole, rules);
  }
  // In Latin script, runs of bytes beyond ASCII are seldom UTF-8. If many are, nothing is sure about the text.
  const bool is_sure = 8 * utf8.runs.right <= utf8.runs.wrong || !is_of_latin_script(found);
  return is_sure && !utf8.is_cut_ascii() ? found : guess(legacy, evidence::assumption);
}

}  // namespace

bool allows(const guess_rules& rules, encoding e) noexcept {
  const encoding* const end = end_of_candidates(rules);
  const auto is_it = [&](encoding candidate) {
    switch (e) {
      case encoding::utf16le:
      case encoding::utf16be: return candidate == encoding::utf16 || candidate == e;
      case encoding::utf32le:
      case encoding::utf32be: return candidate == encoding::utf32 || candidate == e;
      default: return candidate == e;
    }
  };
  return rules.candidate_count == 0 || std::any_of(rules.candidates, end, is_it);
}

guess guess_encoding(std::string_view text, const guess_rules& rules) noexcept {
  const std::string_view sample = text.substr(0, rules.guess_bytes);
  if (!format_of(sample).empty()) return {encoding::detect, evidence::structure};
  const bool is_whole = sample.size() < rules.guess_bytes;
  const utf8_facts utf8 = facts_of_utf8(sample, is_whole);
  const declared_meaning declared = declared_in(sample, is_whole);
  guess found = guess_sample(sample, is_whole, utf8, declared, rules);
  const bool is_the_same_in_both = utf8.is_ascii() && found.value == encoding::utf8;
  if (!is_the_same_in_both) found.unused_declaration = name_unless(declared, found.name);
  return found;
}

}  // namespace utfilter::detail
