// growing_file_portable.cpp: growing_file.hpp with the standard library alone. It looks at the file from time to time, and knows
// a file by the bytes that were read from it.
#include "streams/growing_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <exception>
#include <fstream>
#include <ios>
#include <thread>

namespace utfilter::detail {

//-------------------------------------------------------------------------------------------------------- growing_file

struct growing_file::system {
  std::filebuf file;
  std::filesystem::path path;

  std::uint64_t size() {
    const std::streamoff size = file.pubseekoff(0, std::ios_base::end, std::ios_base::in);
    return size > 0 ? static_cast<std::uint64_t>(size) : 0;
  }
  std::size_t read_at(std::uint64_t offset, char* s, std::size_t n) {
    if (offset > size()) return 0;
    file.pubseekoff(static_cast<std::streamoff>(offset), std::ios_base::beg, std::ios_base::in);
    return static_cast<std::size_t>(file.sgetn(s, static_cast<std::streamsize>(n)));
  }
  /// Whether the sample is at its place.
  bool has(const sample& read) {
    std::array<char, sample::longest> there;
    return read_at(read.begin(), there.data(), read.bytes.size()) == read.bytes.size() &&
           std::equal(read.bytes.begin(), read.bytes.end(), there.begin());
  }
};

growing_file::growing_file() noexcept = default;
growing_file::~growing_file() = default;
growing_file::growing_file(growing_file&&) noexcept = default;
growing_file& growing_file::operator=(growing_file&&) noexcept = default;

growing_file growing_file::open(const std::filesystem::path& path, std::error_code& error) {
  growing_file result;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    error = std::make_error_code(std::errc::no_such_file_or_directory);
  } else if (is_directory(status)) {
    error = std::make_error_code(std::errc::is_a_directory);
  } else if (!error && !is_regular_file(status)) {
    error = std::make_error_code(std::errc::invalid_seek);
  } else if (!error) {
    auto opened = std::make_unique<system>();
    opened->path = path;
    opened->file.pubsetbuf(nullptr, 0);  // a buffer would keep bytes that have changed in the file
    errno = 0;
    if (opened->file.open(path, std::ios_base::in | std::ios_base::binary) != nullptr)
      result.system_ = std::move(opened);
    else
      error = std::error_code(errno != 0 ? errno : EACCES, std::generic_category());
  }
  return result;
}

std::size_t growing_file::read_at(std::uint64_t offset, char* s, std::size_t n, std::error_code& error) {
  try {
    return system_->read_at(offset, s, n);
  } catch (const std::ios_base::failure& why) {
    error = why.code();
    return 0;
  }
}

/// The time is that of the file that has the name now. If it is another one, that only gives a look at this file.
file_stamp growing_file::stamp() noexcept {
  try {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(system_->path, error).time_since_epoch().count();
    return {error ? 0 : static_cast<std::int64_t>(time), system_->size()};
  } catch (const std::exception&) {
    return {};  // the next read reports it
  }
}

std::chrono::milliseconds growing_file::age() const noexcept { return {}; }

/// The file at the path is another one if it is shorter, or lacks the sample, which this file still has. (If this file
/// lacks it, too, then it was truncated.)
bool growing_file::is_replaced_at(const std::filesystem::path& path, const sample& read) {
  std::error_code error;
  const growing_file other = open(path, error);
  if (error) return error != std::errc::no_such_file_or_directory;
  try {
    const std::uint64_t size = system_->size();
    return (other.system_->size() < size || !other.system_->has(read)) && system_->size() >= size && system_->has(read);
  } catch (const std::ios_base::failure&) {
    return false;  // the next read reports it
  }
}

bool growing_file::is(const growing_file&) const noexcept { return false; }

std::string growing_file::identity() const { return ""; }

//---------------------------------------------------------------------------------------------------------- file_watch

struct file_watch::system {
  std::chrono::milliseconds interval;
  std::atomic<int> awake{0};  // or 1, as a signal handler may set it
};

file_watch::file_watch(const std::filesystem::path&, bool, std::chrono::milliseconds interval)
    : system_(std::make_unique<system>()) {
  system_->interval = std::max(interval, std::chrono::milliseconds(1));
}

file_watch::~file_watch() = default;

void file_watch::watch(const growing_file&) {}

// A signal handler can set a flag, but wake no thread. So this thread looks at the flag often.
void file_watch::wait(clock::time_point end) {
  end = std::min(end, clock::now() + system_->interval);
  for (auto now = clock::now(); now < end && system_->awake.exchange(0) == 0; now = clock::now())
    std::this_thread::sleep_for(std::min<clock::duration>(end - now, std::chrono::milliseconds(20)));
}

void file_watch::wake() noexcept { system_->awake = 1; }

}  // namespace utfilter::detail
