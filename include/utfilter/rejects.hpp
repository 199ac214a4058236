// rejects.hpp: writes the lines, or the records, that line_sorter puts aside: as they are, or as records of JSON or CSV.
// layer: streams
#ifndef UTFILTER_REJECTS_HPP
#define UTFILTER_REJECTS_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/needs_exceptions.hpp>
#include <utfilter/line_sorter.hpp>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

namespace utfilter {

/// The form in which a line that is put aside is written.
enum class reject_format {
  text,  ///< The bytes of the line, untouched, with its line end; nothing else.
  /// JSON Lines: one object a line, with the members file, line, column, begin, end, error and bytes, and for a part of a
  /// line longer than the limit also part. Line and column are the place of the error, begin and end are the offsets of
  /// the line in the source, and bytes are the ill-formed subsequence in hexadecimal: "E282".
  jsonl,
  /// CSV (RFC 4180) with the same members except part, and a first line with their names. Each line ends with CR LF.
  csv,
};

/// The first line of a file in this format, with its line end; empty if it has none. Complexity: constant. Throws
/// std::bad_alloc.
UTFILTER_STREAMS_API std::string reject_header(reject_format);

/// The line in this format, with the line end of the format. `file` names the source; bytes of it that are no UTF-8 are
/// written as `\xHH`. It is for programs that collect records themselves; `rejects` writes them to a stream. Complexity:
/// linear in the sizes of the line and the name. Throws std::bad_alloc.
///
/// ```cpp
/// utfilter::odd_line line;
/// line.text = "abc\xA0x\n";
/// line.begin = 10;
/// line.end = 16;
/// line.error.code = utfilter::errc::unexpected_continuation;
/// line.error.line = 3;
/// line.error.column = 4;
/// line.error.bytes[0] = 0xA0;
/// line.error.size = 1;
/// assert(utfilter::to_record(line, utfilter::reject_format::jsonl, "a.csv") ==
///        R"({"file":"a.csv","line":3,"column":4,"begin":10,"end":16,)"
///        R"("error":"unexpected continuation byte","bytes":"A0"})" "\n");
/// ```
UTFILTER_STREAMS_API std::string to_record(const odd_line&, reject_format, std::string_view file = {});

/// A line_rules::sink that writes the lines to a stream: a file, which should be opened with std::ios::binary, or an
/// io::stream over a sink of Boost.Iostreams.
///
/// ```cpp
/// std::ofstream file("rejects.csv", std::ios::binary);
/// utfilter::line_rules rules;
/// rules.policy = utfilter::line_policy::put_aside;
/// rules.sink   = utfilter::rejects(file, utfilter::reject_format::csv, "export.csv");
/// ```
///
/// It flushes the stream after each line, so that no line is lost unseen: a full disk fails the text before any line
/// after the lost one is delivered. Copies write to the same stream, and share the name of the source. Complexity: linear in
/// the sizes of the lines and the name. Thread safety: one thread at a time for an object and its copies.
class rejects {
 public:
  /// Writes the header of the format, if it has one. The stream is not owned, and must outlive this object and its copies.
  /// `file` names the source in the records. Throws std::ios_base::failure if the stream fails, and std::bad_alloc.
  UTFILTER_STREAMS_API explicit rejects(std::ostream& to, reject_format = reject_format::jsonl, std::string file = {});

  /// Names the source of the lines that follow, also for the copies.
  UTFILTER_STREAMS_API void set_file(std::string name);

  /// Writes the line, and flushes the stream. Throws std::ios_base::failure, with the system's reason if there is one, if
  /// the stream fails or has failed before. Complexity: linear in the size of the line.
  UTFILTER_STREAMS_API void operator()(const odd_line&) const;

 private:
  struct state;

  std::shared_ptr<state> state_;
};

}  // namespace utfilter

#endif
