// utfcat_follow_test.cpp: utfcat --follow: text as it comes, renamed and truncated files, byte order marks, errors; and what
// a restart with --state does. follow_kill_test.py kills it.
// build: program:utfcat cost:10
#define BOOST_TEST_MODULE utfcat_follow
#include "support/brief.hpp"
#include "support/tally.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

using namespace utfcat_runs;
using namespace std::string_literals;

namespace {

void append(const std::string& name, const std::string& bytes) {
  std::ofstream(name, std::ios::binary | std::ios::app) << bytes;
}

arguments command(const arguments& options) {
  arguments words = {"utfcat", "--follow"};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

/// Ends utfcat by SIGTERM. Returns what it has written and not shown yet.
result end(process& p) {
  p.kill(SIGTERM);
  p.finish("");
  const int status = p.wait();
  return {status, p.text[0], p.text[1], 0};
}

/// Waits until the file has this content.
void wait_for(const std::string& name, const std::string& content) {
  const auto deadline = clock_type::now() + patience;
  while (get(name) != content && clock_type::now() < deadline) usleep(1000);
  BOOST_TEST(get(name) == content);
}

/// Follows "log" with --state until "out" has this content, then ends utfcat.
result run_until(const std::string& content, const arguments& options = {}) {
  arguments words = {"--state", "state", "-o", "out", "log"};
  words.insert(words.end(), options.begin(), options.end());
  process p(command(words));
  wait_for("out", content);
  return end(p);
}

/// Runs utfcat, which must end by itself.
result refused(const arguments& options = {}) {
  arguments words = {"--state", "state", "-o", "out", "log"};
  words.insert(words.end(), options.begin(), options.end());
  return run(command(words));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_follow, scratch)

BOOST_AUTO_TEST_CASE(options_that_make_no_sense_are_refused) {
  put("in", "text\n");
  const std::string one_file =
      "--follow needs the name of one file: standard input and other pipes are followed anyway";
  const std::vector<std::pair<arguments, std::string>> table = {
      {{"--follow"}, one_file},
      {{"--follow", "-"}, one_file},
      {{"--follow", "a", "b"}, one_file},
      {{"--follow", "--range", "0-1", "in"}, "--follow has no end, so --range makes no sense with it"},
      {{"--follow", "-d", "in"}, "--follow has no end, so --decompress makes no sense with it"},
      {{"--follow", "-q", "in"}, "--follow has no end, so --quiet makes no sense with it"},
      {{"--follow", "--summary", "in"}, "--follow has no end, so --summary makes no sense with it"},
      {{"--follow", "-s", "in"}, "--follow has no end, so --stats makes no sense with it"},
      {{"--follow", "-p", "in"}, "--follow has no end, so --progress makes no sense with it"},
      {{"--follow", "--jobs", "2", "in"}, "--follow reads with one thread, so --jobs makes no sense with it"},
      {{"--state", "s", "in"}, "--state is for --follow"},
      {{"--from-start", "in"}, "--from-start is for --follow"},
      {{"--follow", "--from-start", "in"}, "--from-start is about a --state, and there is none"},
      {{"--follow", "-o", "in", "in"}, "in: is the file that is followed as well"},
      {{"--follow", "--state", "s.new", "s.new"}, "s.new: is followed, so --state cannot replace it"},
      {{"--follow", "--state", "s", "s.new"}, "s.new: is followed, so --state cannot replace it"},
      {{"--follow", "--state", "s", "-o", "s.new", "in"}, "s.new: is the output, so --state cannot replace it"},
      {{"--follow", "-o", "nosuch/out", "in"}, "nosuch/out: No such file or directory"},
      {{"--follow", "/dev/null"}, "/dev/null: only a regular file can be followed: Illegal seek"},
      {{"--follow", "."}, ".: Is a directory"},
      {{"--follow", "in/x"}, "in/x: Not a directory"},
      {{"--follow", "--state", ".", "in"}, ".: Is a directory"}};
  for (const auto& [words, why] : table) BOOST_TEST(utfcat(words) == expected(2, "", "utfcat: " + why + '\n'));
  BOOST_TEST(utfcat({"--follow", "--from-start", "--state", "in", "in"}).status == 2);
  BOOST_TEST(get("in") == "text\n");
}

BOOST_AUTO_TEST_CASE(text_arrives_as_it_comes) {
  process p(command({"log"}));
  put("log", "\xFF\xFE\xAC"s);
  append("log", "\x20.\0\n\0"s);
  BOOST_TEST(p.receive_line() == "\u20AC.");
  append("log", "\x3D\xD8\x00"s);
  append("log", "\xDE"s);
  BOOST_TEST(p.receive(4) == "\U0001F600");
  fs::rename("log", "log.1");
  put("log", "new \u20AC\n");
  BOOST_TEST(p.receive_line() == "new \u20AC");
  put("log", "");
  append("log", "\xFE\xFF\0x"s);
  BOOST_TEST(p.receive(1) == "x");
  BOOST_TEST(end(p) == expected(0, "", "utfcat: log: truncated, so it is read again from its start\n"));
}

BOOST_AUTO_TEST_CASE(signals_end_it_in_order) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    put("log", "a\xE2\x82");
    process p(command({"log"}));
    BOOST_TEST(p.receive(1) == "a");
    p.kill(signal);
    p.finish("");
    BOOST_TEST(p.wait() == 1);
    BOOST_TEST(p.text[1] == "utfcat: log:1:2: byte 1: incomplete at the end of the input: E2 82\n");
  }
}

