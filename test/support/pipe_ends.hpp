// pipe_ends.hpp: a pipe. Its destructor closes the ends that are still open.
#ifndef UTFILTER_TEST_PIPE_ENDS_HPP
#define UTFILTER_TEST_PIPE_ENDS_HPP

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

class pipe_ends {
 public:
  pipe_ends() {
    if (::pipe(ends_) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~pipe_ends() {
    close_reader();
    close_writer();
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  /// File names that open an end once more.
  std::string reader_name() const { return "/dev/fd/" + std::to_string(reader()); }
  std::string writer_name() const { return "/dev/fd/" + std::to_string(writer()); }

  void close_reader() { close(release_reader()); }
  void close_writer() { close(release_writer()); }
  /// Returns the descriptor; the caller has to close it.
  int release_reader() { return std::exchange(ends_[0], -1); }
  int release_writer() { return std::exchange(ends_[1], -1); }

  /// Writes a text. It must fit into the pipe's buffer: nobody reads meanwhile.
  void send(std::string_view text) const {
    if (::write(writer(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      throw std::system_error(errno, std::generic_category(), "write to a pipe");
  }
  /// Reads at most `size` of the bytes that are there; waits if there are none.
  std::string receive(std::size_t size) const {
    std::string some(size, '\0');
    const ssize_t got = ::read(reader(), some.data(), size);
    some.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return some;
  }

 private:
  static void close(int end) {
    if (end >= 0) ::close(end);
  }
  int ends_[2];
};

#endif
