// sink_test.cpp: failures of a chain that writes. Writing to a broken sink ends with an error. The error sticks, and
// close throws it again. A chain reports the error of a filter in any place.
#define BOOST_TEST_MODULE sink
#include "support/outcomes.hpp"
#include "support/same_report.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/counter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/stream.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace io = boost::iostreams;
using namespace devices;
using namespace std::string_literals;
using namespace utfilter;
using texts::repeated;

namespace {

/// The exception of an observer.
struct veto {};

/// Pushes the elements in this order.
template <class... Elements>
void push_all(io::filtering_ostream& out, Elements&&... elements) {
  (out.push(elements), ...);
}

/// Chains that end in a device: with one, two or three filters before it, composed or not, with buffers and without.
template <class Sink>
struct shape {
  const char* name;
  std::function<void(io::filtering_ostream&, const Sink&)> build;
};

template <class Sink>
std::vector<shape<Sink>> shapes() {
  using out = io::filtering_ostream;
  return {
      {"validator", [](out& o, const Sink& s) { push_all(o, utf8_validator(), s); }},
      {"validator, unbuffered sink",
       [](out& o, const Sink& s) {
         o.push(utf8_validator());
         o.push(s, 0);
       }},
      {"validator, all of one byte",
       [](out& o, const Sink& s) {
         o.push(utf8_validator(), 1);
         o.push(s, 1);
       }},
      {"transcoder", [](out& o, const Sink& s) { push_all(o, from_utf8(encoding::utf16le), s); }},
      {"to_utf8", [](out& o, const Sink& s) { push_all(o, to_utf8(), s); }},
      {"bom_filter", [](out& o, const Sink& s) { push_all(o, bom_filter(), s); }},
      {"escape_controls", [](out& o, const Sink& s) { push_all(o, escape_controls(), s); }},
      {"two", [](out& o, const Sink& s) { push_all(o, utf8_validator(), from_utf8(encoding::utf16), s); }},
      {"three", [](out& o, const Sink& s) { push_all(o, utf8_validator(), to_utf8(), bom_filter(), s); }},
      {"filter of device", [](out& o, const Sink& s) { o.push(io::compose(utf8_validator(), s)); }},
      {"filter of filter of device",
       [](out& o, const Sink& s) { o.push(io::compose(utf8_validator(), io::compose(to_utf8(), s))); }},
      {"filter of filter", [](out& o, const Sink& s) { push_all(o, io::compose(utf8_validator(), to_utf8()), s); }},
      {"before filter of device",
       [](out& o, const Sink& s) { push_all(o, utf8_validator(), io::compose(to_utf8(), s)); }},
  };
}

/// How a chain reports the failure of its sink: by the stream's state after writing, and by reset.
struct seen {
  bool bad = false;
  bool ios_failure = false;
  std::string what;  // the message of the exception; empty if there was none
};

template <class Sink>
seen write_and_reset(const shape<Sink>& chain, const Sink& sink, const std::string& text, bool flush) {
  seen result;
  io::filtering_ostream out;
  chain.build(out, sink);
  out << text;
  if (flush) out.flush();
  result.bad = out.bad();
  result.what = thrown_by([&] {
    try {
      out.reset();
    } catch (const std::ios_base::failure&) {
      result.ios_failure = true;
      throw;
    }
  });
  return result;
}

/// Writes texts of these lengths through every chain, flushed or not, to sinks that `open` returns. A failure must be
/// seen at the flush. Calls `check` with the failure and the sink.
template <class Open, class Check>
void write_through_every_chain(std::initializer_list<std::size_t> lengths, const Open& open, const Check& check) {
  for (const auto& chain : shapes<decltype(open())>())
    for (const std::size_t length : lengths)
      for (const bool flush : {false, true}) {
        BOOST_TEST_INFO_SCOPE(chain.name << ", " << length << " bytes, flush " << flush);
        const watchdog dog(chain.name);
        const auto sink = open();
        const seen result = write_and_reset(chain, sink, repeated("x", length), flush);
        if (flush) BOOST_TEST(result.bad);
        check(result, sink);
      }
}

/// Takes one byte at every nth write, and nothing at the other writes.
struct tiring_sink {
  using char_type = char;
  using category = io::sink_tag;
  int nth;
  std::string text = {};
  int calls = 0;
  std::streamsize write(const char* s, std::streamsize) {
    if (++calls % nth != 0) return (calls + calls / nth) % 2 == 0 ? 0 : -1;  // both are refusals
    text.push_back(*s);
    return 1;
  }
};

//--------------------------------------------------------------------------------------------------------- broken sinks

BOOST_AUTO_TEST_CASE(a_sink_that_throws_at_any_write_fails_this_call_and_all_later_ones) {
  const std::string text = repeated("ab\u20AC", 3000);
  for (const std::size_t cut : {1u, 2u, 7u, 1000u, 9000u})
    for (std::size_t n = 1; n < 10; ++n) {
      recording_sink sink(throwing_at_write(n));
      from_utf8 filter(encoding::utf16le);
      bool failed = false;
      for (const std::string& piece : in_pieces(text, cut)) {
        const std::size_t before = sink.seen().writes.size();
        try {
          write_all(filter, sink, piece);
          BOOST_TEST(!failed);
        } catch (const device_failure&) {
          BOOST_TEST((before < n) == !failed);                          // the first call to fail makes the Nth write
          if (failed) BOOST_TEST(before == sink.seen().writes.size());  // after it the sink is not called
          failed = true;
        }
        if (failed && before > n + 3) break;
      }
      const std::size_t before = sink.seen().writes.size();
      if (!failed) {
        BOOST_TEST(before < n);
        continue;
      }
      BOOST_CHECK_THROW(filter.flush(sink), device_failure);
      BOOST_CHECK_THROW(filter.flush(sink), device_failure);
      BOOST_CHECK_THROW(filter.close(sink, std::ios::out), device_failure);
      BOOST_TEST(sink.seen().writes.size() == before);

      recording_sink good;  // works again from the start
      write_all(filter, good, "abc");
      filter.close(good, std::ios::out);
      BOOST_TEST(good.text() == std::string("a\0b\0c\0", 6));
      BOOST_TEST(filter.report().bytes_in == 3u);
    }
}

BOOST_AUTO_TEST_CASE(a_sink_that_throws_is_reported_through_every_chain) {
  for (const auto& chain : shapes<recording_sink>())
    for (const std::size_t length : {1u, 100u, 5000u, 50'000u}) {
      recording_sink unbroken;
      const seen none = write_and_reset(chain, unbroken, repeated("x", length), true);
      BOOST_TEST((!none.bad && none.what.empty()));
      const std::size_t writes = unbroken.seen().writes.size();
      const std::size_t last = std::min<std::size_t>(writes, 40);
      for (std::size_t n = 1; n <= last; ++n)
        for (const bool flush : {false, true}) {
          BOOST_TEST_INFO_SCOPE(chain.name << ", " << length << " bytes, write " << n << " of " << writes << ", flush "
                                           << flush);
          recording_sink sink(throwing_at_write(n));
          const seen result = write_and_reset(chain, sink, repeated("x", length), flush);
          if (flush) BOOST_TEST(result.bad);
          BOOST_TEST((result.what == "the sink broke" || result.what.find("be flushed") != std::string::npos));
          BOOST_TEST(unbroken.text().compare(0, sink.text().size(), sink.text()) == 0);  // no text is written twice
        }
    }
}

BOOST_AUTO_TEST_CASE(writing_to_a_sink_that_takes_nothing_ends_with_an_error) {
  write_through_every_chain(
      {1, 100, 5000, 100'000}, [] { return recording_sink(refusing(1, 1000)); },
      [](const seen& result, const recording_sink& sink) {
        BOOST_TEST(result.ios_failure);
        BOOST_TEST(sink.seen().writes.size() >= 100u);
        BOOST_TEST(sink.seen().writes.size() <= 108u);  // the chain itself tries a few more times
      });
}

BOOST_AUTO_TEST_CASE(a_sink_is_broken_once_it_takes_nothing_a_hundred_times_in_a_row) {
  for (const std::size_t refusals : {1u, 2u, 99u}) {
    sink_behaviour b = refusing(2, refusals);
    b.takes_at_most = 4;
    recording_sink hesitating(b);
    utf8_validator filter;
    write_all(filter, hesitating, "abcdefghij");
    filter.close(hesitating, std::ios::out);
    BOOST_TEST(hesitating.text() == "abcdefghij");
    BOOST_TEST(hesitating.seen().writes.size() == 3 + refusals);
  }
  utf8_validator filter;
  recording_sink full(refusing(1, 1000));
  BOOST_CHECK_THROW(filter.write(full, "abc", 3), std::ios_base::failure);
  BOOST_TEST(full.seen().writes.size() == 100u);
  BOOST_CHECK_THROW(filter.write(full, "abc", 3), std::ios_base::failure);
  BOOST_CHECK_THROW(filter.flush(full), std::ios_base::failure);
  BOOST_CHECK_THROW(filter.close(full, std::ios::out), std::ios_base::failure);
  BOOST_TEST(full.seen().writes.size() == 100u);
}

BOOST_AUTO_TEST_CASE(a_link_whose_sink_takes_nothing_is_flushed_again_and_a_failure_is_reported) {
  for (const std::size_t refusals : {1u, 2u, 99u, 100u})
    for (const bool throws : {false, true}) {
      BOOST_TEST_INFO_SCOPE(refusals << " refusals, then throws " << throws);
      sink_behaviour b = refusing(1, refusals);
      if (throws) b.throws_at_write = refusals + 1;
      const bool fails = throws || refusals == 100;
      recording_sink sink(b);
      io::filtering_ostream out;
      out.push(utf8_validator());
      out.push(sink, 64);
      out << "abc";
      out.flush();
      BOOST_TEST(out.bad() == fails);
      BOOST_TEST(out.good() == !fails);
      BOOST_TEST(sink.text() == (fails ? "" : "abc"));
    }
}

// Boost's link would present bytes twice (see doc/limits.md), so the flush fails instead.
BOOST_AUTO_TEST_CASE(a_link_whose_sink_takes_a_part_and_then_less_than_the_rest_fails_to_flush) {
  recording_sink sink(taking(2));
  io::filtering_ostream out;
  out.push(utf8_validator());
  out.push(sink, 64);
  out << "abcdef";
  out.flush();
  BOOST_TEST(out.bad());
  BOOST_TEST(sink.text() == "abcd");
}

BOOST_AUTO_TEST_CASE(a_stream_buffer_after_the_filter_is_flushed_and_its_failure_is_reported) {
  streambufs::recording_streambuf buffer;
  buffer.refuses_at_sync = 2;
  utf8_validator filter;
  write_all(filter, buffer, "abc");
  filter.flush(buffer);
  BOOST_TEST(buffer.flushed_at == std::vector<std::size_t>{3});
  write_all(filter, buffer, "def");
  BOOST_CHECK_THROW(filter.flush(buffer), std::ios_base::failure);
  BOOST_CHECK_THROW(filter.close(buffer, std::ios::out), std::ios_base::failure);
  BOOST_TEST(buffer.text == "abcdef");
}

BOOST_AUTO_TEST_CASE(a_sink_that_takes_a_byte_gets_another_hundred_tries) {
  for (const int nth : {2, 100}) {
    tiring_sink sink{nth};
    utf8_validator filter;
    write_all(filter, sink, "abc\u20AC");
    filter.close(sink, std::ios::out);
    BOOST_TEST(sink.text == "abc\u20AC");
  }
}

BOOST_AUTO_TEST_CASE(a_sink_that_takes_few_bytes_at_a_time_gets_all_text) {
  const std::string text = repeated("ab\u20AC\n", 2000);
  for (const std::size_t most : {1u, 2u, 3u, 1000u}) {
    recording_sink direct(taking(most));
    utf8_validator filter;
    for (const std::string& piece : in_pieces(text, 1000)) write_all(filter, direct, piece);
    filter.close(direct, std::ios::out);
    BOOST_TEST((direct.text() == text));

    // A buffered link of Boost's directly over a device repeats data after the second short write (see doc/limits.md).
    // A composed device and an unbuffered one have no such link.
    recording_sink composed(taking(most));
    io::filtering_ostream out(io::compose(utf8_validator(), io::compose(to_utf8(encoding::utf8), composed)));
    out << text;
    out.reset();
    BOOST_TEST((composed.text() == text));

    recording_sink unbuffered(taking(most));
    io::filtering_ostream through;
    through.push(utf8_validator());
    through.push(unbuffered, 0);
    through << text;
    through.reset();
    BOOST_TEST((unbuffered.text() == text));
  }
}

BOOST_AUTO_TEST_CASE(a_sink_that_throws_at_a_flush_is_reported_through_every_chain) {
  write_through_every_chain(
      {1, 5000}, [] { return recording_sink(throwing_at_flush(1)); },
      [](const seen& result, const recording_sink&) { BOOST_TEST(!result.what.empty()); });
}

BOOST_AUTO_TEST_CASE(a_sink_whose_flush_returns_false_is_reported_if_it_is_next_to_the_filter) {
  recording_sink sink(refusing_at_flush(1));
  utf8_validator filter;
  write_all(filter, sink, "abc");
  BOOST_CHECK_THROW(filter.flush(sink), std::ios_base::failure);
  BOOST_CHECK_THROW(filter.write(sink, "abc", 3), std::ios_base::failure);
  BOOST_CHECK_THROW(filter.close(sink, std::ios::out), std::ios_base::failure);
  BOOST_TEST(sink.text() == "abc");

  io::filtering_ostream out(io::compose(utf8_validator(), recording_sink(refusing_at_flush(1))));
  out << "abc" << std::flush;
  BOOST_TEST(out.bad());
  BOOST_CHECK_THROW(out.reset(), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(a_sink_whose_flush_returns_false_is_reported_through_every_chain) {
  write_through_every_chain(
      {1, 5000}, [] { return recording_sink(refusing_to_flush_text()); },
      [](const seen& result, const recording_sink&) { BOOST_TEST(result.ios_failure); });
}

BOOST_AUTO_TEST_CASE(a_filter_of_boost_without_a_flush_is_not_a_failure) {
  for (const bool first : {false, true}) {
    recording_sink sink;
    io::filtering_ostream out;
    if (first) out.push(io::counter());
    out.push(utf8_validator());
    out.push(io::counter());
    out.push(sink);
    out << "a" << std::flush << "b" << std::flush;
    BOOST_TEST(out.good());
    BOOST_TEST(sink.text() == "ab");
    BOOST_CHECK_NO_THROW(out.reset());
  }
}

BOOST_AUTO_TEST_CASE(there_is_a_full_disk_to_test_with) {
  struct stat facts {};
  const bool device = ::stat("/dev/full", &facts) == 0 && S_ISCHR(facts.st_mode);
  BOOST_TEST(device, "/dev/full is no device here: the tests below cannot pass");
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_for_small_and_large_texts) {
  const auto check = [](const seen& result, const auto&) {
    BOOST_TEST(result.ios_failure);
    BOOST_TEST(result.what.find("No space left on device") != std::string::npos, result.what);
  };
  const std::initializer_list<std::size_t> lengths = {1, 100, 4096, 300'000};
  BOOST_TEST_CONTEXT("file_descriptor_sink") {
    write_through_every_chain(
        lengths, [] { return io::file_descriptor_sink("/dev/full"); }, check);
  }
  BOOST_TEST_CONTEXT("file_sink") {
    write_through_every_chain(
        lengths, [] { return io::file_sink("/dev/full"); }, check);
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_by_a_chain_over_a_standard_stream) {
  // Boost wraps a pushed standard stream in an adapter that has no flush, and does not report a failure to close it.
  using opener = std::function<void(io::filtering_ostream&, std::ofstream&)>;
  const std::pair<const char*, opener> ways[] = {
      {"composed",
       [](auto& out, auto& full) { out.push(io::compose(utf8_validator(), static_cast<std::ostream&>(full))); }},
      {"ostream pushed", [](auto& out, auto& full) { push_all(out, utf8_validator(), full); }},
      {"streambuf pushed",
       [](auto& out, auto& full) { push_all(out, utf8_validator(), static_cast<std::streambuf&>(*full.rdbuf())); }},
      {"after two of our filters",
       [](auto& out, auto& full) { push_all(out, utf8_validator(), from_utf8(encoding::utf16), full); }},
  };
  for (const auto& [way, open] : ways)
    for (const std::size_t length : {1u, 100u, 300'000u})
      for (const bool flush : {false, true}) {
        BOOST_TEST_INFO_SCOPE(way << ", " << length << " bytes, flush " << flush);
        const watchdog dog("std::ofstream");
        std::ofstream full("/dev/full");
        io::filtering_ostream out;
        open(out, full);
        out << repeated("x", length);
        if (flush) BOOST_TEST(!out.flush());
        const std::string what = thrown_by<std::ios_base::failure>([&] { out.reset(); });
        BOOST_TEST(what.find("No space left on device") != std::string::npos, what);
      }
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_by_a_chain_over_another_chain_over_an_iostream) {
  std::fstream full("/dev/full", std::ios::in | std::ios::out);
  io::filtering_ostream inner;
  inner.push(utf8_validator());
  inner.push(static_cast<std::iostream&>(full));
  io::filtering_ostream outer;
  outer.push(utf8_validator());
  outer.push(inner);
  outer << "small" << std::flush;
  BOOST_TEST(outer.bad());
  BOOST_CHECK_THROW(outer.reset(), std::ios_base::failure);
  BOOST_CHECK_THROW(inner.reset(), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(a_standard_stream_is_flushed_with_the_chain) {
  std::ostringstream text;
  std::ostream counted(text.rdbuf());
  io::filtering_ostream out;
  out.push(utf8_validator());
  out.push(counted);
  out << "a" << std::flush;
  BOOST_TEST(text.str() == "a");
  BOOST_TEST(out.good());
  out << "b";
  out.reset();
  BOOST_TEST(text.str() == "ab");
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_by_copy_close_pop_and_streams_of_composites) {
  const std::string small = "small";
  const auto source = io::array_source(small.data(), small.size());
  const auto full = [] { return io::file_descriptor_sink("/dev/full"); };
  const std::function<void(io::filtering_ostream&)> ways[] = {
      [&](io::filtering_ostream& out) { io::copy(source, out); },
      [&](io::filtering_ostream& out) {
        out << small;
        io::close(out);
      },
      [&](io::filtering_ostream& out) {
        out << small;
        out.pop();
      },
  };
  for (const auto& write : ways) {
    io::filtering_ostream out(utf8_validator() | full());
    BOOST_CHECK_THROW(write(out), std::ios_base::failure);
  }
  BOOST_CHECK_THROW(io::copy(source, io::compose(utf8_validator(), full())), std::ios_base::failure);

  io::filtering_ostreambuf buffer;
  buffer.push(utf8_validator());
  buffer.push(full());
  buffer.sputn("small", 5);
  BOOST_TEST(buffer.pubsync() == -1);
  BOOST_CHECK_THROW(buffer.reset(), std::ios_base::failure);

  io::stream<io::composite<utf8_validator, io::file_descriptor_sink>> stream(io::compose(utf8_validator(), full()));
  stream << small;
  BOOST_CHECK_THROW(stream.close(), std::ios_base::failure);
}

//---------------------------------------------------------------------------------------------------- errors of filters

BOOST_AUTO_TEST_CASE(the_flush_after_each_line_reports_whether_it_failed) {
  for (std::size_t lines = 1; lines <= 3; ++lines) {
    // The sink is flushed twice for each line: once by the filter, once by Boost.
    recording_sink sink(refusing_at_flush(2 * lines));
    io::filtering_ostream out(utf8_validator() | sink);
    for (std::size_t line = 1; line <= lines; ++line) {
      BOOST_TEST(out.good());
      out << "a line\n" << std::flush;
    }
    BOOST_TEST(out.bad());
    BOOST_TEST((sink.text() == repeated("a line\n", lines)));
  }
}

/// A chain in which one filter fails. Most of these filters fail on "€". The buffers of Boost's links do not report the
/// failure.
struct failing_chain {
  const char* name;
  std::function<void(io::filtering_ostream&, const recording_sink&)> build;
  errc code = errc::unmappable;
  std::string text = "a\u20ACb";
};

std::vector<failing_chain> failing_chains() {
  using out = io::filtering_ostream;
  using sink = recording_sink;
  const auto latin1 = [] { return from_utf8(encoding::latin1); };
  std::vector<failing_chain> chains = {
      {"first", [=](out& o, const sink& s) { push_all(o, latin1(), s); }},
      {"second", [=](out& o, const sink& s) { push_all(o, utf8_validator(), latin1(), s); }},
      {"third", [=](out& o, const sink& s) { push_all(o, utf8_validator(), bom_filter(), latin1(), s); }},
      {"fourth", [=](out& o, const sink& s) { push_all(o, utf8_validator(), to_utf8(), bom_filter(), latin1(), s); }},
      {"second of three",
       [=](out& o, const sink& s) { push_all(o, utf8_validator(), latin1(), to_utf8(encoding::latin1), s); }},
      {"composed with the first",
       [=](out& o, const sink& s) { push_all(o, io::compose(utf8_validator(), latin1()), s); }},
      {"composed with the device",
       [=](out& o, const sink& s) { push_all(o, utf8_validator(), io::compose(latin1(), s)); }},
      {"composed with both",
       [=](out& o, const sink& s) { o.push(io::compose(utf8_validator(), io::compose(latin1(), s))); }},
      {"after Boost's counter", [=](out& o, const sink& s) { push_all(o, io::counter(), latin1(), s); }},
      {"before Boost's counter", [=](out& o, const sink& s) { push_all(o, latin1(), io::counter(), s); }},
      {"after our filter and Boost's counter",
       [=](out& o, const sink& s) { push_all(o, utf8_validator(), io::counter(), latin1(), s); }},
      {"unbuffered",
       [=](out& o, const sink& s) {
         o.push(utf8_validator(), 0);
         o.push(latin1(), 0);
         o.push(s, 0);
       }},
  };
  // The first filter passes these bytes. The second one reads them as UTF-16BE, in which the last character is
  // incomplete.
  chains.push_back({"incomplete in the second",
                    [](out& o, const sink& s) { push_all(o, utf8_validator(), to_utf8(encoding::utf16be), s); },
                    errc::incomplete_at_end, "abc"});
  chains.push_back({"incomplete in the first",
                    [](out& o, const sink& s) { push_all(o, utf8_validator(), bom_filter(), s); },
                    errc::incomplete_at_end, "abc\xE2"});
  chains.push_back({"no byte order mark",
                    [](out& o, const sink& s) {
                      push_all(o, utf8_validator(), utf8_validator(params{on_error::strict, bom::require}), s);
                    },
                    errc::missing_bom, "ab"});
  return chains;
}

BOOST_AUTO_TEST_CASE(a_chain_reports_the_error_of_a_filter_in_any_place) {
  const std::pair<const char*, std::function<void(io::filtering_ostream&)>> ends[] = {
      {"reset", [](io::filtering_ostream& out) { out.reset(); }},
      {"flush, reset",
       [](io::filtering_ostream& out) {
         out.flush();
         out.reset();
       }},
      {"flush twice, reset",
       [](io::filtering_ostream& out) {
         out.flush();
         out.flush();
         out.reset();
       }},
      {"more, reset",
       [](io::filtering_ostream& out) {
         out.flush();
         out.clear();
         out << "more";
         out.reset();
       }},
      {"io::close", [](io::filtering_ostream& out) { io::close(out); }},
      {"pop", [](io::filtering_ostream& out) { out.pop(); }},
  };
  for (const failing_chain& chain : failing_chains()) {
    for (const auto& end : ends) {
      if (chain.code != errc::unmappable && end.first == "more, reset"s) continue;
      BOOST_TEST_CONTEXT(chain.name << ", " << end.first) {
        recording_sink sink;
        io::filtering_ostream out;
        chain.build(out, sink);
        out << chain.text;
        BOOST_CHECK_NO_THROW(BOOST_TEST(throws(chain.code, [&] { end.second(out); })));
        if (end.first == "reset"s) BOOST_TEST(sink.seen().closes == 1u);
      }
    }
    BOOST_TEST_CONTEXT(chain.name << ", io::copy") {
      recording_sink sink;
      io::filtering_ostream out;
      chain.build(out, sink);
      BOOST_TEST(throws(chain.code, [&] { io::copy(io::array_source(chain.text.data(), chain.text.size()), out); }));
      if (chain.code == errc::unmappable)
        BOOST_TEST(sink.text() == "a");  // the text before the error, and nothing else
    }
    BOOST_TEST_CONTEXT(chain.name << ", destroyed") {
      recording_sink sink;
      {
        io::filtering_ostream out;
        chain.build(out, sink);
        out << chain.text;
      }
      if (chain.code == errc::unmappable) BOOST_TEST(sink.text() == "a");
      BOOST_TEST(sink.seen().closes == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_destructor_swallows_the_exceptions_of_sink_and_observer_and_the_kept_copy_reports_them) {
  const auto kept_failure = [](const params& p, const sink_behaviour& behaviour, std::streamsize buffer) {
    utf8_validator kept(p);
    BOOST_TEST((kept.report().failure == nullptr));
    {
      io::filtering_ostream out;
      out.push(kept);
      out.push(recording_sink(behaviour), buffer);
      out << "a\xFF";
    }
    const std::exception_ptr failure = kept.report().failure;
    recording_sink sink;
    write_all(kept, sink, "a");
    BOOST_TEST((kept.report().failure == nullptr));  // the next use has not failed
    kept.close(sink, std::ios::out);
    BOOST_TEST((kept.report().failure == nullptr));
    return failure;
  };
  params p{on_error::replace};
  BOOST_TEST((kept_failure(p, {}, -1) == nullptr));
  for (const std::streamsize buffer : {-1, 0}) {
    const std::string what = message_of(kept_failure(p, throwing_at_write(1), buffer));
    BOOST_TEST((what == "the sink broke" || what.find("could not be flushed") != std::string::npos));
    BOOST_CHECK_THROW(std::rethrow_exception(kept_failure(p, refusing(1, 1000), buffer)), std::ios_base::failure);
  }
  p.observer = [](const error_info&) { throw veto(); };
  BOOST_CHECK_THROW(std::rethrow_exception(kept_failure(p, {}, -1)), veto);

  std::ostringstream text;
  utfilter::ostream stream(text);
  stream << "a\xFF";
  BOOST_TEST(throws(errc::unused_byte, [&] { std::rethrow_exception(stream.report().failure); }));
  BOOST_TEST(throws(errc::unused_byte, [&] { stream.close(); }));
  BOOST_TEST(throws(errc::unused_byte, [&] { std::rethrow_exception(stream.report().failure); }));
  stream.clear();
  BOOST_TEST(stream.flush().good());  // the failure belongs to the text that close ended
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_sink_without_a_reason_does_not_report_an_older_errno) {
  for (const auto& behaviour : {refusing(1, 1000), refusing_at_flush(1)}) {
    utf8_validator filter;
    recording_sink sink(behaviour);
    const auto fails = [&] {
      errno = ENOENT;
      filter.write(sink, "a", 1);
      errno = ENOENT;
      filter.close(sink, std::ios::out);
    };
    BOOST_CHECK_EXCEPTION(fails(), std::ios_base::failure, [](const std::ios_base::failure& e) {
      return e.code() != std::errc::no_such_file_or_directory;
    });
  }
}

}  // namespace
