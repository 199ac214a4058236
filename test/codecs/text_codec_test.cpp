// text_codec_test.cpp: a change of a user's own is a codec and a filter with all promises, whatever the cut, the room, the
// errors and the policy are; and a change that breaks a rule fails the use with a sentence.
// build: portable
#define BOOST_TEST_MODULE text_codec
#include <boost/test/unit_test.hpp>

#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_rows.hpp"
#include "support/text_filter_trial.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/text_filter.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using utfilter::codec_progress;
using utfilter::codec_status;
using utfilter::on_error;
using utfilter::text_codec;
using utfilter::text_facts;
using utfilter::text_filter;
using utfilter::text_piece;

namespace {

/// Writes ... for each full stop that two others follow, ends the text with a full stop of its own, and refuses #. So it
/// keeps text back, writes at the end, counts nothing that repeats, and needs much room.
struct ellipses {
  static constexpr std::size_t min_output = 14;
  static constexpr std::string_view long_form = "[three dots]";

  codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
    std::size_t at = 0, produced = 0;
    const auto put = [&](std::string_view text) {
      if (text.size() > room - produced) return false;
      text.copy(out + produced, text.size());
      produced += text.size();
      return true;
    };
    while (at != in.text.size()) {
      const std::string_view rest = in.text.substr(at);
      if (rest[0] == '#') return {at, produced, codec_status::malformed};
      if (rest[0] == '.' && rest.size() < 3 && rest.find_first_not_of('.') == rest.npos && in.may_go_on())
        return {at, produced, codec_status::need_input};
      const bool is_ellipsis = rest.substr(0, 3) == "...";
      std::size_t size = is_ellipsis ? 3 : 1;
      while (size < rest.size() && (rest[size] & 0xC0) == 0x80) ++size;
      if (!put(is_ellipsis ? long_form : rest.substr(0, size))) return {at, produced, codec_status::need_output};
      facts.changes += is_ellipsis;
      at += size;
    }
    if (!in.text.empty() || in.next != text_piece::follows::nothing || is_ended) return in.progress(at, produced);
    is_ended = put(".");
    return {at, produced, is_ended ? codec_status::need_input : codec_status::need_output};
  }

  bool is_ended = false;
};

/// What `ellipses` makes of repaired text. Errors divide it, because a repair is given character by character.
reference::rewritten spelled_out(const std::string& text, bool ends) {
  reference::rewritten result;
  for (std::size_t at = 0; at != text.size();) {
    const std::string rest = text.substr(at);
    if (!ends && (rest == "." || rest == "..")) {
      result.waiting = rest.size();
      return result;
    }
    const bool is_ellipsis = rest.compare(0, 3, "...") == 0;
    result.text += is_ellipsis ? ellipses::long_form : std::string_view(rest).substr(0, 1);
    result.changes += is_ellipsis;
    at += is_ellipsis ? 3 : 1;
  }
  return result;
}

bool is_refused(char32_t c) { return c == U'#'; }

reference::outcome expected(const reference::params& p, std::string_view input, bool writing, bool ends) {
  reference::outcome result = reference::text_filter(p, input, writing, ends, spelled_out, is_refused, true);
  const bool is_over = ends || result.thrown || (p.on_error == reference::on_error::stop && result.report.errors != 0);
  if (!is_over) return result;
  result.output += '.';
  ++result.report.bytes_out;
  return result;
}

template <class Change>
std::string why_it_fails(const Change& change, const std::string& text, on_error policy = on_error::replace) {
  return thrown_by([&] {
    devices::recording_sink sink;
    text_filter<Change> filter(change, policy);
    filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
    filter.close(sink, std::ios::out);
  });
}

