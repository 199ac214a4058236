// relay_test.cpp: uses and misuses relay and async_relay as their clients do.
// build: program:relay program:async_relay cost:15
#define BOOST_TEST_MODULE relay
#include "support/paths.hpp"
#include "support/process.hpp"
#include "support/texts.hpp"

#include <boost/test/unit_test.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

using namespace processes;
using namespace std::string_literals;
using texts::repeated;
using texts::text32;

namespace {

// The limits that the programs promise (examples/relay.hpp).
constexpr std::size_t error_limit = 100;
constexpr std::size_t longest_line = 8192;

const char* const programs[] = {"relay", "async_relay"};

/// A running relay, on a port of its own.
class relay {
 public:
  explicit relay(
      const char* program, const std::function<void()>& in_child = [] {})
      : process_({program}, in_child) {
    const std::string line = process_.receive_line(), expected = "listening on port ";
    BOOST_REQUIRE_MESSAGE(line.substr(0, expected.size()) == expected, line);
    port_ = static_cast<std::uint16_t>(std::stoul(line.substr(expected.size())));
  }
  std::uint16_t port() const { return port_; }
  std::string log_line() { return process_.receive_line(1); }
  pid_t pid() const { return process_.pid(); }

 private:
  process process_;
  std::uint16_t port_ = 0;
};

/// The resources that a server uses for its clients.
struct resources {
  std::ptrdiff_t descriptors, threads;

  friend bool operator==(const resources& a, const resources& b) {
    return a.descriptors == b.descriptors && a.threads == b.threads;
  }
  friend std::ostream& operator<<(std::ostream& to, const resources& r) {
    return to << r.descriptors << " descriptors, " << r.threads << " threads";
  }
};

resources in_use(const relay& server) {
  const std::string process = "/proc/" + std::to_string(server.pid());
  const auto entries = [](const std::string& directory) {
    return std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator());
  };
  return {entries(process + "/fd"), entries(process + "/task")};
}

