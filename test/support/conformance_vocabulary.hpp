// conformance_vocabulary.hpp: setups and outcomes in the library's types, which tests use, and their translation from
// and to the reference's types. If one side lacks an enumerator, the compiler warns here. If an error, a policy or a bom
// gets another number on one side, this file does not compile.
#ifndef UTFILTER_TEST_CONFORMANCE_VOCABULARY_HPP
#define UTFILTER_TEST_CONFORMANCE_VOCABULARY_HPP

#include "support/conformance_reference.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
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

#define UTFILTER_TEST_SAME(word) \
  case from::word: return to::word;

/// Nothing for an encoding that the reference lacks: the other single-byte encodings have tables in data/single_byte/.
constexpr std::optional<reference::encoding> find_in_reference(encoding value) {
  using from = encoding;
  using to = reference::encoding;
  switch (value) {
    UTFILTER_TEST_ENCODINGS(UTFILTER_TEST_SAME)
    default: return std::nullopt;
  }
}

constexpr reference::encoding to_reference(encoding value) {
  const std::optional<reference::encoding> known = find_in_reference(value);
  if (!known) throw std::logic_error("the reference lacks " + to_string(value));
  return *known;
}

constexpr encoding from_reference(reference::encoding value) {
  using from = reference::encoding;
  using to = encoding;
  switch (value) { UTFILTER_TEST_ENCODINGS(UTFILTER_TEST_SAME) }
  throw std::logic_error("no such encoding");
}

constexpr reference::errc to_reference(errc value) {
  using from = errc;
  using to = reference::errc;
  if (value == errc{}) return reference::errc::none;  // the library has no name for it
  switch (value) {
    UTFILTER_TEST_ERRCS(UTFILTER_TEST_SAME)
    case errc::no_text: break;  // the reference does not guess
  }
  throw std::logic_error("no such errc");
}

constexpr errc from_reference(reference::errc value) {
  using from = reference::errc;
  using to = errc;
  switch (value) {
    case reference::errc::none: break; UTFILTER_TEST_ERRCS(UTFILTER_TEST_SAME)
  }
  return errc{};
}

constexpr reference::on_error to_reference(on_error value) {
  using from = on_error;
  using to = reference::on_error;
  switch (value) { UTFILTER_TEST_ON_ERRORS(UTFILTER_TEST_SAME) }
  throw std::logic_error("no such on_error");
}

constexpr on_error from_reference(reference::on_error value) { return static_cast<on_error>(value); }

constexpr reference::bom to_reference(bom value) {
  using from = bom;
  using to = reference::bom;
  switch (value) { UTFILTER_TEST_BOMS(UTFILTER_TEST_SAME) }
  throw std::logic_error("no such bom");
}

constexpr bom from_reference(reference::bom value) { return static_cast<bom>(value); }

#undef UTFILTER_TEST_SAME

/// The encodings that the reference knows, in its order, and the names of the enumerators by their numbers there.
#define UTFILTER_TEST_OURS(word) encoding::word,
constexpr encoding known_encodings[] = {UTFILTER_TEST_ENCODINGS(UTFILTER_TEST_OURS)};
#undef UTFILTER_TEST_OURS
constexpr const char* encoding_names[] = {UTFILTER_TEST_ENCODINGS(UTFILTER_TEST_NAME)};
constexpr const char* errc_names[] = {"none", UTFILTER_TEST_ERRCS(UTFILTER_TEST_NAME)};
constexpr const char* on_error_names[] = {UTFILTER_TEST_ON_ERRORS(UTFILTER_TEST_NAME)};
constexpr const char* bom_names[] = {UTFILTER_TEST_BOMS(UTFILTER_TEST_NAME)};

/// Whether the first enumerators have the same numbers on both sides, at which these tables have their names.
template <class Enumeration>
constexpr bool agree(std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const auto value = static_cast<Enumeration>(i);
    if (static_cast<std::size_t>(to_reference(value)) != i || from_reference(to_reference(value)) != value)
      return false;
  }
  return true;
}

static_assert(agree<errc>(15));
static_assert(agree<on_error>(std::size(on_error_names)));
static_assert(agree<bom>(std::size(bom_names)));

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
