// newlines.hpp: a filter that gives a text one kind of line end.
// layer: filters
#ifndef UTFILTER_NEWLINES_HPP
#define UTFILTER_NEWLINES_HPP

#include <utfilter/filter.hpp>
#include <utfilter/newline_converter.hpp>

namespace utfilter {

/// Gives all line ends of a text in UTF-8 the same kind: newline::lf, or the one that the argument names.
/// report().changes counts the line ends that were of another kind. It treats ill-formed UTF-8 as params say, like
/// utf8_validator.
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::convert_newlines(utfilter::newline::lf));
/// in.push(utfilter::to_utf8());  // the text may be UTF-16
/// in.push(io::file_descriptor_source("from_windows.txt"));
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// In a chain that writes another encoding, push it before from_utf8. A CR LF is never cut, neither in the text nor between
/// two writes: after a carriage return the new line end is written at once, and a line feed that comes next is a part of it.
/// An initial U+FEFF is a character, so params::bom must be automatic. Complexity and thread safety are those of
/// codec_filter.
class convert_newlines : public codec_filter<newline_converter> {
 public:
  /// @{
  /// Throws std::invalid_argument, with the reason, for params that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit convert_newlines(newline to, const Options& options = {}) : codec_filter(newline_converter(to), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit convert_newlines(const Options& options = {}) : convert_newlines(newline::lf, options) {}
  /// @}
};
BOOST_IOSTREAMS_PIPABLE(convert_newlines, 0)

}  // namespace utfilter

#endif
