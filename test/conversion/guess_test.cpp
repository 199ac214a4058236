// guess_test.cpp: encoding::guess finds the encoding of a text without a byte order mark, in every cut the same, and
// says so; data that is no text is an error.
// build: portable
#define BOOST_TEST_MODULE guess
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/same_report.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"
#include "support/without_statistics.hpp"

#include <utfilter/checkpoint.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/line_reader.hpp>
#include <utfilter/range_streambuf.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/text.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/utf_error.hpp>
#include <utfilter/wide_stream.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <ios>
#include <random>
#include <sstream>
#include <stdexcept>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace std::string_literals;
using namespace utfilter;

namespace {

constexpr std::size_t few = 24;  // bytes to guess by, so that a short text has many cuts

params guessing(std::size_t bytes = few, on_error policy = on_error::strict) {
  params p;
  p.fallback = encoding::guess;
  p.guess_bytes = bytes;
  p.on_error = policy;
  return p;
}

const texts::text32 sentences[] = {
    U"The quick brown fox.\nOne more line.\n",
    U"H\u00E9t k\u00F6nnyen \u00E9rthet\u0151 sz\u00F3\n",
    U"\u0421\u044A\u0435\u0448\u044C \u0435\u0449\u0451 \u044D\u0442\u0438\u0445\n",             // Russian
    U"\u0393\u03B1\u03B6\u03AD\u03B5\u03C2 \u03BA\u03B1\u1F76 \u03BC\u03C5\u03C1\n",             // Greek
    U"\u05D3\u05D2 \u05E1\u05E7\u05E8\u05DF \u05E9\u05D8 \u05D1\u05D9\u05DD\n",                  // Hebrew
    U"\u0646\u0635 \u062D\u0643\u064A\u0645 \u0644\u0647 \u0633\u0631\n",                        // Arabic
    U"\u090B\u0937\u093F\u092F\u094B\u0902 \u0915\u094B \u0938\u0924\u093E\u0928\u0947\n",       // Hindi
    U"\u0E40\u0E1B\u0E47\u0E19\u0E21\u0E19\u0E38\u0E29\u0E22\u0E4C\u0E2A\u0E38\u0E14 \u0E2A\n",  // Thai
    U"\u4EBA\u4EBA\u751F\u800C\u81EA\u7531\uFF0C\u5728\u5C0A\u4E25\u548C\u6743\u5229\u4E0A\n",   // Chinese
    U"\u4EBA\u4EBA\u751F\u800C\u81EA\u7531\uFF0C\u5728\u5C0A\u4E25\u548C\u6743\u5229\u3002",     // without ASCII
    U"\u3044\u308D\u306F\u306B\u307B\u3078\u3068\u3001\u3061\u308A\u306C\u308B\u3092\u3002\n",   // Japanese
    U"\uD0A4\uC2A4\uC758 \uACE0\uC720\uC870\uAC74\uC740 \uC785\uC220\uB07C\uB9AC\n",             // Korean
    U"\U0001F600\U0001F680 ok \U0001F44D\n",
};

struct scheme {
  encoding name;
  std::string (*encode)(const texts::text32&);
};
const scheme schemes[] = {
    {encoding::utf8, texts::utf8},       {encoding::utf16le, texts::utf16le}, {encoding::utf16be, texts::utf16be},
    {encoding::utf32le, texts::utf32le}, {encoding::utf32be, texts::utf32be},
};

struct result {
  std::string text;
  stream_report report;
};

/// Decodes the pieces of the input, with room for `room` bytes in each call.
result decoded(const std::vector<std::string_view>& pieces, const params& p, std::size_t room = 4096) {
  decoder text(p);
  result got;
  std::string out(room, '\0');
  for (std::size_t i = 0; i <= pieces.size(); ++i) {
    const bool last = i == pieces.size();
    std::string_view piece = last ? std::string_view() : pieces[i];
    codec_progress done;
    do {
      done = text.convert(piece.data(), piece.size(), out.data(), room, last);
      piece.remove_prefix(done.consumed);
      got.text.append(out, 0, done.produced);
      BOOST_REQUIRE(text.pending() <= p.guess_bytes + 8);
    } while (done.status == codec_status::need_output);
  }
  got.report = text.report();
  return got;
}

std::vector<std::string_view> single_bytes(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::size_t i = 0; i != text.size(); ++i) pieces.push_back(text.substr(i, 1));
  return pieces;
}

std::vector<std::string> single_letters(const std::string& text) {
  std::vector<std::string> pieces;
  for (const char c : text) pieces.emplace_back(1, c);
  return pieces;
}

std::size_t asked = 0;  // how many times a guesser was asked
std::string sample_asked_about;

template <const char* const& Name>
std::string_view naming(std::string_view sample) noexcept {
  ++asked;
  sample_asked_about = sample;
  return Name;
}

const char* koi8 = "koi8-r";
const char* hebrew = "iso-8859-8";
const char* shift_jis = "Shift_JIS";
const char* sjis = "sjis";
const char* euc_jp = "EUC-JP";
const char* uhc = "UHC";
const char* gb18030 = "gb18030";
const char* gb2312 = "GB2312";
const char* big5 = "BIG5";
const char* hz = "HZ-GB-2312";
const char* nothing = "";
const char* utf16_name = "utf-16le";
const char* itself = "guess";
const char* macintosh = "macintosh";

const std::string no_texts[] = {
    "\0"s,
    "\0\0\0\0"s,
    "\x7F"
    "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3E\0\1\0\0\0"s,
    "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\1\0"s,
    "caf\xE9 \0 au lait"s,
};

}  // namespace

//--------------------------------------------------------------------------------------------------------- the guesses

BOOST_AUTO_TEST_CASE(lines_to_which_utf16_was_added_are_no_utf16) {
  for (const std::string& lines : {"# log\n- one\n"s, "a line of text\r\n"s, "caf\u00E9 au lait\n"s, "abc\n\ndefgh\n"s})
    for (const std::size_t n : {1u, 2u, 10u, 40u})
      BOOST_TEST((guess_encoding(lines + texts::utf16le(texts::repeated(U"- two\r\n", n))) == encoding::utf8),
                 lines << n);
  // The second byte of each character of Gurmukhi is a line feed.
  BOOST_TEST((guess_encoding(texts::utf16le(
                  U"\u0A38\u0A2D \u0A2E\u0A28\u0A41\u0A71\u0A16 \u0A06\u0A5B\u0A3E\u0A26\n")) == encoding::utf16le));
}

BOOST_AUTO_TEST_CASE(texts_of_many_scripts_are_guessed_in_each_encoding_of_unicode) {
  for (const texts::text32& text : sentences)
    for (const scheme& s : schemes) {
      BOOST_TEST_CONTEXT(to_string(s.name) << ": " << texts::utf8(text)) {
        BOOST_TEST((guess_encoding(s.encode(text)) == s.name));
        BOOST_TEST((guess_encoding(s.encode(texts::repeated(text, 300))) == s.name));
        BOOST_TEST(guess_charset(s.encode(text)) == encoding_name(s.name));
      }
    }
}

