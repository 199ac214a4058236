// bom_filter.hpp: a filter for the byte order mark alone.
// layer: filters
#ifndef UTFILTER_BOM_FILTER_HPP
#define UTFILTER_BOM_FILTER_HPP

#include <utfilter/filter.hpp>
#include <utfilter/bom_codec.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace utfilter {

/// Strips, adds, requires or rejects the byte order mark of text in an encoding, and passes all other bytes on
/// unchanged: it validates nothing and counts no lines. For utf16 and utf32 it accepts the byte order mark of either
/// byte order, and adds the big-endian one; for detect it accepts any byte order mark.
///
/// ```cpp
/// io::filtering_ostream out;
/// // for a program that recognises UTF-8 only by its byte order mark
/// out.push(utfilter::bom_filter(utfilter::bom::add));
/// out.push(io::file_sink("table.csv", std::ios::binary));
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class bom_filter : public codec_filter<bom_codec> {
 public:
  /// @{
  /// If params are the only argument, params::bom decides, and automatic means strip. Otherwise the first argument
  /// decides, and automatic has its usual meaning: strip for utf16, utf32 and detect, keep for other encodings. Throws
  /// std::invalid_argument, with the reason, for an encoding without a byte order mark, and for bom::add with detect.
  template <class Options = params, class = detail::if_options<Options>>
  explicit bom_filter(bom b = bom::strip, encoding e = encoding::utf8, const Options& options = {})
      : codec_filter(codec_for(b, e), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  bom_filter(bom b, const Options& options) : bom_filter(b, encoding::utf8, options) {}
  template <class Options = params, class = detail::if_options<Options>,
            class = std::enable_if_t<!std::is_convertible_v<const Options&, bom>>>
  explicit bom_filter(const Options& options)
      : bom_filter(named(detail::to_params(options).bom), encoding::utf8, options) {}
  /// @}

 private:
  static bom named(bom b) noexcept { return b == bom::automatic ? bom::strip : b; }
  static bom_codec codec_for(bom b, encoding e) {
    if (const char* why = bom_codec::why_not(b, e))
      throw std::invalid_argument(std::string("utfilter::bom_filter: ") + why);
    return bom_codec(b, e);
  }
};
BOOST_IOSTREAMS_PIPABLE(bom_filter, 0)

}  // namespace utfilter

#endif
