// statistics.cpp: asks a detector, and looks at the text that its answer makes. Detectors count letters and pairs of letters,
// so they err about short texts and about languages that they do not know. The text then is no prose: it has symbols
// within words, or capitals after small letters. Of the right answers about the texts on which this was measured,
// none makes such text; of the wrong ones, more than half do (doc/guessing.md).
#include "encodings/statistics.hpp"

#include "encodings/characters.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/two_byte.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

namespace utfilter::detail {
namespace {

/// Encodings for the same languages, which detectors confuse.
struct relative {
  encoding value;
  script of;
};
constexpr relative relatives[] = {
    {encoding::windows1251, cyrillic}, {encoding::koi8r, cyrillic},        {encoding::iso8859_5, cyrillic},
    {encoding::ibm866, cyrillic},      {encoding::mac_cyrillic, cyrillic}, {encoding::windows1253, greek},
    {encoding::iso8859_7, greek},      {encoding::windows1255, hebrew},    {encoding::iso8859_8, hebrew},
    {encoding::windows1256, arabic},   {encoding::iso8859_6, arabic},
};

/// What is wrong with a text.
struct oddities {
  std::size_t odd = 0;           // places
  std::size_t capitals = 0;      // beyond ASCII, right after capitals: of them the wrong encoding may have many
  std::size_t beyond_ascii = 0;  // characters

  bool is_likely() const noexcept { return 8 * odd <= beyond_ascii; }
};

/// Whether it is a letter of Cyrillic that Russian, Ukrainian, Belarusian and Bulgarian lack. The wrong encoding makes such
/// letters of capitals.
bool is_rare_cyrillic(char32_t c) noexcept {
  constexpr std::u32string_view others = U"\u0401\u0451\u0404\u0454\u0406\u0456\u0407\u0457\u040E\u045E\u0490\u0491";
  return c >= 0x400 && c < 0x530 && !(c >= 0x410 && c < 0x450) && others.find(c) == std::u32string_view::npos;
}

script script_in_words(char32_t c) noexcept {
  const script of = script_of(c);
  return of == common ? latin : of;  // the letters before U+00C0 are Latin
}

bool is_letter(role r) noexcept { return r == role::small || r == role::capital || r == role::letter; }

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
      found.odd += r == role::unused || is_rare_cyrillic(c);
    }
    const bool is_latin = c >= 0xC0 && (r == role::small || r == role::capital) && script_of(c) == latin;
    latin_run = is_latin ? latin_run + 1 : 0;
    if (byte >= 0x80 || last.value >= 0x80) {
      found.capitals += r == role::capital && last.of == role::capital;
      const bool two_letters = is_letter(r) && is_letter(last.of);
      const bool is_odd_case = r == role::capital && last.of == role::small;
      const bool mixes_scripts = two_letters && script_in_words(c) != script_in_words(last.value);
      const bool two_symbols = r == role::symbol && last.of == role::symbol && c != last.value;
      const bool symbol_in_word = is_letter(r) && last.of == role::symbol && is_letter(before_last.of);
      found.odd += is_odd_case || mixes_scripts || two_symbols || symbol_in_word || latin_run >= 3;
    }
    before_last = last;
    last = {c, r};
  }
  return found;
}

/// An encoding, and what is wrong with the text that it makes.
struct reading {
  encoding value;
  oddities its;
};

/// The reading by `e`, or by an encoding for the same languages that makes a more likely text of the sample.
reading best_reading(encoding e, std::string_view sample, bool is_whole) noexcept {
  reading best{e, oddities_of(e, sample)};
  const auto* const its =
      std::find_if(std::begin(relatives), std::end(relatives), [&](const relative& r) { return r.value == e; });
  if (best.its.odd == 0 || its == std::end(relatives)) return best;
  for (const relative& other : relatives) {
    if (other.of != its->of || !decodes_as(other.value, sample, is_whole)) continue;
    const oddities found = oddities_of(other.value, sample);
    if (found.odd + found.capitals < best.its.odd + best.its.capitals) best = {other.value, found};
  }
  return best;
}

bool is_beyond_ascii(char c) noexcept { return static_cast<unsigned char>(c) >= 0x80; }

/// One byte beyond ASCII shows no encoding.
bool is_enough(std::string_view sample) noexcept {
  return std::count_if(sample.begin(), sample.end(), is_beyond_ascii) >= 2;
}

/// The guess by an answer about `rest`, the end of the sample, if that makes likely text of the sample.
std::optional<guess> check(std::string_view answer, std::string_view rest, std::string_view sample, bool is_whole,
                           encoding legacy) noexcept {
  if (answer.empty()) return std::nullopt;
  const std::optional<encoding> named = encoding_from_name(answer);
  if (!named) {
    const std::string_view charset = two_byte_charset_named(answer);
    if (!charset.empty())
      return has_damaged_form_of(charset, rest) ? std::optional(guess{legacy, answer, evidence::statistics})
                                                : std::nullopt;
    // Its tables are not here. A text that `legacy` makes likely is not that of another encoding, where it has symbols.
    const bool is_legacy =
        is_single_byte(legacy) && decodes_as(legacy, sample, is_whole) && oddities_of(legacy, sample).is_likely();
    return is_legacy ? std::nullopt : std::optional(guess{legacy, answer, evidence::statistics});
  }
  if (!is_single_byte(*named) || !decodes_as(*named, sample, is_whole)) return std::nullopt;
  const reading best = best_reading(*named, sample, is_whole);
  if (!best.its.is_likely()) return std::nullopt;
  return guess{best.value, encoding_name(best.value), evidence::statistics};
}

}  // namespace

bool decodes_as(encoding e, std::string_view sample, bool is_whole) noexcept {
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

guess guess_by_statistics(std::string_view sample, bool is_whole, encoding legacy, guesser ask) noexcept {
  const guess assumed{legacy, encoding_name(legacy), evidence::assumption};
  if (ask == nullptr || !is_enough(sample)) return assumed;
  if (const auto found = check(ask(sample), sample, sample, is_whole, legacy)) return *found;
  // The start may cut a character. So ask again about the text from the first byte of ASCII, and from the next two.
  const auto ascii = std::find_if_not(sample.begin(), sample.end(), is_beyond_ascii);
  const auto first = static_cast<std::size_t>(ascii - sample.begin());
  for (std::size_t skipped = first; first != 0 && skipped < std::min(first + 3, sample.size()); ++skipped) {
    const std::string_view rest = sample.substr(skipped);
    if (!is_enough(rest)) break;
    if (const auto found = check(ask(rest), rest, sample, is_whole, legacy)) return *found;
  }
  if (const std::string_view charset = likely_two_byte_charset(sample); !charset.empty())
    return {legacy, charset, evidence::statistics};
  return assumed;
}

}  // namespace utfilter::detail
