// inspector_test.cpp: inspect_text passes every byte, and finds the same, at the same places, as a reference that sees
// the whole text, whatever the cut, the room, the errors and the direction are.
// build: portable optimised
#define BOOST_TEST_MODULE inspector
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/files.hpp"
#include "support/inspection_reference.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using namespace std::string_literals;
using namespace std::string_view_literals;
using utfilter::errc;
using utfilter::finding;
using utfilter::on_error;
using utfilter::text_inspection;

namespace {

/// All but mojibake.
constexpr std::pair<finding, const char*> names[] = {
    {finding::lf, "lf"},
    {finding::crlf, "crlf"},
    {finding::cr, "cr"},
    {finding::unfinished_line, "unfinished_line"},
    {finding::long_line, "long_line"},
    {finding::hole, "hole"},
    {finding::null_run, "null_run"},
    {finding::null, "null"},
    {finding::c0_control, "c0_control"},
    {finding::c1_control, "c1_control"},
    {finding::bidi_control, "bidi_control"},
    {finding::open_bidi, "open_bidi"},
    {finding::bom, "bom"},
    {finding::invisible, "invisible"},
    {finding::tag, "tag"},
    {finding::no_break_space, "no_break_space"},
    {finding::private_use, "private_use"},
    {finding::noncharacter, "noncharacter"},
    {finding::replacement, "replacement"},
    {finding::replacement_mojibake, "replacement_mojibake"},
    {finding::shifted_utf16, "shifted_utf16"},
    {finding::two_encodings, "two_encodings"},
};

std::string told(const std::string& kind, std::uint64_t count, std::uint64_t offset, std::uint64_t line,
                 std::uint64_t column) {
  return kind + ' ' + std::to_string(count) + " at " + std::to_string(line) + ':' + std::to_string(column) + " byte " +
         std::to_string(offset) + "; ";
}

std::string told(const text_inspection& found) {
  std::vector<std::string> all;
  for (const auto& [kind, name] : names)
    if (const auto& f = found[kind]; f.count != 0)
      all.push_back(told(name, f.count, f.first.offset, f.first.line, f.first.column));
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& one : all) text += one;
  return text;
}

std::string told(const reference::findings& found) {
  std::string text;
  for (const auto& [name, f] : found) text += told(name, f.count, f.offset, f.line, f.column);
  return text;
}

/// What an inspection says of mojibake.
std::string mojibake(const text_inspection& found) {
  const auto& f = found[finding::mojibake];
  return f.count == 0 ? "" : told("mojibake", f.count, f.first.offset, f.first.line, f.first.column);
}

/// What undo_mojibake(encoding::guess) brings back but for control characters, in the same words.
std::string undone(std::string text) {
  // For the filter, a byte order mark is a character of the line.
  const std::size_t mark = text.compare(0, 3, "\uFEFF") == 0 ? 3 : 0;
  text.erase(0, mark);
  utfilter::params p = with(on_error::replace);
  std::vector<utfilter::error_info> seen;
  p.observer = [&](const utfilter::error_info& e) {
    const bool is_c1 = e.size == 2 && e.bytes[0] == 0xC2 && e.bytes[1] < 0xA0;  // a kind of its own
    if (e.code == errc{} && !is_c1) seen.push_back(e);
  };
  utfilter::undo_mojibake filter(utfilter::encoding::guess, p);
  devices::recording_sink sink;
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  return seen.empty() ? "" : told("mojibake", seen.size(), seen[0].offset + mark, seen[0].line, seen[0].column);
}

struct outcome {
  std::string text, found;
};

using pieces = std::vector<std::string>;

