// input.cpp: one file of utfcat.
#include "input.hpp"

#include <utfilter/bom_filter.hpp>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace io = boost::iostreams;
using namespace std::string_view_literals;

namespace utfcat {
namespace {

constexpr std::size_t buffer_size = 65536;

// Bytes of compressed data between two pauses.
constexpr std::size_t paced_size = 256;

struct magic {
  compression      data;
  std::string_view bytes;  // of which ? is any byte, * one of 50 to 5F
};
constexpr magic magics[] = {
    {compression::gzip, "\x1F\x8B\x08"sv},              // RFC 1952 section 2.3; 8 is deflate, the only method
    {compression::bzip2, "BZh?1AY&SY"sv},               // a first block
    {compression::bzip2, "BZh?\x17\x72\x45\x38\x50\x90"sv},  // the end, of no data
    {compression::zstd, "\x28\xB5\x2F\xFD"sv},          // RFC 8878 section 3.1.1
    {compression::zstd, "*\x2A\x4D\x18"sv}};            // a skippable frame, section 3.1.2

/// Whether the text begins with the magic number, as far as both go.
bool agrees(std::string_view text, std::string_view bytes) {
  for (std::size_t i = 0; i < std::min(text.size(), bytes.size()); ++i)
    if (bytes[i] != text[i] && bytes[i] != '?' && !(bytes[i] == '*' && text[i] >= 0x50 && text[i] <= 0x5F)) return false;
  return true;
}

}  // namespace

const char* name_of(compression data) noexcept {
  switch (data) {
    case compression::none: break;
    case compression::gzip: return "gzip";
    case compression::bzip2: return "bzip2";
    case compression::zstd: return "zstd";
  }
  return "no";
}

//--------------------------------------------------------------------------------------------------------------- raw_file

raw_file::raw_file(const std::string& name) : name_(name), fd_(STDIN_FILENO), buffer_(buffer_size) {
  if (name != "-") {
    own_ = descriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    fd_  = own_.get();
    if (fd_ < 0) throw input_failure(because(name_, errno));
  }
  // No more is read than decides: a line of text on a pipe is text with its first byte.
  while (true) {
    const std::string_view head(buffer_.data(), end_);
    bool undecided = false;
    for (const magic& one : magics) {
      if (!agrees(head, one.bytes)) continue;
      if (head.size() >= one.bytes.size()) {
        data_ = one.data;
        return;
      }
      undecided = true;
    }
    if (!undecided) return;
    end_ += fill(buffer_.data() + end_, buffer_.size() - end_);
    if (at_end_) return;
  }
}

std::size_t raw_file::fill(char* s, std::size_t n) {
  const std::ptrdiff_t got = read_some(fd_, s, n);
  if (got < 0) throw input_failure(because(name_, errno));
  bytes_read_ += static_cast<std::uint64_t>(got);
  at_end_ = got == 0;
  return static_cast<std::size_t>(got);
}

std::size_t raw_file::take(char* s, std::size_t n) noexcept {
  const std::size_t size = std::min(n, end_ - begin_);
  std::copy_n(buffer_.data() + begin_, size, s);
  begin_ += size;
  return size;
}

std::streamsize raw_file::read(char* s, std::streamsize n) {
  const auto        room = static_cast<std::size_t>(n);
  const std::size_t size = begin_ != end_ ? take(s, room) : fill(s, room);
  return size != 0 ? static_cast<std::streamsize>(size) : -1;
}

std::streamsize raw_file::read_paced(char* s, std::streamsize n) {
  // Boost's gzip_decompressor reads headers and trailers byte by byte, and takes a 0 behind a trailer for data.
  const bool may_pause = n > 1;
  if (begin_ == end_ && !at_end_ && !(may_pause && due_)) {
    begin_ = 0;
    end_   = fill(buffer_.data(), buffer_.size());
    due_   = at_end_;
  }
  if (may_pause && std::exchange(due_, false)) {
    paused_ = true;
    return 0;
  }
  const std::size_t size = take(s, std::min(static_cast<std::size_t>(n), paced_size));
  if (size == 0 && data_ == compression::zstd && !frames_.complete()) damaged(true);
  if (size == 0) return -1;
  if (data_ == compression::zstd) frames_.pass(s, size);
  due_ = true;
  return static_cast<std::streamsize>(size);
}

bool raw_file::would_wait() const noexcept { return begin_ == end_ && !at_end_ && !readable_now(fd_); }

void raw_file::damaged(bool cut_off) const {
  throw input_failure(printable(name_) + (cut_off ? ": truncated " : ": corrupt ") + name_of(data_) + " data" +
                      (cut_off ? "" : ", or something else behind it"));
}

//------------------------------------------------------------------------------------------------------------------ input

void input::decode(utfilter::encoding from, utfilter::params p, bool decompress, bool alone) {
  const auto size  = static_cast<std::streamsize>(buffer_size);
  const auto small = static_cast<std::streamsize>(paced_size);
  piece_.resize(buffer_size);
  decoder_ = utfilter::to_utf8(from, std::move(p));
  if (alone) chain_.push(utfilter::bom_filter(utfilter::bom::strip), size);
  chain_.push(decoder_, size);
  const auto push = [&](auto decompressor) {
    chain_.push(decompressed_source<decltype(decompressor)>(std::move(decompressor), raw_), size);
  };
  switch (decompress ? raw_.data() : compression::none) {
    case compression::none: chain_.push(raw_source(raw_), size); break;
    case compression::gzip: push(io::gzip_decompressor(io::gzip::default_window_bits, small)); break;
    case compression::bzip2: push(io::bzip2_decompressor(false, small)); break;
    case compression::zstd: push(io::zstd_decompressor(small)); break;
  }
}

std::string_view input::next() {
  using traits = std::char_traits<char>;
  try {
    while (traits::eq_int_type(chain_.sgetc(), traits::eof()))
      if (!raw_.paused()) return {};
    const auto size = std::min(chain_.in_avail(), static_cast<std::streamsize>(piece_.size()));
    return {piece_.data(), static_cast<std::size_t>(chain_.sgetn(piece_.data(), size))};
  } catch (const io::gzip_error& why) {
    raw_.damaged(raw_.at_end() && why.error() != io::gzip::bad_crc);
  } catch (const io::bzip2_error& why) {
    raw_.damaged(why.error() == io::bzip2::unexpected_eof);
  } catch (const io::zstd_error&) {
    raw_.damaged(false);
  }
}

}  // namespace utfcat
