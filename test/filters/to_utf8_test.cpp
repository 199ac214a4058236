// to_utf8_test.cpp: to_utf8 decodes a text to UTF-8. A byte order mark decides the encoding; without one the text is in
// the encoding that params::fallback names. The results are worked out by hand. policy_test.cpp has the policies.
#define BOOST_TEST_MODULE to_utf8
#include "support/every_way.hpp"
#include "support/files.hpp"
#include "support/same_report.hpp"
#include "support/test_devices.hpp"

#include <utfilter/to_utf8.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace every_way;
using namespace std::string_literals;
using utfilter::to_utf8;

namespace {

params falling_back_to(encoding e) {
  params p;
  p.fallback = e;
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_kept_copy_still_reports_after_the_chain_is_gone) {
  to_utf8 kept(on_error::skip);
  {
    io::filtering_istream in(kept | devices::piecewise_source({"\xFF\xFEp\0\n\0\0\xD8q\0r"s}));
    BOOST_TEST(files::rest(in) == "p\nq");
  }
  BOOST_TEST((kept.report().encoding == encoding::utf16le && kept.report().bom));
  BOOST_TEST(counts_of(kept.report()) == "11 bytes in, 3 out, 1 lines, 2 errors"
                                         ", first line 2, column 1 (byte 6): unpaired high surrogate U+D800: 00 D8"
                                         ", last line 2, column 3 (byte 10): incomplete at the end of the input: 72");
}

//-------------------------------------------------------------------------------------------------- the byte order mark

BOOST_AUTO_TEST_CASE(the_bom_that_decided_is_stripped_unless_it_is_kept_or_added) {
  const std::vector<std::pair<encoding, encoding>> found = {
      // declared, written
      {encoding::detect, encoding::utf8},    {encoding::detect, encoding::utf16le},
      {encoding::detect, encoding::utf16be}, {encoding::detect, encoding::utf32le},
      {encoding::detect, encoding::utf32be}, {encoding::utf16, encoding::utf16le},
      {encoding::utf16, encoding::utf16be},  {encoding::utf32, encoding::utf32le},
      {encoding::utf32, encoding::utf32be}};
  for (const auto& [declared, written] : found) {
    const std::string text = in(written, U"\uFEFFA");
    check(decoder(declared, with(bom::automatic)), text, "A");
    check(decoder(declared, with(bom::keep)), text, feff + "A");
    check(decoder(declared, with(bom::strip)), text, "A");
    check(decoder(declared, with(bom::add)), text, feff + "A");
    check(decoder(declared, with(bom::require)), text, "A");
    check(decoder(declared, with(bom::reject)), text, "", "unexpected_bom@0!");
    check(decoder(declared, with(bom::reject, on_error::skip)), text, feff + "A", "unexpected_bom@0");
    check(decoder(declared, with(bom::strip)), in(written, U"\uFEFF\uFEFFA\uFEFF"), feff + "A" + feff);
    trial t(decoder(declared, {}), text);
    BOOST_TEST(t.expected().report.bom);
    BOOST_TEST(name_of(t.expected().report.encoding) == name_of(written));
  }
}

BOOST_AUTO_TEST_CASE(with_a_fixed_byte_order_a_mark_is_a_character_unless_a_policy_asks_for_it) {
  for (const encoding e : {encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be}) {
    const std::string text = in(e, U"\uFEFFA");
    check(decoder(e, with(bom::automatic)), text, feff + "A");
    check(decoder(e, with(bom::keep)), text, feff + "A");
    check(decoder(e, with(bom::strip)), text, "A");
    check(decoder(e, with(bom::add)), text, feff + "A");
    check(decoder(e, with(bom::require)), text, feff + "A");
    check(decoder(e, with(bom::reject)), text, "", "unexpected_bom@0!");
    for (const bom b : {bom::automatic, bom::keep}) BOOST_TEST(!trial(decoder(e, with(b)), text).expected().report.bom);
    for (const bom b : {bom::strip, bom::add, bom::require})
      BOOST_TEST(trial(decoder(e, with(b)), text).expected().report.bom);
  }
  // The mark of the other byte order is not a mark here, but the noncharacter U+FFFE.
  check(decoder(encoding::utf16le, with(bom::strip)), "\xFE\xFF", "\xEF\xBF\xBE");
}

BOOST_AUTO_TEST_CASE(text_without_a_bom_gets_one_only_under_bom_add) {
  for (const encoding e : {encoding::detect, encoding::utf8, encoding::utf16, encoding::utf16le, encoding::utf16be,
                           encoding::utf32, encoding::utf32le, encoding::utf32be}) {
    const std::string text = in(e, U"A");  // utf16 and utf32: big-endian
    for (const bom b : {bom::automatic, bom::keep, bom::strip, bom::reject}) {
      check(decoder(e, with(b)), text, "A");
      check(decoder(e, with(b)), "", "");
    }
    check(decoder(e, with(bom::add)), text, feff + "A");
    check(decoder(e, with(bom::add)), "", feff);
    check(decoder(e, with(bom::require)), text, "", "missing_bom@0!");
    check(decoder(e, with(bom::require)), "", "", "missing_bom@0!");
    check(decoder(e, with(bom::require, on_error::replace)), text, "A", "missing_bom@0");
    check(decoder(e, with(bom::require, on_error::escape)), "", "", "missing_bom@0");
  }
  for (const encoding e : {encoding::cesu8, encoding::latin1, encoding::windows1252}) {
    check(decoder(e, with(bom::automatic)), "A", "A");
    check(decoder(e, with(bom::keep)), "A", "A");
    check(decoder(e, with(bom::keep)), "", "");
  }
}

BOOST_AUTO_TEST_CASE(the_added_bom_precedes_an_error_at_offset_0) {
  check(decoder(encoding::utf8, with(bom::add)), "\xFF", feff, "unused_byte@0!");
  check(decoder(encoding::utf16le, with(bom::add)), "A", feff, "incomplete_at_end@0!");
}

BOOST_AUTO_TEST_CASE(a_bom_error_precedes_other_errors_at_offset_0) {
  check(decoder(encoding::utf8, with(bom::require, on_error::replace)), "\xFF", fffd, "missing_bom@0 unused_byte@0");
  check(decoder(encoding::utf16be, with(bom::require, on_error::skip)), "\xDC", "",
        "missing_bom@0 incomplete_at_end@0");
  check(decoder(encoding::utf8, with(bom::reject, on_error::replace)), feff + "\xFF", feff + fffd,
        "unexpected_bom@0 unused_byte@3");
  const outcome o = trial(decoder(encoding::utf8, with(bom::require, on_error::replace)), "\xFF").expected();
  BOOST_TEST(text_of(o.observed.front()) == "missing_bom at 0:1:1:0 <>");
  BOOST_TEST(text_of(o.observed.back()) == "unused_byte at 0:1:1:0 <ff>");
  const outcome r = trial(decoder(encoding::utf8, with(bom::reject, on_error::replace)), feff + "\xFF").expected();
  BOOST_TEST(text_of(r.observed.front()) == "unexpected_bom at 0:1:1:0 <efbbbf>");
  BOOST_TEST(text_of(r.observed.back()) == "unused_byte at 3:1:1:0 <ff>");
}

//------------------------------------------------------------------------------------------------------------ detection

BOOST_AUTO_TEST_CASE(detection_decides_at_the_earliest_possible_byte) {
  struct row {
    std::string arrived;
    std::string written;  // after a flush
  };
  const std::vector<row> rows = {
      {"A", "A"},
      {"\n", "\n"},
      {"\xC3\xA9", "\xC3\xA9"},
      {"\x80", fffd},
      {"\xEF", ""},
      {"\xEF\xBB", ""},
      {"\xEF\xBB\xBF", ""},
      {"\xEF\xBB\xBF!", "!"},
      {"\xEF\xBB!", "\uFFFD!"},
      {"\xEF!", "\uFFFD!"},
      {"\xEF\xBF", ""},  // decided; the start of a character waits for its rest
      {"\xFE", ""},
      {"\xFE\xFF", ""},
      {bytes("\xFE\xFF\0!"), "!"},
      {"\xFE!", "\uFFFD!"},
      {"\xFF", ""},
      {"\xFF!", "\uFFFD!"},
      {"\xFF\xFE", ""},
      {"\xFF\xFE!", ""},  // decided; half a code unit waits for its rest
      {bytes("\xFF\xFE!\0"), "!"},
      {bytes("\xFF\xFE\0"), ""},
      {bytes("\xFF\xFE\0!"), "\xE2\x84\x80"},  // U+2100
      {bytes("\xFF\xFE\0\0"), ""},
      {bytes("\xFF\xFE\0\0!\0\0\0"), "!"},
      {bytes("\0"), ""},
      {bytes("\0!"), bytes("\0!")},
      {bytes("\0\0"), ""},
      {bytes("\0\0!"), bytes("\0\0!")},
      {bytes("\0\0\xFE"), ""},
      {bytes("\0\0\xFE!"), bytes("\0\0") + "\uFFFD!"},
      {bytes("\0\0\xFE\xFF\0\0\0!"), "!"},
  };
  for (const row& r : rows) {
    BOOST_TEST_INFO_SCOPE(to_hex(r.arrived));
    device_state sink;
    io::filtering_ostream out(utfilter::to_utf8(on_error::replace) | collecting_sink(sink));
    out << r.arrived << std::flush;
    BOOST_TEST(to_hex(sink.written) == to_hex(r.written));
  }
}

BOOST_AUTO_TEST_CASE(bytes_that_are_undecided_at_the_end_are_decoded_not_dropped) {
  const setup detect = decoder(encoding::detect, with(on_error::replace));
  check(detect, "\xEF", fffd, "incomplete_at_end@0");
  check(detect, "\xEF\xBB", fffd, "incomplete_at_end@0");
  check(detect, "\xEF\xBB!", "\uFFFD!", "truncated_sequence@0");
  check(detect, "\xFE", fffd, "unused_byte@0");
  check(detect, "\xFF", fffd, "unused_byte@0");
  check(detect, "\xFF\xFE", "");
  check(detect, bytes("\xFF\xFE\0"), fffd, "incomplete_at_end@2");
  check(detect, bytes("\0\0\xFE"), bytes("\0\0") + fffd, "unused_byte@2");
}

BOOST_AUTO_TEST_CASE(text_without_a_bom_is_in_the_fallback_encoding) {
  check(decoder(encoding::detect, falling_back_to(encoding::latin1)), "\xEF\xBB!", "\xC3\xAF\xC2\xBB!");
  check(decoder(encoding::detect, falling_back_to(encoding::windows1252)), "\xFE\x80", "\xC3\xBE\u20AC");
  check(decoder(encoding::detect, falling_back_to(encoding::utf16le)), bytes("A\0"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::utf16)), bytes("\0A"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::utf32)), bytes("\0\0\0A"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::utf32le)), bytes("A\0\0\0"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::cesu8)), "\xED\xA0\xBD\xED\xB8\x80", grin);
  check(decoder(encoding::detect, falling_back_to(encoding::latin1)), feff + euro, euro);
  check(decoder(encoding::detect, falling_back_to(encoding::latin1)), "\xFF\xFE!", "", "incomplete_at_end@2!");
  BOOST_TEST(
      name_of(trial(decoder(encoding::detect, falling_back_to(encoding::latin1)), "").expected().report.encoding) ==
      "latin1");
}

