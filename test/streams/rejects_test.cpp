// rejects_test.cpp: rejects writes the lines that are put aside in three formats, and fails as soon as its stream does.
// rejects_test.py lets other programs read the records.
// build: portable
#define BOOST_TEST_MODULE rejects
#include <boost/test/unit_test.hpp>

#include "support/outcomes.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <cerrno>
#include <cstddef>
#include <ios>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>

namespace io = boost::iostreams;
using utfilter::odd_line;
using utfilter::reject_format;
using utfilter::rejects;
using utfilter::to_record;

namespace {

odd_line line_of(const std::string& text) {
  odd_line line;
  line.text = text;
  line.begin = 10;
  line.end = 10 + text.size();
  line.error.code = utfilter::errc::truncated_sequence;
  line.error.line = 3;
  line.error.column = 4;
  line.error.bytes = {0xE2, 0x82};
  line.error.size = 2;
  return line;
}

odd_line part_of(const std::string& text) {
  odd_line part = line_of(text);
  part.part = 2;
  part.error.code = {};
  part.error.size = 0;
  part.error.column = 1;
  return part;
}

/// Takes so many bytes, and then none. It keeps them until a flush.
class small_disk : public std::streambuf {
 public:
  explicit small_disk(std::size_t room) : room_(room) {}

  std::string written;

 protected:
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof())) kept_ += traits_type::to_char_type(c);
    return traits_type::not_eof(c);
  }
  int sync() override {
    if (written.size() + kept_.size() > room_) {
      errno = ENOSPC;
      return -1;
    }
    written += std::exchange(kept_, {});
    return 0;
  }

 private:
  std::size_t room_;
  std::string kept_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(records_have_these_forms) {
  const std::string text = "abc\xE2\x82\r\n";
  const odd_line line = line_of(text), part = part_of(text);
  BOOST_TEST(to_record(line, reject_format::text, "a") == text);
  BOOST_TEST(to_record(line, reject_format::jsonl, "a.csv") ==
             R"({"file":"a.csv","line":3,"column":4,"begin":10,"end":17,"error":"truncated sequence","bytes":"E282"})"
             "\n");
  BOOST_TEST(to_record(part, reject_format::jsonl) ==
             R"({"file":"","line":3,"column":1,"begin":10,"end":17,"error":"line too long","bytes":"","part":2})"
             "\n");
  BOOST_TEST(to_record(line, reject_format::csv, "a.csv") == "a.csv,3,4,10,17,truncated sequence,E282\r\n");
  BOOST_TEST(to_record(part, reject_format::csv) == ",3,1,10,17,line too long,\r\n");
  BOOST_TEST(utfilter::reject_header(reject_format::csv) == "file,line,column,begin,end,error,bytes\r\n");
  BOOST_TEST(utfilter::reject_header(reject_format::jsonl).empty());
  BOOST_TEST(utfilter::reject_header(reject_format::text).empty());
}

BOOST_AUTO_TEST_CASE(names_of_files_are_quoted) {
  const odd_line line = line_of("x\n");
  const auto field = [&](reject_format format, const std::string& name) {
    const std::string record = to_record(line, format, name);
    const std::string end = format == reject_format::csv ? ",3,4," : ",\"line\"";
    return record.substr(0, record.find(end));
  };
  BOOST_TEST(field(reject_format::jsonl, "a\"b\\c\n\x01\xC3\xA9\x7F") ==
             "{\"file\":\"a\\\"b\\\\c\\u000A\\u0001\xC3\xA9\x7F\"");
  BOOST_TEST(field(reject_format::jsonl, "\xFF") == R"({"file":"\\xFF")");
  BOOST_TEST(field(reject_format::csv, "a b") == "a b");
  BOOST_TEST(field(reject_format::csv, "a,b") == "\"a,b\"");
  BOOST_TEST(field(reject_format::csv, "a\"b") == "\"a\"\"b\"");
  BOOST_TEST(field(reject_format::csv, "a\rb") == "\"a\rb\"");
  BOOST_TEST(field(reject_format::csv, "\xFF\n") == "\"\\xFF\n\"");
}

BOOST_AUTO_TEST_CASE(copies_write_to_one_stream_and_share_the_name) {
  std::ostringstream out;
  rejects first(out, reject_format::csv, "a");
  const rejects copy = first;
  copy(line_of("x\n"));
  first.set_file("b");
  copy(line_of("x\n"));
  BOOST_TEST(out.str() == utfilter::reject_header(reject_format::csv) + "a,3,4,10,12,truncated sequence,E282\r\n" +
                              "b,3,4,10,12,truncated sequence,E282\r\n");
}

BOOST_AUTO_TEST_CASE(a_stream_that_fails_fails_the_record) {
  small_disk disk(5);
  std::ostream out(&disk);
  const rejects write(out, reject_format::text);
  write(line_of("abc\n"));
  BOOST_TEST(disk.written == "abc\n");  // it is flushed
  const auto error = caught<std::ios_base::failure>([&] { write(line_of("de\n")); });
  BOOST_TEST_REQUIRE(error.has_value());
  BOOST_TEST(std::string(error->what()).find("utfilter: the lines put aside could not be written") == 0u);
  BOOST_TEST((error->code() == std::error_code(ENOSPC, std::generic_category())));
  BOOST_CHECK_THROW(write(line_of("")), std::ios_base::failure);
  // So does the header, before there is a line.
  BOOST_CHECK_THROW(rejects(out, reject_format::csv), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(a_full_disk_fails_the_text_before_a_line_is_lost) {
  const std::string text = "good\n\xFF\nbad\xFF\nafter\n";
  for (std::size_t room = 0; room != 8; ++room) {
    small_disk disk(room);
    std::ostream aside(&disk);
    utfilter::line_rules rules;
    rules.policy = utfilter::line_policy::put_aside;
    rules.sink = rejects(aside, reject_format::text);
    utfilter::to_utf8_lines filter(utfilter::encoding::utf8, rules);
    std::istringstream source(text);
    io::filtering_istream in;
    in.push(filter);
    in.push(utfilter::stream_source(source));
    std::string got;
    for (std::string line; std::getline(in, line);) got += line + '\n';
    BOOST_TEST(got == (room == 7 ? "good\nafter\n" : "good\n"));
    BOOST_TEST(disk.written == (room == 7 ? "\xFF\nbad\xFF\n" : room >= 2 ? "\xFF\n" : ""));
    BOOST_TEST((filter.report().failure == nullptr) == (room == 7));
  }
}
