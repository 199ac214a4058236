// pieces_source.hpp: a Boost.Iostreams source that delivers one piece in each read.
#ifndef UTFILTER_SCOREBOARD_PIECES_SOURCE_HPP
#define UTFILTER_SCOREBOARD_PIECES_SOURCE_HPP

#include <boost/iostreams/categories.hpp>

#include <algorithm>
#include <cstddef>
#include <ios>
#include <string>
#include <vector>

/// Leaves empty pieces out: a read of 0 bytes means that the source would block, and a stream takes that for the end.
class pieces_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;
  explicit pieces_source(std::vector<std::string>& pieces) : pieces_(&pieces) {}

  std::streamsize read(char* s, std::streamsize n) {
    auto& left = *pieces_;
    while (!left.empty() && left.front().empty()) left.erase(left.begin());
    if (left.empty()) return -1;
    const auto size = std::min(static_cast<std::size_t>(n), left.front().size());
    left.front().copy(s, size);
    left.front().erase(0, size);
    return static_cast<std::streamsize>(size);
  }

 private:
  std::vector<std::string>* pieces_;
};

#endif
