// cleaning_test.cpp: remove_controls, reject_controls, strip_boms and skip_hole leave out, or refuse, what they name and
// nothing else, whatever the cut, the room, the errors and the policy are.
// build: portable optimised
#define BOOST_TEST_MODULE cleaning
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_trial.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using namespace std::string_literals;
using namespace std::string_view_literals;
using utfilter::errc;
using utfilter::on_error;

namespace {

using text_filters::filtered;
using texts::feff;
using bom_stripper = utfilter::text_codec<utfilter::changes::strip_boms>;
using hole_skipper = utfilter::text_codec<utfilter::changes::skip_hole>;

/// Unicode's general category Cc, less tab, line feed and carriage return.
bool is_control(char32_t c) { return (c < 0x20 && c != 9 && c != 10 && c != 13) || (c >= 0x7F && c <= 0x9F); }

/// The characters of well-formed text.
std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> all;
  for (const char c : text) {
    if ((c & 0xC0) != 0x80) all.emplace_back();
    all.back() += c;
  }
  return all;
}

reference::rewritten without_controls(const std::string& text, bool /*ends*/) {
  reference::rewritten result;
  for (const std::string& c : characters_of(text)) {
    const bool stays = !is_control(reference::decode(reference::encoding::utf8, c).value);
    if (stays) result.text += c;
    result.changes += !stays;
  }
  return result;
}

reference::rewritten without_marks(const std::string& text, bool /*ends*/) {
  reference::rewritten result;
  bool at_start = true;
  for (const std::string& c : characters_of(text)) {
    if (at_start && c == feff) {
      ++result.changes;
      continue;
    }
    result.text += c;
    at_start = c == "\n" || c == "\r";
  }
  return result;
}

reference::rewritten without_hole(const std::string& text, bool ends) {
  reference::rewritten result;
  const std::size_t zeros = std::min(text.find_first_not_of('\0'), text.size());
  if (zeros >= 512) return {text.substr(zeros), zeros};
  if (zeros == text.size() && !ends) return {};
  return {text};
}

text_filters::expectation expected(const reference::rewriter& rewrite) {
  return [rewrite](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(p, input, writing, ends, rewrite);
  };
}

/// What reject_controls must show: control characters are errors.
text_filters::expectation rejecting() {
  return [](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(
        p, input, writing, ends, [](const std::string& text, bool) { return reference::rewritten{text}; }, is_control);
  };
}

const std::vector<std::string> parts = texts::split(
    "\r|\n|\r\n|\x1B[31m|\t|\x7F|a|\u0085|\u009F|\u00A0|\u00E9|\u20AC|\U0001F600|\uFEFF|\uFEFF|\uFEFF\uFEFF|"
    "\n\uFEFF|\xFF|\x80|\xE2\x80|\xEF|\xEF\xBB|\xC2|\0|\uFF0C|\uFEFE\uFF3F|\u2028|\u202E|"
    "a line that is longer than a block"sv);

}  // namespace

//--------------------------------------------------------------------------------------------------- control characters

BOOST_AUTO_TEST_CASE(every_code_point_is_removed_or_refused_or_passes_at_every_place_of_a_block) {
  std::size_t removed = 0, refused = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text = texts::utf8({c});
    const std::size_t before = c % 40;
    const std::string left(before, 'a'), right(40 - before, 'z');
    const std::string stays = left + (is_control(c) ? "" : text) + right;
    BOOST_TEST_REQUIRE(filtered(utfilter::remove_controls(), left + text + right) == stays);
    const bool throws_it = throws(errc::forbidden, [&] { filtered(utfilter::reject_controls(), left + text + right); });
    BOOST_TEST_REQUIRE(throws_it == is_control(c));
    removed += is_control(c);
    refused += throws_it;
  }
  BOOST_TEST(removed == 32u - 3 + 1 + 32);  // of C0, DEL, and C1
  BOOST_TEST(refused == removed);
}

BOOST_AUTO_TEST_CASE(a_refused_character_has_its_place_and_its_code_point) {
  utfilter::reject_controls filter(on_error::escape);
  BOOST_TEST(filtered(filter, "a\nb\u0085c\x1B\xFF") == "a\nb\\u{0085}c\\x1B\\xFF");
  const utfilter::stream_report report = filter.report();
  BOOST_TEST(report.errors == 3u);
  BOOST_TEST(to_string(*report.first_error) == "line 2, column 2 (byte 3): control character U+0085: C2 85");
  BOOST_TEST(report.changes == 0u);
}

BOOST_AUTO_TEST_CASE(each_policy_repairs_a_refused_character) {
  const auto with_policy = [](on_error policy) {
    return filtered(utfilter::reject_controls(policy), "a\x1B\u009B\x9Bz");
  };
  BOOST_TEST(with_policy(on_error::replace) == "a\uFFFD\uFFFD\uFFFDz");
  BOOST_TEST(with_policy(on_error::skip) == "az");
  BOOST_TEST(with_policy(on_error::escape) == "a\\x1B\\u{009B}\\x9Bz");
  BOOST_TEST(with_policy(on_error::windows1252) == "a\uFFFD\uFFFD\u203Az");
  BOOST_TEST(filtered(utfilter::reject_controls(replacing_with("\x1B\u0080!")), "a\x7Fz") == "a?"
                                                                                             "?!z");
  BOOST_TEST(filtered(utfilter::remove_controls(replacing_with("\x1B\u0080!")), "a\xFFz") == "a!z");
}

