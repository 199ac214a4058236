// utfcat_options_test.cpp: the command line of utfcat: its words, in each order, and many of them.
#define BOOST_TEST_MODULE utfcat_options
#include "brief.hpp"
#include "tally.hpp"
#include "utfcat_runs.hpp"

#include "../examples/utfcat/messages.hpp"
#include "../examples/utfcat/options.hpp"

#include <boost/program_options.hpp>
#include <boost/test/unit_test.hpp>

#include <ctime>
#include <string>
#include <vector>

namespace po = boost::program_options;
using namespace utfcat_runs;

namespace {

/// What a command line is taken for, or why it is refused.
struct reading {
  arguments   files;
  std::string from, to;
  bool        check = false, decompress = false;
  std::string refused;

  bool operator==(const reading& o) const {
    return files == o.files && from == o.from && to == o.to && check == o.check && decompress == o.decompress && refused == o.refused;
  }
};

std::ostream& operator<<(std::ostream& to, const reading& r) {
  to << r.refused << " from " << r.from << " to " << r.to << (r.check ? " check" : "") << (r.decompress ? " decompress" : "") << " files";
  for (const std::string& file : r.files) to << " '" << file << '\'';
  return to;
}

std::vector<const char*> pointers(const arguments& words) {
  std::vector<const char*> all{"utfcat"};
  for (const std::string& word : words) all.push_back(word.c_str());
  return all;
}

reading as_utfcat_reads(const arguments& words) {
  const auto argv = pointers(words);
  try {
    const utfcat::options o = utfcat::parse(static_cast<int>(argv.size()), argv.data());
    return {o.files, std::string(encoding_name(o.from)), std::string(encoding_name(o.to)), o.check, o.decompress, ""};
  } catch (const utfcat::usage_error& why) {
    const std::string message = why.what();
    return {{}, "", "", false, false, message.substr(0, message.find(" ("))};
  }
}

/// Boost.Program_options with all the words.
reading as_the_parser_reads(const arguments& words) {
  po::options_description known;
  const auto takes = [] { return po::value<arguments>(); };
  known.add_options()("from,f", takes())("fallback", takes())("to,t", takes())("on-error,e", takes())("bom,b", takes())("check,c", "")(
      "summary", "")("decompress,d", "")("output,o", takes())("stats,s", "")("progress,p", "")("quiet,q", "")("list,l", "")("help,h", "")(
      "version,V", "");
  try {
    const auto argv   = pointers(words);
    const auto parsed = po::command_line_parser(static_cast<int>(argv.size()), argv.data()).options(known).run();
    reading    r{po::collect_unrecognized(parsed.options, po::include_positional), "detect", "UTF-8", false, false, ""};
    for (const auto& option : parsed.options) {  // the last one holds
      if (option.string_key == "from") r.from = option.value.back();
      if (option.string_key == "to") r.to = option.value.back();
      r.check      = r.check || option.string_key == "check";
      r.decompress = r.decompress || option.string_key == "decompress";
    }
    for (const auto& [option, value] : {std::pair("--from", &r.from), std::pair("--to", &r.to)}) {
      const auto found = utfilter::encoding_from_name(*value);
      if (!found) return {{}, "", "", false, false, std::string(option) + ": there is no encoding " + utfcat::printable(*value)};
      *value = encoding_name(*found);
    }
    if (r.files.empty()) r.files = {"-"};
    return r;
  } catch (const po::error& why) {
    return {{}, "", "", false, false, utfcat::printable(why.what())};
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_options, scratch)

BOOST_AUTO_TEST_CASE(every_short_command_line_is_read_by_the_rules_of_the_parser) {
  const arguments words = {"a", "-", "", "--", "-c", "-f", "--to", "utf-16", "-tutf-32", "--from=latin1", "--dec", "-cd", "-cf", "-x"};
  tally           cases;
  const auto      check = [&](const arguments& line) {
    const reading got = as_utfcat_reads(line), expected = as_the_parser_reads(line);
    if (!cases.failed(got == expected)) return;
    std::string text;
    for (const std::string& word : line) text += " '" + word + '\'';
    BOOST_ERROR(text << " is" << got << ", and not" << expected);
  };
  const std::size_t n = words.size();
  for (std::size_t size = 0; size <= 4; ++size) {
    std::size_t all = 1;
    for (std::size_t i = 0; i < size; ++i) all *= n;
    for (std::size_t i = 0; i < all; i += brief::nth) {
      arguments line;
      for (std::size_t rest = i, k = 0; k < size; ++k, rest /= n) line.push_back(words[rest % n]);
      check(line);
    }
  }
  cases.summary("command lines");
}

// A time that is the square of their number would be some seconds.
BOOST_AUTO_TEST_CASE(a_hundred_thousand_files_take_little_time) {
  arguments words(100000, "file");
  words.insert(words.begin() + 50000, {"-f", "utf-16", "-d"});
  words.push_back("-c");
  const std::clock_t before = std::clock();
  const reading      got    = as_utfcat_reads(words);
  BOOST_TEST(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 1.5);
  BOOST_TEST(got.files.size() == 100000u);
  BOOST_TEST(got.from == "UTF-16");
  BOOST_TEST(got.check);
  BOOST_TEST(got.decompress);
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_files_are_checked) {
  put("x", "text\n");
  put("bad", "\xFF\n");
  arguments files(100000, "x");
  files.back() = "bad";
  files.insert(files.begin(), "-c");
  BOOST_TEST(utfcat_runs::utfcat(files) == expected(1, "bad:1:1: byte 0: byte that no text contains: FF (looks like UTF-16LE)\n"));
}

BOOST_AUTO_TEST_SUITE_END()
