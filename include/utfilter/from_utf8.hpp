// from_utf8.hpp: UTF-8 to any encoding.
#ifndef UTFILTER_FROM_UTF8_HPP
#define UTFILTER_FROM_UTF8_HPP

#include <utfilter/detail/checked_codec.hpp>
#include <utfilter/filter.hpp>

namespace utfilter {

/// Encodes UTF-8 as `to`. utf16 and utf32 are written big-endian with a byte order mark unless params::bom says
/// otherwise; utf16le and the like without one, unless that is bom::add. An initial U+FEFF is dropped where the target
/// is an 8-bit encoding that cannot hold it.
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::from_utf8(utfilter::encoding::latin1, utfilter::on_error::replace));  // ? for what it lacks
/// out.push(io::file_sink("label.txt", std::ios::binary));
/// out << "na\u00EFve\n";
/// out.reset();  // throws what a destructor would swallow
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class from_utf8 : public codec_filter<transcoder> {
 public:
  /// Throws std::invalid_argument, with the reason, for a combination that makes no sense: encoding::detect, bom::add
  /// for an encoding that has no byte order mark, on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit from_utf8(encoding to, const Options& options = {})
      : codec_filter(encoder(to, detail::to_params(options)), options) {}

 private:
  static transcoder encoder(encoding to, const params& p) {
    if (p.on_error == on_error::keep)
      detail::refuse("from_utf8", to, "on_error::keep is for utf8_validator and to_utf8(encoding::utf8)");
    return detail::checked_encoder("from_utf8", to, p);
  }
};
BOOST_IOSTREAMS_PIPABLE(from_utf8, 0)

}  // namespace utfilter

#endif
