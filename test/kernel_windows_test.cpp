// kernel_windows_test.cpp: every short window of boundary values in an otherwise plain text, at each offset of a block and across the
// seam to the next, by every kernel table that this processor can run, against the scalar table: what is consumed, produced and
// counted, and the output. The scalar table is held against the specifications by byte_strings_test, code_unit_pairs_test and
// kernel_test.
#define BOOST_TEST_MODULE kernel_windows
#include <boost/test/unit_test.hpp>

#include "exhaustive.hpp"
#include "kernel_list.hpp"
#include "tally.hpp"
#include "texts.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

using kernel_list::conversion;
using kernel_list::conversions;
using kernel_list::encoding;
using kernel_list::operator==;
using utfilter::detail::kernel_table;
using utfilter::detail::run;
using utfilter::detail::scalar_kernels;
using utfilter::detail::usable_kernels;

constexpr std::size_t block = 64;  // bytes: the largest of any table

/// The values on both sides of every bound of an encoding, as they stand in memory.
std::vector<std::string> boundaries(encoding e) {
  std::vector<std::string> values;
  switch (e) {
    case encoding::utf8:
      for (const char c : std::string_view("\x00\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF", 24))
        values.emplace_back(1, c);
      break;
    case encoding::utf16le:
    case encoding::utf16be:
      for (const char32_t unit : {0x0000u, 0x000Au, 0x007Fu, 0x0080u, 0x00FFu, 0x0100u, 0x07FFu, 0x0800u, 0x0A00u, 0x7FFFu, 0x8000u, 0xD7FFu, 0xD800u,
                                  0xDBFFu, 0xDC00u, 0xDFFFu, 0xE000u, 0xFEFFu, 0xFFFFu})
        values.push_back(texts::utf16({unit}, e == encoding::utf16le));
      break;
    case encoding::utf32le:
    case encoding::utf32be:
      for (const char32_t unit : {0x0000u, 0x000Au, 0x007Fu, 0x0080u, 0x00FFu, 0x0100u, 0x07FFu, 0x0800u, 0x0A00u, 0xD7FFu, 0xD800u, 0xDFFFu,
                                  0xE000u, 0xFFFFu, 0x10000u, 0x10FFFFu, 0x110000u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu})
        values.push_back(texts::utf32({unit}, e == encoding::utf32le));
      break;
    default:
      for (const char c : std::string_view("\x00\x0A\x7F\x80\x9F\xA0\xFF", 7)) values.emplace_back(1, c);
  }
  return values;
}

/// Of what plain text consists, for which kernels have ways of their own.
std::vector<std::string> characters(encoding e) {
  std::vector<std::string> all;
  for (const char32_t c : {U'a', U'\u00E9', U'\u3042', U'\U0001F600'}) {
    switch (e) {
      case encoding::utf8: all.push_back(texts::utf8({c})); break;
      case encoding::utf16le:
      case encoding::utf16be: all.push_back(texts::utf16({c}, e == encoding::utf16le)); break;
      case encoding::utf32le:
      case encoding::utf32be: all.push_back(texts::utf32({c}, e == encoding::utf32le)); break;
      default:
        if (c < 0x100) all.emplace_back(1, static_cast<char>(c));
    }
  }
  return all;
}

/// Puts windows into texts and compares the tables.
class examination {
 public:
  /// Every window of `length` boundary values of the encoding, at each offset of the second of three blocks.
  void all_windows(const char* name, encoding from, std::size_t length) {
    values_                  = boundaries(from);
    const std::size_t unit   = values_.front().size();
    const auto        plain  = characters(from);
    const std::string filler = plain.front();
    const auto        write  = [&](std::size_t begin, std::size_t end, const std::string& character) {
      for (; end - begin >= character.size(); begin += character.size()) std::memcpy(in_ + begin, character.data(), character.size());
      for (; begin != end; begin += unit) std::memcpy(in_ + begin, filler.data(), unit);
    };
    for (const std::string& character : plain) {
      for (std::size_t at = block; at < 2 * block; at += unit) {
        write(0, at, character);
        write(at + length * unit, 3 * block, character);
        fill(from, at, length);
      }
    }
    tally_.summary("windows of " + std::to_string(length) + " of " + std::to_string(values_.size()) + " values, " + name);
    tally_ = {};
  }

 private:
  void fill(encoding from, std::size_t at, std::size_t left) {
    if (left == 0) return compare(from);
    for (const std::string& value : values_) {
      std::memcpy(in_ + at, value.data(), value.size());
      fill(from, at + value.size(), left - 1);
    }
  }

  void compare(encoding from) {
    for (const conversion& c : conversions) {
      if (c.from != from) continue;
      const run expected = c.call(scalar_kernels, in_, sizeof in_, expected_, sizeof expected_);
      for (const kernel_table* const* table = usable_kernels(); *table != &scalar_kernels; ++table) {
        const run  got   = c.call(**table, in_, sizeof in_, out_, sizeof out_);
        const bool right = got == expected && (!c.writes || std::memcmp(out_, expected_, expected.produced) == 0);
        if (tally_.failed(right)) BOOST_ERROR((*table)->name << ", " << c.name << ": " << hexadecimal({in_, sizeof in_}));
      }
    }
  }

  std::vector<std::string> values_;
  alignas(block) char      in_[3 * block];
  alignas(block) char      out_[4 * sizeof in_], expected_[4 * sizeof in_];
  tally                    tally_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(short_windows, examination) {
  all_windows("UTF-8", encoding::utf8, 2);
  all_windows("UTF-16LE", encoding::utf16le, 2);
  all_windows("UTF-16BE", encoding::utf16be, 2);
  all_windows("UTF-32LE", encoding::utf32le, 2);
  all_windows("UTF-32BE", encoding::utf32be, 2);
  all_windows("ISO-8859-1", encoding::latin1, 2);
}

BOOST_FIXTURE_TEST_CASE(every_window_of_a_character_and_its_neighbours, examination, *exhaustive()) {
  all_windows("UTF-8", encoding::utf8, 4);
  all_windows("UTF-16LE", encoding::utf16le, 4);
  all_windows("UTF-16BE", encoding::utf16be, 4);
  all_windows("UTF-32LE", encoding::utf32le, 3);
  all_windows("UTF-32BE", encoding::utf32be, 3);
  all_windows("ISO-8859-1", encoding::latin1, 4);
}
