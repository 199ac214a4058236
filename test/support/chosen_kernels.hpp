// chosen_kernels.hpp: the environment chooses the kernels of a test program. The library itself looks at the processor
// alone.
#ifndef UTFILTER_TEST_CHOSEN_KERNELS_HPP
#define UTFILTER_TEST_CHOSEN_KERNELS_HPP

/// Sets the kernel table that UTFILTER_KERNELS names; without a name the library chooses. Ends the process where the
/// processor has no such table, so that no test passes under another one. A program that is linked with
/// chosen_kernels.cpp does this at its start.
void choose_kernels_from_environment() noexcept;

#endif
