// text_reader.hpp: a function that reads, and the same as a device of Boost.Iostreams.
#ifndef UTFCAT_TEXT_READER_HPP
#define UTFCAT_TEXT_READER_HPP

#include <boost/iostreams/categories.hpp>

#include <functional>
#include <ios>
#include <utility>

namespace utfcat {

/// Reads at most so many bytes; returns -1 at the end, as the devices of Boost.Iostreams do. It may throw.
using text_reader = std::function<std::streamsize(char*, std::streamsize)>;

/// A text_reader as a device.
class reader_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  explicit reader_source(text_reader read) : read_(std::move(read)) {}
  std::streamsize read(char* s, std::streamsize n) { return read_(s, n); }

 private:
  text_reader read_;
};

}  // namespace utfcat

#endif
