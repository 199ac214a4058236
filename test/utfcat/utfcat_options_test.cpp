// utfcat_options_test.cpp: the command line of utfcat: options and files in every order, many files, and what the
// options do.
// build: program:utfcat needs:utfcat_parts
#define BOOST_TEST_MODULE utfcat_options
#include "support/brief.hpp"
#include "support/tally.hpp"
#include "utfcat/messages.hpp"
#include "utfcat/options.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

using namespace utfcat_runs;
using namespace std::string_literals;

namespace {

constexpr auto call = [](
                          const arguments& args, const std::string& input = "",
                          const std::function<void()>& in_child = [] {}) {
  return utfcat_runs::utfcat(args, input, in_child);
};

/// The values read from a command line, or the reason why the command line was refused.
struct reading {
  arguments files;
  std::string from, to;
  bool check = false, decompress = false;
  std::string refused;

  bool operator==(const reading& o) const {
    return files == o.files && from == o.from && to == o.to && check == o.check && decompress == o.decompress &&
           refused == o.refused;
  }
};

std::ostream& operator<<(std::ostream& to, const reading& r) {
  to << r.refused << " from " << r.from << " to " << r.to << (r.check ? " check" : "")
     << (r.decompress ? " decompress" : "") << " files";
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

/// A reading of the words of the test below, each of which it knows.
reading as_the_rules_say(const arguments& words) {
  reading r;
  std::vector<std::string> from, to;
  std::vector<std::string>* wanted = nullptr;  // by the option before this word
  bool only_files = false;
  const auto refuse = [](const std::string& why) { return reading{{}, "", "", false, false, why}; };
  const auto missing = [&] {
    return refuse("the required argument for option '--" + std::string(wanted == &from ? "from" : "to") +
                  "' is missing");
  };
  for (const std::string& word : words) {
    if (wanted != nullptr) {
      if (word == "-c" || word == "-f") return missing();
      wanted->push_back(word);
      wanted = nullptr;
    } else if (only_files || word.empty() || word == "-" || word[0] != '-') {
      r.files.push_back(word);
    } else if (word == "--") {
      only_files = true;
    } else if (word == "-f" || word == "-cf") {
      wanted = &from;
      r.check = r.check || word == "-cf";
    } else if (word == "--to") {
      wanted = &to;
    } else if (word == "-tutf-32") {
      to.emplace_back("utf-32");
    } else if (word == "--from=latin1") {
      from.emplace_back("latin1");
    } else if (word == "-x") {
      return refuse("unrecognised option '-x'");
    } else {
      r.check = r.check || word == "-c" || word == "-cd";
      r.decompress = r.decompress || word == "-cd" || word == "--dec";
    }
  }
  if (wanted != nullptr) return missing();
  r.from = "detect";
  r.to = "UTF-8";
  for (const auto& [option, values, read] : {std::tuple("--from", &from, &r.from), std::tuple("--to", &to, &r.to)}) {
    if (values->size() > 1) return refuse(option + " is given twice"s);
    if (values->empty()) continue;
    const auto found = utfilter::encoding_from_name(values->front());
    if (!found) return refuse(option + ": there is no encoding "s + utfcat::visible(values->front()));
    *read = encoding_name(*found);
  }
  if (r.files.empty()) r.files = {"-"};
  return r;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_options, scratch)

BOOST_AUTO_TEST_CASE(every_short_command_line_is_read_by_the_rules) {
  const arguments words = {"a",     "-",   "",    "--", "-c", "-f", "--to", "utf-16", "-tutf-32", "--from=latin1",
                           "--dec", "-cd", "-cf", "-x"};
  tally cases;
  const auto check = [&](const arguments& line) {
    const reading got = as_utfcat_reads(line), expected = as_the_rules_say(line);
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

// If the time grew with the square of the number of files, this would take several seconds.
BOOST_AUTO_TEST_CASE(a_hundred_thousand_files_take_little_time) {
  arguments words(100000, "file");
  words.insert(words.begin() + 50000, {"-f", "utf-16", "-d"});
  words.push_back("-c");
  const std::clock_t before = std::clock();
  const reading got = as_utfcat_reads(words);
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
  BOOST_TEST(call(files) == expected(1, "bad:1:1: byte 0: byte that no text contains: FF (looks like UTF-16LE)\n"));
}

//------------------------------------------------------------------------------------------------- --list and --version

BOOST_AUTO_TEST_CASE(the_list_has_each_encoding_with_its_names_and_utfcat_takes_them) {
  const result list = call({"--list"});
  BOOST_TEST(list.status == 0);
  BOOST_TEST(list.err == "");
  BOOST_TEST((call({"-l"}) == list));
  std::istringstream lines(list.out);
  std::vector<utfilter::encoding> listed;
  for (std::string line; std::getline(lines, line) && !line.empty();) {  // the charsets of ICU follow an empty line
    std::istringstream words(line);
    std::string first;
    words >> first;
    const auto encoding = utfilter::encoding_from_name(first);
    BOOST_REQUIRE_MESSAGE(encoding.has_value(), line);
    listed.push_back(*encoding);
    BOOST_TEST(first == encoding_name(*encoding));
    std::string all = first;
    for (std::string word; words >> word;) all += ' ' + word;
    BOOST_TEST(all == encoding_names(*encoding));
  }
  const utfilter::encoding_list all = utfilter::encodings();
  BOOST_TEST(std::equal(listed.begin(), listed.end(), all.begin(), all.end()));
  for (const char* name : {"l1", "IBM819", "csUTF16LE"})
    BOOST_TEST(call({"-c", "-f", name, "-t", name}) == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(the_version_has_a_short_option) {
  BOOST_TEST((call({"-V"}) == call({"--version"})));
  BOOST_TEST(call({"-V"}).out.rfind("utfcat (utfilter) ", 0) == 0u);
}

//-------------------------------------------------------------------------------------------------------------- --quiet

// The place in standard input, which the test shares with utfcat, shows how far utfcat has read.
BOOST_AUTO_TEST_CASE(with_quiet_a_file_is_read_to_its_first_error_unless_a_report_is_asked_for) {
  const std::size_t size = 10'000'000;
  put("bad", "\xFF" + std::string(size - 1, 'x'));
  put("euro", "\xE2\x82\xAC" + std::string(size - 3, 'x'));
  const auto bytes_read = [](const char* name, const arguments& args, int status) {
    const int file = open(name, O_RDONLY | O_CLOEXEC);
    BOOST_REQUIRE(file >= 0);
    BOOST_TEST(call(args, "", [file] { dup2(file, 0); }).status == status);
    const off_t place = lseek(file, 0, SEEK_CUR);
    close(file);
    return static_cast<std::size_t>(place);
  };
  BOOST_TEST(bytes_read("bad", {"-q"}, 1) < size / 10);
  BOOST_TEST(bytes_read("bad", {"-q", "-b", "require"}, 1) < size / 10);
  BOOST_TEST(bytes_read("bad", {"-q", "-e", "replace"}, 1) < size / 10);
  BOOST_TEST(bytes_read("euro", {"-q", "-t", "latin1"}, 1) < size / 10);
  BOOST_TEST(bytes_read("euro", {"-q"}, 0) == size);
  BOOST_TEST(bytes_read("bad", {"-q", "--stats"}, 1) == size);
  BOOST_TEST(bytes_read("bad", {"-q", "--summary"}, 1) == size);
  BOOST_TEST(bytes_read("bad", {"-c"}, 1) == size);
}

BOOST_AUTO_TEST_CASE(with_quiet_only_the_exit_status_shows_errors_of_the_text) {
  put("good", "good\n");
  put("bad", "\xFF\xC0\n");
  put("unmarked", utf16le(u"some text\n"));
  put("packed", "PK\3\4");
  BOOST_TEST(call({"-q", "good"}) == expected(0, ""));
  BOOST_TEST(call({"--quiet", "good", "bad", "good"}) == expected(1, ""));
  BOOST_TEST(call({"-q"}, "\xFF") == expected(1, ""));
  BOOST_TEST(call({"-q", "unmarked"}) == expected(0, ""));
  BOOST_TEST(call({"-qc", "bad"}) == expected(1, ""));
  BOOST_TEST(call({"-q", "-e", "replace", "bad"}) == expected(1, ""));
  BOOST_TEST(call({"-q", "-b", "require", "good"}) == expected(1, ""));
  BOOST_TEST(call({"-q", "-t", "latin1"}, "\xE2\x82\xAC") == expected(1, ""));
  BOOST_TEST(call({"-q", "-t", "latin1"}, "\xC3\xA9") == expected(0, ""));
  // Errors that do not concern the text are reported.
  BOOST_TEST(call({"-q", "nosuch", "bad"}) == expected(2, "", "utfcat: nosuch: No such file or directory\n"));
  BOOST_TEST(call({"-qd", "packed"}).status == 2);
  BOOST_TEST(call({"-q", "-o", "out", "good"}) ==
             expected(2, "", "utfcat: --quiet writes no text, so there is none for --output\n"));
  // If the user asks for a report, it contains only the files with errors.
  BOOST_TEST(call({"-qs", "good", "bad"}) ==
             expected(1, "", "bad: UTF-8, no byte order mark, 3 bytes in, 0 bytes out, 1 line, 2 errors\n"));
  const result all = call({"-c", "--summary", "bad"});
  BOOST_TEST(call({"-q", "--summary", "good", "bad", "good"}) == expected(1, all.out));
  BOOST_TEST(call({"-q", "--summary", "good", "good"}) == expected(0, ""));
}

//-------------------------------------------------------------------------------------------------------- --from guess

BOOST_AUTO_TEST_CASE(guess_finds_the_encoding_and_the_report_says_so) {
  const std::string text = "\u00E9t\u00E9\n";
  put("wide", utf16le(u"\u00E9t\u00E9\n"));
  put("narrow", "\xE9t\xE9\n");
  put("utf8", text);
  put("binary", "ab\xE9\0c"s);
  const auto assumes = [](const std::string& file) {
    return "utfcat: " + file +
           ": read as ISO-8859-1, which is an assumption: the text does not show its encoding (--from "
           "names it, --legacy assumes another)\n";
  };
  for (const char* const jobs : {"--jobs=1", "--jobs=2"}) {
    BOOST_TEST(call({"-f", "guess", "--legacy", "latin1", jobs, "wide", "narrow", "utf8"}) ==
               expected(0, text + text + text, assumes("narrow")));
    BOOST_TEST(call({"--fallback", "guess", "--legacy", "latin1", jobs, "narrow"}) ==
               expected(0, text, assumes("narrow")));
    BOOST_TEST(call({"-f", "guess", "--legacy", "latin1", "-q", jobs, "narrow"}) == expected(0, ""));
    BOOST_TEST(call({"-f", "guess", "--legacy", "latin1", jobs}, "ASCII\n") == expected(0, "ASCII\n"));
    BOOST_TEST(call({"-f", "guess", "-c", "--summary", jobs, "wide"}) ==
               expected(0, "wide: UTF-16LE (by its structure), no byte order mark, 1 line, well-formed\n"));
    const std::string why =
        "no text: zero bytes or control characters, but neither UTF-16 nor UTF-32 (if it is text all the same, --from "
        "names its encoding)\n";
    BOOST_TEST(call({"-f", "guess", jobs, "binary"}) == expected(1, "", "utfcat: binary: is " + why));
    BOOST_TEST(call({"-f", "guess", "-c", jobs, "binary"}) == expected(1, "binary:1:1: byte 0: " + why));
    BOOST_TEST(call({"-f", "guess", "-e", "replace", "--legacy", "latin1", jobs, "binary"}) ==
               expected(0, "ab\u00E9\0c"s, assumes("binary")));
    BOOST_TEST(call({"-f", "guess", "-c", "--summary", jobs, "binary"}).out.find("binary: ") == 0u);
  }
  BOOST_TEST(call({"-f", "guess", "--range", "0-2", "wide"}) == expected(0, text));
  for (const char* const mark : {"automatic", "require"})
    BOOST_TEST(call({"-f", "guess", "--range", "0-2", "-b", mark, "binary"}) ==
               expected(2, "",
                        "utfcat: binary: its lines cannot be found: no text: zero bytes or control characters, but "
                        "neither UTF-16 nor UTF-32\n"));
  std::string cut;
  for (int i = 0; i != 9; ++i) cut += utf16le(u"\u043E\u043D \u0438 \u043E\u043D\u0430, \u0438 \u043C\u044B\n");
  put("cut", cut.substr(1));
  BOOST_TEST(
      call({"-f", "guess", "cut"}) ==
      expected(1, "",
               "utfcat: cut: is no text: zero bytes or control characters, but neither UTF-16 nor UTF-32 (without "
               "its first byte it looks like UTF-16LE: a code unit may have been cut there; tail -c +2 leaves that "
               "byte out)\n"));
  put("marked", utf16le(u"\uFEFF\u00E9\n\u00E9\n"));
  const auto summary = [](const char* range, const char* file) {
    return call({"-f", "guess", "-c", "--summary", "--range", range, file}).out;
  };
  const std::string guessed = "wide: UTF-16LE (by its structure), no byte order mark, 1 line, well-formed\n";
  BOOST_TEST(summary("0-", "wide") == guessed);
  BOOST_TEST(call({"--fallback", "guess", "-c", "--summary", "--range", "0-", "wide"}).out == guessed);
  put("two", text + text);
  BOOST_TEST(summary("1-", "two") ==
             "two: from byte 6, UTF-8 (by its structure), no byte order mark, 1 line, well-formed\n");
  BOOST_TEST(summary("0-", "marked") == "marked: UTF-16LE, byte order mark, 2 lines, well-formed\n");
  BOOST_TEST(summary("3-", "marked") == "marked: from byte 6, UTF-16LE, byte order mark, 1 line, well-formed\n");
  // The first four bytes decide.
  put("late", "abcd\xE9\n");
  BOOST_TEST(call({"-f", "guess", "--legacy", "latin1", "--guess-bytes", "6", "late"}) ==
             expected(0, "abcd\u00E9\n", assumes("late")));
  BOOST_TEST(call({"-f", "guess", "--legacy", "latin1", "--guess-bytes", "4", "-q", "late"}) == expected(1, ""));
  BOOST_TEST(call({"-f", "guess", "--legacy", "latin1", "--guess-bytes", "4", "-c", "late"}) ==
             expected(1, "late:1:5: byte 4: truncated sequence: E9 (the first 4 bytes are ASCII, which shows no "
                         "encoding: try a larger --guess-bytes)\n"));
  BOOST_TEST(call({"-f", "guess", "-b", "require", "-c", "utf8"}) ==
             expected(1, "utf8:1:1: byte 0: missing byte order mark\n"));
}

BOOST_AUTO_TEST_CASE(options_of_guess_that_make_no_sense) {
  const auto refused = [&](const std::string& why) { return expected(2, "", "utfcat: " + why + '\n'); };
  BOOST_TEST(call({"--legacy", "latin1"}) == refused("--legacy is for --from guess"));
  BOOST_TEST(call({"--guess-bytes", "9"}) == refused("--guess-bytes is for --from guess"));
  for (const char* const from : {"guess", "utf-8", "koi8-r"})
    BOOST_TEST(
        call({"--fallback", "koi8-r", "--from", from}) ==
        refused(
            "--fallback is for --from detect, which is the default (with --from guess, --legacy names that encoding)"));
  for (const std::string n : {"0", "-1", "4k", "1073741825"})
    BOOST_TEST(call({"-f", "guess", "--guess-bytes", n}) ==
               refused("--guess-bytes: " + n + " is not a number from 1 to 1073741824"));
  BOOST_TEST(call({"-f", "guess", "--legacy", "utf-16le"}) ==
             refused("--legacy must name an encoding whose code units are bytes, it cannot be utf-16le"));
  BOOST_TEST(call({"-t", "guess"}) == refused("--to guess: the encoding to write must be named, it cannot be guess"));
}

//----------------------------------------------------------------------------------------------------------- --fallback

BOOST_AUTO_TEST_CASE(a_fallback_is_for_files_without_a_mark) {
  put("latin", "\xE9\n");
  put("utf8", "\xEF\xBB\xBF\xC3\xA9\n");
  put("utf16", "\xFF\xFE" + utf16le(u"\u00E9\n"));
  const std::string e = "\xC3\xA9\n";
  const auto assumes = [](const std::string& name, const std::string& file) {
    return "utfcat: " + file + ": read as " + name +
           ", which is an assumption: there is no byte order mark (--from names "
           "it, --fallback assumes another)\n";
  };
  const std::string windows = assumes("windows-1252", "latin"), latin = assumes("ISO-8859-1", "latin");
  BOOST_TEST(call({"--fallback", "windows-1252", "latin", "utf8", "utf16", "latin"}) ==
             expected(0, e + e + e + e, windows + windows));
  BOOST_TEST(call({"--fallback=utf-16le", "-s"}, utf16le(u"\u00E9\n")) ==
             expected(0, e,
                      assumes("UTF-16LE", "-") +
                          "-: UTF-16LE (assumed), no byte order mark, 4 bytes in, 3 bytes out, 1 line, 0 errors\n"));
  // Text of CESU-8 mostly has the size of UTF-8, so its size does not show that it is ASCII.
  BOOST_TEST(call({"--fallback", "cesu-8"}, e) == expected(0, e, assumes("CESU-8", "-")));
  BOOST_TEST(call({"--fallback", "latin1"}, "ASCII\n") == expected(0, "ASCII\n", ""));
  BOOST_TEST(call({"--fallback", "latin1", "-c", "latin"}) == expected(0, "", latin));
  BOOST_TEST(call({"--fallback", "latin1", "-b", "strip", "latin", "utf8"}) == expected(0, e + e, latin));
  BOOST_TEST(call({"--fallback", "latin1", "-t", "windows-1252", "latin", "utf8"}) ==
             expected(0, "\xE9\n\xE9\n", latin));
  BOOST_TEST(call({"--fallback", "utf-9"}) ==
             expected(2, "",
                      "utfcat: --fallback: there is no encoding utf-9 (the nearest name is utf-8; utfcat "
                      "--list shows all)\n"));
  BOOST_TEST(
      call({"--fallback", "detect"}) ==
      expected(2, "",
               "utfcat: --fallback must name the encoding of text without a byte order mark, it cannot be detect\n"));
}

BOOST_AUTO_TEST_CASE(the_hints_are_the_same_with_several_threads) {
  put("x", "aaaaaaa\xE9\n");
  const std::string said =
      "1:8: byte 7: truncated sequence: E9 (the first 4 bytes are ASCII, which shows no encoding: try a larger "
      "--guess-bytes)\n";
  for (const arguments& more : {arguments{}, {"--jobs", "2"}})
    for (const arguments& how : {arguments{"-c"}, {"-o", "out"}, {"-e", "replace", "-t", "utf-16", "-o", "out"}}) {
      arguments words{"-f", "guess", "--guess-bytes", "4", "x"};
      words.insert(words.end(), more.begin(), more.end());
      words.insert(words.end(), how.begin(), how.end());
      const result got = call(words);
      const std::string where = how.front() == "-c" ? got.out : got.err;
      if (how.front() == "-e")
        BOOST_TEST(where == "");
      else
        BOOST_TEST(where.find("x:" + said) != std::string::npos, where);
    }
}

BOOST_AUTO_TEST_CASE(more_guess_bytes_are_proposed_only_after_ascii) {
  const auto proposes = [](const std::string& text, const arguments& more = {}) {
    put("x", text);
    arguments words{"-f", "guess", "--legacy", "latin1", "--guess-bytes", "100", "-c", "x"};
    words.insert(words.end(), more.begin(), more.end());
    return call(words).out.find(": try a larger --guess-bytes)") != std::string::npos;
  };
  const std::string ascii(100, 'a'), french = "d\u00E9j\u00E0 vu, \u00E9t\u00E9\n";
  for (const arguments& more : {arguments{}, {"--jobs", "2"}, {"--summary"}, {"--range", "0-"}, {"--range", "101-"}}) {
    BOOST_TEST(proposes(ascii + "\ncaf\xE9\n", more));
    BOOST_TEST(!proposes(french + ascii + "\ncaf\xE9\n", more));
    BOOST_TEST(!proposes(french + french + ascii + french + "\ncaf\xE9\n", more));
  }
  // The end of the sample may cut the sequence that is the error.
  for (const std::size_t size : {97u, 98u, 99u}) {
    const std::string start(size, 'a');
    BOOST_TEST(proposes(start + "\xE2\x82\x41" + ascii) == (size != 97u));
    BOOST_TEST(!proposes("\u00E9" + start.substr(2) + "\xE2\x82\x41" + ascii));
  }
  // There are no more bytes, or the encoding was not guessed.
  BOOST_TEST(!proposes(std::string(80, 'a') + "caf\xC3"));
  put("x", ascii + "\ncaf\xE9\n");
  BOOST_TEST(call({"-c", "x"}).out.find("--guess-bytes") == std::string::npos);
  // With --decompress the bytes are those of the text.
  put("x.gz", compressed<io::gzip_compressor>(ascii + ascii + "caf\xE9\n"));
  BOOST_TEST(call({"-dc", "-f", "guess", "--guess-bytes", "100", "x.gz"}).out.find(": try a larger --guess-bytes)") !=
             std::string::npos);
}

// From a later byte on, the guess was wrong, and none of the characters is an error.
BOOST_AUTO_TEST_CASE(a_control_character_shows_that_a_guess_was_wrong) {
  const auto said = [](const std::string& control, const std::string& name, const std::string& other) {
    return "utfcat: x: line 3 has the control character " + control +
           ", which no text has: the encoding is another than " + name + ", perhaps " + other + " (--from names it)\n";
  };
  const auto declares = [](const char* name) {
    return std::string("utfcat: x: still declares ") + name +
           ", but is written in UTF-8 (--filter declare changes that)\n";
  };
  put("x", "# coding: iso-8859-1\n" + std::string(6000, ' ') + "\nd\xE9j\xE0 \x93vu\x94\n");
  BOOST_TEST(call({"-f", "guess", "--guess-bytes", "4000", "-o", "out", "x"}) ==
             expected(0, "", said("U+0093", "ISO-8859-1", "windows-1252") + declares("iso-8859-1")));
  BOOST_TEST(call({"-f", "guess", "--guess-bytes", "4000", "-c", "x"}) ==
             expected(0, "", said("U+0093", "ISO-8859-1", "windows-1252")));
  BOOST_TEST(call({"-f", "guess", "--guess-bytes", "4000", "-q", "x"}) == expected(0, ""));
  BOOST_TEST(call({"-f", "iso-8859-1", "-o", "out", "x"}) ==
             expected(0, "", declares("iso-8859-1")));  // the user knows it
  put("x", "\n\n" + std::string(6000, ' ') + "\x1B[1m\x1B$BF|K\\\x1B(B\n");
  BOOST_TEST(call({"-f", "guess", "--guess-bytes", "4000", "-o", "out", "x"}) ==
             expected(0, "",
                      "utfcat: x: line 3 has an escape sequence of ISO-2022, which begins characters of two bytes: the "
                      "encoding is another than UTF-8, perhaps ISO-2022-JP (--from names it)\n"));
  BOOST_TEST(call({"-o", "out", "x"}) == expected(0, ""));
  put("x", "# coding: iso-8859-2\n" + std::string(6000, ' ') + "\n\x85\x9A\n");  // NEL ends lines
  BOOST_TEST(call({"-f", "guess", "--guess-bytes", "4000", "-o", "out", "x"}) ==
             expected(0, "", said("U+009A", "ISO-8859-2", "windows-1250") + declares("iso-8859-2")));
}

//-------------------------------------------------------------------------------------------------- text without a mark

// From a lost byte on, UTF-16 is other characters, without an error.
BOOST_AUTO_TEST_CASE(utf16_in_which_a_byte_is_lost_is_told) {
  const auto said = [](const std::string& line) {
    return "utfcat: x: line " + line +
           " has U+0A00, which is no character, but a line feed with its bytes exchanged: either a byte is missing or too "
           "many before it, or the text is UTF-16 of the other byte order\n";
  };
  std::string text;
  for (int i = 0; i != 40; ++i) text += "w\0o\0r\0d\0\n\0"s;
  const std::string lost = text.substr(0, 204) + text.substr(205), added = text.substr(0, 204) + "x" + text.substr(204);
  for (const std::string& damaged : {lost, added})
    for (const arguments& how : {arguments{"-f", "guess"},
                                 {"-f", "utf-16le"},
                                 {"-f", "utf-16le", "-c"},
                                 {"-f", "utf-16le", "--jobs", "2"},
                                 {"-f", "utf-16le", "--nfc"}}) {
      put("x", damaged);
      arguments words = how;
      words.insert(words.end(), {"-e", "replace", "x"});
      BOOST_TEST(call(words).err.find(said("21")) != std::string::npos, call(words).err);
      if (how.back() == "--nfc") continue;  // --quiet writes no text that could be normalized
      words.push_back("-q");
      BOOST_TEST(call(words).err == "");
    }
  put("x", text);
  BOOST_TEST(call({"-f", "utf-16be", "-o", "out", "x"}).err == said("1"));
  BOOST_TEST(call({"-f", "utf-16le", "-o", "out", "x"}).err == "");
  // Line feeds become CR LF as bytes, as in an ASCII transfer of FTP or in Windows' text mode.
  for (const std::size_t order : {0u, 1u}) {
    std::string returned = order == 0 ? "" : std::string(1, '\0');
    for (const char c : "w\0o\0r\0d\0\n\0"s) returned += c == '\n' ? "\r\n"s : std::string(1, c);
    put("x", (order == 0 ? "\xFF\xFE"s : "\xFE\xFF"s) + returned + returned.substr(order));
    const std::string err = call({"-o", "out", "-e", "replace", "x"}).err;
    BOOST_TEST(
        err.find(order == 0 ? "utfcat: x: line 1 has U+0A0D, which is no character, but a carriage return and a "
                              "line feed in one code unit: a program has changed the end of a line, or written a line, "
                              "as if the text were ASCII; from there on text may be wrong\n"s
                            : said("1")) == 0u,
        err);
  }
  put("x", "\u0A00\u0A0D\n");  // in UTF-8 it says nothing
  BOOST_TEST(call({"-o", "out", "x"}).err == "");
}

// "echo error >> log" makes three characters of six bytes, without an error.
BOOST_AUTO_TEST_CASE(a_line_of_ascii_in_utf16_is_told) {
  std::string before, after;
  for (int i = 0; i != 20; ++i) before += utf16le(u"a line of the log\r\n");
  after = before;
  const auto said = [](const std::string& line, const std::string& units, const std::string& bytes, const char* name) {
    return "utfcat: x: line " + line + " has " + units + ", which are the ASCII bytes \"" + bytes +
           "\": a program has written text into the file that is not " + name +
           ", and there the characters are wrong\n";
  };
  const std::string error = said("21", "U+6F72 U+0A72", "ror\\x0A", "UTF-16LE");
  std::string in_range = said("20", "U+6F72 U+0A72", "ror\\x0A", "UTF-16LE");
  in_range.insert(in_range.size() - 1, " (line 1 begins at byte 38)");
  for (const arguments& how : {arguments{"-f", "guess"},
                               {"-f", "utf-16le"},
                               {"-f", "guess", "-c"},
                               {"-f", "guess", "--jobs", "2"},
                               {"-f", "utf-16le", "--nfc"},
                               {"-f", "guess", "--range", "10-"}}) {
    arguments words = how;
    words.push_back("x");
    put("x", before + "error\n");
    BOOST_TEST(call(words).status == 0);
    BOOST_TEST(call(words).err == (how.back() == "10-" ? in_range : error));
    put("x", before + "error\n" + after);
    if (how.back() != "10-") BOOST_TEST(call(words).err == error);
    if (how.back() == "--nfc") continue;
    words.push_back("-q");
    BOOST_TEST(call(words).err == "");
  }
  put("x", "\xFF\xFE" + before + "error\n");
  BOOST_TEST(call({"-o", "out", "x"}) == expected(0, "", error));
  // Other lines: after a real line feed, with digits and signs, and of several times two bytes.
  for (const auto& [line, units, bytes] : {std::array{"abc\n", "U+6261 U+0A63", "abc\\x0A"},
                                           {"OK!\n", "U+4B4F U+0A21", "OK!\\x0A"},
                                           {"code: 123\n", "", ""},
                                           {"codes: 123\n", "", ""},
                                           {"error 7: 10 1\n", "U+2030 U+0A31", "0 1\\x0A"}}) {
    put("x", before + line + after);
    const std::string err = call({"-f", "utf-16le", "-e", "skip", "-o", "out", "x"}).err;
    if (*units != 0) BOOST_TEST(err == said("21", units, bytes, "UTF-16LE"));
    BOOST_TEST(err.find("utfcat: x: line 21 has ") == 0u, err);  // after an odd number of bytes there is U+0A00
  }
  // With CR LF there is a code unit of both. The lines after this one are right.
  put("x", before + "errors\r\n" + after);
  BOOST_TEST(
      call({"-f", "utf-16le", "-o", "out", "x"}).err ==
      "utfcat: x: line 21 has U+0A0D, which is no character, but a carriage return and a line feed in one code "
      "unit: a program has changed the end of a line, or written a line, as if the text were ASCII; from there on "
      "text may be wrong\n");
  // The first lines are ASCII or UTF-8, as of a program that later writes UTF-16. An odd number of bytes exchanges
  // them. Only who names UTF-16 reads them as UTF-16.
  const auto added = [](const std::string& begin) {
    return "x:2:1: byte " + begin + ": from here UTF-16LE (tail -c +" + std::to_string(std::stoi(begin) + 1) +
           " with --from utf-16le reads it, --range 0-" + begin + " the text before it)\n";
  };
  put("x", "first line!\n" + before);
  BOOST_TEST(call({"-f", "utf-16le", "-c", "x"}).err == said("1", "U+656E U+0A21", "ne!\\x0A", "UTF-16LE"));
  BOOST_TEST(call({"-f", "guess", "-c", "x"}) == expected(1, added("12")));
  put("out", "");
  BOOST_TEST(call({"-f", "guess", "-o", "out", "x"}) ==
             expected(1, "",
                      "utfcat: x: is no text, so it replaces no file (--force writes it all the same)\n"
                      "utfcat: out: not written, because the text is not complete\n"));
  put("x", "first line\n" + before);
  BOOST_TEST(call({"-f", "utf-16be", "-c", "x"}).err == said("1", "U+6E65 U+0A61", "ne\\x0Aa", "UTF-16BE"));
  BOOST_TEST(call({"-f", "guess", "-c", "x"}) == expected(1, added("11")));
  BOOST_TEST(call({"-c", "x"}) == expected(1, added("11")));
  put("x", "Les \u00E9l\u00E8ves\n" + before);
  BOOST_TEST(call({"-f", "utf-16be", "-c", "x"}).err.find("\"es\\x0Aa\"") != std::string::npos);
  BOOST_TEST(call({"-f", "guess", "-c", "x"}) == expected(1, added("13")));
  // The zeros of an error's file are told with the error.
  put("x", utf16le(u"\u00E9 one\ntwo and more\n"));
  BOOST_TEST(call({"-c", "x"}).err == "");
  BOOST_TEST(call({"x"}).err.find("zero byte") == std::string::npos);
  put("x", "caf\xE9 au lait\n" + before);
  BOOST_TEST(call({"-c", "x"}).err == "");
  BOOST_TEST(call({"-c", "x"}).out.find("x:2:1: byte 13: from here UTF-16LE (") != std::string::npos);
}

// Each piece of a file ends where a read does.
BOOST_AUTO_TEST_CASE(a_line_of_ascii_in_utf16_is_told_wherever_pieces_end) {
  for (std::size_t size = 65536 / 2 - 10; size != 65536 / 2 + 2; ++size) {
    put("x", utf16le(std::u16string(size, u'x')) + "error\n" + utf16le(u"abc\n"));
    const std::string err = call({"-f", "utf-16le", "-o", "out", "x"}).err;
    BOOST_TEST(err.find("has U+6F72 U+0A72, ") != std::string::npos, size << ": " << err);
  }
  process p({"utfcat", "-f", "utf-16le"});
  p.send(utf16le(u"text\n") + "erro");
  BOOST_TEST(p.receive(11) == "text\n\u7265\u6F72");
  p.send("r\n");
  p.finish("");
  BOOST_TEST(p.wait() == 0);
  BOOST_TEST(p.text[1].find("has U+6F72 U+0A72, ") != std::string::npos, p.text[1]);
}

BOOST_AUTO_TEST_CASE(text_in_gurmukhi_is_no_line_of_ascii) {
  for (
      const std::u16string& text :
      {u"\u0A2A\u0A70\u0A1C\u0A3E\u0A2C\u0A40 \u0A2C\u0A4B\u0A32\u0A40\n"s,
       u"\u2022\u0A2A\u0A70\u0A1C\u0A3E\u0A2C\u0A40, \u2026\u0A2C\u0A4B\u0A32\u0A40\u0964\u0A2A\n"s,  // signs before a word
       u"\u6F22\u5B57 \u0A2A\u0A70\u0A1C\u0A3E\u0A2C\u0A40\n"s,  // ideographs, and a space
       u"\u304B\u305F\u0915\u0D24\u0E01\u0E20\n"s}) {            // other scripts
    std::u16string all;
    for (int i = 0; i != 20; ++i) all += text;
    put("x", utf16le(all));
    for (const char* const from : {"utf-16le", "guess"})
      BOOST_TEST(call({"-f", from, "-o", "out", "x"}) == expected(0, ""));
  }
  put("x", "\u6F72\u0A72\n");  // in UTF-8 it says nothing
  BOOST_TEST(call({"-f", "guess", "-o", "out", "x"}) == expected(0, ""));
}

// As Windows PowerShell makes it by >>. The first 4,096 bytes are ASCII.
BOOST_AUTO_TEST_CASE(utf16_after_ascii_is_told) {
  std::string ascii;
  for (int i = 0; i != 500; ++i) ascii += "some text\n";
  const std::string wide = utf16le(u"error\r\n");
  for (const auto& [text, name] :
       {std::pair(ascii + wide, "LE"), {ascii + '\0' + wide.substr(0, 13) + ascii, "BE"}, {ascii + wide + ascii, "LE"}})
    for (const arguments& how : {arguments{"-o", "out"}, {"-c"}, {"-c", "--jobs", "2"}}) {
      put("x", text);
      arguments words{"-f", "guess", "x"};
      words.insert(words.end(), how.begin(), how.end());
      const result r = call(words);
      BOOST_TEST(r.status == 1);
      BOOST_TEST((r.out + r.err).find("x:501:1: byte 5000: from here UTF-16" + std::string(name)) != std::string::npos);
    }
  BOOST_TEST(call({"-f", "guess", "-q", "x"}) == expected(1, ""));
  put("x", ascii + utf16le(u"an error") + ascii);  // no line of UTF-16, but like one
  BOOST_TEST(call({"-f", "guess", "-c", "x"}) ==
             expected(0, "",
                      "utfcat: x: line 501 has a zero byte beside each character, as UTF-16 has: a program has written "
                      "UTF-16 into this UTF-8; from there on text may be wrong\n"));
  for (const std::string& zeros :
       {std::string(20, '\0'), "a\0b\0c\0"s, "name\0name\0name\0name\0name\0name\0name\0"s}) {
    put("x", ascii + zeros + ascii);
    BOOST_TEST(call({"-f", "guess", "-o", "out", "x"}) == expected(0, ""));
  }
}

BOOST_AUTO_TEST_CASE(well_formed_text_with_the_zeros_of_utf16_gets_a_hint) {
  const auto hint = [](const char* name, const char* option) {
    return std::string("utfcat: x: well-formed, but looks like ") + name + " without a byte order mark: try --from " +
           option + '\n';
  };
  const auto swapped = [](std::string bytes) {
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) std::swap(bytes[i], bytes[i + 1]);
    return bytes;
  };
  const auto utf32 = [](const std::string& ascii, std::size_t place) {
    std::string bytes;
    for (const char c : ascii) {
      std::string unit(4, '\0');
      unit[place] = c;
      bytes += unit;
    }
    return bytes;
  };
  // The UTF-16 code units of most Russian letters are well-formed UTF-8, too, because both bytes are below 0x80.
  for (const std::u16string& text : {u"ab"s, u"some text\n"s, u"line 1\r\nline 2\r\n"s, std::u16string(100000, u'x'),
                                     u"\u041F\u0440\u0410\u0412\u041E"s}) {
    const std::string little = utf16le(text);
    put("x", little);
    for (const arguments& args :
         {arguments{"x"}, {"-c", "x"}, {"-e", "replace", "x"}, {"-c", "--summary", "x"}, {"--summary", "x"}}) {
      const result r = call(args);
      BOOST_TEST(r.status == 0);
      BOOST_TEST(r.err.find(hint("UTF-16", "utf-16le")) != std::string::npos, r.err);
    }
    put("x", swapped(little));
    BOOST_TEST(call({"x"}) == expected(0, swapped(little), hint("UTF-16", "utf-16be")));
  }
  put("x", utf32("text\n", 0));
  BOOST_TEST(call({"-c", "x"}) == expected(0, "", hint("UTF-32", "utf-32le")));
  put("x", utf32("text\n", 3));
  BOOST_TEST(call({"-c", "x"}) == expected(0, "", hint("UTF-32", "utf-32be")));
  put("x", utf16le(u"text\n"));
  BOOST_TEST(call({"-c", "-f", "windows-1252", "x"}) == expected(0, "", hint("UTF-16", "utf-16le")));
  BOOST_TEST(call({"-f", "utf-16le", "x"}) == expected(0, "text\n"));
  BOOST_TEST(call({"--fallback", "utf-16le", "x"}).out == "text\n");

  // Text whose zeros have another meaning, such as the end of a name, gets no hint.
  for (const std::string& other :
       {"./a\0./b\0./name\0"s, "text\0"s, "\0"s, "\0\0\0\0\0\0\0\0"s, "a\0"s, "\tx\ty\tz\n"s, std::string(100000, 'x')})
    BOOST_TEST((call({}, other) == expected(0, other)));
}

//------------------------------------------------------------------------------------------------------------ --summary

BOOST_AUTO_TEST_CASE(a_summary_of_several_files_has_a_total) {
  put("good", "good\n");
  put("bad", "\xFF\n\xFE\n");
  const std::string of_good = "good: UTF-8, no byte order mark, 1 line, well-formed\n";
  const std::string of_bad = call({"-c", "--summary", "bad"}).out;
  BOOST_TEST(call({"-c", "--summary", "good"}) == expected(0, of_good));
  BOOST_TEST(call({"-c", "--summary", "good", "good"}) ==
             expected(0, of_good + of_good + "total: 2 files, 2 lines, well-formed\n"));
  BOOST_TEST(
      call({"-c", "--summary", "good", "bad", "nosuch", "bad"}) ==
      expected(2,
               of_good + of_bad + of_bad + "total: 4 files, 5 lines, 4 errors in 2 files, 1 file could not be read\n",
               "utfcat: nosuch: No such file or directory\n"));
  // A truncated file is not called well-formed.
  put("cut.gz", compressed<io::gzip_compressor>("text\n").substr(0, 20));
  BOOST_TEST(call({"-cd", "--summary", "cut.gz"}).out.find("not read to its end\n") != std::string::npos);
  // There is nothing to say of a file whose encoding was not decided before it could not be read.
  put("start.gz", compressed<io::gzip_compressor>("text\n").substr(0, 10));
  for (const char* const from : {"detect", "guess"})
    for (const char* const report : {"--summary", "--stats"})
      BOOST_TEST(call({"-cd", "-f", from, report, "start.gz"}) ==
                 expected(2, "", "utfcat: start.gz: truncated gzip data\n"));
}

BOOST_AUTO_TEST_CASE(without_a_check_a_summary_goes_to_standard_error_and_the_text_to_its_place) {
  put("good", "good\n");
  put("bad", "a\xC0\xAF"
             "b\n\xE3\x81\x82\xE2\x82\xACy\xFFz\n");
  const std::string of_good = "good: UTF-8, no byte order mark, 1 line, well-formed\n";
  BOOST_TEST(call({"--summary", "good"}) == expected(0, "good\n", of_good));
  BOOST_TEST(call({"--summary", "-o", "out", "good"}) == expected(0, "", of_good));
  BOOST_TEST(get("out") == "good\n");
  const std::string one(40, '#');
  BOOST_TEST(call({"--summary", "good", "bad"}) ==
             expected(1, "good\na",
                      of_good +
                          "bad: UTF-8, no byte order mark, 0 lines, 1 error, and the text after it is left out"
                          " (no character beyond ASCII is UTF-8: try --from windows-1252)\n"
                          "  overlong encoding  1  " +
                          one +
                          "\n  1:2  overlong encoding: C0  a[C0]\n"
                          "total: 2 files, 1 line, 1 error in 1 file\n"));
  // The repair of an error is shown in the text around other errors, and is itself no error.
  struct row {
    arguments args;
    std::string first, second, third;
  };
  const row table[] = {{{"-e", "replace"}, "\xEF\xBF\xBD", "\xEF\xBF\xBD", "\xEF\xBF\xBD"},
                       {{"-e", "skip"}, "", "", ""},
                       {{"-e", "escape"}, "\\xC0", "\\xAF", "\\xFF"},
                       {{"-e", "windows-1252"}, "\xC3\x80", "\xC2\xAF", "\xC3\xBF"},
                       {{"-f", "utf-8", "-e", "keep"}, "\xC0", "\xAF", "\xFF"}};
  const auto shown = [](const std::string& repair) {
    return repair == "\xC0" || repair == "\xAF" ? "\\x" + std::string(repair == "\xC0" ? "C0" : "AF") : repair;
  };
  for (const row& r : table) {
    arguments args = r.args;
    args.insert(args.end(), {"--summary", "bad"});
    const std::string kinds = "bad: UTF-8, no byte order mark, 2 lines, 3 errors\n"
                              "  unexpected continuation byte  1  " +
                              one + "\n  overlong encoding             1  " + one +
                              "\n  byte that no text contains    1  " + one + '\n';
    BOOST_TEST(call(args) == expected(0, "a" + r.first + r.second + "b\n\xE3\x81\x82\xE2\x82\xACy" + r.third + "z\n",
                                      kinds + "  1:2  overlong encoding: C0             a[C0]" + shown(r.second) +
                                          "b\n"
                                          "  1:3  unexpected continuation byte: AF  a" +
                                          shown(r.first) +
                                          "[AF]b\n"
                                          "  2:4  byte that no text contains: FF    \xE3\x81\x82\xE2\x82\xACy[FF]z\n"));
    if (r.third == "\xFF") continue;
    // Characters that the output's encoding lacks are among the errors, but not if they are repairs.
    args.insert(args.end(), {"-t", "latin1"});
    const result lacking = call(args);
    BOOST_TEST(lacking.status == 0);
    BOOST_TEST(lacking.err.find(", 5 errors\n") != std::string::npos, lacking.err);
    const std::string places = "\n  2:1  the target encoding lacks U+3042: E3 81 82  [U+3042]\xE2\x82\xACy" + r.third +
                               "z\n"
                               "  2:2  the target encoding lacks U+20AC: E2 82 AC  \xE3\x81\x82[U+20AC]y" +
                               r.third +
                               "z\n"
                               "  2:4  byte that no text contains: FF              \xE3\x81\x82\xE2\x82\xACy[FF]z\n";
    BOOST_TEST(lacking.err.find(places) != std::string::npos, lacking.err);
  }
  // A byte order mark has no column, even if the text ends in the first piece.
  put("signed", "\uFEFFab\u20ACz\n");
  for (const char* policy : {"strict", "replace"}) {
    const result r = call({"--summary", "-f", "utf-8", "-t", "latin1", "-e", policy, "signed"});
    const std::string rest = policy == std::string("strict") ? "" : "z";  // the text after the character is left out
    BOOST_TEST(r.err.find("\n  1:3  the target encoding lacks U+20AC: E2 82 AC  ab[U+20AC]" + rest + '\n') !=
                   std::string::npos,
               r.err);
  }
  // If the summary cannot be written, the exit status shows it.
  BOOST_TEST(call({"--summary", "good"}, "", [] { dup2(open("/dev/full", O_WRONLY), 2); }) == expected(2, "good\n"));
}

// A piece ends at each place of the text, so that repairs are cut, too.
BOOST_AUTO_TEST_CASE(a_summary_shows_the_same_wherever_pieces_end) {
  tally cases;
  for (const char* policy : {"replace", "skip", "escape", "windows-1252"})
    for (std::size_t size = 65536 - 40; size <= 65536 + 6; size += brief::nth) {
      put("long", std::string(size, '.') + "\n0123456789\xE3\x81 01\xC0\xFF\xE3\x81\x82\xFE 0123456789\n");
      const result r = call({"--summary", "-f", "utf-8", "-e", policy, "long"});
      put("short", "....\n0123456789\xE3\x81 01\xC0\xFF\xE3\x81\x82\xFE 0123456789\n");
      const result s = call({"--summary", "-f", "utf-8", "-e", policy, "short"});
      const auto places = [](const std::string& text) { return text.substr(text.find("\n  2:")); };
      if (cases.failed(r.err.find("\n  2:") != std::string::npos && places(r.err) == places(s.err)))
        BOOST_ERROR(policy << ", " << size << ": " << r.err << s.err);
    }
  cases.summary("summaries");
}

BOOST_AUTO_TEST_SUITE_END()
