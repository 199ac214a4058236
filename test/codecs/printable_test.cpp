// printable_test.cpp: any text prints as text that is well-formed and harmless, as the options say: through <<, as a
// string, within a limit. printable_fmt_test.cpp formats it with {fmt}, printable_json_test.cpp parses it as JSON, and
// printable_oracle.py compares it with Python.
// build: portable optimised
#define BOOST_TEST_MODULE printable
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/counting_new.hpp"
#include "support/guarded_memory.hpp"
#include "support/hostile_strings.hpp"
#include "support/printable_reference.hpp"
#include "support/tally.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/text.hpp>

#include <cstddef>
#include <iomanip>
#include <ios>
#include <random>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using namespace std::string_literals;
using utfilter::control_escaper;
using utfilter::escape_style;
using utfilter::printable;
using utfilter::printable_options;
using utfilter::to_printable;
namespace reference = conformance::reference;
using conformance::reference::escape_choice;

static_assert(std::is_trivially_copyable_v<printable>);
static_assert(std::is_nothrow_constructible_v<printable, std::string, const printable_options&>);
static_assert(!std::is_convertible_v<std::string, printable>);

namespace {

escape_choice to_reference(const printable_options& o) {
  return {o.line_feed, o.tab, o.backslash, o.quote, o.style == escape_style::json};
}

/// The choices of what is escaped, each on and off.
std::vector<printable_options> all_choices() {
  std::vector<printable_options> all;
  for (unsigned bits = 0; bits < 32; ++bits) {
    printable_options o;
    o.line_feed = (bits & 1) != 0;
    o.tab = (bits & 2) != 0;
    o.backslash = (bits & 4) != 0;
    o.quote = (bits & 8) != 0;
    o.style = (bits & 16) != 0 ? escape_style::json : escape_style::backslash;
    all.push_back(o);
  }
  return all;
}

printable_options json() {
  printable_options o;
  o.style = escape_style::json;
  return o;
}

std::string streamed(std::string_view text, const printable_options& o = {}) {
  std::ostringstream out;
  out << printable(text, o);
  return out.str();
}

std::string within(std::size_t limit, std::string_view text, printable_options o = {}) {
  o.limit = limit;
  return to_printable(text, o);
}

/// Bytes of all kinds: whole characters, parts of them, controls, and what the options name.
std::string random_text(std::mt19937& random, std::size_t most) {
  static const std::string kinds[] = {"a",        "word ",      "0123456789abcdef0123456789abcdef0123456789",
                                      "\\",       "\"",         "\n",
                                      "\r",       "\r\n",       "\t",
                                      "\x1B",     "\0"s,        "\x7F",
                                      "\u0085",   "\u00A0",     "\u00E9",
                                      "\u061C",   "\u0628",     "\u200E",
                                      "\u2019",   "\u202F",     "\u2028",
                                      "\u2066",   "\u206A",     "\u20AC\u6587",
                                      "\uFFFD",   "\U0001F600", "\xE2",
                                      "\x80",     "\xC2",       "\xED\xA0\x80",
                                      "\xF0\x9F", "\xFF",       "\xC0\xAF",
                                      "x41",      "u{41}"};
  std::string text;
  for (std::size_t n = random() % (most + 1); n != 0; --n) text += kinds[random() % std::size(kinds)];
  return text;
}

}  // namespace

//-------------------------------------------------------------------------------------------------------------- a table

