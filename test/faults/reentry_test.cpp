// reentry_test.cpp: writes that come in the middle of another write to the same stream: from a signal handler, and in a
// child process that was forked while a thread of its parent wrote. The log goes on, and nothing waits for ever.
// build: posix
#define BOOST_TEST_MODULE reentry
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/wide_stream.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <iomanip>
#include <iterator>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace utfilter;

namespace {

constexpr int runs = 300;

/// Counts what arrives. `while_writing` is called in the middle of each write.
class counting_streambuf : public std::streambuf {
 public:
  std::function<void()> while_writing;
  std::atomic<std::size_t> bytes{0};
  std::atomic<std::size_t> records{0};  // line feeds

 protected:
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    if (while_writing) while_writing();
    bytes += static_cast<std::size_t>(n);
    for (std::streamsize i = 0; i < n; ++i) records += s[i] == '\n';
    return n;
  }
};

std::ostream* logged_to = nullptr;
const std::string from_handler = "from a handler\n";

void log_in_handler(int) { *logged_to << from_handler; }

/// Calls a handler that logs, once after some microseconds, or again and again after each such time.
class alarm_clock {
 public:
  alarm_clock(std::ostream& log, int microseconds, bool repeats) {
    logged_to = &log;
    std::signal(SIGALRM, log_in_handler);
    const timeval time{0, microseconds};
    const itimerval setting{repeats ? time : timeval{0, 0}, time};
    ::setitimer(ITIMER_REAL, &setting, nullptr);
  }
  ~alarm_clock() {
    const itimerval off{};
    ::setitimer(ITIMER_REAL, &off, nullptr);
    std::signal(SIGALRM, SIG_IGN);
  }
  alarm_clock(const alarm_clock&) = delete;
  alarm_clock& operator=(const alarm_clock&) = delete;
};

