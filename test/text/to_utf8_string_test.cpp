// to_utf8_string_test.cpp: bytes in any encoding, and paths, become strings of UTF-8; and the encoding in which the system
// writes its texts.
// build: portable
#define BOOST_TEST_MODULE to_utf8_string
#include <boost/test/unit_test.hpp>

#include <utfilter/convert.hpp>

#include "support/brief.hpp"
#include "support/conformance_rows.hpp"
#include "support/conformance_vocabulary.hpp"
#include "support/outcomes.hpp"
#include "support/same_error.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <algorithm>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef _WIN32
#  ifndef NOMINMAX
#    define NOMINMAX  // libstdc++ for Windows defines it
#  endif
#  include <windows.h>
#endif

namespace {

using namespace std::string_literals;
using utfilter::encoding;
using utfilter::error_info;
using utfilter::on_error;
using utfilter::params;
using utfilter::to_utf8_string;
namespace fs = std::filesystem;
namespace reference = conformance::reference;

struct outcome {
  std::string text = {};
  std::optional<error_info> thrown = {};
};

outcome expected(encoding from, const params& p, const std::string& bytes) {
  const reference::setup setup{reference::filter_kind::decoder, conformance::to_reference(from),
                               conformance::to_reference(p)};
  const reference::converter converted(setup, bytes, false, true);
  const auto thrown = conformance::from_reference(converted.result().thrown);
  return {thrown ? "" : converted.result().output, thrown};
}

outcome outcome_of(encoding from, const params& p, const std::string& bytes) {
  try {
    return {to_utf8_string(bytes, from, p), {}};
  } catch (const utfilter::utf_error& error) {
    return {"", error.info()};
  }
}

BOOST_AUTO_TEST_CASE(bytes_in_each_encoding_become_what_the_reference_makes_of_them) {
  tally cases;
  std::mt19937 random(1);
  for (const encoding from : {encoding::utf8, encoding::utf16, encoding::utf16le, encoding::utf16be, encoding::utf32le,
                              encoding::latin1, encoding::windows1252, encoding::detect})
    for (const on_error policy :
         {on_error::strict, on_error::stop, on_error::replace, on_error::skip, on_error::escape})
      for (int turn = 0; turn < 60; ++turn) {
        std::string bytes(turn < 50 ? random() % 20 : 4090 + random() % 12, ' ');
        for (char& c : bytes) c = static_cast<char>(random() % 3 == 0 ? random() : 'a' + random() % 26);
        if (turn % 4 == 0) bytes.insert(0, "\xFF\xFE");
        params p;
        p.on_error = policy;
        if (turn % 8 == 1) p.error_limit = 1;
        const outcome want = expected(from, p, bytes), got = outcome_of(from, p, bytes);
        if (cases.failed(got.text == want.text && same_error(got.thrown, want.thrown)))
          BOOST_ERROR(to_string(from) << ", policy " << static_cast<int>(policy) << ": " << hexadecimal(bytes));
      }
  cases.summary();
}

/// What a text becomes, whatever ends it, and what the observer sees.
struct events {
  std::string text = {}, refused = {};
  std::optional<error_info> thrown = {};
  std::vector<error_info> observed = {};
};

/// Calls convert(p) with an observer that notes the errors.
template <class Convert>
events events_of(params p, bool observes, const Convert& convert) {
  events all;
  if (observes) p.observer = [&](const error_info& e) { all.observed.push_back(e); };
  try {
    all.text = convert(p);
  } catch (const utfilter::utf_error& e) {
    all.thrown = e.info();
  } catch (const std::invalid_argument& e) {
    all.refused = e.what();
  }
  return all;
}

bool same(const events& a, const events& b) {
  return a.text == b.text && a.refused == b.refused && same_error(a.thrown, b.thrown) && a.observed == b.observed;
}

std::string by_decoder(const std::string& bytes, encoding from, const params& p) {
  utfilter::decoder text(from, p);
  std::string made;
  char out[1000];
  std::size_t at = 0;
  utfilter::codec_progress done;
  do {
    done = text.convert(bytes.data() + at, bytes.size() - at, out, sizeof out, true);
    made.append(out, done.produced);
    at += done.consumed;
  } while (done.status == utfilter::codec_status::need_output);
  if (text.failed()) std::rethrow_exception(text.failure());
  return made;
}

/// Lines of characters that the encoding has, of about so many bytes.
std::string clean_text(encoding e, std::size_t size, std::mt19937& random) {
  const utfilter::encoding_list known = utfilter::encodings();
  const bool is_known = std::find(known.begin(), known.end(), e) != known.end();
  utfilter::encoder text(is_known ? e : encoding::utf8, on_error::skip);
  const texts::text32 some = texts::random_lines(random() % 3000 + 300);
  const std::string utf8 = texts::utf8(some.substr(random() % (some.size() / 2)));
  std::string made;
  do {
    std::string part(6 * utf8.size() + 16, '\0');
    part.resize(text.convert(utf8.data(), utf8.size(), part.data(), part.size(), false).produced);
    if (part.empty()) part = "a";
    made += part;
  } while (made.size() < size);
  made.resize(size);                                                                    // may cut a character
  if (random() % 2 == 0 && made.size() >= 4) made.erase(0, random() % 2 == 0 ? 2 : 4);  // the byte order mark, if any
  return made;
}

// A text without errors is decoded without a decoder, and one with errors up to the first of them.
BOOST_AUTO_TEST_CASE(a_text_becomes_what_a_decoder_makes_of_it) {
  tally cases;
  std::mt19937 random(2);
  std::vector<encoding> all(utfilter::encodings().begin(), utfilter::encodings().end());
  all.push_back(encoding::detect);
  all.push_back(encoding::guess);
  all.push_back(static_cast<encoding>(200));
  const std::size_t long_sizes[] = {1023, 1024, 1025, 4095, 4096, 4097, 8190, 8192, 8200, 65530, 65536, 65540};
  const auto compare = [&](const std::string& bytes, encoding from, const params& p) {
    const bool observes = random() % 2 == 0;
    const auto by_call = [&](const params& q) { return to_utf8_string(bytes, from, q); };
    const auto one_by_one = [&](const params& q) { return by_decoder(bytes, from, q); };
    const events want = events_of(p, observes, one_by_one);
    bool good = same(events_of(p, observes, by_call), want);
    if (!observes && p.error_limit == utfilter::no_limit) {
      const events other =
          events_of(p, false, [&](const params& q) { return to_utf8_string(bytes, from, q.on_error); });
      params plain;
      plain.on_error = p.on_error;
      good = good && same(other, events_of(plain, false, one_by_one));
    }
    if (cases.failed(good))
      BOOST_ERROR("encoding " << static_cast<int>(from) << ", policy " << static_cast<int>(p.on_error) << ": "
                              << hexadecimal(bytes.substr(0, 300)));
  };
  for (const encoding from : all)
    for (int turn = 0; turn < 330; ++turn) {
      if (!brief::takes_next()) continue;
      const std::size_t size = turn <= 300 ? static_cast<std::size_t>(turn) : long_sizes[random() % 12];
      std::string bytes = clean_text(from, size, random);
      switch (random() % 4) {
        case 0: bytes.insert(bytes.size() - std::min<std::size_t>(bytes.size(), random() % 7), 1, '\xFF'); break;
        case 1:
          for (std::size_t n = random() % 4; n != 0 && !bytes.empty(); --n)
            bytes[random() % bytes.size()] = static_cast<char>(random());
          break;
        default: break;
      }
      for (const on_error policy : {on_error::strict, on_error::stop, on_error::replace, on_error::skip,
                                    on_error::escape, on_error::keep, on_error::windows1252}) {
        params p;
        p.on_error = policy;
        switch (random() % 12) {
          case 0: p.error_limit = random() % 3; break;
          case 1: p.bom = static_cast<utfilter::bom>(random() % 6); break;
          case 2: p.fallback = encoding::koi8r; break;
          case 3: p.fallback = encoding::detect; break;
          case 4: p.replacement = random() % 2 == 0 ? "<bad>" : "\xFF"; break;
          case 5: p.repair = [](const error_info& e) { return std::to_string(e.offset); }; break;
          case 6: p.legacy = random() % 2 == 0 ? encoding::utf16le : encoding::latin1; break;
          case 7: p.guess_bytes = random() % 3; break;
          case 8: p.index_every = 1; break;
          case 9: p.start.emplace(); break;
          default: break;
        }
        compare(bytes, from, p);
      }
    }
  cases.summary();
}

BOOST_AUTO_TEST_CASE(by_default_errors_are_replaced) {
  BOOST_TEST(to_utf8_string("caf\xE9", encoding::latin1) == "caf\u00E9");
  BOOST_TEST(to_utf8_string("caf\xE9", encoding::utf8) == "caf\uFFFD");
  BOOST_TEST(to_utf8_string("", encoding::utf16) == "");
  BOOST_TEST(to_utf8_string("\xFF\xFE\xE9\0"s, encoding::detect) == "\u00E9");
  BOOST_TEST(to_utf8_string("caf\xE9 au lait", encoding::guess) == "caf\u00E9 au lait");
}

BOOST_AUTO_TEST_CASE(a_repair_may_be_longer_than_the_text) {
  params p;
  p.on_error = on_error::replace;
  p.replacement = texts::repeated("\u20AC", 20);
  BOOST_TEST(to_utf8_string(std::string(3000, '\xFF'), encoding::utf8, p) == texts::repeated("\u20AC", 60000));
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_and_what_the_observer_throws_is_thrown) {
  BOOST_TEST(thrown_by<std::invalid_argument>([] {
               to_utf8_string("a", encoding::utf16, on_error::keep);
             }).find("utfilter: on_error::keep") == 0u);
  params p;
  p.observer = [](const error_info&) { throw 7; };
  BOOST_CHECK_THROW(to_utf8_string("a\xFF", encoding::utf8, p), int);
}

BOOST_AUTO_TEST_CASE(a_path_becomes_well_formed_text) {
  const fs::path plain(u"caf\u00E9/\U0001F600");
  BOOST_TEST(to_utf8_string(plain) == "caf\u00E9/\U0001F600");
  BOOST_TEST(to_utf8_string(fs::path()) == "");
  if constexpr (sizeof(fs::path::value_type) == 1) {
    const std::string bytes = "a\xFF\xE2\x82";
    BOOST_TEST(to_utf8_string(fs::path(fs::path::string_type(bytes.begin(), bytes.end()))) == "a\uFFFD\uFFFD");
  } else {
    const fs::path::value_type lone[] = {'a', static_cast<fs::path::value_type>(0xD83D), 0};
    BOOST_TEST(to_utf8_string(fs::path(lone)) == "a\uFFFD");
  }
}

// A string of any type converts to a path, too. It must not be taken for one.
BOOST_AUTO_TEST_CASE(strings_are_no_paths) {
  BOOST_TEST(to_utf8_string(std::wstring(L"a\u00E9")) == "a\u00E9");
  BOOST_TEST(to_utf8_string(u"a\u00E9") == "a\u00E9");
  BOOST_TEST(to_utf8_string(std::u32string_view(U"a\u00E9")) == "a\u00E9");
}

BOOST_AUTO_TEST_CASE(the_encoding_of_the_locale_is_that_of_the_system) {
#ifdef _WIN32
  const auto known = utfilter::encoding_from_name("cp" + std::to_string(GetACP()));
  BOOST_TEST((utfilter::locale_encoding() == known.value_or(encoding::detect)));
#else
  BOOST_REQUIRE(std::setlocale(LC_ALL, "C") != nullptr);
#  ifdef __GLIBC__
  BOOST_TEST(to_string(utfilter::locale_encoding()) == "US-ASCII");
#  endif
  if (std::setlocale(LC_ALL, "C.UTF-8") != nullptr)
    BOOST_TEST(to_string(utfilter::locale_encoding()) == "UTF-8");
  else
    std::puts("skipped: the encoding of C.UTF-8, because the system has no such locale");
  std::setlocale(LC_ALL, "C");
#endif
}

}  // namespace
