// pieces_source.hpp: a source of Boost.Iostreams that hands out a piece a read.
#ifndef UTFILTER_SCOREBOARD_PIECES_SOURCE_HPP
#define UTFILTER_SCOREBOARD_PIECES_SOURCE_HPP

#include <boost/iostreams/categories.hpp>

#include <algorithm>
#include <cstddef>
#include <ios>
#include <string>
#include <vector>

/// An empty piece would be a source that blocks, which looks like the end to a stream; these are left out.
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
