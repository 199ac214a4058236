// filter.cpp: a program that uses the filters.
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <string>

int main() {
  const char text[] = {'\xFF', '\xFE', '\xE9', '\x00'};
  boost::iostreams::filtering_istream in;
  in.push(utfilter::to_utf8());
  in.push(boost::iostreams::array_source(text, sizeof text));
  std::string line;
  return std::getline(in, line) && line == "\xC3\xA9" ? 0 : 1;
}
