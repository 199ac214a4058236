// printable.cpp: finds the runs of a text that are harmless, and writes the escapes between them.
#include <utfilter/printable.hpp>

#include "codecs/escapes.hpp"
#include "kernels/kernels.hpp"
#include "unicode/hex.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace utfilter {
namespace detail {
namespace {

/// U+2026
constexpr std::string_view ellipsis = "\xE2\x80\xA6";

//--------------------------------------------------------------------------------------------------------------- blocks

constexpr std::size_t block = 32;

#ifdef __GNUC__
using bytes16 = std::uint8_t __attribute__((vector_size(16)));
using signed16 = std::int8_t __attribute__((vector_size(16)));
using halves = std::uint64_t __attribute__((vector_size(16)));

bytes16 load(const char* in) noexcept {
  bytes16 v;
  std::memcpy(&v, in, sizeof v);
  return v;
}
// A comparison gives FF in each byte for which it is true, else 00.
bytes16 equal(bytes16 v, unsigned char byte) noexcept { return reinterpret_cast<bytes16>(v == byte); }
/// Signed: also true for 80..FF.
bytes16 less(bytes16 v, signed char byte) noexcept {
  return reinterpret_cast<bytes16>(reinterpret_cast<signed16>(v) < byte);
}
bool any(bytes16 v) noexcept {
  const auto two = reinterpret_cast<halves>(v);
  return (two[0] | two[1]) != 0;
}
#endif

constexpr char never = '\0';  // stands for a byte that is not looked for: U+0000 is always escaped

constexpr unsigned char byte(char c) noexcept { return static_cast<unsigned char>(c); }

#ifdef __GNUC__
/// The bytes outside of 20..7E.
bytes16 not_plain(bytes16 v) noexcept { return less(v, 0x20) | equal(v, 0x7F); }

/// Whether `wrong` finds nothing in at least sixteen bytes.
template <class Wrong>
bool has_no(const Wrong& wrong, const char* in, std::size_t size) noexcept {
  const char* const last = in + size - 16;  // may overlap the bytes before
  bytes16 found = wrong(load(last));
  for (; in + 16 < last; in += 32) found = found | wrong(load(in)) | wrong(load(in + 16));
  if (in < last) found = found | wrong(load(in));
  return !any(found);
}
#endif

/// Whether all bytes of a text are 20..7E, and neither of the two.
bool is_plain(const char* in, std::size_t size, char quote, char backslash) noexcept {
#ifdef __GNUC__
  if (size >= 16 && quote == never && backslash == never) return has_no(not_plain, in, size);
  if (size >= 16) {
    const auto wrong = [&](bytes16 v) noexcept {
      return not_plain(v) | equal(v, byte(quote)) | equal(v, byte(backslash));
    };
    return has_no(wrong, in, size);
  }
#endif
  if (size >= 8) {
    const harmless_ascii are_plain(quote != never, backslash != never);
    const char* const last = in + size - 8;  // may overlap the bytes before
    for (; in < last; in += 8)
      if (!are_plain.eight(in)) return false;
    return are_plain.eight(last);
  }
  for (const char c : std::string_view(in, size))
    if (byte(c) < 0x20 || byte(c) >= 0x7F || c == quote || c == backslash) return false;
  return true;
}

/// Tests blocks of text by options, which are complete.
class block_test {
 public:
  explicit block_test(const printable_options& o) noexcept
      : quote_(o.quote ? '"' : never),
        backslash_(o.backslash ? '\\' : never),
        tab_(o.tab ? never : '\t'),
        line_feed_(o.line_feed ? never : '\n'),
        invisible_(o.invisible) {}

  /// The bytes at the start of the text that are surely 20..7E and not escaped: all, or some pieces of it.
  std::size_t plain_prefix(const char* in, std::size_t size) const noexcept {
    std::size_t at = 0;
    while (at != size) {
      const std::size_t piece = size - at <= 3 * block ? size - at : 2 * block;
      if (!is_plain(in + at, piece, quote_, backslash_)) break;
      at += piece;
    }
    return at;
  }

  /// Whether no character that is escaped begins in the block, which is a part of well-formed text. False also if that
  /// needs a closer look. Two more bytes of the text must follow.
  bool is_harmless([[maybe_unused]] const char* in) const noexcept {
#ifdef __GNUC__
    const bytes16 a = load(in), b = load(in + 16);
    if (any(is_escaped_ascii(a) | is_escaped_ascii(b))) return false;
    if (invisible_) return !any(less(a, 0) | less(b, 0));
    if (!any(is_lead_of_control(a) | is_lead_of_control(b))) return true;
    return !any(is_control(in) | is_control(in + 16));
#else
    return false;
#endif
  }

