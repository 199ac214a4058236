// escape_controls_test.cpp: no control character leaves the filter and every other character does, whatever the text,
// the cut, the errors and the repairs are. Every run is compared with a reference that sees the whole input at once.
#define BOOST_TEST_MODULE escape_controls
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance.hpp"
#include "support/escape_controls_reference.hpp"
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/text_filter_trial.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <initializer_list>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace io = boost::iostreams;
using namespace std::string_literals;
using namespace std::string_view_literals;
using conformance::pieces;
using conformance::reference::shown;
namespace reference = conformance::reference;
using namespace utfilter;

namespace {

using line_feeds = control_escaper::line_feeds;

//----------------------------------------------------------------------------------------------------------------- runs

using text_filters::link_sizes;
using text_filters::policies;

/// One input under one policy, with line feeds that pass, and on one line.
struct trial {
  using by_codec = text_filters::trial<control_escaper>;

  trial(const params& p, const std::string& input)
      : lines(control_escaper(line_feeds::pass), expected(line_feeds::pass), p, input, boundaries(line_feeds::pass)),
        one_line(control_escaper(line_feeds::escape), expected(line_feeds::escape), p, input,
                 boundaries(line_feeds::escape)) {}

  static reference::escape_choice choice(line_feeds l) {
    reference::escape_choice c;
    c.line_feed = l == line_feeds::escape;
    return c;
  }
  static text_filters::expectation expected(line_feeds l) {
    return [l](const reference::params& p, std::string_view input, bool writing, bool ends) {
      return reference::escaper(p, input, writing, ends, choice(l)).result();
    };
  }
  static text_filters::places boundaries(line_feeds l) {
    return [l](const reference::params& p, std::string_view input) {
      return reference::escaper(p, input, true, true, choice(l)).boundaries();
    };
  }

  by_codec lines, one_line;
};

void check(trial& t, const pieces& cut, std::initializer_list<std::size_t> rooms,
           std::initializer_list<std::streamsize> links) {
  text_filters::check(t.lines, cut, rooms, links);
  text_filters::check(t.one_line, cut, rooms, links);
}

void check_every_cut(const params& p, const std::string& input) {
  for (const line_feeds l : {line_feeds::pass, line_feeds::escape})
    text_filters::check_every_cut(control_escaper(l), trial::expected(l), p, input, trial::boundaries(l));
}

//---------------------------------------------------------------------------------------------------------- whole texts

std::string written(const std::string& text, escape_controls filter = escape_controls()) {
  devices::recording_sink sink;
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  return sink.text();
}

//----------------------------------------------------------------------------------------------------- which characters

BOOST_AUTO_TEST_CASE(a_text_of_all_code_points_is_escaped_in_both_directions) {
  std::string text, expected;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    text += texts::utf8({c});
    expected += shown(c);
  }
  BOOST_TEST((written(text) == expected));

  escape_controls kept;
  io::filtering_istream in(kept | devices::piecewise_source(devices::in_pieces(text, 1001)));
  BOOST_TEST((files::rest(in) == expected));
  BOOST_TEST(kept.report().bytes_in == text.size());
  BOOST_TEST(kept.report().bytes_out == expected.size());
  BOOST_TEST(kept.report().lines == 1u);
}

BOOST_AUTO_TEST_CASE(a_backslash_stays_as_it_is) {
  BOOST_TEST(written("C:\\x1B\\\\\\u{202E}\\") == "C:\\x1B\\\\\\u{202E}\\");
}

BOOST_AUTO_TEST_CASE(escaping_twice_gives_the_same_as_escaping_once) {
  std::string text;
  for (char32_t c = 0; c < 0x3000; ++c) text += texts::utf8({c});
  const std::string once = written(text + "\r\n\r\r\n");
  BOOST_TEST((written(once) == once));
}

BOOST_AUTO_TEST_CASE(options_say_what_is_escaped_and_how_also_in_repairs) {
  const std::string text = "\"C:\\\"\t\xC2\x85\r\n\xFF";
  printable_options o;
  BOOST_TEST(written(text, escape_controls(o, on_error::replace)) == "\"C:\\\"\t\\u{0085}\\x0D\\x0A\uFFFD");
  o.line_feed = false;
  o.tab = o.backslash = o.quote = true;
  BOOST_TEST(written(text, escape_controls(o, on_error::skip)) == "\\\"C:\\\\\\\"\\x09\\u{0085}\r\n");
  o = {};
  o.style = escape_style::json;
  BOOST_TEST(written(text, escape_controls(o, on_error::escape)) ==
             "\\\"C:\\\\\\\"\\u0009\\u0085\\u000D\\u000A\\\\xFF");
  BOOST_CHECK_THROW(escape_controls(o, on_error::keep), std::invalid_argument);
}

