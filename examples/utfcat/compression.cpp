// compression.cpp: compressed data, by the engines of Boost.Iostreams' own decompressors.
//
// As filters these read on until their caller's buffer is full, lose what is in it when the data turns out to be damaged, and
// take zstd data that is cut off for data that has ended. Their engines, models of Boost.Iostreams' SymmetricFilter, tell how
// far they have come also when they throw, so they are called here directly.
#include "compression.hpp"

#include "zstd_frames.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace io = boost::iostreams;
using namespace std::string_view_literals;

namespace utfcat {
namespace {

struct magic {
  compression      data;
  std::string_view bytes;  // of which # is a digit but 0, * one of 50 to 5F
};
constexpr magic magics[] = {
    {compression::gzip, "\x1F\x8B\x08"sv},                   // RFC 1952 section 2.3; 8 is deflate, the only method
    {compression::bzip2, "BZh#1AY&SY"sv},                    // a first block
    {compression::bzip2, "BZh#\x17\x72\x45\x38\x50\x90"sv},  // the end, of no data
    {compression::zstd, "\x28\xB5\x2F\xFD"sv},               // RFC 8878 section 3.1.1
    {compression::zstd, "*\x2A\x4D\x18"sv},                  // a skippable frame, section 3.1.2
    {compression::xz, "\xFD"
                      "7zXZ\0"sv},
    {compression::zip, "PK\3\4"sv}};

/// Whether the text begins with the magic number, as far as both go.
bool agrees(std::string_view text, std::string_view bytes) noexcept {
  for (std::size_t i = 0; i < std::min(text.size(), bytes.size()); ++i)
    if (bytes[i] != text[i] && !(bytes[i] == '#' && text[i] >= '1' && text[i] <= '9') &&
        !(bytes[i] == '*' && text[i] >= 0x50 && text[i] <= 0x5F))
      return false;
  return true;
}

class gzip : public decompressor {
 public:
  damage run(const char*& in, const char* in_end, char*& out, char* out_end) override {
    while (true) {
      // Members follow one another, and zeros may fill a tape's block behind them, as for gzip(1).
      if (between_members_) {
        in = std::find_if(in, in_end, [](char byte) { return byte != 0; });
        if (in == in_end) return damage::none;
        if (*in != magics[0].bytes[0]) return damage::foreign;
        engine_.close();
      }
      const bool idle = in == in_end;
      try {
        between_members_ = !engine_.filter(in, in_end, out, out_end, false);
      } catch (const io::zlib_error& error) {
        return idle && error.error() == io::zlib::buf_error ? damage::none : damage::corrupt;
      }
      if (in == in_end || out == out_end) return damage::none;
    }
  }

  bool complete() override { return between_members_; }

 private:
  static constexpr int gzip_window_bits = 16 + 15;  // zlib's way to ask for gzip's format

  io::detail::zlib_decompressor_impl<> engine_{gzip_window_bits};
  bool between_members_ = false;
};

/// The engine goes on to the next stream by itself.
class bzip2 : public decompressor {
 public:
  damage run(const char*& in, const char* in_end, char*& out, char* out_end) override {
    try {
      engine_.filter(in, in_end, out, out_end, false);
      return damage::none;
    } catch (const io::bzip2_error& error) {
      return error.error() == io::bzip2::data_error_magic ? damage::foreign : damage::corrupt;
    }
  }

  bool complete() override {
    const char* in  = "";
    char        room;
    char*       out = &room;
    return !engine_.filter(in, in, out, out, false);
  }

 private:
  io::detail::bzip2_decompressor_impl<> engine_{false};
};

/// The engine goes on to the next frame by itself. It alone does not tell what it wrote before it threw: so it gets no more
/// than one field of a frame at a time, and that when all that came before has been written.
class zstd : public decompressor {
 public:
  damage run(const char*& in, const char* in_end, char*& out, char* out_end) override {
    try {
      do {
        const auto        there = static_cast<std::uint64_t>(in_end - in);
        const char* const begin = in;
        engine_.filter(in, in + (pending_ ? 0 : std::min(there, frames_.rest_of_field())), out, out_end, false);
        frames_.pass(begin, static_cast<std::size_t>(in - begin));
        pending_ = out == out_end;
      } while (in != in_end && !pending_);
      return damage::none;
    } catch (const io::zstd_error& error) {
      if (error.error() == window_too_large) return damage::too_large;
      return frames_.between_frames() ? damage::foreign : damage::corrupt;
    }
  }

  bool complete() override { return frames_.complete(); }

 private:
  static constexpr int window_too_large = -16;  // ZSTD_error_frameParameter_windowTooLarge

  io::detail::zstd_decompressor_impl<> engine_;
  zstd_frames frames_;  // of what the engine has taken
  bool        pending_ = false;
};

}  // namespace

const char* name_of(compression data) noexcept {
  switch (data) {
    case compression::none: break;
    case compression::gzip: return "gzip";
    case compression::bzip2: return "bzip2";
    case compression::zstd: return "zstd";
    case compression::xz: return "xz";
    case compression::zip: return "zip";
  }
  return "no";
}

compression_guess guess_compression(std::string_view head) noexcept {
  bool decided = true;
  for (const magic& one : magics) {
    if (!agrees(head, one.bytes)) continue;
    if (head.size() >= one.bytes.size()) return {one.data, true};
    decided = false;
  }
  return {compression::none, decided};
}

std::unique_ptr<decompressor> make_decompressor(compression data) {
  switch (data) {
    case compression::gzip: return std::make_unique<gzip>();
    case compression::bzip2: return std::make_unique<bzip2>();
    case compression::zstd: return std::make_unique<zstd>();
    case compression::none:
    case compression::xz:
    case compression::zip: break;
  }
  return nullptr;
}

}  // namespace utfcat
