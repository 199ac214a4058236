// blocking_test.cpp: no reader waits without need. Lines come through a pipe or a socket, cut at the worst places, and
// each can be read before the next one is sent. A read that would block is reported as such to the reader.
#define BOOST_TEST_MODULE blocking
#include "support/conformance_reference.hpp"
#include "support/pipe_ends.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/stream.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <istream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using namespace texts;
using devices::watchdog;
using namespace std::string_literals;

namespace {

//------------------------------------------------------------------------------------------------------------- conduits

struct conduit {
  int reader;
  int writer;
};

conduit open_pipe() {
  pipe_ends ends;
  return {ends.release_reader(), ends.release_writer()};
}

conduit open_tcp() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* name = reinterpret_cast<sockaddr*>(&address);
  const int writer = ::socket(AF_INET, SOCK_STREAM, 0);
  if (::bind(listener, name, size) != 0 || ::listen(listener, 1) != 0 || ::getsockname(listener, name, &size) != 0 ||
      ::connect(writer, name, size) != 0)
    throw std::runtime_error("socket");
  const int reader = ::accept(listener, nullptr, nullptr);
  ::close(listener);
  return {reader, writer};
}

/// Sends the lines in order, each in its pieces. The reader must have read a piece before the next one is written, so
/// that it sees the cuts. It must have reported a line before the next line is sent.
class writer {
 public:
  writer(conduit through, std::vector<std::vector<std::string>> lines)
      : thread_([this, through, lines = std::move(lines)] {
          for (std::size_t line = 0; line < lines.size(); ++line) {
            while (got_ < line) rest();
            for (const std::string& piece : lines[line]) {
              if (::write(through.writer, piece.data(), piece.size()) != static_cast<ssize_t>(piece.size()))
                std::abort();
              for (int unread = 1; unread > 0; rest())
                if (::ioctl(through.reader, FIONREAD, &unread) != 0) std::abort();
            }
          }
          while (got_ < lines.size()) rest();
          ::close(through.writer);
        }) {}
  ~writer() { thread_.join(); }
  void got_line() { ++got_; }

 private:
  static void rest() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }
  std::atomic<std::size_t> got_{0};
  std::thread thread_;
};

std::string latin1(const text32& text) {
  std::string out;
  for (const char32_t c : text) out += static_cast<char>(c);
  return out;
}

using sizes = std::initializer_list<std::size_t>;

using push_function = std::function<void(io::filtering_istream&)>;
using encoder = std::string (*)(const text32&);

struct conversion_case {
  const char* name;
  push_function push;
  encoder from;
  encoder to;
  std::vector<text32> lines;  // the lines sent; the first may begin with a byte order mark
  std::size_t bom = 0;        // characters at the start of the first line that do not arrive
};

template <class Filter>
push_function pushing(const Filter& filter) {
  return [filter](io::filtering_istream& in) { in.push(filter); };
}

const std::vector<text32> wide = {U"a\u00E4\u20AC\U0001F600\n", U"\U000233B4\n", U"\n", U"\u0416z\n"};
const std::vector<text32> narrow = {U"a\u00E4\n", U"\n", U"\u00FF\u00A0z\n"};

// Each line begins and ends in ASCII.
const std::vector<text32> japanese = {U"a\u3042b\n", U"\n", U"\u65E5\u672C\n", U"\u00A5\u30A2z\n"};

std::string gb18030(const text32& text) {
  return conformance::reference::encode(conformance::reference::encoding::gb18030, text);
}
std::string iso_2022_jp(const text32& text) {
  return conformance::reference::encode(conformance::reference::encoding::iso_2022_jp, text);
}

std::vector<text32> signed_(std::vector<text32> lines) {
  lines.front().insert(0, 1, U'\uFEFF');
  return lines;
}

