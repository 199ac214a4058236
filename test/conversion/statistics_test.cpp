// statistics_test.cpp: what a detector says about legacy text counts only if it makes likely text; otherwise the text is that
// of a similar encoding, or of a two-byte charset, or the legacy encoding is assumed.
// build: portable
#define BOOST_TEST_MODULE statistics
#include <boost/test/unit_test.hpp>

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

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
      {"Italian in ISO-8859-1", "Unit\xE0 di conto europea\n", "IBM869", "windows-1252", evidence::assumption},
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
      {"Russian in capitals in windows-1251",
       "\xC2\xCD\xC8\xCC\xC0\xCD\xC8\xC5! \xD1\xCF\xD0\xC0\xC2\xCA\xC0 \xCE \xC4\xCE\xD5\xCE\xC4\xC0\xD5 \xD4\xC8\xC7\xC8\xD7\xC5\xD1\xCA\xCE\xC3\xCE \xCB\xC8\xD6\xC0\n",
       "KOI8-R", "windows-1251", evidence::statistics},
      {"Russian in capitals in KOI8-R",
       "\xF7\xEE\xE9\xED\xE1\xEE\xE9\xE5! \xF3\xF0\xF2\xE1\xF7\xEB\xE1 \xEF \xE4\xEF\xE8\xEF\xE4\xE1\xE8 \xE6\xE9\xFA\xE9\xFE\xE5\xF3\xEB\xEF\xE7\xEF \xEC\xE9\xE3\xE1\n",
       "windows-1251", "KOI8-R", evidence::statistics},
      {"Russian in capitals in KOI8-R, as Greek",
       "\xF7\xEE\xE9\xED\xE1\xEE\xE9\xE5! \xF3\xF0\xF2\xE1\xF7\xEB\xE1 \xEF \xE4\xEF\xE8\xEF\xE4\xE1\xE8 \xE6\xE9\xFA\xE9\xFE\xE5\xF3\xEB\xEF\xE7\xEF \xEC\xE9\xE3\xE1 \xFA\xE1 \xF0\xF2\xEF\xFB\xEC\xF9\xEA \xE7\xEF\xE4\n",
       "ISO-8859-7", "KOI8-R", evidence::statistics},
      {"Russian in capitals that the detector does not know",
       "\xC2\xCD\xC8\xCC\xC0\xCD\xC8\xC5! \xD1\xCF\xD0\xC0\xC2\xCA\xC0 \xCE \xC4\xCE\xD5\xCE\xC4\xC0\xD5\n", "",
       "windows-1251", evidence::statistics},
      {"Ukrainian in KOI8-U",
       "\xF7\xA6\xC4\xCB\xD2\xC9\xD4\xC9 \xC6\xC1\xCA\xCC \xD0\xD2\xCF\xC7\xD2\xC1\xCD\xC9, \xDA\xC1\xCB\xD2\xC9\xD4\xC9 \xC4\xCF\xCB\xD5\xCD\xC5\xCE\xD4\n",
       "KOI8-R", "KOI8-U", evidence::statistics},
      {"Polish in ISO-8859-2",
       "S\xB1 du\xBF"
       "e, maj\xB1, b\xEA"
       "d\xB1, chc\xB1, mog\xB1 t\xEA drog\xB1\n",
       "windows-1250", "ISO-8859-2", evidence::statistics},
      {"Polish in windows-1250",
       "S\xB9 du\xBF"
       "e, maj\xB9, b\xEA"
       "d\xB9, chc\xB9, mog\xB9 t\xEA drog\xB9\n",
       "windows-1250", "windows-1250", evidence::statistics},
      {"German in IBM850",
       "Gr\x94\xE1"
       "e der Stra\xE1"
       "e f\x81r M\x81ller: sch\x94ne Gr\x81\xE1"
       "e\n",
       "x-mac-centraleurroman", "IBM850", evidence::statistics},
      {"German of the Macintosh",
       "Gr\x9A\xA7"
       "e der Stra\xA7"
       "e f\x9Fr M\x9Fller: sch\x9Ane Gr\x9F\xA7"
       "e\n",
       "IBM852", "macintosh", evidence::statistics},
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

// Then quotation marks may follow, which are control characters in ISO 8859. A whole text has none.
BOOST_AUTO_TEST_CASE(the_start_of_a_text_is_in_the_larger_encoding_of_windows) {
  const std::string german = "Gr\xF6\xDF"
                             "e und Stra\xDF"
                             "e f\xFCr M\xFCller\n";
  const std::string greek = "\xD4\xEF \xF3\xF7\xEF\xEB\xE5\xDF\xEF\n", with_drachma = "\xA4 " + greek;
  const std::string turkish = "T\xFCrk\xE7"
                              "e \xF6\xF0renmek\n";
  const auto start = [](const std::string& text, std::string_view said) {
    utfilter::params p;
    p.guess_bytes = text.size();
    p.guess_legacy = detector;
    answer = said;
    return std::string(guess_charset(text, p));
  };
  BOOST_TEST(start(german, "ISO-8859-1") == "windows-1252");
  BOOST_TEST(start(greek, "ISO-8859-7") == "windows-1253");
  BOOST_TEST(start(with_drachma, "ISO-8859-7") == "ISO-8859-7");  // the euro sign there
  BOOST_TEST(start(turkish, "ISO-8859-9") == "windows-1254");
  BOOST_TEST(guess(german, "ISO-8859-1") == "ISO-8859-1");
}

