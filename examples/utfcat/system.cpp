// system.cpp: utfcat and the system.
#include "system.hpp"

#include <utfilter/text.hpp>

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace utfcat {

std::string printable(std::string_view text) {
  constexpr char hex[] = "0123456789ABCDEF";
  const std::string well_formed = utfilter::sanitize(text, utfilter::on_error::escape);
  std::string result;
  for (std::size_t i = 0; i < well_formed.size(); ++i) {
    const auto byte = static_cast<unsigned char>(well_formed[i]);
    const auto next = i + 1 < well_formed.size() ? static_cast<unsigned char>(well_formed[i + 1]) : 0u;
    if (byte < 0x20 || byte == 0x7F) {
      result += {'\\', 'x', hex[byte >> 4], hex[byte & 0xF]};
    } else if (byte == 0xC2 && next < 0xA0) {  // U+0080 to U+009F, which some terminals obey like ESC
      result += {'\\', 'u', '{', '0', '0', hex[next >> 4], hex[next & 0xF], '}'};
      ++i;
    } else {
      result += well_formed[i];
    }
  }
  return result.empty() ? "''" : result;
}

std::string because(std::string_view name, int error) {
  return printable(name) + ": " + std::generic_category().message(error);
}

void complain(std::string_view message) {
  const std::string line = "utfcat: " + std::string(message) + '\n';
  write_fully(STDERR_FILENO, line.data(), line.size());
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
