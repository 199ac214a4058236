// stream_source.hpp: a Boost.Iostreams source over any std::istream, which returns the bytes at hand and does not wait
// for more.
// layer: filters
#ifndef UTFILTER_STREAM_SOURCE_HPP
#define UTFILTER_STREAM_SOURCE_HPP

#include <utfilter/detail/shared_source.hpp>

#include <istream>
#include <memory>

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
class stream_source : public detail::shared_source<std::istream> {
 public:
  /// Throws nothing.
  explicit stream_source(std::istream& stream) noexcept : shared_source({std::shared_ptr<void>(), &stream}) {}
};

}  // namespace utfilter

#endif
