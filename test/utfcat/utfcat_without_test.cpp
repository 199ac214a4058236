// utfcat_without_test.cpp: runs a utfcat that was built without some formats and without the components.
// build: program:utfcat_without
#define BOOST_TEST_MODULE utfcat_without
#include "support/process.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include <string>

using namespace utfcat_runs;

// Boost.Iostreams may have been built without zstd and xz.
BOOST_AUTO_TEST_CASE(a_utfcat_built_without_some_formats_names_them) {
  const std::string zstd = compressed<io::zstd_compressor>("text\n"), xz = compressed<io::lzma_compressor>("text\n");
  BOOST_TEST(run({"utfcat_without", "-d"}, compressed<io::gzip_compressor>("text\n")) == expected(0, "text\n"));
  BOOST_TEST(run({"utfcat_without", "-d"}, zstd) ==
             expected(2, "", "utfcat: -: this is zstd data, which utfcat does not decompress (zstd -dc does)\n"));
  BOOST_TEST(run({"utfcat_without", "-d"}, xz) ==
             expected(2, "", "utfcat: -: this is xz data, which utfcat does not decompress (xz -dc does)\n"));
}

BOOST_AUTO_TEST_CASE(a_utfcat_built_without_components_guesses_by_the_letters_of_a_text) {
  // "All people are born" in windows-1251
  BOOST_TEST(
      run({"utfcat_without", "-f", "guess"}, "\xC2\xF1\xE5 \xEB\xFE\xE4\xE8 \xF0\xEE\xE6\xE4\xE0\xFE\xF2\xF1\xFF\n") ==
      expected(0, "\u0412\u0441\u0435 \u043B\u044E\u0434\u0438 "
                  "\u0440\u043E\u0436\u0434\u0430\u044E\u0442\u0441\u044F\n"));
  BOOST_TEST(run({"utfcat_without", "-f", "guess"}, "\xE9\n") ==
             expected(0, "\u00E9\n",
                      "utfcat: -: read as windows-1252, which is an assumption: the text does not show its encoding "
                      "(--from names it, --legacy assumes another)\n"));
  BOOST_TEST(run({"utfcat_without", "-f", "guess", "--legacy", "uchardet"}, "") ==
             expected(2, "",
                      "utfcat: --legacy: uchardet is gone: leave the option out, and the letters of the text tell its "
                      "encoding\n"));
}
