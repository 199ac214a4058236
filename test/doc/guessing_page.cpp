// guessing_page.cpp: runs the functions of doc/guessing.md.
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"

#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

#include <ios>
#include <ostream>
#include <sstream>
#include <string>

#include <guessing.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(guessing_page)
using namespace std::string_literals;

BOOST_AUTO_TEST_CASE(lines_are_copied_and_the_encoding_is_logged) {
  const files::directory here;
  const auto copied = [&](const std::string& content) {
    files::write(here / "in", content);
    std::ostringstream out, log;
    guessing_copy::copy_lines(here / "in", out, log);
    return out.str() + log.str();
  };
  BOOST_TEST(copied("a\0b\0\n\0"s) == "ab\nUTF-16LE\n");
  BOOST_TEST(copied("caf\xE9\n") == "caf\u00E9\nwindows-1252\n");
  BOOST_TEST(copied("\xA9\n") == "\u00A9\nwindows-1252, an assumption\n");
  BOOST_CHECK_THROW(copied("\0\0\0"s), std::ios_base::failure);
  BOOST_TEST(copied("\xEF\xBB\xBF\n") == "\nUTF-8\n");
  std::ostringstream nothing;
  BOOST_CHECK_THROW(guessing_copy::copy_lines(here / "missing", nothing, nothing), std::ios_base::failure);
  BOOST_TEST(nothing.str() == "");
}

BOOST_AUTO_TEST_CASE(text_in_a_legacy_encoding_is_russian) {
  BOOST_TEST(
      (utfilter::guess_encoding("\xE4\xE0", guessing_legacy::for_russian_texts()) == utfilter::encoding::windows1251));
  BOOST_TEST((utfilter::guess_encoding("\xC4\xC1", guessing_legacy::for_russian_texts()) == utfilter::encoding::koi8r));
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
