// from_utf8_test.cpp: from_utf8 encodes UTF-8 in another encoding. utf16 and utf32 are big-endian and begin with a byte
// order mark. The results are worked out by hand. policy_test.cpp has the policies.
#define BOOST_TEST_MODULE from_utf8
#include "support/every_way.hpp"
#include "support/test_devices.hpp"

#include <utfilter/from_utf8.hpp>
#include <utfilter/utf_error.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <string>

using namespace every_way;
using namespace std::string_literals;
using devices::recording_sink;
using utfilter::from_utf8;
using utfilter::utf_error;

//-------------------------------------------------------------------------------------------------- the byte order mark

BOOST_AUTO_TEST_CASE(utf16_and_utf32_are_written_big_endian_with_exactly_one_mark) {
  for (const encoding e : {encoding::utf16, encoding::utf32}) {
    const std::string marked = in(e, U"\uFEFFA"), plain = in(e, U"A"), alone = in(e, U"\uFEFF");
    for (const bom b : {bom::automatic, bom::add}) {
      check(encoder(e, with(b)), "A", marked);
      check(encoder(e, with(b)), feff + "A", marked);
      check(encoder(e, with(b)), feff + feff, alone + alone);
      check(encoder(e, with(b)), "", alone);
    }
    check(encoder(e, with(bom::keep)), "A", plain);
    check(encoder(e, with(bom::keep)), feff + "A", marked);
    check(encoder(e, with(bom::strip)), feff + "A", plain);
    check(encoder(e, with(bom::require)), feff + "A", marked);
    check(encoder(e, with(bom::require)), "A", "", "missing_bom@0!");
    check(encoder(e, with(bom::reject)), feff + "A", "", "unexpected_bom@0!");
  }
}

BOOST_AUTO_TEST_CASE(other_targets_keep_the_bom_and_get_a_new_one_only_under_bom_add) {
  for (const encoding e :
       {encoding::utf8, encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be, encoding::cesu8}) {
    const std::string marked = in(e, U"\uFEFFA"), plain = in(e, U"A");
    for (const bom b : {bom::automatic, bom::keep}) {
      check(encoder(e, with(b)), feff + "A", marked);
      check(encoder(e, with(b)), "A", plain);
      check(encoder(e, with(b)), "", "");
    }
    check(encoder(e, with(bom::strip)), feff + "A", plain);
    check(encoder(e, with(bom::require)), feff + "A", marked);
    check(encoder(e, with(bom::require)), "", "", "missing_bom@0!");
    check(encoder(e, with(bom::reject)), feff, "", "unexpected_bom@0!");
    if (e == encoding::cesu8) continue;  // it has no byte order mark
    check(encoder(e, with(bom::add)), "A", marked);
    check(encoder(e, with(bom::add)), feff + "A", marked);
    check(encoder(e, with(bom::add)), "", in(e, U"\uFEFF"));
  }
}

BOOST_AUTO_TEST_CASE(an_8_bit_target_drops_the_bom_that_it_cannot_hold) {
  for (const encoding e : {encoding::latin1, encoding::windows1252}) {
    check(encoder(e, with(bom::automatic)), feff + "A", "A");
    check(encoder(e, with(bom::strip)), feff + "A", "A");
    check(encoder(e, with(bom::require)), feff + "A", "A");
    check(encoder(e, with(bom::reject)), feff + "A", "", "unexpected_bom@0!");
    check(encoder(e, with(bom::keep)), feff + "A", "", "unmappable@0!");
    check(encoder(e, with(bom::keep, on_error::replace)), feff + "A", "?A", "unmappable@0");
    check(encoder(e, with(bom::automatic)), feff + feff, "", "unmappable@3!");
  }
}

BOOST_AUTO_TEST_CASE(the_added_bom_precedes_an_error_at_offset_0) {
  check(encoder(encoding::utf16le, with(bom::add)), "\xFF", "\xFF\xFE", "unused_byte@0!");
  check(encoder(encoding::utf16, {}), "\x80", "\xFE\xFF", "unexpected_continuation@0!");
  check(encoder(encoding::utf32, {}), "\xC3", bytes("\0\0\xFE\xFF"), "incomplete_at_end@0!");
}

//--------------------------------------------------------------------------------------- repairs in the target encoding

BOOST_AUTO_TEST_CASE(the_replacement_is_written_in_the_target_encoding) {
  const std::string text = "\xFF";
  check(encoder(encoding::utf16le, replacing_with("<\U0001F600")), text, bytes("<\0\x3D\xD8\0\xDE"), "unused_byte@0");
  check(encoder(encoding::utf32be, replacing_with("<\U0001F600")), text, bytes("\0\0\0<\0\1\xF6\0"), "unused_byte@0");
  check(encoder(encoding::cesu8, replacing_with("\U0001F600!")), text, "\xED\xA0\xBD\xED\xB8\x80!", "unused_byte@0");
  check(encoder(encoding::windows1252, replacing_with("<\u20AC>")), text, "<\x80>", "unused_byte@0");
}

