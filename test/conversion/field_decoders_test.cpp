// field_decoders_test.cpp: failures of widely used decoders, with one test for each. (field_streams_test.cpp has the
// failures of streams.)
//
// The comment of a test describes the failure. The test has inputs, a property, our ways to read, and mocks. A mock
// makes the mistake of the decoder that failed. The property must hold for all of our ways and must not hold for a
// mock, which shows that the test can fail. If the decoder is a part of Boost, the test also runs it, and prints the
// result.
// build: portable other_kernels
#define BOOST_TEST_MODULE field_decoders
#include "conversion/field_failures.hpp"

#include <boost/iostreams/code_converter.hpp>
#include <boost/locale/encoding_utf.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cwchar>
#include <locale>
#include <string>
#include <vector>

using namespace field;
using namespace std::string_literals;

BOOST_FIXTURE_TEST_SUITE(decoders, failure)

//--------------------------------------------------------------------------------------------------------- Boost.Locale

namespace {

step utf8_of_any_bytes_behind_a_lead(const unsigned char* bytes, std::size_t size, bool last) {
  const std::size_t length = length_of(bytes[0]);
  if (length == 0) return error_of(1);
  if (size < length) return last ? error_of(size) : more;
  return character(value_of(bytes, length), length);
}

step utf8_with_the_byte_that_does_not_continue(const unsigned char* bytes, std::size_t size, bool last) {
  const step next = utf8(bytes, size, last);
  const bool cut_short = next.what == step::kind::error && next.size < size && length_of(bytes[0]) > 1;
  return cut_short ? error_of(next.size + 1) : next;
}

bool keeps_both_quotes(const outcome& got, const std::string&) {
  std::string text = got.text();
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; }), text.end());
  return text == "<\"\">" && got.ended;
}

const std::string quoted = "<\"\xC2\">";

// Boost.Locale before 1.53 (CVE-2013-0252, ticket 7743) took any byte after a lead byte for a continuation byte: C2 22
// became U+00A2, and the quote was lost.
BOOST_AUTO_TEST_CASE(boost_locale_cve_2013_0252_a_quote_after_a_lead_byte_stays_a_quote) {
  check({{quoted}}, keeps_both_quotes, ours({encoding::utf8}), {mock<utf8_of_any_bytes_behind_a_lead>("unchecked")});
}

// Since 1.53 Boost.Locale reports the sequence as illegal. But it also skips the byte that ended the sequence.
BOOST_AUTO_TEST_CASE(boost_locale_the_byte_that_ends_an_illegal_sequence_is_not_lost) {
  const auto boost_locale = [](const pieces& text, std::size_t) {
    outcome got;
    got.deliver(boost::locale::conv::utf_to_utf<char>(joined(text)));
    got.ended = true;
    return got;
  };
  check({{quoted}}, keeps_both_quotes, ours({encoding::utf8}),
        {mock<utf8_with_the_byte_that_does_not_continue>("takes it, too")}, {{"utf_to_utf", boost_locale}});
}

//---------------------------------------------------------------------------------------------------------------- Expat

step utf8_that_checks_four_bytes_only(const unsigned char* bytes, std::size_t size, bool last) {
  return length_of(bytes[0]) == 4 ? utf8(bytes, size, last) : utf8_of_any_bytes_behind_a_lead(bytes, size, last);
}

/// Adds all texts in which a byte that is not a continuation byte replaces one continuation byte of the character.
void add_broken(std::vector<std::string>& texts, const std::string& character) {
  for (std::size_t place = 1; place < character.size(); ++place)
    for (unsigned byte = 0; byte < 0x100; ++byte) {
      if (is_continuation(static_cast<unsigned char>(byte))) continue;
      texts.push_back("<" + character + ">");
      texts.back()[1 + place] = static_cast<char>(static_cast<unsigned char>(byte));
    }
}

/// Copies as many bytes as there is room for, even if that cuts a character.
class copies_to_the_limit {
 public:
  static constexpr std::size_t min_output = 4;

  static codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    const std::size_t n = std::min(size, room);
    std::copy_n(in, n, out);
    return {n, n, n < size ? codec_status::need_output : last ? codec_status::done : codec_status::need_input};
  }
  static error_info error() { return {}; }
};

