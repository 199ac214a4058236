// shared_source.hpp: the base of the Boost.Iostreams sources over a stream buffer or a stream. Not for users.
// layer: filters
#ifndef UTFILTER_DETAIL_SHARED_SOURCE_HPP
#define UTFILTER_DETAIL_SHARED_SOURCE_HPP

#include <utfilter/detail/transfer.hpp>

#include <boost/iostreams/categories.hpp>

#include <cstddef>
#include <ios>
#include <istream>
#include <memory>
#include <ostream>
#include <streambuf>
#include <type_traits>
#include <utility>

namespace utfilter::detail {

/// A Source that returns the bytes at hand of a stream buffer or a std::istream, and does not wait for more. Copies
/// share it. A move is a copy, because a moved-from source must remain usable.
template <class From>
class shared_source {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  shared_source(const shared_source&) = default;
  shared_source& operator=(const shared_source&) = default;

  /// Waits for the first byte, reads at most n bytes and returns their number; -1 at the end, or if the stream has no
  /// buffer. Throws the exceptions of the buffer.
  std::streamsize read(char* s, std::streamsize n) {
    if (n <= 0) return 0;
    if constexpr (std::is_base_of_v<std::istream, From>)
      return from_->rdbuf() != nullptr ? read(*from_->rdbuf(), from_->tie(), s, n) : -1;
    else
      return read(*from_, nullptr, s, n);
  }

 protected:
  explicit shared_source(std::shared_ptr<From> from) noexcept : from_(std::move(from)) {}
  ~shared_source() = default;

  From& shared() const noexcept { return *from_; }

 private:
  static std::streamsize read(std::streambuf& bytes, std::ostream* tied, char* s, std::streamsize n) {
    streambuf_reader input(bytes);
    if (input.size() == 0) {
      if (tied != nullptr) tied->flush();
      if (input.wait() < 0) return -1;
    }
    return take(input, s, static_cast<std::size_t>(n));
  }

  std::shared_ptr<From> from_;
};

}  // namespace utfilter::detail

#endif
