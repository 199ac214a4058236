// wide_codec.hpp: the codec of the wide streams: any encoding to code units of wchar_t, and back. Not for users.
// layer: codecs
#ifndef UTFILTER_DETAIL_WIDE_CODEC_HPP
#define UTFILTER_DETAIL_WIDE_CODEC_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/codec_with_bom.hpp>
#include <utfilter/transcoder.hpp>

#include <cstddef>

namespace utfilter::detail {

/// Decodes text to the bytes of wchar_t code units, or encodes these: UTF-16 if wchar_t has 16 bits, else UTF-32, in
/// the byte order of this processor. It consists of two transcoders with UTF-8 between them. It keeps none of that
/// UTF-8 from one call to the next.
class wide_codec : public codec_with_bom {
 public:
  /// In bytes. A sequence of Big5 may stand for two characters, which are two units of UTF-32.
  static constexpr std::size_t min_output = 2 * sizeof(char32_t);

  UTFILTER_API static wide_codec reading(const transcoder& decoder) noexcept;
  UTFILTER_API static wide_codec writing(const transcoder& encoder) noexcept;

  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;
  /// As transcoder::transform with a repairer. It repairs only errors of the text that it decodes.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                        repairer&) noexcept;
  std::size_t lookahead() const noexcept { return first_.lookahead(); }
  void guess_by(std::size_t bytes) noexcept { first_.guess_by(bytes); }
  std::size_t encode(char32_t c, char* out) const noexcept { return second_.encode(c, out); }
  bool inserts() const noexcept { return second_.inserts(); }
  codec_progress insert(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    return second_.insert(in, size, out, room, last);
  }

 private:
  wide_codec(const transcoder& first, const transcoder& second, bool writes) noexcept;

  codec_progress pass(const char* in, std::size_t size, char* out, std::size_t room, bool last, repairer*) noexcept;
  codec_progress step(const char* in, std::size_t size, char* out, std::size_t room, bool last, repairer*) noexcept;
  void note_error_of_second() noexcept;
  template <class Place>
  Place after_bom(Place at) const noexcept;
  text_position place_of_first() const noexcept;
  void note_place() noexcept;

  transcoder first_;   // to UTF-8
  transcoder second_;  // from UTF-8
  bool writes_;
  bool holds_error_ = false;  // the error that first_ has met waits: second_ must first write or report something else
};

template <>
inline constexpr bool has_repairs<wide_codec> = true;

}  // namespace utfilter::detail

#endif
