// conformance_reference.hpp: the outcome that a conversion must have, computed the slow way: over the whole input at
// once, from the tables of the standards. Tests compare every streamed run with it. This file may include nothing of
// include/ or src/. It even has its own enumerations and structs, in reference_items.hpp.
#ifndef UTFILTER_TEST_CONFORMANCE_REFERENCE_HPP
#define UTFILTER_TEST_CONFORMANCE_REFERENCE_HPP

#include "support/cjk_reference.hpp"
#include "support/reference_items.hpp"

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conformance {

using namespace std::string_literals;

namespace reference {

//------------------------------------------------------------------------------------------------------------- decoding

/// A row of Unicode table 3-7: the range of each byte.
struct byte_ranges {
  std::size_t length;
  unsigned low[4], high[4];
};

constexpr byte_ranges utf8_table[] = {
    {1, {0x00}, {0x7F}},
    {2, {0xC2, 0x80}, {0xDF, 0xBF}},
    {3, {0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}},
    {3, {0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}},
    {3, {0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}},
    {3, {0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}},
    {4, {0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}},
    {4, {0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}},
    {4, {0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}},
};

/// The same table for CESU-8: surrogates are encoded, and no sequence has four bytes.
constexpr byte_ranges cesu8_table[] = {
    {1, {0x00}, {0x7F}},
    {2, {0xC2, 0x80}, {0xDF, 0xBF}},
    {3, {0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}},
    {3, {0xE1, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}},
};

/// The row that modified UTF-8 has for U+0000, in place of the byte 00.
constexpr byte_ranges modified_nul = {2, {0xC0, 0x80}, {0xC0, 0x80}};

/// How many bytes of `in` agree with a row.
inline std::size_t agreeing(const byte_ranges& row, std::string_view in) {
  std::size_t n = 0;
  while (n < row.length && n < in.size() && byte_of(in[n]) >= row.low[n] && byte_of(in[n]) <= row.high[n]) ++n;
  return n;
}

/// The error of a byte that no well-formed sequence begins with.
inline errc code_of_lead(unsigned lead, bool cesu8) {
  if (lead < 0xC0) return errc::unexpected_continuation;
  if (lead < 0xC2) return errc::overlong;
  if (lead >= 0xFE) return errc::unused_byte;
  if (lead >= 0xF8 || (cesu8 && lead <= 0xF4)) return errc::forbidden_length;
  return errc::out_of_range;
}

/// The error of a second byte from 80 to BF that may not follow this lead byte.
inline errc code_of_second(unsigned lead) {
  return lead == 0xED ? errc::surrogate : lead == 0xF4 ? errc::out_of_range : errc::overlong;
}

/// The longest start of `in` with which a well-formed sequence begins: a whole sequence, or a maximal subpart.
template <std::size_t Rows>
item by_table(const byte_ranges (&table)[Rows], bool cesu8, std::string_view in) {
  std::size_t longest = 0;
  for (const byte_ranges& row : table) {
    const std::size_t n = agreeing(row, in);
    if (n > longest) longest = n;
    if (n < row.length) continue;
    char32_t value = n == 1 ? byte_of(in[0]) : byte_of(in[0]) & (0x7Fu >> n);
    for (std::size_t i = 1; i < n; ++i) value = value * 64 + byte_of(in[i]) % 64;
    return character(value, n);
  }
  if (longest == 0) return ill_formed(code_of_lead(byte_of(in[0]), cesu8), 1);
  if (longest == in.size()) return ill_formed(errc::incomplete_at_end, longest);
  const bool continued = byte_of(in[longest]) >= 0x80 && byte_of(in[longest]) <= 0xBF;
  return ill_formed(longest == 1 && continued ? code_of_second(byte_of(in[0])) : errc::truncated_sequence, longest);
}

inline bool is_high(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
inline bool is_low(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

inline char32_t joined(char32_t high, char32_t low) { return 0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00); }

inline item decode_cesu8(std::string_view in) {
  const item first = by_table(cesu8_table, true, in);
  if (!first.good || (!is_high(first.value) && !is_low(first.value))) return first;
  if (is_low(first.value)) return ill_formed(errc::unpaired_low_surrogate, 3, first.value);

  static constexpr byte_ranges low_surrogate = {3, {0xED, 0xB0, 0x80}, {0xED, 0xBF, 0xBF}};
  const std::size_t of_second = agreeing(low_surrogate, in.substr(3));
  if (of_second == 3) return character(joined(first.value, by_table(cesu8_table, true, in.substr(3)).value), 6);
  if (3 + of_second == in.size()) return ill_formed(errc::incomplete_at_end, in.size(), first.value);
  return ill_formed(errc::unpaired_high_surrogate, 3, first.value);
}

/// Java Virtual Machine Specification, section 4.4.7. An error after C0 is counted like one after E0.
inline item decode_modified_utf8(std::string_view in) {
  if (byte_of(in[0]) == 0) return ill_formed(errc::unused_byte, 1);
  const std::size_t of_nul = agreeing(modified_nul, in);
  if (of_nul == 0) return decode_cesu8(in);
  if (of_nul == 2) return character(0, 2);
  if (in.size() == 1) return ill_formed(errc::incomplete_at_end, 1);
  return ill_formed((byte_of(in[1]) & 0xC0) == 0x80 ? errc::overlong : errc::truncated_sequence, 1);
}

inline char32_t load(std::string_view in, std::size_t size, bool little) {
  char32_t unit = 0;
  for (std::size_t i = 0; i < size; ++i) unit = unit * 256 + byte_of(in[little ? size - 1 - i : i]);
  return unit;
}

inline item decode_utf16(std::string_view in, bool little) {
  if (in.size() < 2) return ill_formed(errc::incomplete_at_end, in.size());
  const char32_t unit = load(in, 2, little);
  if (is_low(unit)) return ill_formed(errc::unpaired_low_surrogate, 2, unit);
  if (!is_high(unit)) return character(unit, 2);
  if (in.size() < 4) return ill_formed(errc::incomplete_at_end, in.size(), unit);
  const char32_t next = load(in.substr(2), 2, little);
  return is_low(next) ? character(joined(unit, next), 4) : ill_formed(errc::unpaired_high_surrogate, 2, unit);
}

inline item decode_utf32(std::string_view in, bool little) {
  if (in.size() < 4) return ill_formed(errc::incomplete_at_end, in.size());
  const char32_t unit = load(in, 4, little);
  if (unit > 0x10FFFF) return ill_formed(errc::out_of_range, 4);
  return is_high(unit) || is_low(unit) ? ill_formed(errc::surrogate, 4, unit) : character(unit, 4);
}

/// A byte of windows-1252; 80 to 9F by the WHATWG's index.
inline char32_t windows1252(unsigned byte) {
  static constexpr char32_t upper[] =
      U"\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F"
      U"\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178";
  return byte >= 0x80 && byte <= 0x9F ? upper[byte - 0x80] : byte;
}

/// A byte of ISO-8859-11: A1 to FB are U+0E01 to U+0E5B, but Unicode has no characters at the places of DB to DE.
inline std::optional<char32_t> iso8859_11(unsigned byte) {
  if (byte <= 0xA0) return byte;
  if ((byte >= 0xDB && byte <= 0xDE) || byte >= 0xFC) return std::nullopt;
  return 0x0E01 + (byte - 0xA1);
}

/// A byte of a single-byte encoding; empty if it is unassigned.
inline std::optional<char32_t> single_byte(encoding e, unsigned byte) {
  return e == encoding::windows1252 ? windows1252(byte) : e == encoding::iso8859_11 ? iso8859_11(byte) : byte;
}

inline item decode_single_byte(encoding from, std::string_view in) {
  const std::optional<char32_t> c = single_byte(from, byte_of(in[0]));
  return c ? character(*c, 1) : ill_formed(errc::unassigned, 1);
}

/// The first item of an input that is not empty. `state` says what the bytes before it mean for it, and is moved on.
/// Exhaustive tests call this often: it allocates nothing.
inline item decode(encoding from, std::string_view in, text_state& state) {
  switch (from) {
    case encoding::utf16:
    case encoding::utf16be: return decode_utf16(in, false);
    case encoding::utf16le: return decode_utf16(in, true);
    case encoding::utf32:
    case encoding::utf32be: return decode_utf32(in, false);
    case encoding::utf32le: return decode_utf32(in, true);
    case encoding::cesu8: return decode_cesu8(in);
    case encoding::modified_utf8: return decode_modified_utf8(in);
    case encoding::latin1:
    case encoding::windows1252:
    case encoding::iso8859_11: return decode_single_byte(from, in);
    case encoding::shift_jis: return decode_shift_jis(in);
    case encoding::euc_jp: return decode_euc_jp(in);
    case encoding::iso_2022_jp: return decode_iso_2022_jp(in, state);
    case encoding::euc_kr: return decode_euc_kr(in);
    case encoding::gbk:
    case encoding::gb18030: return decode_gb18030(in);
    case encoding::big5: return decode_big5(in);
    case encoding::detect:
    case encoding::utf8: break;
  }
  return by_table(utf8_table, false, in);
}

/// The first item of a whole text.
inline item decode(encoding from, std::string_view in) {
  text_state start;
  return decode(from, in, start);
}

//------------------------------------------------------------------------------------------------------------- encoding

inline void append_byte(std::string& out, char32_t byte) {
  out += static_cast<char>(static_cast<unsigned char>(byte % 256));
}

inline std::string store(char32_t unit, std::size_t size, bool little) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) append_byte(out, unit >> 8 * (little ? i : size - 1 - i));
  return out;
}

inline std::string utf8(char32_t c) {
  std::string out;
  if (c < 0x80) {
    append_byte(out, c);
  } else if (c < 0x800) {
    append_byte(out, 0xC0 + c / 64);
    append_byte(out, 0x80 + c % 64);
  } else if (c < 0x10000) {
    append_byte(out, 0xE0 + c / 4096);
    append_byte(out, 0x80 + c / 64 % 64);
    append_byte(out, 0x80 + c % 64);
  } else {
    append_byte(out, 0xF0 + c / 262144);
    append_byte(out, 0x80 + c / 4096 % 64);
    append_byte(out, 0x80 + c / 64 % 64);
    append_byte(out, 0x80 + c % 64);
  }
  return out;
}

/// `state` says what stands before the character, and is moved on. Returns an empty string, and leaves `state` alone,
/// if the encoding lacks the character.
inline std::string encode(encoding to, char32_t c, text_state& state) {
  const char32_t high = 0xD800 + (c - 0x10000) / 0x400, low = 0xDC00 + (c - 0x10000) % 0x400;
  switch (to) {
    case encoding::utf16:
    case encoding::utf16be:
    case encoding::utf16le: {
      const bool little = to == encoding::utf16le;
      return c < 0x10000 ? store(c, 2, little) : store(high, 2, little) + store(low, 2, little);
    }
    case encoding::utf32:
    case encoding::utf32be:
    case encoding::utf32le: return store(c, 4, to == encoding::utf32le);
    case encoding::modified_utf8:
      if (c == 0) return "\xC0\x80";
      [[fallthrough]];
    case encoding::cesu8: return c < 0x10000 ? utf8(c) : utf8(high) + utf8(low);
    case encoding::latin1:
    case encoding::windows1252:
    case encoding::iso8859_11:
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (single_byte(to, byte) == c) return store(byte, 1, true);
      }
      return {};
    case encoding::shift_jis: return encode_shift_jis(c);
    case encoding::euc_jp: return encode_euc_jp(c);
    case encoding::iso_2022_jp: return encode_iso_2022_jp(c, state);
    case encoding::euc_kr: return encode_euc_kr(c);
    case encoding::gbk:
    case encoding::gb18030: return encode_gb18030(c, to == encoding::gbk);
    case encoding::big5: return encode_big5(c);
    case encoding::detect:
    case encoding::utf8: break;
  }
  return utf8(c);
}

