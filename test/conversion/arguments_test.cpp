// arguments_test.cpp: every class and function that takes policies takes them in each form: none, params, braces, or an
// on_error alone. (cxx20.cpp tests params with named members, which need C++20.)
#define BOOST_TEST_MODULE arguments
#include "support/files.hpp"
#include "support/policies.hpp"

#include <boost/test/unit_test.hpp>

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <filesystem>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

using namespace std::string_literals;
using namespace std::string_view_literals;
using namespace utfilter;
namespace io = boost::iostreams;

namespace {

/// Settings of a program, derived from params.
struct settings : params {
  int verbosity = 1;
};
/// Settings of a program that convert to params.
struct configuration {
  operator params() const { return with(on_error::skip); }
};

const params skip = with(on_error::skip);
const configuration skipping = {};
settings derived() {
  settings s;
  s.on_error = on_error::skip;
  return s;
}

const std::string bad = "a\xFF"
                        "b";

//------------------------------------------------------------------------------------------------------------- outcomes

/// The result of the action, or "strict" if it throws an error.
template <class Action>
std::string unless_strict(const Action& action) {
  try {
    return action();
  } catch (const utf_error&) {
    return "strict";
  }
}

/// What a filter makes of a text.
template <class Filter>
std::string outcome_of_text(const Filter& filter, const std::string& text) {
  io::filtering_istream in;
  in.push(filter);
  in.push(io::array_source(text.data(), text.size()));
  in.exceptions(std::ios_base::badbit);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Filter>
std::string outcome(Filter filter) {
  return unless_strict([&] {
    std::string result;
    io::filtering_ostream out(filter | io::back_inserter(result));
    out.exceptions(std::ios::badbit);
    out << bad;
    out.reset();
    return result;
  });
}

std::string outcome(conversion<transcoder>& text) {
  char out[64];
  const auto done = text.convert(bad.data(), bad.size(), out, sizeof out, true);
  return text.failure() ? "strict" : std::string(out, done.produced);
}
std::string outcome(decoder text) { return outcome(static_cast<conversion<transcoder>&>(text)); }
std::string outcome(encoder text) { return outcome(static_cast<conversion<transcoder>&>(text)); }

std::string read_all(std::istream& in) {
  in.exceptions(std::ios::badbit);
  return unless_strict([&] { return std::string(std::istreambuf_iterator<char>(in), {}); });
}

/// Returns the text that the stream `make(stream)` reads.
template <class Make>
std::string read_by(Make&& make) {
  std::istringstream source(bad);
  return read_all(*make(source));
}

/// Returns the bytes in a stream after `make(stream)` wrote to it.
template <class Make>
std::string written_by(Make&& make) {
  std::ostringstream sink;
  return unless_strict([&] {
    const auto out = make(sink);
    *out << bad;
    out->close();
    return sink.str();
  });
}

/// Returns the bytes in a stream buffer after `make(buffer)` wrote to it.
template <class Make>
std::string put_by(Make&& make) {
  std::stringbuf sink;
  return unless_strict([&] {
    const auto out = make(sink);
    out->sputn(bad.data(), static_cast<std::streamsize>(bad.size()));
    out->finish();
    return sink.str();
  });
}

/// Returns the bytes in a stream that was written to while the filter `make(stream)` was on it.
template <class Make>
std::string passed_by(Make&& make) {
  std::ostringstream out;
  {
    const auto filter = make(out);
    out << bad;
    if (filter->report().failure) return "strict";
  }
  return out.str();
}

/// A file with the bad text.
struct file_name : files::temporary_file {
  file_name() : temporary_file(bad) {}
  operator std::filesystem::path() const { return path(); }
};

template <class Make>
std::string file_written_by(Make&& make) {
  const file_name file;
  return unless_strict([&] {
    const auto out = make(file);
    *out << bad;
    out->close();
    return file.content();
  });
}

template <class T, class... Arguments>
auto on_heap(Arguments&&... arguments) {
  return std::make_unique<T>(std::forward<Arguments>(arguments)...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(filters_take_policies_in_every_form) {
  BOOST_CHECK_EQUAL(outcome(utf8_validator()), "strict");
  BOOST_CHECK_EQUAL(outcome(utf8_validator(skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(utf8_validator(with(on_error::skip))), "ab");
  BOOST_CHECK_EQUAL(outcome(utf8_validator(derived())), "ab");
  BOOST_CHECK_EQUAL(outcome(utf8_validator(skipping)), "ab");
  BOOST_CHECK_EQUAL(outcome(utf8_validator(on_error::skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(utf8_validator{on_error::skip}), "ab");

  BOOST_CHECK_EQUAL(outcome(to_utf8()), "strict");
  BOOST_CHECK_EQUAL(outcome(to_utf8(encoding::utf8)), "strict");
  BOOST_CHECK_EQUAL(outcome(to_utf8(encoding::utf8, {})), "strict");
  BOOST_CHECK_EQUAL(outcome(to_utf8(encoding::utf8, skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(to_utf8(encoding::utf8, skipping)), "ab");
  BOOST_CHECK_EQUAL(outcome(to_utf8(encoding::utf8, on_error::skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(to_utf8(skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(to_utf8(derived())), "ab");
  BOOST_CHECK_EQUAL(outcome(to_utf8(on_error::skip)), "ab");

  BOOST_CHECK_EQUAL(outcome(from_utf8(encoding::utf8)), "strict");
  BOOST_CHECK_EQUAL(outcome(from_utf8(encoding::utf8, {})), "strict");
  BOOST_CHECK_EQUAL(outcome(from_utf8(encoding::utf8, skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(from_utf8(encoding::utf8, on_error::skip)), "ab");

  // The bytes of "a" and FF are U+61FF in UTF-16BE. The lone "b" after them is an error.
  BOOST_CHECK_EQUAL(outcome(utf16_to_utf8()), "strict");
  BOOST_CHECK_EQUAL(outcome(utf16_to_utf8(encoding::utf16be)), "strict");
  BOOST_CHECK_EQUAL(outcome(utf16_to_utf8(encoding::utf16be, {})), "strict");
  BOOST_CHECK_EQUAL(outcome(utf16_to_utf8(encoding::utf16be, skip)), "\u61FF");
  BOOST_CHECK_EQUAL(outcome(utf16_to_utf8(encoding::utf16be, on_error::skip)), "\u61FF");
  BOOST_CHECK_EQUAL(outcome(utf16_to_utf8(skip)), "\u61FF");
  BOOST_CHECK_EQUAL(outcome(utf16_to_utf8(on_error::skip)), "\u61FF");

  BOOST_CHECK_EQUAL(outcome(escape_controls()), "strict");
  BOOST_CHECK_EQUAL(outcome(escape_controls(skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(escape_controls(on_error::skip)), "ab");
}

// No text is ill-formed for a bom_filter: the error here is a missing byte order mark.
BOOST_AUTO_TEST_CASE(bom_filters_take_policies_in_every_form) {
  const params require = with(bom::require);
  BOOST_CHECK_EQUAL(outcome(bom_filter()), bad);
  BOOST_CHECK_EQUAL(outcome(bom_filter(bom::require)), "strict");
  BOOST_CHECK_EQUAL(outcome(bom_filter(bom::require, encoding::utf8)), "strict");
  BOOST_CHECK_EQUAL(outcome(bom_filter(bom::require, encoding::utf8, {})), "strict");
  BOOST_CHECK_EQUAL(outcome(bom_filter(bom::require, encoding::utf8, skip)), bad);
  BOOST_CHECK_EQUAL(outcome(bom_filter(bom::require, encoding::utf8, on_error::skip)), bad);
  BOOST_CHECK_EQUAL(outcome(bom_filter(bom::require, skip)), bad);
  BOOST_CHECK_EQUAL(outcome(bom_filter(bom::require, on_error::skip)), bad);
  BOOST_CHECK_EQUAL(outcome(bom_filter(require)), "strict");
  BOOST_CHECK_EQUAL(outcome(bom_filter(skip)), bad);
  BOOST_CHECK_EQUAL(outcome(bom_filter(on_error::skip)), bad);
}

BOOST_AUTO_TEST_CASE(codec_filters_take_policies_in_every_form) {
  const control_escaper escaper;
  using filter = codec_filter<control_escaper>;
  struct owner {
    filter member;  // made without arguments
  };
  BOOST_CHECK_EQUAL(outcome(owner{}.member), "strict");
  BOOST_CHECK_EQUAL(outcome(filter()), "strict");
  BOOST_CHECK_EQUAL(outcome(filter(escaper)), "strict");
  BOOST_CHECK_EQUAL(outcome(filter(escaper, {})), "strict");
  BOOST_CHECK_EQUAL(outcome(filter(escaper, skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(filter(escaper, on_error::skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(filter(skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(filter(skipping)), "ab");
  BOOST_CHECK_EQUAL(outcome(filter(on_error::skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(codec_filter(escaper)), "strict");
  BOOST_CHECK_EQUAL(outcome(codec_filter(escaper, on_error::skip)), "ab");
}

BOOST_AUTO_TEST_CASE(conversions_take_policies_in_every_form) {
  BOOST_CHECK_EQUAL(outcome(decoder()), "strict");
  BOOST_CHECK_EQUAL(outcome(decoder(encoding::utf8)), "strict");
  BOOST_CHECK_EQUAL(outcome(decoder(encoding::utf8, {})), "strict");
  BOOST_CHECK_EQUAL(outcome(decoder(encoding::utf8, skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(decoder(encoding::utf8, on_error::skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(decoder(skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(decoder(on_error::skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(encoder(encoding::utf8)), "strict");
  BOOST_CHECK_EQUAL(outcome(encoder(encoding::utf8, {})), "strict");
  BOOST_CHECK_EQUAL(outcome(encoder(encoding::utf8, skip)), "ab");
  BOOST_CHECK_EQUAL(outcome(encoder(encoding::utf8, on_error::skip)), "ab");

  const transcoder codec = transcoder::validating(bom::keep);
  const auto begun = [](conversion<transcoder> text) {
    text.begin(decoder::direction::reading);
    return outcome(text);
  };
  BOOST_CHECK_EQUAL(begun(conversion<transcoder>(codec)), "strict");
  BOOST_CHECK_EQUAL(begun(conversion<transcoder>(codec, {})), "strict");
  BOOST_CHECK_EQUAL(begun(conversion<transcoder>(codec, skip)), "ab");
  BOOST_CHECK_EQUAL(begun(conversion<transcoder>(codec, on_error::skip)), "ab");
  BOOST_CHECK_EQUAL(begun(conversion(codec, skip)), "ab");
}

BOOST_AUTO_TEST_CASE(reading_streams_take_policies_in_every_form) {
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(s); }), "strict");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(s, encoding::utf8); }), "strict");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return std::unique_ptr<istream>(new istream(s, encoding::utf8, {})); }),
                    "strict");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(s, encoding::utf8, skip); }), "ab");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(s, encoding::utf8, on_error::skip); }), "ab");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(s, skip); }), "ab");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(s, on_error::skip); }), "ab");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(*s.rdbuf(), on_error::skip); }), "ab");
  BOOST_CHECK_EQUAL(read_by([](auto& s) { return on_heap<istream>(s.rdbuf(), on_error::skip); }), "ab");

  const auto buffered = [](auto&&... arguments) {
    std::stringbuf source(bad);
    codec_istreambuf buffer(source, arguments...);
    std::istream in(&buffer);
    return read_all(in);
  };
  BOOST_CHECK_EQUAL(buffered(), "strict");
  BOOST_CHECK_EQUAL(buffered(encoding::utf8), "strict");
  BOOST_CHECK_EQUAL(buffered(encoding::utf8, skip), "ab");
  BOOST_CHECK_EQUAL(buffered(encoding::utf8, on_error::skip), "ab");

  const auto line = [](auto&&... arguments) -> std::string {
    std::stringbuf source(bad);
    line_reader lines(source, arguments...);
    return unless_strict([&] {
      lines.next();
      return std::string(lines.text());
    });
  };
  BOOST_CHECK_EQUAL(line(), "strict");
  BOOST_CHECK_EQUAL(line(encoding::utf8), "strict");
  BOOST_CHECK_EQUAL(line(encoding::utf8, skip), "ab");
  BOOST_CHECK_EQUAL(line(encoding::utf8, skipping), "ab");
  BOOST_CHECK_EQUAL(line(encoding::utf8, derived()), "ab");
  BOOST_CHECK_EQUAL(line(encoding::utf8, on_error::skip, 2u), "ab");
  BOOST_CHECK_EQUAL(line(skip), "ab");
  BOOST_CHECK_EQUAL(line(on_error::skip), "ab");
  BOOST_CHECK_EQUAL(line(on_error::skip, 2u), "ab");
  std::stringbuf source(bad);
  line_reader braces(source, encoding::utf8, {}, 2);
  BOOST_CHECK_THROW(braces.next(), utf_error);
}

BOOST_AUTO_TEST_CASE(writing_streams_take_policies_in_every_form) {
  BOOST_CHECK_EQUAL(written_by([](auto& s) { return on_heap<ostream>(s); }), "strict");
  BOOST_CHECK_EQUAL(written_by([](auto& s) { return on_heap<ostream>(s, encoding::utf8); }), "strict");
  BOOST_CHECK_EQUAL(written_by([](auto& s) { return std::unique_ptr<ostream>(new ostream(s, encoding::utf8, {})); }),
                    "strict");
  BOOST_CHECK_EQUAL(written_by([](auto& s) { return on_heap<ostream>(s, encoding::utf8, skip); }), "ab");
  BOOST_CHECK_EQUAL(written_by([](auto& s) { return on_heap<ostream>(s, encoding::utf8, on_error::skip); }), "ab");
  BOOST_CHECK_EQUAL(written_by([](auto& s) { return on_heap<ostream>(s, skip); }), "ab");
  BOOST_CHECK_EQUAL(written_by([](auto& s) { return on_heap<ostream>(s, on_error::skip); }), "ab");

  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<codec_ostreambuf<transcoder>>(b); }), "strict");
  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<codec_ostreambuf<transcoder>>(b, encoding::utf8); }), "strict");
  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<codec_ostreambuf<transcoder>>(b, encoding::utf8, skip); }),
                    "ab");
  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<codec_ostreambuf<transcoder>>(b, encoding::utf8, skip, 16u); }),
                    "ab");
  BOOST_CHECK_EQUAL(
      put_by([](auto& b) { return on_heap<codec_ostreambuf<transcoder>>(b, encoding::utf8, on_error::skip); }), "ab");
  using escaping = codec_ostreambuf<control_escaper>;
  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<escaping>(b, control_escaper()); }), "strict");
  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<escaping>(b, control_escaper(), skip); }), "ab");
  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<escaping>(b, control_escaper(), skip, 16u); }), "ab");
  BOOST_CHECK_EQUAL(put_by([](auto& b) { return on_heap<escaping>(b, control_escaper(), on_error::skip); }), "ab");

  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<scoped_filter>(s); }), "a\uFFFDb");
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return std::unique_ptr<scoped_filter>(new scoped_filter(s, {})); }),
                    "strict");
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<scoped_filter>(s, skip); }), "ab");
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<scoped_filter>(s, skip, encoding::utf8); }), "ab");
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<scoped_filter>(s, on_error::skip); }), "ab");
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<scoped_filter>(s, on_error::skip, encoding::utf8); }), "ab");
  using safe = codec_scoped_filter<control_escaper>;
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<safe>(s, control_escaper()); }), "a\uFFFDb");
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<safe>(s, control_escaper(), skip); }), "ab");
  BOOST_CHECK_EQUAL(passed_by([](auto& s) { return on_heap<safe>(s, control_escaper(), on_error::skip); }), "ab");
  std::ostringstream stream;
  codec_scoped_filter deduced(stream, control_escaper(), on_error::skip);
  static_assert(std::is_same_v<decltype(deduced), safe>);
}

