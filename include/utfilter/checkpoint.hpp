// checkpoint.hpp: a place in an encoded text, at which decoding can start.
// layer: codecs
#ifndef UTFILTER_CHECKPOINT_HPP
#define UTFILTER_CHECKPOINT_HPP

#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace utfilter {

/// A place between two sequences of an encoded text, and the counts of the text before it. decoder::here() returns one,
/// and params::start begins at one: then the text, the errors, their places and the report are those of a decoder that
/// has read the text from its start.
///
/// A checkpoint is all that a decoder knows about the text before it. So it can be kept in a file, for another process,
/// another machine or a later version. A default one is the start of a UTF-8 text.
///
/// ```cpp
/// utfilter::decoder first(utfilter::encoding::utf16le);
/// char out[64];
/// first.convert("A\0B", 3, out, sizeof out, false);  // "A"; the first byte of B is carried
/// utfilter::params p;
/// p.start = first.here();                            // the place of B: byte 2
/// utfilter::decoder second(utfilter::encoding::utf16le, p);
/// assert(second.convert("B\0", 2, out, sizeof out, true).produced == 1 && second.report().bytes_in == 4);
/// ```
struct checkpoint : text_position {
  /// The encoding of the text: never detect, utf16 or utf32, which a byte order mark decides.
  utfilter::encoding encoding = utfilter::encoding::utf8;
  bool bom = false;             ///< Whether the text begins with a byte order mark.
  std::uint64_t bytes_out = 0;  ///< Bytes of output before the place.
  std::uint64_t errors = 0;     ///< Errors before the place.
  /// For stream_report::decided_by, if the caller has not named the encoding. `bom` tells of a byte order mark.
  evidence decided_by = evidence::named;
  std::uint8_t confidence = 100;             ///< For stream_report::confidence, in hundredths: at most 100.
  std::string_view unused_declaration = {};  ///< For stream_report::unused_declaration.
};

/// @{
/// Compares all members. Complexity: constant.
UTFILTER_API bool operator==(const checkpoint&, const checkpoint&) noexcept;
inline bool operator!=(const checkpoint& a, const checkpoint& b) noexcept { return !(a == b); }
/// @}

/// The checkpoint as one line of ASCII, without a line feed, at most 400 characters. It has a version and a check sum
/// (CRC-32 of ISO 3309), so that a line that was cut or edited is noticed. Of unused_declaration it keeps names that the
/// library knows. Complexity: constant. Throws std::bad_alloc.
UTFILTER_API std::string to_string(const checkpoint&);

/// The checkpoint that to_string has written; std::nullopt for any other text, and for a checkpoint that no text can
/// have, such as one with more lines than bytes. Complexity: constant.
UTFILTER_API std::optional<checkpoint> checkpoint_from_string(std::string_view) noexcept;

/// The reason why no text can have the checkpoint, as a sentence for people; null if one can. Complexity: constant.
UTFILTER_API const char* why_no_checkpoint(const checkpoint&) noexcept;

}  // namespace utfilter

#endif