/// The status of a child process that runs the action, or -1 if it has not ended after some seconds.
int status_of_child(const std::function<int()>& action) {
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(20);  // ends a child that hangs
    int status = 1;
    try {
      status = action();
    } catch (...) {
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// A stream with a filter over a sink. Each kind has its own rule for threads.
struct filtered {
  virtual ~filtered() = default;
  virtual std::ostream& stream() = 0;
  virtual stream_report report() const = 0;
};

struct scoped : filtered {
  explicit scoped(std::streambuf& sink) : log(&sink), check(std::make_unique<scoped_filter>(log)) {}
  std::ostream& stream() override { return log; }
  stream_report report() const override { return check->report(); }
  std::ostream log;
  std::unique_ptr<scoped_filter> check;
};

struct owning : filtered {
  explicit owning(std::streambuf& sink) : log(sink, log_params()) {}
  std::ostream& stream() override { return log; }
  stream_report report() const override { return log.report(); }
  utfilter::ostream log;
};

std::unique_ptr<filtered> make(bool is_scoped, std::streambuf& sink) {
  if (is_scoped) return std::make_unique<scoped>(sink);
  return std::make_unique<owning>(sink);
}

}  // namespace

// The signal comes while the sink writes: in each run the handler finds its own thread inside.
BOOST_AUTO_TEST_CASE(a_record_of_a_signal_handler_in_the_middle_of_another_one_is_dropped_and_counted) {
  for (const bool is_scoped : {true, false}) {
    const devices::watchdog dog("a handler that logs");
    counting_streambuf sink;
    const std::unique_ptr<filtered> log = make(is_scoped, sink);
    std::ostream& out = log->stream();
    logged_to = &out;
    std::signal(SIGUSR1, log_in_handler);
    sink.while_writing = [] { std::raise(SIGUSR1); };
    for (int i = 0; i < runs; ++i) out << "a record\n";
    BOOST_TEST(out.good());
    BOOST_TEST(sink.records == static_cast<std::size_t>(runs));
    BOOST_TEST(log->report().lost == runs * from_handler.size());
    sink.while_writing = nullptr;
    std::raise(SIGUSR1);  // outside of a write, the record of the handler is written
    BOOST_TEST(sink.records == static_cast<std::size_t>(runs) + 1);
    std::signal(SIGUSR1, SIG_DFL);
  }
}

// The signal comes at any instruction.
BOOST_AUTO_TEST_CASE(a_signal_at_any_time_neither_ends_the_log_nor_hangs) {
  for (const bool is_scoped : {true, false}) {
    const devices::watchdog dog("a handler that logs at any time");
    for (int run = 0; run < runs; ++run) {
      counting_streambuf sink;
      const std::unique_ptr<filtered> log = make(is_scoped, sink);
      std::ostream& out = log->stream();
      constexpr std::size_t records = 1000;
      {
        const alarm_clock clock(out, 20 + run % 50, true);
        for (std::size_t i = 0; i < records; ++i) out << "a record of the program\n";
      }
      const std::size_t written = sink.records - records, dropped = log->report().lost / from_handler.size();
      if (!out.good() || sink.records < records || written + dropped > 100 * records) BOOST_ERROR("run " << run);
      BOOST_TEST(log->report().lost % from_handler.size() == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_child_that_is_forked_in_the_middle_of_a_write_can_log) {
  for (const bool is_scoped : {true, false}) {
    const devices::watchdog dog("a child that logs");
    counting_streambuf sink;
    const std::unique_ptr<filtered> log = make(is_scoped, sink);
    std::ostream& out = log->stream();
    std::atomic<bool> inside{false}, go_on{false};
    sink.while_writing = [&] {
      inside = true;
      while (!go_on) std::this_thread::yield();
    };
    std::thread writer([&] { out << "\xE2\x82\xAC by the parent\n"; });
    while (!inside) std::this_thread::yield();
    sink.while_writing = nullptr;
    for (int run = 0; run < runs / 10; ++run) {
      const int status = status_of_child([&] {
        const std::string first = "\xE2\x82", second = "\xAC by the child \xFF\n";
        out << first << second;
        // Its own child can log, too.
        const int inner = status_of_child([&] {
          out << "by the child's child\n";
          return out.good() && sink.records == 2 ? 0 : 2;
        });
        const stream_report report = log->report();
        const bool is_own = report.errors == 1 && report.bytes_in == first.size() + second.size();
        return out.good() && sink.records == 1 && is_own && inner == 0 ? 0 : 3;
      });
      BOOST_TEST(status == 0);
    }
    go_on = true;
    writer.join();
    out << "by the parent\n";
    BOOST_TEST(out.good());
    BOOST_TEST(sink.records == 2u);
    BOOST_TEST(log->report().errors == 0u);
    BOOST_TEST(log->report().lost == 0u);
  }
}

// The observer or the sink forks, such as a sink that starts a program. In the child, the record goes on after that, and
// a record in the middle of it is dropped, as in the parent.
BOOST_AUTO_TEST_CASE(a_child_that_is_forked_in_the_middle_of_a_write_of_its_own_thread_drops_a_record_there) {
  for (const bool is_scoped : {true, false}) {
    const devices::watchdog dog("a child of the writing thread");
    const std::string inner = "in the middle\n";
    counting_streambuf sink;
    const std::unique_ptr<filtered> log = make(is_scoped, sink);
    std::ostream& out = log->stream();
    int status = -1;
    sink.while_writing = [&] {
      if (status != -1) return;
      status = status_of_child([&] {
        out << inner;
        // A child of the child, forked in the same write, knows that it is inside, too.
        const int below = status_of_child([&] {
          out << inner;
          return out.good() && log->report().lost == 2 * inner.size() ? 0 : 2;
        });
        return out.good() && sink.bytes == 0u && log->report().lost == inner.size() && below == 0 ? 0 : 3;
      });
    };
    out << "ab\xFF"
        << "c\n";
    BOOST_TEST(status == 0);
    BOOST_TEST(log->report().lost == 0u);
    BOOST_TEST(sink.records == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_record_goes_on_in_a_child_that_its_observer_has_forked) {
  for (const bool is_scoped : {true, false}) {
    counting_streambuf sink;
    std::ostream raw(&sink);
    pid_t child = -1;
    std::ostream* log = nullptr;
    params p = log_params();
    p.observer = [&](const error_info&) {
      if (child == -1) child = ::fork();
      if (child == 0) *log << "dropped\n";
    };
    std::unique_ptr<scoped_filter> check;
    std::unique_ptr<utfilter::ostream> owner;
    if (is_scoped) {
      check = std::make_unique<scoped_filter>(raw, p);
      log = &raw;
    } else {
      owner = std::make_unique<utfilter::ostream>(raw, p);
      log = owner.get();
    }
    *log << "ab\xFFZ\xFF\n"
         << "c\xFF\n";
    const stream_report report = is_scoped ? check->report() : owner->report();
    const bool whole = log->good() && sink.records == 2 && sink.bytes == 15 && report.errors == 3;
    if (child == 0) ::_exit(whole && report.lost == 3 * 8 ? 0 : 1);
    int status = -1;
    ::waitpid(child, &status, 0);
    BOOST_TEST(status == 0);
    BOOST_TEST((whole && report.lost == 0));
  }
}

// Threads of a scoped_filter write while the process forks at any time.
BOOST_AUTO_TEST_CASE(children_of_a_process_whose_threads_log_can_log) {
  const devices::watchdog dog("children of threads that log");
  counting_streambuf sink;
  std::ostream out(&sink);
  scoped_filter check(out);
  std::atomic<bool> stop{false};
  std::thread threads[2];
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      while (!stop) out << "a line of a thread that logs\n";
    });
  for (int run = 0; run < runs; ++run)
    BOOST_TEST(status_of_child([&] {
                 out << "exec has failed\n";
                 return out.good() ? 0 : 2;
               }) == 0);
  stop = true;
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(out.good());
}

BOOST_AUTO_TEST_CASE(threads_wait_for_each_other_while_a_slow_sink_writes) {
  const devices::watchdog dog("threads that wait");
  counting_streambuf sink;
  sink.while_writing = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  std::ostream out(&sink);
  scoped_filter check(out);
  std::thread threads[4];
  for (std::thread& thread : threads)
    thread = std::thread([&] {
      for (int i = 0; i < 20; ++i) out << "a line\n";
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(sink.records == 80u);
  BOOST_TEST(check.report().lines == 80u);
  BOOST_TEST(check.report().lost == 0u);
}

namespace {

/// Ways to write to a stream, and the bytes that each writes. Some of them call no virtual function of the stream buffer
/// while its put area has room.
struct way {
  const char* name;
  std::size_t bytes;
  std::function<void(std::ostream&)> write;
};
const std::vector<way> ways = {
    {"put", 1, [](std::ostream& out) { out.put('!'); }},
    {"many puts", 40,
     [](std::ostream& out) {
       for (int i = 0; i != 40; ++i) out.put('!');
     }},
    {"endl", 1, [](std::ostream& out) { out << std::endl; }},
    {"flush", 0, [](std::ostream& out) { out << std::flush; }},
    {"<<", 3, [](std::ostream& out) { out << "bad"; }},
    {"the fill of setw", 17, [](std::ostream& out) { out << std::setw(17) << "bad"; }},
    {"write", 5, [](std::ostream& out) { out.write("bad!\n", 5); }},
    {"an iterator", 6,
     [](std::ostream& out) {
       const std::string_view text = "bad!!\n";
       std::copy(text.begin(), text.end(), std::ostreambuf_iterator<char>(out));
     }},
};

/// Keeps what arrives.
class keeping_streambuf : public std::streambuf {
 public:
  std::string text;
  std::function<void()> while_writing, while_flushing;

 protected:
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    if (while_writing) while_writing();
    text.append(s, static_cast<std::size_t>(n));
    return n;
  }
  int sync() override {
    if (while_flushing) while_flushing();
    return 0;
  }
};

}  // namespace

// The text may stand in the put area of the stream, where a nested put would write.
BOOST_AUTO_TEST_CASE(what_comes_in_the_middle_of_a_write_is_dropped_whatever_the_way_and_the_buffer) {
  enum class place { observer, sink, flush };
  const std::string record = "\xFF pay 100 to Bob \xE2\x82\xAC\xE2\x82\n", repaired = "? pay 100 to Bob \u20AC?\n";
  for (const std::size_t buffer : {0u, 1u, 2u, 5u, 20u, 25u, 4096u})
    for (const place where : {place::observer, place::sink, place::flush})
      for (const way& nested : ways)
        for (const bool by_puts : {false, true})
          BOOST_TEST_CONTEXT(nested.name << ", in " << static_cast<int>(where) << ", buffer " << buffer << by_puts) {
            std::ostream* log = nullptr;
            std::size_t calls = 0;
            const auto call = [&] {
              ++calls;
              nested.write(*log);
            };
            params p = log_params();
            p.replacement = "?";
            if (where == place::observer) p.observer = [&](const error_info&) { call(); };
            keeping_streambuf sink;
            if (where == place::sink) sink.while_writing = call;
            if (where == place::flush) sink.while_flushing = call;
            codec_ostreambuf text(sink, encoding::utf8, p, buffer);
            std::ostream out(&text);
            log = &out;
            std::string expected;
            for (int i = 0; i != 3; ++i) {
              if (by_puts)
                for (const char c : record) out.put(c);
              else
                out << record;
              if (i == 1) out.flush();
              expected += repaired;
            }
            text.finish();
            BOOST_TEST(out.good());
            BOOST_TEST(sink.text == expected);
            BOOST_TEST(calls != 0u);
            const stream_report report = text.report();
            BOOST_TEST(report.lost == calls * nested.bytes);
            BOOST_TEST((report.failure != nullptr) == (report.lost != 0));
            BOOST_TEST(report.errors == 6u);
            BOOST_TEST(report.bytes_in == 3 * record.size());
          }
}

BOOST_AUTO_TEST_CASE(what_comes_in_the_middle_of_a_wide_write_is_dropped) {
  std::wostream* log = nullptr;
  std::size_t calls = 0;
  keeping_streambuf sink;
  sink.while_writing = [&] {
    ++calls;
    *log << std::setw(9) << L"bad" << std::endl;
    log->put(L'!');
  };
  wostream out(sink, encoding::utf16be, log_params());
  log = &out;
  for (int i = 0; i != 3; ++i) out << L"a\u20AC" << std::endl;
  out.close();
  BOOST_TEST(sink.text == std::string("\0a\x20\xAC\0\n\0a\x20\xAC\0\n\0a\x20\xAC\0\n", 18));
  BOOST_TEST(calls != 0u);
  BOOST_TEST(out.report().lost == calls * 11 * sizeof(wchar_t));
}