BOOST_AUTO_TEST_CASE(file_streams_take_policies_in_every_form) {
  const file_name file;
  const auto read = [&](auto&&... arguments) {
    ifstream in(file, arguments...);
    return read_all(in);
  };
  BOOST_CHECK_EQUAL(read(), "strict");
  BOOST_CHECK_EQUAL(read(encoding::utf8), "strict");
  BOOST_CHECK_EQUAL(read(encoding::utf8, skip), "ab");
  BOOST_CHECK_EQUAL(read(encoding::utf8, skip, std::ios::in), "ab");
  BOOST_CHECK_EQUAL(read(encoding::utf8, on_error::skip), "ab");
  BOOST_CHECK_EQUAL(read(skip), "ab");
  BOOST_CHECK_EQUAL(read(on_error::skip), "ab");
  BOOST_CHECK_EQUAL(read(std::ios::in), "strict");

  BOOST_CHECK_THROW(read_file(file), utf_error);
  BOOST_CHECK_THROW(read_file(file, encoding::utf8), utf_error);
  BOOST_CHECK_THROW(read_file(file, encoding::utf8, {}), utf_error);
  BOOST_CHECK_EQUAL(read_file(file, encoding::utf8, skip), "ab");
  BOOST_CHECK_EQUAL(read_file(file, encoding::utf8, on_error::skip), "ab");
  BOOST_CHECK_EQUAL(read_file(file, skip), "ab");
  BOOST_CHECK_EQUAL(read_file(file, on_error::skip), "ab");

  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f); }), "strict");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, encoding::utf8); }), "strict");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, encoding::utf8, skip); }), "ab");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, encoding::utf8, skip, std::ios::app); }),
                    bad + "ab");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, encoding::utf8, on_error::skip); }),
                    "ab");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, encoding::utf8, std::ios::app); }),
                    "strict");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, skip); }), "ab");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, on_error::skip); }), "ab");
  BOOST_CHECK_EQUAL(file_written_by([](auto& f) { return on_heap<ofstream>(f, std::ios::app); }), "strict");
}

