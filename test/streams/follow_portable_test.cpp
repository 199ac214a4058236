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

#ifndef _WIN32
#  include <sys/resource.h>
#  include <sys/stat.h>

namespace {

using namespace follow_cases;

BOOST_AUTO_TEST_CASE(a_pipe_is_refused) {
  scene here;
  BOOST_REQUIRE(mkfifo(here.file.c_str(), 0600) == 0);
  const auto why = caught<std::ios_base::failure>([&] { follow_streambuf(here.file, impatient<by_polling>()); });
  BOOST_TEST((why && why->code() == std::errc::invalid_seek));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_opened_is_named_with_the_reason) {
  scene here;
  files::write(here.file, "text");
  follow_streambuf log(here.path() / "none", impatient<by_polling>());
  rlimit before;
  BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none{0, before.rlim_max};
  BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  const auto why = caught<std::ios_base::failure>([&] { follow_streambuf(here.file, impatient<by_polling>()); });
  BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  BOOST_TEST((why && why->code() == std::errc::too_many_files_open));
  BOOST_TEST((why && std::string_view(why->what()).find(here.file.string()) != std::string_view::npos));
}

#  ifdef __linux__
// No process has memory at the address 0, so to read the start of this file is an error.
BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_gives_the_reason_and_is_not_taken_for_replaced) {
  std::error_code error;
  auto unreadable = detail::growing_file::open("/proc/self/mem", error);
  BOOST_REQUIRE(unreadable.is_open());
  char byte;
  BOOST_TEST(unreadable.read_at(0, &byte, 1, error) == 0u);
  BOOST_TEST((error == std::errc::io_error));

  scene here;
  files::write(here.file, "text");
  BOOST_TEST(!unreadable.is_replaced_at(here.file, {1, "a"}));
}
#  endif

}  // namespace
#endif
