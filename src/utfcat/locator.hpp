// locator.hpp: finds the place in the input file from which a piece of the output's text comes.
#ifndef UTFCAT_LOCATOR_HPP
#define UTFCAT_LOCATOR_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/transcoder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>

namespace utfcat {

/// Follows the decoded text of one file. utfcat needs this for characters that the output's encoding lacks: the encoder
/// finds them, but knows only their place in the UTF-8 text of all files.
class locator {
 public:
  /// The place after the text passed so far, counted as in error_info.
  const utfilter::text_position& position() const noexcept { return at_; }

  /// The error, with that place.
  utfilter::error_info here(utfilter::error_info error) const noexcept {
    error.offset = at_.offset;
    error.line = at_.line;
    error.column = at_.column;
    error.line_offset = at_.line_offset;
    return error;
  }

  /// Call this before the first text: with the file's encoding, the offset of the text in the file, whether it begins
  /// with a signature, and whether the signature was kept in the text.
  void begin(utfilter::encoding from, std::uint64_t offset, bool signature, bool kept) {
    note_sizes(from);
    at_.offset = at_.line_offset = offset;
    if (!signature) return;
    signature_ = sizes_[3];
    ignore_ = kept ? 3 : 0;
    if (!kept) at_.offset = signature_;
  }

  /// Call this instead of begin(), if the text is in a charset. Then only lines and columns are places.
  void begin_charset() noexcept { counts_offsets_ = false; }

  /// Call this instead of begin(), if the text begins in the middle of the file.
  void resume(const utfilter::checkpoint& start) {
    note_sizes(start.encoding);
    at_ = {start.offset, start.line, start.column, start.line_offset};
  }

  /// Call this for each error before the text with its repair. The repair has `size` bytes, perhaps none.
  void repaired(const utfilter::error_info& error, std::size_t size) { repairs_.push_back({error, size}); }

  /// Whether the next character of the text is part of a repair.
  bool in_repair() const noexcept { return rest_ != 0 || at_repair(); }

  /// Takes the next text, in whole characters.
  void pass(std::string_view text) {
    count_empty_repairs();
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (ignore_ != 0) {
        if (--ignore_ == 0) at_.offset = signature_;
      } else if (rest_ != 0) {
        --rest_;  // already counted with the first byte
      } else if (at_repair()) {
        rest_ = repairs_.front().size - 1;
        count_repair();
      } else {
        const std::size_t size = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        rest_ = size - 1;
        at_.offset += sizes_[size];
        ++at_.column;
        if (c == '\n') {
          ++at_.line;
          at_.column = 1;
          at_.line_offset = at_.offset;
        }
      }
      count_empty_repairs();
    }
  }

  /// Takes text that ends at this place, instead of pass(). All repairs that have been told are in it.
  void pass_to(const utfilter::text_position& end) {
    at_ = end;
    ignore_ = rest_ = 0;
    repairs_.clear();
  }

 private:
  struct repair {
    utfilter::error_info error;
    std::size_t size;  // of the repair, in bytes
  };

  bool at_repair() const noexcept {
    if (repairs_.empty()) return false;
    const utfilter::error_info& next = repairs_.front().error;
    return counts_offsets_ ? next.offset == at_.offset : next.line == at_.line && next.column == at_.column;
  }

  void count_repair() {
    at_.offset += repairs_.front().error.size;
    ++at_.column;
    repairs_.pop_front();
  }

  void count_empty_repairs() {
    while (rest_ == 0 && at_repair() && repairs_.front().size == 0) count_repair();
  }

  /// Fills sizes_. That is possible because in each encoding all characters with the same size in UTF-8 have the same
  /// size.
  void note_sizes(utfilter::encoding from) {
    if (is_single_byte(from)) return sizes_.fill(1);
    const auto encoder = utfilter::transcoder::encoding_to(from, utfilter::bom::keep);
    char bytes[utfilter::transcoder::min_output];
    for (const char32_t c : {U'\u0001', U'\u0080', U'\u0800', U'\U00010000'}) {
      char utf8[4];
      const std::size_t size = utfilter::encode_utf8(c, utf8);
      sizes_[size] = encoder.encode(c, bytes);
    }
  }

  std::array<std::size_t, 5> sizes_ = {0, 1, 2, 3, 4};  // bytes of a character in the file, by its size in UTF-8
  bool counts_offsets_ = true;                          // the sizes are known, so at_.offset is the place in the file
  utfilter::text_position at_;
  std::uint64_t signature_ = 0;  // bytes of the file's signature
  std::size_t ignore_ = 0;       // bytes of the signature that are still to come in the text
  std::size_t rest_ = 0;         // bytes still to come of the last character or repair, which is already counted
  std::deque<repair> repairs_;   // the repairs that are not counted yet
};

}  // namespace utfcat

#endif
