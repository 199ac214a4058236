// compressors_test.cpp: our filters next to gzip, bzip2, lzma (.xz) and zstd. The tests check the recipes of
// doc/compressed.md, for reading and writing. They also show which text the compressors of Boost.Iostreams lose, which
// errors they hide, and where they wait. These defects do not depend on the filter next to them.
//
// BOOST_PINNED marks each defect of Boost.Iostreams. If a later Boost corrects the defect, the test fails and says so.
// build: needs:PkgConfig::COMPRESSION cost:35
#define BOOST_TEST_MODULE compressors
#include "support/brief.hpp"
#include "support/files.hpp"
#include "support/inflated.hpp"
#include "support/pipe_ends.hpp"
#include "support/process.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/close.hpp>
#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using devices::device_failure;
using devices::recording_sink;
using devices::watchdog;
using namespace std::string_literals;

/// Checks that a defect or a limit of Boost.Iostreams is still there. It fails if Boost has corrected it.
#define BOOST_PINNED(what, page) \
  BOOST_CHECK_MESSAGE(what, "Boost.Iostreams has corrected this: " #what ". Reverse this check. Documentation: " page)

namespace {

//-------------------------------------------------------------------------------------------------------------- formats

struct gzip {
  static constexpr const char* tool = "gzip";
  using compressor = io::gzip_compressor;
  static auto decompressor(std::streamsize buffer = 4096) {
    return io::gzip_decompressor(io::zlib::default_window_bits, buffer);
  }
};
struct bzip2 {
  static constexpr const char* tool = "bzip2";
  using compressor = io::bzip2_compressor;
  static auto decompressor(std::streamsize buffer = 4096) {
    return io::bzip2_decompressor(io::bzip2::default_small, buffer);
  }
};
struct lzma {
  static constexpr const char* tool = "xz";
  using compressor = io::lzma_compressor;
  static auto decompressor(std::streamsize buffer = 4096) { return io::lzma_decompressor(buffer); }
};
struct zstd {
  static constexpr const char* tool = "zstd -q";
  using compressor = io::zstd_compressor;
  static auto decompressor(std::streamsize buffer = 4096) { return io::zstd_decompressor(buffer); }
};

using formats = std::tuple<gzip, bzip2, lzma, zstd>;
using formats_that_tell = std::tuple<gzip, bzip2, lzma>;  // that report data that is cut off

template <class Format>
constexpr bool is_zstd = std::is_same_v<Format, zstd>;

/// Each test case has its own watchdog.
struct watched {
  watchdog dog{boost::unit_test::framework::current_test_case().full_name()};
};

//----------------------------------------------------------------------------------------------- the command-line tools

struct outcome {
  std::string output;
  bool success;
};

/// Runs the command with this input.
outcome run(const std::string& command, const std::string& input) {
  const files::directory here;
  files::write(here / "in", input);
  const int status = std::system((command + " <" + (here / "in") + " >" + (here / "out") + " 2>/dev/null").c_str());
  return {files::content(here / "out"), status == 0};
}

template <class Format>
std::string compressed_by_tool(const std::string& text) {
  const outcome packed = run(Format::tool + " -c"s, text);
  BOOST_REQUIRE(packed.success);
  return packed.output;
}

template <class Format>
void check_with_tool(const std::string& packed, const std::string& text) {
  const outcome unpacked = run(Format::tool + " -dc"s, packed);
  BOOST_TEST(unpacked.success);
  BOOST_TEST((unpacked.output == text));
}

//---------------------------------------------------------------------------------------------------------------- texts

const std::u32string& long_text() {
  static const std::u32string text = texts::random_lines((1 << 20) / brief::nth);
  return text;
}
const std::u32string& middling_text() {
  static const std::u32string text = texts::random_lines(100'000);
  return text;
}
const std::string short_text = "gr\xC3\xBC\xC3\x9F dich\n";

//-------------------------------------------------------------------------------------------------------------- reading

struct buffers {
  std::streamsize decompressor;
  int link;  // the buffer size that push gets for the decompressor; -1 is the default, 128
};
std::ostream& operator<<(std::ostream& out, buffers b) {
  return out << "buffer " << b.decompressor << ", link " << b.link;
}

constexpr buffers by_default{4096, -1};
constexpr buffers all_buffers[] = {by_default, {4096, 1}, {4096, 4096}, {65536, 65536}, {3, 1}, {16, 128}};

struct reading {
  std::string text;
  std::string failure;  // empty if the data ended without an error
  stream_report report;
};

reading read_to_the_end(io::filtering_istream& in, const to_utf8& decode) {
  reading result;
  try {
    for (std::istreambuf_iterator<char> at(in), end; at != end; ++at) result.text += *at;
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  result.report = decode.report();
  return result;
}

template <class Format>
reading read(const std::string& packed, buffers b = by_default) {
  to_utf8 decode;
  io::filtering_istream in;
  in.push(decode);
  in.push(Format::decompressor(b.decompressor), b.link);
  in.push(io::array_source(packed.data(), packed.size()));
  return read_to_the_end(in, decode);
}

bool is_prefix(const std::string& prefix, const std::string& text) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

//-------------------------------------------------------------------------------------------------------------- writing

/// Compressed by Boost, as one member, stream or frame.
template <class Format>
std::string compressed(const std::string& text) {
  std::string packed;
  io::filtering_ostream out(utf8_validator() | typename Format::compressor() | io::back_inserter(packed));
  out << text;
  out.reset();
  return packed;
}

/// Text that is longer than all buffers together even when it is compressed, in any format.
std::string incompressible_text() {
  std::string text(2 << 20, '\0');
  std::minstd_rand random;
  for (char& c : text) c = static_cast<char>(' ' + random() % 64);
  return text;
}

//-------------------------------------------------------------------------------------------------------------- in step

/// Thrown when a pipe would wait.
struct would_wait : std::runtime_error {
  would_wait() : std::runtime_error("the source was asked for bytes that have not been sent") {}
};

/// Gives the bytes that were sent, at most `piece` of them at a time.
class in_step_source {
 public:
  using char_type = char;
  using category = io::source_tag;

  explicit in_step_source(std::size_t piece) : state_(std::make_shared<state>()) { state_->piece = piece; }

  void send(const std::string& bytes) { state_->sent += bytes; }
  void end() { state_->ended = true; }

  std::streamsize read(char* s, std::streamsize n) {
    state& self = *state_;
    if (self.sent.empty() && self.ended) return -1;
    if (self.sent.empty()) throw would_wait();
    const std::size_t taken = std::min({self.sent.size(), self.piece, static_cast<std::size_t>(n)});
    std::copy_n(self.sent.data(), taken, s);
    self.sent.erase(0, taken);
    return static_cast<std::streamsize>(taken);
  }

 private:
  struct state {
    std::string sent;
    std::size_t piece = 0;
    bool ended = false;
  };
  std::shared_ptr<state> state_;
};

using strings = std::vector<std::string>;

/// Short, empty, repetitive and long lines.
strings log_lines() {
  const std::string long_line = [] {
    std::string text = texts::utf8(texts::random_lines(6000));
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text + '\n';
  }();
  return {
      "short \xE2\x82\xAC\n", "\n", std::string(3000, 'a') + '\n', "x\n", long_line, "y\n", long_line, "\n", "last\n"};
}

/// The recipe for interactive input: the source gives the bytes that it has, and the link asks for one byte at a time.
template <class Format>
void push_in_step(io::filtering_istream& in, const in_step_source& source, std::streamsize buffer = 4096) {
  in.push(io::compose(Format::decompressor(buffer), source), 1);
}

/// The number of lines, up to the first failure, that could be read before the next one was sent. `packed` has one
/// piece for each line, and may have one more for the end of the archive.
template <class Push>
std::size_t read_in_step(Push push, const strings& lines, const strings& packed,
                         std::size_t piece = devices::everything) {
  in_step_source source(piece);
  io::filtering_istream in;
  in.push(utf8_validator());
  push(in, source);
  std::string line;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    source.send(packed[i]);
    if (!std::getline(in, line) || in.eof() || line + '\n' != lines[i]) return i;
  }
  for (std::size_t i = lines.size(); i < packed.size(); ++i) source.send(packed[i]);
  source.end();
  BOOST_TEST(!std::getline(in, line));
  BOOST_TEST(!in.bad());
  return lines.size();
}

/// The lines in pieces, compressed by `compress(in, out, last)`, which returns the size of the output. It must flush
/// each line, and end the archive at the last piece, which has no text.
template <class Compress>
strings compressed_pieces(const strings& lines, const Compress& compress) {
  strings packed;
  for (std::size_t i = 0; i <= lines.size(); ++i) {
    std::string in = i < lines.size() ? lines[i] : "", out(20'000, '\0');
    out.resize(compress(in, out, i == lines.size()));
    packed.push_back(out);
  }
  return packed;
}

/// Sets the buffers of a stream of zlib or lzma.
template <class Stream>
void set_buffers(Stream& z, std::string& in, std::string& out) {
  z.next_in = reinterpret_cast<unsigned char*>(in.data());
  z.avail_in = static_cast<decltype(z.avail_in)>(in.size());
  z.next_out = reinterpret_cast<unsigned char*>(out.data());
  z.avail_out = static_cast<decltype(z.avail_out)>(out.size());
}

/// One gzip member, flushed after each line: a piece for each line, and one for the end. Made with zlib, because
/// Boost's compressor cannot flush.
strings gzip_flushed(const strings& lines, int flush) {
  z_stream z{};
  constexpr int gzip_window_bits = 16 + 15;
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  const strings packed = compressed_pieces(lines, [&](std::string& in, std::string& out, bool last) {
    set_buffers(z, in, out);
    deflate(&z, last ? Z_FINISH : flush);
    return out.size() - z.avail_out;
  });
  deflateEnd(&z);
  return packed;
}

/// One .xz stream in the same pieces, flushed after each line.
strings lzma_flushed(const strings& lines) {
  lzma_stream z = LZMA_STREAM_INIT;
  if (lzma_easy_encoder(&z, 1, LZMA_CHECK_CRC32) != LZMA_OK) throw std::runtime_error("lzma_easy_encoder");
  const strings packed = compressed_pieces(lines, [&](std::string& in, std::string& out, bool last) {
    set_buffers(z, in, out);
    const lzma_ret done = lzma_code(&z, last ? LZMA_FINISH : LZMA_SYNC_FLUSH);
    if (done != LZMA_OK && done != LZMA_STREAM_END) throw std::runtime_error("lzma_code");
    return out.size() - z.avail_out;
  });
  lzma_end(&z);
  return packed;
}

/// One zstd frame in the same pieces, flushed after each line.
strings zstd_flushed(const strings& lines) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  return compressed_pieces(lines, [&](const std::string& line, std::string& bytes, bool last) {
    ZSTD_inBuffer in{line.data(), line.size(), 0};
    ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
    ZSTD_compressStream2(context.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_flush);
    return out.pos;
  });
}

std::string whole_characters(const std::string& text) { return text.substr(0, complete_prefix(text)); }

BOOST_FIXTURE_TEST_SUITE(watched_tests, watched)

//============================================================================================= reading

BOOST_AUTO_TEST_CASE_TEMPLATE(text_compressed_by_the_command_line_tool_is_read, Format, formats) {
  const std::u32string sample = U"\u00E4\u20AC\U0001F600\n" + texts::random_lines(200);
  const struct {
    const char* name;
    std::string bytes;
    std::u32string text;
    encoding found;
  } cases[] = {{"nothing", "", U"", encoding::utf8},
               {"UTF-8", texts::utf8(sample), sample, encoding::utf8},
               {"UTF-8 with its byte order mark", texts::utf8(U"\uFEFF" + sample), sample, encoding::utf8},
               {"UTF-16LE", texts::utf16le(U"\uFEFF" + sample), sample, encoding::utf16le},
               {"UTF-16BE", texts::utf16be(U"\uFEFF" + sample), sample, encoding::utf16be},
               {"long UTF-16LE", texts::utf16le(U"\uFEFF" + long_text()), long_text(), encoding::utf16le}};
  for (const auto& c : cases) {
    const std::string packed = compressed_by_tool<Format>(c.bytes);
    for (const buffers b : all_buffers) {
      if (c.text.size() > 10'000 && b.link == 1 && b.decompressor != 4096) continue;  // slow, and tests nothing new
      BOOST_TEST_CONTEXT(c.name << ", " << b) {
        const reading got = read<Format>(packed, b);
        BOOST_TEST(got.failure == "");
        BOOST_TEST((got.text == texts::utf8(c.text)));
        BOOST_TEST((got.report.encoding == c.found));
        BOOST_TEST(got.report.bytes_in == c.bytes.size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(consecutive_members_are_one_text_even_if_they_cut_a_character, Format, formats) {
  const std::u32string text = U"\U0001F600\n" + middling_text();
  const std::string bytes = texts::utf16le(U"\uFEFF" + text);
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{4}, std::size_t{5}, bytes.size() / 2 | 1}) {
    const std::string packed = compressed_by_tool<Format>(bytes.substr(0, cut)) + compressed_by_tool<Format>("") +
                               compressed_by_tool<Format>(bytes.substr(cut));
    for (const buffers b : all_buffers) {
      if (!brief::takes_next()) continue;
      BOOST_TEST_CONTEXT("cut at " << cut << ", " << b) {
        const reading got = read<Format>(packed, b);
        BOOST_TEST(got.failure == "");
        BOOST_TEST((got.text == texts::utf8(text)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(compressed_text_is_also_read_through_copy_and_compose, Format, formats) {
  const std::string text = texts::utf8(middling_text());
  const std::string packed = compressed_by_tool<Format>(texts::utf16le(U"\uFEFF" + middling_text()));
  // Not an array_source: in compose(compose(filter, filter), array_source) Boost reads its beginning again and again.
  const auto source = [&] { return devices::piecewise_source({packed}); };
  const auto check = [&](auto&& from) {
    std::string got;
    io::copy(from, io::back_inserter(got));
    BOOST_TEST((got == text));
  };
  check(io::compose(to_utf8(), io::compose(Format::decompressor(), source())));
  check(io::compose(io::compose(to_utf8(), Format::decompressor()), source()));
  for (const int link : {-1, 1}) {
    io::filtering_istream in;
    in.push(to_utf8());
    in.push(io::compose(Format::decompressor(), source()), link);
    check(in);
    io::filtering_istream both;
    both.push(io::compose(to_utf8(), Format::decompressor()), link);
    both.push(source());
    check(both);
  }
}

//-------------------------------------------------------------------------------------------------------- damaged input

// When a decompressor throws, the text that it has already put into its caller's buffer is lost. That is at most the
// size of the link's buffer, and nothing if this size is 1.
BOOST_AUTO_TEST_CASE_TEMPLATE(cut_data_is_reported_and_at_most_the_text_of_one_link_buffer_is_lost, Format,
                              formats_that_tell) {
  const std::string text = texts::utf8(middling_text());
  const std::string packed = compressed_by_tool<Format>(text);
  strings cuts;
  for (std::size_t i = 1; i < 12; i += brief::nth) cuts.push_back(packed.substr(0, packed.size() * i / 12));
  for (std::size_t i = 1; i <= 12; i += brief::nth) cuts.push_back(packed.substr(0, packed.size() - i));
  const std::string small = compressed_by_tool<Format>(text.substr(0, 60));
  for (std::size_t i = 0; i < small.size(); i += brief::nth) cuts.push_back(small.substr(0, i));

  for (const std::string& bytes : cuts) {
    const reading best = read<Format>(bytes, {4096, 1});
    for (const buffers b : all_buffers) {
      BOOST_TEST_CONTEXT(bytes.size() << " bytes, " << b) {
        const reading got = read<Format>(bytes, b);
        BOOST_TEST(!got.failure.empty());
        BOOST_TEST(is_prefix(got.text, text));
        BOOST_TEST(got.report.errors == 0u);  // the text that arrived was well-formed
        const auto link = static_cast<std::size_t>(b.link < 0 ? 128 : b.link);
        BOOST_TEST(got.text.size() + link + 3 >= best.text.size());  // 3: a character that the buffer cuts
        if (b.link == 1) BOOST_TEST(got.text == best.text);
      }
    }
    if constexpr (std::is_same_v<Format, gzip>) BOOST_TEST(best.text == whole_characters(inflated(bytes, 1 << 20)));
  }
  BOOST_TEST(read<Format>(packed.substr(0, packed.size() - 1), {4096, 1}).text == text);
  // With a longer link all of a short text may be lost: getline then reads no line and sets badbit.
  const std::string cut = small.substr(0, small.size() - 9);  // 8 bytes are the footer of gzip
  BOOST_TEST(!read<Format>(cut, {4096, 1}).text.empty());
  BOOST_PINNED(read<Format>(cut, {4096, 4096}).text.empty(), "drop the warning of links of more than one byte");
}

BOOST_AUTO_TEST_CASE(zstd_data_that_is_cut_off_ends_as_if_it_were_whole) {
  const std::string text = texts::utf8(middling_text());
  const std::string packed = compressed_by_tool<zstd>(text);
  for (std::size_t i = 0; i < 12; ++i) {
    BOOST_TEST_CONTEXT(i << " twelfths") {
      const reading got = read<zstd>(packed.substr(0, packed.size() * i / 12));
      BOOST_PINNED(got.failure.empty(), "say that cut zstd data is reported");
      BOOST_TEST(is_prefix(got.text, text));
      BOOST_TEST(got.text.size() < text.size());
    }
  }
  BOOST_PINNED(read<zstd>(packed.substr(0, packed.size() - 1)).failure.empty(), "say that cut zstd data is reported");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_incomplete_character_at_the_end_of_compressed_text_is_reported, Format, formats) {
  const reading got = read<Format>(compressed_by_tool<Format>("abc\xE2\x82"));
  BOOST_TEST(got.text == "abc");
  BOOST_TEST(got.failure.find("incomplete at the end of the input") != std::string::npos);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_empty_file_is_reported_by_every_decompressor_except_that_of_zstd, Format, formats) {
  const reading got = read<Format>("");
  BOOST_TEST(got.text == "");
  if constexpr (is_zstd<Format>)
    BOOST_PINNED(got.failure.empty(), "say that an empty file is reported");
  else
    BOOST_TEST(!got.failure.empty());
}

BOOST_AUTO_TEST_CASE_TEMPLATE(data_that_is_not_compressed_is_reported, Format, formats) {
  for (const std::string& bytes : {"plain text"s, "x"s + compressed_by_tool<Format>(short_text)}) {
    const reading got = read<Format>(bytes);
    BOOST_TEST(!got.failure.empty());
    BOOST_TEST(got.text == "");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(junk_after_the_data_is_reported_and_with_a_link_of_one_byte_all_text_comes_first, Format,
                              formats) {
  for (const std::string& text : {short_text, texts::utf8(middling_text())}) {
    const std::string packed = compressed_by_tool<Format>(text);
    for (const std::string& junk : {"junk"s, std::string(512, '\0')}) {
      if (std::is_same_v<Format, lzma> && junk[0] == '\0') continue;
      const reading with_one = read<Format>(packed + junk, {4096, 1});
      BOOST_TEST(!with_one.failure.empty());
      BOOST_TEST((with_one.text == text));
      const reading with_more = read<Format>(packed + junk, {4096, 4096});
      BOOST_TEST(!with_more.failure.empty());
      BOOST_TEST(with_more.text.size() + 4096 + 3 >= text.size());
    }
    if constexpr (std::is_same_v<Format, lzma>) {  // zeros are padding in this format, in groups of four
      BOOST_TEST((read<Format>(packed + std::string(512, '\0')).text == text));
      BOOST_TEST(read<Format>(packed + std::string(512, '\0')).failure.empty());
      BOOST_TEST(!read<Format>(packed + std::string(511, '\0')).failure.empty());
    }
  }
}

// The checksum follows the data, and the decompressors deliver text before they reach it.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_wrong_checksum_is_reported_after_the_text, Format, formats) {
  const std::string text = texts::utf8(middling_text());
  std::string packed = compressed_by_tool<Format>(text);
  std::size_t at = packed.size();
  if constexpr (std::is_same_v<Format, gzip>) at -= 8;       // CRC-32, length
  if constexpr (std::is_same_v<Format, bzip2>) at -= 3;      // the combined CRC, which may begin inside a byte
  if constexpr (std::is_same_v<Format, lzma>) at -= 12 + 8;  // the index, before its CRC-32 and the footer of 12
  if constexpr (std::is_same_v<Format, zstd>) at -= 1;       // XXH64, which the tool writes and Boost does not
  packed[at] = static_cast<char>(packed[at] ^ 0x10);
  const reading got = read<Format>(packed, {4096, 1});
  BOOST_TEST(!got.failure.empty());
  BOOST_TEST(got.text.size() + 4 >= text.size());
  BOOST_TEST(is_prefix(got.text, text));
}

BOOST_AUTO_TEST_CASE(the_length_after_gzip_data_is_not_checked) {
  std::string packed = compressed_by_tool<gzip>(short_text);
  packed.back() = '\x55';
  const outcome judged = run("gzip -dc", packed);
  BOOST_TEST(!judged.success);
  BOOST_PINNED(read<gzip>(packed).failure.empty(), "nothing changes");
}

BOOST_AUTO_TEST_CASE(zstd_data_that_boost_compressed_has_no_checksum) {
  std::string packed = compressed<zstd>("every byte of this is stored as it is");
  const auto at = packed.find("stored");
  BOOST_REQUIRE(at != std::string::npos);
  packed[at] = 'S';
  const reading got = read<zstd>(packed);
  BOOST_PINNED(got.failure.empty(), "say that changed zstd data is reported");
  BOOST_TEST(got.text == "every byte of this is Stored as it is");
}

// If a piece of input holds only the end of the deflated data, the decompressor cannot put back the bytes that it read
// to look for another member.
BOOST_AUTO_TEST_CASE(a_gzip_decompressor_with_a_buffer_of_one_byte_fails_at_the_second_member) {
  const std::string packed = compressed_by_tool<gzip>("first\n") + compressed_by_tool<gzip>("second\n");
  const reading got = read<gzip>(packed, {1, 1});
  BOOST_PINNED(got.failure.find("putback buffer full") == 0, "drop the warning of a gzip_decompressor's buffer of 1");
  BOOST_TEST(got.text == "first\n");
  BOOST_TEST(read<gzip>(packed, {4096, 1}).text == "first\nsecond\n");
}

//============================================================================================= writing

BOOST_AUTO_TEST_CASE_TEMPLATE(the_command_line_tool_reads_text_that_a_chain_compressed, Format, formats) {
  const std::u32string& sample = long_text();
  const std::string text = texts::utf8(sample);
  for (const std::size_t piece : {std::size_t{7}, std::size_t{5000}, devices::everything})
    for (const bool flushed : {false, true}) {
      if (piece == 7 && flushed) continue;
      std::string packed;
      io::filtering_ostream out(utf8_validator() | from_utf8(encoding::utf16le, params{on_error::strict, bom::add}) |
                                typename Format::compressor() | io::back_inserter(packed));
      for (const std::string& some : devices::in_pieces(text, piece)) {
        out << some;
        if (flushed) out.flush();
      }
      BOOST_TEST(out.good());
      out.reset();
      check_with_tool<Format>(packed, texts::utf16le(U"\uFEFF" + sample));
    }
  check_with_tool<Format>(compressed<Format>(""), "");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(compressed_text_is_also_written_through_copy_and_compose, Format, formats) {
  using compressor = typename Format::compressor;
  const std::string text = texts::utf8(middling_text());
  const auto source = [&] { return io::array_source(text.data(), text.size()); };
  {
    std::string packed;
    io::copy(source(), io::compose(utf8_validator(), io::compose(compressor(), io::back_inserter(packed))));
    check_with_tool<Format>(packed, text);
  }
  {
    std::string packed;
    io::copy(source(), io::compose(io::compose(utf8_validator(), compressor()), io::back_inserter(packed)));
    check_with_tool<Format>(packed, text);
  }
  {
    std::string packed;
    io::filtering_ostream out(utf8_validator() | io::compose(compressor(), io::back_inserter(packed)));
    io::copy(source(), out);  // closes it
    check_with_tool<Format>(packed, text);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_flush_does_not_pass_through_a_compressor, Format, formats) {
  recording_sink sink;
  io::filtering_ostream out(utf8_validator() | io::compose(typename Format::compressor(), sink));
  out << short_text << std::flush;
  BOOST_TEST(out.good());
  BOOST_PINNED(sink.text().size() <= 10, "say that a flush passes through the compressor");  // 10: a gzip header
  out.reset();
  check_with_tool<Format>(sink.text(), short_text);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(after_a_strict_error_the_archive_is_complete_and_holds_the_text_before_the_error, Format,
                              formats) {
  enum class end { by_reset, by_pop, by_close, by_destructor };
  for (const std::string& prefix : {short_text, texts::utf8(middling_text())})
    for (const end ends : {end::by_reset, end::by_pop, end::by_close, end::by_destructor}) {
      std::string packed;
      utf8_validator check;
      {
        io::filtering_ostream out(check | typename Format::compressor() | io::back_inserter(packed));
        out << prefix << '\xFF' << "more";
        switch (ends) {
          case end::by_reset: BOOST_CHECK_THROW(out.reset(), utf_error); break;
          case end::by_pop: BOOST_CHECK_THROW(out.pop(), utf_error); break;
          case end::by_close: BOOST_CHECK_THROW(io::close(out), utf_error); break;
          case end::by_destructor: break;
        }
      }
      check_with_tool<Format>(packed, prefix);
      BOOST_TEST(check.report().errors == 1u);  // the archive itself does not show the error
    }
}

// A link between compressor and device does not report a failure while it is emptied. If the two are composed, there is
// no link between them.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_full_disk_is_reported_if_the_compressor_is_composed_with_the_device, Format, formats) {
  const auto full = [] { return io::file_descriptor_sink("/dev/full", std::ios::binary); };
  utf8_validator check;
  const auto write = [&](auto push, const std::string& text) {
    io::filtering_ostream out;
    out.push(check);
    push(out);
    out << text;
    out.reset();
  };
  const auto composed = [&](auto& out) { out.push(io::compose(typename Format::compressor(), full())); };
  const auto pushed = [&](auto& out) {
    out.push(typename Format::compressor());
    out.push(full());
  };
  for (const std::string& text : {""s, short_text, texts::utf8(middling_text()), incompressible_text()}) {
    BOOST_TEST_CONTEXT(text.size() << " bytes") { BOOST_CHECK_THROW(write(composed, text), std::ios_base::failure); }
  }
  // Most compressors write a short text after the filter was closed. So only reset() tells. gzip's first bytes come before.
  BOOST_CHECK_THROW(write(composed, short_text), std::ios_base::failure);
  BOOST_PINNED((std::is_same_v<Format, gzip>) == (check.report().failure != nullptr),
               "the filter tells of the full disk");
  BOOST_CHECK_THROW(write(pushed, incompressible_text()), std::ios_base::failure);
  bool silent = true;
  try {
    write(pushed, short_text);
  } catch (const std::ios_base::failure&) {
    silent = false;
  }
  BOOST_PINNED(silent, "recommend push for writing as well");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(an_exception_of_the_sink_is_reported_whichever_write_throws_it, Format, formats) {
  const auto write_to = [](const recording_sink& sink, const std::string& text) {
    io::filtering_ostream out(utf8_validator() | io::compose(typename Format::compressor(), sink));
    out << text;
    out.reset();
  };
  for (const std::string& text : {short_text, texts::utf8(texts::random_lines(20'000))}) {
    recording_sink counting;
    write_to(counting, text);
    const std::size_t writes = counting.seen().writes.size();
    BOOST_TEST(writes >= 1u);
    for (std::size_t n = 1; n <= writes; ++n) {
      recording_sink sink(devices::throwing_at_write(n));
      BOOST_TEST_CONTEXT(text.size() << " bytes, write " << n << " of " << writes) {
        BOOST_CHECK_THROW(write_to(sink, text), device_failure);
        BOOST_TEST(is_prefix(sink.text(), counting.text()));
      }
    }
    recording_sink slow(devices::taking(10));  // enough for the header of gzip, which cannot be written in pieces
    write_to(slow, text);
    BOOST_TEST((slow.text() == counting.text()));
  }
}

/// Takes nothing, as a std::filebuf over a full file does. At the 10,000th write it throws, to end the test.
struct full_sink {
  using char_type = char;
  using category = io::sink_tag;
  std::shared_ptr<int> writes = std::make_shared<int>(0);
  std::streamsize write(const char*, std::streamsize) {
    if (++*writes >= 10'000) throw device_failure("tired");
    return 0;
  }
};

BOOST_AUTO_TEST_CASE_TEMPLATE(a_compressor_never_stops_writing_to_a_sink_that_takes_nothing, Format, formats) {
  full_sink sink;
  io::filtering_ostream out(utf8_validator() | io::compose(typename Format::compressor(), sink));
  out << incompressible_text();
  try {
    out.reset();
  } catch (const std::exception&) {
  }
  BOOST_PINNED(*sink.writes >= 10'000, "drop the warning of file_sink and std::ofstream after a compressor");
}

BOOST_AUTO_TEST_CASE_TEMPLATE(after_close_filter_and_compressor_can_be_used_again_and_write_another_archive, Format,
                              formats) {
  utf8_validator check;
  const typename Format::compressor pack;
  std::string packed;
  io::filtering_ostream out;
  for (int i = 0; i < 3; ++i) {
    out.push(check);
    out.push(pack);
    out.push(io::back_inserter(packed));
    out << short_text;
    out.reset();
    BOOST_TEST(check.report().bytes_in == short_text.size());
  }
  check_with_tool<Format>(packed, short_text + short_text + short_text);
}

//============================================================================================= in step

BOOST_AUTO_TEST_CASE(a_line_flushed_through_gzip_is_readable_before_the_next_is_sent) {
  const strings lines = log_lines();
  for (const int flush : {Z_SYNC_FLUSH, Z_FULL_FLUSH}) {  // after Z_PARTIAL_FLUSH the end of a long match may wait
    const strings packed = gzip_flushed(lines, flush);
    for (const std::streamsize buffer : {1, 2, 16, 4096, 65536})
      for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, devices::everything}) {
        BOOST_TEST_CONTEXT("flush " << flush << ", buffer " << buffer << ", pieces of " << piece) {
          const auto recipe = [&](auto& in, const auto& source) { push_in_step<gzip>(in, source, buffer); };
          BOOST_TEST(read_in_step(recipe, lines, packed, piece) == lines.size());
        }
      }
    // If decompressor and source are pushed one by one, the decompressor also reads on until its own buffer is full.
    const auto pushed = [&](std::streamsize buffer, int link) {
      return read_in_step(
          [&](auto& in, const auto& source) {
            in.push(gzip::decompressor(buffer), link);
            in.push(source);
          },
          lines, packed);
    };
    BOOST_TEST(pushed(1, 1) == lines.size());
    BOOST_PINNED(pushed(4096, 1) == 0, "recommend push for interactive input");
    BOOST_PINNED(pushed(1, -1) == 0, "drop the link of 1 from the recipe for interactive input");
    BOOST_PINNED(pushed(4096, -1) == 0, "drop the recipe for interactive input");
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_line_in_an_archive_of_its_own_is_readable_before_the_next_is_sent, Format, formats) {
  const strings lines = log_lines();
  strings packed;
  for (const std::string& line : lines) packed.push_back(compressed<Format>(line));
  for (const std::streamsize buffer : {16, 4096, 65536})
    for (const std::size_t piece : {std::size_t{1000}, devices::everything}) {
      const auto recipe = [&](auto& in, const auto& source) { push_in_step<Format>(in, source, buffer); };
      BOOST_TEST(read_in_step(recipe, lines, packed, piece) == lines.size());
    }
  const auto by_default = [&](auto& in, const auto& source) {
    in.push(Format::decompressor());
    in.push(source);
  };
  BOOST_PINNED(read_in_step(by_default, lines, packed) == 0, "drop the recipe for interactive input");
}

// These decoders take all input and hold text back. Boost does not call them again before it has read more input.
BOOST_AUTO_TEST_CASE(a_line_flushed_through_lzma_or_zstd_waits_for_the_next) {
  const strings lines = log_lines();
  BOOST_PINNED(read_in_step([](auto& in, const auto& source) { push_in_step<lzma>(in, source); }, lines,
                            lzma_flushed(lines)) < lines.size(),
               "say that flushed lzma can be read in step");
  BOOST_PINNED(read_in_step([](auto& in, const auto& source) { push_in_step<zstd>(in, source); }, lines,
                            zstd_flushed(lines)) < lines.size(),
               "say that flushed zstd can be read in step");
}

BOOST_AUTO_TEST_CASE(through_a_pipe_each_line_is_readable_before_the_next_is_sent) {
  const strings lines = log_lines();
  strings members;
  for (const std::string& line : lines) members.push_back(compressed<gzip>(line));
  for (const strings& packed : {gzip_flushed(lines, Z_SYNC_FLUSH), members}) {
    pipe_ends pipe;
    io::filtering_istream in;
    in.push(to_utf8());
    in.push(io::compose(io::gzip_decompressor(), io::file_descriptor_source(pipe.reader(), io::never_close_handle)), 1);
    std::string line;
    for (std::size_t i = 0; i < packed.size(); ++i) {
      pipe.send(packed[i]);
      if (i == lines.size()) break;
      BOOST_TEST(!!std::getline(in, line));
      BOOST_TEST((line + '\n' == lines[i]));
    }
    pipe.close_writer();
    BOOST_TEST(!std::getline(in, line));
    BOOST_TEST(!in.bad());
  }
}

//=============================================================================================== a log

/// The recipe for a compressed log: reset() ends a member, which holds the records written before it.
void open_log(io::filtering_ostream& out, const std::string& file) {
  out.push(utf8_validator());
  out.push(io::compose(io::gzip_compressor(), io::file_descriptor_sink(file, std::ios::app | std::ios::binary)));
}

void append(const std::string& file, const std::string& records) {
  io::filtering_ostream out;
  open_log(out, file);
  out << records;
  out.reset();
}

strings records_of_a_log(std::size_t count) {
  strings records;
  std::minstd_rand random;
  for (std::size_t i = 0; i < count; ++i) {
    records.push_back("2024-01-01 12:00:" + std::to_string(10 + i % 50) + " request " + std::to_string(i) +
                      " from 10.0." + std::to_string(random() % 256) + ".7 took " + std::to_string(random() % 977) +
                      " ms: d\xC3\xA9j\xC3\xA0 vu\n");
  }
  return records;
}

std::string joined(const strings& records) {
  std::string text;
  for (const std::string& record : records) text += record;
  return text;
}

BOOST_AUTO_TEST_CASE(a_log_in_members_can_be_read_at_any_time_and_after_a_crash) {
  const files::directory here;
  const std::string log = here / "app.log.gz";
  const strings records = records_of_a_log(5);
  std::string text;
  for (const std::string& record : records) {
    append(log, record);
    check_with_tool<gzip>(files::content(log), text += record);
  }
  // A process dies in the middle of a record, while its chain is open. The header of its member is already in the file.
  processes::in_child([&] {
    io::filtering_ostream out;
    open_log(out, log);
    out << records.front() << std::flush;
    ::_exit(0);
  });
  const std::string torn = files::content(log);
  BOOST_TEST((run("gzip -dc", torn).output == text));
  const reading got = read<gzip>(torn, {4096, 1});
  BOOST_TEST((got.text == text));
  BOOST_TEST(!got.failure.empty());
}

BOOST_AUTO_TEST_CASE(text_appended_after_a_torn_member_is_lost_unless_the_torn_member_is_cut_off_first) {
  const files::directory here;
  const std::string log = here / "app.log.gz";
  append(log, "first\n");
  const auto whole = std::filesystem::file_size(log);
  append(log, "second\n");
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 12);
  append(log, "third\n");
  BOOST_TEST(!run("gzip -dc", files::content(log)).success);
  BOOST_TEST(read<gzip>(files::content(log), {4096, 1}).text.find("third") == std::string::npos);

  std::filesystem::resize_file(log, whole);
  append(log, "third\n");
  check_with_tool<gzip>(files::content(log), "first\nthird\n");
}

BOOST_AUTO_TEST_CASE(
    a_gzip_member_for_each_hundred_records_costs_little_but_with_one_for_each_record_gzip_saves_nothing) {
  const strings records = records_of_a_log(1000);
  const auto size = [&](std::size_t of) {
    std::size_t bytes = 0;
    for (auto at = records.begin(); at != records.end(); at += static_cast<std::ptrdiff_t>(of))
      bytes += compressed<gzip>(joined(strings(at, at + static_cast<std::ptrdiff_t>(of)))).size();
    return bytes;
  };
  BOOST_TEST(size(100) * 4 < size(1000) * 5);
  BOOST_TEST(size(10) < size(1000) * 3);
  BOOST_TEST(size(1) > joined(records).size());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