/// The codec by itself, under on_error::keep. The room grows only after a call that has done nothing.
outcome converted(const pieces& cut, std::size_t room) {
  using utfilter::codec_status;
  utfilter::conversion<utfilter::inspector> used{utfilter::inspector(), on_error::keep};
  used.begin(decltype(used)::direction::reading);
  outcome got;
  for (std::size_t i = 0; i != cut.size(); ++i) {
    const std::vector<char> in(cut[i].begin(), cut[i].end());
    std::size_t taken = 0, space = room;
    codec_status status;
    do {
      std::vector<char> out(space);
      const auto step = used.convert(in.data() + taken, in.size() - taken, out.data(), space, i + 1 == cut.size());
      taken += step.consumed;
      got.text.append(out.data(), step.produced);
      status = step.status;
      space = step.consumed != 0 || step.produced != 0 ? room : space + 1;
    } while (status == codec_status::need_output);
  }
  got.found = told(used.codec().inspection()) + mojibake(used.codec().inspection());
  return got;
}

outcome read(pieces cut, std::streamsize link) {
  cut.erase(std::remove(cut.begin(), cut.end(), ""), cut.end());  // they would end the text
  utfilter::inspect_text filter(on_error::keep);
  io::filtering_istream in;
  in.push(filter, link);
  in.push(devices::piecewise_source(cut), link);
  outcome got;
  got.text = files::rest(in);
  got.found = told(filter.codec().inspection()) + mojibake(filter.codec().inspection());
  return got;
}

outcome written(const pieces& cut) {
  utfilter::inspect_text filter(on_error::keep);
  devices::recording_sink sink;
  for (const std::string& piece : cut) filter.write(sink, piece.data(), static_cast<std::streamsize>(piece.size()));
  filter.close(sink, std::ios::out);
  return {sink.text(), told(filter.codec().inspection()) + mojibake(filter.codec().inspection())};
}

void check(const std::string& text, const pieces& cut, std::size_t room, std::streamsize link) {
  const std::string wanted = told(reference::inspect(text)) + undone(text);
  for (const outcome& got : {converted(cut, room), read(cut, link), written(cut)}) {
    BOOST_TEST_REQUIRE(got.text == text);
    BOOST_TEST_REQUIRE(got.found == wanted);
  }
}

text_inspection inspected(const std::string& text, const utfilter::params& p = with(on_error::keep)) {
  utfilter::inspect_text filter(p);
  devices::recording_sink sink;
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  return filter.codec().inspection();
}

const std::vector<std::string> parts = texts::split(
    "\r|\n|\r\n|\r\r\n|\n\r|\0|\x1B|\t|\x7F|\u0080|\u0085|\u00A0|\u00C3\u00A9|CAF\u00C9\u201D|\u00C4|\u00BB|"
    "\u00E2\u201A\u00AC|\u00C3\u0083\u00C2\u00A9|\u00C3|\u00E2\u201A|\u00F0\u0178\u02DC\u20AC|\u061C|\u200F|"
    "\u2019|\u202E|\u2066|\uFEFF|\uE000|\uF8FF|\U000F0000|\U0010FFFD|\uFDD0|\uFFFE|\U0001FFFF|\U0001F600|"
    "\U0001F3F4\U000E0067\U000E0062\U000E007F|\U0001F3F4|\u202A|\u202C|\u2069|\u00AD|\u200B|\u200D|\uFFFD|\U000E0041|\u951F\u65A4\u62F7|\u00EF\u00BF\u00BD|caf\u0413\u00A9|"
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0|\u0A00|\u0D00|\u0A0D|\u0D0A|\u2000|\u6F22\u5B57\uFF0C|\xFF|\x80|\xE2\x80|\xEF\xBB|\xC3|"
    "a line of text that is longer than a block has bytes, so that blocks pass"sv);

}  // namespace

