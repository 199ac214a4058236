// nfc_test.cpp: normalize_nfc gives what utf8proc gives for the whole text, and what Unicode's own tests say, whatever
// the cut, the room, the errors and the policy are.
// build: posix optimised needs:utfilter::nfc needs:PkgConfig::UTF8PROC needs:unicode_data cost:5
#define BOOST_TEST_MODULE nfc
#include <boost/test/unit_test.hpp>

#include "nfc/nfc_reference.hpp"
#include "support/brief.hpp"
#include "support/conformance.hpp"
#include "support/counting_new.hpp"
#include "support/growth.hpp"
#include "support/policies.hpp"
#include "support/same_report.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/nfc.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
namespace reference = conformance::reference;
using conformance::pieces;
using utfilter::codec_progress;
using utfilter::codec_status;
using utfilter::error_info;
using utfilter::nfc_normalizer;
using utfilter::normalize_nfc;
using utfilter::on_error;
using utfilter::params;
using utfilter::stream_report;

namespace {

constexpr on_error policies[] = {on_error::strict, on_error::stop,   on_error::replace,
                                 on_error::skip,   on_error::escape, on_error::windows1252};

//----------------------------------------------------------------------------------------------------------------- runs

struct result {
  std::string output;
  stream_report report;
  std::vector<error_info> observed;

  bool operator==(const result& other) const {
    return output == other.output && same_report(report, other.report) &&
           std::equal(observed.begin(), observed.end(), other.observed.begin(), other.observed.end(),
                      [](const error_info& a, const error_info& b) { return same_error(a, b); });
  }
};

std::ostream& operator<<(std::ostream& out, const result& r) {
  return out << '<' << conformance::to_hex(r.output) << "> " << in_words(r.report);
}

/// The expected result: that of a validator, whose output is normalized.
result expected(const params& p, const std::string& text) {
  const auto plain = conformance::from_reference(
      reference::converter({reference::filter_kind::validator, reference::encoding::utf8, conformance::to_reference(p)},
                           text, false, true)
          .result());
  result r{{}, plain.report, plain.observed};
  std::size_t inserted = 0;
  r.output = reference::nfc(reference::stream_safe(plain.output, inserted));
  r.report.bytes_out = r.output.size();
  r.report.inserted = inserted;
  if (plain.thrown) r.report.failure = std::make_exception_ptr(utfilter::utf_error(*plain.thrown));
  return r;
}

/// Converts the pieces. The room grows only after a call that neither consumed nor produced.
result converted(params p, const pieces& cut, std::size_t room) {
  result r;
  p.observer = [&](const error_info& e) { r.observed.push_back(e); };
  using conversion_type = utfilter::conversion<nfc_normalizer>;
  static const nfc_normalizer codec;
  conversion_type conversion(codec, p);
  conversion.begin(conversion_type::direction::reading);
  codec_status status = codec_status::need_input;
  for (std::size_t i = 0; i <= cut.size() && status == codec_status::need_input; ++i) {
    // Buffers of exactly this size: the address sanitizer reports any access outside of them.
    const std::vector<char> in =
        i == cut.size() ? std::vector<char>() : std::vector<char>(cut[i].begin(), cut[i].end());
    std::size_t taken = 0, space = room;
    do {
      std::vector<char> out(space);
      const codec_progress step =
          conversion.convert(in.data() + taken, in.size() - taken, out.data(), space, i == cut.size());
      taken += step.consumed;
      r.output.append(out.data(), step.produced);
      status = step.status;
      const bool moved = step.consumed != 0 || step.produced != 0;
      if (!moved && status == codec_status::need_output && space >= nfc_normalizer::min_output)
        throw std::logic_error("no progress");
      space = moved ? room : space + 1;
    } while (status == codec_status::need_output);
    if (status == codec_status::need_input && taken != in.size()) throw std::logic_error("asks before it took all");
  }
  if (status == codec_status::need_input) throw std::logic_error("asks for more after the end");
  r.report = conversion.report();
  return r;
}

pieces in_bytes(const std::string& text) {
  pieces bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  return bytes;
}

/// Checks the text whole, in bytes under every room, and in every two pieces; in a long run also in every three pieces
/// of a short text.
void check_every_cut(const params& p, const std::string& text) {
  const result wanted = expected(p, text);
  const auto check = [&](const pieces& cut, std::size_t room) {
    const result got = converted(p, cut, room);
    if (!(got == wanted))
      BOOST_ERROR(conformance::to_hex(text) << " in " << cut.size() << " pieces, room " << room << ":\n"
                                            << got << "\nnot\n"
                                            << wanted);
  };
  check({text}, 1000);
  for (std::size_t room = 0; room <= 9; ++room) check({text}, room);
  for (std::size_t room = 0; room <= 5; ++room) check(in_bytes(text), room);
  for (std::size_t a = 0; a <= text.size(); ++a) {
    check({text.substr(0, a), text.substr(a)}, 1000);
    if (brief::nth != 1 || text.size() > 40) continue;
    for (std::size_t b = a; b <= text.size(); ++b)
      check({text.substr(0, a), text.substr(a, b - a), text.substr(b)}, 1000);
  }
}

std::string nfc(const std::string& text) { return converted(params(), {text}, 1 << 16).output; }
std::string repeated(const std::string& text, std::size_t n) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += text;
  return all;
}

