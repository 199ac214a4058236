// charsets_page.cpp: the code of charsets.md.
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"

#include <ios>
#include <sstream>
#include <string>

#include <charsets.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(charsets_page)

BOOST_AUTO_TEST_CASE(a_file_is_copied_and_its_errors_are_counted) {
  const files::temporary_file file("\x82\xA0\n\x82\"x\"\n");
  std::ostringstream out, log;
  charsets::copy_lines(file.path().string(), out, log);
  BOOST_TEST(out.str() == "\u3042\n\uFFFD\"x\"\n");
  BOOST_TEST(log.str() == file.path().string() + ": 1 errors\nline 2, column 1 (byte 3): truncated sequence: 82\n");
  BOOST_CHECK_THROW(charsets::copy_lines(file.path().string() + "x", out, log), std::ios_base::failure);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