BOOST_AUTO_TEST_CASE(each_kind_is_found_with_its_place) {
  const std::pair<std::string, std::string> table[] = {
      {"", ""},
      {"a\n", "lf 1 at 1:2 byte 1; "},
      {"a\r\nb\nc\r", "cr 1 at 3:2 byte 6; crlf 1 at 1:2 byte 1; lf 1 at 2:2 byte 4; "},
      {"\r\r\n", "cr 1 at 1:1 byte 0; crlf 1 at 1:2 byte 1; "},
      {"\u00E9", "unfinished_line 1 at 1:2 byte 2; "},
      {"\uFEFFa\uFEFF\n", "bom 1 at 1:2 byte 4; lf 1 at 1:3 byte 7; "},
      {"a\0\0\n"s, "lf 1 at 1:4 byte 3; null 2 at 1:2 byte 1; "},
      {"\0\n"s, "lf 1 at 1:2 byte 1; null 1 at 1:1 byte 0; "},
      {"\t\v\x1B\n", "c0_control 2 at 1:2 byte 1; lf 1 at 1:4 byte 3; "},
      {"\n\x7F\u0085\n", "c1_control 2 at 2:1 byte 1; lf 2 at 1:1 byte 0; "},
      {"a\u202E\u061C\n", "bidi_control 2 at 1:2 byte 1; lf 1 at 1:4 byte 6; open_bidi 1 at 1:4 byte 6; "},
      {"\u2066\u202A\u2069\n\u202B\u202C\n", "bidi_control 5 at 1:1 byte 0; lf 2 at 1:4 byte 9; "},
      {"\u202A\u2069", "bidi_control 2 at 1:1 byte 0; open_bidi 1 at 1:3 byte 6; unfinished_line 1 at 1:3 byte 6; "},
      {"a" + std::string(16, '\0') + "b" + std::string(15, '\0') + "\n",
       "lf 1 at 1:34 byte 33; null 15 at 1:19 byte 18; null_run 16 at 1:2 byte 1; "},
      {"\u00AD\u0915\u200D x\u200D\U000E0041\n",
       "invisible 2 at 1:1 byte 0; lf 1 at 1:8 byte 17; tag 1 at 1:7 byte 13; "},
      {"\U0001F3F4\U000E0067\U000E007F\U000E0041\na\U000E0067\n", "lf 2 at 1:5 byte 16; tag 2 at 1:4 byte 12; "},
      {"5\u00A0\u202F\uFFFD\n", "lf 1 at 1:5 byte 9; no_break_space 2 at 1:2 byte 1; replacement 1 at 1:4 byte 6; "},
      {"\u951F\u65A4\u62F7 \u00EF\u00BF\u00BD\n", "lf 1 at 1:8 byte 16; replacement_mojibake 2 at 1:1 byte 0; "},
      {"\u00E9 \xE9\xE9\n\xE9\n\xE9 \u00E9\n\u00E9\n", "lf 4 at 1:5 byte 5; two_encodings 2 at 1:3 byte 3; "},
      {"\uE000\U00100000\n", "lf 1 at 1:3 byte 7; private_use 2 at 1:1 byte 0; "},
      {"\uFDD0\uFFFF\U0010FFFE\n", "lf 1 at 1:4 byte 10; noncharacter 3 at 1:1 byte 0; "},
      {"caf\u00C3\u00A9 \u00E2\u201A\u00AC\n", "lf 1 at 1:10 byte 15; "},
      {"\u00BB\u00C4\u00AB libert\u00E9\u00A0\u00BB\n", "lf 1 at 1:14 byte 19; no_break_space 1 at 1:12 byte 15; "},
      {"\u00C3\n\u00A9\n", "lf 2 at 1:2 byte 2; "},
      {"\u0A00\u0D00\u2000\u0A0D\u0D0A\n", "lf 1 at 1:6 byte 15; shifted_utf16 4 at 1:1 byte 0; "},
      {"\xFF\xFE\n", "lf 1 at 1:3 byte 2; "},
  };
  for (const auto& [text, expected] : table) {
    BOOST_TEST(told(inspected(text)) == expected);
    BOOST_TEST(told(reference::inspect(text)) == expected);
  }
}

