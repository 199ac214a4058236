// options.hpp: the options that the user of utfcat gave.
#ifndef UTFCAT_OPTIONS_HPP
#define UTFCAT_OPTIONS_HPP

#include "filters.hpp"
#include "report_format.hpp"

#include <utfilter/byte_range.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/rejects.hpp>
#include <utfilter/repair.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

class charset;

struct options {
  utfilter::encoding from = utfilter::encoding::detect;
  utfilter::encoding fallback = utfilter::encoding::utf8;  // if `from` is detect: for text without a byte order mark
  std::size_t guess_bytes = utfilter::default_guess_bytes;
  std::optional<utfilter::encoding> legacy;  // for guess; empty to decide by statistics
  utfilter::encoding_list candidates;        // for guess; empty for all
  utfilter::encoding to = utfilter::encoding::utf8;
  // A charset of ICU takes the place of `from` or `to`. These are then ISO-8859-1, which has no byte order mark either.
  std::shared_ptr<const charset> from_charset, to_charset;
  utfilter::on_error on_error = utfilter::on_error::strict;
  bool tells_repairs = false;  // although errors are repaired, each is told, and makes the exit status 1
  utfilter::bom bom = utfilter::bom::automatic;
  std::vector<filter_choice> filters;  // of the text, in this order
  // The output has the encoding and the mark of the one input. Until that is known, `to` is UTF-8.
  bool same = false;
  bool to_has_bom = false;             // the name of the output's encoding says so
  bool to_bmp = false;                 // it says that characters above U+FFFF are lacking
  std::optional<std::string> rejects;  // the file that gets the lines with errors
  utfilter::reject_format reject_format = utfilter::reject_format::text;
  std::vector<utfilter::encoding> line_fallbacks;  // that lines with errors are read in, if they fit
  utfilter::record_kind records{};                 // what counts as a line for both
  char delimiter = ',', quote = '"';               // of records of CSV
  bool check = false;
  bool inspect = false;              // reports what may be wrong with well-formed text, too
  bool identify = false;             // inspects, but reports the encoding
  std::vector<std::string> fail_on;  // kinds of findings that make the exit status 1
  std::vector<std::string> allow;    // kinds of findings that are not reported
  bool names = false;                // of the encodings alone
  report_format format = report_format::text;
  bool quiet = false;
  bool summary = false;
  bool decompress = false;
  bool stats = false;
  bool progress = false;
  bool follow = false;  // then there is one file, and it is not standard input
  bool from_start = false;
  bool resumes = false;  // the output has text of an earlier run
  bool list = false;
  std::optional<std::string> help;  // the topic, which may be empty
  bool manual = false;
  bool version = false;
  std::optional<std::string> words;           // the option whose values are asked for
  bool in_place = false;                      // each file is the output of its text
  bool dry_run = false;                       // in_place, but only names the files that would change
  bool force = false;                         // writes what would be left alone
  bool keep_times = false;                    // of a file that is replaced
  std::optional<std::string> backup;          // what ends the name of the copy of a file that is replaced
  bool recursive = false;                     // files may be directories; binary files are skipped
  bool names_only = false;                    // a check that only names the files with errors
  std::optional<std::string> output;          // empty for standard output
  std::optional<std::string> state;           // for follow: the file that keeps the place
  std::optional<utfilter::byte_range> range;  // then there is one file, and it is not standard input
  std::size_t jobs = 1;                       // threads that decode and encode; 0 for one on each processor
  bool has_one_file = false;                  // and that is not standard input, so --range may be given
  std::vector<std::string> files;             // at least one; "-" is standard input

  /// Whether the text itself may decide its encoding.
  bool guesses() const noexcept {
    using utfilter::encoding;
    return from == encoding::guess || (from == encoding::detect && fallback == encoding::guess);
  }

  /// Whether all text is checked and none is written.
  bool only_checks() const noexcept { return check || quiet || inspect; }

  /// Whether the line decides what becomes of ill-formed input.
  bool sorts_lines() const noexcept { return rejects || !line_fallbacks.empty(); }

  /// Whether there is a filter with this name.
  bool has_filter(std::string_view name) const noexcept {
    return std::any_of(filters.begin(), filters.end(), [&](const filter_choice& f) { return f.is(name); });
  }

  /// Whether a filter may find errors.
  bool filters_reject() const noexcept {
    return std::any_of(filters.begin(), filters.end(), [](const filter_choice& f) { return f.kind->find != nullptr; });
  }

  /// Whether the text begins with the beginning of a file. It does not if the user asked for a later range.
  bool begins_file() const noexcept { return !range || (range->begin == 0 && range->end != 0); }

  /// Whether the text of a file ends at its first error. So does a check that reports nothing about the error.
  bool ends_at_error() const noexcept {
    if (only_checks()) return (quiet || names_only) && !inspect && !summary && !stats;
    return !utfilter::repairer::repairs(on_error);
  }

  /// Whether ill-formed text makes the exit status 1. It does not if the user asked for a repair.
  bool tells_errors() const noexcept { return (only_checks() && !inspect) || ends_at_error() || tells_repairs; }
};

/// The filter `declare` with the name of the output's encoding.
filter_choice declaration_of_output(const options&);

/// Reads the command line. Throws usage_error.
options parse(int argc, const char* const* argv);

}  // namespace utfcat

#endif
