// output.cpp: where utfcat's text goes.
#include "output.hpp"

#include <utfilter/bom_filter.hpp>
#include <utfilter/from_utf8.hpp>
#include <utfilter/utf_error.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace utfcat {
namespace {

constexpr std::size_t buffer_size = 65536;

[[noreturn]] void fail(const std::string& name, int error = errno) { throw output_failure(because(name, error)); }

/// What a file of that name is in the end: the link's target, also where there is none yet.
std::string resolve_links(std::filesystem::path path) {
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
    if (links == 40) fail(path.string(), ELOOP);
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

//------------------------------------------------------------------------------------------------------------ destination

destination::destination(const std::optional<std::string>& given) : name_(given.value_or("standard output")) {
  if (!given) {
    fd_ = descriptor(STDOUT_FILENO);
    return;
  }
  const std::string& file = *given;
  struct stat old {};
  const bool exists = stat(file.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail(name_);
  if (exists && S_ISDIR(old.st_mode)) fail(name_, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    fd_ = descriptor(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (fd_.get() < 0) fail(name_);
    return;
  }
  // A directory that may be written would let us replace a file that must not be.
  if (exists && faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) fail(name_);

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
    if (fchmod(fd_.get(), mode_) != 0) fail(name_);
    // What cannot be synchronised, such as a pipe, says EINVAL or EROFS.
    if (fsync(fd_.get()) != 0 && errno != EINVAL && errno != EROFS) fail(name_);
  }
  if (const int error = fd_.close()) fail(name_, error);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(name_);
  temporary_.clear();
}

//---------------------------------------------------------------------------------------------------------------- fd_sink

std::streamsize fd_sink::write(const char* s, std::streamsize n) {
  const auto size = static_cast<std::size_t>(n);
  if (to_ == nullptr) return n;
  if (buffer_.size() + size > buffer_size) flush();
  if (size >= buffer_size / 2) {
    flush();
    if (!write_fully(to_->fd(), s, size)) fail(to_->name());
  } else {
    buffer_.insert(buffer_.end(), s, s + size);
  }
  written_ += size;
  return n;
}

bool fd_sink::flush() {
  if (to_ != nullptr && !write_fully(to_->fd(), buffer_.data(), buffer_.size())) fail(to_->name());
  buffer_.clear();
  return true;
}

//----------------------------------------------------------------------------------------------------------------- output

output::output(const options& o, const destination* to, std::function<void(const utfilter::error_info&)> observer)
    : options_(o), observer_(std::move(observer)), sink_(to), encoder_(encoder_for(o.bom)) {}

/// One signature at most, and the encoder writes it: an input's own comes here under bom::keep alone, which keeps it, and
/// where automatic leaves it to the encoder.
std::unique_ptr<output::filter> output::encoder_for(utfilter::bom b) const {
  using utfilter::bom;
  if (options_.to == utfilter::encoding::utf8) {
    if (b != bom::add) return nullptr;
    return std::make_unique<filter>(utfilter::bom_filter(bom::add, utfilter::encoding::utf8));
  }
  utfilter::params p;
  p.bom      = b == bom::require || b == bom::reject ? bom::automatic : b;  // these two are for the input
  p.on_error = options_.check ? utfilter::on_error::replace : options_.on_error;
  p.observer = observer_;
  return std::make_unique<filter>(utfilter::from_utf8(options_.to, p));
}

// No chain: the filter is called with the sink, so that an exception comes here as it was thrown, and not as a bad stream.

void output::write(std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  if (encoder_)
    encoder_->write(sink_, text.data(), size);
  else
    sink_.write(text.data(), size);
  begun_ = true;
  taken_ += text.size();
  sink_.flush();
}

void output::recover() {
  if (!encoder_) return;
  past_errors_ += encoder_->report().errors;
  try {
    encoder_->close(sink_, std::ios_base::out);
  } catch (const utfilter::utf_error&) {  // a filter that has failed fails again when it is closed
  }
  sink_.flush();
  encoder_ = encoder_for(utfilter::bom::keep);  // the text has begun
  begun_   = true;
  taken_   = 0;
}

void output::finish() {
  if (encoder_) encoder_->close(sink_, std::ios_base::out);
  sink_.flush();
}

}  // namespace utfcat
