// compression.hpp: compressed data, which is recognised by its first bytes, and decompressed as far as it is undamaged.
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
  xz,  // utfcat can decompress the formats up to this one
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
  snappy  // utfcat only names the formats from zip to this one
};

/// Whether this utfcat can decompress the format. Boost.Iostreams may have been built without zstd or without xz.
bool can_decompress(compression) noexcept;

/// The name of the format, such as "gzip".
std::string_view name_of(compression) noexcept;

/// The command that writes the content of such a file to standard output, such as "lz4 -dc". Empty if no command is
/// common.
std::string_view command_for(compression) noexcept;

struct compression_guess {
  compression data;
  bool decided;  // more bytes would not change the guess
};

/// The format of data that begins with these bytes.
compression_guess guess_compression(std::string_view head) noexcept;

/// How compressed data is damaged.
enum class damage {
  none,
  corrupt,
  foreign,   // the data ends, and unexpected bytes follow
  too_large  // the data needs more memory than its library allows
};

/// Decompresses data incrementally.
class decompressor {
 public:
  virtual ~decompressor() = default;

  /// Decompresses from `in` to `out` and moves both forward, until one reaches its end or damage is found. All text
  /// before the damage is in the output. With empty input it writes the output that did not fit before. Do not call it
  /// again after damage.
  virtual damage run(const char*& in, const char* in_end, char*& out, char* out_end) = 0;

  /// Whether the data may end here.
  virtual bool complete() = 0;
};

/// Makes the decompressor for a format, null if utfcat cannot decompress it.
std::unique_ptr<decompressor> make_decompressor(compression);

}  // namespace utfcat

#endif
