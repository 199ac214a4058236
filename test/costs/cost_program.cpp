// cost_program.cpp: measures the costs of common uses of the library, and prints a line of figures for each.
// cost_test.sh runs it under callgrind, which counts the instructions. It writes files to the working directory.
#include "costs/cost_counters.hpp"
#include "bench/corpora.hpp"

#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/flush.hpp>
#include <boost/iostreams/read.hpp>
#include <boost/iostreams/write.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <ios>
#include <istream>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;

// utfcat is linked into this program and has a main, too. The linker option --wrap=main makes the program begin here.
extern "C" int __real_main(int argc, char** argv);
extern "C" int __wrap_main();

namespace {

constexpr std::size_t size = 1 << 19;  // of a text, in bytes
constexpr std::size_t piece = 10'000;  // bytes that a user reads or writes at a time
constexpr std::size_t lines = 200;     // of at most 100 bytes each

/// Delivers as many bytes as it is asked for, as a file does.
struct text_source {
  using char_type = char;
  using category = io::source_tag;

  std::streamsize read(char* s, std::streamsize n) {
    count(&costs::reads);
    const uncounted here;
    if (rest.empty()) return -1;
    const std::size_t got = rest.copy(s, static_cast<std::size_t>(n));
    rest.remove_prefix(got);
    return static_cast<std::streamsize>(got);
  }
  std::string_view rest;
};

struct null_sink {
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};

  std::streamsize write(const char*, std::streamsize n) {
    count(&costs::writes);
    return n;
  }
  bool flush() {
    count(&costs::flushes);
    return true;
  }
};

/// Passes everything on: the least that a filter of a chain costs.
struct identity {
  using char_type = char;
  struct category : io::dual_use, io::filter_tag, io::multichar_tag, io::flushable_tag {};

  template <class Source>
  std::streamsize read(Source& source, char* s, std::streamsize n) {
    return io::read(source, s, n);
  }
  template <class Sink>
  std::streamsize write(Sink& sink, const char* s, std::streamsize n) {
    return io::write(sink, s, n);
  }
  template <class Sink>
  bool flush(Sink& sink) {
    return io::flush(sink);
  }
};

/// Stream buffers over the same devices, for streams without filters.
class text_streambuf : public std::streambuf {
 public:
  explicit text_streambuf(std::string_view text) : source_{text} {}

 protected:
  int_type underflow() override {
    const std::streamsize n = source_.read(buffer_, sizeof buffer_);
    setg(buffer_, buffer_, buffer_ + std::max<std::streamsize>(n, 0));
    return n < 0 ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

 private:
  text_source source_;
  char buffer_[4096];
};
class null_streambuf : public std::streambuf {
 protected:
  std::streamsize xsputn(const char* s, std::streamsize n) override { return sink_.write(s, n); }
  int_type overflow(int_type c) override {
    sink_.write(nullptr, 1);
    return traits_type::not_eof(c);
  }
  int sync() override {
    sink_.flush();
    return 0;
  }

