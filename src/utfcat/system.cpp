// system.cpp: the functions of system.hpp for POSIX.
// layer: system
#ifndef _WIN32

#  include "system.hpp"

#  include "messages.hpp"
#  include "same_content.hpp"

#  include <atomic>
#  include <cerrno>
#  include <charconv>
#  include <csignal>
#  include <cstdio>
#  include <filesystem>
#  include <system_error>

#  include <fcntl.h>
#  include <poll.h>
#  include <sys/file.h>
#  include <sys/ioctl.h>
#  include <sys/stat.h>
#  include <unistd.h>
#  ifdef __linux__
#    include <sys/xattr.h>
#  endif

namespace utfcat {
namespace {

/// Makes a call to the system, again if a signal interrupts it. The call returns -1 and sets errno if it fails.
template <class Call>
auto uninterrupted(const Call& call) noexcept {
  while (true) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

descriptor open_file(const std::string& path, int flags) noexcept {
  return descriptor(uninterrupted([&] { return open(path.c_str(), flags | O_CLOEXEC, 0666); }));
}

/// Opens a regular file as open_regular() does, with these flags. Looks at the file before it opens it: to open a
/// device may have effects, and opening a pipe lets its writer go on. Another file may get the name in between, so it
/// looks again. With O_NONBLOCK no pipe makes it wait.
descriptor open_regular_file(const std::string& path, int flags) noexcept {
  struct stat status {};
  const auto is_regular = [&] {
    if (S_ISREG(status.st_mode)) return true;
    errno = S_ISDIR(status.st_mode) ? EISDIR : ESPIPE;
    return false;
  };
  if (stat(path.c_str(), &status) != 0 || !is_regular()) return {};
  descriptor file = open_file(path, flags | O_NONBLOCK | O_NOCTTY);
  if (file.get() < 0 || (fstat(file.get(), &status) == 0 && is_regular())) return file;
  const int error = errno;
  file.close();
  errno = error;
  return {};
}

}  // namespace

void prepare(int&, char**&) {
  std::signal(SIGXFSZ, SIG_IGN);
  for (int fd = standard_input; fd <= standard_error; ++fd)
    if (fcntl(fd, F_GETFD) == -1) open("/dev/null", fd == standard_input ? O_WRONLY : O_RDONLY);
}

bool is_terminal(int fd) noexcept { return isatty(fd) != 0; }

int descriptor::close() noexcept {
  if (fd_ < 0) return 0;
  // After EINTR the descriptor is closed, too.
  return ::close(std::exchange(fd_, -1)) == -1 && errno != EINTR ? errno : 0;
}

descriptor open_to_read(const std::string& name) { return open_file(name, O_RDONLY); }
descriptor open_regular(const std::string& name) { return open_regular_file(name, O_RDONLY); }

std::optional<file_size> size_of(const std::string& name) {
  struct stat status {};
  if ((name == "-" ? fstat(standard_input, &status) : stat(name.c_str(), &status)) != 0) return {};
  const bool regular = S_ISREG(status.st_mode);
  return file_size{regular, regular ? static_cast<std::uint64_t>(status.st_size) : 0};
}

namespace {

/// Whether to repeat the call that has just failed. If the call would have blocked, waits until the descriptor is
/// ready.
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

std::size_t read_at(int fd, std::uint64_t offset, char* s, std::size_t n) noexcept {
  std::size_t size = 0;
  while (size != n) {
    const ssize_t got = uninterrupted([&] { return pread(fd, s + size, n - size, static_cast<off_t>(offset + size)); });
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

bool interruption::begin(int) noexcept {
  int ends[2];
  if (pipe(ends) != 0) return false;
  waits_ = descriptor(ends[0]);
  interrupts_ = descriptor(ends[1]);
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return true;
}

bool interruption::wait(int fd) noexcept {
  pollfd both[] = {{waits_.get(), POLLIN, 0}, {fd, POLLIN, 0}};
  while (poll(both, 2, -1) < 0 && errno == EINTR) {
  }
  return both[0].revents == 0;
}

void interruption::interrupt() noexcept { interrupts_.close(); }

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

//--------------------------------------------------------------------------------------- the temporary file and signals

namespace {

/// The name of the temporary file, null if there is none. A signal handler reads it.
std::atomic<const char*> unfinished{nullptr};
/// The second name of the file that is being replaced, and the name that it will get; null if there is no such file.
std::atomic<const char*> second_name{nullptr}, name_of_copy{nullptr};
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler may use only lock-free atomics");

/// The signals that end a program and that it can catch.
constexpr int ending_signals[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU,
                                  SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2};

sigset_t set_of_ending_signals() noexcept {
  sigset_t all;
  sigemptyset(&all);
  for (const int one : ending_signals) sigaddset(&all, one);
  return all;
}

extern "C" void remove_unfinished(int signal) {
  const char* const name = unfinished;
  const bool is_replaced = name != nullptr && unlink(name) != 0;  // the temporary file is in place
  if (const char* const second = second_name) is_replaced ? rename(second, name_of_copy) : unlink(second);
  raise(signal);  // the signal has its default action again, and ends the program as soon as this function returns
}

/// Installs the handler. A signal that the caller ignores stays ignored, because nohup(1) relies on that.
void remove_unfinished_at_signals() noexcept {
  struct sigaction action {};
  action.sa_handler = remove_unfinished;
  action.sa_mask = set_of_ending_signals();
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int one : ending_signals) {
    struct sigaction inherited {};
    if (sigaction(one, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN) sigaction(one, &action, nullptr);
  }
}

/// Calls mkostemp(3): it makes a new file, whose name has other characters in place of the last six of `name`.
descriptor make_new_file(std::string& name) noexcept {
  const std::string pattern = name;
  return descriptor(uninterrupted([&] {
    name.replace(0, name.size(), pattern);
    return mkostemp(name.data(), O_CLOEXEC);
  }));
}

/// Calls make_new_file. Signals are blocked meanwhile: a signal comes before the file exists, or after the handler
/// knows the name of the file.
descriptor make_temporary(std::string& name) noexcept {
  const sigset_t held = set_of_ending_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &held, &before);
  descriptor file = make_new_file(name);
  const int error = errno;
  if (file.get() >= 0) {
    unfinished = name.c_str();
    remove_unfinished_at_signals();
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return file;
}

//--------------------------------------------------------------------------------------------------------------- rights

#  ifdef __linux__

// Linux keeps an ACL in an extended attribute (linux/posix_acl_xattr.h): a version of four bytes, then entries of eight
// bytes each: a tag (2), the rights (2) and an id (4), all little-endian.
constexpr char access_acl[] = "system.posix_acl_access";
constexpr char default_acl[] = "system.posix_acl_default";

/// The value of the attribute that `read` reads: an empty string if there is no such attribute, nullopt if it cannot be
/// read.
template <class Read>
std::optional<std::string> attribute(Read read) {
  const ssize_t size = read(nullptr, 0);
  if (size < 0 && (errno == ENODATA || errno == ENOTSUP)) return std::string();
  if (size < 0) return std::nullopt;
  std::string value(static_cast<std::size_t>(size), '\0');
  if (read(value.data(), value.size()) != size) return std::nullopt;
  return value;
}

std::optional<std::string> acl_of(int fd) {
  return attribute([fd](char* value, std::size_t size) { return fgetxattr(fd, access_acl, value, size); });
}

/// The ACL that new files in the directory get.
std::optional<std::string> acl_for_files_in(const std::string& directory) {
  return attribute(
      [&](char* value, std::size_t size) { return getxattr(directory.c_str(), default_acl, value, size); });
}

/// Sets the ACL of a file. An empty string removes it.
bool set_acl(int fd, const std::string& acl) noexcept {
  if (acl.empty()) return fremovexattr(fd, access_acl) == 0 || errno == ENODATA || errno == ENOTSUP;
  return fsetxattr(fd, access_acl, acl.data(), acl.size(), 0) == 0;
}

/// Removes from an ACL the rights that a mode contains, and returns them as a mode: the rights of the owner, of the
/// mask (without a mask, of the group) and of others. The remaining ACL gives nobody any rights until fchmod puts the
/// removed rights back.
mode_t take_mode_out(std::string& acl) noexcept {
  constexpr unsigned owner = 1, group = 4, mask = 16, others = 32;
  const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(acl[place]); };
  mode_t of[3] = {0, 0, 0};
  std::size_t place_of_group = 0;
  for (std::size_t entry = 4; entry + 8 <= acl.size(); entry += 8) {
    const unsigned tag = byte(entry);
    if (tag != owner && tag != group && tag != mask && tag != others) continue;
    of[tag == owner ? 0 : tag == others ? 2 : 1] = byte(entry + 2);  // a mask comes after the group
    if (tag == group)
      place_of_group = entry;
    else
      acl[entry + 2] = 0;
    if (tag == mask) place_of_group = 0;
  }
  if (place_of_group != 0) acl[place_of_group + 2] = 0;
  return of[0] << 6 | of[1] << 3 | of[2];
}

#  else

// The ACLs of other systems are not kept.
std::optional<std::string> acl_of(int) { return std::string(); }
std::optional<std::string> acl_for_files_in(const std::string&) { return std::string(); }
bool set_acl(int, const std::string& acl) noexcept { return acl.empty(); }
mode_t take_mode_out(std::string&) noexcept { return 0; }

#  endif

/// Gives the file `to` the extended attributes of the file `from` that belong to its user; those of the system as far as it
/// allows that, but none that speak of the content (a capability, a signature). Returns false with errno if an attribute of
/// the user cannot be set.
bool pass_attributes([[maybe_unused]] int from, [[maybe_unused]] int to) {
#  ifdef __linux__
  const auto names = attribute([from](char* s, std::size_t size) { return flistxattr(from, s, size); });
  if (!names) return false;
  for (std::string_view rest = *names; !rest.empty();) {
    const std::string name(rest.substr(0, rest.find('\0')));
    rest.remove_prefix(name.size() + 1);
    const bool is_users = name.compare(0, 5, "user.") == 0;
    if (!is_users && name.compare(0, 8, "trusted.") != 0 && name != "security.selinux") continue;
    const auto value = attribute([&](char* s, std::size_t size) { return fgetxattr(from, name.c_str(), s, size); });
    if (value && fsetxattr(to, name.c_str(), value->data(), value->size(), 0) == 0) continue;
    if (is_users) return false;
  }
#  endif
  return true;
}

/// Our rights to the file, as three bits of a mode.
mode_t our_rights(const std::string& path) noexcept {
  mode_t rights = 0;
  for (const auto& [access, bit] : {std::pair(R_OK, 4u), std::pair(W_OK, 2u), std::pair(X_OK, 1u)})
    if (faccessat(AT_FDCWD, path.c_str(), access, AT_EACCESS) == 0) rights |= bit;
  return rights;
}

/// The mode for a file that replaces a file with `mode`, chosen so that nobody gets more rights than before. `ours` are
/// our rights to the old file.
mode_t kept_mode(mode_t mode, bool same_owner, bool same_group, mode_t ours) noexcept {
  if (same_owner && same_group) return mode & 07777;
  mode_t owner = mode >> 6 & 7, group = mode >> 3 & 7, others = mode & 7;
  if (!same_owner) {  // the old owner is now a member of the group, or one of the others
    group &= owner;
    others &= owner;
    owner = ours;
  }
  if (!same_group)
    group = others = group & others;  // members of the old group are now others; others may be in the new group
  return owner << 6 | group << 3 | others;
}

int set_mode(int fd, mode_t mode) noexcept {
  return uninterrupted([&] { return fchmod(fd, mode); });
}

/// Gives the file `to` the extended attributes, owner, group, mode and ACL of the file `from`, as far as the system allows.
/// Before the call, only we have rights to `to`. `path` is the path of `from`. At no moment has anybody more rights to `to` than to
/// `from`. Returns false with errno if the rights cannot be set.
bool pass_rights(int from, int to, const std::string& path) {
  struct stat before {
  }, now{};
  const mode_t ours = our_rights(path);
  if (!pass_attributes(from, to)) return false;
  if (fstat(from, &before) != 0 || set_mode(to, 0) != 0) return false;  // a new owner gets no rights yet
  const auto give = [&](uid_t owner) { return uninterrupted([&] { return fchown(to, owner, before.st_gid); }) == 0; };
  [[maybe_unused]] const bool given = give(before.st_uid) || give(static_cast<uid_t>(-1));
  if (fstat(to, &now) != 0) return false;

  const bool same_owner = now.st_uid == before.st_uid, same_group = now.st_gid == before.st_gid;
  mode_t mode = kept_mode(before.st_mode, same_owner, same_group, ours);
  const auto old_acl = acl_of(from);
  auto acl = old_acl.value_or("");
  take_mode_out(acl);
  // If the group differs, the ACL's entry for the group means other people, so the ACL is not kept. Without the ACL,
  // the mode could admit people whom the ACL kept out, so the mode then gives rights to the owner only.
  const bool keeps_acl = old_acl && (acl.empty() || same_group) && set_acl(to, acl);
  if (!keeps_acl) {
    set_acl(to, "");  // if this fails, the remaining ACL gives no rights under the mode below
    mode &= 0700;
  } else if (!acl.empty() && (mode & 0070) == 0 && (before.st_mode & 0070) != 0) {
    mode &= 0700;  // Linux ignores an ACL whose mask is empty: the people that it names would count as others
  }
  // The mode comes last, because a new owner, a new ACL and each write clear its set-user-ID and set-group-ID bits.
  return set_mode(to, mode) == 0;
}

/// Gives `to` the rights of a new file in the directory, as open(2) would.
bool give_rights_of_new_files(int to, const std::string& directory) {
  const mode_t mask = umask(0);
  umask(mask);
  mode_t mode = 0666 & ~mask;
  auto acl = acl_for_files_in(directory);
  if (acl && !acl->empty()) mode = 0666 & take_mode_out(*acl);  // a default ACL replaces the umask
  if (!acl || !set_acl(to, *acl)) mode &= 0600;
  return set_mode(to, mode) == 0;
}

//---------------------------------------------------------------------------------------------------------- destination

/// Locks a file for this process, as long as it has the file open. Returns 0, EWOULDBLOCK if another process has locked
/// the file, or another value of errno if the system cannot lock it.
int lock_file(int fd) noexcept {
  return uninterrupted([&] { return flock(fd, LOCK_EX | LOCK_NB); }) == 0 ? 0 : errno;
}

/// The open descriptor that a path names: /dev/fd/1 and /proc/self/fd/1 name standard output.
std::optional<int> descriptor_at(const std::filesystem::path& path) {
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  const auto is = [&](const char* name) {
    std::error_code error;
    return directory == name || std::filesystem::equivalent(directory, name, error);
  };
  if (!is("/dev/fd") && !is("/proc/self/fd")) return {};
  const std::string number = path.filename().string();
  int fd = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), fd);
  return error == std::errc() && end == number.data() + number.size() ? std::optional(fd) : std::nullopt;
}

/// Follows symbolic links to the file itself, which need not exist yet. A path that names a descriptor stays as it is.
std::string resolve_links(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; !descriptor_at(path) && std::filesystem::is_symlink(path, error); ++links) {
    if (links == 40) cannot_write(path.string(), ELOOP);
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the whole path
  }
  return path.string();
}

std::string directory_of(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  return directory.empty() ? "." : directory;
}

/// Throws output_failure. EINVAL and EROFS mean that the file does not support synchronisation.
void flush_to_disk(int fd, const std::string& name) {
  if (uninterrupted([&] { return fsync(fd); }) != 0 && errno != EINVAL && errno != EROFS) cannot_write(name);
}

/// Throws output_failure if the system does not let us give the name to another file. In a directory such as /tmp only the
/// owners of the file and of the directory may.
void check_name(const std::string& path) {
  struct stat file {
  }, directory{};
  const bool is_there = lstat(path.c_str(), &file) == 0;
  if (!is_there && errno != ENOENT) cannot_write(path);
  if (!is_there || stat(directory_of(path).c_str(), &directory) != 0) return;
  const uid_t us = geteuid();
  const bool is_ours = us == 0 || file.st_uid == us || directory.st_uid == us;
  const int error = S_ISDIR(file.st_mode) ? EISDIR : !is_ours && (directory.st_mode & S_ISVTX) != 0 ? EPERM : 0;
  if (error != 0)
    throw output_failure(visible(path) + ": cannot be replaced: " + std::generic_category().message(error));
}

/// Gives a file a second name, or makes a copy on a file system without such names. Throws output_failure, which tells that
/// `copy` cannot be written.
void keep_as(const std::string& name, const std::string& path, const std::string& copy) {
  if (link(path.c_str(), name.c_str()) == 0) return;
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS && errno != EMLINK) cannot_write(copy);
  std::error_code error;
  std::filesystem::copy_file(path, name, error);
  try {
    if (error) cannot_write(copy, error.value());
    flush_to_disk(open_to_read(name).get(), copy);
  } catch (...) {
    unlink(name.c_str());
    throw;
  }
}

/// Waits until the name of a file is on the disk.
void flush_directory(const std::string& path) {
  const descriptor directory = open_to_read(directory_of(path));
  if (directory.get() >= 0) flush_to_disk(directory.get(), directory_of(path));
}

bool is_regular(int fd) noexcept {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

std::string identity_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) return "";
  return std::to_string(status.st_dev) + ':' + std::to_string(status.st_ino);
}

}  // namespace