/// The character at the start of a text.
inline std::string encode(encoding to, char32_t c) {
  text_state start;
  return encode(to, c, start);
}

/// The characters as a whole text. A character that the encoding lacks is a question mark.
inline std::string encode(encoding to, const std::u32string& text) {
  std::string out;
  text_state state;
  for (const char32_t c : text) {
    const std::string next = encode(to, c, state);
    out += next.empty() ? encode(to, U'?', state) : next;
  }
  return out + escape_to(character_set::ascii, state);
}

//----------------------------------------------------------------------------------------------------------- byte order
//marks

using byte_order_mark = std::pair<std::string, encoding>;

inline bool is_single_byte(encoding e) {
  return e == encoding::latin1 || e == encoding::windows1252 || e == encoding::iso8859_11;
}
inline bool fixes_its_order(encoding e) {
  return e == encoding::utf16le || e == encoding::utf16be || e == encoding::utf32le || e == encoding::utf32be;
}
inline bool decided_by_bom(encoding e) { return e == encoding::detect || e == encoding::utf16 || e == encoding::utf32; }

/// The byte sequences that are byte order marks in text declared as `e`, the longest first.
inline std::vector<byte_order_mark> byte_order_marks(encoding e) {
  const byte_order_mark utf8{"\xEF\xBB\xBF", encoding::utf8}, le16{"\xFF\xFE", encoding::utf16le},
      be16{"\xFE\xFF", encoding::utf16be}, le32{"\xFF\xFE\0\0"s, encoding::utf32le},
      be32{"\0\0\xFE\xFF"s, encoding::utf32be};
  switch (e) {
    case encoding::detect: return {le32, be32, utf8, le16, be16};
    case encoding::utf8: return {utf8};
    case encoding::utf16: return {be16, le16};
    case encoding::utf16be: return {be16};
    case encoding::utf16le: return {le16};
    case encoding::utf32: return {be32, le32};
    case encoding::utf32be: return {be32};
    case encoding::utf32le: return {le32};
    default: return {};  // text in other encodings begins with none
  }
}

