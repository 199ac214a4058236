// zstd_frames.hpp: steps from field to field of zstd data by the sizes of the fields, to find where frames end (RFC
// 8878 section 3.1). Nothing is decompressed here.
#ifndef UTFCAT_ZSTD_FRAMES_HPP
#define UTFCAT_ZSTD_FRAMES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace utfcat {

class zstd_frames {
 public:
  /// Takes the next bytes of the data.
  void pass(const char* s, std::size_t n) noexcept {
    while (n != 0) {
      if (skip_ != 0) {
        const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(skip_, n));
        skip_ -= some;
        s += some;
        n -= some;
      } else {
        value_ |= std::uint32_t{static_cast<unsigned char>(*s)} << 8 * have_;
        ++s;
        --n;
        if (++have_ == size_of(field_)) {
          read(value_);
          value_ = have_ = 0;
        }
      }
    }
  }

  /// Whether the data may end here.
  bool complete() const noexcept { return between_frames() && have_ == 0; }

  /// Whether the next byte belongs to a frame's magic number.
  bool between_frames() const noexcept { return field_ == field::magic && skip_ == 0; }

  /// The number of bytes that are still missing in the current field, at least one.
  std::uint64_t rest_of_field() const noexcept { return skip_ != 0 ? skip_ : size_of(field_) - have_; }

 private:
  enum class field { magic, skippable_size, descriptor, block, checksum };

  static unsigned size_of(field f) noexcept { return f == field::descriptor ? 1 : f == field::block ? 3 : 4; }

  void read(std::uint32_t value) noexcept {
    switch (field_) {
      case field::magic: field_ = value >> 4 == 0x184D2A5 ? field::skippable_size : field::descriptor; break;
      case field::skippable_size:
        skip_ = value;
        field_ = field::magic;
        break;
      case field::descriptor: {
        const bool single_segment = (value & 0x20) != 0;
        const unsigned content_sizes[] = {single_segment ? 1u : 0u, 2, 4, 8};
        const unsigned dictionary_id[] = {0, 1, 2, 4};
        skip_ = (single_segment ? 0 : 1) + dictionary_id[value & 3] + content_sizes[value >> 6];
        checksum_ = (value & 4) != 0;
        field_ = field::block;
        break;
      }
      case field::block: {
        const bool last = (value & 1) != 0;
        const bool run_length = (value >> 1 & 3) == 1;
        skip_ = run_length ? 1 : value >> 3;
        if (last) field_ = checksum_ ? field::checksum : field::magic;
        break;
      }
      case field::checksum: field_ = field::magic; break;
    }
  }

  field field_ = field::magic;
  std::uint32_t value_ = 0;  // the bytes of the current field so far, little-endian
  unsigned have_ = 0;        // the number of these bytes
  std::uint64_t skip_ = 0;   // bytes to skip before the next field
  bool checksum_ = false;
};

}  // namespace utfcat

#endif
