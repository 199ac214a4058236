// statistics.cpp: asks the library's detector; or a detector of the user, and looks at the text that its answer makes.
// Detectors err about short texts and about languages that they do not know. A wrong answer often makes text that is no
// prose: it has symbols within words, or capitals after small letters. In the measurements no right answer makes such
// text, and more than half of the wrong ones do (doc/guessing.md).
#include "encodings/statistics.hpp"

#include "encodings/characters.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/two_byte.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

namespace utfilter::detail {
namespace {

/// Encodings for the same languages, which detectors confuse.
enum class family : std::uint8_t { cyrillic, greek, hebrew, arabic, central_european, baltic };
struct relative {
  encoding value;
  family of;
};
constexpr relative relatives[] = {
    {encoding::windows1251, family::cyrillic},
    {encoding::koi8r, family::cyrillic},
    {encoding::koi8u, family::cyrillic},
    {encoding::iso8859_5, family::cyrillic},
    {encoding::ibm866, family::cyrillic},
    {encoding::mac_cyrillic, family::cyrillic},
    {encoding::windows1253, family::greek},
    {encoding::iso8859_7, family::greek},
    {encoding::windows1255, family::hebrew},
    {encoding::iso8859_8, family::hebrew},
    {encoding::windows1256, family::arabic},
    {encoding::iso8859_6, family::arabic},
    {encoding::windows1250, family::central_european},
    {encoding::iso8859_2, family::central_european},
    {encoding::windows1257, family::baltic},
    {encoding::iso8859_13, family::baltic},
};

/// The family of an encoding that has relatives.
std::optional<family> family_of(encoding e) noexcept {
  const auto* const found =
      std::find_if(std::begin(relatives), std::end(relatives), [&](const relative& r) { return r.value == e; });
  return found != std::end(relatives) ? std::optional(found->of) : std::nullopt;
}

/// Pairs of encodings that differ only in the bytes 80 to 9F, or nearly so: in `of` these are control characters, in
/// `value` they are quotation marks, for example, which the text after the sample may have.
struct larger_encoding {
  encoding of, value;
};
constexpr larger_encoding larger_encodings[] = {
    {encoding::latin1, encoding::windows1252},     {encoding::iso8859_7, encoding::windows1253},
    {encoding::iso8859_8, encoding::windows1255},  {encoding::iso8859_9, encoding::windows1254},
    {encoding::iso8859_13, encoding::windows1257},
};

/// Encodings of DOS and of the Macintosh, whose text detectors take for that of IBM852 and Mac Central European.
constexpr encoding western_systems[] = {encoding::ibm850, encoding::macintosh};

/// Counts of the signs that a text was decoded by the wrong encoding.
struct oddities {
  std::size_t odd = 0;           // places
  std::size_t capitals = 0;      // beyond ASCII, right after capitals: the wrong encoding may make many
  std::size_t beyond_ascii = 0;  // characters
  std::size_t letters = 0;       // those of them that are letters
  std::size_t cyrillic = 0;      // letters of Cyrillic
  std::size_t frequent = 0;      // the most frequent of them

