// locator.hpp: where in its file the text that is being encoded comes from.
#ifndef UTFCAT_LOCATOR_HPP
#define UTFCAT_LOCATOR_HPP

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

/// Follows the decoded text of one file. The encoder that meets a character which the output's encoding lacks knows
/// only its place in the UTF-8 of all files.
class locator {
 public:
  /// The place behind the text that was passed; its counts are those of error_info.
  const utfilter::text_position& position() const noexcept { return at_; }

  /// The file's encoding is known, and whether it began with a signature, and whether that stands in the text.
  void begin(utfilter::encoding from, bool signature, bool kept) {
    note_sizes(from);
    if (!signature) return;
    signature_ = sizes_[3];
    ignore_ = kept ? 3 : 0;
    if (!kept) at_.offset = signature_;
  }

  /// So many bytes will stand in the text for this error.
  void repaired(const utfilter::error_info& error, std::size_t size) { repairs_.push_back({error, size}); }

  /// Whether the next character of the text stands for an error.
  bool in_repair() const noexcept { return rest_ != 0 || at_repair(); }

  /// The next bytes of the text, whole characters.
  void pass(std::string_view text) {
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (ignore_ != 0) {
        if (--ignore_ == 0) at_.offset = signature_;
      } else if (rest_ != 0) {
        --rest_;  // counted with the first byte
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
    count_empty_repairs();
  }

 private:
  struct repair {
    utfilter::error_info error;
    std::size_t size;  // of what stands for it, in bytes
  };

  bool at_repair() const noexcept { return !repairs_.empty() && repairs_.front().error.offset == at_.offset; }

  void count_repair() {
    at_.offset += repairs_.front().error.size;
    ++at_.column;
    repairs_.pop_front();
  }

  void count_empty_repairs() {
    while (rest_ == 0 && at_repair() && repairs_.front().size == 0) count_repair();
  }

  /// In each of the encodings all characters that have the same number of bytes in UTF-8 have the same number of bytes.
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

  std::array<std::size_t, 5> sizes_ = {0, 1, 2, 3, 4};  // bytes of a character in the file, by its bytes in UTF-8
  utfilter::text_position at_;
  std::uint64_t signature_ = 0;  // bytes of the file's signature
  std::size_t ignore_ = 0;       // bytes of it still to come in the text
  std::size_t rest_ = 0;         // bytes still to come of the character, or the repair, that was counted
  std::deque<repair> repairs_;   // not counted yet
};

}  // namespace utfcat

#endif
