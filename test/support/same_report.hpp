// same_report.hpp: compares reports in all members, and shows them.
#ifndef UTFILTER_TEST_SAME_REPORT_HPP
#define UTFILTER_TEST_SAME_REPORT_HPP

#include "support/same_error.hpp"

#include <utfilter/params.hpp>
#include <utfilter/utf_error.hpp>

#include <exception>
#include <string>

inline std::string message_of(const std::exception_ptr& failure) {
  if (!failure) return "";
  try {
    std::rethrow_exception(failure);
  } catch (const utfilter::utf_error& error) {
    return std::string("utf_error: ") + error.what();
  } catch (const std::exception& error) {
    return error.what();
  }
}

inline bool same_report(const utfilter::stream_report& a, const utfilter::stream_report& b) {
  return a.encoding == b.encoding && a.bom == b.bom && a.decided_by == b.decided_by && a.confidence == b.confidence &&
         a.unused_declaration == b.unused_declaration && a.bytes_in == b.bytes_in && a.bytes_out == b.bytes_out &&
         a.lines == b.lines && a.errors == b.errors && same_error(a.first_error, b.first_error) &&
         same_error(a.last_error, b.last_error) && message_of(a.failure) == message_of(b.failure) &&
         a.inserted == b.inserted && a.changes == b.changes;
}

/// "5 bytes in, 3 out, 1 lines, 2 errors, first line 1, column 2 (byte 1): overlong encoding: C0, last ...".
inline std::string counts_of(const utfilter::stream_report& r) {
  std::string text = std::to_string(r.bytes_in) + " bytes in, " + std::to_string(r.bytes_out) + " out, " +
                     std::to_string(r.lines) + " lines, " + std::to_string(r.errors) + " errors";
  if (r.first_error) text += ", first " + to_string(*r.first_error);
  if (r.last_error) text += ", last " + to_string(*r.last_error);
  return text;
}

inline std::string in_words(const utfilter::stream_report& r) {
  return to_string(r.encoding) + (r.bom ? " marked" : "") + " by " + std::to_string(static_cast<int>(r.decided_by)) +
         " with " + std::to_string(r.confidence) + ": " + counts_of(r) + ", declares " +
         std::string(r.unused_declaration) + ", failure " + message_of(r.failure);
}

#endif
