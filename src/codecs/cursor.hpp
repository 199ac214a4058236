// cursor.hpp: the places that a codec has reached in its input and its output during one call of transform.
#ifndef UTFILTER_CODECS_CURSOR_HPP
#define UTFILTER_CODECS_CURSOR_HPP

#include <utfilter/detail/codec_with_bom.hpp>

#include <cstddef>

namespace utfilter::detail {

struct codec_with_bom::cursor {
  const char* in;
  const char* in_end;
  char* out;
  char* out_end;

  std::size_t left() const noexcept { return static_cast<std::size_t>(in_end - in); }
  std::size_t room() const noexcept { return static_cast<std::size_t>(out_end - out); }
};

}  // namespace utfilter::detail

#endif
