// transfer.cpp: what filters and streams do when a sink fails.
// layer: transfer
#include <utfilter/detail/transfer.hpp>

#include <cerrno>
#include <exception>
#include <ios>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

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

void complete(stream_report& report, std::uint64_t lost, std::uint64_t dropped) {
  report.lost = lost + dropped;
  if (dropped == 0 || report.failure) return;
  report.failure = std::make_exception_ptr(std::logic_error(
      "utfilter: " + std::to_string(dropped) +
      " bytes were dropped, because they were written in the middle of another write to the same filter: by a signal "
      "handler, by its observer, or by what is beneath it"));
}

}  // namespace utfilter::detail
