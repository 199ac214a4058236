// utf8_checker_test.cpp: UTF-8 that comes in pieces: every string of up to four boundary bytes, alone and within longer
// text, with every cut. A reference without code of the library says which byte is impossible.
// build: portable
#define BOOST_TEST_MODULE utf8_checker
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance_reference.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/utf8_checker.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace {

namespace reference = conformance::reference;
using texts::repeated;

bool is_one_character(const std::string& bytes) {
  const reference::item first = reference::decode(reference::encoding::utf8, bytes);
  return first.good && first.size == bytes.size();
}

/// Whether bytes can follow that make this the start of a character.
bool can_begin_a_character(std::string_view bytes) {
  for (const std::string_view more :
       {"", "\x80", "\x90", "\xA0", "\x80\x80", "\x90\x80", "\xA0\x80", "\x90\x80\x80", "\x80\x80\x80"})
    if (is_one_character(std::string(bytes) + std::string(more))) return true;
  return false;
}

/// What a checker must say of a text.
struct verdict {
  std::size_t offset;  // of the first impossible byte, or the size of the text
  bool good, whole;
};
verdict verdict_on(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const reference::item next = reference::decode(reference::encoding::utf8, text.substr(at));
    if (!next.good) break;
    at += next.size;
  }
  for (std::size_t end = at + 1; end <= text.size(); ++end)
    if (!can_begin_a_character(text.substr(at, end - at))) return {end - 1, false, false};
  return {text.size(), true, at == text.size()};
}

/// Takes the text in three pieces. Returns whether the checker says what it must after each piece.
bool is_right(std::string_view text, std::size_t first_cut, std::size_t second_cut, const verdict& expected) {
  utfilter::utf8_checker checker;
  std::size_t taken = 0;
  for (const std::size_t end : {first_cut, second_cut, text.size()}) {
    const bool good = checker.take(text.substr(taken, end - taken));
    taken = end;
    const bool still_good = expected.good || expected.offset >= end;
    if (good != still_good || checker.offset() != std::min(end, expected.offset)) return false;
  }
  return checker.is_whole() == expected.whole;
}

template <class Each>
void for_each_string(std::size_t longest, Each&& each) {
  constexpr std::string_view bytes =
      "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xED\xEF\xF0\xF1\xF4\xF5\xFF";
  std::string text;
  const auto extend = [&](const auto& self) -> void {
    each(text);
    if (text.size() == longest) return;
    for (const char byte : bytes) {
      text += byte;
      self(self);
      text.pop_back();
    }
  };
  extend(extend);
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_strings_with_every_cut) {
  tally cases;
  for_each_string(4, [&](const std::string& text) {
    const verdict expected = verdict_on(text);
    for (std::size_t first = 0; first <= text.size(); ++first)
      for (std::size_t second = first; second <= text.size(); ++second)
        cases.check(is_right(text, first, second, expected), "cut in three pieces", text);
  });
  cases.summary();
}

// Text before and after the string is long enough for the kernels, and for the words of the short way.
BOOST_AUTO_TEST_CASE(strings_within_text_of_every_length) {
  tally cases;
  for_each_string(3, [&](const std::string& middle) {
    if (!brief::takes_next()) return;
    for (const std::string& before :
         {repeated("a", 100), repeated("\xE3\x81\x82", 100), std::string("ab"), repeated("\xF0\x9F\x98\x80", 7)})
      for (const std::string& after : {std::string(), repeated("a", 200), repeated("\xC3\xA9", 40)}) {
        const std::string text = before + middle + after;
        const verdict expected = verdict_on(text);
        for (const std::size_t around : {before.size(), before.size() + middle.size()})
          for (std::size_t cut = around - std::min<std::size_t>(around, 5); cut <= std::min(around + 5, text.size());
               ++cut)
            cases.check(is_right(text, 0, cut, expected), "cut near the string", text);
      }
  });
  cases.summary();
}

BOOST_AUTO_TEST_CASE(each_size_of_a_piece) {
  tally cases;
  for (const std::string& text : {repeated("a", 300), repeated("\xC3\xA9", 150), repeated("\xE3\x81\x82", 100),
                                  repeated("\xF0\x9F\x98\x80", 75), repeated("ab\xC3\xA9 ", 60)})
    for (const char* const end : {"", "\xFF", "\xE2\x82", "\x80"}) {
      const std::string whole = text + end;
      const verdict expected = verdict_on(whole);
      for (std::size_t piece = 1; piece <= whole.size(); ++piece) {
        utfilter::utf8_checker checker;
        bool good = true;
        for (std::size_t at = 0; at < whole.size(); at += piece)
          good = checker.take(whole.data() + at, std::min(piece, whole.size() - at));
        cases.check(
            good == expected.good && checker.offset() == expected.offset && checker.is_whole() == expected.whole,
            "pieces of one size", whole);
      }
    }
}

BOOST_AUTO_TEST_CASE(one_impossible_byte_at_each_place_of_ascii) {
  tally cases;
  for (std::size_t size = 1; size <= 1300; size += size == 200 ? 820 : 1)
    for (std::size_t place = 0; place < size; ++place) {
      std::string text(size, 'a');
      text[place] = '\xFF';
      utfilter::utf8_checker checker;
      const bool good = checker.take(text);
      cases.check(!good && checker.offset() == place && !checker.is_whole(), "one wrong byte", text);
    }
}

BOOST_AUTO_TEST_CASE(an_impossible_byte_sticks_until_reset) {
  utfilter::utf8_checker checker;
  BOOST_TEST(!checker.take("ab\xFF"));
  for (const std::string& more : {std::string("a"), std::string(), repeated("a", 300)}) {
    BOOST_TEST(!checker.take(more));
    BOOST_TEST(!checker.is_whole());
    BOOST_TEST(checker.offset() == 2u);
  }
  checker.reset();
  BOOST_TEST(checker.is_whole());
  BOOST_TEST(checker.offset() == 0u);
  BOOST_TEST(checker.take("a"));
}

BOOST_AUTO_TEST_CASE(an_empty_piece_may_be_null) {
  utfilter::utf8_checker checker;
  BOOST_TEST(checker.take(nullptr, 0));
  BOOST_TEST(checker.take(std::string_view()));
  BOOST_TEST(checker.is_whole());
  BOOST_TEST(checker.take("\xE2"));
  BOOST_TEST(checker.take(nullptr, 0));
  BOOST_TEST(!checker.is_whole());
}

BOOST_AUTO_TEST_CASE(a_copy_goes_on_from_the_same_place) {
  utfilter::utf8_checker checker;
  BOOST_TEST(checker.take("\xE2\x82"));
  utfilter::utf8_checker copy = checker;
  BOOST_TEST(copy.take("\xAC"));
  BOOST_TEST(copy.is_whole());
  BOOST_TEST(!checker.take("a"));
  BOOST_TEST(checker.offset() == 2u);
}

BOOST_AUTO_TEST_CASE(a_checker_is_small) { BOOST_TEST(sizeof(utfilter::utf8_checker) <= 64u); }
