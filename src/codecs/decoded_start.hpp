// decoded_start.hpp: decodes the start of a text in an encoding whose row is known.
#ifndef UTFILTER_CODECS_DECODED_START_HPP
#define UTFILTER_CODECS_DECODED_START_HPP

#include "encodings/encoding_scheme.hpp"

#include <utfilter/detail/decoded_start.hpp>

#include <string>
#include <string_view>

namespace utfilter::detail {

/// As decode_unicode_start, but for a text that has no byte order mark.
std::string decode_start(const encoding_scheme&, std::string_view bytes, decoded_start&);

}  // namespace utfilter::detail

#endif