//----------------------------------------------------------------------------------------------------- carriage returns

BOOST_AUTO_TEST_CASE(a_carriage_return_passes_only_before_a_line_feed) {
  const struct {
    std::string text, expected;
  } table[] = {
      {"\r\n", "\r\n"},
      {"\r", "\\x0D"},
      {"\r\r", "\\x0D\\x0D"},
      {"\r\r\n", "\\x0D\r\n"},
      {"\r\n\r\n", "\r\n\r\n"},
      {"\n\r", "\n\\x0D"},
      {"a\rb", "a\\x0Db"},
      {"a\r\tb\r", "a\\x0D\tb\\x0D"},
      {"\r\x1B\n", "\\x0D\\x1B\n"},
      {"\r\xE2\x82\xAC", "\\x0D\xE2\x82\xAC"},
      {"\xE2\x82\xAC\r\n", "\xE2\x82\xAC\r\n"},
      {"\r\xC2\x85\n", "\\x0D\\u{0085}\n"},
      {"12345678\r\n12345678\r", "12345678\r\n12345678\\x0D"},
  };
  for (const auto& row : table) {
    BOOST_TEST(written(row.text) == row.expected);
    check_every_cut(params(), row.text);
  }
}

BOOST_AUTO_TEST_CASE(a_carriage_return_before_an_error_is_escaped) {
  // Left-out bytes do not join a carriage return with a line feed after them.
  const std::string text = "a\r\xFF\nb\r\xE2\x82\n\xFF\r\n\r\xC3";
  BOOST_TEST(written(text, escape_controls(on_error::skip)) == "a\\x0D\nb\\x0D\n\r\n\\x0D");
  for (const on_error policy : policies) check_every_cut(with(policy), text);
}

BOOST_AUTO_TEST_CASE(a_flush_keeps_back_a_last_carriage_return) {
  devices::recording_sink sink;
  escape_controls filter;
  filter.write(sink, "ok\r", 3);
  filter.flush(sink);
  BOOST_TEST(sink.text() == "ok");
  filter.write(sink, "\n\r", 2);
  filter.flush(sink);
  BOOST_TEST(sink.text() == "ok\r\n");
  BOOST_TEST(sink.seen().writes.back() == "\r\n");  // one piece
  filter.write(sink, "x\r", 2);
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "ok\r\n\\x0Dx\\x0D");
  BOOST_TEST(filter.report().bytes_in == 7u);
}

BOOST_AUTO_TEST_CASE(reading_waits_only_for_the_byte_after_a_carriage_return) {
  devices::piecewise_source source({"ok\r", "", "\nx", ""});
  escape_controls filter;
  char buffer[100];
  const auto read = [&] {
    const std::streamsize n = filter.read(source, buffer, 100);
    return n < 0 ? "end"s : std::string(buffer, static_cast<std::size_t>(n));
  };
  BOOST_TEST(read() == "ok");
  BOOST_TEST(read() == "");
  BOOST_TEST(read() == "\r\nx");
  BOOST_TEST(read() == "");
  BOOST_TEST(read() == "end");
}

//-------------------------------------------------------------------------------------------------- cuts and ill-formed

BOOST_AUTO_TEST_CASE(every_character_gives_the_same_wherever_it_is_cut) {
  check_every_cut(params(), "");
  check_every_cut(params(), "\uFEFFa\xC2\x9B\u00A0\n");
  check_every_cut(params(), "\u202Eb\U0001F600\u061C");
  check_every_cut(params(), "0123456789abcdef\x7F\t\x1B[");
}

BOOST_AUTO_TEST_CASE(ill_formed_text_is_repaired_under_every_policy) {
  const std::string wrong[] = {
      "p\xFFq\x1B\xC3",                    // a byte that no text contains, and a sequence cut off
      "\xE2\x80\n\xED\xA0\x80\xF4\x90",    // truncated, surrogate, out of range
      "\xC0\x9B\xE0\x80\xAE\x90\x9D\xF8",  // overlong controls, and C1 controls as bytes
      "\xF0\x9F\x98\r\x80\xF0\x9F\x98",
  };
  for (const std::string& text : wrong) {
    for (const on_error policy : policies) check_every_cut(with(policy), text);
    params limited = with(on_error::escape);
    limited.error_limit = 2;
    check_every_cut(limited, text);
  }
}

