// repairer_test.cpp: the story of an error: what each policy decides, which repair it makes, how the repair is written,
// and how params::repair takes its place. The expected texts are worked out by hand.
// build: portable
#define BOOST_TEST_MODULE repairer
#include "support/outcomes.hpp"
#include "support/policies.hpp"

#include <boost/test/unit_test.hpp>

#include <utfilter/decoder.hpp>
#include <utfilter/line_reader.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/wide_stream.hpp>

#include <sstream>
#include <stdexcept>
#include <string>

using namespace utfilter;
using verdict = repairer::verdict;

BOOST_TEST_DONT_PRINT_LOG_VALUE(verdict)

namespace {

error_info error_of(errc code, const std::string& bytes, char32_t code_point = 0) {
  error_info error;
  error.code = code;
  error.code_point = code_point;
  error.size = static_cast<std::uint8_t>(bytes.size());
  bytes.copy(reinterpret_cast<char*>(error.bytes.data()), error.bytes.size());
  return error;
}
const error_info cut = error_of(errc::truncated_sequence, "\xE2\x82");
const error_info lone = error_of(errc::unpaired_high_surrogate, std::string("\x00\xD8", 2), 0xD800);
const error_info lacking = error_of(errc::unmappable, "\xE2\x82\xAC", 0x20AC);

/// Numbers the errors: "<1>", "<2>".
params numbering(int& errors) {
  params p = replacing_with("not used");
  p.repair = [&errors](const error_info&) { return '<' + std::to_string(++errors) + '>'; };
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_policy_decides_and_makes_its_repair) {
  const struct {
    on_error policy;
    const error_info& error;
    bool reads_utf8;
    verdict what;
    std::string repair;
  } rows[] = {
      {on_error::strict, cut, true, verdict::fail, ""},
      {on_error::stop, cut, true, verdict::end, ""},
      {on_error::replace, cut, true, verdict::repair, "\uFFFD"},
      {on_error::replace, lacking, true, verdict::repair, "\uFFFD"},
      {on_error::skip, cut, true, verdict::repair, ""},
      {on_error::escape, cut, true, verdict::repair, "\\xE2\\x82"},
      {on_error::escape, lone, false, verdict::repair, "\\u{D800}"},
      {on_error::escape, lacking, true, verdict::repair, "\\u{20AC}"},
      {on_error::keep, cut, true, verdict::repair, "\xE2\x82"},
      {on_error::windows1252, cut, true, verdict::repair, "\xC3\xA2\xE2\x80\x9A"},
      {on_error::windows1252, lone, false, verdict::repair, "\uFFFD"},
      {on_error::windows1252, lacking, true, verdict::repair, "\uFFFD"},
  };
  for (const auto& row : rows)
    BOOST_TEST_CONTEXT("policy " << static_cast<int>(row.policy) << ", " << row.error.message()) {
      repairer by(row.policy);
      BOOST_TEST(by.size_of_repair(row.error, row.reads_utf8) == row.repair.size());
      BOOST_TEST((by.meet(row.error, row.reads_utf8) == row.what));
      BOOST_TEST(by.left() == row.repair);
      BOOST_TEST(by.has_left() == !row.repair.empty());
      BOOST_TEST(by.errors() == 1u);
      BOOST_TEST((by.first() && by.first()->code == row.error.code));
    }
}

BOOST_AUTO_TEST_CASE(errors_about_the_text_as_a_whole_change_no_bytes) {
  for (const errc code : {errc::missing_bom, errc::unexpected_bom, errc::no_text})
    for (const on_error policy : {on_error::replace, on_error::escape, on_error::keep, on_error::windows1252}) {
      repairer by(policy);
      const error_info error = error_of(code, code == errc::unexpected_bom ? "\xEF\xBB\xBF" : "");
      BOOST_TEST((by.meet(error, true) == verdict::repair));
      BOOST_TEST((by.left().empty() && by.size_of_repair(error, true) == 0 && by.errors() == 1));
    }
}

BOOST_AUTO_TEST_CASE(the_error_after_the_limit_fails_whatever_the_policy) {
  params p = replacing_with("?");
  p.error_limit = 2;
  repairer by(p);
  BOOST_TEST((by.meet(cut, true) == verdict::repair));
  BOOST_TEST((by.meet(cut, true) == verdict::repair));
  BOOST_TEST((by.meet(cut, true) == verdict::fail));
  BOOST_TEST((by.errors() == 3 && by.left().empty()));
  by.begin();
  BOOST_TEST((by.errors() == 0 && !by.first()));
  by.begin(2, lone);
  BOOST_TEST((by.meet(cut, true) == verdict::fail && by.first()->code == lone.code));
}

// Rooms of 0 to 12 bytes: each takes as many whole characters as fit, and the copy of a repairer goes on where it was.
BOOST_AUTO_TEST_CASE(a_repair_is_written_in_whole_characters) {
  const transcoder utf16 = transcoder::encoding_to(encoding::utf16le, bom::keep);
  const auto encode = [&](char32_t c, char* out) noexcept { return utf16.encode(c, out); };
  const std::string whole("a\0\xAC\x20\x3D\xD8\x00\xDE", 8);  // a, U+20AC, U+1F600
  for (std::size_t room = 0; room <= 12; ++room) {
    repairer by(replacing_with("a\xE2\x82\xAC\xF0\x9F\x98\x80"));
    by.meet(cut, true);
    std::string out;
    for (int calls = 0; by.has_left() && calls < 10; ++calls) {
      char bytes[12];
      const std::size_t before = by.left().size();
      out.append(bytes, by.write<transcoder::min_output>(bytes, room, false, encode));
      BOOST_TEST(by.written() + by.left().size() == 8u);
      if (room < 2) BOOST_TEST(by.left().size() == before);
      repairer copy = by;
      by = std::move(copy);
    }
    BOOST_TEST(out == (room < 2 ? "" : room < 4 ? whole.substr(0, 4) : whole));
  }
}

BOOST_AUTO_TEST_CASE(a_question_mark_stands_for_what_the_target_lacks) {
  const transcoder latin1 = transcoder::encoding_to(encoding::latin1, bom::keep);
  repairer by(replacing_with("\xC3\xA4\xE2\x82\xAC!"));
  by.meet(cut, true);
  char out[16];
  const std::size_t size = by.write<transcoder::min_output>(
      out, sizeof out, false, [&](char32_t c, char* to) noexcept { return latin1.encode(c, to); });
  BOOST_TEST(std::string(out, size) == "\xE4?!");
}

//--------------------------------------------------------------------------------------------------------- params::repair

BOOST_AUTO_TEST_CASE(a_function_makes_the_repair_of_each_error) {
  const std::string in = "p\xFF\xFFq\xE2\x82r\xF0\x9F";
  for (std::size_t step = 1; step <= in.size(); ++step)
    for (const std::size_t room : {std::size_t{4}, std::size_t{5}, std::size_t{64}}) {
      int errors = 0;
      decoder text(encoding::utf8, numbering(errors));
      BOOST_TEST(converted(text, in, step, room) == "p<1><2>q<3>r<4>");
      BOOST_TEST((text.report().errors == 4 && text.report().bytes_out == 15 && errors == 4));
    }
}

BOOST_AUTO_TEST_CASE(the_function_serves_encoders_line_readers_and_wide_streams) {
  int errors = 0;
  encoder to_latin1(encoding::latin1, numbering(errors));
  BOOST_TEST(converted(to_latin1, "x\xE2\x82\xACy\xFFz", 3, 64) == "x<1>y<2>z");

  errors = 0;
  std::stringbuf bytes("one \xFF\ntwo\n\xC3\x28three");
  line_reader lines(bytes, encoding::utf8, numbering(errors));
  BOOST_TEST((lines.next() && lines.text() == "one <1>" && lines.errors() == 1));
  BOOST_TEST((lines.next() && lines.text() == "two"));
  BOOST_TEST((lines.next() && lines.text() == "<2>(three"));
  BOOST_TEST(lines.offset_of(3) == 11u);  // "(" comes after the byte C3

  errors = 0;
  std::istringstream more("w\xFFx");
  wistream wide(more, encoding::utf8, numbering(errors));
  std::wstring word;
  BOOST_TEST((wide >> word && word == L"w<1>x"));
}

BOOST_AUTO_TEST_CASE(the_observer_sees_the_error_before_the_function) {
  std::string calls;
  params p = replacing_with("");
  p.observer = [&](const error_info& e) { calls += "observed " + std::to_string(e.offset) + ", "; };
  p.repair = [&](const error_info& e) {
    calls += "repaired " + std::to_string(e.offset) + ", ";
    return std::string("!");
  };
  p.error_limit = 1;
  decoder text(encoding::utf8, p);
  BOOST_TEST(converted(text, "a\xFF\xFF", 9, 64) == "a!");
  BOOST_TEST(calls == "observed 1, repaired 1, observed 2, ");
  BOOST_TEST(text.failed());
}

BOOST_AUTO_TEST_CASE(an_error_about_the_text_as_a_whole_asks_nobody) {
  int errors = 0;
  params p = numbering(errors);
  p.bom = bom::require;
  decoder text(encoding::utf8, p);
  BOOST_TEST(converted(text, "ab", 9, 64) == "ab");
  BOOST_TEST((text.report().errors == 1 && errors == 0));
}

BOOST_AUTO_TEST_CASE(a_bad_repair_fails_the_text_with_a_sentence) {
  params p = replacing_with("");
  p.repair = [](const error_info&) { return std::string("\xC0"); };
  decoder text(encoding::utf8, p);
  BOOST_TEST(converted(text, "ab\xFFz", 9, 64) == "ab");
  BOOST_CHECK_EXCEPTION(std::rethrow_exception(text.failure()), std::invalid_argument, [](const std::exception& e) {
    return std::string(e.what()) ==
           "utfilter: params::repair has returned text that is not well-formed UTF-8: overlong encoding: C0";
  });

  p.repair = [](const error_info&) -> std::string { throw std::out_of_range("no more"); };
  decoder other(encoding::utf8, p);
  BOOST_TEST(converted(other, "ab\xFFz", 9, 64) == "ab");
  BOOST_CHECK_THROW(std::rethrow_exception(other.failure()), std::out_of_range);
  BOOST_TEST(other.report().errors == 1u);
}

BOOST_AUTO_TEST_CASE(the_function_is_only_for_replace) {
  for (const on_error policy :
       {on_error::strict, on_error::stop, on_error::skip, on_error::escape, on_error::keep, on_error::windows1252}) {
    int errors = 0;
    params p = numbering(errors);
    p.on_error = policy;
    BOOST_CHECK_EXCEPTION(decoder(encoding::utf8, p), std::invalid_argument, [](const std::exception& e) {
      return std::string(e.what()) == "utfilter: params::repair is only for on_error::replace";
    });
  }
}

// A move in the middle of a repair that the function has made.
BOOST_AUTO_TEST_CASE(a_move_goes_on_in_the_middle_of_a_repair) {
  int errors = 0;
  for (const params& p : {numbering(errors), replacing_with("<1> and much more text, longer than a small string")}) {
    errors = 0;
    const std::string repair = p.repair ? "<1>" : p.replacement;
    decoder first(encoding::utf8, p);
    char out[64];
    const std::string in = "a\xFFz";
    const codec_progress begun = first.convert(in.data(), in.size(), out, 4, true);
    BOOST_TEST((begun.status == codec_status::need_output || begun.produced == 4));
    std::string all(out, begun.produced);
    decoder second(std::move(first));
    decoder third(encoding::utf8);
    third = std::move(second);
    const codec_progress rest =
        third.convert(in.data() + begun.consumed, in.size() - begun.consumed, out, sizeof out, true);
    all.append(out, rest.produced);
    BOOST_TEST(all == "a" + repair + "z");
  }
}
