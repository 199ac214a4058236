// escape_controls.hpp: UTF-8 to UTF-8 that is safe to log and to show on a terminal.
#ifndef UTFILTER_ESCAPE_CONTROLS_HPP
#define UTFILTER_ESCAPE_CONTROLS_HPP

#include <utfilter/control_escaper.hpp>
#include <utfilter/filter.hpp>

#include <stdexcept>

namespace utfilter {

/// Writes as `\xHH` or `\u{HHHH}` what would control a terminal, overwrite a line or reorder it; control_escaper.hpp
/// has the list. Tabs and line feeds pass, so that lines stay lines. Where a message must be one line, it is
/// `codec_filter<control_escaper>(control_escaper(control_escaper::line_feeds::escape))` that escapes line feeds, too.
///
/// It reads UTF-8 by params as utf8_validator does, and escapes the repairs, too. So for a log one filter does both
/// jobs:
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::escape_controls(utfilter::on_error::escape));
/// out.push(io::file_descriptor_sink("app.log", std::ios::app | std::ios::binary));
/// ```
///
/// Among other filters its place is where the text is UTF-8 and nothing behind it can bring a control back: in front of
/// from_utf8, behind to_utf8 and utf8_validator, for their on_error::windows1252 makes C1 controls of some bytes, and
/// their replacement may be anything. A chain that writes has its filters in the order of the data, one that reads in
/// the reverse:
///
///     out.push(utfilter::utf8_validator(p));          in.push(utfilter::escape_controls());
///     out.push(utfilter::escape_controls());          in.push(utfilter::to_utf8());
///     out.push(utfilter::from_utf8(e));               in.push(source);
///     out.push(sink);
///
/// An initial U+FEFF is a character, so that params::bom must be automatic. Complexity and thread safety are those of
/// codec_filter.
class escape_controls : public codec_filter<control_escaper> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense, on_error::keep among them.
  template <class Options = params, class = detail::if_options<Options>>
  explicit escape_controls(const Options& options = {}) : codec_filter(codec(detail::to_params(options)), options) {}

 private:
  static control_escaper codec(const params& p) {
    if (p.on_error == on_error::keep)
      throw std::invalid_argument(
          "utfilter::escape_controls: on_error::keep would let ill-formed bytes pass unescaped");
    return control_escaper();
  }
};
BOOST_IOSTREAMS_PIPABLE(escape_controls, 0)

}  // namespace utfilter

#endif