// A byte that the encoding lacks is damage. It will be an error.
BOOST_AUTO_TEST_CASE(a_few_bytes_that_are_no_characters_are_damage) {
  const std::string greek = "\xC7 \xC5\xEB\xEB\xDC\xE4\xE1 \xE5\xDF\xED\xE1\xE9 \xEC\xE9\xE1 \xF7\xFE\xF1\xE1\n";
  const std::string english = "The price \x96 \x93in a few days\x94 \x96 is \x80 25; don\x92t pay, we\x92ll wait\n";
  BOOST_TEST(guess(greek + greek + "\x81\n", "windows-1253") == "windows-1253");
  BOOST_TEST(guess(greek + greek + "\x81\x81\x81\x81\x81\x81\n", "windows-1253") == "windows-1252");
  // Of the encodings whose bytes 80 to 9F are symbols, the one that is assumed is as good as any.
  for (const char* const said : {"windows-1257", "IBM852", "x-mac-centraleurroman"})
    for (const char* const damage : {"", "\x81\n", "\x8D\n"}) {
      const auto got = guess(english + damage, said);
      BOOST_TEST((got == "windows-1252" && got.decided_by == evidence::assumption), said);
    }
}

BOOST_AUTO_TEST_CASE(a_declaration_counts_where_the_text_is_slightly_damaged) {
  const std::string page = "<meta charset=windows-1251>\n",
                    line = "\xF3\xE5\xE3\xEE\xE4\xED\xFF \xF5\xEE\xF0\xEE\xF8\xE0\xFF\n";
  const auto got = guess(page + line + line + "\x98\n", "x-mac-cyrillic");
  BOOST_TEST((got == "windows-1251" && got.decided_by == evidence::declaration));
  const auto damaged = guess(page + line + "\x98\x98\x98\x98\n", "x-mac-cyrillic");
  BOOST_TEST((damaged.decided_by != evidence::declaration && damaged.unused_declaration == "windows-1251"));
  // NEL is no character of a text in ISO-8859-1, but in windows-1252 the byte is an ellipsis.
  const auto dots = guess("<meta charset=iso-8859-1>\nwait\x85 caf\xE9\n", "");
  BOOST_TEST((dots == "windows-1252" && dots.unused_declaration == "ISO-8859-1"));
}

// The library has no table of IBM852: what can be said against it is that the text is likely in the assumed encoding.
BOOST_AUTO_TEST_CASE(a_declaration_that_cannot_be_checked_loses_to_likely_text) {
  const std::string french = "Le caf\xE9 est tr\xE8s bon, m\xEAme \xE0 la fen\xEAtre\n";
  const std::string polish = "Wr\xA2\x86 do \x88\xA2\xBEka i \x98pij spokojnie, prosz\xA9\n";
  const auto mislabelled = guess("Content-Type: text/plain; charset=ibm852\n\n" + french, "");
  BOOST_TEST((mislabelled == "windows-1252" && mislabelled.unused_declaration == "IBM852"));
  const auto labelled = guess("Content-Type: text/plain; charset=ibm852\n\n" + polish, "");
  BOOST_TEST((labelled == "IBM852" && labelled.decided_by == evidence::declaration));
}

BOOST_AUTO_TEST_CASE(few_bytes_show_no_encoding_where_the_assumed_one_makes_likely_text) {
  BOOST_TEST((guess("caf\xE9 d\xE9j\xE0\n", "windows-1252").decided_by == evidence::assumption));
  BOOST_TEST((guess("caf\xE9 d\xE9j\xE0 l\xE0\n", "windows-1252").decided_by == evidence::statistics));
  BOOST_TEST(guess("a\xF1o ni\xF1o\n", "ISO-8859-10") == "windows-1252");
  BOOST_TEST(guess("\x93\xFA\x96{\n", "IBM852") == "windows-1252");
  BOOST_TEST(guess("\xE0\xC5\xE9\n", "ISO-8859-8") == "windows-1252");
}

BOOST_AUTO_TEST_CASE(one_byte_beyond_ascii_shows_no_encoding) {
  BOOST_TEST((guess("caf\xE9\n", "windows-1252").decided_by == evidence::assumption));
  BOOST_TEST((guess("caf\xE9\n", "IBM852").decided_by == evidence::assumption));
  BOOST_TEST(samples.empty());
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