std::string identity_of(const std::string& name) {
  struct stat status {};
  if (stat(name.c_str(), &status) == 0) return identity_of(status);
  if (errno != ENOENT) return "";
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(resolve_links(name), error), error);
  return error ? "" : path.string();
}

std::string identity_of(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 ? identity_of(status) : "";
}

bool is_descriptor(const std::string& name) { return descriptor_at(resolve_links(name)).has_value(); }

destination::destination(const std::optional<std::string>& given, way how) : name_(given.value_or("standard output")) {
  if (!given) {
    fd_ = descriptor(fcntl(standard_output, F_DUPFD_CLOEXEC, 0));  // so that there can be another destination
    if (fd_.get() < 0) cannot_write(name_);
    return;
  }
  if (given->empty()) cannot_write(name_, ENOENT);
  path_ = resolve_links(*given);
  if (const auto named = descriptor_at(path_)) {
    fd_ = descriptor(fcntl(*named, F_DUPFD_CLOEXEC, 0));
    if (fd_.get() < 0) cannot_write(name_);
    return;
  }
  if (how == way::append) {
    fd_ = open_file(path_, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY);
    if (fd_.get() < 0) cannot_write(name_);
    appends_ = is_regular(fd_.get());
    return;
  }
  // An existing file must be writable. Otherwise a writable directory would let us replace a file that we may not
  // write.
  descriptor there = open_file(path_, O_WRONLY | O_NOCTTY);
  if (there.get() < 0 && errno != ENOENT) cannot_write(name_);
  if (there.get() >= 0 && !is_regular(there.get())) {
    fd_ = std::move(there);
    return;
  }
  old_ = std::move(there);
  temporary_ = (std::filesystem::path(path_).parent_path() / ".utfcat-XXXXXX").string();
  fd_ = make_temporary(temporary_);
  if (fd_.get() >= 0) return;
  const int error = errno;
  temporary_.clear();
  throw output_failure(visible(name_) + ": cannot create a file in " + because(directory_of(path_), error));
}

