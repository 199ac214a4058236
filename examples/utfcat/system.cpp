// system.cpp: utfcat and the system.
#include "system.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/text.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace utfcat {

std::string printable(std::string_view text) {
  const std::string        well_formed = utfilter::sanitize(text, utfilter::on_error::escape);
  utfilter::control_escaper escaper(utfilter::control_escaper::line_feeds::escape);
  // \u{HHHH} stands for two bytes at least, \xHH for one.
  std::string result(4 * well_formed.size() + utfilter::control_escaper::min_output, '\0');
  result.resize(escaper.transform(well_formed.data(), well_formed.size(), result.data(), result.size(), true).produced);
  for (std::size_t tab = 0; (tab = result.find('\t', tab)) != std::string::npos;) result.replace(tab, 1, "\\x09");
  return result.empty() ? "''" : result;
}

std::string because(std::string_view name, int error) {
  return printable(name) + ": " + std::generic_category().message(error);
}

void complain(std::string_view message) {
  const std::string line = "utfcat: " + std::string(message) + '\n';
  write_fully(STDERR_FILENO, line.data(), line.size());
}

bool shows_colours(int fd) noexcept {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return isatty(fd) && (unwanted == nullptr || *unwanted == '\0') && (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

void occupy_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (fcntl(fd, F_GETFD) == -1) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int descriptor::close() noexcept {
  if (fd_ < 0) return 0;
  // Also after EINTR the descriptor is gone.
  return ::close(std::exchange(fd_, -1)) == -1 && errno != EINTR ? errno : 0;
}

namespace {

/// Whether the call that has just failed is to be tried again, now that the descriptor is ready.
bool again(int fd, short event) noexcept {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd one{fd, event, 0};
  poll(&one, 1, -1);
  return true;
}

}  // namespace

std::ptrdiff_t read_some(int fd, char* s, std::size_t n) noexcept {
  while (true) {
    const ssize_t got = ::read(fd, s, n);
    if (got >= 0 || !again(fd, POLLIN)) return got;
  }
}

bool write_fully(int fd, const char* s, std::size_t n) noexcept {
  while (n != 0) {
    const ssize_t taken = ::write(fd, s, n);
    if (taken >= 0) {
      s += taken;
      n -= static_cast<std::size_t>(taken);
    } else if (!again(fd, POLLOUT)) {
      return false;
    }
  }
  return true;
}

}  // namespace utfcat
