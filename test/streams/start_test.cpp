// start_test.cpp: streams, files and filters that begin at a checkpoint give the text, errors and counts that they give
// from the start of the text.
// build: portable
#define BOOST_TEST_MODULE start
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/tally.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/utf16_to_utf8.hpp>
#include <utfilter/utf8_validator.hpp>

#ifdef __linux__
#  include "support/pipe_ends.hpp"
#endif

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace io = boost::iostreams;
using namespace std::string_literals;
using namespace utfilter;

namespace {

/// A text and its encoding, with errors in the middle.
struct sample {
  encoding from;
  std::string text;
};
const sample samples[] = {
    {encoding::utf8, "\xEF\xBB\xBFone\n\u20ACtwo\xFF\n\xE2\x82three\n"s},
    {encoding::utf16le, "\xFF\xFE"
                        "A\0\n\0\x00\xDC\x3D\xD8\x00\xDEz\0\n\0\x3D\xD8"s},
    {encoding::utf16be, "\xFE\xFF\0A\0\n\xDC\0\xD8\x3D\xDE\0\0z"s},
};

params replacing(const std::optional<checkpoint>& start = {}) {
  params p{on_error::replace};
  p.start = start;
  return p;
}

/// The places after each byte that a decoder reads.
std::vector<checkpoint> places_of(const sample& s) {
  decoder codec(s.from, replacing());
  std::vector<checkpoint> places{codec.here()};
  for (const char& byte : s.text) {
    char out[64];
    codec.convert(&byte, 1, out, sizeof out, false);
    if (codec.here() != places.back()) places.push_back(codec.here());
  }
  return places;
}

struct outcome {
  std::string text;
  stream_report report;
};

/// Reads each sample from the start, and from each of its places. `read` gets the text from the place on.
void check(const std::function<outcome(const std::string& text, encoding from, const params&)>& read) {
  tally all;
  for (const sample& s : samples) {
    const outcome whole = read(s.text, s.from, replacing());
    for (const checkpoint& place : places_of(s))
      for (const encoding from : {s.from, encoding::detect}) {
        if (place.offset == 0 && from == encoding::detect)
          continue;  // then the byte order mark is looked for, and dropped
        const outcome rest = read(s.text.substr(static_cast<std::size_t>(place.offset)), from, replacing(place));
        const stream_report &a = whole.report, &b = rest.report;
        const bool right = whole.text.substr(static_cast<std::size_t>(place.bytes_out)) == rest.text &&
                           a.encoding == b.encoding && a.bom == b.bom && a.bytes_in == b.bytes_in &&
                           a.bytes_out == b.bytes_out && a.lines == b.lines && a.errors == b.errors;
        if (all.failed(right)) BOOST_ERROR(to_string(place));
      }
  }
  all.summary();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_stream_begins_at_a_checkpoint) {
  check([](const std::string& text, encoding from, const params& p) {
    std::istringstream source(text);
    utfilter::istream in(source, from, p);
    const std::string got = files::rest(in);
    return outcome{got, in.report()};
  });
}

BOOST_AUTO_TEST_CASE(a_stream_seeks_back_to_the_checkpoint) {
  const sample& s = samples[1];
  const checkpoint place = places_of(s)[3];
  std::istringstream source(s.text);
  source.seekg(static_cast<std::streamoff>(place.offset));
  utfilter::istream in(source, s.from, replacing(place));
  const std::string first = files::rest(in);
  in.clear();
  in.seekg(0);
  BOOST_TEST(!first.empty());
  BOOST_TEST(files::rest(in) == first);
}

BOOST_AUTO_TEST_CASE(a_chain_begins_at_a_checkpoint) {
  check([](const std::string& text, encoding from, const params& p) {
    const to_utf8 filter(from, p);
    io::filtering_istream in(filter | io::array_source(text.data(), text.size()));
    const std::string got = files::rest(in);
    in.reset();
    return outcome{got, filter.report()};
  });
}

BOOST_AUTO_TEST_CASE(the_filters_of_one_encoding_begin_at_a_checkpoint) {
  const auto read = [](const auto& filter, const std::string& text) {
    io::filtering_istream in(filter | io::array_source(text.data(), text.size()));
    return files::rest(in);
  };
  for (const sample& s : samples) {
    const checkpoint place = places_of(s)[4];
    const std::string rest = s.text.substr(static_cast<std::size_t>(place.offset));
    std::istringstream source(rest);
    utfilter::istream in(source, s.from, replacing(place));
    const std::string wanted = files::rest(in);
    BOOST_TEST(!wanted.empty());
    if (s.from == encoding::utf8)
      BOOST_TEST(read(utf8_validator(replacing(place)), rest) == wanted);
    else
      BOOST_TEST(read(utf16_to_utf8(s.from, replacing(place)), rest) == wanted);
  }
}

BOOST_AUTO_TEST_CASE(a_file_is_read_from_the_byte_of_the_checkpoint) {
  for (const sample& s : samples) {
    const files::temporary_file file(s.text);
    utfilter::ifstream whole(file.path(), s.from, replacing());
    const std::string text = files::rest(whole);
    for (const checkpoint& place : places_of(s)) {
      utfilter::ifstream rest(file.path(), s.from, replacing(place));
      BOOST_TEST(files::rest(rest) == text.substr(static_cast<std::size_t>(place.bytes_out)));
      BOOST_TEST(rest.report().bytes_in == s.text.size());
      BOOST_TEST(rest.report().errors == whole.report().errors);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_ends_before_the_checkpoint_is_refused) {
  const files::temporary_file file("four");
  const auto read_from = [&](std::uint64_t offset) {
    utfilter::ifstream in(file.path(), encoding::utf8,
                          replacing(checkpoint{{offset, 1, 1, 0}, encoding::utf8, false, offset, 0}));
    return files::rest(in);
  };
  BOOST_TEST(read_from(3) == "r");
  BOOST_TEST(read_from(4) == "");
  BOOST_CHECK_EXCEPTION(read_from(5), std::invalid_argument, [](const std::exception& e) {
    return e.what() == "utfilter: params::start is byte 5, but the file has only 4 bytes"s;
  });
}

#ifdef __linux__
BOOST_AUTO_TEST_CASE(a_pipe_has_no_checkpoint_to_go_to) {
  pipe_ends pipe;
  pipe.send("abc");
  pipe.close_writer();
  utfilter::ifstream in(pipe.reader_name(), encoding::utf8,
                        replacing(checkpoint{{1, 1, 2, 0}, encoding::utf8, false, 1, 0}));
  BOOST_TEST((in.fail() && !in.is_open()));
  BOOST_TEST((in.open_error() == std::errc::invalid_seek));
}
#endif
