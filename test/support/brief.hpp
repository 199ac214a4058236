// brief.hpp: how much is gone through of what is alike.
#ifndef UTFILTER_TEST_BRIEF_HPP
#define UTFILTER_TEST_BRIEF_HPP

#include <cstddef>

namespace brief {

/// Of many cases that are alike every nth: each one; without the long tests, as where a sanitizer makes them
/// take many times as long, each fourth.
#ifdef UTFILTER_BRIEF
inline constexpr std::size_t nth = 4;
#else
inline constexpr std::size_t nth = 1;
#endif

}  // namespace brief

#endif
