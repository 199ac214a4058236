// lines_test.cpp: to_utf8_lines puts aside, reads by a fallback, or leaves in the text each line or record with an error,
// whole and with its own bytes, whatever the cut, the room and the direction are; and every byte is in the text or aside.
// build: portable optimised
#define BOOST_TEST_MODULE lines
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance.hpp"
#include "support/lines_apart_reference.hpp"
#include "support/outcomes.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <exception>
#include <ios>
#include <iterator>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace std::string_literals;
using conformance::pieces;
using lines_apart::record;
using utfilter::encoding;
using utfilter::line_policy;
using utfilter::line_rules;
using utfilter::odd_line;
using utfilter::on_error;
using utfilter::record_kind;
using utfilter::reject_format;
using utfilter::to_utf8_lines;

namespace {

using texts::fffd, texts::feff;

//--------------------------------------------------------------------------------------------------------- every way

record record_of(const odd_line& line) {
  record one;
  one.text = line.text;
  one.begin = line.begin;
  one.end = line.end;
  one.part = line.part;
  one.line = line.error.line;
  one.column = line.error.column;
  one.offset = line.error.offset;
  one.first_line = line.first_line;
  one.line_feeds = line.line_feeds;
  one.bytes.assign(reinterpret_cast<const char*>(line.error.bytes.data()), line.error.size);
  return one;
}

encoding library(lines_apart::encoding e) {
  switch (e) {
    case lines_apart::encoding::utf8: return encoding::utf8;
    case lines_apart::encoding::windows1252: return encoding::windows1252;
    case lines_apart::encoding::utf16le: break;
  }
  return encoding::utf16le;
}

std::string told(const lines_apart::outcome& o) {
  std::ostringstream text;
  text << "\noutput " << hexadecimal(o.output);
  const auto tell = [&](const char* what, const std::vector<record>& all) {
    for (const record& r : all)
      text << what << hexadecimal(r.text) << " bytes " << r.begin << " to " << r.end << ", part " << r.part << ", line "
           << r.line << ", column " << r.column << ", byte " << r.offset << ": " << hexadecimal(r.bytes)
           << ", lines from " << r.first_line << ", " << r.line_feeds << " line feeds";
  };
  tell("\naside  ", o.aside);
  tell("\nfallen ", o.fallen);
  text << "\nlines  " << o.lines_passed << " + " << o.lines_aside << ", " << o.lines_fallen << " fell back; bytes "
       << o.bytes_passed << " + " << o.bytes_aside << ", " << o.bytes_fallen << "; records " << o.records_passed
       << " + " << o.records_aside << ", " << o.records_fallen << "; errors " << o.errors;
  return text.str();
}

bool is_same(const lines_apart::outcome& a, const lines_apart::outcome& b) {
  const auto all = [](const lines_apart::outcome& o) {
    return std::tie(o.output, o.aside, o.fallen, o.fallen_to, o.lines_passed, o.lines_aside, o.lines_fallen,
                    o.bytes_passed, o.bytes_aside, o.bytes_fallen, o.records_passed, o.records_aside, o.records_fallen,
                    o.errors);
  };
  return all(a) == all(b);
}

pieces cut_every(std::string_view text, std::size_t size) {
  pieces all;
  for (std::size_t at = 0; at < text.size(); at += size) all.emplace_back(text.substr(at, size));
  return all;
}

/// One text under one set of rules. Each way to run it returns what has come of it.
class trial {
 public:
  trial(const lines_apart::rules& by, std::string text, bool detects = false)
      : text_(std::move(text)), from_(detects ? encoding::detect : library(by.from)) {
    rules_.policy = by.fallbacks.empty() ? line_policy::put_aside : line_policy::fall_back;
    for (const auto e : by.fallbacks) rules_.fallbacks.push_back(library(e));
    rules_.limit = by.limit;
    if (by.kind != lines_apart::records::line)
      rules_.records = by.kind == lines_apart::records::csv ? record_kind::csv : record_kind::indented;
    if (by.odd < 0x80)
      rules_.finder = [odd = static_cast<char>(by.odd)](std::string_view in) -> std::optional<utfilter::error_info> {
        const std::size_t at = in.find(odd);
        if (at == std::string_view::npos) return {};
        utfilter::error_info found;
        found.code = utfilter::errc::forbidden;
        found.offset = at;
        return found;
      };
    if (by.sets_aside)
      rules_.sink = [this](const odd_line& line) {
        got_.aside.push_back(record_of(line));
        BOOST_TEST((line.read_as == encoding::detect));
        const std::uint64_t begin = line.part == 0 ? line.begin : line.error.offset;
        if (rules_.records == record_kind::line)
          BOOST_TEST(line.error.line_offset ==
                     (line.error.line == 1 ? 0 : begin));  // the first line has the byte order mark
      };
    if (!by.sets_aside && by.fallbacks.empty()) rules_.policy = line_policy::keep;
    if (!by.fallbacks.empty())
      rules_.observer = [this, by](const odd_line& line) {
        got_.fallen.push_back(record_of(line));
        for (const auto e : by.fallbacks)
          if (library(e) == line.read_as) got_.fallen_to.push_back(e);
      };
    params_.on_error = on_error::replace;
  }
  trial(const trial&) = delete;

  lines_apart::outcome convert(std::size_t piece, std::size_t room) {
    got_ = {};
    const auto decoder = utfilter::transcoder::decoding(from_, params_);
    utfilter::codec_decoder<utfilter::line_sorter> text(utfilter::line_sorter(decoder, rules_), params_);
    got_.output = converted(text, text_, piece, room);
    if (text.failure()) std::rethrow_exception(text.failure());
    return finish(text.codec().counts(), text.report());
  }

  lines_apart::outcome read(const pieces& cut, std::streamsize link, std::streamsize device) {
    got_ = {};
    to_utf8_lines filter(from_, rules_, params_);
    conformance::device_state source;
    source.text = cut;
    {
      io::filtering_istream in;
      in.push(filter, link);
      in.push(conformance::pieces_source(source), device);
      in.exceptions(std::ios::badbit);
      got_.output.assign(std::istreambuf_iterator<char>(in), {});
    }
    return finish(filter.counts(), filter.report());
  }

  lines_apart::outcome write(const pieces& cut, std::streamsize link) {
    got_ = {};
    to_utf8_lines filter(from_, rules_, params_);
    conformance::device_state sink;
    {
      io::filtering_ostream out;
      out.push(io::compose(filter, conformance::collecting_sink(sink)), link);
      out.exceptions(std::ios::badbit);
      for (const std::string& piece : cut) {
        sink.budget.allow_for_piece(piece.size());
        out << piece;
        if (piece.size() % 3 == 0) out.flush();
      }
      out.reset();
    }
    got_.output = sink.written;
    return finish(filter.counts(), filter.report());
  }

