// lossless_streambuf.hpp: a base class of stream buffers that lose no bytes if their source fails. Not for users.
// layer: streams
#ifndef UTFILTER_DETAIL_LOSSLESS_STREAMBUF_HPP
#define UTFILTER_DETAIL_LOSSLESS_STREAMBUF_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/needs_exceptions.hpp>

#include <ios>
#include <streambuf>

namespace utfilter::detail {

/// A stream buffer whose underflow() throws std::ios_base::failure if the source cannot be read, and tries again at the
/// next call. If that happens in the middle of a large read, the read returns the bytes before the failure; the next one
/// throws. std::streambuf would throw at once, and those bytes would be lost.
class UTFILTER_STREAMS_API lossless_streambuf : public std::streambuf {
 protected:
  std::streamsize xsgetn(char* s, std::streamsize n) override;
};

}  // namespace utfilter::detail

#endif
