// nfc_normalizer.cpp: passes text that is in NFC on in bulk. Composes a letter and its marks directly if that is
// enough, and decomposes and sorts the rest, segment by segment.
#include <utfilter/nfc_normalizer.hpp>

#include "codecs/cursor.hpp"
#include "kernels/words.hpp"
#include "nfc/normalization.hpp"
#include "unicode/utf8.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace utfilter::changes {

using detail::all_marks;
using detail::all_ones;
using detail::cursor;
using detail::nfc_properties;
using detail::sequence;
using detail::word;

namespace {

constexpr char32_t combining_grapheme_joiner = 0x34F;

const unsigned char* bytes_of(const char* in) noexcept { return reinterpret_cast<const unsigned char*>(in); }

/// All characters before U+0300 are plain. In UTF-8 they have no byte from CC on.
constexpr unsigned char first_that_may_change = 0xCC;

/// Whether a byte of the word is CC or more. Such a byte has its high bit set, and the sum of its other bits and 34
/// sets that bit, too: 4C + 34 = 80. The sum never reaches the next byte.
constexpr word has_byte_that_may_change(word w) noexcept {
  return ((w & ~all_marks) + (0x80 - (first_that_may_change & 0x7F)) * all_ones) & w & all_marks;
}

/// The number of the lowest bit that is set; there must be one.
std::size_t first_bit(word bits) noexcept {
#if defined(__GNUC__)
  return static_cast<std::size_t>(__builtin_ctzll(bits));
#else
  std::size_t n = 0;
  while ((bits >> n & 1) == 0) ++n;
  return n;
#endif
}

constexpr std::size_t block_size = 64;

/// Whether one of the bytes of a block may begin a character that is not plain.
bool may_change(const unsigned char* in) noexcept {
  word words[block_size / 8], any = 0;
  std::memcpy(words, in, sizeof words);
  for (const word w : words) any |= has_byte_that_may_change(w);
  return any != 0;
}

sequence first_of_well_formed(const unsigned char* in) noexcept { return detail::decode_utf8(in, 4, true); }

/// Finds the places at which well-formed UTF-8 may not be in NFC (UAX 15, section 9). It looks up each byte by itself,
/// so that no look-up waits for the length of the character before. It looks up a character only if its first byte can
/// begin one that is not plain.
class quick_check {
 public:
  quick_check(const detail::normalization& tables, const unsigned char* in, std::size_t size) noexcept
      : tables_(tables), in_(in), size_(size) {}

  /// The place of the first character, not before `at`, that may change or may change the text before it; the size of
  /// the text if there is none. `at` never decreases.
  std::size_t next(std::size_t at) noexcept {
    while (true) {
      for (; leads_ != 0; leads_ &= leads_ - 1) {
        const std::size_t place = block_ + first_bit(leads_);
        if (place >= at && !passes(place)) return place;
      }
      if (end_ == size_) return size_;
      look_at_block(std::max(at, end_));
    }
  }

 private:
  /// Whether the character changes nothing: it is plain, or a mark whose class is not lower than that of the mark
  /// before it.
  bool passes(std::size_t at) noexcept {
    const unsigned quick = tables_.quick(in_ + at);
    if (quick == detail::nfc_plain) return true;
    if (at != marks_end_) marks_ = last_class_ = 0;
    if (quick == detail::nfc_other || quick < last_class_ || ++marks_ > tables_.safe_marks()) return false;
    last_class_ = quick;
    marks_end_ = at + detail::length_by_lead(in_[at]);
    return true;
  }

  void look_at_block(std::size_t at) noexcept {
    while (size_ - at >= block_size && !may_change(in_ + at)) at += block_size;
    block_ = at;
    end_ = at + std::min(block_size, size_ - at);
    if (end_ - at == block_size) {
      for (std::size_t i = 0; i != block_size; i += 8) leads_ |= leads_of_eight(in_ + at + i) << i;
    } else {
      for (; at != end_; ++at) leads_ |= word{tables_.is_changing_lead(in_[at])} << (at - block_);
    }
  }
  word leads_of_eight(const unsigned char* in) const noexcept {
    word leads = 0;
    for (std::size_t i = 0; i != 8; ++i) leads |= word{tables_.is_changing_lead(in[i])} << i;
    return leads;
  }

