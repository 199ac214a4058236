// foreign_codec_test.cpp: codecs that are not part of the library, written as the guide doc/codecs.md says: ISO-8859-15
// both ways, a check for ASCII that works in place, and codecs that break the rules. In codec_filter they get every
// promise that the library's own filters make, and all other adaptors give the same results.
#define BOOST_TEST_MODULE foreign_codec
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"

#include <utfilter/codec.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using devices::piecewise_source;
using devices::recording_sink;

namespace {

//---------------------------------------------------------------------------------------------------------- ISO-8859-15

/// The bytes that ISO-8859-15 maps to other characters than ISO-8859-1 does.
constexpr struct {
  unsigned char byte;
  char32_t value;
} latin9_differs[] = {{0xA4, 0x20AC}, {0xA6, 0x0160}, {0xA8, 0x0161}, {0xB4, 0x017D},
                      {0xB8, 0x017E}, {0xBC, 0x0152}, {0xBD, 0x0153}, {0xBE, 0x0178}};

char32_t latin9_value(unsigned char byte) noexcept {
  for (const auto& row : latin9_differs)
    if (row.byte == byte) return row.value;
  return byte;
}

std::size_t latin9_byte(char32_t c, char* out) noexcept {
  for (const auto& row : latin9_differs) {
    if (row.byte == c) return 0;
    if (row.value == c) {
      *out = static_cast<char>(row.byte);
      return 1;
    }
  }
  if (c > 0xFF) return 0;
  *out = static_cast<char>(static_cast<unsigned char>(c));
  return 1;
}

/// Passes a text byte by byte. `put` writes the output of a byte, at most Room bytes, and returns its size.
template <class Codec, std::size_t Room = 4>
class bytewise : public codec_base {
 public:
  static constexpr std::size_t min_output = Room;

  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    codec_progress done{0, 0, last ? codec_status::done : codec_status::need_input};
    for (; done.consumed < size; ++done.consumed) {
      if (room - done.produced < min_output) {
        done.status = codec_status::need_output;
        return done;
      }
      done.produced += static_cast<Codec*>(this)->put(in[done.consumed], out + done.produced);
    }
    return done;
  }
};

// A character of ISO-8859-15 takes at most three bytes of UTF-8, a character of a replacement four.
class latin9_to_utf8 : public bytewise<latin9_to_utf8> {
 public:
  std::size_t put(char byte, char* out) noexcept {
    const char32_t c = latin9_value(static_cast<unsigned char>(byte));
    count(c, 1);
    return encode(c, out);
  }
};

class utf8_to_latin9 : public codec_base {
 public:
  static constexpr std::size_t min_output = 1;

  utf8_to_latin9() noexcept { facts_.reads_utf8 = true; }

  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    codec_progress done{0, 0, codec_status::need_input};
    const auto stop = [&](codec_status status) {
      done.status = status;
      return done;
    };
    for (; done.consumed < size; ++done.consumed) {
      const auto byte = static_cast<unsigned char>(in[done.consumed]);
      if (carried_ == 0) {
        if (const errc code = wrong_lead(byte); code != errc{}) {
          ++done.consumed;
          note_error(code, &byte, 1);
          return stop(codec_status::malformed);
        }
      } else if (const errc code = wrong_after_lead(byte); code != errc{}) {
        // This byte is not consumed: the next call reads it as the start of a sequence.
        note_error(code, carry_.data(), std::exchange(carried_, std::size_t{0}));
        return stop(codec_status::malformed);
      }
      if (done.produced == room) return stop(codec_status::need_output);
      carry_[carried_++] = byte;
      if (carried_ < length(carry_[0])) continue;

      const std::size_t taken = std::exchange(carried_, std::size_t{0});
      const char32_t c = value(taken);
      if (encode(c, out + done.produced) == 0) {
        ++done.consumed;
        note_error(errc::unmappable, carry_.data(), taken, c);
        return stop(codec_status::malformed);
      }
      ++done.produced;
      count(c, taken);
    }
    if (!last) return stop(codec_status::need_input);
    if (carried_ == 0) return stop(codec_status::done);
    note_error(errc::incomplete_at_end, carry_.data(), std::exchange(carried_, std::size_t{0}));
    return stop(codec_status::malformed);
  }

  std::size_t encode(char32_t c, char* out) const noexcept { return latin9_byte(c, out); }

 private:
  static std::size_t length(unsigned char lead) noexcept {
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }

  static errc wrong_lead(unsigned char byte) noexcept {
    if (byte < 0x80 || (byte >= 0xC2 && byte <= 0xF4)) return errc{};
    if (byte < 0xC0) return errc::unexpected_continuation;
    if (byte < 0xC2) return errc::overlong;
    return byte < 0xF8 ? errc::out_of_range : byte < 0xFE ? errc::forbidden_length : errc::unused_byte;
  }

  /// The error of a byte after the carried bytes, by Unicode table 3-7.
  errc wrong_after_lead(unsigned char byte) const noexcept {
    if (byte < 0x80 || byte > 0xBF) return errc::truncated_sequence;
    if (carried_ != 1) return errc{};
    const unsigned char lead = carry_[0];
    if ((lead == 0xE0 && byte < 0xA0) || (lead == 0xF0 && byte < 0x90)) return errc::overlong;
    if (lead == 0xED && byte > 0x9F) return errc::surrogate;
    if (lead == 0xF4 && byte > 0x8F) return errc::out_of_range;
    return errc{};
  }

  char32_t value(std::size_t size) const noexcept {
    constexpr unsigned char lead_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
    char32_t c = carry_[0] & lead_bits[size - 1];
    for (std::size_t i = 1; i < size; ++i) c = c << 6 | (carry_[i] & 0x3F);
    return c;
  }

  std::array<unsigned char, 4> carry_{};
  std::size_t carried_ = 0;
};