BOOST_AUTO_TEST_CASE(texts_print_as_the_table_says) {
  const struct {
    std::string text, backslash, json;
  } table[] = {
      {"", "", ""},
      {"plain", "plain", "plain"},
      {"na\u00EFve \U0001F600", "na\u00EFve \U0001F600", "na\u00EFve \U0001F600"},
      {"a\nb\tc", "a\\x0Ab\tc", "a\\u000Ab\\u0009c"},
      {"\x1B[2J", "\\x1B[2J", "\\u001B[2J"},
      {"a\0b"s, "a\\x00b", "a\\u0000b"},
      {"\x7F\xC2\x9B", "\\x7F\\u{009B}", "\\u007F\\u009B"},
      {"\u202Ecod", "\\u{202E}cod", "\\u202Ecod"},
      {"\u2028", "\\u{2028}", "\\u2028"},
      {"say \"hi\"", "say \"hi\"", "say \\\"hi\\\""},
      {"C:\\n", "C:\\n", "C:\\\\n"},
      {"\xFF", "\\xFF", "\uFFFD"},
      {"caf\xE9!", "caf\\xE9!", "caf\uFFFD!"},
      {"\xE2\x82|", "\\xE2\\x82|", "\uFFFD|"},
      {"\xED\xA0\x80", "\\xED\\xA0\\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xC0\xAF", "\\xC0\\xAF", "\uFFFD\uFFFD"},
      {"\u200B\U000E0041", "\u200B\U000E0041", "\u200B\U000E0041"},
  };
  for (const auto& row : table) {
    BOOST_TEST(to_printable(row.text) == row.backslash);
    BOOST_TEST(to_printable(row.text, json()) == row.json);
    BOOST_TEST(streamed(row.text) == row.backslash);
    BOOST_TEST(streamed(row.text, json()) == row.json);
  }
}

BOOST_AUTO_TEST_CASE(invisible_characters_are_escaped_if_the_options_say_so) {
  printable_options o;
  o.invisible = true;
  const std::string text = "a\u200Bb\U000E0041\uE000\uFFFE\u00E9\u6587\U0001F600";
  BOOST_TEST(to_printable(text) == text);
  BOOST_TEST(to_printable(text, o) == "a\\u{200B}b\\u{E0041}\\u{E000}\\u{FFFE}\u00E9\u6587\U0001F600");
  o.style = escape_style::json;
  BOOST_TEST(to_printable(text, o) == "a\\u200Bb\\uDB40\\uDC41\\uE000\\uFFFE\u00E9\u6587\U0001F600");
}

BOOST_AUTO_TEST_CASE(a_view_knows_its_text_and_options) {
  const std::string text = "text";
  printable_options o;
  o.tab = true;
  const printable p(text, o);
  BOOST_TEST(p.text().data() == text.data());
  BOOST_TEST(p.text() == text);
  BOOST_TEST(p.options().tab);
}

//----------------------------------------------------------------------------------------------------------- every text

BOOST_AUTO_TEST_CASE(hostile_strings_print_as_the_reference_says_and_are_harmless) {
  tally cases;
  const auto strings = hostile::strings(4000);
  BOOST_TEST(strings.size() == 38u);
  for (const auto& hostile : strings) {
    for (const printable_options& o : all_choices()) {
      if (hostile.text.size() > 1000 && !brief::takes_next()) continue;
      const std::string out = to_printable(hostile.text, o);
      const std::string expected = reference::joined(reference::printable_units(hostile.text, to_reference(o)));
      if (cases.failed(out == expected && streamed(hostile.text, o) == expected))
        BOOST_ERROR(hostile.name << ": " << out.substr(0, 200));
      const std::string harm = reference::harm(out, to_reference(o));
      if (cases.failed(harm.empty())) BOOST_ERROR(hostile.name << ": " << harm);
    }
  }
  cases.summary("hostile strings under each choice");
}

BOOST_AUTO_TEST_CASE(a_megabyte_of_errors_and_a_line_of_ten_megabytes_print) {
  for (const auto& hostile : hostile::strings()) {
    if (hostile.text.size() < 100000) continue;
    printable_options o;
    o.backslash = true;
    const std::string out = to_printable(hostile.text, o);
    BOOST_TEST((reference::harm(out, to_reference(o)).empty()));
    BOOST_TEST((reference::undone(out) == hostile.text));
    BOOST_TEST((streamed(hostile.text, o) == out));
    BOOST_TEST(within(100, hostile.text).size() <= 100u);
  }
}