// Expat before 2.4.5 (CVE-2022-25235) checked, in names, only sequences of four bytes. In sequences of two and three
// bytes it took any byte for a continuation byte, and gave ill-formed names to programs.
BOOST_AUTO_TEST_CASE(expat_cve_2022_25235_sequences_of_two_and_three_bytes_are_checked) {
  trials broken{{}, cuts::none, {100}};
  add_broken(broken.inputs, "\xDB\xA5");
  add_broken(broken.inputs, "\xE0\xA4\x85");
  const auto is_an_error_and_keeps_ascii = [](const outcome& got, const std::string& input) {
    return got.first_error == 1u && got.text().compare(1, replaced.size(), replaced) == 0 && keeps_ascii(got, input);
  };
  check(broken, is_an_error_and_keeps_ascii, ours({encoding::utf8}),
        {mock<utf8_that_checks_four_bytes_only>("four only")});
}

// Expat before 2.2.4 (issue 115) filled its output to the last byte, even in the middle of a character. The next piece
// then began with a continuation byte.
BOOST_AUTO_TEST_CASE(expat_115_no_character_is_cut_at_the_limit_of_the_output) {
  const auto whole_characters_in_each_piece = [](const outcome& got, const std::string& input) {
    const auto begins_inside = [](const std::string& piece) {
      return is_continuation(static_cast<unsigned char>(piece[0]));
    };
    return is_delivered_as_it_is(got, input) && std::none_of(got.delivered.begin(), got.delivered.end(), begins_inside);
  };
  const trials characters{{"a\u00E9\u20AC\U0001F600b"}, cuts::every, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  check(characters, whole_characters_in_each_piece, ours_in_pieces(encoding::utf8),
        {by_codec("copies to the limit", copies_to_the_limit())});
}

//--------------------------------------------------------------------------------------------------------------- utfcpp

/// Works on the input in place. After a high surrogate it reads the next unit without checking that there is one.
class reads_a_pair_unasked {
 public:
  static constexpr std::size_t min_output = 4;

  static codec_progress transform(const char* in, std::size_t size, char* out, std::size_t, bool last) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(in);
    codec_progress done{0, 0, last ? codec_status::done : codec_status::need_input};
    while (done.consumed < size) {
      char32_t c = unit_of(bytes + done.consumed);
      done.consumed += 2;
      if (is_high(c)) {
        c = from_pair(c, unit_of(bytes + done.consumed));
        done.consumed += 2;
      }
      done.produced += texts::utf8({c}).copy(out + done.produced, 4);
    }
    return done;
  }
  static error_info error() { return {}; }
};

step utf16be_without_the_last_unit(const unsigned char* bytes, std::size_t size, bool last) {
  if (size < 3) return last ? lost(size) : more;  // it has a unit, but first asks for the next one
  return utf16be(bytes, size, last);
}

step utf8_without_an_upper_limit(const unsigned char* bytes, std::size_t size, bool last) {
  if (bytes[0] != 0xF4) return utf8(bytes, size, last);
  const unsigned char as_f3[] = {0xF3, bytes[1], bytes[2], bytes[3]};  // F3 may be followed by any continuation byte
  const step next = utf8(as_f3, size, last);
  return next.what == step::kind::character ? character(value_of(bytes, 4), 4) : next;
}

// utfcpp before 3.2.5 (issue 78), unchecked::utf16to8: if a text ended with a high surrogate, it read beyond the end.
// After that it did not find the end, and went on reading.
BOOST_AUTO_TEST_CASE(utfcpp_78_a_high_surrogate_at_the_end_is_not_paired_with_bytes_after_the_end) {
  const auto is_one_error_at_the_end = [](const outcome& got, const std::string&) {
    return got.text() == "a" + replaced && got.first_error == 2u && ends_in_bounds(got, "");
  };
  const trials with_the_other_half_after_it{{"\0a\xD8\x3D\xDE\0\0b"s}, cuts::every, {100}, 4};
  check(with_the_other_half_after_it, is_one_error_at_the_end, ours({encoding::utf16be}),
        {by_codec("reads a pair unasked", reads_a_pair_unasked())});
}