  bool is_likely() const noexcept { return 8 * odd <= beyond_ascii; }
  /// Whether the letters are as frequent as in a language. KOI8-R has small letters where windows-1251 has capitals:
  /// the letters tell these two apart, their case does not.
  bool is_cyrillic() const noexcept { return 2 * frequent >= cyrillic && 5 * cyrillic >= 4 * beyond_ascii; }
  /// Of two readings, the more likely one costs less.
  std::size_t cost() const noexcept {
    if (cyrillic == 0) return odd + capitals;
    return is_cyrillic() ? odd : odd + capitals + (cyrillic - frequent);
  }
};

/// The ten most frequent letters of Russian, and one of Ukrainian. They are two thirds of a text in Russian, and more
/// than half of one in Ukrainian or Bulgarian.
bool is_frequent_cyrillic(char32_t c) noexcept {
  constexpr std::u32string_view most = U"\u043E\u0435\u0430\u0438\u043D\u0442\u0441\u0440\u0432\u043B\u0456";
  return most.find(c < 0x430 && c >= 0x410 ? c + 0x20 : c == 0x406 ? 0x456 : c) != std::u32string_view::npos;
}

/// Whether it is a symbol that stands before a word or a number, never after one.
bool never_ends_word(char32_t c) noexcept {
  constexpr std::u32string_view symbols = U"\u00A1\u00A4\u00A6\u00A8\u00A9\u00AC\u00B1\u00B6\u00B8\u00BF"
                                          U"\u02C7\u02D8\u02D9\u02DB\u02DD";
  return symbols.find(c) != std::u32string_view::npos;
}

/// Whether it is a letter of Cyrillic that Russian, Ukrainian, Belarusian and Bulgarian lack. The wrong encoding turns
/// capitals into such letters.
bool is_rare_cyrillic(char32_t c) noexcept {
  constexpr std::u32string_view others = U"\u0401\u0451\u0404\u0454\u0406\u0456\u0407\u0457\u040E\u045E\u0490\u0491";
  return c >= 0x400 && c < 0x530 && !(c >= 0x410 && c < 0x450) && others.find(c) == std::u32string_view::npos;
}

script script_in_words(char32_t c) noexcept {
  const script of = script_of(c);
  return of == common ? latin : of;  // the letters before U+00C0 are Latin
}

oddities oddities_of(encoding e, std::string_view sample) noexcept {
  const encoding_scheme& scheme = *scheme_of(e);
  oddities found;
  struct {
    char32_t value = ' ';
    role of = role::none;
  } last, before_last;
  std::size_t latin_run = 0;  // letters of Latin beyond ASCII, one after the other
  for (const char each : sample) {
    const auto byte = static_cast<unsigned char>(each);
    const sequence next = scheme.decode(&byte, 1, true);
    const bool is_assigned = next.what == sequence::kind::scalar;
    const char32_t c = is_assigned ? next.value : 0x80;
    const role r = is_assigned ? role_of(c) : role::unused;
    if (byte >= 0x80) {
      ++found.beyond_ascii;
      found.letters += is_letter(r);
      found.odd += r == role::unused || is_rare_cyrillic(c) || c == U'\u00A4';
      const bool is_cyrillic = script_of(c) == script::cyrillic;
      found.cyrillic += is_cyrillic;
      found.frequent += is_cyrillic && is_frequent_cyrillic(c);
    }
    const bool is_latin = c >= 0xC0 && (r == role::small || r == role::capital) && script_of(c) == latin;
    latin_run = is_latin ? latin_run + 1 : 0;
    if (byte >= 0x80 || last.value >= 0x80) {
      found.capitals += r == role::capital && last.of == role::capital;
      const bool two_letters = is_letter(r) && is_letter(last.of);
      const bool is_odd_case = r == role::capital && last.of == role::small;
      const bool mixes_scripts = two_letters && script_in_words(c) != script_in_words(last.value);
      const bool two_symbols = r == role::symbol && last.of == role::symbol && c != last.value;
      // A capital of KOI8-R becomes this letter in encodings of Greek. In Greek it only ends words.
      const bool is_odd_sigma = last.value == U'\u03C2' && is_letter(r);
      const bool symbol_after_word = is_letter(last.of) && never_ends_word(c);
      const bool symbol_in_word =
          is_letter(r) && last.of == role::symbol && is_letter(before_last.of) && !never_ends_word(last.value);
      found.odd += is_odd_case || is_odd_sigma || mixes_scripts || two_symbols || symbol_after_word || symbol_in_word ||
                   latin_run >= 3;
    }
    before_last = last;
    last = {c, r};
  }
  return found;
}

/// Whether the bytes 80 to 9F are control characters. (Elsewhere 93 is a quotation mark or a letter.)
bool has_c1_controls(encoding e) noexcept {
  constexpr unsigned char byte = 0x93;
  return scheme_of(e)->decode(&byte, 1, true).value == byte;
}

/// Whether the sample is text of single bytes in this encoding, perhaps with damage: at most one of eight bytes beyond
/// ASCII is no character. Where the bytes 80 to 9F are control characters, they show another encoding, unless that is
/// one of the relatives, which are compared.
bool decodes_nearly_as(encoding e, std::string_view sample) noexcept {
  const bool is_strict = has_c1_controls(e) && !family_of(e);
  std::size_t wrong = 0, all = 0;
  for (const char each : sample) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x80) continue;
    ++all;
    const sequence next = scheme_of(e)->decode(&byte, 1, true);
    const bool is_c1 = next.what == sequence::kind::scalar && next.value < 0xA0;
    if (is_c1 && is_strict) return false;
    wrong += is_c1 || next.what != sequence::kind::scalar;
  }
  return 8 * wrong <= all;
}

