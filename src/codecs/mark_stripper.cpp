// mark_stripper.cpp: passes text up to the next byte order mark at the start of a line, and leaves that out.
#include <utfilter/mark_stripper.hpp>

#include "codecs/copy_until.hpp"
#include "codecs/text_codec.hpp"

#include <utfilter/utf8.hpp>

#include <cstddef>
#include <cstring>

namespace utfilter {

namespace {

bool ends_line(char c) noexcept { return c == '\n' || c == '\r'; }

/// For copy_until: the next U+FEFF at the start of a line.
struct next_mark {
  bool at_start;  // whether the text begins at the start of a line

  bool is_at(const char* in, std::size_t size, std::size_t at) const noexcept {
    if (size - at < 3 || std::memcmp(in + at, detail::utf8_bom.data(), 3) != 0) return false;
    return at == 0 ? at_start : ends_line(in[at - 1]);
  }
#ifdef __GNUC__
  detail::bytes16 marks(const char* in) const noexcept {
    using detail::equal;
    using detail::load;
    return equal(load(in), 0xEF) & equal(load(in + 1), 0xBB) & equal(load(in + 2), 0xBF);
  }
#endif
};

}  // namespace

codec_progress mark_stripper::rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept {
  codec_progress done{0, 0, codec_status::need_input};
  while (true) {
    const char* const text = in + done.consumed;
    const std::size_t left = size - done.consumed;
    const auto [n, found] = detail::copy_until(next_mark{at_start_}, text, left, out + done.produced,
                                               room - done.produced, done.consumed == 0);
    if (n != 0) at_start_ = ends_line(text[n - 1]);
    done.consumed += n;
    done.produced += n;
    if (!found) {
      if (n != left) done.status = codec_status::need_output;
      return done;
    }
    done.consumed += 3;
    ++facts_.changes;
  }
}

}  // namespace utfilter