  const detail::normalization& tables_;
  const unsigned char* in_;
  std::size_t size_;
  std::size_t block_ = 0, end_ = 0;  // the block that has been looked at
  word leads_ = 0;                   // a bit for each byte of the block that can begin a character that is not plain
  std::size_t marks_end_ = 0;        // the end of the last marks in a row; their number, and the class of the last one
  unsigned marks_ = 0, last_class_ = 0;
};

/// The place of the last plain character before this place; 0 if there is none.
std::size_t last_plain(const detail::normalization& tables, const unsigned char* in, std::size_t at) noexcept {
  while (at != 0) {
    do --at;
    while (detail::is_continuation(in[at]));
    if (!tables.is_changing_lead(in[at]) || tables.quick(in + at) == detail::nfc_plain) break;
  }
  return at;
}

/// A plain character and those after it, up to the next plain one. If none of them has a decomposition and the marks
/// are in order, as in text in Normalization Form D, there is nothing to decompose or to sort before they are composed.
class direct_segment {
 public:
  /// Composes the segment at the start of well-formed text. Returns false if that is not possible, or if the text ends
  /// before the next plain character.
  bool compose(const detail::normalization& tables, const unsigned char* in, std::size_t size) noexcept {
    const sequence first = first_of_well_formed(in);
    const nfc_properties& starter = tables.of(first.value);
    if (starter.quick != detail::nfc_plain || starter.decomposition_size != 0) return false;
    starter_ = first.value;
    unsigned count = 0, last_class = 0, kept_class = 0;
    for (size_ = first.size; size_ != size;) {
      const sequence next = first_of_well_formed(in + size_);
      const nfc_properties& p = tables.of(next.value);
      if (p.quick == detail::nfc_plain) return true;
      const bool is_in_order = p.combining_class == 0 || p.combining_class >= last_class;
      count += std::max<unsigned>(p.leading, 1);
      if (p.decomposition_size != 0 || !is_in_order || count > tables.safe_marks()) return false;
      const bool is_blocked = kept_size_ != 0 && kept_class >= p.combining_class;
      const char32_t composite = is_blocked ? 0 : tables.compose(starter_, next.value);
      if (composite != 0) {
        starter_ = composite;
        is_changed_ = true;
      } else {
        if (p.combining_class == 0) return false;
        std::memcpy(kept_ + kept_size_, in + size_, next.size);
        kept_size_ += next.size;
        kept_class = p.combining_class;
      }
      last_class = p.combining_class;
      size_ += next.size;
    }
    return false;
  }

  /// Bytes of the text that belong to the segment.
  std::size_t size() const noexcept { return size_; }
  bool is_changed() const noexcept { return is_changed_; }
  char32_t starter() const noexcept { return starter_; }
  /// The marks that did not compose, in UTF-8.
  std::string_view kept() const noexcept { return {kept_, kept_size_}; }

 private:
  char32_t starter_ = 0;
  std::size_t size_ = 0, kept_size_ = 0;
  bool is_changed_ = false;
  char kept_[4 * detail::most_non_starters];
};

/// Writes a character, if there is room for it.
bool write(char32_t c, cursor& at) noexcept {
  if (at.room() >= 4) {
    at.out += encode_utf8(c, at.out);
    return true;
  }
  char unit[4];
  const std::size_t size = encode_utf8(c, unit);
  if (size > at.room()) return false;
  at.write({unit, size});
  return true;
}

}  // namespace

normalize_nfc::normalize_nfc() : tables_(&detail::normalization::tables()) {}

