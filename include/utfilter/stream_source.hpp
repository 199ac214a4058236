// stream_source.hpp: a Boost.Iostreams source over any std::istream, which does not wait for more than there is.
#ifndef UTFILTER_STREAM_SOURCE_HPP
#define UTFILTER_STREAM_SOURCE_HPP

#include <utfilter/detail/transfer.hpp>

#include <boost/iostreams/categories.hpp>

#include <algorithm>
#include <cstddef>
#include <ios>
#include <istream>
#include <ostream>
#include <streambuf>

namespace utfilter {

/// A Source that hands over what the stream has. `push(std::cin)` itself waits until a whole buffer is filled
/// (Boost.Iostreams issue 124); this lets each line through as it comes:
///
/// ```cpp
/// std::ios::sync_with_stdio(false);  // until then std::cin gives single bytes, which takes many times longer
/// io::filtering_istream in;
/// in.push(utfilter::to_utf8());
/// in.push(utfilter::stream_source(std::cin));
/// ```
///
/// The stream is not owned, and must outlive the chain. Its state is left alone: the end of the stream is the end of
/// the source. Complexity: linear in the bytes read. Thread safety: that of the stream.
class stream_source {
 public:
  using char_type = char;                         ///< Bytes.
  using category = boost::iostreams::source_tag;  ///< What Boost.Iostreams is told.

  /// Throws nothing.
  explicit stream_source(std::istream& stream) noexcept : stream_(&stream) {}

  /// At most n bytes; -1 at the end, or where the stream has no buffer. Throws what the stream's buffer throws.
  std::streamsize read(char* s, std::streamsize n) {
    if (n <= 0) return 0;
    if (stream_->rdbuf() == nullptr) return -1;
    detail::streambuf_reader input(*stream_->rdbuf());
    if (input.size() == 0) {
      if (stream_->tie() != nullptr) stream_->tie()->flush();
      if (input.wait() < 0) return -1;
    }
    const std::size_t size = std::min(static_cast<std::size_t>(n), input.size());
    std::copy_n(input.data(), size, s);
    input.consume(size);
    return static_cast<std::streamsize>(size);
  }

 private:
  std::istream* stream_;
};

}  // namespace utfilter

#endif
