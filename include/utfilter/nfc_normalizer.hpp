// nfc_normalizer.hpp: the change and the codec of normalize_nfc. The output is in Unicode Normalization Form C.
// layer: nfc
#ifndef UTFILTER_NFC_NORMALIZER_HPP
#define UTFILTER_NFC_NORMALIZER_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/needs_exceptions.hpp>
#include <utfilter/text_codec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace utfilter {

namespace detail {
struct cursor;
class normalization;
}

namespace changes {

/// Brings text into Unicode Normalization Form C (UAX 15): each letter with its marks becomes one character where
/// Unicode has one, and marks get their canonical order. Texts that are canonically equivalent become the same bytes,
/// so that they can be compared (RFC 3629 section 10).
///
/// The memory is bounded by the Stream-Safe Text Format (UAX 15, section 13): if more than 30 non-starters (combining
/// marks) follow each other, U+034F COMBINING GRAPHEME JOINER is put before the next one. No text in a natural language
/// has that many. `facts().inserted`, and stream_report::inserted, count these characters.
///
/// A character waits in the change until the next characters or the end decide that nothing changes it: a letter that
/// may get a mark, and the marks after it. A line feed, a space or a digit never waits. Repairs are part of the text: the
/// output is the repaired text, normalized. An initial U+FEFF is passed on, and reported as a byte order mark.
///
/// The properties of the characters come from utf8proc, in the version of Unicode that it knows.
struct normalize_nfc {
  /// Throws std::bad_alloc: the first call in a program makes tables of about 160 KB, in about 20 milliseconds, and
  /// other threads wait for it.
  UTFILTER_NFC_API normalize_nfc();

  /// See text_codec.
  UTFILTER_NFC_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;

 private:
  void pass(detail::cursor&) noexcept;
  void take_some(detail::cursor&, text_facts&) noexcept;
  void take(char32_t c, text_facts&) noexcept;
  void add(char32_t c, std::uint8_t combining_class) noexcept;
  void compose_segment() noexcept;
  void end_segment() noexcept;
  bool write_ready(detail::cursor&) noexcept;

  // A segment is a starter and the marks after it; the first one of a text may have no starter. A segment of the
  // Stream-Safe Text Format has at most 31 characters. One character more can end it and begin the next ones.
  static constexpr std::size_t capacity = 48;

  const detail::normalization* tables_;
  bool at_start_ = true;      // of the text
  std::uint8_t run_ = 0;      // non-starters at the end of the text so far, as the Stream-Safe Text Format counts them
  std::uint8_t ready_ = 0;    // characters at the start of text_ that nothing changes any more
  std::uint8_t written_ = 0;  // those of them that have been written
  std::uint8_t size_ = 0;     // characters of text_: those that are ready, and those of the open segment
  std::array<char32_t, capacity> text_ = {};
  std::array<std::uint8_t, capacity> classes_ = {};  // the combining classes in the open segment
};

}  // namespace changes

/// The codec of normalize_nfc:
///
/// ```cpp
/// utfilter::nfc_normalizer codec;
/// char       out[64];
/// const auto done = codec.transform("cafe\xCC\x81\n", 7, out, sizeof out, false);
/// assert(std::string_view(out, done.produced) == "caf\xC3\xA9\n");
/// ```
using nfc_normalizer = text_codec<changes::normalize_nfc>;

}  // namespace utfilter

#endif
