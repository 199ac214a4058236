// utfcat_range_test.cpp: utfcat --range: the output of all ranges of a file is that of the whole file, wherever it is
// cut and whatever the other options are; and the reports of a range.
// build: program:utfcat cost:20
#define BOOST_TEST_MODULE utfcat_range
#include "support/brief.hpp"
#include "support/tally.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <sys/stat.h>

using namespace utfcat_runs;
using namespace std::string_literals;

namespace {

/// The files by their encoding, with ill-formed text and text that other encodings lack.
struct sample {
  const char* from;  // with the options --from
  std::string text;
};
const std::vector<sample> samples = {
    {"detect", "\xEF\xBB\xBFone \xE2\x82\xAC\r\n\ntwo\xE2\x82\nthree\xFF\nfour"},
    {"detect", "one\n\xEF\xBB\xBFtwo\n\xEF\xBB\xBF\n"},
    {"detect", "\xFF\xFE" + utf16le(u"\u20AC\r\n\u0A41\n\U0001F600") + "\n\0\x00\xDC\n\0"s + utf16le(u"end") + "\n"},
    {"detect", "\0\0\xFE\xFF\0\0\0A\0\0\0\n\0\0\xD8\0\0\0\0\n\0\0\n"s},
    {"utf-16", "\xFE\xFF\0A\0\n\x0A\x41\0\n\xD8\x3D\0\n"s},
    {"utf-16", "\0A\0\n\x20\xAC\0\n"s},
    {"utf-16le", utf16le(u"\uFEFFone\n\uFEFFtwo\n")},
    {"utf-8", "\xEF\xBB\xBF"},
    {"windows-1252", "caf\xE9\n\x80\n"},
    {"detect", "no line feed"},
    {"detect", "\n"},
};

arguments with(arguments words, const arguments& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string range_of(std::size_t begin, std::size_t end) { return std::to_string(begin) + '-' + std::to_string(end); }

/// Runs utfcat for each range between the cuts. The last range goes to the end.
result run_ranges(const arguments& options, const std::vector<std::size_t>& cuts) {
  result all = expected(0, "");
  std::size_t begin = 0;
  const auto add = [&](const std::string& range) {
    const result one = utfcat(with(options, {"--range", range, "in"}));
    all.status = std::max(all.status, one.status);
    all.out += one.out;
    all.err += one.err;
  };
  for (const std::size_t end : cuts) {
    add(range_of(begin, end));
    begin = end;
  }
  add(std::to_string(begin) + '-');
  return all;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_range, scratch)

BOOST_AUTO_TEST_CASE(the_output_of_all_ranges_is_that_of_the_file) {
  std::mt19937 random(1);
  tally all;
  for (const sample& s : samples) {
    put("in", s.text);
    for (const char* to : {"utf-8", "utf-16", "utf-16le", "utf-32", "iso-8859-1", "cesu-8", "mutf-8"})
      for (const char* mark : {"automatic", "keep", "strip", "add", "require", "reject"})
        for (const char* policy : {"replace", "escape", "skip"}) {
          if (!brief::takes_next()) continue;
          const arguments options = {"-f", s.from, "-t", to, "-b", mark, "-e", policy};
          const result whole = utfcat(with(options, {"in"}));
          if (whole.status == 2) continue;  // the options make no sense together
          std::vector<std::size_t> cuts;
          for (std::size_t n = random() % 4; n != 0; --n) cuts.push_back(random() % (s.text.size() + 2));
          std::sort(cuts.begin(), cuts.end());
          const result ranges = run_ranges(options, cuts);
          if (all.failed(ranges.out == whole.out && ranges.status == whole.status)) {
            std::string words;
            for (const std::string& word : options) words += ' ' + word;
            for (const std::size_t cut : cuts) words += " cut " + std::to_string(cut);
            BOOST_ERROR(words << '\n' << hexadecimal(ranges.out) << "\ninstead of\n" << hexadecimal(whole.out));
          }
        }
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(each_cut_gives_the_output_of_the_file) {
  tally all;
  for (const sample& s : samples) {
    put("in", s.text);
    const arguments options = {"-f", s.from, "-e", "replace", "-t", "utf-16"};
    const std::string whole = utfcat(with(options, {"in"})).out;
    for (std::size_t cut = 0; cut <= s.text.size() + 1; cut += brief::nth)
      all.check(run_ranges(options, {cut, cut + 3}).out == whole, "cut", range_of(cut, cut + 3));
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(a_range_has_the_lines_that_begin_in_it) {
  put("in", "one\ntwo\nthree\n");
  BOOST_TEST(utfcat({"--range", "0-1", "in"}) == expected(0, "one\n"));
  BOOST_TEST(utfcat({"--range", "1-4", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"--range", "1-5", "in"}) == expected(0, "two\n"));
  BOOST_TEST(utfcat({"--range=4-9", "in"}) == expected(0, "two\nthree\n"));
  BOOST_TEST(utfcat({"--range", "5-", "in"}) == expected(0, "three\n"));
  BOOST_TEST(utfcat({"in", "--range", "9-"}) == expected(0, ""));
  BOOST_TEST(utfcat({"--range", "14-99", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"--range", "99-18446744073709551615", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"--range", "0-0", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"--range", "5-", "--range", "0-1", "in"}) == expected(2, "", "utfcat: --range is given twice\n"));
  put("empty", "");
  BOOST_TEST(utfcat({"--range", "0-", "-b", "add", "empty"}) == expected(0, "\xEF\xBB\xBF"));
  BOOST_TEST(utfcat({"--range", "1-", "-b", "add", "empty"}) == expected(0, ""));
  BOOST_TEST(utfcat({"--range", "0-0", "-b", "add", "-t", "utf-16be", "empty"}) == expected(0, "\xFE\xFF"));
  BOOST_TEST(utfcat({"--range", "0-0", "-b", "require", "empty"}).status == 1);
  BOOST_TEST(utfcat({"-b", "require", "empty"}).status == 1);
  BOOST_TEST(utfcat({"--range", "0-0", "-b", "add", "in"}) == expected(0, ""));
  for (const std::string mark : {"require", "add", "reject", "strip"})
    for (const std::string to : {"utf-8", "utf-16", "utf-32le"})
      BOOST_TEST(utfcat({"--range", "0-0", "-b", mark, "-t", to, "empty"}) == utfcat({"-b", mark, "-t", to, "empty"}));
}

BOOST_AUTO_TEST_CASE(reports_have_offsets_of_the_file_and_lines_of_the_range) {
  put("in", "one\ntwo\nth\xFFree\n\xFF\n");
  BOOST_TEST(utfcat({"-c", "--range", "0-9", "in"}) ==
             expected(1, "in:3:3: byte 10: byte that no text contains: FF\n"));
  BOOST_TEST(utfcat({"-c", "--range", "5-", "in"}) ==
             expected(1, "in:1:3: byte 10: byte that no text contains: FF (line 1 begins at byte 8)\n"
                         "in:2:1: byte 15: byte that no text contains: FF\n"));
  BOOST_TEST(utfcat({"-c", "--range", "1-8", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"--range", "5-", "in"}) ==
             expected(1, "th", "utfcat: in:1:3: byte 10: byte that no text contains: FF (line 1 begins at byte 8)\n"));
  BOOST_TEST(utfcat({"-q", "--range", "5-", "in"}) == expected(1, ""));
  BOOST_TEST(utfcat({"-q", "--range", "0-8", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"-e", "stop", "--range", "5-", "-o", "out", "in"}).status == 1);
  BOOST_TEST(get("out") == "th");

  put("euro", "\uFEFFa\n\u20AC\n\u00E9\u20AC\n");
  BOOST_TEST(utfcat({"-c", "-t", "latin1", "--range", "4-", "euro"}) ==
             expected(1, "euro:1:1: byte 5: the target encoding lacks U+20AC: E2 82 AC (line 1 begins at byte 5)\n"
                         "euro:2:2: byte 11: the target encoding lacks U+20AC: E2 82 AC\n"));
  // The byte order mark of the file is no text of a later range.
  BOOST_TEST(utfcat({"-c", "--summary", "-f", "utf-8", "--range", "6-", "euro"}) ==
             expected(0, "euro: from byte 9, UTF-8, byte order mark, 1 line, well-formed\n"));
  BOOST_TEST(utfcat({"-c", "--summary", "-f", "utf-8", "-t", "latin1", "--range", "6-", "euro"}) ==
             expected(1, "euro: from byte 9, UTF-8, byte order mark, 1 line, 1 error\n"
                         "  character that the target encoding lacks  1  ########################################\n"
                         "  1:2  the target encoding lacks U+20AC: E2 82 AC  \xC3\xA9[U+20AC]\n"));
  BOOST_TEST(utfcat({"-s", "--range", "6-", "euro"}) ==
             expected(0, "\xC3\xA9\xE2\x82\xAC\n",
                      "euro: from byte 9, UTF-8, byte order mark, 6 bytes in, 6 bytes out, 1 line, 0 errors\n"));
  BOOST_TEST(utfcat({"-s", "--range", "0-3", "euro"}) ==
             expected(0, "a\n", "euro: UTF-8, byte order mark, 5 bytes in, 2 bytes out, 1 line, 0 errors\n"));
  BOOST_TEST(utfcat({"-c", "-b", "require", "--range", "0-1", "in"}) ==
             expected(1, "in:1:1: byte 0: missing byte order mark\n"));
  BOOST_TEST(utfcat({"-c", "-b", "require", "--range", "1-8", "in"}) == expected(0, ""));
}

// The start is a sign of the encoding. Zeros in a later range are UTF-16, too, or were added to UTF-8.
BOOST_AUTO_TEST_CASE(only_the_start_of_a_file_that_looks_like_utf_16_says_so) {
  const auto zeros = [](int line, int start) {
    return "utfcat: in: line " + std::to_string(line) + " has a zero byte beside each character, as UTF-16 has: " +
           (line == 1 ? "either the encoding is UTF-16LE or UTF-16BE (--from names it), or " : "") +
           "a program has written UTF-16 into this UTF-8; from there on text may be wrong (line 1 begins at byte " +
           std::to_string(start) + ")\n";
  };
  const std::string wide = utf16le(u"some text\nand more\n");
  put("in", wide);
  const std::string start = utfcat({"-c", "--range", "0-5", "in"}).err;
  BOOST_TEST(start ==
             "utfcat: in: well-formed, but looks like UTF-16 without a byte order mark: try --from utf-16le\n");
  BOOST_TEST(utfcat({"-c", "--range", "5-", "in"}) == expected(0, "", zeros(1, 19)));
  BOOST_TEST(utfcat({"-c", "-q", "--range", "5-", "in"}) == expected(0, ""));
  BOOST_TEST(utfcat({"-c", "-f", "utf-16le", "--range", "5-", "in"}) == expected(0, ""));
  put("in", "one\ntwo\n" + wide);
  const std::string reads = "from here UTF-16LE (tail -c +9 with --from utf-16le reads it";
  BOOST_TEST(utfcat({"-c", "--range", "1-", "in"}) ==
             expected(1, "in:2:1: byte 8: " + reads + ", --range 1-8 the text before it) (line 1 begins at byte 4)\n"));
  BOOST_TEST(utfcat({"-c", "--range", "5-", "in"}) ==
             expected(1, "in:1:1: byte 8: " + reads + ") (line 1 begins at byte 8)\n"));
}

BOOST_AUTO_TEST_CASE(a_range_that_misses_bytes_fails_by_name) {
  const std::size_t lines = 200000, left = 15000050;
  std::string text;
  for (std::size_t i = 0; i < lines; ++i) text += std::string(99, 'a') + '\n';
  for (const arguments& jobs : {arguments{}, arguments{"--jobs", "2"}}) {
    put("in", text);
    process p(with({"utfcat", "--range", "1000-19000050", "in"}, jobs));
    std::string got = p.receive(1);  // now the pipe is full, and utfcat waits in the middle of the file
    fs::resize_file("in", left);
    p.finish("");
    got += p.text[0];
    BOOST_TEST(p.wait() == 2);
    BOOST_TEST((got == text.substr(1000, left - 1000)));
    BOOST_TEST(p.text[1] ==
               "utfcat: in: the range 1000-19000050 lacks byte 15000050: the file has become shorter, it had 20000000 "
               "bytes when it was opened: Input/output error\n");
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_regular_file_has_no_ranges) {
  BOOST_REQUIRE(mkfifo("pipe", 0600) == 0);
  BOOST_TEST(utfcat({"--range", "0-5", "pipe"}) == expected(2, "", "utfcat: pipe: --range needs a regular file\n"));
  BOOST_TEST(utfcat({"--range", "0-5", "/dev/stdin"}, "text") ==
             expected(2, "", "utfcat: /dev/stdin: --range needs a regular file\n"));
  BOOST_TEST(utfcat({"--range", "0-5", "."}) == expected(2, "", "utfcat: .: --range needs a regular file\n"));
  BOOST_TEST(utfcat({"--range", "0-5", "missing"}) == expected(2, "", "utfcat: missing: No such file or directory\n"));
}

BOOST_AUTO_TEST_CASE(a_range_replaces_its_own_file_whole) {
  put("in", "one\ntwo\n");
  BOOST_TEST(utfcat({"--range", "1-", "-o", "in", "in"}) == expected(0, ""));
  BOOST_TEST(get("in") == "two\n");
}

BOOST_AUTO_TEST_CASE(a_range_far_in_a_file_is_read_at_once) {
  put("in", "first\n");
  fs::resize_file("in", std::uintmax_t{5} << 30);
  std::ofstream("in", std::ios::binary | std::ios::app) << "\nlast\xFF\n";
  BOOST_TEST(
      utfcat({"-e", "replace", "-s", "--range", "5368709119-", "in"}) ==
      expected(0, "last\xEF\xBF\xBD\n",
               "in: from byte 5368709121, UTF-8, no byte order mark, 6 bytes in, 8 bytes out, 1 line, 1 error\n"));
}

BOOST_AUTO_TEST_SUITE_END()
