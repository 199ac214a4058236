// utfcat_follow_test.cpp: utfcat --follow: text as it comes, renamed and truncated files, byte order marks, errors; and
// what a restart with --state does. follow_kill_test.py kills it.
// build: program:utfcat cost:10
#define BOOST_TEST_MODULE utfcat_follow
#include "support/brief.hpp"
#include "support/pipe_ends.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"
#include "utfcat/follow_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <list>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace utfcat_runs;
using namespace std::string_literals;

namespace {

/// A folder with a "log", and a utfcat that follows it with --state and -o.
class place {
 public:
  explicit place(const arguments& options = {}) : words_(command({"--state", "state", "-o", "out", "log"})) {
    words_.insert(words_.end(), options.begin(), options.end());
    static int number = 0;
    folder_ = std::to_string(++number);
    fs::create_directory(folder_);
  }

  std::string file(const std::string& name) const { return folder_ + '/' + name; }
  void start() {
    utfcat_.emplace(words_, [this] {
      if (chdir(folder_.c_str()) != 0) _exit(126);
    });
  }
  result end() {
    const result result = utfcat_runs::end(*utfcat_);
    utfcat_.reset();
    return result;
  }

 private:
  arguments words_;
  std::string folder_;
  std::optional<process> utfcat_;
};

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
      {{"--follow", "--state", "s", "s"}, "s: is followed, so --state cannot replace it"},
      {{"--follow", "--state", "s", "-o", "s", "in"}, "--state: s is the output as well"},
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

  put("log", "a\xFF\xE2\x82\xAC\n");
  process check(command({"-c", "-t", "latin1", "log"}));
  BOOST_TEST(check.receive_line() == "log:1:2: byte 1: byte that no text contains: FF");
  BOOST_TEST(check.receive_line() == "log:1:3: byte 2: the target encoding lacks U+20AC: E2 82 AC");
  BOOST_TEST(end(check) == expected(1, ""));
}

BOOST_AUTO_TEST_CASE(the_output_has_at_most_one_mark) {
  const std::vector<std::pair<arguments, std::string>> table = {
      {{"-b", "add"}, texts::feff + "onetwo"},
      {{"-f", "utf-8"}, texts::feff + "onetwo"},
      {{"-f", "utf-8", "-b", "require"}, texts::feff + "onetwo"},
      {{"-f", "utf-8", "-b", "strip"}, "onetwo"},
      {{"-t", "utf-16"}, "\xFE\xFF\0o\0n\0e\0t\0w\0o"s},
      {{"-t", "utf-16le", "-f", "utf-8"}, "\xFF\xFEo\0n\0e\0t\0w\0o\0"s}};
  std::list<place> places;  // they wait side by side
  for (const auto& [options, text] : table)
    for (int runs = 1; runs <= 2; ++runs) {
      place& at = places.emplace_back(options);
      put(at.file("log"), texts::feff + "one");
      at.start();
    }
  const auto for_each = [&](auto action) {
    auto at = places.begin();
    for (const auto& [options, text] : table)
      for (const bool restart : {false, true}) BOOST_TEST_CONTEXT(at->file("")) action(*at++, text, restart);
  };
  for_each([&](place& at, const std::string& text, bool restart) {
    const bool wide = text.size() > 10;
    wait_for(at.file("out"), text.substr(0, text.size() - (wide ? 6 : 3)));
    fs::rename(at.file("log"), at.file("log.1"));
    if (restart) at.end();
    put(at.file("log"), texts::feff + "two");
    if (restart) at.start();
  });
  for_each([&](place& at, const std::string& text, bool) {
    wait_for(at.file("out"), text);
    BOOST_TEST(at.end().status == 0);
  });
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
  for (std::string& call : calls) call = std::regex_replace(call, std::regex("[.]state[.]utfcat-.*"), "new state");
  BOOST_TEST(calls == (arguments{"fsync out", "fsync " + here,                                   //
                                 "write new state", "fsync new state", "link", "fsync " + here,  //
                                 "append out",                                                   //
                                 "fsync out", "write new state", "fsync new state", "rename", "fsync " + here}),
             boost::test_tools::per_element());
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
      "utfcat: standard output: cannot be cut, so after a crash the text of up to a second comes twice, and text that "
      "its reader has not read\n";
  put("log", "one\n");
  process first(command({"--state", "state", "log"}));
  BOOST_TEST(first.receive_line() == "one");
  BOOST_TEST(end(first) == expected(0, "", warning));
  append("log", "two\n");
  process second(command({"--state", "state", "log"}));
  BOOST_TEST(second.receive_line() == "two");
  BOOST_TEST(end(second) == expected(0, "", warning));
}

