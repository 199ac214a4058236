// decoder.hpp: decoder and encoder, the library's own codecs with policies, for code that has buffers and no streams.
#ifndef UTFILTER_DECODER_HPP
#define UTFILTER_DECODER_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/detail/checked_codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

namespace utfilter {
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

/// Decodes any encoding to UTF-8, as to_utf8 does, for code with buffers of its own. The constructor has already called
/// begin(). The base class conversion documents how to pass the pieces of a text, and the complexity.
///
/// For the next text, call begin(direction::reading). The encoding and the params stay the same; nothing is carried
/// over, the report is empty, and there is no failure. A decoder can be moved, even in the middle of a text. A
/// moved-from decoder can only be destroyed or assigned to.
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

  /// The place in the input after the text that convert has written so far: a decoder with it as params::start goes on
  /// from there as this one would. Bytes that the codec carries are after it; so is an error that is not repaired, or
  /// only in part. Throws nothing. Complexity: constant.
  checkpoint here() const noexcept { return place(); }
};

/// Encodes UTF-8 in another encoding, as from_utf8 does, for code with buffers of its own. Unlike from_utf8, it accepts
/// on_error::keep if the target is utf8. The constructor has already called begin(). The base class conversion
/// documents how to pass the pieces of a text, and the complexity.
///
/// For the next text, call begin(direction::writing). An encoder can be moved as a decoder can.
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

UTFILTER_END_EXCEPTIONS_NAMESPACE
}  // namespace utfilter

#endif
