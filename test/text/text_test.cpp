// text_test.cpp: UTF-8 in memory: is_utf8, find_error, sanitize, complete_prefix and the assertion.
// build: optimised by_itself other_kernels needs:utfilter_oracles
#define BOOST_TEST_MODULE text
#include <boost/test/unit_test.hpp>

// Tests the assertion of debug builds, in every build. text_test_ndebug.cpp tests that of release builds.
#undef NDEBUG
#include <utfilter/text.hpp>

#include "support/process.hpp"
#include "support/oracles.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <csignal>

int evaluations_under_ndebug();

namespace {

using namespace std::string_literals;
using texts::repeated;
using utfilter::errc;
using utfilter::on_error;

struct error_case {
  std::string text;
  errc code;
  std::uint64_t offset, line, column, line_offset;
  std::string bytes;
};

const error_case errors[] = {
    // every kind of error, at the start of the text
    {"\x80", errc::unexpected_continuation, 0, 1, 1, 0, "\x80"},
    {"\xBFz", errc::unexpected_continuation, 0, 1, 1, 0, "\xBF"},
    {"\xC2z", errc::truncated_sequence, 0, 1, 1, 0, "\xC2"},
    {"\xC2\xC2\x80", errc::truncated_sequence, 0, 1, 1, 0, "\xC2"},
    {"\xE2\x82z", errc::truncated_sequence, 0, 1, 1, 0, "\xE2\x82"},
    {"\xF0\x9F\x98z", errc::truncated_sequence, 0, 1, 1, 0, "\xF0\x9F\x98"},
    {"\xC0\xAF", errc::overlong, 0, 1, 1, 0, "\xC0"},
    {"\xC1z", errc::overlong, 0, 1, 1, 0, "\xC1"},
    {"\xE0\x9F\xBF", errc::overlong, 0, 1, 1, 0, "\xE0"},
    {"\xF0\x8F\xBF\xBF", errc::overlong, 0, 1, 1, 0, "\xF0"},
    {"\xED\xA0\x80", errc::surrogate, 0, 1, 1, 0, "\xED"},
    {"\xED\xBF\xBF", errc::surrogate, 0, 1, 1, 0, "\xED"},
    {"\xF4\x90\x80\x80", errc::out_of_range, 0, 1, 1, 0, "\xF4"},
    {"\xF5\x80\x80\x80", errc::out_of_range, 0, 1, 1, 0, "\xF5"},
    {"\xF7", errc::out_of_range, 0, 1, 1, 0, "\xF7"},
    {"\xF8\x88\x80\x80\x80", errc::forbidden_length, 0, 1, 1, 0, "\xF8"},
    {"\xFD", errc::forbidden_length, 0, 1, 1, 0, "\xFD"},
    {"\xFEz", errc::unused_byte, 0, 1, 1, 0, "\xFE"},
    {"\xFF\xFE", errc::unused_byte, 0, 1, 1, 0, "\xFF"},
    {"\xC2", errc::incomplete_at_end, 0, 1, 1, 0, "\xC2"},
    {"\xED", errc::incomplete_at_end, 0, 1, 1, 0, "\xED"},
    {"\xE2\x82", errc::incomplete_at_end, 0, 1, 1, 0, "\xE2\x82"},
    {"\xF0\x9F\x98", errc::incomplete_at_end, 0, 1, 1, 0, "\xF0\x9F\x98"},
    {"\xF4\x8F\xBF", errc::incomplete_at_end, 0, 1, 1, 0, "\xF4\x8F\xBF"},
    // places
    {"abc\xC0", errc::overlong, 3, 1, 4, 0, "\xC0"},
    {"one\ntwo\n\xE2\x82\xAC x\xFF", errc::unused_byte, 13, 3, 4, 8, "\xFF"},
    {"\n\x80", errc::unexpected_continuation, 1, 2, 1, 1, "\x80"},
    {"\n\n\n\x80", errc::unexpected_continuation, 3, 4, 1, 3, "\x80"},
    {"a\r\nb\x80", errc::unexpected_continuation, 4, 2, 2, 3, "\x80"},
    {"a\rb\x80", errc::unexpected_continuation, 3, 1, 4, 0, "\x80"},
    {"\xF0\x9F\x98\x80\xC3\xA9\x80", errc::unexpected_continuation, 6, 1, 3, 0, "\x80"},
    {"\0\0\x80"s, errc::unexpected_continuation, 2, 1, 3, 0, "\x80"},
    // a byte order mark counts as no column, U+FEFF elsewhere as one
    {"\uFEFFa\xC0", errc::overlong, 4, 1, 2, 0, "\xC0"},
    {"\xEF\xBB\xBF\xC0", errc::overlong, 3, 1, 1, 0, "\xC0"},
    {"\xEF\xBB\xBF\n\xC0", errc::overlong, 4, 2, 1, 4, "\xC0"},
    {"a\xEF\xBB\xBF\xC0", errc::overlong, 4, 1, 3, 0, "\xC0"},
    {"\xEF\xBB\xBF\xEF\xBB\xBF\xC0", errc::overlong, 6, 1, 2, 0, "\xC0"},
    {"\xEF\xBBz", errc::truncated_sequence, 0, 1, 1, 0, "\xEF\xBB"},
    {"\xEF\xBB", errc::incomplete_at_end, 0, 1, 1, 0, "\xEF\xBB"},
    // texts longer than any internal buffer
    {repeated("\xE2\x82\xAC", 5000) + "\xC0", errc::overlong, 15000, 1, 5001, 0, "\xC0"},
    {repeated("1234567\n", 5000) + "12\x80", errc::unexpected_continuation, 40002, 5001, 3, 40000, "\x80"},
};

/// Every kind of ill-formed sequence, between characters of every length.
const std::string damaged = "a\xC0\xC3\xA9\xE2\x82"
                            "b\xE2\x82\xAC\xED\xA0\x80\\\xF0\x9F\x98\x80\xFF\x93\x81";

struct policy_case {
  on_error policy;
  std::string expected;
};

const std::string replaced = "a\uFFFD\u00E9\uFFFDb\u20AC\uFFFD\uFFFD\uFFFD\\"
                             "\xF0\x9F\x98\x80\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD";

const policy_case policies[] = {
    {on_error::replace, replaced},
    {on_error::strict, replaced},
    {on_error::stop, replaced},
    {on_error::keep, replaced},
    {on_error::skip, "a\u00E9b\u20AC\\\U0001F600"},
    {on_error::escape, "a\\xC0\xC3\xA9\\xE2\\x82"
                       "b\xE2\x82\xAC\\xED\\xA0\\x80\\\xF0\x9F\x98\x80\\xFF\\x93\\x81"},
    // U+00C0; U+00E2 U+201A; U+00ED U+00A0 U+20AC; U+00FF U+201C U+0081
    {on_error::windows1252, "a\u00C0\u00E9\u00E2\u201Ab\u20AC\u00ED\u00A0\u20AC\\\U0001F600"
                            "\xC3\xBF\xE2\x80\x9C\xC2\x81"},
};

struct prefix_case {
  std::string text;
  std::size_t complete;
};

const prefix_case prefixes[] = {
    {"", 0},
    {"abc", 3},
    {"ab\xC3", 2},
    {"ab\xC3\xA9", 4},
    {"ab\xE2", 2},
    {"ab\xE2\x82", 2},
    {"ab\xE2\x82\xAC", 5},
    {"\xF0", 0},
    {"\xF0\x9F\x98", 0},
    {"\xF0\x9F\x98\x80", 4},
    {"\xE2\x82\xAC\xF0\x9F", 3},
    // a sequence that no byte can complete is not cut off
    {"a\xC0", 2},
    {"a\xF8", 2},
    {"a\xFF", 2},
    {"a\xF5\x80", 3},
    {"a\xE0\x80", 3},
    {"a\xED\xA0", 3},
    {"a\xF4\x90\x80", 4},
    {"\x80", 1},
    {"\x80\x80\x80\x80", 4},
    {"\xF0\x9F\x98\x80\x80", 5},
    {"\xE2z", 2},
};

void check_first_error(const error_case& expected, const std::string& text) {
  const std::string what = hexadecimal(text.substr(0, 20));
  BOOST_TEST(!utfilter::is_utf8(text), what);
  const auto error = utfilter::find_error(text);
  BOOST_REQUIRE(error.has_value());
  BOOST_CHECK_MESSAGE((error->code == expected.code), what << error->message());
  BOOST_TEST(error->offset == expected.offset, what);
  BOOST_TEST(error->line == expected.line, what);
  BOOST_TEST(error->column == expected.column, what);
  BOOST_TEST(error->line_offset == expected.line_offset, what);
  BOOST_TEST(std::string(error->bytes.begin(), error->bytes.begin() + error->size) == expected.bytes, what);
  BOOST_TEST((error->code_point == 0), what);
}

}  // namespace

