// cxx20.cpp: the headers in C++20: they compile, and params can be written with designated initialisers.
#include <utfilter/utfilter.hpp>

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/stream_source.hpp>
#include <utfilter/text.hpp>

utfilter::to_utf8 all_members_named() {
  return utfilter::to_utf8(utfilter::encoding::detect, {.on_error = utfilter::on_error::replace,
                                                        .bom = utfilter::bom::strip,
                                                        .fallback = utfilter::encoding::windows1252,
                                                        .replacement = "?",
                                                        .error_limit = 100,
                                                        .observer = [](const utfilter::error_info&) {}});
}

utfilter::from_utf8 one_member_named() {
  return utfilter::from_utf8(utfilter::encoding::utf16, {.bom = utfilter::bom::keep});
}

// Every function that takes params accepts designated initialisers.
void members_named_everywhere(std::istream& in, std::ostream& out, std::streambuf& buffer) {
  using namespace utfilter;
  constexpr auto skip = on_error::skip;
  const control_escaper codec;

  utf8_validator({.on_error = skip});
  to_utf8({.on_error = skip});
  to_utf8(encoding::utf8, {.on_error = skip});
  utf16_to_utf8({.on_error = skip});
  utf16_to_utf8(encoding::utf16le, {.on_error = skip});
  from_utf8(encoding::utf16, {.on_error = skip});
  bom_filter({.bom = bom::add});
  bom_filter(bom::add, {.error_limit = 1});
  bom_filter(bom::add, encoding::utf16, {.error_limit = 1});
  escape_controls({.on_error = skip});
  escape_controls({.style = escape_style::json}, {.on_error = skip});
  control_escaper({.tab = true});
  printable("text", {.limit = 100});
  codec_filter<control_escaper>({.on_error = skip});
  codec_filter(codec, {.on_error = skip});

  decoder({.on_error = skip});
  decoder(encoding::utf8, {.on_error = skip});
  encoder(encoding::utf8, {.on_error = skip});
  conversion(codec, {.on_error = skip});

  utfilter::istream(in, {.on_error = skip});
  utfilter::istream(in, encoding::utf8, {.on_error = skip});
  utfilter::ostream(out, {.on_error = skip});
  utfilter::wistream(in, {.on_error = skip});
  utfilter::wistream(in, encoding::utf8, {.on_error = skip});
  utfilter::wostream(out, {.on_error = skip});
  utfilter::wostream(out, encoding::utf8, {.on_error = skip});
  utfilter::ostream(out, encoding::utf8, {.on_error = skip});
  codec_istreambuf(buffer, encoding::utf8, {.on_error = skip});
  line_reader(buffer, {.on_error = skip});
  line_reader(buffer, {.on_error = skip}, 100);
  line_reader(buffer, encoding::utf8, {.on_error = skip}, 100);
  codec_ostreambuf(buffer, encoding::utf8, {.on_error = skip}, 16);
  codec_ostreambuf(buffer, codec, {.on_error = skip}, 16);
  scoped_filter(out, {.on_error = skip});
  scoped_filter(out, {.on_error = skip}, encoding::utf8);
  codec_scoped_filter(out, codec, {.on_error = skip});

  utfilter::ifstream("in.txt", {.on_error = skip});
  utfilter::ifstream("in.txt", encoding::utf8, {.on_error = skip}, std::ios::ate);
  range_streambuf("in.txt", {0, 1}, {.on_error = skip});
  range_streambuf("in.txt", {0, 1}, encoding::utf8, {.on_error = skip});
  range_source("in.txt", {.begin = 0, .end = 1}, {.on_error = skip});
  range_source("in.txt", {0, 1}, encoding::utf8, {.on_error = skip});
  follow_streambuf("in.txt", {.offset = 1, .polls = true});
  follow_source("in.txt", {.offset = 1});
  utfilter::wifstream("in.txt", {.on_error = skip});
  utfilter::wifstream("in.txt", encoding::utf8, {.on_error = skip}, std::ios::ate);
  utfilter::wofstream("out.txt", {.on_error = skip});
  utfilter::wofstream("out.txt", encoding::utf8, {.on_error = skip}, std::ios::app);
  utfilter::ofstream("out.txt", {.on_error = skip});
  utfilter::ofstream("out.txt", encoding::utf8, {.on_error = skip}, std::ios::app);
  read_file("in.txt", {.on_error = skip});
  read_file("in.txt", encoding::utf8, {.on_error = skip});
}

bool errors_compare(const std::error_code& code) {
  using utfilter::errc;
  return code == errc::overlong && errc::overlong == code && code != errc::surrogate && errc::surrogate != code &&
         code == make_error_code(errc::overlong) && code == std::errc::illegal_byte_sequence;
}
