// test_streambufs.hpp: stream buffers that behave as badly as real ones can, and record how they were used.
#ifndef UTFILTER_TEST_STREAMBUFS_HPP
#define UTFILTER_TEST_STREAMBUFS_HPP

#include "support/test_devices.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ios>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace streambufs {

using devices::device_failure;
using devices::everything;
using devices::never;

/// The get area of a stream buffer.
enum class area {
  piece,  // holds one piece of the text at a time
  byte,   // holds one byte at a time
  none,   // no get area; in_avail() returns 0, as that of std::cin does by default
  told,   // no get area; in_avail() returns how many bytes of the piece are left
};
constexpr area areas[] = {area::piece, area::byte, area::none, area::told};
constexpr const char* area_names[] = {"pieces", "bytes", "no area", "no area, but in_avail"};

/// Delivers its pieces, then ends or throws. The end and the failure repeat at each further call.
class pieces_streambuf : public std::streambuf {
 public:
  explicit pieces_streambuf(std::vector<std::string> pieces, area how = area::piece)
      : pieces_(std::move(pieces)), area_(how) {
    pieces_.erase(std::remove(pieces_.begin(), pieces_.end(), std::string()), pieces_.end());
    for (const std::string& piece : pieces_) budget_.allow_for(piece.size());
  }

  std::size_t throws_at = never;  // the Nth call that has to fetch a piece fails, counted from 1
  std::size_t fetches = 0;
  std::size_t bulk_reads = 0;            // calls of xsgetn
  std::size_t ends = 0;                  // how often it returned the end
  std::size_t delivered = 0;             // bytes
  std::function<void()> before_waiting;  // called whenever a real buffer might have to wait

 protected:
  int_type underflow() override {
    if (gptr() != egptr()) return traits_type::to_int_type(*gptr());
    if (!fetch()) return traits_type::eof();
    std::string& piece = pieces_[at_];
    if (area_ == area::none || area_ == area::told) return traits_type::to_int_type(piece[offset_]);
    const std::size_t size = area_ == area::piece ? piece.size() - offset_ : 1;
    // A copy of exactly that size, so that the address sanitizer sees an access outside of it.
    shown_.assign(piece.data() + offset_, piece.data() + offset_ + size);
    setg(shown_.data(), shown_.data(), shown_.data() + shown_.size());
    advance(size);
    return traits_type::to_int_type(*gptr());
  }
  int_type uflow() override {
    const int_type c = underflow();
    if (traits_type::eq_int_type(c, traits_type::eof())) return c;
    if (gptr() != egptr())
      gbump(1);
    else
      advance(1);
    return c;
  }
  std::streamsize xsgetn(char* s, std::streamsize n) override {
    ++bulk_reads;
    return std::streambuf::xsgetn(s, n);
  }
  std::streamsize showmanyc() override {
    if (area_ != area::told || !waited_for_) return 0;
    return static_cast<std::streamsize>(pieces_[at_].size() - offset_);
  }

 private:
  /// Waits for the next piece. Returns false at the end.
  bool fetch() {
    budget_.spend();
    if (waited_for_) return true;
    if (before_waiting) before_waiting();
    if (++fetches >= throws_at) throw device_failure("the source broke");
    if (at_ == pieces_.size()) {
      ++ends;
      return false;
    }
    waited_for_ = true;
    return true;
  }
  void advance(std::size_t n) {
    delivered += n;
    offset_ += n;
    if (offset_ < pieces_[at_].size()) return;
    waited_for_ = false;
    offset_ = 0;
    ++at_;
  }

  std::vector<std::string> pieces_;
  area area_;
  std::size_t at_ = 0, offset_ = 0;
  bool waited_for_ = false;  // the piece has arrived
  std::vector<char> shown_;
  devices::call_budget budget_;
};

/// A buffer that can seek, with a get area of `size` bytes. If `size` is 0 it has no get area, like some stream
/// buffers.
class seekable_streambuf : public std::streambuf {
 public:
  seekable_streambuf(const std::string& text, std::size_t size) : text_(text), piece_(size, '\0') {}

  std::size_t delivered = 0;  // bytes, also those that are read twice