using from_latin9 = codec_filter<latin9_to_utf8>;
using to_latin9 = codec_filter<utf8_to_latin9>;

static_assert(std::is_trivially_copyable_v<latin9_to_utf8> && std::is_trivially_copyable_v<utf8_to_latin9>);

//--------------------------------------------------------------------------------------------------- the facts of a run

/// All visible results of a run: the output, how the run ended, the report and the observed errors.
std::string facts(const std::string& output, const std::string& end, const stream_report& report,
                  const std::vector<error_info>& observed) {
  const auto tell = [](const error_info& e) {
    return "\n  line " + std::to_string(e.line) + ", column " + std::to_string(e.column) + ", byte " +
           std::to_string(e.offset) + ", line at " + std::to_string(e.line_offset) + ": " + e.message();
  };
  std::string text = output + end + "\n  " + std::to_string(report.bytes_in) + " bytes in, " +
                     std::to_string(report.bytes_out) + " out, " + std::to_string(report.lines) + " lines, " +
                     std::to_string(report.errors) + " errors";
  for (const error_info& each : observed) text += tell(each);
  if (report.first_error) text += "\nfirst" + tell(*report.first_error);
  if (report.last_error) text += "\nlast" + tell(*report.last_error);
  return text;
}

template <class Codec>
std::string facts_of_reading(params p, const std::vector<std::string>& pieces, std::streamsize at_once) {
  std::vector<error_info> observed;
  p.observer = [&observed](const error_info& e) { observed.push_back(e); };
  codec_filter<Codec> filter(Codec(), p);
  piecewise_source source(pieces);
  std::vector<char> buffer(static_cast<std::size_t>(at_once));
  std::string output, end = "$";
  try {
    for (std::streamsize n = 0; n >= 0; n = filter.read(source, buffer.data(), at_once))
      output.append(buffer.data(), static_cast<std::size_t>(n));
  } catch (const utf_error& error) {
    end = std::string("!") + error.what();
    BOOST_CHECK_THROW(filter.read(source, buffer.data(), at_once), utf_error);
  }
  filter.close(source, std::ios::in);
  return facts(output, end, filter.report(), observed);
}

template <class Codec>
std::string facts_of_writing(params p, const std::vector<std::string>& pieces, bool flush) {
  std::vector<error_info> observed;
  p.observer = [&observed](const error_info& e) { observed.push_back(e); };
  codec_filter<Codec> filter(Codec(), p);
  recording_sink sink;
  std::string end = "$";
  try {
    for (const std::string& piece : pieces) {
      filter.write(sink, piece.data(), static_cast<std::streamsize>(piece.size()));
      if (flush) filter.flush(sink);
    }
    filter.close(sink, std::ios::out);
  } catch (const utf_error& error) {
    end = std::string("!") + error.what();
    // close reports the error again. If close itself threw it, another close would begin a new use of the filter.
    if (filter.report().errors != 0 && filter.report().first_error->code != errc::incomplete_at_end)
      BOOST_CHECK_THROW(filter.close(sink, std::ios::out), utf_error);
  }
  return facts(sink.text(), end, filter.report(), observed);
}

/// Runs an action and returns how it ended, in the form that facts takes.
template <class Action>
std::string end_of(Action&& action) {
  const std::string why = thrown_by<utf_error>(action);
  return why.empty() ? "$" : '!' + why;
}

/// Reads to the end: `at_once` bytes in each call, or single characters if it is 0.
void read_all(std::streambuf& in, std::size_t at_once, std::string& output) {
  const auto end = std::char_traits<char>::eof();
  if (at_once == 0) {
    for (auto c = in.sbumpc(); c != end; c = in.sbumpc()) output += static_cast<char>(c);
    return;
  }
  std::vector<char> buffer(at_once);
  // If sgetn throws, the caller does not learn how many bytes it has copied. So sgetc gets the first byte, and sgetn is
  // asked for no more than in_avail.
  while (in.sgetc() != end) {
    const std::streamsize there = std::min(in.in_avail(), static_cast<std::streamsize>(at_once));
    output.append(buffer.data(), static_cast<std::size_t>(in.sgetn(buffer.data(), there)));
  }
}