// utfcpp 3.2.5 to 4.0.0 (issue 111): the repair of issue 78 checked for the end before it used the current unit, so
// that texts lost their last character.
BOOST_AUTO_TEST_CASE(utfcpp_111_the_last_character_is_not_lost) {
  check({{"\0h\0!"s, "\0h"s, "\0h\0\xE9"s, ""}}, is_the_same_in_utf8, ours({encoding::utf16be}),
        {mock<utf16be_without_the_last_unit>("looks for the end too early")});
}

// utfcpp 4.1.0 (issue 141): its validation no longer computed the code point, and accepted F4 90 to F4 BF, which would
// be U+110000 and above.
BOOST_AUTO_TEST_CASE(utfcpp_141_there_is_no_character_above_10ffff) {
  const auto is_four_errors = [](const outcome& got, const std::string&) {
    return got.text() == replaced + replaced + replaced + replaced && got.first_error == 0u && got.ended;
  };
  check({{"\xF4\x90\x80\x80", "\xF4\x90\xBF\xBF", "\xF4\xA0\x80\x80", "\xF4\xBF\xBF\xBF"}}, is_four_errors,
        ours({encoding::utf8}), {mock<utf8_without_an_upper_limit>("no upper limit")});
  check({{"\xF4\x80\x80\x80", "\xF4\x8F\xBF\xBF"}}, is_delivered_as_it_is, ours({encoding::utf8}), {});
}

//------------------------------------------------------------------------------------------------------------------- Go

step utf16be_that_waits_for_a_whole_unit(const unsigned char* bytes, std::size_t size, bool last) {
  return size < 2 ? more : utf16be(bytes, size, last);
}

// Go's x/text before 0.3.3 (CVE-2020-14040): the UTF-16 decoder that looks for a byte order mark asked for more input
// for ever if the text was a single byte, although its caller had said that there is no more input.
BOOST_AUTO_TEST_CASE(go_cve_2020_14040_a_lone_byte_at_the_end_is_an_error_and_the_end) {
  const auto is_one_error_and_ends = [](const outcome& got, const std::string&) {
    const std::string text = got.text();
    return got.ended && text.size() >= replaced.size() && text.substr(text.size() - replaced.size()) == replaced;
  };
  const way waits = mock<utf16be_that_waits_for_a_whole_unit>("waits");
  check({{" ", "\xFE", "\xFF", "\0"s, "\xFE\xFF\0"s, "\0a\0"s}}, is_one_error_and_ends,
        ours({encoding::utf16, encoding::utf16be, encoding::utf16le, encoding::utf32, encoding::utf32le}), {waits});
  check({{"\xEF", "\xEF\xBB", "\xFE", "\xFF", "\xFF\xFE\0"s}}, is_one_error_and_ends, ours({encoding::detect}),
        {waits});
}

//-------------------------------------------------------------------------------------------------------------- simdutf

/// Looks for surrogates in blocks of 32 units. In the last, shorter block a mask has one bit for each unit. simdutf
/// computed the mask (1 << 31) - 1 for 31 units in signed arithmetic, which is undefined. Here that mask is 1 << 31,
/// and so no unit is looked at.
template <std::size_t High>
outcome by_a_signed_mask(const pieces& text, std::size_t) {
  const std::string in = joined(text);
  const std::size_t units = in.size() / 2;
  outcome got;
  got.ended = true;
  for (std::size_t block = 0; block < units; block += 32) {
    const std::size_t left = std::min<std::size_t>(32, units - block);
    const std::uint32_t looked_at = left == 32 ? ~std::uint32_t{0} : left == 31 ? 1u << 31 : (1u << left) - 1;
    for (std::size_t i = block; i < block + left; ++i)
      if ((looked_at >> (i - block) & 1) != 0 && (in[2 * i + High] & 0xF8) == 0xD8 && !got.first_error)
        got.first_error = 2 * i;
  }
  return got;
}

/// Works in blocks of 64 bytes. From the start of the block with the error it steps back to the start of a character.
/// It adds the negative step as an unsigned number of 32 bits to an offset of 64 bits, so the offset is wrong by 2^32.
outcome by_an_unsigned_step_back(const pieces& text, std::size_t) {
  const std::string in = joined(text);
  const std::size_t error = in.find_first_not_of(' ');
  const std::size_t block = error / 64 * 64;
  std::uint32_t back = 0;
  while (back < 3 && back < block && is_continuation(static_cast<unsigned char>(in[block - back]))) ++back;
  outcome got;
  got.ended = true;
  got.first_error = std::uint64_t{block} + (std::uint32_t{0} - back) + (error - (block - back));
  return got;
}

