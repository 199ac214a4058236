// wide_pipe_test.cpp: wide streams over real pipes: a text arrives as it is sent, in pieces that end anywhere, and
// what is written arrives, is complete after close(), and fails if nobody reads.
// build: posix optimised
#define BOOST_TEST_MODULE wide_pipe
#include <boost/test/unit_test.hpp>

#include <utfilter/wide_stream.hpp>

#include "support/pipe_ends.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <fcntl.h>

#include <csignal>
#include <fstream>
#include <thread>

namespace {

using utfilter::encoding;

const texts::text32 text = U"a\u00E9\u20AC\U0001F600\n\U0010FFFFz";
const std::wstring wide_text(text.begin(), text.end());  // wchar_t is UTF-32 wherever pipes are POSIX's

struct form {
  encoding of;
  std::string bytes;
};
const form forms[] = {{encoding::utf8, texts::utf8(text)},
                      {encoding::utf16be, texts::utf16be(text)},
                      {encoding::utf32le, texts::utf32le(text)}};

}  // namespace

BOOST_AUTO_TEST_CASE(a_text_that_comes_through_a_pipe_in_two_writes_is_read) {
  tally cases;
  for (const form& f : forms)
    for (std::size_t cut = 0; cut <= f.bytes.size(); ++cut) {
      pipe_ends pipe;
      std::ifstream bytes(pipe.reader_name(), std::ios::binary);
      pipe.send(f.bytes.substr(0, cut));
      std::thread later([&] {
        pipe.send(f.bytes.substr(cut));
        pipe.close_writer();
      });
      utfilter::wistream in(bytes, f.of);
      const std::wstring got{std::istreambuf_iterator<wchar_t>(in), {}};
      later.join();
      if (cases.failed(got == wide_text && in.report().errors == 0))
        BOOST_ERROR(to_string(f.of) << ", cut at " << cut << ": " << got.size() << " units");
    }
  cases.summary("texts through pipes");
}

BOOST_AUTO_TEST_CASE(a_character_whose_end_never_comes_is_an_error_at_its_place) {
  pipe_ends pipe;
  utfilter::wifstream in(pipe.reader_name(), encoding::utf8, utfilter::on_error::replace);
  pipe.send("ab\xE2\x82");
  pipe.close_writer();
  const std::wstring got{std::istreambuf_iterator<wchar_t>(in), {}};
  BOOST_TEST((got == L"ab\uFFFD"));
  BOOST_TEST(in.report().errors == 1u);
  BOOST_TEST(in.report().first_error->offset == 2u);
  BOOST_TEST((in.report().first_error->code == utfilter::errc::incomplete_at_end));
}

BOOST_AUTO_TEST_CASE(a_text_that_is_written_arrives_after_flush_and_is_whole_after_close) {
  for (const form& f : forms) {
    pipe_ends pipe;
    ::fcntl(pipe.reader(), F_SETFL, O_NONBLOCK);  // bytes that are not there are a failure, not a wait
    utfilter::wofstream out(pipe.writer_name(), f.of);
    out << wide_text << std::flush;
    BOOST_TEST((pipe.receive(100) == f.bytes));
    out << wide_text;
    out.close();
    pipe.close_writer();
    BOOST_TEST((pipe.receive(100) == f.bytes));
    BOOST_TEST(pipe.receive(100).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_that_nobody_reads_is_a_failure) {
  std::signal(SIGPIPE, SIG_IGN);
  pipe_ends pipe;
  utfilter::wofstream out(pipe.writer_name(), encoding::utf16le);
  pipe.close_reader();
  BOOST_CHECK_THROW(out << wide_text << std::flush, std::ios_base::failure);
  BOOST_TEST(out.bad());
}
