// utfilter_charset.cpp decoder|stream|reading|writing: the component icu, for the encodings that utfilter::decoder
// lacks: utfilter::charset_decoder, charset_istream, or charset_to_utf8 in a chain of Boost.Iostreams.
#include "chain.hpp"
#include "utfilter.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/icu.hpp>

#include <boost/iostreams/stream.hpp>

#include <unicode/uversion.h>

namespace {

void read_by_stream(const utfilter::charset& from, const utfilter::params& p, question asked, answer& given) {
  boost::iostreams::stream<pieces_source> bytes(pieces_source(asked.pieces));
  utfilter::charset_istream text(bytes, from, p);
  try {
    for (std::istreambuf_iterator<char> i(text), end; i != end; ++i) given.output += *i;
  } catch (const utfilter::utf_error&) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string by = argc == 2 ? argv[1] : "decoder";
  return serve("of this tree, ICU " U_ICU_VERSION, [&](const question& asked) -> std::optional<answer> {
    const bool built_in = utfilter::encoding_from_name(asked.encoding).has_value();
    if (built_in || asked.signature == "strip" || !utfilter::charset::exists(asked.encoding)) return std::nullopt;
    const utfilter::charset from(asked.encoding);
    answer given;
    utfilter::params p = params_for(asked, given);
    p.bom = {};
    if (by == "decoder") {
      utfilter::charset_decoder text(from, p);
      convert_by(text, asked, given);
    } else if (by == "stream") {
      read_by_stream(from, p, asked, given);
    } else {
      convert_in_chain(utfilter::charset_to_utf8(from, p), by == "reading", asked, given);
    }
    return given;
  });
}
