// repairer.hpp: writes the repairs of errors into the output of a transcoder.
#ifndef UTFILTER_CODECS_REPAIRER_HPP
#define UTFILTER_CODECS_REPAIRER_HPP

#include "codecs/cursor.hpp"
#include "encodings/encoding_scheme.hpp"
#include "unicode/sequence.hpp"

#include <utfilter/error.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace utfilter {

/// The repairs of one call of transform. The destructor adds their number to repairs::done.
class transcoder::repairer {
 public:
  /// `last` is the error that by.text repairs.
  repairer(repairs& by, const error_info& last, const detail::encoding_scheme& target) noexcept
      : by_(by),
        target_(target),
        left_(by.most - by.done),
        text_(by.text),
        last_bytes_(last.bytes),
        last_size_(by.text.data() == nullptr ? 0 : last.size) {
    if (text_.size() <= buffer_.size()) text_ = {buffer_.data(), text_.copy(buffer_.data(), text_.size())};
  }
  repairer(const repairer&) = delete;
  repairer& operator=(const repairer&) = delete;
  ~repairer() { by_.done = by_.most - left_; }

  /// Writes the repair of an error. Returns false, and writes nothing, if the repair is not known or has no room, or if
  /// enough errors have been repaired.
  bool write(const detail::sequence& error, const unsigned char* bytes, cursor& at) noexcept {
    if (left_ == 0 || (by_.make != nullptr && !is_last(error, bytes) && !make(error, bytes))) return false;
    if (at.room() < text_.size()) return false;
    --left_;
    put(at);
    return true;
  }
  /// Writes the last repair n times. There must be room, see most().
  void write_again(std::size_t n, cursor& at) noexcept {
    left_ -= n;
    while (n-- != 0) put(at);
  }
  /// How often the last repair can be written.
  std::size_t most(const cursor& at) const noexcept {
    const std::size_t fitting = text_.empty() ? at.left() : at.room() / text_.size();
    return static_cast<std::size_t>(std::min<std::uint64_t>(fitting, left_));
  }

 private:
  void put(cursor& at) const noexcept {
    constexpr std::size_t usual = 16;
    if (text_.size() <= usual && text_.data() == buffer_.data() && at.room() >= usual)
      std::memcpy(at.out, buffer_.data(), usual);  // a constant size takes fewer instructions
    else if (!text_.empty())
      std::memcpy(at.out, text_.data(), text_.size());
    at.out += text_.size();
  }
  bool is_last(const detail::sequence& error, const unsigned char* bytes) const noexcept {
    return error.size == last_size_ && std::equal(bytes, bytes + error.size, last_bytes_.begin());
  }
  bool make(const detail::sequence& error, const unsigned char* bytes) noexcept {
    error_info info;
    info.code = error.code;
    info.code_point = error.value;
    info.size = static_cast<std::uint8_t>(error.size);
    std::copy(bytes, bytes + error.size, info.bytes.begin());
    last_bytes_ = info.bytes;
    last_size_ = 0;

    repair_buffer utf8 = {};
    std::size_t size = by_.make(info, utf8);
    if (size == 0) return false;
    if (&target_ == &detail::utf8_scheme) {
      std::memcpy(buffer_.data(), utf8.data(), utf8.size());
    } else {
      const detail::run done = target_.from_utf8(utf8.data(), size, buffer_.data(), buffer_.size());
      if (done.consumed != size) return false;  // the target lacks a character of the repair
      size = done.produced;
    }
    text_ = {buffer_.data(), size};
    last_size_ = error.size;
    return true;
  }

  repairs& by_;
  const detail::encoding_scheme& target_;
  std::uint64_t left_;                       // the number of errors that may still be repaired
  std::string_view text_;                    // the last repair, in buffer_ if it fits
  std::array<unsigned char, 6> last_bytes_;  // the error that it repairs
  std::size_t last_size_;
  std::array<char, 4 * std::tuple_size_v<repair_buffer>> buffer_ = {};
};

}  // namespace utfilter

#endif
