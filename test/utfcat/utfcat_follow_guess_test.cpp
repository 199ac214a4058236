// utfcat_follow_guess_test.cpp: utfcat --follow --from guess: what decides the encoding of each file, and when; what it says
// about that; and what a restart does.
// build: program:utfcat cost:7
#define BOOST_TEST_MODULE utfcat_follow_guess
#include "utfcat/follow_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <list>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

using namespace utfcat_runs;
using namespace std::string_literals;
using namespace std::chrono_literals;

namespace {

arguments guessing(const arguments& more) {
  arguments words = command({"-f", "guess", "--legacy", "windows-1252"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string assumes(const std::string& name) {
  return "utfcat: " + name +
         ": read as windows-1252, which is an assumption: the text does not show its encoding (--from names it, --legacy "
         "assumes another)\n";
}

/// Sixty lines: if they have nine characters or more, more bytes than decide.
template <class String>
String lines_of(const String& line) {
  String text;
  for (int i = 0; i != 60; ++i) text += line;
  return text;
}

const std::string truncated = "utfcat: log: truncated, so it is read again from its start\n";

/// Waits until the time since `from` is so long.
void sleep_until(clock_type::time_point from, std::chrono::milliseconds time) {
  const auto left = std::chrono::duration_cast<std::chrono::microseconds>(from + time - clock_type::now());
  if (left > 0us) usleep(static_cast<useconds_t>(left.count()));
}

/// The longest time between two calls. A machine that is busy may stop the test for so long that silence decides.
class stopwatch {
 public:
  void lap() {
    const auto now = clock_type::now();
    longest_ = std::max(longest_, now - before_);
    before_ = now;
  }
  bool is_below_silence() const { return longest_ < 900ms; }

 private:
  clock_type::time_point before_ = clock_type::now();
  clock_type::duration longest_{};
};

/// The bytes that the process has read from all files.
std::uint64_t bytes_read(const process& p) {
  std::ifstream facts("/proc/" + std::to_string(p.pid()) + "/io");
  std::string label;
  std::uint64_t bytes = 0;
  facts >> label >> bytes;
  return bytes;
}

/// Waits until the process has opened the file.
void wait_until_open(const process& p, const std::string& name) {
  const fs::path descriptors = "/proc/" + std::to_string(p.pid()) + "/fd";
  const auto has_opened = [&] {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(descriptors, ignored))
      if (fs::equivalent(entry.path(), name, ignored)) return true;
    return false;
  };
  const auto deadline = clock_type::now() + patience;
  while (!has_opened() && clock_type::now() < deadline) usleep(1000);
}

/// Lets utfcat read these bytes as the start of "log". They must be more than the system tells it about the file.
void begin_again(process& p, const std::string& bytes) {
  put("log", "\xEF\xBB\xBF-");
  BOOST_TEST(p.receive(1) == "-");
  put("log", "");
  BOOST_TEST(p.receive_line(1) + '\n' == truncated);
  const std::uint64_t before = bytes_read(p);
  append("log", bytes);
  const auto deadline = clock_type::now() + patience;
  while (bytes_read(p) < before + bytes.size() && clock_type::now() < deadline) usleep(1000);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_follow_guess, scratch)

//------------------------------------------------------------------------------------------------- what decides, and when

BOOST_AUTO_TEST_CASE(a_second_of_silence_decides_unless_the_last_character_is_cut) {
  struct row {
    std::string first, text;   // the start of the file, and what silence makes of it
    std::string second, both;  // what is appended then, and the text of both
    bool assumed = false;
  };
  const std::string ete = "\u00E9t\u00E9\n";
  const std::vector<row> table = {
      {"caf\xC3", "", "\xA9\n", "caf\u00E9\n"},  // the next byte makes it UTF-8, or does not
      {"caf\xE9", "", "\n", "caf\u00E9\n", true},
      {"\0"s, "", "a\0b"s, "ab"},  // no text, or the first half of a character
      {ete, ete, "\u20AC\n", ete + "\u20AC\n"},
      {"\u00E9\u00E9\xC3", "\u00E9\u00E9", "\xA9", "\u00E9\u00E9\u00E9"},  // a cut character that does not matter
      {utf16le(u"\u00E9t\u00E9\n"), ete, "aa\n\0"s, ete + "\u6161\n"},     // the appended bytes alone look like ASCII
      {"\0o\0k\0\n"s, "ok\n", "\x20\xAC\0\n"s, "ok\n\u20AC\n"},
      {"a\0a"s, "a", "a", "a\u6161"},
      {"a", "a", "\xC3\xA9\n", "a\u00E9\n"},
      {"\xFF\xFE", "", "a\0"s, "a"},
      {"\xE9t\xE9\n", ete, "\x80\n", ete + "\u20AC\n", true}};
  const auto in = [](std::size_t i) { return "in" + std::to_string(i); };
  const auto out = [](std::size_t i) { return "out" + std::to_string(i); };
  std::list<process> all;
  for (std::size_t i = 0; i != table.size(); ++i) all.emplace_back(guessing({"-o", out(i), in(i)}));
  const auto begin = clock_type::now();
  for (std::size_t i = 0; i != table.size(); ++i) put(in(i), table[i].first);
  sleep_until(begin, 500ms);
  for (std::size_t i = 0; i != table.size(); ++i) {
    const std::string early = get(out(i));
    if (clock_type::now() < begin + 1s) BOOST_TEST(early == "");
  }
  for (std::size_t i = 0; i != table.size(); ++i) BOOST_TEST_CONTEXT(i) wait_for(out(i), table[i].text);
  sleep_until(begin, 1300ms);
  for (std::size_t i = 0; i != table.size(); ++i) {
    BOOST_TEST_CONTEXT(i) BOOST_TEST(get(out(i)) == table[i].text);
    append(in(i), table[i].second);
  }
  std::size_t i = 0;
  for (process& p : all) {
    BOOST_TEST_CONTEXT(i) {
      wait_for(out(i), table[i].both);
      BOOST_TEST(end(p) == expected(0, "", table[i].assumed ? assumes(in(i)) : ""));
      const timeval &user = p.usage.ru_utime, &system = p.usage.ru_stime;
      BOOST_TEST((user.tv_sec + system.tv_sec) * 1000 + (user.tv_usec + system.tv_usec) / 1000 < 500);  // it waits idly
    }
    ++i;
  }
}

// These files grow all the time, so there is no silence.
BOOST_AUTO_TEST_CASE(a_mark_decides_at_once_and_so_do_512_bytes) {
  struct row {
    std::string start;
    std::size_t least;  // bytes that decide; 400 more are written at most
    arguments options = {};
  };
  const std::vector<row> table = {{"\xEF\xBB\xBF\u00E9", 0},
                                  {"\xFE\xFF\0\xE9"s, 0},
                                  {"\xFF\xFE\0\0\xE9\0\0\0"s, 0},
                                  {"\xE9" + std::string(400, '.'), 512},
                                  {"\xE9" + std::string(400, '.'), 512, {"--guess-bytes", "4096"}},
                                  {"\xE9" + std::string(20, '.'), 40, {"--guess-bytes", "40"}}};
  const auto in = [](std::size_t i) { return "in" + std::to_string(i); };
  const auto out = [](std::size_t i) { return "out" + std::to_string(i); };
  std::list<process> all;
  stopwatch writer;
  for (std::size_t i = 0; i != table.size(); ++i) {
    put(in(i), table[i].start);
    arguments words = guessing({"-e", "replace", "-o", out(i), in(i)});
    words.insert(words.end(), table[i].options.begin(), table[i].options.end());
    all.emplace_back(words);
  }
  std::vector<std::uintmax_t> sizes(table.size(), 0);  // of the files when their text came
  for (int step = 0; step != 400 && std::count(sizes.begin(), sizes.end(), 0) != 0; ++step) {
    for (std::size_t i = 0; i != table.size(); ++i) append(in(i), "\n");
    usleep(10000);
    for (std::size_t i = 0; i != table.size(); ++i)
      if (sizes[i] == 0 && !get(out(i)).empty()) sizes[i] = fs::file_size(in(i));
    writer.lap();
  }
  std::size_t i = 0;
  for (process& p : all) {
    BOOST_TEST_CONTEXT(i) {
      BOOST_TEST(sizes[i] != 0u);
      if (writer.is_below_silence()) BOOST_TEST(sizes[i] >= table[i].least);
      BOOST_TEST(get(out(i)).substr(0, 2) == "\u00E9");
      BOOST_TEST(end(p) == expected(0, "", table[i].least != 0 ? assumes(in(i)) : ""));
    }
    ++i;
  }
}

BOOST_AUTO_TEST_CASE(bytes_that_come_one_by_one_are_waited_for) {
  put("log", "");
  process p(guessing({"-o", "out", "log"}));
  wait_until_open(p, "log");
  useconds_t pause = 20000;  // so utfcat reads the first byte alone
  stopwatch writer;
  for (const char byte : utf16le(lines_of(u"\u6161 and so on\n"s))) {  // the first two bytes look like ASCII
    append("log", {&byte, 1});
    usleep(std::exchange(pause, 300));
    writer.lap();
  }
  if (writer.is_below_silence()) wait_for("out", lines_of("\u6161 and so on\n"s));
  BOOST_TEST(end(p) == expected(0, ""));
}

//---------------------------------------------------------------------------------------------------- one file and the next

BOOST_AUTO_TEST_CASE(each_file_is_guessed_anew) {
  const std::string legacy = lines_of("caf\xE9 and so on\n"s), text = lines_of("caf\u00E9 and so on\n"s);
  const std::string next = utf16le(lines_of(u"\u20AC and so on\n"s)), text_of_next = lines_of("\u20AC and so on\n"s);
  put("log", legacy);
  put("short", "caf\xE9");  // its end decides
  process p(guessing({"log"})), q(guessing({"-o", "out", "short"}));
  BOOST_TEST(p.receive(text.size()) == text);
  wait_until_open(q, "short");
  fs::rename("log", "log.1");
  fs::rename("short", "short.1");
  put("log", next);
  put("short", next);
  BOOST_TEST(p.receive(text_of_next.size()) == text_of_next);
  put("log", "");
  BOOST_TEST(p.receive_line(1) + '\n' == assumes("log"));
  BOOST_TEST(p.receive_line(1) + '\n' == truncated);
  append("log", text);
  BOOST_TEST(p.receive(text.size()) == text);
  put("log", "");
  BOOST_TEST(p.receive_line(1) + '\n' == truncated);
  append("log", legacy);
  BOOST_TEST(p.receive(text.size()) == text);
  BOOST_TEST(end(p) == expected(0, "", assumes("log")));
  wait_for("out", "caf\u00E9" + text_of_next);
  BOOST_TEST(end(q) == expected(0, "", assumes("short")));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_file_decides_before_the_silence_is_over) {
  const std::string bytes = utf16le(u"\u00E9 " + std::u16string(200, u'.')), text = "\u00E9 " + std::string(200, '.');
  process p(guessing({"log"}));
  begin_again(p, bytes);
  put("log", "");
  BOOST_TEST(p.receive(text.size()) == text);
  BOOST_TEST(p.receive_line(1) + '\n' == truncated);
  begin_again(p, bytes + '\xE9');
  p.kill(SIGTERM);
  p.finish("");
  BOOST_TEST(p.wait() == 1);
  BOOST_TEST(p.text[0] == text);
  BOOST_TEST(p.text[1] == "utfcat: log:1:203: byte 404: incomplete at the end of the input: E9\n");
}

//-------------------------------------------------------------------------------------------------------------- --state

BOOST_AUTO_TEST_CASE(a_restart_goes_on_in_the_encoding_that_was_decided) {
  const std::string text = lines_of("\u00E9 and so on\n"s);
  const arguments guess = {"-f", "guess", "--legacy", "windows-1252"};
  put("log", utf16le(lines_of(u"\u00E9 and so on\n"s)));
  BOOST_TEST(run_until(text, guess) == expected(0, ""));
  BOOST_TEST(get("state").find(" encoding=UTF-16LE ") != std::string::npos);
  append("log", "aa");  // alone it looks like ASCII, and would wait for the silence
  BOOST_TEST(run_until(text + "\u6161", guess) == expected(0, ""));

  for (const char* const name : {"log", "out", "state"}) fs::remove(name);
  put("log", lines_of("\xE9 and so on\n"s));
  BOOST_TEST(run_until(text, guess) == expected(0, "", assumes("log")));
  append("log", "\u00E9");
  BOOST_TEST(run_until(text + "\u00C3\u00A9", guess) == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(a_restart_before_the_decision_guesses_anew) {
  const arguments guess = {"-f", "guess", "--legacy", "windows-1252"};
  const std::string begin(100, '.'), rest = lines_of(" and so on\n"s);
  put("log", begin + "caf\xC3");  // undecided, also after a second
  for (const int signal : {SIGTERM, SIGKILL}) {
    process p(guessing({"--state", "state", "-o", "out", "log"}));
    const auto deadline = clock_type::now() + patience;
    while (get("state").find(std::to_string(p.pid())) == std::string::npos && clock_type::now() < deadline)
      usleep(1000);
    usleep(100000);  // it reads the file, which changes nothing
    p.kill(signal);
    p.finish("");
    BOOST_TEST(p.wait() == (signal == SIGTERM ? 0 : -1));
    BOOST_TEST(p.text[1] == "");
    BOOST_TEST(get("out") == "");
    BOOST_TEST(get("state").find("\nplace -\n") != std::string::npos);
  }
  append("log", "\xA9" + rest);
  BOOST_TEST(run_until(begin + "caf\u00E9" + rest, guess) == expected(0, ""));
}

//------------------------------------------------------------------------------------------------ what is not read as text

BOOST_AUTO_TEST_CASE(a_charset_of_icu_is_named_and_refused) {
  const std::string text = "<meta charset=ibm852>\n" + lines_of("\xA7lu\x9Cou\x9Fk\xEC k\x85\xE5\n"s);
  put("log", text);
  for (int run = 0; run != 2; ++run) {
    const result end = refused({"-f", "guess"});
    BOOST_TEST(end.status == 2);
    BOOST_TEST(end.err.find("utfcat: log: declares IBM852, ") == 0u);  // utfcat_charset_test.py has all of it
    BOOST_TEST(end.err.find(" another encoding with --from\n") != std::string::npos);
    BOOST_TEST(get("out") == "");
  }
  std::string latin1;
  for (const char c : text)
    latin1 +=
        c >= 0 ? std::string(1, c) : std::string{static_cast<char>(0xC2 | ((c >> 6) & 1)), static_cast<char>(c & 0xBF)};
  BOOST_TEST(run_until(latin1, {"-f", "latin1"}) == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(a_text_of_several_bytes_a_character_is_read) {
  const std::string page = "<meta charset=shift_jis>\n";
  put("log", page + lines_of("\x93\xFA\x96{\x8C\xEA\x82\xC5\x82\xB7\n"s));
  BOOST_TEST(run_until(page + lines_of("\u65E5\u672C\u8A9E\u3067\u3059\n"s), {"-f", "guess"}) == expected(0, ""));
}

BOOST_AUTO_TEST_CASE(a_text_with_states_is_refused) {
  put("log", lines_of("\x1B$BF|K\\8l\x1B(B\n"s));
  BOOST_TEST(refused({"-f", "guess"}) ==
             expected(2, "",
                      "utfcat: log looks like ISO-2022-JP: each byte may depend on all bytes "
                      "before it, so there is no --follow\n"));
}

BOOST_AUTO_TEST_CASE(data_that_is_no_text_is_an_error_or_legacy_text) {
  const std::string data = lines_of("ab\xE9\0\1 and so on\n"s), text = lines_of("ab\u00E9\0\1 and so on\n"s);
  const std::string why = "no text: zero bytes or control characters, but neither UTF-16 nor UTF-32\n";
  put("log", data);
  for (int run = 0; run != 2; ++run) {  // the state has not gone on
    BOOST_TEST(refused({"-f", "guess"}) == expected(1, "", "utfcat: log: is " + why));
    BOOST_TEST(get("out") == "");
  }
  process check(guessing({"-c", "log"}));
  BOOST_TEST(check.receive_line() + '\n' == "log:1:1: byte 0: " + why);
  BOOST_TEST(end(check) == expected(1, ""));
  const arguments repair = {"-f", "guess", "--legacy", "windows-1252", "-e", "replace"};
  BOOST_TEST(run_until(text, repair) == expected(0, "", assumes("log")));
  // A check counts its error once, before those of the characters that the output lacks.
  process both(guessing({"-c", "-t", "ascii", "log"}));
  BOOST_TEST(both.receive_line() + '\n' == "log:1:1: byte 0: " + why);
  BOOST_TEST(both.receive_line() == "log:1:3: byte 2: the target encoding lacks U+00E9: C3 A9");
  end(both);
}

BOOST_AUTO_TEST_CASE(a_lost_byte_of_utf16_is_said_once_for_each_file) {
  put("log", "\xFF\xFE"
             "a\0\n\0"s);
  process p(command({"log"}));
  BOOST_TEST(p.receive_line() == "a");
  append("log", "x"
                "b\0\n\0"
                "c\0\n\0"
                "\0"
                "\n\0"s);  // x and a zero byte are too many
  BOOST_TEST(p.receive_line() == "\u6278\u0A00\u6300\u0A00\0"s);
  BOOST_TEST(end(p) == expected(0, "",
                                "utfcat: log: line 2 has U+0A00, which is no character, but a line feed with its bytes "
                                "exchanged: either a byte is missing or too many before it, or the text is UTF-16 of "
                                "the other byte order\n"));
}

BOOST_AUTO_TEST_CASE(an_assumption_without_a_guess_is_said_too) {
  put("log", "a\n");
  process p(command({"--fallback", "latin1", "log"}));
  BOOST_TEST(p.receive_line() == "a");
  append("log", "\xE9\n");
  BOOST_TEST(p.receive_line() == "\u00E9");
  append("log", "\xE9\n");
  BOOST_TEST(p.receive_line() == "\u00E9");
  BOOST_TEST(end(p) ==
             expected(0, "",
                      "utfcat: log: read as ISO-8859-1, which is an assumption: there is no byte order mark (--from "
                      "names it, --fallback assumes another)\n"));
}

BOOST_AUTO_TEST_SUITE_END()
