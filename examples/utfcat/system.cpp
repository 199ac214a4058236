// system.cpp: utfcat and POSIX.
#ifndef _WIN32

#include "system.hpp"

#include "messages.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace utfcat {

void prepare(int&, char**&) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int fd = standard_input; fd <= standard_error; ++fd)
    if (fcntl(fd, F_GETFD) == -1) open("/dev/null", fd == standard_input ? O_WRONLY : O_RDONLY);
}

bool is_terminal(int fd) noexcept { return isatty(fd) != 0; }

int descriptor::close() noexcept {
  if (fd_ < 0) return 0;
  // Also after EINTR the descriptor is gone.
  return ::close(std::exchange(fd_, -1)) == -1 && errno != EINTR ? errno : 0;
}

descriptor open_to_read(const std::string& name) { return descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC)); }

std::optional<file_size> size_of(const std::string& name) {
  struct stat status {};
  if ((name == "-" ? fstat(standard_input, &status) : stat(name.c_str(), &status)) != 0) return {};
  const bool regular = S_ISREG(status.st_mode);
  return file_size{regular, regular ? static_cast<std::uint64_t>(status.st_size) : 0};
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

//------------------------------------------------------------------------------------------------------------ destination

namespace {

/// What a file of that name is in the end: the link's target, also where there is none yet.
std::string resolve_links(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
    if (links == 40) cannot_write(path.string(), ELOOP);
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces all of it
  }
  return path.string();
}

mode_t mode_of_new_files() noexcept {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

destination::destination(const std::optional<std::string>& given) : name_(given.value_or("standard output")) {
  if (!given) {
    fd_ = descriptor(standard_output);
    return;
  }
  const std::string& file = *given;
  struct stat old {};
  const bool exists = stat(file.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) cannot_write(name_);
  if (exists && S_ISDIR(old.st_mode)) cannot_write(name_, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    fd_ = descriptor(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (fd_.get() < 0) cannot_write(name_);
    return;
  }
  // A directory that may be written would let us replace a file that must not be.
  if (exists && faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) cannot_write(name_);

  path_      = resolve_links(file);
  temporary_ = (std::filesystem::path(path_).parent_path() / ".utfcat-XXXXXX").string();
  fd_        = descriptor(mkostemp(temporary_.data(), O_CLOEXEC));
  if (fd_.get() < 0) {
    const int         error     = errno;
    const std::string directory = std::filesystem::path(temporary_).parent_path().string();
    temporary_.clear();
    throw output_failure(printable(name_) + ": cannot create a file in " + because(directory.empty() ? "." : directory, error));
  }
  const bool same_owner = exists && fchown(fd_.get(), old.st_uid, old.st_gid) == 0;
  mode_                 = !exists ? mode_of_new_files() : old.st_mode & (same_owner ? 07777 : 0777);
}

destination::~destination() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

bool destination::is(int other) const noexcept {
  struct stat ours {}, theirs {};
  return fstat(fd(), &ours) == 0 && fstat(other, &theirs) == 0 && S_ISREG(ours.st_mode) && ours.st_dev == theirs.st_dev &&
         ours.st_ino == theirs.st_ino;
}

void destination::commit() {
  if (!temporary_.empty()) {
    // Not before: a new owner and each write reset the bits that run a program as someone else.
    if (fchmod(fd_.get(), mode_) != 0) cannot_write(name_);
    // What cannot be synchronised, such as a pipe, says EINVAL or EROFS.
    if (fsync(fd_.get()) != 0 && errno != EINVAL && errno != EROFS) cannot_write(name_);
  }
  if (const int error = fd_.close()) cannot_write(name_, error);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) cannot_write(name_);
  temporary_.clear();
}

}  // namespace utfcat

#endif
