// source_map.hpp: finds the places in the source from which decoded text comes.
// layer: streams
#ifndef UTFILTER_DETAIL_SOURCE_MAP_HPP
#define UTFILTER_DETAIL_SOURCE_MAP_HPP

#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace utfilter::detail {

/// Tells how many bytes of the source a text was decoded from, and keeps the patches of the text in order. Its owner
/// keeps the text. The encoding is UTF-8 until read_as() sets another.
class source_map {
 public:
  /// A place between two characters, or between a character and a patch: bytes of text, and of the source, before it.
  struct place {
    std::uint64_t text, source;
  };

  /// A place where text and source do not correspond character by character: a repair, a byte order mark that was
  /// dropped or added, an escape sequence, or a sequence whose size the text does not show.
  struct patch {
    std::uint64_t begin;  // bytes of text before it
    place end;
    std::uint64_t errors;  // errors up to its end
  };

  /// A place among the patches.
  struct cursor {
    std::size_t at;  // in patches_
    patch last;      // the patch before that place; the map may no longer have it
  };

  /// A map of text that begins at this place, after so many errors.
  UTFILTER_STREAMS_API explicit source_map(const place& start, std::uint64_t errors = 0) noexcept;

  /// Sets the encoding of the source, which must be decided.
  UTFILTER_STREAMS_API void read_as(encoding) noexcept;

  /// The bytes of the source of well-formed text without patches. Complexity: linear; constant if the source is UTF-8.
  std::size_t source_size(std::string_view text) const noexcept { return source_size_(text.data(), text.size()); }
  /// Whether the source may have another size: see detail::is_irregular. Then the text needs a patch for each sequence
  /// whose size it does not show.
  bool is_irregular() const noexcept { return is_irregular_; }
  /// Bytes of a code unit of the source.
  std::size_t unit() const noexcept { return unit_; }
  /// Whether each byte of the text comes from one code unit of the source, as in ASCII. `source` is the size of the
  /// source in bytes, without patches. The function may return false for text that is not ASCII.
  bool is_even(std::string_view text, std::uint64_t source) const noexcept {
    return source == unit_ * text.size() && (size_shows_even_ || is_ascii(text));
  }

  /// Adds a patch after the last one. If both are at the same place and have no text, they become one, so that bytes
  /// without text need no memory. Throws std::bad_alloc, and has changed nothing then.
  UTFILTER_STREAMS_API void add(const patch&);
  /// The place after the last patch.
  const cursor& end() const noexcept { return end_; }
  /// Whether there is a patch after this place.
  bool has_next(const cursor& c) const noexcept { return c.at != patches_.size(); }
  /// The place after the next patch. There must be one.
  UTFILTER_STREAMS_API cursor next(const cursor&) const noexcept;
  /// Moves the cursor over all patches that begin at this place in the text or before it.
  void pass(cursor& c, std::uint64_t text) const noexcept {
    if (has_next(c)) pass_patches(c, text);
  }
  /// Removes the patches before this place, and sets c.at to 0. In every other cursor `at` must then be made smaller by
  /// what c.at was.
  UTFILTER_STREAMS_API void forget(cursor& c) noexcept;

 private:
  UTFILTER_STREAMS_API static bool is_ascii(std::string_view) noexcept;
  UTFILTER_STREAMS_API void pass_patches(cursor&, std::uint64_t text) const noexcept;

  source_size_function source_size_;
  std::size_t unit_;
  bool is_irregular_;
  bool size_shows_even_;  // text is even whenever it has as many bytes as the source has code units
  // Each patch is kept as its differences from the patch before, most of which take one byte each; add() writes them.
  std::vector<unsigned char> patches_;
  cursor before_last_, end_;  // before and after the last patch
};

}  // namespace utfilter::detail

#endif
