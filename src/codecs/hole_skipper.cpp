// hole_skipper.cpp: counts the U+0000 at the start of the text, and writes them if they are no hole.
#include <utfilter/hole_skipper.hpp>

#include "codecs/text_codec.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace utfilter {

namespace {

/// The number of U+0000 at the start of the text.
std::size_t zeros_at(const char* in, std::size_t size) noexcept {
  if (size != 0 && *in == '\0' && std::memcmp(in, in + 1, size - 1) == 0) return size;
  std::size_t n = 0;
  while (n != size && in[n] == '\0') ++n;
  return n;
}

}  // namespace

codec_progress hole_skipper::rewrite(const char* in, std::size_t size, follows next, char* out,
                                     std::size_t room) noexcept {
  codec_progress done{0, 0, codec_status::need_input};
  if (at_start_) {
    done.consumed = zeros_at(in, size);
    zeros_ += done.consumed;
    if (zeros_ >= least) facts_.changes = zeros_;
    if (done.consumed == size && next != follows::nothing) return done;
    at_start_ = false;
    if (zeros_ >= least) zeros_ = 0;
  }
  const std::size_t zeros = static_cast<std::size_t>(std::min<std::uint64_t>(zeros_, room));
  if (zeros != 0) std::memset(out, 0, zeros);
  zeros_ -= zeros;
  const std::size_t n = detail::fitting(in + done.consumed, size - done.consumed, room - zeros);
  if (n != 0) std::memcpy(out + zeros, in + done.consumed, n);
  done = {done.consumed + n, zeros + n, codec_status::need_input};
  if (done.consumed != size || zeros_ != 0) done.status = codec_status::need_output;
  return done;
}

}  // namespace utfilter
