// codecs_page.cpp: compares the codecs of doc/codecs.md with the C library's conversions, using the test function of
// that page, and runs them in chains.
#include <boost/test/unit_test.hpp>

#include <utfilter/filter.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

#include <iconv.h>

#include <codecs.hpp>

#include "support/tally.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_trial.hpp"

namespace {
BOOST_AUTO_TEST_SUITE(codecs)
namespace io = boost::iostreams;

/// All 256 bytes, converted to UTF-8 by iconv(3). Each byte that `refused` selects becomes U+FFFD, and a line at the
/// end has its position.
template <class Refused>
std::string all_bytes_by_iconv(const char* name, Refused refused) {
  std::string text, errors;
  const iconv_t descriptor = iconv_open("UTF-8", name);
  BOOST_REQUIRE(descriptor != iconv_t(-1));
  unsigned line = 1, column = 1;
  for (unsigned byte = 0; byte < 256; ++byte, ++column) {
    char in = static_cast<char>(byte), out[8], *from = &in, *to = out;
    std::size_t size = 1, room = sizeof out;
    if (refused(byte)) {
      const char digits[] = "0123456789ABCDEF";
      text += "\uFFFD";
      errors += "\nline " + std::to_string(line) + ", column " + std::to_string(column) + " (byte " +
                std::to_string(byte) + "): byte that no text contains: " + digits[byte / 16] + digits[byte % 16];
    } else {
      BOOST_REQUIRE(iconv(descriptor, &from, &size, &to, &room) == 0);
      text.append(out, to);
    }
    if (byte == '\n') {
      ++line;
      column = 0;
    }
  }
  iconv_close(descriptor);
  return text + errors;
}

std::string all_bytes() {
  std::string text(256, '\0');
  for (std::size_t byte = 0; byte < 256; ++byte) text[byte] = static_cast<char>(byte);
  return text;
}

template <class Codec>
void comes_out_in_any_pieces(const Codec& codec, const std::string& expected) {
  tally cases;
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 64u, 255u, 256u, 300u})
    for (const std::size_t room : {4u, 5u, 6u, 7u, 8u, 100u, 2000u})
      cases.check(codecs_test::in_pieces(codec, all_bytes(), piece, room) == expected,
                  ("pieces of " + std::to_string(piece) + ", room for " + std::to_string(room)).c_str(), all_bytes());
  cases.summary();
}

BOOST_AUTO_TEST_CASE(the_codecs_agree_with_iconv_for_any_pieces) {
  comes_out_in_any_pieces(codecs::latin9_to_utf8(), all_bytes_by_iconv("ISO-8859-15", [](unsigned) { return false; }));
  comes_out_in_any_pieces(codecs_koi8::koi8_letters_to_utf8(), all_bytes_by_iconv("KOI8-R", [](unsigned byte) {
                            return byte >= 0x80 && byte < 0xC0 && byte != 0xA3 && byte != 0xB3;
                          }));
}

BOOST_AUTO_TEST_CASE(the_codecs_read_and_write_in_a_chain) {
  utfilter::codec_filter<codecs::latin9_to_utf8> latin9;
  io::filtering_istream in;
  in.push(latin9);
  in.push(io::array_source("10 \xA4", 4));
  BOOST_TEST((std::string{std::istreambuf_iterator<char>(in), {}}) == "10 \u20AC");
  BOOST_TEST(latin9.report().bytes_in == 4U);

  std::string written;
  io::filtering_ostream out;
  out.push(utfilter::codec_filter<codecs_koi8::koi8_letters_to_utf8>(codecs_koi8::koi8_letters_to_utf8(),
                                                                     utfilter::on_error::escape));
  out.push(io::back_inserter(written));
  out << "\xC4\xC1 \x80";
  out.reset();
  BOOST_TEST(written == "\u0434\u0430 \\x80");
}

BOOST_AUTO_TEST_CASE(the_change_gives_the_same_wherever_the_text_is_cut) {
  namespace reference = conformance::reference;
  const auto in_capitals = [](const std::string& text, bool) {
    reference::rewritten result{text};
    for (char& c : result.text) {
      if (c < 'a' || c > 'z') continue;
      c = static_cast<char>(c - 32);
      ++result.changes;
    }
    return result;
  };
  const auto expected = [&](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(p, input, writing, ends, in_capitals);
  };
  text_filters::check_mixtures(utfilter::text_codec<codecs_change::upper_case>(), expected,
                               {"a", "z", "@[`{", "\u00E9", "\u20AC", "\U0001F600", "\r\n", "\xFF", "\xE2\x82"}, 300);
}

BOOST_AUTO_TEST_CASE(a_change_may_be_refused_and_may_show_what_it_changes) {
  std::string seen;
  utfilter::params p;
  p.observer = [&](const utfilter::error_info& change) { seen += to_string(change) + '\n'; };
  const utfilter::text_filter tabs(codecs_tabs::expand_tabs(4), p);
  io::filtering_istream in(tabs | io::array_source("\u00E9\t|\n\t", 6));
  BOOST_TEST((std::string{std::istreambuf_iterator<char>(in), {}}) == "\u00E9    |\n    ");
  BOOST_TEST(seen ==
             "line 1, column 2 (byte 2): changed to U+0020: 09\nline 2, column 1 (byte 5): changed to U+0020: 09\n");
  BOOST_TEST(tabs.report().changes == 2U);
  BOOST_CHECK_THROW(utfilter::text_filter(codecs_tabs::expand_tabs(17)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace
