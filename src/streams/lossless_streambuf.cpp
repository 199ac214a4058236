// lossless_streambuf.cpp: a large read from a source that may fail.
#include <utfilter/detail/lossless_streambuf.hpp>

#include <algorithm>

namespace utfilter::detail {

std::streamsize lossless_streambuf::xsgetn(char* s, std::streamsize n) {
  std::streamsize got = 0;
  while (got < n) {
    try {
      if (traits_type::eq_int_type(underflow(), traits_type::eof())) break;
    } catch (const std::ios_base::failure&) {
      if (got == 0) throw;
      break;
    }
    const std::streamsize more = std::min<std::streamsize>(n - got, egptr() - gptr());
    std::copy_n(gptr(), more, s + got);
    gbump(static_cast<int>(more));
    got += more;
  }
  return got;
}

}  // namespace utfilter::detail