// The first byte of a character in the replacement tells its length. These characters are at the edges of the lengths.
BOOST_AUTO_TEST_CASE(the_replacement_may_have_characters_of_any_length) {
  const std::u32string edges = U"\x01\x7F\u0080\u07C0\u07FF\u0800\uD7FF\uE000\uFFFF\U00010000\U000FFFFF\U0010FFFF";
  for (const char32_t c : edges) {
    const std::u32string text = std::u32string(1, c) + U"!";
    for (const encoding e : {encoding::utf16le, encoding::utf32be})
      check(encoder(e, replacing_with(in(encoding::utf8, text))), "\xFF", in(e, text), "unused_byte@0");
  }
}

BOOST_AUTO_TEST_CASE(a_question_mark_stands_for_each_character_that_the_target_lacks) {
  check(encoder(encoding::latin1, with(on_error::replace)), "a\u20ACb", "a?b", "unmappable@1");
  check(encoder(encoding::latin1, replacing_with("<\u20AC\U0001F600\xC2\xBF>")), grin, "<??\xBF>", "unmappable@0");
  check(encoder(encoding::windows1252, with(on_error::replace)), euro + "\U0001F600\xFF", "\x80??",
        "unmappable@3 unused_byte@7");
}

BOOST_AUTO_TEST_CASE(an_8_bit_encoding_reads_and_writes_all_of_its_256_bytes) {
  std::string all;
  for (unsigned byte = 0; byte < 256; ++byte) all += static_cast<char>(static_cast<unsigned char>(byte));
  for (const encoding e : {encoding::latin1, encoding::windows1252}) {
    const setup reads = decoder(e, {}), writes = encoder(e, {});
    trial reading(reads, all);
    const auto text = reading.expected().output;
    trial writing(writes, text);
    BOOST_TEST((writing.expected().output == all));
    // Every cut of 256 bytes in three would take minutes, and all cuts use the same tables.
    for (const std::streamsize link : link_sizes) {
      BOOST_TEST(try_chains(reading, reads, {all}, link) == "");
      BOOST_TEST(try_chains(writing, writes, {text}, link) == "");
    }
    BOOST_TEST(try_codec(reading, reads, {all}) == "");
    BOOST_TEST(try_codec(writing, writes, {text}) == "");
  }
  check(encoder(encoding::latin1, {}), "\xC2\x80\xC3\xBF\xC4\x80", "\x80\xFF", "unmappable@4!");
  check(encoder(encoding::windows1252, {}), "\xC2\x81\u20AC\xC2\x80", "\x81\x80", "unmappable@5!");
}

//------------------------------------------------------------------------------------------------ refusals, and the end

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_with_the_reason) {
  for (const encoding e : {encoding::utf8, encoding::utf16, encoding::utf16le, encoding::latin1})
    check_refusal(encoder(e, with(on_error::keep)), "keep");
  for (const encoding e : {encoding::latin1, encoding::windows1252, encoding::cesu8, encoding::modified_utf8})
    check_refusal(encoder(e, with(bom::add)), "byte order mark");
  for (const bom b : {bom::automatic, bom::keep}) check_refusal(encoder(encoding::detect, with(b)), "detect");
  check_refusal(encoder(static_cast<encoding>(99), {}), "there is no such encoding");
  check_refusal(encoder(encoding::latin1, replacing_with("\xED\xA0\x80")), "replacement");
  for (const bom b : every::mark)
    if (b != bom::add) check_refusal(encoder(encoding::latin1, with(b)), "");
}

BOOST_AUTO_TEST_CASE(a_bom_is_written_by_close_and_not_by_a_flush) {
  from_utf8 filter(encoding::utf16);
  recording_sink sink;
  filter.flush(sink);
  BOOST_TEST(sink.text().empty());
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "\xFE\xFF");
  filter.flush(sink);
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "\xFE\xFF\xFE\xFF");

  recording_sink next;
  io::filtering_ostream out(from_utf8(encoding::utf16) | next);
  out.flush();
  BOOST_TEST(out.good());
  BOOST_TEST(next.text().empty());
  out.reset();
  BOOST_TEST(next.text() == "\xFE\xFF");

  // The byte order mark also comes before a strict error at offset 0.
  const auto what = "line 1, column 1 (byte 0): byte that no text contains: FF (looks like UTF-16LE)"s;
  recording_sink failing;
  BOOST_TEST(thrown_by<utf_error>([&] { filter.write(failing, "\xFF", 1); }) == what);
  BOOST_TEST(thrown_by<utf_error>([&] { filter.close(failing, std::ios::out); }) == what);
  BOOST_TEST(failing.text() == "\xFE\xFF");
}
