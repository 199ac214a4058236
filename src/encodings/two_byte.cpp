// two_byte.cpp: recognises the two-byte charsets by decoding a text, or by the form of their bytes, and by the places of
// their most frequent characters; and the form of other charsets.
#include "encodings/two_byte.hpp"

#include "encodings/characters.hpp"
#include "encodings/charset_names.hpp"
#include "encodings/encoding_scheme.hpp"

#include <utfilter/encoding.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

namespace utfilter::detail {
namespace {

using byte = unsigned char;

bool in(byte b, byte first, byte last) noexcept { return b >= first && b <= last; }
bool in_94(byte b) noexcept { return in(b, 0xA1, 0xFE); }
bool is_lead(byte b) noexcept { return in(b, 0x81, 0xFE); }
bool is_trail(byte b) noexcept { return b >= 0x30 && b != 0x7F && b != 0xFF; }
bool is_trail_in_korean(byte b) noexcept { return in(b, 0x41, 0x5A) || in(b, 0x61, 0x7A) || in(b, 0x81, 0xFE); }

/// A charset by the form of its bytes, for a library that was built without its table.
struct two_byte_charset {
  std::string_view name;
  bool (*is_lead)(byte) noexcept;
  bool (*is_trail)(byte) noexcept;
};
constexpr two_byte_charset charsets[] = {
    {"Shift_JIS", is_lead, is_trail}, {"EUC-JP", is_lead, in_94},     {"EUC-KR", is_lead, is_trail_in_korean},
    {"GBK", is_lead, is_trail},       {"GB18030", is_lead, is_trail}, {"Big5", is_lead, is_trail},
};

const two_byte_charset* charset_of(std::string_view name) noexcept {
  const auto* const found =
      std::find_if(std::begin(charsets), std::end(charsets), [&](const two_byte_charset& c) { return c.name == name; });
  return found != std::end(charsets) ? found : nullptr;
}

/// A charset whose text has only ASCII bytes. A declaration of it must not turn ASCII into other characters, as one of
/// UTF-7 turns +ADw- into <. So only escape sequences, which no ASCII text has, show such a charset.
struct escaped_charset {
  std::string_view name;
  std::string_view escape;  // stands in each text that is not ASCII; empty if the charset has no escape sequences
  bool begins_with_it;      // the escape sequence is in the first line; otherwise it may come after the sample
};
constexpr escaped_charset escaped[] = {
    {"ISO-2022-JP", "\x1B$", false},  {"ISO-2022-JP-1", "\x1B$", false}, {"ISO-2022-JP-2", "\x1B$", false},
    {"ISO-2022-KR", "\x1B$)C", true}, {"ISO-2022-CN", "\x1B$)", true},   {"ISO-2022-CN-EXT", "\x1B$)", true},
    {"HZ-GB-2312", "", true},
};

/// The sign of a charset: how many of its most frequent characters a sample must have.
struct sign {
  std::string_view charset;
  bool (*is_frequent)(byte lead, byte trail) noexcept;
  std::size_t pairs;   // the least number of pairs
  std::size_t share;   // the least share of frequent ones among them, in per cent
  std::size_t narrow;  // the least share of trail bytes below 80, in per cent: tells Big5 from Chinese in GB 2312
};
bool is_kana_of_shift_jis(byte lead, byte trail) noexcept {
  return (lead == 0x82 && in(trail, 0x9F, 0xF1)) || (lead == 0x83 && in(trail, 0x40, 0x96));
}
bool is_kana_of_euc_jp(byte lead, byte) noexcept { return lead == 0xA4 || lead == 0xA5; }
bool is_hangul(byte lead, byte) noexcept { return in(lead, 0xB0, 0xC8); }
bool is_frequent_in_big5(byte lead, byte) noexcept { return in(lead, 0xA4, 0xC6); }
bool is_frequent_in_gb2312(byte lead, byte trail) noexcept { return in(lead, 0xB0, 0xD7) && trail >= 0xA1; }
// The first sign that holds decides. A text in Japanese has kana; a text in Chinese is not in the rows of Hangul alone.
constexpr sign signs[] = {
    {"Shift_JIS", is_kana_of_shift_jis, 2, 25, 0},
    {"EUC-JP", is_kana_of_euc_jp, 2, 25, 0},
    {"EUC-KR", is_hangul, 6, 80, 0},
    {"Big5", is_frequent_in_big5, 6, 75, 20},
    {"GB18030", is_frequent_in_gb2312, 6, 60, 0},
    {"Big5", is_frequent_in_big5, 6, 75, 0},
};

struct pair_counts {
  std::size_t pairs = 0, frequent = 0, narrow = 0;  // characters of two bytes or more
  std::size_t wrong = 0;                            // errors

