// relay.hpp: the parts that relay and async_relay share: the limits of the service, the listening, the log.
//
//   PROGRAM [PORT [ADDRESS]]      default: port 0, which stands for any free port, on 127.0.0.1
//
// The service: a client sends text, in UTF-8 or in the encoding of its byte order mark. It gets each line back as soon
// as the line is complete, as clean UTF-8 with U+FFFD for each error. A client that exceeds a limit is refused: it gets
// one more line, which begins with "error: " and says why and where. Then the server ends its side. It closes the
// connection when the client has ended its side, or after a few seconds. Clients that are not refused may be idle for
// ever; a real server would set deadlines for them, too.
#ifndef UTFILTER_EXAMPLES_RELAY_HPP
#define UTFILTER_EXAMPLES_RELAY_HPP

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace relay {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

//---------------------------------------------------------------------------------------------------------- the service

inline constexpr std::uint64_t error_limit = 100;
inline constexpr std::size_t longest_line = 8192;  // bytes of UTF-8, without the line feed

/// A client that is refused may still be sending. At most this much of its text is read and discarded. Closing at once
/// would reset the connection, and on many systems the client would lose the line that says why.
inline constexpr std::size_t discarded_after_refusal = 1 << 20;  // bytes

/// A client that is refused has this much time to read the reason and to close. Then the server closes the connection.
inline constexpr auto time_after_refusal = std::chrono::seconds(3);

/// If a client cannot be accepted, for example because no descriptor is left, the server tries again after this time.
inline constexpr auto recovery_time = std::chrono::milliseconds(100);

inline utfilter::params repairing() {
  utfilter::params p;
  p.on_error = utfilter::on_error::replace;
  p.error_limit = error_limit;
  return p;
}

inline std::string too_many_errors(const utfilter::error_info& last) {
  return "error: more than " + std::to_string(error_limit) + " errors: " + to_string(last) + '\n';
}

inline std::string too_long(std::uint64_t line) {
  return "error: line " + std::to_string(line) + ": longer than " + std::to_string(longest_line) + " bytes of UTF-8\n";
}

//----------------------------------------------------------------------------------------------------------- the server

/// Listens on [PORT [ADDRESS]] of the command line, by default on any free port of the loopback interface, and prints
/// the port. Messages use error.code().message(), because the what() of a system_error differs between Boost versions.
inline tcp::acceptor listen(asio::io_context& context, int argc, char** argv) {
  const char* const digits = argc > 1 ? argv[1] : "0";
  const char* const end = digits + std::strlen(digits);
  std::uint16_t port = 0;
  const auto number = std::from_chars(digits, end, port);
  error_code bad_address;
  const auto address = asio::ip::make_address(argc > 2 ? argv[2] : "127.0.0.1", bad_address);
  if (argc > 3 || number.ec != std::errc() || number.ptr != end || bad_address)
    throw std::invalid_argument("usage: " + std::string(argv[0]) + " [PORT [ADDRESS]]");
  try {
    tcp::acceptor acceptor(context, {address, port});
    std::cout << "listening on port " << acceptor.local_endpoint().port() << std::endl;
    return acceptor;
  } catch (const boost::system::system_error& error) {
    std::ostringstream what;
    what << argv[0] << ": cannot listen on " << tcp::endpoint(address, port) << ": " << error.code().message();
    throw std::runtime_error(what.str());
  }
}

/// The client's address and port, for the log.
inline std::string peer(const tcp::socket& socket) {
  error_code gone;
  std::ostringstream name;
  name << socket.remote_endpoint(gone);
  return gone ? "a client that is gone" : name.str();
}

/// Logs one line for a connection that has ended: the encoding and size of its text, the errors in it, and why the
/// connection ended if the client did not end it. The line is written in one piece, so that the lines of several
/// threads do not mix.
inline void log(const std::string& peer, const utfilter::stream_report& r, const std::string& refusal,
                error_code failure) {
  std::ostringstream line;
  line << peer << ": " << encoding_name(r.encoding) << ", bytes: " << r.bytes_in << ", errors: " << r.errors;
  if (r.first_error) line << "; first: " << to_string(*r.first_error);
  if (r.errors > 1) line << "; last: " << to_string(*r.last_error);
  if (!refusal.empty()) line << "; refused with " << refusal.substr(0, refusal.size() - 1);
  if (failure) line << "; connection: " << failure.message();
  line << '\n';
  std::clog << line.str();
}

}  // namespace relay

#endif