// This is a function, because each caller needs new filters: copies of a filter share its state.
std::vector<conversion_case> conversions() {
  return {
      {"utf8_validator", pushing(utf8_validator()), utf8, utf8, wide},
      {"utf8_validator, byte order mark kept", pushing(utf8_validator()), utf8, utf8, signed_(wide)},
      {"utf8_validator, byte order mark stripped", pushing(utf8_validator(params{on_error::strict, bom::strip})), utf8,
       utf8, signed_(wide), 1},
      {"utf8_validator, stop", pushing(utf8_validator(on_error::stop)), utf8, utf8, wide},
      {"utf16_to_utf8", pushing(utf16_to_utf8()), utf16be, utf8, wide},
      {"utf16_to_utf8, FF FE", pushing(utf16_to_utf8()), utf16le, utf8, signed_(wide), 1},
      {"utf16_to_utf8, FE FF", pushing(utf16_to_utf8()), utf16be, utf8, signed_(wide), 1},
      {"utf16_to_utf8 le", pushing(utf16_to_utf8(encoding::utf16le)), utf16le, utf8, wide},
      {"to_utf8, nothing to detect", pushing(to_utf8()), utf8, utf8, wide},
      {"to_utf8, EF BB BF", pushing(to_utf8()), utf8, utf8, signed_(wide), 1},
      {"to_utf8, FF FE", pushing(to_utf8()), utf16le, utf8, signed_(wide), 1},
      {"to_utf8, FE FF", pushing(to_utf8()), utf16be, utf8, signed_(wide), 1},
      {"to_utf8, FF FE 00 00", pushing(to_utf8()), utf32le, utf8, signed_(wide), 1},
      {"to_utf8 cesu8", pushing(to_utf8(encoding::cesu8)), cesu8, utf8, wide},
      {"to_utf8 gb18030", pushing(to_utf8(encoding::gb18030)), gb18030, utf8, wide},
      {"to_utf8 iso_2022_jp", pushing(to_utf8(encoding::iso_2022_jp)), iso_2022_jp, utf8, japanese},
      {"to_utf8 latin1", pushing(to_utf8(encoding::latin1)), latin1, utf8, narrow},
      {"to_utf8 utf32le", pushing(to_utf8(encoding::utf32le)), utf32le, utf8, wide},
      {"from_utf8 utf16le", pushing(from_utf8(encoding::utf16le)), utf8, utf16le, wide},
      {"from_utf8 cesu8", pushing(from_utf8(encoding::cesu8)), utf8, cesu8, wide},
      {"from_utf8 gb18030", pushing(from_utf8(encoding::gb18030)), utf8, gb18030, wide},
      {"from_utf8 iso_2022_jp", pushing(from_utf8(encoding::iso_2022_jp)), utf8, iso_2022_jp, japanese},
      {"from_utf8 latin1", pushing(from_utf8(encoding::latin1)), utf8, latin1, narrow},
      {"bom_filter", pushing(bom_filter()), utf8, utf8, signed_(wide), 1},
      {"bom_filter, nothing to strip", pushing(bom_filter()), utf8, utf8, wide},
      {"escape_controls", pushing(escape_controls()), utf8, utf8, wide},
      {"bom_filter utf16", pushing(bom_filter(bom::strip, encoding::utf16)), utf16le, utf16le, signed_(wide), 1},
  };
}

/// The lines as they are sent: each in pieces of `size` bytes.
std::vector<std::vector<std::string>> cut(const conversion_case& c, std::size_t size) {
  std::vector<std::vector<std::string>> lines;
  for (const text32& line : c.lines) lines.push_back(devices::in_pieces(c.from(line), size));
  return lines;
}

std::vector<std::string> arriving(const conversion_case& c) {
  std::vector<std::string> lines;
  for (const text32& line : c.lines) lines.push_back(c.to(lines.empty() ? line.substr(c.bom) : line));
  return lines;
}

/// Reads line after line. The writer may send the next line only after the reader has got this one.
void read_in_step(std::istream& in, writer& w, const std::vector<std::string>& expected) {
  for (const std::string& line : expected) {
    std::string got(line.size(), '\0');
    in.read(got.data(), static_cast<std::streamsize>(got.size()));
    BOOST_TEST(in.gcount() == static_cast<std::streamsize>(line.size()));
    BOOST_TEST((got == line));
    w.got_line();
  }
  BOOST_TEST(in.get() == std::char_traits<char>::eof());
  BOOST_TEST(!in.bad());
}

