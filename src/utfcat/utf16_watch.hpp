// utf16_watch.hpp: finds where UTF-16 begins in the bytes of a file that is read as UTF-8.
#ifndef UTFCAT_UTF16_WATCH_HPP
#define UTFCAT_UTF16_WATCH_HPP

#include <utfilter/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <ios>
#include <optional>
#include <string>
#include <string_view>

namespace utfcat {

/// @{
/// The errors that only utfcat finds: UTF-8 ends, and UTF-16 begins.
constexpr utfilter::errc utf16le_begins{1001}, utf16be_begins{1002};
constexpr bool is_start_of_utf16(utfilter::errc e) noexcept { return e == utf16le_begins || e == utf16be_begins; }
/// @}

/// Looks for UTF-16 that a program has added to UTF-8, as Windows PowerShell's >> does. Most of UTF-16 is well-formed UTF-8,
/// too: it has a zero byte beside each byte of ASCII. So has a list of names of one letter, each with NUL after it. But
/// only UTF-16 has the line end 0D 00 0A after two or more letters, or 0A 00 after six or more, or a byte order mark.
///
/// Bytes that may begin such a text are held back until others decide. Until on() all bytes pass at once.
class utf16_watch {
 public:
  /// The next bytes are UTF-8, and are at this offset in the file. The text begins at `start`.
  /// With `ends` the bytes end where UTF-16 begins after that.
  void on(std::uint64_t offset, std::uint64_t start, bool ends) noexcept {
    is_on_ = true;
    may_have_zeros_ = false;
    offset_ = offset;
    start_ = start;
    ends_ = ends;
  }

  /// Call this if the device is a regular file, which never lets its reader wait.
  void never_waits() noexcept { is_file_ = true; }

  /// Where UTF-16 begins, if that is known, and its byte order mark if it has one. Of the place, only the offset is known.
  const std::optional<utfilter::error_info>& found() const noexcept { return found_; }
  /// Whether the bytes end there.
  bool ended() const noexcept { return found_ && ends_; }

  /// Whether the bytes may have a zero. They do until on(). Any thread may ask for bytes that have come from read().
  bool may_have_zeros() const noexcept { return may_have_zeros_.load(std::memory_order_relaxed); }

  /// Reads from a device as its read() does.
  template <class Source>
  std::streamsize read(Source& source, char* s, std::streamsize n);

  /// Takes bytes as they come; with `last` no others follow. Returns those that pass, which may be earlier ones.
  std::string_view take(std::string_view bytes, bool last);

 private:
  /// What comes after the bytes that are there.
  enum class rest {
    none,
    soon,  // other bytes, or the end, at once
    late   // other bytes, perhaps after a long time
  };

  void off() noexcept {
    is_on_ = false;
    may_have_zeros_ = true;
  }
  template <class Source>
  std::streamsize read_more(Source& source, char* s, std::size_t n);
  std::size_t look(std::string_view bytes, rest next);
  std::size_t passable(std::string_view bytes, rest next);

  std::atomic<bool> may_have_zeros_{true};
  bool is_on_ = false, ends_ = false, is_file_ = false;
  bool at_end_ = false;         // no bytes follow those that are held
  std::uint64_t start_ = 0;     // of the text
  std::uint64_t offset_ = 0;    // of the first byte that has not passed
  unsigned size_of_bom_ = 0;    // bytes of the one of UTF-32BE at the start of the file; 5 if they are none
  char before_ = '\n';          // the byte before it
  std::string held_;            // bytes that may begin UTF-16
  std::string ready_;           // bytes that pass next
  std::exception_ptr failure_;  // of the device, if there were bytes to pass before it
  std::optional<utfilter::error_info> found_;
};

/// The size of the UTF-8 at the start of a file, if UTF-16 begins after it, or else of all of the sample. The guess at the
/// encoding is a guess at that part; ideographs would come of the whole.
std::size_t size_before_utf16(std::string_view sample);

template <class Source>
std::streamsize utf16_watch::read(Source& source, char* s, std::streamsize n) {
  while (true) {
    if (!ready_.empty()) {
      const std::size_t size = ready_.copy(s, static_cast<std::size_t>(n));
      ready_.erase(0, size);
      return static_cast<std::streamsize>(size);
    }
    if (failure_ && !ended()) std::rethrow_exception(failure_);
    if (at_end_) return -1;
    if (!is_on_) return source.read(s, n);
    const auto room = static_cast<std::size_t>(n);
    if (held_.size() < room) {  // the usual way needs no memory of its own
      if (const std::streamsize size = read_more(source, s, room); size != 0) return size;
    } else {
      ready_.resize(held_.size() + 4096);
      ready_.resize(static_cast<std::size_t>(read_more(source, ready_.data(), ready_.size())));
    }
  }
}

/// Reads bytes after those that are held. Returns how many of all these pass.
template <class Source>
std::streamsize utf16_watch::read_more(Source& source, char* s, std::size_t n) {
  const std::size_t old = held_.copy(s, n), room = n - old;
  std::streamsize got = -1;
  try {
    got = source.read(s + old, static_cast<std::streamsize>(room));
  } catch (...) {
    failure_ = std::current_exception();
  }
  at_end_ = got < 0;
  const auto fresh = static_cast<std::size_t>(std::max<std::streamsize>(got, 0));
  const std::string_view bytes(s, old + fresh);
  const std::size_t size = look(bytes, at_end_ ? rest::none : is_file_ ? rest::soon : rest::late);
  held_ = bytes.substr(size);
  return static_cast<std::streamsize>(size);
}

}  // namespace utfcat

#endif
