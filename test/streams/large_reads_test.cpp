// large_reads_test.cpp: a file that is read in pieces of all sizes. Large pieces go directly into the caller's buffer,
// small ones through buffers of the stream: whatever the order, the text, the report and the positions are the same.
// build: portable
#define BOOST_TEST_MODULE large_reads
#include "support/files.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/fstream.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace std::string_literals;
using texts::repeated;
using utfilter::encoding;
using utfilter::on_error;

namespace {

/// A file, the UTF-8 that it is read as, and its errors under on_error::replace.
struct sample {
  const char* name;
  encoding from;
  std::string bytes;
  std::string text;
  std::uint64_t errors = 0;
  std::optional<std::uint64_t> first_error = {};  // byte of the file
};

const std::string replacement = "\xEF\xBF\xBD";

/// Text of about `size` bytes with an ill-formed sequence after each `distance` bytes.
sample with_errors(const char* name, std::size_t size, std::size_t distance, const std::string& ill_formed) {
  sample s{name, encoding::utf8, {}, {}};
  while (s.bytes.size() < size) {
    const std::string clean = repeated("line\n", distance / 5);
    s.first_error = s.first_error.value_or(clean.size());
    s.bytes += clean + ill_formed;
    s.text += clean + replacement;
    ++s.errors;
  }
  s.bytes += "end";
  s.text += "end";
  return s;
}

std::vector<sample> samples() {
  const std::string ascii = repeated("plain text\n", 27000);
  const texts::text32 lines = texts::random_lines(250000);
  const std::string mixed = texts::utf8(lines);
  const std::string three = repeated("\xE2\x82\xAC", 100000);  // no piece of 4096 bytes ends at a character
  const std::string& feff = texts::feff;
  std::vector<sample> all{
      {"empty", encoding::utf8, "", ""},
      {"one byte", encoding::utf8, "a", "a"},
      {"half a character", encoding::utf8, "\xE2\x82", replacement, 1, 0},
      {"ASCII", encoding::utf8, ascii, ascii},
      {"mixed", encoding::detect, mixed, mixed},
      {"mixed, byte order mark", encoding::detect, feff + mixed, mixed},
      {"three bytes", encoding::utf8, three, three},
      {"three bytes, cut at the end", encoding::utf8, three + "\xE2", three + replacement, 1, three.size()},
      {"UTF-16LE", encoding::utf16le, texts::utf16le(lines), mixed},
      {"UTF-16BE, byte order mark", encoding::utf16, "\xFE\xFF" + texts::utf16be(lines), mixed},
      {"ISO-8859-1", encoding::latin1, repeated("caf\xE9\n", 60000), repeated("caf\xC3\xA9\n", 60000)},
      with_errors("an error every 100 bytes", 250000, 100, "\xFF"),
      with_errors("an error every 5000 bytes", 250000, 5000, "\xE2\x82"),
      with_errors("an error every 40000 bytes", 250000, 40000, "\xF0\x90\x80"),
  };
  for (const std::size_t size : {4095u, 4096u, 4097u, 32767u, 32768u, 32769u, 65535u, 65536u, 65537u, 98304u})
    all.push_back({"ASCII, cut", encoding::utf8, ascii.substr(0, size), ascii.substr(0, size)});
  return all;
}

/// Sizes of reads in an order, which is repeated until the text ends.
using sizes = std::vector<std::size_t>;
const sizes orders[] = {{1},           {4095},           {4096},      {32767},      {32768},        {32769},
                        {65536},       {1000000},        {1, 65536},  {65536, 1},   {65536, 5000},  {40000, 3, 33000},
                        {4096, 32768}, {65536, 4097, 2}, {3, 100000}, {70000, 100}, {32768, 32767}, {99999, 4095, 1}};

/// Reads the stream to its end.
std::string read_all(std::streambuf& in, const sizes& order) {
  std::string text;
  for (std::size_t i = 0, got = 1; got != 0; ++i) {
    const std::size_t n = order[i % order.size()], before = text.size();
    text.resize(before + n);
    got = static_cast<std::size_t>(in.sgetn(text.data() + before, static_cast<std::streamsize>(n)));
    text.resize(before + got);
    BOOST_REQUIRE(got <= n);
    if (got < n) break;
  }
  return text;
}

/// The number of the line that follows this text.
std::uint64_t line_of(std::string_view text) {
  return 1 + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

BOOST_AUTO_TEST_CASE(pieces_of_all_sizes_give_the_same_text_and_report) {
  for (const sample& s : samples()) {
    const files::temporary_file file(s.bytes);
    for (const sizes& order : orders) {
      BOOST_TEST_INFO_SCOPE(s.name << ", " << s.bytes.size() << " bytes, reads of " << order.front());
      utfilter::ifstream in(file.path(), s.from, on_error::replace);
      BOOST_TEST((read_all(*in.rdbuf(), order) == s.text));
      BOOST_TEST(in.rdbuf()->sgetc() == std::char_traits<char>::eof());
      const utfilter::stream_report report = in.report();
      BOOST_TEST(report.bytes_in == s.bytes.size());
      BOOST_TEST(report.bytes_out == s.text.size());
      BOOST_TEST(report.errors == s.errors);
      BOOST_TEST(report.lines == line_of(s.text) - 1);
      BOOST_TEST(report.first_error.has_value() == s.first_error.has_value());
      if (!report.first_error) continue;
      BOOST_TEST(report.first_error->offset == *s.first_error);
      BOOST_TEST(report.first_error->line ==
                 line_of(std::string_view(s.bytes).substr(0, static_cast<std::size_t>(*s.first_error))));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_seek_after_pieces_of_any_size_finds_its_place) {
  std::minstd_rand random(2);
  for (const sample& s : samples()) {
    if (s.text.size() < 100000) continue;
    const files::temporary_file file(s.bytes);
    for (const sizes& order : orders) {
      BOOST_TEST_INFO_SCOPE(s.name << ", reads of " << order.front());
      utfilter::ifstream in(file.path(), s.from, on_error::replace);
      std::streambuf& text = *in.rdbuf();
      for (int i = 0; i < 8; ++i) {
        std::string piece(order[static_cast<std::size_t>(i) % order.size()], '\0');
        const std::size_t at = random() % (s.text.size() + 1);
        BOOST_REQUIRE(in.rdbuf()->pubseekpos(static_cast<std::streamoff>(at), std::ios::in) ==
                      std::streampos(static_cast<std::streamoff>(at)));
        piece.resize(static_cast<std::size_t>(text.sgetn(piece.data(), static_cast<std::streamsize>(piece.size()))));
        BOOST_TEST((piece == s.text.substr(at, order[static_cast<std::size_t>(i) % order.size()])));
        BOOST_TEST(text.pubseekoff(0, std::ios::cur, std::ios::in) ==
                   std::streampos(static_cast<std::streamoff>(at + piece.size())));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_text_is_read_again_after_its_end) {
  for (const sample& s : samples()) {
    const files::temporary_file file(s.bytes);
    utfilter::ifstream in(file.path(), s.from, on_error::replace);
    for (const sizes& order : orders) {
      BOOST_TEST_INFO_SCOPE(s.name << ", " << s.bytes.size() << " bytes, reads of " << order.front());
      BOOST_TEST((read_all(*in.rdbuf(), order) == s.text));
      in.clear();
      in.seekg(0);
      BOOST_REQUIRE(in.good());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_last_bytes_can_be_put_back_after_a_large_piece) {
  const std::string bytes = repeated("0123456789", 20000);
  const files::temporary_file file(bytes);
  for (const std::size_t n : {4096u, 32768u, 65536u, 65541u}) {
    utfilter::ifstream in(file.path());
    std::string piece(n, '\0');
    for (std::size_t at = n; at + n < bytes.size(); at += n) {
      in.read(piece.data(), static_cast<std::streamsize>(n));
      for (std::size_t back = 1; back <= 4; ++back) {
        in.unget();
        BOOST_REQUIRE(in.good());
        BOOST_REQUIRE(in.peek() == bytes[at - back]);
      }
      in.read(piece.data(), 4);
      BOOST_REQUIRE(piece.substr(0, 4) == bytes.substr(at - 4, 4));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_text_before_a_strict_error_is_there_whatever_the_pieces) {
  for (const std::size_t place : {0u, 1u, 4095u, 4096u, 32767u, 32768u, 65535u, 65536u, 70000u, 140000u}) {
    const std::string before = repeated("a", place);
    const files::temporary_file file(before + "\xFF" + repeated("b", 70000));
    for (const sizes& order : orders) {
      BOOST_TEST_INFO_SCOPE("the error is at byte " << place << ", reads of " << order.front());
      utfilter::ifstream in(file.path(), encoding::utf8);
      std::string text;
      try {
        for (std::size_t i = 0;; ++i) {
          const std::size_t n = order[i % order.size()], old = text.size();
          text.resize(old + n);
          const std::streamsize got = in.rdbuf()->sgetn(text.data() + old, static_cast<std::streamsize>(n));
          text.resize(old + static_cast<std::size_t>(got));
        }
      } catch (const utfilter::utf_error& error) {
        BOOST_TEST(error.info().offset == place);
      }
      BOOST_TEST(in.report().bytes_out == place);
      BOOST_TEST((text.substr(0, place) == before));  // the read that failed has filled its buffer up to the error
      BOOST_CHECK_THROW(in.rdbuf()->sgetc(), utfilter::utf_error);
    }
  }
}

BOOST_AUTO_TEST_CASE(large_reads_begin_at_a_checkpoint) {
  const std::string bytes = repeated("\xE2\x82\xAC\n", 60000);
  const files::temporary_file file(bytes);
  utfilter::params p;
  p.start.emplace();
  p.start->offset = p.start->bytes_out = p.start->line_offset = 4 * 10001;
  p.start->line = 10002;
  for (const sizes& order : orders) {
    utfilter::ifstream in(file.path(), encoding::utf8, p);
    for (int twice = 0; twice < 2; ++twice) {
      BOOST_TEST((read_all(*in.rdbuf(), order) == bytes.substr(4 * 10001)));
      BOOST_TEST(in.report().bytes_in == bytes.size());
      in.clear();
      in.seekg(0);
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes_at_hand_are_told_between_large_pieces) {
  const std::string bytes = repeated("0123456789", 20000);
  const files::temporary_file file(bytes);
  utfilter::ifstream in(file.path());
  std::string piece(40000, '\0');
  in.read(piece.data(), 40000);
  BOOST_TEST(in.rdbuf()->in_avail() > 0);
  const std::streamsize got = in.readsome(piece.data(), 40000);
  BOOST_TEST(got > 0);
  BOOST_TEST((piece.substr(0, static_cast<std::size_t>(got)) == bytes.substr(40000, static_cast<std::size_t>(got))));
  read_all(*in.rdbuf(), {65536});
  BOOST_TEST(in.rdbuf()->in_avail() <= 0);
}

BOOST_AUTO_TEST_CASE(a_file_that_grows_after_its_end_was_read_goes_on) {
  const files::temporary_file file("first");
  utfilter::ifstream in(file.path());
  BOOST_TEST(read_all(*in.rdbuf(), {65536}) == "first");
  std::ofstream(file.path(), std::ios::app) << "second";
  BOOST_TEST(read_all(*in.rdbuf(), {65536}) == "second");
  BOOST_TEST(read_all(*in.rdbuf(), {65536}) == "");
  const std::string third = repeated("0123456789", 20000);
  std::ofstream(file.path(), std::ios::app) << third;
  BOOST_TEST((read_all(*in.rdbuf(), {65536}) == third));
  in.clear();
  in.seekg(0);
  BOOST_TEST((read_all(*in.rdbuf(), {65536}) == "firstsecond" + third));
}

BOOST_AUTO_TEST_CASE(other_codecs_read_large_pieces_too) {
  const files::temporary_file file(repeated("a\x1B z\n", 50000));
  for (const sizes& order : orders) {
    utfilter::codec_ifstream in(file.path(), utfilter::control_escaper());
    BOOST_TEST((read_all(*in.rdbuf(), order) == repeated("a\\x1B z\n", 50000)));
  }
}