BOOST_AUTO_TEST_CASE(text_that_the_reader_of_a_pipe_has_not_read_comes_again) {
  put("log", "one\n");
  const arguments words = command({"--state", "state", "log"});
  process first(words);
  BOOST_TEST(first.receive_line() == "one");
  BOOST_TEST(end(first).status == 0);
  append("log", "two\n");
  for (const bool killed : {true, false}) {
    pipe_ends pipe;
    process p(words, [&] { dup2(pipe.writer(), STDOUT_FILENO); });
    pipe.close_writer();
    pollfd text{pipe.reader(), POLLIN, 0};
    BOOST_TEST(poll(&text, 1, 20000) == 1);
    if (killed)
      usleep(1200000);  // longer than it takes until the next state
    else
      pipe.close_reader();
    p.kill(killed ? SIGKILL : SIGTERM);
    p.finish("");
    p.wait();
  }
  process second(words);
  BOOST_TEST(second.receive_line() == "two");
  BOOST_TEST(end(second).status == 0);
  append("log", "three\n");
  process third(words);
  BOOST_TEST(third.receive_line() == "three");
  BOOST_TEST(end(third).status == 0);
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
             expected(2, "", "utfcat: --state: state is the output as well\n"));
}

BOOST_AUTO_TEST_CASE(files_that_were_renamed_meanwhile_are_read) {
  struct row {
    std::string name;                                         // that the log got
    std::vector<std::pair<std::string, std::string>> others;  // files beside it, or folders without content
    std::string text;                                         // of all files after the first
  };
  const std::vector<row> table = {
      {"log.3",
       {{"log.2", "two\n"}, {"log.1", "three\n"}, {"log.state", "one\nthe same first bytes\n"}},
       "two\nthree\n"},
      {"log.10", {{"log.11", "before it\n"}, {"log.9", "two\n"}, {"log.1", "three\n"}}, "two\nthree\n"},
      {"backup", {}, ""},  // any name beside it
      // A name with a large number is a date.
      {"log.20240131",
       {{"log.20231231", "before it\n"},
        {"log.3", "another scheme\n"},
        {"log.20240202", "three\n"},
        {"log.20240201", "two\n"},
        {"log.202402011", "another scheme\n"},
        {"log.20240201.gz", "another scheme\n"},
        {"log-20240201", "another scheme\n"}},
       "two\nthree\n"},
      {"log-2024-02-03",
       {{"log-2024-02-04", "two\n"}, {"log-2024-02-05", ""}, {"log-2024-02-06", "three\n"}, {"log.20240204", "x\n"}},
       "two\nthree\n"},
      // No number takes longer than another one.
      {"log.2000000000", {}, ""},
      {"log." + std::string(100, '9'), {}, ""},
      // A count may begin at zero and have leading zeros.
      {"log.010",
       {{"log.011", "before it\n"}, {"log.009", "two\n"}, {"log.000", "three\n"}, {"log.001", ""}},
       "two\nthree\n"}};
  std::list<place> places;  // they wait side by side
  for (std::size_t i = 0; i != table.size(); ++i) {
    place& at = places.emplace_back();
    put(at.file("log"), "one\n");
    at.start();
  }
  auto at = places.begin();
  for (const row& row : table) {
    BOOST_TEST_CONTEXT(row.name) {
      wait_for(at->file("out"), "one\n");
      BOOST_TEST(at->end() == expected(0, ""));
    }
    append(at->file("log"), "1\n");
    fs::rename(at->file("log"), at->file(row.name));
    for (const auto& [name, content] : row.others)
      if (content.empty())
        fs::create_directory(at->file(name));
      else
        put(at->file(name), content);
    put(at->file("log"), "new\n");
    at++->start();
  }
  at = places.begin();
  for (const row& row : table) {
    BOOST_TEST_CONTEXT(row.name) {
      wait_for(at->file("out"), "one\n1\n" + row.text + "new\n");
      BOOST_TEST(at->end() == expected(0, ""));
    }
    ++at;
  }
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

/// Makes files that are no regular ones: pipe.pipe, pipe.socket ... for the start "pipe".
void put_special_files(const std::string& start) {
  BOOST_REQUIRE(mkfifo((start + ".pipe").c_str(), 0600) == 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  (start + ".socket").copy(name.sun_path, sizeof name.sun_path - 1);
  const int end = socket(AF_UNIX, SOCK_STREAM, 0);
  BOOST_REQUIRE(bind(end, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
  close(end);
  fs::create_directory(start + ".directory");
  fs::create_symlink(start + ".pipe", start + ".link");
  fs::create_symlink("/dev/zero", start + ".device");
  fs::create_symlink("missing", start + ".broken");
  fs::create_symlink(start + ".loop", start + ".loop");
}

const arguments special_files = {"pipe", "socket", "directory", "link", "device", "loop"};

BOOST_AUTO_TEST_CASE(what_is_no_file_does_not_make_it_wait) {
  put("log", "one\n");
  run_until("one\n");
  put_special_files("log");
  const std::string anew = "; no file beside it is that one (--from-start begins anew)\n";
  put("log", "six\nmore\n");
  BOOST_TEST(refused() == expected(2, "", "utfcat: log: has other bytes than the file of the state state" + anew));
  put("log", "");
  fs::copy("log", "log.copy");
  put("log.copy", "one\nmore\n");
  BOOST_REQUIRE(mkfifo("log.0", 0600) == 0);
  fs::rename("log.copy", "log.2");
  fs::rename("log.pipe", "log.1");
  put("log", "new\n");
  BOOST_TEST(run_until("one\nmore\nnew\n") == expected(0, ""));
  for (const std::string& kind : special_files) {
    BOOST_TEST_CONTEXT(kind) {
      fs::remove("log");
      if (kind == "pipe") fs::rename("log.1", "log.pipe");
      fs::create_symlink("log." + kind, "log");
      const result end = refused();
      BOOST_TEST(end.status == 2);
      BOOST_TEST(end.err.find("utfcat: log: ") == 0u);
      BOOST_TEST(utfcat({"--follow", "log"}).status == 2);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_file_is_no_state) {
  put_special_files("state");
  put("log", "one\n");
  for (const std::string& kind : special_files) {
    if (kind == "device") continue;  // a wrong utfcat that root runs would replace the device
    BOOST_TEST_CONTEXT(kind) {
      const std::string name = "state." + kind;
      const auto before = fs::symlink_status(name).type();
      const result end = utfcat({"--follow", "--state", name, "--from-start", "-o", "out", "log"});
      const std::string why = kind == "directory" ? "Is a directory"
                              : kind == "loop"    ? "Too many levels of symbolic links"
                                                  : "is no regular file";
      BOOST_TEST(end == expected(2, "", "utfcat: " + name + ": " + why + "\n"));
      BOOST_CHECK(fs::symlink_status(name).type() == before);
    }
  }
  BOOST_TEST(!fs::exists("out"));
}

//------------------------------------------------------------------------------------------------- the file of the
//state

BOOST_AUTO_TEST_CASE(the_state_touches_no_other_file) {
  put("log", "one\n");
  put("victim", "precious");
  fs::create_symlink("victim", "state.new");
  BOOST_TEST(run_until("one\n") == expected(0, ""));
  fs::remove("state.new");
  put("state.new", "notes");
  append("log", "two\n");
  BOOST_TEST(run_until("one\ntwo\n") == expected(0, ""));
  BOOST_TEST(get("victim") == "precious");
  BOOST_TEST(get("state.new") == "notes");
  BOOST_TEST(files_here() == (arguments{"log", "out", "state", "state.new", "victim"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_link_to_the_state_stays_one) {
  fs::create_directory("elsewhere");
  fs::create_symlink("elsewhere/kept", "state");
  put("log", "one\n");
  run_until("one\n");
  append("log", "two\n");
  BOOST_TEST(run_until("one\ntwo\n") == expected(0, ""));
  BOOST_TEST(fs::is_symlink("state"));
  BOOST_TEST(fs::is_regular_file(fs::symlink_status("elsewhere/kept")));
}

BOOST_AUTO_TEST_CASE(the_state_keeps_its_mode) {
  put("log", "one\n");
  run_until("one\n");
  const auto mode = [] { return fs::status("state").permissions(); };
  const fs::perms usual = fs::perms::owner_read | fs::perms::owner_write;
  BOOST_CHECK((mode() & usual) == usual);
  fs::permissions("state", usual | fs::perms::group_read);
  append("log", "two\n");
  run_until("one\ntwo\n");
  BOOST_CHECK(mode() == (usual | fs::perms::group_read));
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_no_new_file) {
  put("log", "1\n");
  const auto with_a_small_disk = [] {
    const rlimit most{20, 20};  // bytes of a file: less than a state has
    setrlimit(RLIMIT_FSIZE, &most);
  };
  const result full = expected(2, "", "utfcat: state: File too large\n");
  BOOST_TEST(run(command({"--state", "state", "-o", "out", "log"}), "", with_a_small_disk) == full);
  BOOST_TEST(files_here() == (arguments{"log", "out"}), boost::test_tools::per_element());
  run_until("1\n");
  const std::string state = get("state");
  append("log", "2\n");
  BOOST_TEST(run(command({"--state", "state", "-o", "out", "log"}), "", with_a_small_disk) == full);
  BOOST_TEST(get("state") == state);
  BOOST_TEST(files_here() == (arguments{"log", "out", "state"}), boost::test_tools::per_element());
  BOOST_TEST(run_until("1\n2\n") == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(what_a_killed_run_has_left_is_removed) {
  put("log", "one\n");
  run_until("one\n");
  put(".state.utfcat-aB3dE6", "utfcat-st");
  const arguments users = {".other.utfcat-aB3dE6", ".state.utfcat-aB3dE", ".state.utfcat-notes.txt",
                           "state.utfcat-aB3dE6"};
  for (const std::string& name : users) put(name, "a file of the user");
  fs::create_symlink("log", ".state.utfcat-000000");
  append("log", "two\n");
  BOOST_TEST(run_until("one\ntwo\n") == expected(0, ""));
  arguments left = users;
  left.insert(left.end(), {".state.utfcat-000000", "log", "out", "state"});
  std::sort(left.begin(), left.end());
  BOOST_TEST(files_here() == left, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_state_is_for_one_utfcat_at_a_time) {
  put("log", "one\n");
  for (const bool again : {false, true}) {
    const std::string before = again ? "one\ntwo\n" : "", after = before + (again ? "three\n" : "one\n");
    process first(command({"--state", "state", "-o", "out", "log"}));
    if (again) append("log", "three\n");
    wait_for("out", after);
    const result second = expected(2, "",
                                   "utfcat: state: another utfcat (process " + std::to_string(first.pid()) +
                                       ") keeps its place there; a state is for one utfcat at a time\n");
    BOOST_TEST(refused() == second);
    BOOST_TEST(utfcat({"--follow", "--from-start", "--state", "state", "-o", "another", "log"}) == second);
    BOOST_TEST(!fs::exists("another"));
    fs::create_symlink("state", "link");
    BOOST_TEST(utfcat({"--follow", "--state", "link", "log"}).status == 2);
    fs::remove("link");
    append("log", "two\n");
    wait_for("out", after + "two\n");
    if (again)
      first.kill(SIGKILL);
    else
      BOOST_TEST(end(first) == expected(0, ""));
    first.finish("");
    if (again) first.wait();
  }
  // The lock has ended with the process.
  append("log", "four\n");
  BOOST_TEST(run_until("one\ntwo\nthree\ntwo\nfour\n") == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(of_two_that_begin_at_once_one_ends) {
  put("log", "one\n");
  for (int round = 0; round < 5; ++round) {
    fs::remove("state");
    fs::remove("out");
    process a(command({"--state", "state", "-o", "out", "log"})), b(command({"--state", "state", "-o", "out", "log"}));
    wait_for("out", "one\n");
    // Only one of the two goes on.
    siginfo_t ended{};
    waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT);
    BOOST_REQUIRE((ended.si_pid == a.pid() || ended.si_pid == b.pid()));
    process &first = ended.si_pid == a.pid() ? b : a, &second = ended.si_pid == a.pid() ? a : b;
    second.finish("");
    BOOST_TEST(second.wait() == 2);
    BOOST_TEST(end(first) == expected(0, ""));
    BOOST_TEST(get("out") == "one\n");
  }
}

BOOST_AUTO_TEST_CASE(one_output_is_for_one_state_at_a_time) {
  put("log", "one\n");
  put("other log", "other\n");
  process first(command({"--state", "state", "-o", "out", "log"}));
  wait_for("out", "one\n");
  BOOST_TEST(utfcat({"--follow", "--state", "other state", "-o", "out", "other log"}) ==
             expected(2, "", "utfcat: out: is locked by another program, such as a utfcat with another --state\n"));
  BOOST_TEST(end(first) == expected(0, ""));
  BOOST_TEST(get("out") == "one\n");
}

BOOST_AUTO_TEST_CASE(a_state_that_another_program_replaces_ends_it) {
  put("log", "one\n");
  process p(command({"--state", "state", "-o", "out", "log"}));
  wait_for("out", "one\n");
  fs::remove("state");
  put("state", "a file of the user");
  append("log", "two\n");
  p.finish("");
  BOOST_TEST(p.wait() == 2);
  BOOST_TEST(p.text[1] == "utfcat: state: another program has replaced it\n");
  BOOST_TEST(get("state") == "a file of the user");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
