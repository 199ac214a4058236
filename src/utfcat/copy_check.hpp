// copy_check.hpp: whether a text that --to same writes has the bytes that were read.
#ifndef UTFCAT_COPY_CHECK_HPP
#define UTFCAT_COPY_CHECK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace utfcat {

/// Compares the bytes that are read with those that are written. Both come in pieces, one after the other; what is read is
/// kept until it is written. A thread may read while another one writes.
class copy_check {
 public:
  void read(std::string_view bytes) {
    const std::lock_guard lock(guard_);
    if (!is_different_) waiting_ += bytes;
  }
  void write(std::string_view bytes) {
    const std::lock_guard lock(guard_);
    const auto [mine, theirs] = std::mismatch(bytes.begin(), bytes.end(), waiting_.begin() + begin_, waiting_.end());
    const auto size = static_cast<std::ptrdiff_t>(mine - bytes.begin());
    if (is_different_) return;
    same_ += static_cast<std::uint64_t>(size);
    begin_ += size;
    is_different_ = mine != bytes.end();
    if (is_different_ || 2 * begin_ > static_cast<std::ptrdiff_t>(waiting_.size())) {
      waiting_.erase(0, static_cast<std::size_t>(begin_));
      begin_ = 0;
    }
  }
  /// Call this at the end. The offset of the first byte that differs, or that only one of the two has.
  std::optional<std::uint64_t> difference() const {
    const bool is_same = !is_different_ && begin_ == static_cast<std::ptrdiff_t>(waiting_.size());
    return is_same ? std::nullopt : std::optional(same_);
  }

 private:
  std::mutex guard_;
  std::string waiting_;       // bytes that are read
  std::ptrdiff_t begin_ = 0;  // of those that are not written yet
  std::uint64_t same_ = 0;    // bytes
  bool is_different_ = false;
};

}  // namespace utfcat

#endif