inline bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

//------------------------------------------------------------------------------------------------- the whole conversion

/// One delivery: a piece of output that is written as a whole, or an error.
struct step {
  std::string output;
  std::optional<error_info> error;
};

/// Converts the whole input. `ends` says that nothing follows it. Without `ends` the outcome is the one that a stream
/// must show once these bytes have arrived: the stream may keep back only output that the next byte can still change.
class converter {
 public:
  converter(const setup& what, std::string_view input, bool writing, bool ends)
      : setup_(what), params_(what.params), input_(input), writing_(writing), ends_(ends) {
    source_ = what.kind == filter_kind::validator ? encoding::utf8
              : what.kind == filter_kind::encoder ? what.source
                                                  : what.text;
    target_ = what.kind == filter_kind::encoder ? what.text : encoding::utf8;
    result_.report.encoding = what.kind == filter_kind::validator ? encoding::utf8 : what.text;
    if (ends || !input.empty()) run();
    // A text in ISO-2022-JP ends in ASCII, also if an error ends it.
    if (ends || is_over_) put(escape_to(character_set::ascii, written_));
    result_.report.bytes_in = at_.offset;
    result_.report.bytes_out = result_.output.size();
    result_.report.lines = at_.line - 1;
    result_.report.errors = result_.observed.size();
    if (!result_.observed.empty()) {
      result_.report.first_error = result_.observed.front();
      result_.report.last_error = result_.observed.back();
    }
  }

