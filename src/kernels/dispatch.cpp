// dispatch.cpp: chooses the kernel table for this processor.
#include "kernels.hpp"

namespace utfilter::detail {

const kernel_table& kernels() noexcept { return scalar_kernels; }

}  // namespace utfilter::detail
