// simdutf_filter.hpp: filters around simdutf, as an expert could write them in an hour. This library's filters are
// compared with them. Their buffers have 64 KiB, and they carry a sequence that the end of a buffer cuts. If text is
// ill-formed, they throw an exception that has no position.
#ifndef UTFILTER_BENCH_SIMDUTF_FILTER_HPP
#define UTFILTER_BENCH_SIMDUTF_FILTER_HPP

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/read.hpp>
#include <boost/iostreams/write.hpp>
#include <simdutf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ios>
#include <memory>
#include <stdexcept>

namespace bench {

struct simdutf_filter_base {
  using char_type = char;
  struct category : boost::iostreams::dual_use,
                    boost::iostreams::filter_tag,
                    boost::iostreams::multichar_tag,
                    boost::iostreams::closable_tag,
                    boost::iostreams::flushable_tag,
                    boost::iostreams::optimally_buffered_tag {};
  static constexpr std::size_t buffer_size = 65536;

  std::streamsize optimal_buffer_size() const { return buffer_size; }

  template <class Device>
  bool flush(Device&) {
    return true;
  }

 protected:
  [[noreturn]] static void fail() { throw std::runtime_error("simdutf_filter: ill-formed text"); }
};

/// Checks UTF-8 in the caller's buffer and passes it on.
class simdutf_validator : public simdutf_filter_base {
 public:
  template <class Source>
  std::streamsize read(Source& source, char* s, std::streamsize n) {
    while (true) {
      std::memcpy(s, carried_, carried_size_);
      const auto carried = static_cast<std::streamsize>(carried_size_);
      const std::streamsize got = boost::iostreams::read(source, s + carried, n - carried);
      if (got < 0 && carried_size_ != 0) fail();
      if (got <= 0) return got;
      const std::size_t whole = check(s, static_cast<std::size_t>(carried + got));
      if (whole != 0) return static_cast<std::streamsize>(whole);
    }
  }

  template <class Sink>
  std::streamsize write(Sink& sink, const char* s, std::streamsize n) {
    auto size = static_cast<std::size_t>(n);
    while (carried_size_ != 0 && size != 0) {  // byte by byte, to the end of the carried sequence
      char sequence[4];
      std::memcpy(sequence, carried_, carried_size_);
      sequence[carried_size_] = *s++;
      --size;
      const std::size_t whole = check(sequence, carried_size_ + 1);
      boost::iostreams::write(sink, sequence, static_cast<std::streamsize>(whole));
    }
    boost::iostreams::write(sink, s, static_cast<std::streamsize>(check(s, size)));
    return n;
  }

  template <class Device>
  void close(Device&, std::ios_base::openmode which) {
    if (which == std::ios_base::out && carried_size_ != 0) fail();
  }

 private:
  /// Checks the whole sequences, returns their bytes, and carries the rest.
  std::size_t check(const char* s, std::size_t size) {
    const std::size_t whole = simdutf::trim_partial_utf8(s, size);
    if (!simdutf::validate_utf8(s, whole)) fail();
    carried_size_ = size - whole;
    std::memcpy(carried_, s + whole, carried_size_);
    return whole;
  }

  char carried_[4];
  std::size_t carried_size_ = 0;
};

/// Converts UTF-16LE to UTF-8. When reading, it converts directly into the caller's buffer.
class simdutf_utf16le_to_utf8 : public simdutf_filter_base {
 public:
  template <class Source>
  std::streamsize read(Source& source, char* s, std::streamsize n) {
    state& self = *state_;
    const std::size_t room = std::min(static_cast<std::size_t>(n) / 3 * 2, buffer_size);
    while (true) {
      const std::streamsize got =
          boost::iostreams::read(source, self.in + self.carried, static_cast<std::streamsize>(room - self.carried));
      if (got < 0 && self.carried != 0) fail();
      if (got <= 0) return got;
      const std::size_t made = convert(self.carried + static_cast<std::size_t>(got), s);
      if (made != 0) return static_cast<std::streamsize>(made);
    }
  }

  template <class Sink>
  std::streamsize write(Sink& sink, const char* s, std::streamsize n) {
    state& self = *state_;
    for (auto left = static_cast<std::size_t>(n); left != 0;) {
      const std::size_t taken = std::min(left, buffer_size - self.carried);
      std::memcpy(self.in + self.carried, s, taken);
      const std::size_t made = convert(self.carried + taken, self.out);
      boost::iostreams::write(sink, self.out, static_cast<std::streamsize>(made));
      s += taken;
      left -= taken;
    }
    return n;
  }

  template <class Device>
  void close(Device&, std::ios_base::openmode which) {
    if (which == std::ios_base::out && state_->carried != 0) fail();
  }

 private:
  struct state {
    alignas(char16_t) char in[buffer_size];
    char out[buffer_size / 2 * 3];
    std::size_t carried = 0;  // bytes at the beginning of in
  };

  /// Converts the first `size` bytes of the input buffer. Carries a sequence that the end cuts.
  std::size_t convert(std::size_t size, char* out) {
    state& self = *state_;
    const auto* in = reinterpret_cast<const char16_t*>(self.in);
    const std::size_t whole = simdutf::trim_partial_utf16le(in, size / 2);
    const std::size_t made = simdutf::convert_utf16le_to_utf8(in, whole, out);
    if (made == 0 && whole != 0) fail();
    self.carried = size - whole * 2;
    std::memmove(self.in, self.in + whole * 2, self.carried);
    return made;
  }

  std::shared_ptr<state> state_ = std::make_shared<state>();
};

}  // namespace bench

#endif
