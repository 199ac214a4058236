// to_utf8.hpp: a filter from any encoding to UTF-8.
// layer: filters
#ifndef UTFILTER_TO_UTF8_HPP
#define UTFILTER_TO_UTF8_HPP

#include <utfilter/detail/naming.hpp>
#include <utfilter/filter.hpp>

namespace utfilter {

/// Decodes `from` into UTF-8. By default a byte order mark decides the encoding, and is stripped; the encoding of text
/// without a byte order mark is params::fallback.
///
/// ```cpp
/// utfilter::params p;
/// p.fallback = utfilter::encoding::windows1252;  // the encoding of files without a byte order mark
/// io::filtering_istream in;
/// in.push(utfilter::to_utf8(p));
/// in.push(io::file_descriptor_source("menu.txt"));
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class to_utf8 : public codec_filter<transcoder> {
 public:
  /// @{
  /// Throws std::invalid_argument, with the reason, for a combination that makes no sense: on_error::keep unless `from`
  /// is encoding::utf8, a policy for the byte order mark of an encoding that has none, or a fallback that is detect.
  template <class Options = params, class = detail::if_options<Options>>
  UTFILTER_INLINE explicit to_utf8(detail::named_encoding from = encoding::detect, const Options& options = {})
      : codec_filter(detail::naming<transcoder>::reading(from, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  UTFILTER_INLINE explicit to_utf8(const Options& options) : to_utf8(encoding::detect, options) {}
  /// @}
};
BOOST_IOSTREAMS_PIPABLE(to_utf8, 0)

}  // namespace utfilter

#endif
