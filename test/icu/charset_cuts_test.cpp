// charset_cuts_test.cpp: every charset of ICU, on samples of its characters, with and without errors: all two-way and
// three-way cuts give what the whole text gives, and that is what ICU gives.
// build: optimised needs:utfilter::icu needs:ICU::uc
#define BOOST_TEST_MODULE charset_cuts
#include "icu/charset_runs.hpp"
#include "icu/icu_oracle.hpp"
#include "support/brief.hpp"
#include "support/texts.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

using namespace std::string_literals;
using charset_runs::converter;
using charset_runs::each_cut;
using charset_runs::outcome;
using charset_runs::summary;

using texts::hex;

namespace {

/// A few random characters of the charset; some are ASCII.
std::u32string sample(std::mt19937& random, const std::vector<char32_t>& characters) {
  std::u32string text;
  for (std::size_t n = 1 + random() % 5; n != 0; --n)
    text += random() % 4 == 0 ? U"\n<a\"\\~"[random() % 6] : characters[random() % characters.size()];
  return text;
}

/// Changes a few bytes.
std::string damaged(std::mt19937& random, std::string bytes) {
  for (std::size_t n = 1 + random() % 3; n != 0 && !bytes.empty(); --n) {
    const std::size_t at = random() % bytes.size();
    const std::size_t what = random() % 3;
    const char any = random() % 3 != 0 ? static_cast<char>(random()) : "\x1B\x0E\x0F~+\n$("[random() % 8];
    if (what == 0) bytes[at] = any;
    if (what == 1) bytes.erase(at, 1);
    if (what == 2) bytes.insert(at, 1, any);
  }
  return bytes.substr(0, 16);
}

/// Whether ICU tells the offset of each unit and the bytes of each error of a charset.
bool tells_places(UConverter* c) {
  const UConverterType type = ucnv_getType(c);
  return type == UCNV_MBCS || type == UCNV_LATIN_1 || type == UCNV_US_ASCII || type == UCNV_UTF8 ||
         (type == UCNV_SBCS && ucnv_getMaxCharSize(c) == 1);
}

/// The properties that errors have in every charset.
std::string wrong_errors(const outcome& o, const std::string& bytes) {
  std::uint64_t end = 0;
  for (const utfilter::error_info& e : o.errors) {
    if (e.size == 0 || e.offset < end || e.offset + e.size > bytes.size()) return "an error is at a wrong place";
    if (!std::equal(e.bytes.begin(), e.bytes.begin() + e.size, bytes.begin() + static_cast<std::ptrdiff_t>(e.offset),
                    [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); }))
      return "the bytes of an error are not those of the text";
    end = e.offset + e.size;
  }
  if (o.report.bytes_in != bytes.size() || !o.failure.empty()) return "not all is read" + o.failure;
  return {};
}

/// What ICU makes of the bytes, but with the controls that IBM's tables exchange as ASCII has them.
icu_oracle::decoded decoded_by_icu(const std::string& name, const std::string& bytes) {
  icu_oracle::decoded result = icu_oracle::decode(name, bytes);
  if (icu_oracle::decode(name, "\x1A").units != u"\x1C") return result;
  for (char16_t& u : result.units) u = u == 0x1C ? u'\x1A' : u == 0x7F ? u'\x1C' : u == 0x1A ? u'\x7F' : u;
  return result;
}

