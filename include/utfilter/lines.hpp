// lines.hpp: a filter from any encoding to UTF-8 that decides by the line what becomes of errors.
// layer: sources
#ifndef UTFILTER_LINES_HPP
#define UTFILTER_LINES_HPP

#include <utfilter/detail/exceptions.hpp>
#include <utfilter/detail/naming.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/line_sorter.hpp>
#include <utfilter/rejects.hpp>

#include <string>

namespace utfilter {

/// Decodes `from` into UTF-8, as to_utf8 does, but decides by the line what becomes of errors, so that one bad byte
/// costs at most its line. By default a byte order mark decides the encoding.
///
/// ```cpp
/// std::ofstream aside("export.rejects.jsonl", std::ios::binary);
/// utfilter::line_rules rules;
/// rules.policy = utfilter::line_policy::put_aside;
/// rules.sink = utfilter::rejects(aside, utfilter::reject_format::jsonl, "export.csv");
/// utfilter::to_utf8_lines lines(utfilter::encoding::utf8, rules);
/// io::filtering_istream in;
/// in.push(lines);
/// in.push(io::file_descriptor_source("export.csv"));
/// in.exceptions(std::ios::badbit);  // otherwise a failed read looks like the end of the text
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';  // only lines without errors
/// std::clog << lines.counts().lines_put_aside << " lines put aside\n";
/// ```
///
/// With line_policy::fall_back, text in which single lines are in another encoding is read right:
///
/// ```cpp
/// utfilter::line_rules rules;
/// rules.policy = utfilter::line_policy::fall_back;
/// rules.fallbacks = {utfilter::encoding::windows1252};
/// io::filtering_istream in;
/// in.push(utfilter::to_utf8_lines(utfilter::encoding::utf8, rules));
/// in.push(io::file_descriptor_source("server.log"));
/// ```
///
/// In a file of records, a line is not enough: half a record is no record. line_rules::records gathers the lines of each:
///
/// ```cpp
/// std::ofstream aside("export.rejects.csv", std::ios::binary);
/// utfilter::line_rules rules;
/// rules.policy = utfilter::line_policy::put_aside;
/// rules.sink = utfilter::rejects(aside, utfilter::reject_format::text);
/// rules.records = utfilter::record_kind::csv;  // a quoted field may have line feeds
/// rules.delimiter = ';';
/// io::filtering_istream in;
/// in.push(utfilter::to_utf8_lines(utfilter::encoding::utf8, rules));
/// in.push(io::file_descriptor_source("export.csv"));
/// ```
///
/// line_sorter.hpp says what a line is, what is counted, and what params treat: the byte order mark, and the errors of
/// lines that stay in the text. A line is delivered when its line feed has arrived; the last line may have none. An
/// unfinished line waits, because the decision is about the whole line: neither a read nor a flush delivers half of it.
/// A write or read that finds a line to put aside gives it to the sink first; if the sink throws, it fails with that
/// exception like every further one, and nothing after that line is delivered.
///
/// Memory is constant: line_rules::limit and a little more. Complexity and thread safety are those of codec_filter; the
/// sink is called in the thread that reads or writes.
class to_utf8_lines : public codec_filter<line_sorter> {
 public:
  /// @{
  /// Throws std::invalid_argument, with the reason, for rules that make no sense (line_policy::put_aside without a
  /// sink, line_policy::fall_back without fallbacks, a fallback whose code units have another size), and for what
  /// to_utf8 refuses.
  template <class Options = params, class = detail::if_options<Options>>
  to_utf8_lines(detail::named_encoding from, const line_rules& rules, const Options& options = {})
      : codec_filter(reading(from, rules, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit to_utf8_lines(const line_rules& rules, const Options& options = {})
      : to_utf8_lines(encoding::detect, rules, options) {}
  /// @}

  /// The counts of the present use, or of the last one. They are exact when the stream has run to its end, an error or
  /// close; before, they may run ahead of the text delivered. Throws nothing. Complexity: constant.
  line_counts counts() const noexcept { return codec().counts(); }

 private:
  static line_sorter reading(encoding from, const line_rules& rules, const params& p) {
    const transcoder codec = detail::naming<transcoder>::reading(from, p);
    if (const char* const why = line_sorter::why_not(codec.facts().encoding, rules))
      detail::refuse(std::string("utfilter::to_utf8_lines: ") + why);
    return {codec, rules};
  }
};
BOOST_IOSTREAMS_PIPABLE(to_utf8_lines, 0)

}  // namespace utfilter

#endif
