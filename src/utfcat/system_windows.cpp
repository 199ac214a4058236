// system_windows.cpp: the functions of system.hpp for Windows.
// layer: system
#ifdef _WIN32

#  include "system.hpp"

#  include "messages.hpp"
#  include "same_content.hpp"

#  include <utfilter/text.hpp>

#  include <algorithm>
#  include <atomic>
#  include <cerrno>
#  include <csignal>
#  include <filesystem>
#  include <random>
#  include <string_view>
#  include <system_error>
#  include <vector>

#  include <fcntl.h>
#  include <io.h>
#  include <sys/stat.h>

#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>
// shellapi.h needs windows.h before it.
#  include <shellapi.h>

namespace utfcat {
namespace {

std::wstring wide(std::string_view text) {
  const auto size = static_cast<int>(text.size());
  std::wstring result(text.size(), L'\0');  // no character has more UTF-16 code units than UTF-8 bytes
  result.resize(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), size)));
  return result;
}

std::string narrow(std::wstring_view text) {
  const auto size = static_cast<int>(text.size());
  std::string result(3 * text.size(), '\0');
  result.resize(static_cast<std::size_t>(
      WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), 3 * size, nullptr, nullptr)));
  return result;
}

/// The system's last error as a value of errno, because the texts for these values are in English.
int last_error() noexcept {
  const auto condition = std::system_category().default_error_condition(static_cast<int>(GetLastError()));
  return condition.category() == std::generic_category() ? condition.value() : EIO;
}

HANDLE handle_of(int fd) noexcept { return reinterpret_cast<HANDLE>(_get_osfhandle(fd)); }

bool is_console(int fd) noexcept {
  DWORD mode;
  return GetConsoleMode(handle_of(fd), &mode) != 0;
}

/// Opens a file. If that fails, the descriptor is below 0 and errno is set. The file is binary: a carriage return stays
/// one, and Ctrl-Z is an ordinary character.
descriptor open_file(const std::wstring& name, int how) {
  descriptor file(_wopen(name.c_str(), how | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE));
  if (file.get() < 0 && errno == EACCES) {
    const DWORD attributes = GetFileAttributesW(name.c_str());
    errno = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? EISDIR : EACCES;
  }
  return file;
}

/// Adds the names of the files that match a pattern, or the pattern itself if no file matches. On other systems the
/// shell does this.
void expand(const std::wstring& pattern, std::vector<std::string>& names) {
  const std::wstring directory = pattern.substr(0, pattern.find_last_of(L"/\\:") + 1);
  const bool is_name = pattern.find_first_of(L"*?") == std::wstring::npos;
  const std::size_t before = names.size();
  WIN32_FIND_DATAW found;
  if (const HANDLE search = is_name ? INVALID_HANDLE_VALUE : FindFirstFileW(pattern.c_str(), &found);
      search != INVALID_HANDLE_VALUE) {
    do
      if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0)
        names.push_back(narrow(directory + found.cFileName));
    while (FindNextFileW(search, &found) != 0);
    FindClose(search);
  }
  if (names.size() == before) names.push_back(narrow(pattern));
  std::sort(names.begin() + static_cast<std::ptrdiff_t>(before), names.end());
}

}  // namespace

void prepare(int& argc, char**& argv) {
  // The arguments of main are in a code page that lacks most characters.
  static std::vector<std::string> arguments;
  static std::vector<char*> pointers;
  wchar_t** const given = CommandLineToArgvW(GetCommandLineW(), &argc);
  for (int i = 0; i < argc; ++i) expand(given[i], arguments);
  LocalFree(given);
  argc = static_cast<int>(arguments.size());
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  argv = pointers.data();

  for (int fd = standard_input; fd <= standard_error; ++fd) _setmode(fd, _O_BINARY);
}

