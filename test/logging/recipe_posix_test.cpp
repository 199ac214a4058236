// recipe_posix_test.cpp: doc/log_recipes.md's ways to log by printf, by syslog(3) and to the systemd journal. Sockets of
// the test take the place of the daemons.
// build: needs:log_recipes
#define BOOST_TEST_MODULE recipe_posix
#include <boost/test/unit_test.hpp>

#include "logging/recipe_cost.hpp"
#include "support/datagrams.hpp"
#include "support/files.hpp"
#include "support/hostile_lines.hpp"

#include <sys/wait.h>
#include <syslog.h>
#ifdef __linux__
#  include <sched.h>
#endif

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <log_recipes/journal.hpp>
#include <log_recipes/json_object.hpp>
#include <log_recipes/printf.hpp>
#include <log_recipes/syslog.hpp>

namespace {

const auto strings = hostile::strings(20'000);

//--------------------------------------------------------------------------------------------------------------- printf

struct closing {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using c_file = std::unique_ptr<std::FILE, closing>;

BOOST_AUTO_TEST_CASE(printf_writes_one_harmless_line_for_each_record) {
  const files::directory dir;
  const c_file log(std::fopen((dir / "log").c_str(), "w"));
  for (const auto& [name, text] : strings)
    BOOST_TEST(log_line(log.get(), "%s: %d [%s]\n", text.c_str(), 1, utfilter::to_printable(text).c_str()));
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings, [](const std::string& text) {
    return std::string(text.c_str()) + ": 1 [" + hostile::shown(text) + ']';
  });
}

BOOST_AUTO_TEST_CASE(printf_repairs_a_text_that_is_cut_inside_a_character) {
  const files::directory dir;
  const c_file log(std::fopen((dir / "log").c_str(), "w"));
  for (const auto& [name, text] : strings)
    BOOST_TEST(log_line(log.get(), "%.1s %.2s %.5s", text.c_str(), text.c_str(), text.c_str()));
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings, [](const std::string& text) {
    const std::string whole = text.c_str();
    return whole.substr(0, 1) + ' ' + whole.substr(0, 2) + ' ' + whole.substr(0, 5);
  });
}

BOOST_AUTO_TEST_CASE(printf_tells_if_the_format_or_the_file_fails) {
  const files::directory dir;
  const c_file log(std::fopen((dir / "log").c_str(), "w"));
  const wchar_t lone[] = {static_cast<wchar_t>(0xD800), L'\0'};
  BOOST_TEST(!log_line(log.get(), "%ls", lone));
  BOOST_TEST(log_line(log.get(), "%s", ""));
  BOOST_TEST(files::content(dir / "log") == "\n");
  const c_file full(std::fopen("/dev/full", "w"));
  if (full != nullptr) BOOST_TEST(!log_line(full.get(), "lost"));
}

//--------------------------------------------------------------------------------------------------------------- syslog

BOOST_AUTO_TEST_CASE(syslog_sends_one_harmless_record_for_each_text) {
  const datagrams::syslog_daemon daemon;
  for (const auto& [name, text] : strings) {
    BOOST_TEST_INFO(name);
    const bool logged = daemon.serve([&, &text = text] {
      ::openlog("app", LOG_NDELAY, LOG_USER);
      log_to_syslog(LOG_INFO, text);
    });
    if (!logged) {
      std::cout << "skipped: syslog(3), because nobody may change the root directory here\n";
      return;
    }
    hostile::check_datagram(daemon.next(), "app: " + hostile::shown_within(text, 2000));
    BOOST_TEST(daemon.next() == "");
  }
}

//-------------------------------------------------------------------------------------------------------------- journal

BOOST_AUTO_TEST_CASE(the_journal_gets_three_fields_for_each_record) {
  const files::directory dir;
  const datagrams::mailbox daemon(dir / "socket");
  const journal log(dir / "socket");
  for (const auto& [name, text] : strings) {
    BOOST_TEST_INFO(name);
    BOOST_TEST(log.log(LOG_INFO, text, text));
    const std::string value = hostile::shown_within(text, 48'000);
    BOOST_TEST((daemon.next() == "PRIORITY=6\nMESSAGE=" + value + "\nAPP_USER=" + value + "\n"));
    BOOST_TEST(conformance::reference::harm(value, hostile::one_line) == "");
  }
  BOOST_TEST(daemon.next() == "");
}

BOOST_AUTO_TEST_CASE(a_journal_that_is_not_there_is_told_and_may_come_later) {
  const files::directory dir;
  const journal log(dir / "socket");
  BOOST_TEST(!log.log(LOG_INFO, "lost", ""));
  BOOST_TEST(errno == ENOENT);
  const datagrams::mailbox daemon(dir / "socket");
  BOOST_TEST(log.log(LOG_INFO, "there", ""));
  BOOST_TEST(daemon.next() == "PRIORITY=6\nMESSAGE=there\nAPP_USER=\n");
}

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  using recipe_cost::row;
  using text = const std::string&;
  std::FILE* const file = std::fopen("/dev/null", "w");
  const auto put = [file](text line) { std::fwrite(line.data(), 1, line.size(), file); };
  row(
      "printf",
      [&](text t) {
        std::fprintf(file, "%s\n", t.c_str());
        std::fflush(file);
      },
      [&](text t) { log_line(file, "%s", t.c_str()); });
  row(
      "JSON by any of them", [&](text t) { put("{\"logger\":\"app\",\"text\":\"" + t + "\"}\n"); },
      [&](text t) {
        put(json_object({{"logger", "app"}, {"text", t}}) + '\n');
      });

  // A socket takes the place of both daemons. It has room for ten datagrams.
  const files::directory root;
  std::filesystem::create_directory(root / "dev");
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  (root / "dev/log").copy(address.sun_path, sizeof address.sun_path - 1);
  const int daemon = ::socket(AF_UNIX, SOCK_DGRAM, 0), client = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  const auto* const to = reinterpret_cast<const sockaddr*>(&address);
  BOOST_TEST_REQUIRE(::bind(daemon, to, sizeof address) == 0);
  const auto drain = [daemon](text, bool) {
    char some[1];
    while (::recv(daemon, some, sizeof some, MSG_DONTWAIT) >= 0) {
    }
  };
  const journal log(root / "dev/log");
  row(
      "systemd journal",
      [&](text t) {
        const std::string record = "PRIORITY=" + std::to_string(LOG_INFO) + "\nMESSAGE=" + t + "\nAPP_USER=ann\n";
        ::sendto(client, record.data(), record.size(), MSG_NOSIGNAL, to, sizeof address);
      },
      [&](text t) { log.log(LOG_INFO, t, "ann"); }, drain, 8);

  if (::fork() == 0) {
    bool entered = ::geteuid() == 0 && ::chroot(root.path().c_str()) == 0;
#ifdef __linux__
    entered = entered || (::unshare(CLONE_NEWUSER) == 0 && ::chroot(root.path().c_str()) == 0);
#endif
    if (entered)
      row(
          "syslog(3)", [](text t) { ::syslog(LOG_INFO, "%s", t.c_str()); }, [](text t) { log_to_syslog(LOG_INFO, t); },
          drain, 8);
    else
      std::puts("syslog(3) is left out, because nobody may change the root directory here");
    std::fflush(stdout);
    ::_exit(0);
  }
  ::wait(nullptr);
}

}  // namespace
