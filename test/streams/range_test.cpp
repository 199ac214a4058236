// range_test.cpp: a file that is read in ranges, cut anywhere, gives the text, the errors and the report that it gives
// as a whole. An oracle decides which bytes belong to a range.
// build: portable posix optimised cost:20
#define BOOST_TEST_MODULE range
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/encoding_rows.hpp"
#include "support/files.hpp"
#include "support/policies.hpp"
#include "support/same_report.hpp"
#include "support/some_encodings.hpp"
#include "support/tally.hpp"

#include <utfilter/byte_range.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/range_source.hpp>
#include <utfilter/range_streambuf.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/utf16_to_utf8.hpp>
#include <utfilter/utf8_validator.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace io = boost::iostreams;
namespace fs = std::filesystem;
using namespace std::string_literals;
using namespace utfilter;

namespace {

constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

//---------------------------------------------------------------------------------------------------------- the oracle

/// Which bytes belong to a range, from the definition: a line begins at offset 0 and after each line feed; the lines of
/// a range are those that begin in it. This namespace uses nothing of the library.
namespace oracle {

struct code_unit {
  std::size_t size;
  bool big_endian;
};

bool is_line_feed(std::string_view unit, bool big_endian) {
  const std::size_t place = big_endian ? unit.size() - 1 : 0;
  for (std::size_t i = 0; i < unit.size(); ++i)
    if (unit[i] != (i == place ? '\x0A' : '\0')) return false;
  return true;
}

std::vector<std::size_t> line_starts(std::string_view text, code_unit u) {
  std::vector<std::size_t> starts = {0};
  for (std::size_t at = 0; at + u.size <= text.size(); at += u.size)
    if (is_line_feed(text.substr(at, u.size), u.big_endian)) starts.push_back(at + u.size);
  return starts;
}

/// The bytes of the lines that begin in the range, and the place of the first one.
struct lines {
  std::string bytes;
  std::optional<std::size_t> first = {};
};
lines lines_of(std::string_view text, const std::vector<std::size_t>& starts, std::uint64_t begin, std::uint64_t end) {
  lines result;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] < begin || starts[i] >= end) continue;
    const std::size_t next = i + 1 < starts.size() ? starts[i + 1] : text.size();
    if (!result.first) result.first = starts[i];
    result.bytes += text.substr(starts[i], next - starts[i]);
  }
  return result;
}

}  // namespace oracle

/// The code unit of a text that is declared as `from`.
oracle::code_unit unit_of(encoding from, std::string_view text) {
  const auto begins_with = [&](std::string_view mark) { return text.substr(0, mark.size()) == mark; };
  switch (from) {
    case encoding::utf16le: return {2, false};
    case encoding::utf16be: return {2, true};
    case encoding::utf32le: return {4, false};
    case encoding::utf32be: return {4, true};
    case encoding::utf16: return {2, !begins_with("\xFF\xFE")};
    case encoding::utf32: return {4, !begins_with("\xFF\xFE\0\0"s)};
    case encoding::detect:
      if (begins_with("\xFF\xFE\0\0"s)) return {4, false};
      if (begins_with("\0\0\xFE\xFF"s)) return {4, true};
      if (begins_with("\xFF\xFE")) return {2, false};
      if (begins_with("\xFE\xFF")) return {2, true};
      return {1, false};
    default: return {1, false};
  }
}

//------------------------------------------------------------------------------------------------- reading in two ways

/// What a reader makes of a text.
struct reading {
  std::string text;
  std::vector<error_info> errors;  // as the observer has seen them
  stream_report report;
};

bool same_but_line(error_info a, const error_info& b) {
  a.line = b.line;
  return same_error(a, b);
}

/// Reads until the end or an exception: single bytes, or with `piece` at most so many bytes of those at hand.
std::string all_of(std::streambuf& from, std::size_t piece = 0) {
  using traits = std::char_traits<char>;
  std::string text;
  std::vector<char> some(piece);
  try {
    while (!traits::eq_int_type(from.sgetc(), traits::eof())) {
      if (piece == 0) {
        text += traits::to_char_type(from.sbumpc());
      } else {
        const std::streamsize got =
            from.sgetn(some.data(), std::min(static_cast<std::streamsize>(piece), from.in_avail()));
        text.append(some.data(), static_cast<std::size_t>(got));
      }
    }
  } catch (const std::exception&) {
  }
  return text;
}

/// Reads by pieces of this size, whether they are at hand or not. If a piece is not full, reads no more.
std::string pieces_of(std::streambuf& from, std::size_t piece) {
  std::string text;
  std::size_t got = piece;
  while (got == piece) {
    text.resize(text.size() + piece);
    got = static_cast<std::size_t>(from.sgetn(text.data() + text.size() - piece, static_cast<std::streamsize>(piece)));
    text.resize(text.size() - piece + got);
  }
  return text;
}

reading read_whole(const fs::path& file, encoding from, params p) {
  reading result;
  p.observer = [&](const error_info& error) { result.errors.push_back(error); };
  std::filebuf bytes;
  bytes.open(file, std::ios::in | std::ios::binary);
  codec_istreambuf text(bytes, from, p);
  result.text = all_of(text);
  result.report = text.report();
  return result;
}

reading read_range(const fs::path& file, byte_range range, encoding from, params p, bool by_chain,
                   std::size_t piece = 0) {
  reading result;
  p.observer = [&](const error_info& error) { result.errors.push_back(error); };
  if (by_chain) {
    const range_source source(file, range, from, p);
    const to_utf8 filter(source.params());
    io::filtering_istreambuf text;
    text.push(filter);
    text.push(source);
    result.text = all_of(text, piece);
    result.report = filter.report();
  } else {
    range_streambuf source(file, range, from, p);
    codec_istreambuf text(source, encoding::detect, source.params());
    result.text = all_of(text, piece);
    result.report = text.report();
  }
  return result;
}

