// error_test.cpp: the error codes, their category, the message of an error, places, and the exception utf_error.
// build: portable
#define BOOST_TEST_MODULE error
#include <boost/test/unit_test.hpp>

#include <utfilter/error.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

namespace {

using utfilter::errc;
using utfilter::error_info;
using utfilter::text_position;
using utfilter::utf_error;

/// All codes, in the order of their numbers, which begin at 1.
constexpr errc codes[] = {errc::unexpected_continuation,
                          errc::truncated_sequence,
                          errc::overlong,
                          errc::surrogate,
                          errc::out_of_range,
                          errc::forbidden_length,
                          errc::unused_byte,
                          errc::unpaired_high_surrogate,
                          errc::unpaired_low_surrogate,
                          errc::incomplete_at_end,
                          errc::missing_bom,
                          errc::unexpected_bom,
                          errc::unmappable,
                          errc::unassigned,
                          errc::no_text,
                          errc::forbidden};

error_info make(errc code, const std::vector<unsigned char>& bytes, char32_t code_point = 0,
                std::uint64_t offset = 70) {
  error_info info;
  info.code = code;
  info.offset = offset;
  info.code_point = code_point;
  info.size = static_cast<std::uint8_t>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), info.bytes.begin());
  return info;
}

struct message_case {
  error_info info;
  const char* message;
};

const message_case messages[] = {
    {make(errc::unexpected_continuation, {0x80}), "unexpected continuation byte: 80"},
    {make(errc::truncated_sequence, {0xE2, 0x82}), "truncated sequence: E2 82"},
    {make(errc::overlong, {0xC0}), "overlong encoding: C0"},
    {make(errc::surrogate, {0xED}), "encoded surrogate: ED"},
    {make(errc::surrogate, {0x00, 0x00, 0xD8, 0x00}, 0xD800), "encoded surrogate U+D800: 00 00 D8 00"},
    {make(errc::out_of_range, {0xF4}), "beyond U+10FFFF: F4"},
    {make(errc::forbidden_length, {0xF8}), "sequence of a forbidden length: F8"},
    {make(errc::unused_byte, {0xFF}), "byte that no text contains: FF"},
    {make(errc::unpaired_high_surrogate, {0x00, 0xD8}, 0xD800), "unpaired high surrogate U+D800: 00 D8"},
    {make(errc::unpaired_low_surrogate, {0xDF, 0xFF}, 0xDFFF), "unpaired low surrogate U+DFFF: DF FF"},
    {make(errc::incomplete_at_end, {0xF0, 0x9F, 0x98}), "incomplete at the end of the input: F0 9F 98"},
    {make(errc::missing_bom, {}), "missing byte order mark"},
    {make(errc::unexpected_bom, {0xEF, 0xBB, 0xBF}), "unexpected byte order mark: EF BB BF"},
    {make(errc::unmappable, {0xE2, 0x82, 0xAC}, 0x20AC), "the target encoding lacks U+20AC: E2 82 AC"},
    {make(errc::unassigned, {0xD2}), "byte that the encoding does not assign: D2"},
    {make(errc::no_text, {}), "no text: zero bytes or control characters, but neither UTF-16 nor UTF-32"},
    {make(errc::forbidden, {0xC2, 0x85}, 0x85), "control character U+0085: C2 85"},
    // a change of the text, which is no error
    {make(errc{}, {0xC3, 0x83, 0xC2, 0xA9}, 0xE9), "changed to U+00E9: C3 83 C2 A9"},
    // the code point in four digits or more; up to six bytes
    {make(errc::unmappable, {0xC3, 0xA9}, 0xE9), "the target encoding lacks U+00E9: C3 A9"},
    {make(errc::unmappable, {0xF0, 0x9F, 0x98, 0x80}, 0x1F600), "the target encoding lacks U+1F600: F0 9F 98 80"},
    {make(errc::unmappable, {0xED, 0xAF, 0xBF, 0xED, 0xBF, 0xBF}, 0x10FFFF),
     "the target encoding lacks U+10FFFF: ED AF BF ED BF BF"},
    // half of a byte order mark at the start of the text, but not at other places or in other errors
    {make(errc::unused_byte, {0xFF}, 0, 0), "byte that no text contains: FF (looks like UTF-16LE)"},
    {make(errc::unused_byte, {0xFE}, 0, 0), "byte that no text contains: FE (looks like UTF-16BE)"},
    {make(errc::unused_byte, {0x00}), "byte that no text contains: 00 (modified UTF-8 writes U+0000 as C0 80)"},
    {make(errc::unused_byte, {0x00}, 0, 0), "byte that no text contains: 00 (modified UTF-8 writes U+0000 as C0 80)"},
    {make(errc::unassigned, {0x00}), "byte that the encoding does not assign: 00"},
    {make(errc::unused_byte, {0x81}, 0, 0), "byte that no text contains: 81"},  // not half of a mark
    {make(errc::unused_byte, {0xFF}, 0, 1), "byte that no text contains: FF"},
    {make(errc::unused_byte, {0xFE}, 0, 1), "byte that no text contains: FE"},
    {make(errc::overlong, {0xC0}, 0, 0), "overlong encoding: C0"},
    {make(errc::forbidden_length, {0xFD}, 0, 0), "sequence of a forbidden length: FD"},
    {make(errc::incomplete_at_end, {0xFF}, 0, 0), "incomplete at the end of the input: FF"},
};

