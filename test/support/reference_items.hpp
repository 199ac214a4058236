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

// The words of each enumeration, which the library has, too: LIST(EACH) is EACH(word) for every word.
// clang-format off
#define UTFILTER_TEST_ENCODINGS(EACH) \
  EACH(detect) EACH(utf8) EACH(utf16) EACH(utf16le) EACH(utf16be) EACH(utf32) EACH(utf32le) EACH(utf32be) EACH(cesu8) \
  EACH(latin1) EACH(windows1252) EACH(iso8859_11) EACH(shift_jis) EACH(euc_jp) EACH(iso_2022_jp) EACH(euc_kr) \
  EACH(gbk) EACH(gb18030) EACH(big5) EACH(modified_utf8)
#define UTFILTER_TEST_ERRCS(EACH) \
  EACH(unexpected_continuation) EACH(truncated_sequence) EACH(overlong) EACH(surrogate) EACH(out_of_range) \
  EACH(forbidden_length) EACH(unused_byte) EACH(unpaired_high_surrogate) EACH(unpaired_low_surrogate) \
  EACH(incomplete_at_end) EACH(missing_bom) EACH(unexpected_bom) EACH(unmappable) EACH(unassigned) EACH(forbidden)
#define UTFILTER_TEST_ON_ERRORS(EACH) \
  EACH(strict) EACH(stop) EACH(replace) EACH(skip) EACH(escape) EACH(keep) EACH(windows1252)
#define UTFILTER_TEST_BOMS(EACH) EACH(automatic) EACH(keep) EACH(strip) EACH(add) EACH(require) EACH(reject)
// clang-format on

#define UTFILTER_TEST_WORD(word) word,
#define UTFILTER_TEST_NAME(word) #word,

enum class encoding { UTFILTER_TEST_ENCODINGS(UTFILTER_TEST_WORD) };
/// The kinds of errors. In UTF-8 each error is one maximal subpart of an ill-formed subsequence (Unicode D93b).
enum class errc { none, UTFILTER_TEST_ERRCS(UTFILTER_TEST_WORD) };
enum class on_error { UTFILTER_TEST_ON_ERRORS(UTFILTER_TEST_WORD) };
enum class bom { UTFILTER_TEST_BOMS(UTFILTER_TEST_WORD) };
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
