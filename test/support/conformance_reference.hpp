// conformance_reference.hpp: the outcome that a conversion must have, computed the slow way: over the whole input at
// once, from the tables of the standards. Tests compare every streamed run with it. This file may include nothing of
// include/ or src/. It even has its own enumerations and structs; conformance_vocabulary.hpp translates them.
#ifndef UTFILTER_TEST_CONFORMANCE_REFERENCE_HPP
#define UTFILTER_TEST_CONFORMANCE_REFERENCE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace conformance {

using namespace std::string_literals;

namespace reference {

//----------------------------------------------------------------------------------------------------------- vocabulary

enum class encoding {
  detect,
  utf8,
  utf16,
  utf16le,
  utf16be,
  utf32,
  utf32le,
  utf32be,
  cesu8,
  latin1,
  windows1252,
  iso8859_11
};

/// The kinds of errors. In UTF-8 each error is one maximal subpart of an ill-formed subsequence (Unicode D93b).
enum class errc {
  none,
  unexpected_continuation,
  truncated_sequence,
  overlong,
  surrogate,
  out_of_range,
  forbidden_length,
  unused_byte,
  unpaired_high_surrogate,
  unpaired_low_surrogate,
  incomplete_at_end,
  missing_bom,
  unexpected_bom,
  unmappable,
  unassigned,
};

enum class on_error { strict, stop, replace, skip, escape, keep, windows1252 };
enum class bom { automatic, keep, strip, add, require, reject };
enum class filter_kind { validator, utf16_decoder, decoder, encoder, signature };

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

struct params {
  reference::on_error on_error;
  reference::bom bom;
  encoding fallback;
  std::string replacement;
  std::uint64_t error_limit;
};

/// A filter with its arguments. `text` is the encoding that it decodes or encodes to, or whose signature it looks for.
struct setup {
  filter_kind kind;
  encoding text;
  reference::params params;
  encoding source = encoding::utf8;  // what an encoder reads
};

struct error_info {
  errc code = errc::none;
  std::uint64_t offset = 0;
  std::uint64_t line = 1;
  std::uint64_t column = 1;
  std::uint64_t line_offset = 0;
  std::string bytes = {};   // the ill-formed subsequence
  char32_t code_point = 0;  // the lone surrogate or the unmappable character, or 0
};

struct stream_report {
  reference::encoding encoding = reference::encoding::detect;
  bool bom = false;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t lines = 0;
  std::uint64_t errors = 0;
  std::optional<error_info> first_error;
  std::optional<error_info> last_error;
};

/// Everything that a run of a filter shows.
struct outcome {
  std::string output;
  std::vector<error_info> observed;
  std::optional<error_info> thrown;
  stream_report report;
};

//------------------------------------------------------------------------------------------------------------- decoding

/// A character of the input, or an ill-formed subsequence.
struct item {
  std::size_t size;
  bool good;
  char32_t value;  // the character; for an ill-formed subsequence the lone surrogate, or 0
  errc code;
};

inline item character(char32_t value, std::size_t size) { return {size, true, value, errc::none}; }
inline item ill_formed(errc code, std::size_t size, char32_t surrogate = 0) { return {size, false, surrogate, code}; }

inline unsigned byte_of(char c) { return static_cast<unsigned char>(c); }

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

/// The first item of an input that is not empty. Exhaustive tests call it often: it allocates nothing.
inline item decode(encoding from, std::string_view in) {
  switch (from) {
    case encoding::utf16:
    case encoding::utf16be: return decode_utf16(in, false);
    case encoding::utf16le: return decode_utf16(in, true);
    case encoding::utf32:
    case encoding::utf32be: return decode_utf32(in, false);
    case encoding::utf32le: return decode_utf32(in, true);
    case encoding::cesu8: return decode_cesu8(in);
    case encoding::latin1:
    case encoding::windows1252:
    case encoding::iso8859_11: return decode_single_byte(from, in);
    case encoding::detect:
    case encoding::utf8: break;
  }
  return by_table(utf8_table, false, in);
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

/// Returns an empty string if the encoding lacks the character.
inline std::string encode(encoding to, char32_t c) {
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
    case encoding::cesu8: return c < 0x10000 ? utf8(c) : utf8(high) + utf8(low);
    case encoding::latin1:
    case encoding::windows1252:
    case encoding::iso8859_11:
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (single_byte(to, byte) == c) return store(byte, 1, true);
      }
      return {};
    case encoding::detect:
    case encoding::utf8: break;
  }
  return utf8(c);
}

