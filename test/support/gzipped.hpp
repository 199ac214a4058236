// gzipped.hpp: compresses a text in the gzip format, and decompresses it.
#ifndef UTFILTER_TEST_GZIPPED_HPP
#define UTFILTER_TEST_GZIPPED_HPP

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <string>

inline std::string gzipped(const std::string& text, int level = boost::iostreams::gzip::default_compression) {
  std::string packed;
  boost::iostreams::filtering_ostream out(boost::iostreams::gzip_compressor(boost::iostreams::gzip_params(level)) |
                                          boost::iostreams::back_inserter(packed));
  out << text;
  out.reset();
  return packed;
}

/// The text of a whole archive.
inline std::string unpacked(const std::string& archive) {
  namespace io = boost::iostreams;
  std::string text;
  io::copy(io::compose(io::gzip_decompressor(), io::array_source(archive.data(), archive.size())),
           io::back_inserter(text));
  return text;
}

#endif
