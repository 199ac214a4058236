// expected_kernels.hpp: a program that includes this goes through every kernel table that the processor can run, and
// says which those are. Where UTFILTER_EXPECTED_KERNELS names them, the best first and with spaces between, it fails
// with any others: a table that is not there would be left out unseen.
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