bool is_terminal(int fd) noexcept {
  DWORD mode;
  return GetConsoleMode(handle_of(fd), &mode) != 0 &&
         SetConsoleMode(handle_of(fd), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

int descriptor::close() noexcept {
  if (fd_ < 0) return 0;
  return _close(std::exchange(fd_, -1)) == -1 ? errno : 0;
}

descriptor open_to_read(const std::string& name) { return open_file(wide(name), _O_RDONLY | _O_SEQUENTIAL); }

descriptor open_regular(const std::string& name) {
  descriptor file = open_file(wide(name), _O_RDONLY);
  if (file.get() < 0 || GetFileType(handle_of(file.get())) == FILE_TYPE_DISK) return file;
  file.close();
  errno = ESPIPE;
  return {};
}

std::optional<file_size> size_of(const std::string& name) {
  const descriptor own = name == "-" ? descriptor() : open_to_read(name);
  const HANDLE file = handle_of(name == "-" ? standard_input : own.get());
  LARGE_INTEGER bytes{};
  if (file == INVALID_HANDLE_VALUE) return {};
  const bool regular = GetFileType(file) == FILE_TYPE_DISK && GetFileSizeEx(file, &bytes) != 0;
  return file_size{regular, static_cast<std::uint64_t>(bytes.QuadPart)};
}

std::ptrdiff_t read_some(int fd, char* s, std::size_t n) noexcept {
  return _read(fd, s, static_cast<unsigned>(std::min<std::size_t>(n, 1u << 30)));
}

std::size_t read_at(int fd, std::uint64_t offset, char* s, std::size_t n) noexcept {
  if (_lseeki64(fd, static_cast<__int64>(offset), SEEK_SET) < 0) return 0;
  std::size_t size = 0;
  for (std::ptrdiff_t got; size != n && (got = read_some(fd, s + size, n - size)) > 0;)
    size += static_cast<std::size_t>(got);
  return size;
}

// A read of a file does not wait. A read of a pipe or a console would have to be cancelled.
bool interruption::begin(int fd) noexcept { return GetFileType(handle_of(fd)) == FILE_TYPE_DISK; }
bool interruption::wait(int) noexcept { return true; }
void interruption::interrupt() noexcept {}

namespace {

/// Writes the text as UTF-16, so that the console's code page does not matter.
bool write_to_console(HANDLE console, std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, 8192);
    const std::size_t whole = utfilter::complete_prefix(piece);
    const std::wstring units = wide(piece.substr(0, whole != 0 ? whole : piece.size()));
    DWORD taken;
    if (WriteConsoleW(console, units.data(), static_cast<DWORD>(units.size()), &taken, nullptr) == 0) {
      errno = last_error();
      return false;
    }
    text.remove_prefix(whole != 0 ? whole : piece.size());
  }
  return true;
}

}  // namespace

bool write_fully(int fd, const char* s, std::size_t n) noexcept {
  if (n != 0 && is_console(fd)) return write_to_console(handle_of(fd), {s, n});
  while (n != 0) {
    const int taken = _write(fd, s, static_cast<unsigned>(std::min<std::size_t>(n, 1u << 30)));
    if (taken < 0) {
      const DWORD why = GetLastError();
      if (why == ERROR_NO_DATA || why == ERROR_PIPE_NOT_CONNECTED)
        errno = EPIPE;  // the reader went away, which _write reports as EINVAL
      return false;
    }
    s += taken;
    n -= static_cast<std::size_t>(taken);
  }
  return true;
}

//---------------------------------------------------------------------------------------------------------- destination

namespace {

/// The name of an open file, after all links have been followed.
std::wstring final_name(HANDLE file) {
  std::wstring name(32768, L'\0');  // the greatest length of a name
  name.resize(GetFinalPathNameByHandleW(file, name.data(), static_cast<DWORD>(name.size()), 0));
  return name;
}

std::string identity_of_handle(HANDLE file) {
  BY_HANDLE_FILE_INFORMATION facts;
  if (GetFileType(file) != FILE_TYPE_DISK || GetFileInformationByHandle(file, &facts) == 0) return "";
  return std::to_string(facts.dwVolumeSerialNumber) + ':' + std::to_string(facts.nFileIndexHigh) + ':' +
         std::to_string(facts.nFileIndexLow);
}

}  // namespace

std::string identity_of(const std::string& name) {
  constexpr DWORD all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file =
      CreateFileW(wide(name).c_str(), 0, all, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file != INVALID_HANDLE_VALUE) {
    const std::string identity = identity_of_handle(file);
    CloseHandle(file);
    return identity;
  }
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(wide(name), error), error);
  return error ? "" : narrow(path.wstring());
}

