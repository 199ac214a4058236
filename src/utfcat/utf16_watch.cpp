// utf16_watch.cpp: tells a line of UTF-16 from UTF-8 with zero bytes.
#include "utf16_watch.hpp"

#include <utfilter/utf8_checker.hpp>

namespace utfcat {

namespace {

constexpr std::size_t longest_line = 16384;  // in bytes: what is held is no longer

/// Bytes as code units of UTF-16.
struct code_units {
  std::string_view bytes;
  bool is_big_endian;

  unsigned char byte(std::size_t i) const noexcept { return static_cast<unsigned char>(bytes[i]); }
  unsigned char low(std::size_t i) const noexcept { return byte(i + (is_big_endian ? 1 : 0)); }
  unsigned char high(std::size_t i) const noexcept { return byte(i + (is_big_endian ? 0 : 1)); }
  bool has(std::size_t i) const noexcept { return i + 1 < bytes.size(); }

  /// Whether there is a code unit of text whose bytes are not those of text in UTF-8, where they are NUL or another
  /// control character: a letter of the scripts up to Arabic, or a quotation mark or dash of U+2010 to U+201F.
  bool is_text(std::size_t i) const noexcept {
    const unsigned char l = low(i), h = high(i);
    if (h == 0) return (l >= 0x20 && l < 0x7F) || l >= 0xA0 || l == '\t' || l == '\n' || l == '\r';
    return h <= 8 || (h == 0x20 && l >= 0x10 && l < 0x20);
  }
  bool is(std::size_t i, char c) const noexcept { return high(i) == 0 && low(i) == static_cast<unsigned char>(c); }
  bool is_letter(std::size_t i) const noexcept { return high(i) != 0 || low(i) > 0x20; }
  bool has_line_feed_byte(std::size_t i) const noexcept { return low(i) == '\n' || high(i) == '\n'; }
  bool is_bom(std::size_t i) const noexcept { return low(i) == 0xFF && high(i) == 0xFE; }
};

/// Successive code units of text, among which may be one or two others, such as a surrogate pair.
struct run {
  code_units in;
  std::size_t begin;     // of the byte order mark, if there is one
  std::size_t end = 0;   // where it is certain that the run ends, or else where more bytes would tell
  bool is_open = false;  // more bytes would tell
  bool is_utf16 = false;
};

/// Goes back to the first code unit of those before `at`.
std::size_t begin_of_run(const code_units& in, std::size_t at, std::size_t least) noexcept {
  while (at >= least + 2 && in.is_text(at - 2)) at -= 2;
  return at >= least + 2 && in.is_bom(at - 2) ? at - 2 : at;
}

/// Looks at the run that begins there.
run run_from(const code_units& in, std::size_t begin) noexcept {
  constexpr std::size_t letters_before_crlf = 2, letters_before_lf = 6, units_after_bom = 2;
  run r{in, begin};
  const bool has_bom = in.has(begin) && in.is_bom(begin);
  std::size_t letters = 0, units = 0;
  bool after_cr = false;
  std::size_t at = begin + (has_bom ? 2 : 0);
  const auto is_utf16 = [&] {
    r.is_utf16 = true;
    return r;
  };
  if (in.has(at) && !in.is_text(at)) {
    r.end = at;
    return r;
  }
  for (;; at += 2) {
    if (after_cr && at < in.bytes.size() && !in.is_big_endian && in.bytes[at] == '\n' && letters >= letters_before_crlf)
      return is_utf16();  // a line end that is not complete yet
    if (!in.has(at)) break;
    if (!in.is_text(at)) {  // other code units may be in the run
      std::size_t next = at;
      while (next != at + 4 && in.has(next) && !in.is_text(next) && !in.has_line_feed_byte(next)) next += 2;
      if (!in.has(next)) break;
      r.end = at;
      if (!in.is_text(next)) return r;
      at = next;
    }
    letters += in.is_letter(at);
    ++units;
    if (in.is(at, '\n') && letters >= (after_cr ? letters_before_crlf : letters_before_lf)) return is_utf16();
    if (has_bom && units == units_after_bom) return is_utf16();
    after_cr = in.is(at, '\r');
  }
  r.end = in.bytes.size();
  r.is_open = true;
  return r;
}

/// The run with the zero byte at `zero`. `before` is the byte before all bytes. UTF-16BE is assumed only where it begins a
/// line, or has a byte order mark.
run run_around(std::string_view bytes, std::size_t zero, std::size_t least, char before) noexcept {
  const auto begins_line = [&](std::size_t at) { return (at == 0 ? before : bytes[at - 1]) == '\n'; };
  const code_units little{bytes, false}, big{bytes, true};
  const bool is_big = !big.has(zero) || big.is_text(zero), is_little = zero > least && little.is_text(zero - 1);
  const std::size_t big_begin = begin_of_run(big, zero, least);
  const std::size_t little_begin = is_little ? begin_of_run(little, zero - 1, least) : zero + 1;
  const bool is_little_line = is_little && begins_line(little_begin) && bytes[little_begin] != '\n';
  const bool has_big_bom = big.has(big_begin) && big.is_bom(big_begin);
  if (is_big && (has_big_bom || (begins_line(big_begin) && !is_little_line))) return run_from(big, big_begin);
  return run_from(little, little_begin);
}

}  // namespace

/// How many of the bytes pass.
std::size_t utf16_watch::look(std::string_view bytes, rest next) {
  if (!is_on_) return bytes.size();
  const std::size_t size = passable(bytes, next);
  if (size != 0) before_ = bytes[size - 1];
  offset_ += size;
  if (bytes.size() - size <= longest_line || found_) return size;
  off();  // these are no lines of text
  return bytes.size();
}

std::size_t utf16_watch::passable(std::string_view bytes, rest next) {
  // Here a byte order mark of UTF-16 or UTF-32 decides the encoding.
  constexpr std::string_view bom_of_utf32be("\0\0\xFE\xFF", 4);
  if (offset_ == 0 && !bytes.empty() && static_cast<unsigned char>(bytes[0]) >= 0xFE) off();
  if (offset_ == size_of_bom_ && size_of_bom_ < bom_of_utf32be.size()) {
    const std::string_view ahead = bom_of_utf32be.substr(size_of_bom_);
    const bool is_bom = bytes.substr(0, ahead.size()) == ahead.substr(0, bytes.size());
    size_of_bom_ = is_bom ? static_cast<unsigned>(size_of_bom_ + std::min(bytes.size(), ahead.size())) : 5;
    if (size_of_bom_ == bom_of_utf32be.size()) off();
    if (is_bom) return bytes.size();
  }
  if (!is_on_) return bytes.size();

  std::size_t at = 0;
  for (std::size_t zero = 0; (zero = bytes.find('\0', at)) != std::string_view::npos;) {
    may_have_zeros_.store(true, std::memory_order_relaxed);
    const run found = run_around(bytes, zero, at, before_);
    if (found.is_utf16) {
      off();
      const std::uint64_t begin = offset_ + found.begin;
      // Nothing precedes it. A range of UTF-16LE that is read as UTF-8 begins in the middle of a line feed, as UTF-16BE.
      if (begin == 0 || (begin == start_ && found.in.is_big_endian)) return bytes.size();
      found_.emplace();
      found_->offset = begin;
      found_->code = found.in.is_big_endian ? utf16be_begins : utf16le_begins;
      if (found.in.is_bom(found.begin)) found_->size = 2;
      for (std::size_t i = 0; i < found_->size; ++i) found_->bytes[i] = found.in.byte(found.begin + i);
      at_end_ = at_end_ || ends_;
      return ends_ ? found.begin : bytes.size();
    }
    if (found.is_open && next != rest::none) {
      const bool waits = next == rest::soon || bytes.size() - std::min(found.begin, bytes.size()) >= 4;
      return waits ? std::min(found.begin, bytes.size()) : bytes.size();
    }
    at = std::max(found.end, zero + 1);
    at = std::min(bytes.find_first_not_of('\0', at), bytes.size());  // a hole may be large
  }
  if (next == rest::none) return bytes.size();

  // UTF-16 may begin in the last bytes. If others may come late, one code unit is no reason to wait for them.
  std::size_t size = bytes.size();
  for (std::size_t odd = 0; odd < 2 && at + odd <= bytes.size(); ++odd)
    for (const bool is_big_endian : {false, true}) {
      const std::size_t end = bytes.size() - odd;
      const std::size_t begin = begin_of_run({bytes, is_big_endian}, end, at);
      if (next == rest::soon || end - begin >= 4) size = std::min(size, begin);
    }
  return size;
}

std::string_view utf16_watch::take(std::string_view bytes, bool last) {
  if (at_end_) return {};
  if (!is_on_ && held_.empty()) return bytes;
  held_ += bytes;
  const std::size_t size = look(held_, last ? rest::none : rest::late);
  ready_.assign(held_, 0, size);
  held_.erase(0, size);
  return ready_;
}

std::size_t size_before_utf16(std::string_view sample) {
  constexpr std::size_t chance = 12;  // so many bytes of ideographs in UTF-16 hardly look like text in UTF-8
  utf16_watch watch;
  watch.on(0, 0, true);
  const std::string_view before = watch.take(sample, true);
  utfilter::utf8_checker utf8;
  if (!watch.ended() || !utf8.take(before) || !utf8.is_whole()) return sample.size();
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
  };
  if (std::any_of(before.begin(), before.end(), is_control)) return sample.size();
  std::size_t longest = 0;  // a character of Gurmukhi is a shorter line
  for (std::size_t at = 0, end; (end = before.find('\n', at)) != std::string_view::npos; at = end + 1)
    longest = std::max(longest, end - at);
  return before.size() >= chance || (before.back() == '\n' && longest >= 3) ? before.size() : sample.size();
}

}  // namespace utfcat
