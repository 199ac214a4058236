// seek_test.cpp: positions in a decoded text. If the source can seek, tellg() knows every position and seekg() reaches
// it.
// build: portable
#define BOOST_TEST_MODULE seek
#include "support/conformance_reference.hpp"
#include "support/files.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/stream.hpp>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/counter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <ios>
#include <istream>
#include <limits>
#include <new>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using namespace std::string_literals;
using files::rest;
using in_pieces = streambufs::seekable_streambuf;

namespace {

const std::u32string few_characters = U"aä€𝄞\nz𝄞€ä\n";

std::u32string long_text() {
  std::u32string text;
  for (int i = 0; i < 4000; ++i) text += few_characters;
  return text;
}

struct sample {
  const char* name;
  encoding from;
  std::string bytes;
};
std::vector<sample> samples(const std::u32string& text) {
  return {
      {"UTF-8", encoding::detect, texts::utf8(text)},
      {"UTF-8 with a byte order mark", encoding::detect, "\xEF\xBB\xBF" + texts::utf8(text)},
      {"UTF-16LE with a byte order mark", encoding::detect, "\xFF\xFE" + texts::utf16le(text)},
      {"UTF-16BE", encoding::utf16be, texts::utf16be(text)},
      {"CESU-8", encoding::cesu8, texts::cesu8(text)},
      {"modified UTF-8", encoding::modified_utf8, texts::modified_utf8(text)},
      {"GB18030", encoding::gb18030, conformance::reference::encode(conformance::reference::encoding::gb18030, text)}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_position_of_a_short_text_can_be_reached_from_every_other_one) {
  const std::string text = texts::utf8(few_characters);
  for (const sample& s : samples(few_characters)) {
    std::stringbuf source("head" + s.bytes);
    source.pubseekpos(4);  // positions count from the place where decoding began
    in_pieces bare(s.bytes, 0), bytes(s.bytes, 1), pieces(s.bytes, 3);
    for (std::streambuf* const beneath : std::initializer_list<std::streambuf*>{&source, &bare, &bytes, &pieces}) {
      istream in(beneath, s.from);
      BOOST_TEST_CONTEXT(s.name) {
        BOOST_TEST(in.tellg() == 0);
        for (std::size_t here = 0; here <= text.size(); ++here)
          for (std::size_t there = 0; there <= text.size(); ++there) {
            const auto at = static_cast<std::streamoff>(there);
            const auto move = at - static_cast<std::streamoff>(here);
            const auto end = at - static_cast<std::streamoff>(text.size());
            BOOST_REQUIRE(in.seekg(static_cast<std::streamoff>(here)).tellg() == static_cast<std::streamoff>(here));
            BOOST_TEST(in.seekg(at).tellg() == at);
            std::size_t back = there;
            for (; in.unget(); --back) BOOST_REQUIRE(back != 0);
            in.clear();
            BOOST_TEST(rest(in) == text.substr(back));
            BOOST_TEST(in.tellg() == static_cast<std::streamoff>(text.size()));
            in.seekg(static_cast<std::streamoff>(here), std::ios::beg);
            BOOST_TEST(in.seekg(move, std::ios::cur).tellg() == at);
            BOOST_TEST(rest(in) == text.substr(there));
            BOOST_TEST(in.seekg(end, std::ios::end).tellg() == at);
            BOOST_TEST(rest(in) == text.substr(there));
          }
        BOOST_TEST(in.report().bytes_in == s.bytes.size());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(positions_hold_across_all_buffers_of_a_file) {
  const auto characters_in_text = long_text();
  const std::string text = texts::utf8(characters_in_text);
  const files::directory here;
  const std::string path = here / "file";
  for (const sample& s : samples(characters_in_text)) {
    BOOST_TEST_CONTEXT(s.name) {
      files::write(path, s.bytes);
      ifstream in(path, s.from);
      BOOST_TEST(in.seekg(0, std::ios::end).tellg() == static_cast<std::streamoff>(text.size()));
      for (std::size_t at = text.size(); at < text.size() * 2; at += 1999) {
        const std::size_t there = (at * 7) % text.size();
        in.seekg(static_cast<std::streamoff>(there));
        std::string piece(at % 9000, '\0');
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        BOOST_TEST((piece.substr(0, static_cast<std::size_t>(in.gcount())) == text.substr(there, piece.size())));
        in.clear();
        BOOST_TEST(in.tellg() == static_cast<std::streamoff>(there) + in.gcount());
      }
      in.seekg(0);
      BOOST_TEST((rest(in) == text));
      BOOST_TEST(in.report().bytes_in == s.bytes.size());
      BOOST_TEST(in.report().bytes_out == text.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_source_that_cannot_seek_has_no_positions_and_loses_nothing) {
  streambufs::pieces_streambuf pipe({"\xFF\xFE" + texts::utf16le(few_characters)});
  istream in(pipe);
  BOOST_TEST(in.get() == 'a');
  BOOST_TEST(in.tellg() == -1);
  BOOST_TEST(in.good());
  BOOST_TEST(in.seekg(0).fail());
  in.clear();
  BOOST_TEST(in.seekg(0, std::ios::end).fail());
  in.clear();
  BOOST_TEST(rest(in) == texts::utf8(few_characters).substr(1));

  // A chain that cannot seek throws. utfilter asks the chain's buffer, not its stream, so the stream's state stays
  // good.
  const std::string text = texts::utf8(few_characters);
  io::filtering_istream chain(io::counter() | io::array_source(text.data(), text.size()));
  istream over_chain(chain);
  over_chain.exceptions(std::ios::badbit);
  BOOST_TEST(over_chain.tellg() == -1);
  BOOST_TEST(rest(over_chain) == text);
  BOOST_TEST(chain.good());
}

// An example is a stream buffer over a device that keeps no old data: the buffer knows its position, but cannot return
// to an earlier one.
BOOST_AUTO_TEST_CASE(seeking_back_over_a_source_that_cannot_seek_back_fails_and_loses_nothing) {
  class forward : public std::stringbuf {
   public:
    using std::stringbuf::stringbuf;

   private:
    pos_type seekoff(off_type off, std::ios_base::seekdir way, std::ios_base::openmode which) override {
      return off < 0 ? pos_type(off_type(-1)) : std::stringbuf::seekoff(off, way, which);
    }
  };
  const std::string text = texts::utf8(long_text());
  forward source(text);
  istream in(&source);
  std::string start(10000, '\0');  // more than the decoder keeps in its buffer
  in.read(start.data(), 10000);
  BOOST_TEST(in.tellg() == 10000);
  BOOST_TEST(in.seekg(1).fail());
  in.clear();
  BOOST_TEST((start + rest(in) == text));
}

BOOST_AUTO_TEST_CASE(there_is_no_position_before_the_start_or_after_the_end) {
  constexpr auto largest = std::numeric_limits<std::streamoff>::max();
  const std::string text = texts::utf8(few_characters);
  const auto size = static_cast<std::streamoff>(text.size());
  std::istringstream source(text);
  istream in(source);
  in.get();
  for (const std::streamoff offset : {std::streamoff(-1), size + 1, largest, -largest - 1})
    BOOST_TEST(in.rdbuf()->pubseekpos(offset) == -1);
  in.seekg(1);
  for (const std::streamoff offset : {std::streamoff(-2), size, largest, -largest - 1})
    BOOST_TEST((in.seekg(1), in.rdbuf()->pubseekoff(offset, std::ios::cur) == -1));
  for (const std::streamoff offset : {std::streamoff(1), -size - 1, largest, -largest - 1})
    BOOST_TEST(in.rdbuf()->pubseekoff(offset, std::ios::end) == -1);
  BOOST_TEST(in.rdbuf()->pubseekoff(0, std::ios::beg, std::ios::out) == -1);
  in.seekg(0);
  BOOST_TEST(rest(in) == text);
}

BOOST_AUTO_TEST_CASE(seeking_forward_reports_errors_as_reading_does_and_seeking_back_forgets_them) {
  std::istringstream source("0123456789\xFFstu"s);
  std::vector<std::uint64_t> observed;
  params p;
  p.observer = [&](const error_info& e) { observed.push_back(e.offset); };
  istream in(source, p);
  BOOST_TEST(in.seekg(0, std::ios::end).bad());
  BOOST_TEST(in.report().errors == 1u);
  in.clear();
  BOOST_TEST(in.get() == EOF);
  BOOST_TEST(in.bad());
  in.clear();
  in.seekg(0);
  in.exceptions(std::ios::badbit);
  std::string good(10, '\0');
  in.read(good.data(), 10);
  BOOST_TEST(good == "0123456789");
  BOOST_CHECK_THROW(in.get(), utf_error);
  BOOST_TEST(observed == (std::vector<std::uint64_t>{10, 10}), boost::test_tools::per_element());

  // When the test seeks back, the decoder has seen the byte that shows the error, but has not taken it.
  in_pieces truncated("0123456789\xE2\x82z", 0);
  istream shown(truncated, on_error::stop);
  BOOST_TEST(shown.seekg(0, std::ios::end).tellg() == 10);
  BOOST_TEST(rest(shown.seekg(0)) == "0123456789");
}

BOOST_AUTO_TEST_CASE(seeking_within_buffered_text_does_not_decode_it_again) {
  std::size_t observed = 0;
  params p = log_params();
  p.observer = [&](const error_info&) { ++observed; };
  std::istringstream source("pqr\xFFstu"s);
  istream in(source, p);
  BOOST_TEST(in.get() == 'p');
  in.seekg(6).seekg(0);
  BOOST_TEST(rest(in) == "pqr\uFFFDstu");
  BOOST_TEST(observed == 1u);
  in.seekg(-4, std::ios::end);
  BOOST_TEST(observed == 1u);
  BOOST_TEST(rest(in) == "\xBDstu");
  BOOST_TEST(rest(in.seekg(0)) == "pqr\uFFFDstu");
  BOOST_TEST(observed == 2u);
  BOOST_TEST(in.report().errors == 1u);
}

/// A codec whose copies fail while `refuses` is true, as those of a codec that owns memory may.
class fragile_codec : public control_escaper {
 public:
  explicit fragile_codec(const bool& refuses) : refuses_(&refuses) {}
  fragile_codec(const fragile_codec&) = default;
  fragile_codec& operator=(const fragile_codec& other) {
    if (*refuses_) throw std::bad_alloc();
    control_escaper::operator=(other);
    refuses_ = other.refuses_;
    return *this;
  }

 private:
  const bool* refuses_;
};

BOOST_AUTO_TEST_CASE(a_codec_that_cannot_be_copied_for_the_new_start_fails_the_text) {
  bool refuses = false;
  std::stringbuf source(std::string(10'000, 'a'));
  codec_istreambuf<fragile_codec> text(source, fragile_codec(refuses));
  std::istream in(&text);
  in.ignore(9'000);
  refuses = true;
  in.seekg(0);
  BOOST_TEST(in.bad());
  BOOST_CHECK_THROW(text.sgetc(), std::bad_alloc);
  refuses = false;
  in.clear();
  in.seekg(0);
  BOOST_TEST(in.good());
  BOOST_TEST(rest(in) == std::string(10'000, 'a'));
}
