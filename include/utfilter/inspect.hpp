// inspect.hpp: a filter that passes text unchanged, and counts what may be wrong with it.
// layer: filters
#ifndef UTFILTER_INSPECT_HPP
#define UTFILTER_INSPECT_HPP

#include <utfilter/filter.hpp>
#include <utfilter/inspector.hpp>

namespace utfilter {

/// Passes UTF-8 unchanged, and counts what may be wrong with it: mixed line ends, control characters, U+FEFF inside the
/// text, mojibake, and more. inspector.hpp lists the kinds. It treats ill-formed UTF-8 as params say, like
/// utf8_validator, and on_error::keep passes it unchanged, too.
///
/// ```cpp
/// utfilter::inspect_text inspect(utfilter::on_error::keep);
/// io::filtering_istream in;
/// in.push(inspect);
/// in.push(io::file_descriptor_source("report.txt"));
/// in.ignore(std::numeric_limits<std::streamsize>::max());
/// const utfilter::text_inspection& found = inspect.codec().inspection();
/// for (const utfilter::finding f : utfilter::all_findings)
///   if (found[f].count != 0) std::cout << "line " << found[f].first.line << ": " << to_string(f) << '\n';
/// ```
///
/// codec().inspection() is complete when the text has been read to its end, or the filter is closed on output. Like
/// utf8_validator the filter adds no copy to a chain. An initial U+FEFF passes, so params::bom must be automatic. Complexity
/// and thread safety are those of codec_filter.
using inspect_text = codec_filter<inspector>;

}  // namespace utfilter

#endif
