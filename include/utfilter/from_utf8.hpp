// from_utf8.hpp: a filter from UTF-8 to any encoding.
// layer: filters
#ifndef UTFILTER_FROM_UTF8_HPP
#define UTFILTER_FROM_UTF8_HPP

#include <utfilter/detail/naming.hpp>
#include <utfilter/filter.hpp>

namespace utfilter {

/// Encodes UTF-8 as `to`. utf16 and utf32 are written big-endian, with a byte order mark unless params::bom says
/// otherwise. utf16le, utf16be, utf32le and utf32be are written without one unless params::bom is bom::add. By default
/// an initial U+FEFF is dropped if the target is an 8-bit encoding, which cannot hold it.
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::from_utf8(utfilter::encoding::latin1, utfilter::on_error::replace));  // ? for other characters
/// out.push(io::file_sink("label.txt", std::ios::binary));
/// out << "na\u00EFve\n";
/// out.reset();  // throws errors that a destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class from_utf8 : public codec_filter<transcoder> {
 public:
  /// Throws std::invalid_argument, with the reason, for a combination that makes no sense: encoding::detect, bom::add
  /// for an encoding that has no byte order mark, or on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  UTFILTER_INLINE explicit from_utf8(detail::named_encoding to, const Options& options = {})
      : codec_filter(encoder(to, detail::to_params(options)), options) {}

 private:
  UTFILTER_INLINE static transcoder encoder(encoding to, const params& p) {
    if (p.on_error == on_error::keep)
      detail::refuse("writing", detail::name_of(to),
                     "on_error::keep is for utf8_validator and to_utf8(encoding::utf8)");
    return detail::naming<transcoder>::writing(to, p);
  }
};
BOOST_IOSTREAMS_PIPABLE(from_utf8, 0)

}  // namespace utfilter

#endif
