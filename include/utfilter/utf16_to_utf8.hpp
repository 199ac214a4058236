// utf16_to_utf8.hpp: a filter from UTF-16 to UTF-8.
// layer: filters
#ifndef UTFILTER_UTF16_TO_UTF8_HPP
#define UTFILTER_UTF16_TO_UTF8_HPP

#include <utfilter/detail/naming.hpp>
#include <utfilter/filter.hpp>

namespace utfilter {

/// Decodes UTF-16 into UTF-8. `from` is utf16, utf16le or utf16be. For utf16 a byte order mark decides the byte order,
/// and is stripped. Text without a byte order mark is then big-endian, and little-endian text mostly becomes nonsense
/// without an error.
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::utf16_to_utf8());  // its byte order mark decides
/// in.push(io::file_descriptor_source("settings.reg"));
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class utf16_to_utf8 : public codec_filter<transcoder> {
 public:
  /// @{
  /// Throws std::invalid_argument, with the reason, for any other encoding and for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit utf16_to_utf8(detail::named_encoding from = encoding::utf16, const Options& options = {})
      : codec_filter(decoder(from, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit utf16_to_utf8(const Options& options) : utf16_to_utf8(encoding::utf16, options) {}
  /// @}

 private:
  static transcoder decoder(encoding from, const params& p) {
    if (code_unit_size(from) != 2) detail::refuse("utfilter: utf16_to_utf8 reads utf16, utf16le or utf16be");
    return detail::naming<transcoder>::reading_unicode(from, p);
  }
};
BOOST_IOSTREAMS_PIPABLE(utf16_to_utf8, 0)

}  // namespace utfilter

#endif
