// uchardet_memory_test.cpp: without memory, uchardet has no verdict, and the program goes on. (Left out under sanitizers,
// because uchardet then leaks what its constructor has allocated.)
// build: unsanitized needs:utfilter::uchardet
#define BOOST_TEST_MODULE uchardet_memory
#include <boost/test/unit_test.hpp>

#include "support/counting_new.hpp"
#include "support/texts.hpp"

#include <utfilter/uchardet.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace {

BOOST_AUTO_TEST_CASE(without_memory_there_is_no_name) {
  // "Weather is fine today" in Russian, in KOI8-R.
  const std::string in =
      texts::repeated("\xF3\xC5\xC7\xCF\xC4\xCE\xD1 \xC8\xCF\xD2\xCF\xDB\xC1\xD1 \xD0\xCF\xC7\xCF\xC4\xC1.\n", 9);
  std::size_t without = 0;
  for (std::size_t n = 1, happened = 1; happened != 0; ++n) {
    failing_allocation failure(n, false);
    std::string_view name;
    failure.during([&] { name = utfilter::uchardet_guesser(in); });
    happened = failure.happened();
    without += name.empty();
    BOOST_TEST((name.empty() || name == "KOI8-R"), name);
    BOOST_TEST((happened || name == "KOI8-R"));
  }
  BOOST_TEST(without != 0u);
}

}  // namespace
