// byte_range.hpp: ranges of the bytes of a text, and the report on a text that was read in ranges.
// layer: streams
#ifndef UTFILTER_BYTE_RANGE_HPP
#define UTFILTER_BYTE_RANGE_HPP

#include <utfilter/detail/needs_exceptions.hpp>

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <vector>

namespace utfilter {

/// The bytes from offset `begin` up to, but not including, offset `end`.
struct byte_range {
  std::uint64_t begin = 0;  ///< The offset of the first byte.
  std::uint64_t end = 0;    ///< The offset after the last byte.
};

/// @{
/// Compares both members. Complexity: constant.
inline bool operator==(const byte_range& a, const byte_range& b) noexcept {
  return a.begin == b.begin && a.end == b.end;
}
inline bool operator!=(const byte_range& a, const byte_range& b) noexcept { return !(a == b); }
/// @}

/// Cuts `size` bytes into `parts` ranges. Each begins where the one before it ends, and their sizes differ by at most
/// one byte. If there are more parts than bytes, the last ranges are empty. If there are no bytes, the first range is
/// 0-1 and the others are 1-1, so that the empty text is in one of them. Any other cuts are right, too: range_streambuf
/// says which lines belong to a range.
///
/// ```cpp
/// const auto ranges = utfilter::split(10, 3);  // 0-4, 4-7, 7-10
/// assert(ranges.size() == 3 && ranges[1] == (utfilter::byte_range{4, 7}));
/// ```
///
/// Throws std::invalid_argument if `parts` is 0. Complexity: linear in `parts`.
inline std::vector<byte_range> split(std::uint64_t size, std::size_t parts) {
  if (parts == 0) throw std::invalid_argument("utfilter::split: a text cannot be cut into 0 parts");
  size = std::max<std::uint64_t>(size, 1);
  const std::uint64_t least = size / parts;
  const std::uint64_t longer = size % parts;  // the first `longer` ranges have one byte more
  std::vector<byte_range> ranges(parts);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    ranges[i] = {begin, begin + least + (i < longer ? 1 : 0)};
    begin = ranges[i].end;
  }
  return ranges;
}

namespace detail {

/// The error, in a text with `lines` more lines before it.
inline error_info moved_down(error_info error, std::uint64_t lines) noexcept {
  error.line += lines;
  return error;
}

inline std::exception_ptr moved_down(const std::exception_ptr& failure, std::uint64_t lines) {
  if (!failure || lines == 0) return failure;
  try {
    std::rethrow_exception(failure);
  } catch (const utf_error& error) {
    return std::make_exception_ptr(utf_error(moved_down(error.info(), lines)));
  } catch (...) {
    return failure;
  }
}

/// Whether the text ended at its last error. The end of a range is no error, because it is after a line feed. If the
/// last bytes of the file are an error, the later ranges are empty.
inline bool ends_at_error(const stream_report& report) noexcept {
  return report.last_error && report.bytes_in <= report.last_error->offset + report.last_error->size;
}

}  // namespace detail

/// Merges the reports on two neighbouring ranges of a text: `next` is the report on the range after that of `report`.
/// Merge the reports of all ranges in the order of the ranges; any two neighbours may be merged first. The result is
/// the report of one reader of the whole text. That holds for the lines of errors, too, although they count from 1 in
/// the report of each range.
///
/// If the text ended in the first range, because it failed or met an error under on_error::stop, the result is
/// `report`: one reader would not have reached the next range. The report of an empty range changes nothing. Nor does a
/// default report, so the merging can begin with that.
///
/// ```cpp
/// utfilter::stream_report all;
/// for (const utfilter::byte_range& range : utfilter::split(std::filesystem::file_size("notes.txt"), 4)) {
///   utfilter::range_streambuf lines("notes.txt", range, utfilter::on_error::replace);
///   utfilter::istream in(lines, lines.params());
///   for (std::string line; std::getline(in, line);) std::cout << line << '\n';
///   all = merge(all, in.report());
/// }
/// all.throw_if_failed();
/// std::cout << all.lines << " line feeds, " << all.errors << " errors\n";
/// ```
///
/// params::error_limit counts the errors of each range; only a limit of 0 or no_limit means the same for all ranges
/// together. Complexity: constant. Throws std::bad_alloc.
inline stream_report merge(stream_report report, const stream_report& next) {
  if (report.failure || detail::ends_at_error(report)) return report;
  // A range without text has not read the byte order mark.
  if (report.encoding == encoding::detect || (next.bom && !report.bom)) {
    report.decided_by = next.decided_by;
    report.confidence = next.confidence;
  }
  if (report.unused_declaration.empty()) report.unused_declaration = next.unused_declaration;
  if (next.encoding != encoding::detect) report.encoding = next.encoding;
  report.bom = report.bom || next.bom;
  report.bytes_in = (std::max)(report.bytes_in, next.bytes_in);  // both count from the start of the file
  report.bytes_out += next.bytes_out;
  report.errors += next.errors;
  if (!report.first_error && next.first_error) report.first_error = detail::moved_down(*next.first_error, report.lines);
  if (next.last_error) report.last_error = detail::moved_down(*next.last_error, report.lines);
  report.failure = detail::moved_down(next.failure, report.lines);
  report.lines += next.lines;
  report.inserted += next.inserted;
  report.changes += next.changes;
  return report;
}

}  // namespace utfilter

#endif