// No argument converts to a filter or a stream implicitly. A constructor refuses, at compile time, arguments that are
// not policies.
BOOST_AUTO_TEST_CASE(other_arguments_are_refused_at_compile_time) {
  static_assert(!std::is_convertible_v<on_error, to_utf8> && !std::is_convertible_v<params, to_utf8>);
  static_assert(!std::is_convertible_v<encoding, to_utf8> && !std::is_convertible_v<encoding, from_utf8>);
  static_assert(!std::is_convertible_v<on_error, codec_filter<control_escaper>>);
  static_assert(!std::is_constructible_v<to_utf8, int> && !std::is_constructible_v<to_utf8, char>);
  static_assert(!std::is_constructible_v<to_utf8, encoding, int> &&
                !std::is_constructible_v<to_utf8, encoding, evidence>);
  static_assert(!std::is_constructible_v<from_utf8, on_error> && !std::is_constructible_v<utf8_validator, encoding>);
  static_assert(!std::is_constructible_v<istream, std::istream&, int> &&
                !std::is_constructible_v<ifstream, const char*, int>);
  BOOST_CHECK(true);
}

// The compiler finds the codec of a class template from the arguments: a codec, or for a transcoder an encoding,
// options, or nothing. All objects of one declaration have the same type.
BOOST_AUTO_TEST_CASE(classes_find_their_codec_from_the_arguments) {
  using std::is_same_v;
  std::stringstream s(bad);
  std::stringbuf b(bad);
  const files::temporary_file file("a");
  const auto path = file.path();
  const control_escaper escaper;
  const auto from = encoding::utf16le, to = encoding::utf16;
  const auto app = std::ios::app, ate = std::ios::ate;

  const codec_decoder d1, d2(from), d3(skip), d4(on_error::skip), d5(from, derived());
  static_assert(is_same_v<decltype(d1), const decoder>);
  const codec_decoder d6(escaper), d7(escaper, skip), d8(codec_decoder(escaper, {}));
  static_assert(is_same_v<decltype(d6), const codec_decoder<control_escaper>>);
  const codec_encoder e1(to), e2(to, skip);
  static_assert(is_same_v<decltype(e1), const encoder>);
  const codec_encoder e3(escaper), e4(escaper, skip);
  static_assert(is_same_v<decltype(e3), const codec_encoder<control_escaper>>);

  const codec_istreambuf i1(b), i2(b, from), i3(b, skip), i4(b, from, {});
  static_assert(is_same_v<decltype(i1), const codec_istreambuf<transcoder>>);
  const codec_istreambuf i5(b, escaper), i6(b, escaper, skip);
  static_assert(is_same_v<decltype(i5), const codec_istreambuf<control_escaper>>);
  const codec_ostreambuf o1(b), o2(b, to), o3(b, skip), o4(b, to, {}, 16);
  static_assert(is_same_v<decltype(o1), const codec_ostreambuf<transcoder>>);
  const codec_ostreambuf o5(b, escaper), o6(b, escaper, skip, 16);
  static_assert(is_same_v<decltype(o5), const codec_ostreambuf<control_escaper>>);

  const codec_istream in1(s), in2(b, from), in3(&b, skip), in4(s, from, {});
  static_assert(is_same_v<decltype(in1), const istream>);
  const codec_istream in5(s, escaper), in6(b, escaper, skip);
  static_assert(is_same_v<decltype(in5), const codec_istream<control_escaper>>);
  const codec_ostream out1(s), out2(b, to), out3(&b, skip), out4(s, to, {});
  static_assert(is_same_v<decltype(out1), const ostream>);
  const codec_ostream out5(s, escaper), out6(b, escaper, skip);
  static_assert(is_same_v<decltype(out5), const codec_ostream<control_escaper>>);

  const codec_ifstream f1(path), f2(path, from), f3(path, skip), f4(path, encoding::utf8, {}, ate), f5(path, ate);
  static_assert(is_same_v<decltype(f1), const ifstream>);
  const codec_ifstream f6(path, escaper), f7(path, escaper, skip, ate);
  static_assert(is_same_v<decltype(f6), const codec_ifstream<control_escaper>>);
  const codec_ofstream g1(path), g2(path, to), g3(path, skip), g4(path, to, {}, app), g5(path, to, app), g6(path, app);
  static_assert(is_same_v<decltype(g1), const ofstream>);
  const codec_ofstream g7(path, escaper), g8(path, escaper, skip, app);
  static_assert(is_same_v<decltype(g7), const codec_ofstream<control_escaper>>);
}

