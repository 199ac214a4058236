// kernel_windows_test.cpp: a window is a few boundary values in an otherwise plain text. Tries every short window at
// each offset of a block and across a block boundary, also in long texts, where a kernel takes other paths. Every
// kernel table that this processor can run is compared with the scalar table: what it consumes, produces and counts,
// its output, and the last line of the well-formed text. The tests byte_strings_test, code_unit_pairs_test and
// kernel_test compare the scalar table with the specifications.
// build: portable optimised kernels vector exhaustive
#define BOOST_TEST_MODULE kernel_windows
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/exhaustive.hpp"
#include "support/expected_kernels.hpp"
#include "support/kernel_list.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace kernel_list;
using texts::text32;

constexpr std::size_t block = 64;  // bytes: the largest block of any table

/// The values on both sides of every bound of an encoding, as bytes in memory.
std::vector<std::string> boundaries(encoding e) {
  switch (e) {
    case encoding::utf8: return units(e, "00 0A 7F 80 8F 90 9F A0 BF C0 C1 C2 DF E0 E1 EC ED EE EF F0 F1 F3 F4 F5 FF");
    case encoding::utf16le:
    case encoding::utf16be:
      return units(e, "0000 000A 007F 0080 00FF 0100 07FF 0800 0A00 7FFF 8000 D7FF D800 DBFF DC00 DFFF E000 FEFF FFFF");
    case encoding::utf32le:
    case encoding::utf32be:
      return units(e,
                   "00000000 0000000A 0000007F 00000080 000000FF 00000100 000007FF 00000800 00000A00 0000D7FF 0000D800 "
                   "0000DFFF 0000E000 0000FFFF 00010000 0010FFFF 00110000 7FFFFFFF 80000000 FFFFFFFF");
    default: return units(e, "00 0A 7F 80 9F A0 FF");
  }
}

/// The characters of the text that exist in the encoding.
std::vector<std::string> characters(encoding e, const text32& text) {
  std::vector<std::string> all;
  for (const char32_t c : text)
    if (std::string bytes = conformance::reference::encode(e, c); !bytes.empty()) all.push_back(std::move(bytes));
  return all;
}

/// The text around the windows.
struct surroundings {
  const char* name;
  text32 text;  // repeated
  std::size_t blocks;
  std::size_t begin, end;  // range of the offsets at which windows begin, in bytes
};

/// Plain texts, for which kernels have special paths.
const surroundings short_texts[] = {
    {"ASCII", U"a", 3, block, 2 * block},
    {"two bytes", U"\u00E9", 3, block, 2 * block},
    {"three bytes", U"\u3042", 3, block, 2 * block},
    {"four bytes", U"\U0001F600", 3, block, 2 * block},
};

/// One block in three is not ASCII.
const text32 sparse = text32(10, U'a') + U'\u00E9' + text32(180, U'a');

/// Twelve blocks of two-byte characters, a three-byte character, and so on.
const text32 interrupted = text32(12 * block / 2, U'\u00E9') + U'\u3042';

// The following texts lead kernels to the windows by each of their paths. For UTF-8 the paths after a first block are
// (ways.inc): up to four blocks of ASCII; one more block, which is checked; a step to where reading is aligned, if six
// blocks are left; then two blocks, four and so on. Of these blocks either all are checked, or only those marked as not
// ASCII. Where all are checked, blocks of one- and two-byte characters have a short check; after four of them and one
// other block it is tried again. In conversions to UTF-16 the fourth block of ASCII is a step to where the output is aligned.
const surroundings long_utf8[] = {
    {"four blocks of ASCII", U"a", 14, block, 5 * block},
    {"the step to alignment in ASCII", U"a", 14, 6 * block, 7 * block},
    {"marked after ASCII", U"a", 14, 10 * block, 11 * block},
    {"marked", sparse, 18, 7 * block, 8 * block},
    {"marked, one block that is not ASCII", sparse, 18, 9 * block, 10 * block},
    {"the step to alignment in two bytes", U"\u00E9", 10, 2 * block, 3 * block},
    {"the step to alignment in three bytes", U"\u3042", 10, 2 * block, 3 * block},
    {"two blocks of three bytes", U"\u3042", 10, 3 * block, 4 * block},
    {"after four blocks of two bytes", U"\u00E9", 20, 13 * block, 15 * block},
    {"two bytes after one block of three", interrupted, 20, 13 * block, 15 * block},
};

