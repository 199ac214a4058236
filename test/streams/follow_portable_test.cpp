// follow_portable_test.cpp: following with the code for systems without POSIX. On other systems this program has its own
// copy of that code.
// build: portable by_itself cost:5
#define BOOST_TEST_MODULE follow_portable
#ifndef _WIN32  // there the library has this code
#  define UTFILTER_BUILDING_STREAMS
#  include "streams/follow_streambuf.cpp"
#  include "streams/growing_file_portable.cpp"
#endif

#include <tuple>

namespace follow_cases {

struct by_polling {
  static constexpr bool polls = true;
#ifdef _WIN32
  static constexpr bool renames = false;  // Windows renames no file that is open
#else
  static constexpr bool renames = true;
#endif
};
using ways = std::tuple<by_polling>;

}  // namespace follow_cases

#include "streams/follow_cases.hpp"