  const outcome& result() const { return result_; }

  const std::vector<step>& steps() const { return steps_; }

  /// The place in the input that the conversion has reached.
  const error_info& place() const { return at_; }

  /// The offsets in the output at which a character begins or ends.
  const std::vector<std::size_t>& boundaries() const { return boundaries_; }

 private:
  void run() {
    if (!begin()) return;
    while (at_.offset < input_.size()) {
      const std::string_view rest = input_.substr(static_cast<std::size_t>(at_.offset));
      if (setup_.kind == filter_kind::bom) {
        put(std::string(rest.substr(0, 1)));
        ++at_.offset;
        continue;
      }
      item next = decode(source_, rest, read_);
      if (!next.good && next.code == errc::incomplete_at_end && !ends_) return;
      const std::string encoded = next.good ? encoded_characters(next) : std::string();
      if (!encoded.empty() || next.characters == 0) {
        put(encoded);
        at_.offset += next.size;
        at_.column += next.characters;
        if (next.value == U'\n') at_ = {errc::none, at_.offset, at_.line + 1, 1, at_.offset, {}, 0};
        continue;
      }
      if (next.good) next = ill_formed(errc::unmappable, next.size, next.value);
      const error_info error = noted(next.code, rest.substr(0, next.size), next.value);
      at_.offset += next.size;
      ++at_.column;
      if (!survives(error)) return;
      repair(error);
    }
  }

  /// The characters of an item in the target; empty if the target lacks one.
  std::string encoded_characters(const item& next) {
    if (next.characters == 0) return {};
    const std::string first = encode(target_, next.value, written_);
    if (first.empty() || next.characters == 1) return first;
    const std::string second = encode(target_, next.second, written_);
    return second.empty() ? second : first + second;
  }

