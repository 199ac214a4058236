// windows1252.hpp: decodes a byte of windows-1252, for repairs.
#ifndef UTFILTER_ENCODINGS_WINDOWS1252_HPP
#define UTFILTER_ENCODINGS_WINDOWS1252_HPP

namespace utfilter::detail {

/// The code point of a byte of windows-1252.
char32_t windows1252_to_unicode(unsigned char) noexcept;

}  // namespace utfilter::detail

#endif
