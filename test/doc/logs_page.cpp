// logs_page.cpp: runs the functions of doc/logs.md on text from strangers.
#include <boost/test/unit_test.hpp>

#include <utfilter/printable.hpp>
#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>

#include <logs.hpp>

namespace io = boost::iostreams;

namespace {

/// A device that throws while it is full.
struct device {
  using char_type = char;
  using category = io::sink_tag;
  std::streamsize write(const char* s, std::streamsize n) {
    if (*full) throw std::ios_base::failure("full");
    text->append(s, static_cast<std::size_t>(n));
    return n;
  }
  bool* full;
  std::string* text;
};

BOOST_AUTO_TEST_SUITE(logs)

BOOST_AUTO_TEST_CASE(a_field_ends_no_line_and_forges_no_member) {
  BOOST_TEST(fields::record("eve\n[info]", "a\x1B[2J\xFF") == "eve\\x0A[info] cannot open a\\x1B[2J\\xFF\n");
  BOOST_TEST(fields::record("zo\u00EB", "/tmp/x") == "zo\u00EB cannot open /tmp/x\n");
  BOOST_TEST(fields::json_record("\",\"admin\":\"", "C:\\a\xFF") ==
             "{\"user\":\"\\\",\\\"admin\\\":\\\"\",\"path\":\"C:\\\\a\uFFFD\"}\n");
  BOOST_TEST(fields::json_record("", std::string(300, 'x')) ==
             "{\"user\":\"\",\"path\":\"" + std::string(197, 'x') + "\u2026\"}\n");
}

// Without the function, the filter would refuse the third record, too.
BOOST_AUTO_TEST_CASE(a_chain_recovers_after_a_full_disk) {
  bool full = false;
  std::string text;
  const utfilter::utf8_validator check(utfilter::log_params());
  io::filtering_ostream out;
  out.push(check);
  out.push(device{&full, &text});
  for (const char* record : {"1\n", "2 \xFF\n", "3\n", "4\n"}) {
    full = *record == '2';
    full_disk::recover(out, check);
    out << record << std::flush;
    BOOST_TEST(out.good() == !full);
  }
  BOOST_TEST(text == "1\n2 \uFFFD\n3\n4\n");
  BOOST_TEST(check.report().lost == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
