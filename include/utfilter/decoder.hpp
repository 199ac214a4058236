// decoder.hpp: decoder and encoder, the library's own codecs with policies, for code that has buffers and no streams.
// layer: conversion
#ifndef UTFILTER_DECODER_HPP
#define UTFILTER_DECODER_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/detail/deduction.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

namespace utfilter {
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

/// Decodes texts by a codec, for code with buffers of its own. The constructor has already called begin(). The base
/// class conversion documents how to pass the pieces of a text, and the complexity.
///
/// For the next text, call begin(direction::reading). The codec and the params stay the same; nothing is carried over,
/// the report is empty, and there is no failure. A decoder can be moved, even in the middle of a text. A moved-from
/// decoder can only be destroyed or assigned to.
///
/// ```cpp
/// utfilter::codec_decoder text{utfilter::control_escaper()};
/// char out[64];
/// const auto done = text.convert("a\rb", 3, out, sizeof out, true);
/// assert(std::string(out, done.produced) == "a\\x0Db");
/// ```
///
/// Thread safety: one thread at a time.
template <class Codec>
class codec_decoder : public conversion<Codec> {
  using base = conversion<Codec>;

 public:
  /// @{
  /// The codec is given, or it is made: a transcoder from the name of the encoding, encoding::detect by default, and a
  /// charset_reader from a charset. Throws std::invalid_argument, with the reason, for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_decoder(const Codec& codec, const Options& options = {}) : base(codec, options) {
    this->begin(base::direction::reading);
  }
  template <class Options = params, class = detail::if_options<Options>>
  UTFILTER_INLINE explicit codec_decoder(const detail::codec_name<Codec>& from, const Options& options = {})
      : codec_decoder(detail::naming<Codec>::reading(from, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Codec,
            class = detail::if_name_by_default<C>>
  explicit codec_decoder(const Options& options = {}) : codec_decoder(detail::naming<C>::read_by_default, options) {}
  /// @}

  /// The place in the input after the text that convert has written so far: a decoder with it as params::start goes on
  /// from there as this one would. Bytes that the codec carries are after it; so is an error that is not repaired, or
  /// only in part. Only for transcoders. Throws nothing. Complexity: constant.
  checkpoint here() const noexcept { return this->place(); }
};
template <class What = params, class Options = params>
codec_decoder(const What& = {}, const Options& = {}) -> codec_decoder<detail::reader_of<What>>;

/// Decodes any encoding to UTF-8, as to_utf8 does. codec_decoder documents the rest.
///
/// ```cpp
/// utfilter::decoder text(utfilter::on_error::replace);
/// char in[] = {'\xEF', '\xBB', '\xBF', 'o', 'k', '\xC3'}, out[64];
/// auto done = text.convert(in, sizeof in, out, sizeof out, false);  // "ok": C3 is carried
/// done      = text.convert(nullptr, 0, out, sizeof out, true);      // U+FFFD: the text ended inside a character
/// assert(done.status == utfilter::codec_status::done && text.report().errors == 1);
/// ```
using decoder = codec_decoder<transcoder>;

/// Encodes texts by a codec, for code with buffers of its own. The constructor has already called begin(). The base
/// class conversion documents how to pass the pieces of a text, and the complexity.
///
/// For the next text, call begin(direction::writing). An encoder can be moved as a decoder can.
///
/// ```cpp
/// const auto big_endian = utfilter::transcoder::encoding_to(utfilter::encoding::utf16be, utfilter::bom::add);
/// utfilter::codec_encoder text(big_endian);
/// char out[64];
/// const auto done = text.convert("A", 1, out, sizeof out, true);
/// assert(std::string(out, done.produced) == std::string("\xFE\xFF\0A", 4));
/// ```
///
/// Thread safety: one thread at a time.
template <class Codec>
class codec_encoder : public conversion<Codec> {
  using base = conversion<Codec>;

 public:
  /// @{
  /// The codec is given, or it is made: a transcoder from the name of the encoding, and a charset_writer from a
  /// charset. Throws std::invalid_argument, with the reason, for params that make no sense.
  template <class Options = params, class = detail::if_options<Options>>
  explicit codec_encoder(const Codec& codec, const Options& options = {}) : base(codec, options) {
    this->begin(base::direction::writing);
  }
  template <class Options = params, class = detail::if_options<Options>>
  UTFILTER_INLINE explicit codec_encoder(const detail::codec_name<Codec>& to, const Options& options = {})
      : codec_encoder(detail::naming<Codec>::writing(to, detail::to_params(options)), options) {}
  /// @}
};
template <class What = params, class Options = params>
codec_encoder(const What& = {}, const Options& = {}) -> codec_encoder<detail::writer_of<What>>;

/// Encodes UTF-8 in another encoding, as from_utf8 does. Unlike from_utf8, it accepts on_error::keep if the target is
/// utf8. codec_encoder documents the rest.
///
/// ```cpp
/// utfilter::encoder text(utfilter::encoding::utf16le, utfilter::on_error::replace);
/// const std::string in = "\u20AC";
/// char out[64];
/// const auto done = text.convert(in.data(), in.size(), out, sizeof out, true);
/// assert(std::string(out, done.produced) == "\xAC\x20");
/// ```
using encoder = codec_encoder<transcoder>;

UTFILTER_END_EXCEPTIONS_NAMESPACE
}  // namespace utfilter

#endif
