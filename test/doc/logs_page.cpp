// logs_page.cpp: runs the functions of doc/logs.md on text from strangers.
#include <boost/test/unit_test.hpp>

#include <utfilter/printable.hpp>

#include <sstream>
#include <string>
#include <string_view>

#include <logs.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(logs)

BOOST_AUTO_TEST_CASE(a_field_ends_no_line_and_forges_no_member) {
  BOOST_TEST(fields::record("eve\n[info]", "a\x1B[2J\xFF") == "eve\\x0A[info] cannot open a\\x1B[2J\\xFF\n");
  BOOST_TEST(fields::record("zo\u00EB", "/tmp/x") == "zo\u00EB cannot open /tmp/x\n");
  BOOST_TEST(fields::json_record("\",\"admin\":\"", "C:\\a\xFF") ==
             "{\"user\":\"\\\",\\\"admin\\\":\\\"\",\"path\":\"C:\\\\a\uFFFD\"}\n");
  BOOST_TEST(fields::json_record("", std::string(300, 'x')) ==
             "{\"user\":\"\",\"path\":\"" + std::string(197, 'x') + "\u2026\"}\n");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