/// Checks that the server soon uses exactly the expected resources. Calls `meanwhile` again and again until then.
template <class Action>
void check_comes_to(const relay& server, const resources& expected, Action meanwhile) {
  const auto deadline = clock_type::now() + patience;
  while (!(in_use(server) == expected) && clock_type::now() < deadline) {
    meanwhile();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  BOOST_TEST(in_use(server) == expected);
}

/// The buffers of a connection. With `deaf` the server can send only some kilobytes to a client that does not read,
/// while the client can send more.
enum class buffers { usual, small, deaf };

/// A connection to a relay. An operation that takes longer than `patience` throws.
class client {
 public:
  explicit client(const relay& server, buffers size = buffers::usual) {
    fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "socket");
    set(IPPROTO_TCP, TCP_NODELAY, 1);
    if (size == buffers::small) {
      set(SOL_SOCKET, SO_RCVBUF, 4096);
      set(SOL_SOCKET, SO_SNDBUF, 4096);
    }
    if (size == buffers::deaf) {
      set(SOL_SOCKET, SO_RCVBUF, 4096);
      set(SOL_SOCKET, SO_SNDBUF, 1 << 20);
      set(IPPROTO_TCP, TCP_MAXSEG, 536);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      if (errno != EINPROGRESS) throw std::system_error(errno, std::generic_category(), "connect");
      wait_for(POLLOUT);
    }
    socklen_t length = sizeof address;
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length);
    name = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  client(const client&) = delete;
  client& operator=(const client&) = delete;
  ~client() { vanish(); }

  /// Sends the text, in one piece if the kernel takes all of it at once.
  void send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send_some(text);
      if (sent < 0) throw std::system_error(errno, std::generic_category(), "send");
      if (sent == 0) wait_for(POLLOUT);
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  /// Sends as much as the kernel takes now. Returns the number of bytes, which may be 0; negative if the connection is
  /// broken.
  ssize_t send_some(std::string_view text) const {
    const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
    return sent < 0 && errno == EAGAIN ? 0 : sent;
  }

  void end() { shutdown(fd_, SHUT_WR); }

  /// Closes without reading the data that has arrived. If there is any, the server sees a broken connection.
  void vanish() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

  /// Breaks the connection, like a machine that is switched off and on again.
  void reset() {
    const linger at_once{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    vanish();
  }

  /// The next line, with its line feed.
  std::string line() {
    while (received_.find('\n') == std::string::npos) {
      wait_for(POLLIN);
      if (!receive()) throw std::runtime_error("the connection ended after: " + received_);
    }
    std::string result = received_.substr(0, received_.find('\n') + 1);
    received_.erase(0, result.size());
    return result;
  }

  /// Returns all text that still comes. Throws if the connection is broken and not closed.
  std::string rest() {
    do wait_for(POLLIN);
    while (receive());
    return std::exchange(received_, {});
  }

  /// Receives the data that has arrived. Returns false if the server has closed the connection.
  bool receive() {
    char buffer[65536];
    const ssize_t got = recv(fd_, buffer, sizeof buffer, 0);
    if (got < 0 && errno != EAGAIN) throw std::system_error(errno, std::generic_category(), "recv");
    if (got > 0) received_.append(buffer, static_cast<std::size_t>(got));
    return got != 0;
  }

  /// Whether one of the events occurs within this time.
  bool ready(short events, std::chrono::milliseconds time) const {
    pollfd one{fd_, events, 0};
    return poll(&one, 1, static_cast<int>(time.count())) > 0;
  }

  std::string name;  // the client's name in the log

 private:
  void wait_for(short events) const {
    if (!ready(events, patience)) throw std::runtime_error("the connection hangs after: " + received_);
  }
  void set(int level, int option, int value) const { setsockopt(fd_, level, option, &value, sizeof value); }

  int fd_ = -1;
  std::string received_;
};

std::string ask(client& c, std::string_view text) {
  c.send(text);
  return c.line();
}

/// Checks that the server still serves clients.
void check_alive(const relay& server) {
  client c(server);
  BOOST_TEST(ask(c, "still \xE2\x82\xAC\n") == "still \xE2\x82\xAC\n");
  c.end();
  BOOST_TEST(c.rest() == "");
}

/// The lines of the log for these connections, without the clients' names. The connections may have ended in any order.
std::vector<std::string> logged(relay& server, const std::vector<std::string>& names) {
  std::vector<std::string> lines(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string line = server.log_line();
    const auto name = std::find(names.begin(), names.end(), line.substr(0, line.find(": ")));
    BOOST_REQUIRE_MESSAGE(name != names.end(), line);
    lines[static_cast<std::size_t>(name - names.begin())] = line.substr(name->size() + 2);
  }
  return lines;
}

struct form {
  const char* name;
  std::string bom;
  std::string (*encode)(const text32&);
};

std::vector<form> forms() {
  return {{"UTF-8", "", texts::utf8},
          {"UTF-8", "\xEF\xBB\xBF", texts::utf8},
          {"UTF-16LE", "\xFF\xFE", texts::utf16le},
          {"UTF-16BE", "\xFE\xFF", texts::utf16be},
          {"UTF-32LE", "\xFF\xFE\0\0"s, texts::utf32le}};
}

const std::vector<text32> lines = {U"a\u00E4\u20AC\U0001F600\n", U"\n", U"\u0416z\r\n", U"\uFEFF\U000233B4\n"};

text32 joined(const std::vector<text32>& parts) {
  text32 all;
  for (const text32& part : parts) all += part;
  return all;
}

const std::string replaced = "\xEF\xBF\xBD";

/// Runs a test with both programs.
template <class Test>
void with_each(Test test) {
  for (const char* const program : programs) BOOST_TEST_CONTEXT(program) {
      test(program);
    }
}

}  // namespace

//----------------------------------------------------------------------------------------------------------------- text

