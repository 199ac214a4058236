// lines.cpp: short texts: one line through an existing chain, one line through a chain that is built for it, and one
// field of a line; and whole texts that are read line by line.
#include "filters.hpp"

#include <utfilter/line_reader.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/text.hpp>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace bench {

std::uint64_t sum_of_ends = 0;  // not static, so that the compiler cannot leave out what is added

namespace {

namespace io = boost::iostreams;

constexpr std::size_t lines = 1000;  // in each run

template <class Push>
void build(io::filtering_ostream& chain, Push push, verifier* seen) {
  push(chain);
  chain.push(sink{seen});
  chain.exceptions(std::ios::badbit);
}

/// The bytes of a text, as a stream buffer.
class text_buffer : public std::streambuf {
 public:
  explicit text_buffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

/// Reads a text line by line, by std::getline and by line_reader.
void add_readers(const task& read, std::string_view in, utfilter::encoding from, utfilter::on_error policy) {
  read.add("getline", [=](verifier* seen) {
    text_buffer source(in);
    utfilter::istream text(source, from, policy);
    text.exceptions(std::ios::badbit);
    for (std::string line; std::getline(text, line);)
      if (seen != nullptr) (*seen)(line += text.eof() ? "" : "\n");
  });
  const auto add = [&](const std::string& who, auto look) {
    read.add(who, [=](verifier* seen) {
      text_buffer source(in);
      for (utfilter::line_reader text(source, from, policy); text.next(); look(text)) {
        if (seen == nullptr) continue;
        (*seen)(text.text());
        (*seen)(text.ending());
      }
    });
  };
  add("line_reader", [](const utfilter::line_reader&) {});
  add("line_reader, bytes() of each line", [](const utfilter::line_reader& text) { sum_of_ends += text.bytes().end; });
}

/// Writes fields to a stream, as they are and as utfilter::printable.
void add_fields(const corpus& c) {
  static std::string field, escaped;
  const auto add = [&](const task& write, const std::string& who, auto wrapped) {
    write.add(who, [=](verifier* seen) {
      shown_buffer buffer(seen);
      std::ostream out(&buffer);
      for (std::size_t n = lines; n != 0; --n) out << wrapped();
    });
  };
  field = std::string_view(c.memory.utf8)
              .substr(0, utfilter::complete_prefix(std::string_view(c.memory.utf8).substr(0, 60)));
  std::replace(field.begin(), field.end(), '\n', ' ');
  field = utfilter::to_printable(field);  // random text has controls
  const task clean{"write a field of 60 bytes", c.name, lines * field.size(), field, lines, lines};
  add(clean, "std::string", []() -> const std::string& { return field; });
  add(clean, "printable", [] { return utfilter::printable(field); });

  static std::string hostile;
  hostile = field + "\n\x1B[2J\xFF";
  escaped = utfilter::to_printable(hostile);
  const task dirty{"write a field with three escapes", c.name, lines * hostile.size(), escaped, lines, lines};
  add(dirty, "printable", [] { return utfilter::printable(hostile); });
}

}  // namespace

void add_lines(const corpus& c) {
  static std::string line;
  line = std::string_view(c.memory.utf8)
             .substr(0, utfilter::complete_prefix(std::string_view(c.memory.utf8).substr(0, 99)));
  std::replace(line.begin(), line.end(), '\n', ' ');  // the first lines of a corpus may be shorter
  line += '\n';
  const auto size = static_cast<std::streamsize>(line.size());

  const task write{"write and flush a line of 100 bytes", c.name, lines * line.size(), line, lines, lines};
  const task whole{"build a chain, write a line, close", c.name, lines * line.size(), line, lines, lines};
  for_each_validator([&](const char* who, auto push) {
    write.add(who, [=](verifier* seen) {
      io::filtering_ostream chain;
      build(chain, push, seen);
      for (std::size_t n = lines; n != 0; --n) chain.write(line.data(), size).flush();
      chain.reset();
    });
    whole.add(who, [=](verifier* seen) {
      for (std::size_t n = lines; n != 0; --n) {
        io::filtering_ostream chain;
        build(chain, push, seen);
        chain.write(line.data(), size);
        chain.reset();
      }
    });
  });

  const task read_one{"build a stream, read a line", c.name, lines * line.size(), line, lines, lines};
  const task write_one{"build a stream, write a line", c.name, lines * line.size(), line, lines, lines};
  const auto add_stream = [&](const std::string& who, auto in, auto out) {
    read_one.add(who, [=](verifier* seen) {
      std::string got(line.size(), '\0');
      for (std::size_t n = lines; n != 0; --n) {
        text_buffer text(line);
        in(text).read(got.data(), size);
        if (seen != nullptr) (*seen)(got);
      }
    });
    write_one.add(who, [=](verifier* seen) {
      shown_buffer buffer(seen);
      for (std::size_t n = lines; n != 0; --n) out(buffer).write(line.data(), size);
    });
  };
  add_stream(
      "std", [](text_buffer& text) { return std::istream(&text); },
      [](shown_buffer& text) { return std::ostream(&text); });
  add_stream(
      "utfilter", [](text_buffer& text) { return utfilter::istream(&text); },
      [](shown_buffer& text) { return utfilter::ostream(&text); });

  add_fields(c);

  using utfilter::encoding;
  using utfilter::on_error;
  const std::string_view utf8 = c.memory.utf8, utf16 = c.memory.utf16le;
  add_readers({"read lines", c.name, utf8.size(), utf8}, utf8, encoding::utf8, on_error::strict);
  add_readers({"read lines, UTF-16LE to UTF-8", c.name, utf16.size(), utf8}, utf16, encoding::utf16le,
              on_error::strict);
  static std::string dirty, without;
  const std::string_view clean = utf8.substr(0, utfilter::complete_prefix(utf8.substr(0, utf8.size() / 4)));
  dirty = damaged(clean, 100);
  without = repaired(clean, 100);
  add_readers({"read lines, repairing an error every 100 bytes", c.name, dirty.size(), without}, dirty, encoding::utf8,
              on_error::replace);
}

}  // namespace bench
