// utfilter_stream.cpp: utfilter::istream over a stream of the pieces.
#include "pieces_source.hpp"
#include "utfilter.hpp"

#include <utfilter/stream.hpp>
#include <utfilter/utf_error.hpp>

#include <boost/iostreams/stream.hpp>

#include <iterator>

int main() {
  return serve("of this tree", [](question asked) -> std::optional<answer> {
    const std::optional<utfilter::encoding> from = utfilter::encoding_from_name(asked.encoding);
    if (!from) return std::nullopt;
    answer given;
    boost::iostreams::stream<pieces_source> bytes(pieces_source(asked.pieces));
    utfilter::istream text(bytes, *from, params_for(asked, given));
    try {
      for (std::istreambuf_iterator<char> i(text), end; i != end; ++i) given.output += *i;
    } catch (const utfilter::utf_error&) {
    }
    return given;
  });
}