 private:
  lines_apart::outcome finish(const utfilter::line_counts& counts, const utfilter::stream_report& report) {
    got_.lines_passed = counts.lines_passed;
    got_.lines_aside = counts.lines_put_aside;
    got_.lines_fallen = counts.lines_fallen_back;
    got_.bytes_passed = counts.bytes_passed;
    got_.bytes_aside = counts.bytes_put_aside;
    got_.bytes_fallen = counts.bytes_fallen_back;
    got_.records_passed = counts.records_passed;
    got_.records_aside = counts.records_put_aside;
    got_.records_fallen = counts.records_fallen_back;
    got_.errors = report.errors;
    BOOST_TEST(report.bytes_in == text_.size());
    BOOST_TEST(report.bytes_out == got_.output.size());
    BOOST_TEST(report.changes == got_.records_aside + got_.records_fallen);
    return got_;
  }

  std::string text_;
  encoding from_;
  line_rules rules_;
  utfilter::params params_;
  lines_apart::outcome got_;
};

/// Checks every way to run a text.
void check_every_way(tally& cases, trial& t, std::string_view text, const lines_apart::outcome& expected) {
  const auto check = [&](const char* way, std::size_t a, std::size_t b, const lines_apart::outcome& got) {
    if (cases.failed(is_same(got, expected)))
      BOOST_ERROR(way << ' ' << a << ", " << b << ": " << hexadecimal(text) << told(got) << "\nnot" << told(expected));
  };
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 16u, 1000u}) {
    for (const std::size_t room : {6u, 7u, 16u, 4096u})
      if (brief::takes_next()) check("convert", piece, room, t.convert(piece, room));
    const pieces cut = cut_every(text, piece);
    for (const int link : {1, 3, 16, 4096}) {
      if (brief::takes_next()) check("read", piece, static_cast<std::size_t>(link), t.read(cut, link, 16));
      if (brief::takes_next()) check("read whole", piece, static_cast<std::size_t>(link), t.read(cut, link, 4096));
      if (brief::takes_next()) check("write", piece, static_cast<std::size_t>(link), t.write(cut, link));
    }
  }
}

