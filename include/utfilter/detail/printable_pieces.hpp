// printable_pieces.hpp: the output of a printable, piece by piece, without an allocation.
// layer: codecs
#ifndef UTFILTER_DETAIL_PRINTABLE_PIECES_HPP
#define UTFILTER_DETAIL_PRINTABLE_PIECES_HPP

#include <utfilter/config.hpp>
#include <utfilter/printable_options.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

namespace utfilter::detail {

/// The number of characters of well-formed text.
UTFILTER_API std::size_t count_characters(std::string_view text) noexcept;

/// Whether the output of a printable without a limit is the text itself.
UTFILTER_API bool is_harmless(std::string_view text, const printable_options&) noexcept;

/// Cuts the output of a printable into pieces: runs of the text itself, and escapes. Each piece is well-formed, and no
/// escape is in two pieces.
class printable_pieces {
 public:
  static constexpr std::size_t unlimited = (std::numeric_limits<std::size_t>::max)();

  /// The output ends before the character, or the escape, with which it would have more than `most_characters`.
  UTFILTER_API printable_pieces(std::string_view text, const printable_options&,
                                std::size_t most_characters = unlimited) noexcept;

  /// The next piece; empty at the end. A part of the text lives as long as the text, any other piece until the next
  /// call.
  UTFILTER_API std::string_view next() noexcept;

  /// Whether all of the text has been taken.
  bool at_end() const noexcept { return size_ == 0; }

  /// The number of characters in all pieces.
  UTFILTER_API static std::size_t characters(std::string_view text, const printable_options&,
                                             std::size_t most_characters) noexcept;

 private:
  std::size_t harmless_run() noexcept;
  std::string_view escapes() noexcept;
  void skip(std::size_t bytes) noexcept;

  // The text that is left, and how many bytes at its start are known to be well-formed.
  const char* text_;
  std::size_t size_;
  std::size_t well_formed_ = 0;

  // The bytes and characters that may still be written. Unless bytes_ is unlimited, the text does not fit: then an
  // ellipsis follows, which bytes_ does not count.
  std::size_t bytes_ = unlimited;
  std::size_t characters_;

  printable_options options_;     // complete: see complete()
  std::array<char, 256> buffer_;  // for escapes
};

}  // namespace utfilter::detail

#endif
