// files_page.cpp: runs the functions of doc/files.md that jump in a file, that read one in ranges, that read one that
// grows, and that convert strings.
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"

#include <utfilter/fstream.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <ios>
#include <string>
#include <string_view>
#include <vector>

#include <files.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(files_page)
using namespace std::string_literals;

BOOST_AUTO_TEST_CASE(an_index_leads_to_any_place) {
  const files::temporary_file file("\xFF\xFEo\0n\0e\0\n\0\xAC\x20\n\0"s);
  BOOST_TEST(files_index::last_bytes(file.path(), 5) == "\n\u20AC\n");
  BOOST_TEST(files_index::last_bytes(file.path(), 100) == "one\n\u20AC\n");
  utfilter::ifstream in(file.path());
  BOOST_TEST(files_index::piece_at(in, 4, 100) == "\u20AC\n");
  BOOST_TEST(files_index::piece_at(in, 1, 2) == "ne");
}

BOOST_AUTO_TEST_CASE(threads_check_a_file_in_ranges) {
  std::string text = "\xEF\xBB\xBF";
  for (int line = 1; line <= 1000; ++line)
    text += std::to_string(line) + (line % 100 == 0 ? " \xFF\r\n" : " \u20AC\r\n");
  const files::temporary_file file(text);
  for (const std::size_t threads : {1u, 4u, 7u}) {
    const utfilter::stream_report report = files_ranges::check_file(file.path(), threads);
    BOOST_TEST(report.bytes_in == text.size());
    BOOST_TEST(report.lines == 1000u);
    BOOST_TEST(report.errors == 10u);
    BOOST_TEST(report.first_error->line == 100u);
    BOOST_TEST(report.last_error->line == 1000u);
    BOOST_TEST(report.last_error->column == 6u);
  }
  BOOST_CHECK_THROW(files_ranges::check_file("missing", 2), std::filesystem::filesystem_error);
}

BOOST_AUTO_TEST_CASE(a_chain_reads_a_range) {
  const files::temporary_file file("A\0\n\0\xAC\x20\n\0"s);
  boost::iostreams::filtering_istream in;
  files_range_source::open_range(in, file.path(), {1, 8});
  BOOST_TEST(files::rest(in) == "\u20AC\n");
}

BOOST_AUTO_TEST_CASE(strings_are_converted) {
  BOOST_TEST(files_convert::file_name(u"caf\u00E9") == "caf\u00E9");
  const char16_t half[] = {u'a', 0xD83D};
  BOOST_CHECK_THROW(files_convert::file_name({half, 2}), utfilter::utf_error);
  BOOST_TEST((files_convert::label("a\xFF") == L"a\uFFFD"));
  BOOST_TEST(files_of_the_system::why_not("caf\xC3\xA9", ENOENT) == "caf\u00E9: No such file or directory");
  BOOST_TEST(files_of_the_system::from_a_mail("caf\xC3\xA9 \xFF") == "caf\u00E9 \\xFF");
}

BOOST_AUTO_TEST_CASE(a_log_is_followed) {
  const files::temporary_file file("\xFF\xFE\xAC\x20\n\0"s);
  utfilter::follow_streambuf log(file.path());
  std::string lines;
  files_follow::follow(log, [&](std::string_view line) {
    lines += line;
    if (line == "new") return log.stop();
    std::filesystem::rename(file.path(), file.path().string() + ".1");
    files::write(file.path(), "new\n");
  });
  BOOST_TEST(lines == "\u20ACnew");
}

BOOST_AUTO_TEST_CASE(a_log_that_was_rewritten_is_read_from_the_last_place_before_that) {
  std::string text = "\xEF\xBB\xBF";
  for (int line = 1; line <= 3500; ++line) text += std::to_string(line) + " \u20AC\n";
  const files::temporary_file file(text);
  utfilter::follow_streambuf log(file.path());
  std::vector<std::string> lines;
  files_rewritten::follow_and_go_back(log, [&](std::string_view line) {
    lines.emplace_back(line);
    if (lines.size() == 4000) return log.stop();
    if (line != "3500 \u20AC") return;
    text.replace(text.find("3200"), 4, "new ");
    files::write(file.path(), text);
  });
  BOOST_REQUIRE(lines.size() == 4000u);
  BOOST_TEST(lines[3499] == "3500 \u20AC");
  BOOST_TEST(lines[3500] == "3001 \u20AC");
  BOOST_TEST(lines[3699] == "new  \u20AC");
}

BOOST_AUTO_TEST_CASE(text_in_pieces_is_passed_on_up_to_its_first_error) {
  const auto received = [](std::vector<std::string_view> pieces) {
    std::string text;
    pieces.push_back({});
    auto next = pieces.begin();
    try {
      files_pieces::receive_text([&] { return *next++; }, [&](std::string_view piece) { text += piece; });
    } catch (const utfilter::utf_error& why) {
      text += " ["s + why.what() + ']';
    }
    return text;
  };
  BOOST_TEST(received({}) == "");
  BOOST_TEST(received({"\xE2\x82", "\xAC\n"}) == "\u20AC\n");
  BOOST_TEST(received({"\xFF", "\xFE\xAC", "\x20"}) == "\u20AC");
  const std::string large(10000, 'x');
  BOOST_TEST(received({large, large}) == large + large);
  BOOST_TEST(received({"ab", "c\xFF", "d"}) == "abc [line 1, column 4 (byte 3): byte that no text contains: FF]");
  BOOST_TEST(received({"a\xE2", "\x82"}) == "a [line 1, column 2 (byte 1): incomplete at the end of the input: E2 82]");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