BOOST_AUTO_TEST_CASE(control_characters_are_removed_wherever_the_text_is_cut) {
  const utfilter::text_codec codec{utfilter::changes::remove_controls()};
  for (const on_error policy : text_filters::policies)
    text_filters::check_every_cut(codec, expected(without_controls), with(policy),
                                  "\uFEFFa\u0085\t\x1B\xFF\r\n\u00A0\xC2");
  text_filters::check_mixtures(codec, expected(without_controls), parts, 1500 / brief::nth);
}

BOOST_AUTO_TEST_CASE(control_characters_are_refused_wherever_the_text_is_cut) {
  const utfilter::text_codec codec{utfilter::changes::reject_controls()};
  for (const on_error policy : text_filters::policies)
    text_filters::check_every_cut(codec, rejecting(), with(policy), "\uFEFFa\u0085\t\x1B\x1B\x1B\xFF\r\n\u00A0\xC2");
  text_filters::check_mixtures(codec, rejecting(), parts, 1500 / brief::nth);
}

//--------------------------------------------------------------------------------------------------------------- marks

BOOST_AUTO_TEST_CASE(marks_are_left_out_at_the_start_of_the_text_and_of_lines) {
  const std::pair<std::string, std::string> table[] = {
      {"", ""},
      {feff, ""},
      {feff + feff + "a", "a"},
      {"a" + feff + "b", "a" + feff + "b"},
      {"a\n" + feff + "b", "a\nb"},
      {"a\r\n" + feff + feff + "b", "a\r\nb"},
      {"a\r" + feff + "b", "a\rb"},
      {"a " + feff + "\n" + feff, "a " + feff + "\n"},
      {feff + "\u2060" + feff, "\u2060" + feff},
  };
  for (const auto& [text, expected_text] : table) {
    BOOST_TEST(filtered(utfilter::strip_boms(), text) == expected_text);
    text_filters::check_every_cut(bom_stripper(), expected(without_marks), {}, text);
  }
}

BOOST_AUTO_TEST_CASE(marks_are_left_out_at_every_place_of_a_block) {
  for (std::size_t before = 0; before != 140; ++before)
    for (const std::string& end : {"\n"s, "x"s}) {
      const std::string left(before, 'a'), right(140 - before, 'z');
      const std::string text = left + end + feff + feff + right;
      BOOST_TEST_REQUIRE(filtered(utfilter::strip_boms(), text) == without_marks(text, true).text);
    }
}

BOOST_AUTO_TEST_CASE(marks_are_left_out_wherever_the_text_is_cut) {
  const std::string wrong = feff + "a\n\xFF" + feff + "\xFF\xFF\xFF\r\n" + feff + "b\xEF\xBB\n\xEF";
  for (const on_error policy : text_filters::policies)
    text_filters::check_every_cut(bom_stripper(), expected(without_marks), with(policy), wrong);
  for (const std::string& replacement : {feff, "\n" + feff, feff + "\n", ""s})
    text_filters::check_every_cut(bom_stripper(), expected(without_marks), replacing_with(replacement), wrong);
  text_filters::check_mixtures(bom_stripper(), expected(without_marks), parts, 1500 / brief::nth);
}

// Errors that repeat are repaired together, but only if they are the same, and if each repair passes unchanged.
BOOST_AUTO_TEST_CASE(what_looks_like_a_repeated_error_is_none) {
  utfilter::reject_controls refused(on_error::escape);
  BOOST_TEST(filtered(refused, "\u0085\xC2\xC2\xC2\xC2z") == "\\u{0085}\\xC2\\xC2\\xC2\\xC2z");
  BOOST_TEST(refused.report().errors == 5u);
  utfilter::strip_boms marks(on_error::escape);
  BOOST_TEST((filtered(marks, "\xFF\xFF\0\0\0z"s) == "\\xFF\\xFF\0\0\0z"s));
  BOOST_TEST(marks.report().errors == 2u);
  // The first repair passes. The mark of the second one is at the start of a line.
  utfilter::strip_boms lines(replacing_with(feff + "\n"));
  BOOST_TEST(filtered(lines, "x\xFF\xFF\xFF\xFF\xFFy\xFE") == "x" + feff + "\n\n\n\n\ny" + feff + "\n");
  BOOST_TEST(lines.report().last_error->offset == 7u);
  BOOST_TEST(lines.report().last_error->column == 8u);
}

//---------------------------------------------------------------------------------------------------------------- holes