BOOST_AUTO_TEST_CASE(lines_are_long_from_1001_characters_on) {
  for (const std::string& c : {"a"s, "\u00E9"s, "\u6F22"s, "\xFF"s})
    for (const std::string& end : {"\n"s, "\r"s, "\r\n"s, ""s})
      for (const std::size_t before : {0u, 5u, 999u, 5000u, 8190u})
        for (const std::size_t length : {1000u, 1001u, 9000u}) {
          std::string text(before, 'x');
          text += end;
          for (std::size_t i = 0; i != length; ++i) text += c;
          text += end + "z" + end;
          const std::string wanted = told(reference::inspect(text));
          BOOST_TEST_REQUIRE(told(inspected(text)) == wanted);
          BOOST_TEST_REQUIRE(written(devices::in_pieces(text, 700)).found == wanted);
        }
}

BOOST_AUTO_TEST_CASE(zeros_at_the_start_are_a_hole_if_they_are_512_or_more) {
  for (const std::string& rest : {""s, "a\0\n"s, "\n"s, "\xFF\0"s, "\u00C3\u00A9"s})
    for (const std::size_t zeros : {1u, 511u, 512u, 9000u}) {
      const std::string text = std::string(zeros, '\0') + rest;
      for (const std::size_t piece : {1u, 511u, 512u, 10'000u}) check(text, devices::in_pieces(text, piece), 64, 64);
      check("\uFEFF" + text, {"\uFEFF" + text, ""}, 64, 64);
    }
}

BOOST_AUTO_TEST_CASE(every_code_point_is_found_or_not_at_every_place_of_a_block) {
  std::uint64_t count = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if ((c >= 0xD800 && c <= 0xDFFF) || c == U'\n' || c == U'\r') continue;
    const std::size_t before = c % 150 + 1;
    const text_inspection found =
        inspected(std::string(before, 'a') + texts::utf8({c}) + std::string(200 - before, 'z') + '\n');
    const char* const kind = c == 0 ? "null" : reference::kind_of(c, U'a');
    const std::uint64_t end = 200 + texts::utf8({c}).size();
    std::vector<std::string> wanted = {told("lf", 1, end, 1, 202)};
    if (kind != nullptr) wanted.push_back(told(kind, 1, before, 1, before + 1));
    if ((c >= 0x202A && c <= 0x202E && c != 0x202C) || (c >= 0x2066 && c <= 0x2068))
      wanted.push_back(told("open_bidi", 1, end, 1, 202));
    std::sort(wanted.begin(), wanted.end());
    std::string all;
    for (const std::string& one : wanted) all += one;
    BOOST_TEST_REQUIRE(told(found) == all);
    count += kind != nullptr;
  }
  // null, C0, DEL and C1, Bidi_Control, mark, shifted, noncharacters, private use, no-break spaces, replacement, tags,
  // invisible
  BOOST_TEST(count == 1u + 28 + 33 + 12 + 1 + 4 + 66 + 6400 + 2 * 65534 + 2 + 1 + 128 + 35);
}

BOOST_AUTO_TEST_CASE(mojibake_is_what_undo_mojibake_would_bring_back) {
  const std::pair<std::string, std::string> table[] = {
      {"caf\u00C3\u00A9 \u00E2\u201A\u00AC\n", "mojibake 2 at 1:4 byte 3; "},
      {"right\ncaf\u0413\u00A9\n", "mojibake 1 at 2:4 byte 9; "},
      {"\u2500\u2500 \u00ABd\u00E9j\u00E0\u00BB\n", ""},
  };
  for (const auto& [text, expected] : table) {
    BOOST_TEST(mojibake(inspected(text)) == expected);
    BOOST_TEST(undone(text) == expected);
  }
  using utfilter::encoding;
  BOOST_TEST((inspected(table[0].first).mojibake_read_as == encoding::windows1252));
  BOOST_TEST((inspected(table[1].first).mojibake_read_as == encoding::windows1251));
  BOOST_TEST((inspected(table[2].first).mojibake_read_as == encoding::detect));
}

BOOST_AUTO_TEST_CASE(the_cut_and_the_room_change_nothing) {
  const std::string text = "\u00C3\u0083\u00C2\u00A9\r\n\uFEFF\u00E2\u201A\xFF\u00C3\r\u00C3\u00A9\r";
  for (std::size_t one = 0; one <= text.size(); ++one)
    for (std::size_t two = one; two <= text.size(); ++two) {
      const pieces cut = {text.substr(0, one), text.substr(one, two - one), text.substr(two), ""};
      check(text, cut, one % 9, 1 + static_cast<std::streamsize>(two % 9));
    }
}

BOOST_AUTO_TEST_CASE(mixtures_are_as_in_the_reference) {
  std::mt19937 random(20261127);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (std::size_t i = 0; i < 3000 / brief::nth; ++i) {
    std::string text;
    for (std::size_t n = 1 + below(i % 10 == 0 ? 900 : 30); n != 0; --n) {
      text += parts[below(parts.size())];
      if (below(8) == 0) text += static_cast<char>(below(256));
      if (below(8) == 0) text += std::string(below(300), 'x');
      if (below(40) == 0) text += std::string(below(2500), 'x');
    }
    pieces cut;
    const bool is_small = below(2) == 0;
    for (std::size_t at = 0; at < text.size(); at += cut.back().size())
      cut.push_back(text.substr(at, 1 + below(is_small ? 8 : 9000)));
    cut.emplace_back();
    check(text, cut, below(40), 1 + static_cast<std::streamsize>(below(100)));
  }
}

BOOST_AUTO_TEST_CASE(errors_are_treated_by_the_policy_and_repairs_are_not_inspected) {
  const std::string text = "a\xFF\u00C3\r\xFF\n";
  BOOST_TEST(throws(errc::unused_byte, [&] { inspected(text, with(on_error::strict)); }));
  const std::string wanted = told(reference::inspect(text));
  for (const on_error policy : {on_error::replace, on_error::skip, on_error::escape, on_error::windows1252})
    BOOST_TEST(told(inspected(text, with(policy))) == wanted);
  BOOST_TEST(told(inspected(text, replacing_with("\r\n\uFEFF\u202E"))) == wanted);

  devices::recording_sink sink;
  utfilter::inspect_text filter(on_error::escape);
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "a\\xFF\u00C3\r\\xFF\n");
  BOOST_TEST(filter.report().errors == 2u);
  BOOST_TEST(to_string(*filter.report().last_error) == "line 1, column 5 (byte 5): byte that no text contains: FF");
}

