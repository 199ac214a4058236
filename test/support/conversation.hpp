// conversation.hpp: sends lines one after the other; each line is sent when the previous one has come back.
#ifndef UTFILTER_TEST_CONVERSATION_HPP
#define UTFILTER_TEST_CONVERSATION_HPP

#include "support/pipe_ends.hpp"
#include "support/texts.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <functional>
#include <ios>
#include <iostream>
#include <istream>
#include <string>

namespace conversation {

/// The lines. They are sent in pieces that cut through characters.
inline const texts::text32 lines[] = {U"\uFEFFone\n", U"zwei \u00E4\n", U"\u20AC\U0001F600\n", U"\n", U"five\n"};

using encoder = std::string (*)(const texts::text32&);
inline constexpr encoder encoders[] = {texts::utf8, texts::utf16le, texts::utf16be, texts::utf32le};

using send_function = std::function<void(const std::string&)>;

/// Sends each line, and checks that `receive` returns it before the next one is sent.
inline void converse(encoder encode, const send_function& send,
                     const std::function<std::string(std::size_t)>& receive) {
  for (const texts::text32& line : lines) {
    const std::string sent = encode(line);
    for (std::size_t i = 0; i < sent.size(); i += 3) send(sent.substr(i, 3));
    const std::string expected = texts::utf8(line[0] == 0xFEFF ? line.substr(1) : line);
    BOOST_TEST(receive(expected.size()) == expected);
  }
}

inline void send_to(int descriptor, const std::string& text) {
  BOOST_TEST_REQUIRE(::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}
inline std::string receive_from(int descriptor, std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t got = 0; got < size;) {
    const ssize_t n = ::read(descriptor, &text[got], size - got);
    BOOST_TEST_REQUIRE(n > 0);
    got += static_cast<std::size_t>(n);
  }
  return text;
}

inline void converse(encoder encode, int to, int from) {
  converse(
      encode, [&](const std::string& piece) { send_to(to, piece); },
      [&](std::size_t size) { return receive_from(from, size); });
}

inline void answer_lines(std::istream& in, int to) {
  for (std::string line; std::getline(in, line);) {
    line += '\n';
    if (::write(to, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(4);
  }
}

/// A child process that reads its standard input from one pipe and answers into another. Its exit status is the value
/// that `answer` returns.
class answering_child {
 public:
  /// The child calls `answer` with the descriptor to write its answers to.
  answering_child(bool synchronised, const std::function<int(int)>& answer) {
    std::cout.flush();  // or the child would write this text, too, when it reads std::cin
    id_ = ::fork();
    BOOST_TEST_REQUIRE(id_ >= 0);
    if (id_ == 0) {
      there_.close_writer();
      back_.close_reader();
      ::dup2(there_.reader(), 0);
      std::ios::sync_with_stdio(synchronised);
      ::_exit(answer(back_.writer()));
    }
    there_.close_reader();
    back_.close_writer();
  }
  answering_child(const answering_child&) = delete;
  answering_child& operator=(const answering_child&) = delete;

  int to() const { return there_.writer(); }
  int from() const { return back_.reader(); }

  /// Closes the child's input and waits until the child ends. Returns its status as waitpid(2) gives it.
  int status() {
    there_.close_writer();
    int status = 0;
    ::waitpid(id_, &status, 0);
    return status;
  }

 private:
  pipe_ends there_, back_;
  pid_t id_ = 0;
};

}  // namespace conversation

#endif
