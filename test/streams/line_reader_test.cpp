// line_reader_test.cpp: the lines of a text, and where they and their characters stand, are those that a slow reference
// computes from the whole text: for every string of some boundary bytes or code units, in every encoding, under every
// policy, in every cut of the source. Then limits, failures and conversations.
// build: portable optimised exhaustive cost:40
#define BOOST_TEST_MODULE line_reader
#include <boost/test/unit_test.hpp>

#include "support/boundary_texts.hpp"
#include "support/brief.hpp"
#include "support/conformance_vocabulary.hpp"
#include "support/counting_new.hpp"
#include "support/encoding_rows.hpp"
#include "support/exhaustive.hpp"
#include "support/lines_reference.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/same_report.hpp"
#include "support/single_byte_tables.hpp"
#include "support/some_encodings.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/line_reader.hpp>
#include <utfilter/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <exception>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;
using lines_reference::line;
using lines_reference::place;
using lines_reference::reading;

namespace {

struct source_failure : std::exception {
  const char* what() const noexcept override { return "the source broke"; }
};

/// Gives a text in pieces. It counts the bytes that it has given.
class cut_source : public std::streambuf {
 public:
  /// The bits of `cuts` say after which bytes a piece ends, from the lowest bit on; after the last bit the text is cut
  /// as before. An unbuffered source has no get area.
  explicit cut_source(std::string_view text, std::uint64_t cuts = 0, bool unbuffered = false)
      : text_(text), cuts_(cuts), unbuffered_(unbuffered) {}

  std::size_t given() const { return at_; }
  /// Where the piece with this byte ends.
  std::size_t end_of_piece(std::size_t byte) const {
    while (++byte < text_.size() && !is_cut(byte)) continue;
    return byte;
  }

  std::size_t throws_at = 0;  // the Nth piece is given only after an exception
  std::size_t pieces = 0;
  std::size_t ends = 0;  // how often it was asked after the end

 protected:
  int_type underflow() override {
    if (gptr() != egptr()) return traits_type::to_int_type(*gptr());
    if (unbuffered_ && asked_) return traits_type::to_int_type(piece_[0]);
    if (++pieces == throws_at) throw source_failure();
    if (at_ == text_.size()) {
      ++ends;
      return traits_type::eof();
    }
    const std::size_t end = unbuffered_ ? at_ + 1 : end_of_piece(at_);
    piece_.assign(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.begin() + static_cast<std::ptrdiff_t>(end));
    at_ = end;
    asked_ = true;
    if (!unbuffered_) setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
    return traits_type::to_int_type(piece_[0]);
  }
  int_type uflow() override {
    const int_type c = underflow();
    asked_ = false;
    if (!unbuffered_ && gptr() != egptr()) gbump(1);
    return c;
  }

 private:
  bool is_cut(std::size_t byte) const { return (cuts_ >> (byte - 1) % 64 & 1) != 0; }