/// The facts of all reading streams: over a stream buffer, over a stream, and over a file. The file is read again after
/// seeking to its start.
template <class Codec>
void check_streams_that_read(params p, const std::string& input, const std::vector<std::string>& pieces,
                             const std::string& expected) {
  std::vector<error_info> observed;
  p.observer = [&observed](const error_info& e) { observed.push_back(e); };
  const auto same = [&](const char* who, const std::string& seen) {
    BOOST_CHECK_MESSAGE(seen == expected, who << ", " << pieces.size() << " pieces: " << seen << "\nnot " << expected);
  };
  for (const auto how : streambufs::areas)
    for (const std::size_t at_once : {0u, 1u, 100u}) {
      streambufs::pieces_streambuf source(pieces, how);
      codec_istreambuf<Codec> text(source, Codec(), p);
      std::string output;
      observed.clear();
      const std::string end = end_of([&] { read_all(text, at_once, output); });
      same("codec_istreambuf", facts(output, end, text.report(), observed));
      if (end != "$") BOOST_CHECK_THROW(text.sgetc(), utf_error);  // errors stick
    }
  streambufs::pieces_streambuf source(pieces);
  codec_istream<Codec> stream(source, Codec(), p);
  std::string output;
  observed.clear();
  std::string end = end_of([&] { read_all(*stream.rdbuf(), 0, output); });
  same("codec_istream", facts(output, end, stream.report(), observed));

  const files::temporary_file file(input);
  codec_ifstream<Codec> in(file.path(), Codec(), p);
  observed.clear();
  output.clear();
  end = end_of([&] { read_all(*in.rdbuf(), 100, output); });
  same("codec_ifstream", facts(output, end, in.report(), observed));
  in.clear();
  BOOST_TEST(in.seekg(0).good());
  std::string again;
  BOOST_TEST(end_of([&] { read_all(*in.rdbuf(), 100, again); }) == end);
  BOOST_TEST(again == output);
  // Seeking to a position gives the text from that position on.
  for (std::size_t place = 0; end == "$" && place <= output.size(); ++place) {
    in.clear();
    std::string rest;
    BOOST_TEST(in.seekg(static_cast<std::streamoff>(place)).good());
    BOOST_TEST(in.tellg() == static_cast<std::streamoff>(place));
    read_all(*in.rdbuf(), 100, rest);
    BOOST_TEST(rest == output.substr(place));
  }
}

/// The facts of all writing streams.
template <class Codec>
void check_streams_that_write(params p, const std::vector<std::string>& pieces, const std::string& expected) {
  std::vector<error_info> observed;
  p.observer = [&observed](const error_info& e) { observed.push_back(e); };
  const auto same = [&](const char* who, const std::string& seen) {
    BOOST_CHECK_MESSAGE(seen == expected, who << ", " << pieces.size() << " pieces: " << seen << "\nnot " << expected);
  };
  const auto put = [&](std::ostream& out) {
    out.exceptions(std::ios::badbit);
    for (const std::string& piece : pieces) out << piece;
  };
  for (const std::size_t buffer : {0u, 1u, 3u, 100u}) {
    streambufs::recording_streambuf sink;
    codec_ostreambuf<Codec> text(sink, Codec(), p, buffer);
    std::ostream out(&text);
    observed.clear();
    std::string end = end_of([&] { put(out); });
    // Errors stick until the text is finished.
    const std::string told = end_of([&] { text.finish(); });
    BOOST_TEST((end == "$" || end == told));
    same("codec_ostreambuf", facts(sink.text, told, text.report(), observed));
  }
  streambufs::recording_streambuf sink;
  codec_ostream<Codec> stream(sink, Codec(), p);
  observed.clear();
  end_of([&] { put(stream); });
  std::string end = end_of([&] { stream.close(); });
  same("codec_ostream", facts(sink.text, end, stream.report(), observed));

  const files::temporary_file file;
  codec_ofstream<Codec> out(file.path(), Codec(), p);
  observed.clear();
  end_of([&] { put(out); });
  end = end_of([&] { out.close(); });
  same("codec_ofstream", facts(file.content(), end, out.report(), observed));

  // A scoped filter reports no error when it ends: only its output can be compared.
  streambufs::recording_streambuf scoped_sink;
  std::ostream scoped_stream(&scoped_sink);
  {
    const codec_scoped_filter<Codec> filter(scoped_stream, Codec(), p);
    end_of([&] { put(scoped_stream); });
  }
  BOOST_TEST(scoped_sink.text == expected.substr(0, scoped_sink.text.size()));
  BOOST_TEST(scoped_sink.text.size() == expected.find_first_of("$!"));
}

/// Returns the facts, after checking that they are the same for reading and writing and for every cut of the input.
template <class Codec>
std::string facts_for_every_cut(const params& p, const std::string& input) {
  const std::string whole = facts_of_reading<Codec>(p, {input}, 4096);
  for (std::size_t cut = 1; cut <= input.size() + 1; ++cut) {
    std::vector<std::string> pieces = devices::in_pieces(input, cut);
    for (const std::streamsize at_once : {1, 2, 3, 4, 5, 100}) {
      const std::string read = facts_of_reading<Codec>(p, pieces, at_once);
      BOOST_CHECK_MESSAGE(read == whole,
                          "read in pieces of " << cut << ", " << at_once << " at once: " << read << "\nnot " << whole);
    }
    check_streams_that_read<Codec>(p, input, pieces, whole);
    if (p.on_error == on_error::stop) continue;
    for (const bool flush : {false, true}) {
      const std::string written = facts_of_writing<Codec>(p, pieces, flush);
      BOOST_CHECK_MESSAGE(written == whole, "written in pieces of " << cut << ", flush " << flush << ": " << written
                                                                    << "\nnot " << whole);
    }
    check_streams_that_write<Codec>(p, pieces, whole);
  }
  return whole;
}

