// control_cleaner.cpp: passes text up to the next control character, and leaves that out or refuses it.
#include <utfilter/control_cleaner.hpp>

#include "codecs/copy_until.hpp"
#include "codecs/text_codec.hpp"

#include <cstddef>

namespace utfilter {

namespace {

/// For copy_until: the next control character but tab, line feed and carriage return.
struct next_control {
  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (at == size) return false;
    const auto c = static_cast<unsigned char>(in[at]);
    if (c == 0xC2) return static_cast<unsigned char>(in[at + 1]) < 0xA0;
    return c < 0x20 ? c != '\t' && c != '\n' && c != '\r' : c == 0x7F;
  }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept {
    using detail::equal;
    const detail::bytes16 v = detail::load(in), next = detail::load(in + 1);
    const detail::bytes16 c0 = equal(v & 0xE0, 0) & ~(equal(v, '\t') | equal(v, '\n') | equal(v, '\r'));
    return c0 | equal(v, 0x7F) | (equal(v, 0xC2) & equal(next & 0xE0, 0x80));
  }
#endif
};

}  // namespace

codec_progress control_cleaner::rewrite(const char* in, std::size_t size, follows, char* out,
                                        std::size_t room) noexcept {
  codec_progress done{0, 0, codec_status::need_input};
  while (true) {
    const std::size_t left = size - done.consumed;
    const auto [n, found] = detail::copy_until(next_control(), in + done.consumed, left, out + done.produced,
                                               room - done.produced, done.consumed == 0);
    done.consumed += n;
    done.produced += n;
    if (!found) {
      if (n != left) done.status = codec_status::need_output;
      return done;
    }
    if (controls_ == controls::reject) {
      done.status = codec_status::malformed;
      return done;
    }
    done.consumed += in[done.consumed] == '\xC2' ? 2 : 1;
    ++facts_.changes;
  }
}

}  // namespace utfilter
