// to_utf8_string_test.cpp: bytes in any encoding, and paths, become strings of UTF-8; and the encoding in which the system
// writes its texts.
// build: portable
#define BOOST_TEST_MODULE to_utf8_string
#include <boost/test/unit_test.hpp>

#include <utfilter/convert.hpp>

#include "support/conformance_rows.hpp"
#include "support/conformance_vocabulary.hpp"
#include "support/outcomes.hpp"
#include "support/same_error.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#ifdef _WIN32
#  ifndef NOMINMAX
#    define NOMINMAX  // libstdc++ for Windows defines it
#  endif
#  include <windows.h>
#endif

namespace {

using namespace std::string_literals;
using utfilter::encoding;
using utfilter::error_info;
using utfilter::on_error;
using utfilter::params;
using utfilter::to_utf8_string;
namespace fs = std::filesystem;
namespace reference = conformance::reference;

struct outcome {
  std::string text = {};
  std::optional<error_info> thrown = {};
};

outcome expected(encoding from, const params& p, const std::string& bytes) {
  const reference::setup setup{reference::filter_kind::decoder, conformance::to_reference(from),
                               conformance::to_reference(p)};
  const reference::converter converted(setup, bytes, false, true);
  const auto thrown = conformance::from_reference(converted.result().thrown);
  return {thrown ? "" : converted.result().output, thrown};
}

outcome outcome_of(encoding from, const params& p, const std::string& bytes) {
  try {
    return {to_utf8_string(bytes, from, p), {}};
  } catch (const utfilter::utf_error& error) {
    return {"", error.info()};
  }
}

BOOST_AUTO_TEST_CASE(bytes_in_each_encoding_become_what_the_reference_makes_of_them) {
  tally cases;
  std::mt19937 random(1);
  for (const encoding from : {encoding::utf8, encoding::utf16, encoding::utf16le, encoding::utf16be, encoding::utf32le,
                              encoding::latin1, encoding::windows1252, encoding::detect})
    for (const on_error policy :
         {on_error::strict, on_error::stop, on_error::replace, on_error::skip, on_error::escape})
      for (int turn = 0; turn < 60; ++turn) {
        std::string bytes(turn < 50 ? random() % 20 : 4090 + random() % 12, ' ');
        for (char& c : bytes) c = static_cast<char>(random() % 3 == 0 ? random() : 'a' + random() % 26);
        if (turn % 4 == 0) bytes.insert(0, "\xFF\xFE");
        params p;
        p.on_error = policy;
        if (turn % 8 == 1) p.error_limit = 1;
        const outcome want = expected(from, p, bytes), got = outcome_of(from, p, bytes);
        if (cases.failed(got.text == want.text && same_error(got.thrown, want.thrown)))
          BOOST_ERROR(to_string(from) << ", policy " << static_cast<int>(policy) << ": " << hexadecimal(bytes));
      }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(by_default_errors_are_replaced) {
  BOOST_TEST(to_utf8_string("caf\xE9", encoding::latin1) == "caf\u00E9");
  BOOST_TEST(to_utf8_string("caf\xE9", encoding::utf8) == "caf\uFFFD");
  BOOST_TEST(to_utf8_string("", encoding::utf16) == "");
  BOOST_TEST(to_utf8_string("\xFF\xFE\xE9\0"s, encoding::detect) == "\u00E9");
  BOOST_TEST(to_utf8_string("caf\xE9 au lait", encoding::guess) == "caf\u00E9 au lait");
}

BOOST_AUTO_TEST_CASE(a_repair_may_be_longer_than_the_text) {
  params p;
  p.on_error = on_error::replace;
  p.replacement = texts::repeated("\u20AC", 20);
  BOOST_TEST(to_utf8_string(std::string(3000, '\xFF'), encoding::utf8, p) == texts::repeated("\u20AC", 60000));
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_and_what_the_observer_throws_is_thrown) {
  BOOST_TEST(thrown_by<std::invalid_argument>([] {
               to_utf8_string("a", encoding::utf16, on_error::keep);
             }).find("utfilter: on_error::keep") == 0u);
  params p;
  p.observer = [](const error_info&) { throw 7; };
  BOOST_CHECK_THROW(to_utf8_string("a\xFF", encoding::utf8, p), int);
}

BOOST_AUTO_TEST_CASE(a_path_becomes_well_formed_text) {
  const fs::path plain(u"caf\u00E9/\U0001F600");
  BOOST_TEST(to_utf8_string(plain) == "caf\u00E9/\U0001F600");
  BOOST_TEST(to_utf8_string(fs::path()) == "");
  if constexpr (sizeof(fs::path::value_type) == 1) {
    const std::string bytes = "a\xFF\xE2\x82";
    BOOST_TEST(to_utf8_string(fs::path(fs::path::string_type(bytes.begin(), bytes.end()))) == "a\uFFFD\uFFFD");
  } else {
    const fs::path::value_type lone[] = {'a', static_cast<fs::path::value_type>(0xD83D), 0};
    BOOST_TEST(to_utf8_string(fs::path(lone)) == "a\uFFFD");
  }
}

// A string of any type converts to a path, too. It must not be taken for one.
BOOST_AUTO_TEST_CASE(strings_are_no_paths) {
  BOOST_TEST(to_utf8_string(std::wstring(L"a\u00E9")) == "a\u00E9");
  BOOST_TEST(to_utf8_string(u"a\u00E9") == "a\u00E9");
  BOOST_TEST(to_utf8_string(std::u32string_view(U"a\u00E9")) == "a\u00E9");
}

BOOST_AUTO_TEST_CASE(the_encoding_of_the_locale_is_that_of_the_system) {
#ifdef _WIN32
  const auto known = utfilter::encoding_from_name("cp" + std::to_string(GetACP()));
  BOOST_TEST((utfilter::locale_encoding() == known.value_or(encoding::detect)));
#else
  BOOST_REQUIRE(std::setlocale(LC_ALL, "C") != nullptr);
#  ifdef __GLIBC__
  BOOST_TEST(to_string(utfilter::locale_encoding()) == "US-ASCII");
#  endif
  if (std::setlocale(LC_ALL, "C.UTF-8") != nullptr)
    BOOST_TEST(to_string(utfilter::locale_encoding()) == "UTF-8");
  else
    std::puts("skipped: the encoding of C.UTF-8, because the system has no such locale");
  std::setlocale(LC_ALL, "C");
#endif
}

}  // namespace