template <class Codec>
std::string output_for_every_cut(const params& p, const std::string& input) {
  const std::string all = facts_for_every_cut<Codec>(p, input);
  return all.substr(0, all.find("\n  "));
}

//---------------------------------------------------------------------------------------------------------- ISO-8859-15

BOOST_AUTO_TEST_CASE(every_byte_survives_decoding_and_encoding) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  recording_sink utf8, back;
  from_latin9 decode;
  to_latin9 encode;
  decode.write(utf8, every.data(), 256);
  decode.close(utf8, std::ios::out);
  BOOST_TEST(utf8.text().find("\u20AC") != std::string::npos);
  encode.write(back, utf8.text().data(), static_cast<std::streamsize>(utf8.text().size()));
  encode.close(back, std::ios::out);
  BOOST_TEST((back.text() == every));
  BOOST_TEST(decode.report().lines == 1u);
  BOOST_TEST(encode.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(decoding_is_the_same_for_every_cut) {
  BOOST_TEST(facts_for_every_cut<latin9_to_utf8>(params(), "") == "$\n  0 bytes in, 0 out, 0 lines, 0 errors");
  BOOST_TEST(facts_for_every_cut<latin9_to_utf8>(params(), "a\xA4\n\xBC\xFF") ==
             "a\u20AC\n\xC5\x92\xC3\xBF$\n  5 bytes in, 9 out, 1 lines, 0 errors");
}

BOOST_AUTO_TEST_CASE(encoding_is_the_same_for_every_cut) {
  BOOST_TEST(facts_for_every_cut<utf8_to_latin9>(params(), "") == "$\n  0 bytes in, 0 out, 0 lines, 0 errors");
  BOOST_TEST(facts_for_every_cut<utf8_to_latin9>(params(), "a\u20AC\n\xC5\x92\xC3\xBF") ==
             "a\xA4\n\xBC\xFF$\n  9 bytes in, 5 out, 1 lines, 0 errors");
}

BOOST_AUTO_TEST_CASE(a_strict_error_comes_after_all_text_before_it) {
  BOOST_TEST(facts_for_every_cut<utf8_to_latin9>(params(), "p\u20AC\nq\xE2\x82r\xFF") ==
             "p\xA4\nq!line 2, column 2 (byte 6): truncated sequence: E2 82\n  8 bytes in, 4 out, 1 lines, 1 errors"
             "\n  line 2, column 2, byte 6, line at 5: truncated sequence: E2 82"
             "\nfirst\n  line 2, column 2, byte 6, line at 5: truncated sequence: E2 82"
             "\nlast\n  line 2, column 2, byte 6, line at 5: truncated sequence: E2 82");
  BOOST_TEST(output_for_every_cut<utf8_to_latin9>(params(), "pq\u00A4r") ==
             "pq!line 1, column 3 (byte 2): the target encoding lacks U+00A4: C2 A4");
  BOOST_TEST(output_for_every_cut<utf8_to_latin9>(params(), "pq\xF0\x9F\x98") ==
             "pq!line 1, column 3 (byte 2): incomplete at the end of the input: F0 9F 98");
}

BOOST_AUTO_TEST_CASE(every_policy_is_applied) {
  // A currency sign and a Cyrillic letter, which the target lacks; a byte that UTF-8 never contains; a sequence cut
  // short by the next character; a sequence cut off by the end.
  const std::string input = "p\u00A4q\u0416r\xFFs\xE2\x82t\xE2\x82";
  const struct {
    params p;
    std::string output;
  } table[] = {
      {with(on_error::skip), "pqrst$"},
      {with(on_error::replace), "p?q?r?s?t?$"},  // the target lacks U+FFFD
      {replacing_with("<\u20AC>"), "p<\xA4>q<\xA4>r<\xA4>s<\xA4>t<\xA4>$"},
      {replacing_with("\xF0\x9F\x98\x80\xC5\x92"), "p?\xBCq?\xBCr?\xBCs?\xBCt?\xBC$"},
      {replacing_with(""), "pqrst$"},
      {with(on_error::escape), "p\\u{00A4}q\\u{0416}r\\xFFs\\xE2\\x82t\\xE2\\x82$"},
      {with(on_error::windows1252), "p?q?r\xFFs\xE2?t\xE2?$"},  // byte 82 is U+201A, which the target lacks
      {with(on_error::stop), "p$"},
      {with(on_error::strict), "p!line 1, column 2 (byte 1): the target encoding lacks U+00A4: C2 A4"},
  };
  for (const auto& row : table) BOOST_TEST(output_for_every_cut<utf8_to_latin9>(row.p, input) == row.output);

  // After two repairs the limit is reached: the third error is thrown.
  params limited = with(on_error::escape);
  limited.error_limit = 2;
  BOOST_TEST(output_for_every_cut<utf8_to_latin9>(limited, input) ==
             "p\\u{00A4}q\\u{0416}r!line 1, column 6 (byte 7): byte that no text contains: FF");
}

BOOST_AUTO_TEST_CASE(errors_have_positions_and_are_counted) {
  BOOST_TEST(
      facts_for_every_cut<utf8_to_latin9>(with(on_error::skip), "\xFF\n\n\u20AC\xED\xA0\x80x\xF4\x90\n\xF0\x9F") ==
      "\n\n\xA4x\n$\n  15 bytes in, 5 out, 3 lines, 7 errors"
      "\n  line 1, column 1, byte 0, line at 0: byte that no text contains: FF (looks like UTF-16LE)"
      "\n  line 3, column 2, byte 6, line at 3: encoded surrogate: ED"
      "\n  line 3, column 3, byte 7, line at 3: unexpected continuation byte: A0"
      "\n  line 3, column 4, byte 8, line at 3: unexpected continuation byte: 80"
      "\n  line 3, column 6, byte 10, line at 3: beyond U+10FFFF: F4"
      "\n  line 3, column 7, byte 11, line at 3: unexpected continuation byte: 90"
      "\n  line 4, column 1, byte 13, line at 13: incomplete at the end of the input: F0 9F"
      "\nfirst\n  line 1, column 1, byte 0, line at 0: byte that no text contains: FF (looks like UTF-16LE)"
      "\nlast\n  line 4, column 1, byte 13, line at 13: incomplete at the end of the input: F0 9F");
}

BOOST_AUTO_TEST_CASE(errors_stick_and_close_reports_them_again) {
  to_latin9 filter;
  recording_sink sink;
  BOOST_CHECK_THROW(filter.write(sink, "pq\xFFrs", 5), utf_error);
  BOOST_CHECK_THROW(filter.write(sink, "rs", 2), utf_error);
  BOOST_CHECK_THROW(filter.flush(sink), utf_error);
  BOOST_CHECK_THROW(filter.close(sink, std::ios::out), utf_error);
  BOOST_TEST(sink.text() == "pq");
  BOOST_TEST(filter.report().errors == 1u);
  filter.write(sink, "t\xE2", 2);  // a new text: the codec carries nothing from the last one
  filter.write(sink, "\x82\xAC", 2);
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == "pqt\xA4");
  BOOST_TEST(filter.report().errors == 0u);
  BOOST_TEST(filter.report().bytes_in == 4u);

  io::filtering_ostream out(from_latin9() | to_latin9() | codec_filter<utf8_to_latin9>() | sink);
  out << "\xA4";  // a lone A4 is not UTF-8
  BOOST_CHECK_THROW(out.reset(), utf_error);
}

