// binary_test.cpp: data that is no text is told from text, and UTF-8 from legacy text.
// build: portable
#define BOOST_TEST_MODULE binary
#include "support/texts.hpp"

#include <utfilter/binary.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/text.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

using namespace utfilter;
using namespace std::string_literals;

namespace {

/// Text of so many bytes, which only its first bytes make another thing.
std::string before_text(const std::string& start, std::size_t size = 300) {
  return start + std::string(size - start.size(), 'a');
}

std::string at(std::size_t place, const std::string& bytes) { return std::string(place, 'b') + bytes; }

}  // namespace

// The first bytes are those that the specification of each format has, or file(1) knows.
BOOST_AUTO_TEST_CASE(formats_are_known_by_their_first_bytes) {
  const std::pair<const char*, std::string> known[] = {
      {"PDF", "%PDF-1.7\n"},
      {"PostScript", "%!PS-Adobe-3.0\n"},
      {"PostScript", "\xC5\xD0\xD3\xC6\x1E"},
      {"PostScript font", "\x80\x01\x12\x34\x01\x01%!PS-AdobeFont"},
      {"DVI", "\xF7\x02\x01\x83\x92\xC0\x1C\x3B"},
      {"OLE document", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"},
      {"DjVu", "AT&TFORM\1\1\1\1DJVM"},
      {"SQLite", "SQLite format 3\0"s},
      {"PNG", "\x89PNG\r\n\x1A\n"},
      {"GIF", "GIF87a"},
      {"GIF", "GIF89a"},
      {"JPEG", "\xFF\xD8\xFF\xE0"},
      {"JPEG XL", "\0\0\0\x0CJXL \r\n\x87\n"s},
      {"JPEG 2000", "\0\0\0\x0CjP  \r\n\x87\n"s},
      {"TIFF", "II*\0"s},
      {"TIFF", "MM\0*"s},
      {"WebP", "RIFF\1\1\1\1WEBPVP8 "},
      {"Photoshop document", "8BPS\0\1"s},
      {"MPEG", "\0\0\1\xBA"s},
      {"MPEG", "\0\0\1\xB3"s},
      {"MP3", "ID3\2"},
      {"MP3", "ID3\3"},
      {"MP3", "ID3\4"},
      {"WAV", "RIFF\1\1\1\1WAVEfmt "},
      {"AVI", "RIFF\1\1\1\1AVI LIST"},
      {"AIFF", "FORM\1\1\1\1AIFF"},
      {"Ogg", "OggS\0"s},
      {"FLAC", "fLaC\0"s},
      {"MIDI", "MThd\0\0\0\6"s},
      {"MP4", "\1\1\1\1ftypisom"},
      {"Matroska", "\x1A\x45\xDF\xA3"},
      {"Windows Media", "\x30\x26\xB2\x75\x8E\x66\xCF\x11"},
      {"Flash video", "FLV\1"},
      {"zip", "PK\3\4"},
      {"zip", "PK\5\6"},
      {"zip", "PK\7\x08"},
      {"gzip", "\x1F\x8B\x08"},
      {"bzip2", "BZh91AY&SY"},
      {"bzip2", "BZh1\x17\x72\x45\x38\x50\x90"},
      {"xz", "\xFD\x37zXZ\0"s},
      {"lzma", "\x5D\0\0\x80\0\xFF\xFF\xFF\xFF"s},
      {"zstd", "\x28\xB5\x2F\xFD"},
      {"lz4", "\x04\x22\x4D\x18"},
      {"lzip", "LZIP\1"},
      {"lzop", "\x89LZO\0\r\n\x1A\n"s},
      {"compress", "\x1F\x9D"},
      {"pack", "\x1F\x1E"},
      {"7-Zip", "7z\xBC\xAF\x27\x1C"},
      {"RAR", "Rar!\x1A\7"},
      {"cabinet", "MSCF\0\0\0\0"s},
      {"ar archive", "!<arch>\n"},
      {"tar", at(257, "ustar")},
      {"RPM", "\xED\xAB\xEE\xDB"},
      {"ELF", "\x7F\x45LF"},
      {"Java class or program of macOS", "\xCA\xFE\xBA\xBE"},
      {"program of macOS", "\xFE\xED\xFA\xCE"},
      {"program of macOS", "\xFE\xED\xFA\xCF"},
      {"program of macOS", "\xCE\xFA\xED\xFE"},
      {"program of macOS", "\xCF\xFA\xED\xFE"},
      {"WebAssembly", "\0asm"s},
      {"LLVM bitcode", "BC\xC0\xDE"},
      {"gettext catalogue", "\xDE\x12\x04\x95"},
      {"gettext catalogue", "\x95\x04\x12\xDE"},
      {"TrueType font", "\0\1\0\0\0"s},
      {"OpenType font", "OTTO\0"s},
      {"TrueType font", "ttcf\0"s},
      {"web font", "wOFF\0\1\0\0\0\0"s},
      {"web font", "wOF2OTTO\0\0"s},
  };
  for (const auto& [name, start] : known) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(binary_format(before_text(start)) == name);
      BOOST_TEST(binary_format(start) == name);
      BOOST_TEST((guess_encoding(before_text(start)).encoding == encoding::detect));
      BOOST_TEST(binary_format("\xEF\xBB\xBF" + before_text(start)) == "");  // a byte order mark shows text
      BOOST_TEST(binary_format(before_text(" " + start)) != name);
    }
  }
}

