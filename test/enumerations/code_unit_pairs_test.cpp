// code_unit_pairs_test.cpp: every kernel table that this processor can run converts every pair of UTF-16 code units, in
// both byte orders, like the scalar table. The scalar table must agree with the reference on every code unit next to
// one of each class. All tables must agree with the reference on every surrogate next to other units, in whole blocks.
// All pairs take minutes.
// build: long optimised exhaustive kernels
#define BOOST_TEST_MODULE code_unit_pairs
#include <boost/test/unit_test.hpp>

#include "support/conformance_reference.hpp"
#include "support/exhaustive.hpp"
#include "support/expected_kernels.hpp"
#include "support/kernel_list.hpp"
#include "support/tally.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace reference = conformance::reference;
using kernel_list::operator==;
using utfilter::detail::convert_kernel;
using utfilter::detail::kernel_table;
using utfilter::detail::run;
using utfilter::detail::scalar_kernels;
using utfilter::detail::usable_kernels;

struct byte_order {
  const char* name;
  bool little;
  convert_kernel kernel_table::*kernel;
};
constexpr byte_order byte_orders[] = {{"UTF-16LE", true, &kernel_table::utf16le_to_utf8},
                                      {"UTF-16BE", false, &kernel_table::utf16be_to_utf8}};

constexpr std::uint32_t code_units = 0x10000;

void store(char* to, std::uint32_t unit, bool little) {
  to[little ? 0 : 1] = static_cast<char>(static_cast<unsigned char>(unit));
  to[little ? 1 : 0] = static_cast<char>(static_cast<unsigned char>(unit >> 8));
}

bool is_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDFFF; }

/// Code units of each class, with the bounds of the classes. The classes are the units with one, two and three bytes in
/// UTF-8, both kinds of surrogates, and the units with a line feed in either byte.
constexpr std::uint32_t classes[] = {0x0000, 0x000A, 0x0041, 0x007F, 0x0080, 0x00FF, 0x0100, 0x07FF, 0x0800,
                                     0x0A00, 0x0A0A, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF};

/// The result of one kernel for a text.
struct attempt {
  attempt(convert_kernel kernel, const char* in, std::size_t size) : done(kernel(in, size, out, sizeof out)) {}
  std::string_view output() const { return {out, done.produced}; }

  char out[12];
  run done;
};
bool operator==(const attempt& a, const attempt& b) { return a.done == b.done && a.output() == b.output(); }

/// The result that the standards demand: the characters before the first error.
struct expectation {
  run done{};
  std::string output;

  void add_all(std::string_view text, bool little) {
    while (done.consumed < text.size()) {
      const reference::item next = reference::decode_utf16(text.substr(done.consumed), little);
      if (!next.good) break;
      output += reference::utf8(next.value);
      done.consumed += next.size;
      ++done.characters;
      done.line_feeds += next.value == U'\n';
    }
    done.produced = output.size();
  }
};
bool is_right(const attempt& tried, std::string_view text, bool little) {
  expectation expected;
  expected.add_all(text, little);
  return tried.done == expected.done && tried.output() == expected.output;
}

