// system.cpp: the functions of system.hpp for POSIX.
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
#  include <sys/stat.h>
#  include <unistd.h>
#  ifdef __linux__
#    include <sys/xattr.h>
#  endif

namespace utfcat {

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

descriptor open_to_read(const std::string& name) { return descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC)); }

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
  if (const char* const name = unfinished) unlink(name);
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

/// Calls mkostemp(3). Signals are blocked meanwhile: a signal comes before the file exists, or after the handler knows
/// the name of the file.
descriptor make_temporary(std::string& name) noexcept {
  const sigset_t held = set_of_ending_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &held, &before);
  descriptor file(mkostemp(name.data(), O_CLOEXEC));
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

/// Gives the file `to` the owner, group, mode and ACL of the file `from`, as far as the system allows. Before the call,
/// only we have rights to `to`. `path` is the path of `from`. At no moment has anybody more rights to `to` than to
/// `from`. Returns false with errno if the rights cannot be set.
bool pass_rights(int from, int to, const std::string& path) {
  struct stat before {
  }, now{};
  const mode_t ours = our_rights(path);
  if (fstat(from, &before) != 0 || fchmod(to, 0) != 0) return false;  // a new owner gets no rights yet
  bool given = fchown(to, before.st_uid, before.st_gid) == 0;
  given = given || fchown(to, static_cast<uid_t>(-1), before.st_gid) == 0;
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
  return fchmod(to, mode) == 0;
}

/// Gives `to` the rights of a new file in the directory, as open(2) would.
bool give_rights_of_new_files(int to, const std::string& directory) {
  const mode_t mask = umask(0);
  umask(mask);
  mode_t mode = 0666 & ~mask;
  auto acl = acl_for_files_in(directory);
  if (acl && !acl->empty()) mode = 0666 & take_mode_out(*acl);  // a default ACL replaces the umask
  if (!acl || !set_acl(to, *acl)) mode &= 0600;
  return fchmod(to, mode) == 0;
}

//---------------------------------------------------------------------------------------------------------- destination

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
  if (fsync(fd) != 0 && errno != EINVAL && errno != EROFS) cannot_write(name);
}

bool is_regular(int fd) noexcept {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

destination::destination(const std::optional<std::string>& given, way how) : name_(given.value_or("standard output")) {
  if (!given) {
    fd_ = descriptor(standard_output);
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
    fd_ = descriptor(open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0666));
    if (fd_.get() < 0) cannot_write(name_);
    appends_ = is_regular(fd_.get());
    return;
  }
  // An existing file must be writable. Otherwise a writable directory would let us replace a file that we may not
  // write.
  descriptor there(open(path_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
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
  throw output_failure(printable(name_) + ": cannot create a file in " + because(directory_of(path_), error));
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

void destination::cut(std::uint64_t size) const {
  if (ftruncate(fd(), static_cast<off_t>(size)) != 0) cannot_write(name_);
}

void destination::sync() const {
  if (appends_) flush_to_disk(fd(), name_);
}

void destination::commit() {
  if (!temporary_.empty() && old_.get() >= 0 && same_content(temporary_, path_)) {
    unlink(temporary_.c_str());
    unfinished = nullptr;
    temporary_.clear();
    return;
  }
  if (!temporary_.empty()) {
    const bool has_rights = old_.get() >= 0 ? pass_rights(old_.get(), fd_.get(), path_)
                                            : give_rights_of_new_files(fd_.get(), directory_of(path_));
    if (!has_rights) cannot_write(name_);
    flush_to_disk(fd_.get(), name_);
  }
  if (const int error = fd_.close()) cannot_write(name_, error);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    throw output_failure(printable(name_) + ": cannot be replaced: " + std::generic_category().message(error));
  }
  unfinished = nullptr;
  temporary_.clear();
}

void replace_file(const std::string& name, std::string_view content) {
  const std::string path = resolve_links(name), fresh = path + ".new";
  descriptor file(open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0 || !write_fully(file.get(), content.data(), content.size())) cannot_write(fresh);
  flush_to_disk(file.get(), fresh);
  if (const int error = file.close()) cannot_write(fresh, error);
  if (rename(fresh.c_str(), path.c_str()) != 0) cannot_write(name);
  const descriptor directory = open_to_read(directory_of(path));
  if (directory.get() >= 0) flush_to_disk(directory.get(), directory_of(path));
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
