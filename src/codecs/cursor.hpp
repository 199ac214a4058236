// cursor.hpp: the places that a codec has reached in its input and its output during one call.
#ifndef UTFILTER_CODECS_CURSOR_HPP
#define UTFILTER_CODECS_CURSOR_HPP

#include <utfilter/codec.hpp>

#include <cstddef>
#include <string_view>

namespace utfilter::detail {

/// Where a call has come in its input and its output. The functions below transform move it. What they return says only
/// why they have stopped.
struct cursor {
  cursor(const char* bytes, std::size_t size, char* to, std::size_t space) noexcept
      : in(bytes), in_end(bytes + size), out(to), out_end(to + space) {}

  std::size_t left() const noexcept { return static_cast<std::size_t>(in_end - in); }
  std::size_t room() const noexcept { return static_cast<std::size_t>(out_end - out); }

  /// Moves past what a codec, a kernel or a repair has taken and written from here on.
  template <class Progress>
  void pass(const Progress& done) noexcept {
    in += done.consumed;
    out += done.produced;
  }
  /// Writes a text. Precondition: it fits.
  void write(std::string_view text) noexcept { out += text.copy(out, text.size()); }

  const char* in;
  const char* in_end;
  char* out;
  char* out_end;
};

/// Lets `pass(cursor&)`, which returns a status, go over the input. Returns how far it has come.
template <class Pass>
codec_progress progress_of(const char* in, std::size_t size, char* out, std::size_t room, const Pass& pass) noexcept {
  cursor at(in, size, out, room);
  const codec_status why = pass(at);
  return {size - at.left(), room - at.room(), why};
}

}  // namespace utfilter::detail

#endif