static_assert(
    noexcept(utfilter::is_utf8("")) && noexcept(utfilter::find_error("")) && noexcept(utfilter::complete_prefix("")));

BOOST_AUTO_TEST_CASE(well_formed_text_is_utf8_and_has_no_error) {
  const std::string texts[] = {
      "", "plain", "\0"s, "a\0b"s, "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xEF\xBB\xBF",
      "\xEF\xBB\xBF\xEF\xBB\xBF",
      // the edges of the surrogates, private use, noncharacters, unassigned, the last code point
      "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xB7\x90", "\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
      "\xF0\x9F\xBF\xBE", "\xF3\xB0\x80\x80", "\xF1\x80\x80\x80", "\xF4\x8F\xBF\xBF",
      repeated("x\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\n", 3000)};
  tally cases;
  for (const std::string& text : texts) {
    cases.run([&] {
      BOOST_TEST(utfilter::is_utf8(text), hexadecimal(text));
      BOOST_TEST(!utfilter::find_error(text).has_value(), hexadecimal(text));
      BOOST_TEST(utfilter::sanitize(text) == text, hexadecimal(text));
      BOOST_TEST(utfilter::complete_prefix(text) == text.size(), hexadecimal(text));
    });
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(a_default_constructed_view_is_utf8) {
  const std::string_view nothing;
  BOOST_TEST(utfilter::is_utf8(nothing));
  BOOST_TEST(!utfilter::find_error(nothing).has_value());
  BOOST_TEST(utfilter::sanitize(nothing).empty());
  BOOST_TEST(utfilter::complete_prefix(nothing) == 0u);
}

BOOST_AUTO_TEST_CASE(the_first_error_is_found_with_its_place_and_its_bytes) {
  tally cases;
  for (const error_case& expected : errors) {
    // Text after an error must not matter, except after an incomplete sequence at the end.
    for (const char* const tail : {"", "\x80\xFF\n"}) {
      if (*tail != '\0' && expected.text.size() == expected.offset + expected.bytes.size()) continue;
      cases.run([&] { check_first_error(expected, expected.text + tail); });
    }
  }
  cases.summary();
}

// The last byte before the error may be any ASCII character. Only a line feed ends a line.
BOOST_AUTO_TEST_CASE(an_error_after_any_ascii_byte_has_the_right_place) {
  tally cases;
  for (int c = 0; c < 0x80; ++c) {
    cases.run([&] {
      const auto error = utfilter::find_error(std::string("a\nb") + static_cast<char>(c) + "\xFF");
      BOOST_REQUIRE(error.has_value());
      BOOST_TEST(error->line == (c == '\n' ? 3u : 2u), c);
      BOOST_TEST(error->column == (c == '\n' ? 1u : 3u), c);
      BOOST_TEST(error->line_offset == (c == '\n' ? 4u : 2u), c);
    });
  }
  cases.summary();
}

// The error may stand anywhere in a block, between any characters, and the block may begin at any address.
BOOST_AUTO_TEST_CASE(one_ill_formed_byte_is_found_at_every_place) {
  tally cases;
  for (const std::string_view filler : {"x", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"})
    for (std::size_t before = 0; before <= 140; ++before)
      for (const std::size_t after : {0u, 1u, 2u, 15u, 40u}) {
        const std::string room =
            std::string(before % 16, ' ') + repeated(filler, before) + "\xFF" + repeated(filler, after);
        const auto text = std::string_view(room).substr(before % 16);
        const auto error = utfilter::find_error(text);
        const bool found =
            !utfilter::is_utf8(text) && error && error->offset == before * filler.size() && error->column == before + 1;
        cases.check(found && utfilter::is_utf8(text.substr(0, before * filler.size())) &&
                        utfilter::sanitize(text, on_error::skip) == repeated(filler, before + after),
                    "an ill-formed byte", text);
      }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(each_policy_repairs_in_its_way) {
  tally cases;
  for (const policy_case& one : policies) {
    cases.run([&] {
      const auto number = static_cast<int>(one.policy);
      BOOST_CHECK_MESSAGE(utfilter::sanitize(damaged, one.policy) == one.expected, "policy " << number);
      BOOST_TEST(utfilter::is_utf8(one.expected));
      BOOST_CHECK_MESSAGE(utfilter::sanitize(one.expected, one.policy) == one.expected,
                          "a second time, policy " << number);
    });
  }
  cases.run([] { BOOST_TEST(utfilter::sanitize(damaged) == replaced); });
  cases.summary();
}

// sanitize converts through a buffer of some kilobytes. A repair may stand at its end, and need more room than is left.
BOOST_AUTO_TEST_CASE(a_repair_may_stand_at_any_place_of_a_long_text) {
  tally cases;
  for (std::size_t before = 4080; before <= 4100; ++before)
    for (const policy_case& one : policies)
      cases.run([&] {
        const std::string text = "\xFF" + std::string(before, 'a') +
                                 "\xFF"
                                 "b";
        const std::string repair = utfilter::sanitize("\xFF", one.policy);
        BOOST_TEST(utfilter::sanitize(text, one.policy) == repair + std::string(before, 'a') + repair + 'b', before);
      });
  cases.summary();
}

BOOST_AUTO_TEST_CASE(a_bom_is_left_as_it_is) {
  BOOST_TEST(utfilter::sanitize("\uFEFFa\xFF", on_error::skip) == "\uFEFFa");
}

BOOST_AUTO_TEST_CASE(only_a_sequence_that_more_bytes_could_complete_is_cut_off) {
  tally cases;
  for (const prefix_case& one : prefixes)
    cases.check(utfilter::complete_prefix(one.text) == one.complete, "cut at another place", one.text);
  cases.summary();
}

// By the definition: the last bytes are cut off if they begin a well-formed sequence but are not a whole one.
BOOST_AUTO_TEST_CASE(every_short_sequence_is_cut_at_its_last_boundary) {
  const auto machine = oracles::state_machine();
  tally cases;
  const auto check = [&](std::string_view text) {
    std::size_t expected = text.size();
    for (std::size_t n = 1; n <= text.size() && n <= 3; ++n) {
      const auto tail = text.substr(text.size() - n);
      const auto lead = static_cast<unsigned char>(tail[0]);
      const auto piece = machine->next(tail, 0);
      if (!piece.well_formed && piece.size == n && lead >= 0xC2 && lead <= 0xF4) expected = text.size() - n;
    }
    cases.check(utfilter::complete_prefix(text) == expected, "cut elsewhere", text);
  };
  char bytes[4] = {'\xF1', 0, 0, 0};
  for (unsigned bits = 0; bits < 1u << 24; ++bits) {
    for (unsigned i = 0; i < 3; ++i) bytes[1 + i] = static_cast<char>(static_cast<unsigned char>(bits >> (16 - 8 * i)));
    check({bytes + 1, 3});
    check({bytes + 0, 4});
    if (bits < 1u << 16) check({bytes + 2, 2});
    if (bits < 1u << 8) check({bytes + 3, 1});
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(the_assertion_aborts_and_names_text_offset_and_kind) {
  const std::string user_name = "abc\xC0";
  constexpr int line = __LINE__ + 1;
  const auto end = processes::in_child([&] { UTFILTER_ASSERT_UTF8(user_name); });
  BOOST_TEST(WIFSIGNALED(end.status));
  BOOST_TEST(WTERMSIG(end.status) == SIGABRT);
  for (const std::string& part :
       {"user_name"s, "byte 3"s, "overlong encoding: C0"s, "text_test.cpp:"s + std::to_string(line)}) {
    BOOST_CHECK_MESSAGE((end.said.find(part) != std::string::npos), "no " << part << " in: " << end.said);
  }
}

BOOST_AUTO_TEST_CASE(the_assertion_lets_well_formed_text_of_any_string_type_pass) {
  int evaluations = 0;
  const auto end = processes::in_child([&] {
    const auto text = [&] {
      ++evaluations;
      return "caf\xC3\xA9"s;
    };
    UTFILTER_ASSERT_UTF8(text());
    UTFILTER_ASSERT_UTF8("literal");
    UTFILTER_ASSERT_UTF8(std::string_view("view"));
    if (evaluations == 1)
      UTFILTER_ASSERT_UTF8("");  // the macro is one statement, also before an else
    else
      _exit(evaluations + 1);
  });
  BOOST_TEST(end.status == 0);
  BOOST_TEST(end.said == "");
}

BOOST_AUTO_TEST_CASE(under_ndebug_the_assertion_evaluates_nothing) { BOOST_TEST(evaluations_under_ndebug() == 0); }