  /// Looks for the byte order mark, and keeps, drops, adds or rejects it. Returns false if the conversion ends here.
  bool begin() {
    const bom policy = params_.bom;
    const bool decoding = setup_.kind != filter_kind::encoder;
    const bool passing_on = policy == bom::automatic || policy == bom::keep;
    const bool looks = !(decoding && fixes_its_order(source_) && passing_on);
    std::string found;
    const encoding declared = source_;
    if (source_ == encoding::utf16) source_ = encoding::utf16be;
    if (source_ == encoding::utf32) source_ = encoding::utf32be;
    if (source_ == encoding::detect && setup_.kind != filter_kind::bom) source_ = params_.fallback;
    if (source_ == encoding::utf16) source_ = encoding::utf16be;
    if (source_ == encoding::utf32) source_ = encoding::utf32be;
    if (looks) {
      for (const byte_order_mark& s : byte_order_marks(declared)) {
        if (!ends_ && input_.size() < s.first.size() && starts_with(s.first, input_)) return false;
        if (!found.empty() || !starts_with(input_, s.first)) continue;
        found = s.first;
        source_ = s.second;
      }
    }
    if (decoding) result_.report.encoding = source_;
    result_.report.bom = !found.empty();

    if (policy == bom::require && found.empty() && !survives(noted(errc::missing_bom, {}, 0))) return false;
    if (policy == bom::reject && !found.empty() && !survives(noted(errc::unexpected_bom, found, 0))) return false;

    bool add = policy == bom::add, keep = policy == bom::keep || policy == bom::reject;
    if (policy == bom::automatic || policy == bom::require) {
      const encoding decides = decoding ? declared : encoding::utf8;
      keep = !decided_by_bom(decides) && !encode(target_, 0xFEFF).empty();
      add = !decoding && decided_by_bom(target_);
    }
    if (keep && !found.empty() && policy == bom::keep && !decoding && encode(target_, 0xFEFF).empty()) {
      const error_info error = noted(errc::unmappable, found, 0xFEFF);
      at_.offset = found.size();
      if (!survives(error)) return false;
      repair(error);
      return true;
    }
    if (add || (keep && !found.empty())) {
      if (setup_.kind == filter_kind::bom)
        put(found.empty() ? byte_order_marks(declared).front().first : found);
      else
        put(encode(target_, 0xFEFF));  // writes nothing if the target cannot hold it
    }
    at_.offset = found.size();
    return true;
  }

  error_info noted(errc code, std::string_view bytes, char32_t code_point) const {
    error_info error = at_;
    error.code = code;
    error.bytes = bytes;
    error.code_point = code_point;
    return error;
  }

  bool survives(const error_info& error) {
    result_.observed.push_back(error);
    steps_.push_back({{}, error});
    const bool stops = params_.on_error == on_error::stop;
    const bool throws = params_.on_error == on_error::strict || (stops && writing_);
    if (throws || result_.observed.size() > params_.error_limit) {
      result_.thrown = error;
      is_over_ = true;
    }
    is_over_ |= stops;
    return !is_over_;
  }

  void repair(const error_info& error) {
    std::string text = params_.replacement;
    if (params_.on_error == on_error::skip) return;
    if (params_.on_error == on_error::keep) return put(error.bytes);
    if (params_.on_error == on_error::escape) text = escaped(error);
    if (params_.on_error == on_error::windows1252 && source_ == encoding::utf8 && error.code != errc::unmappable) {
      text.clear();
      for (const char c : error.bytes) text += utf8(windows1252(byte_of(c)));
    }
    for (std::string_view rest = text; !rest.empty();) {
      const item next = by_table(utf8_table, false, rest);
      const std::string encoded = encode(target_, next.value, written_);
      rest.remove_prefix(next.size);
      put(encoded.empty() ? encode(target_, U'?', written_) : encoded);
    }
  }

  /// A lone surrogate or an unmappable character as \u{HHHH}; the bytes of any other error as \xHH.
  std::string escaped(const error_info& error) const {
    std::string text;
    char digits[32];
    std::size_t of_code_point = 0;
    if (error.code_point != 0) {
      std::snprintf(digits, sizeof digits, "\\u{%04lX}", static_cast<unsigned long>(error.code_point));
      text = digits;
      of_code_point = error.bytes.size();
      const bool of_three = source_ == encoding::cesu8 || source_ == encoding::modified_utf8;
      if (error.code == errc::incomplete_at_end) of_code_point = of_three ? 3 : 2;
    }
    for (std::size_t i = of_code_point; i < error.bytes.size(); ++i) {
      std::snprintf(digits, sizeof digits, "\\x%02X", byte_of(error.bytes[i]));
      text += digits;
    }
    return text;
  }

  void put(const std::string& character_of_output) {
    if (character_of_output.empty()) return;
    result_.output += character_of_output;
    steps_.push_back({character_of_output, std::nullopt});
    boundaries_.push_back(result_.output.size());
  }

  setup setup_;
  params params_;
  std::string_view input_;
  bool writing_, ends_;
  encoding source_, target_;
  text_state read_, written_;  // at this place of the input and of the output
  bool is_over_ = false;       // an error has ended the text
  error_info at_;              // the place in the input; the other members are not used
  outcome result_;
  std::vector<step> steps_;
  std::vector<std::size_t> boundaries_;
};

}  // namespace reference
}  // namespace conformance

#endif
