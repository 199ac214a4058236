// growing_file_posix.cpp: growing_file.hpp for POSIX: files are known by device and inode, and a pipe ends a wait. Linux reports
// changes by inotify; on other systems the watch polls.
// layer: posix
#include "streams/growing_file.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#  include <sys/inotify.h>
#endif

namespace utfilter::detail {

namespace {

std::error_code last_error() noexcept { return {errno, std::generic_category()}; }

/// A descriptor that closes itself.
class descriptor {
 public:
  explicit descriptor(int fd = -1) noexcept : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

/// Reads and forgets all that a non-blocking descriptor has.
void drain(int fd) noexcept {
  char ignored[4096];
  while (::read(fd, ignored, sizeof ignored) > 0) continue;
}

}  // namespace

//-------------------------------------------------------------------------------------------------------- growing_file

struct growing_file::system {
  descriptor fd;
  dev_t device;
  ino_t inode;

  bool is(const struct stat& other) const noexcept { return other.st_dev == device && other.st_ino == inode; }
};

growing_file::growing_file() noexcept = default;
growing_file::~growing_file() = default;
growing_file::growing_file(growing_file&&) noexcept = default;
growing_file& growing_file::operator=(growing_file&&) noexcept = default;

namespace {

/// Why such a file cannot be followed; no error for a regular file.
std::error_code why_not(const struct stat& status) noexcept {
  if (S_ISDIR(status.st_mode)) return std::make_error_code(std::errc::is_a_directory);
  if (!S_ISREG(status.st_mode)) return std::make_error_code(std::errc::invalid_seek);
  return {};
}

/// Calls open(2) again if a signal interrupts it.
descriptor open_to_read(const std::filesystem::path& path) noexcept {
  int fd = -1;
  do fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  return descriptor(fd);
}

}  // namespace

/// Looks at the file before opening it, because opening a device may have effects, and opening a pipe lets its writer
/// go on. Looks again after opening it, because another file may have got the name in between. With O_NONBLOCK it never
/// waits for a pipe.
growing_file growing_file::open(const std::filesystem::path& path, std::error_code& error) {
  growing_file result;
  struct stat status {};
  error = ::stat(path.c_str(), &status) != 0 ? last_error() : why_not(status);
  if (error) return result;
  descriptor fd = open_to_read(path);
  error = fd.get() < 0 || fstat(fd.get(), &status) != 0 ? last_error() : why_not(status);
  if (!error) result.system_ = std::make_unique<system>(system{std::move(fd), status.st_dev, status.st_ino});
  return result;
}

std::size_t growing_file::read_at(std::uint64_t offset, char* s, std::size_t n, std::error_code& error) {
  std::size_t got = 0;
  while (got != n) {
    const ssize_t more = ::pread(system_->fd.get(), s + got, n - got, static_cast<off_t>(offset + got));
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) error = last_error();
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  return got;
}

file_stamp growing_file::stamp() noexcept {
  struct stat status {};
  if (fstat(system_->fd.get(), &status) != 0) return {};
#ifdef __APPLE__
  const timespec& written = status.st_mtimespec;
#else
  const timespec& written = status.st_mtim;
#endif
  constexpr std::int64_t second = 1'000'000'000;
  return {std::int64_t{written.tv_sec} * second + written.tv_nsec, static_cast<std::uint64_t>(status.st_size)};
}

std::chrono::milliseconds growing_file::age() const noexcept {
  struct stat status {};
  timespec now{};
  if (fstat(system_->fd.get(), &status) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) return {};
  const auto seconds = std::clamp<std::int64_t>(std::int64_t{now.tv_sec} - status.st_ctime - 1, 0, 1 << 30);
  return std::chrono::seconds(seconds);
}

bool growing_file::is_replaced_at(const std::filesystem::path& path, const sample&) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return errno != ENOENT;
  return !system_->is(status);
}

bool growing_file::is(const growing_file& other) const noexcept {
  return system_->device == other.system_->device && system_->inode == other.system_->inode;
}

std::string growing_file::identity() const {
  return system_ ? std::to_string(system_->device) + '-' + std::to_string(system_->inode) : "";
}

//---------------------------------------------------------------------------------------------------------- file_watch

struct file_watch::system {
  descriptor wakes, waker;  // the two ends of a pipe
  std::string directory;
  std::chrono::milliseconds interval;
#ifdef __linux__
  descriptor changes;     // of inotify, if it is used
  int file = -1;          // its watch of the file
  bool sees_file = true;  // inotify reports the changes of the file, or there is no file
#endif
};

file_watch::file_watch(const std::filesystem::path& path, [[maybe_unused]] bool polls,
                       std::chrono::milliseconds interval)
    : system_(std::make_unique<system>()) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(last_error(), "utfilter: following a file needs a pipe");
  system_->wakes = descriptor(ends[0]);
  system_->waker = descriptor(ends[1]);
  for (const int end : ends) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
    fcntl(end, F_SETFL, O_NONBLOCK);
  }
  system_->directory = path.has_parent_path() ? path.parent_path().string() : ".";
  system_->interval = std::max(interval, std::chrono::milliseconds(1));
#ifdef __linux__
  if (!polls) system_->changes = descriptor(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
#endif
}

file_watch::~file_watch() = default;

void file_watch::watch([[maybe_unused]] const growing_file& file) {
#ifdef __linux__
  if (system_->changes.get() < 0) return;
  if (system_->file >= 0) inotify_rm_watch(system_->changes.get(), system_->file);
  // This name leads to the open file, even if the file has been renamed.
  const std::string name = "/proc/self/fd/" + std::to_string(file.system_->fd.get());
  system_->file = inotify_add_watch(system_->changes.get(), name.c_str(), IN_MODIFY);
  system_->sees_file = system_->file >= 0;
#endif
}

void file_watch::wait(clock::time_point end) {
  auto most = system_->interval;
  pollfd all[2] = {{system_->wakes.get(), POLLIN, 0}, {-1, POLLIN, 0}};
#ifdef __linux__
  // The directory may be new, too. If it is still the same, this changes nothing.
  const int changes = system_->changes.get();
  if (changes >= 0) {
    all[1].fd = changes;
    const bool sees_names = inotify_add_watch(changes, system_->directory.c_str(), IN_CREATE | IN_MOVED_TO) >= 0;
    if (sees_names && system_->sees_file) most *= 8;
  }
#endif
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock::now());
  const auto time = std::clamp<std::chrono::milliseconds::rep>(std::min(left, most).count(), 0, 1 << 30);
  if (::poll(all, 2, static_cast<int>(time)) <= 0) return;
  if (all[0].revents != 0) drain(all[0].fd);
  if (all[1].revents != 0) drain(all[1].fd);
}

void file_watch::wake() noexcept {
  const int error = errno;
  // A full pipe wakes the reader, too.
  while (::write(system_->waker.get(), "", 1) < 0 && errno == EINTR) continue;
  errno = error;
}

}  // namespace utfilter::detail
