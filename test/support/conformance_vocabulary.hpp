// conformance_vocabulary.hpp: setups and outcomes in the library's types, which tests use, and their translation from
// and to the reference's types. If one side lacks an enumerator, the compiler warns here. If an enumerator gets another
// number on one side, this file does not compile.
#ifndef UTFILTER_TEST_CONFORMANCE_VOCABULARY_HPP
#define UTFILTER_TEST_CONFORMANCE_VOCABULARY_HPP

#include "support/conformance_reference.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace conformance {

using reference::filter_kind;
using utfilter::bom;
using utfilter::encoding;
using utfilter::errc;
using utfilter::error_info;
using utfilter::on_error;

/// A filter with its arguments. `text` is the encoding that it decodes or encodes to, or whose byte order mark it looks
/// for.
struct setup {
  filter_kind kind;
  encoding text;
  utfilter::params params;
};

/// Everything that a run of a filter shows.
struct outcome {
  std::string output;
  std::vector<error_info> observed;
  std::optional<error_info> thrown;
  utfilter::stream_report report;
};

//---------------------------------------------------------------------------------------------------------- enumerators

/// Nothing for an encoding that the reference lacks.
constexpr std::optional<reference::encoding> find_in_reference(encoding value) {
  switch (value) {
    case encoding::detect: return reference::encoding::detect;
    case encoding::utf8: return reference::encoding::utf8;
    case encoding::utf16: return reference::encoding::utf16;
    case encoding::utf16le: return reference::encoding::utf16le;
    case encoding::utf16be: return reference::encoding::utf16be;
    case encoding::utf32: return reference::encoding::utf32;
    case encoding::utf32le: return reference::encoding::utf32le;
    case encoding::utf32be: return reference::encoding::utf32be;
    case encoding::cesu8: return reference::encoding::cesu8;
    case encoding::latin1: return reference::encoding::latin1;
    case encoding::windows1252: return reference::encoding::windows1252;
    case encoding::iso8859_11: return reference::encoding::iso8859_11;
    case encoding::shift_jis: return reference::encoding::shift_jis;
    case encoding::euc_jp: return reference::encoding::euc_jp;
    case encoding::iso_2022_jp: return reference::encoding::iso_2022_jp;
    case encoding::euc_kr: return reference::encoding::euc_kr;
    case encoding::gbk: return reference::encoding::gbk;
    case encoding::gb18030: return reference::encoding::gb18030;
    case encoding::big5: return reference::encoding::big5;
    case encoding::modified_utf8: return reference::encoding::modified_utf8;
    default: return std::nullopt;  // the other single-byte encodings have tables in data/single_byte/
  }
}

constexpr reference::encoding to_reference(encoding value) {
  const std::optional<reference::encoding> known = find_in_reference(value);
  if (!known) throw std::logic_error("the reference lacks " + to_string(value));
  return *known;
}

constexpr encoding from_reference(reference::encoding value) {
  switch (value) {
    case reference::encoding::detect: return encoding::detect;
    case reference::encoding::utf8: return encoding::utf8;
    case reference::encoding::utf16: return encoding::utf16;
    case reference::encoding::utf16le: return encoding::utf16le;
    case reference::encoding::utf16be: return encoding::utf16be;
    case reference::encoding::utf32: return encoding::utf32;
    case reference::encoding::utf32le: return encoding::utf32le;
    case reference::encoding::utf32be: return encoding::utf32be;
    case reference::encoding::cesu8: return encoding::cesu8;
    case reference::encoding::latin1: return encoding::latin1;
    case reference::encoding::windows1252: return encoding::windows1252;
    case reference::encoding::iso8859_11: return encoding::iso8859_11;
    case reference::encoding::shift_jis: return encoding::shift_jis;
    case reference::encoding::euc_jp: return encoding::euc_jp;
    case reference::encoding::iso_2022_jp: return encoding::iso_2022_jp;
    case reference::encoding::euc_kr: return encoding::euc_kr;
    case reference::encoding::gbk: return encoding::gbk;
    case reference::encoding::gb18030: return encoding::gb18030;
    case reference::encoding::big5: return encoding::big5;
    case reference::encoding::modified_utf8: return encoding::modified_utf8;
  }
  throw std::logic_error("no such encoding");
}

constexpr reference::errc to_reference(errc value) {
  if (value == errc{}) return reference::errc::none;  // the library has no name for it
  switch (value) {
    case errc::unexpected_continuation: return reference::errc::unexpected_continuation;
    case errc::truncated_sequence: return reference::errc::truncated_sequence;
    case errc::overlong: return reference::errc::overlong;
    case errc::surrogate: return reference::errc::surrogate;
    case errc::out_of_range: return reference::errc::out_of_range;
    case errc::forbidden_length: return reference::errc::forbidden_length;
    case errc::unused_byte: return reference::errc::unused_byte;
    case errc::unpaired_high_surrogate: return reference::errc::unpaired_high_surrogate;
    case errc::unpaired_low_surrogate: return reference::errc::unpaired_low_surrogate;
    case errc::incomplete_at_end: return reference::errc::incomplete_at_end;
    case errc::missing_bom: return reference::errc::missing_bom;
    case errc::unexpected_bom: return reference::errc::unexpected_bom;
    case errc::unmappable: return reference::errc::unmappable;
    case errc::unassigned: return reference::errc::unassigned;
    case errc::no_text:   // the reference does not guess
    case errc::mojibake:  // no error
      break;
    case errc::control: return reference::errc::control;
  }
  throw std::logic_error("no such errc");
}