/// Takes all text at once and writes it later. An initial U+FEFF is a byte order mark.
struct keeps_back {
  codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept {
    if (!is_begun && !in.text.empty()) facts.bom = in.text.substr(0, 3) == "\uFEFF";
    is_begun |= !in.text.empty();
    size += in.text.copy(held + size, sizeof held - size);
    const std::size_t n = text_piece{{held, size}}.fitting(room);
    std::copy_n(held, n, out);
    size = static_cast<std::size_t>(std::copy(held + n, held + size, held) - held);
    return {in.text.size(), n, size == 0 ? codec_status::need_input : codec_status::need_output};
  }

  bool is_begun = false;
  char held[64] = {};
  std::size_t size = 0;
};

/// Tells of each piece, at a place that it names.
struct teller {
  void observe(bool) noexcept {}
  utfilter::error_info told() const noexcept { return what; }
  codec_progress operator()(text_piece in, char*, std::size_t, text_facts&) noexcept {
    return {in.text.size(), 0, in.text.empty() ? codec_status::need_input : codec_status::told};
  }

  utfilter::error_info what;
};

/// Does what its function does, as long as that is not null.
struct wrong {
  codec_progress (*act)(const text_piece&, char* out, std::size_t room) noexcept;

  codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts&) noexcept {
    return act(in, out, room);
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_change_of_the_users_gives_the_same_wherever_the_text_is_cut) {
  const text_codec codec{ellipses()};
  const std::string text = "a...\xFF.\u20AC....\r\n#..\xE2\x82...";
  for (const on_error policy : text_filters::policies)
    text_filters::check_every_cut(codec, expected, with(policy), text);
  for (const char* replacement : {"", "#", "#a.#"})
    text_filters::check_every_cut(codec, expected, replacing_with(replacement), text);
  text_filters::check_mixtures(codec, expected,
                               {"a", ".", "..", "...", "....", "#", "\u00E9", "\u20AC", "\U0001F600", "\r\n", "\xFF",
                                "\x80", "\xE2\x82", "\uFEFF", "a line that is longer than a block"},
                               1000 / brief::nth);
}

BOOST_AUTO_TEST_CASE(each_change_of_the_library_makes_of_its_text_what_its_row_says) {
  text_filters::for_each_change([](const char* name, const auto& change, const auto& text, const auto& changed) {
    text_filter filter(change, replacing_with("!"));
    io::filtering_istream in(filter | io::array_source(text.data(), text.size()));
    BOOST_TEST((std::string{std::istreambuf_iterator<char>(in), {}}) == changed, name);
    BOOST_TEST(filter.report().changes + filter.report().errors != 0u, name);
  });
}

BOOST_AUTO_TEST_CASE(the_state_of_the_change_can_be_seen_and_each_use_begins_with_a_copy) {
  text_filter<ellipses> filter;
  for (int use = 0; use != 2; ++use) {
    devices::recording_sink sink;
    filter.write(sink, "a..", 3);
    BOOST_TEST(sink.text() == "a");
    BOOST_TEST(!filter.codec().change().is_ended);
    filter.close(sink, std::ios::out);
    BOOST_TEST(sink.text() == "a...");
    BOOST_TEST(filter.codec().change().is_ended);
  }
}

BOOST_AUTO_TEST_CASE(what_had_no_room_comes_with_the_next_call_even_without_text) {
  text_codec<keeps_back> codec;
  char out[5];
  const auto next = [&](const char* in, std::size_t size) {
    const codec_progress done = codec.transform(in, size, out, sizeof out, false);
    BOOST_TEST(done.consumed == size);
    return std::string(out, done.produced) + (done.status == codec_status::need_output ? "+" : "");
  };
  BOOST_TEST(next("abcdefghijk", 11) == "abcde+");
  BOOST_TEST(next(nullptr, 0) == "fghij+");
  BOOST_TEST(next(nullptr, 0) == "k");
  BOOST_TEST(next(nullptr, 0) == "");
  BOOST_TEST(next("\u20AC", 3) == "\u20AC");
}

