// read_sums.hpp: sums of what was read from a file, which tell later where the file has changed.
#ifndef UTFILTER_STREAMS_READ_SUMS_HPP
#define UTFILTER_STREAMS_READ_SUMS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace utfilter::detail {

/// A sum of 64 bits over the bytes from the start of a text to a place. It does not depend on how the bytes are cut into
/// pieces. Every step is a bijection of the sum, so a change within eight bytes is never missed. It is no protection
/// against those who want to deceive.
class prefix_sum {
 public:
  /// So many bytes are taken in one step.
  static constexpr std::size_t stripe = 32;

  prefix_sum() = default;
  /// Goes on from the value at a size, which is a multiple of `stripe`.
  prefix_sum(std::uint64_t size, std::uint64_t value) noexcept : size_(size), state_(value) {}

  std::uint64_t size() const noexcept { return size_; }

  void add(std::string_view bytes) noexcept {
    while (!bytes.empty()) {
      const std::size_t carried = static_cast<std::size_t>(size_ % stripe);
      std::size_t n = std::min(bytes.size(), stripe - carried);
      if (carried == 0 && n == stripe) {
        n = bytes.size() - bytes.size() % stripe;
        for (std::size_t at = 0; at != n; at += stripe) state_ = next(state_, bytes.data() + at);
      } else {
        std::memcpy(carry_.data() + carried, bytes.data(), n);
        if (carried + n == stripe) state_ = next(state_, carry_.data());
      }
      bytes.remove_prefix(n);
      size_ += n;
    }
  }

  /// The sum of all bytes so far.
  std::uint64_t value() const noexcept {
    const std::size_t carried = static_cast<std::size_t>(size_ % stripe);
    if (carried == 0) return state_;
    std::array<char, stripe> last{};
    std::memcpy(last.data(), carry_.data(), carried);
    return next(state_ ^ carried, last.data());
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int bits) noexcept { return x << bits | x >> (64 - bits); }
  /// All multipliers are odd, and so have an inverse.
  static std::uint64_t next(std::uint64_t state, const char* s) noexcept {
    std::array<std::uint64_t, stripe / 8> words;
    std::memcpy(words.data(), s, stripe);
    state ^= words[0] * 0x9E3779B97F4A7C15 + rotated(words[1] * 0xC2B2AE3D27D4EB4F, 17) +
             rotated(words[2] * 0x165667B19E3779F9, 31) + rotated(words[3] * 0x27D4EB2F165667C5, 47);
    state *= 0xD6E8FEB86659FD93;
    return state ^ state >> 32;
  }

  std::uint64_t size_ = 0, state_ = 0;
  std::array<char, stripe> carry_ = {};  // the last bytes, which are less than a stripe
};

/// The sums at the ends of blocks. When there are too many blocks, each two become one.
class read_sums {
 public:
  static constexpr std::size_t most = 1024;
  static constexpr std::uint64_t smallest_block = 4096;  // a multiple of prefix_sum::stripe

  /// Takes the next bytes that were read.
  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::uint64_t left = block_ - all_.size() % block_;
      const std::string_view part =
          bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size())));
      all_.add(part);
      bytes.remove_prefix(part.size());
      if (part.size() == left) add_block();
    }
  }

  /// Bytes in all.
  std::uint64_t size() const noexcept { return all_.size(); }

  /// Forgets the bytes after a block, and returns how many are left: at most `size`.
  std::uint64_t cut(std::uint64_t size) {
    sums_.resize(static_cast<std::size_t>(size / block_));
    all_ = sums_.empty() ? prefix_sum() : prefix_sum(sums_.size() * block_, sums_.back());
    return all_.size();
  }

  /// Compares a text with these sums, piece by piece. The sums may get more bytes meanwhile.
  class comparison {
   public:
    /// The bytes that were compared, or wait for the end of their block.
    std::uint64_t size() const noexcept { return seen_.size(); }
    /// The bytes that are the same, as far as is known. The first byte that has changed is not before.
    std::uint64_t same() const noexcept { return same_; }
    /// Takes the next bytes, at most up to the size of the sums. Returns false if they have changed.
    bool add(std::string_view bytes, const read_sums& sums) {
      while (!bytes.empty()) {
        const std::uint64_t size = seen_.size(), end = std::min(sums.size(), size - size % sums.block_ + sums.block_);
        const std::string_view part =
            bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(end - size, bytes.size())));
        seen_.add(part);
        bytes.remove_prefix(part.size());
        if (seen_.size() != end) continue;
        const bool is_whole = end % sums.block_ == 0;
        if (seen_.value() !=
            (is_whole ? sums.sums_[static_cast<std::size_t>(end / sums.block_) - 1] : sums.all_.value()))
          return false;
        same_ = end;
      }
      return true;
    }

   private:
    prefix_sum seen_;
    std::uint64_t same_ = 0;
  };

 private:
  void add_block() {
    sums_.push_back(all_.value());
    if (sums_.size() != most) return;
    for (std::size_t i = 0; i != most / 2; ++i) sums_[i] = sums_[2 * i + 1];
    sums_.resize(most / 2);
    block_ *= 2;
  }

  std::uint64_t block_ = smallest_block;
  std::vector<std::uint64_t> sums_;  // at the end of each block
  prefix_sum all_;
};

}  // namespace utfilter::detail

#endif
