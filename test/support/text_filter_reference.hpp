// text_filter_reference.hpp: what a filter that changes some characters of UTF-8 must give, computed the slow way: the
// whole input is repaired first, then the whole text is changed. This file may include nothing of include/ or src/.
#ifndef UTFILTER_TEST_TEXT_FILTER_REFERENCE_HPP
#define UTFILTER_TEST_TEXT_FILTER_REFERENCE_HPP

#include "support/conformance_reference.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace conformance::reference {

/// The text that repaired text becomes, and its changes. Without `ends` more text may follow: what waits is left out.
struct rewritten {
  std::string text;
  std::uint64_t changes = 0;
  std::size_t waiting = 0;  // bytes at the end of the repaired text
};
using rewriter = std::function<rewritten(const std::string& text, bool ends)>;

/// The repair of one error. A control character in it becomes ? if `refuses` is true for it.
inline std::string repair_of(const params& p, const error_info& error, bool (*refuses)(char32_t)) {
  const bool is_control = error.code == errc::forbidden;
  const std::string_view wrong = error.bytes;
  std::string repair;
  if (p.on_error == on_error::replace || (is_control && p.on_error == on_error::windows1252)) {
    for (std::string_view left = p.replacement; !left.empty();) {
      const item next = decode(encoding::utf8, left);
      repair += refuses != nullptr && refuses(next.value) ? "?" : left.substr(0, next.size);
      left.remove_prefix(next.size);
    }
    return repair;
  }
  if (is_control && p.on_error == on_error::escape && error.code_point >= 0x80) {
    char escape[16];
    std::snprintf(escape, sizeof escape, "\\u{%04X}", static_cast<unsigned>(error.code_point));
    return escape;
  }
  for (const char c : wrong) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02X", byte_of(c));
    if (p.on_error == on_error::escape) repair += escape;
    if (p.on_error != on_error::windows1252) continue;
    const char32_t read = windows1252(byte_of(c));
    repair += refuses != nullptr && refuses(read) ? "?" : utf8(read);
  }
  return repair;
}

/// Everything that the filter must show. Without `ends` more bytes may follow: then it is what a stream must show when
/// these bytes have arrived. If there is `refuses`, each character for which it is true is the error errc::forbidden. If
/// `errors_divide` is set, the text between two errors is changed by itself, and the repairs stay as they are.
inline outcome text_filter(const params& p, std::string_view input, bool writing, bool ends, const rewriter& rewrite,
                           bool (*refuses)(char32_t) = nullptr, bool errors_divide = false) {
  outcome result;
  error_info at;
  std::string repaired;
  rewritten text;
  const auto change = [&](bool is_whole) {
    const rewritten part = rewrite(repaired, is_whole);
    text = {text.text + part.text, text.changes + part.changes, part.waiting};
    repaired.clear();
  };
  bool at_end = ends;
  while (at.offset < input.size()) {
    const std::string_view rest = input.substr(static_cast<std::size_t>(at.offset));
    item next = decode(encoding::utf8, rest);
    if (!ends && !next.good && next.code == errc::incomplete_at_end) break;
    const bool is_control = next.good && refuses != nullptr && refuses(next.value);
    if (is_control) next.good = false;
    error_info error = at;
    error.code = is_control ? errc::forbidden : next.code;
    error.code_point = is_control ? next.value : 0;
    error.bytes = rest.substr(0, next.size);
    at.offset += next.size;
    ++at.column;
    if (next.good) {
      repaired += rest.substr(0, next.size);
      if (next.value != U'\n') continue;
      ++at.line;
      at.column = 1;
      at.line_offset = at.offset;
      continue;
    }
    result.observed.push_back(error);
    const bool fails = p.on_error == on_error::strict || (p.on_error == on_error::stop && writing) ||
                       result.observed.size() > p.error_limit;
    if (fails) result.thrown = error;
    at_end = at_end || fails || p.on_error == on_error::stop;
    if (fails || p.on_error == on_error::stop) break;
    if (errors_divide) change(true);
    (errors_divide ? text.text : repaired) += repair_of(p, error, refuses);
  }
  change(at_end);
  result.output = text.text;
  stream_report& report = result.report;
  report.encoding = encoding::utf8;
  report.bytes_in = at.offset - text.waiting;
  report.bytes_out = result.output.size();
  report.changes = text.changes;
  report.lines = at.line - 1;
  report.errors = result.observed.size();
  if (report.errors == 0) return result;
  report.first_error = result.observed.front();
  report.last_error = result.observed.back();
  return result;
}

}  // namespace conformance::reference

#endif
