// locator.hpp: where in its file the text that is being encoded comes from.
#ifndef UTFCAT_LOCATOR_HPP
#define UTFCAT_LOCATOR_HPP

#include <utfilter/codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>

namespace utfcat {

/// Follows the decoded text of one file. The encoder that meets a character which the output's encoding lacks knows only
/// its place in the UTF-8 of all files.
class locator {
 public:
  /// The place behind the text that was passed; its counts are those of error_info.
  const utfilter::text_position& position() const noexcept { return at_; }

  /// The file's encoding is known, and whether it began with a signature, and whether that stands in the text.
  void begin(utfilter::encoding from, bool signature, bool kept) {
    from_ = from;
    if (!signature) return;
    signature_ = encoded_size(3);
    ignore_    = kept ? 3 : 0;
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
        at_.offset += encoded_size(size);
        ++at_.column;
        if (c == '\n') {
          ++at_.line;
          at_.column      = 1;
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
    std::size_t          size;  // of what stands for it, in bytes
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

  /// Bytes, in the file's encoding, of a character of so many bytes of UTF-8.
  std::uint64_t encoded_size(std::uint64_t utf8_size) const noexcept {
    using utfilter::encoding;
    switch (from_) {
      case encoding::utf16:
      case encoding::utf16le:
      case encoding::utf16be: return utf8_size == 4 ? 4 : 2;
      case encoding::utf32:
      case encoding::utf32le:
      case encoding::utf32be: return 4;
      case encoding::cesu8: return utf8_size == 4 ? 6 : utf8_size;
      case encoding::latin1:
      case encoding::windows1252: return 1;
      case encoding::detect:
      case encoding::utf8: break;
    }
    return utf8_size;
  }

  utfilter::encoding               from_ = utfilter::encoding::utf8;
  utfilter::text_position          at_;
  std::uint64_t                    signature_ = 0;  // bytes of the file's signature
  std::size_t                      ignore_    = 0;  // bytes of it still to come in the text
  std::size_t                      rest_      = 0;  // bytes still to come of the character, or the repair, that was counted
  std::deque<repair>               repairs_;        // not counted yet
};

}  // namespace utfcat

#endif
