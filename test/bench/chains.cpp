// chains.cpp: filters in chains of Boost.Iostreams. The chains read from memory, or write to a sink that discards the
// text, one chunk at a time.
#include "filters.hpp"

#include "support/text_filter_rows.hpp"

#include <boost/iostreams/code_converter.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/newline.hpp>
#include <boost/iostreams/stream.hpp>

#include <algorithm>
#include <cwchar>
#include <locale>
#include <vector>

namespace bench {
namespace {

namespace io = boost::iostreams;

template <class Push>
action reading(std::string_view in, Push push) {
  return [=](verifier* seen) {
    io::filtering_istream chain;
    push(chain);
    chain.push(io::array_source(in.data(), in.size()));
    drain(chain, seen);
  };
}

template <class Push>
action writing(std::string_view in, Push push) {
  return [=](verifier* seen) {
    io::filtering_ostream chain;
    push(chain);
    chain.push(sink{seen});
    chain.exceptions(std::ios::badbit);
    for (std::size_t at = 0; at < in.size(); at += chunk)
      chain.write(in.data() + at, static_cast<std::streamsize>(std::min(chunk, in.size() - at)));
    chain.reset();
  };
}

/// The facet for Boost's code_converter, which decodes only to wider characters.
struct utf8_facet : std::codecvt<char32_t, char, std::mbstate_t> {};

void add_code_converter(const task& t, std::string_view in) {
  t.add("code_converter, to char32_t", [=](verifier* seen) {
    io::stream<io::code_converter<io::array_source, utf8_facet>> stream(io::array_source(in.data(), in.size()));
    static std::vector<char32_t> buffer(chunk);
    while (stream.read(buffer.data(), chunk), stream.gcount() != 0) {
      for (std::streamsize i = 0; seen != nullptr && i != stream.gcount(); ++i) {
        std::mbstate_t state{};
        const char32_t* from = buffer.data() + i;
        char bytes[4], *end;
        utf8_facet().out(state, from, from + 1, from, bytes, bytes + 4, end);
        (*seen)(bytes, static_cast<std::size_t>(end - bytes));
      }
    }
  });
}

/// Whether a change passes the whole text. Of a text that has what it changes this is soon known to be false.
template <class Change>
bool is_unchanged(std::string_view in, const Change& change) {
  utfilter::codec_decoder text{utfilter::text_codec(change)};
  std::vector<char> out(chunk);
  while (true) {
    const utfilter::codec_progress done = text.convert(in.data(), in.size(), out.data(), out.size(), true);
    if (std::string_view(out.data(), done.produced) != in.substr(0, done.consumed)) return false;
    if (done.status != utfilter::codec_status::need_output) return done.status == utfilter::codec_status::done;
    in.remove_prefix(done.consumed);
  }
}

/// Filters that change text. Most of it needs no change.
void add_text_filters(const corpus& c) {
  const std::string_view in = c.memory.utf8;
  const task same{"read a chain that changes text", c.name, in.size(), in};
  const auto add = [&](const task& read, const char* who, auto filter) {
    read.add(who, reading(in, [=](auto& chain) { chain.push(filter); }));
  };
  add(same, "utf8_validator", utfilter::utf8_validator());
  add(same, "inspect_text", utfilter::inspect_text());
  add(same, "newline_filter of Boost, LF", io::newline_filter(io::newline::posix));
  text_filters::for_each_change([&](const char* who, const auto& change, const auto&...) {
    if (is_unchanged(in, change)) add(same, who, utfilter::text_filter(change));
  });
  // The random text has characters that this filter escapes.
  if (c.name != "random") add(same, "escape_controls", utfilter::escape_controls());
  utfilter::line_rules aside;
  aside.policy = utfilter::line_policy::put_aside;
  aside.sink = [](const utfilter::odd_line&) {};
  add(same, "to_utf8_lines, putting aside", utfilter::to_utf8_lines(utfilter::encoding::utf8, aside));

  static std::string windows;
  windows.clear();
  for (const char one : in) windows.append(one == '\n' ? "\r\n" : std::string(1, one));
  const task to_windows{"read a chain that makes CR LF of LF", c.name, in.size(), windows};
  add(to_windows, "convert_newlines", utfilter::convert_newlines(utfilter::newline::crlf));
  add(to_windows, "newline_filter of Boost", io::newline_filter(io::newline::dos));
}

}  // namespace

void add_chains(const corpus& c) {
  const std::string_view utf8 = c.memory.utf8, utf16 = c.memory.utf16le;
  const auto read_identity = [](auto& chain) { chain.push(identity_filter()); };

  const task read{"read a chain", c.name, utf8.size(), utf8}, write{"write a chain", c.name, utf8.size(), utf8};
  for_each_validator([&](const char* who, auto push) {
    read.add(who, reading(utf8, push));
    write.add(who, writing(utf8, push));
  });
  add_code_converter(read, utf8);

  const task read16{"read a chain, UTF-16LE to UTF-8", c.name, utf16.size(), utf8};
  const task write16{"write a chain, UTF-16LE to UTF-8", c.name, utf16.size(), utf8};
  const auto both = [&](const char* who, auto push) {
    read16.add(who, reading(utf16, push));
    write16.add(who, writing(utf16, push));
  };
  both("utf16_to_utf8", [](auto& chain) { chain.push(utfilter::utf16_to_utf8(utfilter::encoding::utf16le)); });
#ifdef UTFILTER_BENCH_SIMDUTF
  both("simdutf filter", [](auto& chain) { chain.push(simdutf_utf16le_to_utf8()); });
#endif
  // The identity filter passes UTF-16 on unchanged.
  task read_same = read16, write_same = write16;
  read_same.expected = write_same.expected = utf16;
  read_same.add("identity filter", reading(utf16, read_identity));
  write_same.add("identity filter", writing(utf16, read_identity));

  add_text_filters(c);

  // Text with an error after each hundred bytes.
  const std::string_view clean = utf8.substr(0, utfilter::complete_prefix(utf8.substr(0, utf8.size() / 4)));
  static std::string dirty, without;
  dirty = damaged(clean, 100);
  without = repaired(clean, 100);
  const task repair{"read a chain, repairing an error every 100 bytes", c.name, dirty.size(), without};
  repair.add("utf8_validator",
             reading(dirty, [](auto& chain) { chain.push(utfilter::utf8_validator(utfilter::on_error::replace)); }));
}

}  // namespace bench
