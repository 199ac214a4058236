// before_region.hpp: all headers that the vector kernels and their fragments (*.inc) need.
//
// A kernel file compiles a region of its source for one instruction set (`#pragma GCC target`). It must include its
// headers before that region. An inline function of a header that is included inside the region is compiled for that
// instruction set, and the linker may choose this copy for the whole program, also for processors without the
// instructions.
#ifndef UTFILTER_KERNELS_BEFORE_REGION_HPP
#define UTFILTER_KERNELS_BEFORE_REGION_HPP

#include "kernels/byte_table.hpp"
#include "kernels/kernels.hpp"
#include "kernels/positions.hpp"
#include "kernels/shuffles.hpp"
#include "kernels/vector_contract.hpp"
#include "unicode/byte_order.hpp"
#include "unicode/surrogates.hpp"
#include "unicode/utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

// UTFILTER_ONE_COPY: marks a function that stays one function. Without it g++ makes a copy for each constant that a caller
// gives it, such as the byte order.
#ifdef __clang__
#  define UTFILTER_ONE_COPY [[gnu::noinline]]
#else
#  define UTFILTER_ONE_COPY [[gnu::noinline, gnu::noclone]]
#endif

#endif