BOOST_AUTO_TEST_CASE(what_waits_comes_once_if_the_text_ends_early_with_little_room) {
  text_codec<ellipses> codec;
  char out[20];
  std::string text(out, codec.transform("a..", 3, out, sizeof out, false).produced);
  for (codec_status why = codec_status::need_output; why == codec_status::need_output && text.size() < 9;) {
    const codec_progress done = codec.insert(nullptr, 0, out, 1, true);
    text.append(out, done.produced);
    why = done.status;
  }
  BOOST_TEST(text == "a...");
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_that_the_change_reports_is_no_column) {
  for (const std::size_t piece : {1u, 3u, 9u}) {
    text_codec<keeps_back> codec;
    const std::string text = "\uFEFFab\xFFz\uFEFF\xFF";
    std::string places;
    char out[64];
    for (std::size_t at = 0; at != text.size();) {
      const codec_progress done = codec.transform(text.data() + at, std::min(piece, text.size() - at), out, 64, false);
      at += done.consumed;
      if (done.status == codec_status::malformed)
        places += std::to_string(codec.error().column) + " (" + std::to_string(codec.error().offset) + ") ";
    }
    BOOST_TEST(places == "3 (5) 6 (10) ");
    BOOST_TEST(codec.facts().bom);
  }
}

BOOST_AUTO_TEST_CASE(the_observer_sees_what_the_change_tells_at_its_place_in_the_input) {
  const auto seen = [](std::uint64_t offset, std::uint8_t size) {
    std::string places;
    teller change;
    change.what.offset = offset;
    change.what.size = size;
    change.what.code_point = U'!';
    utfilter::params p;
    p.observer = [&](const utfilter::error_info& e) { places += to_string(e) + ". "; };
    text_filter<teller> filter(change, p);
    devices::recording_sink sink;
    filter.write(sink, "a\n\u20ACbcdef", 10);
    filter.write(sink, "x", 1);
    return places;
  };
  BOOST_TEST(seen(0, 1) ==
             "line 1, column 1 (byte 0): changed to U+0021: 61. line 2, column 7 (byte 10): changed to U+0021: 78. ");
  BOOST_TEST(seen(5, 9) == "line 2, column 2 (byte 5): changed to U+0021: 62 63 64 65 66. "
                           "line 2, column 8 (byte 11): changed to U+0021. ");
}

BOOST_AUTO_TEST_CASE(what_waits_at_the_end_is_given_once_more_and_may_be_refused) {
  // Refuses the last character of the text, so it waits for what follows.
  const wrong no_last{[](const text_piece& in, char* out, std::size_t room) noexcept -> codec_progress {
    if (in.text.empty()) return {0, 0, codec_status::need_input};
    std::size_t n = in.fitting(room);
    const bool is_whole = n == in.text.size();
    if (is_whole && in.next != text_piece::follows::error) --n;
    in.text.copy(out, n);
    if (is_whole && in.next == text_piece::follows::nothing) return {n, n, codec_status::malformed};
    return {n, n, is_whole ? codec_status::need_input : codec_status::need_output};
  }};
  for (const on_error policy : {on_error::stop, on_error::replace}) {
    text_filter<wrong> filter(no_last, policy);
    io::filtering_istream in(filter | io::array_source("ab\xFFzc", 5));
    const std::string got{std::istreambuf_iterator<char>(in), {}};
    BOOST_TEST(got == (policy == on_error::stop ? "ab" : "ab\uFFFDz\uFFFD"));
  }
}

