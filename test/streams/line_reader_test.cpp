// line_reader_test.cpp: the lines of a text, and where they and their characters stand, are those that a slow reference
// computes from the whole text: for every string of some boundary bytes or code units, in every encoding, under every
// policy, in every cut of the source. Then limits, failures and conversations.
// build: portable optimised exhaustive cost:30
#define BOOST_TEST_MODULE line_reader
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance_vocabulary.hpp"
#include "support/exhaustive.hpp"
#include "support/lines_reference.hpp"
#include "support/single_byte_tables.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/line_reader.hpp>
#include <utfilter/stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <limits>
#include <optional>
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

//------------------------------------------------------------------------------------------- comparing with the reference

bool same(const checkpoint& got, const place& wanted) {
  return got.offset == wanted.offset && got.line == wanted.line && got.column == wanted.column &&
         got.line_offset == wanted.line_offset && got.bytes_out == wanted.bytes_out && got.errors == wanted.errors;
}

bool same(const line_reader& got, const line& wanted) {
  if (got.text() != wanted.text || got.ending() != wanted.ending) return false;
  if (got.number() != wanted.before.line || got.errors() != wanted.errors) return false;
  if (got.bytes() != byte_range{wanted.before.offset, wanted.after.offset}) return false;
  if (!same(got.after(), wanted.after)) return false;
  for (std::size_t n = 0; n <= wanted.text.size(); ++n)
    if (got.offset_of(n) != wanted.offsets[n]) return false;
  return true;
}

bool throws_out_of_range(const line_reader& lines) {
  try {
    lines.offset_of(lines.text().size() + 1);
    return false;
  } catch (const std::out_of_range&) {
    return true;
  }
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

/// Boundary bytes or code units of an encoding: line feed, carriage return, characters of every size, signatures, and
/// errors.
std::vector<std::string> boundary_units(encoding e) {
  std::vector<std::string> units;
  // Code units in big-endian order; turned around for little-endian encodings.
  const auto wide = [&](std::size_t size, bool big, std::initializer_list<std::uint32_t> list) {
    for (const std::uint32_t unit : list) {
      std::string text;
      for (std::size_t i = size; i-- != 0;) text += static_cast<char>(unit >> 8 * i & 0xFF);
      if (!big) std::reverse(text.begin(), text.end());
      units.push_back(text);
    }
    units.push_back("\n");  // part of a code unit
  };
  switch (e) {
    case encoding::detect:
      return {"\n", "\r", "A", "\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF", "\0"s, "\0\n"s, "\xFF", "\xEF\xBB"};
    case encoding::utf16:
    case encoding::utf16be: wide(2, true, {0x000A, 0x000D, 0x0041, 0x20AC, 0xD83D, 0xDE00, 0xFEFF, 0xFFFE}); break;
    case encoding::utf16le: wide(2, false, {0x000A, 0x000D, 0x0041, 0x20AC, 0xD83D, 0xDE00, 0xFEFF, 0x0A0A}); break;
    case encoding::utf32:
    case encoding::utf32be: wide(4, true, {0x0A, 0x0D, 0x20AC, 0xD800, 0xFEFF, 0x10FFFF, 0x110000, 0xFFFE0000}); break;
    case encoding::utf32le: wide(4, false, {0x0A, 0x0D, 0x20AC, 0xD800, 0xFEFF, 0x10FFFF, 0x0A0A0A0A}); break;
    case encoding::cesu8:
      return {"\n", "\r", "A", "\x80", "\xC3", "\xE2\x82", "\xAC", "\xED\xA0\xBD", "\xED\xB8\x80", "\xF0"};
    case encoding::latin1:
    case encoding::windows1252: return {"\n", "\r", "A", "\x80", "\xE9"};
    default: return {"\n", "\r", "A", "\x80", "\xC3", "\xE2\x82", "\xAC", "\xF0\x9F\x98", "\xEF\xBB\xBF", "\xFF"};
  }
  return units;
}

template <class Visit>
void for_each_string(const std::vector<std::string>& units, std::size_t most, const Visit& visit,
                     const std::string& text = {}) {
  visit(text);
  if (most == 0) return;
  for (const std::string& unit : units) for_each_string(units, most - 1, visit, text + unit);
}

/// Every policy, with replacements that look like the ends of lines, and with limits.
std::vector<params> policies() {
  std::vector<params> all;
  const auto add = [&](on_error policy, const char* replacement = "\xEF\xBF\xBD", std::uint64_t limit = no_limit) {
    params p;
    p.on_error = policy;
    p.replacement = replacement;
    p.error_limit = limit;
    all.push_back(p);
  };
  for (const on_error policy : {on_error::strict, on_error::stop, on_error::replace, on_error::skip, on_error::escape,
                                on_error::keep, on_error::windows1252})
    add(policy);
  for (const char* replacement : {"\n", "\r", "a\r\nb", "\xE2\x82\xAC\n"}) add(on_error::replace, replacement);
  add(on_error::replace, "?", 1);
  add(on_error::skip, "", 1);
  return all;
}

constexpr bom marks[] = {bom::automatic, bom::keep, bom::strip, bom::add, bom::require, bom::reject};

/// Calls visit for each setting with an encoding that the reference knows.
template <class Visit>
void for_each_setting(const Visit& visit) {
  std::vector<encoding> froms(encodings().begin(), encodings().end());
  froms.push_back(encoding::detect);
  for (const encoding from : froms) {
    if (from == encoding::koi8r) continue;  // its table is tested below
    for (const bom mark : marks) {
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
    for_each_string(boundary_units(s.from), most, [&](const std::string& text) {
      if (turn++ % nth != 0) return;
      check_cuts(text, s, longest, cuts);
      if (turn % 3 == 0) check_places(text, s, places);
    });
  });
  cuts.summary("cuts");
  places.summary("places");
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_of_short_strings_are_those_of_the_reference_in_every_cut) {
  check_strings(3, brief::nth, 6);
}

BOOST_AUTO_TEST_CASE(lines_of_strings_of_four_units_are_those_of_the_reference) {
  check_strings(4, 37 * brief::nth, 5);
}

BOOST_AUTO_TEST_CASE(lines_of_every_string_of_four_units_are_those_of_the_reference, *exhaustive()) {
  check_strings(4, 1, 6);
}