BOOST_AUTO_TEST_CASE(each_line_is_answered_before_the_next_is_sent) {
  with_each([](const char* program) {
    relay server(program);
    for (const form& f : forms()) {
      client c(server);
      c.send(f.bom);
      for (const text32& line : lines) BOOST_TEST(ask(c, f.encode(line)) == texts::utf8(line));
      c.end();
      BOOST_TEST(c.rest() == "");
      const std::string size = std::to_string((f.bom + f.encode(joined(lines))).size());
      BOOST_TEST(logged(server, {c.name}).front() == f.name + ", bytes: "s + size + ", errors: 0");
    }
  });
}

BOOST_AUTO_TEST_CASE(text_that_comes_byte_by_byte_is_answered_the_same) {
  with_each([](const char* program) {
    relay server(program);
    for (const form& f : forms()) {
      client c(server);
      for (const char byte : f.bom + f.encode(joined(lines))) c.send({&byte, 1});
      c.end();
      BOOST_TEST(c.rest() == texts::utf8(joined(lines)));
    }
  });
}

BOOST_AUTO_TEST_CASE(text_may_be_cut_anywhere) {
  // The first piece begins with a line. When that line is answered, the server has read the whole piece. So the server
  // needs another read for the rest.
  with_each([](const char* program) {
    relay server(program);
    for (const form& f : forms()) {
      const std::string text = f.encode(joined(lines));
      for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        client c(server);
        BOOST_TEST(ask(c, f.bom + f.encode(U"ok\n") + text.substr(0, cut)) == "ok\n");
        c.send(text.substr(cut));
        c.end();
        BOOST_TEST(c.rest() == texts::utf8(joined(lines)));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(errors_are_replaced_and_a_last_line_without_line_feed_is_answered_with_one) {
  with_each([](const char* program) {
    relay server(program);
    client c(server);
    BOOST_TEST(ask(c, "ok\n") == "ok\n");
    BOOST_TEST(ask(c, "b\xC0"
                      "d\n") == "b" + replaced + "d\n");
    BOOST_TEST(ask(c, "\xED\xA0\x80\n") == repeated(replaced, 3) + "\n");
    c.send("last");
    c.end();
    BOOST_TEST(c.rest() == "last\n");
    BOOST_TEST(logged(server, {c.name}).front() ==
               "UTF-8, bytes: 15, errors: 4; first: line 2, column 2 (byte 4): overlong encoding: C0; "
               "last: line 3, column 3 (byte 9): unexpected continuation byte: 80");
  });
}

BOOST_AUTO_TEST_CASE(much_text_is_answered_completely) {
  with_each([](const char* program) {
    relay server(program);
    std::string text;
    for (std::size_t i = 0; i < 40000; ++i) text += std::to_string(i) + repeated("\xE2\x82\xAC", i % 50) + "\n";
    client c(server);
    std::string_view left = text;
    while (!left.empty()) {
      const ssize_t sent = c.send_some(left);
      BOOST_REQUIRE(sent >= 0);
      left.remove_prefix(static_cast<std::size_t>(sent));
      c.receive();
      if (sent == 0) BOOST_REQUIRE(c.ready(POLLIN | POLLOUT, patience));
    }
    c.end();
    BOOST_TEST((c.rest() == text));
  });
}

//----------------------------------------------------------------------------------------------- clients that misbehave

BOOST_AUTO_TEST_CASE(a_client_that_vanishes_inside_a_character_is_logged_with_the_place) {
  with_each([](const char* program) {
    relay server(program);
    struct row {
      std::string text, log;
    };
    const row table[] = {
        {"ok\na\xE2\x82", "UTF-8, bytes: 6, errors: 1; "
                          "first: line 2, column 2 (byte 4): incomplete at the end of the input: E2 82"},
        {"\xFF\xFE"s + "o\0k\0\n\0\x3D\xD8"s, "UTF-16LE, bytes: 10, errors: 1; first: line 2, column 1 (byte 8): "
                                              "incomplete at the end of the input, after U+D83D: 3D D8"},
        {"\xFE\xFF\0o\0k\0\n\x20"s, "UTF-16BE, bytes: 9, errors: 1; "
                                    "first: line 2, column 1 (byte 8): incomplete at the end of the input: 20"}};
    for (const row& r : table) {
      client leaves(server), resets(server);
      for (client* const c : {&leaves, &resets}) BOOST_TEST(ask(*c, r.text) == "ok\n");
      leaves.vanish();
      resets.reset();
      const std::vector<std::string> log = logged(server, {leaves.name, resets.name});
      BOOST_TEST(log[0].substr(0, r.log.size()) == r.log);  // an answer to a client that is gone may fail, too
      BOOST_TEST(log[1] == r.log + "; connection: Connection reset by peer");
    }
    check_alive(server);
  });
}

BOOST_AUTO_TEST_CASE(a_client_may_send_nothing) {
  with_each([](const char* program) {
    relay server(program);
    client silent(server), ends(server), leaves(server), resets(server);
    const std::string nothing = "UTF-8, bytes: 0, errors: 0";
    ends.end();
    BOOST_TEST(ends.rest() == "");
    leaves.vanish();
    for (const std::string& line : logged(server, {ends.name, leaves.name})) BOOST_TEST(line == nothing);
    resets.reset();  // not earlier, because the server might not have read the client's name yet
    const std::string line = server.log_line();
    BOOST_TEST(line.substr(line.find(": ") + 2) == nothing + "; connection: Connection reset by peer");
    check_alive(server);  // while one client is still silent
    BOOST_TEST(ask(silent, "at last\n") == "at last\n");
  });
}

BOOST_AUTO_TEST_CASE(binary_data_ends_with_a_reason_at_the_error_limit) {
  with_each([](const char* program) {
    relay server(program);
    const auto garbage = [](std::size_t size) { return "\x89PNG\r\n\x1A\n" + repeated("\xC0", size); };
    std::string answer = replaced + "PNG\r\n\x1A\n";
    // The first byte of the file is an error, too. So the error beyond the limit is the hundredth in its line.
    const std::string where = "line 3, column 100 (byte 107): overlong encoding: C0";
    answer += "error: more than 100 errors: " + where + "\n";

    client polite(server);
    polite.send(garbage(error_limit));
    BOOST_TEST(polite.rest() == answer);  // the server closes, not the client
    BOOST_TEST(logged(server, {polite.name}).front() ==
               "UTF-8, bytes: 108, errors: 101; first: line 1, column 1 (byte 0): unexpected continuation byte: 89; "
               "last: " +
                   where + "; refused with error: more than 100 errors: " + where);

    // A client that goes on sending does not break the connection: a reset could overtake the reason.
    client hasty(server);
    hasty.send(garbage(100'000));
    BOOST_TEST(hasty.rest() == answer);
    for (int i = 0; i < 20; ++i) hasty.send(garbage(10'000));
    hasty.end();

    client at_limit(server);
    at_limit.send(garbage(error_limit - 1));
    at_limit.end();
    BOOST_TEST(at_limit.rest() == replaced + "PNG\r\n\x1A\n" + repeated(replaced, error_limit - 1) + "\n");
    check_alive(server);
  });
}

BOOST_AUTO_TEST_CASE(lines_of_the_greatest_length_are_answered_and_longer_ones_refused) {
  with_each([](const char* program) {
    relay server(program);
    const std::string longest = repeated("a", longest_line - 3) + "\xE2\x82\xAC";
    const auto refused = [](int line) {
      return "error: line " + std::to_string(line) + ": longer than " + std::to_string(longest_line) +
             " bytes of UTF-8\n";
    };
    struct row {
      std::string text, answer;
    };
    const row table[] = {
        {longest + "\n" + longest, longest + "\n" + longest + "\n"},
        {longest + "\n\n" + longest + "\nz", longest + "\n\n" + longest + "\nz\n"},
        {longest + "a", refused(1)},
        {longest + "a\nz\n", refused(1)},
        {"a\n" + longest + "a\nz\n", "a\n" + refused(2)},
        {"\n" + repeated("a", longest_line + 1) + "\n", "\n" + refused(2)},
        {longest + "\n" + longest + "\n" + repeated("a", 300'000), longest + "\n" + longest + "\n" + refused(3)},
        // The limit applies to the answer.
        {repeated("a", longest_line - 6) + "\xFF\xFF\n", repeated("a", longest_line - 6) + replaced + replaced + "\n"},
        {repeated("a", longest_line - 5) + "\xFF\xFF\n", refused(1)}};
    for (const row& r : table) {
      client c(server);
      c.send(r.text);
      c.end();
      BOOST_TEST((c.rest() == r.answer));
    }
    check_alive(server);
  });
}

BOOST_AUTO_TEST_CASE(a_line_without_end_is_refused_while_it_arrives) {
  with_each([](const char* program) {
    relay server(program);
    client c(server);
    const std::string block(65536, 'a');
    // The server may break the connection after it has sent the reason, because it does not read all of the text.
    std::size_t sent = 0;
    for (ssize_t taken = 0; taken >= 0; taken = c.send_some(block)) {
      sent += static_cast<std::size_t>(taken);
      BOOST_REQUIRE(sent < (64 << 20));
      if (taken == 0) BOOST_REQUIRE(c.ready(POLLOUT, patience));
    }
    BOOST_TEST(c.line() == "error: line 1: longer than 8192 bytes of UTF-8\n");
    check_alive(server);
  });
}

BOOST_AUTO_TEST_CASE(the_server_does_not_read_from_a_client_that_never_reads_and_still_serves_others) {
  with_each([](const char* program) {
    relay server(program);
    client deaf(server, buffers::small);
    const std::string block = repeated("a line that nobody wants to hear\n", 1000);
    // If the server pauses, the loop only ends early.
    std::size_t sent = 0;
    do {
      const ssize_t taken = deaf.send_some(block);
      BOOST_REQUIRE(taken >= 0);
      sent += static_cast<std::size_t>(taken);
      BOOST_REQUIRE(sent < (64 << 20));
    } while (deaf.ready(POLLOUT, std::chrono::milliseconds(300)));
    check_alive(server);
    deaf.vanish();
    check_alive(server);
    for (std::string line; line.find("; connection: ") == std::string::npos;) line = server.log_line();
  });
}

BOOST_AUTO_TEST_CASE(a_refused_client_is_disconnected_after_the_deadline_whatever_it_does) {
  with_each([](const char* program) {
    relay server(program);
    client served(server);
    BOOST_TEST(ask(served, "ok\n") == "ok\n");
    const resources for_one = in_use(server);

    client stays(server), goes_on(server), never_reads(server), reads_late(server);
    const std::string garbage = repeated("\xC0", error_limit + 1);
    const std::string reason = "error: more than 100 errors: line 1, column 101 (byte 100): overlong encoding: C0\n";
    for (client* const c : {&stays, &goes_on, &never_reads, &reads_late}) c->send(garbage);
    BOOST_TEST(stays.line() == reason);
    BOOST_TEST(in_use(server).descriptors > for_one.descriptors);  // refused clients still have time
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    BOOST_TEST(reads_late.rest() == reason);
    check_comes_to(server, for_one, [&] {
      goes_on.send_some("more\n");
      BOOST_TEST(ask(served, "served\n") == "served\n");
    });
    BOOST_TEST(stays.rest() == "");
    check_alive(server);
  });
}

BOOST_AUTO_TEST_CASE(a_client_to_which_the_reason_cannot_be_sent_is_disconnected_after_the_deadline) {
  // These clients read nothing, and each sends one line more than the client before it. The server can send the reason
  // to the first clients, because the reason fits into the kernel's buffer. It never reads the text of the last clients
  // up to the errors. For some clients between them, the answer to the long last line fills the buffer, so the server
  // cannot send the reason.
  with_each([](const char* program) {
    relay server(program);
    const resources idle = in_use(server);
    std::vector<std::unique_ptr<client>> clients;
    for (std::size_t before = 0; before < 400; ++before) {
      clients.push_back(std::make_unique<client>(server, buffers::deaf));
      clients.back()->send_some(repeated(repeated("a", 374) + "\n", before) + repeated("a", 7000) + "\n" +
                                repeated("\xC0", error_limit + 1));
    }
    std::string line;
    do line = server.log_line();
    while (line.find("; refused with error: more than 100 errors") == line.npos ||
           line.find("; connection: Connection timed out") == line.npos);
    check_alive(server);
    clients.clear();
    check_comes_to(server, idle, [] {});
  });
}

BOOST_AUTO_TEST_CASE(answers_to_clients_that_are_gone_do_not_end_the_server) {
  with_each([](const char* program) {
    relay server(program);
    for (int i = 0; i < 20; ++i) {
      client c(server);
      c.send(repeated("nobody waits for this\n", 5000).substr(0, 40'000));
      if (i % 2 == 0)
        c.vanish();
      else
        c.reset();
    }
    check_alive(server);
  });
}

//--------------------------------------------------------------------------------------------------------- many clients

BOOST_AUTO_TEST_CASE(two_hundred_clients_are_served_at_a_time) {
  with_each([](const char* program) {
    relay server(program);
    std::vector<std::unique_ptr<client>> clients;
    for (int i = 0; i < 200; ++i) clients.push_back(std::make_unique<client>(server));
    // Each client sends its own text, and stops inside a character while the others are served.
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const std::string first = std::to_string(i) + "\n";
      BOOST_TEST(ask(*clients[i], first + "\xF0\x9F") == first);
    }
    for (std::size_t i = clients.size(); i-- > 0;) {
      clients[i]->send("\x98\x80" + std::to_string(i));
      clients[i]->end();
    }
    for (std::size_t i = 0; i < clients.size(); ++i)
      BOOST_TEST(clients[i]->rest() == "\xF0\x9F\x98\x80" + std::to_string(i) + "\n");
  });
}

BOOST_AUTO_TEST_CASE(more_clients_than_descriptors_wait_until_others_have_gone) {
  with_each([](const char* program) {
    relay server(program, [] {
      const rlimit few{30, 30};
      setrlimit(RLIMIT_NOFILE, &few);
    });
    std::vector<std::unique_ptr<client>> clients;
    for (int i = 0; i < 40; ++i) clients.push_back(std::make_unique<client>(server));
    while (server.log_line().find("Too many open files") == std::string::npos) {
    }
    for (const auto& c : clients) {
      BOOST_TEST(ask(*c, "served\n") == "served\n");
      c->vanish();
    }
  });
}

//-------------------------------------------------------------------------------------------------------------- options

BOOST_AUTO_TEST_CASE(it_listens_on_the_given_port_and_address) {
  with_each([](const char* program) {
    const std::string path = paths::program(program), usage = "usage: " + path + " [PORT [ADDRESS]]\n";
    const std::vector<arguments> refused = {{"port"}, {"-1"},           {"65536"},        {"80x"},
                                            {""},     {"0", "nowhere"}, {"0", "::1", "x"}};
    for (const arguments& wrong : refused) {
      arguments command = {program};
      command.insert(command.end(), wrong.begin(), wrong.end());
      BOOST_TEST((run(command) == result{2, "", usage, 0}));
    }
    relay first(program);
    const result second = run({program, std::to_string(first.port())});
    BOOST_TEST(second.status == 2);
    BOOST_TEST(second.err ==
               path + ": cannot listen on 127.0.0.1:" + std::to_string(first.port()) + ": Address already in use\n");

    process every_address({program, "0", "0.0.0.0"});
    BOOST_TEST(every_address.receive_line().substr(0, 18) == "listening on port ");
  });
}
