// nfc_normalizer.cpp: passes text that is in NFC on in bulk, and normalizes the rest, segment by segment.
#include <utfilter/nfc_normalizer.hpp>

#include "kernels/words.hpp"
#include "nfc/normalization.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace utfilter {

using detail::all_marks;
using detail::all_ones;
using detail::nfc_properties;
using detail::sequence;
using detail::word;

namespace {

constexpr char32_t combining_grapheme_joiner = 0x34F;

const unsigned char* bytes_of(const char* in) noexcept { return reinterpret_cast<const unsigned char*>(in); }

/// All characters before U+0300 are plain. In UTF-8 they have no byte from CC on.
constexpr unsigned char first_that_may_change = 0xCC;

/// Whether a byte of the word is CC or more. Of such a byte the high bit is set, and the sum below sets it in the lowest
/// seven bits: 4C + 34 = 80. The sum never reaches the next byte.
constexpr word has_byte_that_may_change(word w) noexcept {
  return ((w & ~all_marks) + (0x80 - (first_that_may_change & 0x7F)) * all_ones) & w & all_marks;
}

bool may_change(const unsigned char* in) noexcept {
  return has_byte_that_may_change(detail::load_word(reinterpret_cast<const char*>(in))) != 0;
}

/// The number of bytes before the first one that may change, or fewer: at most 31 too few.
std::size_t pass_unchanging(const unsigned char* in, std::size_t size) noexcept {
  std::size_t at = 0;
  word words[4];
  for (; size - at >= sizeof words; at += sizeof words) {
    word any = 0;
    std::memcpy(words, in + at, sizeof words);
    for (const word w : words) any |= has_byte_that_may_change(w);
    if (any != 0) break;
  }
  while (size - at >= 8 && !may_change(in + at)) at += 8;
  return at;
}

/// The number of the block of a character of UTF-8, without its last six bits: see normalization::role. The bytes need
/// not be well-formed, but the first one is C0 to F4.
std::size_t block_of(const unsigned char* in) noexcept {
  if (in[0] < 0xE0) return in[0] & 0x1Fu;
  if (in[0] < 0xF0) return std::size_t{in[0] & 0x0Fu} << 6 | (in[1] & 0x3Fu);
  return std::size_t{in[0] & 0x07u} << 12 | std::size_t{in[1] & 0x3Fu} << 6 | (in[2] & 0x3Fu);
}

constexpr std::size_t length_of(unsigned char lead) noexcept {
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// The number of bytes at the start of `in` that are in NFC, as far as they are well-formed UTF-8.
std::size_t pass_normal(const detail::normalization& tables, const unsigned char* in, std::size_t size) noexcept {
  std::size_t at = 0;
  unsigned marks = 0, last_class = 0;
  while (at != size) {
    const unsigned char lead = in[at];
    if (lead < first_that_may_change) {
      marks = last_class = 0;
      const std::size_t passed = pass_unchanging(in + at, size - at);
      at += passed != 0 ? passed : 1;
      continue;
    }
    const std::size_t length = length_of(lead);
    if (lead > 0xF4 || length > size - at) break;
    const unsigned quick = tables.is_plain_lead(lead) ? std::uint8_t{detail::nfc_plain}
                                                      : tables.quick(block_of(in + at), in[at + length - 1]);
    const bool is_plain = quick == detail::nfc_plain;
    if (!is_plain && (quick == detail::nfc_other || quick < last_class || ++marks > tables.safe_marks())) break;
    if (is_plain) marks = 0;
    last_class = quick;
    at += length;
  }
  return at;
}

/// The place of the last plain character in text that pass_normal has passed; 0 if there is none.
std::size_t last_segment(const detail::normalization& tables, const unsigned char* in, std::size_t size) noexcept {
  std::size_t at = size;
  while (at != 0) {
    const unsigned char last = in[--at];
    while (detail::is_continuation(in[at])) --at;
    if (in[at] < first_that_may_change || tables.quick(block_of(in + at), last) == detail::nfc_plain) break;
  }
  return at;
}

}  // namespace

/// The room for the output of one call.
class nfc_normalizer::output {
 public:
  output(char* begin, std::size_t room) noexcept : begin_(begin), room_(room) {}

