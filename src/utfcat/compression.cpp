// compression.cpp: decompresses with the engines of Boost.Iostreams' own decompressors.
//
// The filters of Boost.Iostreams do not suffice. They read on until their caller's buffer is full, lose the text in the
// buffer if the data turns out to be damaged, and do not notice that zstd data is truncated. This file calls the
// engines of these filters directly: models of Boost.Iostreams' SymmetricFilter. Even an engine that throws shows how
// much it has read and written before (except zstd's, see below).
#include "compression.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#ifndef UTFCAT_WITHOUT_XZ
#  include <boost/iostreams/filter/lzma.hpp>
#endif
#ifndef UTFCAT_WITHOUT_ZSTD
#  include "zstd_frames.hpp"

#  include <boost/iostreams/filter/zstd.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace io = boost::iostreams;
using namespace std::string_view_literals;

namespace utfcat {
namespace {

struct magic {
  compression data;
  std::string_view bytes;
  std::size_t place = 64;  // the byte here may have any value from `bytes[place]` to `last`; 64: no such byte
  char last = 0;
};
constexpr magic magics[] = {
    {compression::gzip, "\x1F\x8B\x08"sv},         // RFC 1952 section 2.3; 8 is deflate, the only method
    {compression::bzip2, "BZh11AY&SY"sv, 3, '9'},  // a first block
    {compression::bzip2, "BZh1\x17\x72\x45\x38\x50\x90"sv, 3, '9'},  // the end mark: there is no data
    {compression::zstd, "\x28\xB5\x2F\xFD"sv},                       // RFC 8878 section 3.1.1
    {compression::zstd, "\x50\x2A\x4D\x18"sv, 0, '\x5F'},            // a skippable frame, section 3.1.2
    {compression::xz, "\xFD"
                      "7zXZ\0"sv},
    {compression::zip, "PK\3\4"sv},
    {compression::zip, "PK\5\6"sv},    // an archive without files
    {compression::zip, "PK\7\x08"sv},  // an archive in several parts
    {compression::seven_zip, "7z\xBC\xAF\x27\x1C"sv},
    {compression::rar, "Rar!\x1A\7"sv},
    {compression::cabinet, "MSCF\0\0\0\0"sv},
    {compression::lzma, "\x5D\0\0\x04\0"sv, 3, '\x80'},  // the settings of xz -0 to -6 (in UTF-32 that byte is 0)
    {compression::lzma, "\x5D\0\0\0\1\xFF\xFF\xFF\xFF"sv, 4, 4},  // and of xz -7 to -9
    {compression::lzip, "LZIP\1"sv},
    {compression::lzop, "\x89LZO\0\x0D\x0A\x1A\x0A"sv},
    {compression::lz4, "\x04\x22\x4D\x18"sv},
    {compression::lz4, "\x02\x21\x4C\x18"sv},              // the first format of lz4
    {compression::compress, "\x1F\x9D\x89"sv, 2, '\x90'},  // codes of 9 to 16 bits, in block mode
    {compression::pack, "\x1F\x1E"sv},
    {compression::snappy, "\xFF\6\0\0sNaPpY"sv}};

/// Whether the text begins with the magic number. If the text is shorter, only that many bytes are compared.
bool agrees(std::string_view text, const magic& one) noexcept {
  const auto value = [](char c) { return static_cast<unsigned char>(c); };
  for (std::size_t i = 0; i < std::min(text.size(), one.bytes.size()); ++i) {
    const unsigned char last = value(i == one.place ? one.last : one.bytes[i]);
    if (value(text[i]) < value(one.bytes[i]) || value(text[i]) > last) return false;
  }
  return true;
}

class gzip : public decompressor {
 public:
  damage run(const char*& in, const char* in_end, char*& out, char* out_end) override {
    while (true) {
      // One member may follow another. As in gzip(1), zeros may follow a member: they fill a block of a tape.
      if (between_members_) {
        in = std::find_if(in, in_end, [](char byte) { return byte != 0; });
        if (in == in_end) return damage::none;
        if (*in != '\x1F') return damage::foreign;
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
    const char* in = "";
    char room;
    char* out = &room;
    return !engine_.filter(in, in, out, out, false);
  }

 private:
  io::detail::bzip2_decompressor_impl<> engine_{false};
};

#ifndef UTFCAT_WITHOUT_ZSTD
/// The engine goes on to the next frame by itself. Unlike the other engines, it does not show how much it wrote before
/// it threw. So it gets at most one field of a frame at a time, and only after all output before the field is written.
class zstd : public decompressor {
 public:
  damage run(const char*& in, const char* in_end, char*& out, char* out_end) override {
    try {
      do {
        const auto there = static_cast<std::uint64_t>(in_end - in);
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
  zstd_frames frames_;    // follows the data that the engine has taken
  bool pending_ = false;  // the output was full: the engine may have more output
};
#endif

#ifndef UTFCAT_WITHOUT_XZ
/// The engine goes on to the next stream by itself, and skips the zeros between streams.
class xz : public decompressor {
 public:
  damage run(const char*& in, const char* in_end, char*& out, char* out_end) override {
    try {
      engine_.filter(in, in_end, out, out_end, false);
    } catch (const io::lzma_error& error) {
      // If the output was full, the engine is called again, and perhaps has nothing left to do: not an error.
      if (error.error() != io::lzma::buf_error)
        return error.error() == memory_limit ? damage::too_large : damage::corrupt;
    }
    return damage::none;
  }

  bool complete() override {
    const char* in = "";
    char room;
    char* out = &room;
    try {
      return !engine_.filter(in, in, out, out + 1, true);
    } catch (const io::lzma_error&) {
      return false;
    }
  }

 private:
  static constexpr int memory_limit = 6;  // LZMA_MEMLIMIT_ERROR

  io::detail::lzma_decompressor_impl<> engine_;
};
#endif

struct kind {
  compression data;
  std::string_view name;
  std::string_view command;
};
constexpr kind kinds[] = {{compression::gzip, "gzip", "gzip -dc"},
                          {compression::bzip2, "bzip2", "bzip2 -dc"},
                          {compression::zstd, "zstd", "zstd -dc"},
                          {compression::xz, "xz", "xz -dc"},
                          {compression::zip, "zip", "unzip -p"},
                          {compression::seven_zip, "7z", "7z e -so"},
                          {compression::rar, "rar", "unrar p -inul"},
                          {compression::cabinet, "cabinet", "cabextract -p"},
                          {compression::lzma, "lzma", "xz -dc"},
                          {compression::lzip, "lzip", "lzip -dc"},
                          {compression::lzop, "lzop", "lzop -dc"},
                          {compression::lz4, "lz4", "lz4 -dc"},
                          {compression::compress, "compress", "gzip -dc"},
                          {compression::pack, "pack", "gzip -dc"},
                          {compression::snappy, "snappy", ""}};

const kind& kind_of(compression data) noexcept {
  static constexpr kind none{compression::none, "no", ""};
  const kind* const found =
      std::find_if(std::begin(kinds), std::end(kinds), [data](const kind& one) { return one.data == data; });
  return found != std::end(kinds) ? *found : none;
}

}  // namespace

std::string_view name_of(compression data) noexcept { return kind_of(data).name; }

std::string_view command_for(compression data) noexcept { return kind_of(data).command; }

compression_guess guess_compression(std::string_view head) noexcept {
  bool decided = true;
  for (const magic& one : magics) {
    if (!agrees(head, one)) continue;
    if (head.size() >= one.bytes.size()) return {one.data, true};
    decided = false;
  }
  return {compression::none, decided};
}

bool can_decompress(compression data) noexcept {
  switch (data) {
    case compression::gzip:
    case compression::bzip2:
#ifndef UTFCAT_WITHOUT_ZSTD
    case compression::zstd:
#endif
#ifndef UTFCAT_WITHOUT_XZ
    case compression::xz:
#endif
      return true;
    default: return false;
  }
}

std::unique_ptr<decompressor> make_decompressor(compression data) {
  switch (data) {
    case compression::gzip: return std::make_unique<gzip>();
    case compression::bzip2: return std::make_unique<bzip2>();
#ifndef UTFCAT_WITHOUT_ZSTD
    case compression::zstd: return std::make_unique<zstd>();
#endif
#ifndef UTFCAT_WITHOUT_XZ
    case compression::xz: return std::make_unique<xz>();
#endif
    default: return nullptr;
  }
}

}  // namespace utfcat