BOOST_AUTO_TEST_CASE(a_foreign_codec_works_in_chains_of_every_shape) {
  std::string latin9, utf8;
  for (int i = 0; i < 20'000; ++i) {
    const auto byte = static_cast<unsigned char>(i * 7 + i / 256);
    latin9 += static_cast<char>(byte);
    char unit[4];
    utf8.append(unit, encode_utf8(latin9_value(byte), unit));
  }
  from_latin9 kept;
  io::filtering_istream in(kept | io::array_source(latin9.data(), latin9.size()));
  BOOST_TEST(in.component<from_latin9>(0) != nullptr);
  BOOST_TEST((files::rest(in) == utf8));
  BOOST_TEST(kept.report().bytes_out == utf8.size());

  for (const int buffer : {-1, 0, 1, 3}) {
    recording_sink sink;
    io::filtering_ostream out;
    out.push(to_latin9(), buffer);
    out.push(from_latin9(), buffer);
    out.push(io::compose(to_latin9(), sink), buffer);
    out << utf8;
    out.reset();
    BOOST_TEST((sink.text() == latin9));
  }
  std::string copy;
  io::filtering_istream composed(
      io::compose(to_latin9(), io::compose(from_latin9(), piecewise_source(devices::in_pieces(latin9, 7)))));
  io::copy(composed, io::back_inserter(copy));
  BOOST_TEST((copy == latin9));
}