/// Whether the text of a file ended in this range, at an error.
bool ends(const reading& range, const params& p) {
  return range.report.failure || (p.on_error == on_error::stop && range.report.errors != 0);
}

/// Joins the readings of neighbouring ranges, as a user does: the text up to the range with the error that ends it, and
/// the merged reports of all ranges.
struct joined {
  std::string text = {};
  std::vector<error_info> errors = {};
  stream_report report = {};
  bool ended = false;

  void add(const reading& range, const params& p) {
    if (!ended) {
      text += range.text;
      errors.insert(errors.end(), range.errors.begin(), range.errors.end());
    }
    report = merge(report, range.report);
    ended = ended || ends(range, p);
  }

  bool is(const reading& whole) const {
    return text == whole.text && same_report(report, whole.report) &&
           std::equal(errors.begin(), errors.end(), whole.errors.begin(), whole.errors.end(), same_but_line);
  }
};

//---------------------------------------------------------------------------------------------------------- short texts

std::string described(std::string_view text, encoding from, const params& p) {
  return to_string(from) + ", on_error " + std::to_string(static_cast<int>(p.on_error)) + ", bom " +
         std::to_string(static_cast<int>(p.bom)) + ", " + hexadecimal(text);
}

/// All ranges of a short text, and all partitions of it.
class short_text {
 public:
  short_text(const fs::path& file, const std::string& text, encoding from, const params& p, bool by_chain, tally& all)
      : file_(file), text_(text), from_(from), p_(p), all_(all) {
    files::write(file, text);
    whole_ = read_whole(file, from, p);
    const std::vector<std::size_t> starts = oracle::line_starts(text, unit_of(from, text));
    for (std::uint64_t begin = 0; begin <= text.size() + 1; ++begin)
      for (std::uint64_t end = begin; end <= text.size() + 3; ++end) {
        const byte_range range{begin, end == text.size() + 3 ? no_end : end};
        check_bytes(range, oracle::lines_of(text, starts, range.begin, range.end));
        ranges_.push_back({range, read_range(file, range, from, p, by_chain != (end % 2 == 0))});
      }
    join(0, {});
  }

 private:
  void check_bytes(byte_range range, const oracle::lines& expected) {
    range_streambuf source(file_, range, from_, p_);
    const checkpoint start = source.start();
    const bool has_line = expected.first && (*expected.first != text_.size() || range.begin == 0);
    const checkpoint decoded = source.params().start.value_or(checkpoint());
    const bool right = pieces_of(source, 3) == expected.bytes &&
                       (has_line ? start.offset == *expected.first : is_of_range(start, range)) &&
                       start.encoding == whole_.report.encoding && why_no_checkpoint(start) == nullptr &&
                       start.bom == (whole_.report.bom && start.offset != 0) && start.line == 1 && start.column == 1 &&
                       start.line_offset == start.offset && start.bytes_out == 0 && start.errors == 0 &&
                       decoded == start && source.params().declared == from_;
    if (all_.failed(right))
      BOOST_ERROR(described(text_, from_, p_)
                  << "range " << range.begin << '-' << range.end << " starts at " << to_string(start));
  }

  /// Whether the place is that of a range without lines: its start, but not beyond the file nor inside a byte order
  /// mark.
  bool is_of_range(const checkpoint& place, byte_range range) const {
    const std::uint64_t begin = std::min<std::uint64_t>(range.begin, text_.size());
    return place.offset == begin || (place.bom && begin != 0 && place.offset > begin && place.offset <= 4);
  }

  const reading& of(std::uint64_t begin, std::uint64_t end) const {
    return std::find_if(ranges_.begin(), ranges_.end(),
                        [&](const auto& r) {
                          return r.first == byte_range{begin, end};
                        })
        ->second;
  }

  /// Joins `before`, which are the ranges up to `begin`, with each further partition. Puts in empty ranges, too.
  void join(std::uint64_t begin, joined before) {
    // The text of an empty file is in each range that begins at 0, so that one must be alone.
    if ((begin + turn_++) % 3 == 0 && !text_.empty()) before.add(of(begin, begin), p_);
    for (std::uint64_t end = begin + 1; end <= text_.size(); ++end) {
      joined next = before;
      next.add(of(begin, end), p_);
      if (end == text_.size()) check(next);
      join(end, std::move(next));
    }
    if (begin < text_.size() && turn_ % 8 != 0) return;
    for (const std::uint64_t end : {static_cast<std::uint64_t>(text_.size() + 1), no_end}) {
      joined next = before;
      next.add(of(begin, end), p_);
      check(next);
    }
  }

  void check(const joined& ranges) {
    if (all_.failed(ranges.is(whole_)))
      BOOST_ERROR(described(text_, from_, p_) << '\n'
                                              << hexadecimal(ranges.text) << in_words(ranges.report) << "\ninstead of\n"
                                              << hexadecimal(whole_.text) << in_words(whole_.report));
  }

  const fs::path& file_;
  const std::string& text_;
  encoding from_;
  const params& p_;
  tally& all_;
  reading whole_;
  std::vector<std::pair<byte_range, reading>> ranges_;
  std::uint64_t turn_ = 0;
};

/// Bytes and code units at which a cut may go wrong. (In UTF-16 and UTF-32 the first two are parts of a code unit.)
std::vector<std::string> boundary_units(encoding e) {
  using encoding_rows::operator+;
  return std::vector<std::string>{"\n", "A"} + encoding_rows::of(e).in_ranges;
}

