// decoder.hpp: the library's own codecs under policies, for code that has buffers and no streams.
#ifndef UTFILTER_DECODER_HPP
#define UTFILTER_DECODER_HPP

#include <utfilter/conversion.hpp>
#include <utfilter/detail/checked_codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

namespace utfilter {

/// Any encoding to UTF-8, as to_utf8. It has begun; conversion tells how pieces are given to it, and its complexity.
///
/// For the next text, begin(direction::reading) restarts it: with the same encoding and params, nothing carried, an
/// empty report and no failure. It can be moved, also in the middle of a text; one that was moved from may be destroyed
/// or assigned to, and nothing else.
///
/// ```cpp
/// utfilter::decoder text(utfilter::on_error::replace);
/// char in[] = {'\xEF', '\xBB', '\xBF', 'o', 'k', '\xC3'}, out[64];
/// auto done = text.convert(in, sizeof in, out, sizeof out, false);  // "ok": C3 is carried
/// done      = text.convert(nullptr, 0, out, sizeof out, true);      // U+FFFD: the text ended inside a character
/// assert(done.status == utfilter::codec_status::done && text.report().errors == 1);
/// ```
///
/// Thread safety: one thread at a time.
class decoder : public conversion<transcoder> {
 public:
  /// @{
  /// Throws std::invalid_argument, with the reason, for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit decoder(encoding from = encoding::detect, const Options& options = {})
      : conversion(detail::checked_decoder("decoder", from, detail::to_params(options)), options) {
    begin(direction::reading);
  }
  template <class Options = params, class = detail::if_options<Options>>
  explicit decoder(const Options& options) : decoder(encoding::detect, options) {}
  /// @}
};

/// UTF-8 to another encoding, as from_utf8 (but that to utf8 it takes on_error::keep, too). It has begun; conversion
/// tells how pieces are given to it, and its complexity.
///
/// begin(direction::writing) restarts it, and it can be moved, both as a decoder.
///
/// ```cpp
/// utfilter::encoder text(utfilter::encoding::utf16le, utfilter::on_error::replace);
/// const std::string in = "\u20AC";
/// char out[64];
/// const auto done = text.convert(in.data(), in.size(), out, sizeof out, true);
/// assert(std::string(out, done.produced) == "\xAC\x20");
/// ```
///
/// Thread safety: one thread at a time.
class encoder : public conversion<transcoder> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit encoder(encoding to, const Options& options = {})
      : conversion(detail::checked_encoder("encoder", to, detail::to_params(options)), options) {
    begin(direction::writing);
  }
};

}  // namespace utfilter

#endif
