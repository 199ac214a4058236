// printable.cpp: finds the runs of a text that are harmless, and writes the escapes between them.
#include <utfilter/printable.hpp>

#include "codecs/escapes.hpp"
#include "kernels/kernels.hpp"
#include "unicode/hex.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>

namespace utfilter {
namespace detail {
namespace {

/// U+2026
constexpr std::string_view ellipsis = "\xE2\x80\xA6";

/// The size in bytes of the first characters of well-formed text, at most `most` of them. Takes their number from
/// `most`.
std::size_t first_characters(const char* in, std::size_t size, std::size_t& most) noexcept {
  std::size_t at = 0;
  for (; at != size; ++at) {
    if (is_continuation(static_cast<unsigned char>(in[at]))) continue;
    if (most == 0) break;
    --most;
  }
  // A carriage return and the line feed after it are not divided.
  if (at != size && at != 0 && in[at - 1] == '\r') {
    ++most;
    --at;
  }
  return at;
}

/// Whether the whole output has at most this many bytes.
bool fits(std::string_view text, const printable_options& o, std::size_t limit) noexcept {
  if (text.size() > limit) return false;      // the output is never shorter than the text
  if (text.size() <= limit / 6) return true;  // nor more than six times as long: a control character in JSON
  printable_options unlimited = o;
  unlimited.limit = printable_pieces::unlimited;
  printable_pieces pieces(text, unlimited);
  std::size_t size = 0;
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) {
    size += piece.size();
    if (size > limit) return false;
  }
  return true;
}

}  // namespace

std::size_t count_characters(std::string_view text) noexcept {
  return kernels().utf32_units_of_utf8(text.data(), text.size());
}

printable_pieces::printable_pieces(std::string_view text, const printable_options& o,
                                   std::size_t most_characters) noexcept
    : text_(text.data()), size_(text.size()), characters_(most_characters), options_(complete(o)) {
  if (o.limit == unlimited || fits(text, o, o.limit)) return;
  if (o.limit < ellipsis.size()) {
    size_ = 0;
    return;
  }
  bytes_ = o.limit - ellipsis.size();
}

void printable_pieces::skip(std::size_t bytes) noexcept {
  text_ += bytes;
  size_ -= bytes;
  well_formed_ -= std::min(well_formed_, bytes);
}

/// The bytes at the start of the text that are written as they are.
std::size_t printable_pieces::harmless_run() noexcept {
  const std::size_t size = std::min(size_, bytes_);
  // If a part of the text was not plain, the rest is probably not plain either.
  std::size_t run = well_formed_ == 0 ? plain_prefix(text_, size, options_) : 0;
  if (run != size) {
    if (well_formed_ == 0) well_formed_ = run + kernels().validate_utf8(text_ + run, size - run).consumed;
    std::size_t end = std::min(well_formed_, size);
    while (end < well_formed_ && is_continuation(static_cast<unsigned char>(text_[end]))) --end;
    run += find_escaped(text_ + run, end - run, options_);
  }
  return characters_ == unlimited ? run : first_characters(text_, run, characters_);
}

/// Writes escapes, and the ellipsis, to the buffer, as long as no character follows that needs none.
std::string_view printable_pieces::escapes() noexcept {
  std::size_t used = 0;
  while (size_ != 0 && buffer_.size() - used >= longest_escape + ellipsis.size()) {
    const sequence next = decode_for_escapes(text_, size_, true, options_);
    char* const out = buffer_.data() + used;
    std::size_t taken = next.size, written, characters = 1;
    if (next.what == sequence::kind::ill_formed && options_.style == escape_style::json) {
      written = std::string_view(replacement_character).copy(out, 3);
    } else if (next.what == sequence::kind::ill_formed) {
      taken = 1;
      written = characters = static_cast<std::size_t>(write_byte_escape(static_cast<unsigned char>(*text_), out) - out);
    } else if (is_escaped(next.value, options_)) {
      written = characters = write_escape(next.value, options_.style, out);
    } else {
      // The limit of bytes or characters falls within this character, or within CR LF.
      if (used != 0) break;
      written = std::string_view(text_, taken).copy(out, taken);
      if (*out == '\r') characters = 2;
    }
    if (written > bytes_) {
      size_ = 0;
      if (characters_ != 0) used += ellipsis.copy(out, ellipsis.size());
      break;
    }
    if (characters > characters_) {
      size_ = 0;
      break;
    }
    used += written;
    if (bytes_ != unlimited) bytes_ -= written;
    if (characters_ != unlimited) characters_ -= characters;
    skip(taken);
  }
  return {buffer_.data(), used};
}

std::string_view printable_pieces::next() noexcept {
  if (size_ == 0) return {};
  const std::size_t run = harmless_run();
  if (run == 0) return escapes();
  const std::string_view piece(text_, run);
  if (bytes_ != unlimited) bytes_ -= run;
  skip(run);
  return piece;
}

std::size_t printable_pieces::characters(std::string_view text, const printable_options& o,
                                         std::size_t most_characters) noexcept {
  printable_pieces pieces(text, o, most_characters);
  std::size_t n = 0;
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) n += count_characters(piece);
  return n;
}

}  // namespace detail

std::string to_printable(std::string_view text, const printable_options& o) {
  if (text.size() <= o.limit && detail::is_harmless(text, o)) return std::string(text);
  std::string out;
  detail::printable_pieces pieces(text, o);
  out.reserve(std::min(text.size(), o.limit));
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) out += piece;
  return out;
}

}  // namespace utfilter
