// relay: repairs the text of TCP clients and answers it line by line (relay.hpp). Each client has a thread and a chain:
//
//   socket -> to_utf8 -> getline -> socket
#include "relay.hpp"

#include <utfilter/to_utf8.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/ref.hpp>
#include <boost/system/system_error.hpp>

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <ios>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

namespace io = boost::iostreams;
using namespace relay;

namespace {

/// A connected socket, as the device of both chains. A chain loses the reason why its device failed, so this class
/// keeps the reason. Asio's blocking calls have no deadline, so the socket is non-blocking and poll(2) waits.
class connection {
 public:
  using char_type = char;
  using category = io::bidirectional_device_tag;

  explicit connection(tcp::socket socket) : socket_(std::move(socket)) { socket_.non_blocking(true, failure_); }

  /// Reads the bytes that have arrived, at most n, and waits only for the first. A broken connection ends the text.
  std::streamsize read(char* s, std::streamsize n) {
    const asio::mutable_buffer room(s, static_cast<std::size_t>(n));
    error_code error;
    const std::size_t got = when_ready(POLLIN, error, [&] { return socket_.read_some(room, error); });
    if (!error) return static_cast<std::streamsize>(got);
    if (!failure_ && error != asio::error::eof) failure_ = error;
    return -1;
  }

  /// Writes all n bytes, or throws.
  std::streamsize write(const char* s, std::streamsize n) {
    error_code error;
    for (asio::const_buffer rest(s, static_cast<std::size_t>(n)); rest.size() != 0 && !error;)
      rest += when_ready(POLLOUT, error, [&] { return socket_.write_some(rest, error); });
    if (!failure_) failure_ = error;
    if (error) throw boost::system::system_error(error);
    return n;
  }

  /// After this time, reading and writing fail.
  void set_deadline(std::chrono::steady_clock::time_point t) { deadline_ = t; }

  /// Ends our side, then reads and discards the client's text, so that the client can read the end of the answer.
  void finish() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    char text[4096];
    std::streamsize left = discarded_after_refusal;
    for (std::streamsize got = 0; got >= 0 && left > 0; left -= got) got = read(text, sizeof text);
  }

  const tcp::socket& socket() const { return socket_; }
  error_code failure() const { return failure_; }  ///< The first failure.

 private:
  /// Waits until the socket is ready for the event, then calls `attempt`. After the deadline it does not call
  /// `attempt`.
  template <class Attempt>
  std::size_t when_ready(short event, error_code& error, const Attempt& attempt) {
    using namespace std::chrono;
    for (milliseconds left; (left = duration_cast<milliseconds>(deadline_ - steady_clock::now())) > 0ms;) {
      pollfd one{socket_.native_handle(), event, 0};
      if (poll(&one, 1, static_cast<int>(std::min<milliseconds>(left, 1min).count())) <= 0) continue;
      const std::size_t size = attempt();
      if (error != asio::error::would_block) return size;
    }
    error = asio::error::timed_out;
    return 0;
  }

  tcp::socket socket_;
  error_code failure_;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
};

void serve(connection& client) {
  const std::string peer = relay::peer(client.socket());
  utfilter::to_utf8 decode(repairing());
  io::filtering_istream in;
  in.push(decode);  // `decode` can report afterwards: a filter and its copies share one report
  in.push(boost::ref(client));
  in.exceptions(std::ios::badbit);  // past the error limit, reading throws utf_error
  io::filtering_ostream out;
  out.push(boost::ref(client));

  std::string refusal;
  try {
    // std::getline would not limit the length of a line.
    char line[longest_line + 1];
    std::uint64_t number = 1;
    for (; out && in.getline(line, sizeof line); ++number) {
      const std::streamsize line_feed = in.eof() ? 0 : 1;
      out.write(line, in.gcount() - line_feed).put('\n').flush();
    }
    if (in.fail() && !in.eof()) refusal = too_long(number);
  } catch (const utfilter::utf_error& error) {
    refusal = too_many_errors(error.info());
  }
  if (!refusal.empty()) client.set_deadline(std::chrono::steady_clock::now() + time_after_refusal);
  out << refusal << std::flush;
  log(peer, decode.report(), refusal, client.failure());
  if (!refusal.empty()) client.finish();
}

/// A failure of one client must not affect the others.
void run(tcp::socket socket) try {
  connection client(std::move(socket));
  serve(client);
} catch (const std::exception& error) {
  std::clog << "relay: " + std::string(error.what()) + '\n';
}

/// If no thread can be started for a client, its connection is closed.
void start(tcp::socket socket) try {
  std::thread(run, std::move(socket)).detach();
} catch (const std::exception& error) {
  std::clog << "relay: no thread for a client, its connection is closed: " + std::string(error.what()) + '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  asio::io_context context;
  tcp::acceptor acceptor = relay::listen(context, argc, argv);
  while (true) {
    error_code error;
    tcp::socket socket = acceptor.accept(error);
    if (!error) {
      start(std::move(socket));
    } else {
      std::clog << "relay: accept: " + error.message() + '\n';
      std::this_thread::sleep_for(recovery_time);
    }
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
