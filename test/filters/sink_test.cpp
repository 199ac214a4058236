// sink_test.cpp: failures. No text before an error is lost. Errors stick, and close throws them again. Writing to a
// broken sink ends with an error. After close a filter works again from the start.
#define BOOST_TEST_MODULE sink
#include "support/outcomes.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/counter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/stream.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
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
using namespace utfilter;
using namespace std::string_literals;
using devices::device_failure;
using devices::piecewise_source;
using devices::recording_sink;
using devices::refusing;
using devices::refusing_at_flush;
using devices::refusing_to_flush_text;
using devices::sink_behaviour;
using devices::taking;
using devices::throwing_at_flush;
using devices::throwing_at_write;
using texts::repeated;

namespace {

/// The exception of an observer.
struct veto {};

#define CHECK_ERROR(action, expected) BOOST_TEST(throws(expected, [&] { action; }))

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
  bool threw = false;
  bool ios_failure = false;
  std::string what = "nothing";  // the message of that failure
};

template <class Sink>
seen write_and_reset(const shape<Sink>& chain, const Sink& sink, const std::string& text, bool flush) {
  seen result;
  io::filtering_ostream out;
  chain.build(out, sink);
  out << text;
  if (flush) out.flush();
  result.bad = out.bad();
  try {
    out.reset();
  } catch (const std::ios_base::failure& error) {
    result.threw = result.ios_failure = true;
    result.what = error.what();
  } catch (const std::exception&) {
    result.threw = true;
  }
  return result;
}

/// Writes texts of these lengths through every chain, flushed or not, to sinks that `open` returns. A failure must be
/// seen at the flush. Calls `check` with the failure and the sink.
template <class Open, class Check>
void write_through_every_chain(std::initializer_list<std::size_t> lengths, const Open& open, const Check& check) {
  for (const auto& chain : shapes<decltype(open())>())
    for (const std::size_t length : lengths)
      for (const bool flush : {false, true}) {
        BOOST_TEST_CONTEXT(chain.name << ", " << length << " bytes, flush " << flush) {
          const devices::watchdog dog(chain.name);
          const auto sink = open();
          const seen result = write_and_reset(chain, sink, repeated("x", length), flush);
          if (flush) BOOST_TEST(result.bad);
          check(result, sink);
        }
      }
}

/// Continues after its end, as a terminal does.
struct continuing_source {
  using char_type = char;
  using category = io::source_tag;
  std::streamsize read(char* s, std::streamsize) {
    if (++calls % 2 == 0) return -1;
    *s = 'x';
    return 1;
  }
  int calls = 0;
};

