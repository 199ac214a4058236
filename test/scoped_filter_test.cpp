// scoped_filter_test.cpp: a filter in front of a stream for as long as a scope lasts: what is written is checked, the stream
// has its buffer and its state afterwards, and threads may write at a time.
#define BOOST_TEST_MODULE scoped_filter
#include <boost/test/unit_test.hpp>

#include "test_streambufs.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/scoped_filter.hpp>

#include <fstream>
#include <iostream>
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

const std::string euro = "\xE2\x82\xAC", replacement = "\xEF\xBF\xBD";

/// Another buffer under a stream, for as long as this lives.
struct redirected {
  redirected(std::ostream& s, std::streambuf* b) : stream(s), own(s.rdbuf(b)) {}
  ~redirected() { stream.rdbuf(own); }
  std::ostream&   stream;
  std::streambuf* own;
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_written_meanwhile_is_repaired_and_then_the_stream_is_as_before) {
  std::ostringstream    out;
  std::streambuf* const own = out.rdbuf();
  out << "before\xFF ";
  {
    scoped_filter check(out);
    BOOST_TEST(static_cast<std::ios&>(out).rdbuf() != own);
    out << "a\xFF" << 1 << ' ' << euro;
    BOOST_TEST(out.str() == "before\xFF a" + replacement + "1 " + euro);  // it is there at once
    BOOST_TEST(check.report().errors == 1u);
    BOOST_TEST(check.report().bytes_in == 7u);
  }
  BOOST_TEST(static_cast<std::ios&>(out).rdbuf() == own);
  out << "\xFF";
  BOOST_TEST(out.str() == "before\xFF a" + replacement + "1 " + euro + "\xFF");
}

BOOST_AUTO_TEST_CASE(the_state_of_the_stream_is_kept) {
  using ios = std::ios;
  for (const ios::iostate state : {ios::goodbit, ios::failbit, ios::badbit, ios::eofbit, ios::badbit | ios::failbit}) {
    for (const ios::iostate exceptions : {ios::goodbit, ios::badbit, ios::failbit, ios::badbit | ios::failbit | ios::eofbit}) {
      std::ostringstream    out;
      std::ios&             base = out;
      std::streambuf* const own  = base.rdbuf();
      out.setstate(state);
      try {
        out.exceptions(exceptions);
      } catch (const ios::failure&) {
      }
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

BOOST_AUTO_TEST_CASE(what_failed_meanwhile_is_seen_afterwards) {
  std::ostringstream out;
  {
    scoped_filter check(out, params());
    out << "ab\xFF" << "lost";
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
      params p   = utfilter::log_params();
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

BOOST_AUTO_TEST_CASE(any_codec_can_stand_in_front) {
  using utfilter::control_escaper;
  std::ostringstream out;
  {
    const utfilter::codec_scoped_filter safe(out, control_escaper());
    out << "a\x1B[2J\xFF\n";
    BOOST_TEST(out.str() == "a\\x1B[2J" + replacement + "\n");
    BOOST_TEST(safe.report().errors == 1u);
  }
  out.str("");
  {
    const control_escaper               one_line(control_escaper::line_feeds::escape);
    const utfilter::codec_scoped_filter safe(out, one_line, on_error::escape);
    out << "\xFF\n";
  }
  BOOST_TEST(out.str() == "\\xFF\\x0A");
  params kept;
  kept.on_error = on_error::keep;
  BOOST_CHECK_THROW(utfilter::codec_scoped_filter(out, control_escaper(), kept), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_policy_alone_will_do) {
  std::ostringstream out;
  { scoped_filter check(out, on_error::skip); out << "a\xFF" "b"; }
  { scoped_filter check(out, on_error::escape, encoding::latin1); out << "\xC3\xA4" << euro; }
  BOOST_TEST(out.str() == "ab\xE4\\u{20AC}");
}

BOOST_AUTO_TEST_CASE(a_partial_character_at_the_end_of_the_scope_is_an_error) {
  std::ostringstream out;
  std::string        seen;
  {
    params p   = utfilter::log_params();
    p.observer = [&](const utfilter::error_info& e) { seen += e.message(); };
    scoped_filter check(out, p);
    out << "a" << euro.substr(0, 2) << std::flush;
    BOOST_TEST(out.str() == "a");
    BOOST_TEST(seen.empty());
  }
  BOOST_TEST(out.str() == "a" + replacement);
  BOOST_TEST((seen.find("incomplete") != std::string::npos), seen);
  { scoped_filter strict((out << "b", out), params()), unused(out); out << euro.substr(0, 1); }
  BOOST_TEST((out.str() == "a" + replacement + "b" + replacement));
}

BOOST_AUTO_TEST_CASE(a_signature_is_written_once_in_a_scope) {
  for (const int lines : {0, 1, 3}) {
    std::ostringstream out;
    {
      params p = utfilter::log_params();
      p.bom    = bom::add;
      scoped_filter mark(out, p);
      for (int i = 0; i < lines; ++i) out << std::flush << "x" << std::flush;
    }
    BOOST_TEST(out.str() == "\xEF\xBB\xBF" + std::string(static_cast<std::size_t>(lines), 'x'));
  }
}

BOOST_AUTO_TEST_CASE(a_sink_that_fails_is_seen_and_ends_nothing_else) {
  for (const bool throws : {false, true}) {
    recording_streambuf sink;
    std::ostream        out(&sink);
    if (throws)
      sink.throws_at_write = 2;
    else
      sink.takes_in_all = 2;
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
  std::ofstream           full("/dev/full", std::ios::binary);
  std::ostream&           out = full;
  scoped_filter           check(out);
  out << "text" << std::flush;
  BOOST_TEST(out.bad());
}

BOOST_AUTO_TEST_CASE(the_streams_of_the_standard_are_checked) {
  for (std::ostream* const stream : {&std::clog, &std::cerr, &std::cout}) {
    recording_streambuf sink;
    const redirected    elsewhere(*stream, &sink);
    {
      scoped_filter check(*stream);
      *stream << "a\xFF" << 12;
      stream->put('\xC3').put('\xA4');
      BOOST_TEST(sink.text == "a" + replacement + "12\xC3\xA4");
      if (stream == &std::cerr) BOOST_TEST(sink.flushed_at.size() >= 2u);  // unitbuf
    }
    BOOST_TEST((stream->rdbuf() == &sink));
    BOOST_TEST(stream->good());
  }
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_and_a_stream_without_a_buffer_are_refused) {
  std::ostringstream    out;
  std::ios&             base = out;
  std::streambuf* const own  = base.rdbuf();
  BOOST_CHECK_THROW(scoped_filter(out, params(), encoding::detect), std::invalid_argument);
  BOOST_TEST(base.rdbuf() == own);
  std::ostream none(nullptr);
  BOOST_CHECK_THROW(scoped_filter{none}, std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(threads_may_write_at_a_time) {
  // It lets another thread go first before each of the pieces that a record comes in.
  struct : recording_streambuf {
    std::streamsize xsputn(const char* s, std::streamsize n) override {
      std::this_thread::yield();
      return recording_streambuf::xsputn(s, n);
    }
  } sink;
  const redirected    elsewhere(std::clog, &sink);
  {
    scoped_filter            check(std::clog);
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
  std::size_t        records = 0;
  for (std::string line; std::getline(text, line); ++records)
    if (line != std::string(50, line[0]) + euro + replacement) BOOST_ERROR("records are mixed: " << line);
  BOOST_TEST(records == 8000u);
}
