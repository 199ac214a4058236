// chosen_kernels.hpp: lets the environment choose the kernels of a test program. The library itself looks only at the
// processor.
#ifndef UTFILTER_TEST_CHOSEN_KERNELS_HPP
#define UTFILTER_TEST_CHOSEN_KERNELS_HPP

/// Selects the kernel table that UTFILTER_KERNELS names; without a name the library chooses. Ends the process if the
/// processor has no such table, so that no test passes with another table. A program that is linked with
/// chosen_kernels.cpp calls this at its start.
void choose_kernels_from_environment() noexcept;

#endif
