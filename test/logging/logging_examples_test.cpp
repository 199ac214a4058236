// logging_examples_test.cpp: runs the logging examples as users do: with good input, with bad input, and if their files
// cannot be written.
// build: program:logging_boost program:logging_spdlog program:logging_glog
#define BOOST_TEST_MODULE logging_examples
#include "support/files.hpp"
#include "support/paths.hpp"
#include "support/process.hpp"

#include <utfilter/text.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace utfilter;

namespace {

/// A hundred records. One ends inside a character. All contain an escape sequence, and characters that are special to
/// formatters.
struct hundred_records {
  std::string bad, repaired;

  explicit hundred_records(const std::string& prefix = "") {
    for (int i = 0; i < 100; ++i) {
      const std::string start = "record " + std::to_string(i) + " {} %v \x1B[0m";
      bad += start + (i == 41 ? "\xE2\x82" : "\xE2\x82\xAC") + '\n';
      repaired += prefix + start + (i == 41 ? "\uFFFD" : "\xE2\x82\xAC") + '\n';
    }
  }
};

//------------------------------------------------------------------------------------------------------------ Boost.Log

const std::string logging_boost = paths::program("logging_boost");

/// The texts of the archives PREFIX.1.gz, PREFIX.2.gz, ..., decompressed by gzip(1), which refuses incomplete data.
std::vector<std::string> archives(const std::string& prefix) {
  std::vector<std::string> texts;
  while (true) {
    const std::string name = prefix + '.' + std::to_string(texts.size() + 1) + ".gz";
    if (!std::filesystem::exists(name)) return texts;
    const processes::shell_outcome unpacked = processes::shell("gzip -dc '" + name + "' 2>&1");
    texts.push_back(unpacked.status == 0 ? unpacked.output : "damaged");
  }
}

BOOST_AUTO_TEST_CASE(boost_writes_complete_archives_and_counts_the_repairs) {
  const files::directory dir;
  const hundred_records records("[info] ");
  files::write(dir / "in", records.bad);
  const std::string command = logging_boost + " " + dir / "log" + " 1000 <" + dir / "in" + " 2>" + dir / "err";
  BOOST_TEST(processes::shell(command) == (processes::shell_outcome{0, "100 lines, 1 repairs\n"}));
  BOOST_TEST((files::content(dir / "err") == records.repaired));

  const auto files = archives(dir / "log");
  std::string all;
  for (const std::string& text : files) {
    BOOST_TEST(text.back() == '\n');  // no record is in two archives
    if (&text != &files.back()) BOOST_TEST((text.size() >= 1000 && text.size() < 1040));
    all += text;
  }
  BOOST_TEST(files.size() == 4u);
  BOOST_TEST((all == records.repaired));

  // A later run overwrites no archive.
  BOOST_TEST(processes::shell(command).status == 0);
  BOOST_TEST(archives(dir / "log").size() == 8u);
}

/// Lines of random letters, which gzip cannot make much smaller.
std::string numbered_lines(unsigned begin, unsigned end) {
  std::string lines;
  for (unsigned i = begin, random = 1; i < end; ++i) {
    lines += std::to_string(i) + ' ';
    for (unsigned letter = 0; letter < 70; ++letter) {
      random = random * 1664525 + 1013904223;
      lines += static_cast<char>('0' + (random >> 26));
    }
    lines += '\n';
  }
  return lines;
}

/// A shell script that runs logging_boost in the directory $1. It feeds the logger while there is little room, makes
/// room, and feeds it again. All three parameters are shell commands. `limit` applies only to the logger. `make_room`
/// can use the logger's process id as $pid.
std::string script(const std::string& prepare, const std::string& limit, const std::string& make_room) {
  return "cd \"$1\" && mkdir disk && mkfifo in_pipe err_pipe || exit\n" + prepare +
         "\ncat err_pipe >err & (trap '' XFSZ; " + limit + "; exec " + logging_boost +
         " disk/log 100000 <in_pipe >out 2>err_pipe) & pid=$!\n"
         "exec 3>in_pipe && cat before >&3\n"
         "tries=0; until grep -q 'lost from now on' err || [ $((tries += 1)) = 200 ]; do sleep 0.1; done\n" +
         make_room + "\nsleep 1.1; cat after >&3; exec 3>&-; wait $pid; echo $? >status; wait; cp disk/* .\n";
}

/// Checks the log after the script: it has all lines, or at the place of missing lines it says how many are missing.
void check_log(const files::directory& dir, unsigned lines, const std::string& reason) {
  BOOST_TEST(files::content(dir / "status") == "0\n");
  BOOST_TEST(files::content(dir / "out") == std::to_string(lines) + " lines, 0 repairs\n");
  std::string all;
  const auto files = archives(dir / "log");
  for (const std::string& text : files) all += text;
  // There are only as many files as the text needs, although the logger tried to write again and again.
  BOOST_TEST(files.size() > 2u);
  BOOST_TEST(files.size() <= all.size() / 100'000 + 2);

  std::istringstream in(all);
  unsigned next = 0, notes = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string lost = " lines are lost here: " + reason;
    if (line.size() > lost.size() && line.compare(line.size() - lost.size(), lost.size(), lost) == 0) {
      next += static_cast<unsigned>(std::stoul(line));
      ++notes;
    } else {
      const std::string expected = "[info] " + std::to_string(next++) + ' ';
      BOOST_REQUIRE_EQUAL(line.substr(0, expected.size()), expected);
    }
  }
  BOOST_TEST(next == lines);
  BOOST_TEST(notes == 1u);

  // Each message is on standard error once.
  std::istringstream err(files::content(dir / "err"));
  std::vector<std::string> told;
  for (std::string line; std::getline(err, line);)
    if (line.substr(0, 7) != "[info] ") told.push_back(line.substr(line.find(": ") + 2));
  const std::vector<std::string> expected = {reason + ": lines wait in memory",
                                             "too much waits in memory: lines are lost from now on",
                                             "the waiting lines are written"};
  BOOST_TEST(told == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(boost_goes_on_in_the_same_file_once_there_is_room) {
  const files::directory dir;
  files::write(dir / "before", numbered_lines(0, 40'000));
  files::write(dir / "after", numbered_lines(40'000, 45'000));
  // The size of files is limited to 0, so that no file has any room. Later the limit is lifted.
  files::write(dir / "script", script("", "ulimit -S -f 0", "prlimit --fsize=unlimited: --pid $pid"));
  BOOST_TEST(processes::shell("timeout 60 sh " + dir / "script" + ' ' + dir / "").status == 0);
  check_log(dir, 45'000, "File too large");
}

// A separate test for ctest, because not everybody may mount a file system (CMakeLists.txt).
BOOST_AUTO_TEST_CASE(boost_goes_on_once_a_full_disk_has_room, *boost::unit_test::disabled()) {
  const std::string mount = "mount -t tmpfs -o size=4m tmpfs ";
  for (const std::string in_namespace : {"unshare --mount ", "unshare --mount --map-root-user "}) {
    const files::directory dir;
    if (processes::shell(in_namespace + mount + dir / "" + " 2>&1").status != 0) continue;
    files::write(dir / "before", numbered_lines(0, 40'000));
    files::write(dir / "after", numbered_lines(40'000, 45'000));
    files::write(dir / "script",
                 script(mount + "disk && head -c 3800000 /dev/zero >disk/other || exit", ":", "rm disk/other"));
    BOOST_TEST(processes::shell("timeout 60 " + in_namespace + "sh " + dir / "script" + ' ' + dir / "").status == 0);
    check_log(dir, 45'000, "No space left on device");
    return;
  }
  std::cout << "skipped: no file system can be mounted here, neither by root nor in a user namespace\n";
}

BOOST_AUTO_TEST_CASE(boost_begins_another_file_if_a_file_may_not_grow) {
  const files::directory dir;
  const std::string input = numbered_lines(0, 5000);
  files::write(dir / "in", input + "the last\xFF\n");
  BOOST_TEST(processes::shell("{ trap '' XFSZ; ulimit -f 300; " + logging_boost + " " + dir / "log" + " 1000000 <" +
                              dir / "in" + " 2>&1 >" + dir / "out" + " || echo failed; } | cat >" + dir / "err")
                 .status == 0);
  BOOST_TEST(files::content(dir / "out") == "5001 lines, 1 repairs\n");
  const auto files = archives(dir / "log");
  std::string all, expected;
  for (const std::string& text : files) all += text;
  std::istringstream lines(input);
  for (std::string line; std::getline(lines, line);) expected += "[info] " + line + '\n';
  expected += "[info] the last\uFFFD\n";
  BOOST_TEST(files.size() > 1u);
  BOOST_TEST((all == expected));
  BOOST_TEST((files::content(dir / "err") == expected));  // only the records, no message
}

BOOST_AUTO_TEST_CASE(boost_reports_lost_lines_at_its_end) {
  const files::directory dir;
  files::write(dir / "in", "a\n");
  const std::string arguments = " <" + dir / "in" + " 2>&1";
  BOOST_TEST(processes::shell("trap '' XFSZ; ulimit -f 0; " + logging_boost + " " + dir / "log" + arguments) ==
             (processes::shell_outcome{1, "[info] a\nlog file " + dir / "log.1.gz" +
                                              ": File too large: lines wait in memory\nlog file " + dir / "log.1.gz" +
                                              ": 1 lines are lost: File too large\n1 lines, 0 repairs\n"}));
  BOOST_TEST(!std::filesystem::exists(dir / "log.1.gz"));
  const std::string nowhere = dir / "nonesuch/log";
  BOOST_TEST(
      processes::shell(logging_boost + " " + nowhere + arguments) ==
      (processes::shell_outcome{1, "[info] a\nlog file " + nowhere +
                                       ".1.gz: No such file or directory: lines wait in memory\nlog file " + nowhere +
                                       ".1.gz: 1 lines are lost: No such file or directory\n1 lines, 0 repairs\n"}));
  // Standard error may be full, too.
  BOOST_TEST(processes::shell(logging_boost + " " + dir / "log <" + dir / "in" + " 2>/dev/full") ==
             (processes::shell_outcome{0, "1 lines, 0 repairs\n"}));
  for (const std::string wrong :
       {"", " log ten", " log 10x", " log 0", " log -5", " log 99999999999999999999", " log 10 x"})
    BOOST_TEST(processes::shell(logging_boost + wrong + " 2>&1 <" + dir / "in") ==
               (processes::shell_outcome{2, "usage: logging_boost PREFIX [BYTES]      BYTES is a number from 1 on\n"}));
}

//--------------------------------------------------------------------------------------------------------------- spdlog

const std::string logging_spdlog = paths::program("logging_spdlog");

BOOST_AUTO_TEST_CASE(spdlog_repairs_its_file_and_reports_the_errors) {
  const files::directory dir;
  const hundred_records records("[info] ");
  files::write(dir / "in", records.bad);
  BOOST_TEST(processes::shell(logging_spdlog + " " + dir / "log" + " <" + dir / "in" + " 2>&1") ==
             (processes::shell_outcome{
                 0, "record 42, byte 20: incomplete at the end of the input: E2 82\n1 records repaired, 1 errors\n"}));
  BOOST_TEST((files::content(dir / "log") == records.repaired));

  // spdlog reports a full disk.
  BOOST_TEST(processes::shell("trap '' XFSZ; ulimit -f 0; " + logging_spdlog + " " + dir / "full" + " <" + dir / "in" +
                              " 2>&1 | grep -c 'File too large'") == (processes::shell_outcome{0, "1\n"}));
  BOOST_TEST(processes::shell(logging_spdlog + " /dev/null/none <" + dir / "in" + " 2>/dev/null").status == 1);
}

//----------------------------------------------------------------------------------------------------------------- glog

const std::string logging_glog = paths::program("logging_glog");

/// The texts of the records, without the prefix that glog writes before each:
/// "I20240229 12:34:56.123456 123 logging_glog.cpp:80] "
std::string without_prefixes(const std::string& log) {
  std::string texts;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) {
    const std::size_t prefix = line.find("] ");
    if (line.find("logging_glog.cpp:") < prefix) texts += line.substr(prefix + 2) + '\n';
  }
  return texts;
}

BOOST_AUTO_TEST_CASE(glog_repairs_its_files_and_standard_error) {
  const files::directory dir;
  const hundred_records records;
  files::write(dir / "in", records.bad);
  BOOST_TEST(processes::shell(logging_glog + " " + dir / "" + " <" + dir / "in" + " 2>" + dir / "err") ==
             (processes::shell_outcome{0, "1 records repaired in files, 1 errors on std::clog\n"}));
  BOOST_TEST((without_prefixes(files::content(dir / "logging_glog.INFO")) == records.repaired));
  BOOST_TEST((without_prefixes(files::content(dir / "err")) == records.repaired));
}

BOOST_AUTO_TEST_CASE(glog_repairs_the_record_that_glog_itself_cuts) {
  for (const std::string padding : {"", "x"}) {  // with one of them the cut is inside a character
    const files::directory dir;
    std::string long_text = padding;
    while (long_text.size() < 40'000) long_text += "\xC3\xA9";
    files::write(dir / "in", "\xC3\xA9 " + long_text + "\nnext\n");
    BOOST_TEST(processes::shell(logging_glog + " " + dir / "" + " <" + dir / "in" + " 2>" + dir / "err").status == 0);
    const std::string file = files::content(dir / "logging_glog.INFO");
    BOOST_TEST(file.size() > 29'000u);
    BOOST_TEST(is_utf8(file));
    BOOST_TEST(without_prefixes(file).substr(without_prefixes(file).size() - 5) == "next\n");
    BOOST_TEST(is_utf8(files::content(dir / "err")));
  }
}

BOOST_AUTO_TEST_CASE(glog_survives_a_full_disk) {
  const files::directory dir;
  files::write(dir / "in", "a\xFF\nb\n");
  const processes::shell_outcome told{0, "1 records repaired in files, 1 errors on std::clog\n"};
  BOOST_TEST(processes::shell(logging_glog + " " + dir / "" + " <" + dir / "in" + " 2>/dev/full").status == 0);
  BOOST_TEST((without_prefixes(files::content(dir / "logging_glog.INFO")) == "a\uFFFD\nb\n"));
  BOOST_TEST(processes::shell("trap '' XFSZ; ulimit -f 0; " + logging_glog + " " + dir / "" + " <" + dir / "in" +
                              " 2>&1 | tail -n 1") == told);
  BOOST_TEST(processes::shell(logging_glog + " " + dir / "nonesuch <" + dir / "in" + " 2>&1 | tail -n 1") == told);
}

}  // namespace
