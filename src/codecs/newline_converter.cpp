// newline_converter.cpp: passes text up to the next line end that changes, and writes that.
#include <utfilter/newline_converter.hpp>

#include "codecs/text_codec.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace utfilter {

namespace {

#ifdef __GNUC__
using bytes16 = std::uint8_t __attribute__((vector_size(16)));
using halves = std::uint64_t __attribute__((vector_size(16)));

bytes16 load(const char* in) noexcept {
  bytes16 v;
  std::memcpy(&v, in, sizeof v);
  return v;
}
/// FF for each of sixteen bytes that is `c`, else 00.
bytes16 are(char c, const char* in) noexcept {
  return reinterpret_cast<bytes16>(load(in) == static_cast<std::uint8_t>(c));
}
/// The number of bytes before the first FF; at least 16 if there is none.
std::size_t first_of(bytes16 marks) noexcept {
  const auto words = reinterpret_cast<halves>(marks);
  const auto first = [](std::uint64_t word) noexcept {
#  if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return static_cast<std::size_t>(__builtin_ctzll(word)) / 8;
#  else
    return static_cast<std::size_t>(__builtin_clzll(word)) / 8;
#  endif
  };
  if (words[0] != 0) return first(words[0]);
  return words[1] != 0 ? 8 + first(words[1]) : 16;
}
bool any(bytes16 marks) noexcept {
  const auto words = reinterpret_cast<halves>(marks);
  return (words[0] | words[1]) != 0;
}
#endif

/// Finds the character at which text must change. This is the next one that is C.
template <char C>
struct next_character {
  static bool is_at(const char* in, std::size_t size, std::size_t at) noexcept { return at != size && in[at] == C; }
#ifdef __GNUC__
  static bytes16 are_at(const char* in) noexcept { return are(C, in); }
#endif
};

/// The same: the next CR without an LF after it, or LF without a CR before it. A CR at the end has none.
struct next_single {
  static bool is_at(const char* in, std::size_t size, std::size_t at) noexcept {
    if (at == size) return false;
    return in[at] == '\n' ? at == 0 || in[at - 1] != '\r' : in[at] == '\r' && (at + 1 == size || in[at + 1] != '\n');
  }
#ifdef __GNUC__
  // Marks a character that needs an LF after it, or a CR before it. So the mark is at the byte before a single LF.
  static bytes16 are_at(const char* in) noexcept { return are('\r', in) ^ are('\n', in + 1); }
#endif
};

struct copied {
  std::size_t size;  // bytes
  bool found;        // whether the text must change after them
};

/// Copies text up to the character at which it must change, or as much as fits. May write anything to the room after it.
template <class Next>
copied copy_to(const char* in, std::size_t size, char* out, std::size_t room, bool is_long) noexcept {
  std::size_t at = 0;
#ifdef __GNUC__
  constexpr std::size_t block = 32;
  const std::size_t most = std::min(size, room);
  if (Next::is_at(in, size, 0)) return {0, true};
  // One byte more than a block is read. Four blocks at a time are faster if nothing is found.
  for (; is_long && most - at > 4 * block; at += 4 * block) {
    bytes16 marks = {};
    for (std::size_t i = 0; i != 4 * block; i += 16) marks |= Next::are_at(in + at + i);
    if (any(marks)) break;
    std::memcpy(out + at, in + at, 4 * block);
  }
  for (; most - at > block; at += block) {
    const bytes16 first = Next::are_at(in + at), second = Next::are_at(in + at + 16);
    std::memcpy(out + at, in + at, block);
    if (!any(first | second)) continue;
    at += any(first) ? first_of(first) : 16 + first_of(second);
    break;
  }
#endif
  const std::size_t fits = detail::fitting(in, size, room);
  for (; at < fits && !Next::is_at(in, size, at); ++at) out[at] = in[at];
  return {at, Next::is_at(in, size, at)};
}

/// Copies text up to the next line end that is of another kind.
copied copy(newline to, const char* in, std::size_t size, char* out, std::size_t room, bool is_long) noexcept {
  switch (to) {
    case newline::lf: return copy_to<next_character<'\r'>>(in, size, out, room, is_long);
    case newline::crlf: return copy_to<next_single>(in, size, out, room, is_long);
    case newline::cr: break;
  }
  return copy_to<next_character<'\n'>>(in, size, out, room, is_long);
}

}  // namespace

codec_progress newline_converter::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                            bool last) noexcept {
  return transform_by(*this, in, size, out, room, last);
}

codec_progress newline_converter::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last,
                                            repairer& by) noexcept {
  return transform_by(*this, in, size, out, room, last, by);
}

codec_progress newline_converter::insert(const char* in, std::size_t size, char* out, std::size_t room,
                                         bool last) noexcept {
  return insert_by(*this, in, size, out, room, last);
}

codec_progress newline_converter::rewrite(const char* in, std::size_t size, follows, char* out,
                                          std::size_t room) noexcept {
  static constexpr std::string_view line_ends[] = {"\n", "\r\n", "\r"};
  const std::string_view line_end = line_ends[static_cast<int>(to_)];
  codec_progress done{0, 0, codec_status::need_input};
  const auto stop = [&](codec_status why) noexcept {
    done.status = why;
    return done;
  };
  while (true) {
    const char* const text = in + done.consumed;
    const std::size_t left = size - done.consumed, space = room - done.produced;
    if (left != 0 && *text == '\n' && after_return_) {
      ++done.consumed;
      after_return_ = false;
      facts_.changes += to_ == newline::cr;
      facts_.changes -= to_ == newline::crlf;  // the carriage return was counted as one without a line feed
      continue;
    }
    const auto [n, found] = copy(to_, text, left, out + done.produced, space, done.consumed == 0);
    if (n != 0) after_return_ = text[n - 1] == '\r';
    done.consumed += n;
    done.produced += n;
    if (!found) return stop(n == left ? codec_status::need_input : codec_status::need_output);
    if (after_return_ && text[n] == '\n') continue;
    if (line_end.size() > room - done.produced) return stop(codec_status::need_output);
    for (const char c : line_end) out[done.produced++] = c;
    after_return_ = text[n] == '\r';
    ++done.consumed;
    ++facts_.changes;
  }
}

}  // namespace utfilter
