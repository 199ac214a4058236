// field_failures.hpp: the parts of the tests in field_decoders_test.cpp: a text in pieces, our ways to read a text,
// mocks, and properties of the result.
#ifndef UTFILTER_TEST_FIELD_FAILURES_HPP
#define UTFILTER_TEST_FIELD_FAILURES_HPP

#include "support/tally.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <boost/version.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace field {

namespace io = boost::iostreams;
using namespace utfilter;

inline const std::string replaced = "\xEF\xBF\xBD";  // delivered for each error

//--------------------------------------------------------------------------------------------- reading a text in pieces

/// A text as it arrives. An empty piece means that no input has arrived yet.
using pieces = std::vector<std::string_view>;

template <class Pieces>
std::string joined(const Pieces& text) {
  std::string whole;
  for (const auto& piece : text) whole += piece;
  return whole;
}

/// The result of reading a text.
struct outcome {
  std::vector<std::string> delivered;        // piece by piece, with U+FFFD for each error
  std::optional<std::uint64_t> first_error;  // its offset in the input
  std::size_t size = 0;                      // bytes delivered
  bool ended = false;                        // after no more than 2 x (input + output) + 16 calls
  bool overran = false;                      // the reader consumed more than its input, or wrote past its room

  void deliver(std::string piece) {
    size += piece.size();
    if (!piece.empty()) delivered.push_back(std::move(piece));
  }
  std::string text() const { return joined(delivered); }
};

/// Limits the calls of a reader to 2 x (input + output) + 16. Only the first 8 x input + 8 bytes of output count, so
/// that a reader with endless output is stopped, too. No reader here makes more than eight bytes of one input byte.
class call_limit {
 public:
  explicit call_limit(const pieces& text) : input_(joined(text).size()) {}
  bool exceeded(const outcome& got) { return ++calls_ > 2 * (input_ + std::min(got.size, 8 * input_ + 8)) + 16; }

 private:
  std::size_t input_, calls_ = 0;
};

/// Reads with a codec that has room for `room` bytes in each call. A codec that is stuck gets room for min_output
/// bytes. `last` is set for the last piece.
template <class Codec>
outcome read_by_codec(Codec& codec, const pieces& text, std::size_t room) {
  constexpr char untouched = '\x1A';
  outcome got;
  call_limit limit(text);
  const auto feed = [&](std::string_view piece, bool last) {
    bool stuck = false;
    while (!limit.exceeded(got)) {
      const std::size_t size = stuck ? std::max(room, Codec::min_output) : room;
      std::string out(size + 16, untouched);
      const codec_progress step = codec.transform(piece.data(), piece.size(), out.data(), size, last);
      got.overran |= step.consumed > piece.size() || step.produced > size;
      got.overran |= out.find_first_not_of(untouched, size) != std::string::npos;
      if (got.overran) return false;
      got.deliver(out.substr(0, step.produced));
      piece.remove_prefix(step.consumed);
      stuck = step.status == codec_status::need_output && step.consumed == 0 && step.produced == 0;
      if (step.status == codec_status::malformed) {
        got.deliver(replaced);
        if (!got.first_error) got.first_error = codec.error().offset;
      }
      if (step.status == codec_status::done) return got.ended = true;
      if (step.status == codec_status::need_input && !last) return true;  // the last piece is followed by another call
    }
    return false;
  };
  for (std::size_t i = 0; i < text.size() && feed(text[i], i + 1 == text.size());) ++i;
  return got;
}

inline std::optional<std::uint64_t> first_error_of(const stream_report& report) {
  if (!report.first_error) return {};
  return report.first_error->offset;
}

/// Makes a codec of a decoder or an encoder. This codec repairs errors itself, and never returns malformed.
struct converting {
  static constexpr std::size_t min_output = transcoder::min_output;

  codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    return converter.convert(in, size, out, room, last);
  }
  error_info error() const { return {}; }

  conversion<transcoder>& converter;
};

inline outcome read_by_conversion(conversion<transcoder>&& converter, const pieces& text, std::size_t room) {
  converting codec{converter};
  outcome got = read_by_codec(codec, text, room);
  got.first_error = first_error_of(converter.report());
  return got;
}