BOOST_AUTO_TEST_CASE(params_that_are_invalid_for_the_codec_are_refused) {
  BOOST_CHECK_THROW(to_latin9(utf8_to_latin9(), on_error::keep), std::invalid_argument);
  BOOST_CHECK_THROW(from_latin9(latin9_to_utf8(), on_error::keep), std::invalid_argument);
  BOOST_CHECK_THROW(to_latin9(utf8_to_latin9(), replacing_with("\xFF")), std::invalid_argument);
  BOOST_CHECK_THROW(to_latin9(utf8_to_latin9(), with(bom::strip)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_is_refused_because_a_foreign_codec_may_have_a_state_there) {
  params p;
  p.start = checkpoint{{4, 1, 5, 0}, encoding::utf8, false, 4, 0};
  const auto says_so = [](const std::exception& e) {
    return std::string(e.what()) == "utfilter: params::start is only for decoding to UTF-8 by the codecs of utfilter";
  };
  BOOST_CHECK_EXCEPTION(from_latin9(latin9_to_utf8(), p), std::invalid_argument, says_so);
  BOOST_CHECK_EXCEPTION(to_latin9(utf8_to_latin9(), p), std::invalid_argument, says_so);
}

//------------------------------------------------------------------------------------------------------------- in place

/// Checks for ASCII. Well-formed text needs no conversion, so the input itself can be passed on without a copy.
class ascii_validator : public codec_base {
 public:
  static constexpr std::size_t min_output = 4;
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    codec_progress done{0, 0, codec_status::need_input};
    for (; done.consumed < size; ++done.consumed) {
      const auto byte = static_cast<unsigned char>(in[done.consumed]);
      if (byte >= 0x80) {
        ++done.consumed;
        note_error(errc::unused_byte, &byte, 1);
        done.status = codec_status::malformed;
        return done;
      }
      if (done.produced == room) {
        done.status = codec_status::need_output;
        return done;
      }
      out[done.produced++] = in[done.consumed];
      count(byte, 1);
    }
    if (last) done.status = codec_status::done;
    return done;
  }
  bool in_place() const noexcept { return true; }
  std::size_t check(const char* in, std::size_t size) noexcept {
    std::size_t passed = 0;
    for (; passed < size && static_cast<unsigned char>(in[passed]) < 0x80; ++passed)
      count(static_cast<unsigned char>(in[passed]), 1);
    return passed;
  }
};

/// Its check looks at the last byte, so it must get one.
struct looking_back : ascii_validator {
  std::size_t check(const char* in, std::size_t size) noexcept {
    met_empty_piece |= size == 0;
    return ascii_validator::check(in, size);
  }
  static inline bool met_empty_piece = false;
};

BOOST_AUTO_TEST_CASE(a_codec_that_works_in_place_never_checks_an_empty_piece) {
  std::stringbuf sink;
  std::string written;
  codec_ostreambuf<looking_back> buffer(sink, looking_back());
  std::ostream stream(&buffer);
  io::filtering_ostream chain;
  chain.push(codec_filter<looking_back>());
  chain.push(io::back_inserter(written));
  for (std::ostream* const out : {&stream, static_cast<std::ostream*>(&chain)})
    *out << ""
         << "a"
         << "" << std::flush << "b"
         << "" << std::flush;
  BOOST_TEST(sink.str() == "ab");
  BOOST_TEST(written == "ab");
  BOOST_TEST(!looking_back::met_empty_piece);
}

BOOST_AUTO_TEST_CASE(a_codec_that_works_in_place_copies_nothing) {
  const std::string text(1000, 'x');
  recording_sink sink;
  codec_filter<ascii_validator> filter;
  filter.write(sink, text.data(), 1000);
  BOOST_TEST(sink.seen().pointers == std::vector<const char*>{text.data()});
  filter.close(sink, std::ios::out);

  piecewise_source source({text, text});
  std::vector<char> buffer(5000);
  while (filter.read(source, buffer.data(), 5000) >= 0) {
  }
  for (const auto& request : source.seen().requests) BOOST_TEST(request.into == buffer.data());
}

BOOST_AUTO_TEST_CASE(a_codec_that_works_in_place_repairs_for_every_cut) {
  const std::string input = "pq\x80\x81r\n\xFFst\xFE";
  BOOST_TEST(output_for_every_cut<ascii_validator>(replacing_with("<longer than it>"), input) ==
             "pq<longer than it><longer than it>r\n<longer than it>st<longer than it>$");
  BOOST_TEST(output_for_every_cut<ascii_validator>(with(on_error::keep), input) == input + "$");
  BOOST_TEST(output_for_every_cut<ascii_validator>(with(on_error::skip), input) == "pqr\nst$");
  BOOST_TEST(output_for_every_cut<ascii_validator>(with(on_error::escape), input) == "pq\\x80\\x81r\n\\xFFst\\xFE$");
  BOOST_TEST(output_for_every_cut<ascii_validator>(replacing_with("?", on_error::windows1252), input) ==
             "pq??r\n?st?$");  // the text is not UTF-8, so windows1252 does the same as replace
  BOOST_TEST(output_for_every_cut<ascii_validator>(params(), input).substr(0, 3) == "pq!");
  BOOST_TEST(output_for_every_cut<ascii_validator>(with(on_error::stop), input) == "pq$");
}

//----------------------------------------------------------------------------------------------- codecs that own memory

/// Decodes ISO-8859-15 by a table that it owns; each copy has its own table.
class owning_latin9_to_utf8 : public bytewise<owning_latin9_to_utf8> {
 public:
  std::size_t put(char byte, char* out) noexcept {
    const char32_t c = table_[static_cast<unsigned char>(byte)];
    count(c, 1);
    return encode(c, out);
  }

 private:
  static std::vector<char32_t> table() {
    std::vector<char32_t> all(256);
    for (unsigned byte = 0; byte < 256; ++byte) all[byte] = latin9_value(static_cast<unsigned char>(byte));
    return all;
  }
  std::vector<char32_t> table_ = table();
};

BOOST_AUTO_TEST_CASE(a_codec_may_own_memory) {
  static_assert(!std::is_trivially_copyable_v<owning_latin9_to_utf8>);
  std::string input;
  for (unsigned byte = 0; byte < 256; byte += 15) input += static_cast<char>(static_cast<unsigned char>(byte));
  BOOST_TEST(output_for_every_cut<owning_latin9_to_utf8>(params(), input) ==
             output_for_every_cut<latin9_to_utf8>(params(), input));

  utfilter::conversion<owning_latin9_to_utf8> text{owning_latin9_to_utf8()};
  text.begin(utfilter::conversion<owning_latin9_to_utf8>::direction::reading);
  char out[8];
  auto moved = std::move(text);
  BOOST_TEST(moved.convert("\xA4", 1, out, sizeof out, true).produced == 3u);
  BOOST_TEST(std::string(out, 3) == "\xE2\x82\xAC");
}

//------------------------------------------------------------------------------------------- a codec that finds the end

/// The text ends at a Ctrl-Z, as in CP/M.
class until_control_z : public codec_base {
 public:
  static constexpr std::size_t min_output = 4;
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    codec_progress done{0, 0, codec_status::need_input};
    for (; done.consumed < size; ++done.consumed) {
      if (in[done.consumed] == '\x1A') {
        ++done.consumed;
        last = true;
        break;
      }
      if (done.produced == room) {
        done.status = codec_status::need_output;
        return done;
      }
      out[done.produced++] = in[done.consumed];
      count(static_cast<unsigned char>(in[done.consumed]), 1);
    }
    if (last) done.status = codec_status::done;
    return done;
  }
};