/// Compares with ICU's account of a text. An error of two bytes that ends in ASCII is one byte for utfilter, and the
/// ASCII character follows.
std::string differs_from_icu(const std::string& name, const outcome& o, const std::string& bytes) {
  icu_oracle::decoded expected = decoded_by_icu(name, bytes);
  std::size_t at = 0;
  for (std::size_t i = 0; i < expected.errors.size(); ++i) {
    icu_oracle::error& e = expected.errors[i];
    at = expected.units.find(u'\uFFFD', at) + 1;
    if (e.code != U_INVALID_CHAR_FOUND || e.bytes.size() != 2 || static_cast<signed char>(e.bytes[1]) < 0) continue;
    const icu_oracle::decoded alone = decoded_by_icu(name, e.bytes.substr(1));
    if (alone.units != std::u16string(1, static_cast<char16_t>(e.bytes[1]))) continue;
    expected.units.insert(at, alone.units);
    e.bytes.pop_back();
    for (std::size_t j = i + 1; j < expected.errors.size(); ++j)
      if (expected.errors[j].line == e.line) ++expected.errors[j].column;
  }
  if (icu_oracle::utf8(expected.units) != o.text) return "the text is not that of ICU";
  if (expected.errors.size() != o.errors.size()) return "there are more or fewer errors";
  for (std::size_t i = 0; i < o.errors.size(); ++i) {
    const utfilter::error_info& e = o.errors[i];
    const icu_oracle::error& is = expected.errors[i];
    if (e.offset != is.offset || e.line != is.line || e.column != is.column || e.line_offset != is.line_offset ||
        e.size != is.bytes.size())
      return "an error has another place: " + to_string(e);
    const bool is_unassigned = is.code == U_INVALID_CHAR_FOUND, is_cut = is.code == U_TRUNCATED_CHAR_FOUND;
    if ((e.code == utfilter::errc::unassigned) != is_unassigned ||
        (e.code == utfilter::errc::incomplete_at_end) != is_cut)
      return "an error has another kind: " + to_string(e);
  }
  return {};
}

std::vector<std::string> charsets() {
  std::vector<std::string> names = icu_oracle::names();
  names.push_back("ibm-37,swaplfnl");
  return names;
}

}  // namespace