// The paths of the AVX-512 kernels to UTF-8: after a block of ASCII they take 64 ASCII characters at a time, and the
// fifth step ends where the output is aligned. From UTF-16, after three blocks in a row without characters of more than
// two bytes, a shortcut takes the next such characters.
const surroundings long_utf16[] = {
    {"the step to alignment", U"a", 16, 9 * block, 12 * block},
    {"nothing but two bytes", U"\u00E9", 10, 3 * block, 5 * block},
};
const surroundings long_utf32[] = {{"the step to alignment", U"a", 25, 17 * block, 22 * block}};
const surroundings long_latin1[] = {{"the step to alignment", U"a", 8, 4 * block, 6 * block}};

/// Puts windows into texts and compares the tables.
class examination {
 public:
  examination() {
    for (const conversion& c : conversions)
      for (const kernel_table* const* table = usable_kernels(); *table != nullptr; ++table)
        if (!c.is_scalar(**table) && (kernels_.empty() || kernels_.back().what != &c)) kernels_.push_back({&c, {}, {}});
  }

  /// Tries every window of `length` boundary values of the encoding. Input and output begin `shift` bytes after an
  /// aligned address.
  template <std::size_t N>
  void windows(std::string_view name, encoding from, std::size_t length, const surroundings (&all)[N],
               std::size_t shift = 0) {
    from_ = from;
    values_ = boundaries(from);
    in_ = in_memory_ + shift;
    out_ = out_memory_ + shift;
    for (const surroundings& around : all) put_into(around, length);
    tally_.summary("windows of " + std::to_string(length) + " of " + std::to_string(values_.size()) + " values, " +
                   std::string(name));
    tally_ = {};
  }
  void windows_in_short_texts(std::size_t length, std::size_t length_in_utf32) {
    windows("UTF-8", encoding::utf8, length, short_texts);
    windows("UTF-16LE", encoding::utf16le, length, short_texts);
    windows("UTF-16BE", encoding::utf16be, length, short_texts);
    windows("UTF-32LE", encoding::utf32le, length_in_utf32, short_texts);
    windows("UTF-32BE", encoding::utf32be, length_in_utf32, short_texts);
    windows("ISO-8859-1", encoding::latin1, length, short_texts);
  }
  void windows_in_long_texts(std::size_t length, std::size_t shift) {
    const std::string where = " in long texts, " + std::to_string(shift) + " bytes from alignment";
    windows("UTF-8" + where, encoding::utf8, length, long_utf8, shift);
    windows("UTF-16LE" + where, encoding::utf16le, length, long_utf16, shift);
    windows("UTF-16BE" + where, encoding::utf16be, length, long_utf16, shift);
    windows("UTF-32LE" + where, encoding::utf32le, length, long_utf32, shift);
    windows("UTF-32BE" + where, encoding::utf32be, length, long_utf32, shift);
    windows("ISO-8859-1" + where, encoding::latin1, length, long_latin1, shift);
  }