class writes_ascii_before_it_asks : public mock_codec<utf16be> {
 protected:
  std::size_t asks_for(const std::string& bytes) const override { return bytes.size() == 1 ? 0 : bytes.size(); }
};

// simdutf before 5.3.1 (issue 431), AVX-512: the mask for a rest of 31 UTF-16 units was (1 << 31) - 1 in signed
// arithmetic, which overflows. UndefinedBehaviorSanitizer finds the overflow itself (test/sanitize); this test finds
// errors that the wrong mask hides.
BOOST_AUTO_TEST_CASE(simdutf_431_an_error_is_found_in_a_rest_of_every_length) {
  for (const bool little : {false, true}) {
    trials all{{}, cuts::none, {1000}};
    for (std::size_t units = 1; units <= 70; ++units)
      for (std::size_t place = 0; place < units; ++place)
        all.inputs.push_back(
            texts::utf16(texts::text32(place, U'a') + U'\xDABC' + texts::text32(units - place - 1, U'a'), little));
    const auto is_found_at_its_place = [&](const outcome& got, const std::string& input) {
      return got.first_error == input.find('\xDA') - (little ? 1 : 0) && got.ended;
    };
    check(all, is_found_at_its_place, ours({little ? encoding::utf16le : encoding::utf16be}),
          {{"signed mask", little ? by_a_signed_mask<1> : by_a_signed_mask<0>}});
  }
}

// simdutf before 5.3.2 (issue 441): after an error in a block it stepped back to the start of a character with an
// unsigned index below 0, so that a pointer overflowed. UndefinedBehaviorSanitizer finds the overflow itself; this test
// finds errors that are reported at the wrong place.
BOOST_AUTO_TEST_CASE(simdutf_441_an_error_at_a_block_boundary_is_found_at_its_place) {
  trials texts{{}, cuts::none, {1000}};
  for (std::size_t before = 0; before <= 200; ++before)
    for (const char* const error : {"\xA1", "\xE2\x82", "\xF0\x9F\x98", "\xC3"})
      texts.inputs.push_back(std::string(before, ' ') + error + std::string(9, ' '));
  const auto is_found_at_its_place = [](const outcome& got, const std::string& input) {
    return got.first_error == input.find_first_not_of(' ') && got.ended;
  };
  check(texts, is_found_at_its_place, ours({encoding::utf8}), {{"unsigned step back", by_an_unsigned_step_back}});
}