BOOST_AUTO_TEST_CASE(ill_formed_text_is_reported_as_the_standard_says) {
  // All strings of one and two bytes. Of three and four bytes, those made of the edges of each kind of byte. A brief
  // run takes some of them.
  const std::string edges =
      "\0\n\r\x1B\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xDF\xE0\xE1\xE2\xED\xEF\xF0\xF1\xF4\xF5\xF8\xFE\xFF"s;
  const auto run = [](const std::string& text) {
    if (!brief::takes_next()) return;
    trial t(with(on_error::escape), text);
    std::string why = t.lines.codec({text}, 100);
    pieces bytes;
    for (const char c : text) bytes.emplace_back(1, c);
    if (why.empty()) why = t.lines.codec(bytes, 100);
    BOOST_REQUIRE_MESSAGE(why.empty(), conformance::to_hex(text) << ": " << why);
  };
  for (int first = 0; first < 256; ++first) {
    run({static_cast<char>(first)});
    for (int second = 0; second < 256; ++second) run({static_cast<char>(first), static_cast<char>(second)});
  }
  for (const char a : edges)
    for (const char b : edges)
      for (const char c : edges) run({a, b, c});
  for (const char a : "\xE2\xED\xF0\xF1\xF4\r"s)
    for (const char b : edges)
      for (const char c : "\n\r\x80\xBF\xC2\xF0"s)
        for (const char d : edges) run({a, b, c, d});
}

BOOST_AUTO_TEST_CASE(mixtures_of_text_and_noise_give_the_same_wherever_they_are_cut) {
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::vector<std::string> parts = texts::split(
      "\r|\n|\r\n|\x1B[31m|\t|\x7F|plain text, longer than a block|a|\\|\xC2\x9B|\xE2\x80\xA8|\xE2\x80\xAE|"
      "\xD8\x9C|\xD8\xA7|\xE2\x82\xAC|\xF0\x9F\x98\x80|\xEF\xBB\xBF|\xFF|\x80|\xE2\x80|\xF0\x9F\x98|\xC2|\0"sv);
  for (std::size_t i = 0; i < 2000 / brief::nth; ++i) {
    std::string text;
    pieces cut;
    for (std::size_t n = below(24); n != 0; --n) text += parts[below(std::size(parts))];
    for (std::size_t at = 0; at < text.size(); at += cut.back().size())
      cut.push_back(text.substr(at, 1 + below(1 + below(40))));
    if (cut.empty()) cut.emplace_back();
    params p = replacing_with(below(2) != 0 ? "\uFFFD" : "<\x1B\u202E\r\n>", policies[below(std::size(policies))]);
    if (below(3) == 0) p.error_limit = below(5);
    trial t(p, text);
    check(t, cut, {below(10), 1000}, {link_sizes[below(std::size(link_sizes))]});
  }
}