codec_progress normalize_nfc::operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
  const std::size_t size = in.text.size();
  if (at_start_ && (size != 0 || !in.may_go_on())) {
    at_start_ = false;
    facts.bom = in.text.substr(0, detail::utf8_bom.size()) == detail::utf8_bom;
  }
  return detail::progress_of(in.text.data(), size, out, room, [&](cursor& at) noexcept {
    while (write_ready(at)) {
      if (at.left() != 0) {
        if (size_ == 0) pass(at);
        take_some(at, facts);
      } else if (size_ != 0 && in.next == text_piece::follows::nothing) {
        end_segment();
      } else {
        return codec_status::need_input;
      }
    }
    return codec_status::need_output;
  });
}

/// Writes well-formed text in NFC, as long as it passes the quick check or has direct segments. The rest begins with the
/// last segment, which the next characters may change, or with one that is not direct. Precondition: no segment is open.
void normalize_nfc::pass(cursor& to) noexcept {
  const unsigned char* const text = bytes_of(to.in);
  // The output is not longer than the text: no composite has more bytes than its two characters.
  std::size_t size = to.left();
  if (size > to.room())
    for (size = to.room(); size != 0 && detail::is_continuation(text[size]);) --size;
  if (size == 0) return;
  quick_check check(*tables_, text, size);
  const auto write_up_to = [&](std::size_t at) noexcept {
    const auto n = static_cast<std::size_t>(text + at - bytes_of(to.in));
    to.write({to.in, n});
    to.in += n;
  };
  for (std::size_t at = 0;;) {
    const std::size_t start = last_plain(*tables_, text, check.next(at));
    direct_segment segment;
    if (!segment.compose(*tables_, text + start, size - start)) return write_up_to(start);
    at = start + segment.size();
    if (!segment.is_changed()) continue;
    write_up_to(start);
    write(segment.starter(), to);
    to.write(segment.kept());
    to.in += segment.size();
  }
}

/// Takes characters of well-formed text until two plain ones follow each other, or the output is full.
void normalize_nfc::take_some(cursor& at, text_facts& facts) noexcept {
  bool after_plain = size_ != 0;
  while (at.left() != 0 && write_ready(at)) {
    const sequence next = first_of_well_formed(bytes_of(at.in));
    const bool is_plain = tables_->of(next.value).quick == detail::nfc_plain;
    if (is_plain && after_plain) return end_segment();
    after_plain = is_plain;
    take(next.value, facts);
    at.in += next.size;
  }
}

/// Takes a character: puts U+034F before it if the Stream-Safe Text Format needs that, and decomposes it.
void normalize_nfc::take(char32_t c, text_facts& facts) noexcept {
  const nfc_properties& p = tables_->of(c);
  if (run_ + p.leading > detail::most_non_starters) {
    end_segment();
    text_[size_++] = combining_grapheme_joiner;
    ready_ = size_;
    run_ = 0;
    ++facts.inserted;
  }
  run_ = static_cast<std::uint8_t>(p.has_starter ? p.trailing : run_ + p.leading);
  std::array<char32_t, detail::longest_decomposition> parts;
  const std::size_t n = tables_->decompose(c, p, parts);
  for (std::size_t i = 0; i < n; ++i) add(parts[i], tables_->of(parts[i]).combining_class);
}

/// Adds a character that has no decomposition. A mark goes after those of its class and of lower ones. A starter ends
/// the segment, unless it composes with all of it.
void normalize_nfc::add(char32_t c, std::uint8_t combining_class) noexcept {
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
void normalize_nfc::compose_segment() noexcept {
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

/// Ends the open segment: nothing changes it any more.
void normalize_nfc::end_segment() noexcept {
  compose_segment();
  ready_ = size_;
}

/// Writes what is ready. Returns false if there is too little room.
bool normalize_nfc::write_ready(cursor& at) noexcept {
  for (; written_ != ready_; ++written_)
    if (!write(text_[written_], at)) return false;
  if (ready_ != 0) {
    std::copy(text_.begin() + ready_, text_.begin() + size_, text_.begin());
    std::copy(classes_.begin() + ready_, classes_.begin() + size_, classes_.begin());
    size_ = static_cast<std::uint8_t>(size_ - ready_);
    ready_ = written_ = 0;
  }
  return true;
}

}  // namespace utfilter::changes
