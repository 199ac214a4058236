// statistics_test.cpp: what a detector says about legacy text counts only if it makes likely text; otherwise the text is that
// of a similar encoding, or of a two-byte charset, or the legacy encoding is assumed.
// build: portable
#define BOOST_TEST_MODULE statistics
#include <boost/test/unit_test.hpp>

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using utfilter::evidence;
using namespace std::string_literals;

namespace {

std::string_view answer;           // of the detector
std::vector<std::string> samples;  // about which it was asked

std::string_view detector(std::string_view sample) noexcept {
  samples.emplace_back(sample);
  return answer;
}

/// Knows text that begins with ASCII, and calls it KOI8-R.
std::string_view knows_whole_characters(std::string_view sample) noexcept {
  samples.emplace_back(sample);
  return static_cast<unsigned char>(sample.front()) < 0x80 ? "KOI8-R" : "";
}

utfilter::charset_guess guess(const std::string& text, std::string_view said) {
  utfilter::params p;
  p.guess_legacy = detector;
  answer = said;
  samples.clear();
  return guess_charset(text, p);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_answer_counts_if_it_makes_likely_text) {
  struct row {
    const char* what;
    std::string text;
    std::string_view said, name;
    evidence decided_by;
  };
  const row rows[] = {
      {"Japanese in EUC-JP",
       "\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xCA\xB8\xBE\xCF\xA4\xC7\xA4\xB9\xA1\xA3\xA4\xD2\xA4\xE9\xA4\xAC\xA4\xCA\n",
       "windows-1252", "EUC-JP", evidence::statistics},
      {"Japanese in Shift_JIS",
       "\x93\xFA\x96{\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD\x82\xC5\x82\xB7\x81"
       "B\x82\xD0\x82\xE7\x82\xAA\x82\xC8\n",
       "ISO-8859-3", "Shift_JIS", evidence::statistics},
      {"Korean in EUC-KR",
       "\xBE\xC8\xB3\xE7\xC7\xCF\xBC\xBC\xBF\xE4 \xC7\xD1\xB1\xB9\xBE\xEE\xB7\xCE \xC0\xDB\xBC\xBA\xB5\xC8\n",
       "windows-1258", "EUC-KR", evidence::statistics},
      {"Chinese in GB 2312",
       "\xD5\xE2\xCA\xC7\xD2\xBB\xB8\xF6\xD6\xD0\xCE\xC4\xB5\xC4\xB2\xE2\xCA\xD4\xCE\xC4\xBC\xFE\n", "windows-1252",
       "GB18030", evidence::statistics},
      {"Chinese in Big5",
       "\xB3o\xACO\xA4@\xAD\xD3\xC1"
       "c\xC5\xE9\xA4\xA4\xA4\xE5\xAA\xBA\xB4\xFA\xB8\xD5\xA4\xE5\xA5\xF3\n",
       "windows-1252", "Big5", evidence::statistics},
      {"Russian in windows-1251",
       "\xCC\xF3\xE7\xFB\xEA\xE0 \xE8 \xF0\xE5\xF6\xE5\xED\xE7\xE8\xE8. \xC5\xE6\xE5\xE4\xED\xE5\xE2\xED\xEE\xE5\n",
       "x-mac-cyrillic", "windows-1251", evidence::statistics},
      {"Russian in KOI8-R", "\xF3\xC5\xC7\xCF\xC4\xCE\xD1 \xC8\xCF\xD2\xCF\xDB\xC1\xD1 \xD0\xCF\xC7\xCF\xC4\xC1\n",
       "windows-1251", "KOI8-R", evidence::statistics},
      {"Greek in ISO-8859-7: the apostrophe is a capital in windows-1253", "\xE3\xE9\xA2 \xE1\xF5\xF4\xFC\n",
       "windows-1253", "ISO-8859-7", evidence::statistics},
      {"Russian in KOI8-R as Greek",
       "\xF3\xC5\xC7\xCF\xC4\xCE\xD1 \xE8\xCF\xD2\xCF\xDB\xC1\xD1 \xD0\xCF\xC7\xCF\xC4\xC1 \xD7 \xED\xCF\xD3\xCB\xD7\xC5\n",
       "ISO-8859-7", "windows-1252", evidence::assumption},
      {"German in ISO-8859-1",
       "\xDC"
       "ber die Stra\xDF"
       "e zum B\xE4"
       "cker\n",
       "IBM852", "windows-1252", evidence::assumption},
      {"Italian in ISO-8859-1", "Unit\xE0 di conto europea\n", "VISCII", "windows-1252", evidence::assumption},
      {"Czech in IBM852", "P\xFD\xA1li\xE7 \xA7lu\x9Cou\x9Fk\xEC k\x85\xE5 \xA3p\xD8l\n", "IBM852", "IBM852",
       evidence::statistics},
      {"French in windows-1252",
       "\xC7"
       "a co\xFBte 5 \x80 \xE0 l'h\xF4tel\n",
       "windows-1252", "windows-1252", evidence::statistics},
      {"Turkish in windows-1254",
       "T\xFCrk\xE7"
       "e \xF6\xF0renmek g\xFCzel\n",
       "windows-1254", "windows-1254", evidence::statistics},
      {"Vietnamese in windows-1258",
       "Ti\xEA\xECng Vi\xEA\xF2t cu\xD2"
       "a ng\xFD\xF5\xCCi\n",
       "windows-1258", "windows-1258", evidence::statistics},
      {"Greek in capitals", "\xC7 \xCD\xC1\xD5\xD4\xC5\xCC\xD0\xCF\xD1\xC9\xCA\xC7\n", "ISO-8859-7", "ISO-8859-7",
       evidence::statistics},
      {"Hebrew", "\xF9\xEC\xE5\xED \xF2\xE5\xEC\xED\n", "ISO-8859-8", "ISO-8859-8", evidence::statistics},
      {"Arabic", "\xE3\xD1\xCD\xC8\xC7 \xC8\xC7\xE1\xDA\xC7\xE1\xE3\n", "windows-1256", "windows-1256",
       evidence::statistics},
      {"Thai", "\xCA\xC7\xD1\xCA\xB4\xD5\xAA\xD2\xC7\xE2\xC5\xA1\n", "windows-874", "windows-874",
       evidence::statistics},
      {"two scripts in a word",
       "a\xE1"
       "a\xE2"
       "a\xE3"
       "a\xE4"
       "a\xE5\n",
       "windows-1251", "windows-1252", evidence::assumption},
      {"small letters of Latin beyond ASCII alone", "\xEF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0\n", "windows-1252",
       "windows-1252", evidence::assumption},
      {"Japanese in EUC-JP, with a character that is cut",
       "\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xCA\n\xBE\xCF\xA4\xC7\xA4\xB9\xA1\xA3\xA4\xD2\xA4\xE9\xA4\xAC\xA4\xCA\n",
       "EUC-JP", "EUC-JP", evidence::statistics},
      {"French in windows-1252, which has no form of EUC-KR",
       "\xE9t\xE9 \xE0 Orl\xE9"
       "ans\n",
       "EUC-KR", "windows-1252", evidence::assumption},
  };
  for (const row& r : rows) {
    BOOST_TEST_CONTEXT(r.what) {
      const utfilter::charset_guess got = guess(r.text, r.said);
      BOOST_TEST(got == r.name);
      BOOST_TEST((got.decided_by == r.decided_by));
    }
  }
}

BOOST_AUTO_TEST_CASE(one_odd_place_in_a_long_text_is_no_reason) {
  const std::string line = "\xF3\xE5\xE3\xEE\xE4\xED\xFF \xF5\xEE\xF0\xEE\xF8\xE0\xFF\n";  // 14 letters
  const std::string odd = "\xE0\xC0\n";  // a capital after a small letter
  BOOST_TEST((guess(line + line + odd, "windows-1251").decided_by == evidence::statistics));
  BOOST_TEST((guess(line + odd + odd + odd, "windows-1251").decided_by == evidence::assumption));
}

BOOST_AUTO_TEST_CASE(a_detector_is_asked_again_after_characters_that_the_start_may_have_cut) {
  const std::string text = "\xC1\xC2 \xF0\xD2\xC9\xD7\xC5\xD4\n";
  utfilter::params p;
  p.guess_legacy = knows_whole_characters;
  samples.clear();
  const auto got = guess_charset(text, p);
  BOOST_TEST(got == "KOI8-R");
  BOOST_TEST(samples == (std::vector{text, text.substr(2)}), boost::test_tools::per_element());
  // No more often than three times, and not about ASCII alone.
  guess(text, "");
  BOOST_TEST(samples == (std::vector{text, text.substr(2), text.substr(3), text.substr(4)}),
             boost::test_tools::per_element());
  guess("\xC1\xC2 \n", "");
  BOOST_TEST(samples.size() == 1u);
  guess("a" + text, "");
  BOOST_TEST(samples.size() == 1u);
}

BOOST_AUTO_TEST_CASE(one_byte_beyond_ascii_shows_no_encoding) {
  BOOST_TEST((guess("caf\xE9\n", "windows-1252").decided_by == evidence::assumption));
  BOOST_TEST((guess("caf\xE9\n", "IBM852").decided_by == evidence::assumption));
  BOOST_TEST(samples.empty());
  BOOST_TEST((guess("caf\xE9 caf\xE9\n", "windows-1252").decided_by == evidence::statistics));
}

BOOST_AUTO_TEST_CASE(few_bytes_are_no_two_byte_charset) {
  BOOST_TEST(guess("\xF0\xD2\xC9\xD7\xC5\xD4, ok\n", "") == "windows-1252");  // six letters of KOI8-R
  BOOST_TEST(guess("\xA4\n", "") == "windows-1252");
  BOOST_TEST(guess("\xA4", "") == "windows-1252");
}

BOOST_AUTO_TEST_CASE(any_bytes_and_any_answer_have_a_guess) {
  const std::string_view names[] = {"",          "windows-1252", "KOI8-R",        "UTF-16LE", "UTF-8",
                                    "Shift_JIS", "GB18030",      "no such name",  "US-ASCII", "detect",
                                    "guess",     "IBM852",       "x-user-defined"};
  for (int a = 0x80; a != 0x100; ++a)
    for (const int b : {0x20, 0x41, 0x80, 0xA4, 0xC1, 0xFF})
      for (const std::string_view name : names) {
        const std::string text = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(a)};
        const auto got = guess(text, name);
        BOOST_TEST(!got.empty());
      }
}
