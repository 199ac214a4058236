// stream_source_test.cpp: a Boost.Iostreams source over any std::istream. It hands over the bytes that are there, so a
// chain over it passes on each line as it comes: from a pipe, from the standard input, from a socket of Boost.Asio.
#define BOOST_TEST_MODULE stream_source
#include <boost/test/unit_test.hpp>

#include "support/conversation.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/stream.hpp>
#include <utfilter/stream_source.hpp>
#include <utfilter/to_utf8.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <unistd.h>

#include <ext/stdio_filebuf.h>

#include <iostream>
#include <istream>
#include <ostream>
#include <sstream>
#include <string>
#include <thread>

namespace io = boost::iostreams;
using namespace conversation;
using namespace streambufs;
using namespace std::string_literals;
using boost::asio::ip::tcp;
using devices::watchdog;
using utfilter::stream_source;
using utfilter::to_utf8;

namespace {

/// Decodes `from` with a chain that has our filter, or with utfilter::istream, and calls `answer` with the result.
template <class Answer>
void decoded(std::istream& from, bool chain, Answer answer) {
  if (chain) {
    io::filtering_istream in(to_utf8() | stream_source(from));
    answer(in);
  } else {
    utfilter::istream in(from);
    answer(in);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_hands_over_the_available_bytes_and_then_the_end) {
  for (const area how : areas)
    for (const std::streamsize n : {1, 2, 3, 100}) {
      pieces_streambuf buffer({"a", "bcd", "efghij"}, how);
      std::istream in(&buffer);
      stream_source source(in);
      std::string got;
      std::size_t before = 0;
      buffer.before_waiting = [&] { BOOST_TEST(got.size() == before); };
      char s[100];
      for (std::streamsize k; (k = source.read(s, n)) != -1;) {
        BOOST_TEST_REQUIRE((k > 0 && k <= n));
        got.append(s, static_cast<std::size_t>(k));
        before = got.size();
      }
      BOOST_TEST(got == "abcdefghij");
      BOOST_TEST(source.read(s, n) == -1);
      BOOST_TEST(in.good());  // the source does not change the stream's state
      BOOST_TEST(buffer.bulk_reads == 0u);
    }
}

BOOST_AUTO_TEST_CASE(it_takes_no_more_than_it_is_asked_for) {
  std::istringstream in("abcdef");
  stream_source source(in);
  char s[10] = {};
  BOOST_TEST(source.read(s, 0) == 0);
  BOOST_TEST(source.read(s, -1) == 0);
  BOOST_TEST(source.read(s, 2) == 2);
  BOOST_TEST(in.get() == 'c');
  BOOST_TEST(source.read(s, 10) == 3);
  BOOST_TEST(std::string(s, 3) == "def");
}

BOOST_AUTO_TEST_CASE(a_read_of_no_bytes_does_not_wait) {
  pieces_streambuf buffer({"a"});
  std::istream in(&buffer);
  stream_source source(in);
  char c;
  for (const std::streamsize n : {0, -1}) BOOST_TEST(source.read(&c, n) == 0);
  BOOST_TEST(buffer.fetches == 0u);
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_buffer_is_empty) {
  std::istream in(nullptr);
  stream_source source(in);
  char c;
  BOOST_TEST(source.read(&c, 1) == -1);
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_buffer_arrives_after_the_text_it_delivered) {
  for (const area how : areas) {
    pieces_streambuf buffer({"ab", "cd", "ef"}, how);
    buffer.throws_at = 3;
    std::istream stream(&buffer);
    io::filtering_istream in(to_utf8() | stream_source(stream));
    in.exceptions(std::ios::badbit);
    std::string line;
    BOOST_CHECK_THROW(std::getline(in, line), device_failure);
    BOOST_TEST(line == "abcd");
  }
}

BOOST_AUTO_TEST_CASE(the_tied_stream_is_flushed_before_a_wait_and_only_then) {
  pieces_streambuf buffer({"ab", "cd"});
  recording_streambuf sink;
  std::istream in(&buffer);
  std::ostream prompt(&sink);
  in.tie(&prompt);
  stream_source source(in);
  char c;
  for (const std::size_t flushes : {1u, 1u, 2u, 2u}) {
    BOOST_TEST(source.read(&c, 1) == 1);
    BOOST_TEST(sink.flushed_at.size() == flushes);
  }
}

BOOST_AUTO_TEST_CASE(a_chain_over_it_reads_all) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += std::to_string(i) + "\xE2\x82\xAC";
  for (const area how : areas) {
    pieces_streambuf buffer(devices::in_pieces(text, 10'000), how);
    std::istream stream(&buffer);
    io::filtering_istream in(to_utf8() | stream_source(stream));
    std::ostringstream copy;
    io::copy(in, copy);
    BOOST_TEST((copy.str() == text));
  }
}

BOOST_AUTO_TEST_CASE(each_line_through_a_pipe_is_there_before_the_next_is_sent) {
  for (const encoder encode : encoders) {
    const watchdog guard("a pipe under stream_source");
    pipe_ends there, back;
    std::thread other([&] {
      __gnu_cxx::stdio_filebuf<char> buffer(there.release_reader(), std::ios::in);
      std::istream stream(&buffer);
      decoded(stream, true, [&](std::istream& in) { answer_lines(in, back.writer()); });
      back.close_writer();
    });
    converse(encode, there.writer(), back.reader());
    there.close_writer();
    other.join();
  }
}

BOOST_AUTO_TEST_CASE(each_line_through_the_standard_input_is_there_before_the_next_is_sent) {
  for (const bool synchronised : {true, false})
    for (const encoder encode : encoders) {
      const watchdog guard("std::cin under stream_source");
      answering_child child(synchronised, [](int to) {
        decoded(std::cin, true, [&](std::istream& in) { answer_lines(in, to); });
        return 0;
      });
      converse(encode, child.to(), child.from());
      BOOST_TEST(child.status() == 0);
    }
}

BOOST_AUTO_TEST_CASE(each_line_through_a_socket_stream_of_asio_is_there_before_the_next_is_sent) {
  for (const bool chain : {true, false})
    for (const encoder encode : encoders) {
      const watchdog guard("tcp::iostream");
      boost::asio::io_context context;
      tcp::acceptor acceptor(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
      std::thread other([&] {
        tcp::iostream stream(acceptor.local_endpoint());
        decoded(stream, chain, [&](std::istream& in) {
          for (std::string line; std::getline(in, line);) stream << line << '\n' << std::flush;
        });
      });
      tcp::socket socket(context);
      acceptor.accept(socket);
      socket.set_option(tcp::no_delay(true));
      converse(
          encode, [&](const std::string& s) { send_to(socket.native_handle(), s); },
          [&](std::size_t n) { return receive_from(socket.native_handle(), n); });
      socket.shutdown(tcp::socket::shutdown_send);
      other.join();
    }
}
