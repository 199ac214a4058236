// filters.hpp: parts of the chains to measure: the filters, a sink, and a loop that reads.
#ifndef UTFILTER_BENCH_FILTERS_HPP
#define UTFILTER_BENCH_FILTERS_HPP

#include "bench.hpp"
#include "support/identity_filter.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/read.hpp>
#include <boost/iostreams/write.hpp>

#ifdef UTFILTER_BENCH_SIMDUTF
#  include "simdutf_filter.hpp"
#endif

#include <istream>
#include <vector>

namespace bench {

using devices::identity_filter;

/// The end of an output chain. It looks at the text only if there is a verifier.
struct sink {
  using char_type = char;
  struct category : boost::iostreams::sink_tag, boost::iostreams::flushable_tag {};
  std::streamsize write(const char* s, std::streamsize n) {
    if (seen != nullptr) (*seen)(s, static_cast<std::size_t>(n));
    return n;
  }
  bool flush() { return true; }

  verifier* seen;
};

/// Reads a whole stream, one chunk at a time.
inline void drain(std::istream& in, verifier* seen) {
  static std::vector<char> buffer(chunk);
  in.exceptions(std::ios::badbit);
  while (in.read(buffer.data(), chunk), in.gcount() != 0)
    if (seen != nullptr) (*seen)(buffer.data(), static_cast<std::size_t>(in.gcount()));
}

/// Calls add(NAME, PUSH) for each filter that checks UTF-8, and for the limits of speed: no filter, and the identity
/// filter. PUSH(chain) pushes the filter.
template <class Add>
void for_each_validator(Add add) {
  add("no filter", [](auto&) {});
  add("identity filter", [](auto& chain) { chain.push(identity_filter()); });
  add("utf8_validator", [](auto& chain) { chain.push(utfilter::utf8_validator()); });
#ifdef UTFILTER_BENCH_SIMDUTF
  add("simdutf filter", [](auto& chain) { chain.push(simdutf_validator()); });
#endif
}

}  // namespace bench

#endif
