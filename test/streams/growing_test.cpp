// growing_test.cpp: a source that can seek may grow after its end. Streams over it then go on as a std::ifstream does,
// and read what a reader of the whole source reads.
// build: portable
#define BOOST_TEST_MODULE growing
#include "support/files.hpp"
#include "support/growth.hpp"
#include "support/tally.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/changes.hpp>
#include <utfilter/control_escaper.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/line_sorter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/text_codec.hpp>
#include <utfilter/wide_stream.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <ios>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace utfilter;
using namespace std::string_literals;
using files::rest;

namespace {

params with(on_error policy, std::uint64_t index_every = 0) {
  params p{policy};
  p.index_every = index_every;
  return p;
}

/// Reads on after clear(), in one of several ways. Returns what comes.
std::string read_on(std::istream& in, int way) {
  in.clear();
  if (way == 1) in.seekg(in.tellg());
  if (way == 2) in.seekg(0, std::ios::cur);
  if (way == 3) {
    std::string got;
    for (char c = 0; in.get(c);) got += c;
    return got;
  }
  if (way == 4) {  // a large piece
    std::string got(100'000, '\0');
    in.read(got.data(), 100'000);
    got.resize(static_cast<std::size_t>(in.gcount()));
    return got;
  }
  return rest(in);
}

struct row {
  const char* name;
  encoding from;
  std::string before, after;
};

/// Texts that are cut at a place which matters: between characters, inside of one, inside of a mark.
std::vector<row> rows() {
  const std::string long_text = texts::utf8(texts::text32(5000, U'\u20AC'));
  const std::string utf16 = texts::utf16le(U"\u20AC\U0001F600\nq");
  std::vector<row> all = {{"text", encoding::detect, "one line\nand", " more\ntwo\n"},
                          {"empty", encoding::detect, "", "\xFF\xFEp\0"s},
                          {"mark", encoding::detect, "\xEF\xBB", "\xBFtext\n"},
                          {"mark of UTF-32", encoding::detect, "\xFF\xFE", "\0\0p\0\0\0"s},
                          {"utf16 without a mark", encoding::utf16, "\0"s, "p\0q"s},
                          {"errors", encoding::detect, "p\xFF\nq\xFE\n", "r\xFF\n"},
                          {"long", encoding::detect, long_text + "\xFF" + long_text, long_text + "x"}};
  for (std::size_t cut = 0; cut <= utf16.size(); ++cut)
    all.push_back({"UTF-16", encoding::utf16le, utf16.substr(0, cut), utf16.substr(cut)});
  const std::string iso_2022_jp = "A\x1B$B$\"F|\x1B(J\\\n\x1B$B$\"\x1B(I1\x1B(B";
  for (std::size_t cut = 0; cut <= iso_2022_jp.size(); ++cut)
    all.push_back({"ISO-2022-JP", encoding::iso_2022_jp, iso_2022_jp.substr(0, cut), iso_2022_jp.substr(cut)});
  const std::string gb18030 = "\xC4\xE3\n\x81\x30\x81\x30\xA2\xE3\x80\xFFz";
  for (std::size_t cut = 0; cut <= gb18030.size(); ++cut)
    all.push_back({"GB18030", encoding::gb18030, gb18030.substr(0, cut), gb18030.substr(cut)});
  for (std::size_t cut = 1; cut < 4; ++cut)
    all.push_back({"cut character", encoding::detect, "text\n" + "\xF0\x9F\x98\x80"s.substr(0, cut),
                   "\xF0\x9F\x98\x80"s.substr(cut) + "more"});
  return all;
}

BOOST_AUTO_TEST_CASE(a_stream_of_a_file_goes_on_when_the_file_has_grown) {
  for (std::streamoff target : {0, 9000, 9990, 10000, 10050})
    for (const std::uint64_t every : {0u, 1000u}) {
      const files::temporary_file file(std::string(10000, 'x'));
      ifstream in(file.path(), with(on_error::strict, every));
      BOOST_TEST(rest(in).size() == 10000u);
      files::append(file.path(), std::string(100, 'n'));
      in.clear();
      in.seekg(target);
      BOOST_TEST(rest(in).size() == static_cast<std::size_t>(10100 - target));
      files::append(file.path(), "more");
      in.clear();
      in.seekg(0, std::ios::end);
      BOOST_TEST(in.tellg() == 10104);
    }
}

/// A buffer that remembers its end until a seek, as a file does on Windows.
struct remembers_its_end : std::stringbuf {
  using std::stringbuf::stringbuf;
  bool ended = false;

  int_type underflow() override {
    const int_type c = ended ? traits_type::eof() : std::stringbuf::underflow();
    if (c == traits_type::eof()) ended = true;
    return c;
  }
  std::streamsize xsgetn(char* s, std::streamsize n) override {
    std::streamsize got = 0;
    for (; got < n && sgetc() != traits_type::eof(); ++got) s[got] = static_cast<char>(sbumpc());
    return got;
  }
  pos_type seekoff(off_type offset, std::ios_base::seekdir way, std::ios_base::openmode which) override {
    ended = false;
    return std::stringbuf::seekoff(offset, way, which);
  }
};

BOOST_AUTO_TEST_CASE(a_source_that_remembers_its_end_until_a_seek_goes_on) {
  for (int way = 0; way < 5; ++way) {
    remembers_its_end bytes("text", std::ios::in | std::ios::out | std::ios::ate);
    istream in(bytes);
    BOOST_TEST(rest(in) == "text");
    for (const std::string more : {"one", "", "", "two"}) {
      bytes.sputn(more.data(), static_cast<std::streamsize>(more.size()));
      BOOST_TEST(read_on(in, way) == more);
    }
  }
}

/// The text before a character that the end has cut. Whatever stands for it, the whole character follows when the file has
/// grown.
std::string without_cut_character(const row& r, const params& p) {
  for (std::size_t cut = 0;; ++cut) {
    std::stringbuf bytes(r.before.substr(0, r.before.size() - cut));
    istream in(bytes, r.from, p);
    std::string text = rest(in);
    const auto last = in.report().last_error;
    if (!last || last->code != errc::incomplete_at_end) return text;
  }
}

// The text after the old end is that of a reader of the whole file from there on, and the reports are the same.
BOOST_AUTO_TEST_CASE(what_is_read_on_is_what_one_reader_reads) {
  tally all;
  for (const row& r : rows())
    for (const on_error policy : {on_error::replace, on_error::skip, on_error::escape, on_error::windows1252})
      for (const std::uint64_t every : {0u, 16u})
        for (int way = 0; way < 5; ++way)
          for (const bool is_file : {true, false}) {
            const params p = with(policy, every);
            const files::temporary_file file(is_file ? r.before : "");
            std::stringstream buffer(r.before, std::ios::in | std::ios::out | std::ios::ate | std::ios::binary);
            ifstream of_file(file.path(), r.from, p);
            istream of_buffer(*buffer.rdbuf(), r.from, p);
            std::istream& in = is_file ? static_cast<std::istream&>(of_file) : of_buffer;
            const std::string first = rest(in);
            if (is_file)
              files::append(file.path(), r.after);
            else
              buffer << r.after;
            const std::string second = read_on(in, way);
            std::stringbuf both(r.before + r.after);
            istream whole(both, r.from, p);
            const std::string text = rest(whole);
            const stream_report got = is_file ? of_file.report() : of_buffer.report(), wanted = whole.report();
            const std::string before = without_cut_character(r, p);
            const bool right = first.compare(0, before.size(), before) == 0 && before + second == text &&
                               got.bytes_in == wanted.bytes_in && got.bytes_out == wanted.bytes_out &&
                               got.errors == wanted.errors && got.lines == wanted.lines;
            if (all.failed(right))
              BOOST_ERROR(r.name << ", way " << way << ": " << hexadecimal(first) << " then " << hexadecimal(second)
                                 << " instead of " << hexadecimal(text));
          }
  all.summary();
}

const std::string utf8_text = "a\u3042\xE3\x81z\xFF\r\n\U0001F600e\u0301\r.";
const std::string utf16_text = "a\0\x3D\xD8\0\xDE\n\0\x3D\xD8z\0\x3D\xDE.\0"s;
const std::string iso_2022_jp_text = "A\x1B$B$\"F|\x1B(J\\\n\x1B$z\x1B$B$\"\x1B(I1\x1B(B";
const std::string big5_text = "a\xA4\xA4\x88\x62\n\xA4\xFF\x80.";
const std::string gb18030_text = "\xC4\xE3\n\x81\x30\x81\x30\xA2\xE3\x80\x81\x30z\xFFz";

struct source_text {
  const char* name;
  encoding from;
  std::string bytes;
};
const source_text source_texts[] = {{"UTF-8", encoding::detect, utf8_text},
                                    {"UTF-8 with a mark", encoding::detect, "\uFEFF" + utf8_text},
                                    {"UTF-16LE", encoding::utf16le, utf16_text},
                                    {"UTF-16 with a mark", encoding::utf16, "\xFF\xFE" + utf16_text},
                                    {"ISO-2022-JP", encoding::iso_2022_jp, iso_2022_jp_text},
                                    {"Big5", encoding::big5, big5_text},
                                    {"GB18030", encoding::gb18030, gb18030_text},
                                    {"guess", encoding::guess, big5_text + utf8_text}};

BOOST_AUTO_TEST_CASE(each_cut_of_each_encoding_is_read_on) {
  tally all;
  for (const source_text& s : source_texts) {
    const transcoder codec = transcoder::decoding(s.from, params());
    growth::check_each_cut(all, s.name, codec, s.bytes);
    growth::check_each_cut(all, s.name, detail::wide_codec::reading(codec), s.bytes);
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(each_cut_is_read_on_by_each_codec) {
  tally all;
  growth::check_each_cut(all, "control_escaper", control_escaper(), utf8_text);
  growth::check_each_cut(all, "all of one line", control_escaper(control_escaper::line_feeds::escape), utf8_text);
  for (const newline to : {newline::lf, newline::crlf, newline::cr})
    growth::check_each_cut(all, "convert_newlines", text_codec{changes::convert_newlines(to)}, utf8_text);
  growth::check_each_cut(all, "bytes before a change", text_codec<changes::remove_controls>(), utf8_text);
  line_rules rules;
  rules.policy = line_policy::fall_back;
  rules.fallbacks = {encoding::windows1252};
  const line_sorter sorter(transcoder::decoding(encoding::utf8, params()), rules);
  growth::check_each_cut(all, "line_sorter", sorter, utf8_text);
  all.summary();
}

// A text that has failed, or has ended at an error, goes on after a seek from before that error, if the end is the
// reason.
BOOST_AUTO_TEST_CASE(what_a_cut_character_has_ended_goes_on_after_a_seek) {
  const std::string bytes = "a\u3042\r\n\U0001F600.";
  for (const on_error policy : {on_error::strict, on_error::stop})
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut)
      for (const bool moves : {false, true}) {
        growth::reader<transcoder> r(bytes.substr(0, cut), transcoder::decoding(encoding::utf8, params()), policy);
        const std::string first = growth::rest(r.in);
        r.source << bytes.substr(cut);
        r.in.clear();
        const bool is_cut = r.in.report().errors != 0;
        if (is_cut) BOOST_TEST(growth::rest(r.in) == "");
        r.in.clear();
        r.in.seekg(moves ? 0 : static_cast<std::streamoff>(first.size()));
        BOOST_TEST(growth::rest(r.in) == (moves ? bytes : bytes.substr(first.size())));
        BOOST_TEST(r.in.report().errors == 0u);
      }
}

/// A codec that cannot be copied in the middle of a text, as if there were no memory.
struct rare_codec : transcoder {
  rare_codec() : transcoder(transcoder::decoding(encoding::utf8, params())) {}
  rare_codec(const rare_codec& other) : transcoder(other) {
    if (position().offset != 0) throw std::bad_alloc();
  }
  rare_codec& operator=(const rare_codec&) = default;
};

BOOST_AUTO_TEST_CASE(a_codec_that_cannot_be_copied_at_the_end_reads_all_again) {
  for (int way = 0; way < 4; ++way) {
    growth::reader<rare_codec> r("one\n\xE3\x81", rare_codec(), on_error::replace);
    BOOST_TEST(growth::rest(r.in) == "one\n\uFFFD");
    r.source << "\x82two\n";
    BOOST_TEST(growth::read_on(r.in, way) == "\u3042two\n");
    BOOST_TEST(r.in.report().errors == 0u);
  }
}

BOOST_AUTO_TEST_CASE(after_a_seek_back_no_old_text_is_read_again) {
  const files::temporary_file file("text \xE2\x82");
  ifstream in(file.path(), on_error::replace);
  BOOST_TEST(rest(in) == "text \uFFFD");
  files::append(file.path(), "\xAC.");
  in.clear();
  in.seekg(5);
  BOOST_TEST(rest(in) == "\u20AC.");
  BOOST_TEST(in.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(a_text_that_ended_inside_a_character_can_be_read_again) {
  const files::temporary_file file("text \xE2\x82");
  ifstream in(file.path());
  BOOST_CHECK_THROW(rest(in), utf_error);
  files::append(file.path(), "\xAC.");
  in.clear();
  BOOST_CHECK_THROW(rest(in), utf_error);  // an error stays until the stream seeks
  in.clear();
  in.seekg(5);
  BOOST_TEST(rest(in) == "\u20AC.");
  const files::temporary_file stopped("p\xFFq");
  ifstream stops(stopped.path(), on_error::stop);
  BOOST_TEST(rest(stops) == "p");
  files::append(stopped.path(), "r");
  stops.clear();
  BOOST_TEST(rest(stops) == "");
}

BOOST_AUTO_TEST_CASE(observers_see_the_errors_before_an_end_between_characters_once) {
  const files::temporary_file file("a\xFF\nb\n");
  int calls = 0;
  params p = with(on_error::replace);
  p.observer = [&](const error_info&) { ++calls; };
  ifstream in(file.path(), p);
  rest(in);
  files::append(file.path(), "c\xFF\n");
  BOOST_TEST(read_on(in, 0) == "c\uFFFD\n");
  BOOST_TEST(calls == 2);
  BOOST_TEST(in.report().last_error->line == 3u);
}

BOOST_AUTO_TEST_CASE(wide_streams_and_those_of_other_codecs_go_on_too) {
  const files::temporary_file file("a\xE2\x82");
  wifstream wide(file.path(), on_error::replace);
  const auto rest_of = [](std::wistream& in) { return std::wstring(std::istreambuf_iterator<wchar_t>(in), {}); };
  BOOST_TEST((rest_of(wide) == L"a\uFFFD"));
  files::append(file.path(), "\xAC.");
  wide.clear();
  BOOST_TEST((rest_of(wide) == L"\u20AC."));
  wide.clear();
  wide.seekg(1);
  BOOST_TEST((rest_of(wide) == L"\u20AC."));
  files::append(file.path(), "!");
  wide.clear();
  wide.seekg(3);
  BOOST_TEST((rest_of(wide) == L"!"));

  const files::temporary_file other("a\r");
  codec_ifstream escaped(other.path(), control_escaper());
  BOOST_TEST(rest(escaped) == "a\\x0D");
  files::append(other.path(), "b\r");
  BOOST_TEST(read_on(escaped, 0) == "b\\x0D");
  BOOST_TEST(read_on(escaped, 1) == "");
}

// A source that cannot seek may be a terminal, which waits if it is asked again.
BOOST_AUTO_TEST_CASE(the_end_of_a_source_that_cannot_seek_is_final) {
  struct growing : std::streambuf {
    std::string text = "a";
    int asked = 0;
    int_type underflow() override {
      ++asked;
      if (text.empty()) return traits_type::eof();
      piece = std::exchange(text, "");
      setg(piece.data(), piece.data(), piece.data() + piece.size());
      return traits_type::to_int_type(piece[0]);
    }
    std::string piece;
  };
  growing source;
  istream in(source);
  BOOST_TEST(rest(in) == "a");
  source.text = "b";
  in.clear();
  BOOST_TEST(rest(in) == "");
  BOOST_TEST(source.asked == 2);
}

}  // namespace
