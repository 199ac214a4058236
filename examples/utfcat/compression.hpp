// compression.hpp: compressed data, told by its first bytes and decompressed to the last byte that can be.
#ifndef UTFCAT_COMPRESSION_HPP
#define UTFCAT_COMPRESSION_HPP

#include <memory>
#include <string_view>

namespace utfcat {

enum class compression {
  none,
  gzip,
  bzip2,
  zstd,
  xz,  // these can be decompressed
  zip,
  seven_zip,
  rar,
  cabinet,
  lzma,
  lzip,
  lzop,
  lz4,
  compress,
  pack,
  snappy  // these can be named
};

/// Whether this utfcat can: a Boost.Iostreams may have been built without zstd, or without xz.
bool can_decompress(compression) noexcept;

/// "gzip", ...
std::string_view name_of(compression) noexcept;

/// The command that writes what such a file holds to standard output: "lz4 -dc"; empty where none is common.
std::string_view command_for(compression) noexcept;

struct compression_guess {
  compression data;
  bool decided;  // more bytes would not change it
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

  /// Moves `in` and `out` on, until one is at its end or damage is found: what precedes the damage is in the output.
  /// With nothing in, writes what did not fit before. Called on after damage it may do anything.
  virtual damage run(const char*& in, const char* in_end, char*& out, char* out_end) = 0;

  /// Whether the data may end here.
  virtual bool complete() = 0;
};

/// Nothing for what cannot be decompressed.
std::unique_ptr<decompressor> make_decompressor(compression);

}  // namespace utfcat

#endif
