// escapes.cpp: finds what is escaped, 32 bytes at a time, and writes the escapes.
#include "codecs/escapes.hpp"

#include "unicode/bytes16.hpp"
#include "kernels/kernels.hpp"
#include "unicode/ascii.hpp"
#include "unicode/hex.hpp"
#include "unicode/surrogates.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/detail/printable_pieces.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace utfilter::detail {
namespace {

char* write_json_escape(char32_t unit, char* out) noexcept { return write_hex(unit, 4, std::copy_n("\\u", 2, out)); }

constexpr std::size_t block = 32;

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

/// Tests eight bytes at a time.
class harmless_ascii {
 public:
  harmless_ascii(bool escapes_quotes, bool escapes_backslashes) noexcept
      : quotes_(escapes_quotes ? ones * '"' : 0), backslashes_(escapes_backslashes ? ones * '\\' : 0) {}

  /// Whether the eight bytes are all 20..7E, and none of them is escaped.
  bool eight(const char* in) const noexcept {
    const std::uint64_t bytes = word_at<std::uint64_t>(in);
    return ((others_than_ascii(bytes) | zeros(bytes ^ quotes_) | zeros(bytes ^ backslashes_)) & 0x80 * ones) == 0;
  }

 private:
  static constexpr std::uint64_t ones = 0x0101010101010101;

  /// Sets a high bit if a byte is 0. If no byte is 0 and all are below 80, it sets none, because no byte borrows from
  /// the next one.
  static std::uint64_t zeros(std::uint64_t bytes) noexcept { return bytes - ones; }

  std::uint64_t quotes_, backslashes_;  // the character in each byte; 0 if it passes: no byte of 20..7E is 0
};

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
  if (size != 0 && size <= short_ascii && quote == never && backslash == never) return is_short_ascii(in, size);
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

  /// Returns true if no character that is escaped begins in the block, which is a part of well-formed text. May return
  /// false for such a block, too, where a closer look is needed. Two more bytes of the text must follow.
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

  /// The same at the end of the text, where fewer than a block and two bytes are left: `size`.
  bool is_harmless_end(const char* in, std::size_t size) const noexcept {
    char padded[block + 2];
    std::memset(padded, 'x', sizeof padded);
    std::memcpy(padded, in, size);
    return is_harmless(padded);
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

}  // namespace

namespace {

/// Whether all of 20..7E pass, and characters that show nothing do.
bool are_usual(const printable_options& o) noexcept {
  return o.style != escape_style::json && !(o.quote | o.backslash | o.invisible);
}

UTFILTER_NOINLINE bool is_harmless_text(std::string_view text, const printable_options& o) noexcept {
  const printable_options all = complete(o);
  const auto harmless_text = are_usual(all) ? kernels().harmless_text : nullptr;
  const bool is_surely = harmless_text != nullptr ? harmless_text(text.data(), text.size())
                                                  : is_plain(text.data(), text.size(), all.quote ? '"' : never,
                                                             all.backslash ? '\\' : never);
  if (is_surely) return true;
  return kernels().validate_utf8(text.data(), text.size()).consumed == text.size() &&
         find_escaped(text.data(), text.size(), all) == text.size();
}

}  // namespace

bool is_harmless(std::string_view text, const printable_options& o) noexcept {
  if (text.empty()) return true;
  if (text.size() <= short_ascii && are_usual(o) && is_short_ascii(text.data(), text.size())) return true;
  return is_harmless_text(text, o);
}

std::size_t plain_prefix(const char* in, std::size_t size, const printable_options& o) noexcept {
  const char quote = o.quote ? '"' : never, backslash = o.backslash ? '\\' : never;
  std::size_t at = 0;
  while (at != size) {
    const std::size_t piece = size - at <= 3 * block ? size - at : 2 * block;
    if (!is_plain(in + at, piece, quote, backslash)) break;
    at += piece;
  }
  return at;
}

std::size_t find_escaped(const char* in, std::size_t size, const printable_options& o) noexcept {
  const block_test test(o);
  const auto no_controls = o.invisible || o.quote || o.backslash ? nullptr : kernels().no_controls;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(in);
  std::size_t at = 0;
  while (at < size) {
    if (no_controls != nullptr) at += no_controls(in + at, size - at);
    if (at == size) break;
    const std::size_t left = size - at;
    if (left >= block + 2 ? test.is_harmless(in + at) : test.is_harmless_end(in + at, left)) {
      at += std::min(block, left);
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

std::size_t write_escape(char32_t c, escape_style style, char* out) noexcept {
  char* end = out;
  if (c == U'\\' || c == U'"') {
    *end++ = '\\';
    *end++ = static_cast<char>(c);
  } else if (style == escape_style::json) {
    if (c > 0xFFFF) end = write_json_escape(high_surrogate(c), end);
    end = write_json_escape(c > 0xFFFF ? low_surrogate(c) : c, end);
  } else {
    end = c < 0x80 ? write_byte_escape(static_cast<unsigned char>(c), end) : write_code_point_escape(c, end);
  }
  return static_cast<std::size_t>(end - out);
}

}  // namespace utfilter::detail
