// detector_test.cpp: the guess by the library's own statistics: lines of many languages in their encodings; the same
// result in every cut; no confidence about what is no text. test/guessing/alone.py measures how often it is right.
// build: static cost:5
#define BOOST_TEST_MODULE detector
#include <boost/test/unit_test.hpp>

#include "encodings/characters.hpp"
#include "encodings/detector.hpp"
#include "encodings/encoding_scheme.hpp"
#include "encodings/models.hpp"
#include "unicode/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace utfilter::detail;
using utfilter::encoding;

constexpr double sure = 0.5;  // an answer with less is an assumption

const likely_encoding& best_of(const ranking& of) {
  BOOST_TEST_REQUIRE(of.size != 0U);
  return of.encodings[0];
}

/// The text, which is given in UTF-8, in another encoding.
std::string encoded(std::string_view text, encoding e) {
  std::string result;
  for (const auto* at = reinterpret_cast<const unsigned char*>(text.data()); !text.empty();) {
    const sequence next = decode_utf8(at, text.size(), true);
    char bytes[8];
    const std::size_t size = scheme_of(e)->encode(next.value, bytes);
    BOOST_TEST_REQUIRE(size != 0U);
    result.append(bytes, size);
    at += next.size;
    text.remove_prefix(next.size);
  }
  return result;
}

/// The text in UTF-32.
std::u32string decoded(std::string_view bytes, encoding e) {
  std::u32string result;
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  for (const auto* const end = at + bytes.size(); at != end;) {
    const sequence next = scheme_of(e)->decode(at, static_cast<std::size_t>(end - at), true);
    result += next.what == sequence::kind::scalar ? next.value : 0xFFFD;
    at += next.size;
  }
  return result;
}

struct line {
  encoding in;
  std::string text;
  std::string_view language;  // empty if a similar one is right, too
};
std::ostream& operator<<(std::ostream& out, const line& l) { return out << l.text; }

