// composites_test.cpp: our filters composed with elements of Boost.Iostreams, also nested, in both directions. The main
// point is that this compiles.
// build: long
#define BOOST_TEST_MODULE composites
#include "support/files.hpp"
#include "support/gzipped.hpp"
#include "support/outcomes.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/aggregate.hpp>
#include <boost/iostreams/filter/counter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/line.hpp>
#include <boost/iostreams/filter/newline.hpp>
#include <boost/iostreams/filter/stdio.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/operations.hpp>
#include <boost/iostreams/tee.hpp>

#include <iostream>
#include <sstream>
#include <string>

namespace io = boost::iostreams;
using namespace utfilter;
using namespace std::string_literals;

namespace {

//---------------------------------------------------------------------------- filters as users derive them from Boost's

template <class Base>
struct getting : Base {
  template <class Source>
  int get(Source& from) {
    return io::get(from);
  }
};
template <class Base>
struct reading : Base {
  template <class Source>
  std::streamsize read(Source& from, char* s, std::streamsize n) {
    return io::read(from, s, n);
  }
};
template <class Base>
struct putting : Base {
  template <class Sink>
  bool put(Sink& to, char c) {
    return io::put(to, c);
  }
};
template <class Base>
struct writing : Base {
  template <class Sink>
  std::streamsize write(Sink& to, const char* s, std::streamsize n) {
    return io::write(to, s, n);
  }
};
using derived_input = getting<io::input_filter>;
using derived_multichar_input = reading<io::multichar_input_filter>;
using derived_output = putting<io::output_filter>;
using derived_multichar_output = writing<io::multichar_output_filter>;
using derived_dual_use = getting<putting<io::dual_use_filter>>;
using derived_multichar_dual_use = reading<writing<io::multichar_dual_use_filter>>;
struct derived_aggregate : io::aggregate_filter<char> {
  void do_filter(const std::vector<char>& in, std::vector<char>& out) override { out = in; }
};
struct derived_line : io::line_filter {
  std::string do_filter(const std::string& line) override { return line; }
};
struct derived_stdio : io::stdio_filter {
  void do_filter() override { std::cout << std::cin.rdbuf(); }
};

//------------------------------------------------------------------------------------------------------ both directions

const std::string text = "one \u20AC\ntwo \U0001F600\n";

template <class Element>
std::string read_through(const Element& element) {
  io::filtering_istream in;
  in.push(element);
  return files::rest(in);
}

/// Pushes one filter or composed filters, and the source after them.
template <class Filters, class Source>
std::string read_through(const Filters& filters, Source&& source) {
  io::filtering_istream in;
  in.push(filters);
  in.push(source);
  return files::rest(in);
}

/// Two composed filters copy the device after them at each call. So they cannot be used over a device that contains a
/// filter X whose copies do not share their position. Such filters are those of gzip, and those that read all of a text
/// before they return any.
enum class copies { share, differ };

/// Composes our filter, the filter X and a source, in this order, in every way. Each filter object is used once,
/// because its copies may share one state.
template <class Make>
void check_reading(tally& cases, const char* name, const Make& x, const std::string& packed = text,
                   copies of_x = copies::share) {
  const auto source = [&] { return devices::piecewise_source({packed}); };
  std::istringstream one(packed), two(packed), three(packed), four(packed);
  const auto check = [&](const char* how, const auto& action) {
    std::string got;
    const std::string error = thrown_by([&] { got = action(); });
    if (cases.failed(got == text)) BOOST_ERROR(name << ", " << how << ": " << got << error);
  };
  const auto stream = [](std::istream& s) -> std::istream& { return s; };  // compose takes a stream of one direction

  check("compose(ours, compose(X, source))",
        [&] { return read_through(io::compose(utf8_validator(), io::compose(x(), source()))); });
  check("compose(compose(ours, X), source)",
        [&] { return read_through(io::compose(io::compose(utf8_validator(), x()), source())); });
  check("compose(ours, compose(X, istream))",
        [&] { return read_through(io::compose(utf8_validator(), io::compose(x(), stream(one)))); });
  check("compose(ours, compose(ours, compose(X, source)))", [&] {
    return read_through(io::compose(utf8_validator(), io::compose(to_utf8(), io::compose(x(), source()))));
  });
  if (of_x == copies::share)
    check("compose(compose(ours, ours), compose(X, source))", [&] {
      return read_through(io::compose(io::compose(utf8_validator(), to_utf8()), io::compose(x(), source())));
    });
  check("push(compose(ours, X)), push(source)",
        [&] { return read_through(io::compose(utf8_validator(), x()), source()); });
  check("push(compose(ours, X)), push(istream)", [&] { return read_through(io::compose(utf8_validator(), x()), two); });
  check("push(ours), push(compose(X, istream))",
        [&] { return read_through(utf8_validator(), io::compose(x(), stream(three))); });
  check("push(compose(ours, compose(ours, X))), push(istream)",
        [&] { return read_through(io::compose(utf8_validator(), io::compose(to_utf8(), x())), four); });
  check("io::copy", [&] {
    std::string copy;
    io::copy(io::compose(utf8_validator(), io::compose(x(), source())), io::back_inserter(copy));
    return copy;
  });
}

/// Pushes the elements and writes the text through them.
template <class... Elements>
void write_through(Elements&&... elements) {
  io::filtering_ostream out;
  (out.push(elements), ...);
  out << text;
  out.reset();
}

std::string unchanged(const std::string& written) { return written; }

/// Composes our filter, the filter X and a sink, in this order, in every way. `unpack` reverses the change that X
/// makes.
template <class Make>
void check_writing(tally& cases, const char* name, const Make& x, std::string (*unpack)(const std::string&) = unchanged,
                   copies of_x = copies::share) {
  std::string got;
  std::ostringstream stream;
  const auto sink = [&] { return io::back_inserter(got); };
  const auto check = [&](const char* how, const auto& action) {
    got.clear();
    std::string read;
    const std::string error = thrown_by([&] {
      action();
      read = unpack(got);
    });
    if (cases.failed(read == text)) BOOST_ERROR(name << ", " << how << ": " << read << error);
  };
  check("compose(ours, compose(X, sink))",
        [&] { write_through(io::compose(utf8_validator(), io::compose(x(), sink()))); });
  check("compose(compose(ours, X), sink)",
        [&] { write_through(io::compose(io::compose(utf8_validator(), x()), sink())); });
  check("compose(ours, compose(ours, compose(X, sink)))",
        [&] { write_through(io::compose(utf8_validator(), io::compose(to_utf8(), io::compose(x(), sink())))); });
  if (of_x == copies::share)
    check("compose(compose(ours, ours), compose(X, sink))",
          [&] { write_through(io::compose(io::compose(utf8_validator(), to_utf8()), io::compose(x(), sink()))); });
  check("push(compose(ours, X)), push(sink)", [&] { write_through(io::compose(utf8_validator(), x()), sink()); });
  check("compose(ours, compose(X, ostream))", [&] {
    write_through(io::compose(utf8_validator(), io::compose(x(), static_cast<std::ostream&>(stream))));
    got = stream.str();
  });
}

}  // namespace

