// expected_kernels.hpp: for programs that test every kernel table that the processor can run. Prints the names of these
// tables. If UTFILTER_EXPECTED_KERNELS is set (names, the best first, separated by spaces) and differs, the test fails:
// otherwise nobody would notice that a table is missing, and so is not tested.
#ifndef UTFILTER_TEST_EXPECTED_KERNELS_HPP
#define UTFILTER_TEST_EXPECTED_KERNELS_HPP

#include <boost/test/unit_test.hpp>

#include "kernels/kernels.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

struct expected_kernels {
  expected_kernels() {
    std::string names;
    for (const auto* table = utfilter::detail::usable_kernels(); *table != nullptr; ++table)
      names += (names.empty() ? "" : " ") + std::string((*table)->name);
    std::cout << "kernels: " << names << std::endl;
    const char* const expected = std::getenv("UTFILTER_EXPECTED_KERNELS");
    if (expected != nullptr && *expected != '\0') BOOST_TEST(names == expected);
  }
};
BOOST_TEST_GLOBAL_FIXTURE(expected_kernels);

#endif