//----------------------------------------------------------------------------------------------------------- signatures

using signature = std::pair<std::string, encoding>;

inline bool is_single_byte(encoding e) {
  return e == encoding::latin1 || e == encoding::windows1252 || e == encoding::iso8859_11;
}
inline bool fixes_its_order(encoding e) {
  return e == encoding::utf16le || e == encoding::utf16be || e == encoding::utf32le || e == encoding::utf32be;
}
inline bool decided_by_signature(encoding e) {
  return e == encoding::detect || e == encoding::utf16 || e == encoding::utf32;
}

/// The byte sequences that are signatures in text declared as `e`, the longest first.
inline std::vector<signature> signatures(encoding e) {
  const signature utf8{"\xEF\xBB\xBF", encoding::utf8}, le16{"\xFF\xFE", encoding::utf16le},
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
    case encoding::cesu8:
    case encoding::latin1:
    case encoding::windows1252:
    case encoding::iso8859_11: break;
  }
  return {};
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
      if (setup_.kind == filter_kind::signature) {
        put(std::string(rest.substr(0, 1)));
        ++at_.offset;
        continue;
      }
      item next = decode(source_, rest);
      if (!next.good && next.code == errc::incomplete_at_end && !ends_) return;
      const std::string encoded = next.good ? encode(target_, next.value) : std::string();
      if (!encoded.empty()) {
        put(encoded);
        at_.offset += next.size;
        ++at_.column;
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

  /// Looks for the signature, and keeps, drops, adds or rejects it. Returns false if the conversion ends here.
  bool begin() {
    const bom policy = params_.bom;
    const bool decoding = setup_.kind != filter_kind::encoder;
    const bool passing_on = policy == bom::automatic || policy == bom::keep;
    const bool looks = !(decoding && fixes_its_order(source_) && passing_on);
    std::string found;
    const encoding declared = source_;
    if (source_ == encoding::utf16) source_ = encoding::utf16be;
    if (source_ == encoding::utf32) source_ = encoding::utf32be;
    if (source_ == encoding::detect && setup_.kind != filter_kind::signature) source_ = params_.fallback;
    if (source_ == encoding::utf16) source_ = encoding::utf16be;
    if (source_ == encoding::utf32) source_ = encoding::utf32be;
    if (looks) {
      for (const signature& s : signatures(declared)) {
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
      keep = !decided_by_signature(decides) && !is_single_byte(target_);
      add = !decoding && decided_by_signature(target_);
    }
    if (keep && !found.empty() && policy == bom::keep && !decoding && encode(target_, 0xFEFF).empty()) {
      const error_info error = noted(errc::unmappable, found, 0xFEFF);
      at_.offset = found.size();
      if (!survives(error)) return false;
      repair(error);
      return true;
    }
    if (add || (keep && !found.empty())) {
      if (setup_.kind == filter_kind::signature)
        put(found.empty() ? signatures(declared).front().first : found);
      else
        put(encode(target_, 0xFEFF));  // writes nothing if an 8-bit target cannot hold it
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
      return false;
    }
    return !stops;
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
      const std::string encoded = encode(target_, next.value);
      rest.remove_prefix(next.size);
      put(encoded.empty() ? encode(target_, U'?') : encoded);
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
      if (error.code == errc::incomplete_at_end) of_code_point = source_ == encoding::cesu8 ? 3 : 2;
    }
    for (std::size_t i = of_code_point; i < error.bytes.size(); ++i) {
      std::snprintf(digits, sizeof digits, "\\x%02X", byte_of(error.bytes[i]));
      text += digits;
    }
    return text;
  }

  void put(const std::string& character_of_output) {
    result_.output += character_of_output;
    steps_.push_back({character_of_output, std::nullopt});
    boundaries_.push_back(result_.output.size());
  }

  setup setup_;
  params params_;
  std::string_view input_;
  bool writing_, ends_;
  encoding source_, target_;
  error_info at_;  // the place in the input; the other members are not used
  outcome result_;
  std::vector<step> steps_;
  std::vector<std::size_t> boundaries_;
};

}  // namespace reference
}  // namespace conformance

#endif
