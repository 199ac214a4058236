// formats.hpp: knows formats of files that are no text by their first bytes.
#ifndef UTFILTER_ENCODINGS_FORMATS_HPP
#define UTFILTER_ENCODINGS_FORMATS_HPP

#include <string_view>

namespace utfilter::detail {

/// The format of a picture, an archive, a program, a font or a document, such as "PNG", by the first bytes of the file.
/// Empty for text, and for formats that are not known here. The name lives as long as the program. Complexity: constant.
std::string_view format_of(std::string_view start) noexcept;

}  // namespace utfilter::detail

#endif