bool is_likely_as(encoding e, std::string_view sample) noexcept {
  return is_single_byte(e) && decodes_nearly_as(e, sample) && oddities_of(e, sample).is_likely();
}

/// An encoding, and the oddities of the text that it makes of the sample.
struct reading {
  encoding value;
  oddities its;
};

/// The reading by `e`, or by an encoding for the same languages that makes a more likely text of the sample.
reading best_reading(encoding e, std::string_view sample) noexcept {
  reading best{e, oddities_of(e, sample)};
  const std::optional<family> its = family_of(e);
  if (best.its.cost() == 0 || !its) return best;
  for (const relative& other : relatives) {
    if (other.of != *its || !decodes_nearly_as(other.value, sample)) continue;
    const oddities found = oddities_of(other.value, sample);
    // Encodings for Latin differ in few letters. Damage and data make such letters, too, so only a reading without
    // oddities counts.
    const bool counts = *its < family::central_european || found.odd == 0;
    if (counts && found.cost() < best.its.cost()) best = {other.value, found};
  }
  return best;
}

/// The reading in Cyrillic, if it has many letters and they are as frequent as in a language: no other encoding makes
/// such text.
std::optional<reading> cyrillic_reading(std::string_view sample, bool is_whole) noexcept {
  constexpr std::size_t enough = 16;
  if (!decodes_as(encoding::koi8r, sample, is_whole)) return std::nullopt;
  const reading found = best_reading(encoding::koi8r, sample);
  const oddities& its = found.its;
  const bool is_sure = its.cost() == 0 && its.cyrillic >= enough && 5 * its.frequent >= 3 * its.cyrillic;
  return is_sure ? std::optional(found) : std::nullopt;
}

/// Whether two encodings of single bytes make the same text of the sample.
bool are_equal(encoding a, encoding b, std::string_view sample) noexcept {
  return std::all_of(sample.begin(), sample.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    const sequence by_a = scheme_of(a)->decode(&byte, 1, true), by_b = scheme_of(b)->decode(&byte, 1, true);
    return by_a.what == by_b.what && by_a.value == by_b.value;
  });
}

/// The encoding, or if more text may follow, one that has more characters and makes the same text of the sample.
encoding largest(encoding e, std::string_view sample, bool is_whole) noexcept {
  for (const larger_encoding& larger : larger_encodings)
    if (!is_whole && larger.of == e && are_equal(e, larger.value, sample)) return larger.value;
  return e;
}

bool is_byte_beyond_ascii(char c) noexcept { return is_beyond_ascii(static_cast<std::uint8_t>(c)); }

std::size_t count_beyond_ascii(std::string_view sample) noexcept {
  return static_cast<std::size_t>(std::count_if(sample.begin(), sample.end(), is_byte_beyond_ascii));
}

/// `too_few` bytes beyond ASCII show no encoding. `few` bytes show none if `legacy` makes likely text of them.
constexpr std::size_t too_few = 1, few = 3;

/// The guess by a detector's answer about `rest`, the end of the sample, if the answer makes likely text of the sample.
std::optional<guess> check(std::string_view answer, std::string_view rest, std::string_view sample, bool is_whole,
                           encoding legacy) noexcept {
  const bool has_few = count_beyond_ascii(sample) <= few;
  if (answer.empty() || (has_few && is_likely_as(legacy, sample))) return std::nullopt;
  const std::optional<encoding> named = encoding_from_name(answer);
  const std::string_view charset =
      named == encoding::iso_2022_jp ? encoding_name(*named) : two_byte_charset_named(answer);
  if (!charset.empty())
    return has_damaged_form_of(charset, rest) ? std::optional(guess(answer, evidence::statistics, legacy))
                                              : std::nullopt;
  if (!named) {
    // The library lacks the table of the answer. If `legacy` makes likely text, the answer is wrong: its text would
    // have symbols in `legacy`.
    if (has_few || is_likely_as(legacy, sample)) return std::nullopt;
    for (const encoding e : western_systems)
      if (is_likely_as(e, sample)) return guess(e, evidence::statistics);
    return guess(answer, evidence::statistics, legacy);
  }
  if (!is_single_byte(*named) || !decodes_nearly_as(*named, sample)) return std::nullopt;
  reading best = best_reading(*named, sample);
  if (family_of(*named) == family::greek && best.its.odd != 0) best = cyrillic_reading(sample, is_whole).value_or(best);
  const bool shows_language = best.its.letters != 0 || !is_likely_as(legacy, sample);
  if (!best.its.is_likely() || !shows_language) return std::nullopt;
  return guess(largest(best.value, sample, is_whole), evidence::statistics);
}

}  // namespace

