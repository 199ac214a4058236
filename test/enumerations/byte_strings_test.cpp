// byte_strings_test.cpp: every kernel table that this processor can run validates every string of one to four bytes.
// The grammar of RFC 3629 section 4 says how many bytes are well-formed, and how many characters and line feeds are in
// them. The strings of four bytes take minutes.
// build: long optimised exhaustive kernels needs:utfilter_oracles
#define BOOST_TEST_MODULE byte_strings
#include <boost/test/unit_test.hpp>

#include "support/exhaustive.hpp"
#include "support/expected_kernels.hpp"
#include "support/oracles.hpp"
#include "support/tally.hpp"

#include "kernels/kernels.hpp"

#include <bitset>
#include <cstdint>
#include <string_view>

namespace {

using oracles::prefix;
using utfilter::detail::kernel_table;
using utfilter::detail::run;
using utfilter::detail::usable_kernels;

/// Validates the text with each table.
class examination {
 public:
  void check(const unsigned char* text, std::size_t size, prefix expected) {
    const auto* in = reinterpret_cast<const char*>(text);
    for (const kernel_table* const* table = usable_kernels(); *table != nullptr; ++table) {
      const run got = (*table)->validate_utf8(in, size);
      if (tally_.failed(got.consumed == expected.bytes && got.produced == expected.bytes &&
                        got.characters == expected.characters && got.line_feeds == expected.line_feeds))
        BOOST_ERROR((*table)->name << ": " << hexadecimal({in, size}));
    }
    well_formed_ += expected.bytes == size;
  }

  void summary(std::string_view of) const {
    tally_.summary(of);
    std::cout << well_formed_ << " of the strings are well-formed\n";
  }
  std::uint64_t well_formed() const { return well_formed_; }

 private:
  tally tally_;
  std::uint64_t well_formed_ = 0;
};

const oracles::short_strings& rfc3629() {
  static const oracles::short_strings instance;
  return instance;
}

template <class Visit>
void for_each_three_bytes(Visit visit) {
  unsigned char text[4];
  for (unsigned bits = 0; bits < 1 << 24; ++bits) {
    for (const int i : {0, 1, 2}) text[i] = static_cast<unsigned char>(bits >> 8 * (2 - i));
    visit(text);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_string_of_up_to_three_bytes_is_judged_by_the_grammar) {
  examination short_ones;
  for (unsigned bits = 0; bits < 1 << 16; ++bits) {
    const unsigned char text[] = {static_cast<unsigned char>(bits >> 8), static_cast<unsigned char>(bits)};
    short_ones.check(text, 2, rfc3629().walk(text, 2));
    if (text[1] == 0) short_ones.check(text, 1, rfc3629().walk(text, 1));
  }
  for_each_three_bytes([&](const unsigned char* text) { short_ones.check(text, 3, rfc3629().of_three(text)); });
  short_ones.summary("strings of one to three bytes");
  // 128 + 128 * 128 + 1920 + 128 * 128 * 128 + 2 * 128 * 1920 + 61440: characters of one to three bytes in every order.
  BOOST_TEST(short_ones.well_formed() == 2'668'544u);
}

BOOST_AUTO_TEST_CASE(every_string_of_four_bytes_is_judged_by_the_grammar, *exhaustive()) {
  examination long_ones;
  for_each_three_bytes([&](unsigned char* text) {
    const prefix three = rfc3629().of_three(text);
    const std::bitset<256> ends = rfc3629().ends_of(text);
    for (unsigned last = 0; last < 256; ++last) {
      text[3] = static_cast<unsigned char>(last);
      long_ones.check(text, 4,
                      ends[last] ? prefix{4, static_cast<std::uint8_t>(three.characters + 1),
                                          static_cast<std::uint8_t>(three.line_feeds + (last == 0x0A))}
                                 : three);
    }
  });
  long_ones.summary("strings of four bytes");
  BOOST_TEST(long_ones.well_formed() == 383'270'912u);
}
