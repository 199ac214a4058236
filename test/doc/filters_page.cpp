// filters_page.cpp: runs the chains of doc/filters.md on well-formed and on ill-formed text.
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"

#include <boost/iostreams/copy.hpp>

#include <fstream>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <filters.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(filters)
namespace io = boost::iostreams;
using namespace std::string_literals;

void write_gzip(const std::string& path, const std::string& text) {
  io::filtering_ostream out;
  out.push(io::gzip_compressor());
  out.push(io::file_descriptor_sink(path, std::ios::binary | std::ios::trunc));
  out << text;
}

std::string read_gzip(const std::string& path) {
  io::filtering_istream in;
  in.push(io::gzip_decompressor());
  in.push(io::file_source(path, std::ios::binary));
  return files::rest(in);
}

BOOST_AUTO_TEST_CASE(the_reading_chain_shows_text_in_any_encoding) {
  const struct {
    std::string text, shown;
  } rows[] = {
      {"", ""},
      {"caf\u00E9\n", "caf\u00E9\n"},
      {"\xFF\xFE\xAC\x20\n\0"s, "\u20AC\n"},
      {"\xFE\xFF\0a\xD8\x3D\0\n\0b\xD8"s, "a\\u{D83D}\nb\\xD8\n"},
      {"a\x1B[2J\r\nb\xC3\n\u202E", "a\\x1B[2J\r\nb\\xC3\n\\u{202E}\n"},
  };
  const files::directory here;
  const std::string archive = here / "text.gz";
  for (const auto& row : rows) {
    write_gzip(archive, row.text);
    std::ostringstream terminal;
    filters_reading::show(archive, terminal);
    BOOST_TEST(terminal.str() == row.shown);
  }
  files::write(archive, "no archive");
  std::ostringstream terminal;
  BOOST_CHECK_THROW(filters_reading::show(archive, terminal), std::exception);
  BOOST_CHECK_THROW(filters_reading::show(here / "missing", terminal), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(the_writing_chain_loses_no_record_and_reports_a_full_disk) {
  const files::directory here;
  const std::string archive = here / "table.gz";
  filters_writing::write_table(archive, {"a", "b\xFF", "\U0001F600"});
  BOOST_TEST(read_gzip(archive) == "\xFF\xFE"
                                   "a\0\r\0\n\0b\0\xFD\xFF\r\0\n\0\x3D\xD8\0\xDE\r\0\n\0"s);
  filters_writing::write_table(archive, {});
  BOOST_TEST(read_gzip(archive) == "\xFF\xFE");
  BOOST_CHECK_THROW(filters_writing::write_table("/dev/full", {"a"}), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(the_converting_chain_reports_each_character_that_the_target_lacks) {
  std::istringstream utf16("\xFF\xFE"
                           "a\0\n\0\xE9\0\xAC\x20"s);
  std::ostringstream latin1;
  BOOST_TEST(filters_between::to_latin1(utf16, latin1) ==
             "line 2, column 2 (byte 4): the target encoding lacks U+20AC: E2 82 AC\n");
  BOOST_TEST(latin1.str() == "a\n\xE9?");

  std::istringstream damaged("\xFF\xFE"
                             "a\0\0\xDC"s);
  std::ostringstream prefix;
  BOOST_CHECK_THROW(filters_between::to_latin1(damaged, prefix), utfilter::utf_error);
}

BOOST_AUTO_TEST_CASE(line_ends_of_all_kinds_become_line_feeds) {
  const files::temporary_file file("\xFF\xFE"
                                   "a\0\r\0\n\0\r\0\n\0\x0D\x0A\r\0b\0"s);  // U+0A0D is no line end
  BOOST_TEST(filters_lines::lines_of(file.path().string()) == (std::vector<std::string>{"a", "", "\u0A0D", "b"}),
             boost::test_tools::per_element());
  BOOST_CHECK_THROW(filters_lines::lines_of("missing"), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(a_page_declares_the_encoding_that_it_has_now) {
  std::istringstream page("<meta charset=koi8-r><p>\xF0\xD2\xC9\xD7\xC5\xD4");
  std::ostringstream written;
  BOOST_TEST(filters_declarations::write_as_utf8(page, written) == 1u);
  BOOST_TEST(written.str() == "<meta charset=utf-8><p>\u041F\u0440\u0438\u0432\u0435\u0442");
  page.clear();
  page.seekg(0);
  std::ofstream full("/dev/full");
  BOOST_CHECK_THROW(filters_declarations::write_as_utf8(page, full), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(findings_are_shown_with_their_places) {
  const files::temporary_file file("a\r\nb\uFEFF\xFF\r\n");
  const std::string path = file.path().string();
  std::ostringstream out;
  filters_inspect::show_findings(path, out);
  BOOST_TEST(out.str() == path + ":1:2: line end CR LF: 2\n" + path + ":2:2: U+FEFF inside the text: 1\n" + path +
                              ":2:3: line of two encodings: 1\n");
  BOOST_CHECK_THROW(filters_inspect::show_findings("missing", out), std::ios_base::failure);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
