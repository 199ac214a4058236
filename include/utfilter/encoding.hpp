// encoding.hpp: the encodings and their names.
#ifndef UTFILTER_ENCODING_HPP
#define UTFILTER_ENCODING_HPP

#include <utfilter/config.hpp>

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
  detect,       ///< Reading: a byte order mark of UTF-8, UTF-16 or UTF-32 decides, on the first byte that allows it; without one
                ///< params::fallback. FF FE 00 00 is UTF-32LE (not so for WHATWG, which has no UTF-32); FF FE or FF FE 00, where
                ///< the text ends there, UTF-16LE.
  utf8,         ///< RFC 3629.
  utf16,        ///< RFC 2781 section 3.3: a byte order mark decides; without one big-endian. Written big-endian.
  utf16le,      ///< Little-endian by its label. An initial U+FEFF is a character, and a signature only under bom::strip, add,
                ///< require and reject; so for utf16be, utf32le and utf32be, too.
  utf16be,      ///< Big-endian by its label.
  utf32,        ///< Unicode D101: a byte order mark decides; without one big-endian. Written big-endian.
  utf32le,      ///< Little-endian by its label.
  utf32be,      ///< Big-endian by its label.
  cesu8,        ///< Unicode Technical Report 26: supplementary characters as two three-byte surrogates; no signature.
  latin1,       ///< ISO-8859-1: each byte is the code point of its value.
  windows1252,  ///< The WHATWG index "windows-1252", in which all 256 bytes map.
};

/// The preferred MIME name of the IANA character set registry, such as "UTF-16LE"; "detect" for encoding::detect. Complexity: linear
/// in the encodings that there are.
UTFILTER_API std::string_view encoding_name(encoding) noexcept;

/// The same name as a std::string. Complexity: that of encoding_name. Throws std::bad_alloc.
inline std::string to_string(encoding e) { return std::string(encoding_name(e)); }

/// All its names that encoding_from_name takes, with a space between them: the preferred one, then the others in lower case. For a
/// program that lists them. Complexity: linear in the encodings that there are.
UTFILTER_API std::string_view encoding_names(encoding) noexcept;

/// The encoding of that name, in any mixture of ASCII case; nothing for a name that is not listed here.
///
/// ```cpp
/// const auto from = utfilter::encoding_from_name("Latin1");
/// assert(from && utfilter::encoding_name(*from) == "ISO-8859-1");
/// ```
///
/// Complexity: linear in the names that there are.
///
/// IANA's names and aliases hold, also where WHATWG's label of the same spelling means something else
/// ("utf-16" is not UTF-16LE, "iso-8859-1" is not windows-1252). Accepted are:
///
/// | encoding    | names                                                                                         |
/// |-------------|-----------------------------------------------------------------------------------------------|
/// | detect      | detect                                                                                        |
/// | utf8        | utf-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8               |
/// | utf16       | utf-16 utf16 csutf16                                                                          |
/// | utf16le     | utf-16le utf16le csutf16le                                                                    |
/// | utf16be     | utf-16be utf16be csutf16be                                                                    |
/// | utf32       | utf-32 utf32 csutf32                                                                          |
/// | utf32le     | utf-32le utf32le csutf32le                                                                    |
/// | utf32be     | utf-32be utf32be csutf32be                                                                    |
/// | cesu8       | cesu-8 cesu8 cscesu8 cscesu-8                                                                 |
/// | latin1      | iso-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1 iso88591 iso-ir-100 latin1 l1 ibm819 cp819    |
/// |             | csisolatin1                                                                                   |
/// | windows1252 | windows-1252 windows1252 cswindows1252 cp1252 x-cp1252                                        |
UTFILTER_API std::optional<encoding> encoding_from_name(std::string_view name) noexcept;

}  // namespace utfilter

#endif
