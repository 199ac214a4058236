// typed.cpp: strings of code units (convert.hpp), against simdutf with a string of known size, and wide streams, against
// std::wbuffer_convert.
#include "bench.hpp"

#include <utfilter/convert.hpp>
#include <utfilter/wide_stream.hpp>

#ifdef UTFILTER_BENCH_SIMDUTF
#  include <simdutf.h>
#endif

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/stream_buffer.hpp>

#include <algorithm>
#include <codecvt>
#include <istream>
#include <locale>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bench {
namespace {

/// Pieces of `size` bytes of UTF-8 or a little more: each ends where a character ends. The last one may be shorter.
std::vector<std::string_view> pieces_of(std::string_view text, std::size_t size) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    std::size_t end = std::min(size, text.size());
    while (end != text.size() && (text[end] & 0xC0) == 0x80) ++end;
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return pieces;
}

template <class String>
void show(verifier* seen, const String& s) {
  if (seen != nullptr) (*seen)(reinterpret_cast<const char*>(s.data()), s.size() * sizeof(typename String::value_type));
}

// UTF-16LE are the bytes of a std::u16string only on a little-endian machine.
void add_strings(const corpus& c, const std::string& size, const std::vector<std::string_view>& pieces) {
  std::vector<std::u16string> in16;
  for (const std::string_view& piece : pieces)
    in16.push_back(utfilter::to_u16string(piece, utfilter::on_error::strict));
  const task to16{"to_u16string, " + size, c.name, c.hot8.utf8.size(), c.hot8.utf16le};
  const task to8{"to_utf8_string, " + size, c.name, c.hot8.utf16le.size(), c.hot8.utf8};
  to16.add("utfilter", [pieces](verifier* seen) {
    for (const std::string_view& piece : pieces) show(seen, utfilter::to_u16string(piece));
  });
  to8.add("utfilter", [in16](verifier* seen) {
    for (const std::u16string& piece : in16) show(seen, utfilter::to_utf8_string(piece));
  });
#ifdef UTFILTER_BENCH_SIMDUTF
  const simdutf::implementation* const with = simdutf::get_active_implementation();
  std::vector<std::size_t> sizes16;
  for (const std::u16string& piece : in16) sizes16.push_back(piece.size());
  to16.add("simdutf", [=](verifier* seen) {
    for (std::size_t i = 0; i != pieces.size(); ++i) {
      std::u16string made(sizes16[i], u'\0');
      if (with->convert_utf8_to_utf16le(pieces[i].data(), pieces[i].size(), made.data()) == 0)
        throw std::runtime_error("simdutf: the text is ill-formed");
      show(seen, made);
    }
  });
  to8.add("simdutf", [=](verifier* seen) {
    for (std::size_t i = 0; i != pieces.size(); ++i) {
      std::string made(pieces[i].size(), '\0');
      if (with->convert_utf16le_to_utf8(in16[i].data(), in16[i].size(), made.data()) == 0)
        throw std::runtime_error("simdutf: the text is ill-formed");
      show(seen, made);
    }
  });
#endif
}

using array_buffer = boost::iostreams::stream_buffer<boost::iostreams::array_source>;

void drain(std::wistream& in, verifier* seen) {
  static std::vector<wchar_t> buffer(chunk);
  while (in.read(buffer.data(), chunk), in.gcount() != 0)
    if (seen != nullptr)
      (*seen)(reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(in.gcount()) * sizeof(wchar_t));
  if (in.bad()) throw std::runtime_error("a wide stream failed");
}

void add_wide_streams(const corpus& c, const encoded_text& text) {
  const std::string_view in = text.utf8;
  const task read{"read a wide stream, hot", c.name, in.size(), text.other};
  read.add("utfilter::wistream", [in](verifier* seen) {
    array_buffer bytes(in.data(), in.size());
    std::istream narrow(&bytes);
    utfilter::wistream wide(narrow, utfilter::encoding::utf8);
    drain(wide, seen);
  });
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  read.add("std::wbuffer_convert", [in](verifier* seen) {
    array_buffer bytes(in.data(), in.size());
    // Fills the buffer. As long as in_avail() is 0, libstdc++'s wbuffer_convert takes one byte at a time; if that is only
    // a part of a character, read() then writes before its memory.
    bytes.sgetc();
    std::wbuffer_convert<std::codecvt_utf8<wchar_t>> converted(&bytes);
    std::wistream wide(&converted);
    drain(wide, seen);
  });
#pragma GCC diagnostic pop
}

}  // namespace

void add_typed(const corpus& c) {
  add_strings(c, "128 KiB", {c.hot8.utf8});
  add_strings(c, "64 bytes", pieces_of(c.hot8.utf8, 64));
  for (const encoded_text& text : c.encoded)
    if (text.name == "UTF-32LE") add_wide_streams(c, text);
}

}  // namespace bench
