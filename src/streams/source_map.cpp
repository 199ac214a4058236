// source_map.cpp: asks the encoding for the sizes of characters, and keeps each patch in a few bytes.
#include <utfilter/detail/source_map.hpp>

#include <algorithm>

namespace utfilter::detail {
namespace {

/// Appends a number: seven bits a byte, the low ones first. The high bit of a byte says that more follow.
unsigned char* write_number(std::uint64_t n, unsigned char* to) noexcept {
  for (; n >= 0x80; n >>= 7) *to++ = static_cast<unsigned char>(n | 0x80);
  *to++ = static_cast<unsigned char>(n);
  return to;
}

std::uint64_t read_number(const unsigned char*& from) noexcept {
  std::uint64_t n = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char byte = *from++;
    n |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return n;
  }
}

}  // namespace

source_map::source_map(const place& start, std::uint64_t errors) noexcept
    : before_last_{0, {start.text, start, errors}}, end_(before_last_) {
  read_as(encoding::utf8);
}

void source_map::read_as(encoding from) noexcept {
  source_size_ = source_size_of(from);
  is_irregular_ = detail::is_irregular(from);
  unit_ = code_unit_size(from);
  // In other encodings some characters may be longer than in UTF-8, and others shorter.
  size_shows_even_ = unit_ != 1 || is_single_byte(from) || from == encoding::utf8;
}

bool source_map::is_ascii(std::string_view text) noexcept {
  unsigned char all = 0;
  for (const char c : text) all = static_cast<unsigned char>(all | static_cast<unsigned char>(c));
  return all < 0x80;
}

/// A patch has these numbers: the bytes of text between the last patch and it; twice its own bytes of text, plus 1 if
/// it does not have exactly one error; the bytes of the source for both; and, only if that 1 was added, the number of
/// errors.
void source_map::add(const patch& added) {
  const bool has_no_text = added.begin == added.end.text;
  const bool joins_last = has_no_text && !patches_.empty() && end_.last.begin == added.begin;
  const cursor& from = joins_last ? before_last_ : end_;
  const patch& last = from.last;
  const std::uint64_t errors = added.errors - last.errors;

  constexpr std::size_t longest = 10;  // bytes of a number
  unsigned char bytes[4 * longest];
  unsigned char* end = write_number(added.begin - last.end.text, bytes);
  end = write_number((added.end.text - added.begin) << 1 | std::uint64_t{errors != 1}, end);
  end = write_number(added.end.source - last.end.source, end);
  if (errors != 1) end = write_number(errors, end);

  const std::size_t size = from.at + static_cast<std::size_t>(end - bytes);
  if (size > patches_.capacity()) patches_.reserve(std::max(size, 2 * patches_.capacity()));
  patches_.resize(from.at);
  patches_.insert(patches_.end(), bytes, end);
  before_last_ = from;
  end_ = {size, added};
}

auto source_map::next(const cursor& c) const noexcept -> cursor {
  const unsigned char* at = patches_.data() + c.at;
  patch next = c.last;
  next.begin = c.last.end.text + read_number(at);
  const std::uint64_t size = read_number(at);
  next.end.text = next.begin + (size >> 1);
  next.end.source += read_number(at);
  next.errors += (size & 1) != 0 ? read_number(at) : 1;
  return {static_cast<std::size_t>(at - patches_.data()), next};
}

void source_map::pass_patches(cursor& c, std::uint64_t text) const noexcept {
  while (has_next(c)) {
    const cursor after = next(c);
    if (after.last.begin > text) break;
    c = after;
  }
}

void source_map::forget(cursor& c) noexcept {
  patches_.erase(patches_.begin(), patches_.begin() + static_cast<std::ptrdiff_t>(c.at));
  before_last_.at -= std::min(before_last_.at, c.at);
  end_.at -= c.at;
  c.at = 0;
}

}  // namespace utfilter::detail
