// reference_items.hpp: the words of the references: encodings, errors, parameters, outcomes, and the items of a decoded
// text. This file may include nothing of include/ or src/. conformance_vocabulary.hpp translates its enumerations and
// structs to the library's.
#ifndef UTFILTER_TEST_REFERENCE_ITEMS_HPP
#define UTFILTER_TEST_REFERENCE_ITEMS_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace conformance::reference {

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
  iso8859_11,
  shift_jis,
  euc_jp,
  iso_2022_jp,
  euc_kr,
  gbk,
  gb18030,
  big5,
  modified_utf8
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
  control,
};

enum class on_error { strict, stop, replace, skip, escape, keep, windows1252 };
enum class bom { automatic, keep, strip, add, require, reject };
enum class filter_kind { validator, utf16_decoder, decoder, encoder, bom };

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

struct params {
  reference::on_error on_error;
  reference::bom bom;
  encoding fallback;
  std::string replacement;
  std::uint64_t error_limit;
};

/// A filter with its arguments. `text` is the encoding that it decodes or encodes to, or whose byte order mark it looks
/// for.
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
  std::uint64_t changes = 0;
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

//---------------------------------------------------------------------------------------------------------------- items

/// What a decoder finds at one place of the input: a character, an ill-formed subsequence, two characters that have one
/// sequence in Big5, or an escape sequence of ISO-2022-JP, which is no character.
struct item {
  std::size_t size;
  bool good;
  char32_t value;  // the character; for an ill-formed subsequence the lone surrogate, or 0
  errc code;
  std::size_t characters = 1;  // for what is good: 0 for an escape sequence
  char32_t second = 0;         // the second of two characters
};

inline item character(char32_t value, std::size_t size) { return {size, true, value, errc::none}; }
inline item two_characters(char32_t first, char32_t second, std::size_t size) {
  return {size, true, first, errc::none, 2, second};
}
inline item escape_sequence(std::size_t size) { return {size, true, 0, errc::none, 0}; }
inline item ill_formed(errc code, std::size_t size, char32_t surrogate = 0) { return {size, false, surrogate, code}; }

inline unsigned byte_of(char c) { return static_cast<unsigned char>(c); }

}  // namespace conformance::reference

#endif