/// An error at line 3, column 14.
error_info somewhere() {
  error_info info = make(errc::overlong, {0xC0}, 0, 71);
  info.line = 3;
  info.column = 14;
  info.line_offset = 58;
  return info;
}

}  // namespace

static_assert(std::is_error_code_enum<errc>::value);
static_assert(noexcept(utfilter::utf_category()) && noexcept(make_error_code(errc::overlong)));
static_assert(std::is_base_of_v<std::ios_base::failure, utf_error>);
static_assert(std::is_nothrow_copy_constructible_v<utf_error>, "an exception is copied while it is thrown");
static_assert(std::is_trivially_copyable_v<error_info>);

BOOST_AUTO_TEST_CASE(errors_are_equal_if_all_members_are) {
  const error_info error = make(errc::unpaired_high_surrogate, {0x00, 0xD8}, 0xD800);
  BOOST_TEST((error == make(errc::unpaired_high_surrogate, {0x00, 0xD8}, 0xD800)));
  const auto differs = [&](auto change) {
    error_info changed = error;
    change(changed);
    return changed != error && !(changed == error);
  };
  BOOST_TEST(differs([](error_info& e) { e.code = errc::unmappable; }));
  BOOST_TEST(differs([](error_info& e) { ++e.offset; }));
  BOOST_TEST(differs([](error_info& e) { ++e.line; }));
  BOOST_TEST(differs([](error_info& e) { ++e.column; }));
  BOOST_TEST(differs([](error_info& e) { ++e.line_offset; }));
  BOOST_TEST(differs([](error_info& e) { ++e.bytes[1]; }));
  BOOST_TEST(differs([](error_info& e) { ++e.size; }));
  BOOST_TEST(differs([](error_info& e) { ++e.code_point; }));
}

// Code that prints places takes errors and checkpoints alike.
BOOST_AUTO_TEST_CASE(an_error_is_a_place) {
  const error_info error = make(errc::overlong, {0xC0});
  const text_position& place = error;
  BOOST_TEST((place == text_position{70, 1, 1, 0}));
  BOOST_TEST(!(place != text_position{70, 1, 1, 0}));
  for (const text_position& other :
       {text_position{71, 1, 1, 0}, text_position{70, 2, 1, 0}, text_position{70, 1, 2, 0}, text_position{70, 1, 1, 1}})
    BOOST_TEST((place != other && !(place == other)));
}

BOOST_AUTO_TEST_CASE(a_place_passes_text) {
  text_position at;
  at.pass(U'a', 2);
  BOOST_TEST((at == text_position{2, 1, 2, 0}));
  at.pass(U'\n', 2);
  BOOST_TEST((at == text_position{4, 2, 1, 4}));
  at.pass_columns(3, 5);
  BOOST_TEST((at == text_position{9, 2, 4, 4}));
  at.pass_lines(2);
  BOOST_TEST((at == text_position{9, 4, 1, 9}));
}

// The place after the second part, counted from the start of that part, becomes the place in the whole text.
BOOST_AUTO_TEST_CASE(a_place_in_a_part_is_moved_into_the_whole_text) {
  const std::string text = "ab\n\ncd\ne";
  const auto pass = [](text_position at, const std::string& part) {
    for (const char c : part) at.pass(static_cast<unsigned char>(c), 1);
    return at;
  };
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    for (std::size_t end = cut; end <= text.size(); ++end) {
      const text_position start = pass({}, text.substr(0, cut));
      const text_position in_whole = pass({}, text.substr(0, end));
      const std::string part = text.substr(cut, end - cut);
      BOOST_TEST((moved(pass({}, part), {}, start) == in_whole), cut << ' ' << end);
      const text_position elsewhere{cut, 1, 1, cut};  // the part counts its bytes, but not its lines, from the start
      BOOST_TEST((moved(pass(elsewhere, part), elsewhere, start) == in_whole), cut << ' ' << end);
    }
  error_info error = make(errc::overlong, {0xC0});
  error = moved(error, {}, text_position{10, 3, 4, 7});
  BOOST_TEST((error.offset == 80 && error.line == 3 && error.column == 4 && error.code == errc::overlong));
}

