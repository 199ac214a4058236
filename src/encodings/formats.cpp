// formats.cpp: the first bytes of formats that are no text.
//
// A row stands here only if no text begins like that. So the frames of MP3 have none: "ÿû" is "яы" in windows-1251. What
// has zero bytes or many control characters needs no row, as guess.cpp knows it for data; but a small file may have few.
#include "encodings/formats.hpp"

#include <cstddef>
#include <string_view>

namespace utfilter::detail {
namespace {

using namespace std::string_view_literals;

/// Bytes at the start of a file, and others at a place behind them (none: empty).
struct format {
  std::string_view name;
  std::string_view bytes;
  std::size_t place = 0;
  std::string_view others = {};

  bool is_of(std::string_view start) const noexcept {
    return start.substr(0, bytes.size()) == bytes &&
           (others.empty() || (start.size() > place && start.substr(place, others.size()) == others));
  }
};

constexpr format formats[] = {
    // Documents
    {"PDF", "%PDF-"sv},
    {"PostScript", "%!PS"sv},
    {"PostScript", "\xC5\xD0\xD3\xC6"sv},  // with a preview
    {"PostScript font", "\x80\1"sv, 6, "%!"sv},
    {"DVI", "\xF7\2\1\x83\x92\xC0\x1C\x3B"sv},
    {"OLE document", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv},  // of Word, Excel, Outlook and others before 2007
    {"DjVu", "AT&TFORM"sv, 12, "DJV"sv},
    {"SQLite", "SQLite format 3\0"sv},
    // Pictures
    {"PNG", "\x89PNG\x0D\x0A\x1A\x0A"sv},
    {"GIF", "GIF87a"sv},
    {"GIF", "GIF89a"sv},
    {"JPEG", "\xFF\xD8\xFF"sv},
    {"JPEG XL", "\0\0\0\x0CJXL \x0D\x0A\x87\x0A"sv},
    {"JPEG 2000", "\0\0\0\x0CjP  \x0D\x0A\x87\x0A"sv},
    {"TIFF", "II*\0"sv},
    {"TIFF", "MM\0*"sv},
    {"WebP", "RIFF"sv, 8, "WEBP"sv},
    {"Photoshop document", "8BPS\0\1"sv},
    // Sound and film
    {"MPEG", "\0\0\1\xBA"sv},
    {"MPEG", "\0\0\1\xB3"sv},
    {"MP3", "ID3\2"sv},
    {"MP3", "ID3\3"sv},
    {"MP3", "ID3\4"sv},
    {"WAV", "RIFF"sv, 8, "WAVE"sv},
    {"AVI", "RIFF"sv, 8, "AVI "sv},
    {"AIFF", "FORM"sv, 8, "AIF"sv},
    {"Ogg", "OggS\0"sv},
    {"FLAC", "fLaC\0"sv},
    {"MIDI", "MThd\0\0\0\6"sv},
    {"MP4", ""sv, 4, "ftyp"sv},
    {"Matroska", "\x1A\x45\xDF\xA3"sv},
    {"Windows Media", "\x30\x26\xB2\x75\x8E\x66\xCF\x11"sv},
    {"Flash video", "FLV\1"sv},
    // Archives and compressed data
    {"zip", "PK\3\4"sv},
    {"zip", "PK\5\6"sv},
    {"zip", "PK\7\x08"sv},
    {"gzip", "\x1F\x8B\x08"sv},
    {"bzip2", "BZh"sv, 4, "1AY&SY"sv},
    {"bzip2", "BZh"sv, 4, "\x17\x72\x45\x38\x50\x90"sv},
    {"xz", "\xFD"
           "7zXZ\0"sv},
    {"lzma", "\x5D\0\0"sv, 5, "\xFF\xFF\xFF\xFF"sv},
    {"zstd", "\x28\xB5\x2F\xFD"sv},
    {"lz4", "\x04\x22\x4D\x18"sv},
    {"lzip", "LZIP\1"sv},
    {"lzop", "\x89LZO\0\x0D\x0A\x1A\x0A"sv},
    {"compress", "\x1F\x9D"sv},
    {"pack", "\x1F\x1E"sv},
    {"7-Zip", "7z\xBC\xAF\x27\x1C"sv},
    {"RAR", "Rar!\x1A\7"sv},
    {"cabinet", "MSCF\0\0\0\0"sv},
    {"ar archive", "!<arch>\n"sv},
    {"tar", ""sv, 257, "ustar"sv},
    {"RPM", "\xED\xAB\xEE\xDB"sv},
    // Programs and their data
    {"ELF", "\x7F"
            "ELF"sv},
    {"Java class or program of macOS", "\xCA\xFE\xBA\xBE"sv},
    {"program of macOS", "\xFE\xED\xFA\xCE"sv},
    {"program of macOS", "\xFE\xED\xFA\xCF"sv},
    {"program of macOS", "\xCE\xFA\xED\xFE"sv},
    {"program of macOS", "\xCF\xFA\xED\xFE"sv},
    {"WebAssembly", "\0asm"sv},
    {"LLVM bitcode", "BC\xC0\xDE"sv},
    {"gettext catalogue", "\xDE\x12\x04\x95"sv},
    {"gettext catalogue", "\x95\x04\x12\xDE"sv},
    // Fonts
    {"TrueType font", "\0\1\0\0\0"sv},
    {"OpenType font", "OTTO\0"sv},
    {"TrueType font", "ttcf\0"sv},
    {"web font", "wOFF"sv, 9, "\0"sv},
    {"web font", "wOF2"sv, 9, "\0"sv},
};

}  // namespace

std::string_view format_of(std::string_view start) noexcept {
  for (const format& one : formats)
    if (one.is_of(start)) return one.name;
  return {};
}

}  // namespace utfilter::detail