BOOST_AUTO_TEST_CASE(a_policy_for_the_byte_order_mark_stands_alone) {
  const std::string marked = "\xEF\xBB\xBF"
                             "a";
  std::string written;
  {
    io::filtering_ostream out;
    out.push(from_utf8(encoding::utf16le, bom::add));
    out.push(io::back_inserter(written));
    out << "a";
  }
  BOOST_TEST(written == "\xFF\xFE"
                        "a\0"s);
  BOOST_TEST(outcome_of_text(to_utf8(bom::keep), marked) == marked);
  BOOST_TEST(outcome_of_text(to_utf8(bom::strip), marked) == "a");
  BOOST_CHECK_THROW(outcome_of_text(utf8_validator(bom::reject), marked), utf_error);
  BOOST_TEST(outcome_of_text(bom_filter(bom::add), "a") == marked);
  BOOST_TEST(to_utf8_string(marked, encoding::utf8, bom::strip) == "a");
}

BOOST_AUTO_TEST_CASE(a_name_stands_for_its_encoding) {
  const std::string latin = "caf\xE9", text = "caf\u00E9";
  BOOST_TEST(outcome_of_text(to_utf8("latin1"), latin) == text);
  BOOST_TEST(outcome_of_text(from_utf8("Latin-1"s, on_error::strict), text) == latin);
  BOOST_TEST((decoder("windows-1252"sv).report().encoding == encoding::windows1252));
  std::istringstream source(latin);
  istream in(source, "iso-8859-1", on_error::strict);
  BOOST_TEST(std::string(std::istreambuf_iterator<char>(in), {}) == text);
  std::ostringstream sink;
  {
    utfilter::ostream out(sink, "utf-16le");
    out << "a";
  }
  BOOST_TEST(sink.str() == "a\0"s);
  const auto names_others = [](const std::invalid_argument& e) {
    return e.what() ==
           "utfilter: there is no encoding \"windows-1521\"; the nearest names are windows-1252, windows-1251, "
           "windows-1250"s;
  };
  BOOST_CHECK_EXCEPTION(to_utf8("windows-1521"), std::invalid_argument, names_others);
  const auto is_harmless = [](const std::invalid_argument& e) {
    return e.what() ==
           "utfilter: there is no encoding \"?[2J" + std::string(60, 'x') + "...\"; encoding.hpp has all names";
  };
  BOOST_CHECK_EXCEPTION(decoder("\x1B[2J" + std::string(100, 'x')), std::invalid_argument, is_harmless);
}

BOOST_AUTO_TEST_CASE(a_report_throws_the_failure_of_its_use) {
  std::istringstream source(bad);
  utf8_validator check;
  io::filtering_istream in;
  in.push(check);
  in.push(source);
  std::string line;
  while (std::getline(in, line)) {
  }
  BOOST_CHECK_THROW(check.report().throw_if_failed(), utf_error);
  BOOST_CHECK_NO_THROW(utf8_validator().report().throw_if_failed());
}

#ifdef __GNUC__
#  pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
BOOST_AUTO_TEST_CASE(buffers_still_have_their_names_of_version_0_2) {
  std::stringbuf source(bad), sink;
  decoding_streambuf in(source, encoding::utf8, skip);
  encoding_streambuf out(sink, encoding::utf16le);
  std::ostream(&out) << &in;
  out.finish();
  BOOST_TEST(sink.str() == std::string("a\0b\0", 4));
}