BOOST_AUTO_TEST_CASE(a_codec_that_finds_the_end_ends_reading_and_ignores_later_writes) {
  BOOST_TEST(output_for_every_cut<until_control_z>(params(), "pqr\x1Astu\x1A") == "pqr$");
  codec_filter<until_control_z> filter;
  piecewise_source source({"pqr\x1As", "t"});
  char buffer[10];
  BOOST_TEST(filter.read(source, buffer, 10) == 3);
  for (int i = 0; i < 3; ++i) BOOST_TEST(filter.read(source, buffer, 10) == -1);
  BOOST_TEST(source.seen().requests.size() == 1u);
}

//------------------------------------------------------------------------------------------------- a codec that tells

/// Passes bytes, and tells of each question mark and of the end of the text.
class tells_of_questions : public codec_base {
 public:
  static constexpr std::size_t min_output = 4;
  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
    codec_progress done{0, 0, codec_status::need_input};
    while (done.consumed < size) {
      if (done.produced == room) return {done.consumed, done.produced, codec_status::need_output};
      told_ = error_info{};
      static_cast<text_position&>(told_) = position_;
      const char byte = out[done.produced++] = in[done.consumed++];
      count(static_cast<unsigned char>(byte), 1);
      if (byte == '?') return {done.consumed, done.produced, codec_status::told};
    }
    if (!last) return done;
    static_cast<text_position&>(told_) = position_;
    done.status = std::exchange(at_end_, true) ? codec_status::done : codec_status::told;
    return done;
  }
  void tell(const std::function<void(const error_info&)>& observer) const {
    if (observer) observer(told_);
  }

 private:
  error_info told_;
  bool at_end_ = false;
};

BOOST_AUTO_TEST_CASE(what_a_codec_tells_comes_in_its_place_for_every_cut) {
  const std::string text = "a??\nb?";
  for (std::size_t first = 0; first <= text.size(); ++first)
    for (const std::streamsize at_once : {1, 2, 100}) {
      std::string seen;
      params p;
      p.observer = [&](const error_info& e) { seen += std::to_string(e.line) + ':' + std::to_string(e.column) + ' '; };
      codec_filter<tells_of_questions> filter(tells_of_questions(), p);
      piecewise_source source({text.substr(0, first), text.substr(first)});
      std::string output;
      char buffer[100];
      for (std::streamsize n = 0; n >= 0; n = filter.read(source, buffer, at_once))
        output.append(buffer, static_cast<std::size_t>(n));
      BOOST_TEST(output == text);
      BOOST_TEST(seen == "1:2 1:3 2:2 2:3 ");
      BOOST_TEST(filter.report().errors == 0u);
    }
  BOOST_TEST(output_for_every_cut<tells_of_questions>(params(), text) == text + '$');
}

BOOST_AUTO_TEST_CASE(an_exception_of_tell_fails_the_use) {
  params p;
  p.observer = [](const error_info&) { throw std::domain_error("enough"); };
  codec_filter<tells_of_questions> filter(tells_of_questions(), p);
  recording_sink sink;
  BOOST_CHECK_THROW(filter.write(sink, "ab?c", 4), std::domain_error);
  BOOST_TEST(sink.text() == "ab?");
  BOOST_CHECK_THROW(filter.write(sink, "d", 1), std::domain_error);
  BOOST_CHECK_THROW(filter.close(sink, std::ios::out), std::domain_error);
  BOOST_TEST(filter.report().errors == 0u);
}

//------------------------------------------------------------------------------------------ codecs that break the rules