BOOST_AUTO_TEST_CASE(errors_are_reported_as_they_come) {
  put("log", "a\n");
  process strict(command({"log"})), check(command({"-c", "log"})), repair(command({"-e", "replace", "log"}));
  BOOST_TEST(strict.receive_line() == "a");
  BOOST_TEST(repair.receive_line() == "a");
  append("log", "b\xFF"
                "c\n");
  strict.finish("");
  BOOST_TEST(strict.wait() == 1);
  BOOST_TEST(strict.text[0] == "b");
  BOOST_TEST(strict.text[1] == "utfcat: log:2:2: byte 3: byte that no text contains: FF\n");
  BOOST_TEST(repair.receive_line() == "b\uFFFDc");
  BOOST_TEST(end(repair) == expected(0, ""));
  BOOST_TEST(check.receive_line() == "log:2:2: byte 3: byte that no text contains: FF");
  append("log", "\xC0\n");
  BOOST_TEST(check.receive_line() == "log:3:1: byte 6: overlong encoding: C0");
  BOOST_TEST(end(check) == expected(1, ""));
}

BOOST_AUTO_TEST_CASE(characters_that_the_output_lacks_have_their_place) {
  put("log", "\xFF\xFEz\0\n\0"s);
  const arguments to_latin1 = {"-t", "latin1"};
  BOOST_TEST(run_until("z\n", to_latin1) == expected(0, ""));
  append("log", "\xE9\0\xAC\x20"s);
  BOOST_TEST(refused(to_latin1) ==
             expected(1, "", "utfcat: log:2:2: byte 8: the target encoding lacks U+20AC: E2 82 AC\n"));
  BOOST_TEST(get("out") == "z\n\xE9");
  // The state has not gone on.
  BOOST_TEST(refused(to_latin1).status == 1);
  BOOST_TEST(get("out") == "z\n\xE9");
  BOOST_TEST(run_until("z\n\xE9?", {"-t", "latin1", "-e", "replace"}) == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(the_output_has_at_most_one_mark) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::vector<std::pair<arguments, std::string>> table = {
      {{"-b", "add"}, mark + "onetwo"},
      {{"-f", "utf-8"}, mark + "onetwo"},
      {{"-f", "utf-8", "-b", "require"}, mark + "onetwo"},
      {{"-f", "utf-8", "-b", "strip"}, "onetwo"},
      {{"-t", "utf-16"}, "\xFE\xFF\0o\0n\0e\0t\0w\0o"s},
      {{"-t", "utf-16le", "-f", "utf-8"}, "\xFF\xFEo\0n\0e\0t\0w\0o\0"s}};
  for (const auto& [options, text] : table)
    for (const bool restart : {false, true}) {
      if (!brief::takes_next()) continue;
      for (const std::string& name : files_here()) fs::remove(name);
      put("log", mark + "one");
      arguments words = {"--state", "state", "-o", "out", "log"};
      words.insert(words.end(), options.begin(), options.end());
      process p(command(words));
      const bool wide = text.size() > 10;
      wait_for("out", text.substr(0, text.size() - (wide ? 6 : 3)));
      fs::rename("log", "log.1");
      if (restart) end(p);
      put("log", mark + "two");
      if (restart) {
        BOOST_TEST(run_until(text, options).status == 0);
      } else {
        wait_for("out", text);
        end(p);
      }
    }
}

//-------------------------------------------------------------------------------------------------------------- --state

BOOST_AUTO_TEST_CASE(a_restart_goes_on) {
  put("log", "\xFF\xFEz\0\n\0\x3D"s);
  BOOST_TEST(run_until("z\n") == expected(0, ""));
  append("log", "\xD8\x00\xDE"s);
  append("out", "text that the state does not know");
  BOOST_TEST(run_until("z\n\U0001F600") == expected(0, ""));
  append("log", "\n\0\x00\xDC"s);
  BOOST_TEST(refused() == expected(1, "", "utfcat: log:3:1: byte 12: unpaired low surrogate U+DC00: 00 DC\n"));
  BOOST_TEST(get("out") == "z\n\U0001F600\n");
  BOOST_TEST(run_until("z\n\U0001F600\n\uFFFD", {"-e", "replace"}) == expected(0, ""));
  BOOST_TEST(files_here() == (arguments{"log", "out", "state"}), boost::test_tools::per_element());
}

// A crash of the machine may lose all that has not reached the disk. So the order of these calls matters.
BOOST_AUTO_TEST_CASE(the_state_reaches_the_disk_after_the_output) {
  put("log", "text\n\xFF");
  arguments calls;
  const int status =
      run_by_system_calls({"utfcat", "--follow", "--state", "state", "-o", "out", "log"}, [&](pid_t utfcat) {
        const std::string call = call_of(utfcat);
        const bool is_message = call.compare(0, 10, "write pipe") == 0;
        if (!call.empty() && !is_message) calls.push_back(call);
      });
  BOOST_TEST(status == 1);
  const std::string here = fs::current_path().filename().string();
  const arguments save = {"fsync out", "write state.new", "fsync state.new", "rename", "fsync " + here};
  arguments wanted = save;
  wanted.push_back("append out");
  wanted.insert(wanted.end(), save.begin(), save.end());
  BOOST_TEST(calls == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(output_without_a_state_is_appended) {
  put("log", "new\n");
  put("out", "old\n");
  process p(command({"-o", "out", "log"}));
  wait_for("out", "old\nnew\n");
  end(p);
  BOOST_TEST(run_until("old\nnew\nnew\n") == expected(0, ""));  // the state begins after what was there
  append("out", "more");
  BOOST_TEST(run_until("old\nnew\nnew\n") == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(a_pipe_gets_all_text_and_a_warning) {
  const std::string warning =
      "utfcat: standard output: cannot be cut, so after a crash the text of up to a second comes twice\n";
  put("log", "one\n");
  process first(command({"--state", "state", "log"}));
  BOOST_TEST(first.receive_line() == "one");
  BOOST_TEST(end(first) == expected(0, "", warning));
  append("log", "two\n");
  process second(command({"--state", "state", "log"}));
  BOOST_TEST(second.receive_line() == "two");
  BOOST_TEST(end(second) == expected(0, "", warning));
}

BOOST_AUTO_TEST_CASE(a_state_that_is_damaged_is_refused) {
  put("log", "one\n");
  run_until("one\n");
  const std::string good = get("state");
  append("log", "two\n");
  const result error =
      expected(2, "",
               "utfcat: state: is no state of this version of utfcat, or damaged (without it, or with --from-start, "
               "utfcat begins anew)\n");
  tally all;
  const auto refuses = [&](const std::string& bad) {
    put("state", bad);
    all.check(refused() == error && get("out") == "one\n" && get("state") == bad, "state", bad);
  };
  for (std::size_t i = 0; i < good.size(); i += brief::nth) {
    refuses(good.substr(0, i));
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    refuses(bad);
  }
  refuses(good + '\n');
  refuses(std::string(5000, 'x'));
  all.summary("states");
  put("state", "damaged");
  BOOST_TEST(run_until("one\none\ntwo\n", {"--from-start"}).err ==
             "utfcat: state: is no state of this version of utfcat, or damaged: not used\n");
  put("state", good);
  BOOST_TEST(run_until("one\ntwo\n") == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(a_state_of_another_file_is_refused) {
  const auto refuses = [](const std::string& why) {
    BOOST_TEST(refused() == expected(2, "", "utfcat: " + why + "\n"));
    BOOST_TEST(get("out") == "one\n");
  };
  const std::string anew = "; no file beside it is that one (--from-start begins anew)";
  put("log", "one\n");
  run_until("one\n");
  const std::string state = get("state");

  fs::copy("log", "copy");
  fs::remove("log");
  refuses("log: does not exist, and neither does the file of the state state" + anew);
  fs::rename("copy", "log");
  if (refused().status == 2) {  // a new file may get the inode of the one that was removed
    refuses("log: is another file (by device and inode) than the file of the state state" + anew);
    BOOST_TEST(
        run_until("one\none\n", {"--from-start"}).err ==
        "utfcat: log: is another file (by device and inode) than the file of the state state; begun anew, what was "
        "not read of that file is lost\n");
  }

  fs::remove("state");
  fs::remove("out");
  run_until("one\n");
  put("log", "six\nmore\n");
  refuses("log: has other bytes than the file of the state state" + anew);
  BOOST_TEST(run_until("one\nsix\nmore\n", {"--from-start"}).status == 0);
}

BOOST_AUTO_TEST_CASE(another_output_and_another_encoding_are_refused) {
  put("log", "one\n");
  run_until("one\n");
  put("out", "on");
  BOOST_TEST(refused() == expected(2, "", "utfcat: out: has only 2 of the 4 bytes of the state state\n"));
  put("other", "a file of the user");
  BOOST_TEST(utfcat({"--follow", "--state", "state", "-o", "other", "log"}) ==
             expected(2, "", "utfcat: other: is not the output of the state state\n"));
  BOOST_TEST(get("other") == "a file of the user");
  BOOST_TEST(refused({"-t", "utf-16"}) == expected(2, "", "utfcat: state: is the state of an output in UTF-8\n"));
  BOOST_TEST(refused({"-f", "latin1"}) == expected(2, "", "utfcat: state: is the state of a file in UTF-8\n"));
  BOOST_TEST(utfcat({"--follow", "--state", "state", "-o", "state", "log"}) ==
             expected(2, "", "utfcat: state: is the state as well\n"));
}

BOOST_AUTO_TEST_CASE(files_that_were_renamed_meanwhile_are_read) {
  put("log", "one\n");
  run_until("one\n");
  append("log", "1\n");
  fs::rename("log", "log.3");
  put("log.2", "two\n");
  put("log.1", "three\n");
  put("log.state", "one\nthe same first bytes\n");
  put("log", "four\n");
  BOOST_TEST(run_until("one\n1\ntwo\nthree\nfour\n") == expected(0, ""));
  append("log", "4\n");
  fs::rename("log", "backup");  // any name beside it
  put("log", "five\n");
  BOOST_TEST(run_until("one\n1\ntwo\nthree\nfour\n4\nfive\n") == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(a_file_that_was_truncated_meanwhile_begins_anew) {
  put("log", "one\n");
  run_until("one\n");
  put("log", "2\n");
  BOOST_TEST(run_until("one\n2\n") ==
             expected(0, "",
                      "utfcat: log: truncated since the last run, so it is read from its start; what was not read is "
                      "lost\n"));
  append("log", "3\n");
  fs::copy("log", "log.1");  // as a program that copies a log and truncates it
  put("log", "text that is longer\n");
  BOOST_TEST(run_until("one\n2\n3\ntext that is longer\n") == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(an_empty_state_begins_with_the_file) {
  process waiting(command({"--state", "state", "-o", "out", "log"}));
  const auto deadline = clock_type::now() + patience;
  while (!fs::exists("state") && clock_type::now() < deadline) usleep(1000);
  waiting.kill(SIGKILL);
  waiting.wait();
  put("log", "one\n");
  BOOST_TEST(run_until("one\n") == expected(0, ""));
}

BOOST_AUTO_TEST_SUITE_END()