 private:
  null_sink sink_;
};

void read_all(std::istream& in) {
  static std::vector<char> buffer(piece);
  while (in.read(buffer.data(), piece)) {
  }
}

void write_all(std::ostream& out, std::string_view text) {
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
    out.write(text.data(), static_cast<std::streamsize>(std::min(piece, text.size())));
}

void write_file(const char* name, std::string_view text) {
  std::ofstream(name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// Prints a line of costs.txt without the instructions. The action returns whether it worked.
template <class Action>
void measure(const std::string& name, std::size_t units, const char* unit, Action action) {
  bool worked = false;
  const costs seen = measured(name.c_str(), [&] { worked = action(); });
  if (!worked) {
    std::fprintf(stderr, "cost_program: this failed: %s\n", name.c_str());
    std::exit(1);
  }
  std::printf("%-42s %6zu %-6s %11zu %9zu %5zu %6zu %7zu %8.3f\n", name.c_str(), units, unit, seen.allocations,
              seen.allocated, seen.reads, seen.writes, seen.flushes,
              static_cast<double>(seen.copied) / static_cast<double>(units));
}

template <class Push>
void reading(const std::string& name, std::string_view text, Push push) {
  measure("read-" + name, text.size(), "bytes", [&] {
    io::filtering_istream in;
    push(in);
    in.push(text_source{text});
    read_all(in);
    return !in.bad();
  });
}

template <class Push>
void writing(const std::string& name, std::string_view text, Push push) {
  measure("write-" + name, text.size(), "bytes", [&] {
    io::filtering_ostream out;
    push(out);
    out.push(null_sink());
    write_all(out, text);
    const bool good = out.good();
    out.reset();
    return good;
  });
}

template <class Push>
void both(const std::string& name, std::string_view text, Push push) {
  reading(name, text, push);
  writing(name, text, push);
}

void texts(const std::string& corpus) {
  const bench::excerpt text(bench::make_corpus(corpus, size), size, bench::excerpt::form::utf16);
  both("utf8_validator-" + corpus, text.utf8, [](auto& chain) { chain.push(utf8_validator()); });
  both("utf16_to_utf8-" + corpus, text.utf16le, [](auto& chain) { chain.push(utf16_to_utf8(encoding::utf16le)); });
  both("to_utf8-" + corpus, text.utf8, [](auto& chain) { chain.push(to_utf8()); });
  both("from_utf8-" + corpus, text.utf8, [](auto& chain) { chain.push(from_utf8(encoding::utf16le)); });
}

/// Chains without a link between the filter and the device.
template <class Filter>
void composed(const std::string& name, std::string_view text, const Filter& filter) {
  measure("read-composed-" + name, text.size(), "bytes", [&] {
    io::filtering_istream in(io::compose(filter, text_source{text}));
    read_all(in);
    return !in.bad();
  });
  measure("write-composed-" + name, text.size(), "bytes", [&] {
    io::filtering_ostream out(io::compose(filter, null_sink()));
    write_all(out, text);
    const bool good = out.good();
    out.reset();
    return good;
  });
}

void errors(const std::string& latin) {
  const std::string dirty = bench::damaged(latin, 100);
  both("utf8_validator-errors", dirty, [](auto& chain) { chain.push(utf8_validator(on_error::replace)); });
  both("utf8_validator-equal-errors", std::string(size, '\xFF'),
       [](auto& chain) { chain.push(utf8_validator(on_error::replace)); });
  std::string foreign;
  while (foreign.size() != size) foreign += "\xE9\xE8";
  both("utf8_validator-adjoining-errors", foreign, [](auto& chain) { chain.push(utf8_validator(on_error::replace)); });
  both("escape_controls-adjoining-errors", foreign,
       [](auto& chain) { chain.push(escape_controls(on_error::replace)); });
  both("from_utf8-errors", dirty, [](auto& chain) { chain.push(from_utf8(encoding::utf16le, on_error::replace)); });
}

template <class Push>
void flushed_line(const std::string& name, std::string_view line, Push push) {
  const auto n = static_cast<std::streamsize>(line.size());
  io::filtering_ostream standing;
  push(standing);
  standing.push(null_sink());
  measure("write_line_and_flush-" + name, lines, "lines", [&] {
    for (std::size_t i = 0; i < lines; ++i) standing.write(line.data(), n).flush();
    return standing.good();
  });
}

template <class Push>
void one_line(const std::string& name, std::string_view line, Push push) {
  const auto n = static_cast<std::streamsize>(line.size());
  flushed_line(name, line, push);
  measure("build_write_line_close-" + name, lines, "chains", [&] {
    bool good = true;
    for (std::size_t i = 0; i < lines; ++i) {
      io::filtering_ostream out;
      push(out);
      out.push(null_sink());
      good = out.write(line.data(), n) && good;
      out.reset();
    }
    return good;
  });
  measure("build_read_line_close-" + name, lines, "chains", [&] {
    bool good = true;
    for (std::size_t i = 0; i < lines; ++i) {
      io::filtering_istream in;
      push(in);
      in.push(text_source{line});
      for (char block[500]; in.read(block, sizeof block);) {
      }
      good = good && !in.bad();
    }
    return good;
  });
}

std::string line_of(std::string_view text) {
  std::string line(text.substr(0, complete_prefix(text.substr(0, 99))));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line + '\n';
}

void four_pieces(std::ostream& out) {
  out << "request " << 7 << " from "
      << "somebody\n";
}

/// Measures an action on a line or a short string, many times.
template <class Action>
void repeat(const std::string& name, Action action) {
  measure(name, lines, "lines", [&] {
    bool good = true;
    for (std::size_t i = 0; i < lines; ++i) good = action() && good;
    return good;
  });
}

/// Strings of 64 bytes, beside a copy of one, and a printable of 60 bytes, beside the string itself.
void short_strings(const std::string& corpus) {
  std::string text = bench::make_corpus(corpus, size);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto start = [&](std::size_t n) {
    return text.substr(0, complete_prefix(std::string_view(text).substr(0, n)));
  };
  const std::string utf8 = start(64), shown = start(60);
  const std::u16string utf16 = to_u16string(utf8);
  const std::string utf16le(reinterpret_cast<const char*>(utf16.data()), 2 * utf16.size());
  repeat("string_64-copy-" + corpus, [&] { return std::string(utf8).size() == utf8.size(); });
  repeat("string_64-to_utf8_string_of_utf16-" + corpus, [&] { return to_utf8_string(utf16).size() == utf8.size(); });
  repeat("string_64-to_u16string-" + corpus, [&] { return to_u16string(utf8).size() == utf16.size(); });
  repeat("string_64-to_utf8_string_of_bytes-" + corpus,
         [&] { return to_utf8_string(utf8, encoding::utf8).size() == utf8.size(); });
  repeat("string_64-to_utf8_string_of_utf16le-" + corpus,
         [&] { return to_utf8_string(utf16le, encoding::utf16le).size() == utf8.size(); });

  null_streambuf sink;
  std::ostream out(&sink);
  repeat("print_60-string-" + corpus, [&] { return (out << shown).good(); });
  repeat("print_60-printable-" + corpus, [&] { return (out << printable(shown)).good(); });
}

/// Small operations on streams over `line`: each beside the stream of the standard library.
void short_streams(const std::string& line) {
  null_streambuf sink;
  const auto writing = [&](const std::string& name, auto& out) {
    repeat("write_line_and_flush-" + name, [&] { return (out << line << std::flush).good(); });
    repeat("write_pieces-" + name, [&] {
      four_pieces(out);
      return out.good();
    });
  };
  std::ostream plain(&sink);
  writing("std_ostream", plain);
  ostream out(&sink);
  writing("ostream", out);
  {
    const scoped_filter check(plain);
    writing("scoped_filter", plain);
  }
  repeat("build_write_line-std_ostream", [&] { return (std::ostream(&sink) << line).good(); });
  repeat("build_write_line-ostream", [&] { return (ostream(&sink) << line).good(); });
  std::string got;
  const auto read_line = [&](auto& in) { return std::getline(in, got) && got.size() + 1 == line.size(); };
  repeat("build_read_line-std_istream", [&] {
    text_streambuf text(line);
    std::istream in(&text);
    return read_line(in);
  });
  repeat("build_read_line-istream", [&] {
    text_streambuf text(line);
    istream in(&text);
    return read_line(in);
  });
}

void short_texts(std::string_view latin) {
  const std::string line = line_of(latin);
  one_line("no_filter", line, [](auto&) {});
  one_line("identity", line, [](auto& chain) { chain.push(identity()); });
  one_line("utf8_validator", line, [](auto& chain) { chain.push(utf8_validator()); });
  one_line("from_utf8", line, [](auto& chain) { chain.push(from_utf8(encoding::utf16le)); });
  for (const char* const corpus : {"ascii", "cjk"}) {
    const std::string other = line_of(bench::make_corpus(corpus, 4096));
    flushed_line("identity-" + std::string(corpus), other, [](auto& chain) { chain.push(identity()); });
    flushed_line("utf8_validator-" + std::string(corpus), other, [](auto& chain) { chain.push(utf8_validator()); });
  }
  const std::string dirty =
      "one bad byte, \xE9, stands in this line of ASCII, and it is repaired as U+FFFD by the filter\n";
  flushed_line("utf8_validator-error", dirty, [](auto& chain) { chain.push(utf8_validator(on_error::replace)); });
  short_streams(line);
}

void streams(const std::string& latin) {
  write_file("utf8", latin);
  std::string line;
  measure("getline-istream", latin.size(), "bytes", [&] {
    text_streambuf source(latin);
    istream in(&source);
    while (std::getline(in, line)) {
    }
    return !in.bad();
  });
  measure("getline-ifstream", latin.size(), "bytes", [&] {
    ifstream in("utf8");
    while (std::getline(in, line)) {
    }
    return !in.bad();
  });
  measure("read_file", latin.size(), "bytes", [&] { return read_file("utf8") == latin; });
  measure("write-ofstream", latin.size(), "bytes", [&] {
    ofstream out("/dev/null", encoding::utf16le);
    write_all(out, latin);
    out.close();
    return out.good();
  });
}

template <std::size_t N>
bool utfcat(const char* const (&arguments)[N]) {
  std::vector<char*> argv;
  for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
  argv.push_back(nullptr);
  return __real_main(N, argv.data()) == 0;
}

void command(const std::string& latin) {
  const bench::excerpt text(latin, size, bench::excerpt::form::utf16);
  write_file("utf8", latin);
  write_file("utf16le", text.utf16le);
  measure("utfcat-utf8", latin.size(), "bytes", [] { return utfcat({"utfcat", "-o/dev/null", "utf8"}); });
  measure("utfcat-utf16le", text.utf16le.size(), "bytes", [] {
    return utfcat({"utfcat", "-o/dev/null", "-futf-16le", "utf16le"});
  });
  measure("utfcat-empty", 1, "call", [] { return utfcat({"utfcat", "-o/dev/null", "/dev/null"}); });
}

}  // namespace

int __wrap_main() {
  // Aligns the stack in the same way wherever the program is: the instructions in the C library depend on the
  // alignment.
  [[maybe_unused]] alignas(4096) volatile char aligned = 0;

  for (const char* const corpus : {"ascii", "latin", "cjk", "emoji"}) texts(corpus);
  const std::string latin = bench::make_corpus("latin", size);
  composed("utf8_validator-latin", latin, utf8_validator());
  composed("from_utf8-latin", latin, from_utf8(encoding::utf16le));
  errors(latin);
  short_texts(latin);
  for (const char* const corpus : {"ascii", "latin", "cjk"}) short_strings(corpus);
  streams(latin);
  command(latin);
  return 0;
}
