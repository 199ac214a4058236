// utfilter_filters.cpp reading|writing: utfilter::to_utf8 in a chain of Boost.Iostreams.
#include "driver.hpp"
#include "pieces_source.hpp"

#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <iterator>

namespace io = boost::iostreams;

int main(int argc, char** argv) {
  const bool reading = argc == 2 && argv[1] == std::string("reading");
  return serve("of this tree", [=](question asked) -> std::optional<answer> {
    answer given;
    utfilter::params p;
    p.bom = asked.signature == "strip" ? utfilter::bom::strip : utfilter::bom::keep;
    p.on_error = asked.strict()         ? utfilter::on_error::strict
                 : asked.mode == "skip" ? utfilter::on_error::skip
                                        : utfilter::on_error::replace;
    p.observer = [&](const utfilter::error_info& error) { given.told_at(error.offset, error.size); };
    const utfilter::to_utf8 filter(*utfilter::encoding_from_name(asked.encoding), p);
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