BOOST_AUTO_TEST_CASE(zeros_at_the_start_are_a_hole_if_they_are_512_or_more) {
  for (const std::size_t zeros : {0u, 1u, 63u, 64u, 511u, 512u, 513u, 4096u, 70'000u}) {
    const std::string hole(zeros, '\0');
    utfilter::skip_hole filter;
    BOOST_TEST((filtered(filter, hole + "a" + hole + "b") == (zeros < 512 ? hole : ""s) + "a" + hole + "b"));
    BOOST_TEST(filter.report().changes == (zeros < 512 ? 0 : zeros));
    BOOST_TEST((filtered(utfilter::skip_hole(), hole) == (zeros < 512 ? hole : ""s)));
  }
}

BOOST_AUTO_TEST_CASE(a_run_of_another_character_is_no_hole) {
  const std::string ones(600, '\x01'), zeros(600, '\0');
  BOOST_TEST((filtered(utfilter::skip_hole(), ones) == ones));
  BOOST_TEST((filtered(utfilter::skip_hole(), zeros + ones) == ones));
  BOOST_TEST((filtered(utfilter::skip_hole(), "\x01" + zeros) == "\x01" + zeros));
  BOOST_TEST((filtered(utfilter::skip_hole(), zeros + "\x01" + zeros) == "\x01" + zeros));
}

BOOST_AUTO_TEST_CASE(a_hole_is_left_out_wherever_the_text_is_cut) {
  for (const std::string& rest : {""s, "a\0b\n"s, "\xFF\0"s, "\xE2\x82\xAC"s, "\xE2"s})
    for (const std::size_t zeros : {3u, 510u, 511u, 512u, 513u, 600u}) {
      const std::string text = std::string(zeros, '\0') + rest;
      for (const on_error policy : text_filters::policies) {
        text_filters::trial<hole_skipper> t(hole_skipper(), expected(without_hole), with(policy), text);
        for (const std::size_t piece : {1u, 2u, 7u, 256u, 511u, 512u, 513u, 1000u})
          text_filters::check(t, devices::in_pieces(text, piece), {0, 4, 100, 2000}, {1, 64});
      }
    }
}

BOOST_AUTO_TEST_CASE(the_places_of_errors_after_a_hole_are_those_of_the_input) {
  utfilter::skip_hole filter(on_error::skip);
  BOOST_TEST(filtered(filter, std::string(600, '\0') + "a\xFF\n") == "a\n");
  BOOST_TEST(filter.report().first_error->offset == 601u);
  BOOST_TEST(filter.report().first_error->column == 602u);
}

//----------------------------------------------------------------------------------------------------------------- both

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused) {
  const std::string reason =
      "utfilter: on_error::keep is for utf8_validator, inspect_text and to_utf8(encoding::utf8), "
      "a codec that changes text cannot keep bytes";
  BOOST_TEST(thrown_by([] { utfilter::remove_controls{on_error::keep}; }) == reason);
  BOOST_TEST(thrown_by([] { utfilter::reject_controls{on_error::keep}; }) == reason);
  BOOST_TEST(thrown_by([] { utfilter::strip_boms{on_error::keep}; }) == reason);
  BOOST_TEST(thrown_by([] { utfilter::skip_hole{on_error::keep}; }) == reason);
  BOOST_TEST(thrown_by([] { utfilter::escape_controls{on_error::keep}; }) == reason);
}

// Mojibake of a control character has none. So only a filter that gets the text after undo_mojibake sees it.
BOOST_AUTO_TEST_CASE(control_characters_that_were_mojibake_are_escaped_removed_or_refused_after_it) {
  const std::string wrong = "a\u00C2\u203Ab";  // the bytes of U+009B, read as windows-1252
  const auto after_undo_mojibake = [&](const auto& filter) {
    std::ostringstream text;
    io::filtering_ostream out;
    out.push(utfilter::undo_mojibake());
    out.push(filter);
    out.push(text);
    out << wrong;
    out.reset();
    return text.str();
  };
  BOOST_TEST(after_undo_mojibake(utfilter::escape_controls()) == "a\\u{009B}b");
  BOOST_TEST(after_undo_mojibake(utfilter::remove_controls()) == "ab");
  BOOST_TEST(after_undo_mojibake(utfilter::reject_controls(on_error::replace)) == "a\uFFFDb");
  for (const char32_t c : {U'\u2028', U'\u202E', U'\u0085'}) {
    std::ostringstream text;
    io::filtering_ostream out;
    out.push(utfilter::undo_mojibake(utfilter::encoding::latin1));
    out.push(utfilter::escape_controls());
    out.push(text);
    for (const char byte : texts::utf8({c})) out << texts::utf8({static_cast<unsigned char>(byte)});
    out.reset();
    BOOST_TEST(text.str().substr(0, 3) == "\\u{");
  }
}

BOOST_AUTO_TEST_CASE(the_filters_chain) {
  const std::string text = std::string(1000, '\0') + feff + "a\x1B\r\n" + feff + "b\r\n";
  io::filtering_istream in;
  in.push(utfilter::convert_newlines());
  in.push(utfilter::remove_controls());
  in.push(utfilter::strip_boms());
  in.push(utfilter::skip_hole());
  in.push(devices::piecewise_source(devices::in_pieces(text, 3)));
  BOOST_TEST(files::rest(in) == "a\nb\n");
}
