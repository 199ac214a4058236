// utfilter_filters.cpp reading|writing: utfilter::to_utf8 in a chain of Boost.Iostreams.
#include "pieces_source.hpp"
#include "utfilter.hpp"

#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <iterator>

namespace io = boost::iostreams;

int main(int argc, char** argv) {
  const bool reading = argc == 2 && argv[1] == std::string("reading");
  return serve("of this tree", [=](question asked) -> std::optional<answer> {
    const std::optional<utfilter::encoding> from = utfilter::encoding_from_name(asked.encoding);
    if (!from) return std::nullopt;
    answer given;
    const utfilter::to_utf8 filter(*from, params_for(asked, given));
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
        for (const std::string& piece : asked.pieces)
          out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        out.reset();
      }
    } catch (const utfilter::utf_error&) {
      // The observer has recorded the error.
    }
    return given;
  });
}
