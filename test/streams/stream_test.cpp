// stream_test.cpp: utfilter::istream and ostream over any other stream. Text, errors and counts are the same however
// the other stream delivers or takes bytes, and however the program reads or writes. Nothing waits without need,
// nothing is lost, and four characters can be put back.
// build: optimised
#define BOOST_TEST_MODULE stream
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance_rows.hpp"
#include "support/conversation.hpp"
#include "support/counting_new.hpp"
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/stream.hpp>
#include <utfilter/text.hpp>

#include <unistd.h>

#include <ext/stdio_filebuf.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace conformance;
using namespace conversation;
using namespace streambufs;
using namespace std::string_literals;
using devices::in_pieces;
using devices::watchdog;
using utfilter::params;

using traits = std::char_traits<char>;

// The stream buffers cannot be copied or moved: they point into their own memory, and streams point to them.
static_assert(!std::is_copy_constructible_v<utfilter::codec_istreambuf<utfilter::transcoder>> &&
              !std::is_move_constructible_v<utfilter::codec_istreambuf<utfilter::transcoder>>);
static_assert(!std::is_copy_constructible_v<utfilter::codec_ostreambuf<utfilter::transcoder>> &&
              !std::is_move_constructible_v<utfilter::codec_ostreambuf<utfilter::transcoder>>);

using texts::euro;

//-------------------------------------------------------------------------------------------------------------- readers

/// Reads with exceptions(badbit) until the end or an exception, and appends the text to `got`. `size` is the length of
/// that text: a bulk read that throws does not say how much it has read.
using read_function = std::function<void(std::istream& in, std::string& got, std::size_t size)>;
struct reader {
  std::string name;
  bool prompt;  // `got` is up to date whenever the reader asks for more
  read_function read;
};

/// Reads n characters in bulk. Returns false at the end.
template <class Read>
bool bulk(std::string& got, std::size_t size, std::size_t n, Read read) {
  std::string buffer(n, '\x5A');
  try {
    const auto count = static_cast<std::size_t>(read(&buffer[0], static_cast<std::streamsize>(n)));
    got.append(buffer, 0, count);
    return count == n;
  } catch (...) {
    got.append(buffer, 0, std::min(n, size - got.size()));
    throw;
  }
}

void put_back(std::istream& in, std::string& got, std::size_t n) {
  for (; n != 0 && !got.empty(); --n, got.pop_back()) {
    const char last = got.back();
    if (!(n % 2 ? in.unget() : in.putback(last))) throw std::logic_error("cannot be put back");
    if (in.peek() != traits::to_int_type(last)) throw std::logic_error("another character was put back");
  }
}

void read_mixed(std::istream& in, std::string& got, std::size_t size, unsigned seed) {
  constexpr std::size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 64, 1000, 4096, 65536, 100'000};
  std::minstd_rand random(seed);
  std::size_t furthest = 0;
  while (in.good()) {
    const std::size_t n = sizes[random() % std::size(sizes)];
    furthest = std::max(furthest, got.size());
    switch (random() % 9) {
      case 0: in.peek(); break;
      case 1: put_back(in, got, std::min(random() % 5, 4 - (furthest - got.size()))); break;
      case 2: bulk(got, size, n, [&](char* s, std::streamsize k) { return in.read(s, k).gcount(); }); break;
      case 3: bulk(got, size, n, [&](char* s, std::streamsize k) { return in.readsome(s, k); }); break;
      case 4: bulk(got, size, n, [&](char* s, std::streamsize k) { return in.rdbuf()->sgetn(s, k); }); break;
      case 5: in.rdbuf()->in_avail(); break;
      case 6: {
        std::string line;
        try {
          if (std::getline(in, line)) got += in.eof() ? line : line + '\n';
        } catch (...) {
          got += line;
          throw;
        }
        break;
      }
      default:
        if (const int c = in.get(); c != traits::eof()) got += traits::to_char_type(c);
    }
  }
}