//---------------------------------------------------------------------------------------------------------- Unicode's data

struct row {
  std::string source, nfc, nfd, nfkc, nfkd;
  bool is_single = false;  // of part 1, which has a character by itself
};

bool is_assigned(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)) != UTF8PROC_CATEGORY_CN; }

/// The rows of NormalizationTest.txt. A row with a character that this utf8proc does not know is left out.
std::vector<row> normalization_tests() {
  io::filtering_istream in(io::bzip2_decompressor() |
                           io::file_source("/usr/share/unicode/NormalizationTest.txt.bz2", std::ios::binary));
  std::vector<row> rows;
  std::size_t left_out = 0;
  bool in_part1 = false;
  for (std::string line; std::getline(in, line);) {
    if (line.substr(0, 5) == "@Part") in_part1 = line[5] == '1';
    if (line.empty() || line[0] == '#' || line[0] == '@') continue;
    row r;
    bool known = true;
    std::istringstream fields(line);
    for (std::string* const column : {&r.source, &r.nfc, &r.nfd, &r.nfkc, &r.nfkd}) {
      std::string field;
      std::getline(fields, field, ';');
      std::istringstream codes(field);
      for (std::uint32_t c; codes >> std::hex >> c;) {
        *column += reference::utf8(c);
        known = known && is_assigned(c);
      }
    }
    r.is_single = in_part1;
    left_out += !known;
    if (known) rows.push_back(r);
  }
  if (left_out != 0)
    std::cout << "skipped: " << left_out << " rows of NormalizationTest.txt, because utf8proc has only Unicode "
              << utf8proc_unicode_version() << '\n';
  BOOST_TEST_REQUIRE(rows.size() > 18'000u);  // Unicode 15 has 19 074
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(unicodes_own_tests_pass_in_every_cut) {
  for (const row& r : normalization_tests()) {
    const std::pair<std::string, std::string> cases[] = {
        {r.source, r.nfc}, {r.nfc, r.nfc}, {r.nfd, r.nfc}, {r.nfkc, r.nfkc}, {r.nfkd, r.nfkc}};
    for (const auto& [text, wanted] : cases)
      if (nfc(text) != wanted) BOOST_ERROR(conformance::to_hex(text) << " gives " << conformance::to_hex(nfc(text)));
    if (!brief::takes_next()) continue;
    check_every_cut(params(), r.source);
    check_every_cut(params(), r.nfd);
    if (brief::nth != 1) continue;
    check_every_cut(params(), r.nfc);
    check_every_cut(params(), r.nfkc);
    check_every_cut(params(), r.nfkd);
  }
}

BOOST_AUTO_TEST_CASE(every_other_character_is_itself) {
  std::vector<bool> changes(0x110000);
  for (const row& r : normalization_tests())
    if (r.is_single) changes[reference::code_points(r.source)[0]] = true;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if ((c >= 0xD800 && c <= 0xDFFF) || changes[c] || !is_assigned(c)) continue;
    const std::string text = reference::utf8(c);
    if (nfc(text) != text) BOOST_ERROR(conformance::to_hex(text) << " changes");
    // After a letter and before a mark, too, unless utf8proc says otherwise.
    if (!brief::takes_next()) continue;
    const std::string between = "e" + text + "\xCC\xA3" + text + "\xCC\x81";
    std::size_t inserted = 0;
    if (nfc(between) != reference::nfc(reference::stream_safe(between, inserted)))
      BOOST_ERROR(conformance::to_hex(between) << " gives " << conformance::to_hex(nfc(between)));
  }
}

BOOST_AUTO_TEST_CASE(no_character_is_longer_than_its_parts) {
  // So text does not grow when it is composed. The codec relies on that.
  std::size_t composites = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string one = reference::utf8(c), parts = reference::mapped(one, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE);
    if (parts == one || nfc(parts) != one) continue;
    ++composites;
    if (one.size() > parts.size()) BOOST_ERROR(conformance::to_hex(one) << " is longer than its parts");
  }
  BOOST_TEST(composites > 12'000u);
}

BOOST_AUTO_TEST_CASE(mixtures_of_letters_and_marks_give_what_utf8proc_gives) {
  std::mt19937 random(20241124);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<char32_t> marks, changing;
  for (char32_t c = 0; c < 0x30000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    if (reference::is_mark(c)) marks.push_back(c);
    const std::string one = reference::utf8(c);
    if (reference::mapped(one, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT) != one) changing.push_back(c);
  }
  const std::u32string frequent = U"aeons <=>\n\u00E9\u0301\u0323\u0338\u0345\u09C7\u09BE\u09D7\u0DD9\u0DCF\u0DCA\u0344"
                                  U"\u1100\u1161\u11A8\uAC00\uAC01\uFF9E\uFC5E\u0F73\u2ADC\u034F\U0001D15E\u4E00\u0436";
  for (std::size_t i = 0; i < 3000 / brief::nth; ++i) {
    std::u32string text;
    for (std::size_t n = below(i % 10 == 0 ? 120 : 12); n != 0; --n) {
      const std::size_t kind = below(10);
      text += kind < 5   ? frequent[below(frequent.size())]
              : kind < 8 ? marks[below(marks.size())]
                         : changing[below(changing.size())];
    }
    check_every_cut(params(), texts::utf8(text));
    const std::string once = nfc(texts::utf8(text));
    BOOST_TEST(nfc(once) == once);
  }
}

BOOST_AUTO_TEST_CASE(hangul_composes_from_the_first_to_the_last_of_its_letters) {
  const char32_t leadings[] = {0x10FF, 0x1100, 0x1112, 0x1113}, vowels[] = {0x1160, 0x1161, 0x1175, 0x1176},
                 trailings[] = {0x11A6, 0x11A8, 0x11C2, 0x11C3};
  for (const char32_t l : leadings)
    for (const char32_t v : vowels)
      for (const char32_t t : trailings) check_every_cut(params(), texts::utf8({l, v, t, U'.', l, v, v, t, t}));
  for (char32_t syllable = 0xABFE; syllable < 0xD7A6; syllable += 27)
    check_every_cut(params(), texts::utf8({syllable, 0x11A8, syllable, 0x11C2}));
  // U+11A7 is a vowel. utf8proc 2.8 loses it after an open syllable, so it is no reference here.
  BOOST_TEST(nfc("\xEA\xB0\x80\xE1\x86\xA7") == "\xEA\xB0\x80\xE1\x86\xA7");
  BOOST_TEST(nfc("\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA7") == "\xEA\xB0\x80\xE1\x86\xA7");
}

//-------------------------------------------------------------------------------------------- the Stream-Safe Text Format

BOOST_AUTO_TEST_CASE(a_joiner_comes_after_thirty_marks) {
  const std::string joiner = "\xCD\x8F", below = "\xCC\xA3";
  for (const std::string& mark : {below, std::string("\xCC\x96")}) {  // U+0316 has no composite
    for (const std::size_t n : {29u, 30u, 31u, 32u, 60u, 61u, 1000u}) {
      const std::string text = "x" + repeated(mark, n) + "y";
      const result got = converted(params(), {text}, 1 << 16);
      BOOST_TEST(got.report.inserted == (n - 1) / 30);
      BOOST_TEST(got.output.size() == text.size() + 2 * ((n - 1) / 30));
      if (n < 100) check_every_cut(params(), text);
      BOOST_TEST(nfc(got.output) == got.output);
      BOOST_TEST(converted(params(), {got.output}, 1 << 16).report.inserted == 0u);
    }
  }
  BOOST_TEST(nfc("x" + repeated(below, 31)) == "x" + repeated(below, 30) + joiner + below);
  BOOST_TEST(nfc("e" + repeated(below, 30) + "\xCC\x81") != "e" + repeated(below, 30) + "\xCC\x81");
}

BOOST_AUTO_TEST_CASE(a_compatibility_decomposition_counts_in_a_run_of_marks) {
  for (const std::string& mark : {std::string("\xCC\xA3"), std::string("\xCC\x96")})
    for (std::size_t n = 26; n < 32; ++n) {
      check_every_cut(params(), "\xEF\xB1\x9E" + repeated(mark, n));  // U+FC5E is U+0020 U+064C U+0651
      check_every_cut(params(), "x" + repeated(mark, n) + "\xEF\xBE\x9E\xEF\xBE\x9F");  // U+FF9E is U+3099
    }
  BOOST_TEST(converted(params(), {repeated("\xEF\xBE\x9E", 31)}, 1000).report.inserted == 1u);
  check_every_cut(params(), repeated("\xEF\xBE\x9E", 31));
}

BOOST_AUTO_TEST_CASE(a_million_marks_take_linear_time_and_no_memory) {
  // Alternating classes, so that each mark moves.
  const auto text_of = [](std::size_t n) { return "e" + repeated("\xCC\x81\xCC\xA3", n / 2); };
  const std::string text = text_of(1'000'000);
  std::string out(2 * text.size(), '\0');
  nfc_normalizer codec;
  codec_progress done{};
  const auto start = std::chrono::steady_clock::now();
  const allocation_counts made =
      allocated([&] { done = codec.transform(text.data(), text.size(), out.data(), out.size(), true); });
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  BOOST_TEST(made.calls == 0u);
  BOOST_CHECK((done.status == codec_status::done));
  BOOST_TEST(codec.facts().inserted == 999'999u / 30);
  BOOST_TEST(time.count() < 3);  // 0.05 s here; sorting all of them at once by insertion would take hours
}

//--------------------------------------------------------------------------------------------------------------- errors

BOOST_AUTO_TEST_CASE(repairs_are_normalized_with_the_text_around_them) {
  const std::string texts[] = {
      "e\xFF\xCC\x81x",  // left out, it joins a letter and its mark
      "e\xCC\x81\xFF\xCC\xA3\xCC\x81",
      "\xFF\xCC\x81",                // \xFF ends with a letter that takes the mark
      "a\xE9\xCC\x84z\xFC\xCC\x81",  // as windows-1252, letters that take marks
      "\xE1\x84\x80\xE1\x85\xFF\xE1\x85\xA1\xE1\x86\xA8\n\xE1\x84",
      "ab\xC3",
      "e\xCC",
      "e\n\xE2\x82"
      "e\xCC\x81\xED\xA0\x80\n\xF4\x90\xCC\x81",
      "\xEF\xBB\xBF\xFF\xCC\x81\xEF\xBB\xBF",
      "\xEF\xBB",
      "\xEF\xBBx\xCC\x81",
      "\xEF\xBB\x8F",
      "x" + repeated("\xCC\xA3", 30) + "\xFF\xCC\xA3",
  };
  for (const std::string& text : texts) {
    for (const on_error policy : policies) check_every_cut(with(policy), text);
    check_every_cut(replacing_with("\xCC\xA3"), text);
    check_every_cut(replacing_with("e\xCC\x81o"), text);
    check_every_cut(replacing_with(""), text);
    params limited = with(on_error::replace);
    limited.error_limit = 1;
    check_every_cut(limited, text);
  }
  BOOST_TEST(converted(with(on_error::skip), {"e\xFF\xCC\x81"}, 9).output == "\xC3\xA9");
}

BOOST_AUTO_TEST_CASE(an_error_at_every_place_is_told_with_its_place) {
  const std::string text = "e\xCC\x81\n\xE1\x84\x80\xE1\x85\xA1q\xCC\xB8\xCC\x81 \xC3\xA9";
  for (std::size_t at = 0; at <= text.size(); ++at)
    for (const on_error policy : policies) check_every_cut(with(policy), text.substr(0, at) + '\xFF' + text.substr(at));
}

BOOST_AUTO_TEST_CASE(text_before_an_error_is_delivered_before_it) {
  devices::recording_sink sink;
  normalize_nfc filter;
  BOOST_CHECK_THROW(filter.write(sink, "xe\xCC\x81\xFF", 5), utfilter::utf_error);
  BOOST_TEST(sink.text() == "x\xC3\xA9");
  BOOST_CHECK_THROW(filter.close(sink, std::ios::out), utfilter::utf_error);
  BOOST_TEST(sink.text() == "x\xC3\xA9");

  normalize_nfc reading;
  devices::piecewise_source source({"xe\xCC\x81\xFF"});
  std::string got;
  char byte;
  const auto read = [&] {
    while (reading.read(source, &byte, 1) == 1) got += byte;
  };
  BOOST_CHECK_THROW(read(), utfilter::utf_error);
  BOOST_TEST(got == "x\xC3\xA9");

  params p;
  p.observer = [](const error_info&) { throw std::runtime_error("enough"); };
  devices::recording_sink other;
  normalize_nfc observed(p);
  BOOST_CHECK_THROW(observed.write(other, "e\xCC\x81\xFF", 4), std::runtime_error);
  BOOST_TEST(other.text() == "\xC3\xA9");
}

BOOST_AUTO_TEST_CASE(text_before_an_error_is_delivered_where_the_filters_buffer_ends) {
  // U+1D160 becomes three characters, so that the output of one piece of input fills the buffer of 16 384 bytes.
  for (std::size_t more = 0; more < 10; ++more) {
    const std::string good = repeated("\xF0\x9D\x85\xA0", 1365) + std::string(more, 'x') + "e\xCC\x81",
                      text = good + '\xFF';
    devices::recording_sink sink;
    normalize_nfc filter;
    BOOST_CHECK_THROW(filter.write(sink, text.data(), static_cast<std::streamsize>(text.size())), utfilter::utf_error);
    BOOST_TEST((sink.text() == reference::nfc(good)));
  }
}

/// Reads up to a utf_error, which must come, and returns the text before it.
std::string read_before_error(std::istream& in) {
  std::string got;
  const auto read = [&] {
    for (char c; in.get(c);) got += c;
  };
  BOOST_CHECK_THROW(read(), utfilter::utf_error);
  return got;
}

BOOST_AUTO_TEST_CASE(text_before_a_failure_of_the_source_is_delivered_before_it) {
  // The letter waits for its marks when the decoder throws.
  for (const int link : {1, 64}) {
    io::filtering_istream in;
    in.push(normalize_nfc(), link);
    in.push(utfilter::to_utf8(), link);
    in.push(devices::piecewise_source({"xe\xCC\x81", "\xFFz"}), link);
    in.exceptions(std::ios::badbit);
    BOOST_TEST(read_before_error(in) == "x\xC3\xA9");
  }
  std::istringstream source("xe\xCC\x81\xFFz");
  utfilter::istream decoded(source);
  decoded.exceptions(std::ios::badbit);
  utfilter::codec_istream<nfc_normalizer> in(*decoded.rdbuf(), nfc_normalizer());
  in.exceptions(std::ios::badbit);
  BOOST_TEST(read_before_error(in) == "x\xC3\xA9");
}

//-------------------------------------------------------------------------------------------------------------- waiting

BOOST_AUTO_TEST_CASE(only_text_that_may_change_waits) {
  const std::pair<std::string, std::string> rows[] = {
      {"abc 12\n", "abc 12\n"},
      {"caf\xC3\xA9", "caf"},            // may get a dot below
      {"cafe", "caf"},                   // may get an accent
      {"q", "q"},                        // Unicode has no composite of q
      {"q\xCC\x81", "q"},                // a mark of a lower class may go before this one
      {"\xE4\xB8\x80", "\xE4\xB8\x80"},  // an ideograph
      {"\xEA\xB0\x80", ""},              // GA, which may get a final consonant
      {"\xEA\xB0\x81", "\xEA\xB0\x81"},  // GAG is complete
      {"\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", "\xEA\xB0\x81"},
  };
  for (const auto& [text, due] : rows) {
    BOOST_TEST_CONTEXT(conformance::to_hex(text)) {
      devices::recording_sink sink;
      normalize_nfc filter;
      filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
      filter.flush(sink);
      BOOST_TEST(sink.text() == due);
      filter.close(sink, std::ios::out);
      BOOST_TEST(sink.text() == reference::nfc(text));

      devices::piecewise_source source({text, ""});
      normalize_nfc reading;
      std::string got(100, '\0');
      const std::streamsize n = reading.read(source, got.data(), 100);
      BOOST_TEST(got.substr(0, static_cast<std::size_t>(n)) == due);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_copy_in_the_middle_of_a_segment_goes_on_from_there) {
  nfc_normalizer first;
  char out[64];
  BOOST_TEST(first.transform("xe\xCC", 3, out, sizeof out, false).produced == 1u);
  nfc_normalizer second = first;
  const auto rest = [&](nfc_normalizer& codec, const std::string& text) {
    const codec_progress done = codec.transform(text.data(), text.size(), out, sizeof out, true);
    return std::string(out, done.produced);
  };
  BOOST_TEST(rest(first, "\x81") == "\xC3\xA9");
  BOOST_TEST(rest(second, "\xA3.") == "\xE1\xBA\xB9.");
}

BOOST_AUTO_TEST_CASE(it_works_in_chains_and_streams) {
  const std::string text =
      repeated("Vie\xCC\xA3\xCC\x82t Nam, \xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB caf\xC3\xA9\n", 5000);
  const std::string wanted = reference::nfc(text);
  for (const int link : {1, 3, 64, 4096}) {
    devices::recording_sink sink;
    normalize_nfc filter;
    {
      io::filtering_ostream out;
      out.push(filter, link);
      out.push(sink, link);
      out << text.substr(0, 101) << std::flush << text.substr(101);
    }
    BOOST_TEST((sink.text() == wanted));
    BOOST_TEST(filter.report().bytes_in == text.size());

    io::filtering_istream in;
    in.push(normalize_nfc(), link);
    in.push(utfilter::to_utf8(utfilter::encoding::utf16le), link);
    in.push(devices::piecewise_source(devices::in_pieces(texts::utf16le(reference::code_points(text)), 1001)), link);
    BOOST_TEST((std::string(std::istreambuf_iterator<char>(in), {}) == wanted));
  }
  std::istringstream source(text);
  utfilter::codec_istream<nfc_normalizer> in(*source.rdbuf(), nfc_normalizer());
  BOOST_TEST((std::string(std::istreambuf_iterator<char>(in), {}) == wanted));
}

BOOST_AUTO_TEST_CASE(a_source_that_grows_is_read_on) {
  tally all;
  growth::check_each_cut(all, "nfc", nfc_normalizer(), "e\u0301\n\u1112\u1161\u11ABa\u0323\u0307\xCC.e\u0301");
  all.summary();
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused) {
  BOOST_CHECK_THROW(normalize_nfc{on_error::keep}, std::invalid_argument);
  params p{utfilter::on_error::strict, utfilter::bom::strip};
  BOOST_CHECK_THROW(normalize_nfc{p}, std::invalid_argument);
}