BOOST_AUTO_TEST_CASE(an_error_that_ends_the_text_leaves_its_last_line_unjudged) {
  io::filtering_istream in;
  utfilter::inspect_text filter(on_error::stop);
  in.push(filter);
  in.push(devices::piecewise_source({"a\nb\r\xFF\n"}));
  BOOST_TEST(files::rest(in) == "a\nb\r");
  BOOST_TEST(told(filter.codec().inspection()) == "cr 1 at 2:2 byte 3; lf 1 at 1:2 byte 1; ");
}

BOOST_AUTO_TEST_CASE(each_use_inspects_a_text_of_its_own) {
  utfilter::inspect_text filter;
  for (int i = 0; i != 2; ++i) {
    devices::recording_sink sink;
    filter.write(sink, "a\n", 2);
    filter.close(sink, std::ios::out);
    BOOST_TEST(told(filter.codec().inspection()) == "lf 1 at 1:2 byte 1; ");
  }
}

BOOST_AUTO_TEST_CASE(each_kind_has_words) {
  BOOST_TEST(std::size(names) + 1 == utfilter::all_findings.size());
  std::vector<std::string> words;
  for (std::size_t i = 0; i != utfilter::all_findings.size(); ++i) {
    BOOST_TEST(static_cast<std::size_t>(utfilter::all_findings[i]) == i);
    words.emplace_back(to_string(utfilter::all_findings[i]));
  }
  std::sort(words.begin(), words.end());
  BOOST_TEST(!words.front().empty());
  BOOST_TEST((std::unique(words.begin(), words.end()) == words.end()));
}