 private:
  void put_into(const surroundings& around, std::size_t length) {
    const auto text = characters(from_, around.text);
    if (text.empty()) return;
    name_ = around.name;
    size_ = around.blocks * block;
    BOOST_TEST_REQUIRE(size_ <= longest);

    const std::size_t unit = values_.front().size();
    const std::string filler = characters(from_, U"a").front();
    const auto write = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = 0; begin + text[i].size() <= end; begin += text[i].size(), i = (i + 1) % text.size())
        std::memcpy(in_ + begin, text[i].data(), text[i].size());
      for (; begin < end; begin += unit) std::memcpy(in_ + begin, filler.data(), unit);
    };
    for (begin_ = around.begin; begin_ < around.end; begin_ += unit) {
      write(0, begin_);
      write(begin_ + length * unit, size_);
      for (kernel& k : kernels_)
        if (k.what->from == from_)
          k.before = k.what->call(scalar_kernels, in_, begin_, k.output.data(), k.output.size());
      seen_ = 0;
      fill(begin_, length);
    }
  }

  void fill(std::size_t at, std::size_t left) {
    if (left == 0) {
      if (brief::takes_next_fast()) compare();
      return;
    }
    for (const std::string& value : values_) {
      std::memcpy(in_ + at, value.data(), value.size());
      fill(at + value.size(), left - 1);
    }
  }

  void compare() {
    std::size_t good = 0;
    for (kernel& k : kernels_) {
      if (k.what->from != from_) continue;
      // The scalar table goes from character to character. Its result for the text before the window is known already.
      run expected = k.before;
      if (expected.consumed == begin_)
        expected = sum(expected, k.what->call(scalar_kernels, in_ + begin_, size_ - begin_,
                                              &k.output[expected.produced], 4 * size_));
      good = expected.consumed;
      for (const kernel_table* const* table = usable_kernels(); *table != &scalar_kernels; ++table) {
        const run got = k.what->call(**table, in_, size_, out_, 4 * size_);
        const bool right =
            got == expected && (!k.what->writes || std::memcmp(out_, k.output.data(), expected.produced) == 0);
        if (tally_.failed(right))
          BOOST_ERROR((*table)->name << ", " << k.what->name << ", " << name_ << ": " << hexadecimal({in_, size_}));
      }
    }
    // If the kernels stop before the window or where they stopped last time, the last line is the same as before.
    if (good > begin_ || seen_ != good) compare_last_lines(good);
    seen_ = good;
  }

  void compare_last_lines(std::size_t size) {
    for (const line_counter& l : line_counters) {
      if (l.of != from_) continue;
      const line_end expected = (scalar_kernels.*l.kernel)(in_, size);
      for (const kernel_table* const* table = usable_kernels(); *table != &scalar_kernels; ++table) {
        const line_end got = ((*table)->*l.kernel)(in_, size);
        if (tally_.failed(got.bytes == expected.bytes && got.characters == expected.characters))
          BOOST_ERROR((*table)->name << ", " << l.name << ", " << name_ << ": " << hexadecimal({in_, size}));
      }
    }
  }

  static run sum(const run& a, const run& b) {
    return {a.consumed + b.consumed, a.produced + b.produced, a.characters + b.characters, a.line_feeds + b.line_feeds};
  }

  static constexpr std::size_t longest = 32 * block;

  /// A kernel that at least one table implements itself.
  struct kernel {
    const conversion* what;
    run before;  // the result of the scalar kernel for the text before the window
    std::array<char, 8 * longest> output;
  };

  encoding from_{};
  std::vector<std::string> values_;
  std::vector<kernel> kernels_;
  alignas(block) char in_memory_[longest + block], out_memory_[4 * longest + block];
  const char* name_ = nullptr;
  char *in_ = nullptr, *out_ = nullptr;
  std::size_t size_ = 0, begin_ = 0, seen_ = 0;
  tally tally_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(all_tables_agree_on_short_windows, examination) { windows_in_short_texts(2, 2); }

BOOST_FIXTURE_TEST_CASE(all_tables_agree_on_short_windows_in_long_texts, examination) { windows_in_long_texts(2, 24); }

BOOST_FIXTURE_TEST_CASE(all_tables_agree_on_every_window_of_a_character_and_its_neighbours, examination,
                        *exhaustive()) {
  windows_in_short_texts(4, 3);
}

BOOST_FIXTURE_TEST_CASE(all_tables_agree_on_every_window_of_a_character_in_long_texts, examination, *exhaustive()) {
  for (const std::size_t shift : {1u, 24u, 63u}) windows_in_long_texts(3, shift);
}
