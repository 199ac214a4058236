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

BOOST_AUTO_TEST_CASE(a_utfcat_built_without_uchardet_guesses_by_structure_and_says_what_brings_uchardet) {
  BOOST_TEST(run({"utfcat_without", "-f", "guess"}, "\xE9t\xE9\n") ==
             expected(0, "\u00E9t\u00E9\n",
                      "utfcat: -: read as windows-1252, which is an assumption: the text does not show its encoding "
                      "(--from names it, --legacy assumes another)\n"));
  BOOST_TEST(run({"utfcat_without", "-f", "guess", "--legacy", "uchardet"}, "") ==
             expected(2, "",
                      "utfcat: --legacy: this utfcat was built without uchardet, which needs Debian's package "
                      "libuchardet-dev and the build option UTFILTER_BUILD_UCHARDET\n"));
  BOOST_TEST(run({"utfcat_without", "--help"}).out.find("windows-1252 (default), or any but UTF-16") !=
             std::string::npos);
}