const line lines[] = {
    {encoding::windows1250, "Dzień dobry, jak się pan dzisiaj miewa?", "pl"},
    {encoding::windows1250, "Árvíztűrő tükörfúrógép", "hu"},
    {encoding::iso8859_2, "Příliš žluťoučký kůň úpěl ďábelské ódy.", "cs"},
    {encoding::iso8859_2, "Dobrý den, jak se máte?", ""},
    {encoding::iso8859_2, "było", "pl"},
    {encoding::iso8859_16, "Bună ziua, ce mai faceți?", "ro"},
    {encoding::windows1251, "Привет, мир! Как дела?", ""},
    {encoding::koi8r, "Привет, мир! Как дела?", "ru"},
    {encoding::koi8u, "Привіт, як справи?", "uk"},
    {encoding::ibm866, "Привет, мир! Как дела?", ""},
    {encoding::iso8859_5, "Привет, мир! Как дела?", ""},
    {encoding::windows1253, "Καλημέρα κόσμε, τι κάνεις;", "el"},
    {encoding::windows1253, "Άνοιξη", "el"},
    {encoding::iso8859_7, "Άνοιξη", "el"},
    {encoding::windows1254, "Güneş doğuyor, şimdi çıkalım.", "tr"},
    {encoding::windows1255, "שלום עולם, מה שלומך היום", "he"},
    {encoding::windows1256, "مرحبا بالعالم، كيف حالك اليوم", "ar"},
    {encoding::windows1257, "Laba diena, kaip jūs gyvenate šiandien?", "lt"},
    {encoding::windows874, "สวัสดีชาวโลก วันนี้อากาศดี", "th"},
    {encoding::windows1252, "Schöne Grüße aus München, es ist kühl.", "de"},
    {encoding::ibm850, "Schöne Grüße aus München, es ist kühl.", "de"},
    {encoding::ibm437, "Schöne Grüße aus München, es ist kühl.", "de"},
    {encoding::windows1252, "C'est très agréable d'être à la forêt, déjà.", "fr"},
    {encoding::ibm850, "C'est très agréable d'être à la forêt, déjà.", "fr"},
    {encoding::ibm437, "C'est très agréable d'être à la forêt, déjà.", "fr"},
    {encoding::windows1252, "El niño comió mañana, ¿qué pasó?", "es"},
    {encoding::ibm850, "El niño comió mañana, ¿qué pasó?", "es"},
    {encoding::ibm437, "El niño comió mañana, ¿qué pasó?", "es"},
    {encoding::windows1252, "It’s a test of what we do.", "en"},
    {encoding::windows1252, "We met at the café yesterday.", ""},
    {encoding::latin1, "Nëna", "sq"},
    {encoding::viscii, "Xin chào thế giới, hôm nay trời đẹp quá.", "vi"},
    {encoding::tcvn, "Xin chào thế giới, hôm nay trời đẹp quá.", "vi"},
    {encoding::kamenicky, "Příliš žluťoučký kůň úpěl ďábelské ódy.", "cs"},
    {encoding::mik, "Добър ден, как сте днес?", ""},
    {encoding::ptcp154, "Қазақстан халқы, қайырлы таң", "kk"},
    {encoding::rk1048, "Қазақстан халқы, қайырлы таң", "kk"},
    {encoding::armscii8, "Բարեւ ձեզ, ինչպե՞ս եք այսօր", "hy"},
    {encoding::georgian_ps, "გამარჯობა, როგორ ხართ დღეს", "ka"},
    {encoding::georgian_academy, "გამარჯობა, როგორ ხართ დღეს", "ka"},
    // If the library was built without these, it cannot guess them.
    {encoding::shift_jis, "こんにちは、世界。今日は良い天気です。", "ja"},
    {encoding::euc_jp, "こんにちは、世界。今日は良い天気です。", "ja"},
    {encoding::euc_kr, "안녕하세요, 세계 여러분", "ko"},
    {encoding::gb18030, "你好，世界。今天天气很好。", "zh"},
    {encoding::big5, "你好，世界。今天天氣很好。", "zh-Hant"},
    {encoding::big5, "您是否要以現在準備儲存", "zh-Hant"},  // many second bytes are letters of ASCII
};

void check(const line& l) {
  const std::string bytes = encoded(l.text, l.in);
  const ranking found = rank_encodings(bytes);
  const likely_encoding& best = best_of(found);
  BOOST_TEST_CONTEXT(l << " in " << to_string(l.in) << " is taken for " << best.name << ", " << best.language) {
    const std::optional<encoding> named = utfilter::encoding_from_name(best.name);
    BOOST_TEST_REQUIRE(named.has_value());
    BOOST_TEST((decoded(bytes, *named) == decoded(bytes, l.in)));
    if (!l.language.empty()) BOOST_TEST(best.language == l.language);
    BOOST_TEST(best.confidence > sure);
    BOOST_TEST(best.confidence <= 1);
  }
}

BOOST_AUTO_TEST_CASE(a_line_shows_its_encoding_and_its_language) {
  for (const line& l : lines)
    if (scheme_of(l.in) != nullptr) check(l);
}

BOOST_AUTO_TEST_CASE(an_encoding_that_the_library_lacks_is_named) {
  BOOST_TEST(best_of(rank_encodings("u\x9Fite\x96")).name == "IBM852");                           // Slovak
  BOOST_TEST(best_of(rank_encodings("p\xD8\xA1li\xE7 \xA7lu\x9Cou\x9Fk\xEC")).name == "IBM852");  // Czech
}

BOOST_AUTO_TEST_CASE(a_word_of_german_on_a_macintosh_may_be_polish_in_another_encoding) {
  const ranking found = rank_encodings("d\x9Fnner");
  BOOST_TEST(best_of(found).name == "macintosh");
  BOOST_TEST(best_of(found).confidence < 0.8);
  BOOST_TEST(found.encodings[1].name == "windows-1250");
}