  std::string_view text_;
  std::uint64_t cuts_;
  bool unbuffered_;
  bool asked_ = false;
  std::size_t at_ = 0;
  std::vector<char> piece_;  // a copy of exactly that size, so that the address sanitizer sees an access outside of it
};

constexpr std::uint64_t bytewise = ~std::uint64_t{0};

//------------------------------------------------------------------------------------------- comparing with the
//reference

bool same(const checkpoint& got, const place& wanted) {
  return got.offset == wanted.offset && got.line == wanted.line && got.column == wanted.column &&
         got.line_offset == wanted.line_offset && got.bytes_out == wanted.bytes_out && got.errors == wanted.errors;
}

bool same(const line_reader& got, const line& wanted) {
  if (got.text() != wanted.text || got.ending() != wanted.ending) return false;
  if (got.number() != wanted.before.line || got.errors() != wanted.errors) return false;
  if (got.bytes() != byte_range{wanted.before.offset, wanted.after.offset}) return false;
  if (!same(got.after(), wanted.after)) return false;
  // offset_of is linear: in a long line only about a thousand places are checked.
  for (std::size_t n = 0; n <= wanted.text.size(); n += 1 + wanted.text.size() / 1000)
    if (got.offset_of(n) != wanted.offsets[n]) return false;
  return true;
}

bool throws_out_of_range(const line_reader& lines) {
  return caught<std::out_of_range>([&] { lines.offset_of(lines.text().size() + 1); }).has_value();
}

bool same(const error_info& got, const conformance::reference::error_info& wanted) {
  return got.code == conformance::from_reference(wanted.code) && got.offset == wanted.offset;
}

bool same(const stream_report& got, const conformance::reference::stream_report& wanted) {
  return got.bytes_in == wanted.bytes_in && got.bytes_out == wanted.bytes_out && got.lines == wanted.lines &&
         got.errors == wanted.errors && got.bom == wanted.bom &&
         got.encoding == conformance::from_reference(wanted.encoding) &&
         got.first_error.has_value() == wanted.first_error.has_value() &&
         (!got.first_error ||
          (same(*got.first_error, *wanted.first_error) && same(*got.last_error, *wanted.last_error)));
}

/// Calls next(), also after the source has thrown.
bool next(line_reader& lines) {
  while (true) {
    try {
      return lines.next();
    } catch (const source_failure&) {
      if (!lines.text().empty() || !lines.ending().empty()) throw std::logic_error("the line is not empty");
      if (lines.after().offset != lines.bytes().begin) throw std::logic_error("the line does not begin there");
    }
  }
}

/// Whether the reader returns the lines of the reading from its line `first` on, then its end, twice.
/// `wait` is called with each line.
template <class Wait>
bool reads(line_reader& lines, const reading& wanted, std::size_t first, const Wait& wait) {
  for (std::size_t i = first; i < wanted.lines.size(); ++i) {
    if (!next(lines) || !same(lines, wanted.lines[i]) || !wait(wanted.lines[i]) || !throws_out_of_range(lines))
      return false;
    const checkpoint after = lines.after();
    const bool at_start = after.offset == 0 && after.bytes_out == 0;
    if (!at_start && (after.encoding != conformance::from_reference(wanted.whole.report.encoding) ||
                      after.bom != wanted.whole.report.bom))
      return false;
  }
  for (int twice = 0; twice < 2; ++twice) {
    bool is_thrown = false;
    try {
      if (next(lines)) return false;
    } catch (const utf_error& e) {
      is_thrown = wanted.thrown && same(e.info(), *wanted.thrown);
      if (!is_thrown || !lines.report().failure) return false;
    }
    if (is_thrown != wanted.thrown.has_value()) return false;
    if (twice == 0 || is_thrown ? !same(lines, wanted.rest) : !lines.text().empty()) return false;
  }
  return true;
}

struct setting {
  encoding from;
  params p;
};

conformance::reference::params to_reference(const params& p) {
  return {static_cast<conformance::reference::on_error>(p.on_error), static_cast<conformance::reference::bom>(p.bom),
          conformance::to_reference(p.fallback), p.replacement, p.error_limit};
}

reading expected(std::string_view text, const setting& s) {
  return lines_reference::reader(conformance::to_reference(s.from), to_reference(s.p), text).result();
}

std::string described(std::string_view text, const setting& s, const std::string& more) {
  return std::string(encoding_name(s.from)) + ", on_error " + std::to_string(static_cast<int>(s.p.on_error)) +
         ", bom " + std::to_string(static_cast<int>(s.p.bom)) + ", replacement " + hexadecimal(s.p.replacement) +
         ", limit " + std::to_string(s.p.error_limit) + ", " + more + ": " + hexadecimal(text);
}

/// Reads the text in one cut. Each line must be there when its last byte is, and then the source must not be asked.
bool reads_cut(std::string_view text, const setting& s, const reading& wanted, std::uint64_t cuts, bool unbuffered,
               std::size_t throws_at) {
  cut_source source(text, cuts, unbuffered);
  source.throws_at = throws_at;
  line_reader lines(source, s.from, s.p);
  const auto waits_no_longer = [&](const line& l) {
    if (l.ending.empty()) return true;
    const auto end = static_cast<std::size_t>(l.after.offset);
    return source.given() == (unbuffered ? end : source.end_of_piece(end - 1));
  };
  return reads(lines, wanted, 0, waits_no_longer) && source.ends <= 1 && same(lines.report(), wanted.whole.report);
}

/// Reads the text in every cut, or, if it is long, in the cuts that are one or two places and in single bytes.
void check_cuts(std::string_view text, const setting& s, std::size_t longest, tally& all) {
  const reading wanted = expected(text, s);
  const auto check = [&](std::uint64_t cuts, bool unbuffered, std::size_t throws_at) {
    if (all.failed(reads_cut(text, s, wanted, cuts, unbuffered, throws_at)))
      BOOST_ERROR(described(text, s,
                            "cuts " + std::to_string(cuts) + (unbuffered ? ", unbuffered" : "") + ", throws at " +
                                std::to_string(throws_at)));
  };
  check(0, true, 0);
  check(bytewise, false, 1 + text.size() / 2);
  if (text.size() <= longest) {
    for (std::uint64_t cuts = 0; cuts < std::uint64_t{1} << (text.empty() ? 0 : text.size() - 1); ++cuts)
      check(cuts, false, 0);
  } else {
    check(0, false, 0);
    check(bytewise, false, 0);
    for (std::size_t at = 1; at < text.size(); ++at) check(std::uint64_t{1} << (at - 1), false, 0);
  }
}

/// Reads on from the place after each line.
void check_places(std::string_view text, const setting& s, tally& all) {
  const reading wanted = expected(text, s);
  std::vector<checkpoint> places;
  cut_source whole(text);
  line_reader lines(whole, s.from, s.p);
  places.push_back(lines.after());
  for (std::size_t i = 0; i < wanted.lines.size() && lines.next(); ++i) places.push_back(lines.after());
  for (std::size_t i = 0; i < places.size(); ++i) {
    setting later = s;
    later.p.start = places[i];
    cut_source rest(text.substr(static_cast<std::size_t>(places[i].offset)), bytewise);
    line_reader continued(rest, s.from, later.p);
    bool right = false;
    // The error at which the text stopped comes again.
    if (s.p.on_error == on_error::stop && i == wanted.lines.size() && i != 0)
      right = !continued.next() && continued.after() == places[i];
    else
      right = reads(continued, wanted, i, [](const line&) { return true; });
    const stream_report report = continued.report();
    const auto& expected_report = wanted.whole.report;
    right = right && report.bytes_in == expected_report.bytes_in && report.bytes_out == expected_report.bytes_out &&
            report.lines == expected_report.lines && report.errors == expected_report.errors;
    if (all.failed(right)) BOOST_ERROR(described(text, s, "from " + to_string(places[i])));
  }
}

//----------------------------------------------------------------------------------------------------- boundary strings

using boundary_texts::for_each_string;

/// Every policy, with replacements that look like the ends of lines, and with limits.
std::vector<params> policies() {
  std::vector<params> all;
  const auto add = [&](on_error policy, const char* replacement = "\xEF\xBF\xBD", std::uint64_t limit = no_limit) {
    params p{policy};
    p.replacement = replacement;
    p.error_limit = limit;
    all.push_back(p);
  };
  for (const on_error policy : every::policy) add(policy);
  for (const char* replacement : {"\n", "\r", "a\r\nb", "\xE2\x82\xAC\n"}) add(on_error::replace, replacement);
  add(on_error::replace, "?", 1);
  add(on_error::skip, "", 1);
  return all;
}

/// Calls visit for each setting with an encoding that the reference knows.
template <class Visit>
void for_each_setting(const Visit& visit) {
  for (const encoding from : some_encodings_and_detect()) {
    if (from == encoding::koi8r) continue;  // its table is tested below
    for (const bom mark : every::mark) {
      if (transcoder::why_not_decoding(from, mark, encoding::utf8) != nullptr) continue;
      for (params p : policies()) {
        if (p.on_error == on_error::keep && from != encoding::utf8) continue;
        p.bom = mark;
        visit(setting{from, p});
      }
    }
  }
}

void check_strings(std::size_t most, std::size_t nth, std::size_t longest) {
  tally cuts, places;
  std::size_t turn = 0;
  for_each_setting([&](const setting& s) {
    for_each_string(encoding_rows::of(s.from).in_lines, most, [&](const std::string& text) {
      if (turn++ % nth != 0) return;
      check_cuts(text, s, longest, cuts);
      if (turn % 3 == 0 && s.from != encoding::iso_2022_jp) check_places(text, s, places);  // it has no checkpoints
    });
  });
  cuts.summary("cuts");
  places.summary("places");
}

BOOST_AUTO_TEST_CASE(lines_of_short_strings_are_those_of_the_reference_in_every_cut) {
  check_strings(3, brief::nth, 6);
}

BOOST_AUTO_TEST_CASE(lines_of_strings_of_four_units_are_those_of_the_reference) {
  check_strings(4, (brief::nth == 1 ? 37 : 97) * brief::nth, 5);
}

BOOST_AUTO_TEST_CASE(lines_of_every_string_of_four_units_are_those_of_the_reference, *exhaustive()) {
  check_strings(4, 1, 6);
}

//------------------------------------------------------------------------------------------------------- larger texts

constexpr std::size_t piece = 8192;  // bytes that line_reader decodes at once

std::string encoded(const texts::text32& text, encoding to) {
  switch (to) {
    case encoding::utf16le: return texts::utf16le(text);
    case encoding::utf16be: return texts::utf16be(text);
    case encoding::utf32le: return texts::utf32le(text);
    case encoding::utf32be: return texts::utf32be(text);
    case encoding::cesu8: return texts::cesu8(text);
    case encoding::modified_utf8: return texts::modified_utf8(text);
    default: return texts::utf8(text);
  }
}

/// Lines whose sizes are near the sizes of pieces and of the buffer, some with errors.
std::string long_lines(encoding from, std::mt19937& random) {
  const std::string good[] = {encoded(U"a", from), encoded(U"\u00E4", from), encoded(U"\u20AC", from),
                              encoded(U"\U0001F600", from), encoded({U'\0'}, from)};
  const bool of_bytes = code_unit_size(from) == 1;
  const std::string errors[] = {of_bytes ? "\xFF" : encoded(U"\xDC00", from),
                                of_bytes ? "\x80" : encoded(U"\xDFFF", from)};
  std::string text;
  for (const std::size_t size :
       {0u, 1u, 100u, 8190u, 8191u, 8192u, 8193u, 20u, 16384u, 24590u, 24600u, 3u, 50000u, 300u}) {
    const std::size_t kinds = 1 + random() % std::size(good), one_in = random() % 3 == 0 ? 50 : 100000;
    for (std::size_t n = 0; n < size; ++n)
      text += random() % one_in == 0 ? errors[random() % 2] : good[random() % kinds];
    text += encoded(random() % 2 == 0 ? U"\r\n" : U"\n", from);
  }
  return text + good[0];
}

/// Line feeds at random distances.
std::string short_lines(encoding from, std::size_t bytes) { return encoded(texts::random_lines(bytes), from); }

BOOST_AUTO_TEST_CASE(lines_of_any_size_are_those_of_the_reference) {
  std::mt19937 random(1);
  tally all;
  for (const encoding from : {encoding::utf8, encoding::utf16le, encoding::utf16be, encoding::utf32le,
                              encoding::utf32be, encoding::cesu8, encoding::modified_utf8}) {
    for (const on_error policy : {on_error::strict, on_error::replace, on_error::skip, on_error::escape}) {
      setting s{from, {}};
      s.p.on_error = policy;
      for (const std::string& text : {long_lines(from, random), short_lines(from, 100'000)}) {
        const reading wanted = expected(text, s);
        for (const std::uint64_t cuts : {std::uint64_t{0}, bytewise, std::uint64_t{random()} << 32 & random()}) {
          if (cuts == bytewise && !brief::takes_next()) continue;
          cut_source source(text, cuts);
          line_reader lines(source, from, s.p);
          // Calls bytes() only for some lines: the place of a line must not depend on that.
          std::size_t taken = 0;
          bool right = true;
          while (right && taken < wanted.lines.size() && (random() % 8 != 0 || taken < 3)) {
            right = lines.next() && lines.text() == wanted.lines[taken].text &&
                    (random() % 3 != 0 || same(lines, wanted.lines[taken]));
            ++taken;
            if (random() % 400 == 0) break;
          }
          right = right && reads(lines, wanted, taken, [](const line&) { return true; }) &&
                  same(lines.report(), wanted.whole.report);
          if (all.failed(right)) BOOST_ERROR(described("", s, "cuts " + std::to_string(cuts)));
        }
      }
    }
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(single_byte_characters_stand_at_the_place_of_their_byte) {
  tally all;
  for (const single_byte::table& table : single_byte::tables()) {
    std::string source, text;
    std::vector<std::uint64_t> offsets;
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (!table.assigns(byte)) continue;
      const std::string character = texts::utf8(texts::text32(1, table.characters[byte]));
      source += static_cast<char>(byte);
      if (byte == '\n') continue;
      text += character;
      offsets.insert(offsets.end(), character.size(), source.size() - 1);
    }
    std::stringbuf buffer(source);
    line_reader lines(buffer, *encoding_from_name(table.names[0]));
    std::string got;
    for (std::size_t at = 0; lines.next(); at += lines.text().size()) {
      got += lines.text();
      for (std::size_t n = 0; n < lines.text().size(); ++n)
        all.check(lines.offset_of(n) == offsets[at + n], "wrong offset", table.names[0]);
    }
    all.check(got == text && lines.bytes() == byte_range{source.size(), source.size()}, "wrong text", table.names[0]);
  }
  all.summary();
}

// A guess that finds no text is an error, and then the bytes are params::legacy. So the lines are those of a reader to
// which that encoding was named, and the first one has an error more.
BOOST_AUTO_TEST_CASE(lines_of_data_that_is_no_text_stand_at_the_place_of_their_bytes) {
  const std::string data("\xE9\0\xE0\n\xC8second\xE9\r\n\n\xE9third \x98", 23);
  tally all;
  for (const encoding legacy : {encoding::windows1252, encoding::koi8r, encoding::iso8859_11, encoding::cesu8,
                                encoding::modified_utf8, encoding::gb18030, encoding::big5})
    for (const on_error policy : {on_error::replace, on_error::skip, on_error::escape, on_error::windows1252})
      for (const bom mark : {bom::automatic, bom::require})
        for (const std::uint64_t cuts : {std::uint64_t{0}, bytewise, std::uint64_t{6}})
          for (const std::size_t guess_bytes : {std::size_t{9}, data.size() - 1, default_guess_bytes}) {
            params p{policy};
            p.legacy = legacy;
            p.guess_bytes = guess_bytes;
            cut_source source(data, cuts), other(data, cuts);
            line_reader named(other, legacy, p);
            p.bom = mark;
            line_reader guessed(source, encoding::guess, p);
            bool right = true;
            for (std::uint64_t more = mark == bom::require ? 2 : 1, total = more; right && named.next(); more = 0) {
              right = guessed.next() && guessed.text() == named.text() && guessed.bytes() == named.bytes() &&
                      guessed.after().offset == named.after().offset && guessed.errors() == named.errors() + more &&
                      guessed.after().errors == named.after().errors + total;
              for (std::size_t n = 0; right && n <= named.text().size(); ++n)
                right = guessed.offset_of(n) == named.offset_of(n);
            }
            all.check(right && !guessed.next(), "wrong lines", std::string(encoding_name(legacy)));
          }
  all.summary();
}

//--------------------------------------------------------------------------------------------------------------- limits

/// Reads "ok", and then the line, which has `size` bytes of text, twice.
bool keeps_limit(const std::string& line, std::size_t size, std::size_t limit, std::uint64_t cuts) {
  const std::string text = "ok\n" + line;
  cut_source source(text, cuts);
  line_reader lines(source, encoding::utf8, on_error::strict, limit);
  const std::uint64_t number = limit < 2 ? 1 : 2, begin = limit < 2 ? 0 : 3;
  if (limit >= 2 && !(lines.next() && lines.text() == "ok")) return false;
  const bool fails = limit < 2 || size > limit;
  for (int twice = 0; twice < 2; ++twice) {
    bool got = false;
    std::string why;
    try {
      got = lines.next();
    } catch (const std::length_error& e) {
      why = e.what();
    } catch (const utf_error&) {
      why = "ill-formed";
    }
    if (fails) {
      const std::string expected = "utfilter: line " + std::to_string(number) + " has more than ";
      if (why != expected + std::to_string(limit) + " bytes") return false;
      if (!lines.text().empty() || !lines.ending().empty() || lines.errors() != 0) return false;
      if (lines.number() != number || lines.bytes() != byte_range{begin, begin}) return false;
      if (lines.after().offset != begin || lines.after().line != number || !lines.report().failure) return false;
    } else if (line.find('\xFF') != std::string::npos) {
      if (why != "ill-formed" || lines.text() != line.substr(0, size)) return false;
    } else {
      const bool is_line = twice == 0 && !line.empty();
      if (!why.empty() || got != is_line || lines.text() != (is_line ? line.substr(0, size) : "")) return false;
    }
  }
  return true;
}

BOOST_AUTO_TEST_CASE(a_line_of_the_limit_is_returned_and_a_longer_one_fails) {
  // The ends of a line, and how many bytes of each are text.
  const std::pair<std::string, std::size_t> ends[] = {{"\n", 0},     {"\r\n", 0}, {"", 0},      {"\r", 1},
                                                      {"\r\r\n", 1}, {"\xFF", 0}, {"\r\xFF", 1}};
  tally all;
  for (const std::size_t limit : {0u, 1u, 2u, 3u, 5u, 100u, 8189u, 8190u, 8191u, 8192u, 8193u, 30000u})
    for (const std::size_t more : {0u, 1u, 2u, 3u, 4u, 9000u})  // two bytes less than the limit, and more
      for (const auto& [end, of_text] : ends)
        for (const std::uint64_t cuts : {std::uint64_t{0}, bytewise}) {
          if (limit + more < 2) continue;
          const std::size_t size = limit + more - 2;
          if (all.failed(keeps_limit(std::string(size, 'a') + end, size + of_text, limit, cuts)))
            BOOST_ERROR("limit " << limit << ", size " << size << ", end " << hexadecimal(end) << ", cuts " << cuts);
        }
  all.summary();
}

BOOST_AUTO_TEST_CASE(reading_goes_on_from_a_line_that_was_too_long) {
  const std::string text = "\xFF\xFE" + texts::utf16le(U"one\ntwo and three\nfour\n");
  std::stringbuf source(text);
  line_reader lines(source, encoding::detect, {}, 5);
  BOOST_TEST(lines.next());
  BOOST_CHECK_THROW(lines.next(), std::length_error);
  params p;
  p.start = lines.after();
  std::stringbuf rest(text.substr(static_cast<std::size_t>(p.start->offset)));
  line_reader later(rest, p, 13);
  BOOST_TEST((later.next() && later.text() == "two and three" && later.number() == 2));
  BOOST_TEST((later.next() && later.text() == "four" && later.after().offset == text.size()));
  BOOST_TEST(!later.next());
}

/// A text without an end.
class endless : public std::streambuf {
 public:
  explicit endless(char c) : piece_(1000, c) {}
  std::size_t given = 0;

 protected:
  int_type underflow() override {
    given += piece_.size();
    if (given > 50'000'000) throw std::logic_error("nobody stops");
    setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
    return traits_type::to_int_type(piece_[0]);
  }

 private:
  std::string piece_;
};

BOOST_AUTO_TEST_CASE(a_line_without_end_is_refused_soon) {
  for (const char byte : {'a', '\xFF', '\r'}) {
    endless source(byte);
    line_reader lines(source, encoding::utf8, on_error::replace, 100'000);
    BOOST_CHECK_THROW(lines.next(), std::length_error);
    BOOST_TEST(source.given <= 100'000u + piece);
  }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_refused_before_more_is_read) {
  for (const auto& [text, needed] : {std::pair{"aaaabbbb", 4u}, {"aaa\rbbbb", 5u}, {"aaa\r\r\n", 5u}}) {
    cut_source source(text, bytewise);
    line_reader lines(source, encoding::utf8, on_error::strict, 3);
    BOOST_CHECK_THROW(lines.next(), std::length_error);
    BOOST_TEST(source.given() == needed);
  }
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_has_no_errors) {
  for (const char* end : {"", "\n"}) {
    std::stringbuf source("\xFF\n\xFF\xFF" + std::string(10, 'a') + end);
    line_reader lines(source, on_error::replace, 9);
    BOOST_TEST((lines.next() && lines.errors() == 1));
    BOOST_CHECK_THROW(lines.next(), std::length_error);
    BOOST_TEST(lines.errors() == 0u);
    BOOST_TEST((lines.after() == checkpoint{{2, 2, 1, 2}, encoding::utf8, false, 4, 1}));
    BOOST_TEST((lines.bytes() == byte_range{2, 2}));
  }
}

BOOST_AUTO_TEST_CASE(the_largest_limit_is_no_limit) {
  std::stringbuf source(std::string(100'000, 'a') + "\r");
  line_reader lines(source, encoding::utf8, {}, std::numeric_limits<std::size_t>::max());
  BOOST_TEST((lines.next() && lines.text().size() == 100'001));
}

//--------------------------------------------------------------------------------------------------------------- memory

BOOST_AUTO_TEST_CASE(memory_is_constant) {
  std::string line = "a line of text, with \xFF an error\n", text;
  for (int n = 0; n < 30'000; ++n) text += line;
  cut_source source(text, std::uint64_t{1} << 40);
  line_reader lines(source, encoding::utf8, on_error::escape);
  for (int n = 0; n < 3000; ++n) lines.next();
  std::size_t number = 3000;
  const allocation_counts counts = allocated([&] {
    while (lines.next()) number += lines.bytes().begin == lines.number() * line.size() - line.size();
  });
  BOOST_TEST(number == 30'000u);
  BOOST_TEST(counts.calls == 0u);
}

// Ill-formed bytes that leave no text may be many more than the limit.
BOOST_AUTO_TEST_CASE(errors_that_are_skipped_need_no_memory) {
  const std::string text = "begin" + std::string(1'000'000, '\xFF') + "end\n";
  std::stringbuf source(text);
  line_reader lines(source, encoding::utf8, on_error::skip, 10);
  const allocation_counts counts = allocated([&] { BOOST_TEST(lines.next()); });
  BOOST_TEST(counts.bytes < 50'000u);
  BOOST_TEST(lines.text() == "beginend");
  BOOST_TEST(lines.errors() == 1'000'000u);
  BOOST_TEST(lines.offset_of(5) == 1'000'005u);
  BOOST_TEST((lines.bytes() == byte_range{0, text.size()}));
}

BOOST_AUTO_TEST_CASE(repairs_need_few_bytes) {
  for (const std::string& replacement : {"?"s, "\n"s, "\xEF\xBF\xBD"s, "<bad byte>"s})
    for (const std::string& unit : {"\xFF"s, "a\xFF"s, "abc\xE2\x82"s}) {
      constexpr std::size_t repairs = 100'000;
      std::string text;
      for (std::size_t n = 0; n < repairs; ++n) text += unit;
      std::stringbuf source(text + '\n');
      params p{on_error::replace};
      p.replacement = replacement;
      line_reader lines(source, encoding::utf8, p);
      const allocation_counts counts = allocated([&] { BOOST_TEST(lines.next()); });
      BOOST_TEST(lines.errors() == repairs);
      // Both the text and the repairs are kept in memory that doubles as it grows.
      BOOST_TEST(counts.bytes < 4 * (lines.text().size() + 3 * repairs) + 100'000);
      const std::size_t of_unit = lines.text().size() / repairs;
      for (const std::size_t n : {std::size_t{0}, std::size_t{1}, repairs / 2, repairs - 1})
        BOOST_TEST(lines.offset_of(n * of_unit) == n * unit.size());
    }
}

BOOST_AUTO_TEST_CASE(line_feeds_in_repairs_are_looked_at_once) {
  constexpr std::size_t repairs = 400'000;
  std::stringbuf source(std::string(repairs, '\xFF') + "\nlast\n");
  params p{on_error::replace};
  p.replacement = "\n";
  line_reader lines(source, p);
  const std::clock_t start = std::clock();
  BOOST_TEST((lines.next() && lines.errors() == repairs && lines.text().size() == repairs));
  BOOST_TEST((lines.next() && lines.text() == "last" && lines.errors() == 0u));
  // It takes hundredths of a second. To look at all repairs before each line feed would take half a minute.
  BOOST_TEST(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 5);
}

BOOST_AUTO_TEST_CASE(if_memory_is_short_nothing_is_lost_or_doubled) {
  std::string text;
  for (const std::size_t size : {10u, 40'000u, 0u, 100'000u, 5u, 10'000u}) text += std::string(size, 'a') + "\xFF\n";
  params p{on_error::replace};
  p.replacement = std::string(40'000, '?');
  const reading wanted = expected(text, {encoding::utf8, p});
  tally all;
  bool happened = true;
  for (std::size_t nth = 1; happened; ++nth) {
    std::stringbuf source(text);
    line_reader lines(source, encoding::utf8, p);
    failing_allocation failure(nth, false);
    std::size_t read = 0, failures = 0;
    bool right = true;
    while (right && failures < 3) {
      bool got = false;
      try {
        failure.during([&] { got = lines.next(); });
        if (!got) break;
        const line& l = wanted.lines[read++];
        right = lines.text() == l.text && lines.bytes() == byte_range{l.before.offset, l.after.offset};
      } catch (const std::bad_alloc&) {
        ++failures;
      }
    }
    happened = failure.happened();
    // Either the failure passed, or the text has failed for good.
    right = right && (failures < 2 ? read == wanted.lines.size() : lines.report().failure != nullptr);
    if (all.failed(right)) BOOST_ERROR("allocation " << nth << ": " << read << " lines, " << failures << " failures");
  }
  all.summary();
  BOOST_TEST(all.cases() > 5u);
}

//------------------------------------------------------------------------------------------------------------- failures

BOOST_AUTO_TEST_CASE(a_source_that_throws_loses_nothing) {
  const std::string text = "one\n\xE2\x82\xACtwo\xFF\r\nthree";
  setting s{encoding::utf8, {}};
  s.p.on_error = on_error::replace;
  const reading wanted = expected(text, s);
  tally all;
  for (const std::uint64_t cuts : {std::uint64_t{0}, bytewise, std::uint64_t{0b10100101}})
    for (std::size_t throws_at = 1; throws_at < text.size() + 3; ++throws_at)
      for (const bool unbuffered : {false, true})
        all.check(reads_cut(text, s, wanted, cuts, unbuffered, throws_at), "lost", text);
  all.summary();
}

/// A source without a get area that throws when a byte is taken.
class throws_when_taken : public std::streambuf {
 protected:
  int_type underflow() override { return 'a'; }
  int_type uflow() override { throw source_failure(); }
};

// The reader has seen the byte, but does not know whether the source still has it.
BOOST_AUTO_TEST_CASE(a_source_that_throws_when_a_byte_is_taken_fails_the_text) {
  throws_when_taken source;
  line_reader lines(source);
  for (int twice = 0; twice < 2; ++twice) {
    BOOST_CHECK_THROW(lines.next(), source_failure);
    BOOST_TEST(lines.text() == "a");
  }
  BOOST_TEST((lines.report().failure != nullptr));
}

BOOST_AUTO_TEST_CASE(an_observer_that_throws_fails_the_text_after_the_lines_before) {
  for (const on_error policy : {on_error::strict, on_error::replace, on_error::skip, on_error::stop}) {
    params p{policy};
    p.observer = [](const error_info&) { throw source_failure(); };
    std::stringbuf source("one\ntwo\xFF\nthree");
    line_reader lines(source, p);
    BOOST_TEST((lines.next() && lines.text() == "one"));
    for (int twice = 0; twice < 2; ++twice) {
      BOOST_CHECK_THROW(lines.next(), source_failure);
      BOOST_TEST(lines.text() == "two");
      BOOST_TEST(lines.after().offset == 7u);
      BOOST_TEST(lines.errors() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_observer_that_reads_lines_fails_the_text) {
  line_reader* reader = nullptr;
  params p{on_error::replace};
  p.observer = [&](const error_info&) { reader->next(); };
  std::stringbuf source("one\ntwo\xFF\n");
  line_reader lines(source, p);
  reader = &lines;
  BOOST_TEST((lines.next() && lines.text() == "one"));
  for (int twice = 0; twice < 2; ++twice)
    BOOST_CHECK_EXCEPTION(lines.next(), std::logic_error, [](const std::exception& e) {
      return e.what() == "utfilter: a line_reader was used by its own observer or source, while it was reading"s;
    });
}

BOOST_AUTO_TEST_CASE(an_observer_sees_each_error_once) {
  std::vector<std::uint64_t> seen;
  params p{on_error::escape};
  p.observer = [&](const error_info& error) { seen.push_back(error.offset); };
  std::stringbuf source("a\xFF\nb\xFE\xFD\nc\n");
  line_reader lines(source, p);
  std::vector<std::uint64_t> errors;
  while (lines.next()) errors.push_back(lines.errors());
  BOOST_TEST(seen == (std::vector<std::uint64_t>{1, 4, 5}), boost::test_tools::per_element());
  BOOST_TEST(errors == (std::vector<std::uint64_t>{1, 2, 0}), boost::test_tools::per_element());
}

//------------------------------------------------------------------------------------------------------- the rest of it

BOOST_AUTO_TEST_CASE(the_lines_are_those_of_getline) {
  tally all;
  for (const encoding from : {encoding::utf8, encoding::utf16le, encoding::utf32be}) {
    const std::string text = short_lines(from, 50'000);
    std::stringbuf one(text), other(text);
    utfilter::istream in(other, from);
    line_reader lines(one, from);
    std::string line;
    while (std::getline(in, line)) {
      const bool got = lines.next();
      all.check(got && std::string(lines.text()) + (lines.ending() == "\r\n" ? "\r" : "") == line, "other line", line);
    }
    all.check(!lines.next(), "more lines", "");
  }
  all.summary();
}

//------------------------------------------------------------------------- beginnings that may be a byte order mark

/// A text as a std::istream reads it, and the failure.
struct streamed {
  std::string text;
  stream_report report;
  std::string failure;
};

streamed by_stream(const std::string& bytes, encoding from, const params& p) {
  std::stringbuf source(bytes);
  utfilter::istream in(source, from, p);
  streamed got;
  for (char c; in.get(c);) got.text += c;  // as std::getline, but it has the part of a line before a failure, too
  got.report = in.report();
  got.failure = message_of(got.report.failure);
  return got;
}

/// Whether the reader gives the same text in this cut. Each line must begin where the one before it ends, and each byte of
/// it must come from there.
bool reads_as(const streamed& wanted, const std::string& bytes, encoding from, const params& p, std::uint64_t cuts) {
  cut_source source(bytes, cuts);
  line_reader lines(source, from, p);
  std::string text, failure;
  std::uint64_t errors = 0, end = 0;
  bool right = true;
  const auto take = [&] {
    text += lines.text();
    text += lines.ending();
    errors += lines.errors();
    right = right && lines.bytes().begin == end && lines.bytes().end >= end;
    for (std::size_t n = 0, last = static_cast<std::size_t>(end); right && n <= lines.text().size(); ++n) {
      const std::uint64_t offset = lines.offset_of(n);
      right = offset >= last && offset <= lines.bytes().end;
      last = static_cast<std::size_t>(offset);
    }
    end = lines.bytes().end;
  };
  for (std::size_t n = 0; n <= 2 * bytes.size() + 2; ++n) {
    bool got = false;
    try {
      got = lines.next();
    } catch (const std::exception& e) {
      failure = message_of(std::current_exception());
    }
    take();
    if (!got) break;
  }
  right = right && text == wanted.text && failure == wanted.failure && errors == wanted.report.errors &&
          same_report(lines.report(), wanted.report);
  return right && (wanted.report.errors != 0 || end == bytes.size());
}

// The bytes of a byte order mark that does not come are withheld, and may have several errors.
BOOST_AUTO_TEST_CASE(beginnings_that_may_be_a_byte_order_mark_are_the_text_of_a_stream) {
  const std::string begins[] = {"\xEF",          "\xEF\xBB", "\xEF\xBB\xBF", "\xEF\xBF",     "\xFE",  "\xFE\xFF",
                                "\xFF",          "\xFF\xFE", "\xFF\xFE\0"s,  "\0"s,          "\0\0"s, "\0\0\xFE"s,
                                "\0\0\xFE\xFF"s, "+/v",      "\x0E\xFE\xFF", "\x84\x31\x95", "\r",    ""};
  const std::string tails[] = {"", "x\n", "\n", "\xEF", "\xEF\xBB", "\xBF\n", "\0"s, "\r\n\xFFz", "\xDC\0\n"s};
  std::vector<params> all_policies = policies();
  params made{on_error::replace};
  made.repair = [](const error_info& e) {
    return e.offset % 3 == 1 ? std::string() : "<" + std::to_string(e.offset) + ">";
  };
  params empty{on_error::replace};
  empty.replacement = "";
  for (const params& p : {made, empty}) all_policies.push_back(p);
  tally all;
  for (const encoding from : {encoding::detect, encoding::guess, encoding::utf16, encoding::utf32})
    for (const encoding fallback : some_encodings())
      for (params p : all_policies) {
        if (from == encoding::utf16 && fallback != encoding::utf8) continue;
        if (from == encoding::utf32 && fallback != encoding::utf8) continue;
        p.fallback = fallback;
        if (code_unit_size(fallback) == 1) p.legacy = fallback;
        for (const bom mark : {bom::automatic, bom::add, bom::require, bom::keep}) {
          if (transcoder::why_not_decoding(from, mark, fallback) != nullptr || p.on_error == on_error::keep) continue;
          p.bom = mark;
          for (const std::string& begin : begins)
            for (const std::string& tail : tails) {
              if (!brief::takes_next()) continue;
              const std::string bytes = begin + tail;
              const streamed wanted = by_stream(bytes, from, p);
              const std::uint64_t most =
                  bytes.size() < 2 ? 1 : std::uint64_t{1} << (std::min<std::size_t>(bytes.size(), 6) - 1);
              for (std::uint64_t cuts = 0; cuts < most; ++cuts)
                if (all.failed(reads_as(wanted, bytes, from, p, cuts | bytewise << 5)))
                  BOOST_ERROR(described(bytes, {from, p}, to_string(fallback) + ", cuts " + std::to_string(cuts)));
            }
        }
      }
  all.summary();
}

BOOST_AUTO_TEST_CASE(before_the_first_line_it_stands_at_the_start) {
  std::stringbuf source("\xEF\xBB\xBFone\n");
  line_reader lines(source);
  BOOST_TEST((lines.text().empty() && lines.ending().empty()));
  BOOST_TEST(lines.number() == 1u);
  BOOST_TEST((lines.bytes() == byte_range{0, 0}));
  BOOST_TEST(lines.offset_of(0) == 0u);
  BOOST_TEST(lines.errors() == 0u);
  BOOST_TEST((lines.after() == checkpoint()));
  BOOST_TEST(lines.report().bytes_in == 0u);
}

BOOST_AUTO_TEST_CASE(a_start_inside_a_line_stays_the_beginning_of_that_line) {
  params p;
  p.start = checkpoint{{14, 2, 4, 8}, encoding::utf16le, true, 6, 1};
  const std::string text = texts::utf16le(U"xyz\nlast");
  std::stringbuf source(text);
  line_reader lines(source, p);
  BOOST_TEST((lines.after() == *p.start));
  BOOST_TEST((lines.next() && lines.text() == "xyz" && lines.number() == 2 && lines.errors() == 0));
  BOOST_TEST((lines.bytes() == byte_range{14, 22}));
  BOOST_TEST((lines.after() == checkpoint{{22, 3, 1, 22}, encoding::utf16le, true, 10, 1}));
  BOOST_TEST((lines.next() && lines.after() == checkpoint{{30, 3, 5, 22}, encoding::utf16le, true, 14, 1}));

  std::stringbuf again(text);
  line_reader limited(again, p, 2);
  BOOST_CHECK_THROW(limited.next(), std::length_error);
  BOOST_TEST((limited.after() == *p.start));
}

BOOST_AUTO_TEST_CASE(a_reader_can_be_moved) {
  std::stringbuf source("one\n\xE2\x82\xACtwo\xFF!\nthree\n");
  line_reader first(source, on_error::replace);
  BOOST_TEST(first.next());
  line_reader second = std::move(first);
  BOOST_TEST(second.text() == "one");
  BOOST_TEST((second.next() && second.offset_of(9) == 11));
  std::stringbuf other("other");
  line_reader third(other);
  third = std::move(second);
  BOOST_TEST(third.text() == "\xE2\x82\xACtwo\xEF\xBF\xBD!");
  BOOST_TEST(third.errors() == 1u);
  BOOST_TEST((third.next() && third.text() == "three" && third.number() == 3));
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused) {
  std::stringbuf source("text");
  params p;
  p.start = checkpoint{{4, 1, 5, 0}, encoding::utf8, false, 4, 0};
  BOOST_CHECK_EXCEPTION(line_reader(source, encoding::utf16le, p), std::invalid_argument, [](const std::exception& e) {
    return std::string(e.what()) == "utfilter: reading UTF-16LE: the checkpoint is in a text of another encoding";
  });
  BOOST_CHECK_THROW(line_reader(source, encoding::latin1, on_error::keep), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_offset_beyond_the_line_is_out_of_range) {
  std::stringbuf source("ab\r\nc");
  line_reader lines(source);
  BOOST_TEST((lines.next() && lines.offset_of(2) == 2));
  BOOST_CHECK_EXCEPTION(lines.offset_of(3), std::out_of_range, [](const std::exception& e) {
    return e.what() == "utfilter: offset_of(3) in a line of 2 bytes"s;
  });
}

}  // namespace