/// Breaks one rule. After 10,000 calls it keeps the rules: so a filter that would call it for ever ends, and the test
/// fails.
template <int Rule>
class rule_breaker : public codec_base {
 public:
  static constexpr std::size_t min_output = 4;
  static constexpr int patience = 10'000;

  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t, bool last) noexcept {
    if (++calls_ > patience) return {size, 0, last ? codec_status::done : codec_status::need_input};
    switch (Rule) {
      case 0: return {0, 0, size != 0 ? codec_status::need_input : codec_status::done};  // asks for more, takes none
      case 1: return {size / 2, 0, codec_status::need_input};                            // takes half of the input
      case 2: return {0, 0, codec_status::need_output};                                  // never has enough room
      case 3: return {size, 0, codec_status::need_input};                                // asks for more at the end
      case 4:                                                                            // an error of no bytes
        note_error(errc::unmappable, in, 0);
        return {0, 0, codec_status::malformed};
      case 5:  // reports its missing byte order mark for ever
        note_error(errc::missing_bom, in, 0);
        return {0, 0, codec_status::malformed};
      case 7: return {0, 0, codec_status::told};  // has no tell()
      default:                                    // makes progress once, then is stuck
        if (calls_ > 1) return {0, 0, codec_status::need_output};
        if (size != 0) *out = *in;
        return {size != 0 ? 1u : 0u, size != 0 ? 1u : 0u, codec_status::need_output};
    }
  }

 private:
  int calls_ = 0;
};

template <int Rule>
void is_refused(std::initializer_list<on_error> policies = {on_error::strict, on_error::skip}) {
  for (const on_error policy : policies) {
    for (const std::streamsize at_once : {1, 3, 4, 100}) {
      BOOST_TEST_INFO_SCOPE("rule " << Rule << ", reading " << at_once);
      codec_filter<rule_breaker<Rule>> filter(rule_breaker<Rule>(), policy);
      piecewise_source source({"abcd", "efgh"});
      char buffer[100];
      const auto read = [&] {
        for (int i = 0; i < 1000 && filter.read(source, buffer, at_once) >= 0; ++i) {
        }
      };
      BOOST_CHECK_THROW(read(), std::logic_error);
      BOOST_CHECK_THROW(filter.read(source, buffer, at_once), std::logic_error);
    }
    BOOST_TEST_CONTEXT("rule " << Rule << ", writing") {
      codec_filter<rule_breaker<Rule>> filter(rule_breaker<Rule>(), policy);
      recording_sink sink;
      const auto write = [&] { filter.write(sink, "abcd", 4); };
      bool refused = caught<std::logic_error>(write).has_value();
      if (refused) BOOST_CHECK_THROW(write(), std::logic_error);
      refused = caught<std::logic_error>([&] { filter.close(sink, std::ios::out); }) || refused;
      BOOST_TEST(refused);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_codec_that_asks_for_input_but_does_not_take_it_is_refused) {
  is_refused<0>();
  is_refused<1>();
}
BOOST_AUTO_TEST_CASE(a_codec_that_makes_no_progress_is_refused) {
  is_refused<2>();
  is_refused<6>();
}
BOOST_AUTO_TEST_CASE(a_codec_that_asks_for_more_at_the_end_is_refused) { is_refused<3>(); }
BOOST_AUTO_TEST_CASE(a_codec_that_never_gets_past_an_error_is_refused) {
  is_refused<4>();
  is_refused<5>({on_error::skip});
}

BOOST_AUTO_TEST_CASE(a_codec_that_says_it_tells_but_cannot_is_refused) { is_refused<7>(); }

BOOST_AUTO_TEST_CASE(params_or_a_policy_may_be_the_only_argument) {
  const params p{on_error::skip};
  for (const auto& [filter, expected] : {std::pair{from_latin9(p), "ab"}, std::pair{from_latin9(), "ab"},
                                         std::pair{from_latin9(on_error::replace), "ab"}}) {
    recording_sink sink;
    auto copy = filter;
    copy.write(sink, "ab", 2);
    copy.close(sink, std::ios::out);
    BOOST_TEST(sink.text() == expected);
  }
}

/// Needs more room than a filter usually gives: it writes 5000 bytes for each byte.
class swelling : public bytewise<swelling, 5000> {
 public:
  std::size_t put(char byte, char* out) noexcept {
    std::fill_n(out, min_output, byte);
    count(U'x', 1);
    return min_output;
  }
};

BOOST_AUTO_TEST_CASE(a_codec_may_need_more_room_than_a_buffer_has) {
  const devices::watchdog dog("a large min_output");
  recording_sink sink;
  codec_filter<swelling> filter;
  filter.write(sink, "ab", 2);
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.text() == std::string(5000, 'a') + std::string(5000, 'b'));
}

/// Leaves out dashes. It asks for room before it looks at the next character.
class without_dashes : public bytewise<without_dashes> {
 public:
  std::size_t put(char byte, char* out) noexcept {
    count(U'x', 1);
    *out = byte;
    return byte == '-' ? 0 : 1;
  }
};

// The caller has less room than the codec needs, so the filter gives the codec a buffer of its own. The codec may then
// write nothing to it.
BOOST_AUTO_TEST_CASE(a_codec_may_ask_for_room_and_then_write_nothing) {
  BOOST_TEST(output_for_every_cut<without_dashes>(params(), "-a-b--") == "ab$");
  codec_filter<without_dashes> filter;
  piecewise_source source({"-", "", "-a", "--"});
  char c = 0;
  std::string text;
  std::streamsize got;
  while ((got = filter.read(source, &c, 1)) >= 0) text += got == 0 ? '0' : c;
  BOOST_TEST(text == "0a");
}

}  // namespace
