// tail_utf16_test.cpp: runs the example tail_utf16 on logs that grow and are renamed, with good text and with bad text.
// build: posix program:tail_utf16
#define BOOST_TEST_MODULE tail_utf16
#include "support/files.hpp"
#include "support/process.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

using namespace processes;
using namespace std::string_literals;

namespace {

/// A log that tail_utf16 follows.
struct follower : files::directory {
  std::string log = *this / "log", file = *this / "file";
  process program{{"tail_utf16", log, file}};

  void append(const std::string& bytes) const { std::ofstream(log, std::ios::binary | std::ios::app) << bytes; }

  /// Waits until the file has this content.
  void wait_for(const std::string& content) const {
    const auto deadline = clock_type::now() + patience;
    while (files::content(file) != content && clock_type::now() < deadline) usleep(1000);
    BOOST_TEST(files::content(file) == content);
  }
  void end(const std::string& said) {
    program.kill(SIGTERM);
    program.finish("");
    BOOST_TEST(program.wait() == 0);
    BOOST_TEST(program.text[0] == said);
    BOOST_TEST(program.text[1] == "");
  }
};

BOOST_FIXTURE_TEST_CASE(lines_arrive_as_they_come, follower) {
  append("\xFF\xFE{\0}\0%\0v\0\xAC"s);
  append("\x20\n\0\x3D\xD8"s);
  wait_for("[info] {}%v\u20AC\n");
  append("\x00\xDE\r\0\n\0"s);
  wait_for("[info] {}%v\u20AC\n[info] \U0001F600\n");
  std::filesystem::rename(log, log + ".1");
  append("\xFE\xFF\0n\0e\0w\0\n"s);  // the new file has another byte order
  wait_for("[info] {}%v\u20AC\n[info] \U0001F600\n[info] new\n");
  files::write(log, "");
  append("n\0o\0\n\0"s);
  wait_for("[info] {}%v\u20AC\n[info] \U0001F600\n[info] new\n[warning] " + log + " was truncated\n[info] no\n");
  end("4 lines, 0 errors\n");
}

BOOST_FIXTURE_TEST_CASE(ill_formed_text_stops_nothing, follower) {
  append("a\0\x00\xDC"
         "b\0\n\0\0\0\n\0"s);
  wait_for("[info] a\uFFFDb\n[info] \0\n"s);
  append("\x3D\xD8\n\0c\0\x3D\xD8\x00"s);
  wait_for("[info] a\uFFFDb\n[info] \0\n[info] \uFFFD\n"s);
  end("4 lines, 3 errors\n");
  BOOST_TEST(files::content(file) == "[info] a\uFFFDb\n[info] \0\n[info] \uFFFD\n[info] c\uFFFD\n"s);
}

BOOST_AUTO_TEST_CASE(misuse_is_reported) {
  const files::directory here;
  const std::string folder = here.path().string();
  BOOST_TEST(run({"tail_utf16"}) == (result{2, "", "usage: tail_utf16 LOG FILE\n", 0}));
  BOOST_TEST(run({"tail_utf16", folder, here / "file"}) ==
             (result{1, "", "tail_utf16: " + folder + ": Is a directory\n", 0}));
  BOOST_TEST(run({"tail_utf16", here / "log", folder}).status == 1);
}

}  // namespace
