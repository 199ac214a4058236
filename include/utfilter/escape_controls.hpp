// escape_controls.hpp: a filter that makes UTF-8 safe to log and to show on a terminal.
// layer: filters
#ifndef UTFILTER_ESCAPE_CONTROLS_HPP
#define UTFILTER_ESCAPE_CONTROLS_HPP

#include <utfilter/control_escaper.hpp>
#include <utfilter/filter.hpp>

namespace utfilter {

/// Writes characters that would control a terminal, or overwrite or reorder a line, as `\xHH` or `\u{HHHH}`;
/// control_escaper.hpp lists them. Tabs and line feeds pass, so that lines stay lines. printable_options say otherwise:
/// by default they escape line feeds, for a message that must be one line, and they can write the escapes of JSON.
///
/// It treats ill-formed UTF-8 as params say, like utf8_validator, and escapes the repairs, too. So for a log this one
/// filter does both jobs:
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::escape_controls(utfilter::on_error::escape));
/// out.push(io::file_descriptor_sink("app.log", std::ios::app | std::ios::binary));
/// ```
///
/// In a chain with other filters, put it where the text is UTF-8 and no later filter can bring a control character
/// back. The text must pass escape_controls before from_utf8, but after to_utf8 and utf8_validator: their
/// on_error::windows1252 turns some bytes into C1 controls, and their replacement may be any text. It must pass
/// undo_mojibake before escape_controls, too: `\u00C2\u203A`, which is harmless, becomes U+009B there. Push the filters of
/// a chain that writes in the order of the data, and those of a chain that reads in reverse order:
///
///     out.push(utfilter::utf8_validator(p));          in.push(utfilter::escape_controls());
///     out.push(utfilter::escape_controls());          in.push(utfilter::to_utf8());
///     out.push(utfilter::from_utf8(e));               in.push(source);
///     out.push(sink);
///
/// An initial U+FEFF is a character, so params::bom must be automatic. Complexity and thread safety are those of
/// codec_filter.
class escape_controls : public codec_filter<control_escaper> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit escape_controls(const Options& options = {}) : codec_filter(control_escaper(), options) {}

  /// The same, but escapes what the first argument says, as a control_escaper with these options does. Throws
  /// std::invalid_argument as the other constructor does.
  ///
  /// ```cpp
  /// utfilter::printable_options json;
  /// json.style = utfilter::escape_style::json;
  /// utfilter::escape_controls escape(json, utfilter::on_error::replace);  // the output is valid in a JSON string
  /// ```
  template <class Options = params, class = detail::if_options<Options>>
  explicit escape_controls(const printable_options& escaped, const Options& options = {})
      : codec_filter(control_escaper(escaped), options) {}
};
BOOST_IOSTREAMS_PIPABLE(escape_controls, 0)

}  // namespace utfilter

#endif
