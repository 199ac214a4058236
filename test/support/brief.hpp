// brief.hpp: how many of many similar cases a test goes through.
#ifndef UTFILTER_TEST_BRIEF_HPP
#define UTFILTER_TEST_BRIEF_HPP

#include <boost/test/unit_test.hpp>

#include <cstddef>

namespace brief {

/// Of many similar cases every nth: each one, but each fourth where long tests are left out, as where a sanitizer makes
/// them take many times as long.
#ifdef UTFILTER_BRIEF
inline constexpr std::size_t nth = 4;
#else
inline constexpr std::size_t nth = 1;
#endif

/// Leaves a test case out there: it takes longest, and the same paths as others.
inline auto left_out() { return boost::unit_test::enable_if<nth == 1>(); }

}  // namespace brief

#endif