/// Reads with a filter from a device, `room` bytes in each call. An empty piece is a read that would block.
inline outcome read_by_filter(to_utf8 filter, const pieces& text, std::size_t room) {
  devices::piecewise_source source({text.begin(), text.end()});
  std::string buffer(std::max<std::size_t>(room, 1), '\0');
  outcome got;
  for (call_limit limit(text); !got.ended && !limit.exceeded(got);) {
    const std::streamsize n = filter.read(source, buffer.data(), static_cast<std::streamsize>(buffer.size()));
    got.ended = n < 0;
    if (n > 0) got.deliver(buffer.substr(0, static_cast<std::size_t>(n)));
  }
  got.first_error = first_error_of(filter.report());
  return got;
}

/// Reads through an input chain whose links have buffers of `room` bytes.
inline outcome read_by_chain(const to_utf8& filter, const pieces& text, std::size_t room) {
  devices::piecewise_source source({text.begin(), text.end()});
  const auto size = static_cast<std::streamsize>(std::max<std::size_t>(room, 1));
  io::filtering_istreambuf in;
  in.push(filter, size);
  in.push(source, size);
  outcome got;
  for (call_limit limit(text); !got.ended && !limit.exceeded(got);) {
    if (in.sgetc() != std::char_traits<char>::eof())
      got.deliver({static_cast<char>(in.sbumpc())});
    else
      got.ended = source.seen().ends != 0;
  }
  got.first_error = first_error_of(filter.report());
  return got;
}

/// Writes through an output chain whose link has a buffer of `room` bytes. Each piece is flushed.
inline outcome written_by_chain(const to_utf8& filter, const pieces& text, std::size_t room) {
  devices::recording_sink sink;
  io::filtering_ostream out;
  out.push(io::compose(filter, sink), static_cast<std::streamsize>(std::max<std::size_t>(room, 1)));
  for (const std::string_view piece : text) {
    sink.allow_for_piece(piece.size());
    out << piece << std::flush;
  }
  out.reset();
  outcome got;
  got.ended = sink.seen().closes == 1;
  for (const std::string& piece : sink.seen().writes) got.deliver(piece);
  got.first_error = first_error_of(filter.report());
  return got;
}

/// Reads with the functions for a text in memory.
inline outcome read_by_text_functions(const pieces& text, std::size_t) {
  const std::string whole = joined(text);
  const auto first = find_error(whole);
  outcome got;
  got.deliver(sanitize(whole));
  got.ended = is_utf8(whole) == !first;
  if (first) got.first_error = first->offset;
  return got;
}

//----------------------------------------------------------------------------------------------------- how a test works

/// One way to read a text in pieces, with `room` bytes for the output.
struct way {
  std::string name;
  std::function<outcome(const pieces& text, std::size_t room)> read;
};

template <class Codec>
way by_codec(const std::string& name, const Codec& codec) {
  return {name, [codec](const pieces& text, std::size_t room) {
            Codec fresh = codec;
            return read_by_codec(fresh, text, room);
          }};
}

enum class cuts { none, every };

/// The text in one piece; cut in two and in three at every place; and in single bytes. Then the same again, with an
/// empty piece at each cut.
inline std::vector<pieces> cut(std::string_view text, cuts how) {
  std::vector<pieces> all = {{text}};
  if (how == cuts::none || text.empty()) return all;
  for (std::size_t i = 1; i < text.size(); ++i) {
    all.push_back({text.substr(0, i), text.substr(i)});
    for (std::size_t j = i + 1; j < text.size(); ++j)
      all.push_back({text.substr(0, i), text.substr(i, j - i), text.substr(j)});
  }
  pieces bytes;
  for (std::size_t i = 0; i < text.size(); ++i) bytes.push_back(text.substr(i, 1));
  all.push_back(bytes);
  for (std::size_t n = all.size(), i = 0; i < n; ++i) {
    pieces with_empty_ones;
    for (const std::string_view piece : all[i])
      with_empty_ones.insert(with_empty_ones.end(), {piece, piece.substr(piece.size())});
    all.push_back(with_empty_ones);
  }
  return all;
}

/// The trials of a test: every input, in these cuts, with each of these rooms.
struct trials {
  std::vector<std::string> inputs;
  cuts how = cuts::every;
  std::vector<std::size_t> rooms = {1, 3, 6, 100};
  std::size_t bytes_after = 0;  // bytes at the end of each input that are in memory but not passed to the reader
};

/// Tries one way. For each trial it calls `tell` with true if the property held.
template <class Property, class Tell>
void try_all(const trials& all, const Property& property, const way& one, const Tell& tell) {
  for (const std::string& input : all.inputs)
    for (const pieces& text : cut(std::string_view(input).substr(0, input.size() - all.bytes_after), all.how))
      for (const std::size_t room : all.rooms) tell(property(one.read(text, room), input), input);
}