BOOST_AUTO_TEST_CASE(short_samples) {
  const std::pair<std::string, encoding> rows[] = {
      {"", encoding::utf8},
      {"a", encoding::utf8},
      {"\n", encoding::utf8},
      {"\x1B[1m bold \x1B[0m", encoding::utf8},
      {"\x01\x02", encoding::utf8},
      {"\xE2\x82\xAC", encoding::utf8},
      {"a\0"s, encoding::utf16le},
      {"\0a"s, encoding::utf16be},
      {"a\0\n\0"s, encoding::utf16le},
      {"\0a\0\r\0\n"s, encoding::utf16be},
      {"a\0b"s, encoding::utf16le},  // half a code unit is missing
      {"a\0\0\0"s, encoding::utf32le},
      {"\0\0\0a"s, encoding::utf32be},
      {"\0\0\0a\0"s, encoding::utf32be},
      {"\x3D\xD8\0\xDE"s, encoding::utf16le},  // an emoji
      {"\xD8\x3D\xDE\0"s, encoding::utf16be},
      {"\0\xF6\1\0"s, encoding::utf32le},
      {"o\0k\0\x3D\xD8"s, encoding::utf16le},  // half a surrogate pair
      {"caf\xE9", encoding::windows1252},
      {"\xFF\xFE"
       "a",
       encoding::utf16le},  // byte order marks
      {"\xFE\xFF", encoding::utf16be},
      {"\xEF\xBB\xBF\0"s, encoding::utf8},
      {"\xFF\xFE\0\0"s, encoding::utf32le},
      {"N\0\0N"s, encoding::utf16le},          // in both byte orders a letter and a Chinese character
      {"Bush hid the facts", encoding::utf8},  // sixteen bits of it would be Chinese
      {"na\xEFve caf\xE9s at d\xE9j\xE0 vu", encoding::windows1252},
  };
  for (const auto& [text, expected] : rows) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(to_string(guess_encoding(text)) == to_string(expected));
      BOOST_TEST(to_string(decoded({text}, guessing()).report.encoding) == to_string(expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(each_rule_for_utf16) {
  const texts::text32 letters = texts::repeated(U"abcde", 20);
  const std::pair<std::string, encoding> rows[] = {
      {texts::utf16le(letters + char32_t{0xD800} + letters), encoding::utf16le},  // one unit in fifty may be wrong
      {texts::utf16le(U"abcdefghij\1"), encoding::detect},                        // but not one in eleven
      {texts::utf16be(U"abcdefghij\uFFFE"), encoding::detect},
      {texts::utf16le(letters + U"\u8ACB\u8ACB\u8ACB"), encoding::utf16le},   // CB 8A: well-formed UTF-8, too
      {"\x1B[1m" + texts::repeated("\x82\xA0"s, 20), encoding::windows1252},  // Shift_JIS on a terminal
  };
  for (const auto& [text, expected] : rows)
    BOOST_TEST(to_string(guess_encoding(text, without_statistics())) == to_string(expected));
}

// Text whose bytes are all ASCII, one of two a control character.
BOOST_AUTO_TEST_CASE(utf16_of_a_script_whose_bytes_are_ascii) {
  for (const texts::text32& text :
       {texts::text32(U"\u0E20\u0E32\u0E29\u0E32"), texts::text32(U"\u041F\u0440\u0438\u0432\u0435\u0442"),
        texts::text32(U"\u1870\u1868\u1869\u1864")}) {
    BOOST_TEST((guess_encoding(texts::utf16le(text)) == encoding::utf16le));
    BOOST_TEST((guess_encoding(texts::utf16be(text)) == encoding::utf16be));
  }
  // Fields between control characters, data of small numbers, and a terminal's bells.
  for (const std::string& text : {"8=FIX.4.2\1"
                                  "9=65\1"
                                  "35=A\1"
                                  "49=S\1"s,
                                  "\1\2\3\4\5\6\7\1"s, "ab\7\7 cd\7\7\n"s, "a\1b\1"s})
    BOOST_TEST((guess_encoding(text) == encoding::utf8));
}

// Small numbers of 32 bits are letters, but data has many zeros, too.
BOOST_AUTO_TEST_CASE(numbers_of_32_bits_are_no_utf32) {
  std::string table;
  for (int i = 0; i != 200; ++i) table += i % 3 == 0 ? "A\0\0\0"s : "\0\0\0\0"s;
  BOOST_TEST((guess_encoding(table) == encoding::detect));
  // The sizes and offsets of texts, as in the header of a file with messages.
  for (const bool is_little : {true, false}) {
    std::string offsets;
    for (unsigned i = 0, offset = 0x11B0; i != 300; ++i) {
      const unsigned numbers[] = {5 + i * 7 % 40, offset};
      offset += numbers[0] + 1;
      for (const unsigned n : numbers)
        for (const unsigned at : {0u, 1u, 2u, 3u}) offsets += static_cast<char>(n >> 8 * (is_little ? at : 3 - at));
    }
    BOOST_TEST((guess_encoding(offsets) == encoding::detect));
  }
}

BOOST_AUTO_TEST_CASE(a_hole_of_any_size_leaves_text_what_it_is) {
  for (const std::size_t zeros : {16u, 64u, 4000u})
    for (const std::string& text : {"app started\n"s, "caf\xC3\xA9 d\xC3\xA9j\xC3\xA0\n"s}) {
      const std::string hole(zeros, '\0');
      BOOST_TEST((guess_encoding(text + hole) == encoding::utf8));
      BOOST_TEST((guess_encoding(hole + text) == encoding::utf8));
    }
  BOOST_TEST((guess_encoding(std::string(64, '\0')) == encoding::detect));
}

BOOST_AUTO_TEST_CASE(well_formed_utf8_without_zero_bytes_is_never_anything_else) {
  std::mt19937 random(23);
  const auto character = [&]() -> char32_t {
    const char32_t limits[] = {0x20, 0x80, 0x800, 0x10000, 0x110000};
    const char32_t limit = limits[random() % 5];
    const char32_t c = 1 + static_cast<char32_t>(random()) % (limit - 1);
    return c >= 0xD800 && c < 0xE000 ? U'a' : c;
  };
  params p = guessing();
  for (int i = 0; i != 4000; ++i) {
    texts::text32 text;
    for (std::size_t n = random() % 40; n != 0; --n) text += character();
    const std::string bytes = texts::utf8(text);
    BOOST_REQUIRE((guess_encoding(bytes) == encoding::utf8));
    // The sample may end inside a character.
    for (p.guess_bytes = 1; p.guess_bytes <= bytes.size(); ++p.guess_bytes)
      BOOST_REQUIRE((guess_encoding(bytes, p) == encoding::utf8));
  }
}

/// The texts that the kinds of damage make of one whose code units have `unit` bytes. `other` is a line in another
/// encoding.
std::vector<std::string> damaged(const std::string& text, std::size_t unit, const std::string& other) {
  std::vector<std::string> all;
  const std::size_t half = text.size() / 2 / unit * unit;
  for (std::size_t at = 0; at < text.size(); at += 13) {
    all.push_back(text);
    all.back()[at] = static_cast<char>(all.back()[at] ^ 0x40);
    all.push_back(text);
    all.back().erase(at / unit * unit, unit);
  }
  all.push_back(std::string(text).insert(half, 40 * unit, '\0'));
  all.push_back(std::string(text).insert(half, other));
  all.push_back(text.substr(0, text.size() - 1));
  return all;
}

BOOST_AUTO_TEST_CASE(damaged_utf8_is_utf8) {
  for (const texts::text32& sentence : sentences) {
    if (sentence == sentences[0]) continue;  // ASCII: one byte beyond it is all that there is
    const std::string text = texts::utf8(texts::repeated(sentence, 20));
    std::vector<std::string> all = damaged(text, 1, "caf\xE9 cr\xE8me\n");
    for (std::size_t cut = 1; cut <= 3; ++cut) all.push_back(text.substr(cut));
    all.push_back(std::string(text).insert(text.size() / 2, "\xFF"));
    for (const std::string& bytes : all) {
      const encoding_guess found = guess_encoding(bytes);
      BOOST_TEST_REQUIRE(to_string(found.encoding) == "UTF-8");
      BOOST_TEST((found.decided_by == evidence::structure));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_mostly_not_utf8_is_not_damaged_utf8) {
  const std::string text = "na\xC3\xAFve caf\xC3\xA9\n", latin = "\xE9 \xE8\n";
  BOOST_TEST((guess_encoding(text + "\xE9\n") == encoding::utf8));
  // Half of the words must be UTF-8.
  BOOST_TEST((guess_encoding(text + latin) == encoding::utf8));
  BOOST_TEST((guess_encoding("na\xC3\xAFve \xE9\n") == encoding::utf8));
  BOOST_TEST((guess_encoding("na\xC3\xAFve \xE9 \xE8\n") == encoding::windows1252));
  BOOST_TEST((guess_encoding("\x80 5\n") == encoding::windows1252));  // a euro, no end of a character
  BOOST_TEST((guess_encoding("\x80\x80\x80\x80" + text) == encoding::utf8));
  // One line in another encoding, however many errors it has.
  BOOST_TEST((guess_encoding(text + latin + latin + text) == encoding::utf8));
  BOOST_TEST((guess_encoding(text + latin + latin + latin + text) == encoding::windows1252));
  BOOST_TEST((guess_encoding(text + "\xE9 \xE9 \xE9 \xE9 \xE9 \xE9 \xE9 \xE9\n" + text) == encoding::utf8));
  BOOST_TEST((guess_encoding(text + "\xE9 \xE9 \xE9 \xE9 \xE9 \xE9 \xE9 \xE9\n") == encoding::windows1252));
  // However many bytes of a word are wrong, it is one word.
  BOOST_TEST((guess_encoding("\x80\x80\x80\x80\x80\x80" + text) == encoding::utf8));
  BOOST_TEST((guess_encoding("\xA2\x82\xAC for " + text) == encoding::utf8));
}

// Without a guesser these words are not Latin. With one that names an encoding of Latin script, nothing is sure.
BOOST_AUTO_TEST_CASE(words_of_utf8_make_a_latin_encoding_unsure) {
  const std::string text = "edici\xC3\xB3n \xC3\n seg\xC3\n dos \xC3\n";
  params p;
  p.guess_legacy = naming<macintosh>;
  BOOST_TEST((guess_charset(text, p).decided_by == evidence::assumption));
  BOOST_TEST(
      (guess_charset("edici\x97n seg\x9Cn d\x97s \x8E est\x87 \x9Cltim\x97", p).decided_by == evidence::statistics));
}

// The first byte is lost, so each unit has the bytes of two characters. The letters of a script have one high byte, and
// would seem right in the other byte order.
BOOST_AUTO_TEST_CASE(utf16_that_begins_within_a_unit_is_no_text) {
  const texts::text32 russian = U"\u041E\u043D \u0438 \u043E\u043D\u0430, \u0438 \u043C\u044B\n";
  const texts::text32 japanese = U"\u65E5\u672C\u8A9E\u306E\u6587\u3067\u3059\u3002\n";
  for (const texts::text32& sentence : {russian, japanese})
    for (const auto& encode : {texts::utf16le, texts::utf16be}) {
      const std::string text = encode(texts::repeated(sentence, 20));
      BOOST_TEST((guess_encoding(text.substr(1)) == encoding::detect));
      BOOST_TEST((guess_encoding(text.substr(2)) != encoding::detect));
    }
  // ASCII is the same text in the other byte order.
  const std::string ascii = texts::utf16le(texts::repeated(U"one or two\n", 20));
  BOOST_TEST((guess_encoding(ascii.substr(1)) == encoding::utf16be));
}

BOOST_AUTO_TEST_CASE(data_of_control_characters_is_no_text) {
  // UTF-16 of two scripts without a space: each second byte is a control character.
  const std::string text = texts::utf16le(texts::repeated(U"\u0395\u03BB\u03BB\u05E2\u05D1\u05E8", 20));
  BOOST_TEST((guess_encoding(text) == encoding::detect));
  BOOST_TEST((guess_encoding("caf\xE9 \x01\x02 d\xE9j\xE0 l\xE0, m\xEAme ici, \xE9t\xE9\n") == encoding::windows1252));
}

BOOST_AUTO_TEST_CASE(damaged_utf16_and_utf32_are_what_they_are) {
  for (const texts::text32& sentence : sentences)
    for (const scheme& s : schemes) {
      const std::size_t unit = code_unit_size(s.name);
      if (unit == 1) continue;
      const std::string text = s.encode(texts::repeated(sentence, 20));
      for (const std::string& bytes : damaged(text, unit, "caf\xE9 cr\xE8me...\n"))
        BOOST_TEST_REQUIRE(to_string(guess_encoding(bytes)) == to_string(s.name));
      // A byte is lost, or is one too many. In UTF-16 the characters after it may be of more scripts than a text has.
      const std::size_t half = text.size() / 2;
      for (const std::string& bytes :
           {text.substr(0, half) + text.substr(half + 1), std::string(text).insert(half, "x")}) {
        const encoding found = guess_encoding(bytes);
        BOOST_TEST((found == s.name || (unit == 2 && found == encoding::detect)), texts::utf8(sentence));
      }
    }
}

BOOST_AUTO_TEST_CASE(text_of_several_scripts_is_utf16_and_utf32) {
  const texts::text32 all[] = {
      U"\u043F\u0440\u0438\u0432\u0435\u0442 \u2014 \u4F60\u597D\u4E16\u754C\n",  // a glossary
      U"\u5927\u97D3\u6C11\u570B\uC740 \u6C11\u4E3B \u5171\u548C\u570B\uC774\uB2E4. \u4E3B\u6B0A\uC740\n",
      U"\u0420\u0443\u0441\u0441\u043A\u0438\u0439\n\u0395\u03BB\u03BB\u03B7\u03BD\u03B9\u03BA\u03AC\n\u05E2\u05D1\u05E8\u05D9\u05EA\n",
      U"\u10D2\u10D0\u10DB\u10D0\u10E0 \u0562\u0561\u0580\u0565\u0582\n",  // Georgian, Armenian
      U"\u2D5C\u2D49\u2D3C\u2D49\u2D4F\n",                                 // Tifinagh: every byte is ASCII
      U"\uE000\uE001\uE002\n",                                             // private use
      U"\U00012000\U00012001\n",                                           // cuneiform
      U"\u2200x\u2208\u211D \u2203y: x\u00B2+y\u00B2\u22641 \u21D2 |x|\u22641\n",
  };
  for (const texts::text32& text : all)
    for (const scheme& s : schemes) BOOST_TEST_CONTEXT(texts::utf8(text))
  BOOST_TEST(to_string(guess_encoding(s.encode(texts::repeated(text, 20)))) == to_string(s.name));
}

// A hundred bytes of UTF-16 do not make a long text of one byte a character UTF-16.
BOOST_AUTO_TEST_CASE(a_piece_of_utf16_in_other_text_is_no_sign) {
  const std::string ascii = texts::repeated("one line of ASCII\n", 60);
  for (const std::size_t piece : {64u, 128u, 192u, 256u}) {
    const std::string wide = texts::utf16le(texts::text32(piece / 2, U'a'));
    BOOST_TEST(to_string(guess_encoding(ascii + wide)) != "UTF-16LE");
    BOOST_TEST(to_string(guess_encoding(wide + ascii)) != "UTF-16LE");
  }
}

BOOST_AUTO_TEST_CASE(zero_bytes_and_control_characters_that_are_no_sign_of_utf16) {
  const std::string russian = texts::utf8(U"\u041E\u0434\u043D\u0430"), names = "/bin/a\0/bin/b\0/usr/bin/c\0"s;
  for (const std::string& text : {"ab\0"s, names, names + russian + "\0"s, "log\n" + std::string(3, '\0'),
                                  russian + std::string(100, '\0') + russian, "dir\r\n\x1A"s})
    BOOST_TEST(to_string(guess_encoding(text)) == "UTF-8");
  std::string legacy = "\xC7\xD1\xB1\xB9\xBE\xEE\r\n";  // Korean: as UTF-16 it would be Chinese
  for (int i = 0; i != 4; ++i) legacy += legacy;
  BOOST_TEST(to_string(guess_encoding(legacy + '\x1A', without_statistics())) == "windows-1252");
}

BOOST_AUTO_TEST_CASE(hz_shows_itself_by_frequent_characters) {
  params p;
  p.guess_legacy = naming<hz>;
  BOOST_TEST(guess_charset("~{VPND~}, ~{<P9z~}\n", p) == "HZ-GB-2312");
  for (const std::string& other : {"awk ~{ab~} x\n"s, "~{foo,bar~}"s, "~{}~}"s, "~{abc"s})
    BOOST_TEST(guess_charset(other, p) == "UTF-8", other);
  p.guess_legacy = naming<koi8>;  // no charset of seven bits
  BOOST_TEST(guess_charset("~{VPND~}, ~{<P9z~}\n", p) == "UTF-8");
}

BOOST_AUTO_TEST_CASE(iso_2022_shows_itself_by_its_escape_and_a_shift) {
  BOOST_TEST(guess_charset("\x1B$)C\x0E"
                           "GQ19\x0F\n") == "ISO-2022-KR");
  BOOST_TEST(guess_charset("\x1B$)A\x0E"
                           "VPND\x0F\n") == "ISO-2022-CN");
  BOOST_TEST(guess_charset("\x1B$)C no shift\n") == "UTF-8");
  BOOST_TEST(guess_charset("\x1B$)C<p>\x0E"
                           "GQ19\x0F<SCRIPT>\n") == "UTF-8");  // browsers read no such pages
  BOOST_TEST(guess_charset("\x0E no escape\x0F\n") == "UTF-8");
}

BOOST_AUTO_TEST_CASE(iso_2022_jp_shows_itself) {
  const std::string text = "\x1B$BF|K\\\x1B(B\n";
  for (const char* const other : {"\x80", "\xFF"}) BOOST_TEST(guess_charset(text + other) != "ISO-2022-JP");
  BOOST_TEST(guess_charset(text) == "ISO-2022-JP");
  BOOST_TEST((guess_charset(text).decided_by == evidence::structure));
  BOOST_TEST((guess_charset(text + "\x1B$(D0!\x1B(B") == "ISO-2022-JP-1"));  // a set that it adds
  BOOST_TEST((guess_encoding(text + "\x1B$(D0!\x1B(B").decided_by == evidence::assumption));
  if (encoding_from_name("ISO-2022-JP")) {
    BOOST_TEST((guess_encoding(text) == encoding::iso_2022_jp));
    BOOST_TEST((guess_encoding(text).decided_by == evidence::structure));
    BOOST_TEST(decoded(single_bytes(text), guessing()).text == "\u65E5\u672C\n");
  } else {
    BOOST_TEST((guess_encoding(text).decided_by == evidence::assumption));
  }
  for (const std::string& other : {"\x1B(B plain\n"s, "\x1B[1m bold \x1B[0m"s, text + "\x1B[0m", "\x1B$B\x1B(B"s,
                                   "\x1B$BF\n\x1B(B"s, "\x1B$AF|\x1B(B"s})
    BOOST_TEST(guess_charset(other) == "UTF-8");
  for (std::size_t cut = 5; cut <= text.size(); ++cut)
    BOOST_TEST(guess_charset(text.substr(0, cut)) == "ISO-2022-JP");  // a sample ends anywhere
}

BOOST_AUTO_TEST_CASE(each_evidence) {
  const auto why = [](const std::string& text, const params& p) { return decoded({text}, p).report.decided_by; };
  params p = guessing(100, on_error::replace), other;
  BOOST_TEST((why("\xEF\xBB\xBFok", p) == evidence::bom));
  BOOST_TEST((why("# coding: koi8-r\n\xC1\n", p) == evidence::declaration));
  BOOST_TEST((why("ok", p) == evidence::structure));
  BOOST_TEST((why("\xC1\n", p) == evidence::assumption));
  BOOST_TEST((why("\0\0\0"s, p) == evidence::assumption));  // repaired
  p.guess_legacy = naming<koi8>;
  BOOST_TEST((why("\xC1\xC1\xC1\xC1\n", p) == evidence::statistics));
  p.guess_legacy = naming<shift_jis>;
  BOOST_TEST((why("\xC1\n", p) == evidence::assumption));
  BOOST_TEST((why("ok", other) == evidence::named));
  BOOST_TEST((why("\xEF\xBB\xBFok", other) == evidence::bom));
  other.fallback = encoding::latin1;
  BOOST_TEST((why("ok", other) == evidence::assumption));
  BOOST_TEST((why("\xEF\xBB\xBFok", other) == evidence::bom));
  for (const encoding e : {encoding::utf8, encoding::utf16, encoding::latin1}) {
    decoder text(e);
    char out[10];
    text.convert("ab", 2, out, sizeof out, true);
    BOOST_TEST((text.report().decided_by == evidence::named));
  }
}

BOOST_AUTO_TEST_CASE(legacy_text_is_never_utf16) {
  std::mt19937 random(23);
  for (int i = 0; i != 4000; ++i) {
    // Words of letters of which `beyond` in 8 are beyond ASCII.
    const std::size_t beyond = 1 + random() % 8;
    std::string text = "\xE4 ";
    for (std::size_t n = random() % 300; n != 0; --n) {
      const bool is_ascii = random() % 8 >= beyond;
      const auto letter = static_cast<char>(is_ascii ? 'a' + random() % 26 : 0xC0 + random() % 64);
      text += random() % 7 == 0 ? (random() % 9 == 0 ? '\n' : ' ') : letter;
    }
    BOOST_REQUIRE((guess_encoding(text, without_statistics()) == encoding::windows1252));
  }
}

BOOST_AUTO_TEST_CASE(data_with_zero_bytes_that_is_neither_utf16_nor_utf32_is_no_text) {
  for (const std::string& data : no_texts) {
    BOOST_TEST_CONTEXT(data) {
      BOOST_TEST((guess_encoding(data) == encoding::detect));
      BOOST_TEST(guess_charset(data) == "detect");
    }
  }
  std::mt19937 random(23);
  for (const std::size_t size : {64u, 256u, 4096u})
    for (int i = 0; i != 300; ++i) {
      std::string data(size, '\0');
      for (char& c : data) c = static_cast<char>(random());
      data[random() % size] = '\0';
      if (static_cast<unsigned char>(data[0]) >= 0xFE) data[0] = 'a';  // no byte order mark
      BOOST_REQUIRE((guess_encoding(data) == encoding::detect));
    }
}

BOOST_AUTO_TEST_CASE(only_the_first_bytes_decide) {
  const std::string ascii(few, 'a');
  const auto guess_of = [](const std::string& text) { return decoded({text}, guessing()).report.encoding; };
  BOOST_TEST((guess_of(ascii + "\xE9") == encoding::utf8));
  BOOST_TEST((guess_of(ascii.substr(1) + "\xE9") == encoding::utf8));  // it may be the start of a character
  BOOST_TEST((guess_of(ascii.substr(2) + "\xE9 ") == encoding::windows1252));
  BOOST_TEST((guess_of(ascii.substr(2) + "\xE9") == encoding::windows1252));
  BOOST_TEST((guess_of(ascii + "\0"s) == encoding::utf8));
  BOOST_TEST((guess_encoding(ascii + "\xE9", guessing()) == encoding::utf8));
  BOOST_TEST((guess_encoding(ascii + "\xE9") == encoding::windows1252));
}

//------------------------------------------------------------------------------------------------ legacy encodings

BOOST_AUTO_TEST_CASE(text_of_another_encoding_is_legacy_text) {
  params p = guessing();
  p.legacy = encoding::koi8r;
  const std::string text = "\xF0\xD2\xC9\xD7\xC5\xD4\n";
  BOOST_TEST((guess_encoding(text, p) == encoding::koi8r));
  const result got = decoded({text}, p);
  BOOST_TEST(got.text == texts::utf8(U"\u041F\u0440\u0438\u0432\u0435\u0442\n"));
  BOOST_TEST((got.report.encoding == encoding::koi8r));
  BOOST_TEST((got.report.decided_by == evidence::statistics));
  p.least_confidence = 1;
  BOOST_TEST((guess_encoding(text, p) == encoding::koi8r));
  BOOST_TEST((guess_encoding(text, p).decided_by == evidence::assumption));
}

BOOST_AUTO_TEST_CASE(a_guesser_is_believed_if_the_text_fits) {
  const std::string text = "\xF0\xD2\xC9\xD7\xC5\xD4, " + std::string(40, 'a');
  struct row {
    charset_guesser guesser;
    encoding value;
    std::string_view name;
  };
  const row rows[] = {
      {naming<koi8>, encoding::koi8r, "KOI8-R"},
      {naming<hebrew>, encoding::windows1252, "windows-1252"},  // D2 is unassigned in ISO-8859-8
      // F0 D2 is a private character. Without its table, the library only sees the form.
      {naming<shift_jis>, encoding::windows1252, encoding_from_name("Shift_JIS") ? "windows-1252" : "Shift_JIS"},
      {naming<nothing>, encoding::windows1252, "windows-1252"},
      {naming<utf16_name>, encoding::windows1252, "windows-1252"},
      {naming<itself>, encoding::windows1252, "windows-1252"},
      {nullptr, encoding::koi8r, "KOI8-R"},
  };
  for (const row& r : rows) {
    params p = guessing();
    p.guess_legacy = r.guesser;
    BOOST_TEST((guess_encoding(text, p) == r.value));
    BOOST_TEST(guess_charset(text, p) == r.name);
    asked = 0;
    BOOST_TEST((decoded(single_bytes(text), p).report.encoding == r.value));
    BOOST_TEST(asked == (r.guesser != nullptr ? 1u : 0u));
    if (asked != 0) BOOST_TEST(sample_asked_about == text.substr(0, few));
  }
}

// The bytes are those of each of these encodings. The guesser may write the name in its own way.
BOOST_AUTO_TEST_CASE(a_multi_byte_encoding_is_read_if_the_library_has_it) {
  struct row {
    charset_guesser guesser;
    std::string_view name;
    std::string bytes, text;
  };
  const row rows[] = {
      {naming<shift_jis>, "Shift_JIS", "\x93\xFA\x96\x7B\x8C\xEA\x82\xCC", "\u65E5\u672C\u8A9E\u306E"},
      {naming<sjis>, "Shift_JIS", "\x93\xFA\x96\x7B\x8C\xEA\x82\xCC", "\u65E5\u672C\u8A9E\u306E"},
      {naming<euc_jp>, "EUC-JP", "\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE", "\u65E5\u672C\u8A9E\u306E"},
      {naming<uhc>, "EUC-KR", "\xC7\xD1\xB1\xB9\x8C\x63", "\uD55C\uAD6D\uB620"},
      {naming<gb18030>, "GB18030", "\xC4\xE3\xBA\xC3\x94\x39\xDA\x33", "\u4F60\u597D\U0001F4A9"},
      {naming<gb2312>, "GBK", "\xC4\xE3\xBA\xC3", "\u4F60\u597D"},
      {naming<big5>, "Big5", "\xA7\x41\xA6\x6E\x87\x40", "\u4F60\u597D\u43F0"},
  };
  for (const row& r : rows) {
    params p = guessing();
    p.guess_legacy = r.guesser;
    const std::optional<encoding> known = encoding_from_name(r.name);
    BOOST_TEST_CONTEXT(r.name) {
      const encoding_guess found = guess_encoding(r.bytes, p);
      const charset_guess named = guess_charset(r.bytes, p);
      BOOST_TEST((found == known.value_or(encoding::windows1252)));
      BOOST_TEST((found.decided_by == (known ? evidence::statistics : evidence::assumption)));
      BOOST_TEST((named.decided_by == evidence::statistics));
      if (!known) continue;
      BOOST_TEST(named == r.name);
      const result got = decoded(single_bytes(r.bytes), p);
      BOOST_TEST(got.text == r.text);
      BOOST_TEST((got.report.encoding == *known));
      BOOST_TEST((got.report.decided_by == evidence::statistics));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_guesser_is_asked_about_legacy_text_only) {
  params p = guessing();
  p.guess_legacy = naming<koi8>;
  asked = 0;
  for (const texts::text32& text : sentences)
    for (const scheme& s : schemes) guess_encoding(s.encode(texts::repeated(text, 3)), p);
  for (const std::string& data : no_texts) guess_encoding(data, p);
  guess_encoding("\xEF\xBB\xBF\xE9", p);
  BOOST_TEST(asked == 0u);
}

//------------------------------------------------------------------------------------------------------------- decoding

BOOST_AUTO_TEST_CASE(every_cut_gives_the_same) {
  std::vector<std::string> inputs{"",
                                  "a",
                                  "caf\xE9 " + std::string(60, 'b') + "\xE9",
                                  "\xEF\xBB",
                                  "\xFF",
                                  "\xFE",
                                  "\xFF\xFE"
                                  "a\0"s,
                                  "\xEF\xBB\xBFok",
                                  "\0\0\xFE"s,
                                  std::string(few - 1, 'a') + "\xC3\xA9!",
                                  "# coding: euc-jp\n\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\n\xC6\xFC\xFF\xCB",
                                  "# coding: sjis\n" + std::string(few, 'a') + "\x93\xFA\x96{\x93\n",
                                  "a\x1B$BF|K\\8l$NF|K\\8l\x1B(B\n\x1B$BF|\x1B(Jb\x1B$B\x80"};
  for (const texts::text32& text : sentences)
    for (const scheme& s : schemes) inputs.push_back(s.encode(text));
  for (const std::string& data : no_texts) inputs.push_back(data + data);
  for (const std::string& in : inputs)
    for (const on_error policy : {on_error::strict, on_error::stop, on_error::replace, on_error::escape})
      for (const bom b : {bom::automatic, bom::add, bom::require, bom::reject}) {
        params p = guessing(few, policy);
        p.bom = b;
        const result whole = decoded({in}, p);
        const auto same = [&](const std::vector<std::string_view>& pieces, std::size_t room) {
          const result got = decoded(pieces, p, room);
          BOOST_REQUIRE(got.text == whole.text);
          BOOST_REQUIRE_MESSAGE(same_report(got.report, whole.report),
                                in_words(got.report) + " is not " + in_words(whole.report));
        };
        for (const std::size_t room : {6u, 7u, 4096u}) same(single_bytes(in), room);
        same({"", in, ""}, 4096);
        for (std::size_t cut = 0; cut <= in.size(); ++cut) {
          const std::string_view all = in;
          same({all.substr(0, cut), all.substr(cut)}, 4096);
          same({all.substr(0, cut), all.substr(cut)}, 6);
        }
      }
}

// A byte order mark may be longer than the bytes that decide.
BOOST_AUTO_TEST_CASE(fewer_bytes_decide_than_a_byte_order_mark_has) {
  const std::string inputs[] = {
      "\0na\xEFve"s,          "\0\0\0a\0\0\0b"s, "\0\0\xFE\xFF\0\0\0a"s, "\xEF\xBB\x41", "\xEF\xBB\xBF\x41",
      "\xFF\xFE\0\0a\0\0\0"s, "\xFF\xFE\0a"s,    "\xFE\xFF\0a"s,         "\xFE\x41",     "caf\xE9"};
  for (const std::string& in : inputs)
    for (std::size_t bytes = 1; bytes <= 4; ++bytes) BOOST_TEST_CONTEXT(bytes << " bytes of " << in) {
        const params p = guessing(bytes, on_error::replace);
        const result whole = decoded({in}, p);
        BOOST_TEST(whole.report.bytes_in == in.size());
        const auto same = [&](const std::vector<std::string_view>& pieces) {
          const result got = decoded(pieces, p);
          BOOST_TEST(got.text == whole.text);
          BOOST_TEST(same_report(got.report, whole.report));
        };
        same(single_bytes(in));
        for (std::size_t cut = 1; cut < in.size(); ++cut) {
          const std::string_view all = in;
          same({all.substr(0, cut), all.substr(cut)});
        }
      }
}

BOOST_AUTO_TEST_CASE(the_result_is_that_of_the_encoding_guessed) {
  for (const texts::text32& sentence : sentences)
    for (const scheme& s : schemes)
      for (const encoding from : {encoding::detect, encoding::guess}) {
        const std::string in = s.encode(texts::repeated(sentence, 3));
        decoder text(from, from == encoding::guess ? params() : guessing(64));
        std::string out(1000, '\0');
        const codec_progress done = text.convert(in.data(), in.size(), out.data(), out.size(), true);
        BOOST_TEST(out.substr(0, done.produced) == texts::utf8(texts::repeated(sentence, 3)));
        BOOST_TEST((text.report().encoding == s.name));
        BOOST_TEST((text.report().decided_by == evidence::structure));
        BOOST_TEST(!text.report().bom);
      }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_decides_at_once_and_is_no_guess) {
  for (const scheme& s : schemes) {
    const std::string in = s.encode(U"\uFEFFa");
    decoder text(guessing());
    std::string out(100, '\0');
    const codec_progress done = text.convert(in.data(), in.size(), out.data(), out.size(), false);
    BOOST_TEST(out.substr(0, done.produced) == (s.name == encoding::utf8 ? "a" : "a"));
    BOOST_TEST((text.report().encoding == s.name));
    BOOST_TEST(text.report().bom);
    BOOST_TEST((text.report().decided_by == evidence::bom));
  }
}

BOOST_AUTO_TEST_CASE(without_a_mark_it_waits_for_its_bytes_and_no_longer) {
  const std::string in(few, 'a');
  decoder text(guessing());
  std::string out(100, '\0');
  for (std::size_t i = 0; i + 1 != few; ++i) {
    const codec_progress done = text.convert(&in[i], 1, out.data(), out.size(), false);
    BOOST_TEST((done.status == codec_status::need_input));
    BOOST_TEST(done.consumed == 1u);
    BOOST_TEST(done.produced == 0u);
    BOOST_TEST(text.pending() == i + 1);
    BOOST_TEST(text.needs_input());
    BOOST_TEST((text.report().encoding == encoding::detect));
    BOOST_TEST((text.report().decided_by == evidence::named));
  }
  BOOST_TEST(text.convert(in.data(), 1, out.data(), out.size(), false).produced == few);
  BOOST_TEST(text.pending() == 0u);
  BOOST_TEST(text.convert("b", 1, out.data(), out.size(), false).produced == 1u);
}

BOOST_AUTO_TEST_CASE(a_decoder_can_be_moved_while_it_waits_and_used_again) {
  const std::string in = texts::utf16be(sentences[0]);
  decoder first(guessing());
  std::string out(200, '\0');
  first.convert(in.data(), 5, out.data(), out.size(), false);
  decoder second(std::move(first));
  decoder third;
  third = std::move(second);
  codec_progress done = third.convert(in.data() + 5, in.size() - 5, out.data(), out.size(), true);
  BOOST_TEST(out.substr(0, done.produced) == texts::utf8(sentences[0]));
  third.begin(decoder::direction::reading);
  third.convert("xyz", 3, out.data(), out.size(), false);
  third.begin(decoder::direction::reading);
  done = third.convert("\xE9t\xE9", 3, out.data(), out.size(), true);
  BOOST_TEST(out.substr(0, done.produced) == "\u00E9t\u00E9");
}

//-------------------------------------------------------------------------------------------------------------- no text

BOOST_AUTO_TEST_CASE(no_text_is_an_error_before_all_others) {
  for (const std::string& data : no_texts) {
    BOOST_TEST_CONTEXT(data) {
      const result strict = decoded({data}, guessing());
      BOOST_TEST(strict.text == "");
      BOOST_TEST((strict.report.encoding == encoding::detect));
      BOOST_TEST((strict.report.decided_by == evidence::structure));
      BOOST_TEST(strict.report.bytes_in == 0u);
      BOOST_REQUIRE(strict.report.failure);
      BOOST_TEST(
          message_of(strict.report.failure) ==
          "utf_error: line 1, column 1 (byte 0): no text: zero bytes or control characters, but neither UTF-16 nor UTF-32");

      std::istringstream source(data);
      wistream wide(source, encoding::guess);
      BOOST_TEST(wide.get() == std::char_traits<wchar_t>::eof());
      BOOST_TEST(message_of(wide.report().failure) == message_of(strict.report.failure));

      const result stopped = decoded({data}, guessing(few, on_error::stop));
      BOOST_TEST(stopped.text == "");
      BOOST_TEST(!stopped.report.failure);
      BOOST_TEST((stopped.report.first_error->code == errc::no_text));
      BOOST_TEST(stopped.report.first_error->size == 0u);

      for (const on_error policy : {on_error::replace, on_error::skip, on_error::escape, on_error::windows1252}) {
        const result repaired = decoded({data}, guessing(few, policy));
        decoder plain(encoding::windows1252);
        std::string out(1000, '\0');
        out.resize(plain.convert(data.data(), data.size(), out.data(), out.size(), true).produced);
        BOOST_TEST(repaired.text == out);
        BOOST_TEST(repaired.report.errors == 1u);
        BOOST_TEST((repaired.report.encoding == encoding::windows1252));
        BOOST_TEST((repaired.report.decided_by == evidence::assumption));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_text_counts_against_the_limit_and_is_observed_after_a_missing_mark) {
  params p = guessing(few, on_error::replace);
  p.error_limit = 0;
  BOOST_TEST(message_of(decoded({"\0"s}, p).report.failure).find("no text") != std::string::npos);
  p.error_limit = no_limit;
  p.bom = bom::require;
  std::vector<errc> seen;
  p.observer = [&](const error_info& error) { seen.push_back(error.code); };
  BOOST_TEST(decoded({"\0a"s}, p).report.errors == 1u);
  seen.clear();
  BOOST_TEST(decoded({"\0\0\0"s}, p).report.errors == 2u);
  BOOST_TEST((seen == std::vector{errc::missing_bom, errc::no_text}));
}

//---------------------------------------------------------------------------------------------------------- checkpoints

BOOST_AUTO_TEST_CASE(a_decoder_goes_on_from_each_checkpoint) {
  std::vector<std::string> inputs{"caf\xE9 \xE8\n" + std::string(40, 'b') + "\xE9",
                                  "caf\xE9 \0" + std::string(40, 'c')};
  for (const scheme& s : schemes) inputs.push_back(s.encode(texts::repeated(sentences[2], 2)));
  for (const std::string& in : inputs) {
    const params p = guessing(few, on_error::escape);
    const result whole = decoded({in}, p);
    for (std::size_t cut = 0; cut <= in.size(); ++cut) {
      decoder first(p);
      std::string out(1000, '\0');
      out.resize(first.convert(in.data(), cut, out.data(), out.size(), false).produced);
      const checkpoint here = first.here();
      if (cut < few) BOOST_TEST(here.offset == 0u);
      if (cut < few) BOOST_TEST(here.bytes_out == 0u);
      BOOST_TEST(checkpoint_from_string(to_string(here)).has_value());
      params q = p;
      q.start = here;
      const result rest = decoded({std::string_view(in).substr(static_cast<std::size_t>(here.offset))}, q);
      BOOST_REQUIRE(out + rest.text == whole.text);
      stream_report expected = whole.report;  // a checkpoint has no errors before it, only their number
      expected.first_error = rest.report.first_error;
      expected.last_error = rest.report.last_error;
      expected.decided_by = rest.report.decided_by;  // it names the encoding
      expected.confidence = rest.report.confidence;
      BOOST_REQUIRE_MESSAGE(same_report(rest.report, expected),
                            in_words(rest.report) + " is not " + in_words(expected));
    }
  }
}

//-------------------------------------------------------------------------------------------------- streams and filters

/// Reads the text through every interface that guesses.
void check_interfaces(const std::string& in, const std::string& expected, const params& p, encoding e, evidence why) {
  files::directory dir;
  files::write(dir / "in", in);
  utfilter::ifstream file(dir / "in", p);
  BOOST_TEST(files::rest(file) == expected);
  BOOST_TEST((file.report().decided_by == why));
  file.clear();
  file.seekg(0);
  BOOST_TEST(files::rest(file) == expected);

  std::istringstream source(in);
  utfilter::istream stream(source, p);
  BOOST_TEST(files::rest(stream) == expected);
  BOOST_TEST((stream.report().encoding == e));

  to_utf8 filter(p);
  io::filtering_istream chain(filter | io::array_source(in.data(), in.size()));
  BOOST_TEST(files::rest(chain) == expected);
  BOOST_TEST((filter.report().decided_by == why));

  std::string out;
  io::filtering_ostream writing(to_utf8(encoding::guess, p) | io::back_inserter(out));
  for (const char c : in) writing.put(c);
  writing.flush();
  writing.reset();
  BOOST_TEST(out == expected);

  params replacing = p;
  replacing.on_error = on_error::replace;
  std::stringbuf lines_source(in);
  line_reader lines(lines_source, encoding::guess, replacing);
  std::string joined;
  while (lines.next()) {
    const auto begin = static_cast<std::size_t>(lines.bytes().begin);
    BOOST_TEST(lines.offset_of(0) == begin + (in[begin] == 0x1B ? 3 : 0));  // after an escape sequence
    joined += std::string(lines.text()) + std::string(lines.ending());
  }
  BOOST_TEST(joined == expected);

  std::istringstream wide_source(in);
  wistream wide_stream(wide_source, encoding::guess, p);
  std::wstring wide_text, line;
  while (std::getline(wide_stream, line)) wide_text += line + L'\n';
  BOOST_TEST((wide_text == to_wstring(expected)));
  BOOST_TEST((wide_stream.report().encoding == e));
}

BOOST_AUTO_TEST_CASE(every_interface_guesses) {
  for (const scheme& s : schemes) {
    const texts::text32 text = texts::repeated(sentences[1], 400);  // longer than a sample and than a buffer
    params p;
    p.fallback = encoding::guess;
    BOOST_TEST_CONTEXT(to_string(s.name))
    check_interfaces(s.encode(text), texts::utf8(text), p, s.name, evidence::structure);
  }
}

BOOST_AUTO_TEST_CASE(every_interface_reads_a_multi_byte_encoding_that_is_guessed) {
  struct row {
    std::string_view name;
    charset_guesser guesser;
    evidence why;
    std::string before, line;
  };
  const std::string japanese = "\u65E5\u672C\u8A9E\u306E\u30AB\u30CA ab\n", chinese = "\u4F60\u597D\u3002 ab\n";
  const row rows[] = {
      {"Shift_JIS", naming<shift_jis>, evidence::statistics, "", japanese},
      {"EUC-JP", nullptr, evidence::declaration, "# coding: euc-jp\n", japanese},
      {"ISO-2022-JP", nullptr, evidence::structure, "", japanese},
      {"EUC-KR", nullptr, evidence::declaration, "# coding: cp949\n", "\uD55C\uAD6D\uB620 ab\n"},
      {"GBK", nullptr, evidence::declaration, "# coding: gb2312\n", chinese},
      {"GB18030", naming<gb18030>, evidence::statistics, "", chinese + "\U0001F4A9\n"},
      {"Big5", naming<big5>, evidence::statistics, "", chinese},
  };
  for (const row& r : rows) {
    const std::optional<encoding> e = encoding_from_name(r.name);
    if (!e) continue;  // the library was built without these encodings
    std::string text = r.before;
    for (int i = 0; i != 3000; ++i) text += r.line;
    std::string in(2 * text.size(), '\0');
    encoder to(*e);
    in.resize(to.convert(text.data(), text.size(), &in[0], in.size(), true).produced);
    params p;
    p.fallback = encoding::guess;
    p.guess_legacy = r.guesser;
    BOOST_TEST_CONTEXT(r.name) check_interfaces(in, text, p, *e, r.why);
  }
}

BOOST_AUTO_TEST_CASE(wide_streams_and_line_readers_wait_as_well) {
  for (const scheme& s : schemes) {
    const std::string in = s.encode(sentences[1]);
    streambufs::pieces_streambuf wide_source(single_letters(in));
    std::istream wide_stream(&wide_source);
    wistream wide(wide_stream, encoding::guess);
    std::wstring line;
    BOOST_TEST(!!std::getline(wide, line));
    BOOST_TEST((line + L'\n' == to_wstring(texts::utf8(sentences[1]))));
    streambufs::pieces_streambuf source(single_letters(in));
    line_reader lines(source, encoding::guess);
    BOOST_TEST(lines.next());
    BOOST_TEST(std::string(lines.text()) + "\n" == texts::utf8(sentences[1]));
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_checked_in_place_while_the_sample_is_not_decoded) {
  decoder text(guessing(4));
  char out[10];
  text.convert("ab", 2, out, sizeof out, false);
  BOOST_TEST(text.convert("cdef", 4, out, 3, false).produced == 3u);
  BOOST_TEST(text.pending() == 1u);
  BOOST_TEST(text.check("efg", 3) == 0u);
  BOOST_TEST(text.convert("ef", 2, out, sizeof out, false).produced == 3u);
  BOOST_TEST(text.check("gh", 2) == 2u);
}

BOOST_AUTO_TEST_CASE(a_line_reader_has_the_places_of_errors_in_the_sample) {
  const std::string in = "a\xFF\xFF\xD2\n\xFF"
                         "b\n" +
                         std::string(100, 'c') + "\n\xE9";
  params p = guessing(few, on_error::escape);
  p.legacy = encoding::windows1253;  // FF and D2 are unassigned
  streambufs::pieces_streambuf source(single_letters(in));
  line_reader lines(source, p);
  std::string joined;
  std::uint64_t errors = 0;
  while (lines.next()) {
    joined += std::string(lines.text()) + std::string(lines.ending());
    errors += lines.errors();
  }
  const result whole = decoded({in}, p);
  BOOST_TEST(joined == whole.text);
  BOOST_TEST(errors == whole.report.errors);
  BOOST_TEST(errors != 0u);
}

BOOST_AUTO_TEST_CASE(ranges_are_of_the_encoding_that_the_whole_file_has) {
  for (const scheme& s : schemes) {
    // The first line alone would be taken for UTF-8.
    const std::string in =
        s.name == encoding::utf8 ? "\xC3\xA9\ntwo \xE9 \xE8\nthree\n" : s.encode(U"a\n\nb\ncc\n\u0451\n");
    params p = guessing(4096);
    files::directory dir;
    files::write(dir / "in", in);
    const std::string expected = decoded({in}, p).text;
    for (std::uint64_t cut = 0; cut <= in.size(); ++cut) {
      std::string joined;
      for (const byte_range& r : {byte_range{0, cut}, byte_range{cut, in.size()}}) {
        range_streambuf range(dir / "in", r, p);
        utfilter::istream lines(range, range.params());
        joined += files::rest(lines);
      }
      BOOST_TEST(joined == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(no_text_has_no_ranges) {
  files::directory dir;
  files::write(dir / "in", "\0\0\0"s);
  params p;
  for (const bom b : {bom::automatic, bom::require, bom::reject}) {
    p.bom = b;
    BOOST_CHECK_EXCEPTION(
        range_streambuf(dir / "in", {0, 2}, encoding::guess, p), std::ios_base::failure, [&](const auto& why) {
          return why.code() == errc::no_text &&
                 why.what() ==
                     dir / "in" +
                         ": its lines cannot be found: no text: zero bytes or control characters, but neither UTF-16 nor UTF-32";
        });
  }
}

//-------------------------------------------------------------------------------------------------------------
//arguments

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused) {
  params p = guessing();
  for (const encoding e : {encoding::detect, encoding::guess, encoding::utf16, encoding::utf32le}) {
    p.legacy = e;
    BOOST_CHECK_THROW(decoder{p}, std::invalid_argument);
  }
  p = guessing(0);
  BOOST_CHECK_THROW(decoder{p}, std::invalid_argument);
  BOOST_CHECK_THROW(encoder{encoding::guess}, std::invalid_argument);
  p = guessing();
  p.fallback = encoding::detect;
  BOOST_CHECK_THROW(decoder{p}, std::invalid_argument);
  p.fallback = encoding::guess;
  BOOST_CHECK_NO_THROW(decoder{p});
}

BOOST_AUTO_TEST_CASE(guess_is_a_name_but_no_encoding) {
  BOOST_TEST((encoding_from_name("Guess") == encoding::guess));
  BOOST_TEST(encoding_name(encoding::guess) == "guess");
  BOOST_TEST(is_decided_by_bom(encoding::guess));
  BOOST_TEST(has_bom(encoding::guess));
  for (const encoding e : encodings()) BOOST_TEST((e != encoding::guess));
  checkpoint c;
  c.encoding = encoding::guess;
  BOOST_TEST(why_no_checkpoint(c) != nullptr);
}
