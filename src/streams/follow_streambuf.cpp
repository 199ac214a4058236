// follow_streambuf.cpp: follows a file that grows, is replaced or is truncated.
#include <utfilter/follow_streambuf.hpp>

#include "streams/growing_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace utfilter {
namespace detail {

namespace {

constexpr std::size_t piece_size = 65536;
constexpr std::size_t sample_size = 64;
/// The longest time that is used. Longer ones would overflow when a clock counts them in its own units.
constexpr std::chrono::milliseconds longest_time = std::chrono::hours(24 * 365);

[[noreturn]] void fail(const std::filesystem::path& path, const std::error_code& why) {
  const char* const hint = why == std::errc::invalid_seek ? ": only a regular file can be followed" : "";
  throw std::ios_base::failure(path.string() + hint, why);
}

follow_options with_bounded_times(follow_options o) {
  o.grace = std::clamp(o.grace, -longest_time, longest_time);
  o.interval = std::clamp(o.interval, -longest_time, longest_time);
  if (o.timeout) o.timeout = std::clamp(*o.timeout, -longest_time, longest_time);
  return o;
}

/// Opens a file that must exist.
growing_file open_or_throw(const std::filesystem::path& path) {
  std::error_code error;
  growing_file file = growing_file::open(path, error);
  if (error) fail(path, error);
  return file;
}

}  // namespace

/// The files that have had the name: the one that is being read, and those that got the name after it.
class followed_files {
 public:
  using clock = file_watch::clock;
  using time_point = clock::time_point;

  /// Bytes of a file. The `known` bytes before `begin` have been returned already. If `begin` is null, nothing was
  /// read, and the last piece is still there.
  struct piece {
    char* begin;
    std::size_t known, size;
  };

  followed_files(const std::filesystem::path& path, const follow_options& options)
      : path_(path), options_(with_bounded_times(options)), watch_(path, options_.polls, options_.interval) {
    // The time at which these files were replaced is not known. Their last changes tell it, because a rename is a
    // change.
    const time_point long_ago = clock::now() - options_.grace;
    for (const std::filesystem::path& earlier : options.earlier) next_.push_back({open_or_throw(earlier), long_ago});
    if (next_.empty() && options.offset != 0) next_.push_back({open_or_throw(path), long_ago});
    if (!next_.empty()) begin_next_file();
    look_for_file();
    if (!next_.empty()) next_.back().since = long_ago;
    go_to(options.offset);
  }

  std::optional<file_end> ended() const noexcept { return ended_; }
  std::string identity() const { return file_.identity(); }

  /// For all threads and for signal handlers.
  void stop() noexcept {
    stopped_ = 1;
    watch_.wake();
  }

  /// The bytes that have come, or none. If there are none, the file may have ended.
  piece look() {
    piece more = {nullptr, 0, 0};
    if (ended_) return more;
    if (stopped_ != 0) {
      end(file_end::stopped);
      return more;
    }
    look_for_file();
    if (file_.is_open()) {
      more = read();
      if (more.size != 0 || ended_) return more;
    }
    if (has_successor() && clock::now() >= end_of_grace()) {
      if (file_.is_open()) more = read(true);  // nobody writes text over the zeros any more
      if (more.size != 0 || ended_) return more;
      if (next_.empty()) fail(path_, error_);
      end(file_end::replaced);
    } else if (options_.timeout && waited_ >= *options_.timeout) {
      end(file_end::timed_out);
    }
    return more;
  }

  /// Waits until it makes sense to look again, but not beyond `until`. Call look() first.
  void wait(time_point until) {
    if (has_successor()) until = std::min(until, end_of_grace());
    const time_point begin = clock::now();
    if (options_.timeout) until = std::min(until, time_after(begin - waited_, *options_.timeout));
    watch_.wait(until);
    waited_ += clock::now() - begin;
  }

  /// Goes on after the end of a file. Returns false if nothing comes after it.
  bool go_on() {
    if (ended_ != file_end::replaced && ended_ != file_end::truncated) return false;
    if (ended_ == file_end::replaced)
      begin_next_file();
    else
      forget_read();
    ended_.reset();
    return true;
  }

  /// `from` plus the time. If the time is negative, `from`; if the sum is too late for a time_point, the latest one.
  static time_point time_after(time_point from, std::chrono::milliseconds time) noexcept {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(time_point::max() - from);
    return time < left ? from + std::max(time, std::chrono::milliseconds(0)) : time_point::max();
  }

 private:
  /// A file that has got the name, and the time at which that was noticed.
  struct successor {
    growing_file file;
    time_point since;
  };

  bool has_successor() const noexcept { return !next_.empty() || error_; }

  /// When the file may end, if it does not change until then.
  time_point end_of_grace() const {
    const time_point known = next_.empty() ? error_since_ : next_.front().since;
    const time_point changed = std::min(quiet_since_, clock::now() - file_.age());
    return std::max(known, changed) + options_.grace;
  }

