// follow_streambuf.cpp: follows a file that grows, is replaced, truncated or rewritten.
#include <utfilter/follow_streambuf.hpp>

#include "streams/growing_file.hpp"
#include "streams/read_sums.hpp"

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
constexpr std::size_t sample_size = sample::longest;
/// If reading begins at a place, so many bytes before it get sums. If it is further on, only those of the sample do.
constexpr std::uint64_t longest_start = 1 << 20;
/// Bytes that are compared with their sums when the file has grown; when it has been quiet for a while; and at once, when
/// the whole text is compared.
constexpr std::uint64_t most_of_growing = 8192, most_of_quiet = 1 << 20, most_at_once = 4 << 20;
/// After the last change a file is quiet when it has not changed for this time. No file system tells times less exactly.
constexpr std::chrono::milliseconds quiet_time(2000);
/// To compare the whole text because of the time of the last change takes at most one part of so many of the time.
constexpr int parts_of_time = 10;
/// If reading began at a place, fewer equal bytes do not tell that the text before is the same.
constexpr std::uint64_t fewest_equal_bytes = 64;
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
      look_for_changes();
      if (ended_) return more;
    }
    if (has_successor() && clock::now() >= end_of_grace()) {
      if (file_.is_open()) more = read(true);  // nobody writes text over the zeros any more
      if (more.size != 0 || ended_) return more;
      if (file_.is_open() && !is_compared()) {
        compare_whole();
        if (ended_ || !is_compared()) return more;
      }
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
    if (compares_whole_) until = begin;
    if (may_have_changed_) until = std::min(until, next_comparison_);
    if (is_fresh_) until = std::min(until, stamped_ + quiet_time);
    watch_.wait(until);
    waited_ += clock::now() - begin;
  }

  /// After file_end::rewritten: the bytes at the start that are still those that were read.
  std::uint64_t unchanged() const noexcept { return ended_ == file_end::rewritten ? unchanged_ : 0; }

  /// Goes on after the end of a file; in a file that was rewritten, at the offset. Returns false if nothing comes after it.
  bool go_on(std::uint64_t offset) {
    if (!ended_ || *ended_ == file_end::stopped || *ended_ == file_end::timed_out) return false;
    if (offset > unchanged())
      throw std::invalid_argument("utfilter: only the first " + std::to_string(unchanged()) +
                                  " bytes of the file are as they were, and reading was to go on at byte " +
                                  std::to_string(offset));
    const bool is_replaced = ended_ == file_end::replaced;
    ended_.reset();
    if (is_replaced)
      begin_next_file();
    else
      go_back(offset);
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
    base_ = 0;
    sums_ = {};
    forget_after_sums();
  }

  /// The sums are all that is known of what was read.
  void forget_after_sums() {
    read_ = {};
    zeros_until_ = text_follows_ = 0;
    comparison_ = {};
    changed_.reset();
    compares_whole_ = may_have_changed_ = is_fresh_ = false;
    ++changes_;
  }

  void go_to(std::uint64_t offset) {
    if (offset == 0) return;
    base_ = offset <= longest_start ? 0 : offset - sample_size;
    if (!pass_to(offset))
      throw std::invalid_argument("utfilter: the file to follow ends before byte " + std::to_string(offset) +
                                  ", where reading was to begin");
  }

  /// Goes back in the same file.
  void go_back(std::uint64_t offset) {
    if (offset <= base_) {
      forget_read();
      base_ = offset;
    } else {
      sums_.cut(offset - base_);
      forget_after_sums();
    }
    if (!pass_to(offset)) end(file_end::truncated);
  }

  /// Makes the sums and the sample of what comes before the offset. Returns false if the file ends there.
  bool pass_to(std::uint64_t offset) {
    stamp_ = file_.stamp();
    for (std::uint64_t at = base_ + sums_.size(); at != offset; at = base_ + sums_.size()) {
      const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(offset - at, piece_size));
      if (read_at(at, n, n - 1) != n) return false;
      sums_.add({area_.data(), n});
    }
    const std::size_t known = static_cast<std::size_t>(std::min<std::uint64_t>(offset, sample_size));
    if (known == 0) return true;
    if (read_at(offset - known, known, known - 1) != known) return false;
    remember(offset, known);
    return true;
  }

  /// Reads the sample again, and the bytes after it. So one system call shows whether the file was truncated, or the sample
  /// has changed, and gets the new bytes. Zeros at the end of the file are not text yet: they wait, unless `is_closed` is
  /// set.
  piece read(bool is_closed = false) {
    const std::size_t known = read_.bytes.size();
    std::size_t got = read_at(read_.begin(), known + piece_size, known);
    if (got < known) {
      end(file_end::truncated);
      return {area_.data(), 0, 0};
    }
    const piece none = {area_.data() + known, known, 0};
    const auto differs = std::mismatch(read_.bytes.begin(), read_.bytes.end(), area_.begin()).first;
    if (differs != read_.bytes.end()) {
      if (!changed_) compares_whole_ = false;  // what was compared may have changed, too
      changed_ = read_.begin() + static_cast<std::uint64_t>(differs - read_.bytes.begin());
      return none;
    }
    changed_.reset();
    if (!is_closed) got -= zeros_that_wait(got, known);
    if (got == known) return none;
    compare(most_of_growing);
    if (ended_) return none;
    sums_.add({area_.data() + known, got - known});
    remember(read_.begin() + got, got);
    note_change(file_.stamp());
    waited_ = {};
    quiet_since_ = clock::now();
    return {area_.data() + known, known, got - known};
  }

  //------------------------------------------------------------------------------------- changes of what was read

  /// Notes that the file has changed, as its time tells or because it has grown.
  void note_change(const file_stamp& stamp) {
    stamp_ = stamp;
    stamped_ = clock::now();
    is_fresh_ = true;
    ++changes_;
  }

  /// Whether the whole text has been compared since the last change, and is the same.
  bool is_compared() const noexcept { return !changed_ && compared_ == changes_; }

  /// Looks for changes of what was read, after a look that has found no new bytes.
  void look_for_changes() {
    if (changed_) return compare_whole();
    const file_stamp stamp = file_.stamp();
    if (stamp.time != stamp_.time) {
      // If the size has changed, too, the next look will find the new bytes.
      may_have_changed_ = may_have_changed_ || stamp.size == stamp_.size;
      note_change(stamp);
    }
    const time_point now = clock::now();
    if (compares_whole_ || (may_have_changed_ && now >= next_comparison_)) {
      compare_whole();
    } else if (is_fresh_ && now - stamped_ >= quiet_time) {
      is_fresh_ = false;
      compare(most_of_quiet);
    }
  }

  /// Compares the next part of the whole text.
  void compare_whole() {
    const time_point begin = clock::now();
    if (!compares_whole_) {
      compares_whole_ = true;
      may_have_changed_ = false;
      comparison_ = {};
      compares_at_ = changes_;
      time_to_compare_ = {};
    }
    compare(most_at_once);
    const time_point end = clock::now();
    time_to_compare_ += end - begin;
    if (!compares_whole_) next_comparison_ = end + (parts_of_time - 1) * time_to_compare_;
  }

  /// Compares the next bytes with their sums, but at most so many. After the last byte it begins with the first one again.
  void compare(std::uint64_t most) {
    for (std::uint64_t left = most; left != 0;) {
      const std::uint64_t at = base_ + comparison_.size();
      if (at == read_.end) return end_comparison();
      std::string_view bytes;
      if (at < read_.begin()) {
        compared_bytes_.resize(piece_size);
        std::uint64_t n = std::min<std::uint64_t>({left, piece_size, read_.begin() - at});
        std::error_code error;
        n = file_.read_at(at, compared_bytes_.data(), static_cast<std::size_t>(n), error);
        if (n == 0) return give_up(error);
        bytes = {compared_bytes_.data(), static_cast<std::size_t>(n)};
      } else {  // these bytes have been compared already, as far as they are the same
        bytes = read_.bytes.substr(static_cast<std::size_t>(at - read_.begin()));
      }
      left -= std::min<std::uint64_t>(left, bytes.size());
      if (!comparison_.add(bytes, sums_)) return end_rewritten(base_ + comparison_.same());
    }
  }

  /// Ends a comparison that could not read all. If the file is shorter now, the next look finds that out.
  void give_up(const std::error_code& error) {
    if (changed_ && error) return end_rewritten(base_ + comparison_.same());
    comparison_ = {};
    compares_whole_ = false;
    compared_ = changes_;
  }

  /// Ends a comparison that has found no change in the sums.
  void end_comparison() {
    comparison_ = {};
    if (!compares_whole_) return;
    compares_whole_ = false;
    compared_ = compares_at_;
    if (changed_) end_rewritten(*changed_);
  }

  /// Ends the file, as its bytes from this offset on have changed, or may have.
  void end_rewritten(std::uint64_t from) {
    unchanged_ = base_ == 0 || from - base_ >= fewest_equal_bytes ? from : 0;
    end(file_end::rewritten);
  }

  //------------------------------------------------------------------------------------------------- zeros at the end

  /// How many of the bytes in the area, which has `got` bytes, are zeros that wait: those at its end, if the file has nothing
  /// but zeros after them. A program may have allocated the file beforehand, and write its next text over them. Those that
  /// complete a code unit do not wait. If its size is not known, fewer than four may belong to a character of UTF-16 or
  /// UTF-32.
  std::size_t zeros_that_wait(std::size_t got, std::size_t known) {
    std::size_t text = got;
    while (text != known && area_[text - 1] == '\0') --text;
    const std::uint64_t begin = read_.begin(), end = begin + got;
    if (const std::size_t unit = options_.unit_size; unit != 0)
      text = std::min(got, text + static_cast<std::size_t>((unit - (begin + text) % unit) % unit));
    if (got == text || end <= text_follows_) return 0;
    if (options_.unit_size == 0 && got - text < 4 && has_wide_units(got, text)) return 0;
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
  std::uint64_t base_ = 0;          // the first byte that has sums
  read_sums sums_;                  // of what was read from there on
  std::uint64_t zeros_until_ = 0;   // zeros that wait go on up to this offset at least
  std::uint64_t text_follows_ = 0;  // zeros before this offset are text, because text follows them
  // Changes of what was read:
  read_sums::comparison comparison_;  // of the file with the sums
  std::vector<char> compared_bytes_;
  std::optional<std::uint64_t> changed_;  // the first byte of the sample that has changed
  file_stamp stamp_;                      // when the file was last changed
  time_point stamped_;                    // when that was noticed
  bool is_fresh_ = false;                 // that was noticed, and the file was not compared since it is quiet
  bool may_have_changed_ = false;         // the time has changed, and the size has not
  bool compares_whole_ = false;           // the whole text is being compared
  std::uint64_t changes_ = 0;             // how often the file has changed
  std::uint64_t compares_at_ = 0;         // after so many changes the comparison of the whole text has begun
  std::uint64_t compared_ = 0;            // the same for the last one that has ended
  time_point next_comparison_;            // of the whole text, because of the time
  clock::duration time_to_compare_{};
  std::uint64_t unchanged_ = 0;  // the bytes before the first change, if the file was rewritten

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

std::uint64_t follow_streambuf::unchanged() const noexcept { return gptr() == egptr() ? files_->unchanged() : 0; }

bool follow_streambuf::next_file(std::uint64_t offset) {
  do setg(eback(), egptr(), egptr());
  while (!traits_type::eq_int_type(underflow(), traits_type::eof()));
  if (!files_->go_on(offset)) return false;
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