BOOST_AUTO_TEST_CASE(boxes_do_not_hide_the_text_in_them) {
  const std::string line = "──────────────────────────────\n";
  for (const encoding e : {encoding::ibm866, encoding::koi8r})
    check({e, "┌───────────┬─────────┐\n│ Имя       │ Размер  │\n├───────────┼─────────┤\n│ Москва    │ 12      │\n",
           "ru"});
  for (const encoding e : {encoding::ibm437, encoding::ibm850}) {
    check({e, "┌───────────┬─────────┐\n│ Name      │ Größe   │\n├───────────┼─────────┤\n│ München   │ 12      │\n",
           "de"});
    check({e, line + "Schnelle Übersicht\n" + line, ""});
    check({e, "╔═════════╗\n║ the fox ║\n╚═════════╝\n", ""});
  }
}

BOOST_AUTO_TEST_CASE(hebrew_in_visual_order_is_not_taken_for_windows1255) {
  const std::string logical = encoded("שלום לכולם, זהו טקסט בעברית", encoding::iso8859_8);
  BOOST_TEST(best_of(rank_encodings(logical)).name == "windows-1255");
  BOOST_TEST(best_of(rank_encodings(std::string(logical.rbegin(), logical.rend()))).name == "ISO-8859-8");
}

void check_equal(const ranking& a, const ranking& b) {
  BOOST_TEST_REQUIRE(a.size == b.size);
  BOOST_TEST(a.pairs == b.pairs);
  BOOST_TEST(a.noise == b.noise);
  for (std::size_t i = 0; i != a.size; ++i) {
    BOOST_TEST(a.encodings[i].name == b.encodings[i].name);
    BOOST_TEST(a.encodings[i].language == b.encodings[i].language);
    BOOST_TEST(a.encodings[i].cost == b.encodings[i].cost);
    BOOST_TEST(a.encodings[i].confidence == b.encodings[i].confidence);
  }
}

BOOST_AUTO_TEST_CASE(the_result_is_the_same_for_every_cut) {
  std::mt19937 random(1);
  std::vector<std::string> texts = {"", "a", "\xE9",
                                    "abcdefghijklmnopqrstuvwxyz\xE9"
                                    "abc \xE9\xE9\xE9\xE9\xE9\xE9 x",
                                    std::string(40, ' ') + "caf\xE9, caf\xE9" + std::string(40, 'a') + "\xA4\xA4"};
  for (const line& l : lines)
    if (scheme_of(l.in) != nullptr) texts.push_back(encoded(l.text, l.in));
  for (const std::string_view text : texts) {
    const ranking whole = rank_encodings(text);
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      encoding_detector detector;
      detector.feed(text.substr(0, cut));
      detector.result();  // changes nothing
      detector.feed(text.substr(cut));
      check_equal(detector.result(), whole);
    }
    encoding_detector bytes, pieces;
    for (std::size_t i = 0; i != text.size(); ++i) bytes.feed(text.substr(i, 1));
    check_equal(bytes.result(), whole);
    for (std::size_t at = 0, size; at < text.size(); at += size) {
      size = random() % 20;
      pieces.feed(text.substr(at, size));
    }
    check_equal(pieces.result(), whole);
  }
}

BOOST_AUTO_TEST_CASE(ascii_around_a_text_changes_the_answer_little) {
  const std::string text = encoded("Привет, мир! Как дела?", encoding::koi8r);
  std::string long_text;
  for (int i = 0; i != 100; ++i) long_text += "2026-01-01 12:00:00 INFO started\n";
  const ranking found = rank_encodings(long_text + text + '\n' + long_text);
  BOOST_TEST(best_of(found).name == "KOI8-R");
  BOOST_TEST(found.pairs == rank_encodings(text).pairs);
}