destination::~destination() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  unfinished = nullptr;
}

bool destination::is(int other) const noexcept {
  struct stat ours {
  }, theirs{};
  return fstat(fd(), &ours) == 0 && fstat(other, &theirs) == 0 && S_ISREG(ours.st_mode) &&
         ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

std::optional<std::uint64_t> destination::size() const {
  struct stat status {};
  if (!appends_) return std::nullopt;
  if (fstat(fd(), &status) != 0) cannot_write(name_);
  return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::uint64_t> destination::unread() const noexcept {
#  ifdef __linux__
  struct stat status {};
  int bytes = 0;
  if (fstat(fd(), &status) == 0 && S_ISFIFO(status.st_mode) && ioctl(fd(), FIONREAD, &bytes) == 0)
    return static_cast<std::uint64_t>(bytes);
#  endif
  return std::nullopt;
}

void destination::wait_for_readers(std::chrono::milliseconds time) const noexcept {
  const auto end = std::chrono::steady_clock::now() + time;
  pollfd gone{fd(), 0, 0};  // POLLERR says that nobody reads
  while (unread().value_or(0) != 0 && std::chrono::steady_clock::now() < end)
    if (poll(&gone, 1, 5) > 0) return;
}

bool destination::lock() const noexcept { return !appends_ || lock_file(fd()) != EWOULDBLOCK; }

void destination::cut(std::uint64_t size) const {
  if (uninterrupted([&] { return ftruncate(fd(), static_cast<off_t>(size)); }) != 0) cannot_write(name_);
}

void destination::sync() {
  if (!appends_) return;
  flush_to_disk(fd(), name_);
  if (!std::exchange(has_name_, true)) flush_directory(path_);
}

std::string destination::replaced() const { return old_.get() >= 0 ? path_ : ""; }

bool destination::commit(const replacing& how) {
  if (!temporary_.empty() && old_.get() >= 0 && same_content(temporary_, path_)) {
    unlink(temporary_.c_str());
    unfinished = nullptr;
    temporary_.clear();
    return true;
  }
  if (!temporary_.empty()) {
    const bool has_rights = old_.get() >= 0 ? pass_rights(old_.get(), fd_.get(), path_)
                                            : give_rights_of_new_files(fd_.get(), directory_of(path_));
    if (!has_rights) cannot_write(name_);
    if (struct stat old{}; old_.get() >= 0 && how.keep_times && fstat(old_.get(), &old) == 0) {
      const timespec times[2] = {old.st_atim, old.st_mtim};
      if (futimens(fd_.get(), times) != 0) cannot_write(name_);
    }
    flush_to_disk(fd_.get(), name_);
  }
  if (const int error = fd_.close()) cannot_write(name_, error);
  if (temporary_.empty()) return true;
  if (!how.may_replace()) return false;
  // The old file gets a second name. That becomes the name of its copy only after the new file is in place, so a failure
  // leaves the old file and an older copy as they were.
  const std::string kept = !how.backup.empty() && old_.get() >= 0 ? temporary_ + ".old" : "";
  struct forgetting {
    ~forgetting() { second_name = nullptr; }
  } at_the_end;
  if (!kept.empty()) {
    check_name(path_);
    check_name(how.backup);
    name_of_copy = how.backup.c_str();
    second_name = kept.c_str();
    keep_as(kept, path_, how.backup);
  }
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    if (!kept.empty()) unlink(kept.c_str());
    throw output_failure(visible(name_) + ": cannot be replaced: " + std::generic_category().message(error));
  }
  const int error = !kept.empty() && rename(kept.c_str(), how.backup.c_str()) != 0 ? errno : 0;
  second_name = nullptr;
  unfinished = nullptr;
  temporary_.clear();
  if (error != 0) throw output_failure(because(how.backup, error) + ", so the old text is in " + visible(kept));
  if (!kept.empty()) unlink(kept.c_str());  // rename(2) does nothing if both are names of one file
  return true;
}

//------------------------------------------------------------------------------------------------------------ kept_file

std::uint64_t process_id() noexcept { return static_cast<std::uint64_t>(getpid()); }

namespace {

/// The names of the new files that replace() makes beside a file: this and six characters. No other program uses such
/// names.
std::string start_of_new_names(const std::string& path) {
  return '.' + std::filesystem::path(path).filename().string() + ".utfcat-";
}

/// Removes the new files that a killed process has left.
void remove_left_files(const std::string& path) {
  const std::string start = start_of_new_names(path);
  std::error_code error;
  auto entry = std::filesystem::directory_iterator(directory_of(path), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.size() == start.size() + 6 && name.compare(0, start.size(), start) == 0 &&
        is_regular_file(entry->symlink_status(ignored)))
      std::filesystem::remove(entry->path(), ignored);
  }
}

/// Whether the path names this open file, and is no symbolic link.
bool is_at(int fd, const std::string& path) noexcept {
  struct stat here {
  }, there{};
  return fstat(fd, &here) == 0 && lstat(path.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
         here.st_ino == there.st_ino;
}

/// Gives the new file its path. Without `replaces` there must be no file yet. Returns false with errno if that fails.
bool give_path(const std::string& fresh, const std::string& path, bool replaces) noexcept {
  if (!replaces && link(fresh.c_str(), path.c_str()) == 0) {
    unlink(fresh.c_str());
    return true;
  }
  // Some file systems have no links.
  const bool has_links = errno != EPERM && errno != ENOTSUP && errno != ENOSYS;
  if (!replaces && has_links) return false;
  return rename(fresh.c_str(), path.c_str()) == 0;
}

}  // namespace

kept_file::kept_file(const std::string& name) : name_(name), path_(resolve_links(name)) {
  // The process that kept the file may have replaced it before the lock: then look again.
  int attempts = 100;
  do {
    file_ = open_regular_file(path_, O_RDWR | O_NOFOLLOW);
    if (file_.get() < 0 && errno == ENOENT) return;
    if (file_.get() < 0 && errno == ESPIPE) throw input_failure(visible(name_) + ": is no regular file");
    if (file_.get() < 0) throw input_failure(because(name_, errno));
    lock_error_ = lock_file(file_.get());
    taken_ = lock_error_ == EWOULDBLOCK;
  } while (!taken_ && !is_at(file_.get(), path_) && --attempts != 0);
  if (taken_) lock_error_ = 0;
  content_.emplace(4096, '\0');
  content_->resize(read_at(file_.get(), 0, content_->data(), content_->size()));
  if (!taken_) remove_left_files(path_);
}

kept_file::~kept_file() = default;

bool kept_file::replace(std::string_view content) {
  std::string fresh = directory_of(path_) + '/' + start_of_new_names(path_) + "XXXXXX";
  descriptor file = make_new_file(fresh);
  if (file.get() < 0)
    throw output_failure(visible(name_) + ": cannot create a file in " + because(directory_of(path_), errno));
  try {
    if (!write_fully(file.get(), content.data(), content.size())) cannot_write(name_);
    const bool has_rights = file_.get() >= 0 ? pass_rights(file_.get(), file.get(), path_)
                                             : give_rights_of_new_files(file.get(), directory_of(path_));
    if (!has_rights) set_mode(file.get(), 0600);
    flush_to_disk(file.get(), name_);
    lock_error_ = lock_file(file.get());  // nobody else knows the file yet
    const bool replaces = file_.get() >= 0 && is_at(file_.get(), path_);
    if (!give_path(fresh, path_, replaces)) {
      if (errno != EEXIST) cannot_write(name_);
      unlink(fresh.c_str());
      return false;
    }
  } catch (const output_failure&) {
    unlink(fresh.c_str());
    throw;
  }
  file_ = std::move(file);
  flush_directory(path_);
  return true;
}

//--------------------------------------------------------------------------------------------------- signals to end

namespace {

std::atomic<void (*)()> at_end{nullptr};
static_assert(std::atomic<void (*)()>::is_always_lock_free, "a signal handler may use only lock-free atomics");

extern "C" void call_at_end(int) { at_end.load()(); }

}  // namespace

void at_signals_to_end(void (*action)()) {
  at_end = action;
  struct sigaction handler {};
  handler.sa_handler = call_at_end;
  handler.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int one : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    if (sigaction(one, nullptr, &inherited) == 0 && inherited.sa_handler != SIG_IGN) sigaction(one, &handler, nullptr);
  }
}

}  // namespace utfcat

#endif