BOOST_AUTO_TEST_CASE(texts_that_begin_nearly_so_are_texts) {
  for (const char* text : {"",
                           "a",
                           "PDF-",
                           "%PDF",
                           "%!",
                           "% PS",
                           "GIF",
                           "GIF89",
                           "ID3 tags are",
                           "RIFF is a format, WAVE",
                           "PK",
                           "BZh is no",
                           "{\\rtf1\\ansi caf\\'e9}",
                           "OTTO said",
                           "!<arch>",
                           "8BPS",
                           "FORM AIFF",
                           "OggS",
                           "MM",
                           "II*",
                           "\xFF\xFB",
                           "\xFF\xF2\xFC",
                           "\xFF\n",
                           "SQLite format 3",
                           "II*\n"})
    BOOST_TEST(binary_format(text) == "", text);
}

BOOST_AUTO_TEST_CASE(text_in_each_encoding_is_text) {
  const std::u32string text = U"Ein Satz, noch einer.\nUnd ein dritter Satz.\n";
  BOOST_TEST(binary_format(texts::utf8(text)) == "");
  BOOST_TEST(binary_format("caf\xE9 au lait\n") == "");
  BOOST_TEST(binary_format("\x1B$B$\"\x1B(B\n") == "");
  BOOST_TEST(binary_format("\x1B[31mred\x1B[0m\n") == "");
  BOOST_TEST(binary_format(texts::utf16le(text)) == "");
  BOOST_TEST(binary_format(texts::utf16be(text)) == "");
  BOOST_TEST(binary_format("\xFF\xFE" + texts::utf16le(text + U'\0' + text)) == "");
  BOOST_TEST(binary_format("\xEF\xBB\xBFtext\0text"s) == "");
  BOOST_TEST(binary_format("\xFF\xFE\0\0t\0\0\0"s) == "");
}

BOOST_AUTO_TEST_CASE(what_has_nul_is_data) {
  const std::u32string text = U"Ein Satz, noch einer.\n";
  BOOST_TEST(binary_format("text\0text"s) == "data");
  BOOST_TEST(binary_format("\0"s) == "data");
  BOOST_TEST(binary_format(std::string(5000, '\0')) == "data");
  BOOST_TEST(binary_format(texts::utf16le(text + U'\0' + text)) == "data");
  BOOST_TEST(binary_format(texts::utf16be(text + U'\0' + text)) == "data");
  BOOST_TEST(binary_format("t\0\0\0e\0\0\0x\0\0\0t\0\0\0"s) == "data");  // UTF-32 without a byte order mark
}

BOOST_AUTO_TEST_CASE(only_the_start_counts) {
  BOOST_TEST(binary_format(std::string(4096, 'a') + '\0') == "");
  BOOST_TEST(binary_format(std::string(4095, 'a') + '\0') == "data");
}

BOOST_AUTO_TEST_CASE(utf8_shows_itself_by_a_character_beyond_ascii) {
  for (const char* text : {"caf\u00E9", "\u00E9", "\U0001F600", "\uFEFF", "\u4F60\u597D"})
    BOOST_TEST(shows_utf8(text), text);
  for (const char* text :
       {"", "cafe", "\x7F", "caf\xE9", "caf\xC3", "\xC3\xA9\xE9", "\xC0\xAF", "\xED\xA0\x80\xED\xB0\x80"})
    BOOST_TEST(!shows_utf8(text), text);
}