  /// Opens the file that has the name now, if it is another one than before.
  void look_for_file() {
    growing_file& newest = next_.empty() ? file_ : next_.back().file;
    const sample seen = next_.empty() ? read_ : sample();
    const bool had_successor = has_successor();
    error_.clear();
    if (newest.is_open() && !newest.is_replaced_at(path_, seen)) return;
    std::error_code error;
    growing_file found = growing_file::open(path_, error);
    if (error == std::errc::no_such_file_or_directory) return;
    if (!newest.is_open()) {
      if (error) fail(path_, error);
      file_ = std::move(found);
      watch_.watch(file_);
      return;
    }
    if (!error && newest.is(found)) return;
    error_ = error;
    if (!had_successor) error_since_ = clock::now();
    if (!error) next_.push_back({std::move(found), clock::now()});
  }

  void begin_next_file() {
    file_ = std::move(next_.front().file);
    next_.pop_front();
    forget_read();
    quiet_since_ = clock::now();
    watch_.watch(file_);
  }

  /// Begins to read the file.
  void forget_read() {
    read_ = {};
    zeros_until_ = text_follows_ = 0;
  }

  void go_to(std::uint64_t offset) {
    if (offset == 0) return;
    const std::size_t known = static_cast<std::size_t>(std::min<std::uint64_t>(offset, sample_size));
    if (read_at(offset - known, known, known) != known)
      throw std::invalid_argument("utfilter: the file to follow ends before byte " + std::to_string(offset) +
                                  ", where reading was to begin");
    remember(offset, known);
  }

  /// Reads the sample again, and the bytes after it. So one system call shows whether the file was truncated, and gets
  /// the new bytes. Zeros at the end of the file are not text yet: they wait, unless `is_closed` is set.
  piece read(bool is_closed = false) {
    const std::size_t known = read_.bytes.size();
    std::size_t got = read_at(read_.begin(), known + piece_size, known);
    if (got < known || !std::equal(read_.bytes.begin(), read_.bytes.end(), area_.begin())) {
      end(file_end::truncated);
      return {area_.data(), 0, 0};
    }
    if (!is_closed) got -= zeros_that_wait(got, known);
    if (got == known) return {area_.data() + known, known, 0};
    remember(read_.begin() + got, got);
    waited_ = {};
    quiet_since_ = clock::now();
    return {area_.data() + known, known, got - known};
  }

  /// How many of the bytes in the area, which has `got` bytes, are zeros that wait: those at its end, if the file has nothing
  /// but zeros after them. A program may have allocated the file beforehand, and write its next text over them. Fewer than
  /// four may belong to a character of UTF-16 or UTF-32.
  std::size_t zeros_that_wait(std::size_t got, std::size_t known) {
    std::size_t text = got;
    while (text != known && area_[text - 1] == '\0') --text;
    const std::uint64_t end = read_.begin() + got;
    if (got == text || end <= text_follows_ || (got - text < 4 && has_wide_units(got, text))) return 0;
    if (got == known + piece_size && has_text_from(end)) return 0;
    return got - text;
  }

  /// Whether the file is UTF-16 or UTF-32, as far as it tells: it begins with a byte order mark, or has zeros beside other
  /// bytes at its start, or if that is a hole, before the zeros that may wait. Or the `got` bytes in the area have ASCII. The
  /// zeros come after `text` of these bytes.
  bool has_wide_units(std::size_t got, std::size_t text) {
    std::array<char, 64> some;
    std::error_code error;
    std::size_t n = file_.read_at(0, some.data(), 4, error);
    if (const std::string_view bom(some.data(), std::min<std::size_t>(n, 2)); bom == "\xFF\xFE" || bom == "\xFE\xFF")
      return true;
    const auto first = [&] { return std::find_if(some.begin(), some.begin() + n, [](char c) { return c != '\0'; }); };
    if (first() != some.begin() + n)
      return std::count(some.begin(), some.begin() + n, '\0') != 0 || has_ascii_in_units({area_.data(), got});
    const std::uint64_t offset = read_.begin() + text, most = std::min<std::uint64_t>(some.size(), offset);
    n = file_.read_at(offset - most, some.data(), static_cast<std::size_t>(most), error);
    return std::count(first(), some.begin() + n, '\0') != 0;
  }

  /// Whether there are two characters of ASCII as UTF-16 and UTF-32 have them: with one byte between fewer zeros than four.
  static bool has_ascii_in_units(std::string_view bytes) {
    bool follows_zeros = false;
    for (std::size_t zero = 0, end = 0; (zero = bytes.find('\0', end)) != std::string_view::npos;) {
      const bool is_next = zero == end + 1;
      end = std::min(bytes.find_first_not_of('\0', zero), bytes.size());
      const bool are_of_unit = end - zero < 4;
      if (follows_zeros && is_next && are_of_unit) return true;
      follows_zeros = are_of_unit;
    }
    return false;
  }

