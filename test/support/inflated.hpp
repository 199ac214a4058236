// inflated.hpp: decompresses the gzip format with zlib, as far as there is data.
#ifndef UTFILTER_TEST_INFLATED_HPP
#define UTFILTER_TEST_INFLATED_HPP

#include <zlib.h>

#include <cstddef>
#include <stdexcept>
#include <string>

/// The text that zlib gets from the beginning of a gzip member, at most `size` bytes.
inline std::string inflated(std::string packed, std::size_t size) {
  z_stream z{};
  if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK) throw std::runtime_error("inflateInit2");
  std::string text(size, '\0');
  z.next_in = reinterpret_cast<Bytef*>(packed.data());
  z.avail_in = static_cast<uInt>(packed.size());
  z.next_out = reinterpret_cast<Bytef*>(text.data());
  z.avail_out = static_cast<uInt>(text.size());
  inflate(&z, Z_SYNC_FLUSH);
  text.resize(text.size() - z.avail_out);
  inflateEnd(&z);
  return text;
}

#endif
