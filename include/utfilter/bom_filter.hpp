// bom_filter.hpp: the signature only.
#ifndef UTFILTER_BOM_FILTER_HPP
#define UTFILTER_BOM_FILTER_HPP

#include <utfilter/filter.hpp>
#include <utfilter/signature_codec.hpp>

#include <stdexcept>
#include <string>

namespace utfilter {

/// Strips, adds, requires or rejects the signature of text in `e`, and passes all else on as it is: no validation, no
/// line counts. For utf16 and utf32 either byte order counts as the signature, and the big-endian one is added; for
/// detect any does.
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::bom_filter(utfilter::bom::add));  // for a program that looks for a signature in UTF-8
/// out.push(io::file_sink("table.csv", std::ios::binary));
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class bom_filter : public codec_filter<signature_codec> {
 public:
  /// @{
  /// Where params are the only argument their bom is taken, and automatic means strip; else the first argument decides,
  /// and automatic is what it is everywhere: strip for utf16, utf32 and detect, else keep. Throws
  /// std::invalid_argument, with the reason, for an encoding without a signature, and for bom::add with detect.
  template <class Options = params, class = detail::if_options<Options>>
  explicit bom_filter(bom b = bom::strip, encoding e = encoding::utf8, const Options& options = {})
      : codec_filter(codec(b, e), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  bom_filter(bom b, const Options& options) : bom_filter(b, encoding::utf8, options) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit bom_filter(const Options& options)
      : bom_filter(named(detail::to_params(options).bom), encoding::utf8, options) {}
  /// @}

 private:
  static bom named(bom b) noexcept { return b == bom::automatic ? bom::strip : b; }
  static signature_codec codec(bom b, encoding e) {
    if (const char* why = signature_codec::why_not(b, e))
      throw std::invalid_argument(std::string("utfilter::bom_filter: ") + why);
    return signature_codec(b, e);
  }
};
BOOST_IOSTREAMS_PIPABLE(bom_filter, 0)

}  // namespace utfilter

#endif
