// gzipped.hpp: compresses a text in the gzip format.
#ifndef UTFILTER_TEST_GZIPPED_HPP
#define UTFILTER_TEST_GZIPPED_HPP

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <string>

inline std::string gzipped(const std::string& text) {
  std::string packed;
  boost::iostreams::filtering_ostream out;
  out.push(boost::iostreams::gzip_compressor());
  out.push(boost::iostreams::back_inserter(packed));
  out << text;
  out.reset();
  return packed;
}

#endif
