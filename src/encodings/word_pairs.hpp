// word_pairs.hpp: finds the places of a text that tell its encoding: the words that have a byte beyond ASCII.
#ifndef UTFILTER_ENCODINGS_WORD_PAIRS_HPP
#define UTFILTER_ENCODINGS_WORD_PAIRS_HPP

#include "kernels/words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace utfilter::detail {

constexpr bool is_beyond_ascii(std::uint8_t b) noexcept { return b >= 0x80; }
constexpr bool is_ascii_letter(std::uint8_t b) noexcept { return (b | 0x20) >= 'a' && (b | 0x20) <= 'z'; }

/// Splits a text, which comes in pieces of any size, into pairs of neighbouring bytes: those of words with a byte
/// beyond ASCII, and of the bytes around these words. A word is a run of letters of ASCII and of bytes beyond it. The
/// pairs are the same for every cut.
class word_pairs {
 public:
  /// Calls `pair(before, after)` for each pair. Complexity: linear; ASCII is skipped in bulk.
  template <class Function>
  void feed(std::string_view piece, Function pair) {
    while (!piece.empty()) {
      if (!in_word_) {
        const std::size_t ascii = find_beyond_ascii(piece);
        keep_end_of(piece.substr(0, ascii));
        piece.remove_prefix(ascii);
        if (piece.empty()) return;
        begin_word(static_cast<std::uint8_t>(piece.front()), pair);
      } else {
        const auto next = static_cast<std::uint8_t>(piece.front());
        pair(last_, next);
        in_word_ = is_beyond_ascii(next) || is_ascii_letter(next);
        last_ = next;
        before_[0] = next;
        size_ = 1;
      }
      piece.remove_prefix(1);
    }
  }

  /// The text ends: calls `pair` for the end of its last word.
  template <class Function>
  void finish(Function pair) {
    if (in_word_) pair(last_, std::uint8_t{' '});
    in_word_ = false;
  }

  /// How many bytes stand outside of these words.
  std::size_t skipped() const noexcept { return skipped_; }

 private:
  /// The place of the first byte beyond ASCII, or the size.
  static std::size_t find_beyond_ascii(std::string_view text) noexcept {
    std::size_t at = 0;
    while (text.size() - at >= sizeof(word) && is_ascii(load_word(text.data() + at))) at += sizeof(word);
    while (at != text.size() && !is_beyond_ascii(static_cast<std::uint8_t>(text[at]))) ++at;
    return at;
  }

  void keep_end_of(std::string_view ascii) noexcept {
    skipped_ += ascii.size();
    const std::size_t added = std::min(ascii.size(), before_.size());
    const std::size_t older = std::min(size_, before_.size() - added);
    std::memmove(before_.data(), before_.data() + size_ - older, older);
    std::memcpy(before_.data() + older, ascii.data() + ascii.size() - added, added);
    size_ = older + added;
  }

  /// The word may begin with letters of ASCII.
  template <class Function>
  void begin_word(std::uint8_t first, Function& pair) {
    std::size_t at = size_;
    while (at != 0 && is_ascii_letter(before_[at - 1])) --at;
    std::uint8_t last = ' ';
    if (at != 0)
      last = before_[at - 1];
    else if (size_ == before_.size())
      last = before_[at++];  // the word is longer
    for (; at != size_; last = before_[at++]) pair(last, before_[at]);
    pair(last, first);
    last_ = first;
    in_word_ = true;
  }

  std::array<std::uint8_t, 16> before_ = {};  // the bytes of ASCII before the next byte: the last ones
  std::size_t size_ = 0;
  std::size_t skipped_ = 0;
  bool in_word_ = false;
  std::uint8_t last_ = ' ';  // the byte before the next one, in a word
};

}  // namespace utfilter::detail

#endif
