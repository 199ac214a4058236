// brief.hpp: how many of its similar cases a test runs.
#ifndef UTFILTER_TEST_BRIEF_HPP
#define UTFILTER_TEST_BRIEF_HPP

#include <boost/test/unit_test.hpp>

#include <cstddef>

namespace brief {

/// Of many similar cases a test runs every nth. That is every case, or every fourth if long tests are left out: under a
/// sanitizer, for example, each case takes many times as long.
#ifdef UTFILTER_BRIEF
inline constexpr std::size_t nth = 4;
#else
inline constexpr std::size_t nth = 1;
#endif

/// Leaves a test case out if long tests are left out. For cases that take the longest, and run the same code as others.
inline auto left_out() { return boost::unit_test::enable_if<nth == 1>(); }

}  // namespace brief

#endif