constexpr errc from_reference(reference::errc value) {
  switch (value) {
    case reference::errc::none: return errc{};
    case reference::errc::unexpected_continuation: return errc::unexpected_continuation;
    case reference::errc::truncated_sequence: return errc::truncated_sequence;
    case reference::errc::overlong: return errc::overlong;
    case reference::errc::surrogate: return errc::surrogate;
    case reference::errc::out_of_range: return errc::out_of_range;
    case reference::errc::forbidden_length: return errc::forbidden_length;
    case reference::errc::unused_byte: return errc::unused_byte;
    case reference::errc::unpaired_high_surrogate: return errc::unpaired_high_surrogate;
    case reference::errc::unpaired_low_surrogate: return errc::unpaired_low_surrogate;
    case reference::errc::incomplete_at_end: return errc::incomplete_at_end;
    case reference::errc::missing_bom: return errc::missing_bom;
    case reference::errc::unexpected_bom: return errc::unexpected_bom;
    case reference::errc::unmappable: return errc::unmappable;
    case reference::errc::control: return errc::control;
    case reference::errc::unassigned: return errc::unassigned;
  }
  throw std::logic_error("no such errc");
}

constexpr reference::on_error to_reference(on_error value) {
  switch (value) {
    case on_error::strict: return reference::on_error::strict;
    case on_error::stop: return reference::on_error::stop;
    case on_error::replace: return reference::on_error::replace;
    case on_error::skip: return reference::on_error::skip;
    case on_error::escape: return reference::on_error::escape;
    case on_error::keep: return reference::on_error::keep;
    case on_error::windows1252: return reference::on_error::windows1252;
  }
  throw std::logic_error("no such on_error");
}

constexpr on_error from_reference(reference::on_error value) {
  switch (value) {
    case reference::on_error::strict: return on_error::strict;
    case reference::on_error::stop: return on_error::stop;
    case reference::on_error::replace: return on_error::replace;
    case reference::on_error::skip: return on_error::skip;
    case reference::on_error::escape: return on_error::escape;
    case reference::on_error::keep: return on_error::keep;
    case reference::on_error::windows1252: return on_error::windows1252;
  }
  throw std::logic_error("no such on_error");
}

constexpr reference::bom to_reference(bom value) {
  switch (value) {
    case bom::automatic: return reference::bom::automatic;
    case bom::keep: return reference::bom::keep;
    case bom::strip: return reference::bom::strip;
    case bom::add: return reference::bom::add;
    case bom::require: return reference::bom::require;
    case bom::reject: return reference::bom::reject;
  }
  throw std::logic_error("no such bom");
}

constexpr bom from_reference(reference::bom value) {
  switch (value) {
    case reference::bom::automatic: return bom::automatic;
    case reference::bom::keep: return bom::keep;
    case reference::bom::strip: return bom::strip;
    case reference::bom::add: return bom::add;
    case reference::bom::require: return bom::require;
    case reference::bom::reject: return bom::reject;
  }
  throw std::logic_error("no such bom");
}

/// Whether the enumerators from `first` to `last` have the same numbers on both sides. (Tests use these numbers as
/// indices into tables of names.)
template <class Enumeration>
constexpr bool agree(int first, int last) {
  for (int i = first; i <= last; ++i) {
    const auto value = static_cast<Enumeration>(i);
    if (static_cast<int>(to_reference(value)) != i || from_reference(to_reference(value)) != value) return false;
  }
  return true;
}

static_assert(agree<errc>(0, 14));
static_assert(agree<on_error>(0, 6));
static_assert(agree<bom>(0, 5));

//-------------------------------------------------------------------------------------------------------------- structs

static_assert(utfilter::no_limit == reference::no_limit);

inline reference::params to_reference(const utfilter::params& p) {
  return {to_reference(p.on_error), to_reference(p.bom), to_reference(p.fallback), p.replacement, p.error_limit};
}

inline reference::setup to_reference(const setup& s) { return {s.kind, to_reference(s.text), to_reference(s.params)}; }

inline error_info from_reference(const reference::error_info& e) {
  error_info error;
  error.code = from_reference(e.code);
  error.offset = e.offset;
  error.line = e.line;
  error.column = e.column;
  error.line_offset = e.line_offset;
  error.size = static_cast<std::uint8_t>(e.bytes.size());
  error.code_point = e.code_point;
  for (std::size_t i = 0; i < e.bytes.size(); ++i) error.bytes.at(i) = static_cast<unsigned char>(e.bytes[i]);
  return error;
}

inline std::optional<error_info> from_reference(const std::optional<reference::error_info>& e) {
  return e ? std::optional<error_info>(from_reference(*e)) : std::nullopt;
}

inline outcome from_reference(const reference::outcome& o) {
  const reference::stream_report& r = o.report;
  outcome same{o.output, {}, from_reference(o.thrown), {}};
  for (const reference::error_info& e : o.observed) same.observed.push_back(from_reference(e));
  same.report.encoding = from_reference(r.encoding);
  same.report.bom = r.bom;
  same.report.bytes_in = r.bytes_in;
  same.report.bytes_out = r.bytes_out;
  same.report.changes = r.changes;
  same.report.lines = r.lines;
  same.report.errors = r.errors;
  same.report.first_error = from_reference(r.first_error);
  same.report.last_error = from_reference(r.last_error);
  return same;
}

}  // namespace conformance

#endif