//------------------------------------------------------------------------------------------------ refusals, and the end

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_with_the_reason) {
  for (const encoding e : {encoding::detect, encoding::utf16, encoding::cesu8, encoding::latin1})
    check_refusal(decoder(e, with(on_error::keep)), "keep");
  check_refusal(decoder(encoding::utf8, with(on_error::keep)), "");
  check_refusal(decoder(encoding::detect, replacing_with("\xED\xA0\x80")), "replacement");
  check_refusal(decoder(encoding::detect, falling_back_to(encoding::detect)), "fallback");
  check_refusal(decoder(static_cast<encoding>(99), {}), "there is no such encoding");
  for (const encoding e : {encoding::cesu8, encoding::latin1, encoding::windows1252})
    for (const bom b : {bom::strip, bom::require, bom::reject}) check_refusal(decoder(e, with(b)), "byte order mark");
  for (const bom b : every::mark) check_refusal(decoder(encoding::detect, with(b)), "");
}

BOOST_AUTO_TEST_CASE(an_input_that_was_never_read_reports_no_missing_bom) {
  device_state source;
  to_utf8 filter(encoding::utf8, with(bom::require));
  {
    io::filtering_istream in(filter | pieces_source(source));
    BOOST_CHECK_NO_THROW(in.reset());
  }
  BOOST_TEST(filter.report().errors == 0u);
  BOOST_TEST(!filter.report().first_error.has_value());
}

BOOST_AUTO_TEST_CASE(after_close_the_filter_reads_again_from_the_start) {
  to_utf8 filter;
  devices::piecewise_source first({"\xFF\xFEp", "\0\n\0\x3D"s});
  BOOST_TEST(read_all(filter, first).substr(0, 3) == "p\n!");
  filter.close(first, std::ios::in);
  BOOST_TEST(filter.report().errors == 1u);  // the report stays
  BOOST_TEST((filter.report().encoding == encoding::utf16le));

  devices::piecewise_source second({"q\xC3\xA4"});
  BOOST_TEST(read_all(filter, second) == "q\xC3\xA4$");
  BOOST_TEST((filter.report().encoding == encoding::utf8 && !filter.report().bom));
  BOOST_TEST(counts_of(filter.report()) == "3 bytes in, 3 out, 0 lines, 0 errors");
}
