// cancel_test.cpp: a thread that is cancelled inside an observer, a source or a sink ends as cancelled, and does not
// abort the program. The filters and streams that it used have failed, report the failure, and can be destroyed.
// build: unsanitized
#define BOOST_TEST_MODULE cancel
#include "support/cancelled.hpp"
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <ios>
#include <istream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

namespace io = boost::iostreams;
using namespace utfilter;

namespace {

const std::string bad_text = "ab\xFFzz", cut_text = "ab\xE2\x82";

/// Each policy calls the observer from another place in the code.
const on_error policies[] = {on_error::strict, on_error::stop, on_error::replace, on_error::skip};

params cancelling(on_error policy) {
  params p{policy};
  p.observer = [](const error_info&) { be_cancelled(); };
  return p;
}

/// Checks a report after the observer was cancelled.
void check_report(const stream_report& report) {
  BOOST_TEST(report.errors == 1u);
  BOOST_TEST((report.first_error && report.first_error->offset == 2));
  BOOST_TEST_REQUIRE((report.failure != nullptr));
  const std::string why = thrown_by([&] { std::rethrow_exception(report.failure); });
  BOOST_TEST((why.find("cancelled") != std::string::npos), why);
}

/// Every call of this buffer is cancelled.
struct cancelled_streambuf : std::streambuf {
  int_type underflow() override {
    be_cancelled();
    return traits_type::eof();
  }
  int_type overflow(int_type c) override {
    be_cancelled();
    return c;
  }
  std::streamsize xsputn(const char*, std::streamsize n) override {
    be_cancelled();
    return n;
  }
};
struct cancelled_source {
  using char_type = char;
  using category = io::source_tag;
  std::streamsize read(char*, std::streamsize) {
    be_cancelled();
    return -1;
  }
};
/// Takes all text. Its close is cancelled.
struct cancelled_at_close {
  using char_type = char;
  struct category : io::sink_tag, io::closable_tag {};
  std::streamsize write(const char*, std::streamsize n) { return n; }
  void close() { be_cancelled(); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_reading_chain) {
  for (const on_error policy : policies)
    for (const std::string& text : {bad_text, cut_text}) {
      to_utf8 decode(cancelling(policy));
      io::filtering_istream in(decode | io::array_source(text.data(), text.size()));
      BOOST_TEST(ends_cancelled([&] { std::string(std::istreambuf_iterator<char>(in), {}); }));
      check_report(decode.report());
      in.clear();
      BOOST_TEST(in.get() == EOF);
      BOOST_TEST(in.bad());
      in.reset();  // after this the filter begins anew
      in.clear();
      in.push(decode);
      in.push(io::array_source("ok", 2));
      BOOST_TEST(in.get() == 'o');
      BOOST_TEST((decode.report().failure == nullptr));
    }
}

// A validator checks the text in the reader's buffer.
BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_reading_validator) {
  for (const on_error policy : policies) {
    utf8_validator check(cancelling(policy));
    io::filtering_istream in(check | io::array_source(bad_text.data(), bad_text.size()));
    BOOST_TEST(ends_cancelled([&] { std::string(std::istreambuf_iterator<char>(in), {}); }));
    check_report(check.report());
    in.clear();
    BOOST_TEST(in.get() == EOF);
    BOOST_TEST(in.bad());
  }
}

BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_writing_chain) {
  for (const on_error policy : policies)
    for (const bool at_close : {false, true}) {
      utf8_validator check(cancelling(policy));
      std::string text;
      io::filtering_ostream out;
      out.push(check, 0);
      out.push(io::back_inserter(text));
      BOOST_TEST(ends_cancelled([&] {
        if (at_close) {
          out << cut_text;
          out.reset();
        } else {
          out << bad_text;
        }
      }));
      check_report(check.report());
      if (!at_close) BOOST_CHECK_THROW(out.reset(), std::exception);
      BOOST_TEST(text.substr(0, 2) == "ab");
    }
}

BOOST_AUTO_TEST_CASE(objects_on_the_stack_of_a_cancelled_thread_are_destroyed) {
  for (const on_error policy : policies) {
    std::string text;
    BOOST_TEST(ends_cancelled([&] {
      io::filtering_ostream out(utf8_validator(cancelling(policy)) | io::back_inserter(text));
      out << bad_text << std::string(200000, 'x');  // more than the link holds
    }));
    BOOST_TEST(ends_cancelled([&] {
      std::ostringstream beneath;
      utfilter::ostream out(beneath, cancelling(policy));
      out << bad_text;
    }));
    BOOST_TEST(ends_cancelled([&] {
      const files::temporary_file file;
      utfilter::ofstream out(file.path(), cancelling(policy));
      out << bad_text;
      out.close();
    }));
    BOOST_TEST(ends_cancelled([&] {
      std::istringstream beneath(bad_text);
      utfilter::istream in(beneath, cancelling(policy));
      while (in.get() != EOF) continue;
    }));
    BOOST_TEST(ends_cancelled([&] {
      io::filtering_istream in(to_utf8(cancelling(policy)) | io::array_source(bad_text.data(), bad_text.size()));
      io::copy(in, io::back_inserter(text));
    }));
    const files::temporary_file file(bad_text);
    BOOST_TEST(ends_cancelled([&] { read_file(file.path(), cancelling(policy)); }));
  }
}

BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_reading_stream) {
  for (const on_error policy : policies)
    for (const std::string& text : {bad_text, cut_text}) {
      std::istringstream beneath(text);
      utfilter::istream in(beneath, cancelling(policy));
      std::string line;
      BOOST_TEST(ends_cancelled([&] { std::getline(in, line); }));
      BOOST_TEST((line == "ab" || line.empty()), line);  // text of the conversion in progress is lost
      BOOST_TEST(in.bad());
      check_report(in.report());
      in.clear();
      BOOST_TEST(in.get() == EOF);
      BOOST_TEST(in.bad());
    }
}

BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_writing_stream) {
  for (const on_error policy : policies)
    for (const bool at_close : {false, true}) {
      std::ostringstream beneath;
      utfilter::ostream out(beneath, cancelling(policy));
      BOOST_TEST(ends_cancelled([&] {
        out << (at_close ? cut_text : bad_text);
        out.close();
      }));
      BOOST_TEST(out.bad());
      check_report(out.report());
      out.clear();
      if (at_close) continue;  // close has ended the text
      out << "more";
      BOOST_TEST(out.bad());
      BOOST_CHECK_THROW(out.close(), std::exception);
      BOOST_TEST(beneath.str() == "ab");
    }
}

BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_file_stream) {
  for (const on_error policy : policies) {
    const files::temporary_file file;
    utfilter::ofstream out(file.path(), cancelling(policy));
    BOOST_TEST(ends_cancelled([&] { out << bad_text << std::flush; }));
    BOOST_TEST(out.bad());
    check_report(out.report());
    BOOST_CHECK_THROW(out.close(), std::exception);
    BOOST_TEST(!out.is_open());
  }
}

BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_scoped_filter_and_unlocks_it) {
  for (const on_error policy : policies) {
    std::ostringstream out;
    {
      scoped_filter check(out, cancelling(policy));
      BOOST_TEST(ends_cancelled([&] { out << bad_text; }));
      BOOST_TEST(out.bad());
      check_report(check.report());  // report() locks: the lock was released
      out.clear();
      out << "more";
      BOOST_TEST(out.bad());
    }
    out.clear();
    out << "after";
    BOOST_TEST(out.str() == "abafter");
  }
}

BOOST_AUTO_TEST_CASE(cancelling_in_an_observer_fails_a_decoder) {
  for (const on_error policy : policies) {
    decoder text(cancelling(policy));
    char out[64];
    BOOST_TEST(ends_cancelled([&] { text.convert(bad_text.data(), bad_text.size(), out, sizeof out, true); }));
    BOOST_TEST((text.failure() != nullptr));
    check_report(text.report());
    const codec_progress more = text.convert("x", 1, out, sizeof out, true);
    BOOST_TEST((more.status == codec_status::malformed));
    BOOST_TEST((more.consumed == 0 && more.produced == 0));
    text.begin(decoder::direction::reading);
    BOOST_TEST(text.convert("x", 1, out, sizeof out, true).produced == 1u);
  }
}

BOOST_AUTO_TEST_CASE(cancelling_in_a_source_or_sink_fails_the_stream_or_filter) {
  cancelled_streambuf beneath;
  utfilter::ostream out(beneath);
  BOOST_TEST(ends_cancelled([&] { out << "text"; }));
  BOOST_TEST(out.bad());
  BOOST_TEST((out.report().failure != nullptr));
  utfilter::istream in(beneath);
  BOOST_TEST(ends_cancelled([&] { in.get(); }));
  BOOST_TEST(in.bad());
  BOOST_TEST((in.report().failure != nullptr));

  utf8_validator check;
  io::filtering_ostream chain;
  chain.push(check, 0);
  chain.push(beneath, 0);
  BOOST_TEST(ends_cancelled([&] { chain << "text"; }));
  BOOST_TEST((check.report().failure != nullptr));
  BOOST_CHECK_THROW(chain.reset(), std::exception);

  to_utf8 decode;
  io::filtering_istream source(decode | cancelled_source());
  BOOST_TEST(ends_cancelled([&] { source.get(); }));
  BOOST_TEST(source.bad());
  source.reset();
}

// Text before an error is flushed before the error is reported.
BOOST_AUTO_TEST_CASE(cancelling_in_the_flush_before_an_error_leaves_the_error) {
  struct : streambufs::null_streambuf {
    bool armed = false;
    int sync() override {
      if (armed) be_cancelled();
      return 0;
    }
  } sink;
  utf8_validator check;
  io::filtering_ostream out;
  out.push(check, 0);
  out.push(sink);
  out << "x";
  sink.armed = true;
  BOOST_TEST(ends_cancelled([&] { out << bad_text; }));
  sink.armed = false;
  BOOST_TEST(check.report().errors == 1u);
  BOOST_CHECK_THROW(out.reset(), utf_error);
}

// The flush fails. The filter then closes the next element to learn the reason, and that close is cancelled.
BOOST_AUTO_TEST_CASE(cancelling_in_the_close_after_a_failed_flush_fails_the_filter) {
  struct refusing : cancelled_at_close {
    struct category : io::sink_tag, io::closable_tag, io::flushable_tag {};
    bool flushed = false;
    bool flush() { return !std::exchange(flushed, true); }
  };
  utf8_validator check;
  io::filtering_ostream out(check | refusing());
  out << "text";
  BOOST_TEST(ends_cancelled([&] { out.reset(); }));
  BOOST_TEST((check.report().failure != nullptr));
}