  bool has_few_errors() const noexcept { return pairs != 0 && 8 * wrong <= pairs; }
};

/// What begins a text: one character, or an error.
struct step {
  enum class kind : unsigned char { single, pair, wrong, cut } what;
  std::size_t size;  // bytes; 0 if the end of the text cuts the character
};

/// By the form of the bytes.
step step_of(const two_byte_charset& charset, std::string_view text) noexcept {
  const byte lead = static_cast<byte>(text[0]);
  if (lead < 0x80 || (charset.name == "Shift_JIS" && in(lead, 0xA1, 0xDF))) return {step::kind::single, 1};
  if (text.size() == 1) return {step::kind::cut, 0};
  const bool is_pair = charset.is_lead(lead) && charset.is_trail(static_cast<byte>(text[1]));
  return is_pair ? step{step::kind::pair, 2} : step{step::kind::wrong, 1};
}

/// As the library decodes the text. Control characters of the set C1 and private characters are errors: no text has the
/// former, and hardly any the latter, but other encodings make them.
step step_of(const encoding_scheme& row, std::string_view text) noexcept {
  const sequence next = row.decode(reinterpret_cast<const byte*>(text.data()), text.size(), false);
  switch (next.what) {
    case sequence::kind::incomplete: return {step::kind::cut, 0};
    case sequence::kind::ill_formed: return {step::kind::wrong, next.size};
    case sequence::kind::shift: return {step::kind::single, next.size};
    case sequence::kind::scalar: break;
  }
  const bool is_odd = is_c1_control(next.value) || (next.value >= 0xE000 && next.value < 0xF900);
  return {is_odd ? step::kind::wrong : next.size == 1 ? step::kind::single : step::kind::pair, next.size};
}

/// The counts of a text in a charset that is an encoding of the library, or in the table above; none for another one.
pair_counts count_pairs(std::string_view charset, std::string_view text,
                        bool (*is_frequent)(byte, byte) noexcept = nullptr) noexcept {
  const std::optional<encoding> named = encoding_from_name(charset);
  const encoding_scheme* row = named ? scheme_of(*named) : nullptr;
  const two_byte_charset* const form = charset_of(charset);
  pair_counts found;
  while (!text.empty() && (row != nullptr || form != nullptr)) {
    const step next = row != nullptr ? step_of(*row, text) : step_of(*form, text);
    if (next.what == step::kind::cut) break;
    found.wrong += next.what == step::kind::wrong;
    if (next.what == step::kind::pair) {
      const byte lead = static_cast<byte>(text[0]), trail = static_cast<byte>(text[1]);
      ++found.pairs;
      found.frequent += is_frequent != nullptr && is_frequent(lead, trail);
      found.narrow += trail < 0x80;
    }
    if (row != nullptr && row->after != nullptr) row = row->after(text.data(), next.size);
    text.remove_prefix(next.size);
  }
  return found;
}

}  // namespace

std::string_view two_byte_charset_named(std::string_view name) noexcept {
  const charset_names* const found = find_cjk_charset_names(name);
  return found != nullptr && charset_of(found->preferred) != nullptr ? found->preferred : std::string_view();
}

std::string_view declared_charset_named(std::string_view name) noexcept {
  const charset_names* found = find_cjk_charset_names(name);
  if (found == nullptr) found = find_charset_names(name);
  return found != nullptr && found->preferred != "UTF-7" ? found->preferred : std::string_view();
}

bool has_form_of(std::string_view name, std::string_view sample, bool is_whole) noexcept {
  if (charset_of(name) != nullptr) {
    const pair_counts found = count_pairs(name, sample);
    return found.has_few_errors() || (found.pairs + found.wrong == 0 && !is_whole);
  }
  if (name.empty()) return false;
  const bool has_bytes = std::any_of(sample.begin(), sample.end(), [](char c) { return static_cast<byte>(c) >= 0x80; });
  const auto* const found =
      std::find_if(std::begin(escaped), std::end(escaped), [&](const escaped_charset& c) { return c.name == name; });
  if (found == std::end(escaped)) return has_bytes || !is_whole;  // a charset of single bytes
  if (has_bytes || found->escape.empty()) return false;
  return sample.find(found->escape) != std::string_view::npos || (!is_whole && !found->begins_with_it);
}

bool has_damaged_form_of(std::string_view name, std::string_view sample) noexcept {
  return count_pairs(name, sample).has_few_errors();
}

std::string_view likely_two_byte_charset(std::string_view sample) noexcept {
  for (const sign& s : signs) {
    const pair_counts found = count_pairs(s.charset, sample, s.is_frequent);
    if (found.wrong == 0 && found.pairs >= s.pairs && 100 * found.frequent >= s.share * found.pairs &&
        100 * found.narrow >= s.narrow * found.pairs)
      return s.charset;
  }
  return {};
}

}  // namespace utfilter::detail