/// Random text: lines of up to `most` items, most of them in good order. Half of the items are of `more`, in ASCII, if there
/// are any.
std::string dirt(std::mt19937& random, lines_apart::encoding e, std::size_t most,
                 const std::vector<std::string>& more = {}) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  const std::vector<std::string> good8 = {"a", "z", "\r", "\0"s, "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
  const std::vector<std::string> bad8 = {"\x80",         "\xC3", "\xE2\x82", "\xF0\x9F\x98",
                                         "\xED\xA0\x80", "\xFF", "\xC0\xAF"};
  const std::vector<std::string> good16 = {"a\0"s, "\n\n", "\0\n"s, "\x3D\xD8\x00\xDE"s, "\xAC\x20", "\r\0"s};
  const std::vector<std::string> bad16 = {"\x3D\xD8", "\x00\xDE"s, "\xFF\xDF"};
  const bool is_16 = e == lines_apart::encoding::utf16le;
  std::string text;
  const std::size_t lines = below(6);
  for (std::size_t line = 0; line <= lines; ++line) {
    const bool is_dirty = below(3) == 0;
    for (std::size_t items = below(most); items != 0; --items) {
      if (!more.empty() && below(2) == 0) {
        for (const char c : more[below(more.size())]) text += is_16 ? std::string{c, '\0'} : std::string{c};
        continue;
      }
      const auto& from = is_dirty && below(3) == 0 ? (is_16 ? bad16 : bad8) : (is_16 ? good16 : good8);
      text += from[below(from.size())];
    }
    if (line != lines || below(2) == 0) text += is_16 ? "\n\0"s : "\n";
  }
  if (is_16 && below(5) == 0) text += 'x';
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_line_goes_where_the_reference_sends_it) {
  using lines_apart::encoding;
  const std::vector<lines_apart::rules> all = {
      {encoding::utf8, true, {}, 1 << 20},
      {encoding::utf8, true, {}, 8},
      {encoding::utf8, true, {}, 20},
      {encoding::utf8, true, {encoding::windows1252}, 16},
      {encoding::utf8, false, {encoding::windows1252}, 1 << 20},
      {encoding::utf8, false, {encoding::utf8}, 12},  // fits no line
      {encoding::utf8, true, {encoding::utf8, encoding::windows1252}, 1 << 20},
      {encoding::utf8, false, {}, 1 << 20},
      {encoding::windows1252, true, {}, 12},
      {encoding::utf16le, true, {}, 1 << 20},
      {encoding::utf16le, true, {}, 12},
      {encoding::utf16le, false, {encoding::utf16le}, 12},
  };
  tally cases;
  std::mt19937 random(40);
  for (int i = 0; i != 25 && !cases.is_hopeless(); ++i)
    for (const lines_apart::rules& by : all) {
      const std::string text = dirt(random, by.from, i % 2 == 0 ? 8 : 30);
      trial t(by, text);
      check_every_way(cases, t, text, lines_apart::sort(by, text));
    }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(each_record_goes_where_the_reference_sends_it) {
  using lines_apart::encoding;
  using lines_apart::records;
  constexpr char32_t none = 0xFFFFFFFF;
  std::vector<lines_apart::rules> all;
  for (const records kind : {records::line, records::csv, records::indented})
    for (const encoding from : {encoding::utf8, encoding::windows1252, encoding::utf16le})
      for (const std::size_t limit : {8u, 12u, 1u << 20})
        for (const char32_t odd : {none, U'z'}) {
          all.push_back({from, true, {}, limit, kind, odd});
          const encoding to = from == encoding::utf16le ? from : encoding::windows1252;
          all.push_back({from, true, {to}, limit, kind, odd});
          all.push_back({from, false, {to}, limit, kind, odd});
        }
  tally cases;
  std::mt19937 random(43);
  for (int i = 0; i != 4 && !cases.is_hopeless(); ++i)
    for (const lines_apart::rules& by : all) {
      const std::string text =
          dirt(random, by.from, i % 2 == 0 ? 8 : 20, {",", "\"", "\"\"", "\"\n", "\n ", "\n\t", "\r\n", "z"});
      trial t(by, text);
      check_every_way(cases, t, text, lines_apart::sort(by, text));
    }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(a_line_may_be_as_long_as_the_limit) {
  using lines_apart::encoding;
  tally cases;
  for (const bool sets_aside : {true, false}) {
    const lines_apart::rules by{encoding::utf8, sets_aside, {encoding::windows1252}, 12};
    for (const char* end : {"", "\n", "\nz\n"})
      for (const std::size_t size : {10u, 11u, 12u, 13u, 23u, 24u, 25u, 36u})
        for (const std::string& first : {"a"s, "\xFF"s, "\xC3\xA9"s}) {
          const std::string text = "x\n" + first + std::string(size - first.size(), 'y') + end;
          trial t(by, text);
          check_every_way(cases, t, text, lines_apart::sort(by, text));
        }
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(the_limit_is_rounded_down_to_a_multiple_of_4) {
  for (std::size_t limit = 8; limit != 17; ++limit) {
    line_rules rules;
    rules.policy = line_policy::put_aside;
    rules.limit = limit;
    std::vector<std::size_t> sizes;
    rules.sink = [&](const odd_line& line) { sizes.push_back(line.text.size()); };
    std::istringstream source(std::string(50, 'a'));
    io::filtering_istream in;
    in.push(to_utf8_lines(encoding::utf8, rules));
    in.push(utfilter::stream_source(source));
    BOOST_TEST(in.get() == std::char_traits<char>::eof());
    BOOST_TEST(sizes.at(0) == limit / 4 * 4);
  }
}

BOOST_AUTO_TEST_CASE(the_place_after_a_last_line_counts_its_characters) {
  for (const auto& [text, column] : {std::pair("a\n\xE9t\xE9"s, 4u), std::pair("\xE9\n"s, 1u), std::pair("ab"s, 3u)}) {
    const auto decoder = utfilter::transcoder::validating(utfilter::bom::keep);
    line_rules rules;
    rules.policy = line_policy::fall_back;
    rules.fallbacks = {encoding::windows1252};
    utfilter::codec_decoder<utfilter::line_sorter> read(utfilter::line_sorter(decoder, rules));
    converted(read, text, 2, 16);
    BOOST_TEST(read.here().column == column);
    BOOST_TEST(read.here().offset == text.size());
  }
  // At the start of a line that is read by a fallback, U+FEFF is a character.
  line_rules rules;
  rules.policy = line_policy::fall_back;
  rules.fallbacks = {encoding::utf8};
  const auto decoder = utfilter::transcoder::decoding(encoding::ascii, utfilter::bom::keep);
  utfilter::codec_decoder<utfilter::line_sorter> read(utfilter::line_sorter(decoder, rules));
  BOOST_TEST(converted(read, "a\n" + feff + "b", 100, 16) == "a\n" + feff + "b");
  BOOST_TEST(read.here().column == 3u);
}

BOOST_AUTO_TEST_CASE(long_texts_pass_in_blocks) {
  using lines_apart::encoding;
  tally cases;
  std::mt19937 random(41);
  for (const lines_apart::rules& by : {lines_apart::rules{encoding::utf8, true, {}, 1 << 20},
                                       lines_apart::rules{encoding::utf8, true, {encoding::windows1252}, 30'000},
                                       lines_apart::rules{encoding::utf16le, true, {}, 1 << 20}}) {
    const bool is_16 = by.from == encoding::utf16le;
    std::string text;
    while (text.size() < 200'000) {
      const std::size_t size = random() % 40 == 0 ? random() % 40'000 : random() % 200;
      for (std::size_t i = 0; i != size; ++i) text += is_16 ? "a\0"s : i % 7 == 0 ? "\xC3\xA9" : "b";
      if (random() % 20 == 0) text += is_16 ? "\x3D\xD8" : "\xE9";
      text += is_16 ? "\n\0"s : "\n";
    }
    const lines_apart::outcome expected = lines_apart::sort(by, text);
    trial t(by, text);
    for (const std::size_t piece : {100u, 4096u, 50'000u, 1'000'000u}) {
      cases.check(is_same(t.convert(piece, 8192), expected), "convert", std::to_string(piece));
      cases.check(is_same(t.convert(piece, 100), expected), "convert", std::to_string(piece));
      const pieces cut = cut_every(text, piece);
      for (const std::streamsize link : {100, 12'224, 65'472, 1'000'000}) {
        cases.check(is_same(t.read(cut, link, 1 << 16), expected), "read", std::to_string(piece));
        cases.check(is_same(t.write(cut, link), expected), "write", std::to_string(piece));
      }
    }
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(a_bom_passes_and_is_no_part_of_the_first_line) {
  using lines_apart::encoding;
  tally cases;
  const std::string bad8 = feff + "a\xFFz\nok\n", bad16 = "\xFF\xFE\x00\xDC\n\0b\0\n\0"s;
  for (const auto& [from, text, size] :
       {std::tuple(encoding::utf8, bad8, 3), std::tuple(encoding::utf16le, bad16, 2)}) {
    const lines_apart::rules by{from, true, {}, 1 << 20};
    trial t(by, text, true);  // detect: the byte order mark decides, and is stripped
    check_every_way(cases, t, text, lines_apart::sort(by, text, static_cast<std::size_t>(size)));
  }
  const std::string long16 = "\xFF\xFE\x00\x01"s + "a\0b\0c\0d\0e\0\n\0"s;  // FF FE 00 may begin a mark of UTF-32
  const lines_apart::rules by16{encoding::utf16le, true, {}, 8};
  trial too_long(by16, long16, true);
  check_every_way(cases, too_long, long16, lines_apart::sort(by16, long16, 2));
  const lines_apart::rules by{encoding::utf8, true, {}, 8};
  trial kept(by, bad8);
  check_every_way(cases, kept, bad8, lines_apart::sort(by, bad8, 3, feff));
  // The first bytes of a byte order mark, without the rest, are an error of the first line.
  for (const std::string& text : {"\xEF\xBB\nok\n"s, "\xEF\xBB"s, "\xEF"s, ""s, "\n"s, feff}) {
    trial t(by, text);
    const std::size_t begin = text == feff ? 3 : 0;
    check_every_way(cases, t, text, lines_apart::sort(by, text, begin, text.substr(0, begin)));
  }
  cases.summary();
}

//------------------------------------------------------------------------------------------------------------ by hand

namespace {

struct result {
  std::string output, aside;
  utfilter::line_counts counts;
  utfilter::stream_report report;
};

/// Reads a text. The lines that are put aside are collected as records, or as they are.
result read_by(encoding from, line_rules rules, const std::string& text, const utfilter::params& p = {},
               bool puts_aside = true, reject_format format = reject_format::text) {
  result got;
  std::ostringstream aside;
  if (puts_aside) rules.sink = utfilter::rejects(aside, format, "in.txt");
  to_utf8_lines filter(from, rules, p);
  std::istringstream source(text);
  {
    io::filtering_istream in;
    in.push(filter);
    in.push(utfilter::stream_source(source));
    in.exceptions(std::ios::badbit);
    got.output.assign(std::istreambuf_iterator<char>(in), {});
  }
  got.aside = aside.str();
  got.counts = filter.counts();
  got.report = filter.report();
  return got;
}

line_rules putting_aside() {
  line_rules rules;
  rules.policy = line_policy::put_aside;
  return rules;
}

line_rules falling_back(std::vector<encoding> to) {
  line_rules rules;
  rules.policy = line_policy::fall_back;
  rules.fallbacks = std::move(to);
  return rules;
}

}  // namespace

// The fallback takes every byte for a character, so it would fit.
BOOST_AUTO_TEST_CASE(a_damaged_line_of_utf8_is_no_text_of_a_fallback) {
  const std::string damaged = "caf\u00E9 \u00FCber \xE2\x82\n", other = "ok \xE9\n",
                    repaired = "caf\u00E9 \u00FCber " + fffd + "\n";
  struct row {
    std::string line, expected;  // under on_error::replace
  };
  const row rows[] = {
      {damaged, repaired},
      {other, "ok \u00E9\n"},
      {"\u00E9\xFF\n", "\u00C3\u00A9\u00FF\n"},                              // one character is not enough
      {"\u00E9\u00E9\xFF\xFE\n", "\u00C3\u00A9\u00C3\u00A9\u00FF\u00FE\n"},  // nor two for two errors
      {"\u00E9\u00E9\u00E9\u00E9\xFF\xFE\n", "\u00E9\u00E9\u00E9\u00E9" + fffd + fffd + "\n"},
  };
  for (const row& r : rows)
    for (const std::string& end : {""s, "\n"s}) {
      std::istringstream source(r.line + "a" + end);
      io::filtering_istream in;
      in.push(to_utf8_lines(encoding::utf8, falling_back({encoding::windows1252}), on_error::replace));
      in.push(utfilter::stream_source(source));
      BOOST_TEST((std::string{std::istreambuf_iterator<char>(in), {}}) == r.expected + "a" + end);
    }
  // It is put aside if there is a sink, and under a strict policy it is an error.
  std::string aside;
  line_rules rules = falling_back({encoding::windows1252});
  rules.sink = [&](const odd_line& line) { aside += line.text; };
  utfilter::codec_decoder<utfilter::line_sorter> read(
      utfilter::line_sorter(utfilter::transcoder::validating(utfilter::bom::keep), rules));
  BOOST_TEST(converted(read, other + damaged + other, 100, 100) == "ok \u00E9\nok \u00E9\n");
  BOOST_TEST(aside == damaged);
  std::istringstream source(other + damaged);
  io::filtering_istream in;
  in.push(to_utf8_lines(encoding::utf8, falling_back({encoding::windows1252})));
  in.push(utfilter::stream_source(source));
  in.exceptions(std::ios::badbit);
  BOOST_CHECK_THROW(in.ignore(100), utfilter::utf_error);
}

BOOST_AUTO_TEST_CASE(lines_in_many_encodings_end_at_their_line_feed) {
  struct row {
    encoding from;
    std::string text, output, aside;
  };
  const row rows[] = {
      {encoding::utf8, "a\nb\x80\nc", "a\nc", "b\x80\n"},
      {encoding::utf8, "a\r\n\xE2\x82\r\nc\r\n", "a\r\nc\r\n", "\xE2\x82\r\n"},
      {encoding::utf8, "a\xE2\x82\nb\n", "b\n", "a\xE2\x82\n"},  // the line feed is no part of the error
      {encoding::utf16be, "\0a\0\n\xDC\x00\0\n\0b\0\n"s, "a\nb\n", "\xDC\x00\0\n"s},
      {encoding::utf16le, "\n\n\n\0\xFF\xDF\n\0"s, "\xE0\xA8\x8A\n", "\xFF\xDF\n\0"s},  // U+0A0A is no line feed
      {encoding::utf32le, "a\0\0\0\n\0\0\0\0\xD8\0\0\n\0\0\0"s, "a\n", "\0\xD8\0\0\n\0\0\0"s},
      {encoding::utf32be, "\0\0\0\n\x80\0\0\0\0\0\0\nx"s, "\n", "\x80\0\0\0\0\0\0\nx"s},
      {encoding::cesu8, "a\n\xED\xA0\xBD\nb\n", "a\nb\n", "\xED\xA0\xBD\n"},
      {encoding::ascii, "a\n\xE9\nb\n", "a\nb\n", "\xE9\n"},
      {encoding::windows1253, "\xE1\n\xAA\n", "\xCE\xB1\n", "\xAA\n"},
      {encoding::detect,
       "\xFF\xFE"
       "a\0\n\0\x00\xDC\n\0"s,
       "a\n", "\x00\xDC\n\0"s},
      {encoding::guess, "caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9\ncaf\xE9\nend\n",
       "caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9\nend\n", "caf\xE9\n"},
  };
  for (const row& r : rows) BOOST_TEST_CONTEXT(utfilter::encoding_name(r.from) << ' ' << hexadecimal(r.text)) {
      const result got = read_by(r.from, putting_aside(), r.text);
      BOOST_TEST(hexadecimal(got.output) == hexadecimal(r.output));
      // A last line without a line feed is a line, too.
      BOOST_TEST(hexadecimal(got.aside) == hexadecimal(r.aside));
      BOOST_TEST(got.counts.bytes_passed + got.counts.bytes_put_aside == r.text.size());
    }
}

BOOST_AUTO_TEST_CASE(lines_of_multi_byte_encodings_end_at_their_line_feed) {
  struct row {
    encoding from;
    std::string text, output, aside;
  };
  const std::string hiragana = "\xE3\x81\x82";
  const row rows[] = {
      {encoding::shift_jis, "\x82\xA0\n\x82\n\x82\xA0\n", hiragana + "\n" + hiragana + "\n", "\x82\n"},
      {encoding::gb18030, "a\n\x81\x30\x81\nb\n", "a\nb\n", "\x81\x30\x81\n"},
      {encoding::euc_jp, "\xA4\xA2\n\xA4\n", hiragana + "\n", "\xA4\n"},
      // The line feed in the double-byte state is an error. The next line begins as this one did.
      {encoding::iso_2022_jp, "a\x1B$B$\"\x1B(B\n\x1B$B$\"\n\x1B$B$\"\x1B(Bz\n",
       "a" + hiragana + "\n" + hiragana + "z\n", "\x1B$B$\"\n"},
      {encoding::iso_2022_jp, "\x1B$B$\n~\n", "~\n", "\x1B$B$\n"},
      {encoding::iso_2022_jp, "\x1B(J~\n\xFF\n~\n", "\xE2\x80\xBE\n\xE2\x80\xBE\n", "\xFF\n"},  // the state goes on
  };
  for (const row& r : rows) BOOST_TEST_CONTEXT(utfilter::encoding_name(r.from) << ' ' << hexadecimal(r.text)) {
      const result got = read_by(r.from, putting_aside(), r.text);
      BOOST_TEST(hexadecimal(got.output) == hexadecimal(r.output));
      BOOST_TEST(hexadecimal(got.aside) == hexadecimal(r.aside));
    }
  // If a line stays and an error takes its line feed, the line still ends there.
  utfilter::params p;
  p.on_error = on_error::skip;
  const result got =
      read_by(encoding::iso_2022_jp, falling_back({encoding::iso_2022_jp}), "~\n\x1B$B$\n\xFF\n", p, false);
  BOOST_TEST(got.output == "~\n\n");
  BOOST_TEST(got.counts.lines_passed == 3u);
  BOOST_TEST(got.report.last_error->line == 3u);
  BOOST_TEST(got.report.last_error->column == 1u);
}

BOOST_AUTO_TEST_CASE(the_state_of_a_text_goes_on_in_a_line_longer_than_the_limit) {
  line_rules rules = falling_back({encoding::ascii});
  rules.limit = 8;
  std::string text = "\x1B$B", hiragana;
  for (int i = 0; i != 12; ++i) {
    text += "$\"";
    hiragana += "\u3042";
  }
  text += "\x1B(B\n";
  BOOST_TEST(read_by(encoding::iso_2022_jp, rules, text + text, {}, false).output == hiragana + "\n" + hiragana + "\n");
}

BOOST_AUTO_TEST_CASE(lines_that_stay_are_decoded_as_to_utf8_does) {
  tally cases;
  std::mt19937 random(42);
  for (const encoding e : utfilter::encodings()) {
    if (e == encoding::iso_2022_jp) continue;  // there an error can have the line feed
    line_rules rules = falling_back({e});      // fits no line with an error
    rules.limit = 64;
    for (int i = 0; i != 40; ++i) {
      std::string text;
      for (std::size_t size = random() % 400; size != 0; --size)
        text += random() % 12 == 0 ? '\n' : random() % 2 == 0 ? '\0' : static_cast<char>(random() % 256);
      std::istringstream source(text);
      utfilter::to_utf8 plain(e, on_error::replace);
      io::filtering_istream in;
      in.push(plain);
      in.push(utfilter::stream_source(source));
      const std::string expected(std::istreambuf_iterator<char>(in), {});
      utfilter::params p;
      p.on_error = on_error::replace;
      const result got = read_by(e, rules, text, p, false);
      cases.check(got.output == expected && got.report.errors == plain.report().errors &&
                      got.report.lines == plain.report().lines && got.counts.bytes_passed == text.size(),
                  utfilter::to_string(e).c_str(), text);
    }
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(a_line_falls_back_to_the_first_encoding_that_fits) {
  const std::string text = "\xC3\xA9\n\xE9\xC3\xA9\n\xD2\n\xAA\xE1\n";
  // windows-1253 lacks AA and D2.
  const result got = read_by(encoding::utf8, falling_back({encoding::windows1253, encoding::windows1252}), text);
  BOOST_TEST(got.output == "\xC3\xA9\n\xCE\xB9\xCE\x93\xC2\xA9\n\xC3\x92\n\xC2\xAA\xC3\xA1\n");
  BOOST_TEST(got.aside.empty());
  BOOST_TEST(got.counts.lines_fallen_back == 3u);
  BOOST_TEST(got.counts.bytes_fallen_back == 9u);
  BOOST_TEST(got.counts.lines_passed == 4u);
  BOOST_TEST(got.report.changes == 3u);
  BOOST_TEST(got.report.errors == 0u);
  // If none fits, the line is put aside, or stays under the params.
  BOOST_TEST(read_by(encoding::utf8, falling_back({encoding::windows1253}), text).aside == "\xD2\n\xAA\xE1\n");
  utfilter::params p;
  p.on_error = on_error::escape;
  const result kept = read_by(encoding::utf8, falling_back({encoding::windows1253}), text, p, false);
  BOOST_TEST(kept.output == "\xC3\xA9\n\xCE\xB9\xCE\x93\xC2\xA9\n\\xD2\n\\xAA\\xE1\n");
  BOOST_TEST(kept.report.errors == 3u);
  BOOST_TEST(kept.counts.lines_fallen_back == 1u);
}

BOOST_AUTO_TEST_CASE(guess_reads_each_line_in_the_encoding_that_is_likeliest_for_it) {
  const std::string polish = "Dzie\xF1 dobry, jak si\xEA pan dzisiaj miewa?\n";                         // windows-1250
  const std::string koi8 = "\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2! \xEB\xC1\xCB \xC4\xC5\xCC\xC1?\n";  // KOI8-R
  const std::string windows =
      "\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?\n";  // windows-1251
  const std::string utf8 = "caf\u00E9\n", symbol = "\xA9 2020\n";
  const std::string in_polish = "Dzie\u0144 dobry, jak si\u0119 pan dzisiaj miewa?\n";
  const std::string in_russian =
      "\u041F\u0440\u0438\u0432\u0435\u0442, \u043C\u0438\u0440! \u041A\u0430\u043A \u0434\u0435\u043B\u0430?\n";
  const std::string text = utf8 + polish + koi8 + symbol + windows + utf8;
  // A symbol alone tells no encoding.
  const result all = read_by(encoding::utf8, falling_back({encoding::guess}), text);
  BOOST_TEST(all.output == utf8 + in_polish + in_russian + in_russian + utf8);
  BOOST_TEST(all.aside == symbol);
  BOOST_TEST(all.counts.lines_fallen_back == 3u);
  // Only those after it count; and then what fits.
  const result two =
      read_by(encoding::utf8, falling_back({encoding::guess, encoding::koi8r, encoding::windows1251}), koi8 + windows);
  BOOST_TEST(two.output == in_russian + in_russian);
  const result one = read_by(encoding::utf8, falling_back({encoding::guess, encoding::windows1252}), symbol);
  BOOST_TEST(one.output == "\u00A9 2020\n");
  const result first = read_by(encoding::utf8, falling_back({encoding::windows1252, encoding::guess}), polish);
  BOOST_TEST(first.output == "Dzie\u00F1 dobry, jak si\u00EA pan dzisiaj miewa?\n");
  // A line that only lost a byte is no line of another encoding.
  const std::string damaged = "na\u00EFve caf\u00E9 \xC3\n";
  BOOST_TEST(read_by(encoding::utf8, falling_back({encoding::guess}), damaged).aside == damaged);
}

BOOST_AUTO_TEST_CASE(params_treat_the_errors_of_lines_that_stay) {
  std::vector<std::uint64_t> observed;
  utfilter::params p;
  p.observer = [&](const utfilter::error_info& error) { observed.push_back(error.line); };
  const auto read = [&] {
    return read_by(encoding::utf8, falling_back({encoding::ascii}), "a\nb\xFFz\xFF\nc\xFF\n", p, false);
  };
  BOOST_CHECK_THROW(read(), utfilter::utf_error);
  BOOST_TEST((observed == std::vector<std::uint64_t>{2}));
  p.on_error = on_error::stop;
  const result stopped = read();
  BOOST_TEST(stopped.output == "a\nb");
  BOOST_TEST(stopped.report.last_error->offset == 3u);
  observed.clear();
  p.on_error = on_error::keep;
  BOOST_TEST(read().output == "a\nb\xFFz\xFF\nc\xFF\n");
  BOOST_TEST((observed == std::vector<std::uint64_t>{2, 2, 3}));
  // The params do not see the errors of lines that are put aside.
  observed.clear();
  p.on_error = on_error::strict;
  BOOST_TEST(read_by(encoding::utf8, putting_aside(), "a\nb\xFF\n", p).output == "a\n");
  BOOST_TEST(observed.empty());
  // The params decide about the byte order mark, because it is no part of a line.
  p.bom = utfilter::bom::reject;
  BOOST_CHECK_THROW(read_by(encoding::utf8, putting_aside(), feff + "a\n", p), utfilter::utf_error);
  p.on_error = on_error::replace;
  BOOST_TEST(read_by(encoding::utf8, putting_aside(), feff + "a\n\xFF\n", p).report.errors == 1u);
}

BOOST_AUTO_TEST_CASE(keep_is_to_utf8) {
  utfilter::params p;
  p.on_error = on_error::replace;
  const result got = read_by(encoding::utf8, {}, feff + "a\xFF\nb", p, false);
  BOOST_TEST(got.output == feff + "a" + fffd + "\nb");
  BOOST_TEST(got.counts.lines_passed == 2u);
  BOOST_TEST(got.counts.bytes_passed == 7u);
  // Only what is read counts, not what is before a checkpoint.
  p.start.emplace();
  p.start->encoding = encoding::utf8;
  p.start->offset = p.start->line_offset = 100;
  p.start->line = 20;
  const result rest = read_by(encoding::utf8, {}, "a\nb\nc", p, false);
  BOOST_TEST(rest.counts.lines_passed == 3u);
  BOOST_TEST(rest.counts.bytes_passed == 5u);
}

//------------------------------------------------------------------------------------------------------------- places

BOOST_AUTO_TEST_CASE(records_begin_at_the_checkpoint) {
  const std::string text = "\xC3\xA9\nb\xFF\nc\n\xFF\n";
  const auto p_at = [&](std::size_t size) {
    utfilter::params p;
    char out[64];
    const std::string head = text.substr(0, size);
    std::ostringstream aside;
    line_rules rules = putting_aside();
    rules.sink = utfilter::rejects(aside);
    utfilter::codec_decoder<utfilter::line_sorter> first(
        utfilter::line_sorter(utfilter::transcoder::decoding(encoding::utf8, p), rules), p);
    first.convert(head.data(), head.size(), out, sizeof out, false);
    p.start = first.here();
    return p;
  };
  const std::string whole = read_by(encoding::utf8, putting_aside(), text, {}, true, reject_format::jsonl).aside;
  for (std::size_t size = 0; size != text.size(); ++size) {
    const utfilter::params p = p_at(size);
    // The place is the beginning of a line: of the one that is cut.
    BOOST_TEST((p.start->offset == 0u || text[static_cast<std::size_t>(p.start->offset) - 1] == '\n'));
    BOOST_TEST(p.start->line_offset == p.start->offset);
    const std::string rest = text.substr(static_cast<std::size_t>(p.start->offset));
    const std::string records = read_by(encoding::utf8, putting_aside(), rest, p, true, reject_format::jsonl).aside;
    BOOST_TEST(whole.substr(whole.size() - records.size()) == records);
    BOOST_TEST(std::count(records.begin(), records.end(), '\n') == std::count(rest.begin(), rest.end(), '\xFF'));
  }
}

BOOST_AUTO_TEST_CASE(a_line_is_delivered_when_its_line_feed_has_arrived_and_not_before) {
  const std::string text = "ab\nc\xFF\n\xC3\xA9z\nlast";
  std::string aside;
  line_rules rules = putting_aside();
  rules.sink = [&](const odd_line& line) { aside += line.text; };
  const auto due = [&](std::size_t size) {
    const std::string lines = text.substr(0, size).substr(0, text.substr(0, size).rfind('\n') + 1);
    return lines_apart::sort({}, lines);
  };
  // Writing: a flush delivers no half line.
  to_utf8_lines writing(encoding::utf8, rules);
  conformance::device_state sink;
  io::filtering_ostream out;
  out.push(writing);
  out.push(conformance::collecting_sink(sink));
  sink.budget.allow(1000);
  for (std::size_t size = 1; size <= text.size(); ++size) {
    out << text[size - 1] << std::flush;
    BOOST_TEST(sink.written == due(size).output);
    BOOST_TEST(aside == (due(size).aside.empty() ? "" : due(size).aside[0].text));
  }
  out.reset();
  BOOST_TEST(sink.written == "ab\n\xC3\xA9z\nlast");
  // Reading: at each empty piece the source would block.
  aside.clear();
  to_utf8_lines reading(encoding::utf8, rules);
  conformance::device_state source;
  for (const char c : text) {
    source.text.emplace_back(1, c);
    source.text.emplace_back();
  }
  source.budget.allow(1000);
  conformance::pieces_source device(source);
  std::string got;
  std::vector<char> buffer(100);
  for (std::streamsize n = 0; n >= 0;) {
    n = reading.read(device, buffer.data(), 100);
    if (n > 0) got.append(buffer.data(), static_cast<std::size_t>(n));
    if (n == 0) BOOST_TEST(got == due(source.delivered).output);
  }
  BOOST_TEST(got == "ab\n\xC3\xA9z\nlast");
}

//------------------------------------------------------------------------------------------------------------- failures

BOOST_AUTO_TEST_CASE(a_sink_that_throws_fails_the_text_before_anything_after_its_line) {
  const std::string text = "ab\nc\xFF\nde\n\xC3\xA9\xFF\nf\n\xFF\n";
  struct full : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  for (std::size_t good = 0; good != 3; ++good)
    for (const std::size_t piece : {1u, 2u, 5u, 100u}) {
      std::size_t told = 0;
      line_rules rules = putting_aside();
      rules.sink = [&](const odd_line&) {
        if (told == good) throw full("no space");
        ++told;
      };
      const lines_apart::outcome whole = lines_apart::sort({}, text);
      const std::string before = whole.output.substr(0, whole.aside_at[good]);
      const auto check = [&](const to_utf8_lines& filter) {
        const auto counts = filter.counts();
        BOOST_TEST(counts.lines_put_aside == good);
        BOOST_TEST(counts.bytes_passed == before.size());
        BOOST_TEST(filter.report().bytes_in == whole.aside[good].begin);
        BOOST_CHECK_THROW(std::rethrow_exception(filter.report().failure), full);
      };
      BOOST_TEST_CONTEXT("after " << good << " lines, pieces of " << piece) {
        to_utf8_lines reading(encoding::utf8, rules);
        conformance::device_state source;
        source.text = cut_every(text, piece);
        source.budget.allow(100);
        conformance::pieces_source device(source);
        std::string got;
        std::vector<char> buffer(20);
        BOOST_CHECK_THROW(read_each(reading, device, buffer, [&](std::string_view part) { got += part; }), full);
        BOOST_TEST(got == before);
        check(reading);
        BOOST_CHECK_THROW(reading.read(device, buffer.data(), 20), full);  // it stays
        BOOST_TEST(!reading.resume());

        told = 0;
        to_utf8_lines writing(encoding::utf8, rules);
        conformance::device_state state;
        state.budget.allow(100);
        conformance::collecting_sink sink(state);
        BOOST_CHECK_THROW(for (const std::string& part : cut_every(text, piece)) write_all(writing, sink, part), full);
        BOOST_TEST(state.written == before);
        check(writing);
        BOOST_CHECK_THROW(writing.write(sink, "x\n", 2), full);
        BOOST_CHECK_THROW(writing.close(sink, std::ios_base::out), full);
        BOOST_TEST(state.written == before);
      }
    }
}

BOOST_AUTO_TEST_CASE(an_observer_that_throws_fails_the_text_before_its_line) {
  struct enough : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  line_rules rules = falling_back({encoding::windows1252});
  rules.observer = [](const odd_line& line) {
    BOOST_TEST((line.read_as == encoding::windows1252));
    if (line.error.line == 3) throw enough("enough");
  };
  to_utf8_lines filter(encoding::utf8, rules);
  conformance::device_state source;
  source.text = {"a\xE9\nb\n\xFC\nc\n"};
  source.budget.allow(100);
  conformance::pieces_source device(source);
  std::string got;
  std::vector<char> buffer(20);
  BOOST_CHECK_THROW(read_each(filter, device, buffer, [&](std::string_view part) { got += part; }), enough);
  BOOST_TEST(got == "a\xC3\xA9\nb\n");
  BOOST_TEST(filter.counts().lines_fallen_back == 1u);
}

BOOST_AUTO_TEST_CASE(a_filter_can_be_used_again) {
  std::ostringstream aside;
  line_rules rules = putting_aside();
  rules.sink = utfilter::rejects(aside, reject_format::text);
  to_utf8_lines filter(encoding::utf8, rules);
  const to_utf8_lines kept = filter;
  for (int use = 0; use != 2; ++use) {
    std::istringstream source("a\n\xFF\nhalf");
    io::filtering_istream in;
    in.push(filter);
    in.push(utfilter::stream_source(source));
    std::string line;
    std::getline(in, line);
    BOOST_TEST(line == "a");
    in.reset();
  }
  BOOST_TEST(aside.str() == "\xFF\n\xFF\n");
  BOOST_TEST(kept.counts().lines_put_aside == 1u);
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_codec_has_the_line_that_is_carried) {
  utfilter::line_sorter codec(utfilter::transcoder::validating(utfilter::bom::keep),
                              falling_back({encoding::windows1252}));
  char out[16];
  BOOST_TEST(codec.transform("caf", 3, out, sizeof out, false).produced == 0u);
  utfilter::line_sorter copy = codec;
  utfilter::line_sorter assigned(utfilter::transcoder::validating(utfilter::bom::keep), {});
  assigned = copy;
  const utfilter::line_sorter moved = std::move(copy);
  copy = moved;
  BOOST_TEST(codec.transform("\xE9\n", 2, out, sizeof out, false).produced == 6u);
  for (utfilter::line_sorter* one : {&copy, &assigned}) {
    const auto done = one->transform("e\n", 2, out, sizeof out, false);
    BOOST_TEST(std::string_view(out, done.produced) == "cafe\n");
  }
}

BOOST_AUTO_TEST_CASE(only_whole_lines_are_checked_in_place) {
  for (const std::string& before : {""s, "z\n"s, feff, feff + "z\n"}) {
    utfilter::line_sorter codec(utfilter::transcoder::validating(utfilter::bom::keep),
                                falling_back({encoding::windows1252}));
    char out[64];
    codec.transform(before.data(), before.size(), out, sizeof out, false);
    if (before.empty()) codec.transform("y\n", 2, out, sizeof out, false);  // only transform handles a byte order mark
    const std::uint64_t begin = codec.position().offset;
    BOOST_TEST(codec.check("a\xFFz\nok\n", 7) == 0u);
    BOOST_TEST(codec.position().offset == begin);
    BOOST_TEST(codec.check("a\nb\xFFz\nok\n", 9) == 2u);
    BOOST_TEST(codec.position().offset == begin + 2);
    BOOST_TEST(codec.position().line_offset == begin + 2);
    BOOST_TEST(codec.counts().bytes_passed == begin + 2);
  }
}

BOOST_AUTO_TEST_CASE(what_is_assigned_has_the_line_and_the_limit_of_the_other) {
  const auto decoder = utfilter::transcoder::validating(utfilter::bom::keep);
  line_rules rules = falling_back({encoding::windows1252});
  const utfilter::line_sorter longer(decoder, rules);
  rules.limit = 8;
  utfilter::line_sorter other(decoder, rules);
  char out[64];
  other.transform("x", 1, out, sizeof out, false);
  for (const utfilter::line_sorter& before : {longer, other}) {
    utfilter::line_sorter from(decoder, rules), to = before;
    from.transform("a", 1, out, sizeof out, false);
    to = from;
    const auto done = to.transform("\xE9\n12345678\xE9\n", 12, out, sizeof out, false);
    BOOST_TEST(std::string_view(out, done.produced) ==
               "a\xC3\xA9\n12345678");  // the last line is too long to fall back
  }
}

//--------------------------------------------------------------------------------------------------------- linear time

namespace {

/// A text as that long_of has: the first half are short lines, one of `every` of which has an error. Then comes a line
/// as long as all of them, which may have no end.
std::string short_lines_and_a_long_one(encoding from, std::size_t every, std::size_t lines, bool ends) {
  const std::size_t unit = utfilter::code_unit_size(from);
  const auto ascii = [&](char c) {
    std::string bytes(unit, '\0');
    bytes[from == encoding::utf32be ? unit - 1 : 0] = c;
    return bytes;
  };
  const std::string feed = ascii('\n'), good = ascii('a');
  const std::string bad = unit == 2 ? "\x00\xDC"s : unit == 4 ? "\x80\0\0\0"s : "\x81";
  std::string text, line;
  for (std::size_t i = 0; i != lines; ++i) text += (i % every == 0 ? bad : good) + feed;
  while (line.size() < text.size()) line += good;
  return text + line + (ends ? feed : "");
}

/// The processor's time for the shortest of three runs, in seconds.
template <class Action>
double seconds(const Action& action) {
  double least = 1e9;
  for (int run = 0; run != 3; ++run) {
    const std::clock_t start = std::clock();
    action();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

}  // namespace

// Four times the text takes about four times the time. If each line with an error looked at all bytes that follow, it
// would take sixteen times the time.
BOOST_AUTO_TEST_CASE(the_time_is_linear_in_the_text) {
  struct row {
    encoding from;
    std::vector<encoding> fallbacks;
    record_kind records = record_kind::line;
  };
  const row rows[] = {{encoding::utf8, {encoding::ascii, encoding::windows1252}},
                      {encoding::utf8, {encoding::windows1252}, record_kind::csv},
                      {encoding::utf8, {encoding::windows1252}, record_kind::indented},
                      {encoding::utf16le, {encoding::utf16be}, record_kind::csv},
                      {encoding::shift_jis, {encoding::latin1}, record_kind::csv},
                      {encoding::utf16le, {encoding::utf16be}},
                      {encoding::utf32be, {encoding::utf32le}},
                      {encoding::ascii, {encoding::latin1}},
                      {encoding::shift_jis, {encoding::latin1}},
                      {encoding::iso_2022_jp, {encoding::latin1}}};
  tally cases;
  for (const row& r : rows)
    for (const bool puts_aside : {true, false})
      for (const std::size_t every : {1u, 2u, 50u})
        for (const std::size_t room : {64u, 1u << 20}) {
          if (!brief::takes_next()) continue;
          line_rules rules = puts_aside ? putting_aside() : falling_back(r.fallbacks);
          rules.records = r.records;
          std::size_t told = 0;
          if (puts_aside) rules.sink = [&](const odd_line&) { ++told; };
          utfilter::params p;
          p.on_error = on_error::replace;
          const auto decoder = utfilter::transcoder::decoding(r.from, p);
          const auto time = [&](std::size_t lines) {
            const std::string text = short_lines_and_a_long_one(r.from, every, lines, every == 2);
            std::string out(room, '\0');
            const double one = seconds([&] {
              utfilter::codec_decoder<utfilter::line_sorter> sorter(utfilter::line_sorter(decoder, rules), p);
              converted(sorter, text, text.size(), room);
            });
            // A stream that is written to checks the text where it stands, before it converts it.
            const double other = seconds([&] {
              std::stringbuf sink;
              utfilter::codec_ostreambuf<utfilter::line_sorter> stream(sink, utfilter::line_sorter(decoder, rules), p);
              stream.sputn(text.data(), static_cast<std::streamsize>(text.size()));
              stream.finish();
            });
            return std::pair(one, other);
          };
          const auto few = time(12'000), many = time(48'000);
          const std::string in = utfilter::to_string(r.from) + (puts_aside ? " puts aside" : " falls back") +
                                 ", one of " + std::to_string(every) + ", room " + std::to_string(room);
          const auto check = [&](const char* way, double one, double four) {
            if (cases.failed(four < 8 * one + 0.02)) BOOST_ERROR(in << way << one << " s, then " << four << " s");
          };
          check(" convert: ", few.first, many.first);
          check(" write: ", few.second, many.second);
        }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(rules_that_make_no_sense_are_refused) {
  struct row {
    const char* reason;
    encoding from;
    line_rules rules;
  };
  const auto ignore = [](const odd_line&) {};
  line_rules aside = putting_aside(), keeps, short_limit = putting_aside();
  aside.fallbacks = {encoding::ascii};
  short_limit.limit = 7;
  for (line_rules* rules : {&aside, &keeps, &short_limit}) rules->sink = ignore;
  line_rules keeps_fallback;
  keeps_fallback.fallbacks = {encoding::ascii};
  line_rules observed = putting_aside();
  observed.sink = observed.observer = ignore;
  const row rows[] = {
      {"put_aside needs a line_rules::sink", encoding::utf8, putting_aside()},
      {"keep puts no line aside", encoding::utf8, keeps},
      {"only line_policy::fall_back uses", encoding::utf8, keeps_fallback},
      {"only line_policy::fall_back uses", encoding::utf8, aside},
      {"only line_policy::fall_back uses", encoding::utf8, observed},
      {"needs line_rules::fallbacks", encoding::utf8, falling_back({})},
      {"must name encodings", encoding::utf8, falling_back({encoding::detect})},
      {"more than 255", encoding::utf8, falling_back(std::vector<encoding>(256, encoding::latin1))},
      {"as large as those of the text", encoding::utf16le, falling_back({encoding::guess})},
      {"must name encodings", encoding::utf8, falling_back({static_cast<encoding>(999)})},
      {"as large as those of the text", encoding::utf8, falling_back({encoding::utf16le})},
      {"as large as those of the text", encoding::utf16, falling_back({encoding::latin1})},
      {"at least 8", encoding::utf8, short_limit},
  };
  for (const row& r : rows) {
    const std::string why = thrown_by<std::invalid_argument>([&] { to_utf8_lines(r.from, r.rules); });
    BOOST_TEST(why.find(r.reason) != std::string::npos, why << ", not: " << r.reason);
    BOOST_TEST(why.find("utfilter::to_utf8_lines: ") == 0u);
  }
  // An encoding that is detected may have other code units than the fallbacks. Then they fit no line.
  const result got = read_by(encoding::detect, falling_back({encoding::latin1}), "\xFF\xFE\x00\xDC\n\0"s);
  BOOST_TEST(got.counts.lines_put_aside == 1u);
  // What to_utf8 refuses.
  utfilter::params p;
  p.bom = utfilter::bom::strip;
  BOOST_CHECK_THROW(to_utf8_lines(encoding::latin1, {}, p), std::invalid_argument);
  BOOST_CHECK_THROW(to_utf8_lines(encoding::utf16le, {}, on_error::keep), std::invalid_argument);
}