/// Takes one byte at every hundredth write, and nothing at the other writes.
struct tiring_sink {
  using char_type = char;
  using category = io::sink_tag;
  std::string* text;
  int calls = 0;
  std::streamsize write(const char* s, std::streamsize) {
    if (++calls % 100 != 0) return calls % 2 == 0 ? 0 : -1;  // both are refusals
    text->push_back(*s);
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
      for (const std::string& piece : devices::in_pieces(text, cut)) {
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
      BOOST_TEST((!none.bad && !none.threw));
      const std::size_t writes = unbroken.seen().writes.size();
      const std::size_t last = std::min<std::size_t>(writes, 40);
      for (std::size_t n = 1; n <= last; ++n)
        for (const bool flush : {false, true}) {
          BOOST_TEST_CONTEXT(chain.name << ", " << length << " bytes, write " << n << " of " << writes << ", flush "
                                        << flush) {
            recording_sink sink(throwing_at_write(n));
            const seen result = write_and_reset(chain, sink, repeated("x", length), flush);
            if (flush) BOOST_TEST(result.bad);
            BOOST_TEST(result.threw);
            BOOST_TEST(unbroken.text().compare(0, sink.text().size(), sink.text()) == 0);  // no text is written twice
          }
        }
    }
}

BOOST_AUTO_TEST_CASE(the_failure_of_a_sink_is_the_one_that_reset_throws) {
  for (const auto& chain : shapes<recording_sink>())
    for (const bool flush : {false, true}) {
      BOOST_TEST_CONTEXT(chain.name << ", flush " << flush) {
        recording_sink sink(throwing_at_write(1));
        io::filtering_ostream out;
        chain.build(out, sink);
        out << "small";
        if (flush) out.flush();
        const std::string what = thrown_by([&] { out.reset(); });
        BOOST_TEST((what == "the sink broke" || what.find("could not be flushed") != std::string::npos));
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

BOOST_AUTO_TEST_CASE(a_sink_that_takes_a_byte_gets_another_hundred_tries) {
  std::string text;
  tiring_sink sink{&text};
  utf8_validator filter;
  write_all(filter, sink, "abc\u20AC");
  filter.close(sink, std::ios::out);
  BOOST_TEST(text == "abc\u20AC");
}

BOOST_AUTO_TEST_CASE(a_link_whose_sink_takes_nothing_is_flushed_again_and_a_failure_is_reported) {
  for (const std::size_t refusals : {1u, 2u, 99u, 100u})
    for (const bool throws : {false, true}) {
      BOOST_TEST_CONTEXT(refusals << " refusals, then throws " << throws) {
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

BOOST_AUTO_TEST_CASE(a_stream_buffer_after_the_filter_is_read_to_its_end) {
  streambufs::pieces_streambuf buffer({"ab", "c"});
  utf8_validator filter;
  BOOST_TEST(read_all(filter, buffer) == "abc$");
}

/// Takes nothing and one byte in turn.
struct hesitating {
  using char_type = char;
  using category = io::sink_tag;
  std::streamsize write(const char* s, std::streamsize n) {
    if (++writes % 2 != 0) return 0;
    text.append(s, 1);
    return n > 0 ? 1 : 0;
  }
  std::size_t writes = 0;
  std::string text;
};

// The sink refuses often, but never twice in a row.
BOOST_AUTO_TEST_CASE(a_sink_that_refuses_every_other_write_gets_all_text) {
  hesitating sink;
  utf8_validator filter;
  write_all(filter, sink, "abcdef");
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text == "abcdef");
}

// The filter forgets what it learned about the device of the first chain.
BOOST_AUTO_TEST_CASE(a_filter_over_a_stream_serves_another_device_afterwards) {
  utf8_validator filter;
  std::ostringstream stream;
  recording_sink sink;
  io::filtering_ostream first, second;
  first.push(filter);
  first.push(stream);
  first << "abc" << std::flush;
  first.reset();
  second.push(filter);
  second.push(sink);
  second << "def" << std::flush;
  BOOST_TEST(second.good());
  second.reset();
  BOOST_TEST(stream.str() == "abc");
  BOOST_TEST(sink.text() == "def");
}

BOOST_AUTO_TEST_CASE(reading_from_a_sink_and_writing_to_a_source_throw) {
  recording_sink sink;
  piecewise_source source({"abc"});
  char one;
  utf8_validator filter;
  BOOST_CHECK_THROW(filter.read(sink, &one, 1), std::ios_base::failure);
  filter.close(sink, std::ios::in);
  BOOST_CHECK_THROW(filter.write(source, "a", 1), std::ios_base::failure);
  BOOST_CHECK_THROW(filter.write(source, "a", 1), std::ios_base::failure);
}

// The neighbour is not called either.
BOOST_AUTO_TEST_CASE(reading_or_writing_no_bytes_begins_no_use) {
  for (const bool writing : {false, true}) {
    piecewise_source source({"abc"});
    recording_sink sink;
    utf8_validator filter;
    char untouched = 'x';
    for (const std::streamsize n : {0, -1, -2}) {
      BOOST_TEST(filter.write(sink, "a", n) == 0);
      BOOST_TEST(filter.read(source, &untouched, n) == 0);
    }
    BOOST_TEST(source.seen().requests.empty());
    BOOST_TEST(sink.seen().writes.empty());
    BOOST_TEST(untouched == 'x');
    if (writing) {  // this would throw if a read had begun a use
      write_all(filter, sink, "a");
      filter.close(sink, std::ios::out);
      BOOST_TEST(sink.text() == "a");
    } else {
      BOOST_TEST(filter.read(source, &untouched, 1) == 1);
      BOOST_TEST(untouched == 'a');
    }
  }
}

BOOST_AUTO_TEST_CASE(a_filter_that_was_never_used_reports_nothing_and_has_nothing_to_flush) {
  recording_sink sink;
  utf8_validator filter;
  const stream_report r = filter.report();
  BOOST_TEST(filter.flush(sink));
  BOOST_TEST(sink.seen().flushed_at.empty());
  BOOST_TEST(!r.bom);
  BOOST_TEST(r.bytes_in == 0u);
  BOOST_TEST(r.bytes_out == 0u);
  BOOST_TEST(r.lines == 0u);
  BOOST_TEST(r.errors == 0u);
  BOOST_TEST((!r.first_error && !r.last_error));
}

BOOST_AUTO_TEST_CASE(a_flush_does_nothing_if_the_filter_reads_even_after_an_error) {
  piecewise_source source({"a\xFF"});
  utf8_validator filter;
  BOOST_TEST(read_all(filter, source).substr(0, 2) == "a!");
  BOOST_TEST(filter.flush(source));
}

BOOST_AUTO_TEST_CASE(a_sink_that_takes_few_bytes_at_a_time_gets_all_text) {
  const std::string text = repeated("ab\u20AC\n", 2000);
  for (const std::size_t most : {1u, 2u, 3u, 1000u}) {
    recording_sink direct(taking(most));
    utf8_validator filter;
    for (const std::string& piece : devices::in_pieces(text, 1000)) write_all(filter, direct, piece);
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
      [](const seen& result, const recording_sink&) { BOOST_TEST(result.threw); });
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

BOOST_AUTO_TEST_CASE(every_flush_and_close_flushes_the_next_element) {
  recording_sink sink;
  utf8_validator filter;
  write_all(filter, sink, "abc\xE2");
  filter.flush(sink);
  BOOST_TEST(sink.seen().flushed_at == std::vector<std::size_t>{3});
  write_all(filter, sink, "\x82\xAC");
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.seen().flushed_at == (std::vector<std::size_t>{3, 6}));

  recording_sink next;
  io::filtering_ostream out(utf8_validator() | to_utf8() | next);
  out << "a" << std::flush;
  BOOST_TEST(next.text() == "a");
  BOOST_REQUIRE(!next.seen().flushed_at.empty());
  BOOST_TEST(next.seen().flushed_at.back() == 1u);
  out << "b";
  out.reset();
  BOOST_TEST(next.text() == "ab");
  BOOST_TEST(next.seen().flushed_at.back() == 2u);
  BOOST_TEST(next.seen().closes == 1u);
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
        BOOST_TEST_CONTEXT(way << ", " << length << " bytes, flush " << flush) {
          const devices::watchdog dog("std::ofstream");
          std::ofstream full("/dev/full");
          io::filtering_ostream out;
          open(out, full);
          out << repeated("x", length);
          if (flush) BOOST_TEST(!out.flush());
          BOOST_CHECK_EXCEPTION(out.reset(), std::ios_base::failure, [](const std::exception& e) {
            return std::strstr(e.what(), "No space left on device") != nullptr;
          });
        }
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

//------------------------------------------------------------------------------------------------------ errors, writing

BOOST_AUTO_TEST_CASE(text_before_an_error_is_written_and_then_each_write_throws_the_error) {
  const std::string good = repeated("x\u20AC", 2000);
  for (const std::size_t cut : {1u, 3u, 4u, 1000u, 100'000u}) {
    BOOST_TEST_CONTEXT("pieces of " << cut) {
      recording_sink sink;
      utf8_validator filter;
      int failures = 0;
      std::string what;
      for (const std::string& piece : devices::in_pieces(good + "\xC0!" + "more\xFFmore", cut)) {
        try {
          write_all(filter, sink, piece);
          BOOST_TEST(failures == 0);
        } catch (const utf_error& error) {
          if (failures++ == 0) what = error.what();
          BOOST_TEST(error.what() == what);
          BOOST_TEST(error.info().offset == good.size());
          BOOST_TEST((error.code() == errc::overlong));
        }
      }
      BOOST_TEST(failures > 0);
      BOOST_TEST((sink.text() == good));
      CHECK_ERROR(filter.flush(sink), errc::overlong);
      CHECK_ERROR(filter.write(sink, "a", 1), errc::overlong);
      const stream_report failed = filter.report();
      CHECK_ERROR(filter.close(sink, std::ios::out), errc::overlong);
      BOOST_TEST((sink.text() == good));
      for (const stream_report& report : {failed, filter.report()}) {
        BOOST_TEST(report.errors == 1u);
        BOOST_TEST(report.bytes_in == good.size() + 1);
        BOOST_TEST(report.bytes_out == good.size());
        BOOST_TEST((report.first_error && report.first_error->offset == good.size()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(when_writing_the_policy_stop_does_the_same_as_strict) {
  recording_sink sink;
  utf8_validator filter(on_error::stop);
  CHECK_ERROR(filter.write(sink, "pq\xFFrs", 5), errc::unused_byte);
  CHECK_ERROR(filter.write(sink, "rs", 2), errc::unused_byte);
  CHECK_ERROR(filter.close(sink, std::ios::out), errc::unused_byte);
  BOOST_TEST(sink.text() == "pq");
}

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

BOOST_AUTO_TEST_CASE(a_flush_keeps_a_partial_sequence_back_and_only_close_makes_it_an_error) {
  recording_sink sink;
  utf8_validator filter;
  for (const char byte : {'a', '\xF0', '\x9F', '\x98'}) {
    filter.write(sink, &byte, 1);
    filter.flush(sink);
    filter.flush(sink);
    BOOST_TEST(sink.text() == "a");
    BOOST_TEST(filter.report().errors == 0u);
  }
  write_all(filter, sink, "\x80");
  BOOST_TEST(sink.text() == "a\xF0\x9F\x98\x80");
  write_all(filter, sink, "\xF0\x9F");
  CHECK_ERROR(filter.close(sink, std::ios::out), errc::incomplete_at_end);
  BOOST_TEST(sink.text() == "a\xF0\x9F\x98\x80");
  BOOST_TEST(filter.report().errors == 1u);
  filter.close(sink, std::ios::out);  // a new use, with an empty text
  BOOST_TEST(filter.report().errors == 0u);

  io::filtering_ostream out;
  recording_sink next;
  out.push(utf8_validator());
  out.push(next);
  out << "a\xE2" << std::flush;
  BOOST_TEST(out.good());
  BOOST_TEST(next.text() == "a");
  CHECK_ERROR(out.reset(), errc::incomplete_at_end);
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
  chains.push_back({"no signature",
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
      if (chain.code != errc::unmappable && std::string(end.first) == "more, reset") continue;
      BOOST_TEST_CONTEXT(chain.name << ", " << end.first) {
        recording_sink sink;
        io::filtering_ostream out;
        chain.build(out, sink);
        out << chain.text;
        BOOST_CHECK_NO_THROW(CHECK_ERROR(end.second(out), chain.code));
      }
    }
    BOOST_TEST_CONTEXT(chain.name << ", io::copy") {
      recording_sink sink;
      io::filtering_ostream out;
      chain.build(out, sink);
      CHECK_ERROR(io::copy(io::array_source(chain.text.data(), chain.text.size()), out), chain.code);
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

BOOST_AUTO_TEST_CASE(the_device_is_closed_even_if_a_filter_fails) {
  for (const failing_chain& chain : failing_chains()) {
    BOOST_TEST_CONTEXT(chain.name) {
      recording_sink sink;
      io::filtering_ostream out;
      chain.build(out, sink);
      out << chain.text;
      BOOST_CHECK_THROW(out.reset(), utf_error);
      BOOST_TEST(sink.seen().closes == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_destructor_swallows_the_error_and_the_kept_copy_reports_it) {
  from_utf8 kept(encoding::latin1);
  {
    io::filtering_ostream out(utf8_validator() | kept | recording_sink());
    out << "ab\u20AC";
  }
  BOOST_TEST(kept.report().errors == 1u);
  BOOST_REQUIRE(kept.report().first_error.has_value());
  BOOST_TEST((kept.report().first_error->code == errc::unmappable));
  BOOST_TEST(kept.report().first_error->offset == 2u);
  BOOST_TEST(kept.report().bytes_out == 2u);
  CHECK_ERROR(std::rethrow_exception(kept.report().failure), errc::unmappable);
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
    BOOST_CHECK_EXCEPTION(std::rethrow_exception(kept_failure(p, throwing_at_write(1), buffer)), std::exception,
                          [](const std::exception& e) {
                            return e.what() == "the sink broke"s ||
                                   std::strstr(e.what(), "could not be flushed") != nullptr;
                          });
    BOOST_CHECK_THROW(std::rethrow_exception(kept_failure(p, refusing(1, 1000), buffer)), std::ios_base::failure);
  }
  p.observer = [](const error_info&) { throw veto(); };
  BOOST_CHECK_THROW(std::rethrow_exception(kept_failure(p, {}, -1)), veto);

  std::ostringstream text;
  utfilter::ostream stream(text);
  stream << "a\xFF";
  CHECK_ERROR(std::rethrow_exception(stream.report().failure), errc::unused_byte);
  CHECK_ERROR(stream.close(), errc::unused_byte);
  CHECK_ERROR(std::rethrow_exception(stream.report().failure), errc::unused_byte);
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

BOOST_AUTO_TEST_CASE(an_observer_that_throws_fails_a_filter_that_writes) {
  int seen = 0;
  params p{on_error::replace};
  p.observer = [&](const error_info&) {
    if (++seen == 2) throw veto();
  };
  recording_sink sink;
  utf8_validator filter(p);
  write_all(filter, sink, "p\xFFq");
  BOOST_CHECK_THROW(filter.write(sink, "r\xFEs\xFF", 4), veto);
  BOOST_CHECK_THROW(filter.write(sink, "t", 1), veto);
  BOOST_CHECK_THROW(filter.flush(sink), veto);
  BOOST_CHECK_THROW(filter.close(sink, std::ios::out), veto);
  BOOST_TEST(seen == 2);
  BOOST_TEST(filter.report().errors == 2u);
  BOOST_TEST(sink.text() == "p\uFFFDqr");

  seen = 0;
  recording_sink next;
  io::filtering_ostream out(bom_filter() | utf8_validator(p) | next);
  out << "p\xFFqr\xFEs";
  BOOST_CHECK_THROW(out.reset(), veto);
  BOOST_TEST(next.text() == "p\uFFFDqr");
}

//------------------------------------------------------------------------------------------------------ errors, reading

BOOST_AUTO_TEST_CASE(text_before_an_error_is_read_and_then_each_read_throws_the_error) {
  const std::string good = repeated("x\u20AC", 2000);
  for (const std::size_t cut : {1u, 3u, 4u, 1000u, 100'000u})
    for (const std::streamsize at_once : {1, 2, 5, 6, 7, 100, 4096, 100'000}) {
      BOOST_TEST_CONTEXT("pieces of " << cut << ", " << at_once << " at once") {
        piecewise_source source(devices::in_pieces(good + "\xE2\x82!more\xFFmore", cut));
        utf8_validator filter;
        const std::string error = "!line 1, column 4001 (byte 8000): truncated sequence: E2 82";
        BOOST_TEST((read_all(filter, source, at_once) == good + error));
        const std::size_t asked = source.seen().requests.size();
        for (int i = 0; i < 3; ++i) BOOST_TEST(read_all(filter, source, at_once) == error);
        BOOST_TEST(source.seen().requests.size() == asked);  // the source is not called again
        const stream_report failed = filter.report();
        filter.close(source, std::ios::in);
        for (const stream_report& report : {failed, filter.report()}) {
          BOOST_TEST(report.errors == 1u);
          BOOST_TEST(report.bytes_in == good.size() + 2);
          BOOST_TEST(report.bytes_out == good.size());
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(getline_has_the_text_before_the_error_in_its_line_and_throws) {
  for (const int buffer : {-1, 1, 2, 100}) {
    const std::string text = "first\nsecond\u20AC\xED\xA0\x80 line\nthird\n";
    io::filtering_istream in;
    in.push(utf8_validator(), buffer);
    in.push(io::array_source(text.data(), text.size()));
    in.exceptions(std::ios::badbit);
    std::string line;
    BOOST_TEST(std::getline(in, line).good());
    BOOST_TEST(line == "first");
    CHECK_ERROR(std::getline(in, line), errc::surrogate);
    BOOST_TEST(line == "second\u20AC");
    in.exceptions(std::ios::goodbit);
    for (int i = 0; i < 3; ++i) {
      in.clear();
      BOOST_TEST(!std::getline(in, line));
      BOOST_TEST(in.bad());
      BOOST_TEST(line.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(when_reading_an_error_in_the_second_or_third_filter_comes_after_the_text_before_it) {
  const std::string bytes("p\0\n\0q\0\0\xD8r\0",
                          10);  // UTF-16LE with half a surrogate pair
  for (const int buffer : {-1, 1, 5})
    for (const bool third : {false, true}) {
      io::filtering_istream in;
      utf8_validator first;
      utf16_to_utf8 failing(encoding::utf16le);
      in.push(first, buffer);
      if (third) in.push(bom_filter(), buffer);
      in.push(failing, buffer);
      in.push(piecewise_source(devices::in_pieces(bytes, 3)));
      in.exceptions(std::ios::badbit);
      std::string line;
      std::getline(in, line);
      BOOST_TEST(line == "p");
      CHECK_ERROR(std::getline(in, line), errc::unpaired_high_surrogate);
      BOOST_TEST(line == "q");
      in.exceptions(std::ios::goodbit);
      in.clear();
      in.exceptions(std::ios::badbit);
      CHECK_ERROR(std::getline(in, line), errc::unpaired_high_surrogate);
      BOOST_TEST(failing.report().errors == 1u);
      BOOST_TEST(first.report().errors == 0u);
      BOOST_CHECK_NO_THROW(in.reset());
    }
}

BOOST_AUTO_TEST_CASE(iterators_get_and_extraction_deliver_all_text_before_an_error) {
  const std::string text = "one two\xFFthree";
  const auto open = [&](io::filtering_istream& in) {
    in.push(utf8_validator());
    in.push(io::array_source(text.data(), text.size()));
  };
  {
    io::filtering_istream in;
    open(in);
    std::string got;
    CHECK_ERROR(
        std::copy(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), std::back_inserter(got)),
        errc::unused_byte);
    BOOST_TEST(got == "one two");
  }
  {
    io::filtering_istream in;
    open(in);
    std::string got;
    for (int c = in.get(); c != std::char_traits<char>::eof(); c = in.get()) got += static_cast<char>(c);
    BOOST_TEST(got == "one two");
    BOOST_TEST(in.bad());
  }
  {
    io::filtering_istream in;
    open(in);
    in.exceptions(std::ios::badbit);
    std::string word;
    in >> word;
    BOOST_TEST(word == "one");
    CHECK_ERROR(in >> word, errc::unused_byte);
    BOOST_TEST(word == "two");
  }
  {
    io::filtering_istream in;
    open(in);
    std::string got;
    CHECK_ERROR(io::copy(in, io::back_inserter(got)), errc::unused_byte);
    BOOST_TEST(text.compare(0, got.size(), got) == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_bulk_read_across_an_error_delivers_no_text_unless_the_policy_is_stop) {
  const std::string text = "prefix\xC1rest";
  char buffer[100];
  {
    io::filtering_istream in(utf8_validator() | io::array_source(text.data(), text.size()));
    in.read(buffer, sizeof buffer);
    BOOST_TEST(in.gcount() == 0);  // the standard library does that
    BOOST_TEST(in.bad());
  }
  utf8_validator stopping(on_error::stop);
  io::filtering_istream in(stopping | io::array_source(text.data(), text.size()));
  in.read(buffer, sizeof buffer);
  BOOST_TEST(in.gcount() == 6);
  BOOST_TEST(in.eof());
  BOOST_TEST(!in.bad());
  BOOST_TEST(stopping.report().errors == 1u);
  BOOST_REQUIRE(stopping.report().last_error.has_value());
  BOOST_TEST(stopping.report().last_error->offset == 6u);
}

BOOST_AUTO_TEST_CASE(with_the_policy_stop_a_reading_filter_ends_at_the_error_and_stays_at_the_end) {
  for (const std::streamsize at_once : {1, 5, 6, 100}) {
    piecewise_source source({"ab", "c\xE2", "\x82", "de", "f"});
    utf8_validator filter(on_error::stop);
    BOOST_TEST(read_all(filter, source, at_once) == "abc$");
    for (int i = 0; i < 3; ++i) BOOST_TEST(read_all(filter, source, at_once) == "$");
    BOOST_TEST(filter.report().errors == 1u);
  }
  piecewise_source source({"ab", "c\xFF", "de"});
  io::filtering_istream in(bom_filter() | to_utf8(on_error::stop) | source);
  std::string got;
  io::copy(in, io::back_inserter(got));
  BOOST_TEST(got == "abc");
}

BOOST_AUTO_TEST_CASE(the_end_of_the_input_sticks_until_close) {
  for (const std::streamsize at_once : {1, 5, 6, 100}) {
    continuing_source source;
    utf8_validator filter;
    BOOST_TEST(read_all(filter, source, at_once) == "x$");
    for (int i = 0; i < 3; ++i) BOOST_TEST(read_all(filter, source, at_once) == "$");
    BOOST_TEST(source.calls == 2);
    filter.close(source, std::ios::in);
    BOOST_TEST(read_all(filter, source, at_once) == "x$");
  }
}

BOOST_AUTO_TEST_CASE(text_before_the_failure_of_a_source_is_delivered) {
  for (const std::streamsize at_once : {1, 5, 6, 100, 5000}) {
    piecewise_source source({"ab", "c\xE2"}, true);
    utf8_validator filter;
    BOOST_TEST(read_all(filter, source, at_once) == "abc!the source broke");
    for (int i = 0; i < 3; ++i) BOOST_TEST(read_all(filter, source, at_once) == "!the source broke");
  }
  for (const bool stacked : {false, true}) {
    io::filtering_istream in;
    in.push(utf8_validator());
    if (stacked) in.push(to_utf8());
    in.push(piecewise_source({"first\nse", "cond"}, true));
    in.exceptions(std::ios::badbit);
    std::string line;
    std::getline(in, line);
    BOOST_CHECK_THROW(std::getline(in, line), device_failure);
    BOOST_TEST(line == "second");
  }
  io::filtering_istream in(utf8_validator() | piecewise_source({"ab"}, true));
  std::string got;
  BOOST_CHECK_THROW(std::copy(std::istreambuf_iterator<char>(in), {}, std::back_inserter(got)), device_failure);
  BOOST_TEST(got == "ab");
}

BOOST_AUTO_TEST_CASE(when_reading_an_observer_that_throws_fails_the_filter_after_the_text_before_is_delivered) {
  for (const std::streamsize at_once : {1, 5, 6, 100}) {
    int seen = 0;
    params p{on_error::replace};
    p.observer = [&](const error_info&) {
      if (++seen == 2) throw std::runtime_error("veto");
    };
    piecewise_source source({"p\xFF", "qr", "\xFEs\xFF"});
    utf8_validator filter(p);
    BOOST_TEST(read_all(filter, source, at_once) == "p\uFFFDqr!veto");
    for (int i = 0; i < 3; ++i) BOOST_TEST(read_all(filter, source, at_once) == "!veto");
    BOOST_TEST(seen == 2);
    BOOST_TEST(filter.report().errors == 2u);
  }
}

BOOST_AUTO_TEST_CASE(the_error_beyond_the_limit_is_thrown_after_the_repairs) {
  params p{on_error::replace};
  p.replacement = "<wrong>";
  p.error_limit = 2;
  for (const std::streamsize at_once : {1, 5, 6, 100}) {
    piecewise_source source({"p\xFFq\xFEr\xC0s"});
    utf8_validator filter(p);
    BOOST_TEST(read_all(filter, source, at_once) ==
               "p<wrong>q<wrong>r!line 1, column 6 (byte 5): overlong encoding: C0");
    BOOST_TEST(filter.report().errors == 3u);
  }
  recording_sink sink;
  utf8_validator filter(p);
  CHECK_ERROR(filter.write(sink, "p\xFFq\xFEr\xC0s", 7), errc::overlong);
  CHECK_ERROR(filter.close(sink, std::ios::out), errc::overlong);
  BOOST_TEST(sink.text() == "p<wrong>q<wrong>r");
}

//---------------------------------------------------------------------------------------------- uses, and their reports

BOOST_AUTO_TEST_CASE(after_close_the_filter_reads_again_from_the_start) {
  to_utf8 filter;
  piecewise_source first({"\xFF\xFEp", std::string("\0\n\0", 3) + "\x3D"});
  BOOST_TEST(read_all(filter, first).substr(0, 3) == "p\n!");
  filter.close(first, std::ios::in);
  BOOST_TEST(filter.report().errors == 1u);  // the report stays
  BOOST_TEST((filter.report().encoding == encoding::utf16le));

  piecewise_source second({"q\xC3\xA4"});
  BOOST_TEST(read_all(filter, second) == "q\xC3\xA4$");
  const stream_report report = filter.report();
  BOOST_TEST((report.encoding == encoding::utf8));
  BOOST_TEST(!report.bom);
  BOOST_TEST(report.bytes_in == 3u);
  BOOST_TEST(report.bytes_out == 3u);
  BOOST_TEST(report.lines == 0u);
  BOOST_TEST(report.errors == 0u);
  BOOST_TEST(!report.first_error);
  BOOST_TEST(!report.last_error);
}

BOOST_AUTO_TEST_CASE(carried_bytes_do_not_reach_the_next_use) {
  utf8_validator filter;
  piecewise_source cut_off({"p\xE2\x82", "", ""});
  char buffer[100];
  BOOST_TEST(filter.read(cut_off, buffer, 100) == 1);
  BOOST_TEST(filter.read(cut_off, buffer, 100) == 0);
  filter.close(cut_off, std::ios::in);
  piecewise_source again({"\xACq"});
  BOOST_TEST(read_all(filter, again) == "!line 1, column 1 (byte 0): unexpected continuation byte: AC");
  filter.close(again, std::ios::in);

  // Input that was read but not yet returned does not reach the next use either: text, or the rest of a character for
  // which the caller had no room.
  for (const std::string& text : {repeated("pqr", 1000), "\u20ACqr"s}) {
    piecewise_source long_one({text});
    BOOST_TEST(filter.read(long_one, buffer, 1) == 1);
    BOOST_TEST(buffer[0] == text[0]);
    filter.close(long_one, std::ios::in);
    piecewise_source short_one({"z"});
    BOOST_TEST(read_all(filter, short_one) == "z$");
    filter.close(short_one, std::ios::in);
  }
}

BOOST_AUTO_TEST_CASE(one_filter_serves_one_chain_after_another_in_both_directions) {
  utf8_validator kept(on_error::replace);
  for (int i = 0; i < 3; ++i) {
    recording_sink sink;
    io::filtering_ostream out(kept | sink);
    out << "a\xFF\n";
    out.reset();
    BOOST_TEST(sink.text() == "a\xEF\xBF\xBD\n");
    BOOST_TEST(kept.report().bytes_in == 3u);
    BOOST_TEST(kept.report().bytes_out == 5u);

    io::filtering_istream in(kept | io::array_source("bc\n", 3));
    BOOST_TEST(kept.report().bytes_in == 3u);
    BOOST_TEST(kept.report().errors == 1u);
    std::string line;
    std::getline(in, line);
    BOOST_TEST(line == "bc");
    in.reset();
    BOOST_TEST(kept.report().errors == 0u);
    BOOST_TEST(kept.report().lines == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_use_begins_with_the_first_write_or_close_and_not_with_a_flush) {
  utf8_validator filter(on_error::skip);
  recording_sink sink;
  write_all(filter, sink, "a\xFF");
  filter.close(sink, std::ios::out);
  BOOST_TEST(filter.report().errors == 1u);
  filter.flush(sink);
  BOOST_TEST(filter.report().errors == 1u);
  filter.write(sink, "", 0);
  filter.flush(sink);
  write_all(filter, sink, "b");
  BOOST_TEST(filter.report().errors == 0u);
  BOOST_TEST(filter.report().bytes_in == 1u);
  filter.close(sink, std::ios::out);
  write_all(filter, sink, "\xFF");
  filter.close(sink, std::ios::out);
  BOOST_TEST(filter.report().errors == 1u);
  filter.close(sink, std::ios::out);  // a close alone is a use, with an empty text
  BOOST_TEST(filter.report().errors == 0u);

  piecewise_source source({"\xFF"});
  filter.close(source, std::ios::in);  // closing an input that was not read is no use
  BOOST_TEST(read_all(filter, source) == "$");
  BOOST_TEST(filter.report().errors == 1u);
  filter.flush(source);
  filter.close(source, std::ios::in);
  filter.close(source, std::ios::in);
  BOOST_TEST(filter.report().errors == 1u);
}

BOOST_AUTO_TEST_CASE(a_signature_is_written_by_close_and_not_by_a_flush) {
  from_utf8 filter(encoding::utf16);
  recording_sink sink;
  filter.flush(sink);
  BOOST_TEST(sink.text().empty());
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "\xFE\xFF");
  filter.flush(sink);
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "\xFE\xFF\xFE\xFF");

  recording_sink next;
  io::filtering_ostream out(from_utf8(encoding::utf16) | next);
  out.flush();
  BOOST_TEST(next.text().empty());
  out.reset();
  BOOST_TEST(next.text() == "\xFE\xFF");

  // The signature also comes before a strict error at offset 0.
  recording_sink failing;
  CHECK_ERROR(filter.write(failing, "\xFF", 1), errc::unused_byte);
  CHECK_ERROR(filter.close(failing, std::ios::out), errc::unused_byte);
  BOOST_TEST(failing.text() == "\xFE\xFF");
}

BOOST_AUTO_TEST_CASE(a_required_signature_is_reported_as_missing_in_an_empty_text) {
  const params p{on_error::strict, bom::require};
  recording_sink sink;
  utf8_validator filter(p);
  CHECK_ERROR(filter.close(sink, std::ios::out), errc::missing_bom);
  BOOST_TEST(filter.report().errors == 1u);

  piecewise_source empty({});
  filter.close(empty, std::ios::in);
  BOOST_TEST(read_all(filter, empty) == "!line 1, column 1 (byte 0): missing byte order mark");
  filter.close(empty, std::ios::in);

  io::filtering_ostream out(utf8_validator(p) | sink);
  CHECK_ERROR(out.reset(), errc::missing_bom);

  // An input chain that was never read has not missed a signature.
  utf8_validator unread(p);
  { io::filtering_istream in(unread | piecewise_source({"abc"})); }
  BOOST_TEST(unread.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(the_report_of_an_input_chain_stays_when_the_chain_is_gone) {
  utf8_validator kept(on_error::replace);
  for (const bool reset : {false, true}) {
    {
      io::filtering_istream in(kept | io::array_source("a\xFF\n", 3));
      std::string line;
      std::getline(in, line);
      if (reset) in.reset();
    }
    BOOST_TEST(kept.report().errors == 1u);
    BOOST_TEST(kept.report().lines == 1u);
    BOOST_TEST(kept.report().bytes_in == 3u);
  }
}

}  // namespace
