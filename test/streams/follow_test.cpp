// follow_test.cpp: a file that grows, is renamed, replaced or truncated is followed, with inotify and by polling.
// build: portable posix cost:5
#define BOOST_TEST_MODULE follow
#include <tuple>

namespace follow_cases {

struct by_inotify {
  static constexpr bool polls = false, renames = true;
};
struct by_polling {
  static constexpr bool polls = true, renames = true;
};
#ifdef __linux__
using ways = std::tuple<by_inotify, by_polling>;
#else
using ways = std::tuple<by_polling>;
#endif

}  // namespace follow_cases

#include "streams/follow_cases.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>

#include <pthread.h>
#ifdef __linux__
#  include <sys/inotify.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace follow_cases;

std::atomic<follow_streambuf*> followed{nullptr};

extern "C" void stop_followed(int) { followed.load()->stop(); }

BOOST_AUTO_TEST_CASE(a_signal_handler_stops) {
  for (const bool polls : {false, true}) {
    scene here;
    follow_options o;
    o.polls = polls;
    o.interval = 1h;
    follow_streambuf log(here.file, o);
    followed = &log;
    std::signal(SIGUSR1, stop_followed);
    const pthread_t reader = pthread_self();
    std::thread sender([&] {
      std::this_thread::sleep_for(20ms);
      pthread_kill(reader, SIGUSR1);
    });
    BOOST_TEST(texts_of(log) == "[stopped]");
    sender.join();
    std::signal(SIGUSR1, SIG_DFL);
  }
}

BOOST_AUTO_TEST_CASE(a_handler_may_stop_at_every_moment) {
  scene here;
  follow_streambuf log(here.file);
  followed = &log;
  std::signal(SIGUSR1, stop_followed);
  for (int i = 0; i < 100000; ++i) {  // more often than a pipe has room
    errno = i;
    raise(SIGUSR1);
    if (errno != i) BOOST_ERROR("errno has changed");
  }
  std::signal(SIGUSR1, SIG_DFL);
  BOOST_TEST(texts_of(log) == "[stopped]");
}

BOOST_AUTO_TEST_CASE(pipes_devices_and_broken_links_are_refused) {
  const auto refused = [](const fs::path& path, std::errc why) {
    BOOST_CHECK_EXCEPTION(follow_streambuf(path, {}), std::ios_base::failure, [&](auto& error) {
      return error.code() == why && std::string_view(error.what()).find(path.string()) != std::string_view::npos;
    });
  };
  scene here;
  BOOST_REQUIRE(mkfifo(here.file.c_str(), 0600) == 0);
  refused(here.file, std::errc::invalid_seek);
  refused("/dev/null", std::errc::invalid_seek);
  refused("/dev/null/file", std::errc::not_a_directory);
  fs::create_symlink("loop", here.path() / "loop");
  refused(here.path() / "loop", std::errc::too_many_symbolic_link_levels);
  files::write(here.path() / "secret", "");
  fs::permissions(here.path() / "secret", fs::perms::none);
  if (geteuid() != 0) refused(here.path() / "secret", std::errc::permission_denied);
}

#ifdef __linux__
// To open a device may have effects, and opening a pipe lets its writer go on.
FOLLOW_CASE(what_is_no_file_is_not_even_opened) {
  scene here;
  const fs::path pipe = here.path() / "pipe";
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int opened = inotify_init1(IN_NONBLOCK);
  BOOST_REQUIRE(inotify_add_watch(opened, pipe.c_str(), IN_OPEN) >= 0);
  BOOST_CHECK_THROW(follow_streambuf(pipe, impatient<Way>()), std::ios_base::failure);
  BOOST_TEST(follow_streambuf::identity_of(pipe) == "");
  files::write(here.file, "text");
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(at_hand(log) == "text");
  here.rename();
  fs::create_symlink("pipe", here.file);
  BOOST_TEST(fails(log, here.file, std::errc::invalid_seek));
  char event[4096];
  BOOST_TEST(read(opened, event, sizeof event) == -1);
  close(opened);
}
#endif

FOLLOW_CASE(a_link_that_changes_is_a_new_file) {
  scene here;
  files::write(here.path() / "a", "first");
  files::write(here.path() / "b", "second");
  fs::create_symlink("a", here.file);
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(at_hand(log) == "first");
  const std::string identity = log.identity();
  BOOST_TEST(identity == follow_streambuf::identity_of(here.path() / "a"));
  fs::remove(here.file);
  fs::create_symlink("b", here.file);
  BOOST_TEST(log.next_file());
  BOOST_TEST(at_hand(log) == "second");
  BOOST_TEST(log.identity() != identity);
}

FOLLOW_CASE(a_name_that_comes_back_is_the_same_file) {
  scene here;
  files::write(here.file, "a");
  follow_streambuf log(here.file, impatient<Way>());
  BOOST_TEST(at_hand(log) == "a");
  here.rename();
  BOOST_TEST(at_hand(log) == "");
  fs::rename(here.old(1), here.file);
  append(here.file, "b");
  BOOST_TEST(at_hand(log) == "b");
  fs::remove(here.file);
  BOOST_TEST(at_hand(log) == "");
  BOOST_TEST(!log.ended().has_value());
}

#ifdef __linux__
/// The processor time of this thread.
std::chrono::microseconds used() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  const auto time = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return time(usage.ru_utime) + time(usage.ru_stime);
}

FOLLOW_CASE(waiting_costs_no_processor_time) {
  scene here;
  files::write(here.file, "text");
  follow_options o;
  o.polls = Way::polls;
  follow_streambuf log(here.file, o);
  BOOST_TEST(at_hand(log) == "text");
  here.rename();
  BOOST_TEST(!log.wait_for(10ms));
  // The least of three: what else runs on the machine can make each more.
  auto least = std::chrono::microseconds::max();
  for (int i = 0; i != 3 && least.count() >= 5000; ++i) {
    append(here.path() / "noise", "");  // wakes it once
    const auto before = used();
    BOOST_TEST(!log.wait_for(500ms));
    least = std::min(least, used() - before);
  }
  BOOST_TEST(least.count() < 5000);
}
#endif

}  // namespace