BOOST_AUTO_TEST_CASE(random_text_prints_as_the_reference_says) {
  tally cases;
  std::mt19937 random(1);
  const auto choices = all_choices();
  for (int i = 0; i < 60000; ++i) {
    const printable_options& o = choices[random() % choices.size()];
    const std::string text = random_text(random, 12);
    const std::string expected = reference::joined(reference::printable_units(text, to_reference(o)));
    cases.check(to_printable(text, o) == expected, "random text", text);
    cases.check(streamed(text, o) == expected, "random text in a stream", text);
  }
  cases.summary("random texts");
}

// The library looks at blocks of 8, 16 and 32 bytes, and at up to two bytes after them.
BOOST_AUTO_TEST_CASE(each_escaped_character_is_found_at_every_place_of_every_size) {
  tally cases;
  printable_options all;
  all.tab = all.backslash = all.quote = true;
  printable_options invisible = all;
  invisible.invisible = true;
  for (const std::string fill : {"a", "\u00E9", "\u2019", "\u6587"}) {
    for (const std::string unit :
         {"\x1F",   "\x7F",   "\t",     "\n",     "\r",     "\"",     "\\",     "\u0080", "\u009F", "\u061C",
          "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202E", "\u2066", "\u2069", "\xFF",   "\xE2\x80"}) {
      for (std::size_t size = 0; size < 110; size = size < 40 ? size + 1 : size + 7) {
        if (!brief::takes_next_fast()) continue;
        for (std::size_t before = 0; before <= size; ++before) {
          const std::string text = hostile::repeated(fill, before) + unit + hostile::repeated(fill, size - before);
          const std::string expected = reference::joined(reference::printable_units(text, to_reference(all)));
          cases.check(to_printable(text, all) == expected, "one escape", text);
          cases.check(to_printable(text, invisible) == expected, "one escape, also of invisible ones", text);
        }
      }
    }
  }
  cases.summary("places of an escape");
}

BOOST_AUTO_TEST_CASE(each_invisible_character_is_found_at_every_place) {
  tally cases;
  printable_options o;
  o.invisible = true;
  const struct {
    const char* text;
    const char* escape;
  } table[] = {{"\u00AD", "\\u{00AD}"}, {"\u034F", "\\u{034F}"},      {"\u115F", "\\u{115F}"},
               {"\u200B", "\\u{200B}"}, {"\U000E0041", "\\u{E0041}"}, {"\uF8FF", "\\u{F8FF}"}};
  for (const auto& row : table) {
    for (std::size_t before = 0; before <= 70; ++before) {
      const std::string left(before, 'a'), right(40, 'z'), text = left + row.text + right;
      cases.check(to_printable(text, o) == left + row.escape + right, "invisible", text);
      cases.check(to_printable(text) == text, "invisible, passed", text);
    }
  }
  cases.summary("places of an invisible character");
}

