// boost_filter_tests_test.cpp: every filter of the library passes Boost's own tests of filters
// (boost/iostreams/filter/test.hpp) in both directions. The sources and sinks of those tests transfer a random part of
// the requested bytes, sometimes none.
#define BOOST_TEST_MODULE boost_filter_tests
#include "support/tally.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/filter/test.hpp>

#include <string>
#include <utility>

namespace io = boost::iostreams;
using namespace utfilter;
using namespace std::string_literals;

namespace {

/// One text in two encodings.
struct sample {
  std::string utf8, utf16le;
};

/// A text of that many characters, with characters of every length in UTF-8 and UTF-16.
sample sample_of(std::size_t characters) {
  const std::pair<std::string, std::string> some[] = {{"a", "a\0"s},
                                                      {"\n", "\n\0"s},
                                                      {"\u00E9", "\xE9\0"s},
                                                      {"\u20AC", "\xAC\x20"},
                                                      {"\U0001F600", "\x3D\xD8\x00\xDE"s}};
  sample s;
  for (std::size_t i = 0; i < characters; ++i) {
    s.utf8 += some[i * i % 5].first;
    s.utf16le += some[i * i % 5].second;
  }
  return s;
}

/// A text with errors, and the output of a filter that replaces them.
const std::string ill_formed = "p\xFFq\xE2\x82r\xC3", repaired = "p\uFFFDq\uFFFDr\uFFFD";

template <class Filter>
void check_both_directions(tally& cases, const char* name, const Filter& filter, const std::string& in,
                           const std::string& out) {
  cases.check(io::test_input_filter(filter, in, out), (name + " as an input filter"s).c_str(), in);
  cases.check(io::test_output_filter(filter, in, out), (name + " as an output filter"s).c_str(), in);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_filter_passes_in_both_directions) {
  tally cases;
  for (const std::size_t characters : {0u, 1u, 2u, 5u, 100u, 5000u}) {
    const auto [utf8, utf16le] = sample_of(characters);
    check_both_directions(cases, "utf8_validator", utf8_validator(), utf8, utf8);
    check_both_directions(cases, "utf16_to_utf8", utf16_to_utf8(encoding::utf16le), utf16le, utf8);
    check_both_directions(cases, "to_utf8", to_utf8(), "\xFF\xFE" + utf16le, utf8);
    check_both_directions(cases, "from_utf8", from_utf8(encoding::utf16le), utf8, utf16le);
    check_both_directions(cases, "bom_filter", bom_filter(), "\xEF\xBB\xBF" + utf8, utf8);
    check_both_directions(cases, "escape_controls", escape_controls(), utf8 + "\x1B", utf8 + "\\x1B");
    check_both_directions(cases, "utf8_validator that repairs", utf8_validator(on_error::replace), utf8 + ill_formed,
                          utf8 + repaired);
  }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(filters_that_undo_each_other_pass_as_a_pair) {
  tally cases;
  const std::string text = sample_of(300).utf8;
  const auto pair = [&](const char* name, auto out, auto in) {
    cases.check(io::test_filter_pair(out, in, text), name, "");
  };
  for (const encoding e : {encoding::utf8, encoding::utf16, encoding::utf16le, encoding::utf16be, encoding::utf32,
                           encoding::utf32le, encoding::utf32be, encoding::cesu8})
    pair(std::string(encoding_name(e)).c_str(), from_utf8(e), to_utf8(e));
  pair("utf8_validator", utf8_validator(), utf8_validator());
  pair("bom_filter", bom_filter(bom::add), bom_filter(bom::strip));
  cases.summary();
}
