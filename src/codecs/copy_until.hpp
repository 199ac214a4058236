// copy_until.hpp: copies text up to the next character that must change, 32 bytes at a time.
#ifndef UTFILTER_CODECS_COPY_UNTIL_HPP
#define UTFILTER_CODECS_COPY_UNTIL_HPP

#include "unicode/bytes16.hpp"
#include "codecs/cursor.hpp"

#include <utfilter/text_codec.hpp>

#include <cstddef>
#include <cstring>

namespace utfilter::detail {

/// Copies whole characters of well-formed text up to the first that must change, or as many as fit into the room. Returns
/// whether the next character must change. May write anything to the room after those copied.
///
/// `next.is_at(in, size, at)` says whether a character that must change begins at `at`. It is false at the end of the
/// text.
/// `next.marks(in)` has FF for some of sixteen bytes, and 00 for all others: each character that must change is at a
/// marked byte, or right after one. It may read two bytes more. `is_rare` says that many bytes without such a character
/// are likely.
template <class Next>
bool copy_until(const Next& next, cursor& to, [[maybe_unused]] bool is_rare) noexcept {
  const char* const in = to.in;
  char* const out = to.out;
  const std::size_t size = to.left();
  const auto stop = [&](std::size_t n, bool found) noexcept {
    to.in += n;
    to.out += n;
    return found;
  };
  const std::size_t fits = text_piece{{in, size}}.fitting(to.room());
  std::size_t at = 0;
  while (true) {
    if (next.is_at(in, size, at)) return stop(at, true);
    if (at >= fits) return stop(at, false);
#ifdef __GNUC__
    constexpr std::size_t block = 32, more = 2;
    if (is_rare && fits - at >= 4 * block + more) {
      bytes16 marks = {};
      for (std::size_t i = 0; i != 4 * block; i += 16) marks |= next.marks(in + at + i);
      is_rare = !any(marks);
      if (is_rare) {
        std::memcpy(out + at, in + at, 4 * block);
        at += 4 * block;
        continue;
      }
    }
    if (fits - at >= block + more) {
      const bytes16 first = next.marks(in + at), second = next.marks(in + at + 16);
      std::memcpy(out + at, in + at, block);
      if (any(first | second)) {
        at += any(first) ? first_of(first) : 16 + first_of(second);
        if (!next.is_at(in, size, at)) ++at;
      } else {
        at += block;
      }
      continue;
    }
#endif
    if (at != fits) {
      out[at] = in[at];
      ++at;
    }
  }
}

}  // namespace utfilter::detail

#endif