std::string identity_of(int fd) { return identity_of_handle(handle_of(fd)); }

bool is_descriptor(const std::string&) { return false; }

destination::destination(const std::optional<std::string>& given, way how) : name_(given.value_or("standard output")) {
  if (!given) {
    fd_ = descriptor(_dup(standard_output));  // so that there can be another destination
    if (fd_.get() < 0) cannot_write(name_);
    return;
  }
  if (how == way::append) {
    fd_ = open_file(wide(*given), _O_WRONLY | _O_APPEND | _O_CREAT);
    if (fd_.get() < 0) cannot_write(name_);
    appends_ = GetFileType(handle_of(fd_.get())) == FILE_TYPE_DISK;
    return;
  }
  // An existing file must be writable. Otherwise a writable directory would let us replace a file that we may not
  // write.
  std::wstring name = wide(*given);
  if (descriptor old = open_file(name, _O_WRONLY); old.get() >= 0) {
    if (GetFileType(handle_of(old.get())) != FILE_TYPE_DISK) {
      fd_ = std::move(old);
      return;
    }
    if (const std::wstring resolved = final_name(handle_of(old.get())); !resolved.empty()) name = resolved;
  } else if (errno != ENOENT) {
    cannot_write(name_);
  }
  path_ = narrow(name);

  const std::filesystem::path directory = std::filesystem::path(name).parent_path();
  std::random_device random;
  do {
    temporary_ = narrow((directory / (".utfcat-" + std::to_string(random()))).wstring());
    fd_ = open_file(wide(temporary_), _O_WRONLY | _O_CREAT | _O_EXCL);
  } while (fd_.get() < 0 && errno == EEXIST);
  if (fd_.get() >= 0) return;
  const int error = errno;
  temporary_.clear();
  throw output_failure(visible(name_) + ": cannot create a file in " +
                       because(directory.empty() ? "." : narrow(directory.wstring()), error));
}

destination::~destination() {
  if (temporary_.empty()) return;
  fd_.close();  // an open file cannot be removed
  _wunlink(wide(temporary_).c_str());
}

bool destination::is(int other) const noexcept {
  BY_HANDLE_FILE_INFORMATION ours, theirs;
  return GetFileType(handle_of(fd())) == FILE_TYPE_DISK && GetFileInformationByHandle(handle_of(fd()), &ours) != 0 &&
         GetFileInformationByHandle(handle_of(other), &theirs) != 0 &&
         ours.dwVolumeSerialNumber == theirs.dwVolumeSerialNumber && ours.nFileIndexHigh == theirs.nFileIndexHigh &&
         ours.nFileIndexLow == theirs.nFileIndexLow;
}

std::optional<std::uint64_t> destination::size() const {
  LARGE_INTEGER bytes{};
  if (!appends_) return std::nullopt;
  if (GetFileSizeEx(handle_of(fd()), &bytes) == 0) cannot_write(name_, last_error());
  return static_cast<std::uint64_t>(bytes.QuadPart);
}

std::optional<std::uint64_t> destination::unread() const noexcept { return std::nullopt; }
void destination::wait_for_readers(std::chrono::milliseconds) const noexcept {}

bool destination::lock() const noexcept { return true; }

void destination::cut(std::uint64_t size) const {
  if (const int error = _chsize_s(fd(), static_cast<__int64>(size))) cannot_write(name_, error);
}

void destination::sync() {
  if (appends_ && _commit(fd()) != 0) cannot_write(name_);
}

std::string destination::replaced() const {
  std::error_code none;
  return replaces() && std::filesystem::exists(wide(path_), none) ? path_ : "";
}

