// policy_test.cpp: the treatment of errors and signatures under each policy. The results are worked out by hand. Each
// case runs through the codec and through chains in both directions, in every cut.
#define BOOST_TEST_MODULE policy
#include <boost/test/unit_test.hpp>

#include "support/conformance.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"

#include <boost/iostreams/device/back_inserter.hpp>

#include <functional>
#include <stdexcept>
#include <system_error>

namespace {

using namespace conformance;
using utfilter::params;

const std::string mark = "\xEF\xBB\xBF";      // U+FEFF in UTF-8
const std::string fffd = "\xEF\xBF\xBD";      // U+FFFD
const std::string euro = "\xE2\x82\xAC";      // U+20AC
const std::string grin = "\xF0\x9F\x98\x80";  // U+1F600

params falling_back_to(encoding e, on_error policy = on_error::strict) {
  params p = with(policy);
  p.fallback = e;
  return p;
}
params limited_to(std::uint64_t errors, on_error policy) {
  params p = with(policy);
  p.error_limit = errors;
  return p;
}

setup decoder(encoding from, params p) { return {filter_kind::decoder, from, std::move(p)}; }
setup encoder(encoding to, params p) { return {filter_kind::encoder, to, std::move(p)}; }
setup validator(params p) { return {filter_kind::validator, encoding::utf8, std::move(p)}; }
setup signature_of(encoding e, bom b, on_error policy = on_error::strict) {
  return {filter_kind::signature, e, with(b, policy)};
}

/// "overlong@3 unexpected_continuation@4!": the observed errors. A ! follows if the last one was thrown.
std::string summary(const outcome& o) {
  std::string text;
  for (const error_info& e : o.observed)
    text += (text.empty() ? "" : " ") + std::string(name_of(e.code, errc_names)) + '@' + std::to_string(e.offset);
  return o.thrown ? text + '!' : text;
}

/// Checks that the reading chain, the writing chain and the codec give this output and these errors for every cut.
void check(const setup& s, const std::string& input, const std::string& output, const std::string& errors = "") {
  BOOST_TEST_CONTEXT(text_of(s) << ", " << to_hex(input)) {
    trial t(s, input);
    BOOST_TEST(to_hex(t.expected().output) == to_hex(output));
    BOOST_TEST(summary(t.expected()) == errors);
    const std::string why = try_everything(t, s, input);
    BOOST_TEST(why.empty(), why);
  }
}

template <class Character, std::size_t N>
std::string bytes(const Character (&text)[N]) {
  static_assert(sizeof(Character) == 1);
  return {text, N - 1};
}

/// The text in an encoding that has all its characters.
std::string in(encoding e, const std::u32string& text) {
  std::string out;
  for (const char32_t c : text) out += reference::encode(to_reference(e), c);
  return out;
}

}  // namespace

//----------------------------------------------------------------------------------------------------------- signatures

BOOST_AUTO_TEST_CASE(the_signature_that_decided_is_stripped_unless_it_is_kept_or_added) {
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
    check(decoder(declared, with(bom::keep)), text, mark + "A");
    check(decoder(declared, with(bom::strip)), text, "A");
    check(decoder(declared, with(bom::add)), text, mark + "A");
    check(decoder(declared, with(bom::require)), text, "A");
    check(decoder(declared, with(bom::reject)), text, "", "unexpected_bom@0!");
    check(decoder(declared, with(bom::reject, on_error::skip)), text, mark + "A", "unexpected_bom@0");
    check(decoder(declared, with(bom::strip)), in(written, U"\uFEFF\uFEFFA\uFEFF"), mark + "A" + mark);
    trial t(decoder(declared, {}), text);
    BOOST_TEST(t.expected().report.bom);
    BOOST_TEST(name_of(t.expected().report.encoding) == name_of(written));
  }
}

BOOST_AUTO_TEST_CASE(utf8_keeps_its_signature_unless_it_is_stripped) {
  const std::string text = mark + "A";
  for (const auto& declared : {filter_kind::decoder, filter_kind::validator}) {
    const auto under = [&](bom b, on_error e = on_error::strict) {
      return setup{declared, encoding::utf8, with(b, e)};
    };
    check(under(bom::automatic), text, text);
    check(under(bom::keep), text, text);
    check(under(bom::strip), text, "A");
    check(under(bom::strip), mark + text, text);
    check(under(bom::add), text, text);
    check(under(bom::require), text, text);
    check(under(bom::reject), text, "", "unexpected_bom@0!");
    check(under(bom::reject, on_error::replace), text, text, "unexpected_bom@0");
    check(under(bom::reject, on_error::keep), text, text, "unexpected_bom@0");
    check(under(bom::reject), "A" + mark, "A" + mark);
  }
}