bool decodes_as(encoding e, std::string_view sample, bool is_whole) noexcept {
  const encoding_scheme& scheme = *scheme_of(e);
  const auto* at = reinterpret_cast<const unsigned char*>(sample.data());
  const auto* const end = at + sample.size();
  while (at != end) {
    const sequence next = scheme.decode(at, static_cast<std::size_t>(end - at), is_whole);
    if (next.what == sequence::kind::incomplete) return true;
    const bool is_nel = next.value == 0x85 && is_single_byte(e);
    if (next.what != sequence::kind::scalar || is_c1_control(next.value) || is_nel) return false;
    at += next.size;
  }
  return true;
}

bool is_of_latin_script(const guess& found) noexcept {
  if (!found.is_value())
    return two_byte_charset_named(found.name).empty() && found.name != "IBM855";  // that is Cyrillic
  constexpr unsigned char letter = 0xE9;  // in encodings of other scripts it is a letter of theirs
  return is_single_byte(found.value) && script_of(scheme_of(found.value)->decode(&letter, 1, true).value) == latin;
}

bool is_damaged_text_of(encoding e, std::string_view sample) noexcept {
  return is_likely_as(e, sample) && !has_c1_controls(e) && oddities_of(e, sample).letters > few;
}

bool contradicts_declaration(encoding legacy, std::string_view sample) noexcept {
  return count_beyond_ascii(sample) > few && is_likely_as(legacy, sample);
}

static guess guess_of(const likely_encoding& of, evidence why, const guess_rules& rules) noexcept {
  guess found(of.value != encoding::detect ? of.value : rules.legacy(), why);
  found.name = of.name;
  found.confidence = of.confidence;
  found.language = of.language;
  return found;
}

guess guess_by_models(std::string_view sample, bool is_whole, const guess_rules& rules) noexcept {
  const ranking likely = rank_encodings(sample, rules);
  const likely_encoding& best = likely.encodings[0];
  if (likely.size != 0 && (is_sure(best, rules) || rules.candidate_count != 0)) {
    guess found = guess_of(best, is_sure(best, rules) ? evidence::statistics : evidence::assumption, rules);
    const encoding larger = largest(best.value, sample, is_whole);
    if (larger != best.value && allows(rules, larger)) {
      found.value = larger;
      found.name = encoding_name(larger);
    }
    return found;
  }
  const auto* const legacy =
      std::find_if(likely.begin(), likely.end(), [&](const auto& each) { return each.value == rules.legacy(); });
  return legacy != likely.end() ? guess_of(*legacy, evidence::assumption, rules)
                                : guess(rules.legacy(), evidence::assumption);
}

guess guess_by_asking(std::string_view sample, bool is_whole, const guess_rules& rules) noexcept {
  const encoding legacy = rules.legacy();
  const auto ask = rules.guess_legacy;
  const guess assumed(legacy, evidence::assumption);
  if (count_beyond_ascii(sample) <= too_few) return assumed;
  if (const auto found = check(ask(sample), sample, sample, is_whole, legacy)) return *found;
  // The start may cut a character. So ask again about the text from the first byte of ASCII, and from the next two.
  const auto ascii = std::find_if_not(sample.begin(), sample.end(), is_byte_beyond_ascii);
  const auto first = static_cast<std::size_t>(ascii - sample.begin());
  for (std::size_t skipped = first; first != 0 && skipped < std::min(first + 3, sample.size()); ++skipped) {
    const std::string_view rest = sample.substr(skipped);
    if (count_beyond_ascii(rest) <= too_few) break;
    if (const auto found = check(ask(rest), rest, sample, is_whole, legacy)) return *found;
  }
  if (const auto found = cyrillic_reading(sample, is_whole)) return {found->value, evidence::statistics};
  if (const std::string_view charset = likely_two_byte_charset(sample); !charset.empty())
    return {charset, evidence::statistics, legacy};
  return assumed;
}

}  // namespace utfilter::detail