void check_no_text(std::string_view bytes) {
  const ranking found = rank_encodings(bytes);
  if (found.size != 0)
    BOOST_TEST(found.encodings[0].confidence < sure, found.encodings[0].name << " of " << bytes.size() << " bytes");
}

BOOST_AUTO_TEST_CASE(nothing_is_sure_without_text) {
  BOOST_TEST(rank_encodings("").size == 0U);
  BOOST_TEST(rank_encodings("only ASCII\r\n").size == 0U);
  for (unsigned byte = 0x80; byte != 0x100; ++byte)
    for (const std::size_t count : {1U, 2U, 3U, 16U, 1000U}) check_no_text(std::string(count, static_cast<char>(byte)));
  check_no_text(std::string(1'000'000, '\xE9'));
  check_no_text(std::string(1'000'000, '\xA1'));
}

BOOST_AUTO_TEST_CASE(random_bytes_are_in_no_encoding) {
  std::mt19937 random(1);
  for (const std::size_t size : {48U, 64U, 256U, 4096U})
    for (int i = 0; i != 100; ++i) {
      std::string any, beyond_ascii;
      for (std::size_t n = 0; n != size; ++n) {
        any += static_cast<char>(random());
        beyond_ascii += static_cast<char>(0x80 | random());
      }
      check_no_text(any);
      check_no_text(beyond_ascii);
    }
}

//--------------------------------------------------------------------------------------------------------------- tables

BOOST_AUTO_TEST_CASE(a_character_has_the_same_kind_in_all_encodings_of_its_script) {
  std::size_t cases = 0;
  const auto character = [](const single_byte_candidate& of, unsigned i) -> char32_t {
    if (of.characters != nullptr) return of.characters[i];
    const auto byte = static_cast<unsigned char>(0x80 + i);
    const sequence found = scheme_of(of.value)->decode(&byte, 1, true);
    return found.what == sequence::kind::scalar ? found.value : 0;
  };
  for (const single_byte_candidate* a = models.candidates; a != models.candidates + models.candidate_count; ++a) {
    BOOST_TEST_REQUIRE(((a->characters == nullptr) == (a->value != encoding::detect)));
    for (unsigned i = 0; i != 128; ++i) {
      const char32_t c = character(*a, i);
      const auto byte = static_cast<unsigned char>(0x80 + i);
      BOOST_TEST_CONTEXT(a->name << " has U+" << std::hex << static_cast<unsigned long>(c) << " at " << 0x80 + i) {
        const bool is_wrong = c == 0 || (c >= 0x80 && c < 0xA0);
        BOOST_TEST((a->kinds[i] == kind::wrong) == is_wrong);
        if (role_of(c) == role::capital) BOOST_TEST(a->is_capital(byte));
        if (role_of(c) == role::small) BOOST_TEST(!a->is_capital(byte));
      }
      for (const single_byte_candidate* b = models.candidates; b != a; ++b)
        for (unsigned j = 0; b->of == a->of && c != 0 && j != 128; ++j) {
          if (character(*b, j) != c) continue;
          ++cases;
          BOOST_TEST(a->kinds[i] == b->kinds[j], a->name << " and " << b->name);
        }
    }
  }
  BOOST_TEST(cases > 10'000U);
}

BOOST_AUTO_TEST_CASE(the_classes_of_a_language_are_within_its_table) {
  for (std::size_t i = 0; i != models.candidate_count; ++i) {
    const single_byte_candidate& of = models.candidates[i];
    BOOST_TEST_REQUIRE(of.languages != 0);
    for (std::size_t l = of.first_language; l != std::size_t{of.first_language} + of.languages; ++l) {
      BOOST_TEST_REQUIRE(l < models.candidate_language_count);
      const language_model& model = models.languages[models.candidate_languages[l].language];
      BOOST_TEST((model.of == of.of), of.name << ", " << model.code);
      for (unsigned byte = 0; byte != 128; ++byte) BOOST_TEST(model.class_of[of.kinds[byte]] < model.classes);
    }
  }
}

}  // namespace
