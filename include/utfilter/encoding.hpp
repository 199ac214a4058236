// encoding.hpp: the encodings and their names.
#ifndef UTFILTER_ENCODING_HPP
#define UTFILTER_ENCODING_HPP

#include <utfilter/config.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace utfilter {

/// The encodings that the filters read and write.
///
/// UTF-8 is that of RFC 3629 and Unicode table 3-7: noncharacters, NUL, private-use and unassigned code points are
/// well-formed, surrogates are not.
///
/// Beware of `utf16` and `utf32` for text that has no byte order mark: it is big-endian then (RFC 2781 section 4.3),
/// and little-endian text mostly decodes into nonsense *without an error*. Where the order is known, say
/// `utf16le` or `utf16be`.
enum class encoding {
  /// Reading: a byte order mark of UTF-8, UTF-16 or UTF-32 decides, on the first byte that allows it; without one
  /// params::fallback. FF FE 00 00 is UTF-32LE (not so for WHATWG, which has no UTF-32); FF FE or FF FE 00, where the
  /// text ends there, UTF-16LE. Names: detect.
  detect,
  /// RFC 3629. Names: utf-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8.
  utf8,
  /// RFC 2781 section 3.3: a byte order mark decides; without one big-endian. Written big-endian. Names: utf-16 utf16
  /// csutf16.
  utf16,
  /// Little-endian by its label. An initial U+FEFF is a character, and a signature only under bom::strip, add, require
  /// and reject; so for utf16be, utf32le and utf32be, too. Names: utf-16le utf16le csutf16le.
  utf16le,
  /// Big-endian by its label. Names: utf-16be utf16be csutf16be.
  utf16be,
  /// Unicode D101: a byte order mark decides; without one big-endian. Written big-endian. Names: utf-32 utf32 csutf32.
  utf32,
  /// Little-endian by its label. Names: utf-32le utf32le csutf32le.
  utf32le,
  /// Big-endian by its label. Names: utf-32be utf32be csutf32be.
  utf32be,
  /// Unicode Technical Report 26: supplementary characters as two three-byte surrogates; no signature. Names: cesu-8
  /// cesu8 cscesu8 cscesu-8.
  cesu8,
  /// ISO-8859-1: each byte is the code point of its value. Names: iso-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1
  /// iso88591 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1.
  latin1,
  /// The WHATWG index "windows-1252", in which all 256 bytes map. Names: windows-1252 windows1252 cswindows1252 cp1252
  /// x-cp1252.
  windows1252,
  /// RFC 1489: Russian. Names: koi8-r koi8r cskoi8r koi koi8 koi8_r.
  koi8r,
};

/// The preferred MIME name of the IANA character set registry, such as "UTF-16LE"; "detect" for encoding::detect.
/// Complexity: linear in the encodings that there are.
UTFILTER_API std::string_view encoding_name(encoding) noexcept;

/// The same name as a std::string. Complexity: that of encoding_name. Throws std::bad_alloc.
inline std::string to_string(encoding e) { return std::string(encoding_name(e)); }

/// All its names that encoding_from_name takes, with a space between them: the preferred one, then the others in lower
/// case. For a program that lists them. Complexity: linear in the encodings that there are.
UTFILTER_API std::string_view encoding_names(encoding) noexcept;

/// The encoding of that name, in any mixture of ASCII case; nothing for a name that no enumerator lists.
///
/// IANA's names and aliases hold, also where WHATWG's label of the same spelling means something else ("utf-16" is not
/// UTF-16LE, "iso-8859-1" is not windows-1252).
///
/// ```cpp
/// const auto from = utfilter::encoding_from_name("Latin1");
/// assert(from && utfilter::encoding_name(*from) == "ISO-8859-1");
/// ```
///
/// Complexity: linear in the names that there are.
UTFILTER_API std::optional<encoding> encoding_from_name(std::string_view name) noexcept;

/// A range of encodings, for a loop over them; see encodings(). It lasts as long as the program.
///
/// ```cpp
/// const utfilter::encoding_list all = utfilter::encodings();
/// assert(all.begin() != all.end() && *all.begin() == utfilter::encoding::utf8);
/// ```
///
/// Throws nothing. Complexity: each member takes constant time. Thread safety: that of a value.
class encoding_list {
 public:
  /// @{
  /// The first encoding, and the place after the last one.
  const encoding* begin() const noexcept { return begin_; }
  const encoding* end() const noexcept { return end_; }
  /// @}

 private:
  friend UTFILTER_API encoding_list encodings() noexcept;
  encoding_list(const encoding* begin, const encoding* end) noexcept : begin_(begin), end_(end) {}

  const encoding* begin_;
  const encoding* end_;
};

/// All encodings but detect, in the order of the enumerators. Complexity: constant.
///
/// ```cpp
/// for (const utfilter::encoding e : utfilter::encodings()) std::cout << utfilter::encoding_name(e) << '\n';
/// ```
UTFILTER_API encoding_list encodings() noexcept;

/// Whether a text in it may begin with a signature (byte order mark): any of those for detect. Complexity: constant.
UTFILTER_API bool has_signature(encoding) noexcept;

/// Whether the signature of a text, or its absence, decides how it is read: detect, utf16 and utf32. Complexity:
/// constant.
UTFILTER_API bool is_decided_by_signature(encoding) noexcept;

/// Bytes of a code unit: 1, 2 or 4; for detect 1. Complexity: constant.
UTFILTER_API std::size_t code_unit_size(encoding) noexcept;

/// Whether each of its characters is one byte, as in ISO-8859-1. Complexity: constant.
UTFILTER_API bool is_single_byte(encoding) noexcept;

}  // namespace utfilter

#endif
