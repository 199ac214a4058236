// scoped_filter_test.cpp: a filter checks everything that is written to a stream, until the end of a scope. Then the
// stream has its own buffer and its state again. Several threads may write at the same time.
// build: portable
#define BOOST_TEST_MODULE scoped_filter
#include <boost/test/unit_test.hpp>

#include "support/outcomes.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/scoped_filter.hpp>

#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace streambufs;
using namespace std::string_literals;
using utfilter::bom;
using utfilter::encoding;
using utfilter::on_error;
using utfilter::params;
using utfilter::scoped_filter;

namespace {

using texts::euro, texts::fffd;

/// Gives a stream another buffer, as long as this object lives.
struct redirected {
  redirected(std::ostream& s, std::streambuf* b) : stream(s), own(s.rdbuf(b)) {}
  ~redirected() { stream.rdbuf(own); }
  std::ostream& stream;
  std::streambuf* own;
};

BOOST_AUTO_TEST_CASE(text_written_in_the_scope_is_repaired_and_then_the_stream_is_as_before) {
  std::ostringstream out;
  std::streambuf* const own = out.rdbuf();
  out << "before\xFF ";
  {
    scoped_filter check(out);
    BOOST_TEST(static_cast<std::ios&>(out).rdbuf() != own);
    out << "a\xFF" << 1 << ' ' << euro;
    BOOST_TEST(out.str() == "before\xFF a" + fffd + "1 " + euro);  // arrived without a flush
    BOOST_TEST(check.report().errors == 1u);
    BOOST_TEST(check.report().bytes_in == 7u);
  }
  BOOST_TEST(static_cast<std::ios&>(out).rdbuf() == own);
  out << "\xFF";
  BOOST_TEST(out.str() == "before\xFF a" + fffd + "1 " + euro + "\xFF");
}

BOOST_AUTO_TEST_CASE(the_state_of_the_stream_is_kept) {
  using ios = std::ios;
  for (const ios::iostate state : {ios::goodbit, ios::failbit, ios::badbit, ios::eofbit, ios::badbit | ios::failbit}) {
    for (const ios::iostate exceptions :
         {ios::goodbit, ios::badbit, ios::failbit, ios::badbit | ios::failbit | ios::eofbit}) {
      std::ostringstream out;
      std::ios& base = out;
      std::streambuf* const own = base.rdbuf();
      out.setstate(state);
      thrown_by<ios::failure>([&] { out.exceptions(exceptions); });
      {
        scoped_filter check(out);
        BOOST_TEST((out.rdstate() == state));
        BOOST_TEST((out.exceptions() == exceptions));
        BOOST_TEST(base.rdbuf() != own);
      }
      BOOST_TEST((out.rdstate() == state));
      BOOST_TEST((out.exceptions() == exceptions));
      BOOST_TEST(base.rdbuf() == own);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_failure_in_the_scope_is_still_seen_after_it) {
  std::ostringstream out;
  {
    scoped_filter check(out, params());
    out << "ab\xFF"
        << "lost";
    BOOST_TEST(out.bad());
  }
  BOOST_TEST(out.bad());
  out.clear();
  out << "c";
  BOOST_TEST(out.str() == "abc");
}

BOOST_AUTO_TEST_CASE(filters_nest) {
  std::ostringstream out;
  {
    scoped_filter outer(out, utfilter::log_params(), encoding::utf16le);
    out << "a";
    {
      params p = utfilter::log_params();
      p.on_error = on_error::escape;
      scoped_filter inner(out, p);
      out << "\xFF";
      BOOST_TEST(inner.report().errors == 1u);
    }
    out << "\xFF";
    BOOST_TEST(outer.report().errors == 1u);
  }
  BOOST_TEST(out.str() == "a\0\\\0x\0F\0F\0\xFD\xFF"s);
}

/// A buffer that another library puts on top of a stream's own one, and takes away again.
class tee : public std::streambuf {
 public:
  explicit tee(std::ostream& s) : stream_(s), below_(s.rdbuf(this)) {}
  ~tee() override { stream_.rdbuf(below_); }

 protected:
  int overflow(int c) override { return c == traits_type::eof() ? 0 : below_->sputc(traits_type::to_char_type(c)); }
  std::streamsize xsputn(const char* s, std::streamsize n) override { return below_->sputn(s, n); }
  int sync() override { return below_->pubsync(); }

 private:
  std::ostream& stream_;
  std::streambuf* below_;
};

BOOST_AUTO_TEST_CASE(a_buffer_on_top_of_the_filter_keeps_working_after_it) {
  recording_streambuf sink;
  sink.allow(1000);
  std::ostream out(&sink);
  {
    auto check = std::make_unique<scoped_filter>(out);
    tee bar(out);
    out << "both \xFF|\xE2\x82";
    check.reset();  // ends the text, and leaves the stream's buffer alone
    BOOST_TEST(sink.text == "both " + fffd + '|' + fffd);
    BOOST_TEST((static_cast<std::ios&>(out).rdbuf() == &bar));
    out << "bar alone \xFF" << 'c' << std::flush;
  }
  const std::size_t flushes = sink.flushed_at.size();
  out << "own \xFE" << 'd' << std::flush;  // by the buffer of the filter, which the tee has put back
  BOOST_TEST(sink.text == "both " + fffd + '|' + fffd + "bar alone \xFF" + 'c' + "own \xFE" + 'd');
  BOOST_TEST(sink.flushed_at.size() == flushes + 1);
  BOOST_TEST(out.good());
}

BOOST_AUTO_TEST_CASE(filters_may_be_destroyed_in_any_order) {
  std::ostringstream out;
  auto first = std::make_unique<scoped_filter>(out);
  auto second =
      std::make_unique<utfilter::codec_scoped_filter<utfilter::control_escaper>>(out, utfilter::control_escaper());
  out << "a\x1B\xFF";
  first.reset();
  out << "b\x1B\xFF";
  second.reset();
  out << "c\x1B\xFF";
  BOOST_TEST(out.str() == "a\\x1B" + fffd + "b\\x1B" + fffd + "c\x1B\xFF");
}

BOOST_AUTO_TEST_CASE(any_codec_can_be_used) {
  using utfilter::control_escaper;
  std::ostringstream out;
  {
    const utfilter::codec_scoped_filter safe(out, control_escaper());
    out << "a\x1B[2J\xFF\n";
    BOOST_TEST(out.str() == "a\\x1B[2J" + fffd + "\n");
    BOOST_TEST(safe.report().errors == 1u);
  }
  out.str("");
  {
    const control_escaper one_line(control_escaper::line_feeds::escape);
    const utfilter::codec_scoped_filter safe(out, one_line, on_error::escape);
    out << "\xFF\n";
  }
  BOOST_TEST(out.str() == "\\xFF\\x0A");
  params kept{on_error::keep};
  BOOST_CHECK_THROW(utfilter::codec_scoped_filter(out, control_escaper(), kept), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_policy_alone_is_enough_to_construct_it) {
  std::ostringstream out;
  {
    scoped_filter check(out, on_error::skip);
    out << "a\xFF"
           "b";
  }
  {
    scoped_filter check(out, on_error::escape, encoding::latin1);
    out << "\xC3\xA4" << euro;
  }
  BOOST_TEST(out.str() == "ab\xE4\\u{20AC}");
}

BOOST_AUTO_TEST_CASE(a_partial_character_at_the_end_of_the_scope_is_an_error) {
  std::ostringstream out;
  std::string seen;
  {
    params p = utfilter::log_params();
    p.observer = [&](const utfilter::error_info& e) { seen += e.message(); };
    scoped_filter check(out, p);
    out << "a" << euro.substr(0, 2) << std::flush;
    BOOST_TEST(out.str() == "a");
    BOOST_TEST(seen.empty());
  }
  BOOST_TEST(out.str() == "a" + fffd);
  BOOST_TEST((seen.find("incomplete") != std::string::npos), seen);
  {
    scoped_filter strict((out << "b", out), params()), unused(out);
    out << euro.substr(0, 1);
  }
  BOOST_TEST((out.str() == "a" + fffd + "b" + fffd));
}

BOOST_AUTO_TEST_CASE(a_bom_is_written_once_in_a_scope) {
  for (const int lines : {0, 1, 3}) {
    std::ostringstream out;
    {
      params p = utfilter::log_params();
      p.bom = bom::add;
      scoped_filter mark(out, p);
      for (int i = 0; i < lines; ++i) out << std::flush << "x" << std::flush;
    }
    BOOST_TEST(out.str() == "\xEF\xBB\xBF" + std::string(static_cast<std::size_t>(lines), 'x'));
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_scope_completes_the_record_in_which_the_sink_was_full) {
  for (const bool is_owned : {false, true}) {
    recording_streambuf sink;
    sink.takes_in_all = 5;
    sink.allow(3 * devices::too_many_refusals);
    std::ostream out(&sink);
    if (is_owned) {
      utfilter::ostream to(sink);
      to << "record 1\n" << std::flush;
      BOOST_TEST(to.bad());
      sink.takes_in_all = devices::everything;
    } else {
      scoped_filter check(out);
      out << "record 1\n" << std::flush;
      BOOST_TEST(out.bad());
      sink.takes_in_all = devices::everything;
    }
    BOOST_TEST(sink.text == "record 1\n");
  }
}

BOOST_AUTO_TEST_CASE(a_failing_sink_sets_badbit_and_the_scope_ends_as_usual) {
  for (const bool throws : {false, true}) {
    recording_streambuf sink;
    std::ostream out(&sink);
    if (throws) {
      sink.throws_at_write = 2;
    } else {
      sink.takes_in_all = 2;
      sink.allow(3 * devices::too_many_refusals);  // the end of the scope tries once more
    }
    {
      scoped_filter check(out);
      out << "ab";
      BOOST_TEST(out.good());
      out << "cd";
      BOOST_TEST(out.bad());
      out.clear();
      out << "ef" << std::flush;
      BOOST_TEST(out.bad());
    }
    BOOST_TEST((out.rdbuf() == &sink));
    BOOST_TEST(sink.text == "ab");
  }
  const devices::watchdog guard("scoped_filter on a full disk");
  std::ofstream full("/dev/full", std::ios::binary);
  std::ostream& out = full;
  scoped_filter check(out);
  out << "text" << std::flush;
  BOOST_TEST(out.bad());
}

BOOST_AUTO_TEST_CASE(clog_cerr_and_cout_can_be_checked) {
  for (std::ostream* const stream : {&std::clog, &std::cerr, &std::cout}) {
    recording_streambuf sink;
    const redirected elsewhere(*stream, &sink);
    {
      scoped_filter check(*stream);
      *stream << "a\xFF" << 12;
      stream->put('\xC3').put('\xA4');
      BOOST_TEST(sink.text == "a" + fffd + "12\xC3\xA4");
      if (stream == &std::cerr) BOOST_TEST(sink.flushed_at.size() >= 2u);  // unitbuf
    }
    BOOST_TEST((stream->rdbuf() == &sink));
    BOOST_TEST(stream->good());
  }
}

BOOST_AUTO_TEST_CASE(an_observer_may_ask_for_the_report) {
  const devices::watchdog guard("an observer that asks for the report of its scoped_filter");
  std::ostringstream out;
  const scoped_filter* observed = nullptr;
  std::vector<std::string> seen;
  params p = utfilter::log_params();
  p.observer = [&](const utfilter::error_info&) {
    const utfilter::stream_report report = observed->report();
    seen.push_back(std::to_string(report.errors) + " in " + std::to_string(report.bytes_in));
  };
  {
    scoped_filter check(out, p);
    observed = &check;
    out << "ab\xFF"
        << "c" << euro.substr(0, 2) << std::flush << "d"
        << "\xC3";
  }  // the end of the scope finds the last error
  const std::vector<std::string> expected = {"1 in 3", "2 in 6", "3 in 8"};
  BOOST_TEST(seen == expected, boost::test_tools::per_element());
  BOOST_TEST(out.str() == "ab" + fffd + "c" + fffd + "d" + fffd);
}

/// The message of the failure, if it is a std::logic_error: a mistake of the program. Otherwise an empty string.
std::string blamed(const utfilter::stream_report& report) {
  return thrown_by<std::logic_error>([&] {
    if (report.failure) std::rethrow_exception(report.failure);
  });
}

/// What the report says about writes that were dropped.
std::string dropped(std::size_t bytes) {
  return "utfilter: " + std::to_string(bytes) +
         " bytes were dropped, because they were written in the middle of another write to the same filter: by a "
         "signal handler, by its observer, or by what is beneath it";
}

/// Several ways to write to a stream, and how many bytes each writes.
struct {
  void (*write)(std::ostream&);
  std::size_t bytes;
} const writes[] = {{[](std::ostream& s) { s << "again"; }, 5},
                    {[](std::ostream& s) { s.put('a'); }, 1},
                    {[](std::ostream& s) { s.flush(); }, 0},
                    {[](std::ostream& s) { s << 12; }, 2}};

// The observer in doc/policies.md writes to std::clog. Here the filter that it observes checks std::clog itself.
BOOST_AUTO_TEST_CASE(a_record_of_the_observer_is_dropped_and_counted_and_the_log_goes_on) {
  const devices::watchdog guard("an observer that writes to the stream it observes");
  for (const auto& way : writes)
    for (const on_error policy : {on_error::replace, on_error::skip, on_error::strict})
      for (const bool throws : {false, true}) {
        recording_streambuf sink;
        const redirected elsewhere(std::clog, &sink);
        params p{policy};
        p.observer = [&](const utfilter::error_info&) { way.write(std::clog); };
        const bool fails = policy == on_error::strict;
        {
          scoped_filter check(std::clog, p);
          if (throws) std::clog.exceptions(std::ios::badbit);
          const auto failure = caught<utfilter::utf_error>([] { std::clog << "xy\xFFz\n"; });
          std::clog.exceptions(std::ios::goodbit);
          BOOST_TEST(failure.has_value() == (throws && fails));
          BOOST_TEST(std::clog.bad() == fails);
          const utfilter::stream_report report = check.report();
          BOOST_TEST(report.errors == 1u);
          BOOST_TEST(report.lost == way.bytes + (fails ? 2 : 0));
          if (!fails) BOOST_TEST(blamed(report) == (way.bytes == 0 ? "" : dropped(way.bytes)));
          std::clog.clear();
          std::clog << "more";
          BOOST_TEST(std::clog.bad() == fails);  // an error of the text sticks
        }
        const std::string repair = policy == on_error::replace ? fffd : "";
        BOOST_TEST(sink.text == (fails ? "xy" : "xy" + repair + "z\nmore"));
        std::clog.clear();
      }
}

BOOST_AUTO_TEST_CASE(an_observer_of_an_outer_filter_cannot_write_through_the_inner_one) {
  const devices::watchdog guard("an observer that writes to the stream of an inner filter");
  std::ostringstream out;
  params p = utfilter::log_params();
  p.observer = [&](const utfilter::error_info&) { out << "again"; };
  scoped_filter outer(out, p);
  params kept = utfilter::log_params();
  kept.on_error = on_error::keep;
  scoped_filter inner(out, kept);
  out << "a\xFF"
      << "b";
  BOOST_TEST(out.good());
  BOOST_TEST(out.str() == "a" + fffd + "b");
  BOOST_TEST(inner.report().lost == 5u);
  BOOST_TEST(blamed(inner.report()) == dropped(5));
  BOOST_TEST(outer.report().lost == 0u);
  BOOST_TEST(blamed(outer.report()) == "");
}

BOOST_AUTO_TEST_CASE(a_record_of_the_sink_is_dropped_and_counted) {
  const devices::watchdog guard("a sink that writes to the stream above it");
  struct : recording_streambuf {
    std::ostream* above = nullptr;
    std::streamsize xsputn(const char* s, std::streamsize n) override {
      if (above) *above << "written";
      return recording_streambuf::xsputn(s, n);
    }
  } sink;
  std::ostream out(&sink);
  scoped_filter check(out);
  sink.above = &out;
  out << "text" << 1;
  BOOST_TEST(out.good());
  BOOST_TEST(sink.text == "text1");
  BOOST_TEST(check.report().lost == 14u);
  BOOST_TEST(blamed(check.report()) == dropped(14));
}

// At the end of the scope the stream gets its own buffer back before the observer is called.
BOOST_AUTO_TEST_CASE(an_observer_of_an_error_at_the_end_of_the_scope_may_write) {
  std::ostringstream out;
  params p = utfilter::log_params();
  p.observer = [&](const utfilter::error_info& e) { out << '(' << e.message() << ')'; };
  {
    scoped_filter check(out, p);
    out << "a\xC3";
  }
  BOOST_TEST(out.good());
  BOOST_TEST(out.str() == "a(incomplete at the end of the input: C3)" + fffd);
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_and_a_stream_without_a_buffer_are_refused) {
  std::ostringstream out;
  std::ios& base = out;
  std::streambuf* const own = base.rdbuf();
  BOOST_CHECK_THROW(scoped_filter(out, params(), encoding::detect), std::invalid_argument);
  BOOST_TEST(base.rdbuf() == own);
  std::ostream none(nullptr);
  BOOST_CHECK_THROW(scoped_filter{none}, std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(threads_may_write_at_the_same_time) {
  // A record arrives in several pieces. Before each piece the sink lets another thread run.
  struct : recording_streambuf {
    std::streamsize xsputn(const char* s, std::streamsize n) override {
      std::this_thread::yield();
      return recording_streambuf::xsputn(s, n);
    }
  } sink;
  const redirected elsewhere(std::clog, &sink);
  {
    scoped_filter check(std::clog);
    std::vector<std::thread> threads;
    for (char name = 'a'; name < 'e'; ++name) {
      threads.emplace_back([name, &check] {
        const std::string record = std::string(50, name) + euro + "\xFF\n";
        for (int i = 0; i < 2000; ++i) {
          std::clog << record;
          if (i % 100 == 0) std::clog.flush();
          if (i % 50 == 0 && check.report().bytes_in == 0) std::abort();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(check.report().errors == 8000u);
    BOOST_TEST(check.report().lines == 8000u);
  }
  std::istringstream text(sink.text);
  std::size_t records = 0;
  for (std::string line; std::getline(text, line); ++records)
    if (line != std::string(50, line[0]) + euro + fffd) BOOST_ERROR("records are mixed: " << line);
  BOOST_TEST(records == 8000u);
}

}  // namespace
