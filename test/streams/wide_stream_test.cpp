// wide_stream_test.cpp: wistream, wostream, wifstream and wofstream, against the reference: the text, errors and report
// are the same however the other stream delivers or takes bytes, and however the program reads or writes.
// build: portable optimised
#define BOOST_TEST_MODULE wide_stream
#include <boost/test/unit_test.hpp>

#include <utfilter/wide_stream.hpp>

#include "support/boundary_texts.hpp"
#include "support/brief.hpp"
#include "support/code_units.hpp"
#include "support/conformance_rows.hpp"
#include "support/files.hpp"
#include "support/policies.hpp"
#include "support/tally.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <fstream>
#include <random>
#include <sstream>

namespace {

using namespace std::string_literals;
using boundary_texts::for_each_string;
using code_units::bytes_of;
using conformance::outcome;
using streambufs::area;
using streambufs::pieces_streambuf;
using streambufs::recording_streambuf;
using utfilter::bom;
using utfilter::encoding;
using utfilter::error_info;
using utfilter::on_error;
using utfilter::params;
namespace reference = conformance::reference;

//-------------------------------------------------------------------------------------------------------- what must come

/// The code units of wchar_t.
const encoding wide = code_units::encoding_of(sizeof(wchar_t));
const auto units_of = code_units::units_of<wchar_t>;

/// UTF-8 as code units.
std::wstring widened(std::string_view utf8) {
  std::string bytes;
  while (!utf8.empty()) {
    const reference::item next = reference::decode(reference::encoding::utf8, utf8);
    bytes += reference::encode(conformance::to_reference(wide), next.value);
    utf8.remove_prefix(next.size);
  }
  return units_of(bytes);
}

bool is_well_formed(std::string_view utf8) {
  while (!utf8.empty()) {
    const reference::item next = reference::decode(reference::encoding::utf8, utf8);
    if (!next.good) return false;
    utf8.remove_prefix(next.size);
  }
  return true;
}

/// The outcome of reading; the output is the bytes of wchar_t.
outcome expected_reading(encoding from, const params& p, const std::string& bytes) {
  const reference::setup s{reference::filter_kind::decoder, conformance::to_reference(from),
                           conformance::to_reference(p)};
  const reference::converter converted(s, bytes, false, true);
  outcome all = conformance::from_reference(converted.result());
  all.output = bytes_of(widened(all.output));
  all.report.bytes_out = all.output.size();
  return all;
}
/// The outcome of writing these code units.
outcome expected_writing(encoding to, const params& p, const std::string& units) {
  const reference::setup s{reference::filter_kind::encoder, conformance::to_reference(to), conformance::to_reference(p),
                           conformance::to_reference(wide)};
  const reference::converter converted(s, units, true, true);
  return conformance::from_reference(converted.result());
}

std::string difference(const outcome& got, const outcome& want) {
  if (!conformance::same(got, want)) return conformance::text_of(got) + ", not " + conformance::text_of(want);
  return (got.report.failure != nullptr) != want.thrown.has_value() ? "the report has another failure" : "";
}

constexpr on_error policies[] = {on_error::strict, on_error::stop,   on_error::replace,
                                 on_error::skip,   on_error::escape, on_error::windows1252};
using conformance::known_encodings;

/// Calls visit(params) for each pair of policies.
template <class Visit>
void for_each_policy(const Visit& visit) {
  for (const on_error policy : policies)
    for (const bom mark : every::mark) visit(params{policy, mark});
}

//------------------------------------------------------------------------------------------------------ reading, writing

/// Reads with calls and sizes that the seed chooses, until the end or an exception.
void read_all(std::wistream& in, std::wstring& got, std::size_t size, unsigned seed) {
  std::minstd_rand random(seed);
  std::wstring piece;
  while (in.good()) {
    switch (random() % 5) {
      case 0:
        piece.assign(1 + random() % 3000, L'?');
        try {
          in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
          got.append(piece, 0, static_cast<std::size_t>(in.gcount()));
        } catch (...) {  // the count is lost, the text is not
          got.append(piece, 0, size - got.size());
          throw;
        }
        break;
      case 1:
        try {
          if (std::getline(in, piece)) got += in.eof() ? piece : piece + L'\n';
        } catch (...) {
          got += piece;
          throw;
        }
        break;
      case 2:
        if (!got.empty() && in.unget() && in.rdbuf()->sbumpc() != std::char_traits<wchar_t>::to_int_type(got.back()))
          throw std::logic_error("put back another character");
        break;
      case 3:
        piece.assign(100, L'?');
        got.append(piece, 0, static_cast<std::size_t>(in.readsome(piece.data(), 100)));
        break;
      default:
        const auto c = in.get();
        if (c != std::wistream::traits_type::eof()) got += std::wistream::traits_type::to_char_type(c);
    }
  }
}

outcome read_outcome(std::vector<std::string> pieces, area how, encoding from, params p, std::size_t size,
                     unsigned seed) {
  outcome got;
  p.observer = [&](const error_info& error) { got.observed.push_back(error); };
  pieces_streambuf source(std::move(pieces), how);
  utfilter::wistream in(source, from, p);
  in.exceptions(std::ios::badbit);
  std::wstring text;
  try {
    read_all(in, text, size, seed);
  } catch (const utfilter::utf_error& error) {
    got.thrown = error.info();
  }
  got.output = bytes_of(text);
  got.report = in.report();
  return got;
}

outcome write_outcome(const std::vector<std::wstring>& pieces, bool flushes, encoding to, params p) {
  outcome got;
  p.observer = [&](const error_info& error) { got.observed.push_back(error); };
  recording_streambuf sink;
  utfilter::wostream out(sink, to, p);
  out.exceptions(std::ios::badbit);
  try {
    for (const std::wstring& piece : pieces) {
      if (piece.size() == 1)
        out.put(piece[0]);
      else
        out << piece;
      if (flushes) out.flush();
    }
    out.close();
  } catch (const utfilter::utf_error& error) {
    got.thrown = error.info();
  }
  got.output = sink.text;
  got.report = out.report();
  return got;
}

/// The text whole, and unit by unit; and in two pieces.
template <class Text>
std::vector<std::vector<Text>> cuts_of(const Text& text) {
  std::vector<std::vector<Text>> all{{text}, {}};
  for (std::size_t i = 0; i < text.size(); ++i) all.back().push_back(text.substr(i, 1));
  for (std::size_t i = 1; i < text.size(); ++i) all.push_back({text.substr(0, i), text.substr(i)});
  return all;
}
template <class Text>
std::vector<Text> random_pieces(const Text& text, std::mt19937& random) {
  std::vector<Text> pieces;
  for (std::size_t at = 0; at < text.size(); at += pieces.back().size())
    pieces.push_back(text.substr(at, 1 + random() % 5000));
  return pieces;
}

bool makes_sense_for_reading(encoding from, const params& p) {
  return utfilter::transcoder::why_not_decoding(from, p.bom, p.fallback) == nullptr;
}
bool makes_sense_for_writing(encoding to, const params& p) {
  return utfilter::transcoder::why_not_encoding(to, p.bom) == nullptr;
}

BOOST_AUTO_TEST_CASE(short_texts_are_read_as_the_reference_reads_them_in_every_cut) {
  tally cases;
  unsigned seed = 0;
  for (const encoding from : known_encodings)
    for_each_policy([&](const params& p) {
      if (!makes_sense_for_reading(from, p)) return;
      for_each_string(boundary_texts::units_of(from), 2, [&](const std::string& text) {
        if (!brief::takes_next()) return;
        const outcome want = expected_reading(from, p, text);
        for (const auto& pieces : cuts_of(text)) {
          const area how = streambufs::areas[++seed % 4];
          const std::string why =
              difference(read_outcome(pieces, how, from, p, want.output.size() / sizeof(wchar_t), seed), want);
          if (cases.failed(why.empty()))
            BOOST_ERROR(to_string(from) << ' ' << hexadecimal(text) << static_cast<int>(p.on_error) << ' '
                                        << static_cast<int>(p.bom) << " in " << pieces.size() << " pieces: " << why);
        }
      });
    });
  cases.summary("short texts that are read");
}

/// Code units at the boundaries, as bytes.
const std::vector<std::string> wide_units = [] {
  std::vector<std::string> units = boundary_texts::units_of(wide);
  units.pop_back();  // a part of a unit
  const auto more = texts::code_units(sizeof(wchar_t), code_units::little, {0xE9, 0x20AC, 0xA5, 0x3042});
  units.insert(units.end(), more.begin(), more.end());
  return units;
}();

BOOST_AUTO_TEST_CASE(short_texts_are_written_as_the_reference_writes_them_in_every_cut) {
  tally cases;
  for (const encoding to : known_encodings)
    for_each_policy([&](const params& p) {
      if (!makes_sense_for_writing(to, p)) return;
      for_each_string(wide_units, 3, [&](const std::string& text) {
        if (text.size() > 2 * sizeof(wchar_t) && !(brief::takes_next() && brief::takes_next())) return;
        const outcome want = expected_writing(to, p, text);
        bool flushes = false;
        for (const auto& pieces : cuts_of(units_of(text))) {
          flushes = !flushes;
          const std::string why = difference(write_outcome(pieces, flushes, to, p), want);
          if (cases.failed(why.empty()))
            BOOST_ERROR(to_string(to) << ' ' << hexadecimal(text) << static_cast<int>(p.on_error) << ' '
                                      << static_cast<int>(p.bom) << " in " << pieces.size() << " pieces: " << why);
        }
      });
    });
  cases.summary("short texts that are written");
}

/// Whether the standard streams take a character of the text for its end, as they do with U+FFFF on Windows.
bool takes_for_the_end(const std::wstring& text) {
  using traits = std::char_traits<wchar_t>;
  return text.find(traits::to_char_type(traits::eof())) != text.npos;
}

std::vector<conformance::tree> rows_of(std::initializer_list<const char*> files) {
  std::vector<conformance::tree> rows;
  for (const char* const file : files)
    for (const conformance::tree& row : conformance::rows_of(file)) rows.push_back(row);
  return rows;
}

BOOST_AUTO_TEST_CASE(the_tables_of_conformance_are_read_in_every_cut) {
  tally cases;
  unsigned seed = 0;
  for (const auto& row : rows_of({"decode.jsonl", "web_decode.jsonl"})) {
    const conformance::setup s = conformance::setup_of(row);
    const std::string input = conformance::from_hex(row.get<std::string>("input"));
    const auto text = widened(conformance::from_hex(row.get<std::string>("output")));
    if (takes_for_the_end(text)) continue;
    const std::string want = bytes_of(text);
    for (const auto& pieces : cuts_of(input)) {
      const area how = streambufs::areas[++seed % 4];
      const outcome got = read_outcome(pieces, how, s.text, s.params, want.size() / sizeof(wchar_t), seed);
      const bool placed =
          !row.count("offset") ||
          (got.observed.size() == 1 && got.observed[0].offset == row.get<std::uint64_t>("offset") &&
           got.observed[0].size == row.get<unsigned>("length") &&
           conformance::name_of(got.observed[0].code, conformance::errc_names) == row.get<std::string>("code"));
      if (cases.failed(placed && got.output == want && got.observed.size() == row.get<std::size_t>("errors")))
        BOOST_ERROR(row.get<std::string>("id") << " in " << pieces.size() << " pieces: " << conformance::text_of(got));
    }
  }
  cases.summary("rows that are read");
}

/// The errors of a row count the bytes of UTF-8, which a wide text does not have; so their places are not compared.
BOOST_AUTO_TEST_CASE(the_tables_of_conformance_are_written_in_every_cut) {
  tally cases;
  for (const auto& row : rows_of({"encode.jsonl", "web_encode.jsonl"})) {
    const std::string input = conformance::from_hex(row.get<std::string>("input"));
    if (!is_well_formed(input)) continue;  // a wide text cannot have its errors
    if (takes_for_the_end(widened(input))) continue;
    const conformance::setup s = conformance::setup_of(row);
    for (const auto& pieces : cuts_of(widened(input))) {
      const outcome got = write_outcome(pieces, false, s.text, s.params);
      if (cases.failed(got.output == conformance::from_hex(row.get<std::string>("output")) &&
                       got.observed.size() == row.get<std::size_t>("errors")))
        BOOST_ERROR(row.get<std::string>("id") << " in " << pieces.size() << " pieces: " << conformance::text_of(got));
    }
  }
  cases.summary("rows that are written");
}

BOOST_AUTO_TEST_CASE(long_texts_pass_in_random_pieces) {
  tally cases;
  std::mt19937 random(1);
  for (const encoding e : known_encodings)
    for (const on_error policy : policies) {
      params p{policy};
      const std::string text =
          boundary_texts::random_text(e == encoding::detect ? encoding::utf8 : e, random).substr(0, 20'000);
      const outcome read = expected_reading(e, p, text);
      const std::wstring read_units = units_of(read.output);
      if (!takes_for_the_end(read_units)) {
        const auto got = read_outcome(random_pieces(text, random), area::piece, e, p, read_units.size(),
                                      static_cast<unsigned>(random()));
        cases.check(difference(got, read).empty(), "reading", to_string(e));
      }
      if (e == encoding::detect) continue;
      const std::string units = boundary_texts::random_text(wide, random).substr(0, 40'000);
      const outcome written = expected_writing(e, p, units);
      const std::string why = difference(write_outcome(random_pieces(units_of(units), random), false, e, p), written);
      if (cases.failed(why.empty())) BOOST_ERROR(to_string(e) << ": " << why);
    }
  cases.summary("long texts");
}

//------------------------------------------------------------------------------------------------------------- behaviour

const texts::text32 some = U"one\nzwei \u00E4\n\u20AC\U0001F600\n\nfive\n";

BOOST_AUTO_TEST_CASE(two_characters_of_one_sequence_come_once) {
  std::string text;  // of Big5: U+00CA U+0304, U+00EA U+030C, and letters between them
  std::wstring expected;
  for (int i = 0; i < 40; ++i) {
    text += std::string(static_cast<std::size_t>(i % 3), 'a') + "\x88\x62\x88\xA5";
    expected += std::wstring(static_cast<std::size_t>(i % 3), L'a') + L"\u00CA\u0304\u00EA\u030C";
  }
  for (std::size_t n = 1; n < 12; ++n)
    for (const bool at_once : {false, true}) {
      std::stringbuf bytes(text, std::ios::in);
      utfilter::wistream in(bytes, encoding::big5);
      std::wstring got, piece(n, L'?');
      while (in) {
        if (at_once) {
          in.read(piece.data(), static_cast<std::streamsize>(n));
          got.append(piece, 0, static_cast<std::size_t>(in.gcount()));
        } else if (in.peek() != std::wistream::traits_type::eof()) {
          got.append(piece, 0, static_cast<std::size_t>(in.readsome(piece.data(), static_cast<std::streamsize>(n))));
        }
      }
      BOOST_TEST((got == expected));
    }
  // The least room that makes progress.
  utfilter::conversion<utfilter::detail::wide_codec> codec(
      utfilter::detail::wide_codec::reading(utfilter::transcoder::decoding(encoding::big5, bom::automatic)));
  codec.begin(decltype(codec)::direction::reading);
  std::string units;
  std::string_view left = text;
  while (true) {
    char out[utfilter::detail::wide_codec::min_output];
    const auto done = codec.convert(left.data(), left.size(), out, sizeof out, true);
    BOOST_TEST_REQUIRE(done.consumed + done.produced != 0u);
    left.remove_prefix(done.consumed);
    units.append(out, done.produced);
    if (done.status != utfilter::codec_status::need_output) break;
  }
  BOOST_TEST(!codec.failed());
  BOOST_TEST((units == bytes_of(expected)));
}

BOOST_AUTO_TEST_CASE(a_line_is_read_before_the_next_one_is_fetched) {
  for (const area how : {area::piece, area::none}) {
    std::vector<std::string> lines;
    for (const char* line : {"one\n", "zwei\n", "\n", "four"})
      lines.push_back(texts::utf16le({line, line + std::strlen(line)}));
    pieces_streambuf source(lines, how);
    utfilter::wistream in(source, encoding::utf16le);
    std::wstring line;
    for (std::size_t i = 1; i <= 3; ++i) {
      BOOST_TEST_REQUIRE(!!std::getline(in, line));
      BOOST_TEST(source.fetches == i);
    }
    BOOST_TEST(!!std::getline(in, line));
    BOOST_TEST((line == L"four"));
  }
}

BOOST_AUTO_TEST_CASE(four_units_can_be_put_back_after_any_read) {
  std::stringbuf source(texts::utf8(texts::text32(5000, U'x') + U"abcdefgh"));
  utfilter::wistream in(source);
  std::wstring all(5004, L'\0');
  in.read(all.data(), 5004);
  for (int i = 0; i < 4; ++i) BOOST_TEST(!!in.unget());
  BOOST_TEST((in.get() == L'a'));
  BOOST_TEST(!!in.putback(L'z'));
  BOOST_TEST((in.get() == L'z'));
}

BOOST_AUTO_TEST_CASE(in_avail_tells_what_is_there_without_waiting) {
  pieces_streambuf source({texts::utf8(some)}, area::told);
  utfilter::wistream in(source);
  BOOST_TEST(in.rdbuf()->in_avail() == 0);
  in.get();
  BOOST_TEST(in.rdbuf()->in_avail() > 0);
  std::stringbuf empty("");
  BOOST_TEST(utfilter::wistream(empty).rdbuf()->in_avail() <= 0);
}

/// Counts how often it is flushed.
struct flushed_streambuf : std::stringbuf {
  int flushes = 0;
  int sync() override { return ++flushes, 0; }
};

BOOST_AUTO_TEST_CASE(the_stream_to_which_the_other_one_is_tied_is_flushed_before_it_is_read) {
  flushed_streambuf console;
  std::ostream prompt(&console);
  pieces_streambuf source({"a\n", "b\n"});
  std::istream other(&source);
  other.tie(&prompt);
  utfilter::wistream in(other);
  std::wstring line;
  std::getline(in, line);
  const int first = console.flushes;
  BOOST_TEST(first >= 1);
  std::getline(in, line);
  BOOST_TEST(console.flushes > first);
}

BOOST_AUTO_TEST_CASE(any_position_can_be_sought_and_told) {
  for (const encoding from : {encoding::utf8, encoding::utf16be, encoding::utf32le}) {
    const texts::text32 text = texts::repeated(some, 200);
    const std::wstring units = widened(texts::utf8(text));
    const std::string bytes = from == encoding::utf8      ? texts::utf8(text)
                              : from == encoding::utf16be ? texts::utf16be(text)
                                                          : texts::utf32le(text);
    streambufs::seekable_streambuf source(bytes, 100);
    utfilter::wistream in(source, from);
    std::mt19937 random(2);
    for (int i = 0; i < 300; ++i) {
      const std::size_t to = random() % (units.size() + 1), n = random() % 50;
      in.clear();
      switch (random() % 3) {
        case 0: in.seekg(static_cast<std::streamoff>(to)); break;
        case 1: in.seekg(static_cast<std::streamoff>(to) - in.tellg(), std::ios::cur); break;
        default: in.seekg(static_cast<std::streamoff>(to) - static_cast<std::streamoff>(units.size()), std::ios::end);
      }
      BOOST_TEST_REQUIRE(in.tellg() == static_cast<std::streamoff>(to));
      std::wstring got(n, L'\0');
      in.read(got.data(), static_cast<std::streamsize>(n));
      got.resize(static_cast<std::size_t>(in.gcount()));
      BOOST_TEST_REQUIRE((got == units.substr(to, n)));
      if (std::getline(in, got) && !in.eof())
        BOOST_TEST_REQUIRE(in.tellg() == static_cast<std::streamoff>(units.find(L'\n', to + n) + 1));
    }
    in.clear();
    BOOST_TEST(!in.seekg(static_cast<std::streamoff>(units.size()) + 1));
    in.clear();
    BOOST_TEST(!in.seekg(-1));
  }
  pieces_streambuf pipe({texts::utf8(some)});
  utfilter::wistream in(pipe);
  BOOST_TEST((in.get() == L'o'));
  BOOST_TEST(in.tellg() == std::streampos(-1));
  BOOST_TEST((in.get() == L'n'));
}

BOOST_AUTO_TEST_CASE(nothing_that_is_written_stays_behind) {
  recording_streambuf sink;
  utfilter::wostream out(sink, encoding::utf16le);
  out << L"a" << 12;
  BOOST_TEST(sink.text == texts::utf16le(U"a12"));
  BOOST_TEST(sink.flushed_at.empty());
  out << std::flush;
  BOOST_TEST(sink.flushed_at.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_file_that_failed_to_open_does_not_look_empty) {
  std::ifstream none("there is no such file");
  BOOST_TEST(utfilter::wistream(none).fail());
  std::ofstream nowhere("there is no such directory/file");
  BOOST_TEST(utfilter::wostream(nowhere).fail());
}

BOOST_AUTO_TEST_CASE(a_moved_stream_goes_on_and_the_one_moved_from_is_bad) {
  std::stringbuf source(texts::utf8(some)), sink;
  utfilter::wistream first(source);
  std::wstring line;
  std::getline(first, line);
  utfilter::wistream in(std::move(first));
  BOOST_TEST(first.bad());
  BOOST_TEST(first.report().bytes_in == 0u);
  std::getline(in, line);
  BOOST_TEST((line == widened("zwei \u00E4")));
  utfilter::wostream old(sink);
  old << L"a";
  utfilter::wostream out = std::move(old);
  out << L"b";
  out.close();
  BOOST_TEST(sink.str() == "ab");
  BOOST_TEST(!(old << L"c"));
}

BOOST_AUTO_TEST_CASE(a_stream_that_another_one_is_moved_to_takes_its_place) {
  std::stringbuf source("one\ntwo\n"), other("three\n"), sink, second_sink;
  utfilter::wistream first(source), in(other);
  std::wstring line;
  std::getline(first, line);
  in = std::move(first);
  std::getline(in, line);
  BOOST_TEST((line == L"two"));
  BOOST_TEST(first.bad());

  utfilter::wostream old(sink), out(second_sink);
  old << L"a";
  out << L"lost by nobody";
  out = std::move(old);  // ends the text of the second sink
  out << L"b";
  out.close();
  BOOST_TEST(sink.str() == "ab");
  BOOST_TEST(second_sink.str() == "lost by nobody");
  BOOST_TEST(!(old << L"c"));
}

BOOST_AUTO_TEST_CASE(a_file_stream_goes_on_where_it_was_moved_to) {
  const files::directory scratch;
  const std::string one = scratch / "one.txt", two = scratch / "two.txt";
  utfilter::wofstream out(one), other(two);
  out << L"a";
  other << L"1";
  utfilter::wofstream moved(std::move(out));
  moved << L"b\n";
  BOOST_TEST(!out.is_open());
  other = std::move(moved);  // closes the second file
  BOOST_TEST(files::content(two) == "1");
  other << L"c\n";
  other.close();
  BOOST_TEST(files::content(one) == "ab\nc\n");

  utfilter::wifstream in(one), second(two);
  std::wstring line;
  std::getline(in, line);
  utfilter::wifstream reader(std::move(in));
  BOOST_TEST(!in.is_open());
  second = std::move(reader);
  std::getline(second, line);
  BOOST_TEST((line == L"c"));
  BOOST_TEST(second.report().bytes_in == 5u);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused_with_a_reason) {
  std::stringbuf buffer;
  const auto refuses = [](auto action, const char* reason) {
    BOOST_CHECK_EXCEPTION(action(), std::invalid_argument, [&](const std::invalid_argument& why) {
      return std::string(why.what()).find(reason) != std::string::npos;
    });
  };
  refuses([&] { utfilter::wistream(buffer, on_error::keep); }, "keep");
  refuses([&] { utfilter::wostream(buffer, on_error::keep); }, "keep");
  refuses([&] { utfilter::wostream(buffer, encoding::detect); }, "cannot be detect");
  refuses([&] { utfilter::wistream(static_cast<std::streambuf*>(nullptr)); }, "no buffer");
  params p;
  p.index_every = 1000;
  refuses([&] { utfilter::wistream(buffer, p); }, "index_every");
  p = {};
  p.bom = bom::add;
  refuses([&] { utfilter::wostream(buffer, encoding::latin1, p); }, "no byte order mark");
}

BOOST_AUTO_TEST_CASE(failures_of_the_other_stream_and_of_the_observer_are_kept) {
  pieces_streambuf source({"ab", "cd"});
  source.throws_at = 2;
  utfilter::wistream in(source);
  std::wstring text;
  BOOST_TEST(!std::getline(in, text));
  BOOST_TEST((text == L"ab"));
  BOOST_TEST(in.bad());
  BOOST_CHECK_THROW(std::rethrow_exception(in.report().failure), devices::device_failure);

  recording_streambuf sink;
  sink.takes_in_all = 3;
  sink.allow(1000);
  utfilter::wostream out(sink);
  out << L"abcdef";
  BOOST_TEST(out.bad());
  BOOST_TEST(sink.text == "abc");
  BOOST_CHECK_THROW(out.close(), std::ios_base::failure);

  params p;
  p.observer = [](const error_info&) { throw 5; };
  std::stringbuf bad("a\xFF");
  utfilter::wistream observed(bad, p);
  BOOST_TEST((observed.get() == L'a'));
  BOOST_TEST((observed.get() == std::wistream::traits_type::eof()));
  BOOST_CHECK_THROW(std::rethrow_exception(observed.report().failure), int);

  utfilter::wistream* self = nullptr;
  p.observer = [&](const error_info&) { self->get(); };
  std::stringbuf again("a\xFF");
  utfilter::wistream used(again, p);
  self = &used;
  used.get();
  used.get();
  BOOST_CHECK_THROW(std::rethrow_exception(used.report().failure), std::logic_error);
}

BOOST_AUTO_TEST_CASE(files_are_written_read_appended_to_and_opened_at_their_end) {
  const files::directory scratch;
  for (const encoding e : {encoding::utf8, encoding::utf16, encoding::utf32le}) {
    const auto path = scratch / "wide.txt";
    const std::wstring text = widened(texts::utf8(texts::random_lines(100'000)));
    {
      utfilter::wofstream out(path, e);
      out << text;
      out.close();
      BOOST_TEST(out.report().errors == 0u);
    }
    utfilter::wofstream more(path, e, std::ios::app);
    more << L"more\n";
    more.close();
    utfilter::wifstream in(path, e);
    std::wstring all(std::istreambuf_iterator<wchar_t>(in), {});
    BOOST_TEST((all == text + L"more\n"));
    in.close();
    BOOST_TEST(!in.is_open());
    utfilter::wifstream end(path, e, params(), std::ios::ate);
    BOOST_TEST(end.tellg() == static_cast<std::streamoff>(all.size()));
    end.seekg(-5, std::ios::end);
    std::getline(end, all);
    BOOST_TEST((all == L"more"));
  }
  {
    utfilter::wofstream out(scratch / "end.txt", std::ios::app);
    out << L"one\ntwo\n";
  }
  utfilter::wifstream at_end(scratch / "end.txt", std::ios::ate);
  BOOST_TEST(at_end.tellg() == std::streamoff{8});
  utfilter::wofstream nowhere(scratch / "no such folder/file");
  BOOST_TEST(nowhere.fail());
  BOOST_TEST((nowhere.open_error() == std::errc::no_such_file_or_directory));
  utfilter::wifstream none(scratch / "none.txt");
  BOOST_TEST(none.fail());
  BOOST_TEST((none.open_error() == std::errc::no_such_file_or_directory));

  files::write(scratch / "bad.txt", "a\nb\xFF\n");
  utfilter::wifstream bad(scratch / "bad.txt");
  std::wstring line;
  std::getline(bad, line);
  BOOST_CHECK_THROW(std::getline(bad, line), utfilter::utf_error);
  BOOST_TEST((line == L"b"));
  utfilter::wofstream lone(scratch / "lone.txt", encoding::latin1);
  BOOST_CHECK_THROW(lone << L"a\u20AC" << std::flush, utfilter::utf_error);
  BOOST_CHECK_THROW(lone.close(), utfilter::utf_error);
  BOOST_TEST(files::content(scratch / "lone.txt") == "a");
}

}  // namespace