/// Every surrogate before and after each of the units, in the middle of a block and across a block boundary. There are
/// three blocks, so that kernels take the first two whole.
template <class Units>
void check_surrogates(const Units& units) {
  constexpr std::size_t block = 64, size = 3 * block;
  char text[size], output[3 * size];
  for (const byte_order& order : byte_orders) {
    tally cases;
    for (std::size_t i = 0; i < size; i += 2) store(text + i, U'a', order.little);
    for (const std::size_t place : {block - 2, block + 20}) {
      char* const at = text + place;
      expectation before;
      before.add_all({text, place}, order.little);
      expectation expected = before;
      const auto check = [&](std::uint32_t first, std::uint32_t second) {
        store(at, first, order.little);
        store(at + 2, second, order.little);
        expected.done = before.done;
        expected.output.resize(before.output.size());
        expected.add_all({text, size}, order.little);
        for (const kernel_table* const* table = usable_kernels(); *table != nullptr; ++table) {
          const run got = ((*table)->*order.kernel)(text, size, output, sizeof output);
          const bool right =
              got == expected.done && std::memcmp(output, expected.output.data(), expected.output.size()) == 0;
          cases.check(right, (*table)->name, {text, size});
        }
      };
      for (std::uint32_t surrogate = 0xD800; surrogate < 0xE000; ++surrogate)
        for (const std::uint32_t unit : units) {
          check(surrogate, unit);
          check(unit, surrogate);
        }
      store(at, U'a', order.little);
      store(at + 2, U'a', order.little);
    }
    cases.summary(std::string("surrogates before and after ") + std::to_string(std::size(units)) + " code units, " +
                  order.name);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_scalar_table_converts_every_code_unit_next_to_one_of_each_class) {
  tally units;
  for (const byte_order& order : byte_orders) {
    const convert_kernel kernel = scalar_kernels.*order.kernel;
    for (std::uint32_t unit = 0; unit < code_units; ++unit) {
      char text[4];
      store(text, unit, order.little);
      units.check(is_right({kernel, text, 2}, {text, 2}, order.little), order.name, {text, 2});
      for (const std::uint32_t beside : classes) {
        store(text, unit, order.little);
        store(text + 2, beside, order.little);
        units.check(is_right({kernel, text, 4}, {text, 4}, order.little), order.name, {text, 4});
        std::swap_ranges(text, text + 2, text + 2);
        units.check(is_right({kernel, text, 4}, {text, 4}, order.little), order.name, {text, 4});
      }
    }
  }
  units.summary("code units, alone, before and after one of each class, by the scalar table");
}

BOOST_AUTO_TEST_CASE(every_table_converts_surrogates_next_to_one_of_each_class_in_whole_blocks) {
  check_surrogates(classes);
}

BOOST_AUTO_TEST_CASE(every_table_converts_surrogates_next_to_every_code_unit_in_whole_blocks, *exhaustive()) {
  std::vector<std::uint32_t> all(code_units);
  std::iota(all.begin(), all.end(), 0u);
  check_surrogates(all);
}

BOOST_AUTO_TEST_CASE(every_table_converts_every_pair_of_code_units_as_the_scalar_one, *exhaustive()) {
  for (const byte_order& order : byte_orders) {
    tally pairs;
    char text[4];
    for (std::uint32_t first = 0; first < code_units; ++first) {
      store(text, first, order.little);
      for (std::uint32_t second = 0; second < code_units; ++second) {
        store(text + 2, second, order.little);
        const attempt expected(scalar_kernels.*order.kernel, text, 4);
        for (const kernel_table* const* table = usable_kernels(); *table != &scalar_kernels; ++table)
          pairs.check(attempt((*table)->*order.kernel, text, 4) == expected, (*table)->name, {text, 4});
      }
    }
    pairs.summary(std::string("pairs of code units, ") + order.name);
  }
}

// The same pairs next to each other in a long text, so that kernels take them in whole blocks. In each text one unit
// stands before and after every unit with the same or a higher value.
BOOST_AUTO_TEST_CASE(every_table_converts_every_pair_in_long_texts_as_the_scalar_one, *exhaustive()) {
  static char text[4 * code_units + 2], expected[6 * code_units + 3], output[sizeof expected];
  for (const byte_order& order : byte_orders) {
    tally texts;
    for (std::uint32_t first = 0; first < code_units; ++first) {
      if (is_surrogate(first)) continue;
      char* end = text;
      for (std::uint32_t second = first; second < code_units; ++second) {
        if (is_surrogate(second)) continue;
        store(end, first, order.little);
        store(end + 2, second, order.little);
        end += 4;
      }
      store(end, first, order.little);
      const auto size = static_cast<std::size_t>(end + 2 - text);
      const run right = (scalar_kernels.*order.kernel)(text, size, expected, sizeof expected);
      BOOST_TEST_REQUIRE(right.consumed == size);
      for (const kernel_table* const* table = usable_kernels(); *table != &scalar_kernels; ++table) {
        const run got = ((*table)->*order.kernel)(text, size, output, sizeof output);
        texts.check(got == right && std::memcmp(output, expected, right.produced) == 0, (*table)->name, {text, 2});
      }
    }
    texts.summary(std::string("texts of all pairs with one code unit, ") + order.name);
  }
}
