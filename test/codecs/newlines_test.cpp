// newlines_test.cpp: convert_newlines gives a text one kind of line end, whatever the cut, the room, the errors and the
// policy are, and passes everything else on.
// build: portable optimised
#define BOOST_TEST_MODULE newlines
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_trial.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using namespace std::string_literals;
using utfilter::convert_newlines;
using utfilter::newline;
using newline_converter = utfilter::text_codec<utfilter::changes::convert_newlines>;
using utfilter::on_error;

namespace {

constexpr newline kinds[] = {newline::lf, newline::crlf, newline::cr};

/// The whole text, line end by line end.
reference::rewritten with_line_ends(newline to, const std::string& text, bool ends) {
  const std::string wanted = to == newline::lf ? "\n" : to == newline::crlf ? "\r\n" : "\r";
  reference::rewritten result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = text.compare(at, 2, "\r\n") == 0 ? 2 : 1;
    const std::string found = text.substr(at, size);
    at += size;
    if (found != "\r\n" && found != "\n" && found != "\r") {
      result.text += found;
      continue;
    }
    result.text += wanted;
    result.changes += found != wanted;
  }
  (void)ends;  // nothing waits: a line feed that comes later is left out
  return result;
}

text_filters::expectation expected(newline to) {
  return [to](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(p, input, writing, ends, [to](const std::string& text, bool at_end) {
      return with_line_ends(to, text, at_end);
    });
  };
}

/// A piece ends with a whole character, and CR LF is one.
text_filters::places ends(newline to) {
  return [to](const reference::params& p, std::string_view input) {
    return text_filters::ends_of_characters(expected(to)(p, input, true, true).output, true);
  };
}

void check_every_cut(const utfilter::params& p, const std::string& input) {
  for (const newline to : kinds) text_filters::check_every_cut(newline_converter(to), expected(to), p, input, ends(to));
}

std::string converted(newline to, const std::string& text) {
  devices::recording_sink sink;
  convert_newlines filter(to);
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  return sink.text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_kind_of_line_end_becomes_the_one_that_was_asked_for) {
  const struct {
    std::string text, lf, crlf, cr;
  } table[] = {
      {"", "", "", ""},
      {"a", "a", "a", "a"},
      {"a\n", "a\n", "a\r\n", "a\r"},
      {"a\r\n", "a\n", "a\r\n", "a\r"},
      {"a\r", "a\n", "a\r\n", "a\r"},
      {"\n\r", "\n\n", "\r\n\r\n", "\r\r"},
      {"\r\r\n", "\n\n", "\r\n\r\n", "\r\r"},
      {"\r\n\n", "\n\n", "\r\n\r\n", "\r\r"},
      {"\r\n\r\n", "\n\n", "\r\n\r\n", "\r\r"},
      {"a\u0085b\u2028c\u2029d\v\f", "a\u0085b\u2028c\u2029d\v\f", "a\u0085b\u2028c\u2029d\v\f",
       "a\u0085b\u2028c\u2029d\v\f"},
  };
  for (const auto& row : table) {
    BOOST_TEST(converted(newline::lf, row.text) == row.lf);
    BOOST_TEST(converted(newline::crlf, row.text) == row.crlf);
    BOOST_TEST(converted(newline::cr, row.text) == row.cr);
    check_every_cut({}, row.text);
  }
}

BOOST_AUTO_TEST_CASE(every_pair_of_line_ends_is_converted_at_every_place_of_a_block) {
  for (const newline to : kinds)
    for (const std::string first : {"\n", "\r", "\r\n", "a"})
      for (const std::string second : {"\n", "\r", "\r\n", "b"})
        for (std::size_t before = 0; before != 140; ++before) {
          const std::string text = std::string(before, 'x') + first + second + std::string(140 - before, 'y');
          BOOST_TEST_REQUIRE(converted(to, text) == with_line_ends(to, text, true).text);
        }
}

BOOST_AUTO_TEST_CASE(memory_before_the_text_is_no_part_of_it) {
  for (const std::size_t size : {1u, 200u}) {
    const std::string before = "\r", text = "\n" + std::string(size, 'x'), memory = before + text;
    newline_converter codec(newline::crlf);
    std::string out(2 * memory.size(), '\0');
    const auto done = codec.transform(memory.data() + before.size(), text.size(), out.data(), out.size(), true);
    BOOST_TEST(out.substr(0, done.produced) == "\r" + text);
  }
}

BOOST_AUTO_TEST_CASE(a_line_feed_that_comes_later_belongs_to_the_carriage_return_before_it) {
  devices::recording_sink sink;
  convert_newlines filter(newline::crlf);
  filter.write(sink, "a\r", 2);
  filter.flush(sink);
  BOOST_TEST(sink.text() == "a\r\n");  // nothing waits
  filter.write(sink, "\nb\r", 3);
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "a\r\nb\r\n");
  BOOST_TEST(filter.report().changes == 1u);
  BOOST_TEST(filter.report().lines == 1u);
}

BOOST_AUTO_TEST_CASE(ill_formed_text_is_repaired_under_every_policy_and_repairs_have_the_same_line_ends) {
  const std::string wrong = "a\r\xFF\nb\r\n\xE2\x82\n\xFF\xFF\xFF\r\xC3";
  for (const on_error policy : text_filters::policies) check_every_cut(with(policy), wrong);
  for (const std::string replacement : {"\n", "\r", "\r\n", "<\n\r>", ""})
    check_every_cut(replacing_with(replacement), wrong);
}

BOOST_AUTO_TEST_CASE(mixtures_of_line_ends_and_noise_give_the_same_wherever_they_are_cut) {
  const std::vector<std::string> parts = {"\r",           "\n",   "\r\n",   "\n\r",
                                          "\r\r\n",       "a",    "\u00E9", "\u20AC",
                                          "\U0001F600",   "\xFF", "\x80",   "\xE2\x80",
                                          "\xF0\x9F\x98", "\xC2", "\0"s,    "a line that is longer than a block\r\n"};
  for (const newline to : kinds)
    text_filters::check_mixtures(newline_converter(to), expected(to), parts, 1000 / brief::nth, ends(to));
}

BOOST_AUTO_TEST_CASE(a_text_with_the_right_line_ends_passes_unchanged) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "a line of Unix, \u00E9\u20AC " + std::to_string(i) + '\n';
  convert_newlines filter;
  io::filtering_istream in(filter | devices::piecewise_source(devices::in_pieces(text, 1001)));
  BOOST_TEST((files::rest(in) == text));
  BOOST_TEST(filter.report().changes == 0u);
  BOOST_TEST(filter.report().lines == 3000u);
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused) {
  BOOST_TEST(thrown_by([] { convert_newlines(newline::lf, on_error::keep); }).find("cannot keep bytes") !=
             std::string::npos);
  utfilter::params p;
  p.bom = utfilter::bom::strip;
  BOOST_TEST(thrown_by([&] { convert_newlines{p}; }).find("knows no byte order mark") != std::string::npos);
}
