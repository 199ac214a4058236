// logging_glog_test.cpp: std::clog with a scoped_filter, used directly and by glog. The tests check the text that
// arrives, the counts, and that nothing is thrown into the program.
// build: needs:glog::glog
#define BOOST_TEST_MODULE logging_glog
#include "support/test_devices.hpp"

#include <utfilter/scoped_filter.hpp>
#include <utfilter/text.hpp>

#include <glog/logging.h>

#include <cstddef>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace utfilter;

namespace {

/// During a test std::clog gets this buffer, which can be made to fail, or another buffer. Afterwards it gets its own
/// buffer back.
class clog_buffer : public std::stringbuf {
 public:
  enum class mode { works, throws, takes_nothing, cannot_be_flushed };
  mode how = mode::works;

  explicit clog_buffer(std::streambuf* instead = nullptr)
      : own_(std::clog.rdbuf(instead != nullptr ? instead : this)) {}
  ~clog_buffer() override { std::clog.rdbuf(own_); }

 protected:
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    if (how == mode::throws) throw devices::device_failure("the log broke");
    return how == mode::takes_nothing ? 0 : std::stringbuf::xsputn(s, n);
  }
  int_type overflow(int_type c) override {
    return how == mode::works ? std::stringbuf::overflow(c) : traits_type::eof();
  }
  int sync() override { return how == mode::works ? 0 : -1; }

 private:
  std::streambuf* own_;
};

/// Makes glog write to std::clog only.
class glog_to_clog : public google::LogSink {
 public:
  glog_to_clog() {
    static const bool initialized = [] {
      FLAGS_stderrthreshold = google::NUM_SEVERITIES;
      for (int severity = google::GLOG_INFO; severity < google::NUM_SEVERITIES; ++severity)
        google::SetLogDestination(severity, "");
      google::InitGoogleLogging("logging_glog_test");
      return true;
    }();
    static_cast<void>(initialized);
    google::AddLogSink(this);
  }
  ~glog_to_clog() override { google::RemoveLogSink(this); }

  using LogSink::send;
  void send(google::LogSeverity, const char*, const char*, int, const google::LogMessageTime&, const char* s,
            std::size_t n) override {
    (std::clog << '[').write(s, static_cast<std::streamsize>(n)) << ']' << separator;
  }

  std::string separator = "\n";
};

}  // namespace

BOOST_AUTO_TEST_CASE(one_bad_record_in_a_hundred_is_repaired_and_a_hundred_arrive) {
  for (const bool by_glog : {false, true}) {
    clog_buffer log;
    scoped_filter check(std::clog);
    const glog_to_clog sink;
    std::string expected;
    for (int i = 0; i < 100; ++i) {
      const char* const end = i == 41 ? "\xE9" : "\xC3\xA9";
      if (by_glog)
        LOG(INFO) << i << " caf" << end;
      else
        std::clog << '[' << i << " caf" << end << "]\n";
      expected += '[' + std::to_string(i) + " caf" + (i == 41 ? "\uFFFD" : end) + "]\n";
      BOOST_TEST(log.str() == expected);  // no record waits for the next one
    }
    BOOST_TEST(check.report().errors == 1u);
    BOOST_TEST(check.report().lines == 100u);
  }
}

BOOST_AUTO_TEST_CASE(a_character_cut_at_the_end_of_a_record_ends_there) {
  {
    clog_buffer log;
    scoped_filter check(std::clog);
    std::clog << "price 5 \xE2\x82" << std::endl;  // without the line feed, the next record would make it a euro sign
    std::clog << "\xAC and more\n";
    BOOST_TEST(log.str() == "price 5 \uFFFD\n\uFFFD and more\n");
    BOOST_TEST(check.report().errors == 2u);
  }
  {
    clog_buffer log;
    scoped_filter check(std::clog);
    const glog_to_clog sink;
    LOG(WARNING) << "price 5 \xE2\x82";
    LOG(WARNING) << "\xAC and more";
    BOOST_TEST(log.str() == "[price 5 \uFFFD]\n[\uFFFD and more]\n");
    BOOST_TEST(check.report().errors == 2u);
  }
}

