// uchardet_test.cpp: with uchardet, encoding::guess finds legacy encodings; what uchardet says does not count if the text
// does not fit.
// build: needs:utfilter::uchardet
#define BOOST_TEST_MODULE uchardet
#include <boost/test/unit_test.hpp>

#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/text.hpp>
#include <utfilter/uchardet.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;

namespace {

params with_uchardet() {
  params p;
  p.fallback = encoding::guess;
  p.guess_legacy = uchardet_guesser;
  return p;
}

// "The weather is fine today, and we go into the forest." in Russian, three times.
const std::string russian = texts::repeated(
    texts::utf8(U"\u0421\u0435\u0433\u043E\u0434\u043D\u044F \u0445\u043E\u0440\u043E\u0448\u0430\u044F "
                U"\u043F\u043E\u0433\u043E\u0434\u0430, \u0438 \u043C\u044B \u0438\u0434\u0451\u043C "
                U"\u0432 \u043B\u0435\u0441.\n"),
    3);

std::string encoded(const std::string& text, encoding e) {
  encoder to(e);
  std::string out(2 * text.size(), '\0');
  out.resize(to.convert(text.data(), text.size(), out.data(), out.size(), true).produced);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(russian_is_found_in_each_of_its_encodings) {
  for (const encoding e : {encoding::koi8r, encoding::windows1251, encoding::ibm866, encoding::iso8859_5}) {
    BOOST_TEST_CONTEXT(to_string(e)) {
      const std::string in = encoded(russian, e);
      BOOST_TEST(encoding_name(guess_encoding(in, with_uchardet())) == encoding_name(e));
      decoder text(with_uchardet());
      std::string out(2 * russian.size(), '\0');
      out.resize(text.convert(in.data(), in.size(), out.data(), out.size(), true).produced);
      BOOST_TEST(out == russian);
      BOOST_TEST((text.report().encoding == e));
      BOOST_TEST((text.report().decided_by == utfilter::evidence::statistics));
    }
  }
}

BOOST_AUTO_TEST_CASE(japanese_is_found_and_read) {
  // "Every human being is born free" and so on, in Shift_JIS
  const std::string in = texts::repeated(
      "\x82\xB7\x82\xD7\x82\xC4\x82\xCC\x90\x6C\x8A\xD4\x82\xCD\x81\x41\x90\xB6\x82\xDC\x82\xEA\x82\xC8\x82\xAA\x82\xE7"
      "\x82\xC9\x82\xB5\x82\xC4\x8E\xA9\x97\x52\x82\xC5\x82\xA0\x82\xE9\x81\x42\n"s,
      3);
  BOOST_TEST(uchardet_guesser(in) == "Shift_JIS");
  BOOST_TEST(guess_charset(in, with_uchardet()) == "Shift_JIS");
  // A library without the multi-byte encodings reads it as the legacy encoding.
  const encoding expected = encoding_from_name("Shift_JIS").value_or(encoding::windows1252);
  BOOST_TEST((guess_encoding(in, with_uchardet()) == expected));
}

BOOST_AUTO_TEST_CASE(the_names_are_those_of_the_library) {
  for (const encoding e : {encoding::koi8r, encoding::windows1251, encoding::mac_cyrillic}) {
    const std::string_view name = uchardet_guesser(encoded(russian, e));
    BOOST_TEST_REQUIRE(encoding_from_name(name).has_value());
    BOOST_TEST(name == encoding_name(*encoding_from_name(name)));
  }
}

BOOST_AUTO_TEST_CASE(without_a_verdict_there_is_no_name) {
  BOOST_TEST(uchardet_guesser("") == "");
  BOOST_TEST((guess_encoding("\xE9", with_uchardet()) == encoding::windows1252));
}

BOOST_AUTO_TEST_CASE(several_threads_may_ask) {
  const std::string in = encoded(russian, encoding::koi8r);
  std::vector<std::thread> threads;
  std::vector<std::size_t> right(4);
  for (std::size_t& n : right)
    threads.emplace_back([&] {
      for (int i = 0; i != 50; ++i) n += uchardet_guesser(in) == "KOI8-R";
    });
  for (std::thread& t : threads) t.join();
  for (const std::size_t n : right) BOOST_TEST(n == 50u);
}
