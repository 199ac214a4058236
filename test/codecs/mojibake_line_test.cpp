// mojibake_line_test.cpp: undo_mojibake(encoding::guess) finds how each line was read wrong, and reread_legacy undoes the
// reading that it is told, whatever the cut, the room, the errors and the policy are. Right text stays.
// (utfcat_mojibake_test.py tries more languages and encodings, which Python reads.)
// build: portable optimised
#define BOOST_TEST_MODULE mojibake_line
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/text_filter_reference.hpp"
#include "support/text_filter_trial.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reference = conformance::reference;
using namespace std::string_literals;
using text_filters::filtered;
using utfilter::encoding;
using utfilter::on_error;
using utfilter::reread_legacy;
using utfilter::undo_mojibake;

namespace {

// What Python's codecs make of the right text. A byte that an encoding lacks is the control character of its number.
const std::pair<std::string, std::string> wrong_and_right[] = {
    {"Der Flu\u00C3\u0178 flie\u00C3\u0178t durch K\u00C3\u00B6ln, f\u00C3\u00BCr 3 \u00E2\u201A\u00AC je Person.",
     "Der Fluß fließt durch Köln, für 3 € je Person."},  // cp1252
    {"It\u00E2\u20AC\u2122s a \u00E2\u20AC\u0153quoted\u00E2\u20AC\u009D word \u00E2\u20AC\u201C with a dash\u00E2\u20AC\u00A6",
     "It’s a “quoted” word – with a dash…"},  // cp1252
    {"\u00C3\u2021a co\u00C3\u00BBte tr\u00C3\u00A8s cher \u00C3\u00A0 l\u00E2\u20AC\u2122\u00C3\u2030lys\u00C3\u00A9e",
     "Ça coûte très cher à l’Élysée"},  // cp1252
    {"P\u00C5\u2122\u00C3\u00ADli\u00C5\u00A1 \u00C5\u00BElu\u00C5\u00A5ou\u00C4\u008Dk\u00C3\u00BD k\u00C5\u00AF\u00C5\u02C6",
     "Příliš žluťoučký kůň"},  // cp1252
    {"\u00E6\u2014\u00A5\u00E6\u0153\u00AC\u00E8\u00AA\u017E\u00E3\u0081\u00AE\u00E6\u0153\u00AC",
     "日本語の本"},  // cp1252
    {"\u00CE\u2022\u00CE\u00BB\u00CE\u00BB\u00CE\u00B7\u00CE\u00BD\u00CE\u00B9\u00CE\u00BA\u00CE\u00AC \u00CE\u00B3\u00CF\u0081\u00CE\u00AC\u00CE\u00BC\u00CE\u00BC\u00CE\u00B1\u00CF\u201E\u00CE\u00B1",
     "Ελληνικά γράμματα"},  // cp1252
    {"\u00D0\u00A1\u00D1\u0160\u00D0\u00B5\u00D1\u02C6\u00D1\u0152 \u00D0\u00B6\u00D0\u00B5 \u00D0\u00B5\u00D1\u2030\u00D1\u2018 \u00D1\u008D\u00D1\u201A\u00D0\u00B8\u00D1\u2026 \u00D0\u00BC\u00D1\u008F\u00D0\u00B3\u00D0\u00BA\u00D0\u00B8\u00D1\u2026 \u00D0\u00B1\u00D1\u0192\u00D0\u00BB\u00D0\u00BE\u00D0\u00BA",
     "Съешь же ещё этих мягких булок"},                                                              // cp1252
    {"\u00D7\u00A2\u00D7\u2018\u00D7\u00A8\u00D7\u2122\u00D7\u00AA", "עברית"},                       // cp1252
    {"a smile \u00F0\u0178\u02DC\u20AC and a heart \u00E2\u009D\u00A4", "a smile 😀 and a heart ❤"},  // cp1252
    {"\u0420\u040E\u0421\u0409\u0420\u00B5\u0421\u20AC\u0421\u040A \u0420\u00B6\u0420\u00B5 \u0420\u00B5\u0421\u2030\u0421\u2018 \u0421\u040C\u0421\u201A\u0420\u0451\u0421\u2026 \u0420\u0458\u0421\u040F\u0420\u0456\u0420\u0454\u0420\u0451\u0421\u2026 \u0420\u00B1\u0421\u0453\u0420\u00BB\u0420\u0455\u0420\u0454",
     "Съешь же ещё этих мягких булок"},                                       // cp1251
    {"Cr\u0413\u0401me br\u0413\u00BBl\u0413\u00A9e", "Crème brûlée"},        // cp1251
    {"Gr\u251C\u00C2\u251C\u0192e und L\u251C\u00F1nge", "Größe und Länge"},  // cp850
    {"Gr\u251C\u2562\u251C\u0192e und L\u251C\u00F1nge", "Größe und Länge"},  // cp437
    {"\u2568\u00ED\u2564\u00E8\u2568\u2561\u2564\u00EA\u2564\u00EE \u2568\u2562\u2568\u2561 \u2568\u2561\u2564\u00EB\u2564\u00E6 \u2564\u00EC\u2564\u00E9\u2568\u2555\u2564\u00E0 \u2568\u255D\u2564\u00C5\u2568\u2502\u2568\u2551\u2568\u2555\u2564\u00E0 \u2568\u2592\u2564\u00E2\u2568\u2557\u2568\u255B\u2568\u2551",
     "Съешь же ещё этих мягких булок"},  // cp437
    {"\u043F\u2551\u044F\u253C\u043F\u2563\u044F\u252C\u044F\u2584 \u043F\u2564\u043F\u2563 \u043F\u2563\u044F\u2534\u044F\u2592 \u044F\u2588\u044F\u250C\u043F\u2566\u044F\u2518 \u043F\u256A\u044F\u2590\u043F\u0401\u043F\u2568\u043F\u2566\u044F\u2518 \u043F\u2560\u044F\u2510\u043F\u2569\u043F\u256C\u043F\u2568",
     "Съешь же ещё этих мягких булок"},                                       // koi8_r
    {"Gr\u0446\u2564\u0446\u00F7e und L\u0446\u2553nge", "Größe und Länge"},  // koi8_r
    {"d\u221A\u00A9j\u221A\u2020 vu", "déjà vu"},                             // mac_roman
    {"Les \u00AC\u00B4\u221A\u00A9l\u221A\u00AEves\u00AC\u00AA de l\u201A\u00C4\u00F4\u221A\u00A9cole",
     "Les «élèves» de l’école"},  // mac_roman
    {"Za\u0139\u013D\u0102\u0142\u0139\u201A\u00C4\u2021 g\u00C4\u2122\u0139\u203Al\u00C4\u2026 ja\u0139\u015F\u0139\u201E",
     "Zażółć gęślą jaźń"},                                              // cp1250
    {"Cr\u00C3\u00A8me br\u00C3\u00BBl\u00C3\u00A9e", "Crème brûlée"},  // latin1
    {"It\u00E2\u0080\u0099s here", "It’s here"},                        // latin1
    {"Cr\u00C3\u0192\u00C2\u00A8me br\u00C3\u0192\u00C2\u00BBl\u00C3\u0192\u00C2\u00A9e",
     "Crème brûlée"},                                                           // cp1252, cp1252
    {"It\u00C3\u00A2\u00E2\u201A\u00AC\u00E2\u201E\u00A2s here", "It’s here"},  // cp1252, cp1252
    {"na\u00C3\u0192\u00C6\u2019\u00C3\u201A\u00C2\u00AFve fa\u00C3\u0192\u00C6\u2019\u00C3\u201A\u00C2\u00A7ade",
     "naïve façade"},                                                                     // cp1252, cp1252, cp1252
    {"\u0413\u201A\u0412\u04085.80", "£5.80"},                                            // cp1252, cp1251
    {"Gr\u00D4\u00F6\u00A3\u251C\u00E9\u00D4\u00F6\u00A3\u00E3\u00C6e", "Größe"},         // cp850, cp850
    {"\u0420\u00A0\u0421\u0098\u0420\u00A0\u0421\u2018\u0420\u040E\u0420\u201A", "мир"},  // cp1251, cp1251
    // A byte A0 has become a space.
    {"\u00C3 la carte, d\u00C3\u00A9j\u00C3 vu", "\u00E0 la carte, d\u00E9j\u00E0 vu"},
    {"\u00C5 ibenik je lijep, jo\u00C5\u00A1 ljep\u00C5\u00A1i", "\u0160ibenik je lijep, jo\u0161 ljep\u0161i"},
    {"aten\u00C3\u00A7\u00C3\u00A3o \u00C3 s crian\u00C3\u00A7as", "aten\u00E7\u00E3o \u00E0s crian\u00E7as"},
    {"voil\u00C3 le travail", "voil\u00E0 le travail"},
    // U+FFFD has the place of a byte: one character fits, or several.
    {"he said \u00E2\u20AC\u0153yes\u00E2\u20AC\uFFFD.", "he said \u201Cyes\u201D."},
    {"\u00D0\u00BC\u00D0\u00BE\u00D1\uFFFD \u00D0\u00BA\u00D0\u00BD\u00D0\u00B8\u00D0\u00B3\u00D0\u00B0",
     "\u043C\u043E\uFFFD \u043A\u043D\u0438\u0433\u0430"},
    // A surrogate pair, each half as UTF-8 would write it, read as ISO 8859-1.
    {"a smile \u00ED\u00A0\u00BD\u00ED\u00B8\u0080 here", "a smile \U0001F600 here"},
    // Control characters of C1.
    {"\u0084So\u0093, sagte er\u0085", "\u201ESo\u201C, sagte er\u2026"},
    // Right text beside it stays.
    {"\u00ABD\u00E9j\u00E0\u00BB, dit-il, un caf\u00C3\u00A9 d\u2019\u00C9vreux",
     "\u00ABD\u00E9j\u00E0\u00BB, dit-il, un caf\u00E9 d\u2019\u00C9vreux"},
};

const std::string right[] = {
    "",
    "plain ASCII, x == 'y'",
    "Der Flu\u00DF flie\u00DFt durch K\u00F6ln \u2013 f\u00FCr 3 \u20AC je Person\u2026",
    "\u00BB\u00DCber\u00AB ein \u00BB\u00C4rger\u00AB, NESTL\u00C9\u00AE und CAF\u00C9\u2026",
    "\u00ABl\u2019\u00E9t\u00E9\u00A0\u00BB, d\u00E9j\u00E0\u00A0! \u00C0 \u00C9vian\u00A0: 20\u00A0\u00B0C",
    "P\u0159\u00EDli\u0161 \u017Elu\u0165ou\u010Dk\u00FD k\u016F\u0148: v\u00ED\u0161\u2026 m\u00E1\u0161\u2026",
    "\u0421\u044A\u0435\u0448\u044C \u0436\u0435 \u0435\u0449\u0451 \u00AB\u0431\u0443\u043B\u043E\u043A\u00BB\u2026",
    "5\u00A0\u041C\u0456\u0411, 3 \u0413\u0456\u0411, \u0420\u0456\u043A, \u0412\u0406\u041A\u0406, \u041C\u0406\u0421\u0422\u041E",
    "\u0393\u03BB\u03CE\u03C3\u03C3\u03B1 \u2013 \u03B7 \u00AB\u03B5\u03BB\u03BB\u03B7\u03BD\u03B9\u03BA\u03AE\u00BB",
    "\u05E2\u05D1\u05E8\u05D9\u05EA, \u0627\u0644\u0639\u0631\u0628\u064A\u0629\u061F \u0E20\u0E32\u0E29\u0E32\u0E44\u0E17\u0E22",
    "\u65E5\u672C\u8A9E\u306E\u300C\u672C\u300D\u3001\uD55C\uAD6D\uC5B4 \u4E2D\u6587",
    "Ti\u1EBFng Vi\u1EC7t: h\u1EA1t s\u1EA7u ri\u00EAng l\u1EA1i l\u00EAn gi\u00E1",
    "\u250C\u2500\u252C\u2510 \u2502\u2514\u2500\u2534\u2518 \u251C\u2524 a\u253C\u2510a\u253C\u2510",
    "\u221A2 \u2248 1.41, (-1/2)! = \u221A\u03C0, 5\u00D7\u00A335, 4288\u00D7\u2026, 10 \u00C5\u2014 \u2206\u00B0",
    "\u00C0\u00C1\u00C2\u00C3\u00C4\u00C5\u00C6\u00C7\u00C8\u00C9 \u00E0\u00E1\u00E2\u00E3\u00E4\u00E5\u00E6\u00E7\u00E8\u00E9",
    "C O N C L U S \u00C3 O, \u00C3\u2019s, \u00D4\u00F4\u00F4 VIDA, S\u00D3\u2026",
    "\u009B31mred\u009B0m",
    "\U0001F600\u200D\u2764\uFE0F \uFFFD \uFEFF",
    "tw\u0102\u0142\u0139\u017A",  // windows-1250 and ISO 8859-2 explain it equally, and differ
};

/// Where the last line begins to be held: at its first character beyond ASCII.
std::size_t held_from(const std::string& text) {
  const std::size_t end = text.find_last_of("\r\n"), line = end == std::string::npos ? 0 : end + 1;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return static_cast<std::size_t>(
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(line), text.end(), is_ascii) - text.begin());
}

