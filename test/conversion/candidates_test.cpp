// candidates_test.cpp: what a user knows about the encoding of a text helps encoding::guess: params::candidates, language
// and least_confidence. The answer says how sure it is, and guess_encodings names the others.
// build: portable
#define BOOST_TEST_MODULE candidates
#include <boost/test/unit_test.hpp>

#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/text.hpp>
#include <utfilter/to_utf8.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;

namespace {

const std::string russian = "\xC2\xF1\xE5 \xEB\xFE\xE4\xE8 \xF0\xEE\xE6\xE4\xE0\xFE\xF2\xF1\xFF\n";  // windows-1251
const std::string polish = "Za\xBF\xF3\xB3\xE6 g\xEA\x9Cl\xB9 ja\x9F\xF1, kt\xF3ra m\xF3wi\xB3"
                           "a.\n";  // windows-1250
const std::string greek =
    "\xC1\xED\xEF\xE9\xEE\xE7 \xEA\xE1\xE9 \xEA\xE1\xEB\xEF\xEA\xE1\xDF\xF1\xE9\n";  // windows-1253

params among(encoding_list list) {
  params p;
  p.fallback = encoding::guess;
  p.candidates = list;
  return p;
}

std::string name_among(const std::string& text, encoding_list list) {
  return to_string(guess_encoding(text, among(list)).encoding);
}

stream_report report_on(const std::string& text, const params& p) {
  decoder d(p);
  std::string out(4 * text.size() + 64, '\0');
  d.convert(text.data(), text.size(), &out[0], out.size(), true);
  return d.report();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_of_legacy_text_is_decided) {
  BOOST_TEST(to_string(guess_encoding(russian).encoding) == "windows-1251");
  BOOST_TEST(guess_encoding(russian).language == "ru");
  BOOST_TEST(to_string(guess_encoding(polish).encoding) == "windows-1250");
  BOOST_TEST(guess_encoding(polish).language == "pl");
  BOOST_TEST(to_string(guess_encoding(greek).encoding) == "windows-1253");
  for (const std::string& text : {russian, polish, greek}) {
    const encoding_guess found = guess_encoding(text);
    BOOST_TEST((found.decided_by == evidence::statistics));
    BOOST_TEST(found.confidence >= 0.9);
    BOOST_TEST(found.confidence < 1);
  }
}

// The letters tell the encoding, even of names of several languages. Symbols do not.
BOOST_AUTO_TEST_CASE(names_are_decided_and_symbols_are_not) {
  const std::string names = "M\xFCller;12\nSchr\xF6"
                            "der;13\nWei\xDF;5\nJ\xE4ger;9\nFran\xE7ois;1\nJos\xE9;2\n";
  BOOST_TEST(to_string(guess_encoding(names).encoding) == "windows-1252");
  BOOST_TEST((guess_encoding(names).decided_by == evidence::statistics));
  for (const char* const symbols : {"1.50 \x80\n2.00 \x80\n", "\xA9 2020\n",
                                    "20 \xB0"
                                    "C\n",
                                    "1.50 \xA4\n2.00 \xA4\n"}) {
    BOOST_TEST(to_string(guess_encoding(symbols).encoding) == "windows-1252");
    BOOST_TEST((guess_encoding(symbols).decided_by == evidence::assumption));
    for (const encoding_candidate& each : guess_encodings(symbols)) BOOST_TEST((each.evidence == evidence::assumption));
  }
}

BOOST_AUTO_TEST_CASE(the_text_is_in_one_of_the_candidates) {
  BOOST_TEST(name_among(russian, {encoding::koi8r, encoding::windows1251}) == "windows-1251");
  BOOST_TEST(name_among(russian, {encoding::koi8r, encoding::ibm866}) != "windows-1251");
  BOOST_TEST(name_among(russian, {encoding::windows1250, encoding::iso8859_2}) != "windows-1251");
  // A candidate stands for one with the same letters.
  BOOST_TEST(name_among("caf\xE9 cr\xE8me\n", {encoding::latin1, encoding::koi8r}) == "ISO-8859-1");
  BOOST_TEST(name_among("caf\xE9 cr\xE8me\n", {encoding::windows1252, encoding::latin1}) == "windows-1252");
}

BOOST_AUTO_TEST_CASE(structure_decides_among_the_candidates) {
  const encoding_list list = {encoding::windows1252, encoding::utf8, encoding::utf16le};
  BOOST_TEST(name_among("na\xC3\xAFve", list) == "UTF-8");
  BOOST_TEST(name_among("o\0k\0\n\0"s, list) == "UTF-16LE");
  BOOST_TEST(name_among("plain\n", list) == "UTF-8");
  BOOST_TEST(name_among("plain\n", {encoding::koi8r, encoding::windows1252}) == "KOI8-R");
  BOOST_TEST(name_among("na\xEFve", list) == "windows-1252");  // the only one by which it decodes
  BOOST_TEST((guess_encoding("na\xEFve", among(list)).decided_by == evidence::structure));
  BOOST_TEST(name_among("\0o\0k"s, {encoding::utf16, encoding::utf8}) == "UTF-16BE");
  BOOST_TEST(name_among("na\xC3\xAFve", {encoding::windows1252}) == "windows-1252");
  // A byte order mark is stronger, and data that is no text stays none.
  BOOST_TEST(name_among("\xEF\xBB\xBFok", {encoding::windows1252, encoding::koi8r}) == "UTF-8");
  BOOST_TEST(name_among("\0\1\0\2\xFF\0\3\0\4\0"s, {encoding::windows1252, encoding::koi8r}) == "detect");
}

BOOST_AUTO_TEST_CASE(a_declaration_counts_only_if_it_is_a_candidate) {
  const std::string xml = "<?xml version='1.0' encoding='koi8-r'?><a>\xF0\xD2\xC9\xD7\xC5\xD4</a>\n";
  BOOST_TEST(name_among(xml, {encoding::koi8r, encoding::windows1251}) == "KOI8-R");
  BOOST_TEST(
      (guess_encoding(xml, among({encoding::koi8r, encoding::windows1251})).decided_by == evidence::declaration));
  const encoding_guess other = guess_encoding(xml, among({encoding::windows1251, encoding::iso8859_5}));
  BOOST_TEST((other.decided_by != evidence::declaration));
  BOOST_TEST(other.unused_declaration == "KOI8-R");
}

// Nothing but UTF-8 may be right, so its errors are the text's.
BOOST_AUTO_TEST_CASE(a_text_that_no_candidate_fits_is_assumed_to_be_one) {
  const encoding_guess found = guess_encoding("na\xEFve", among({encoding::utf8}));
  BOOST_TEST((found.encoding == encoding::utf8));
  BOOST_TEST((found.decided_by == evidence::assumption));
  BOOST_TEST(report_on("na\xEFve", among({encoding::utf8})).errors == 1u);
  BOOST_TEST(
      (guess_encoding("\xFF\xE9\xDB", among({encoding::utf8, encoding::iso8859_8})).encoding == encoding::iso8859_8));
}

BOOST_AUTO_TEST_CASE(of_equally_likely_candidates_the_first_wins) {
  const std::string text = "\xE9t\xE9 \xE0 la mer, d\xE9j\xE0 vu\n";  // the same text in both
  BOOST_TEST(name_among(text, {encoding::windows1252, encoding::windows1254}) == "windows-1252");
  BOOST_TEST(name_among(text, {encoding::windows1254, encoding::windows1252}) != "detect");
}

BOOST_AUTO_TEST_CASE(streams_report_what_guess_encoding_finds) {
  for (const std::string& text : {russian, polish, greek, "plain\n"s, "na\xC3\xAFve\n"s, "\xEF\xBB\xBFok"s}) {
    params p;
    p.fallback = encoding::guess;
    const encoding_guess found = guess_encoding(text, p);
    const stream_report report = report_on(text, p);
    BOOST_TEST((report.encoding == found.encoding));
    BOOST_TEST((report.decided_by == found.decided_by));
    BOOST_TEST(std::abs(report.confidence - found.confidence) < 0.01);
    BOOST_TEST((found.decided_by == evidence::statistics || found.confidence == 1));
  }
}

BOOST_AUTO_TEST_CASE(below_the_least_confidence_the_answer_is_an_assumption) {
  params p = among({});
  p.legacy = encoding::koi8r;
  p.least_confidence = 1;
  BOOST_TEST((guess_encoding(russian, p).encoding == encoding::koi8r));
  BOOST_TEST((guess_encoding(russian, p).decided_by == evidence::assumption));
  BOOST_TEST(guess_encoding(russian, p).confidence < 0.1);
  BOOST_TEST((report_on(russian, p).decided_by == evidence::assumption));
  p.least_confidence = 0;
  BOOST_TEST((guess_encoding(russian, p).encoding == encoding::windows1251));
  p = among({encoding::windows1251, encoding::koi8r});
  p.least_confidence = 1;  // the likeliest candidate, nevertheless
  BOOST_TEST((guess_encoding(russian, p).encoding == encoding::windows1251));
  BOOST_TEST((guess_encoding(russian, p).decided_by == evidence::assumption));
}

BOOST_AUTO_TEST_CASE(a_language_weighs_and_excludes_nothing) {
  // Three letters, in any of these.
  const std::string text = "\xE8\xE1\xE2\n";
  params p = among({encoding::windows1250, encoding::windows1251, encoding::windows1253});
  p.language = "cs";
  BOOST_TEST((guess_encoding(text, p).encoding == encoding::windows1250));
  p.language = "ru-RU";
  BOOST_TEST((guess_encoding(text, p).encoding == encoding::windows1251));
  p.language = "el";
  BOOST_TEST((guess_encoding(text, p).encoding == encoding::windows1253));
  BOOST_TEST((guess_encoding(russian, p).encoding == encoding::windows1251));
}

BOOST_AUTO_TEST_CASE(guess_encodings_has_the_likely_ones_in_order) {
  for (const std::string& text : {russian, polish, greek}) {
    const std::vector<encoding_candidate> all = guess_encodings(text);
    BOOST_REQUIRE(!all.empty());
    BOOST_TEST(all.size() <= 8u);
    BOOST_TEST((all[0].encoding == guess_encoding(text).encoding));
    BOOST_TEST(all[0].language == guess_encoding(text).language);
    double sum = 0;
    for (std::size_t i = 0; i != all.size(); ++i) {
      sum += all[i].confidence;
      BOOST_TEST((i == 0 || all[i].confidence <= all[i - 1].confidence));
      BOOST_TEST((all[i].evidence == (all[i].confidence >= 0.7 ? evidence::statistics : evidence::assumption)));
      for (std::size_t k = 0; k != i; ++k) BOOST_TEST((all[i].encoding != all[k].encoding));
    }
    BOOST_TEST(sum <= 1.001);
  }
  BOOST_TEST(guess_encodings("\0\1\0\2\xFF\0\3\0\4\0"s).empty());
  BOOST_REQUIRE(guess_encodings("na\xC3\xAFve").size() == 1u);
  BOOST_TEST((guess_encodings("na\xC3\xAFve")[0].evidence == evidence::structure));
  BOOST_TEST(guess_encodings("na\xC3\xAFve")[0].confidence == 1);
  BOOST_REQUIRE(guess_encodings("").size() == 1u);
  BOOST_REQUIRE(guess_encodings("\xEF\xBB\xBFok").size() == 1u);
  BOOST_TEST((guess_encodings("\xEF\xBB\xBFok")[0].evidence == evidence::bom));
  for (const encoding_candidate& each : guess_encodings(russian, among({encoding::koi8r, encoding::windows1251})))
    BOOST_TEST((each.encoding == encoding::koi8r || each.encoding == encoding::windows1251));
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused) {
  const auto why = [](const params& p) -> std::string {
    try {
      const to_utf8 filter(encoding::guess, p);
    } catch (const std::invalid_argument& e) {
      BOOST_CHECK_THROW(guess_encodings("caf\xE9", p), std::invalid_argument);
      return e.what();
    }
    guess_encodings("caf\xE9", p);
    return "";
  };
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  params p;
  BOOST_TEST(why(p) == "");
  p.candidates = {encoding::utf8, encoding::guess};
  BOOST_TEST(has(why(p), "params::candidates"));
  p.candidates = {encoding::detect};
  BOOST_TEST(has(why(p), "params::candidates"));
  p.candidates = {static_cast<encoding>(1000)};
  BOOST_TEST(has(why(p), "there is no such encoding"));
  const std::vector<encoding> many(256, encoding::utf8);
  p.candidates = encoding_list(many.data(), many.size());
  BOOST_TEST(has(why(p), "params::candidates"));
  p.candidates = {};
  for (const double least : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    p.least_confidence = least;
    BOOST_TEST(has(why(p), "params::least_confidence"));
    guess_encoding("caf\xE9", p);  // leaves it out
  }
  p.least_confidence = 0.7;
  for (const char* const language : {"tlh", "c", "czech", "-", "cs\xFF"}) {
    p.language = language;
    BOOST_TEST(has(why(p), "params::language must be the code of ISO 639"));
    BOOST_TEST(has(why(p), " cs "));
  }
  for (const char* const language : {"cs", "CS", "pt-BR", "pt_BR", "zh-Hant", "ja"}) {
    p.language = language;
    BOOST_TEST(why(p) == "");
  }
}

BOOST_AUTO_TEST_CASE(equal_lists_are_kept_once) {
  const encoding_list none, empty = {}, two = {encoding::utf8, encoding::koi8r};
  BOOST_TEST(none.empty());
  BOOST_TEST(empty.empty());
  BOOST_TEST(!two.empty());
  BOOST_TEST((two.end() - two.begin()) == 2);
  BOOST_TEST((two.begin()[1] == encoding::koi8r));
  BOOST_TEST((encoding_list{encoding::utf8, encoding::koi8r}.begin() == two.begin()));
  BOOST_TEST((encoding_list{encoding::koi8r, encoding::utf8}.begin() != two.begin()));
  std::vector<std::thread> threads;
  std::vector<const encoding*> made(4);
  for (const encoding*& each : made)
    threads.emplace_back([&each] {
      for (int i = 0; i != 1000; ++i) each = encoding_list{encoding::ibm866, encoding::utf8}.begin();
    });
  for (std::thread& each : threads) each.join();
  for (const encoding* const each : made) BOOST_TEST(each == made[0]);
}
