// escape_controls.hpp: a filter that makes UTF-8 safe to log and to show on a terminal; and two that leave control
// characters out, or refuse them.
// layer: filters
#ifndef UTFILTER_ESCAPE_CONTROLS_HPP
#define UTFILTER_ESCAPE_CONTROLS_HPP

#include <utfilter/control_cleaner.hpp>
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

/// Leaves the control characters of UTF-8 out, all but tab, line feed and carriage return: control_cleaner.hpp lists them.
/// report().changes counts them. It treats ill-formed UTF-8 as params say, like utf8_validator.
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::remove_controls());  // PostgreSQL takes no NUL, XML none of the others
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("dump.txt"));
/// ```
///
/// What is left is text, but it may look odd: of the colours of a terminal `[1m` stays. An initial U+FEFF is a character,
/// so params::bom must be automatic. Complexity and thread safety are those of codec_filter.
class remove_controls : public codec_filter<control_cleaner> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit remove_controls(const Options& options = {})
      : codec_filter(control_cleaner(control_cleaner::controls::remove), options) {}
};
BOOST_IOSTREAMS_PIPABLE(remove_controls, 0)

/// Refuses the same control characters: each is an error, errc::control, which the policy treats as any other error. So
/// on_error::strict throws, on_error::replace writes U+FFFD, and on_error::escape writes what escape_controls writes. It
/// treats ill-formed UTF-8 likewise.
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::reject_controls());  // throws, with the place of the character
/// out.push(io::file_descriptor_sink("table.csv", std::ios::binary));
/// ```
///
/// A control character in a repair becomes ?. An initial U+FEFF is a character, so params::bom must be automatic.
/// Complexity and thread safety are those of codec_filter.
class reject_controls : public codec_filter<control_cleaner> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit reject_controls(const Options& options = {})
      : codec_filter(control_cleaner(control_cleaner::controls::reject), options) {}
};
BOOST_IOSTREAMS_PIPABLE(reject_controls, 0)

}  // namespace utfilter

#endif
