// compression.hpp: compressed data, told by its first bytes and decompressed to the last byte that can be.
#ifndef UTFCAT_COMPRESSION_HPP
#define UTFCAT_COMPRESSION_HPP

#include <memory>
#include <string_view>

namespace utfcat {

enum class compression {
  none, gzip, bzip2, zstd,  // these can be decompressed
  xz, zip                   // and these be named
};

inline bool can_decompress(compression data) noexcept {
  return data == compression::gzip || data == compression::bzip2 || data == compression::zstd;
}

/// "gzip", ...
const char* name_of(compression) noexcept;

struct compression_guess {
  compression data;
  bool        decided;  // more bytes would not change it
};

/// What data that begins so is.
compression_guess guess_compression(std::string_view head) noexcept;

/// What ails compressed data.
enum class damage {
  none,
  corrupt,
  foreign,   // it ends, and something else stands behind it
  too_large  // it needs more memory than its library allows
};

/// Compressed data to what it holds, incrementally.
class decompressor {
 public:
  virtual ~decompressor() = default;

  /// Moves `in` and `out` on, until one is at its end or damage is found: what precedes the damage is in the output. With
  /// nothing in, writes what did not fit before. Called on after damage it may do anything.
  virtual damage run(const char*& in, const char* in_end, char*& out, char* out_end) = 0;

  /// Whether the data may end here.
  virtual bool complete() = 0;
};

/// For gzip, bzip2 and zstd; nothing for the others.
std::unique_ptr<decompressor> make_decompressor(compression);

}  // namespace utfcat

#endif
