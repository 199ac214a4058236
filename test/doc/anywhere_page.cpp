// anywhere_page.cpp: runs the function of doc/anywhere.md, which goes on where its last call ended.
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <anywhere.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(anywhere_page)
using namespace std::string_literals;

BOOST_AUTO_TEST_CASE(lines_are_read_from_where_the_last_call_ended) {
  const files::directory here;
  const std::string log = here / "log", state = here / "state";
  const auto next = [&](int lines) {
    std::string all;
    for (const std::string& line : anywhere_checkpoint::next_lines(log, state, lines)) all += line + '|';
    return all;
  };
  files::write(log, "\xFF\xFE"
                    "1\0\n\0\xAC\x20\r\0\n\0\x00\xDC\n\0"
                    "4\0"s);
  BOOST_TEST(next(1) == "1|");
  BOOST_TEST(next(9) == "\u20AC|\uFFFD|");
  BOOST_TEST(next(9) == "");
  std::ofstream(log, std::ios::binary | std::ios::app) << "4\0\n\0"s;
  BOOST_TEST(next(9) == "44|");
  files::write(state, "edited");
  BOOST_TEST(next(2) == "1|\u20AC|");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