BOOST_AUTO_TEST_CASE(decoding_does_not_depend_on_the_cuts) {
  std::mt19937 random(brief::nth == 1 ? 1 : 2);
  const std::size_t texts = 24 / brief::nth;
  for (const std::string& name : charsets()) {
    converter ours(name);
    const icu_oracle::converter theirs = icu_oracle::open(name);
    const std::vector<char32_t> characters = icu_oracle::characters(theirs.get());
    for (std::size_t i = 0; i < texts; ++i) {
      const std::u32string text = sample(random, characters);
      const std::optional<std::string> encoded = icu_oracle::encode(name, text);
      if (!encoded) continue;  // the charset lacks an ASCII character
      const std::string bytes = i % 3 == 0 ? encoded->substr(0, 16) : damaged(random, *encoded);
      BOOST_TEST_CONTEXT(name << ": " << hex(bytes)) {
        const outcome whole = ours.decode(bytes);
        BOOST_TEST(wrong_errors(whole, bytes) == "");
        if (tells_places(theirs.get())) BOOST_TEST(differs_from_icu(name, whole, bytes) == "");
        const std::string expected = summary(whole);
        std::string other;
        each_cut(bytes.size(), [&](const std::vector<std::size_t>& cuts) {
          const std::string got = summary(ours.decode(bytes, cuts, 4 + cuts[0] % 5));
          if (got != expected && other.empty()) other = got + " at " + std::to_string(cuts[0]);
        });
        if (!other.empty()) BOOST_TEST(other == expected);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(encoding_does_not_depend_on_the_cuts) {
  std::mt19937 random(3);
  const std::size_t texts = 16 / brief::nth;
  const std::u32string foreign = U"\u20AC\U0001F600\u0300\u200B\u00E9\u0416\u3042\uFFFD\u309A";
  for (const std::string& name : charsets()) {
    converter ours(name);
    const icu_oracle::converter theirs = icu_oracle::open(name);
    const std::vector<char32_t> characters = icu_oracle::characters(theirs.get());
    for (std::size_t i = 0; i < texts; ++i) {
      std::u32string text = sample(random, characters);
      if (i % 4 == 1) text.insert(random() % text.size(), 1, foreign[random() % foreign.size()]);
      std::string utf8 = texts::utf8(text);
      if (i % 4 == 3) utf8 = damaged(random, utf8);
      utf8.resize(std::min<std::size_t>(utf8.size(), 16));
      BOOST_TEST_CONTEXT(name << ": " << hex(utf8)) {
        const outcome whole = ours.encode(utf8);
        BOOST_TEST(wrong_errors(whole, utf8) == "");
        if (whole.errors.empty() && i % 4 != 3 && texts::utf8(text).size() <= 16 && text[0] != 0xFEFF) {
          const std::optional<std::string> expected = icu_oracle::encode(name, text);
          BOOST_TEST(hex(expected.value_or("?")) == hex(whole.text));
        }
        const std::string expected = summary(whole);
        std::string other;
        each_cut(utf8.size(), [&](const std::vector<std::size_t>& cuts) {
          const std::string got = summary(ours.encode(utf8, cuts, 32 + cuts[0] % 5));
          if (got != expected && other.empty()) other = got + " at " + std::to_string(cuts[0]);
        });
        if (!other.empty()) BOOST_TEST(other == expected);
      }
    }
  }
}

// The decoder reads back what the encoder has written, also after repairs: the state of the charset is right there.
BOOST_AUTO_TEST_CASE(what_is_written_can_be_read) {
  std::mt19937 random(4);
  const std::u32string foreign = U"\U0001F600\u05D0\u0E01\u0416\u3042";
  for (const std::string& name : charsets()) {
    converter ours(name, utfilter::on_error::escape);
    const icu_oracle::converter theirs = icu_oracle::open(name);
    const std::vector<char32_t> characters = icu_oracle::characters(theirs.get());
    const bool is_iscii = ucnv_getType(theirs.get()) == UCNV_ISCII;  // drops joiners without a word
    if (is_iscii || !icu_oracle::encode(name, U"\\u{}0123456789ABCDEF")) continue;
    for (std::size_t i = 0; i < 8; ++i) {
      std::u32string text;
      std::string expected;
      for (std::size_t n = 0; n < 12; ++n) {
        const char32_t c =
            random() % 3 == 0 ? foreign[random() % foreign.size()] : characters[random() % characters.size()];
        text += c;
      }
      if (text[0] == 0xFEFF) continue;
      const outcome written = ours.encode(texts::utf8(text));
      for (std::size_t n = 0, e = 0; n < text.size(); ++n) {
        const bool is_lacking =
            e < written.errors.size() && written.errors[e].offset == texts::utf8(text.substr(0, n)).size();
        char escape[16];
        std::snprintf(escape, sizeof escape, "\\u{%04X}", static_cast<unsigned>(text[n]));
        expected += is_lacking ? escape : texts::utf8(text.substr(n, 1));
        e += is_lacking;
      }
      BOOST_TEST_CONTEXT(name << ": " << hex(texts::utf8(text)) << "is " << hex(written.text)) {
        const outcome read = ours.decode(written.text);
        BOOST_TEST(read.text == expected);
        BOOST_TEST(read.errors.empty());
      }
    }
  }
}

// In the brief form only one character in a hundred.
BOOST_AUTO_TEST_CASE(every_character_of_every_charset_is_that_of_icu) {
  for (const std::string& name : charsets()) {
    converter ours(name);
    const std::vector<char32_t> characters = icu_oracle::characters(icu_oracle::open(name).get());
    std::u32string text;
    for (std::size_t i = 0; i < characters.size(); i += brief::nth == 1 ? 1 : 100)
      if (characters[i] != 0xFEFF) text += characters[i];
    const std::optional<std::string> expected = icu_oracle::encode(name, text);
    if (!expected) continue;  // ICU itself refuses a character that it has listed
    BOOST_TEST_CONTEXT(name) {
      const outcome written = ours.encode(texts::utf8(text), {}, 16384);
      BOOST_TEST((written.text == *expected));
      const outcome read = ours.decode(written.text);
      if (!tells_places(icu_oracle::open(name).get())) continue;  // ICU does not read all LMBCS that it has written
      // ICU 76 does not read back every character of GB18030.
      BOOST_TEST((read.text == icu_oracle::utf8(decoded_by_icu(name, written.text).units)));
      BOOST_TEST(read.errors.empty());
    }
  }
}