 private:
#ifdef __GNUC__
  bytes16 is_escaped_ascii(bytes16 v) const noexcept {
    const bytes16 control = equal(v & byte('\xE0'), 0) & ~(equal(v, byte(tab_)) | equal(v, byte(line_feed_)));
    return control | equal(v, 0) | equal(v, 0x7F) | equal(v, byte(quote_)) | equal(v, byte(backslash_));
  }
  /// The first bytes of the characters of is_control_beyond_ascii().
  static bytes16 is_lead_of_control(bytes16 v) noexcept { return equal(v, 0xC2) | equal(v, 0xD8) | equal(v, 0xE2); }
  /// The bytes with which these characters begin.
  static bytes16 is_control(const char* in) noexcept {
    const bytes16 first = load(in), second = load(in + 1), third = load(in + 2);
    const bytes16 of_e280 =  // 8E, 8F, A8..AE
        equal(third & byte('\xFE'), 0x8E) | (equal(third & byte('\xF8'), 0xA8) & ~equal(third, 0xAF));
    const bytes16 of_e281 = equal(third & byte('\xFE'), 0xA6) | equal(third & byte('\xFE'), 0xA8);  // A6..A9
    return (equal(first, 0xC2) & equal(second & byte('\xE0'), 0x80)) | (equal(first, 0xD8) & equal(second, 0x9C)) |
           (equal(first, 0xE2) & ((equal(second, 0x80) & of_e280) | (equal(second, 0x81) & of_e281)));
  }
#endif

  char quote_, backslash_, tab_, line_feed_;
  bool invisible_;
};

/// The place of the first character of well-formed text that is escaped; the size if there is none.
std::size_t find_escaped(const char* in, std::size_t size, const printable_options& o,
                         const block_test& test) noexcept {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(in);
  std::size_t at = 0;
  while (at < size) {
    if (size - at >= block + 2 && test.is_harmless(in + at)) {
      at += block;
      continue;
    }
    for (const std::size_t end = at + std::min(block, size - at); at < end; ++at) {
      const unsigned char c = bytes[at];
      if (c >= 0x80 ? c != 0xC2 && c != 0xD8 && c != 0xE2 && (!o.invisible || is_continuation(c))
                    : c >= 0x20 && c != 0x7F && c != '"' && c != '\\')
        continue;
      if (is_escaped(decode_for_escapes(in + at, size - at, true, o).value, o)) return at;
    }
  }
  return size;
}

//------------------------------------------------------------------------------------------------------------- the rest

/// The bytes of the first characters of well-formed text, at most as many as `most`, which becomes the rest.
std::size_t first_characters(const char* in, std::size_t size, std::size_t& most) noexcept {
  std::size_t at = 0;
  for (; at != size; ++at) {
    if (is_continuation(static_cast<unsigned char>(in[at]))) continue;
    if (most == 0) break;
    --most;
  }
  // A carriage return that passes does not stand without its line feed.
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

bool is_plain(std::string_view text, const printable_options& o) noexcept {
  if (text.size() > o.limit) return false;
  const bool json = o.style == escape_style::json;
  return is_plain(text.data(), text.size(), json || o.quote ? '"' : never, json || o.backslash ? '\\' : never);
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
  const block_test test(options_);
  const std::size_t size = std::min(size_, bytes_);
  // Once a part of the text was not plain, the rest is not expected to be.
  std::size_t run = well_formed_ == 0 ? test.plain_prefix(text_, size) : 0;
  if (run != size) {
    if (well_formed_ == 0) well_formed_ = run + kernels().validate_utf8(text_ + run, size - run).consumed;
    std::size_t end = std::min(well_formed_, size);
    while (end < well_formed_ && is_continuation(static_cast<unsigned char>(text_[end]))) --end;
    run += find_escaped(text_ + run, end - run, options_, test);
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
      // The bytes or characters that the output may have end within this character, or within CR LF.
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
  if (detail::is_plain(text, o)) return std::string(text);
  std::string out;
  detail::printable_pieces pieces(text, o);
  out.reserve(std::min(text.size(), o.limit));
  for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next()) out += piece;
  return out;
}

}  // namespace utfilter