// Every filter except newline_filter, which Boost cannot compose with a source that has no putback.
BOOST_AUTO_TEST_CASE(our_filter_can_be_composed_with_any_filter_that_reads_after_it) {
  tally cases;
  check_reading(cases, "counter", [] { return io::counter(); });
  check_reading(
      cases, "gzip_decompressor", [] { return io::gzip_decompressor(); }, gzipped(text), copies::differ);
  check_reading(
      cases, "aggregate_filter", [] { return derived_aggregate(); }, text, copies::differ);
  check_reading(
      cases, "line_filter", [] { return derived_line(); }, text, copies::differ);
  check_reading(
      cases, "stdio_filter", [] { return derived_stdio(); }, text, copies::differ);
  check_reading(cases, "input_filter", [] { return derived_input(); });
  check_reading(cases, "multichar_input_filter", [] { return derived_multichar_input(); });
  check_reading(cases, "dual_use_filter", [] { return derived_dual_use(); });
  check_reading(cases, "multichar_dual_use_filter", [] { return derived_multichar_dual_use(); });
  check_reading(cases, "bom_filter", [] { return bom_filter(bom::keep); });
  check_reading(cases, "to_utf8", [] { return to_utf8(); });
  cases.summary();
}

BOOST_AUTO_TEST_CASE(our_filter_can_be_composed_with_any_filter_that_writes_after_it) {
  tally cases;
  check_writing(cases, "counter", [] { return io::counter(); });
  check_writing(cases, "newline_filter", [] { return io::newline_filter(io::newline::posix); });
  check_writing(
      cases, "gzip_compressor", [] { return io::gzip_compressor(); }, unpacked, copies::differ);
  check_writing(cases, "output_filter", [] { return derived_output(); });
  check_writing(cases, "multichar_output_filter", [] { return derived_multichar_output(); });
  check_writing(cases, "dual_use_filter", [] { return derived_dual_use(); });
  check_writing(cases, "multichar_dual_use_filter", [] { return derived_multichar_dual_use(); });
  check_writing(cases, "bom_filter", [] { return bom_filter(bom::keep); });
  check_writing(cases, "from_utf8", [] { return from_utf8(encoding::utf8); });
  cases.summary();
}

BOOST_AUTO_TEST_CASE(our_filter_can_be_composed_with_a_composite_over_a_file) {
  const files::directory here;
  const std::string name = here / "text";
  write_through(io::compose(utf8_validator(), io::compose(io::counter(), io::file_sink(name, std::ios::binary))));
  BOOST_TEST(read_through(io::compose(utf8_validator(),
                                      io::compose(io::counter(), io::file_source(name, std::ios::binary)))) == text);
  BOOST_TEST(read_through(
                 io::compose(utf8_validator(), io::compose(io::counter(), io::file_descriptor_source(name)))) == text);
  BOOST_TEST(read_through(
                 io::compose(io::compose(utf8_validator(), io::counter()), io::file_descriptor_source(name))) == text);
}
