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
/// Beware of `utf16` and `utf32` for text without a byte order mark: they read it as big-endian (RFC 2781 section 4.3,
/// Unicode D98 and D101), and little-endian text then mostly decodes into nonsense *without an error*. If you know the
/// byte order, name it: `utf16le` or `utf16be`, `utf32le` or `utf32be`.
enum class encoding {
  /// For reading only: a byte order mark of UTF-8, UTF-16 or UTF-32 decides the encoding, at the earliest byte that
  /// settles it. Without a mark the encoding is params::fallback. FF FE 00 00 means UTF-32LE (WHATWG differs, because
  /// it has no UTF-32). If the text ends after FF FE or FF FE 00, it is UTF-16LE. Names: detect.
  detect,
  /// RFC 3629. Names: utf-8 utf8 csutf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8.
  utf8,
  /// RFC 2781 section 3.3: a byte order mark decides the byte order; without one the text is big-endian. Output is
  /// big-endian. Names: utf-16 utf16 csutf16.
  utf16,
  /// Always little-endian. An initial U+FEFF is a character; only bom::strip, add, require and reject treat it as a
  /// signature. The same holds for utf16be, utf32le and utf32be. Names: utf-16le utf16le csutf16le.
  utf16le,
  /// Always big-endian. Names: utf-16be utf16be csutf16be.
  utf16be,
  /// Unicode D101: a byte order mark decides the byte order; without one the text is big-endian. Output is big-endian.
  /// Names: utf-32 utf32 csutf32.
  utf32,
  /// Always little-endian. Names: utf-32le utf32le csutf32le.
  utf32le,
  /// Always big-endian. Names: utf-32be utf32be csutf32be.
  utf32be,
  /// Unicode Technical Report 26: a supplementary character is a pair of surrogates, of three bytes each. There is no
  /// signature. Names: cesu-8 cesu8 cscesu8 cscesu-8.
  cesu8,
  /// ISO-8859-1: the value of each byte is its code point. Names: iso-8859-1 iso_8859-1 iso_8859-1:1987 iso8859-1
  /// iso88591 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1.
  latin1,
  /// The WHATWG index "windows-1252", which maps all 256 bytes. Names: windows-1252 windows1252 cswindows1252 cp1252
  /// x-cp1252.
  windows1252,
  /// RFC 1489, for Russian. Names: koi8-r koi8r cskoi8r koi koi8 koi8_r.
  koi8r,
};

/// The preferred MIME name of the IANA character set registry, such as "UTF-16LE"; "detect" for encoding::detect;
/// "unknown" for a value without an enumerator. Complexity: linear in the number of encodings.
UTFILTER_API std::string_view encoding_name(encoding) noexcept;

/// The name that encoding_name returns, as a std::string. Complexity: that of encoding_name. Throws std::bad_alloc.
inline std::string to_string(encoding e) { return std::string(encoding_name(e)); }

/// All names of an encoding that encoding_from_name accepts, separated by spaces: the preferred name first, then the
/// others in lower case. "unknown" for a value without an enumerator. For programs that list the names. Complexity:
/// linear in the number of encodings.
UTFILTER_API std::string_view encoding_names(encoding) noexcept;

/// The encoding with this name, in any mixture of upper and lower case (ASCII). std::nullopt if no enumerator lists the
/// name.
///
/// Names and aliases mean what the IANA registry says, even if WHATWG gives the same label another meaning: "utf-16" is
/// not UTF-16LE here, and "iso-8859-1" is not windows-1252.
///
/// ```cpp
/// const auto from = utfilter::encoding_from_name("Latin1");
/// assert(from && utfilter::encoding_name(*from) == "ISO-8859-1");
/// ```
///
/// Complexity: linear in the number of names.
UTFILTER_API std::optional<encoding> encoding_from_name(std::string_view name) noexcept;

/// A range of encodings to loop over; encodings() returns it. Its elements live as long as the program.
///
/// ```cpp
/// const utfilter::encoding_list all = utfilter::encodings();
/// assert(all.begin() != all.end() && *all.begin() == utfilter::encoding::utf8);
/// ```
///
/// Throws nothing. Complexity: each member takes constant time. Thread safety: that of a plain value, such as an int.
class encoding_list {
 public:
  /// @{
  /// Iterators: the first encoding, and one past the last.
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

/// Whether a text in this encoding may begin with a signature (byte order mark). True for detect, which looks for
/// several signatures; false for a value without an enumerator. Complexity: constant.
UTFILTER_API bool has_signature(encoding) noexcept;

/// Whether the signature of a text, or its absence, decides how the text is read. True for detect, utf16 and utf32, and
/// for no other value. Complexity: constant.
UTFILTER_API bool is_decided_by_signature(encoding) noexcept;

/// The size of a code unit in bytes: 1, 2 or 4. For detect, and for a value without an enumerator, it is 1. Complexity:
/// constant.
UTFILTER_API std::size_t code_unit_size(encoding) noexcept;

/// Whether each character of the encoding is one byte, as in ISO-8859-1. False for detect, and for a value without an
/// enumerator. Complexity: constant.
UTFILTER_API bool is_single_byte(encoding) noexcept;

}  // namespace utfilter

#endif