std::vector<reader> readers() {
  std::vector<reader> all{
      {"get", true,
       [](std::istream& in, std::string& got, std::size_t) {
         for (char c; in.get(c);) got += c;
       }},
      {"sbumpc", true,
       [](std::istream& in, std::string& got, std::size_t) {
         for (int c; (c = in.rdbuf()->sbumpc()) != traits::eof();) got += traits::to_char_type(c);
       }},
      {"istreambuf_iterator", true,
       [](std::istream& in, std::string& got, std::size_t) {
         for (std::istreambuf_iterator<char> i(in), end; i != end; ++i) got += *i;
       }},
      {"readsome", true,
       [](std::istream& in, std::string& got, std::size_t size) {
         while (in.peek() != traits::eof()) {
           const std::streamsize there = in.rdbuf()->in_avail();
           if (there < 1) throw std::logic_error("in_avail knows less than peek");
           const std::size_t before = got.size();
           bulk(got, size, 3, [&](char* s, std::streamsize n) { return in.readsome(s, n); });
           if (got.size() - before != std::min<std::size_t>(3, static_cast<std::size_t>(there)))
             throw std::logic_error("readsome read less than in_avail promised");
         }
       }},
      {"getline", false,
       [](std::istream& in, std::string& got, std::size_t) {
         std::string line;
         try {
           while (std::getline(in, line)) got += in.eof() ? line : line + '\n';
         } catch (...) {
           got += line;
           throw;
         }
       }},
  };
  for (const std::size_t n : {1u, 2u, 3u, 7u, 64u, 4096u, 100'000u}) {
    all.push_back({"read " + std::to_string(n), false, [n](std::istream& in, std::string& got, std::size_t size) {
                     while (bulk(got, size, n, [&](char* s, std::streamsize k) { return in.read(s, k).gcount(); }))
                       continue;
                   }});
  }
  for (unsigned seed = 1; seed <= 4; ++seed) {
    all.push_back({"mixed " + std::to_string(seed), false,
                   [seed](std::istream& in, std::string& got, std::size_t size) { read_mixed(in, got, size, seed); }});
  }
  return all;
}

outcome reference_of(const setup& s, std::string_view input, bool writing = false, bool ends = true) {
  return from_reference(reference::converter(to_reference(s), input, writing, ends).result());
}

std::string text_of_difference(const outcome& expected, const outcome& got) {
  if (expected.output.size() < 1000) return "\n  expected " + text_of(expected) + "\n  got      " + text_of(got);
  const auto at = std::mismatch(expected.output.begin(), expected.output.end(), got.output.begin(), got.output.end());
  const std::string tail = got.output.substr(got.output.size() - std::min<std::size_t>(60, got.output.size()));
  return "\n  differs at " + std::to_string(at.first - expected.output.begin()) + " of " +
         std::to_string(expected.output.size()) + " and " + std::to_string(got.output.size()) + " (..." + tail +
         "), thrown " + text_of(expected.thrown) + " and " + text_of(got.thrown);
}

/// Reads one cut of the input through one stream. Returns a complaint, or an empty string.
std::string try_reading(const setup& s, const std::string& input, const outcome& expected, const pieces& cut, area how,
                        const reader& reads) {
  outcome got;
  std::string complaint;
  pieces_streambuf source(cut, how);
  params p = s.params;
  p.observer = [&](const error_info& e) { got.observed.push_back(e); };
  if (reads.prompt && input.size() < 100) {
    source.before_waiting = [&] {
      const outcome decided = reference_of(s, std::string_view(input).substr(0, source.delivered), false, false);
      if (complaint.empty() && got.output != decided.output)
        complaint = "waits after <" + to_hex(got.output) + ">, not after <" + to_hex(decided.output) + '>';
    };
  }
  utfilter::istream in(source, s.text, p);
  in.exceptions(std::ios::badbit);
  try {
    reads.read(in, got.output, expected.output.size());
  } catch (...) {
    note_failure(got, std::current_exception());
    if (!in.bad() && reads.name != "sbumpc" && reads.name != "istreambuf_iterator" &&
        reads.name.substr(0, 5) != "mixed")
      complaint = "threw without badbit";
  }
  got.report = in.report();
  if (!same(got, expected)) return text_of_difference(expected, got);
  // Further reads must give the same end or error.
  for (const bool direct : {true, false}) {
    bool more = false;
    const auto error = caught<utfilter::utf_error>([&] {
      in.clear();
      more = (direct ? in.rdbuf()->sbumpc() : in.get()) != traits::eof();
    });
    if (more) return "something followed the end";
    if (!same_error(error ? std::optional(error->info()) : std::nullopt, expected.thrown))
      return "a further read gave another end or error";
  }
  got.report = in.report();
  if (!same(got, expected)) return "the report changed after the end";
  if (source.ends > 1) return "the source was read again after its end";
  return complaint;
}

void check_reading(const setup& s, const std::string& input, const std::vector<pieces>& cuts,
                   const std::vector<reader>& with) {
  const outcome expected = reference_of(s, input);
  std::string why;
  for (const pieces& cut : cuts)
    for (const area how : areas)
      for (const reader& reads : with) {
        if (!brief::takes_next()) continue;
        why = try_reading(s, input, expected, cut, how, reads);
        if (why.empty()) continue;
        BOOST_ERROR(reads.name << " of " << area_names[static_cast<int>(how)] << ", " << text_of(s) << ", "
                               << (input.size() < 100 ? text_of(cut) : std::to_string(cut.size()) + " pieces") << ": "
                               << why);
        return;
      }
  BOOST_TEST(why.empty());
}

//-------------------------------------------------------------------------------------------------------------- writers

/// A way to write a piece.
struct writer {
  const char* name;
  void (*write)(std::ostream& out, const std::string& text);
};
const writer writers[] = {
    {"write",
     [](std::ostream& out, const std::string& s) { out.write(s.data(), static_cast<std::streamsize>(s.size())); }},
    {"put",
     [](std::ostream& out, const std::string& s) {
       for (const char c : s) out.put(c);
     }},
    {"<<", [](std::ostream& out, const std::string& s) { out << s; }},
    {"write and put",
     [](std::ostream& out, const std::string& s) {
       if (!s.empty()) out.put(s.front());
       if (s.size() > 2) out.write(s.data() + 1, static_cast<std::streamsize>(s.size() - 2));
       if (s.size() > 1) out.rdbuf()->sputc(s.back());
     }},
    {"iterator", [](std::ostream& out,
                    const std::string& s) { std::copy(s.begin(), s.end(), std::ostreambuf_iterator<char>(out)); }},
};

/// A kind of sink, with a put area or without.
struct sink_kind {
  const char* name;
  std::size_t put_area;
  std::size_t takes_at_most;
};
constexpr sink_kind sink_kinds[] = {
    {"plain", 0, everything}, {"area of 5", 5, everything}, {"one byte at a time", 0, 1}};

std::string try_writing(const setup& s, const std::string& input, const outcome& expected,
                        const std::vector<std::size_t>& boundaries, const pieces& cut, const sink_kind& kind,
                        const writer& writes, bool flushing) {
  outcome got;
  std::string complaint;
  recording_streambuf sink(kind.put_area);
  sink.takes_at_most = kind.takes_at_most;
  params p = s.params;
  p.observer = [&](const error_info& e) { got.observed.push_back(e); };
  utfilter::ostream out(sink, s.text, p);
  std::size_t written = 0;
  for (const pieces& variant : {cut, pieces{""}})
    for (const std::string& piece : variant) {
      try {
        writes.write(out, piece);
      } catch (const utfilter::utf_error&) {  // a writer that calls the buffer directly gets the buffer's exception
        out.setstate(std::ios::badbit);
      }
      if (flushing) out.flush();
      written += piece.size();
      const outcome decided = reference_of(s, std::string_view(input).substr(0, written), true, false);
      if (out.good() == decided.thrown.has_value())
        return decided.thrown ? "an error was not reported" : "the stream is bad without an error";
      if (kind.put_area != 0 && (!flushing || decided.thrown)) continue;
      if (sink.text != decided.output)
        return "there was <" + to_hex(sink.text) + ">, not <" + to_hex(decided.output) + '>';
    }
  try {
    out.close();
    if (!expected.thrown && !out.good()) complaint = "bad after close";
  } catch (...) {
    note_failure(got, std::current_exception());
    if (!out.bad()) complaint = "closing threw, and the stream is not bad";
  }
  sink.pubsync();  // after an error the sink's own put area may hold text
  got.output += sink.text;
  got.report = out.report();
  if (!same(got, expected)) return text_of_difference(expected, got);
  const bool whole_pieces =
      kind.put_area == 0 && kind.takes_at_most == everything && s.params.on_error != on_error::keep;
  if (whole_pieces) {
    std::size_t at = 0;
    for (const std::string& piece : sink.writes) {
      at += piece.size();
      if (!std::binary_search(boundaries.begin(), boundaries.end(), at))
        return "a piece did not end with a whole character";
    }
  }
  if (kind.put_area == 0) {
    out.clear();
    out.close();  // must write nothing more
    if (sink.text != expected.output) return "closing a second time wrote again";
  }
  return complaint;
}

void check_writing(const setup& s, const std::string& input) {
  const reference::converter whole(to_reference(s), input, true, true);
  const outcome expected = from_reference(whole.result());
  for (const pieces& cut : every_cut(input))
    for (const sink_kind& kind : sink_kinds)
      for (const writer& writes : writers) {
        if (!brief::takes_next()) continue;
        for (const bool flushing : {false, true}) {
          const std::string why = try_writing(s, input, expected, whole.boundaries(), cut, kind, writes, flushing);
          if (why.empty()) continue;
          BOOST_ERROR(writes.name << " to " << kind.name << (flushing ? ", flushed, " : ", ") << text_of(s) << ", "
                                  << text_of(cut) << ": " << why);
          return;
        }
      }
}

/// The input in one piece, in two pieces cut at every place, and in single bytes.
std::vector<pieces> cuts_in_two(const std::string& text) {
  std::vector<pieces> cuts{{text}, in_pieces(text, 1)};
  for (std::size_t i = 1; i < text.size(); ++i) cuts.push_back({text.substr(0, i), text.substr(i)});
  return cuts;
}

pieces random_pieces(const std::string& text, unsigned seed, std::size_t longest) {
  std::minstd_rand random(seed);
  pieces cut;
  for (std::size_t at = 0; at < text.size(); at += cut.back().size())
    cut.push_back(text.substr(at, 1 + random() % longest));
  return cut;
}

std::vector<tree> rows_that_decode() {
  std::vector<tree> rows = rows_of("decode.jsonl");
  for (const tree& row : rows_of("web_decode.jsonl")) rows.push_back(row);
  return rows;
}

/// A long text: inputs of the rows that decode `from`, chosen at random. If `well_formed`, only well-formed inputs are
/// chosen.
std::string long_text(encoding from, bool well_formed, unsigned seed) {
  static const std::vector<tree> rows = rows_that_decode();
  std::vector<std::string> inputs;
  for (const bool any : {false, true}) {  // if no row decodes this encoding, the inputs of any rows serve
    for (const tree& row : rows) {
      const setup s = setup_of(row);
      if ((!any && s.text != from) || s.params.on_error == on_error::keep) continue;
      const std::string input = from_hex(row.get<std::string>("input"));
      const setup checked{filter_kind::decoder, from, with(on_error::strict)};
      if (!well_formed || !reference_of(checked, input).thrown) inputs.push_back(input);
    }
    if (!inputs.empty()) break;
  }
  BOOST_TEST_REQUIRE(!inputs.empty());
  std::minstd_rand random(seed);
  std::string text;
  while (text.size() < 20'000) text += inputs[random() % inputs.size()];
  return text;
}

//-------------------------------------------------------------------------------------------------------------- reading

BOOST_AUTO_TEST_CASE(reading_follows_the_tables_however_the_text_is_delivered_and_read) {
  const std::vector<reader> all = readers();
  for (const char* const file : {"decode.jsonl", "extra_decode.jsonl", "web_decode.jsonl"})
    for (const tree& row : rows_of(file)) {
      const setup s = setup_of(row);
      const std::string input = from_hex(row.get<std::string>("input"));
      BOOST_TEST_CONTEXT(row.get<std::string>("id")) {
        check_reading(s, input, cuts_in_two(input), all);
        check_reading(s, input, every_cut(input), {all[0], all[4], all.back()});
      }
    }
}

BOOST_AUTO_TEST_CASE(long_texts_read_the_same_however_they_are_cut_and_read) {
  const std::vector<reader> all = readers();
  for (const encoding from : conformance::known_encodings)
    for (const on_error policy : {on_error::replace, on_error::escape, on_error::skip}) {
      if (policy != on_error::replace && from != encoding::utf16le) continue;
      const std::string text = long_text(from == encoding::detect ? encoding::utf8 : from, false, 1);
      const setup s{filter_kind::decoder, from, with(policy)};
      check_reading(s, text, {{text}, random_pieces(text, 1, 9), random_pieces(text, 2, 9000)}, all);
    }
}

BOOST_AUTO_TEST_CASE(the_text_before_an_error_arrives_wherever_the_error_is) {
  const std::vector<reader> all = readers();
  for (const std::size_t size : {0u, 1u, 4095u, 4096u, 4097u, 8192u, 16385u, 40'000u}) {
    const std::string text = std::string(size, 'x') + '\xFF' + "behind";
    for (const on_error policy : {on_error::strict, on_error::stop})
      check_reading({filter_kind::decoder, encoding::utf8, with(policy)}, text, {{text}, random_pieces(text, 1, 5000)},
                    all);
    setup limited{filter_kind::decoder, encoding::detect, with(on_error::replace)};
    limited.params.error_limit = 1;
    const std::string two = '\xFF' + text;
    check_reading(limited, two, {{two}, random_pieces(two, 1, 5000)}, all);
    const std::string half = std::string(size, 'x') + "\xE2\x82";
    check_reading({filter_kind::decoder, encoding::utf8, {}}, half, {{half}, random_pieces(half, 1, 5000)}, all);
  }
}

BOOST_AUTO_TEST_CASE(without_exceptions_badbit_reports_an_error_after_the_text_before_it) {
  std::istringstream text("good\nprefix\xFFlost");
  utfilter::istream in(text);
  std::string line;
  BOOST_TEST(std::getline(in, line).good());
  BOOST_TEST(line == "good");
  std::getline(in, line);
  BOOST_TEST(line == "prefix");
  BOOST_TEST(in.bad());
  BOOST_TEST(in.report().first_error->offset == 11u);
  in.clear();
  BOOST_TEST(in.get() == traits::eof());
  BOOST_TEST(in.bad());
  BOOST_CHECK_THROW(in.exceptions(std::ios::badbit), std::ios::failure);
}

BOOST_AUTO_TEST_CASE(copying_the_buffer_into_a_stream_copies_the_text_before_an_error) {
  std::istringstream text("prefix\xFFlost");
  utfilter::istream in(text);
  std::ostringstream copy;
  copy << in.rdbuf();
  BOOST_TEST(copy.str() == "prefix");
  BOOST_TEST(copy.fail());
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_source_arrives_after_the_text_it_delivered) {
  const std::string text = "a\u20AC\n\xF0\x9F\x98\x80z\xC3\xA4" + std::string(20, 'y');
  for (const area how : areas)
    for (const std::size_t size : {1u, 2u, 5u, 100u})
      for (std::size_t n = 1; n < 50; ++n)
        for (const reader& reads : readers()) {
          BOOST_TEST_CONTEXT(reads.name << " of " << area_names[static_cast<int>(how)] << ", " << size << ", call "
                                        << n) {
            // How many bytes arrive before call n depends on the kind of source. A reader of single bytes finds out.
            std::string expected;
            {
              pieces_streambuf source(in_pieces(text, size), how);
              source.throws_at = n;
              utfilter::istream in(source);
              thrown_by<device_failure>([&] {
                for (int c; (c = in.rdbuf()->sbumpc()) != traits::eof();) expected += traits::to_char_type(c);
              });
              const setup s{filter_kind::decoder, encoding::detect, {}};
              BOOST_TEST(expected ==
                         reference_of(s, std::string_view(text).substr(0, source.delivered), false, false).output);
            }
            pieces_streambuf source(in_pieces(text, size), how);
            source.throws_at = n;
            utfilter::istream in(source);
            in.exceptions(std::ios::badbit);
            std::string got;
            const auto failure = caught<device_failure>([&] { reads.read(in, got, expected.size()); });
            BOOST_TEST(text.compare(0, got.size(), got) == 0);
            if (!failure) continue;  // the text ended before call n
            BOOST_TEST((source.fetches >= n));
            const std::size_t calls = source.fetches;
            in.clear();
            BOOST_CHECK_THROW(in.get(), device_failure);
            BOOST_CHECK_THROW(in.rdbuf()->sgetc(), device_failure);
            BOOST_TEST(source.fetches == calls);  // the broken source is not called again
          }
        }
}

BOOST_AUTO_TEST_CASE(the_text_has_failed_for_good_once_the_source_has_thrown) {
  struct broken_once : pieces_streambuf {
    using pieces_streambuf::pieces_streambuf;
    int_type underflow() override {
      if (++calls == 2) throw device_failure("once");
      return pieces_streambuf::underflow();
    }
    int calls = 0;
  };
  broken_once source({"ab", "cd"}, area::piece);
  utfilter::istream in(source);
  std::string line;
  std::getline(in, line);
  BOOST_TEST(line == "ab");
  BOOST_TEST(in.bad());
  for (int i = 0; i < 2; ++i) {
    in.clear();
    BOOST_TEST(in.get() == traits::eof());
    BOOST_TEST(in.bad());
  }
  BOOST_CHECK_THROW(in.rdbuf()->in_avail(), device_failure);
}

BOOST_AUTO_TEST_CASE(a_replacement_longer_than_the_buffer_arrives_once_however_it_is_read) {
  params p = with(on_error::replace);
  for (int i = 0; i < 3000; ++i) p.replacement += euro;
  const std::string text = "a\xC3z\xE2\x82z\xFFxy";
  const setup s{filter_kind::decoder, encoding::utf8, p};
  check_reading(s, text, {{text}, in_pieces(text, 1)}, readers());
  for (const area how : areas) {
    pieces_streambuf source(in_pieces(text, 3), how);
    utfilter::istream in(source, p);
    std::string got;
    for (int c; (c = in.get()) != traits::eof(); in.rdbuf()->in_avail()) got += traits::to_char_type(c);
    BOOST_TEST((got == reference_of(s, text).output), area_names[static_cast<int>(how)]);
  }
}

BOOST_AUTO_TEST_CASE(an_observer_that_throws_fails_the_text_like_an_error) {
  struct stop_it {};
  for (const reader& reads : readers()) {
    BOOST_TEST_CONTEXT(reads.name) {
      std::istringstream text("pq\xFFrs\xFFtu");
      params p = with(on_error::replace);
      int calls = 0;
      p.observer = [&](const error_info&) {
        if (++calls == 2) throw stop_it();
      };
      utfilter::istream in(text, p);
      in.exceptions(std::ios::badbit);
      std::string got;
      BOOST_CHECK_THROW(reads.read(in, got, 7), stop_it);
      BOOST_TEST(got == "pq\uFFFDrs");
      in.clear();
      BOOST_CHECK_THROW(in.get(), stop_it);
      BOOST_TEST(calls == 2);
      BOOST_TEST(in.report().errors == 2u);
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes_are_decoded_from_the_get_area_of_the_source_without_a_copy) {
  const std::string text = long_text(encoding::utf8, true, 1);
  for (const std::size_t n : {1u, 100u, 100'000u}) {
    pieces_streambuf source(in_pieces(text, 5000));
    utfilter::istream in(source, with(on_error::replace));
    std::string buffer(n, '\0');
    while (in.read(&buffer[0], static_cast<std::streamsize>(n))) continue;
    BOOST_TEST(in.report().bytes_in == text.size());
    BOOST_TEST(source.bulk_reads == 0u);  // a bulk read would copy once more
  }
}

BOOST_AUTO_TEST_CASE(in_avail_and_readsome_do_not_wait) {
  for (const area how : {area::piece, area::byte, area::none, area::told}) {
    pieces_streambuf source({"p", "\xC3", "\xA4q", "\u20ACr\xE2", "\x82\xAC"}, how);
    utfilter::istream in(source);
    std::size_t waits = 0;
    source.before_waiting = [&] { ++waits; };
    std::string got;
    for (int i = 0; i < 12; ++i) {
      const std::size_t before = waits;
      char s[10];
      const std::streamsize there = in.rdbuf()->in_avail();
      const std::streamsize n = in.readsome(s, sizeof s);
      BOOST_TEST(waits == before);
      BOOST_TEST(n == std::max<std::streamsize>(there, 0));
      got.append(s, static_cast<std::size_t>(n));
      BOOST_TEST(in.good());
      char c;
      if (in.rdbuf()->sgetc() == traits::eof()) break;
      in.get(c);
      got += c;
    }
    BOOST_TEST(got == "p\u00E4q\u20ACr\xE2\x82\xAC");
  }
}

BOOST_AUTO_TEST_CASE(in_avail_counts_a_single_byte) {
  pieces_streambuf source({"ab"}, area::told);
  utfilter::istream in(source);
  BOOST_TEST(in.get() == 'a');
  BOOST_TEST(in.rdbuf()->in_avail() == 1);
}

//------------------------------------------------------------------------------------------------------------- put back

/// Puts characters back and reads them again at the present place: `before` was read, `after` follows. Returns a
/// complaint, or an empty string.
std::string try_putting_back(std::istream& in, std::string_view before, std::string_view after) {
  const std::size_t most = std::min<std::size_t>(4, before.size());
  for (std::size_t n = 1; n <= most; ++n)
    for (const bool different : {false, true}) {
      for (std::size_t i = 1; i <= n; ++i) {
        const char was = before[before.size() - i];
        const char now = different ? '~' : was;
        const bool done = different || i % 2 != 0 ? in.rdbuf()->sputbackc(now) == traits::to_int_type(now)
                                                  : in.rdbuf()->sungetc() == traits::to_int_type(was);
        if (!done) return "only " + std::to_string(i - 1) + " can be put back";
        if (in.rdbuf()->sgetc() != traits::to_int_type(now)) return "the next character is not the one put back";
      }
      if (in.rdbuf()->in_avail() < static_cast<std::streamsize>(n))
        return "in_avail does not count the characters put back";
      for (std::size_t i = n; i >= 1; --i) {
        const char now = different ? '~' : before[before.size() - i];
        if (in.rdbuf()->sbumpc() != traits::to_int_type(now)) return "a character put back is not read again";
      }
      if (different) {  // restore the original characters
        for (std::size_t i = 1; i <= n; ++i) in.rdbuf()->sputbackc(before[before.size() - i]);
        for (std::size_t i = 1; i <= n; ++i) in.rdbuf()->sbumpc();
      }
    }
  const int next = in.rdbuf()->sgetc();
  return next == (after.empty() ? traits::eof() : traits::to_int_type(after.front())) ? "" : "something else follows";
}

BOOST_AUTO_TEST_CASE(four_characters_can_be_put_back_everywhere) {
  std::string text;
  for (std::size_t i = 0; i < 20'000 / brief::nth; ++i)
    text += std::to_string(i) + (i % 7 ? euro : "\n\xF0\x9F\x98\x80");
  for (const area how : areas)
    for (const std::size_t piece : {1u, 3u, 5000u, 1'000'000u}) {
      if (how == area::none && piece == 5000) continue;
      for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 64u, 4096u, 8192u, 16384u, 65536u, 100'000u}) {
        const std::size_t whole = n < 64 ? 3000 / brief::nth : text.size();
        const std::string bytes = text.substr(0, whole);
        pieces_streambuf source(in_pieces(bytes, piece), how);
        utfilter::istream in(source, encoding::latin1);  // the output shows each input byte
        const std::string all = reference_of({filter_kind::decoder, encoding::latin1, {}}, bytes).output;
        std::string got;
        while (bulk(got, all.size(), n, [&](char* s, std::streamsize k) { return in.read(s, k).gcount(); })) {
          const std::string why = try_putting_back(in, got, std::string_view(all).substr(got.size()));
          if (!why.empty()) {
            BOOST_ERROR(area_names[static_cast<int>(how)] << " of " << piece << ", read " << n << ", at " << got.size()
                                                          << ": " << why);
            break;
          }
        }
        BOOST_TEST((got == all));
        in.clear();
        const std::string why = try_putting_back(in, got, "");
        BOOST_TEST(why.empty(), why);
      }
    }
}

BOOST_AUTO_TEST_CASE(four_characters_can_be_put_back_after_every_kind_of_read) {
  const std::string text = long_text(encoding::utf8, true, 3);
  for (const area how : areas)
    for (const std::size_t longest : {3u, 10'000u})
      for (unsigned seed = 1; seed <= 6; ++seed) {
        std::minstd_rand random(seed);
        pieces_streambuf source(random_pieces(text, seed, longest), how);
        utfilter::istream in(source, with(on_error::replace));
        const std::string all =
            reference_of({filter_kind::decoder, encoding::detect, with(on_error::replace)}, text).output;
        std::string got, why;
        while (why.empty() && got.size() < all.size()) {
          const std::size_t n = random() % 3 ? random() % 9 : random() % 70'000;
          std::string s(n, '\0');
          switch (random() % 6) {
            case 0: s.resize(static_cast<std::size_t>(in.readsome(&s[0], static_cast<std::streamsize>(n)))); break;
            case 1:
              s.clear();
              for (std::size_t i = n % 100; i > 0; --i)
                if (const int c = in.get(); c != traits::eof()) s += traits::to_char_type(c);
              break;
            case 2:
              if (std::getline(in, s) && !in.eof()) s += '\n';
              break;
            case 3:
              in.ignore(static_cast<std::streamsize>(n));
              s = all.substr(got.size(), n);
              break;
            default: s.resize(static_cast<std::size_t>(in.read(&s[0], static_cast<std::streamsize>(n)).gcount()));
          }
          got += s;
          in.clear();
          if (all.compare(0, got.size(), got) != 0)
            why = "another text";
          else
            why = try_putting_back(in, got, std::string_view(all).substr(got.size()));
        }
        BOOST_CHECK_MESSAGE(why.empty(), why << ", " << area_names[static_cast<int>(how)] << ", seed " << seed
                                             << ", at " << got.size());
      }
}

BOOST_AUTO_TEST_CASE(nothing_can_be_put_back_before_the_first_character) {
  std::istringstream text("ab");
  utfilter::istream in(text);
  BOOST_TEST(in.rdbuf()->sungetc() == traits::eof());
  BOOST_TEST(in.rdbuf()->sputbackc('x') == traits::eof());
  in.get();
  in.unget();
  BOOST_TEST(in.good());
  BOOST_TEST(in.rdbuf()->sungetc() == traits::eof());
  BOOST_TEST(in.get() == 'a');
  BOOST_TEST(in.get() == 'b');
}

BOOST_AUTO_TEST_CASE(characters_can_be_put_back_after_an_error_and_after_the_end) {
  for (const std::string& tail : {"\xFF"s, ""s})
    for (const std::size_t n : {1u, 3u, 100u, 100'000u}) {
      const std::string text(n, 'x');
      std::stringbuf source(text.substr(0, n - 1) + "y" + tail);
      utfilter::istream in(source);
      std::string got;
      try {
        bulk(got, n, n, [&](char* s, std::streamsize k) { return in.rdbuf()->sgetn(s, k); });
        bulk(got, n, 70'000, [&](char* s, std::streamsize k) { return in.rdbuf()->sgetn(s, k); });
      } catch (const utfilter::utf_error&) {
      }
      BOOST_TEST((got.size() == n && got.back() == 'y'));
      const std::size_t most = std::min<std::size_t>(4, n);
      for (std::size_t i = 1; i <= most; ++i) BOOST_TEST(in.rdbuf()->sungetc() == traits::to_int_type(got[n - i]));
      for (std::size_t i = most; i >= 1; --i) BOOST_TEST(in.rdbuf()->sbumpc() == traits::to_int_type(got[n - i]));
      if (tail.empty())
        BOOST_TEST(in.rdbuf()->sgetc() == traits::eof());
      else
        BOOST_CHECK_THROW(in.rdbuf()->sgetc(), utfilter::utf_error);
    }
}

//---------------------------------------------------------------------------------------------------------- interaction

void check_end(int from) {
  char more;
  BOOST_TEST(::read(from, &more, 1) == 0);
}

BOOST_AUTO_TEST_CASE(each_line_through_a_pipe_is_there_before_the_next_is_sent) {
  for (const auto encode : {texts::utf8, texts::utf16le, texts::utf16be, texts::utf32le}) {
    const watchdog guard("a pipe under utfilter::istream");
    pipe_ends there, back;
    std::thread other([&] {
      __gnu_cxx::stdio_filebuf<char> buffer(there.release_reader(), std::ios::in);
      utfilter::istream in(buffer);
      answer_lines(in, back.writer());
      back.close_writer();
    });
    converse(encode, there.writer(), back.reader());
    there.close_writer();
    other.join();
    check_end(back.reader());
  }
}

BOOST_AUTO_TEST_CASE(each_line_through_the_standard_input_is_there_before_the_next_is_sent) {
  for (const bool synchronised : {true, false})
    for (const auto encode : {texts::utf8, texts::utf16le}) {
      const watchdog guard("std::cin under utfilter::istream");
      answering_child child(synchronised, [](int to) {
        utfilter::istream in(std::cin);
        answer_lines(in, to);
        return in.bad() ? 5 : 0;
      });
      converse(encode, child.to(), child.from());
      BOOST_TEST(child.status() == 0);
      check_end(child.from());
    }
}

BOOST_AUTO_TEST_CASE(the_tied_stream_is_flushed_before_a_wait) {
  std::istringstream text("ab");
  recording_streambuf sink;
  std::ostream prompt(&sink);
  text.tie(&prompt);
  utfilter::istream in(text);
  prompt << "? ";
  char c;
  in.get(c);
  BOOST_TEST(!sink.flushed_at.empty());
}

//-------------------------------------------------------------------------------------------------------------- writing

BOOST_AUTO_TEST_CASE(encoding_follows_the_table_however_the_text_is_written_and_taken) {
  for (const char* const file : {"encode.jsonl", "web_encode.jsonl"})
    for (const tree& row : rows_of(file)) BOOST_TEST_CONTEXT(row.get<std::string>("id"))
  check_writing(setup_of(row), from_hex(row.get<std::string>("input")));
}

BOOST_AUTO_TEST_CASE(checking_follows_the_tables_however_the_text_is_written_and_taken) {
  for (const char* const file : {"decode.jsonl", "extra_decode.jsonl"})
    for (const tree& row : rows_of(file)) {
      setup s = setup_of(row);
      if (s.text != encoding::utf8) continue;
      s.kind = filter_kind::validator;
      BOOST_TEST_CONTEXT(row.get<std::string>("id")) check_writing(s, from_hex(row.get<std::string>("input")));
    }
}

BOOST_AUTO_TEST_CASE(a_strict_error_writes_the_text_before_it_and_fails_every_call_up_to_close) {
  recording_streambuf sink;
  utfilter::ostream out(sink, encoding::utf16le);
  out << "ab";
  out << "c\xFFlost";
  BOOST_TEST(out.bad());
  BOOST_TEST(sink.text == "a\0b\0c\0"s);
  for (int i = 0; i < 3; ++i) {
    out.clear();
    out << "more";
    BOOST_TEST(out.bad());
    out.clear();
    out.flush();
    BOOST_TEST(out.bad());
  }
  BOOST_TEST(sink.text == "a\0b\0c\0"s);
  out.clear();
  BOOST_CHECK_THROW(out.close(), utfilter::utf_error);
  BOOST_TEST(out.bad());
  BOOST_TEST(out.report().errors == 1u);
  BOOST_TEST(out.report().first_error->offset == 3u);

  out.clear();  // after close() a new text begins
  out << euro;
  BOOST_CHECK_NO_THROW(out.close());
  BOOST_TEST(out.good());
  BOOST_TEST(sink.text == "a\0b\0c\0\xAC\x20"s);
  BOOST_TEST(out.report().bytes_in == 3u);
  BOOST_TEST(out.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(with_exceptions_the_utf_error_itself_is_thrown) {
  std::ostringstream text;
  utfilter::ostream out(text);
  out.exceptions(std::ios::badbit);
  BOOST_CHECK_THROW(out << "pq\xFFr", utfilter::utf_error);
  BOOST_CHECK_THROW(out.rdbuf()->sputc('x'), utfilter::utf_error);
  BOOST_CHECK_THROW(out.rdbuf()->sputn("xyz", 3), utfilter::utf_error);
  BOOST_CHECK_THROW(out.rdbuf()->pubsync(), utfilter::utf_error);
  BOOST_CHECK_THROW(out.close(), utfilter::utf_error);
  BOOST_TEST(text.str() == "pq");
}

BOOST_AUTO_TEST_CASE(an_observer_that_throws_fails_the_writing) {
  struct stop_it {};
  std::ostringstream text;
  params p = with(on_error::replace);
  p.observer = [](const error_info&) { throw stop_it(); };
  {
    utfilter::ostream out(text, p);
    out << "pq\xFFr";
    BOOST_TEST(out.bad());
    BOOST_CHECK_THROW(out.close(), stop_it);
    out.clear();
    out << "s\xFF";  // the destructor ends this text
  }
  BOOST_TEST(text.str() == "pqs");
}

// Putting back only moves a pointer, which no stream buffer sees. It must not move the text.
BOOST_AUTO_TEST_CASE(an_observer_that_puts_back_changes_no_text) {
  const std::string good(4096, 'a'), more = "b\xFF" + std::string(10, 'c');
  params p = with(on_error::skip);
  utfilter::istream* in = nullptr;
  p.observer = [&](const error_info&) { in->unget(); };
  std::istringstream source(good + more);
  utfilter::istream stream(source, p);
  in = &stream;
  std::string text(good.size(), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.append(std::istreambuf_iterator<char>(stream), {});
  BOOST_TEST(text == good + "b" + std::string(10, 'c'));
}

/// Whether a std::logic_error with this part in its message has failed the text.
bool is_blamed(const utfilter::stream_report& report, const std::string& part) {
  return thrown_by<std::logic_error>([&] {
           if (report.failure) std::rethrow_exception(report.failure);
         }).find(part) != std::string::npos;
}

BOOST_AUTO_TEST_CASE(an_observer_that_writes_to_the_stream_it_observes_loses_what_it_writes) {
  const watchdog guard("an observer that writes to its stream");
  utfilter::ostream* out = nullptr;
  struct {
    void (*write)(utfilter::ostream&);
    std::size_t bytes;
  } const ways[] = {{[](utfilter::ostream& s) { s << "again"; }, 5},
                    {[](utfilter::ostream& s) { s.put('p'); }, 1},
                    {[](utfilter::ostream& s) { s.flush(); }, 0}};
  for (const auto& way : ways)
    for (const on_error policy : {on_error::replace, on_error::strict}) {
      params p = with(policy);
      p.observer = [&](const error_info&) {
        BOOST_TEST(out->report().errors == 1u);
        way.write(*out);
      };
      std::ostringstream sink;
      utfilter::ostream stream(sink, p);
      out = &stream;
      stream << "pq\xFFr";
      const bool fails = policy == on_error::strict;
      BOOST_TEST(stream.bad() == fails);
      BOOST_TEST(stream.report().lost == way.bytes + (fails ? 1 : 0));
      if (!fails) BOOST_TEST(is_blamed(stream.report(), "dropped") == (way.bytes != 0));
      if (fails)
        BOOST_CHECK_THROW(stream.close(), utfilter::utf_error);
      else
        BOOST_CHECK_NO_THROW(stream.close());
      BOOST_TEST(sink.str() == (fails ? "pq" : "pq\uFFFDr"));
    }
}

BOOST_AUTO_TEST_CASE(an_observer_that_closes_or_reads_the_stream_it_observes_fails_the_text) {
  const watchdog guard("an observer that uses its stream");
  {
    utfilter::ostream* out = nullptr;
    params p = with(on_error::replace);
    p.observer = [&](const error_info&) { BOOST_CHECK_THROW(out->close(), std::logic_error); };
    std::ostringstream sink;
    utfilter::ostream stream(sink, p);
    out = &stream;
    stream << "pq\xFFr";
    BOOST_TEST(stream.bad());
    BOOST_TEST(is_blamed(stream.report(), "its own observer"));
    BOOST_CHECK_THROW(stream.close(), std::logic_error);
    BOOST_TEST(sink.str() == "pq");
  }
  utfilter::istream* in = nullptr;
  void (*const reads[])(utfilter::istream&) = {[](utfilter::istream& s) { s.get(); },
                                               [](utfilter::istream& s) { s.peek(); },
                                               [](utfilter::istream& s) {
                                                 s.seekg(0);
                                                 s.seekg(5000);
                                               },
                                               [](utfilter::istream& s) { s.rdbuf()->in_avail(); },
                                               [](utfilter::istream& s) { s.tellg(); },
                                               [](utfilter::istream& s) { s.seekg(0); },
                                               [](utfilter::istream& s) {
                                                 std::string more(20000, ' ');
                                                 s.read(more.data(), 20000);
                                               }};
  for (const auto read : reads)
    for (const std::size_t before : {2u, 4095u, 4096u, 10000u}) {
      params p = with(on_error::replace);
      p.observer = [&](const error_info&) {
        BOOST_TEST(in->report().errors == 1u);
        read(*in);
      };
      const std::string good(before, 'p');
      std::istringstream source(good + "\xFF" + std::string(10000, 'q'));
      utfilter::istream stream(source, p);
      in = &stream;
      BOOST_CHECK_THROW(files::rest(stream), std::logic_error);
      BOOST_TEST(is_blamed(stream.report(), "its own observer"));
    }
}

BOOST_AUTO_TEST_CASE(a_flush_keeps_a_partial_character_and_close_reports_it) {
  for (const std::size_t n : {1u, 2u}) {
    recording_streambuf sink;
    {
      utfilter::ostream out(sink);
      out << "a" << euro.substr(0, n) << std::flush << std::flush;
      BOOST_TEST(out.good());
      BOOST_TEST(sink.text == "a");
      BOOST_TEST(sink.flushed_at == (std::vector<std::size_t>{1, 1}));
      if (n == 1) {
        out << euro.substr(n);
        BOOST_TEST(sink.text == "a\u20AC");
        BOOST_CHECK_NO_THROW(out.close());
      } else {
        const auto e = caught<utfilter::utf_error>([&] { out.close(); });
        BOOST_TEST((e && e->info().code == errc::incomplete_at_end));
      }
    }
    BOOST_TEST(sink.text == (n == 1 ? "a\u20AC" : "a"));
  }
}

BOOST_AUTO_TEST_CASE(a_destructor_ends_the_text_and_throws_nothing) {
  recording_streambuf sink;
  std::uint64_t errors = 0;
  params p = with(on_error::replace);
  p.observer = [&](const error_info&) { ++errors; };
  { utfilter::ostream(sink, p) << "a" << euro.substr(0, 2); }
  BOOST_TEST(sink.text == "a\xEF\xBF\xBD");
  BOOST_TEST(errors == 1u);
  { utfilter::ostream(sink) << "\xFF"; }
  recording_streambuf broken;
  broken.throws_at_write = broken.throws_at_sync = 1;
  { utfilter::ostream(broken) << "abc"; }
  { utfilter::ostream out(broken, encoding::utf16); }
}

BOOST_AUTO_TEST_CASE(a_bom_is_written_once) {
  // Every sequence of four calls that flush, end the text or write nothing; then the destructor.
  const char steps[] = {'f', 'c', 'e', 's'};
  for (const encoding to : {encoding::utf8, encoding::utf16, encoding::utf16le, encoding::utf32}) {
    const std::string feff = to == encoding::utf8      ? "\xEF\xBB\xBF"s
                             : to == encoding::utf16   ? "\xFE\xFF"s
                             : to == encoding::utf16le ? "\xFF\xFE"s
                                                       : "\0\0\xFE\xFF"s;
    for (int i = 0; i < 4 * 4 * 4 * 4; ++i) {
      recording_streambuf sink;
      {
        utfilter::ostream out(sink, to, with(on_error::strict, bom::add));
        bool closed = false;
        for (int rest = i, step = 0; step < 4; ++step, rest /= 4) {
          switch (steps[rest % 4]) {
            case 'f': out.flush(); break;
            case 'e': out << ""; break;
            case 's': out.rdbuf()->pubsync(); break;
            case 'c': out.close(); closed = true;
          }
          BOOST_TEST(sink.text == (closed ? feff : ""));
          BOOST_TEST(out.good());
        }
      }
      BOOST_TEST(sink.text == feff);
    }
    recording_streambuf sink;
    {
      utfilter::ostream out(sink, to, with(on_error::strict, bom::add));
      for (int text = 0; text < 3; ++text) {
        out.flush();
        out << 'x' << std::flush << 'y';
        out.close();
        out.close();
      }
    }
    std::string expected;
    for (int text = 0; text < 3; ++text) {
      expected += feff;
      for (const char c : {'x', 'y'}) {
        const std::size_t width = to == encoding::utf8 ? 1 : to == encoding::utf32 ? 4 : 2;
        std::string unit(width, '\0');
        unit[to == encoding::utf16le ? 0 : width - 1] = c;
        expected += unit;
      }
    }
    BOOST_TEST(sink.text == expected);
  }
}

BOOST_AUTO_TEST_CASE(text_written_to_both_streams_stays_in_order) {
  std::ostringstream text;
  utfilter::ostream out(text, encoding::latin1);
  text << "1";
  out << "\xC3\xA4";
  text << "2";
  out.put('\xC3');
  text << "3";
  out.put('\xA4');
  text << "4";
  out << std::string(20'000, 'x') << 'y';
  text << "5";
  BOOST_TEST((text.str() == "1\xE4"
                            "23\xE4"
                            "4" +
                                std::string(20'000, 'x') + "y5"));
}

BOOST_AUTO_TEST_CASE(a_gathering_buffer_keeps_the_order_and_is_emptied_by_a_flush_and_a_finish) {
  const std::string text = long_text(encoding::utf8, true, 5);
  for (const std::size_t size : {0u, 1u, 2u, 3u, 100u, 65536u})
    for (unsigned seed = 1; seed < 4; ++seed) {
      recording_streambuf sink;
      utfilter::codec_ostreambuf buffer(sink, encoding::utf8, with(on_error::strict, bom::keep), size);
      std::ostream out(&buffer);
      std::minstd_rand random(seed);
      std::size_t written = 0;
      for (const std::string& piece : random_pieces(text, seed, seed == 1 ? 9 : 9000)) {
        switch (random() % 3) {
          case 0: out << piece; break;
          case 1:
            for (const char c : piece) out.put(c);
            break;
          default: out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        }
        written += piece.size();
        if (random() % 4 != 0) continue;
        out.flush();
        const std::string_view so_far(text.data(), written);
        BOOST_TEST((sink.text == so_far.substr(0, utfilter::complete_prefix(so_far))));
      }
      BOOST_TEST(out.good());
      buffer.finish();
      BOOST_TEST((sink.text == text));
    }
}

BOOST_AUTO_TEST_CASE(overflow_without_a_character_and_sync_empty_the_gathering_buffer_and_write_nothing_else) {
  struct opened : utfilter::codec_ostreambuf<utfilter::transcoder> {
    using codec_ostreambuf::codec_ostreambuf, codec_ostreambuf::overflow;
  };
  recording_streambuf sink;
  opened buffer(sink, encoding::utf8, params(), 16);
  buffer.sputn("abc", 3);
  BOOST_TEST(sink.text.empty());
  BOOST_TEST(!traits::eq_int_type(buffer.overflow(traits::eof()), traits::eof()));
  BOOST_TEST(sink.text == "abc");
  buffer.sputc('d');
  BOOST_TEST(buffer.overflow('e') == 'e');
  BOOST_TEST(sink.text == "abcd");
  BOOST_TEST(buffer.pubsync() == 0);
  BOOST_TEST(sink.text == "abcde");
}

//--------------------------------------------------------------------------------------------------------- broken sinks

BOOST_AUTO_TEST_CASE(writing_to_a_sink_that_takes_nothing_ends_and_fails) {
  for (const std::size_t all : {0u, 1u, 5u})
    for (const writer& writes : writers) {
      recording_streambuf sink;
      sink.takes_in_all = all;
      sink.allow(12 * devices::too_many_refusals);  // each call tries again
      utfilter::ostream out(sink, encoding::utf16le);
      // A writer that calls the buffer directly gets the buffer's exception.
      const auto failure = caught<std::ios_base::failure>([&] { writes.write(out, "abcdefgh"); });
      BOOST_TEST((failure || out.bad()), writes.name);
      BOOST_TEST(sink.text == "a\0b\0c\0"s.substr(0, all));
      out.clear();
      out << "more" << std::flush;
      BOOST_TEST(out.bad());
      BOOST_TEST(sink.writes.size() >= 100u);
      BOOST_TEST(sink.writes.size() < 1200u);
      BOOST_CHECK_THROW(out.close(), std::ios_base::failure);
    }
}

BOOST_AUTO_TEST_CASE(a_sink_that_throws_from_any_write_on_is_tried_again_by_each_write_but_not_by_close) {
  for (std::size_t n = 1; n < 6; ++n) {
    recording_streambuf sink;
    sink.throws_at_write = n;
    utfilter::ostream out(sink);
    for (std::size_t i = 1; i < 9; ++i) {
      out.clear();
      out << "ab";
      BOOST_TEST(out.bad() == (i >= n));
    }
    BOOST_TEST(sink.writes.size() == 8u);
    BOOST_TEST(out.report().lost == 2 * (9 - n));
    BOOST_CHECK_THROW(out.close(), device_failure);
    BOOST_TEST(sink.writes.size() == 8u);
    sink.throws_at_write = never;
    out.clear();
    out << "again";
    BOOST_CHECK_NO_THROW(out.close());
    BOOST_TEST(sink.text.substr(2 * (n - 1)) == "again");
  }
}

BOOST_AUTO_TEST_CASE(a_failed_flush_of_the_sink_fails_the_stream) {
  for (const bool throws : {false, true}) {
    recording_streambuf sink;
    (throws ? sink.throws_at_sync : sink.refuses_at_sync) = 2;
    utfilter::ostream out(sink);
    out << "a" << std::flush;
    BOOST_TEST(out.good());
    out << "b";
    BOOST_TEST(out.good());
    out.flush();
    BOOST_TEST(out.bad());
    out.clear();
    out << "c";
    BOOST_TEST(out.good());
    out.flush();
    BOOST_TEST(out.bad());
    if (throws)
      BOOST_CHECK_THROW(out.close(), device_failure);
    else
      BOOST_CHECK_THROW(out.close(), std::ios_base::failure);

    recording_streambuf at_close;
    (throws ? at_close.throws_at_sync : at_close.refuses_at_sync) = 1;
    utfilter::ostream closing(at_close);
    closing << "a";
    if (throws)
      BOOST_CHECK_THROW(closing.close(), device_failure);
    else
      BOOST_CHECK_THROW(closing.close(), std::ios_base::failure);
    BOOST_TEST(closing.bad());
  }
}

// errno may still hold the reason of an earlier failure. That is not reported.
BOOST_AUTO_TEST_CASE(a_failure_without_a_reason_is_reported_without_one) {
  for (const bool flush : {false, true}) {
    recording_streambuf sink;
    sink.allow(2 * devices::too_many_refusals);
    if (flush)
      sink.refuses_at_sync = 1;
    else
      sink.takes_in_all = 0;
    utfilter::ostream out(sink);
    out.exceptions(std::ios::badbit);
    errno = ENOENT;
    const auto why = caught<std::ios_base::failure>([&] { out << (flush ? "" : "a") << std::flush; });
    BOOST_REQUIRE(why.has_value());
    BOOST_TEST((why->code() == std::io_errc::stream), why->what());
  }
}

BOOST_AUTO_TEST_CASE(a_stream_over_a_failed_stream_has_failed) {
  std::stringstream beneath("abc");
  beneath.setstate(std::ios::failbit);
  utfilter::istream in(beneath);
  utfilter::ostream out(beneath);
  BOOST_TEST((in.rdstate() == std::ios::failbit));
  BOOST_TEST((out.rdstate() == std::ios::failbit));
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_as_the_reason) {
  const watchdog guard("utfilter::ostream on a full disk");
  for (const std::size_t size : {1u, 100'000u})
    for (const bool flush : {false, true}) {
      BOOST_TEST_CONTEXT(size << " bytes, flush " << flush) {
        std::ofstream full("/dev/full", std::ios::binary);
        utfilter::ostream out(full, encoding::utf16);
        out << std::string(size, 'x');
        if (flush) {
          out.flush();
          BOOST_TEST(out.bad());
        }
        const auto why = caught<std::ios_base::failure>([&] { out.close(); });
        BOOST_REQUIRE(why.has_value());
        BOOST_TEST((why->code() == std::errc::no_space_on_device), why->what());
        BOOST_TEST(out.bad());
      }
    }
}

//--------------------------------------------------------------------------------------------------------- construction

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_and_streams_without_a_buffer_are_refused) {
  std::stringstream text;
  BOOST_CHECK_THROW(utfilter::istream(text, encoding::utf16, on_error::keep), std::invalid_argument);
  BOOST_CHECK_THROW(utfilter::ostream(text, encoding::detect), std::invalid_argument);
  BOOST_CHECK_THROW(utfilter::ostream(text, encoding::latin1, with(on_error::strict, bom::add)), std::invalid_argument);
  BOOST_CHECK_THROW(utfilter::istream{static_cast<std::streambuf*>(nullptr)}, std::invalid_argument);
  std::ostream none(nullptr);
  BOOST_CHECK_THROW(utfilter::ostream{none}, std::invalid_argument);
  BOOST_TEST(text.str().empty());
}

BOOST_AUTO_TEST_CASE(every_form_of_construction_does_what_it_says) {
  const std::string bytes = "a\xFF";
  std::istringstream one(bytes), two(bytes), three(bytes), four(bytes);
  std::string line;
  utfilter::istream a(one, on_error::replace), b(two, encoding::utf8, on_error::skip),
      c(three.rdbuf(), encoding::latin1), d(*four.rdbuf(), with(on_error::escape));
  const std::pair<utfilter::istream*, std::string> expected[] = {
      {&a, "a\xEF\xBF\xBD"}, {&b, "a"}, {&c, "a\xC3\xBF"}, {&d, "a\\xFF"}};
  for (const auto& [in, text] : expected) {
    BOOST_TEST(static_cast<bool>(std::getline(*in, line)));
    BOOST_TEST(line == text);
  }
  std::ostringstream w, x, y;
  utfilter::ostream(w, on_error::replace) << bytes;
  utfilter::ostream(x.rdbuf(), encoding::utf16le, on_error::replace) << bytes;
  utfilter::ostream(*y.rdbuf(), with(on_error::skip)) << bytes;
  BOOST_TEST(w.str() == "a\xEF\xBF\xBD");
  BOOST_TEST(x.str() == "a\0\xFD\xFF"s);
  BOOST_TEST(y.str() == "a");
}

BOOST_AUTO_TEST_CASE(a_moved_stream_goes_on_where_it_was) {
  std::istringstream text("abc\ndef\n\xFF");
  utfilter::istream first(text);
  first.exceptions(std::ios::badbit);
  std::string line;
  std::getline(first, line);
  first.get();
  utfilter::istream second(std::move(first));
  BOOST_TEST((second.exceptions() == std::ios::badbit));
  second.unget();
  BOOST_TEST(static_cast<bool>(std::getline(second, line)));
  BOOST_TEST(line == "def");
  BOOST_TEST(first.bad());  // a stream that was moved from is bad, but safe to use
  BOOST_TEST((first.rdbuf() == nullptr));
  const utfilter::stream_report nothing = first.report();
  BOOST_TEST(
      (!nothing.bom && nothing.bytes_in == 0 && nothing.bytes_out == 0 && nothing.lines == 0 && nothing.errors == 0));
  first.exceptions(std::ios::goodbit);
  BOOST_TEST(first.get() == traits::eof());

  std::istringstream other("other");
  utfilter::istream third(other);
  third = std::move(second);
  utfilter::istream& itself = third;
  third = std::move(itself);
  BOOST_CHECK_THROW(third.get(), utfilter::utf_error);
  BOOST_TEST(third.report().errors == 1u);
  utfilter::istream fourth(std::move(third));
  BOOST_TEST(fourth.bad());
  fourth.clear();
  BOOST_CHECK_THROW(fourth.get(), utfilter::utf_error);

  recording_streambuf sink, other_sink;
  {
    utfilter::ostream one(sink, encoding::utf8, with(on_error::strict, bom::add));
    one << "a" << euro.substr(0, 2);
    utfilter::ostream two(std::move(one));
    two << euro.substr(2);
    BOOST_TEST((one.bad() && one.rdbuf() == nullptr));
    BOOST_CHECK_NO_THROW(one.close());
    one << "lost";
    one.flush();
    utfilter::ostream three(other_sink, with(on_error::replace));
    three << "z\xC3";
    three = std::move(two);  // `three` ends its own text first
    BOOST_TEST(other_sink.text == "z\xEF\xBF\xBD");
    three << "b";
    two = std::move(three);  // and back, to a stream that was moved from
    two << "c";
  }
  BOOST_TEST(sink.text == "\uFEFFa\u20ACbc");
}

BOOST_AUTO_TEST_CASE(an_output_stream_has_no_positions) {
  std::stringstream text;
  utfilter::ostream out(text);
  out << "abc";
  BOOST_TEST((out.tellp() == std::ostream::pos_type(-1)));
  out.seekp(0);
  BOOST_TEST(out.fail());
}

//--------------------------------------------------------------------------------------------------------------- memory

/// Delivers the text `times` times.
class repeating_streambuf : public std::streambuf {
 public:
  repeating_streambuf(std::string text, std::size_t times) : text_(std::move(text)), left_(times) {}

 protected:
  int_type underflow() override {
    if (left_ == 0) return traits_type::eof();
    --left_;
    setg(&text_[0], &text_[0], &text_[0] + text_.size());
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::string text_;
  std::size_t left_;
};

BOOST_AUTO_TEST_CASE(memory_is_constant_however_long_the_text_is) {
  std::string unit;
  while (unit.size() < 100'000) unit += "line \xC3\xA4 \u20AC \xF0\x9F\x98\x80\xFF\n";
  const std::size_t times = 50'000'000 / unit.size();
  for (const std::size_t n : {7u, 4096u, 100'000u}) {
    repeating_streambuf source(unit, n == 7 ? times / 20 : times);
    null_streambuf sink;
    utfilter::istream in(source, on_error::replace);
    utfilter::ostream out(sink, encoding::utf16le);
    std::string buffer(n, '\0');
    in.read(&buffer[0], static_cast<std::streamsize>(n));
    out.write(buffer.data(), in.gcount());
    allocations = {};
    std::uint64_t all = n;
    do {
      in.read(&buffer[0], static_cast<std::streamsize>(n));
      out.write(buffer.data(), in.gcount());
      out.flush();
      all += static_cast<std::uint64_t>(in.gcount());
    } while (in);
    const auto after = allocations;
    BOOST_TEST(after.calls == 0u);
    BOOST_TEST(out.good());
    BOOST_TEST(all == in.report().bytes_out);
    BOOST_TEST(all == out.report().bytes_in);
    BOOST_TEST(in.report().bytes_in == unit.size() * (n == 7 ? times / 20 : times));
  }
}

}  // namespace
