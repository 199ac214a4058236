// reports.hpp: --format, which writes the reports of --check, --inspect and --identify for people and for other programs.
#ifndef UTFCAT_REPORTS_HPP
#define UTFCAT_REPORTS_HPP

#include "output.hpp"
#include "report_format.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace utfcat {

/// The kind of an error, and the error itself, in words.
std::string kind_of(utfilter::errc);
std::string message_of(const utfilter::error_info&);

/// What is reported about one place of a file.
struct place_report {
  enum class level { note, warning, error };

  std::string file;
  utfilter::text_position at;
  bool has_offset = true;   // at.offset is the place in the file; otherwise only line and column are
  std::string rule;         // the kind of what was found, for programs, such as "mojibake"
  std::string rule_text;    // the same for people
  std::string message;      // one sentence for people, with a hint what to do
  std::uint64_t count = 1;  // how many of them are in the file, if this is the first one
  level severity = level::error;
};

/// The report of an error, with hints after its message.
place_report report_on(const std::string& file, const utfilter::error_info&, const std::string& hints);

/// FILE:LINE:COLUMN: byte OFFSET: MESSAGE.
std::string text_of(const place_report&);

/// Why a text is read in its encoding, such as "by its structure".
const char* words_for_evidence(utfilter::evidence) noexcept;

/// What --identify reports about a file.
struct identity_report {
  std::string file;
  std::string encoding;       // "detect" if it is no text
  std::string_view language;  // by ISO 639; empty if nothing tells it
  double confidence = 0;      // in the encoding, from 0 to 1
  utfilter::evidence why = utfilter::evidence::assumption;
  std::string declared;        // an encoding that the text declares, and that is another one
  std::string_view line_ends;  // "LF", "CR LF", "CR", "mixed" or "none"
  bool bom = false;
  std::uint64_t errors = 0;
};

/// The name by which iconv knows the encoding; "binary" if it is no text.
std::string name_for_iconv(const identity_report&);

/// Writes reports in one format. Its functions throw output_failure.
class report_writer {
 public:
  report_writer(report_format format, fd_sink& to) noexcept : format_(format), to_(to) {}

  void write(const place_report&);
  /// Writes it as text, or as an object of JSON.
  void write(const identity_report&);
  /// Call this after the last report. In formats that are documents it ends the document, or writes an empty one.
  void finish();

 private:
  void put(const std::string& text);
  void begin_item();

  const report_format format_;
  fd_sink& to_;
  bool has_begun_ = false;
  std::map<std::string, std::string> rules_;  // those of SARIF that reports name, and their texts
};

}  // namespace utfcat

#endif
