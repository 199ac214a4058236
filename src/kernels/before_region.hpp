// before_region.hpp: all headers of the vector kernels and their fragments (*.inc). A file that opens the region of an
// instruction set includes this before: what is included inside the region is compiled for that instruction set, and
// the linker may take it for all.
#ifndef UTFILTER_KERNELS_BEFORE_REGION_HPP
#define UTFILTER_KERNELS_BEFORE_REGION_HPP

#include "kernels/kernels.hpp"
#include "kernels/positions.hpp"
#include "kernels/reference.hpp"
#include "kernels/shuffles.hpp"
#include "kernels/vector_contract.hpp"
#include "unicode/byte_order.hpp"
#include "unicode/latin1.hpp"
#include "unicode/surrogates.hpp"
#include "unicode/utf16.hpp"
#include "unicode/utf32.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#endif
