// logs_page.cpp: runs the functions of doc/logs.md on text from strangers.
#include <boost/test/unit_test.hpp>

#include <utfilter/printable.hpp>
#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

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

// The size of all files is limited to each byte of the records, and then no longer.
BOOST_AUTO_TEST_CASE(a_chain_over_a_device_that_says_what_it_has_taken_writes_each_record_once) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  std::FILE* const file = std::tmpfile();
  BOOST_REQUIRE(file != nullptr);
  const int descriptor = ::fileno(file);
  ::fcntl(descriptor, F_SETFL, O_APPEND);
  for (rlim_t most = 0; most < 60; ++most) {
    BOOST_REQUIRE(::ftruncate(descriptor, 0) == 0);
    const utfilter::utf8_validator check(utfilter::log_params());
    std::string expected;
    {
      io::filtering_ostream out;
      out.push(check);
      out.push(full_disk::log_file{descriptor});
      for (int i = 0; i != 6; ++i) {
        rlimit limit = before;
        if (i >= 1 && i < 4) limit.rlim_cur = most;
        ::setrlimit(RLIMIT_FSIZE, &limit);
        full_disk::recover(out, check);
        const std::string record = "<" + std::to_string(i) + "\u3042\u3044\u3046>\n";
        out << record << std::flush;
        expected += record;
      }
      ::setrlimit(RLIMIT_FSIZE, &before);
    }
    std::string got(1000, '\0');
    got.resize(static_cast<std::size_t>(::pread(descriptor, got.data(), got.size(), 0)));
    BOOST_TEST(got == expected);
    BOOST_TEST(check.report().lost == 0u);
  }
  std::fclose(file);
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
