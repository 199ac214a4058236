// control_escaper.cpp: passes runs of harmless characters on, and takes the others one at a time.
#include <utfilter/control_escaper.hpp>

#include "codecs/escapes.hpp"

#include <algorithm>
#include <cstring>

namespace utfilter {

using detail::sequence;

control_escaper::control_escaper(const printable_options& o) noexcept : options_(detail::complete(o)) {
  facts_.encoding = encoding::utf8;
  facts_.reads_utf8 = true;
}

codec_progress control_escaper::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                          bool last) noexcept {
  codec_progress done{0, 0, codec_status::need_input};
  const auto stop = [&](codec_status status) noexcept {
    done.status = status;
    return done;
  };
  while (true) {
    if (carried_ == 0) {
      const std::size_t n = pass_harmless(in + done.consumed, std::min(size - done.consumed, room - done.produced));
      if (n != 0) std::memcpy(out + done.produced, in + done.consumed, n);
      done.consumed += n;
      done.produced += n;
    }

    // The next sequence begins with the carried bytes; bytes of the input follow. Four bytes are always enough to
    // decide. If there are fewer, the input has no more.
    std::array<char, 4> bytes = carry_;
    const std::size_t taken = std::min(size - done.consumed, bytes.size() - carried_);
    const std::size_t known = carried_ + taken;
    if (known == 0) return stop(last ? codec_status::done : codec_status::need_input);
    if (taken != 0) std::memcpy(bytes.data() + carried_, in + done.consumed, taken);
    const sequence next = detail::decode_for_escapes(bytes.data(), known, last, options_);

    if (next.what == sequence::kind::incomplete) {
      carry_ = bytes;
      carried_ = static_cast<std::uint8_t>(known);
      done.consumed += taken;
      return stop(codec_status::need_input);
    }
    if (next.what == sequence::kind::scalar) {
      char escape[min_output];
      const bool harmless = !detail::is_escaped(next.value, options_);
      const std::size_t length = harmless ? next.size : encode(next.value, escape);
      if (length > room - done.produced) return stop(codec_status::need_output);
      std::memcpy(out + done.produced, harmless ? bytes.data() : escape, length);
      done.produced += length;
      count(next.value, next.size);
    } else {
      note_error(next.code, bytes.data(), next.size);
    }
    // All carried bytes belong to this sequence, because they were not a whole sequence themselves.
    done.consumed += next.size - carried_;
    carried_ = 0;
    if (next.what == sequence::kind::ill_formed) return stop(codec_status::malformed);
  }
}

/// Counts the whole characters at the start of `in` that are passed on unchanged; returns the number of their bytes.
std::size_t control_escaper::pass_harmless(const char* in, std::size_t size) noexcept {
  const detail::harmless_ascii are_harmless(options_);
  std::size_t at = 0;
  while (at < size) {
    if (size - at >= 8 && are_harmless.eight(in + at)) {
      at += 8;
      position_.offset += 8;
      position_.column += 8;
      continue;
    }
    const sequence next = detail::decode_for_escapes(in + at, size - at, false, options_);
    if (next.what != sequence::kind::scalar || detail::is_escaped(next.value, options_)) break;
    at += next.size;
    count(next.value, next.size);
  }
  return at;
}

std::size_t control_escaper::encode(char32_t c, char* out) const noexcept {
  return detail::is_escaped(c, options_) ? detail::write_escape(c, options_.style, out) : encode_utf8(c, out);
}

}  // namespace utfilter
