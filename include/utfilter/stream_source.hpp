// stream_source.hpp: a Boost.Iostreams source over any std::istream, which returns the bytes at hand and does not wait
// for more.
// layer: filters
#ifndef UTFILTER_STREAM_SOURCE_HPP
#define UTFILTER_STREAM_SOURCE_HPP

#include <utfilter/detail/transfer.hpp>

#include <boost/iostreams/categories.hpp>

#include <cstddef>
#include <ios>
#include <istream>
#include <ostream>
#include <streambuf>

namespace utfilter {

/// A Source that passes on the bytes that the stream has. With a plain `push(std::cin)`, Boost waits until a whole
/// buffer is full (Boost.Iostreams issue 124). This source lets each line through as soon as it comes:
///
/// ```cpp
/// std::ios::sync_with_stdio(false);  // before this, std::cin gives single bytes, which is many times slower
/// io::filtering_istream in;
/// in.push(utfilter::to_utf8());
/// in.push(utfilter::stream_source(std::cin));
/// ```
///
/// The stream is not owned, and must outlive the chain. The source does not change the stream's state: the stream's end
/// is reported only as the end of the source. Complexity: linear in the bytes read. Thread safety: that of the stream.
class stream_source {
 public:
  using char_type = char;                         ///< Bytes.
  using category = boost::iostreams::source_tag;  ///< The category, for Boost.Iostreams.

  /// Throws nothing.
  explicit stream_source(std::istream& stream) noexcept : stream_(&stream) {}

  /// Reads at most n bytes and returns their number; -1 at the end, or if the stream has no buffer. Throws exceptions
  /// of the stream's buffer.
  std::streamsize read(char* s, std::streamsize n) {
    if (n <= 0) return 0;
    if (stream_->rdbuf() == nullptr) return -1;
    detail::streambuf_reader input(*stream_->rdbuf());
    if (input.size() == 0) {
      if (stream_->tie() != nullptr) stream_->tie()->flush();
      if (input.wait() < 0) return -1;
    }
    return detail::take(input, s, static_cast<std::size_t>(n));
  }

 private:
  std::istream* stream_;
};

}  // namespace utfilter

#endif