BOOST_AUTO_TEST_CASE(no_byte_beside_the_text_is_read) {
  const guard_report crashes([] { return "printable"; });
  const guarded_memory memory(1);
  printable_options all;
  all.tab = all.backslash = all.quote = true;
  for (const std::string& unit : {"a"s, "\u00A0"s, "\u2019"s, "\u6587"s, "\U0001F600"s, "\x1B"s, "\xFF"s, "a\r\n"s}) {
    for (std::size_t size = 0; size <= 140; ++size) {
      const std::string text = hostile::repeated(unit, size).substr(0, size);
      for (char* const place : {memory.begin(), memory.end() - size}) {
        text.copy(place, size);
        const std::string_view copy(place, size);
        BOOST_TEST(to_printable(copy, all) == to_printable(text, all));
        BOOST_TEST(within(size / 2, copy) == within(size / 2, text));
        BOOST_TEST(streamed(copy) == to_printable(text));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(neighbours_of_escaped_characters_pass_at_every_place) {
  tally cases;
  for (const std::string unit : {" ", "~", "\u00A0", "\u00BF", "\u061B", "\u061D", "\u200D", "\u2010", "\u2019",
                                 "\u2027", "\u202F", "\u2065", "\u206A", "\u0628", "\u2026"}) {
    for (std::size_t before = 0; before <= 70; ++before) {
      const std::string text = std::string(before, 'a') + unit + std::string(40, 'z');
      cases.check(to_printable(text) == text, "a neighbour", text);
    }
  }
  cases.summary("neighbours");
}

BOOST_AUTO_TEST_CASE(well_formed_text_prints_as_control_escaper_writes_it) {
  tally cases;
  std::mt19937 random(2);
  for (const printable_options& o : all_choices()) {
    for (int i = 0; i < 200; ++i) {
      const std::string text = utfilter::sanitize(random_text(random, 10));
      control_escaper codec(o);
      std::string out(control_escaper::min_output * text.size() + 1, '?');
      out.resize(codec.transform(text.data(), text.size(), out.data(), out.size(), true).produced);
      cases.check(to_printable(text, o) == out, "control_escaper", text);
    }
  }
  cases.summary("texts through control_escaper");
}

//--------------------------------------------------------------------------------------------------------- the way back

BOOST_AUTO_TEST_CASE(with_backslashes_escaped_any_text_can_be_read_back) {
  tally cases;
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::string text = random_text(random, 20);
    if (i % 3 == 0)
      for (char& c : text)
        if (random() % 4 == 0) c = static_cast<char>(random() % 256);
    printable_options o;
    o.backslash = true;
    o.line_feed = random() % 2 == 0;
    o.tab = random() % 2 == 0;
    o.quote = random() % 2 == 0;
    o.invisible = random() % 2 == 0;
    cases.check(reference::undone(to_printable(text, o)) == text, "not undone", text);
  }
  for (const auto& hostile : hostile::strings(4000)) {
    printable_options o;
    o.backslash = o.invisible = true;
    cases.check(reference::undone(to_printable(hostile.text, o)) == hostile.text, hostile.name, hostile.text);
  }
  cases.summary("texts read back");
  // Without it two texts print alike.
  BOOST_TEST(to_printable("a\nb") == to_printable("a\\x0Ab"));
}

//--------------------------------------------------------------------------------------------------------------- limits

BOOST_AUTO_TEST_CASE(a_limit_cuts_between_characters_and_ends_with_an_ellipsis) {
  BOOST_TEST(within(5, "abcdef") == "ab\u2026");
  BOOST_TEST(within(6, "abcdef") == "abcdef");
  BOOST_TEST(within(3, "abcdef") == "\u2026");
  BOOST_TEST(within(2, "abcdef") == "");
  BOOST_TEST(within(0, "abcdef") == "");
  BOOST_TEST(within(0, "") == "");
  BOOST_TEST(within(2, "ab") == "ab");
  BOOST_TEST(within(8, "\u20AC\u20AC\u20AC") == "\u20AC\u2026");
  BOOST_TEST(within(9, "\u20AC\u20AC\u20AC") == "\u20AC\u20AC\u20AC");
  BOOST_TEST(within(7, "ab\x1B[m") == "ab\u2026");
  BOOST_TEST(within(8, "ab\x1B[m") == "ab\\x1B[m");
  BOOST_TEST(within(9, "\x1B\x1B\x1B") == "\\x1B\u2026");
  BOOST_TEST(within(20, std::string(1000, 'x')).size() == 20u);
  BOOST_TEST(streamed("abcdef", [] {
               printable_options o;
               o.limit = 5;
               return o;
             }()) == "ab\u2026");
}

BOOST_AUTO_TEST_CASE(every_limit_cuts_every_text_as_the_reference_says) {
  tally cases;
  std::mt19937 random(4);
  const auto choices = all_choices();
  std::vector<std::string> texts;
  for (const auto& hostile : hostile::strings(200)) texts.push_back(hostile.text.substr(0, 120));
  for (int i = 0; i < 400; ++i) texts.push_back(random_text(random, 12));
  for (const std::string& text : texts) {
    const printable_options& o = choices[random() % choices.size()];
    const auto units = reference::printable_units(text, to_reference(o));
    const std::size_t whole = reference::joined(units).size();
    for (std::size_t limit = 0; limit <= whole + 2; ++limit) {
      const std::string out = within(limit, text, o);
      if (cases.failed(out == reference::joined(reference::cut_to_bytes(units, limit)) && out.size() <= limit))
        BOOST_ERROR(hexadecimal(text) << " within " << limit << ": " << out);
    }
  }
  cases.summary("limits");
}

//-------------------------------------------------------------------------------------------------------------- streams

BOOST_AUTO_TEST_CASE(a_stream_pads_by_characters_and_resets_the_width) {
  const struct {
    std::string text;
    int width;
    std::ios_base::fmtflags adjust;
    std::string expected;
  } table[] = {
      {"abc", 5, std::ios::left, "abc__"},
      {"abc", 5, std::ios::right, "__abc"},
      {"abc", 5, std::ios::internal, "__abc"},
      {"abc", 5, {}, "__abc"},
      {"abc", 3, std::ios::left, "abc"},
      {"abc", 2, std::ios::left, "abc"},
      {"", 2, std::ios::left, "__"},
      {"\u6587\u5B57", 4, std::ios::left, "\u6587\u5B57__"},
      {"\u6587\u5B57", 4, std::ios::right, "__\u6587\u5B57"},
      {"\u6587\u5B57", 2, std::ios::right, "\u6587\u5B57"},
      {"\x1B", 6, std::ios::right, "__\\x1B"},
      {"\xFF\u00E9", 7, std::ios::left, "\\xFF\u00E9__"},
      {"\u00E9\u00E9\u00E9", 5, std::ios::left, "\u00E9\u00E9\u00E9__"},
  };
  for (const auto& row : table) {
    std::ostringstream out;
    out.setf(row.adjust, std::ios::adjustfield);
    out << std::setfill('_') << std::setw(row.width) << printable(row.text);
    BOOST_TEST(out.width() == 0);
    BOOST_TEST(out.str() == row.expected);
    out << printable(row.text);
    BOOST_TEST(out.str() == row.expected + to_printable(row.text));
  }
}

BOOST_AUTO_TEST_CASE(a_stream_that_fails_stays_failed_and_throws_if_it_was_told_to) {
  struct : std::streambuf {
  } full;  // takes nothing
  for (const std::string text : {"abc", "\x1B", "\u6587"}) {
    std::ostream out(&full);
    out << printable(text);
    BOOST_TEST(out.bad());
    std::ostream throwing(&full);
    throwing.exceptions(std::ios::badbit);
    BOOST_CHECK_THROW(throwing << printable(text), std::ios_base::failure);
    std::ostringstream failed;
    failed.setstate(std::ios::failbit);
    failed << printable(text);
    BOOST_TEST(failed.str() == "");
  }
}

namespace {

/// Keeps where each piece comes from.
struct watching_buffer : std::streambuf {
  std::vector<const char*> from;
  watching_buffer() { from.reserve(10); }
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    from.push_back(s);
    return n;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_clean_text_is_written_from_where_it_is_without_an_allocation) {
  for (const std::string& once :
       {"plain text "s, "\u6587\u5B57 "s, "na\u00EFve\t"s, "He\u2019s \u00AB\u00A0x\u00A0\u00BB"s}) {
    const std::string text = hostile::repeated(once, 500);
    watching_buffer seen;
    std::ostream out(&seen);
    const std::size_t before = allocations.calls;
    out << printable(text);
    BOOST_TEST(allocations.calls == before);
    BOOST_TEST(seen.from.size() == 1u);
    BOOST_TEST((seen.from.front() == text.data()));
  }
  // One string is made, and becomes the result. (Under Windows the standard library allocates by itself.)
  const std::string text(1000, 'x');
  const std::size_t before = allocations.calls;
  const std::string out = to_printable(text);
  BOOST_TEST(allocations.calls - before <= 1u);
}

BOOST_AUTO_TEST_CASE(a_text_with_escapes_is_written_in_one_piece) {
  watching_buffer seen;
  std::ostream out(&seen);
  out << printable("one\ntwo\nthree\xFF");
  BOOST_TEST(seen.from.size() == 1u);
}
