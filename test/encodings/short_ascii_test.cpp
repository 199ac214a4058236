// short_ascii_test.cpp: short printable ASCII is recognised whatever its size is, and any other byte at any place in it.
// build: portable
#define BOOST_TEST_MODULE short_ascii
#include <boost/test/unit_test.hpp>

#include "support/guarded_memory.hpp"
#include "support/tally.hpp"

#include "unicode/ascii.hpp"

#include <cstddef>
#include <string>

BOOST_AUTO_TEST_CASE(every_byte_at_every_place_of_every_size) {
  using namespace utfilter::detail;
  const guarded_memory memory(4096);
  tally cases;
  for (const char filler : {' ', 'a', '~'})
    for (std::size_t size = 1; size <= short_ascii; ++size) {
      if (size > 40 && size % 16 > 1 && size % 16 < 15)
        continue;  // longer texts are alike but near a multiple of sixteen
      for (std::size_t at = 0; at < size; ++at)
        for (unsigned byte = 0; byte < 256; ++byte) {
          std::string text(size, filler);
          text[at] = static_cast<char>(byte);
          char* const from = memory.end() - size;
          text.copy(from, size);
          cases.check(is_short_ascii(from, size) == (byte >= 0x20 && byte <= 0x7E), "another answer", text);
        }
    }
  cases.summary("texts");
}
