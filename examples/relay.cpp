// relay: text from TCP clients, repaired and answered line by line (relay.hpp). A thread and a chain for each client:
//
//   socket -> to_utf8 -> getline -> socket
//
//   relay [PORT [ADDRESS]]      0: any free port; 127.0.0.1
#include "relay.hpp"

#include <utfilter/to_utf8.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/write.hpp>
#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/system/system_error.hpp>

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

/// A connected socket, as both ends of chains. Chains swallow why a device failed, so that it is kept here.
class connection {
 public:
  explicit connection(tcp::socket socket) : socket_(std::move(socket)) {}

  /// What has arrived, at most n bytes; it waits for the first one only. A connection that breaks ends the text.
  std::streamsize read(char* s, std::streamsize n) {
    error_code        error;
    const std::size_t got = socket_.read_some(asio::buffer(s, static_cast<std::size_t>(n)), error);
    if (!error) return static_cast<std::streamsize>(got);
    if (error != asio::error::eof) note(error);
    return -1;
  }

  /// Writes all n bytes, or throws.
  std::streamsize write(const char* s, std::streamsize n) {
    error_code error;
    asio::write(socket_, asio::buffer(s, static_cast<std::size_t>(n)), error);
    note(error);
    if (error) throw boost::system::system_error(error);
    return n;
  }

  /// Ends what we send, and lets the client take notice.
  void refuse() {
    error_code error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    char        ignored[4096];
    std::size_t discarded = 0;
    while (!error && discarded < discarded_after_refusal) discarded += socket_.read_some(asio::buffer(ignored), error);
  }

  const tcp::socket& socket() const { return socket_; }
  error_code         failure() const { return failure_; }  ///< The first one.

 private:
  void note(error_code error) {
    if (!failure_) failure_ = error;
  }

  tcp::socket socket_;
  error_code  failure_;
};

/// Chains copy their devices: this one stands for a connection that stays where it is.
class socket_device {
 public:
  using char_type = char;
  using category  = io::bidirectional_device_tag;
  explicit socket_device(connection& c) : connection_(&c) {}
  std::streamsize read(char* s, std::streamsize n) { return connection_->read(s, n); }
  std::streamsize write(const char* s, std::streamsize n) { return connection_->write(s, n); }

 private:
  connection* connection_;
};

void serve(connection& client) {
  const std::string     peer = relay::peer(client.socket());
  utfilter::to_utf8     decode(repairing());
  io::filtering_istream in;
  in.push(decode);  // this copy reports
  in.push(socket_device(client));
  in.exceptions(std::ios::badbit);  // utf_error past the limit
  io::filtering_ostream out;
  out.push(socket_device(client));

  std::string refusal;
  try {
    // Not std::getline, which puts no limit to a line.
    char          line[longest_line + 1];
    std::uint64_t number = 1;
    for (; out && in.getline(line, sizeof line); ++number) {
      const std::streamsize line_feed = in.eof() ? 0 : 1;
      out.write(line, in.gcount() - line_feed).put('\n').flush();
    }
    if (in.fail() && !in.eof()) refusal = too_long(number);
  } catch (const utfilter::utf_error& error) {
    refusal = too_many_errors(error.info());
  }
  out << refusal << std::flush;
  log(peer, decode.report(), refusal, client.failure());
  if (!refusal.empty()) client.refuse();
}

/// What goes wrong for one client is no matter for the others.
void run(tcp::socket socket) try {
  connection client(std::move(socket));
  serve(client);
} catch (const std::exception& error) {
  std::clog << "relay: " + std::string(error.what()) + '\n';
}

/// Where no thread is left for a client, its connection is closed.
void start(tcp::socket socket) try {
  std::thread(run, std::move(socket)).detach();
} catch (const std::exception& error) {
  std::clog << "relay: " + std::string(error.what()) + '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  asio::io_context context;
  tcp::acceptor    acceptor = relay::listen(context, argc, argv);
  while (true) {
    error_code  error;
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
