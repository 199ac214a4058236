// codec_filter_test.cpp: codec_filter passes the text of a chain through a codec, in both directions. Each filter of
// the library is derived from it. foreign_codec_test.cpp has codecs of users; sink_test.cpp and source_test.cpp have
// devices that fail.
#define BOOST_TEST_MODULE codec_filter
#include "support/outcomes.hpp"
#include "support/same_report.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace std::string_literals;
using namespace utfilter;
using devices::device_failure;
using devices::piecewise_source;
using devices::recording_sink;

namespace {

/// In the report of a text whose only error is FF after one byte.
const std::string at_second_byte = ", first line 1, column 2 (byte 1): byte that no text contains: FF"
                                   ", last line 1, column 2 (byte 1): byte that no text contains: FF";

/// The exception of an observer.
struct veto {};

params vetoing(int& seen) {
  params p{on_error::replace};
  p.observer = [&seen](const error_info&) {
    if (++seen == 2) throw veto();
  };
  return p;
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

}  // namespace

BOOST_AUTO_TEST_CASE(one_filter_serves_one_chain_after_another_in_both_directions) {
  utf8_validator kept(on_error::replace);
  const std::string written = "3 bytes in, 5 out, 1 lines, 1 errors" + at_second_byte;
  for (int i = 0; i < 3; ++i) {
    recording_sink sink;
    io::filtering_ostream out(kept | sink);
    out << "a\xFF\n";
    out.reset();
    BOOST_TEST(sink.text() == "a\xEF\xBF\xBD\n");
    BOOST_TEST(counts_of(kept.report()) == written);

    io::filtering_istream in(kept | io::array_source("bc\n", 3));
    BOOST_TEST(counts_of(kept.report()) == written);
    std::string line;
    std::getline(in, line);
    BOOST_TEST(line == "bc");
    in.reset();
    BOOST_TEST(counts_of(kept.report()) == "3 bytes in, 3 out, 1 lines, 0 errors");
  }
}

BOOST_AUTO_TEST_CASE(a_filter_that_was_never_used_reports_nothing_and_has_nothing_to_flush) {
  recording_sink sink;
  utf8_validator filter;
  BOOST_TEST(filter.flush(sink));
  BOOST_TEST(sink.seen().flushed_at.empty());
  BOOST_TEST(!filter.report().bom);
  BOOST_TEST(counts_of(filter.report()) == "0 bytes in, 0 out, 0 lines, 0 errors");
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

BOOST_AUTO_TEST_CASE(a_stream_buffer_after_the_filter_is_read_to_its_end) {
  streambufs::pieces_streambuf buffer({"ab", "c"});
  utf8_validator filter;
  BOOST_TEST(read_all(filter, buffer) == "abc$");
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

//--------------------------------------------------------------------------------------------------------------- errors

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
    BOOST_TEST(throws(errc::surrogate, [&] { std::getline(in, line); }));
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

BOOST_AUTO_TEST_CASE(iterators_get_and_extraction_deliver_all_text_before_an_error) {
  const std::string text = "one two\xFFthree";
  const auto reading = [&](const auto& read) {
    io::filtering_istream in(utf8_validator() | io::array_source(text.data(), text.size()));
    std::string got;
    read(in, got);
    return got;
  };
  const auto iterator = [](std::istream& in, std::string& got) {
    const std::istreambuf_iterator<char> begin(in), end;
    BOOST_TEST(throws(errc::unused_byte, [&] { std::copy(begin, end, std::back_inserter(got)); }));
  };
  const auto get = [](std::istream& in, std::string& got) {
    for (int c = in.get(); c != std::char_traits<char>::eof(); c = in.get()) got += static_cast<char>(c);
    BOOST_TEST(in.bad());
  };
  const auto extraction = [](std::istream& in, std::string& got) {
    in.exceptions(std::ios::badbit);
    std::string word;
    in >> got;
    BOOST_TEST(throws(errc::unused_byte, [&] { in >> word; }));
    got += ' ' + word;
  };
  const auto copy = [](io::filtering_istream& in, std::string& got) {
    BOOST_TEST(throws(errc::unused_byte, [&] { io::copy(in, io::back_inserter(got)); }));
  };
  BOOST_TEST(reading(iterator) == "one two");
  BOOST_TEST(reading(get) == "one two");
  BOOST_TEST(reading(extraction) == "one two");
  const std::string copied = reading(copy);
  BOOST_TEST(text.compare(0, copied.size(), copied) == 0);
}

BOOST_AUTO_TEST_CASE(a_bulk_read_across_an_error_delivers_no_text_unless_the_policy_is_stop) {
  const std::string text = "prefix\xC1rest", error = "line 1, column 7 (byte 6): overlong encoding: C1";
  char buffer[100];
  for (const on_error policy : {on_error::strict, on_error::stop}) {
    const bool stops = policy == on_error::stop;
    utf8_validator filter(policy);
    io::filtering_istream in(filter | io::array_source(text.data(), text.size()));
    in.read(buffer, sizeof buffer);
    BOOST_TEST(in.gcount() == (stops ? 6 : 0));  // the standard library does that
    BOOST_TEST(in.bad() == !stops);
    BOOST_TEST(in.eof() == stops);
    BOOST_TEST(counts_of(filter.report()) ==
               "7 bytes in, 6 out, 0 lines, 1 errors, first " + error + ", last " + error);
  }
}

BOOST_AUTO_TEST_CASE(when_reading_an_error_in_the_second_or_third_filter_comes_after_the_text_before_it) {
  const std::string bytes = "p\0\n\0q\0\0\xD8r\0"s;  // UTF-16LE with half a surrogate pair
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
      BOOST_TEST(throws(errc::unpaired_high_surrogate, [&] { std::getline(in, line); }));
      BOOST_TEST(line == "q");
      in.exceptions(std::ios::goodbit);
      in.clear();
      in.exceptions(std::ios::badbit);
      BOOST_TEST(throws(errc::unpaired_high_surrogate, [&] { std::getline(in, line); }));
      BOOST_TEST(failing.report().errors == 1u);
      BOOST_TEST(first.report().errors == 0u);
      BOOST_CHECK_NO_THROW(in.reset());
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

//------------------------------------------------------------------------------------------------------------ observers

BOOST_AUTO_TEST_CASE(the_report_counts_an_error_before_the_observer_is_called) {
  std::vector<std::uint64_t> counted;
  std::optional<utf8_validator> filter;
  params p{on_error::skip};
  p.observer = [&](const error_info&) { counted.push_back(filter->report().errors); };
  filter.emplace(p);
  io::filtering_ostream out(*filter | recording_sink());
  out << "\xFF.\xFF\xFF";
  out.reset();
  BOOST_TEST(counted == (std::vector<std::uint64_t>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_observer_that_throws_fails_a_filter_that_writes) {
  int seen = 0;
  const params p = vetoing(seen);
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

  seen = 0;
  recording_sink last;
  io::filtering_ostream unbuffered;
  unbuffered.push(filter, 0);
  unbuffered.push(last, 0);
  unbuffered.exceptions(std::ios::badbit);
  BOOST_CHECK_THROW(unbuffered.write("\xFFpq\xFFr", 5), veto);
  BOOST_CHECK_THROW(unbuffered.reset(), veto);
  BOOST_TEST(last.text() == "\uFFFDpq");
  BOOST_TEST(filter.report().errors == 2u);
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
  int seen = 0;
  utf8_validator filter(vetoing(seen));
  io::filtering_istream in(filter | piecewise_source({"\xFFpq\xFFr"}));
  std::string got;
  for (int i = 0; i < 2; ++i) {
    BOOST_CHECK_THROW(std::copy(std::istreambuf_iterator<char>(in), {}, std::back_inserter(got)), veto);
    BOOST_TEST(got == "\uFFFDpq");
  }
  BOOST_CHECK_NO_THROW(in.reset());
  BOOST_TEST(filter.report().errors == 2u);
}

//--------------------------------------------------------------------------------------------------------------- copies

BOOST_AUTO_TEST_CASE(copies_are_one_filter_with_one_state) {
  utf8_validator kept(on_error::replace);
  utf8_validator copy(kept);
  utf8_validator assigned;
  assigned = copy;
  {
    io::filtering_istream in(copy | io::array_source("a\xFF\nb", 4));
    std::string line;
    std::getline(in, line);
    BOOST_TEST(kept.report().errors == 1u);  // while the chain is in use
  }
  for (const utf8_validator* each : {&kept, &copy, &assigned})
    BOOST_TEST(counts_of(each->report()) == "4 bytes in, 6 out, 1 lines, 1 errors" + at_second_byte);
}

BOOST_AUTO_TEST_CASE(a_moved_from_filter_equals_a_copy) {
  const auto check = [](auto original) {
    auto moved = std::move(original);
    auto assigned(moved);
    assigned = std::move(moved);
    recording_sink sink;
    io::filtering_ostream out;
    out.push(original);  // moved from, and still usable
    out.push(sink);
    out << "abc";
    out.reset();
    BOOST_TEST(original.report().bytes_in == 3u);
    BOOST_TEST(moved.report().bytes_in == 3u);
    BOOST_TEST(assigned.report().bytes_in == 3u);
  };
  check(utf8_validator());
  check(to_utf8());
  check(utf16_to_utf8(on_error::skip));
  check(from_utf8(encoding::utf16le));
  check(bom_filter());
  check(escape_controls());
  check(codec_filter<transcoder>(transcoder::validating(bom::keep)));
}

//------------------------------------------------------------------------------------------------------------- refusals

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

BOOST_AUTO_TEST_CASE(a_filter_in_use_for_writing_refuses_to_read) {
  utf8_validator filter;
  recording_sink sink;
  filter.write(sink, "a", 1);
  piecewise_source source({"b"});
  char buffer[8];
  BOOST_CHECK_THROW(filter.read(source, buffer, 8), std::logic_error);
  filter.close(sink, std::ios::out);
  BOOST_TEST(filter.read(source, buffer, 8) == 1);
}

BOOST_AUTO_TEST_CASE(a_filter_that_is_twice_in_an_input_chain_is_refused) {
  const devices::watchdog dog("twice in a chain");
  for (const std::streamsize link : {1, 2, 64}) {
    from_utf8 filter(encoding::utf16, on_error::windows1252);
    const std::string text = "\xE2\xE2\xE2\x6C\x30\xC1\x62\x04";
    io::filtering_istream in;
    in.push(filter, link);
    in.push(filter, link);
    in.push(io::array_source(text.data(), text.size()));
    in.exceptions(std::ios::badbit);
    std::string line;
    BOOST_CHECK_THROW(std::getline(in, line), std::logic_error);
  }
}

BOOST_AUTO_TEST_CASE(a_filter_that_is_twice_in_an_output_chain_is_refused) {
  const devices::watchdog dog("twice in a chain");
  for (const std::streamsize link : {1, 2, 64}) {
    utf8_validator filter;
    recording_sink sink;
    io::filtering_ostream out;
    out.push(filter, link);
    out.push(filter, link);
    out.push(sink);
    out.exceptions(std::ios::badbit);
    BOOST_CHECK_THROW(out << std::string(100, 'a') << std::flush, std::exception);
    BOOST_CHECK_THROW(out.reset(), std::logic_error);
  }
}

//---------------------------------------------------------------------------------- flushing, closing, and the next use

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

BOOST_AUTO_TEST_CASE(a_flush_does_nothing_if_the_filter_reads_even_after_an_error) {
  piecewise_source source({"a\xFF"});
  utf8_validator filter;
  BOOST_TEST(read_all(filter, source).substr(0, 2) == "a!");
  BOOST_TEST(filter.flush(source));
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

BOOST_AUTO_TEST_CASE(the_report_of_an_input_chain_stays_when_the_chain_is_gone) {
  utf8_validator kept(on_error::replace);
  for (const bool reset : {false, true}) {
    {
      io::filtering_istream in(kept | io::array_source("a\xFF\n", 3));
      std::string line;
      std::getline(in, line);
      if (reset) in.reset();
    }
    BOOST_TEST(counts_of(kept.report()) == "3 bytes in, 5 out, 1 lines, 1 errors" + at_second_byte);
  }
}

BOOST_AUTO_TEST_CASE(a_destructor_swallows_the_error_and_the_kept_copy_reports_it) {
  from_utf8 kept(encoding::latin1);
  {
    io::filtering_ostream out(utf8_validator() | kept | recording_sink());
    out << "ab\u20AC";
  }
  const std::string error = "line 1, column 3 (byte 2): the target encoding lacks U+20AC: E2 82 AC";
  BOOST_TEST(counts_of(kept.report()) == "5 bytes in, 2 out, 0 lines, 1 errors, first " + error + ", last " + error);
  BOOST_TEST(throws(errc::unmappable, [&] { std::rethrow_exception(kept.report().failure); }));
}