BOOST_AUTO_TEST_CASE(the_codes_are_numbered_from_one) {
  int expected = 0;
  for (const errc code : codes) BOOST_TEST(static_cast<int>(code) == ++expected);
}

BOOST_AUTO_TEST_CASE(a_code_makes_an_error_code_of_the_category_utf) {
  BOOST_TEST(utfilter::utf_category().name() == std::string("utf"));
  for (const errc code : codes) {
    const std::error_code error = code;
    BOOST_TEST((error == make_error_code(code)));
    BOOST_TEST(error.value() == static_cast<int>(code));
    BOOST_TEST((error.category() == utfilter::utf_category()));
    BOOST_TEST(static_cast<bool>(error));
  }
}

BOOST_AUTO_TEST_CASE(every_code_is_an_illegal_byte_sequence) {
  for (const errc code : codes) {
    BOOST_TEST((std::error_code(code) == std::errc::illegal_byte_sequence), static_cast<int>(code));
    BOOST_TEST((std::error_code(code) != std::errc::invalid_argument), static_cast<int>(code));
    BOOST_TEST((std::error_code(code) != std::errc::io_error), static_cast<int>(code));
  }
}

BOOST_AUTO_TEST_CASE(every_code_has_its_own_message) {
  std::set<std::string> words;
  for (const errc code : codes) {
    words.insert(std::error_code(code).message());
    BOOST_TEST(to_string(code) == std::error_code(code).message());
  }
  BOOST_TEST(words.size() == std::size(codes));
  BOOST_TEST(words.count("") == 0u);
  BOOST_TEST(words.count(utfilter::utf_category().message(0)) == 0u);
  BOOST_TEST(to_string(errc::overlong) == "overlong encoding");
  BOOST_TEST(to_string(errc::incomplete_at_end) == "incomplete at the end of the input");
  BOOST_TEST(to_string(errc::unmappable) == "character that the target encoding lacks");
  BOOST_TEST(to_string(errc{}) == "unknown error");
}

BOOST_AUTO_TEST_CASE(a_message_names_the_error_and_shows_its_bytes) {
  for (const auto& [info, message] : messages) BOOST_TEST(info.message() == message);
}

BOOST_AUTO_TEST_CASE(a_message_shows_no_more_bytes_than_an_error_has) {
  error_info info = make(errc::incomplete_at_end, {0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80});
  info.size = 7;
  BOOST_TEST(info.message() == "incomplete at the end of the input: ED A0 80 ED B0 80");
}

BOOST_AUTO_TEST_CASE(a_message_names_no_position) { BOOST_TEST(somewhere().message() == "overlong encoding: C0"); }

BOOST_AUTO_TEST_CASE(a_new_error_is_at_the_first_line_and_column) {
  const error_info info;
  BOOST_TEST((static_cast<const text_position&>(info) == text_position{0, 1, 1, 0}));
  BOOST_TEST((info.size == 0 && info.code_point == 0));
}

BOOST_AUTO_TEST_CASE(the_exception_names_the_position_and_carries_the_error) {
  const utf_error thrown(somewhere());
  BOOST_TEST(thrown.what() == std::string("line 3, column 14 (byte 71): overlong encoding: C0"));
  BOOST_TEST(to_string(thrown.info()) == thrown.what());  // which needs no exception
  BOOST_TEST((thrown.info() == somewhere() && thrown.info().line_offset == 58));
}

BOOST_AUTO_TEST_CASE(the_exception_has_the_code_of_the_error) {
  for (const errc code : codes)
    BOOST_TEST((utf_error(make(code, {})).code() == make_error_code(code)), static_cast<int>(code));
}

BOOST_AUTO_TEST_CASE(positions_beyond_32_bits_are_written_in_full) {
  error_info info = somewhere();
  info.offset = 71'000'000'000;
  info.line = 5'000'000'000;
  info.column = 6'000'000'000;
  BOOST_TEST(utf_error(info).what() ==
             std::string("line 5000000000, column 6000000000 (byte 71000000000): overlong encoding: C0"));
}

BOOST_AUTO_TEST_CASE(the_exception_can_be_caught_as_a_failure_of_standard_streams) {
  try {
    throw utf_error(somewhere());
  } catch (const std::ios_base::failure& error) {
    BOOST_TEST((error.code() == errc::overlong));
    BOOST_TEST((error.code() == std::errc::illegal_byte_sequence));
    BOOST_TEST(error.what() == std::string("line 3, column 14 (byte 71): overlong encoding: C0"));
  }
}