BOOST_AUTO_TEST_CASE(a_change_that_breaks_a_rule_fails_the_use_with_a_sentence) {
  const auto fails = [](codec_progress (*act)(const text_piece&, char*, std::size_t) noexcept, const char* why) {
    for (const std::string& text : {std::string("ab\u20AC"), std::string(100, 'x'), std::string("\xFF")})
      BOOST_TEST(why_it_fails(wrong{act}, text) == std::string("utfilter: ") + why);
  };
  fails(
      [](const text_piece& in, char*, std::size_t) noexcept -> codec_progress {
        return {in.text.size() + 1, 0, codec_status::need_input};
      },
      "the change takes more bytes than it got");
  fails(
      [](const text_piece& in, char*, std::size_t room) noexcept -> codec_progress {
        return {in.text.size(), room + 1, codec_status::need_input};
      },
      "the change writes more bytes than it has room for");
  fails(
      [](const text_piece& in, char*, std::size_t) noexcept -> codec_progress {
        return {in.text.size(), 0, codec_status::malformed};
      },
      "the change refuses a character that it has not got");
  fails(
      [](const text_piece& in, char*, std::size_t) noexcept -> codec_progress {
        return {in.text.size(), 0, codec_status::done};
      },
      "the change ends the text");
  fails(
      [](const text_piece&, char*, std::size_t) noexcept -> codec_progress {
        return {0, 0, codec_status::told};
      },
      "the change tells, but takes and writes nothing");
  const wrong tells{[](const text_piece& in, char*, std::size_t) noexcept -> codec_progress {
    return {in.text.size(), 0, codec_status::told};
  }};
  for (const std::string& text : {std::string("ab\u20AC"), std::string(100, 'x')})
    BOOST_TEST(why_it_fails(tells, text) == "utfilter: the codec returns codec_status::told, but has no tell()");
  fails(
      [](const text_piece&, char*, std::size_t) noexcept -> codec_progress {
        return {0, 0, codec_status::need_output};
      },
      "the codec makes no progress with min_output bytes of room");
}

BOOST_AUTO_TEST_CASE(a_change_that_keeps_text_too_long_or_cuts_a_character_fails_the_use_with_a_sentence) {
  const wrong waits{[](const text_piece&, char*, std::size_t) noexcept -> codec_progress {
    return {0, 0, codec_status::need_input};
  }};
  BOOST_TEST(why_it_fails(waits, "x") == "utfilter: the change waits for text that does not follow");
  BOOST_TEST(why_it_fails(waits, "x\xFF") == "utfilter: the change waits for text that does not follow");
  BOOST_TEST(why_it_fails(waits, std::string(37, 'x')) ==
             "utfilter: the change leaves more than text_piece::longest_wait bytes");
  const wrong cuts{[](const text_piece& in, char*, std::size_t) noexcept -> codec_progress {
    return {in.text.empty() ? 0u : 1u, 0, in.text.size() < 2 ? codec_status::need_input : codec_status::need_output};
  }};
  BOOST_TEST(why_it_fails(cuts, "x") == "");
  BOOST_TEST(why_it_fails(cuts, "\u20AC") == "utfilter: the change takes a part of a character");
}

// The text before the fault is there, and the fault does not look like an error of the text.
BOOST_AUTO_TEST_CASE(a_broken_rule_is_no_error_of_the_text) {
  const wrong late{[](const text_piece& in, char* out, std::size_t room) noexcept -> codec_progress {
    const std::size_t bad = in.text.find('b'), n = in.fitting(room);
    if (bad == 0) return {in.text.size() + 1, 0, codec_status::need_input};
    const std::size_t size = bad < n ? bad : n;
    in.text.copy(out, size);
    return in.progress(size, size);
  }};
  devices::recording_sink sink;
  text_filter<wrong> filter(late, on_error::skip);
  BOOST_TEST(thrown_by([&] {
               filter.write(sink,
                            "aa\xFF\xFF"
                            "aab",
                            7);
             }) == "utfilter: the change takes more bytes than it got");
  BOOST_TEST(sink.text() == "aaaa");
  BOOST_TEST(filter.report().errors == 2u);
  BOOST_TEST(thrown_by([&] { filter.close(sink, std::ios::out); }) ==
             "utfilter: the change takes more bytes than it got");
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused) {
  BOOST_TEST(thrown_by([] { text_filter<ellipses>{on_error::keep}; }).find("cannot keep bytes") != std::string::npos);
  utfilter::params p;
  p.bom = utfilter::bom::strip;
  BOOST_TEST(thrown_by([&] { text_filter<ellipses>{p}; }).find("knows no byte order mark") != std::string::npos);
}