// simdutf 7.3 to 7.7 (issue 911), convert_utf16_to_utf8_safe: it wrote an ASCII character before it checked the room,
// one byte past the end of the buffer.
BOOST_AUTO_TEST_CASE(simdutf_911_nothing_is_written_past_the_room) {
  const trials rooms{{"\0\xE9\0A"s, "\0A\0B\0C\0D\0E"s, "\x20\xAC\0A\0B"s}, cuts::every, {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  check(rooms, is_the_same_in_utf8, ours({encoding::utf16be}),
        {by_codec("writes first", writes_ascii_before_it_asks())});
}

//---------------------------------------------------------------------------------------------------------------- glibc

/// The byte 0E is a shift. A second 0E is redundant, and reported as an error of no bytes.
step ascii_with_shifts(const unsigned char* bytes, std::size_t size, bool last) {
  if (bytes[0] != 0x0E) return bytes[0] < 0x80 ? character(bytes[0], 1) : error_of(1);
  if (size < 2) return last ? lost(1) : more;
  return bytes[1] == 0x0E ? error_of(0) : lost(1);
}

/// Writes an escape sequence of four bytes before a character, but asks for room for the character alone.
class escapes_without_asking : public mock_codec<utf8> {
 protected:
  std::string encoded(char32_t c) const override { return (c < 0x80 ? "" : "\x1B$+I") + texts::utf8({c}); }
  std::size_t asks_for(const std::string& bytes) const override {
    return bytes.size() > 4 ? bytes.size() - 4 : bytes.size();
  }
};

// glibc before 2.33 (CVE-2020-27618), iconv from IBM1364 and similar encodings: a redundant shift was an error that
// consumed nothing. A program that continued after errors met it again for ever.
BOOST_AUTO_TEST_CASE(glibc_cve_2020_27618_every_error_is_stepped_over) {
  trials redundant{{"\xEF\xBB\xBF\xEF\xBB\xBF", "\xFE\xFF\xFE\xFF", "\xFF\xFE\xFF\xFE"}, cuts::none, {1, 100}};
  for (unsigned byte = 0; byte < 0x100; ++byte) {
    const auto c = static_cast<char>(static_cast<unsigned char>(byte));
    for (const std::size_t times : {1u, 2u, 5u}) redundant.inputs.push_back("a" + std::string(times, c) + "b");
  }
  check(redundant, ends_in_bounds,
        ours({encoding::utf8, encoding::detect, encoding::utf16, encoding::utf32le, encoding::cesu8}),
        {mock<ascii_with_shifts>("an error of no bytes")});
}

// glibc before 2.40 (CVE-2024-2961), iconv to ISO-2022-CN-EXT: it wrote an escape sequence before a character without
// checking the room, up to four bytes past the end of the buffer.
BOOST_AUTO_TEST_CASE(glibc_cve_2024_2961_no_escape_and_no_bom_is_written_without_room) {
  const auto encoding_to = [](encoding to) { return by_codec("encoder", transcoder::encoding_to(to, bom::add)); };
  const auto escaping = [](const pieces& text, std::size_t room) {
    return read_by_conversion(decoder(encoding::utf8, on_error::escape), text, room);
  };
  const auto lacking = [](const pieces& text, std::size_t room) {
    return read_by_conversion(encoder(encoding::latin1, on_error::escape), text, room);
  };
  const trials rooms{{"\u202Ea", "\x1B"
                                 "a\x9B\xE3\xB4\xBD"},
                     cuts::every,
                     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  check(rooms, ends_in_bounds,
        {encoding_to(encoding::utf8),
         encoding_to(encoding::utf16),
         encoding_to(encoding::utf32),
         {"bytes escaped", escaping},
         {"characters escaped", lacking},
         by_codec("controls escaped", control_escaper())},
        {by_codec("escapes without asking", escapes_without_asking())});
}

//---------------------------------------------------------------------------------------------------------- encoding_rs

/// Forgets the bytes that it carries when it gets an empty piece.
class forgets_at_an_empty_piece : public mock_codec<utf16be> {
 public:
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) override {
    if (size == 0 && !last) drop(carried_);
    return mock_codec::transform(in, size, out, room, last);
  }
};

/// Forgets the bytes that it carries when the output is full.
class forgets_at_a_full_output : public mock_codec<utf16be> {
 public:
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) override {
    const codec_progress done = mock_codec::transform(in, size, out, room, last);
    if (done.status == codec_status::need_output) drop(carried_);
    return done;
  }
};

// encoding_rs before April 2026 (change 126), in three encodings of two bytes: it forgot a lead byte if an empty piece
// followed, or if the output was full.
BOOST_AUTO_TEST_CASE(encoding_rs_126_an_empty_piece_inside_a_character_changes_nothing) {
  const texts::text32 text = U"\u20AC\U0001F600";
  const auto is_whole = [whole = texts::utf8(text)](const outcome& got, const std::string&) {
    return got.text() == whole && got.ended && !got.first_error;
  };
  check({{texts::utf16be(text)}}, is_whole, ours({encoding::utf16be}),
        {by_codec("forgets at an empty piece", forgets_at_an_empty_piece()),
         by_codec("forgets at a full output", forgets_at_a_full_output())});
  check({{texts::utf16le(text)}}, is_whole, ours({encoding::utf16le}), {});
  check({{texts::utf8(text)}}, is_whole, ours({encoding::utf8}), {});
  check({{texts::cesu8(text)}}, is_whole, ours({encoding::cesu8}), {});
}

//---------------------------------------------------------------------------------------------------------- Boost.Beast

/// Fills the missing bytes of a sequence with 81 and checks the result.
class guesses_the_rest : public mock_codec<utf8> {
 public:
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) override {
    codec_progress done = mock_codec::transform(in, size, out, room, last);
    if (carried_ == 0 || done.status != codec_status::need_input) return done;
    std::fill(carry_.begin() + static_cast<std::ptrdiff_t>(carried_), carry_.end(), static_cast<unsigned char>(0x81));
    if (utf8(carry_.data(), carry_.size(), true).what == step::kind::character) return done;
    error_.offset = offset_;
    drop(carried_);
    done.status = codec_status::malformed;
    return done;
  }
};

