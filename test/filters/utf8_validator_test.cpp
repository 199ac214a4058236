// utf8_validator_test.cpp: utf8_validator passes well-formed UTF-8 on unchanged, in the buffers of the chain. It treats
// ill-formed UTF-8 as params say. policy_test.cpp has the repairs.
#define BOOST_TEST_MODULE utf8_validator
#include "support/every_way.hpp"
#include "support/same_report.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/bom_filter.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/utf8_validator.hpp>
#include <utfilter/utf_error.hpp>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace every_way;
using namespace std::string_literals;
using devices::piecewise_source;
using devices::recording_sink;
using texts::repeated;
using utfilter::stream_report;
using utfilter::utf8_validator;
using utfilter::utf_error;

namespace {

/// Characters of every length in UTF-8.
const std::string mixture = repeated("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\n", 500);

}  // namespace

//----------------------------------------------------------------------------------------------------- well-formed text

BOOST_AUTO_TEST_CASE(a_validator_lets_the_device_fill_the_callers_buffer) {
  for (const std::size_t cut : {1u, 2u, 3u, 10u, 1000u, 100'000u}) {
    piecewise_source source(devices::in_pieces(mixture, cut));
    utf8_validator filter;
    std::vector<char> buffer(4096);
    std::string text;
    read_each(filter, source, buffer, [&](std::string_view some) { text += some; });
    BOOST_TEST((text == mixture));
    // The first requests read bytes that may be a byte order mark, which a filter may drop. So these requests need not
    // use the caller's buffer.
    const std::size_t looked_at = std::min<std::size_t>(3, 1 + 3 / cut);
    const auto& requests = source.seen().requests;
    for (std::size_t i = looked_at; i < requests.size(); ++i) {
      const char* const first = requests[i].into;
      const char* const end = first + requests[i].size;
      BOOST_TEST((first >= buffer.data() && end <= buffer.data() + buffer.size() && first < buffer.data() + 4));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_validator_hands_the_callers_pointer_to_the_sink) {
  recording_sink sink;
  utf8_validator filter;
  filter.write(sink, "abc", 3);  // the first bytes: the filter looks for a byte order mark
  for (const std::size_t cut : {9u, 10u, 1000u, 4096u, 9000u}) {
    std::size_t at = 0;
    for (const std::string& piece : devices::in_pieces(mixture, cut)) {
      const std::size_t before = sink.seen().pointers.size();
      filter.write(sink, piece.data(), static_cast<std::streamsize>(piece.size()));
      // A character that began in the previous piece is completed in a buffer. Then the piece itself is handed on.
      BOOST_TEST(sink.seen().pointers.size() - before <= 2u);
      const char* const last = sink.seen().pointers.back();
      BOOST_TEST((last >= piece.data() && last < piece.data() + 10));
      BOOST_TEST((last == piece.data() || sink.seen().pointers.size() - before == 2u));
      at += piece.size();
    }
    BOOST_TEST(at == mixture.size());
  }
  filter.close(sink, std::ios::out);
  BOOST_TEST((sink.text() == "abc" + repeated(mixture, 5)));
}

BOOST_AUTO_TEST_CASE(after_an_error_the_device_fills_the_callers_buffer_again) {
  piecewise_source source(devices::in_pieces(repeated("good\xFF"
                                                      "bad",
                                                      2000),
                                             4000));
  utf8_validator filter(on_error::skip);
  std::vector<char> buffer(4096);
  std::string text;
  read_each(filter, source, buffer, [&](std::string_view some) { text += some; });
  BOOST_TEST((text == repeated("goodbad", 2000)));
  const auto& requests = source.seen().requests;
  for (std::size_t i = 1; i < requests.size(); ++i)
    BOOST_TEST((requests[i].into >= buffer.data() && requests[i].into < buffer.data() + 4));
}

BOOST_AUTO_TEST_CASE(write_does_not_change_the_bytes_of_its_caller) {
  // The validator checks the caller's text in place and must not write there. This text is in read-only memory: a write
  // to it would end the program.
  static const char constant[] = "constant text \xE2\x82\xAC, and an error: \xFF, and more \xE2\x82";
  for (const on_error policy :
       {on_error::replace, on_error::skip, on_error::escape, on_error::keep, on_error::windows1252}) {
    recording_sink sink;
    utf8_validator filter(policy);
    for (int i = 0; i < 3; ++i) filter.write(sink, constant, sizeof constant - 1);
    filter.close(sink, std::ios::out);
    BOOST_TEST(filter.report().errors == 6u);
  }
}

//--------------------------------------------------------------------------------------------------------------- errors

BOOST_AUTO_TEST_CASE(the_exception_says_what_and_where) {
  device_state source;
  source.text = {"a\nb\n0123456789abc\xC0"};
  io::filtering_istream in(utf8_validator() | pieces_source(source));
  in.exceptions(std::ios::badbit);
  std::string line;
  const auto e = caught<utf_error>([&] {
    while (std::getline(in, line)) {
    }
  });
  BOOST_REQUIRE(e.has_value());
  BOOST_TEST(e->what() == "line 3, column 14 (byte 17): overlong encoding: C0"s);
  BOOST_TEST((e->code() == errc::overlong));
  BOOST_TEST((e->code() == std::errc::illegal_byte_sequence));
  BOOST_TEST(line == "0123456789abc");
}

BOOST_AUTO_TEST_CASE(text_before_an_error_is_written_and_then_each_write_throws_the_error) {
  const std::string good = repeated("x\u20AC", 2000), error = "line 1, column 4001 (byte 8000): overlong encoding: C0";
  for (const std::size_t cut : {1u, 3u, 4u, 1000u, 100'000u}) {
    BOOST_TEST_INFO_SCOPE("pieces of " << cut);
    recording_sink sink;
    utf8_validator filter;
    bool failed = false;
    const auto fails = [&](auto action) { return thrown_by<utf_error>(action) == error; };
    for (const std::string& piece : devices::in_pieces(good + "\xC0!" + "more\xFFmore", cut)) {
      const std::string what = thrown_by<utf_error>([&] { write_all(filter, sink, piece); });
      failed = failed || !what.empty();
      BOOST_TEST(what == (failed ? error : ""));
    }
    BOOST_TEST(failed);
    BOOST_TEST((fails([&] { filter.flush(sink); }) && fails([&] { filter.write(sink, "a", 1); })));
    const stream_report before = filter.report();
    BOOST_TEST(fails([&] { filter.close(sink, std::ios::out); }));
    BOOST_TEST((sink.text() == good));
    for (const stream_report& report : {before, filter.report()})
      BOOST_TEST(counts_of(report) == "8001 bytes in, 8000 out, 0 lines, 1 errors, first " + error + ", last " + error);
  }
}

BOOST_AUTO_TEST_CASE(text_before_an_error_is_read_and_then_each_read_throws_the_error) {
  const std::string good = repeated("x\u20AC", 2000),
                    error = "line 1, column 4001 (byte 8000): truncated sequence: E2 82";
  for (const std::size_t cut : {1u, 3u, 4u, 1000u, 100'000u})
    for (const std::streamsize at_once : {1, 2, 5, 6, 7, 100, 4096, 100'000}) {
      BOOST_TEST_INFO_SCOPE("pieces of " << cut << ", " << at_once << " at once");
      piecewise_source source(devices::in_pieces(good + "\xE2\x82!more\xFFmore", cut));
      utf8_validator filter;
      BOOST_TEST((read_all(filter, source, at_once) == good + '!' + error));
      const std::size_t asked = source.seen().requests.size();
      for (int i = 0; i < 3; ++i) BOOST_TEST(read_all(filter, source, at_once) == '!' + error);
      BOOST_TEST(source.seen().requests.size() == asked);  // the source is not called again
      const stream_report failed = filter.report();
      filter.close(source, std::ios::in);
      for (const stream_report& report : {failed, filter.report()})
        BOOST_TEST(counts_of(report) ==
                   "8002 bytes in, 8000 out, 0 lines, 1 errors, first " + error + ", last " + error);
    }
}

//------------------------------------------------------------------------------------------------------------- policies

BOOST_AUTO_TEST_CASE(utf8_keeps_its_bom_unless_it_is_stripped) {
  const std::string text = feff + "A";
  for (const auto& declared : {filter_kind::decoder, filter_kind::validator}) {
    const auto under = [&](bom b, on_error e = on_error::strict) {
      return setup{declared, encoding::utf8, with(b, e)};
    };
    check(under(bom::automatic), text, text);
    check(under(bom::keep), text, text);
    check(under(bom::strip), text, "A");
    check(under(bom::strip), feff + text, text);
    check(under(bom::add), text, text);
    check(under(bom::require), text, text);
    check(under(bom::reject), text, "", "unexpected_bom@0!");
    check(under(bom::reject, on_error::replace), text, text, "unexpected_bom@0");
    check(under(bom::reject, on_error::keep), text, text, "unexpected_bom@0");
    check(under(bom::reject), "A" + feff, "A" + feff);
  }
}

BOOST_AUTO_TEST_CASE(keep_passes_the_bytes_on_and_counts_them) {
  const std::string text = "a\xFF\xE2\x82\n\xED\xA0\x80\xC3";
  const std::string errors =
      "unused_byte@1 truncated_sequence@2 surrogate@5 unexpected_continuation@6 unexpected_continuation@7 "
      "incomplete_at_end@8";
  check(validator(with(on_error::keep)), text, text, errors);
  check(decoder(encoding::utf8, with(on_error::keep)), text, text, errors);
}

BOOST_AUTO_TEST_CASE(when_writing_the_policy_stop_does_the_same_as_strict) {
  recording_sink sink;
  utf8_validator filter(on_error::stop);
  BOOST_TEST(throws(errc::unused_byte, [&] { filter.write(sink, "pq\xFFrs", 5); }));
  BOOST_TEST(throws(errc::unused_byte, [&] { filter.write(sink, "rs", 2); }));
  BOOST_TEST(throws(errc::unused_byte, [&] { filter.close(sink, std::ios::out); }));
  BOOST_TEST(sink.text() == "pq");
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
  io::filtering_istream in(utfilter::bom_filter() | utfilter::to_utf8(on_error::stop) | source);
  std::string got;
  io::copy(in, io::back_inserter(got));
  BOOST_TEST(got == "abc");
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
  BOOST_TEST(throws(errc::overlong, [&] { filter.write(sink, "p\xFFq\xFEr\xC0s", 7); }));
  BOOST_TEST(throws(errc::overlong, [&] { filter.close(sink, std::ios::out); }));
  BOOST_TEST(sink.text() == "p<wrong>q<wrong>r");
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_with_the_reason) {
  params p;
  p.fallback = encoding::detect;
  check_refusal(validator(p), "fallback");
  for (const char* const ill_formed : {"\xED\xA0\x80", "a\xC3"})
    check_refusal(validator(replacing_with(ill_formed)), "replacement");
  check_refusal(validator(replacing_with("")), "");
  check_refusal(validator(with(on_error::keep)), "");
  for (const bom b : every::mark) check_refusal(validator(with(b)), "");
}

//---------------------------------------------------------------------------------- flushing, closing, and the next use

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
  BOOST_TEST(throws(errc::incomplete_at_end, [&] { filter.close(sink, std::ios::out); }));
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
  BOOST_TEST(throws(errc::incomplete_at_end, [&] { out.reset(); }));
}

BOOST_AUTO_TEST_CASE(a_required_bom_is_reported_as_missing_in_an_empty_text) {
  const params p{on_error::strict, bom::require};
  recording_sink sink;
  utf8_validator filter(p);
  BOOST_TEST(throws(errc::missing_bom, [&] { filter.close(sink, std::ios::out); }));
  BOOST_TEST(filter.report().errors == 1u);

  piecewise_source empty({});
  filter.close(empty, std::ios::in);
  BOOST_TEST(read_all(filter, empty) == "!line 1, column 1 (byte 0): missing byte order mark");
  filter.close(empty, std::ios::in);

  io::filtering_ostream out(utf8_validator(p) | sink);
  BOOST_TEST(throws(errc::missing_bom, [&] { out.reset(); }));

  // An input chain that was never read has not missed a byte order mark.
  utf8_validator unread(p);
  { io::filtering_istream in(unread | piecewise_source({"abc"})); }
  BOOST_TEST(unread.report().errors == 0u);
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