BOOST_AUTO_TEST_CASE(with_a_fixed_byte_order_a_mark_is_a_character_unless_a_policy_asks_for_it) {
  for (const encoding e : {encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be}) {
    const std::string text = in(e, U"\uFEFFA");
    check(decoder(e, with(bom::automatic)), text, mark + "A");
    check(decoder(e, with(bom::keep)), text, mark + "A");
    check(decoder(e, with(bom::strip)), text, "A");
    check(decoder(e, with(bom::add)), text, mark + "A");
    check(decoder(e, with(bom::require)), text, mark + "A");
    check(decoder(e, with(bom::reject)), text, "", "unexpected_bom@0!");
    for (const bom b : {bom::automatic, bom::keep}) BOOST_TEST(!trial(decoder(e, with(b)), text).expected().report.bom);
    for (const bom b : {bom::strip, bom::add, bom::require})
      BOOST_TEST(trial(decoder(e, with(b)), text).expected().report.bom);
  }
  // The mark of the other byte order is not a mark here, but the noncharacter U+FFFE.
  check(decoder(encoding::utf16le, with(bom::strip)), "\xFE\xFF", "\xEF\xBF\xBE");
}

BOOST_AUTO_TEST_CASE(text_without_a_signature_gets_one_only_under_bom_add) {
  for (const encoding e : {encoding::detect, encoding::utf8, encoding::utf16, encoding::utf16le, encoding::utf16be,
                           encoding::utf32, encoding::utf32le, encoding::utf32be}) {
    const std::string text = in(e, U"A");  // utf16 and utf32: big-endian
    for (const bom b : {bom::automatic, bom::keep, bom::strip, bom::reject}) {
      check(decoder(e, with(b)), text, "A");
      check(decoder(e, with(b)), "", "");
    }
    check(decoder(e, with(bom::add)), text, mark + "A");
    check(decoder(e, with(bom::add)), "", mark);
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

BOOST_AUTO_TEST_CASE(utf16_and_utf32_are_written_big_endian_with_exactly_one_mark) {
  for (const encoding e : {encoding::utf16, encoding::utf32}) {
    const std::string marked = in(e, U"\uFEFFA"), plain = in(e, U"A"), alone = in(e, U"\uFEFF");
    for (const bom b : {bom::automatic, bom::add}) {
      check(encoder(e, with(b)), "A", marked);
      check(encoder(e, with(b)), mark + "A", marked);
      check(encoder(e, with(b)), mark + mark, alone + alone);
      check(encoder(e, with(b)), "", alone);
    }
    check(encoder(e, with(bom::keep)), "A", plain);
    check(encoder(e, with(bom::keep)), mark + "A", marked);
    check(encoder(e, with(bom::strip)), mark + "A", plain);
    check(encoder(e, with(bom::require)), mark + "A", marked);
    check(encoder(e, with(bom::require)), "A", "", "missing_bom@0!");
    check(encoder(e, with(bom::reject)), mark + "A", "", "unexpected_bom@0!");
  }
}

BOOST_AUTO_TEST_CASE(other_targets_keep_the_signature_and_get_a_new_one_only_under_bom_add) {
  for (const encoding e :
       {encoding::utf8, encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be, encoding::cesu8}) {
    const std::string marked = in(e, U"\uFEFFA"), plain = in(e, U"A");
    for (const bom b : {bom::automatic, bom::keep}) {
      check(encoder(e, with(b)), mark + "A", marked);
      check(encoder(e, with(b)), "A", plain);
      check(encoder(e, with(b)), "", "");
    }
    check(encoder(e, with(bom::strip)), mark + "A", plain);
    check(encoder(e, with(bom::require)), mark + "A", marked);
    check(encoder(e, with(bom::require)), "", "", "missing_bom@0!");
    check(encoder(e, with(bom::reject)), mark, "", "unexpected_bom@0!");
    if (e == encoding::cesu8) continue;  // it has no signature
    check(encoder(e, with(bom::add)), "A", marked);
    check(encoder(e, with(bom::add)), mark + "A", marked);
    check(encoder(e, with(bom::add)), "", in(e, U"\uFEFF"));
  }
}

BOOST_AUTO_TEST_CASE(an_8_bit_target_drops_the_signature_that_it_cannot_hold) {
  for (const encoding e : {encoding::latin1, encoding::windows1252}) {
    check(encoder(e, with(bom::automatic)), mark + "A", "A");
    check(encoder(e, with(bom::strip)), mark + "A", "A");
    check(encoder(e, with(bom::require)), mark + "A", "A");
    check(encoder(e, with(bom::reject)), mark + "A", "", "unexpected_bom@0!");
    check(encoder(e, with(bom::keep)), mark + "A", "", "unmappable@0!");
    check(encoder(e, with(bom::keep, on_error::replace)), mark + "A", "?A", "unmappable@0");
    check(encoder(e, with(bom::automatic)), mark + mark, "", "unmappable@3!");
  }
}

BOOST_AUTO_TEST_CASE(the_added_signature_precedes_an_error_at_offset_0) {
  check(decoder(encoding::utf8, with(bom::add)), "\xFF", mark, "unused_byte@0!");
  check(decoder(encoding::utf16le, with(bom::add)), "A", mark, "incomplete_at_end@0!");
  check(encoder(encoding::utf16le, with(bom::add)), "\xFF", "\xFF\xFE", "unused_byte@0!");
  check(encoder(encoding::utf16, {}), "\x80", "\xFE\xFF", "unexpected_continuation@0!");
  check(encoder(encoding::utf32, {}), "\xC3", bytes("\0\0\xFE\xFF"), "incomplete_at_end@0!");
}

BOOST_AUTO_TEST_CASE(a_signature_error_precedes_other_errors_at_offset_0) {
  check(decoder(encoding::utf8, with(bom::require, on_error::replace)), "\xFF", fffd, "missing_bom@0 unused_byte@0");
  check(decoder(encoding::utf16be, with(bom::require, on_error::skip)), "\xDC", "",
        "missing_bom@0 incomplete_at_end@0");
  check(decoder(encoding::utf8, with(bom::reject, on_error::replace)), mark + "\xFF", mark + fffd,
        "unexpected_bom@0 unused_byte@3");
  const outcome o = trial(decoder(encoding::utf8, with(bom::require, on_error::replace)), "\xFF").expected();
  BOOST_TEST(text_of(o.observed.front()) == "missing_bom at 0:1:1:0 <>");
  BOOST_TEST(text_of(o.observed.back()) == "unused_byte at 0:1:1:0 <ff>");
  const outcome r = trial(decoder(encoding::utf8, with(bom::reject, on_error::replace)), mark + "\xFF").expected();
  BOOST_TEST(text_of(r.observed.front()) == "unexpected_bom at 0:1:1:0 <efbbbf>");
  BOOST_TEST(text_of(r.observed.back()) == "unused_byte at 3:1:1:0 <ff>");
}

BOOST_AUTO_TEST_CASE(with_a_fixed_byte_order_bom_filter_takes_a_mark_for_a_character_unless_a_policy_asks_for_it) {
  for (const bom b : {bom::automatic, bom::keep, bom::strip, bom::add, bom::reject}) {
    const outcome o = trial(signature_of(encoding::utf16le, b, on_error::replace), "\xFF\xFE!").expected();
    BOOST_TEST(o.report.bom == (b != bom::automatic && b != bom::keep));
    check(signature_of(encoding::utf16le, b, on_error::replace), "\xFF\xFE!", b == bom::strip ? "!" : "\xFF\xFE!",
          b == bom::reject ? "unexpected_bom@0" : "");
  }
}

BOOST_AUTO_TEST_CASE(a_value_that_names_no_encoding_is_refused) {
  const auto nonsense = static_cast<encoding>(99);
  BOOST_CHECK_THROW(utfilter::to_utf8{nonsense}, std::invalid_argument);
  BOOST_CHECK_THROW(utfilter::from_utf8{nonsense}, std::invalid_argument);
  BOOST_CHECK_THROW(utfilter::bom_filter(bom::strip, nonsense), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(on_error_keep_is_refused_when_encoding_even_to_utf8) {
  for (const encoding e : {encoding::utf8, encoding::utf16le, encoding::latin1})
    BOOST_CHECK_THROW(utfilter::from_utf8(e, on_error::keep), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(bom_filter_touches_the_signature_only) {
  const std::string noise = "\xFF\xC0\n\xEF\xBB\xBF";
  check(signature_of(encoding::utf8, bom::strip), mark + noise, noise);
  check(signature_of(encoding::utf8, bom::strip), noise, noise);
  check(signature_of(encoding::utf8, bom::strip), "\xEF\xBB", "\xEF\xBB");
  check(signature_of(encoding::utf8, bom::keep), mark + noise, mark + noise);
  check(signature_of(encoding::utf8, bom::add), noise, mark + noise);
  check(signature_of(encoding::utf8, bom::add), mark + noise, mark + noise);
  check(signature_of(encoding::utf8, bom::add), "", mark);
  check(signature_of(encoding::utf8, bom::require), noise, "", "missing_bom@0!");
  check(signature_of(encoding::utf8, bom::require), "", "", "missing_bom@0!");
  check(signature_of(encoding::utf8, bom::require, on_error::skip), noise, noise, "missing_bom@0");
  check(signature_of(encoding::utf8, bom::reject), mark + noise, "", "unexpected_bom@0!");
  check(signature_of(encoding::utf8, bom::reject, on_error::keep), mark + noise, mark + noise, "unexpected_bom@0");

  check(signature_of(encoding::utf16, bom::strip), "\xFF\xFE!", "!");
  check(signature_of(encoding::utf16, bom::strip), "\xFE\xFF!", "!");
  check(signature_of(encoding::utf16, bom::add), "!", "\xFE\xFF!");
  check(signature_of(encoding::utf16, bom::add), "\xFF\xFE!", "\xFF\xFE!");
  check(signature_of(encoding::utf16le, bom::add), "!", "\xFF\xFE!");
  check(signature_of(encoding::utf16le, bom::strip), "\xFE\xFF!", "\xFE\xFF!");
  check(signature_of(encoding::utf32, bom::add), "", bytes("\0\0\xFE\xFF"));
  check(signature_of(encoding::utf32le, bom::strip), bytes("\xFF\xFE\0\0!"), "!");
  check(signature_of(encoding::detect, bom::strip), bytes("\xFF\xFE\0\0!"), "!");
  check(signature_of(encoding::detect, bom::strip), bytes("\xFF\xFE\0!"), bytes("\0!"));
  check(signature_of(encoding::detect, bom::strip), mark, "");
  check(signature_of(encoding::detect, bom::require), "A", "", "missing_bom@0!");
  BOOST_TEST(trial(signature_of(encoding::utf8, bom::strip), "\n\n").expected().report.lines == 0u);
}

BOOST_AUTO_TEST_CASE(bom_filter_strips_unless_told_otherwise) {
  const auto written = [](utfilter::bom_filter filter) {
    std::string out;
    io::filtering_ostream chain(filter | io::back_inserter(out));
    chain << mark << "A";
    chain.reset();
    return out;
  };
  BOOST_TEST(written(utfilter::bom_filter()) == "A");
  BOOST_TEST(written(utfilter::bom_filter(params{})) == "A");
  BOOST_TEST(written(utfilter::bom_filter(on_error::replace)) == "A");
  BOOST_TEST(written(utfilter::bom_filter(with(bom::keep))) == mark + "A");
  BOOST_TEST(written(utfilter::bom_filter(bom::keep)) == mark + "A");
  BOOST_TEST(written(utfilter::bom_filter(bom::keep, with(bom::strip))) ==
             mark + "A");  // params::bom counts only if params is the only argument
}

BOOST_AUTO_TEST_CASE(a_flush_alone_never_writes_a_signature) {
  device_state sink;
  io::filtering_ostream out(utfilter::from_utf8(encoding::utf16) | collecting_sink(sink));
  out.flush();
  BOOST_TEST(out.good());
  BOOST_TEST(sink.written == "");
  out.reset();
  BOOST_TEST(to_hex(sink.written) == "feff");
}

BOOST_AUTO_TEST_CASE(an_input_that_was_never_read_reports_no_missing_signature) {
  device_state source;
  utfilter::to_utf8 filter(encoding::utf8, with(bom::require));
  {
    io::filtering_istream in(filter | pieces_source(source));
    BOOST_CHECK_NO_THROW(in.reset());
  }
  BOOST_TEST(filter.report().errors == 0u);
  BOOST_TEST(!filter.report().first_error.has_value());
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
    BOOST_TEST_CONTEXT(to_hex(r.arrived)) {
      device_state sink;
      io::filtering_ostream out(utfilter::to_utf8(on_error::replace) | collecting_sink(sink));
      out << r.arrived << std::flush;
      BOOST_TEST(to_hex(sink.written) == to_hex(r.written));
    }
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

BOOST_AUTO_TEST_CASE(text_without_a_signature_is_in_the_fallback_encoding) {
  check(decoder(encoding::detect, falling_back_to(encoding::latin1)), "\xEF\xBB!", "\xC3\xAF\xC2\xBB!");
  check(decoder(encoding::detect, falling_back_to(encoding::windows1252)), "\xFE\x80", "\xC3\xBE\u20AC");
  check(decoder(encoding::detect, falling_back_to(encoding::utf16le)), bytes("A\0"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::utf16)), bytes("\0A"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::utf32)), bytes("\0\0\0A"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::utf32le)), bytes("A\0\0\0"), "A");
  check(decoder(encoding::detect, falling_back_to(encoding::cesu8)), "\xED\xA0\xBD\xED\xB8\x80", grin);
  check(decoder(encoding::detect, falling_back_to(encoding::latin1)), mark + euro, euro);
  check(decoder(encoding::detect, falling_back_to(encoding::latin1)), "\xFF\xFE!", "", "incomplete_at_end@2!");
  BOOST_TEST(
      name_of(trial(decoder(encoding::detect, falling_back_to(encoding::latin1)), "").expected().report.encoding) ==
      "latin1");
}

//--------------------------------------------------------------------------------------------------------------- errors

BOOST_AUTO_TEST_CASE(replace_writes_the_replacement_once_for_each_ill_formed_subsequence) {
  check(validator(with(on_error::replace)), "p\xF0\x9F\x98q\xFF\xFE", "p\uFFFDq\uFFFD\uFFFD",
        "truncated_sequence@1 unused_byte@5 unused_byte@6");
  check(validator(replacing_with("[?]")), "\xFF.\x80", "[?].[?]", "unused_byte@0 unexpected_continuation@2");
  check(validator(replacing_with("")), "\xFF.\x80", ".", "unused_byte@0 unexpected_continuation@2");
  check(validator(replacing_with("\U0001F600\xC3\xA9")), "\xFF", "\U0001F600\xC3\xA9", "unused_byte@0");
  check(validator(replacing_with(std::string(9, '-') + euro)), "\xFF", std::string(9, '-') + euro, "unused_byte@0");
  check(decoder(encoding::utf16le, replacing_with("<\u20AC>")), bytes("\0\xD8!\0"), "<\u20AC>!",
        "unpaired_high_surrogate@0");
}

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

BOOST_AUTO_TEST_CASE(skip_leaves_out_errors) {
  check(validator(with(on_error::skip)), "p\xC0\x80q", "pq", "overlong@1 unexpected_continuation@2");
  check(encoder(encoding::latin1, with(on_error::skip)), "p\u20ACq\xE9", "pq", "unmappable@1 incomplete_at_end@5");
  check(decoder(encoding::utf32be, with(on_error::skip)), bytes("\0\0\xD8\0\0\0\0!\0\x11\0\0"), "!",
        "surrogate@0 out_of_range@8");
}

BOOST_AUTO_TEST_CASE(escape_shows_bytes_and_code_points) {
  check(validator(with(on_error::escape)), "\\\xFF\xE2\x82.", "\\\\xFF\\xE2\\x82.",
        "unused_byte@1 truncated_sequence@2");
  check(validator(with(on_error::escape)), "\xED\xA0\x80", "\\xED\\xA0\\x80",
        "surrogate@0 unexpected_continuation@1 unexpected_continuation@2");
  check(decoder(encoding::utf16be, with(on_error::escape)), bytes("\xD8\0\0!\xDF\xFF"), "\\u{D800}!\\u{DFFF}",
        "unpaired_high_surrogate@0 unpaired_low_surrogate@4");
  check(decoder(encoding::utf16be, with(on_error::escape)), bytes("\0"), "\\x00", "incomplete_at_end@0");
  check(decoder(encoding::utf16be, with(on_error::escape)), bytes("\xD8\0\xDC"), "\\u{D800}\\xDC",
        "incomplete_at_end@0");
  check(decoder(encoding::utf32le, with(on_error::escape)), bytes("\0\xD8\0\0\0\0\x11\0!"),
        "\\u{D800}\\x00\\x00\\x11\\x00\\x21", "surrogate@0 out_of_range@4 incomplete_at_end@8");
  check(decoder(encoding::cesu8, with(on_error::escape)), "\xED\xB0\x80\xED\xA0\x80\xED\xB0",
        "\\u{DC00}\\u{D800}\\xED\\xB0", "unpaired_low_surrogate@0 incomplete_at_end@3");
  check(decoder(encoding::cesu8, with(on_error::escape)), "\xED\xA5\x80\xED", "\\u{D940}\\xED", "incomplete_at_end@0");
  // Half a surrogate pair of UTF-16. One of its bytes could also belong to a surrogate in CESU-8, such as ED A5 80.
  check(decoder(encoding::utf16be, with(on_error::escape)), "\xD8\xA5!", "\\u{D8A5}\\x21", "incomplete_at_end@0");
  check(decoder(encoding::utf16le, with(on_error::escape)), "\xED\xD8!", "\\u{D8ED}\\x21", "incomplete_at_end@0");
  check(decoder(encoding::cesu8, with(on_error::escape)), "\xF0\xED", "\\xF0\\xED",
        "forbidden_length@0 incomplete_at_end@1");
  check(encoder(encoding::latin1, with(on_error::escape)), "\xC4\x80\u20AC\U0001F600", "\\u{0100}\\u{20AC}\\u{1F600}",
        "unmappable@0 unmappable@2 unmappable@5");
  check(encoder(encoding::latin1, with(on_error::escape)), "\xF4\x8F\xBF\xBF\xFF", "\\u{10FFFF}\\xFF",
        "unmappable@0 unused_byte@4");
  check(encoder(encoding::latin1, with(on_error::escape)), in(encoding::utf8, U"\uFFFF\U00010000\U000FFFFF\U00100000"),
        "\\u{FFFF}\\u{10000}\\u{FFFFF}\\u{100000}", "unmappable@0 unmappable@3 unmappable@7 unmappable@11");
  check(encoder(encoding::utf16le, with(on_error::escape)), "\xFF", bytes("\\\0x\0F\0F\0"), "unused_byte@0");
}

BOOST_AUTO_TEST_CASE(keep_passes_the_bytes_on_and_counts_them) {
  const std::string text = "a\xFF\xE2\x82\n\xED\xA0\x80\xC3";
  const std::string errors =
      "unused_byte@1 truncated_sequence@2 surrogate@5 unexpected_continuation@6 unexpected_continuation@7 "
      "incomplete_at_end@8";
  check(validator(with(on_error::keep)), text, text, errors);
  check(decoder(encoding::utf8, with(on_error::keep)), text, text, errors);
}

BOOST_AUTO_TEST_CASE(windows1252_reads_each_ill_formed_byte_of_utf8) {
  const params p = with(on_error::windows1252);
  check(validator(p), "caf\xE9 \x80", "caf\xC3\xA9 \u20AC", "truncated_sequence@3 unexpected_continuation@5");
  check(validator(p), "\xF0\x9F\x98!", "\xC3\xB0\xC5\xB8\xCB\x9C!", "truncated_sequence@0");
  check(validator(p), "\x81\xFF", "\xC2\x81\xC3\xBF", "unexpected_continuation@0 unused_byte@1");
  check(decoder(encoding::detect, p), mark + "\x80", euro, "unexpected_continuation@3");
  check(encoder(encoding::utf16be, p), "\x80", "\x20\xAC", "unexpected_continuation@0");
  check(encoder(encoding::latin1, p), "\xE9 \x80", "\xE9 ?", "truncated_sequence@0 unexpected_continuation@2");
  // For all other errors the policy does the same as replace.
  check(encoder(encoding::latin1, p), euro, "?", "unmappable@0");
  check(decoder(encoding::utf16be, p), "\x80", fffd, "incomplete_at_end@0");
  check(decoder(encoding::cesu8, p), "\x80", fffd, "unexpected_continuation@0");
  check(decoder(encoding::detect, p), "\xFE\xFF\x80", fffd, "incomplete_at_end@2");
}

BOOST_AUTO_TEST_CASE(stop_ends_reading_and_throws_when_writing) {
  const setup s = validator(with(on_error::stop));
  const auto text = "pq\n\xFFrs\xFF";
  check(s, text, "pq\n", "unused_byte@3");
  const outcome writing = trial(s, text).expected(true);
  BOOST_TEST(writing.output == "pq\n");
  BOOST_TEST(summary(writing) == "unused_byte@3!");
  check(decoder(encoding::utf16le, with(on_error::stop)), bytes("!\0\0\xDC!\0"), "!", "unpaired_low_surrogate@2");
  check(decoder(encoding::utf8, with(bom::require, on_error::stop)), "p", "", "missing_bom@0");
}

BOOST_AUTO_TEST_CASE(the_error_beyond_the_limit_is_counted_and_thrown) {
  const std::string text = "\xFF.\xFE.\x80.";
  const std::string first = "unused_byte@0", second = first + " unused_byte@2",
                    third = second + " unexpected_continuation@4";
  for (const on_error policy :
       {on_error::replace, on_error::skip, on_error::escape, on_error::keep, on_error::windows1252}) {
    const auto repaired = [&](std::size_t n) {
      return trial(validator(with(policy)), text.substr(0, n)).expected().output;
    };
    check(validator(limited_to(0, policy)), text, "", first + "!");
    check(validator(limited_to(1, policy)), text, repaired(2), second + "!");
    check(validator(limited_to(2, policy)), text, repaired(4), third + "!");
    check(validator(limited_to(3, policy)), text, repaired(6), third);
  }
  check(validator(limited_to(9, on_error::strict)), text, "", first + "!");
  params p = with(bom::require, on_error::replace);
  p.error_limit = 1;
  check(decoder(encoding::utf8, p), "a\xFF", "a", "missing_bom@0 unused_byte@1!");
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

//------------------------------------------------------------------------------------------------ observers, exceptions

BOOST_AUTO_TEST_CASE(the_report_counts_an_error_before_the_observer_is_called) {
  std::vector<std::uint64_t> counted;
  std::optional<utfilter::utf8_validator> filter;
  params p = with(on_error::skip);
  p.observer = [&](const error_info&) { counted.push_back(filter->report().errors); };
  filter.emplace(p);
  device_state sink;
  io::filtering_ostream out(*filter | collecting_sink(sink));
  out << "\xFF.\xFF\xFF";
  out.reset();
  BOOST_TEST(counted == (std::vector<std::uint64_t>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_observer_that_throws_fails_the_stream_like_a_strict_error) {
  struct enough {};
  params p = with(on_error::replace);
  p.observer = [](const error_info& e) {
    if (e.offset == 3) throw enough();
  };
  const std::string text = "\xFFpq\xFFr";
  {
    device_state source;
    utfilter::utf8_validator filter(p);
    source.text = {text};
    io::filtering_istream in(filter | pieces_source(source));
    std::string got;
    for (int i = 0; i < 2; ++i) {
      BOOST_CHECK_THROW(for (std::istreambuf_iterator<char> it(in), end; it != end; ++it) got += *it, enough);
      BOOST_TEST(got == "\uFFFDpq");
    }
    BOOST_CHECK_NO_THROW(in.reset());
    BOOST_TEST(filter.report().errors == 2u);
  }
  {
    device_state sink;
    utfilter::utf8_validator filter(p);
    io::filtering_ostream out;
    out.push(filter, 0);
    out.push(collecting_sink(sink), 0);
    out.exceptions(std::ios::badbit);
    BOOST_CHECK_THROW(out.write(text.data(), static_cast<std::streamsize>(text.size())), enough);
    BOOST_CHECK_THROW(out.reset(), enough);
    BOOST_TEST(sink.written == "\uFFFDpq");
    BOOST_TEST(filter.report().errors == 2u);
  }
}

BOOST_AUTO_TEST_CASE(the_exception_says_what_and_where) {
  device_state source;
  source.text = {"a\nb\n0123456789abc\xC0"};
  io::filtering_istream in(utfilter::utf8_validator() | pieces_source(source));
  in.exceptions(std::ios::badbit);
  std::string line;
  const auto e = caught<utfilter::utf_error>([&] {
    while (std::getline(in, line)) {
    }
  });
  BOOST_REQUIRE(e.has_value());
  BOOST_TEST(e->what() == "line 3, column 14 (byte 17): overlong encoding: C0"s);
  BOOST_TEST((e->code() == errc::overlong));
  BOOST_TEST((e->code() == std::errc::illegal_byte_sequence));
  BOOST_TEST(line == "0123456789abc");
}

//------------------------------------------------------------------------------------------------- invalid combinations

BOOST_AUTO_TEST_CASE(invalid_combinations_are_refused_with_the_reason) {
  using namespace utfilter;
  struct row {
    const char* what;
    std::function<void()> construct;
    const char* reason;  // a part of the message
  };
  const params keeping = with(on_error::keep), ill_formed = replacing_with("\xED\xA0\x80"),
               cut_off = replacing_with("a\xC3");
  std::vector<row> rows = {
      {"keep from utf16", [&] { to_utf8(encoding::utf16, on_error::keep); }, "keep"},
      {"keep from latin1", [&] { to_utf8(encoding::latin1, keeping); }, "keep"},
      {"keep from cesu8", [&] { to_utf8(encoding::cesu8, keeping); }, "keep"},
      {"keep from detect", [&] { to_utf8{keeping}; }, "keep"},
      {"keep in utf16_to_utf8", [&] { utf16_to_utf8{on_error::keep}; }, "keep"},
      {"keep to utf16", [&] { from_utf8(encoding::utf16, on_error::keep); }, "keep"},
      {"keep to latin1", [&] { from_utf8(encoding::latin1, keeping); }, "keep"},
      {"ill-formed replacement, validator", [&] { utf8_validator{ill_formed}; }, "replacement"},
      {"ill-formed replacement, decoder", [&] { to_utf8{ill_formed}; }, "replacement"},
      {"ill-formed replacement, utf16", [&] { utf16_to_utf8{ill_formed}; }, "replacement"},
      {"ill-formed replacement, encoder", [&] { from_utf8(encoding::latin1, ill_formed); }, "replacement"},
      {"cut-off replacement", [&] { utf8_validator{cut_off}; }, "replacement"},
      {"signature added to latin1", [&] { from_utf8(encoding::latin1, with(bom::add)); }, "byte order mark"},
      {"signature added to windows1252", [&] { from_utf8(encoding::windows1252, with(bom::add)); }, "byte order mark"},
      {"signature added to cesu8", [&] { from_utf8(encoding::cesu8, with(bom::add)); }, "byte order mark"},
      {"to detect", [&] { from_utf8{encoding::detect}; }, "detect"},
      {"to detect, keeping", [&] { from_utf8(encoding::detect, with(bom::keep)); }, "detect"},
      {"utf16_to_utf8 of utf8", [&] { utf16_to_utf8{encoding::utf8}; }, "UTF-8"},
      {"utf16_to_utf8 of utf32", [&] { utf16_to_utf8{encoding::utf32}; }, "UTF-32"},
      {"utf16_to_utf8 of detect", [&] { utf16_to_utf8{encoding::detect}; }, "detect"},
      {"bom_filter adds to detect", [&] { bom_filter(bom::add, encoding::detect); }, "detect"},
      {"fallback detect", [&] { to_utf8{falling_back_to(encoding::detect)}; }, "fallback"},
      {"fallback detect, validator", [&] { utf8_validator{falling_back_to(encoding::detect)}; }, "fallback"},
  };
  for (const encoding e : {encoding::cesu8, encoding::latin1, encoding::windows1252}) {
    for (const bom b : {bom::strip, bom::require, bom::reject})
      rows.push_back({"signature of an encoding without one", [=] { to_utf8(e, with(b)); }, "byte order mark"});
    for (const bom b : {bom::strip, bom::add, bom::require, bom::reject, bom::keep})
      rows.push_back({"bom_filter for an encoding without one", [=] { bom_filter(b, e); }, "byte order mark"});
  }
  for (const row& r : rows) {
    BOOST_TEST_CONTEXT(r.what) {
      const std::string why = thrown_by<std::invalid_argument>(r.construct);
      BOOST_CHECK_MESSAGE(why.find(r.reason) != std::string::npos, "the reason is: " << why);
    }
  }
}

// The codec also gives the reason for combinations that another class would refuse before it.
BOOST_AUTO_TEST_CASE(the_codec_itself_gives_the_reason_for_a_refusal) {
  const auto none = static_cast<encoding>(99);
  using utfilter::transcoder;
  const auto told = [](const char* why) { return std::string(why != nullptr ? why : "nothing"); };
  BOOST_TEST(told(transcoder::why_not_decoding(encoding::utf8, bom::automatic, encoding::detect)).find("fallback") !=
             std::string::npos);
  BOOST_TEST(told(transcoder::why_not_decoding(none, bom::automatic, encoding::utf8)) == "there is no such encoding");
  BOOST_TEST(told(transcoder::why_not_decoding(encoding::utf8, bom::automatic, none)) == "there is no such encoding");
  BOOST_TEST(told(transcoder::why_not_encoding(none, bom::automatic)) == "there is no such encoding");
  BOOST_TEST(told(utfilter::signature_codec::why_not(bom::strip, none)) == "there is no such encoding");
  BOOST_TEST(told(utfilter::signature_codec::why_not(bom::strip, encoding::utf8)) == "nothing");
}

BOOST_AUTO_TEST_CASE(valid_combinations_are_accepted) {
  using namespace utfilter;
  BOOST_TEST(thrown_by<std::invalid_argument>([] { utf8_validator{on_error::keep}; }) == "");
  BOOST_TEST(thrown_by<std::invalid_argument>([] { to_utf8(encoding::utf8, on_error::keep); }) == "");
  BOOST_TEST(thrown_by<std::invalid_argument>([] { utf8_validator{replacing_with("")}; }) == "");
  for (const bom b : every::mark) {
    BOOST_TEST(thrown_by<std::invalid_argument>([=] { to_utf8{with(b)}; }) == "");
    BOOST_TEST(thrown_by<std::invalid_argument>([=] { utf16_to_utf8(encoding::utf16le, with(b)); }) == "");
    BOOST_TEST(thrown_by<std::invalid_argument>([=] { utf8_validator{with(b)}; }) == "");
    BOOST_TEST(thrown_by<std::invalid_argument>([=] { bom_filter(b, encoding::utf32); }) == "");
    if (b != bom::add)
      BOOST_TEST(thrown_by<std::invalid_argument>([=] { from_utf8(encoding::latin1, with(b)); }) == "");
    if (b != bom::add) BOOST_TEST(thrown_by<std::invalid_argument>([=] { bom_filter(b, encoding::detect); }) == "");
  }
}