/// The fixture of all tests.
struct failure {
  ~failure() { cases.summary(name); }

  /// Checks that the property holds for our ways in every trial, and fails for each mock in at least one. Prints for
  /// each original whether the property still fails.
  template <class Property>
  void check(const trials& all, const Property& property, const std::vector<way>& our_ways,
             const std::vector<way>& mocks, const std::vector<way>& originals = {}) {
    for (const way& one : our_ways)
      try_all(all, property, one,
              [&](bool held, const std::string& input) { cases.check(held, one.name.c_str(), input); });
    for (const way& one : mocks)
      BOOST_CHECK_MESSAGE(failures(all, property, one) != 0u, "the mock passes: " << one.name);
    for (const way& one : originals)
      std::cout << name << ": " << one.name << " of Boost " BOOST_LIB_VERSION
                << (failures(all, property, one) != 0 ? " still fails\n" : " fails no longer\n");
  }

 private:
  template <class Property>
  static std::size_t failures(const trials& all, const Property& property, const way& one) {
    std::size_t failed = 0;
    try_all(all, property, one, [&](bool held, const std::string&) { failed += !held; });
    return failed;
  }

  const std::string name = boost::unit_test::framework::current_test_case().p_name.get();
  const devices::watchdog dog{name};
  tally cases;
};

//--------------------------------------------------------------------------------------------------- the parts of mocks

/// A decision of a mock about the first bytes that it holds.
struct step {
  enum class kind { character, error, lost, more } what;
  std::size_t size = 0;  // bytes; 0 for more
  char32_t value = 0;
};
constexpr step more{step::kind::more};
constexpr step character(char32_t value, std::size_t size) { return {step::kind::character, size, value}; }
constexpr step error_of(std::size_t size) { return {step::kind::error, size}; }
constexpr step lost(std::size_t size) { return {step::kind::lost, size}; }

/// `last` means that no input follows. The function may read eight bytes of `bytes`; bytes after the first `size` are
/// left over from earlier characters.
using decode_function = step (*)(const unsigned char* bytes, std::size_t size, bool last);

/// A codec to UTF-8 that takes its input byte by byte. The code here makes no mistakes; the mistakes are in Decode, or
/// in the functions that a mock overrides.
template <decode_function Decode>
class mock_codec {
 public:
  static constexpr std::size_t min_output = 8;

  virtual ~mock_codec() = default;

  virtual codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) {
    codec_progress done{0, 0, codec_status::need_input};
    while (true) {
      const step next = carried_ == 0 ? more : Decode(carry_.data(), carried_, last && done.consumed == size);
      if (next.what == step::kind::more) {
        if (done.consumed == size) {
          done.status = last && carried_ == 0 ? codec_status::done : codec_status::need_input;
          return done;
        }
        carry_[carried_++] = static_cast<unsigned char>(in[done.consumed++]);
        continue;
      }
      if (next.what == step::kind::character) {
        const std::string bytes = encoded(next.value);
        if (room - done.produced < asks_for(bytes)) {
          done.status = codec_status::need_output;
          return done;
        }
        bytes.copy(out + done.produced, bytes.size());
        done.produced += bytes.size();
      }
      if (next.what == step::kind::error) error_.offset = offset_;
      drop(next.size);
      if (next.what == step::kind::error) {
        done.status = codec_status::malformed;
        return done;
      }
    }
  }

  const error_info& error() const { return error_; }

 protected:
  virtual std::string encoded(char32_t c) const { return texts::utf8({c}); }
  virtual std::size_t asks_for(const std::string& bytes) const { return bytes.size(); }

  void drop(std::size_t size) {
    std::copy(carry_.data() + size, carry_.data() + carried_, carry_.data());
    carried_ -= size;
    offset_ += size;
  }

  std::array<unsigned char, 8> carry_{};
  std::size_t carried_ = 0;
  std::uint64_t offset_ = 0;
  error_info error_;
};

