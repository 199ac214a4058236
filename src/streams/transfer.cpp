// transfer.cpp: what filters and streams do when a sink fails, or a write comes in the middle of another one.
// layer: transfer
#include <utfilter/detail/transfer.hpp>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <functional>
#include <ios>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace utfilter::detail {

void fail(const char* what) {
  const std::string text = std::string("utfilter: ") + what;
  if (errno == 0) throw std::ios_base::failure(text);
  throw std::ios_base::failure(text, std::error_code(errno, std::generic_category()));
}

void refuse_second_place() { throw std::logic_error("utfilter: a filter can be in a chain only once"); }

void unwritten::keep(const char* s, std::size_t n) noexcept {
  constexpr std::size_t most = 16384;  // bytes
  const bool is_first = bytes_.empty();
  if (keeps_) {
    try {
      keeps_ = n <= most - bytes_.size();
      if (keeps_) {
        bytes_.append(s, n);
        return;
      }
    } catch (const std::bad_alloc&) {
      keeps_ = false;
    }
    while (is_first && n != 0 && bytes_.size() < 3 && (static_cast<unsigned char>(*s) & 0xC0) == 0x80) {
      bytes_.push_back(*s++);  // so few bytes need no memory
      --n;
    }
  }
  lose(n);
}

std::streamsize running_call::drop(const running_call& now, std::uint64_t& dropped) noexcept {
  if (now.begin != begin) {
    dropped += now.size;
    return static_cast<std::streamsize>(now.size);
  }
  const std::size_t after = (std::max)(now.size, size) - size;
  if (after > more) dropped += after - std::exchange(more, after);
  return 0;
}

static std::size_t hash_of(const char* s, std::size_t n) noexcept {
  return std::hash<std::string_view>()(std::string_view(s, n));
}

std::size_t failed_write::known(const char* s, std::size_t n, bool is_gathered, unwritten& rest) noexcept {
  const bool is_again = is_gathered && begin == s && size <= n && hash == hash_of(s, size);
  if (is_again) return std::exchange(*this, {}).taken;
  forget(rest);
  return 0;
}

void failed_write::forget(unwritten& rest) noexcept {
  rest.lose(size - taken);
  *this = {};
}

void failed_write::remember(const char* s, std::size_t n, std::size_t converted, std::size_t more) noexcept {
  if (converted == n) converted = n += more;
  *this = {s, n, converted, hash_of(s, n)};
}

void complete(stream_report& report, std::uint64_t lost, std::uint64_t dropped) {
  report.lost = lost + dropped;
  if (dropped == 0 || report.failure) return;
  report.failure = std::make_exception_ptr(std::logic_error(
      "utfilter: " + std::to_string(dropped) +
      " bytes were dropped, because they were written in the middle of another write to the same filter: by a signal "
      "handler, by its observer, or by what is beneath it"));
}

}  // namespace utfilter::detail