 protected:
  int_type underflow() override {
    if (piece_.empty()) return text_.sgetc();
    const std::streamsize got = text_.sgetn(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    setg(piece_.data(), piece_.data(), piece_.data() + got);
    delivered += static_cast<std::size_t>(got);
    return got > 0 ? traits_type::to_int_type(*gptr()) : traits_type::eof();
  }
  int_type uflow() override { return piece_.empty() ? text_.sbumpc() : std::streambuf::uflow(); }
  pos_type seekoff(off_type off, std::ios_base::seekdir way, std::ios_base::openmode which) override {
    if (way == std::ios_base::cur) off -= egptr() - gptr();
    const pos_type at = text_.pubseekoff(off, way, which);
    setg(nullptr, nullptr, nullptr);
    return at;
  }

 private:
  std::stringbuf text_;
  std::string piece_;
};

/// Takes text as its members say. Writes and flushes are counted from 1. If the Nth one fails, all later ones fail,
/// too.
class recording_streambuf : public std::streambuf {
 public:
  explicit recording_streambuf(std::size_t put_area = 0) : area_(put_area) { empty(); }

  std::size_t takes_at_most = everything;  // bytes in one write
  std::size_t takes_in_all = everything;   // bytes
  std::size_t throws_at_write = never;
  std::size_t throws_at_sync = never;
  std::size_t refuses_at_sync = never;  // returns -1

  std::string text;                     // the bytes taken
  std::vector<std::string> writes;      // the bytes offered by each write
  std::vector<std::size_t> flushed_at;  // bytes taken before each flush

  /// Allows this many writes that take nothing.
  void allow(std::size_t writes_more) { budget_.allow(writes_more); }

 protected:
  int_type overflow(int_type c) override {
    if (!drain()) return traits_type::eof();
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return take(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    if (!area_.empty()) return std::streambuf::xsputn(s, n);
    return take(s, static_cast<std::size_t>(n));
  }
  int sync() override {
    if (!drain()) return -1;
    budget_.spend();
    flushed_at.push_back(text.size());
    if (flushed_at.size() >= throws_at_sync) throw device_failure("the sink cannot be flushed");
    return flushed_at.size() >= refuses_at_sync ? -1 : 0;
  }

 private:
  void empty() { setp(area_.data(), area_.data() + area_.size()); }
  bool drain() {
    const std::string held(pbase(), pptr());
    empty();
    return held.empty() || take(held.data(), held.size()) == static_cast<std::streamsize>(held.size());
  }
  std::streamsize take(const char* s, std::size_t n) {
    budget_.spend();
    writes.emplace_back(s, n);
    if (writes.size() >= throws_at_write) throw device_failure("the sink broke");
    const std::size_t taken = std::min({n, takes_at_most, takes_in_all - text.size()});
    text.append(s, taken);
    budget_.allow_for(taken);
    return static_cast<std::streamsize>(taken);
  }

  std::vector<char> area_;
  devices::call_budget budget_;
};

/// Discards all text.
class null_streambuf : public std::streambuf {
 protected:
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
  std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
};

/// A Boost.Iostreams source as a stream buffer with a get area of `Size` bytes. It takes a read of 0 bytes for the end.
template <class Source, std::size_t Size>
class source_streambuf : public std::streambuf {
 public:
  explicit source_streambuf(Source source) : source_(std::move(source)) {}

 protected:
  int_type underflow() override {
    const std::streamsize got = source_.read(area_, Size);
    if (got <= 0) return traits_type::eof();
    setg(area_, area_, area_ + got);
    return traits_type::to_int_type(*gptr());
  }

 private:
  Source source_;
  char area_[Size];
};

/// A Boost.Iostreams sink as a stream buffer without a put area.
template <class Sink>
class sink_streambuf : public std::streambuf {
 public:
  explicit sink_streambuf(Sink sink) : sink_(std::move(sink)) {}

 protected:
  int_type overflow(int_type c) override {
    const char one = traits_type::to_char_type(c);
    return sink_.write(&one, 1) == 1 ? c : traits_type::eof();
  }
  std::streamsize xsputn(const char* s, std::streamsize n) override { return sink_.write(s, n); }
  int sync() override { return sink_.flush() ? 0 : -1; }

 private:
  Sink sink_;
};

}  // namespace streambufs

#endif
