// icu.hpp: the component icu: filters between the charsets of ICU and UTF-8, and all of charset.hpp.
// layer: icu
#ifndef UTFILTER_ICU_HPP
#define UTFILTER_ICU_HPP

#include <utfilter/charset.hpp>
#include <utfilter/filter.hpp>

namespace utfilter {

/// Decodes a charset of ICU into UTF-8.
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::charset_to_utf8("EUC-TW", utfilter::on_error::replace));
/// in.push(io::file_descriptor_source("menu.txt"));
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class charset_to_utf8 : public codec_filter<charset_reader> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense: on_error::keep, params::start, or a
  /// policy for the byte order mark.
  template <class Options = params, class = detail::if_options<Options>>
  explicit charset_to_utf8(const charset& from, const Options& options = {})
      : codec_filter(detail::naming<charset_reader>::reading(from, detail::to_params(options)), options) {}
};
BOOST_IOSTREAMS_PIPABLE(charset_to_utf8, 0)

/// Encodes UTF-8 in a charset of ICU. By default U+FEFF at the start of the text is dropped if the charset lacks it.
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::utf8_to_charset("EUC-TW"));
/// out.push(io::file_sink("label.txt", std::ios::binary));
/// out << "\u4E2D\n";
/// out.reset();  // throws errors that a destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class utf8_to_charset : public codec_filter<charset_writer> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense: on_error::keep, params::start, or a
  /// policy that wants a byte order mark in a charset without U+FEFF.
  template <class Options = params, class = detail::if_options<Options>>
  explicit utf8_to_charset(const charset& to, const Options& options = {})
      : codec_filter(detail::naming<charset_writer>::writing(to, detail::to_params(options)), options) {}
};
BOOST_IOSTREAMS_PIPABLE(utf8_to_charset, 0)

}  // namespace utfilter

#endif