bool makes_sense(encoding from, bom mark, on_error policy) {
  return transcoder::why_not_decoding(from, mark, encoding::utf8) == nullptr &&
         (policy != on_error::keep || from == encoding::utf8);
}

BOOST_AUTO_TEST_CASE(every_partition_of_every_string_of_three_units_gives_the_whole_text) {
  const files::directory place;
  const fs::path file = place / "text";
  tally all;
  std::size_t turn = 0;
  for (const encoding from : some_encodings_with_places_and_detect()) {
    const std::vector<std::string> units = boundary_units(from);
    const std::size_t most = code_unit_size(from) == 4 ? 2 : 3;
    const std::function<void(const std::string&, std::size_t)> visit = [&](const std::string& text, std::size_t left) {
      if (brief::takes_next() && text.size() <= 10) {
        params p;
        do {
          ++turn;
          p.bom = every::mark[turn % std::size(every::mark)];
          p.on_error = every::policy[turn / 2 % std::size(every::policy)];
        } while (!makes_sense(from, p.bom, p.on_error));
        short_text(file, text, from, p, turn % 2 == 0, all);
      }
      if (left != 0)
        for (const std::string& unit : units) visit(text + unit, left - 1);
    };
    visit("", most);
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(every_partition_of_random_strings_of_ten_bytes_gives_the_whole_text_under_every_policy) {
  const files::directory place;
  const fs::path file = place / "text";
  std::mt19937 random(1);
  tally all;
  for (const encoding from : some_encodings_with_places_and_detect()) {
    const std::vector<std::string> units = boundary_units(from);
    for (const bom mark : every::mark)
      for (const on_error policy : every::policy) {
        if (!makes_sense(from, mark, policy)) continue;
        const params p{policy, mark};
        for (std::size_t n = 0; n < 12; n += brief::nth) {
          std::string text;
          while (text.size() < 9) text += units[random() % units.size()];
          text.resize(10 - random() % 2);
          short_text(file, text, from, p, n % 2 == 0, all);
        }
      }
  }
  all.summary();
}

//----------------------------------------------------------------------------------------------------------- long texts

/// A megabyte of short, long and empty lines, with errors.
std::string long_text(encoding from, std::mt19937& random) {
  const std::vector<std::string> units = boundary_units(from);
  const encoding to =
      from == encoding::utf16 || from == encoding::utf32 || from == encoding::detect ? encoding::utf16le : from;
  encoder plain(from == encoding::utf32 ? encoding::utf32be : to, on_error::skip);
  std::string line(1200, '\0');
  const std::string in = "a line of text, of \u20AC 12 and caf\u00E9, \U0001F600 ";
  line.resize(plain.convert(in.data(), in.size(), line.data(), line.size(), true).produced);
  std::string feed(4, '\0');
  plain.begin(encoder::direction::writing);
  feed.resize(plain.convert("\n", 1, feed.data(), feed.size(), true).produced);
  std::string text = from == encoding::detect ? "\xFF\xFE" : "";
  while (text.size() < 1'000'000) {
    const std::size_t kind = random() % 32;
    for (std::size_t n = kind == 0 ? random() % 4000 : kind < 8 ? 0 : random() % 9; n != 0; --n) text += line;
    if (kind > 24 && code_unit_size(from) != 1)
      text += units[2 + random() % (units.size() - 2)];  // whole code units
    else if (kind > 24 && from != encoding::detect)
      text += units[random() % units.size()];
    text += feed;
  }
  return text + "\n";  // in UTF-16 and UTF-32 an odd tail
}

BOOST_AUTO_TEST_CASE(random_partitions_of_a_megabyte_give_the_whole_text) {
  const files::directory place;
  const fs::path file = place / "text";
  std::mt19937 random(2);
  tally all;
  for (const encoding from : some_encodings_with_places_and_detect()) {
    const std::string text = long_text(from, random);
    files::write(file, text);
    const std::vector<std::size_t> starts = oracle::line_starts(text, unit_of(from, text));
    for (const on_error policy : {on_error::replace, on_error::escape, on_error::strict}) {
      const params p{policy};
      const reading whole = read_whole(file, from, p);
      for (std::size_t turn = 0; turn < 8; turn += brief::nth) {
        std::vector<std::uint64_t> cuts = {0, text.size() + random() % 3};
        for (std::size_t n = random() % 9; n != 0; --n) cuts.push_back(random() % text.size());
        std::sort(cuts.begin(), cuts.end());
        joined ranges;
        std::vector<stream_report> reports;
        for (std::size_t i = 1; i < cuts.size(); ++i) {
          const byte_range range{cuts[i - 1], cuts[i]};
          const std::size_t piece = 1 + random() % 100'000;
          const reading one = read_range(file, range, from, p, random() % 2 == 0, piece);
          ranges.add(one, p);
          reports.push_back(one.report);
          range_streambuf bytes(file, range, from);
          const bool right = pieces_of(bytes, piece) == oracle::lines_of(text, starts, range.begin, range.end).bytes;
          if (all.failed(right)) BOOST_ERROR(to_string(from) << ", range " << range.begin << '-' << range.end);
        }
        while (reports.size() > 1) {  // any two neighbours, until one report is left
          const auto first = reports.begin() + static_cast<std::ptrdiff_t>(random() % (reports.size() - 1));
          *first = merge(*first, *(first + 1));
          reports.erase(first + 1);
        }
        if (all.failed(same_report(reports.front(), whole.report)))
          BOOST_ERROR(to_string(from) << in_words(reports.front()));
        if (all.failed(ranges.is(whole)))
          BOOST_ERROR(to_string(from) << '\n' << in_words(ranges.report) << "\ninstead of\n" << in_words(whole.report));
      }
    }
  }
  all.summary();
}

/// A line that ends near a border of the buffer, in which each cut finds it.
BOOST_AUTO_TEST_CASE(a_line_feed_at_any_place_of_the_buffer_is_found) {
  const files::directory place;
  const fs::path file = place / "text";
  tally all;
  for (const encoding from : {encoding::utf8, encoding::utf16le, encoding::utf16be, encoding::utf32be}) {
    const oracle::code_unit u = unit_of(from, "");
    std::string feed(u.size, '\0');
    feed[u.big_endian ? u.size - 1 : 0] = '\n';
    for (const std::size_t end : {65536u, 131072u})
      for (int shift = -12; shift <= 12; shift += static_cast<int>(u.size)) {
        const auto at = static_cast<std::size_t>(static_cast<int>(end) + shift);
        std::string text(at, '\1');
        text += feed + std::string(70'000 / u.size * u.size, '\2') + feed + std::string(u.size, '\3');
        files::write(file, text);
        const std::vector<std::size_t> starts = oracle::line_starts(text, u);
        BOOST_REQUIRE(starts.size() == 3u);
        const std::uint64_t here = at, after = at + u.size;
        for (const std::uint64_t begin : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{u.size}, here - 9, here - 1,
                                          here, after - 1, after, after + 1})
          for (const std::uint64_t stop : {here - 9, after - 1, after, after + 1, here + 65'000, no_end}) {
            if (begin > stop) continue;
            range_streambuf bytes(file, {begin, stop}, from);
            const bool right = all_of(bytes, 1000) == oracle::lines_of(text, starts, begin, stop).bytes;
            if (all.failed(right))
              BOOST_ERROR(to_string(from) << ", line feed at " << at << ", range " << begin << '-' << stop);
          }
      }
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(offsets_have_64_bits) {
  const files::directory place;
  const fs::path file = place / "sparse";
  constexpr std::uint64_t far = (std::uint64_t{1} << 32) + 1000;
  for (const encoding from : {encoding::utf8, encoding::utf16be}) {
    const bool wide = from == encoding::utf16be;
    const std::string lines = wide ? "\0\n\0A\xDC\0\0\n\0B\0\n\0C"s : "\nA\xFF\nB\nC"s;
    const std::uint64_t unit = wide ? 2 : 1;
    {
      files::write(file, "first\n");
      fs::resize_file(file, far);
      std::ofstream out(file, std::ios::binary | std::ios::in);
      out.seekp(static_cast<std::streamoff>(far));
      out << lines;
    }
    const auto read = [&](std::uint64_t begin, std::uint64_t end) {
      return read_range(file, {far + begin * unit, end == no_end ? no_end : far + end * unit}, from,
                        params{on_error::replace}, true, 100);
    };
    const reading a = read(0, 2);  // A begins at 1
    BOOST_TEST(a.text == "A\uFFFD\n");
    BOOST_TEST(a.report.bytes_in == far + 4 * unit);
    BOOST_REQUIRE(a.report.first_error.has_value());
    BOOST_TEST(a.report.first_error->offset == far + 2 * unit);
    BOOST_TEST(a.report.first_error->line_offset == far + 1 * unit);
    BOOST_TEST(read(2, 4).text == "");
    BOOST_TEST(read(2, 5).text == "B\n");
    const reading rest = read(2, no_end);
    BOOST_TEST(rest.text == "B\nC");
    BOOST_TEST(rest.report.bytes_in == far + lines.size());
    BOOST_TEST((merge(a.report, rest.report).bytes_in == far + lines.size()));
  }
}

#ifdef __linux__

/// The bytes that this process has read by system calls.
std::uint64_t bytes_read() {
  std::ifstream in("/proc/self/io");
  std::string label;
  std::uint64_t n = 0;
  in >> label >> n;
  BOOST_REQUIRE(label == "rchar:");
  return n;
}

BOOST_AUTO_TEST_CASE(no_more_is_read_than_the_lines_and_a_buffer) {
  const files::directory place;
  const fs::path file = place / "sparse";
  files::write(file, "first\n");
  fs::resize_file(file, std::uint64_t{1} << 31);  // one more line, of NULs
  const auto costs = [&](byte_range range) {
    const std::uint64_t before = bytes_read();
    range_streambuf source(file, range);
    const std::string text = all_of(source, 4096);
    return std::pair(text.size(), bytes_read() - before);
  };
  constexpr std::uint64_t most = 5 * 65536;  // the head, the range, and a buffer
  const auto [first, of_first] = costs({0, 6});
  BOOST_TEST(first == 6u);
  BOOST_TEST(of_first < most);
  const auto [none, of_none] = costs({1'000'000'000, 1'000'065'536});
  BOOST_TEST(none == 0u);
  BOOST_TEST(of_none < most);
}

#endif

//------------------------------------------------------------------------------------------------ the declared encoding

/// The text of range 0-1, and of the rest, as the user of each class reads it.
std::string text_by_ranges(const std::string& bytes, encoding from, const params& p = {}) {
  const files::temporary_file file(bytes);
  joined all;
  for (const byte_range range : {byte_range{0, 1}, byte_range{1, no_end}})
    all.add(read_range(file.path(), range, from, p, true), p);
  BOOST_TEST(all.is(read_whole(file.path(), from, p)));
  return all.text;
}

BOOST_AUTO_TEST_CASE(the_declared_encoding_holds_for_the_first_range) {
  BOOST_TEST(text_by_ranges("\xFF\xFE\n\0A\0"s, encoding::utf16le) == "\uFEFF\nA");
  BOOST_TEST(text_by_ranges("\xFF\xFE\n\0A\0"s, encoding::utf16) == "\nA");
  BOOST_TEST(text_by_ranges("\xFF\xFE\n\0A\0"s, encoding::detect) == "\nA");
  BOOST_TEST(text_by_ranges("\xEF\xBB\xBF\n\0\n\0A"s, encoding::utf16) == "\uEFBB\uBF0A\nA");
  BOOST_TEST(text_by_ranges("\xFF\xFE\0\0\n\0A\0"s, encoding::utf16le) == "\uFEFF\0\nA"s);
  BOOST_TEST(text_by_ranges("\xEF\xBB\xBF\nA", encoding::latin1) == "\u00EF\u00BB\u00BF\nA");
  params p;
  p.fallback = encoding::windows1252;
  BOOST_TEST(text_by_ranges("\x80\n\x80", encoding::detect, p) == "\u20AC\n\u20AC");
  p.declared = encoding::koi8r;
  BOOST_TEST(text_by_ranges("\xC1\n\xC1", encoding::detect, p) == "\u0430\n\u0430");
  BOOST_TEST(text_by_ranges("\xC1\n\xC1", encoding::latin1, p) == "\u00C1\n\u00C1");
}

BOOST_AUTO_TEST_CASE(detect_stands_for_the_declared_encoding_in_every_reader) {
  params p;
  p.declared = encoding::utf16be;
  const std::string text = "\xFE\xFF\x20\xAC"s;
  const auto read = [&](encoding from) {
    decoder codec(from, p);
    char out[16];
    return std::string(out, codec.convert(text.data(), text.size(), out, sizeof out, true).produced);
  };
  BOOST_TEST(read(encoding::detect) == "\uFEFF\u20AC");
  BOOST_TEST(read(encoding::utf16) == "\u20AC");
  std::stringbuf source(text);
  utfilter::istream in(source, p);
  BOOST_TEST(files::rest(in) == "\uFEFF\u20AC");
  const files::temporary_file file(text);
  BOOST_TEST(read_file(file.path(), p) == "\uFEFF\u20AC");
}

BOOST_AUTO_TEST_CASE(the_filters_of_one_encoding_read_a_range) {
  const auto read = [](const auto& filter, const range_source& source) {
    io::filtering_istream in(filter | source);
    return files::rest(in);
  };
  const files::temporary_file utf8("\xEF\xBB\xBFone\ntwo \u20AC\nthree\n");
  const range_source a(utf8.path(), {4, 10}, encoding::utf8);
  BOOST_TEST(read(utf8_validator(a.params()), a) == "two \u20AC\n");
  const files::temporary_file utf16("\xFE\xFF\0A\0\n\x20\xAC\0\n"s);
  const range_source b(utf16.path(), {2, 7}, encoding::utf16);
  BOOST_TEST(read(utf16_to_utf8(encoding::utf16, b.params()), b) == "\u20AC\n");
}

BOOST_AUTO_TEST_CASE(a_source_returns_the_bytes_that_were_asked_for) {
  const files::temporary_file file("one\ntwo\nthree\n");
  range_source source(file.path(), {1, 5});
  range_source copy = source;
  char bytes[100] = {};
  BOOST_TEST(source.read(bytes, 0) == 0);
  BOOST_TEST(source.read(bytes, -1) == 0);
  BOOST_TEST(source.read(bytes, 1) == 1);
  BOOST_TEST(copy.read(bytes + 1, 2) == 2);
  BOOST_TEST(source.read(bytes + 3, 90) == 1);
  BOOST_TEST(bytes == "two\n"s);
  for (int again = 0; again < 2; ++again) {
    BOOST_TEST(source.read(bytes, 0) == 0);
    BOOST_TEST(source.read(bytes, 1) == -1);
    BOOST_TEST(copy.read(bytes, 90) == -1);
  }
  BOOST_TEST((copy.start() == source.start()));
}

BOOST_AUTO_TEST_CASE(a_source_that_was_moved_from_reads_on) {
  const files::temporary_file file("one\ntwo\nthree\n");
  range_source source(file.path(), {1, 5});
  range_source moved = std::move(source);
  char bytes[100] = {};
  // NOLINTBEGIN(bugprone-use-after-move): it is defined what happens
  BOOST_TEST(source.read(bytes, 2) == 2);
  BOOST_TEST(moved.read(bytes + 2, 90) == 2);
  BOOST_TEST(bytes == "two\n"s);
  BOOST_TEST((source.start() == moved.start()));
  BOOST_TEST(source.params().start.has_value());
  range_source other(file.path(), {0, 1});
  other = std::move(source);
  BOOST_TEST(source.read(bytes, 90) == -1);
  BOOST_TEST(other.read(bytes, 90) == -1);
  // NOLINTEND(bugprone-use-after-move)
}

//--------------------------------------------------------------------------------------------------------------- errors

/// Checks that the action throws the exception with this text in its message.
template <class Exception, class Action>
void throws(const Action& action, const std::string& text) {
  BOOST_CHECK_EXCEPTION(action(), Exception, [&](const std::exception& e) {
    BOOST_TEST_MESSAGE(e.what());
    return std::string(e.what()).find(text) != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(wrong_arguments_are_refused) {
  const files::temporary_file file("text\n");
  const auto open = [&](byte_range range, encoding from = encoding::detect, const params& p = {}) {
    range_streambuf source(file.path(), range, from, p);
  };
  throws<std::invalid_argument>([&] { open({9, 5}); }, "utfilter: the range 9-5 ends before it begins");
  throws<std::invalid_argument>([&] { range_source(file.path(), {9, 5}); }, "the range 9-5 ends before it begins");
  params p;
  p.start = checkpoint();
  throws<std::invalid_argument>([&] { open({0, 5}, encoding::detect, p); }, "params::start must be empty");
  p = {};
  p.bom = bom::strip;
  throws<std::invalid_argument>([&] { open({0, 5}, encoding::latin1, p); }, "utfilter: reading ISO-8859-1: ");
  p.declared = encoding::latin1;
  throws<std::invalid_argument>([&] { open({0, 5}, encoding::detect, p); }, "utfilter: reading ISO-8859-1: ");
  throws<std::invalid_argument>([] { split(10, 0); }, "utfilter::split: a text cannot be cut into 0 parts");
}

BOOST_AUTO_TEST_CASE(policies_are_one_argument) {
  const files::temporary_file file("a\xFF\n");
  BOOST_TEST((range_streambuf(file.path(), {0, 5}).params().on_error == on_error::strict));
  BOOST_TEST((range_streambuf(file.path(), {0, 5}, on_error::skip).params().on_error == on_error::skip));
  BOOST_TEST(
      (range_streambuf(file.path(), {0, 5}, encoding::utf8, on_error::skip).params().on_error == on_error::skip));
  BOOST_TEST((range_streambuf(file.path(), {0, 5}, log_params()).params().on_error == on_error::replace));
  BOOST_TEST((range_streambuf(file.path(), {0, 5}, encoding::utf8, {}).params().on_error == on_error::strict));
  BOOST_TEST((range_streambuf(file.path(), {0, 5}, {}).params().on_error == on_error::strict));
  BOOST_TEST((range_source(file.path(), {0, 5}).params().on_error == on_error::strict));
  BOOST_TEST((range_source(file.path(), {0, 5}, on_error::skip).params().on_error == on_error::skip));
  BOOST_TEST((range_source(file.path(), {0, 5}, encoding::utf8, on_error::skip).params().on_error == on_error::skip));
  BOOST_TEST((range_source(file.path(), {0, 5}, log_params()).start().offset == 0u));
  BOOST_TEST((range_source(file.path(), {0, 5}, encoding::utf8, {}).params().on_error == on_error::strict));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named_with_the_reason) {
  const files::directory place;
  const auto refused = [&](const std::string& name, const std::string& why) {
    throws<std::ios_base::failure>([&] { range_streambuf(name, {0, 5}); }, name + ": " + why);
    throws<std::ios_base::failure>([&] { range_source(name, {3, 5}); }, name + ": " + why);
  };
  refused(place / "missing", "No such file or directory");
  refused(place.path().string(), "a directory has no ranges: Is a directory");
  const std::string pipe = place / "pipe";
  BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  refused(pipe, "only a regular file has ranges: Illegal seek");
#ifdef __linux__
  refused("/proc/self/status", "its size cannot be read: Illegal seek");
#endif
}

BOOST_AUTO_TEST_CASE(a_text_with_states_has_no_ranges) {
  const files::temporary_file file("A\n\x1B$B$\"\x1B(B\n");
  const std::string why = file.path().string() +
                          ": its lines cannot be found, because in ISO-2022-JP escape sequences decide " +
                          "about the bytes after them";
  for (const byte_range range : {byte_range{0, 2}, byte_range{2, no_end}}) {
    throws<std::ios_base::failure>([&] { range_streambuf(file.path(), range, encoding::iso_2022_jp); }, why);
    throws<std::ios_base::failure>([&] { range_source(file.path(), range, encoding::iso_2022_jp); }, why);
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_becomes_shorter_fails_the_range_that_misses_bytes) {
  const files::directory place;
  const std::string name = place / "text";
  const std::string line(99'999, 'x');
  const auto fresh = [&] { files::write(name, line + '\n' + line + '\n' + line + '\n'); };

  for (const std::size_t piece : {std::size_t{0}, std::size_t{1000}, std::size_t{300'000}}) {
    fresh();
    range_streambuf misses(name, {99'000, 150'000});
    fs::resize_file(name, 180'000);
    // The reader may have the bytes of one buffer already.
    const std::string got = piece == 0 ? all_of(misses) : pieces_of(misses, piece - piece % 7);
    BOOST_TEST(got == std::string(80'000, 'x'));
    const std::string message = name +
                                ": the range 99000-150000 lacks byte 180000: the file has become shorter, it had "
                                "300000 bytes when it was opened";
    for (int again = 0; again < 2; ++again) throws<std::ios_base::failure>([&] { misses.sgetc(); }, message);
    char byte = 0;
    throws<std::ios_base::failure>([&] { misses.sgetn(&byte, 1); }, message);
    fs::resize_file(name, 300'000);  // these are not the bytes that were there
    throws<std::ios_base::failure>([&] { misses.sgetc(); }, message);
  }

  fresh();
  range_streambuf has_all(name, {0, 150'000});
  range_streambuf open(name, {150'000, no_end});
  fs::resize_file(name, 200'000);
  BOOST_TEST(all_of(has_all, 1000) == line + '\n' + line + '\n');
  BOOST_TEST(all_of(open, 1000).find_first_not_of('x') == std::string::npos);
  throws<std::ios_base::failure>([&] { open.sgetc(); }, "the range 150000- lacks byte 2");

  fresh();
  const range_source source(name, {0, 300'000}, on_error::replace);
  const to_utf8 filter(source.params());
  io::filtering_istreambuf text;
  text.push(filter);
  text.push(source);
  fs::resize_file(name, 150'000);
  BOOST_TEST(all_of(text, 1000) == line + '\n' + std::string(50'000, 'x'));
  BOOST_TEST(message_of(filter.report().failure).find("the range 0-300000 lacks byte 150000") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_appended_later_are_not_read) {
  const files::temporary_file file("one\ntwo");
  range_streambuf all(file.path(), {0, no_end});
  range_streambuf last(file.path(), {4, 5});
  std::ofstream(file.path(), std::ios::binary | std::ios::app) << " three\n";
  BOOST_TEST(all_of(all) == "one\ntwo");
  BOOST_TEST(all_of(last) == "two");

  const std::string text(100'000, 'x');
  const files::temporary_file big(text);
  range_streambuf lines(big.path(), {0, no_end});
  std::ofstream(big.path(), std::ios::binary | std::ios::app) << text;
  BOOST_TEST((all_of(lines, 1000) == text));
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_an_empty_text_in_each_range_from_its_start) {
  const files::temporary_file file("");
  params p{on_error::strict, bom::add};
  const auto text = [&](byte_range range) { return read_range(file.path(), range, encoding::detect, p, true).text; };
  BOOST_TEST(text({0, 0}) == "\uFEFF");
  BOOST_TEST(text({0, 1}) == "\uFEFF");
  BOOST_TEST(text({0, no_end}) == "\uFEFF");
  BOOST_TEST(text({5, 10}) == "");
  p.bom = bom::require;
  BOOST_TEST(read_range(file.path(), {0, 0}, encoding::detect, p, true).report.errors == 1u);
  BOOST_TEST(read_range(file.path(), {0, 1}, encoding::detect, p, true).report.errors == 1u);
  BOOST_TEST(read_range(file.path(), {1, 2}, encoding::detect, p, true).report.errors == 0u);
  const files::temporary_file one("a");
  BOOST_TEST(read_range(one.path(), {0, 0}, encoding::detect, p, true).report.errors == 0u);
}

// The ranges of split() say about an empty file what one reader says.
BOOST_AUTO_TEST_CASE(one_range_of_an_empty_file_has_its_text) {
  const files::temporary_file file("");
  for (const bom mark : {bom::require, bom::add})
    for (const std::size_t parts : {1u, 2u, 5u}) {
      const params p{on_error::replace, mark};
      ifstream whole(file.path(), p);
      const std::string text = files::rest(whole);
      std::string joined;
      stream_report all;
      for (const byte_range& range : split(0, parts)) {
        range_streambuf lines(file.path(), range, p);
        istream in(lines, lines.params());
        joined += files::rest(in);
        all = merge(all, in.report());
      }
      BOOST_TEST(joined == text);
      BOOST_TEST(same_report(all, whole.report()));
    }
}

//------------------------------------------------------------------------------------------------------ split and merge

BOOST_AUTO_TEST_CASE(split_covers_all_bytes_with_ranges_of_almost_equal_size) {
  tally all;
  const auto check = [&](std::uint64_t size, std::size_t parts) {
    const std::vector<byte_range> ranges = split(size, parts);
    bool right =
        ranges.size() == parts && ranges.front().begin == 0 && ranges.back().end == std::max<std::uint64_t>(size, 1);
    std::uint64_t least = no_end, most = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      right = right && ranges[i].begin <= ranges[i].end && (i == 0 || ranges[i - 1].end == ranges[i].begin);
      least = std::min(least, ranges[i].end - ranges[i].begin);
      most = std::max(most, ranges[i].end - ranges[i].begin);
      right = right && (i == 0 || ranges[i - 1].begin != ranges[i - 1].end || ranges[i].begin == ranges[i].end);
    }
    if (all.failed(right && most - least <= 1)) BOOST_ERROR(size << " bytes in " << parts << " parts");
  };
  for (std::uint64_t size = 0; size <= 40; ++size)
    for (std::size_t parts = 1; parts <= 45; ++parts) check(size, parts);
  for (const std::uint64_t size : {(std::uint64_t{1} << 40) + 7, no_end, no_end - 1})
    for (const std::size_t parts : {1u, 2u, 3u, 7u, 1000u}) check(size, parts);
  all.summary();
}

std::string_view knows_cyrillic(std::string_view) noexcept { return "windows-1251"; }

// Each reason for an encoding: it is named, or there is a byte order mark, or it is assumed, or guessed.
BOOST_AUTO_TEST_CASE(the_merged_report_says_why_the_text_was_read_in_its_encoding) {
  struct row {
    encoding from;
    encoding fallback;
    std::string text;
    evidence why;
    charset_guesser guesser = nullptr;
  };
  const std::string dirt = "\x81\xFE\n", latin = "caf\xE9\nun d\xE9jeuner \xE0 l'h\xF4tel\n" + dirt;
  const std::string utf8 = "na\u00EFve caf\u00E9\n\u00FCber alles\n" + dirt + "\u20AC 5\n";
  const std::string wide = "n\0o\0 \0m\0a\0r\0k\0\n\0h\0e\0r\0e\0\n\0\0\xDC\n\0e\0n\0d\0"s;
  const std::string clean = "a\0 \0t\0e\0x\0t\0\n\0o\0f\0 \0l\0i\0n\0e\0s\0\n\0"s;
  const std::string cyrillic = "\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!\n\xCA\xE0\xEA \xE4\xE5\xEB\xE0?\n";
  const std::string xml = "<?xml version=\"1.0\" encoding=\"koi8-r\"?>\n<a>\xF0\xD2\xC9\xD7\xC5\xD4</a>\n";
  const std::string wrong = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a>caf\xE9</a>\n\xE0 l'h\xF4tel\n";
  const row rows[] = {
      {encoding::utf8, encoding::utf8, utf8, evidence::named},
      {encoding::latin1, encoding::utf8, latin, evidence::named},
      {encoding::utf16, encoding::utf8, "\xFF\xFE" + wide, evidence::bom},
      {encoding::utf16, encoding::utf8, wide, evidence::named},
      {encoding::detect, encoding::utf8, utf8, evidence::named},
      {encoding::detect, encoding::latin1, latin, evidence::assumption},
      {encoding::detect, encoding::ascii, "\xEF\xBB" + latin, evidence::assumption},  // no byte order mark, but almost
      {encoding::detect, encoding::utf16le, wide, evidence::assumption},
      {encoding::detect, encoding::latin1, "\uFEFF" + utf8, evidence::bom},
      {encoding::detect, encoding::utf16le, "\xFF\xFE" + wide, evidence::bom},
      {encoding::detect, encoding::latin1, "", evidence::assumption},
      {encoding::guess, encoding::utf8, latin, evidence::statistics},
      {encoding::guess, encoding::utf8, "\xA9 2020\n" + dirt, evidence::assumption},
      {encoding::guess, encoding::utf8, "\xFF\xFE" + wide, evidence::bom},
      {encoding::guess, encoding::utf8, utf8 + utf8 + utf8, evidence::structure},
      {encoding::guess, encoding::utf8, clean + clean + clean, evidence::structure},
      {encoding::guess, encoding::latin1, "plain\ntext\n", evidence::structure},
      {encoding::guess, encoding::windows1251, cyrillic, evidence::statistics, knows_cyrillic},
      {encoding::guess, encoding::koi8r, xml, evidence::declaration},
      {encoding::guess, encoding::windows1252, wrong, evidence::statistics},
  };
  const files::directory place;
  const fs::path file = place / "text";
  std::mt19937 random(25);
  tally all;
  for (const row& r : rows) {
    files::write(file, r.text);
    for (const on_error policy : every::policy)
      for (const bom mark : {bom::automatic, bom::keep, bom::add, bom::require}) {
        if (!makes_sense(r.from, mark, policy)) continue;
        params p{policy, mark};
        p.fallback = r.fallback;
        p.guess_legacy = r.guesser;
        const reading whole = read_whole(file, r.from, p);
        if (mark == bom::automatic && policy == on_error::replace)
          BOOST_TEST((whole.report.decided_by == r.why), r.text);
        for (int turn = 0; turn != 6; ++turn) {
          std::vector<std::uint64_t> cuts = {0, r.text.size() + (r.text.empty() ? 1 : 0)};
          if (!r.text.empty())
            for (std::size_t n = random() % 6; n != 0; --n) cuts.push_back(random() % r.text.size());
          std::sort(cuts.begin(), cuts.end());
          joined ranges;
          for (std::size_t i = 1; i < cuts.size(); ++i)
            ranges.add(read_range(file, {cuts[i - 1], cuts[i]}, r.from, p, turn % 2 == 0, turn < 3 ? 0 : 7), p);
          if (all.failed(ranges.is(whole)))
            BOOST_ERROR(described(r.text, r.from, p) << '\n'
                                                     << in_words(ranges.report) << "\ninstead of\n"
                                                     << in_words(whole.report));
        }
      }
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(ranges_are_equal_if_both_ends_are) {
  BOOST_TEST((byte_range{1, 2} == byte_range{1, 2}));
  BOOST_TEST((byte_range{1, 2} != byte_range{1, 3}));
  BOOST_TEST((byte_range{1, 2} != byte_range{0, 2}));
  BOOST_TEST((byte_range() == byte_range{0, 0}));
}

BOOST_AUTO_TEST_CASE(merge_moves_the_lines_of_errors_and_of_the_failure) {
  stream_report a, b;
  a.encoding = b.encoding = encoding::utf16le;
  a.bom = true;
  a.bytes_in = 100, a.bytes_out = 50, a.lines = 7;
  b.bytes_in = 160, b.bytes_out = 30, b.lines = 2, b.errors = 3;
  b.first_error = error_info{{110, 1, 6, 100}, errc::unpaired_low_surrogate, {0, 0xDC}, 2, 0xDC00};
  b.last_error = error_info{{159, 3, 2, 150}, errc::incomplete_at_end, {0x41}, 1, 0};
  b.failure = std::make_exception_ptr(utf_error(*b.last_error));
  const stream_report all = merge(a, b);
  BOOST_TEST((all.encoding == encoding::utf16le && all.bom));
  BOOST_TEST((all.bytes_in == 160u && all.bytes_out == 80u && all.lines == 9u && all.errors == 3u));
  BOOST_TEST((all.first_error->line == 8u && all.first_error->offset == 110u && all.first_error->line_offset == 100u));
  BOOST_TEST((all.last_error->line == 10u && all.last_error->column == 2u));
  BOOST_TEST(message_of(all.failure) ==
             "utf_error: line 10, column 2 (byte 159): incomplete at the end of the input: 41");
  BOOST_TEST(same_report(merge(all, a), all));                // nothing comes after a failure
  BOOST_TEST(same_report(merge(stream_report(), all), all));  // a default report changes nothing
  BOOST_TEST(same_report(merge(a, stream_report()), a));
  BOOST_TEST((merge(stream_report(), all).failure == all.failure));  // the same exception

  b.failure = std::make_exception_ptr(std::runtime_error("the disk is gone"));
  BOOST_TEST(message_of(merge(a, b).failure) == "the disk is gone");
  b.first_error = b.last_error = std::nullopt;
  BOOST_TEST(same_report(merge(merge(a, b), a), merge(a, b)));
}

}  // namespace
