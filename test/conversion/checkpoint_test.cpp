// checkpoint_test.cpp: decoding from a checkpoint gives the text, errors and counts that decoding from the start gives.
// The checkpoints are those of every place in every string of some boundary bytes or code units, under every policy.
// build: portable optimised exhaustive cost:20
#define BOOST_TEST_MODULE checkpoint
#include <boost/test/unit_test.hpp>

#include "support/boundary_texts.hpp"
#include "support/brief.hpp"
#include "support/exhaustive.hpp"
#include "support/policies.hpp"
#include "support/same_error.hpp"
#include "support/some_encodings.hpp"
#include "support/tally.hpp"

#include <utfilter/checkpoint.hpp>
#include <utfilter/decoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;
using namespace boundary_texts;

namespace {

//------------------------------------------------------------------------------------------------- the value as a line

const checkpoint somewhere{{123456789012, 34, 5, 123456789000}, encoding::utf16le, true, 61728394506, 7};
const checkpoint guessed{{7, 1, 8, 0}, encoding::windows1250, false, 9, 0, evidence::statistics, 87, "KOI8-R"};

BOOST_AUTO_TEST_CASE(a_default_checkpoint_is_the_start_of_a_utf8_text) {
  const checkpoint start;
  BOOST_TEST((start.encoding == encoding::utf8 && !start.bom));
  BOOST_TEST((start.offset == 0 && start.line == 1 && start.column == 1 && start.line_offset == 0));
  BOOST_TEST((start.bytes_out == 0 && start.errors == 0));
  BOOST_TEST((decoder(encoding::utf8).here() == start));
}

BOOST_AUTO_TEST_CASE(checkpoints_are_equal_if_all_members_are) {
  checkpoint other = somewhere;
  BOOST_TEST((other == somewhere && !(other != somewhere)));
  const auto differs = [&](auto change) {
    checkpoint changed = somewhere;
    change(changed);
    return changed != somewhere && !(changed == somewhere);
  };
  BOOST_TEST(differs([](checkpoint& c) { c.encoding = encoding::utf16be; }));
  BOOST_TEST(differs([](checkpoint& c) { c.bom = false; }));
  BOOST_TEST(differs([](checkpoint& c) { ++c.offset; }));
  BOOST_TEST(differs([](checkpoint& c) { ++c.line; }));
  BOOST_TEST(differs([](checkpoint& c) { ++c.column; }));
  BOOST_TEST(differs([](checkpoint& c) { ++c.line_offset; }));
  BOOST_TEST(differs([](checkpoint& c) { ++c.bytes_out; }));
  BOOST_TEST(differs([](checkpoint& c) { ++c.errors; }));
  BOOST_TEST(differs([](checkpoint& c) { c.decided_by = evidence::bom; }));
  BOOST_TEST(differs([](checkpoint& c) { --c.confidence; }));
  BOOST_TEST(differs([](checkpoint& c) { c.unused_declaration = "UTF-8"; }));
}

// Later versions must read this line, so it must not change. The check sum is that of python3's zlib.crc32.
BOOST_AUTO_TEST_CASE(the_line_of_a_checkpoint_is_fixed) {
  BOOST_TEST(to_string(somewhere) ==
             "utfilter-checkpoint/1 encoding=UTF-16LE bom=1 offset=123456789012 line=34 column=5 "
             "line_offset=123456789000 bytes_out=61728394506 errors=7 crc32=CE198A45");
  BOOST_TEST(to_string(guessed) ==
             "utfilter-checkpoint/1 encoding=windows-1250 bom=0 offset=7 line=1 column=8 line_offset=0 bytes_out=9 "
             "errors=0 decided_by=statistics confidence=87 unused_declaration=KOI8-R crc32=6473F372");
}

BOOST_AUTO_TEST_CASE(a_line_gives_the_checkpoint_back) {
  tally all;
  constexpr std::uint64_t most = ~std::uint64_t{0};
  for (const encoding e : encodings()) {
    if (is_decided_by_bom(e) || e == encoding::iso_2022_jp) continue;
    const bool bom = has_bom(e);
    for (const checkpoint& c :
         {checkpoint{{0, 1, 1, 0}, e, false, 0, 0}, checkpoint{{4, 1, 1, 0}, e, bom, 3, 0},
          checkpoint{{most, most, 1, most}, e, bom, most, most}, checkpoint{{most, 1, most, 1}, e, false, 0, 0}}) {
      const std::string line = to_string(c);
      const auto back = checkpoint_from_string(line);
      all.check(back && *back == c, "not given back", line);
      all.check(line.size() <= 400 && line.find('\n') == std::string::npos, "not one line", line);
    }
  }
  for (const evidence why : {evidence::named, evidence::bom, evidence::declaration, evidence::structure,
                             evidence::statistics, evidence::assumption})
    for (const int confidence : {0, 1, 99, 100})
      for (const char* const name : {"", "UTF-8", "EUC-JP", "x-mac-centraleurroman", "IBM852", "ISO-2022-KR"}) {
        checkpoint c{{most, most, 1, most}, encoding::iso8859_8i, false, most, most, why};
        c.confidence = static_cast<std::uint8_t>(confidence);
        c.unused_declaration = name;
        const std::string line = to_string(c);
        const auto back = checkpoint_from_string(line);
        all.check(back && *back == c && line.size() <= 400, "not given back", line);
      }
  for (const char* const name : {"no name", "a\nb", "\xFF", "latin-1 ", "windows1250"}) {  // no preferred names
    checkpoint c = guessed;
    c.unused_declaration = name;
    const auto back = checkpoint_from_string(to_string(c));
    all.check(back && (back->unused_declaration.empty() || back->unused_declaration == "windows-1250"), "kept", name);
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(an_edited_line_is_no_checkpoint) {
  tally all;
  const auto refused = [&](const std::string& text) { all.check(!checkpoint_from_string(text), "accepted", text); };
  for (const std::string& line : {to_string(somewhere), to_string(guessed)}) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      refused(line.substr(0, at));
      refused(line.substr(at + 1));
      refused(std::string(line).erase(at, 1));
      refused(std::string(line).insert(at, 1, line[at]));
      for (int byte = 0; byte < 256; ++byte) {
        std::string edited = line;
        edited[at] = static_cast<char>(byte);
        if (edited != line) refused(edited);
      }
      for (std::size_t other = at + 1; other < line.size(); ++other) {
        std::string edited = line;
        std::swap(edited[at], edited[other]);
        if (edited != line) refused(edited);
      }
    }
    for (const char* end : {" ", "\n", "0", " crc32=0"}) refused(line + end);
    refused(line + '\0');
  }
  all.summary();
}

// The check sums are right: python3's zlib.crc32 has computed them.
BOOST_AUTO_TEST_CASE(a_line_with_another_content_is_no_checkpoint) {
  tally all;
  for (const char* line : {
           // another version
           "utfilter-checkpoint/2 encoding=UTF-8 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=F12BF77B",
           // an encoding that a byte order mark decides
           "utfilter-checkpoint/1 encoding=UTF-16 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=471E6FDC",
           // no encoding
           "utfilter-checkpoint/1 encoding=detect bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=3D3BD25E",
           // an unknown encoding
           "utfilter-checkpoint/1 encoding=unknown bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=7375A28E",
           // another spelling
           "utfilter-checkpoint/1 encoding=utf8 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=1580A1FF",
           // a number that is no truth value
           "utfilter-checkpoint/1 encoding=UTF-8 bom=2 offset=3"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=30374C9C",
           // two digits for zero
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=00"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=60F9CF46",
           // 2 to the power of 64
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=18446744073709551616"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=A220C190",
           // a negative number
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=-1"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=9796D7D1",
           // more lines than bytes
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=0"
           " line=2 column=1 line_offset=0 bytes_out=0 errors=0 crc32=4E33AC60",
           // an evidence that there is not
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 decided_by=hearsay confidence=87 crc32=D1871D88",
           // a confidence above 1
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 decided_by=statistics confidence=101 crc32=A8042950",
           // evidence without a confidence
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 decided_by=statistics crc32=5DCD8F5E",
           // a confidence that needs no words
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 decided_by=named confidence=100 crc32=B34B5DB2",
           // a declaration that nobody knows
           "utfilter-checkpoint/1 encoding=UTF-8 bom=0 offset=0"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 unused_declaration=nobody crc32=7436F939",
           // a byte order mark of two bytes in UTF-8
           "utfilter-checkpoint/1 encoding=UTF-8 bom=1 offset=2"
           " line=1 column=1 line_offset=0 bytes_out=0 errors=0 crc32=DFAC67D0",
       })
    all.check(!checkpoint_from_string(line), "accepted", line);
  all.summary();
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_no_text_can_have_is_named) {
  tally all;
  const auto refused = [&](const checkpoint& c, const std::string& why) {
    const char* const got = why_no_checkpoint(c);
    all.run([&] { BOOST_TEST((got == nullptr ? "" : got) == why); });
    all.check(!checkpoint_from_string(to_string(c)), "accepted", to_string(c));
    params p;
    p.start = c;
    all.run([&] {
      BOOST_CHECK_EXCEPTION(decoder{p}, std::invalid_argument, [&](const std::exception& e) {
        return std::string(e.what()).find(why) != std::string::npos;
      });
    });
  };
  const std::string decided = "the encoding of a checkpoint must be decided, it cannot be detect, utf16 or utf32";
  for (const encoding e : {encoding::detect, encoding::utf16, encoding::utf32, static_cast<encoding>(99)})
    refused({{0, 1, 1, 0}, e, false, 0, 0}, decided);
  refused({{9, 1, 1, 0}, encoding::latin1, true, 0, 0}, "the checkpoint's encoding has no byte order mark");
  refused({{2, 1, 1, 0}, encoding::utf8, true, 0, 0}, "the checkpoint is inside the byte order mark");
  refused({{3, 1, 1, 0}, encoding::utf32be, true, 0, 0}, "the checkpoint is inside the byte order mark");
  refused({{9, 0, 1, 0}, encoding::utf8, false, 0, 0}, "the checkpoint's line and column must be at least 1");
  refused({{9, 1, 0, 0}, encoding::utf8, false, 0, 0}, "the checkpoint's line and column must be at least 1");
  refused({{9, 1, 1, 10}, encoding::utf8, false, 0, 0}, "the checkpoint's line begins after the checkpoint");
  const std::string more = "the checkpoint has more lines, columns or errors than bytes before it";
  refused({{9, 4, 1, 2}, encoding::utf8, false, 0, 0}, more);
  refused({{9, 1, 8, 3}, encoding::utf8, false, 0, 0}, more);
  refused({{9, 1, 1, 0}, encoding::utf8, false, 0, 11}, more);
  refused({{9, 1, 1, 0}, encoding::utf8, false, 0, 0, static_cast<evidence>(6)},
          "the checkpoint's evidence has no enumerator");
  refused({{9, 1, 1, 0}, encoding::utf8, false, 0, 0, evidence::statistics, 101},
          "the checkpoint's confidence must be at most 100");
  for (const checkpoint& c :
       {checkpoint{{9, 3, 8, 2}, encoding::utf8, false, 0, 10}, checkpoint{{3, 1, 1, 0}, encoding::utf8, true, 0, 0},
        checkpoint{{4, 1, 1, 0}, encoding::utf32be, true, 0, 0}})
    all.check(why_no_checkpoint(c) == nullptr, "refused", to_string(c));
  all.summary();
}

//-------------------------------------------------------------------------------------------------------- the argument

BOOST_AUTO_TEST_CASE(the_encoding_must_be_that_of_the_checkpoint) {
  params p;
  p.start = checkpoint{{4, 1, 2, 0}, encoding::utf16le, true, 1, 0};
  for (const encoding from : {encoding::detect, encoding::utf16, encoding::utf32, encoding::utf16le}) {
    decoder text(from, p);
    char out[8];
    BOOST_TEST(text.convert("\xAC\x20", 2, out, sizeof out, true).produced == 3u);
    BOOST_TEST((text.report().encoding == encoding::utf16le && text.report().bom));
  }
  for (const encoding from : {encoding::utf8, encoding::utf16be, encoding::utf32le, encoding::latin1})
    BOOST_CHECK_EXCEPTION(decoder(from, p), std::invalid_argument, [](const std::exception& e) {
      return std::string(e.what()).find("the checkpoint is in a text of another encoding") != std::string::npos;
    });
  p.start->encoding = encoding::latin1;
  p.start->bom = false;
  for (const encoding from : {encoding::utf16, encoding::utf32, encoding::utf8})
    BOOST_CHECK_THROW(decoder(from, p), std::invalid_argument);
  BOOST_CHECK_NO_THROW(decoder(encoding::detect, p));
}

BOOST_AUTO_TEST_CASE(at_the_start_of_a_text_the_bom_decides_and_then_the_checkpoint) {
  const auto first = [](encoding from, encoding at, std::string_view text) {
    params p;
    p.start = checkpoint{{0, 1, 1, 0}, at, false, 0, 0};
    decoder codec(from, p);
    BOOST_TEST((codec.here() == *p.start));
    char out[16];
    const codec_progress done = codec.convert(text.data(), text.size(), out, sizeof out, true);
    return std::string(out, done.produced);
  };
  BOOST_TEST(first(encoding::utf16, encoding::utf16le, "A\0"s) == "A");
  BOOST_TEST(first(encoding::utf16, encoding::utf16le, "\xFE\xFF\0A"s) == "A");
  BOOST_TEST(first(encoding::utf32, encoding::utf32le, "A\0\0\0"s) == "A");
  BOOST_TEST(first(encoding::detect, encoding::latin1, "\xE9") == "\u00E9");
  BOOST_TEST(first(encoding::detect, encoding::latin1, "\xEF\xBB\xBF\u00E9") == "\u00E9");
}

BOOST_AUTO_TEST_CASE(in_a_text_with_states_only_the_start_is_a_checkpoint) {
  params p;
  p.start = checkpoint{{0, 1, 1, 0}, encoding::iso_2022_jp, false, 0, 0};
  BOOST_TEST((checkpoint_from_string(to_string(*p.start)) == *p.start));
  decoder codec(encoding::iso_2022_jp, p);
  const std::string text = "\x1B$B$\"\x1B(BA";
  char out[8];
  const codec_progress done = codec.convert(text.data(), text.size(), out, sizeof out, false);
  BOOST_TEST(std::string(out, done.produced) == "\u3042A");

  const checkpoint later = codec.here();
  BOOST_TEST(later.offset == text.size());
  BOOST_TEST(!checkpoint_from_string(to_string(later)));
  p.start = later;
  BOOST_CHECK_EXCEPTION(decoder(encoding::iso_2022_jp, p), std::invalid_argument, [](const std::exception& e) {
    return std::string(e.what()) == "utfilter: reading ISO-2022-JP: a text in ISO-2022-JP has no checkpoints: escape "
                                    "sequences before the place decide about the bytes after it";
  });
}

BOOST_AUTO_TEST_CASE(what_encodes_refuses_a_checkpoint) {
  params p;
  p.start = checkpoint{{4, 1, 5, 0}, encoding::utf8, false, 4, 0};
  BOOST_CHECK_EXCEPTION(encoder(encoding::utf16le, p), std::invalid_argument, [](const std::exception& e) {
    return std::string(e.what()) == "utfilter: params::start is only for decoding to UTF-8 by the codecs of utfilter";
  });
}

BOOST_AUTO_TEST_CASE(inside_a_sequence_decoding_finds_what_is_there) {
  struct row {
    encoding from;
    std::string text;
    std::uint64_t offset;  // of the checkpoint
    std::string rest;      // with the repairs
    std::vector<std::uint64_t> errors;
  };
  const std::vector<row> table = {
      {encoding::utf8, "\xE2\x82\xAC.", 1, "??.", {1, 2}},
      {encoding::utf8, "\xF0\x9F\x98\x80.", 3, "?.", {3}},
      {encoding::cesu8, "\xED\xA0\xBD\xED\xB8\x80.", 3, "?.", {3}},
      {encoding::modified_utf8, "\xC0\x80.", 1, "?.", {1}},
      {encoding::utf16le, "\x3D\xD8\x00\xDE.\0"s, 2, "?.", {2}},
      {encoding::utf16be, "\xD8\x3D\xDE\x00\0."s, 2, "?.", {2}},
      {encoding::utf16be, "\0A\0B\0C"s, 1, "\u4100\u4200?", {5}},
      {encoding::utf32be, "\0\0\0A\0\0\0B"s, 1, "\u4100?", {5}},
  };
  for (const row& r : table) {
    BOOST_TEST_INFO_SCOPE(r.rest << " from byte " << r.offset);
    params p{on_error::replace};
    p.replacement = "?";
    std::vector<std::uint64_t> errors;
    p.observer = [&](const error_info& error) { errors.push_back(error.offset); };
    p.start = checkpoint{{r.offset, 1, 1, 0}, r.from, false, 0, 0};
    decoder text(r.from, p);
    char out[32];
    const std::string_view in = std::string_view(r.text).substr(static_cast<std::size_t>(r.offset));
    const codec_progress done = text.convert(in.data(), in.size(), out, sizeof out, true);
    BOOST_TEST(std::string(out, done.produced) == r.rest);
    BOOST_TEST(errors == r.errors, boost::test_tools::per_element());
  }
}

//------------------------------------------------------------------------------------------------- decoding from places

/// What a decoder makes of a text.
struct reading {
  std::string text;
  std::vector<error_info> errors;  // as the observer has seen them
  stream_report report;
  codec_status status;
};

/// A place that a decoder has given, and the output before it.
struct mark {
  checkpoint at;
  std::size_t written;
};

/// Reads the text in pieces of `piece` bytes into rooms of `room` bytes. Adds the place after each step to `marks`.
reading read(std::string_view text, encoding from, params p, bool observes, std::size_t piece, std::size_t room,
             std::vector<mark>* marks) {
  reading result;
  if (observes) p.observer = [&](const error_info& error) { result.errors.push_back(error); };
  decoder codec(from, p);
  char out[64];
  if (marks != nullptr) marks->push_back({codec.here(), 0});
  const auto step = [&](std::size_t size, std::size_t of_room, bool is_last) {
    const codec_progress done = codec.convert(text.data(), size, out, of_room, is_last);
    text.remove_prefix(done.consumed);
    result.text.append(out, done.produced);
    if (marks != nullptr) marks->push_back({codec.here(), result.text.size()});
    return done;
  };
  while (true) {
    const std::size_t size = std::min(piece, text.size());
    codec_progress done = step(size, room, size == text.size());
    // A room of two bytes is too small for many characters and repairs.
    if (marks != nullptr && done.status == codec_status::need_input)
      done = step(std::min(piece, text.size()), 2, false);
    result.status = done.status;
    if (done.status == codec_status::done || done.status == codec_status::malformed) break;
  }
  result.report = codec.report();
  return result;
}

/// Whether the reading from the checkpoint is the rest of the whole one.
bool is_rest(const reading& whole, const reading& rest, const checkpoint& from, bool observes) {
  if (from.bytes_out > whole.text.size()) return false;
  if (whole.text.substr(static_cast<std::size_t>(from.bytes_out)) != rest.text) return false;
  if (observes && (from.errors > whole.errors.size() ||
                   !std::equal(whole.errors.begin() + static_cast<std::ptrdiff_t>(from.errors), whole.errors.end(),
                               rest.errors.begin(), rest.errors.end(),
                               [](const error_info& x, const error_info& y) { return same_error(x, y); })))
    return false;
  const stream_report &a = whole.report, &b = rest.report;
  const bool errors_follow = a.errors != from.errors;
  if (errors_follow != b.last_error.has_value() || errors_follow != b.first_error.has_value()) return false;
  if (errors_follow && !same_error(*a.last_error, *b.last_error)) return false;
  return whole.status == rest.status && a.encoding == b.encoding && a.bom == b.bom && a.bytes_in == b.bytes_in &&
         a.bytes_out == b.bytes_out && a.lines == b.lines && a.errors == b.errors && !a.failure == !b.failure;
}

std::string described(std::string_view text, encoding from, const params& p, const checkpoint& at) {
  return std::string(encoding_name(from)) + ", on_error " + std::to_string(static_cast<int>(p.on_error)) + ", bom " +
         std::to_string(static_cast<int>(p.bom)) + ", " + hexadecimal(text) + "from " + to_string(at);
}

/// Reads the text from the start, and then from each place.
void check_all_places(std::string_view text, encoding from, const params& p, bool observes, tally& all) {
  std::vector<mark> marks;
  const reading whole = read(text, from, p, observes, 1, transcoder::min_output, &marks);
  std::optional<checkpoint> last;
  for (const mark& m : marks) {
    if (last && *last == m.at) continue;
    last = m.at;
    const std::optional<checkpoint> kept = checkpoint_from_string(to_string(m.at));
    bool right = kept && *kept == m.at && m.at.offset <= text.size() && m.at.bytes_out <= m.written;
    if (right) {
      params later = p;
      later.start = kept;
      const std::string_view rest_of_text = text.substr(static_cast<std::size_t>(m.at.offset));
      const reading rest = read(rest_of_text, from, later, observes, observes ? 1 : 9, observes ? 6 : 64, nullptr);
      right = is_rest(whole, rest, m.at, observes);
    }
    if (all.failed(right)) BOOST_ERROR(described(text, from, p, m.at));
  }
}

void check_strings(std::size_t most, std::size_t nth) {
  tally all;
  std::size_t turn = 0;
  for (const encoding from : some_encodings_with_places_and_detect())
    for (const bom mark : every::mark) {
      if (transcoder::why_not_decoding(from, mark, encoding::utf8) != nullptr) continue;
      for (const on_error policy : every::policy) {
        if (policy == on_error::keep && from != encoding::utf8) continue;
        params p{policy, mark};
        p.replacement = "<error \u20AC>";  // needs several rooms
        for_each_string(units_of(from), most, [&](std::string_view text) {
          if (turn++ % nth == 0 || text.size() < 2) check_all_places(text, from, p, turn % 2 == 0, all);
        });
      }
    }
  all.summary();
}

BOOST_AUTO_TEST_CASE(decoding_from_each_place_of_short_strings_gives_the_rest) { check_strings(3, brief::nth); }

BOOST_AUTO_TEST_CASE(decoding_from_each_place_of_every_string_of_four_units_gives_the_rest, *exhaustive()) {
  check_strings(4, 1);
}

BOOST_AUTO_TEST_CASE(decoding_from_random_places_of_a_megabyte_gives_the_rest) {
  std::mt19937 random(1);
  tally all;
  for (const encoding from : some_encodings_with_places()) {
    const std::string text = random_text(from, random);
    for (const on_error policy : {on_error::replace, on_error::escape, on_error::skip}) {
      params p{policy};
      // The place after each piece, from a decoder that reads pieces of random sizes.
      std::vector<checkpoint> places;
      decoder codec(from, p);
      std::string out(8192, '\0');
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min<std::size_t>(random() % 5000, text.size() - at);
        at += codec.convert(text.data() + at, size, out.data(), 6 + random() % 8000, false).consumed;
        places.push_back(codec.here());
      }
      const reading whole = read(text, from, p, false, text.size(), 64, nullptr);
      for (int n = 0; n < 4; ++n) {
        const checkpoint& place = places[random() % places.size()];
        params later = p;
        later.start = place;
        const std::string_view rest_of_text = std::string_view(text).substr(static_cast<std::size_t>(place.offset));
        const reading rest = read(rest_of_text, from, later, false, 1 + random() % 9999, 64, nullptr);
        if (all.failed(is_rest(whole, rest, place, false))) BOOST_ERROR(described("", from, p, place));
      }
    }
  }
  all.summary();
}

}  // namespace