BOOST_AUTO_TEST_CASE(a_line_longer_than_every_buffer_is_escaped) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "\x1Bp\xE2\x80\xAE\r\n\r"s;
  trial t(params(), text);
  for (const std::size_t size : {1001u, 4096u, 100'000u})
    check(t, devices::in_pieces(text, size), {8, 4096}, {64, 4096});
}

//--------------------------------------------------------------------------------------------------- repairs and params

BOOST_AUTO_TEST_CASE(repairs_are_escaped_like_text) {
  BOOST_TEST(written("p\x90\x9B\xFF", escape_controls(on_error::windows1252)) == "p\\u{0090}\xE2\x80\xBA\xC3\xBF");
  BOOST_TEST(written("p\xFFq", escape_controls(replacing_with("\x1B[7m?\t\xE2\x80\xAE\n"))) ==
             "p\\x1B[7m?\t\\u{202E}\nq");
  BOOST_TEST(written("p\xFF\nq", escape_controls(replacing_with("\r"))) == "p\\x0D\nq");
  BOOST_TEST(written("p\xFFq", escape_controls(replacing_with("\r\n"))) == "p\\x0D\nq");
  BOOST_TEST(written("p\r\xFFq", escape_controls(replacing_with("\n"))) == "p\\x0D\nq");
  BOOST_TEST(written("p\x9B\x1B", escape_controls(on_error::escape)) == "p\\x9B\\x1B");
}

BOOST_AUTO_TEST_CASE(the_position_of_an_error_is_its_position_in_the_input) {
  escape_controls filter;
  devices::recording_sink sink;
  const auto is_right = [](const utf_error& error) {
    return error.what() == "line 2, column 5 (byte 9): encoded surrogate: ED"s && error.info().line_offset == 2;
  };
  BOOST_CHECK_EXCEPTION(filter.write(sink, "\r\n\x1B\r\xE2\x80\xAE\xC3\xA9\xED\xA0", 11), utf_error, is_right);
  BOOST_TEST(sink.text() == "\r\n\\x1B\\x0D\\u{202E}\xC3\xA9");
  BOOST_CHECK_THROW(filter.write(sink, "a", 1), utf_error);
  BOOST_CHECK_THROW(filter.close(sink, std::ios::out), utf_error);
}

BOOST_AUTO_TEST_CASE(positions_count_blocks_of_plain_text) {
  escape_controls filter(on_error::skip);
  written("0123456789abcdef\xFFklmnopqrst\n0123456789\xFF", filter);
  BOOST_TEST(filter.report().first_error->column == 17u);
  BOOST_TEST(filter.report().last_error->column == 11u);
  BOOST_TEST(filter.report().last_error->offset == 38u);
  BOOST_TEST(filter.report().last_error->line_offset == 28u);
}

BOOST_AUTO_TEST_CASE(an_initial_byte_order_mark_is_an_ordinary_character) {
  escape_controls filter(on_error::skip);
  BOOST_TEST(written(texts::feff + "\xFF" + texts::feff, filter) == texts::feff + texts::feff);
  BOOST_TEST(!filter.report().bom);
  BOOST_TEST(filter.report().first_error->column == 2u);
  BOOST_CHECK((filter.report().encoding == encoding::utf8));
}

BOOST_AUTO_TEST_CASE(invalid_params_are_refused) {
  const auto says = [](const char* what) {
    return [what](const std::invalid_argument& error) {
      return std::string(error.what()).find(what) != std::string::npos;
    };
  };
  BOOST_CHECK_EXCEPTION(escape_controls{on_error::keep}, std::invalid_argument, says("cannot keep bytes"));
  BOOST_CHECK_THROW(codec_filter<control_escaper>{on_error::keep}, std::invalid_argument);
  BOOST_CHECK_EXCEPTION(escape_controls{replacing_with("\xFF")}, std::invalid_argument, says("well-formed"));
  for (const bom b : {bom::keep, bom::strip, bom::add, bom::require, bom::reject})
    BOOST_CHECK_EXCEPTION(escape_controls{with(b)}, std::invalid_argument, says("bom"));
}

//-------------------------------------------------------------------------------------------------------- other filters

/// Writes a text through a chain of the filters, in the order of the data, and flushes in the middle. Returns the
/// output.
template <class... Filters>
std::string chained(const std::string& text, int link, const Filters&... filters) {
  devices::recording_sink sink;
  io::filtering_ostream out;
  (out.push(filters, link), ...);
  out.push(sink, link);
  out << text.substr(0, text.size() / 2) << std::flush << text.substr(text.size() / 2);
  out.reset();
  return sink.text();
}

/// The filters are in the order of the pushes: the last one gets the text first.
template <class... Filters>
std::string read_through(const std::string& text, int link, const Filters&... filters) {
  io::filtering_istream in;
  (in.push(filters, link), ...);
  in.push(devices::piecewise_source(devices::in_pieces(text, 3)), link);
  return files::rest(in);
}

BOOST_AUTO_TEST_CASE(it_works_between_other_filters) {
  const std::u32string text = U"a\x1B[1m\u202E\u0085\r\nb\r\u20AC\U0001F600";
  const std::u32string expected = U"a\\x1B[1m\\u{202E}\\u{0085}\r\nb\\x0D\u20AC\U0001F600";
  const std::string utf8 = texts::utf8(text), safe = texts::utf8(expected);
  const std::string wide = texts::utf16le(text), safe_wide = texts::utf16le(expected);
  for (const int link : {1, 2, 3, 7, 64}) {
    // New filters each time, because a filter and its copies serve one chain.
    const auto guard = [] { return escape_controls(); };
    const auto valid = [] { return utf8_validator(); };
    const auto decode = [] { return to_utf8(encoding::utf16le); };
    const auto encode = [] { return from_utf8(encoding::utf16le); };
    BOOST_TEST_CONTEXT("links of " << link) {
      BOOST_TEST(chained(utf8, link, valid(), guard()) == safe);
      BOOST_TEST(chained(utf8, link, guard(), valid()) == safe);
      BOOST_TEST(chained(utf8, link, guard(), guard()) == safe);
      BOOST_TEST(chained(utf8, link, guard(), encode()) == safe_wide);
      BOOST_TEST(chained(wide, link, decode(), guard()) == safe);
      BOOST_TEST(chained(wide, link, decode(), guard(), encode()) == safe_wide);
      BOOST_TEST(chained(utf8, link, io::compose(valid(), guard())) == safe);
      BOOST_TEST(chained(utf8, link, io::compose(guard(), encode())) == safe_wide);
      BOOST_TEST(chained(wide, link, io::compose(decode(), guard())) == safe);

      BOOST_TEST(read_through(utf8, link, guard(), valid()) == safe);
      BOOST_TEST(read_through(wide, link, guard(), decode()) == safe);
      BOOST_TEST(read_through(utf8, link, encode(), guard()) == safe_wide);
      BOOST_TEST(read_through(wide, link, encode(), guard(), decode()) == safe_wide);
      BOOST_TEST(read_through(utf8, link, io::compose(guard(), valid())) == safe);
      BOOST_TEST(read_through(wide, link, io::compose(guard(), decode())) == safe);
      BOOST_TEST(read_through(utf8, link, io::compose(encode(), guard())) == safe_wide);
    }
  }
}

BOOST_AUTO_TEST_CASE(after_a_validator_it_escapes_controls_in_the_repairs) {
  const std::string text = "a\x90\x9D;title\x9C\r\xFF\n", safe = "a\\u{0090}\\u{009D};title\u0153\\x0D\u00FF\n";
  const utf8_validator repairing(on_error::windows1252), replacing(replacing_with("\r\x1B"));
  BOOST_TEST(chained(text, 64, repairing, escape_controls()) == safe);
  BOOST_TEST(chained("a\xFF\n", 64, replacing, escape_controls()) == "a\\x0D\\x1B\n");
  // One escape_controls does the work of both filters.
  BOOST_TEST(chained(text, 64, escape_controls(on_error::windows1252)) == safe);
}

BOOST_AUTO_TEST_CASE(it_works_with_the_pipe_operator_and_is_found_in_the_chain) {
  devices::recording_sink sink;
  escape_controls kept(on_error::escape);
  io::filtering_ostream out(kept | utf8_validator() | sink);
  BOOST_TEST(out.component<escape_controls>(0) != nullptr);
  out << "\x1B\xFF";
  out.reset();
  BOOST_TEST(sink.text() == "\\x1B\\xFF");
  BOOST_TEST(kept.report().errors == 1u);
}

//-------------------------------------------------------------------------------------------------------------- attacks

BOOST_AUTO_TEST_CASE(a_log_line_cannot_be_overwritten) {
  const auto log = [](const std::string& user) {
    return chained("login failed: " + user + "\r\n", 64, escape_controls(on_error::escape));
  };
  BOOST_TEST(log("eve") == "login failed: eve\r\n");
  BOOST_TEST(log("\r[info] login ok: root") == "login failed: \\x0D[info] login ok: root\r\n");
  BOOST_TEST(log("eve\xE2\x80\xA8[info] ok") == "login failed: eve\\u{2028}[info] ok\r\n");
  BOOST_TEST(log("eve\xC2\x85[info] ok") == "login failed: eve\\u{0085}[info] ok\r\n");
  BOOST_TEST(log("eve\x1B[2K\x1B[1G[info]") == "login failed: eve\\x1B[2K\\x1B[1G[info]\r\n");
  BOOST_TEST(log("eve\b\b\b") == "login failed: eve\\x08\\x08\\x08\r\n");
  BOOST_TEST(log("\xE2\x80\xAEtoor") == "login failed: \\u{202E}toor\r\n");
  BOOST_TEST(log("\xFF\r") == "login failed: \\xFF\\x0D\r\n");
  BOOST_TEST(log("eve\n[info] ok") == "login failed: eve\n[info] ok\r\n");  // a line feed is left to the caller
}

BOOST_AUTO_TEST_CASE(a_terminal_gets_no_control_sequences) {
  BOOST_TEST(written("\x1B]0;owned\x07") == "\\x1B]0;owned\\x07");
  BOOST_TEST(written("\u009D0;owned\u009C") == "\\u{009D}0;owned\\u{009C}");
  BOOST_TEST(written("\x9D;owned\x9C", escape_controls(on_error::escape)) == "\\x9D;owned\\x9C");
  BOOST_TEST(written("\x1BP\x1B\\\x0E\x0F\x05\x7F"s) == "\\x1BP\\x1B\\\\x0E\\x0F\\x05\\x7F");
}

}  // namespace