bool destination::commit(const replacing& how) {
  if (!temporary_.empty() && _commit(fd_.get()) != 0) cannot_write(name_);
  if (const int error = fd_.close()) cannot_write(name_, error);
  if (temporary_.empty()) return true;
  if (same_content(temporary_, path_)) {
    _wunlink(wide(temporary_).c_str());
    temporary_.clear();
    return true;
  }
  if (!how.may_replace()) return false;
  std::error_code error;
  if (how.keep_times && !replaced().empty())
    std::filesystem::last_write_time(wide(temporary_), std::filesystem::last_write_time(wide(path_), error), error);
  if (error) cannot_write(name_, error.value());
  const std::wstring backup = wide(how.backup);
  if (!backup.empty()) _wunlink(backup.c_str());
  // ReplaceFileW keeps the rights of the file that is replaced. If there is no such file, the temporary file is moved.
  const std::wstring from = wide(temporary_), to = wide(path_);
  const bool is_kept = !backup.empty() && !replaced().empty();
  if (ReplaceFileW(to.c_str(), from.c_str(), is_kept ? backup.c_str() : nullptr, REPLACEFILE_IGNORE_MERGE_ERRORS,
                   nullptr, nullptr) == 0 &&
      (is_kept || MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0))
    cannot_write(name_, last_error());
  temporary_.clear();
  return true;
}

//------------------------------------------------------------------------------------------------------------ kept_file

std::uint64_t process_id() noexcept { return GetCurrentProcessId(); }

namespace {

/// The name of the lock of a file: all processes of the machine know it. The system's own locks of files would prevent
/// that the file is replaced.
std::wstring name_of_lock(const std::wstring& path) {
  std::error_code error;
  std::wstring full = std::filesystem::weakly_canonical(path, error).wstring();
  CharLowerBuffW(full.data(), static_cast<DWORD>(full.size()));
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const wchar_t unit : full) hash = (hash ^ unit) * 1099511628211u;
  return L"Global\\utfcat-" + std::to_wstring(hash);
}

}  // namespace

kept_file::kept_file(const std::string& name) : name_(name), path_(name) {
  mutex_ = CreateMutexW(nullptr, FALSE, name_of_lock(wide(path_)).c_str());
  const DWORD error = GetLastError();
  if (mutex_ != nullptr) {
    taken_ = WaitForSingleObject(mutex_, 0) == WAIT_TIMEOUT;
  } else {
    taken_ = error == ERROR_ACCESS_DENIED;  // a process of another user has it
    lock_error_ = taken_ ? 0 : EIO;
  }
  const descriptor file = open_regular(path_);
  if (file.get() < 0 && errno == ENOENT) return;
  if (file.get() < 0 && errno == ESPIPE) throw input_failure(visible(name_) + ": is no regular file");
  if (file.get() < 0) throw input_failure(because(name_, errno));
  content_.emplace(4096, '\0');
  content_->resize(read_at(file.get(), 0, content_->data(), content_->size()));
}

kept_file::~kept_file() {
  if (mutex_ == nullptr) return;
  if (!taken_) ReleaseMutex(mutex_);
  CloseHandle(mutex_);
}

bool kept_file::replace(std::string_view content) {
  const std::wstring path = wide(path_);
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  const std::wstring start = L"." + std::filesystem::path(path).filename().wstring() + L".utfcat-";
  std::random_device random;
  std::wstring fresh;
  descriptor file;
  do {
    fresh = (directory / (start + std::to_wstring(random()))).wstring();
    file = open_file(fresh, _O_WRONLY | _O_CREAT | _O_EXCL);
  } while (file.get() < 0 && errno == EEXIST);
  if (file.get() < 0) cannot_write(name_);
  const auto fail = [&](int error) {
    file.close();  // an open file cannot be removed
    _wunlink(fresh.c_str());
    cannot_write(name_, error);
  };
  if (!write_fully(file.get(), content.data(), content.size()) || _commit(file.get()) != 0) fail(errno);
  if (const int error = file.close()) fail(error);
  if (MoveFileExW(fresh.c_str(), path.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) == 0)
    fail(last_error());
  return true;
}

//--------------------------------------------------------------------------------------------------- signals to end

namespace {

std::atomic<void (*)()> at_end{nullptr};

// The system has set the default action again.
extern "C" void call_at_end(int) { at_end.load()(); }

}  // namespace

void at_signals_to_end(void (*action)()) {
  at_end = action;
  for (const int one : {SIGINT, SIGTERM}) std::signal(one, call_at_end);
}

}  // namespace utfcat

#endif