  std::size_t room() const noexcept { return room_ - produced_; }
  std::size_t produced() const noexcept { return produced_; }

  void write(const char* in, std::size_t size) noexcept {
    if (size != 0) std::memcpy(begin_ + produced_, in, size);
    produced_ += size;
  }
  /// Writes a character, if there is room for it.
  bool write(char32_t c) noexcept {
    if (room() >= 4) {
      produced_ += encode_utf8(c, begin_ + produced_);
      return true;
    }
    char unit[4];
    const std::size_t size = encode_utf8(c, unit);
    if (size > room()) return false;
    write(unit, size);
    return true;
  }

 private:
  char* begin_;
  std::size_t room_;
  std::size_t produced_ = 0;
};

nfc_normalizer::nfc_normalizer()
    : tables_(&detail::normalization::tables()), input_(transcoder::validating(bom::keep)) {}

codec_progress nfc_normalizer::transform(const char* in, std::size_t size, char* out, std::size_t room,
                                         bool last) noexcept {
  output to(out, room);
  std::size_t at = 0;
  const auto stop = [&](codec_status why) noexcept { return codec_progress{at, to.produced(), why}; };
  while (true) {
    if (!write_ready(to)) return stop(codec_status::need_output);
    const std::size_t left = size - at;
    if (left == 0 && !last) return stop(codec_status::need_input);
    if (left == 0 && !carries_) {
      if (size_ == 0) return stop(codec_status::done);
      end_segment();
      continue;
    }
    // Only the transcoder can deal with a signature, an unfinished sequence, and an error.
    const bool may_be_signature = left != 0 && position().offset == 0 && *bytes_of(in + at) == 0xEF;
    if (!carries_ && !may_be_signature) {
      const std::size_t taken = size_ == 0 ? pass(in + at, left, to) : 0;
      at += taken;
      if (taken != 0) continue;
      const std::size_t some = take_some(in + at, left, to);
      at += some;
      if (some != 0 || ready_ != 0) continue;
    }
    const codec_progress one = take_by_bytes(in + at, left, last);
    at += one.consumed;
    if (one.status == codec_status::malformed) return stop(codec_status::malformed);
  }
}

codec_progress nfc_normalizer::insert(const char* in, std::size_t size, char* out, std::size_t room,
                                      bool last) noexcept {
  output to(out, room);
  std::size_t at = 0;
  while (write_ready(to)) {
    if (at == size && last && size_ != 0) {
      end_segment();
      continue;
    }
    if (at == size) return {at, to.produced(), last ? codec_status::done : codec_status::need_input};
    const sequence next = detail::decode_utf8(bytes_of(in + at), size - at, true);
    take(next.value);
    at += next.size;
  }
  return {at, to.produced(), codec_status::need_output};
}

/// Passes text that is in NFC already. Writes it up to its last segment, which the next characters may change.
/// Precondition: no segment is open.
std::size_t nfc_normalizer::pass(const char* in, std::size_t size, output& to) noexcept {
  constexpr std::size_t most = 16384;  // bytes: few enough to be in the cache when they are read again
  const std::size_t normal = pass_normal(*tables_, bytes_of(in), std::min({size, to.room(), most}));
  const std::size_t passed = normal == 0 ? 0 : input_.check(in, normal).value_or(0);
  const std::size_t last = last_segment(*tables_, bytes_of(in), passed);
  to.write(in, last);
  hold(in + last, passed - last);
  return passed;
}

/// Takes characters until two plain ones follow each other, or the output is full, or the input has no whole character.
std::size_t nfc_normalizer::take_some(const char* in, std::size_t size, output& to) noexcept {
  std::size_t at = 0;
  bool after_plain = size_ != 0;
  while (at != size && write_ready(to)) {
    const sequence next = detail::decode_utf8(bytes_of(in + at), size - at, false);
    if (next.what != sequence::kind::scalar) break;
    const bool is_plain = tables_->of(next.value).quick == detail::nfc_plain;
    if (is_plain && after_plain) {
      end_segment();
      break;
    }
    after_plain = is_plain;
    take(next.value);
    at += next.size;
  }
  if (at != 0) input_.check(in, at);
  return at;
}

/// Takes one byte, or the end. Lets the transcoder decide about signatures, unfinished sequences and errors.
codec_progress nfc_normalizer::take_by_bytes(const char* in, std::size_t size, bool last) noexcept {
  char text[transcoder::min_output];
  const codec_progress done =
      input_.transform(in, std::min<std::size_t>(size, 1), text, sizeof text, last && size <= 1);
  carries_ = done.status == codec_status::need_input && done.produced == 0;
  hold(text, done.produced);
  return done;
}

/// Takes well-formed characters that are counted already.
void nfc_normalizer::hold(const char* in, std::size_t size) noexcept {
  for (std::size_t at = 0; at != size;) {
    const sequence next = detail::decode_utf8(bytes_of(in + at), size - at, true);
    take(next.value);
    at += next.size;
  }
}

/// Takes a character: puts U+034F before it if the Stream-Safe Text Format needs that, and decomposes it.
void nfc_normalizer::take(char32_t c) noexcept {
  const nfc_properties& p = tables_->of(c);
  if (run_ + p.leading > detail::most_non_starters) {
    end_segment();
    text_[size_++] = combining_grapheme_joiner;
    ready_ = size_;
    run_ = 0;
    ++inserted_;
  }
  run_ = static_cast<std::uint8_t>(p.has_starter ? p.trailing : run_ + p.leading);
  std::array<char32_t, detail::longest_decomposition> parts;
  const std::size_t n = tables_->decompose(c, p, parts);
  for (std::size_t i = 0; i < n; ++i) add(parts[i], tables_->of(parts[i]).combining_class);
}

/// Adds a character that has no decomposition. A mark goes after those of its class and of lower ones. A starter ends
/// the segment, unless it composes with all of it.
void nfc_normalizer::add(char32_t c, std::uint8_t combining_class) noexcept {
  if (combining_class != 0) {
    std::size_t at = size_++;
    for (; at != ready_ && classes_[at - 1] > combining_class; --at) {
      text_[at] = text_[at - 1];
      classes_[at] = classes_[at - 1];
    }
    text_[at] = c;
    classes_[at] = combining_class;
    return;
  }
  compose_segment();
  const bool is_one = size_ - ready_ == 1 && classes_[ready_] == 0;
  const char32_t composite = is_one ? tables_->compose(text_[ready_], c) : 0;
  if (composite == 0) ready_ = size_++;
  text_[ready_] = composite != 0 ? composite : c;
  classes_[ready_] = 0;
  if (!tables_->composes(text_[ready_])) ready_ = size_;
}

/// Composes the starter of the open segment with its marks (Unicode D117).
void nfc_normalizer::compose_segment() noexcept {
  if (size_ == ready_ || classes_[ready_] != 0) return;
  char32_t& starter = text_[ready_];
  std::size_t kept = ready_ + std::size_t{1};
  for (std::size_t at = kept; at != size_; ++at) {
    const bool is_blocked = classes_[kept - 1] >= classes_[at];
    const char32_t composite = is_blocked ? 0 : tables_->compose(starter, text_[at]);
    if (composite != 0) {
      starter = composite;
    } else {
      text_[kept] = text_[at];
      classes_[kept++] = classes_[at];
    }
  }
  size_ = static_cast<std::uint8_t>(kept);
}

/// Nothing changes the open segment any more.
void nfc_normalizer::end_segment() noexcept {
  compose_segment();
  ready_ = size_;
}

/// Writes what is ready. Returns false if there is too little room.
bool nfc_normalizer::write_ready(output& to) noexcept {
  for (; written_ != ready_; ++written_)
    if (!to.write(text_[written_])) return false;
  if (ready_ != 0) {
    std::copy(text_.begin() + ready_, text_.begin() + size_, text_.begin());
    std::copy(classes_.begin() + ready_, classes_.begin() + size_, classes_.begin());
    size_ = static_cast<std::uint8_t>(size_ - ready_);
    ready_ = written_ = 0;
  }
  return true;
}

}  // namespace utfilter