/// Length in bytes of the sequence that this lead byte begins; 0 if it is not a lead byte.
inline std::size_t length_of(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

/// The value of such a sequence; the other bytes are taken as continuation bytes without a check.
inline char32_t value_of(const unsigned char* bytes, std::size_t length) {
  char32_t value = bytes[0] & (length == 1 ? 0x7Fu : 0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) value = value << 6 | (bytes[i] & 0x3Fu);
  return value;
}

inline bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/// Correct UTF-8 (Unicode table 3-7).
inline step utf8(const unsigned char* bytes, std::size_t size, bool last) {
  const unsigned char lead = bytes[0];
  const std::size_t length = length_of(lead);
  if (length == 0) return error_of(1);
  for (std::size_t i = 1; i < length; ++i) {
    if (i == size) return last ? error_of(size) : more;
    const int least = i > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const int most = i > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (bytes[i] < least || bytes[i] > most) return error_of(i);
  }
  return character(value_of(bytes, length), length);
}

inline char32_t unit_of(const unsigned char* bytes) { return char32_t{bytes[0]} << 8 | bytes[1]; }
inline bool is_high(char32_t unit) { return unit >> 10 == 0xD800 >> 10; }
inline bool is_low(char32_t unit) { return unit >> 10 == 0xDC00 >> 10; }
inline char32_t from_pair(char32_t high, char32_t low) { return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF); }

/// Correct UTF-16BE.
inline step utf16be(const unsigned char* bytes, std::size_t size, bool last) {
  if (size < 2) return last ? error_of(size) : more;
  const char32_t unit = unit_of(bytes);
  if (is_low(unit)) return error_of(2);
  if (!is_high(unit)) return character(unit, 2);
  if (size < 4) return last ? error_of(size) : more;
  return is_low(unit_of(bytes + 2)) ? character(from_pair(unit, unit_of(bytes + 2)), 4) : error_of(2);
}

template <decode_function Decode>
way mock(const std::string& name) {
  return by_codec(name, mock_codec<Decode>());
}

//------------------------------------------------------------------------------------------------------------- our ways

inline std::string name_of(encoding from) {
  return from == encoding::detect ? "detect" : std::string(encoding_name(from));
}

/// Our ways to read an encoding as UTF-8 in which the library decides where a piece of the output ends.
inline std::vector<way> ours_in_pieces(encoding from) {
  const std::string name = name_of(from);
  return {
      by_codec(name + ", transcoder", transcoder::decoding(from, bom::automatic)),
      {name + ", decoder",
       [from](auto& text, auto room) { return read_by_conversion(decoder(from, on_error::replace), text, room); }},
      {name + ", output chain",
       [from](auto& text, auto room) { return written_by_chain(to_utf8(from, on_error::replace), text, room); }},
  };
}

/// All of our ways, for each of the encodings. For UTF-8 and UTF-16BE they include a mock without a mistake: it shows
/// that the other mocks fail only because of their mistakes.
inline std::vector<way> ours(std::initializer_list<encoding> encodings) {
  std::vector<way> all;
  for (const encoding from : encodings) {
    const std::string name = name_of(from);
    const std::vector<way> in_pieces = ours_in_pieces(from);
    const auto filter = [from] { return to_utf8(from, on_error::replace); };
    all.insert(all.end(), in_pieces.begin(), in_pieces.end());
    all.push_back(
        {name + ", filter", [filter](auto& text, auto room) { return read_by_filter(filter(), text, room); }});
    all.push_back(
        {name + ", input chain", [filter](auto& text, auto room) { return read_by_chain(filter(), text, room); }});
    if (from == encoding::utf8)
      all.insert(all.end(), {{"text functions", read_by_text_functions}, mock<utf8>("no mistake")});
    if (from == encoding::utf16be) all.push_back(mock<utf16be>("no mistake"));
  }
  return all;
}

//----------------------------------------------------------------------------------------------------------- properties

/// The input is well-formed, and is delivered unchanged without an error.
inline bool is_delivered_as_it_is(const outcome& got, const std::string& input) {
  return got.text() == input && got.ended && !got.overran && !got.first_error;
}

/// The output has all ASCII bytes of the input, in their order, and no others.
inline bool keeps_ascii(const outcome& got, const std::string& input) {
  const auto ascii = [](std::string text) {
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }),
               text.end());
    return text;
  };
  return ascii(got.text()) == ascii(input);
}

inline bool ends_in_bounds(const outcome& got, const std::string&) { return got.ended && !got.overran; }

/// The input is UTF-16BE without surrogates, and the output is the same text in UTF-8.
inline bool is_the_same_in_utf8(const outcome& got, const std::string& input) {
  texts::text32 text;
  for (std::size_t i = 0; i < input.size(); i += 2)
    text += unit_of(reinterpret_cast<const unsigned char*>(input.data() + i));
  return is_delivered_as_it_is(got, texts::utf8(text));
}

}  // namespace field

#endif
