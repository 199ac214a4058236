// chain.hpp: shared by the drivers of utfilter's filters.
#ifndef UTFILTER_SCOREBOARD_CHAIN_HPP
#define UTFILTER_SCOREBOARD_CHAIN_HPP

#include "driver.hpp"
#include "pieces_source.hpp"

#include <utfilter/utf_error.hpp>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <iterator>

/// Converts all pieces with a filter in a chain of Boost.Iostreams, which reads or writes them. The filter's observer
/// records the errors.
template <class Filter>
void convert_in_chain(const Filter& filter, bool reading, question asked, answer& given) {
  namespace io = boost::iostreams;
  try {
    if (reading) {
      io::filtering_istream in;
      in.push(filter);
      in.push(pieces_source(asked.pieces));
      for (std::istreambuf_iterator<char> i(in), end; i != end; ++i) given.output += *i;
    } else {
      io::filtering_ostream out;
      out.push(filter, 0);
      out.push(io::back_inserter(given.output));
      for (const std::string& piece : asked.pieces) out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
      out.reset();
    }
  } catch (const utfilter::utf_error&) {
  }
}

#endif