void in_step(const char* name, const conversion_case& c, std::size_t size, conduit through,
             const std::function<void(io::filtering_istream&, const io::file_descriptor_source&)>& build) {
  const std::string what = c.name + (", pieces of "s + std::to_string(size) + ", ") + name;
  BOOST_TEST_CONTEXT(what) {
    watchdog dog(what);
    io::filtering_istream in;
    build(in, io::file_descriptor_source(through.reader, io::close_handle));
    writer w(through, cut(c, size));
    read_in_step(in, w, arriving(c));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_line_of_a_pipe_can_be_read_before_the_next_is_sent) {
  const std::size_t kinds = conversions().size();
  for (std::size_t i = 0; i < kinds; ++i)
    for (const std::size_t size : sizes{1, 2, 3, 5, 7, 100}) {
      const conversion_case c = conversions()[i];
      in_step("pipe", c, size, open_pipe(), [&](io::filtering_istream& in, const io::file_descriptor_source& source) {
        c.push(in);
        in.push(source);
      });
    }
}

BOOST_AUTO_TEST_CASE(every_line_of_a_socket_can_be_read_before_the_next_is_sent) {
  const std::size_t kinds = conversions().size();
  for (std::size_t i = 0; i < kinds; ++i)
    for (const std::size_t size : sizes{1, 3, 100}) {
      const conversion_case c = conversions()[i];
      in_step("tcp", c, size, open_tcp(), [&](io::filtering_istream& in, const io::file_descriptor_source& source) {
        c.push(in);
        in.push(source);
      });
    }
}

BOOST_AUTO_TEST_CASE(two_filters_do_not_wait_for_the_next_line) {
  const std::size_t kinds = conversions().size();
  for (std::size_t i = 0; i < kinds; ++i)
    for (const std::size_t size : sizes{1, 3, 100}) {
      const conversion_case c = conversions()[i];
      // bom_filter(bom::keep) passes any bytes, so it can stand on either side of every filter.
      in_step("another filter before it", c, size, open_pipe(),
              [&](io::filtering_istream& in, const io::file_descriptor_source& source) {
                in.push(bom_filter(bom::keep));
                c.push(in);
                in.push(source);
              });
      in_step("another filter after it", c, size, open_pipe(),
              [&](io::filtering_istream& in, const io::file_descriptor_source& source) {
                c.push(in);
                in.push(bom_filter(bom::keep));
                in.push(source);
              });
      in_step("links of one byte", c, size, open_pipe(),
              [&](io::filtering_istream& in, const io::file_descriptor_source& source) {
                in.push(bom_filter(bom::keep), 1);
                c.push(in);
                in.push(bom_filter(bom::keep), 1);
                in.push(source, 1);
              });
    }
}

BOOST_AUTO_TEST_CASE(composed_filters_do_not_wait_for_the_next_line) {
  const conversion_case decode = {"to_utf8", {}, utf16le, utf8, signed_(wide), 1};
  const conversion_case check = {"utf8_validator", {}, utf8, utf8, signed_(wide)};
  const conversion_case both = {"utf8_validator of utf16_to_utf8", {}, utf16le, utf8, signed_(wide), 1};
  using source = io::file_descriptor_source;
  for (const std::size_t size : sizes{1, 2, 3, 5, 100}) {
    in_step("compose(filter, device)", decode, size, open_pipe(),
            [](io::filtering_istream& in, const source& s) { in.push(io::compose(to_utf8(), s)); });
    in_step("compose(filter, device)", check, size, open_pipe(),
            [](io::filtering_istream& in, const source& s) { in.push(io::compose(utf8_validator(), s)); });
    in_step("compose(filter, compose(filter, device))", both, size, open_pipe(),
            [](io::filtering_istream& in, const source& s) {
              in.push(io::compose(utf8_validator(), io::compose(utf16_to_utf8(), s)));
            });
    in_step("compose(filter, filter)", both, size, open_pipe(), [](io::filtering_istream& in, const source& s) {
      in.push(io::compose(utf8_validator(), utf16_to_utf8()));
      in.push(s);
    });
    in_step("compose(filter, filter) in socket", both, size, open_tcp(),
            [](io::filtering_istream& in, const source& s) {
              in.push(io::compose(utf8_validator(), utf16_to_utf8()));
              in.push(s);
            });
  }
}

BOOST_AUTO_TEST_CASE(a_stream_of_a_composite_does_not_wait_for_the_next_line) {
  for (const std::size_t size : sizes{1, 3, 100}) {
    watchdog dog("io::stream<io::composite>");
    const conversion_case c = {"to_utf8", {}, utf16le, utf8, signed_(wide), 1};
    const conduit through = open_pipe();
    io::stream<io::composite<to_utf8, io::file_descriptor_source>> in(
        io::compose(to_utf8(), io::file_descriptor_source(through.reader, io::close_handle)));
    writer w(through, cut(c, size));
    read_in_step(in, w, arriving(c));
  }
}

BOOST_AUTO_TEST_CASE(getline_returns_each_line_before_the_next_is_sent) {
  watchdog dog("getline");
  const conduit through = open_tcp();
  io::filtering_istream in(utf8_validator() | to_utf8() | io::file_descriptor_source(through.reader, io::close_handle));
  writer w(through, {{"\xFF", "\xFE"s + "a"}, {"\0\n"s, "\0"s}, {"\x3D"s, "\xD8\0"s, "\xDE\n\0"s}});
  std::string line;
  w.got_line();  // the first group has no whole line; lets the writer send the next group
  BOOST_TEST(std::getline(in, line).good());
  BOOST_TEST(line == "a");
  w.got_line();
  BOOST_TEST(std::getline(in, line).good());
  BOOST_TEST(line == "\xF0\x9F\x98\x80");
  w.got_line();
  BOOST_TEST(!std::getline(in, line));
}

BOOST_AUTO_TEST_CASE(an_error_is_reported_before_more_is_sent) {
  watchdog dog("error");
  const conduit through = open_pipe();
  utf8_validator filter;
  io::filtering_istream in(filter | io::file_descriptor_source(through.reader, io::close_handle));
  in.exceptions(std::ios::badbit);
  writer w(through, {{"good", "\xE2\x82", "\n"}});
  std::string line;
  BOOST_CHECK_THROW(std::getline(in, line), utf_error);
  BOOST_TEST(line == "good");
  w.got_line();
}

//--------------------------------------------------------------------------------------------- sources that would block

BOOST_AUTO_TEST_CASE(a_read_that_would_block_returns_0) {
  // The empty pieces are reads that return 0.
  devices::piecewise_source source({"", "\xEF", "", "\xBB\xBF", "", "", "a\xE2", "", "\x82", "", "\xAC", "b", ""});
  to_utf8 filter;
  char buffer[100];
  std::string results;
  for (int i = 0; i < 30; ++i) {
    const std::streamsize n = filter.read(source, buffer, sizeof buffer);
    if (n < 0) {
      results += "$";
      break;
    }
    results += n == 0 ? "0" : std::string(buffer, static_cast<std::size_t>(n));
  }
  // The filter returns 0 once for each empty piece, and never for another reason.
  BOOST_TEST(results == "0000a00\u20ACb0$");
}

BOOST_AUTO_TEST_CASE(a_source_that_would_block_does_not_end_a_chain) {
  for (const int buffer : {-1, 1, 2, 7})
    for (const bool stacked : {false, true}) {
      devices::piecewise_source source({"", "a\xF0\x9F", "", "", "\x98\x80", "", "z"});
      io::filtering_istreambuf in;
      in.push(utf8_validator(), buffer);
      if (stacked) in.push(to_utf8(), buffer);
      in.push(source, buffer);
      std::string text;
      int blocked = 0;
      while (source.seen().ends == 0) {
        const int c = in.sgetc();
        if (c == std::char_traits<char>::eof()) {
          if (source.seen().ends == 0) ++blocked;
        } else {
          text += static_cast<char>(in.sbumpc());
        }
        BOOST_REQUIRE(blocked < 100);
      }
      BOOST_TEST(text == "a\xF0\x9F\x98\x80z");
      BOOST_TEST(blocked == 4);
    }
}

BOOST_AUTO_TEST_CASE(bytes_that_have_arrived_are_returned_before_a_read_that_would_block) {
  devices::piecewise_source source({"line\n", "", "more"});
  char buffer[100];
  utf8_validator filter;
  BOOST_TEST(filter.read(source, buffer, sizeof buffer) == 5);
  BOOST_TEST(source.seen().requests.size() == 1u);  // not asked again
  BOOST_TEST(filter.read(source, buffer, sizeof buffer) == 0);
  BOOST_TEST(filter.read(source, buffer, sizeof buffer) == 4);
  BOOST_TEST(filter.read(source, buffer, sizeof buffer) == -1);
}

BOOST_AUTO_TEST_CASE(a_stream_composed_by_reference_is_not_read_ahead) {
  for (const bool by_reference : {false, true}) {
    streambufs::pieces_streambuf buffer({"a\n", "b\n", "c\n"});
    std::istream stream(&buffer);
    io::filtering_istream in;
    if (by_reference)
      in.push(io::compose(utfilter::utf8_validator(), boost::ref(stream)));
    else
      in.push(io::compose(utfilter::utf8_validator(), stream));
    std::string line;
    BOOST_TEST(!!std::getline(in, line));
    BOOST_TEST(line == "a");
    BOOST_TEST(buffer.fetches == 1u);
  }
}
