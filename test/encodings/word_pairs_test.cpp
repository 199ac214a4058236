// word_pairs_test.cpp: the pairs of bytes that tell an encoding, in every cut of a text.
// build: portable
#define BOOST_TEST_MODULE word_pairs
#include <boost/test/unit_test.hpp>

#include "encodings/word_pairs.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using utfilter::detail::word_pairs;

struct row {
  std::string_view text;
  std::string_view pairs;  // of all bytes, one pair after the other
  std::size_t skipped;     // bytes
};

const row table[] = {
    {"", "", 0},
    {"no such word", "", 12},
    {"\xE9", " \xE9\xE9 ", 0},
    {"caf\xE9", " ccaaff\xE9\xE9 ", 3},
    {"(caf\xE9)", "(ccaaff\xE9\xE9)", 4},
    {"a caf\xE9s b", " ccaaff\xE9\xE9ss ", 6},
    {"1\xE9"
     "2\xE9-\xE9",
     "1\xE9\xE9"
     "22\xE9\xE9--\xE9\xE9 ",
     1},
    {"\xC3\xA9t\xC3\xA9.\nThe end", " \xC3\xC3\xA9\xA9tt\xC3\xC3\xA9\xA9.", 8},
    // Of a long word only the last letters of ASCII count, as if the word went on before them.
    {"abcdefghijklmno\xE9",
     " aabbccddeeffgghhiijjkkllmmnno"
     "o\xE9\xE9 ",
     15},
    {"0abcdefghijklmnop\xE9",
     "abbccddeeffgghhiijjkkllmmnnoop"
     "p\xE9\xE9 ",
     17},
};

struct collector {
  word_pairs words;
  std::string pairs;

  void operator()(std::uint8_t before, std::uint8_t after) {
    pairs += static_cast<char>(before);
    pairs += static_cast<char>(after);
  }
  void feed(std::string_view piece) {
    words.feed(piece, [this](std::uint8_t before, std::uint8_t after) { (*this)(before, after); });
  }
  void finish() {
    words.finish([this](std::uint8_t before, std::uint8_t after) { (*this)(before, after); });
  }
};

BOOST_AUTO_TEST_CASE(the_pairs_are_those_of_words_beyond_ascii) {
  for (const row& r : table)
    for (std::size_t cut = 0; cut <= r.text.size(); ++cut) {
      collector found;
      found.feed(r.text.substr(0, cut));
      found.feed(r.text.substr(cut));
      found.finish();
      BOOST_TEST(found.pairs == r.pairs, "\"" << r.text << "\": " << found.pairs);
      BOOST_TEST(found.words.skipped() == r.skipped);
    }
}

BOOST_AUTO_TEST_CASE(the_pairs_do_not_depend_on_the_place_of_the_first_word) {
  for (std::size_t before = 0; before != 100; ++before) {
    const std::string text = std::string(before, '.') + "a\xE9.";
    collector whole, bytes;
    whole.feed(text);
    for (const char& c : text) bytes.feed(std::string_view(&c, 1));
    BOOST_TEST(whole.pairs == (before == 0 ? " aa\xE9\xE9." : ".aa\xE9\xE9."));
    BOOST_TEST(bytes.pairs == whole.pairs);
  }
}

}  // namespace
