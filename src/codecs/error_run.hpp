// error_run.hpp: errors that follow each other at once, for codecs that repair them together.
#ifndef UTFILTER_CODECS_ERROR_RUN_HPP
#define UTFILTER_CODECS_ERROR_RUN_HPP

#include "unicode/sequence.hpp"

#include <cstddef>

namespace utfilter::detail {

struct error_run {
  std::size_t errors = 0, bytes = 0;
  sequence last = {};  // the last of the errors
};

/// The errors at the start of the bytes, at most `most`. `decode(in, size)` decodes the first sequence, which is incomplete
/// if bytes after `size` decide about it: then it is not one of them.
template <class Decode>
error_run errors_at(const char* in, std::size_t size, std::size_t most, const Decode& decode) noexcept {
  error_run run;
  while (run.errors != most && run.bytes != size) {
    const sequence next = decode(reinterpret_cast<const unsigned char*>(in) + run.bytes, size - run.bytes);
    if (next.what != sequence::kind::ill_formed) break;
    run.last = next;
    run.bytes += next.size;
    ++run.errors;
  }
  return run;
}

}  // namespace utfilter::detail

#endif