// Boost.Beast before 1.69 (issue 1245): if a read ended inside a character, it put 81 in place of the missing bytes. E0
// 81 is overlong, so it refused a valid message if a read ended after E0.
BOOST_AUTO_TEST_CASE(beast_1245_a_valid_text_is_accepted_wherever_a_read_ends) {
  check({{"a\u0995b", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "\xDF\xBF",
          "\xEF\xBB\xBF"}},
        is_delivered_as_it_is, ours({encoding::utf8}), {by_codec("guesses the rest", guesses_the_rest())});
}

//----------------------------------------------------------------------------------------------------------------- POCO

/// Reads the rest of a sequence after its lead byte without checking how many bytes have arrived. Bytes of earlier
/// characters stand in for the missing ones.
step utf8_with_old_bytes(const unsigned char* bytes, std::size_t size, bool last) {
  const std::size_t length = length_of(bytes[0]);
  if (length == 0) return error_of(1);
  return size < length && !last ? more : character(value_of(bytes, length), std::min(size, length));
}

step utf16be_without_an_odd_byte(const unsigned char* bytes, std::size_t size, bool last) {
  return size % 2 == 1 && last ? lost(size) : utf16be(bytes, size, last);
}

bool tells_of_the_end(const outcome& got, const std::string&) {
  return got.text() == "\xE2\x82\xAC" + replaced && got.first_error && got.ended;
}

// POCO's InputStreamConverter reads each sequence into the buffer of the last one, and does not check how many bytes
// have arrived. If the text ends inside a character, bytes of the previous character complete this one: the euro sign
// comes twice.
BOOST_AUTO_TEST_CASE(poco_a_truncated_character_is_not_completed_from_the_one_before) {
  check({{"\xE2\x82\xAC\xE2\x82", "\xE2\x82\xAC\xE2"}}, tells_of_the_end, ours({encoding::utf8}),
        {mock<utf8_with_old_bytes>("old bytes")});
}

// POCO's OutputStreamConverter keeps an odd byte of UTF-16 until the second byte of the unit arrives. It reports
// nothing if the second byte never arrives.
BOOST_AUTO_TEST_CASE(poco_an_odd_byte_is_not_dropped) {
  check({{"\x20\xAC\x20", "\x20\xAC\xD8\x3D\xDE"}}, tells_of_the_end, ours({encoding::utf16be}),
        {mock<utf16be_without_an_odd_byte>("drops it")});
}

//------------------------------------------------------------------------------------------------------- code_converter

struct utf8_facet : std::codecvt<char32_t, char, std::mbstate_t> {};

outcome by_code_converter(const pieces& text, std::size_t) {
  const devices::piecewise_source source({text.begin(), text.end()});
  io::code_converter<devices::piecewise_source, utf8_facet> converter(source);
  outcome got;
  char32_t buffer[10];
  for (call_limit limit(text); !got.ended && !limit.exceeded(got);) {
    const std::streamsize n = converter.read(buffer, 10);
    got.ended = n < 0;
    if (n > 0) got.deliver(texts::utf8({buffer, static_cast<std::size_t>(n)}));
  }
  return got;
}

step utf8_without_a_truncated_end(const unsigned char* bytes, std::size_t size, bool last) {
  const step next = utf8(bytes, size, last);
  return last && next.what == step::kind::error && next.size == size ? lost(size) : next;
}

// Boost.Iostreams' code_converter throws for an ill-formed sequence. But if the text ends inside a sequence, it drops
// the sequence and just ends.
BOOST_AUTO_TEST_CASE(boost_iostreams_code_converter_a_truncated_end_is_reported) {
  check({{"\xE2\x82\xAC\xE2\x82", "\xE2\x82\xAC\xF0\x9F\x98"}}, tells_of_the_end, ours({encoding::utf8}),
        {mock<utf8_without_a_truncated_end>("drops it")}, {{"code_converter", by_code_converter}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
