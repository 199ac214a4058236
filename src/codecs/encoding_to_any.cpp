// encoding_to_any.cpp: makes transcoders that write any encoding. A program that links this file has the tables of all
// encodings.
#include "encodings/encoding_scheme.hpp"

#include <utfilter/transcoder.hpp>

namespace utfilter {

transcoder transcoder::encoding_to_any(encoding to, bom b) noexcept { return writing(detail::scheme_of(to), b); }

}  // namespace utfilter
