// errors_page.cpp: tests, row by row, the tables of doc/errors.md about calls that report an error, and runs the
// programs of the page.
#include <boost/test/unit_test.hpp>

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <errors.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(errors)
namespace io = boost::iostreams;
using utfilter::utf_error;

const std::string prefix = "one\ntwo", text = prefix + "\xC3 three\n";

/// Reads the text with a chain, and with utfilter::istream.
template <class Action>
void reading(Action action) {
  {
    std::istringstream file(text);
    io::filtering_istream in;
    in.push(utfilter::to_utf8());
    in.push(file);
    action(in);
  }
  std::istringstream file(text);
  utfilter::istream in(file);
  action(in);
}

BOOST_AUTO_TEST_CASE(getline_returns_the_text_before_the_error_then_badbit_or_the_error) {
  reading([](std::istream& in) {
    std::string first, second;
    std::getline(std::getline(in, first), second);
    BOOST_TEST((first == "one" && second == "two" && in.bad()));
  });
  reading([](std::istream& in) {
    in.exceptions(std::ios::badbit);
    std::string line;
    std::getline(in, line);
    BOOST_CHECK_THROW(std::getline(in, line), utf_error);
    BOOST_TEST(line == "two");
  });
  reading([](std::istream& in) {
    std::string word;
    while (in >> word) continue;
    BOOST_TEST(in.bad());
    char c;
    BOOST_TEST(!in.get(c));
  });
}

BOOST_AUTO_TEST_CASE(a_getline_loop_takes_the_error_for_the_end_of_the_file) {
  reading([](std::istream& in) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    BOOST_TEST((lines.size() <= 2 && in.bad()));
  });
}

BOOST_AUTO_TEST_CASE(gcount_is_0_after_a_bulk_read_across_an_error_unless_the_policy_is_stop) {
  reading([](std::istream& in) {
    std::string s(100, '.');
    in.read(s.data(), 100);
    BOOST_TEST((in.bad() && in.gcount() == 0 && s.substr(0, prefix.size()) == prefix));
  });
  reading([](std::istream& in) {
    in.exceptions(std::ios::badbit);
    std::string s(100, '.');
    BOOST_CHECK_THROW(in.read(s.data(), 100), utf_error);
    BOOST_TEST((in.gcount() == 0 && s.substr(0, prefix.size()) == prefix));
  });
  std::istringstream file(text);
  io::filtering_istream in;
  in.push(utfilter::to_utf8(utfilter::on_error::stop));
  in.push(file);
  std::string s(100, '.');
  in.read(s.data(), 100);
  BOOST_TEST((!in.bad() && in.gcount() == static_cast<std::streamsize>(prefix.size())));
}

BOOST_AUTO_TEST_CASE(iterators_and_copy_throw_the_error) {
  reading([](std::istream& in) {
    std::string got;
    BOOST_CHECK_THROW(for (std::istreambuf_iterator<char> i(in), end; i != end; ++i) got += *i, utf_error);
    BOOST_TEST(got == prefix);
  });
  reading([](std::istream& in) {
    std::ostringstream out;
    BOOST_CHECK_THROW(io::copy(in, out), utf_error);
    BOOST_TEST(prefix.compare(0, out.str().size(), out.str()) == 0);
  });
}

BOOST_AUTO_TEST_CASE(inserting_the_stream_buffer_sets_failbit_on_the_output_stream) {
  reading([](std::istream& in) {
    std::ostringstream out;
    out << in.rdbuf();
    BOOST_TEST((out.fail() && out.str() == prefix));
  });
  reading([](std::istream& in) {
    std::ostringstream out;
    out.exceptions(std::ios::failbit);
    BOOST_CHECK_THROW(out << in.rdbuf(), utf_error);
    BOOST_TEST(out.str() == prefix);
  });
}

BOOST_AUTO_TEST_CASE(exceptions_badbit_throws_on_an_empty_chain) {
  io::filtering_istream in;
  BOOST_CHECK_THROW(in.exceptions(std::ios::badbit), std::ios_base::failure);
}

/// A chain that writes to a string.
struct writer {
  explicit writer(std::ios_base::iostate exceptions = std::ios::goodbit) {
    out.push(check);
    out.push(io::back_inserter(written));
    out.exceptions(exceptions);
  }
  std::string written;
  utfilter::utf8_validator check;
  io::filtering_ostream out;
};

BOOST_AUTO_TEST_CASE(writing_sets_badbit_and_close_throws) {
  writer one;
  one.out << text;
  one.out.flush();
  BOOST_TEST(one.out.bad());
  BOOST_CHECK_THROW(one.out.reset(), utf_error);
  BOOST_TEST(one.written == prefix);

  writer two(std::ios::badbit);
  try {
    two.out << text;
    two.out.flush();
    BOOST_ERROR("no exception");
  } catch (const std::ios_base::failure& error) {
    BOOST_TEST(std::string(error.what()).find("clear") != std::string::npos);
    BOOST_TEST(dynamic_cast<const utf_error*>(&error) == nullptr);
  }
  two.out.exceptions(std::ios::goodbit);

  for (const auto& close :
       {std::function<void(io::filtering_ostream&)>([](io::filtering_ostream& out) { out.reset(); }),
        {[](io::filtering_ostream& out) { out.pop(); }},
        {[](io::filtering_ostream& out) { io::close(out); }}}) {
    writer small;
    small.out << text;
    BOOST_CHECK_THROW(close(small.out), utf_error);
    BOOST_TEST(small.written == prefix);
  }

  writer three;
  std::istringstream from(text);
  BOOST_CHECK_THROW(io::copy(from, three.out), utf_error);
}

BOOST_AUTO_TEST_CASE(the_destructor_swallows_the_error_but_a_copy_of_the_filter_reports_it) {
  utfilter::utf8_validator check;
  {
    writer small;
    check = small.check;
    small.out << text;
  }
  BOOST_TEST(check.report().errors == 1);
}

BOOST_AUTO_TEST_CASE(functions_without_streams_report_the_error) {
  utfilter::decoder decode;
  char out[100];
  const auto done = decode.convert(text.data(), text.size(), out, sizeof out, true);
  BOOST_TEST((done.status == utfilter::codec_status::malformed && std::string(out, done.produced) == prefix));
  BOOST_CHECK_THROW(std::rethrow_exception(decode.failure()), utf_error);

  try {
    utfilter::read_file("absent");
    BOOST_ERROR("no exception");
  } catch (const std::ios_base::failure& error) {
    BOOST_TEST(std::string(error.what()).find("absent: No such file") != std::string::npos);
  }
  BOOST_TEST(utfilter::find_error(text)->offset == prefix.size());
}

BOOST_AUTO_TEST_CASE(the_programs_of_the_page_do_what_the_page_says) {
  std::istringstream good("one\ntwo"), bad(text), bad_again(text), good_again("one");
  BOOST_TEST(errors_strict::lines_of(good).size() == 2U);
  BOOST_CHECK_THROW(errors_strict::lines_of(bad), utf_error);

  std::string why;
  BOOST_TEST((errors_stop::readable_part(good_again, why) == "one" && why.empty()));
  BOOST_TEST(errors_stop::readable_part(bad_again, why) == prefix);
  BOOST_TEST(why == "line 2, column 4 (byte 7): truncated sequence: C3");

  std::ostringstream file, half;
  errors_written::save("\u20AC", file);
  BOOST_TEST(file.str() == "\xFE\xFF\x20\xAC");
  BOOST_CHECK_THROW(errors_written::save(text, half), utf_error);
  BOOST_TEST(half.str().size() == 2 + 2 * prefix.size());
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
