// byte_strings_test.cpp: every string of one to four bytes, by every kernel table that this processor can run, against the grammar
// of RFC 3629 section 4: how much of it is well-formed, and how many characters and line feeds that is. Those of four bytes take
// minutes.
#define BOOST_TEST_MODULE byte_strings
#include <boost/test/unit_test.hpp>

#include "exhaustive.hpp"
#include "oracles.hpp"
#include "tally.hpp"

#include "../src/kernels/kernels.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

using utfilter::detail::kernel_table;
using utfilter::detail::run;
using utfilter::detail::usable_kernels;

/// The well-formed start of a string.
struct prefix {
  std::uint8_t bytes, characters, line_feeds;
};

/// What the grammar says of strings of up to four bytes. It is walked along with the string: what it says of one of four bytes
/// follows from the first three and from the characters that the last one can end.
class grammar {
 public:
  grammar() : three_(1 << 24) {
    for (unsigned bits = 0; bits < 1 << 24; ++bits) {
      const unsigned char bytes[] = {static_cast<unsigned char>(bits >> 16), static_cast<unsigned char>(bits >> 8),
                                     static_cast<unsigned char>(bits)};
      three_[bits] = walk(bytes, 3);
    }
  }

  prefix of_three(const unsigned char* text) const {
    return three_[std::size_t{text[0]} << 16 | std::size_t{text[1]} << 8 | text[2]];
  }

  /// The well-formed start of the first `size` bytes, by matching one character after the other.
  prefix walk(const unsigned char* text, unsigned size) const {
    prefix result{};
    while (const std::size_t length = character_at(text + result.bytes, size - result.bytes)) {
      if (text[result.bytes] == 0x0A) ++result.line_feeds;
      result.bytes = static_cast<std::uint8_t>(result.bytes + length);
      ++result.characters;
    }
    return result;
  }

  /// The fourth bytes with which all four bytes are well-formed.
  std::bitset<256> ends_of(const unsigned char* three) const {
    const unsigned   begun = of_three(three).bytes;
    std::bitset<256> ends;
    for (const oracles::sequence& c : characters_) {
      if (c.size() != 4 - begun || !matches(c, three + begun, c.size() - 1)) continue;
      for (unsigned b = c.back().from; b <= c.back().to; ++b) ends.set(b);
    }
    return ends;
  }

 private:
  static bool matches(const oracles::sequence& c, const unsigned char* text, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      if (!c[i].contains(text[i])) return false;
    return true;
  }
  /// The bytes of the character that begins the text, 0 where none does.
  std::size_t character_at(const unsigned char* text, std::size_t size) const {
    for (const oracles::sequence& c : characters_)
      if (c.size() <= size && matches(c, text, c.size())) return c.size();
    return 0;
  }

  std::vector<oracles::sequence> characters_ = oracles::characters();
  std::vector<prefix>            three_;
};

/// Validates the text with each table.
class examination {
 public:
  void check(const unsigned char* text, std::size_t size, prefix expected) {
    // From memory that a compiler does not know.
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
  tally         tally_;
  std::uint64_t well_formed_ = 0;
};

const grammar& rfc3629() {
  static const grammar instance;
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

BOOST_AUTO_TEST_CASE(every_string_of_up_to_three_bytes) {
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

BOOST_AUTO_TEST_CASE(every_string_of_four_bytes, *exhaustive()) {
  examination long_ones;
  for_each_three_bytes([&](unsigned char* text) {
    const prefix           three = rfc3629().of_three(text);
    const std::bitset<256> ends  = rfc3629().ends_of(text);
    for (unsigned last = 0; last < 256; ++last) {
      text[3] = static_cast<unsigned char>(last);
      long_ones.check(text, 4, ends[last] ? prefix{4, static_cast<std::uint8_t>(three.characters + 1),
                                                   static_cast<std::uint8_t>(three.line_feeds + (last == 0x0A))}
                                          : three);
    }
  });
  long_ones.summary("strings of four bytes");
  BOOST_TEST(long_ones.well_formed() == 383'270'912u);
}
