// signature_codec.hpp: the name that bom_codec had in 0.2. It goes in 0.4.
// layer: codecs
#ifndef UTFILTER_SIGNATURE_CODEC_HPP
#define UTFILTER_SIGNATURE_CODEC_HPP

#include <utfilter/bom_codec.hpp>

namespace utfilter {

/// @cond
using signature_codec [[deprecated("until 0.4: write bom_codec")]] = bom_codec;
/// @endcond

}  // namespace utfilter

#endif
