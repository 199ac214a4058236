// charsets_page.cpp: the code of charsets.md.
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"

#include <boost/iostreams/device/back_inserter.hpp>

#include <ios>
#include <sstream>
#include <string>

#include <charsets.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(charsets_page)

BOOST_AUTO_TEST_CASE(a_file_is_copied_and_its_errors_are_counted) {
  const files::temporary_file file("\xC4\xE3\n\xC4\"x\"\n");
  std::ostringstream out, log;
  charsets::copy_lines(file.path().string(), out, log);
  BOOST_TEST(out.str() == "\u4E2D\n\uFFFD\"x\"\n");
  BOOST_TEST(log.str() == file.path().string() + ": 1 errors\nline 2, column 1 (byte 3): truncated sequence: C4\n");
  BOOST_CHECK_THROW(charsets::copy_lines(file.path().string() + "x", out, log), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(a_gzipped_file_is_unpacked) {
  const auto gzipped = [](const std::string& text) {
    std::string bytes;
    boost::iostreams::filtering_ostream out;
    out.push(boost::iostreams::gzip_compressor());
    out.push(boost::iostreams::back_inserter(bytes));
    out << text;
    out.reset();
    return bytes;
  };
  std::ostringstream good, bad;
  charsets::unpack(files::temporary_file(gzipped("\xC4\xE3\xC5\xC6\n")).path().string(), good);
  BOOST_TEST(good.str() == "\u4E2D\u6587\n");
  BOOST_CHECK_EXCEPTION(charsets::unpack(files::temporary_file(gzipped("\xC4\xE3\n\xC4\"")).path().string(), bad),
                        utfilter::utf_error, [](const utfilter::utf_error& e) { return e.info().offset == 3; });
  BOOST_CHECK_THROW(charsets::unpack("no such file", bad), std::ios_base::failure);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