/// What a whole text without errors becomes. Its lines have at most 1,024 bytes.
reference::rewritten at_once(const std::string& text, bool ends) {
  const std::size_t n = ends ? text.size() : held_from(text);
  utfilter::changes::undo_mojibake change(encoding::guess);
  utfilter::text_facts facts;
  std::string out(2 * text.size() + 4, '\0');
  const auto done = change({std::string_view(text).substr(0, n), utfilter::text_piece::follows::nothing}, out.data(),
                           out.size(), facts);
  reference::rewritten result;
  result.text = out.substr(0, done.produced);
  result.changes = facts.changes;
  result.waiting = text.size() - n;
  return result;
}

text_filters::expectation expected() {
  return [](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(p, input, writing, ends, at_once, nullptr, true);
  };
}

std::string undone(const std::string& text) { return filtered(undo_mojibake(encoding::guess), text); }

/// UTF-8 read as windows-1252, as a program with the table of the Encoding Standard does it.
std::string as_windows1252(const std::string& text) {
  return utfilter::to_utf8_string(text, encoding::windows1252, replacing_with("?"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_line_comes_back_and_right_lines_stay) {
  for (const auto& [wrong, wanted] : wrong_and_right) {
    BOOST_TEST(undone(wrong) == wanted);
    BOOST_TEST(undone(wrong + "\n") == wanted + "\n");
    BOOST_TEST(undone(wanted) == wanted);
  }
  for (const std::string& line : right) BOOST_TEST(undone(line) == line);
}

BOOST_AUTO_TEST_CASE(lines_are_by_themselves) {
  std::string text, wanted;
  for (const char* const end : {"\n", "\r\n", "\r"})
    for (const auto& [wrong, restored] : wrong_and_right)
      for (const std::string& line : right) {
        text += wrong + end + line + end;
        wanted += restored + end + line + end;
      }
  BOOST_TEST((undone(text) == wanted));

  const auto lines =
      texts::split("\u00C9|A|a|\u0416|\u00C3|\u2019|\u20AC|\u251C|AB|\u00C9\u00C9|\u00C3\u00A9|O\u00C3\u2030|"
                   "\u00C3\u0178t\u00C3|\u00E9t\u00C3\u00A9|\u00D0\u00B6|A\u00C3\u00A9|\u00AB\u00C3\u2030|\u00B0");
  for (const std::string& first : lines)
    for (const std::string& second : lines)
      BOOST_TEST(undone(first + '\n' + second) == undone(first) + '\n' + undone(second), first << ", " << second);
}

BOOST_AUTO_TEST_CASE(no_line_passes_without_the_look_that_it_needs) {
  // Most lines pass after a quick look. After a control character of C1 each line gets the thorough one, with the same result.
  std::mt19937 random(33);
  const auto below = [&](std::size_t n) { return random() % n; };
  const encoding tried[] = {encoding::windows1252, encoding::windows1251, encoding::ibm850,      encoding::ibm437,
                            encoding::koi8r,       encoding::macintosh,   encoding::windows1250, encoding::iso8859_2};
  const char32_t firsts[] = {0x80,  0xA0,   0xC0,   0x100,  0x370,  0x400,  0x5D0,  0x600,
                             0xE00, 0x1E00, 0x2010, 0x2500, 0x3040, 0x4E00, 0xAC00, 0x1F600};
  std::size_t changed = 0;
  for (std::size_t i = 0; i != 400'000 / brief::nth; ++i) {
    std::string line;
    for (std::size_t n = 1 + below(6); n != 0; --n) {
      const auto c = static_cast<char32_t>(firsts[below(std::size(firsts))] + below(64));
      const std::string one = below(3) == 0 ? std::string(1, " aA.9"[below(5)]) : texts::utf8({c});
      std::string wrong =
          below(2) == 0 ? utfilter::to_utf8_string(one, tried[below(std::size(tried))], replacing_with("\uFFFD")) : one;
      if (below(8) == 0) wrong = utfilter::to_utf8_string(wrong, tried[below(std::size(tried))], replacing_with(" "));
      line += wrong;
    }
    if (below(2) == 0) line = std::string(below(20), 'x') + ' ' + line + " a line that is longer than a block";
    line += " a";
    const std::string quick = undone(line), thorough = undone(line + " \u0085");
    changed += quick != line;
    if (quick + " \u2026" != thorough) BOOST_TEST(quick + " \u2026" == thorough, line);
  }
  BOOST_TEST(changed > 30'000 / brief::nth);
}

BOOST_AUTO_TEST_CASE(lines_come_back_wherever_they_are_cut) {
  std::vector<std::string> parts = texts::split("\r\n|\n|a b|\u00E9|\xFF|\xE2\x82|\u00C3|\uFFFD|\u00C3\u00A9|C|\u0081");
  // Most parts end a line: a longer one is divided.
  for (const auto& [wrong, wanted] : wrong_and_right) parts.push_back(wrong + '\n');
  for (const std::size_t i : {0u, 1u, 4u, 14u}) parts.push_back(wrong_and_right[i].first);
  for (const std::string& line : right) parts.push_back(line + '\n');
  const utfilter::text_codec codec{utfilter::changes::undo_mojibake(encoding::guess)};
  text_filters::check_mixtures(codec, expected(), parts, 200 / brief::nth);
  for (const on_error policy : text_filters::policies)
    text_filters::check_every_cut(
        codec, expected(), with(policy),
        "a\u00C3\u00A9\n\u00E2\u20AC\u2122s\xFF\u00C3\u00A9t\u00C3\xE2\u00C3\u00A0\r\nb\u00C3 \xC3");
}

BOOST_AUTO_TEST_CASE(long_lines_are_divided_where_nothing_is_cut) {
  std::string words, ideographs, mixed;
  for (int i = 0; i != 900; ++i) words += "caf\u00E9 \u2013 na\u00EFve ";
  for (int i = 0; i != 5000; ++i) ideographs += texts::utf8({static_cast<char32_t>(0x4E00 + i * 7 % 0x51A6)});
  mixed = ideographs + words + ideographs;
  for (const std::string& text : {words, ideographs, mixed}) {
    const std::string once = as_windows1252(text), wanted = text;
    if (once.find('?') != std::string::npos) continue;
    for (const std::size_t piece : {1u, 7u, 1000u, 1024u, 1025u, 100'000u}) {
      undo_mojibake filter(encoding::guess);
      devices::recording_sink sink;
      for (const std::string& part : devices::in_pieces(once, piece))
        filter.write(sink, part.data(), static_cast<std::streamsize>(part.size()));
      filter.close(sink, std::ios::out);
      BOOST_TEST((sink.text() == wanted), "pieces of " << piece);
    }
  }
  // Right text of one long line.
  std::string all;
  for (const std::string& line : right) all += line + ' ';
  while (all.size() < 20'000) all += all;
  BOOST_TEST((undone(ideographs) == ideographs));
  BOOST_TEST((undone(words) == words));
}

BOOST_AUTO_TEST_CASE(the_observer_sees_each_character_at_its_place) {
  const std::string text = "\u00E9\na caf\u00C3\u00A9, it\u00E2\u20AC\u2122s\r\n\u0084x\n";
  const std::string wanted[] = {
      "line 2, column 6 (byte 8): changed to U+00E9: C3 83 C2 A9",
      "line 2, column 12 (byte 16): changed to U+2019: C3 A2 E2 82 AC E2",
      "line 3, column 1 (byte 27): changed to U+201E: C2 84",
  };
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    std::vector<std::string> seen;
    utfilter::params p;
    p.observer = [&](const utfilter::error_info& e) { seen.push_back(to_string(e)); };
    undo_mojibake filter(encoding::guess, p);
    devices::recording_sink sink;
    for (const std::string& part : devices::in_pieces(text, piece))
      filter.write(sink, part.data(), static_cast<std::streamsize>(part.size()));
    filter.close(sink, std::ios::out);
    BOOST_TEST(sink.text() == "\u00E9\na caf\u00E9, it\u2019s\r\n\u201Ex\n");
    BOOST_TEST(seen == std::vector<std::string>(std::begin(wanted), std::end(wanted)),
               boost::test_tools::per_element());
    BOOST_TEST(filter.report().changes == 3u);
    BOOST_TEST(filter.report().errors == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_character_that_becomes_its_first_one_is_a_change) {
  std::vector<std::string> seen;
  utfilter::params p;
  p.observer = [&](const utfilter::error_info& e) { seen.push_back(to_string(e)); };
  undo_mojibake filter(encoding::guess, p);
  devices::recording_sink sink;
  const std::string text = "N\u00C3\u0192O, a caf\u00C3\u00A9";
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "N\u00C3O, a caf\u00E9");
  BOOST_TEST(filter.report().changes == 2u);
  BOOST_REQUIRE(seen.size() == 2u);
  BOOST_TEST(seen[0] == "line 1, column 2 (byte 1): changed to U+00C3: C3 83 C6 92");

  utfilter::inspect_text look;
  look.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  look.close(sink, std::ios::out);
  BOOST_TEST(look.codec().inspection()[utfilter::finding::mojibake].count == 2u);
}

BOOST_AUTO_TEST_CASE(repairs_stay_as_they_are) {
  for (const encoding e : {encoding::guess, encoding::windows1252})
    for (const bool is_observed : {false, true}) {
      utfilter::params p = replacing_with("\u0084So\u0093 \u00C3\u00A9");
      std::size_t seen = 0;
      if (is_observed) p.observer = [&](const utfilter::error_info&) { ++seen; };
      undo_mojibake filter(e, p);
      devices::recording_sink sink;
      for (const std::string& part : {"caf\u00C3\u00A9\xFF\xFF\xFF"s, "\u00C3\u00A9t\u00C3\u00A9"s})
        filter.write(sink, part.data(), static_cast<std::streamsize>(part.size()));
      filter.close(sink, std::ios::out);
      const std::string repair = p.replacement;
      BOOST_TEST(sink.text() == "caf\u00E9" + repair + repair + repair + "\u00E9t\u00E9");
      BOOST_TEST(filter.report().changes == 3u);
      BOOST_TEST(seen == (is_observed ? 6u : 0u));
    }
}

BOOST_AUTO_TEST_CASE(text_that_waits_is_neither_lost_nor_untold_if_the_source_fails) {
  for (const encoding e : {encoding::guess, encoding::windows1252})
    for (const bool is_observed : {false, true}) {
      utfilter::params p;
      std::string told;
      if (is_observed) p.observer = [&](const utfilter::error_info& i) { told += std::to_string(i.column) + ' '; };
      text_filters::io::filtering_istream in;
      in.push(undo_mojibake(e, p));
      in.push(devices::piecewise_source({"a caf\u00C3\u00A9, d\u00C3\u00A9j\u00C3\u00A9 and \u00C3\u00A9t\u00C3\u00A9"},
                                        true));
      std::string text;
      const auto read = [&] {
        for (std::istreambuf_iterator<char> i(in), end; i != end; ++i) text += *i;
      };
      BOOST_CHECK_THROW(read(), devices::device_failure);
      BOOST_TEST(text == "a caf\u00E9, d\u00E9j\u00E9 and \u00E9t\u00E9");
      BOOST_TEST(told == (is_observed ? "6 11 14 21 24 " : ""));
    }
}

BOOST_AUTO_TEST_CASE(an_observer_that_throws_after_the_source_has_failed_ends_the_text) {
  struct stopped {};
  utfilter::params p;
  p.observer = [](const utfilter::error_info& i) {
    if (i.column == 11) throw stopped();
  };
  text_filters::io::filtering_istream in;
  in.push(undo_mojibake(encoding::guess, p));
  in.push(devices::piecewise_source({"a caf\u00C3\u00A9, d\u00C3\u00A9j\u00C3\u00A9"}, true));
  std::string text;
  const auto read = [&] {
    for (std::istreambuf_iterator<char> i(in), end; i != end; ++i) text += *i;
  };
  BOOST_CHECK_THROW(read(), stopped);
  BOOST_TEST(text == "a caf\u00E9, d\u00E9");
}

// ----------------------------------------------------------------------------------------------------------- reread_legacy

namespace {

std::string reread(const std::string& text, encoding read_as, encoding is_in) {
  return filtered(reread_legacy(read_as, is_in), text);
}

/// The character of each byte, by the library's decoder, which other tests check; empty if it has none.
std::vector<std::string> characters_of(encoding e) {
  std::vector<std::string> all;
  for (int byte = 0; byte != 256; ++byte)
    all.push_back(utfilter::to_utf8_string(std::string(1, static_cast<char>(byte)), e, replacing_with("")));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(legacy_text_that_was_read_as_legacy_comes_back) {
  BOOST_TEST(reread("\u00CF\u00F0\u00E8\u00E2\u00E5\u00F2, x", encoding::windows1252, encoding::windows1251) ==
             "\u041F\u0440\u0438\u0432\u0435\u0442, x");
  BOOST_TEST(reread("\u041F\u0440\u0438\u0432\u0435\u0442", encoding::windows1251, encoding::windows1252) ==
             "\u00CF\u00F0\u00E8\u00E2\u00E5\u00F2");
  BOOST_TEST(reread("\u4E2D \U0001F600 \u0101", encoding::windows1252, encoding::windows1251) ==
             "\u4E2D \U0001F600 \u0101");
  BOOST_TEST(reread("\u0081\u0098", encoding::windows1252, encoding::windows1251) == "\u0403\u0098");
}

BOOST_AUTO_TEST_CASE(every_byte_of_every_pair_of_encodings_is_reread) {
  for (const encoding a : utfilter::encodings())
    for (const encoding b :
         {encoding::windows1252, encoding::windows1251, encoding::koi8r, encoding::ibm850, encoding::iso8859_5}) {
      if (!is_single_byte(a)) continue;
      const auto from = characters_of(a), to = characters_of(b);
      std::map<std::string, std::string> becomes;
      for (std::size_t byte = 256; byte-- != 0x80;)
        if (!from[byte].empty() && from[byte].size() > 1 && !to[byte].empty()) becomes[from[byte]] = to[byte];
      std::string text, wanted;
      for (const auto& [was, is] : becomes) {
        if (std::count(from.begin(), from.end(), was) != 1) continue;  // two bytes have it
        text += was + "a line that is longer than a block has bytes" + was;
        wanted += is + "a line that is longer than a block has bytes" + is;
      }
      BOOST_TEST((reread(text, a, b) == wanted), to_string(a) << " is " << to_string(b));
    }
}

BOOST_AUTO_TEST_CASE(rereading_gives_the_same_wherever_the_text_is_cut) {
  std::map<std::string, std::string> becomes;
  const auto from = characters_of(encoding::windows1252), to = characters_of(encoding::windows1251);
  for (std::size_t byte = 0x80; byte != 256; ++byte)
    if (!from[byte].empty() && !to[byte].empty()) becomes[from[byte]] = to[byte];
  const auto rewrite = [becomes](const std::string& text, bool) {
    reference::rewritten result;
    for (std::size_t at = 0; at != text.size();) {
      std::size_t n = 1;
      while (at + n != text.size() && (text[at + n] & 0xC0) == 0x80) ++n;
      const std::string one = text.substr(at, n);
      const auto found = becomes.find(one);
      const std::string is = found != becomes.end() ? found->second : one;
      result.changes += is != one;
      result.text += is;
      at += n;
    }
    return result;
  };
  const auto wanted = [rewrite](const reference::params& p, std::string_view input, bool writing, bool ends) {
    return reference::text_filter(p, input, writing, ends, rewrite);
  };
  const std::vector<std::string> parts =
      texts::split("\u00CF|\u20AC|\u00A0|\u4E2D|a|\r\n|\xFF|\xE2\x82|\U0001F600|a line that is longer than a block");
  text_filters::check_mixtures(
      utfilter::text_codec{utfilter::changes::reread_legacy(encoding::windows1252, encoding::windows1251)}, wanted,
      parts, 200 / brief::nth);
}

BOOST_AUTO_TEST_CASE(encodings_that_are_not_of_one_byte_are_refused) {
  for (const encoding e : {encoding::utf8, encoding::utf16, encoding::detect, encoding::guess, encoding::shift_jis}) {
    const char* const why = "utfilter::reread_legacy: both encodings must have one byte per character";
    BOOST_TEST(thrown_by([&] { reread_legacy(e, encoding::windows1251); }) == why);
    BOOST_TEST(thrown_by([&] { reread_legacy(encoding::windows1251, e); }) == why);
  }
  BOOST_TEST(thrown_by([] {
               reread_legacy(encoding::windows1252, encoding::windows1251, on_error::keep);
             }).find("cannot keep bytes") != std::string::npos);
}
