// text_codec.hpp: what the codecs over detail::text_codec use to cut and decode well-formed text.
#ifndef UTFILTER_CODECS_TEXT_CODEC_HPP
#define UTFILTER_CODECS_TEXT_CODEC_HPP

#include "unicode/utf8.hpp"

#include <cstddef>

namespace utfilter::detail {

/// The bytes of the whole characters at the start of well-formed text that fit into the room. A CR LF is not divided.
inline std::size_t fitting(const char* in, std::size_t size, std::size_t room) noexcept {
  if (size <= room) return size;
  while (room != 0 && is_continuation(static_cast<unsigned char>(in[room]))) --room;
  if (room != 0 && in[room - 1] == '\r' && in[room] == '\n') --room;
  return room;
}

/// The first character of well-formed text.
inline sequence first_character(const char* in, std::size_t size) noexcept {
  return decode_utf8(reinterpret_cast<const unsigned char*>(in), size, true);
}

}  // namespace utfilter::detail

#endif