BOOST_AUTO_TEST_CASE(text_without_line_feeds_is_one_text) {
  clog_buffer log;
  {
    scoped_filter check(std::clog);
    std::clog << "p\xE2\x82" << std::flush;
    BOOST_TEST(log.str() == "p");  // only whole characters arrive
    std::clog << "\xACq\xE2\x82";
    std::clog << "r\xE2\x82";
    BOOST_TEST(log.str() == "p\u20ACq\uFFFDr");
    BOOST_TEST(check.report().errors == 1u);
  }
  BOOST_TEST(log.str() == "p\u20ACq\uFFFDr\uFFFD");  // the end of the scope is the end of the text
  std::clog << "\xAC";
  BOOST_TEST(log.str() == "p\u20ACq\uFFFDr\uFFFD\xAC");  // there is no filter any more
}

BOOST_AUTO_TEST_CASE(control_characters_pass) {
  clog_buffer log;
  scoped_filter check(std::clog);
  const glog_to_clog sink;
  LOG(INFO) << "\x1B[31mred\x1B[0m\a";
  LOG(INFO) << "\x1B[31mred\xFF\x1B[0m";
  BOOST_TEST(log.str() == "[\x1B[31mred\x1B[0m\a]\n[\x1B[31mred\uFFFD\x1B[0m]\n");
}

BOOST_AUTO_TEST_CASE(a_further_filter_composes) {
  params marked = log_params();
  marked.replacement = "?";
  clog_buffer log;
  {
    scoped_filter inner(std::clog);
    scoped_filter outer(std::clog, marked);
    std::clog << "a\xFF\n";
    BOOST_TEST(inner.report().errors == 0u);
    BOOST_TEST(outer.report().errors == 1u);
  }
  std::clog << "b\xFF\n";
  BOOST_TEST(log.str() == "a?\nb\xFF\n");
}

BOOST_AUTO_TEST_CASE(a_log_that_fails_throws_nothing_into_the_program_and_goes_on_after_clear) {
  using mode = clog_buffer::mode;
  for (const mode how : {mode::throws, mode::takes_nothing, mode::cannot_be_flushed}) {
    BOOST_TEST_CONTEXT("mode " << static_cast<int>(how)) {
      const devices::watchdog guard("a log that fails");
      clog_buffer log;
      const glog_to_clog sink;
      const auto log_a_hundred = [] {
        for (int i = 0; i < 50; ++i) {
          BOOST_CHECK_NO_THROW(std::clog << "lost \xFF" << std::endl);
          LOG(ERROR) << "lost \xE2\x82";  // an exception would end the program, because a destructor writes it
        }
      };
      {
        scoped_filter check(std::clog);
        std::clog << "before\n";
        log.how = how;
        log_a_hundred();
        BOOST_TEST(std::clog.bad());  // from now on the stream is skipped
        log.how = mode::works;
        log_a_hundred();
        std::clog.clear();
        LOG(ERROR) << "again \xFF";
        BOOST_TEST(std::clog.good());
        BOOST_TEST((check.report().failure != nullptr));
      }
      const std::string arrived = log.str();
      const std::string end = "[again \uFFFD]\n";
      BOOST_TEST(arrived.substr(0, 7) == "before\n");
      BOOST_TEST(arrived.substr(arrived.size() - end.size()) == end);
      BOOST_TEST(std::clog.good());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_throws_nothing_into_the_program) {
  std::filebuf full;
  BOOST_REQUIRE(full.open("/dev/full", std::ios::out | std::ios::binary) != nullptr);
  clog_buffer replaced(&full);
  const glog_to_clog sink;
  {
    scoped_filter check(std::clog);
    BOOST_CHECK_NO_THROW(std::clog << "lost \xFF" << std::endl);
    BOOST_TEST(std::clog.bad());
    LOG(ERROR) << "lost, too";
  }
  BOOST_TEST(std::clog.bad());
  std::clog.clear();
}

BOOST_AUTO_TEST_CASE(several_threads_log_at_the_same_time_and_everything_is_counted) {
  const devices::watchdog guard("threads that log");
  clog_buffer log;
  scoped_filter check(std::clog);
  const glog_to_clog sink;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 500; ++i) LOG(INFO) << i << (i % 10 == 0 ? " \xFF\xFE" : " ok");
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(check.report().lines == 2000u);
  BOOST_TEST(check.report().errors == 400u);
  BOOST_TEST(is_utf8(log.str()));
}