  /// Whether another byte than zero is in the file from this offset on. Zeros that were looked at before are not looked at
  /// again.
  bool has_text_from(std::uint64_t offset) {
    std::array<char, 4096> bytes;
    for (zeros_until_ = std::max(zeros_until_, offset);;) {
      std::error_code error;  // the read that gets there will meet it
      const std::size_t n = file_.read_at(zeros_until_, bytes.data(), bytes.size(), error);
      const auto text = std::find_if(bytes.begin(), bytes.begin() + n, [](char c) { return c != '\0'; });
      zeros_until_ += static_cast<std::uint64_t>(text - bytes.begin());
      if (text != bytes.begin() + n) {
        text_follows_ = zeros_until_;
        return true;
      }
      if (n == 0) return false;
    }
  }

  /// Throws at an error only if there is no byte after the first `known` ones. Otherwise the next read will meet the
  /// error.
  std::size_t read_at(std::uint64_t offset, std::size_t n, std::size_t known) {
    area_.resize(sample_size + piece_size);
    std::error_code error;
    const std::size_t got = file_.read_at(offset, area_.data(), n, error);
    if (error && got <= known) fail(path_, error);
    return got;
  }

  /// Makes a sample of the last bytes in the area, which has `size` bytes and ends at the offset `end` of the file.
  void remember(std::uint64_t end, std::size_t size) {
    const std::size_t kept = std::min(size, sample_size);
    std::copy_n(area_.data() + (size - kept), kept, sample_.data());
    read_ = {end, {sample_.data(), kept}};
  }

  void end(file_end why) {
    ended_ = why;
    waited_ = {};
    if (options_.observer) options_.observer(why);
  }

  const std::filesystem::path path_;
  const follow_options options_;
  file_watch watch_;
  growing_file file_;           // the one that is read
  std::deque<successor> next_;  // those that had the name after it
  std::error_code error_;       // why the file that has the name now cannot be opened
  std::vector<char> area_;
  std::array<char, sample_size> sample_ = {};
  sample read_;                     // of the file that is read
  std::uint64_t zeros_until_ = 0;   // zeros that wait go on up to this offset at least
  std::uint64_t text_follows_ = 0;  // zeros before this offset are text, because text follows them
  time_point error_since_;
  time_point quiet_since_ = clock::now();  // since then no byte has come
  clock::duration waited_{};               // since the last byte
  std::optional<file_end> ended_;
  std::atomic<int> stopped_{0};  // or 1; an int, because before g++ 13 only words are lock-free on RISC-V
  static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may use only lock-free atomics");
};

}  // namespace detail

follow_streambuf::follow_streambuf(const std::filesystem::path& path, const follow_options& options)
    : files_(std::make_unique<detail::followed_files>(path, options)) {}

follow_streambuf::~follow_streambuf() = default;

std::optional<file_end> follow_streambuf::ended() const noexcept {
  return gptr() == egptr() ? files_->ended() : std::nullopt;
}

void follow_streambuf::stop() noexcept { files_->stop(); }

std::string follow_streambuf::identity() const { return files_->identity(); }

std::string follow_streambuf::identity_of(const std::filesystem::path& path) {
  std::error_code error;
  return detail::growing_file::open(path, error).identity();
}

/// Returns whether a read would not wait: there are bytes, or the file has ended.
bool follow_streambuf::look() {
  if (gptr() != egptr()) return true;
  char* const begin = eback();
  char* const end = egptr();
  setg(nullptr, nullptr, nullptr);  // if reading fails, the last piece is no longer there
  const detail::followed_files::piece more = files_->look();
  if (more.begin != nullptr)
    setg(more.begin - more.known, more.begin, more.begin + more.size);
  else
    setg(begin, end, end);
  return more.size != 0 || files_->ended();
}

bool follow_streambuf::wait_for(std::chrono::milliseconds time) {
  using files = detail::followed_files;
  const files::time_point end = files::time_after(files::clock::now(), time);
  while (!look()) {
    if (files::clock::now() >= end) return false;
    files_->wait(end);
  }
  return true;
}

bool follow_streambuf::next_file() {
  do setg(eback(), egptr(), egptr());
  while (!traits_type::eq_int_type(underflow(), traits_type::eof()));
  if (!files_->go_on()) return false;
  setg(nullptr, nullptr, nullptr);
  return true;
}

auto follow_streambuf::underflow() -> int_type {
  wait_for(std::chrono::milliseconds::max());
  return gptr() != egptr() ? traits_type::to_int_type(*gptr()) : traits_type::eof();
}

std::streamsize follow_streambuf::showmanyc() {
  if (!look()) return 0;
  return gptr() != egptr() ? egptr() - gptr() : -1;
}

}  // namespace utfilter
