// escaping_page.cpp: runs the recipes of doc/escaping.md on text from strangers. test/text/escaping_page.py checks its
// tables.
#include <boost/test/unit_test.hpp>

#include <utfilter/convert.hpp>
#include <utfilter/escape_controls.hpp>
#include <utfilter/from_utf8.hpp>
#include <utfilter/printable.hpp>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unicode/ubidi.h>
#include <vector>

#include <escaping.hpp>

namespace {
BOOST_AUTO_TEST_SUITE(escaping)
namespace io = boost::iostreams;

/// The text as a viewer that follows UAX #9 shows it from left to right, in a paragraph from left to right.
std::u16string shown(const std::string& text) {
  const std::u16string units = utfilter::to_u16string(text);
  UErrorCode error = U_ZERO_ERROR;
  UBiDi* const bidi = ubidi_open();
  ubidi_setPara(bidi, units.data(), static_cast<std::int32_t>(units.size()), UBIDI_LTR, nullptr, &error);
  std::vector<std::int32_t> order(units.size());
  ubidi_getVisualMap(bidi, order.data(), &error);
  ubidi_close(bidi);
  BOOST_REQUIRE(U_SUCCESS(error));
  std::u16string result;
  for (const std::int32_t i : order) result += units[static_cast<std::size_t>(i)];
  return result;
}

std::string through(std::string_view text, void (*push)(io::filtering_ostream&)) {
  std::string result;
  io::filtering_ostream out;
  push(out);
  out.push(io::back_inserter(result));
  out << text;
  out.reset();
  return result;
}

BOOST_AUTO_TEST_CASE(no_character_ends_the_quotes_of_a_quoted_field) {
  BOOST_TEST(recipes::quoted("eve\" role=\"admin") == "\"eve\\\" role=\\\"admin\"");
  BOOST_TEST(recipes::quoted("eve\\") == "\"eve\\\\\"");
  BOOST_TEST(recipes::quoted("a\tb\n\u200B\xFF") == "\"a\\x09b\\x0A\\u{200B}\\xFF\"");
  BOOST_TEST(recipes::quoted("zo\u00EB") == "\"zo\u00EB\"");
}

BOOST_AUTO_TEST_CASE(an_isolated_field_does_not_reorder_the_next_one) {
  const std::string name = "\u05D0\u05D1";  // two Hebrew letters
  BOOST_TEST((shown(utfilter::to_printable(name) + " 42 ok") == u"42 \u05D1\u05D0 ok"));
  BOOST_TEST((shown(recipes::isolated(name) + " 42 ok") == u"\u2068\u05D1\u05D0\u2069 42 ok"));
  BOOST_TEST((shown(recipes::isolated(name + "\u2069" + name) + " 42 ok").substr(0, 4) != u"42 \u05D1"));
  BOOST_TEST(recipes::isolated("a\u2069\u2029b") == "\u2068a\\u{2069}\\u{2029}b\u2069");
}

BOOST_AUTO_TEST_CASE(the_chain_of_ascii_passes_nothing_else) {
  BOOST_TEST(through("\u0430dmin\u0301 \u05D0 \u2800 \uFF02\x1B[2J\t\xFF\xED\xA0\x80\n", recipes::push_ascii) ==
             "\\u{0430}dmin\\u{0301} \\u{05D0} \\u{2800} \\u{FF02}\\x1B[2J\t\\xFF\\xED\\xA0\\x80\n");
}

BOOST_AUTO_TEST_CASE(from_utf8_takes_no_similar_character) {
  const auto push = [](io::filtering_ostream& out) {
    out.push(utfilter::escape_controls());
    out.push(utfilter::from_utf8(utfilter::encoding::windows1252, utfilter::on_error::replace));
  };
  BOOST_TEST(through("\uFF02\uFF3C\uFE68\u2044", push) == "????");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
