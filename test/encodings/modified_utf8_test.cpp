// modified_utf8_test.cpp: modified UTF-8 as Java's class files, JNI and java.io.DataInput have it (Java Virtual Machine
// Specification, section 4.4.7): a reference of its own, which knows nothing of CESU-8, decodes every short sequence,
// and encodes texts whose U+0000 stand at every place where the bulk conversion could miss them.
// build: portable other_kernels
#define BOOST_TEST_MODULE modified_utf8
#include <boost/test/unit_test.hpp>

#include "support/guarded_memory.hpp"
#include "support/tally.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::string_literals;
using utfilter::bom;
using utfilter::codec_progress;
using utfilter::codec_status;
using utfilter::encoding;
using utfilter::encoding_from_name;
using utfilter::errc;
using utfilter::error_info;
using utfilter::transcoder;

//-------------------------------------------------------------------------------------------------------- the reference

struct error {
  errc code;
  std::size_t offset, size;
};
bool operator==(const error& a, const error& b) { return a.code == b.code && a.offset == b.offset && a.size == b.size; }

/// A text, with U+FFFD for each error.
struct decoded {
  std::string text;
  std::vector<error> errors;
};
bool operator==(const decoded& a, const decoded& b) { return a.text == b.text && a.errors == b.errors; }

unsigned byte_at(std::string_view in, std::size_t at) { return static_cast<unsigned char>(in[at]); }

/// The bytes of the sequence at `at`: of a lead byte, and of those after it that continue it. `longest` are as many as
/// it should have.
std::size_t continued(std::string_view in, std::size_t at, std::size_t longest) {
  std::size_t n = 1;
  while (n != longest && at + n != in.size() && byte_at(in, at + n) / 64 == 2) ++n;
  return n;
}

/// A sequence of three bytes as a unit of UTF-16; 0 if there is none at `at`.
char32_t unit_at(std::string_view in, std::size_t at) {
  if (at >= in.size() || byte_at(in, at) / 16 != 0xE || continued(in, at, 3) != 3) return 0;
  return byte_at(in, at) % 16 * 4096 + byte_at(in, at + 1) % 64 * 64 + byte_at(in, at + 2) % 64;
}

void append(char32_t c, std::string& out) {
  char bytes[4];
  out.append(bytes, utfilter::encode_utf8(c, bytes));
}

decoded expected(std::string_view in) {
  decoded all;
  std::size_t at = 0;
  const auto good = [&](char32_t c, std::size_t size) {
    append(c, all.text);
    at += size;
  };
  const auto bad = [&](errc code, std::size_t size) {
    all.errors.push_back({code, at, size});
    all.text += "\xEF\xBF\xBD";
    at += size;
  };
  while (at != in.size()) {
    const unsigned lead = byte_at(in, at);
    const std::size_t left = in.size() - at;
    if (lead == 0 || lead >= 0xFE) {
      bad(errc::unused_byte, 1);
    } else if (lead < 0x80) {
      good(lead, 1);
    } else if (lead < 0xC0) {
      bad(errc::unexpected_continuation, 1);
    } else if (lead == 0xC1) {
      bad(errc::overlong, 1);
    } else if (lead >= 0xF0) {
      bad(lead >= 0xF5 && lead <= 0xF7 ? errc::out_of_range : errc::forbidden_length, 1);
    } else if (left == 1) {
      bad(errc::incomplete_at_end, 1);
    } else if (continued(in, at, 2) == 1) {
      bad(errc::truncated_sequence, 1);
    } else if (lead < 0xE0) {  // C0 or C2..DF
      const char32_t c = lead % 32 * 64 + byte_at(in, at + 1) % 64;
      if (c != 0 && c < 0x80)
        bad(errc::overlong, 1);
      else
        good(c, 2);
    } else if (lead == 0xE0 && byte_at(in, at + 1) < 0xA0) {
      bad(errc::overlong, 1);
    } else if (left == 2) {
      bad(errc::incomplete_at_end, 2);
    } else if (continued(in, at, 3) == 2) {
      bad(errc::truncated_sequence, 2);
    } else {
      const char32_t unit = unit_at(in, at), low = unit_at(in, at + 3);
      const bool is_high = unit >= 0xD800 && unit <= 0xDBFF;
      // The input may end inside of the low surrogate: ED, or ED and B0 to BF.
      const bool cut =
          left == 3 || (left <= 5 && byte_at(in, at + 3) == 0xED && (left == 4 || byte_at(in, at + 4) / 16 == 0xB));
      if (!is_high && (unit < 0xDC00 || unit > 0xDFFF))
        good(unit, 3);
      else if (!is_high)
        bad(errc::unpaired_low_surrogate, 3);
      else if (low >= 0xDC00 && low <= 0xDFFF)
        good(0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00), 6);
      else if (cut)
        bad(errc::incomplete_at_end, left);
      else
        bad(errc::unpaired_high_surrogate, 3);
    }
  }
  return all;
}

/// The characters of a text of UTF-16, in which each unit is one, two or three bytes.
std::string encoded(const std::u32string& text) {
  std::string out;
  const auto put = [&](unsigned byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto put_unit = [&](unsigned unit) {
    if (unit >= 1 && unit <= 0x7F) return put(unit);
    if (unit <= 0x7FF) return put(0xC0 + unit / 64), put(0x80 + unit % 64);
    put(0xE0 + unit / 4096);
    put(0x80 + unit / 64 % 64);
    put(0x80 + unit % 64);
  };
  for (const char32_t c : text) {
    if (c >= 0x10000) put_unit(0xD800 + (c - 0x10000) / 0x400);
    put_unit(c < 0x10000 ? c : 0xDC00 + (c - 0x10000) % 0x400);
  }
  return out;
}

std::string utf8(const std::u32string& text) {
  std::string out;
  for (const char32_t c : text) append(c, out);
  return out;
}

//----------------------------------------------------------------------------------------------------------- the
//library

/// Converts the text in pieces that end at `cuts`, into an output that has room for `room` bytes at a time.
decoded converted(transcoder codec, std::string_view in, const std::vector<std::size_t>& cuts, std::size_t room) {
  decoded all;
  std::string buffer(room, '\0');
  std::size_t at = 0;
  for (std::size_t piece = 0; piece <= cuts.size(); ++piece) {
    const bool last = piece == cuts.size();
    const std::size_t end = last ? in.size() : cuts[piece];
    while (true) {
      const codec_progress some = codec.transform(in.data() + at, end - at, buffer.data(), room, last);
      at += some.consumed;
      all.text.append(buffer, 0, some.produced);
      if (some.status == codec_status::malformed) {
        const error_info& e = codec.error();
        all.errors.push_back({e.code, static_cast<std::size_t>(e.offset), e.size});
        all.text += "\xEF\xBF\xBD";
      } else if (some.status != codec_status::need_output) {
        break;
      }
    }
  }
  return all;
}

transcoder decoder() { return transcoder::decoding(encoding::modified_utf8, bom::automatic); }
transcoder encoder() { return transcoder::encoding_to(encoding::modified_utf8, bom::automatic); }

decoded decode(std::string_view in) { return converted(decoder(), in, {}, 4 * in.size() + 6); }

std::string one_byte(unsigned byte) { return std::string(1, static_cast<char>(static_cast<unsigned char>(byte))); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_rules_are_those_of_the_specification) {
  const struct {
    std::string in;
    decoded result;
  } rows[] = {
      {"\xC0\x80", {"\0"s, {}}},
      {"\xED\xA0\xBD\xED\xB8\x80", {"\xF0\x9F\x98\x80", {}}},
      {"\xEF\xBB\xBF", {"\xEF\xBB\xBF", {}}},  // there is no byte order mark
      {"\0"s, {"\xEF\xBF\xBD", {{errc::unused_byte, 0, 1}}}},
      {"a\0b"s,
       {"a\xEF\xBF\xBD"
        "b",
        {{errc::unused_byte, 1, 1}}}},
      {"\xC0\x81", {"\xEF\xBF\xBD\xEF\xBF\xBD", {{errc::overlong, 0, 1}, {errc::unexpected_continuation, 1, 1}}}},
      {"\xC1\x80", {"\xEF\xBF\xBD\xEF\xBF\xBD", {{errc::overlong, 0, 1}, {errc::unexpected_continuation, 1, 1}}}},
      {"\xC0", {"\xEF\xBF\xBD", {{errc::incomplete_at_end, 0, 1}}}},
      {"\xC0 ", {"\xEF\xBF\xBD ", {{errc::truncated_sequence, 0, 1}}}},
      {"\xC0\xC0\x80", {"\xEF\xBF\xBD\0"s, {{errc::truncated_sequence, 0, 1}}}},
      {"\xC0\0"s, {"\xEF\xBF\xBD\xEF\xBF\xBD", {{errc::truncated_sequence, 0, 1}, {errc::unused_byte, 1, 1}}}},
      {"\xF0 ", {"\xEF\xBF\xBD ", {{errc::forbidden_length, 0, 1}}}},
      {"\xF4 ", {"\xEF\xBF\xBD ", {{errc::forbidden_length, 0, 1}}}},
      {"\xED\xA0\xBD!", {"\xEF\xBF\xBD!", {{errc::unpaired_high_surrogate, 0, 3}}}},
      {"\xED\xB8\x80!", {"\xEF\xBF\xBD!", {{errc::unpaired_low_surrogate, 0, 3}}}},
  };
  for (const auto& row : rows) {
    BOOST_TEST((decode(row.in) == row.result), hexadecimal(row.in));
    BOOST_TEST((expected(row.in) == row.result), "the reference: " << hexadecimal(row.in));
  }
}

BOOST_AUTO_TEST_CASE(every_sequence_of_one_to_three_bytes_is_decoded_as_in_the_reference) {
  tally all;
  const auto check = [&](const std::string& text) { all.check(decode(text) == expected(text), "decoded", text); };
  const std::string kinds =
      "\x00\x0A\x7F\x80\x81\x9F\xA0\xAF\xB0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF4\xF5"s;
  for (unsigned first = 0; first < 256; ++first) {
    check(one_byte(first));
    for (unsigned second = 0; second < 256; ++second) {
      check(one_byte(first) + one_byte(second));
      for (const char third : kinds) check(one_byte(first) + one_byte(second) + third);
    }
  }
  all.summary("sequences");
}

BOOST_AUTO_TEST_CASE(pairs_of_surrogates_are_supplementary_characters) {
  tally all;
  const auto check = [&](char32_t c) {
    const std::u32string text{c};
    const std::string bytes = encoded(text), plain = utf8(text);
    all.check(bytes.size() == 6 && decode(bytes) == decoded{plain, {}}, "decoded", bytes);
    all.check(converted(encoder(), plain, {}, 6) == decoded{bytes, {}}, "encoded", plain);
  };
  for (char32_t c = 0x10000; c <= 0x10FFFF; c += 0x400)
    for (const char32_t low : {0u, 1u, 0x3Fu, 0x40u, 0x3FEu, 0x3FFu}) check(c + low);
  for (char32_t c = 0x1F600; c < 0x1FA00; ++c) check(c);
  // Two units of three bytes, of which not both, or not in this order, are surrogates.
  const std::u32string units = {0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x0800, 0xFFFF};
  for (const char32_t a : units)
    for (const char32_t b : units) {
      const std::string text = encoded({a, b});
      all.check(decode(text) == expected(text), "decoded", text);
    }
  all.summary("pairs");
}

BOOST_AUTO_TEST_CASE(the_cut_and_the_room_make_no_difference) {
  tally all;
  const std::string texts[] = {"\xC0\x80\xC0\x80"
                               "a\xC0\x80\xED\xA0\xBD\xED\xB8\x80\xC0",
                               "\xC3\xA4\xC0\x81\xC0\0\xC0\xC0\x80\xED\xA0\xBD"s,
                               "\0\xE2\x82\xAC\0\n\xED\xB8\x80\xED\xA0\xBD\xED"s};
  for (const std::string& text : texts) {
    const decoded whole = expected(text);
    for (unsigned cuts = 0; cuts < 1u << (text.size() - 1); ++cuts) {
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if ((cuts >> i & 1) != 0) places.push_back(i + 1);
      for (const std::size_t room : {std::size_t{6}, std::size_t{7}, 4 * text.size()})
        all.check(converted(decoder(), text, places, room) == whole, "decoded", text);
    }
  }
  const std::u32string characters = U"\0a\0\0\U0001F600\0\u20AC\u00E4\0"s;
  const std::string plain = utf8(characters), bytes = encoded(characters);
  for (unsigned cuts = 0; cuts < 1u << (plain.size() - 1); ++cuts) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i + 1 < plain.size(); ++i)
      if ((cuts >> i & 1) != 0) places.push_back(i + 1);
    for (const std::size_t room : {6u, 7u, 100u})
      all.check(converted(encoder(), plain, places, room).text == bytes, "encoded", plain);
  }
  all.summary("cuts");
}

// The bulk conversion takes parts of 16384 bytes, pieces of 64 to 4096 bytes, and blocks of the kernels.
BOOST_AUTO_TEST_CASE(a_special_sequence_at_any_place_of_a_long_text_is_found) {
  tally all;
  const guarded_memory in(65536), out(131072);
  const auto check = [&](const transcoder& codec, const std::string& text, const std::string& wanted) {
    char* const from = in.end() - text.size();
    text.copy(from, text.size());
    char* const to = out.end() - wanted.size();
    transcoder whole = codec;
    const codec_progress done = whole.transform(from, text.size(), to, wanted.size(), true);
    all.check(done.status == codec_status::done && std::string_view(to, done.produced) == wanted,
              "not all of a long text that ends so", text.substr(text.size() - std::min<std::size_t>(text.size(), 20)));
    // With a byte less the text does not fit.
    transcoder less = codec;
    all.check(less.transform(from, text.size(), to + 1, wanted.size() - 1, true).status == codec_status::need_output,
              "too much room", text.substr(text.size() - std::min<std::size_t>(text.size(), 20)));
  };
  std::vector<std::u32string> ends = {U"", U"z", std::u32string(200, U'z')};
  ends.back() += U'\0';
  std::vector<std::size_t> sizes;
  for (const std::size_t limit : {0u, 64u, 128u, 192u, 4096u, 8128u, 16384u, 32768u})
    for (std::size_t more = 0; more <= 20; ++more)
      if (limit + more >= 10) sizes.push_back(limit + more - 10);
  for (const std::u32string& filler : {U"a"s, U"a\u00E4\u20AC"s, U"\U0001F600"s})
    for (const std::size_t size : sizes) {
      std::u32string text;
      for (std::size_t bytes = 0; bytes < size;) {
        const char32_t c = size - bytes < 4 ? U'a' : filler[text.size() % filler.size()];
        text += c;
        bytes += utf8({c}).size();
      }
      for (const std::u32string& special : {U"\0"s, U"\0\0\0"s, U"\0\U0001F600\0"s, U"\U0001F600\0"s, U"\u20AC\0b\0"s})
        for (const std::u32string& after : ends) {
          const std::u32string characters = text + special + after;
          check(decoder(), encoded(characters), utf8(characters));
          check(encoder(), utf8(characters), encoded(characters));
        }
      // An error there: the bytes before it have been converted.
      for (const std::string& wrong : {"\0"s, "\xC0\x81"s, "\xC0\0"s, "\xF0\x9F\x98\x80"s, "\xE2\x82\0"s}) {
        const std::string bytes = encoded(text), tail = wrong + "\xC0\x80";
        decoded wanted = expected(tail);
        wanted.text.insert(0, utf8(text));
        for (error& e : wanted.errors) e.offset += bytes.size();
        all.check(converted(decoder(), bytes + tail, {}, 4 * (bytes.size() + tail.size())) == wanted, "an error",
                  wrong);
      }
    }
  all.summary("long texts");
}

BOOST_AUTO_TEST_CASE(random_text_is_converted_in_both_directions) {
  tally all;
  std::mt19937 random(20260227);
  const std::u32string kinds = U"\0\naz\u0080\u07FF\u0800\uFFFF\U00010000\U0010FFFF"s;
  for (std::size_t i = 0; i < 400; ++i) {
    std::u32string text;
    const std::size_t size = random() % (i % 8 == 0 ? 20000 : 300), of = 1 + random() % kinds.size(),
                      run = 1 + random() % 60;
    while (text.size() < size) text.append(1 + random() % run, kinds[random() % of]);
    const std::string plain = utf8(text), bytes = encoded(text);
    all.check(decode(bytes) == decoded{plain, {}}, "decoded", bytes.substr(0, 40));
    all.check(converted(encoder(), plain, {}, 6 * plain.size() + 6) == decoded{bytes, {}}, "encoded",
              plain.substr(0, 40));
    all.check(bytes.find('\0') == std::string::npos, "a byte 00", bytes.substr(0, 40));
    std::string wrong = bytes;
    for (std::size_t n = 0; n < 8 && !wrong.empty(); ++n)
      wrong[random() % wrong.size()] = static_cast<char>(static_cast<unsigned char>(random()));
    all.check(decode(wrong) == expected(wrong), "with errors", wrong.substr(0, 40));
  }
  all.summary("random texts");
}

BOOST_AUTO_TEST_CASE(characters_lines_and_bytes_are_counted) {
  tally all;
  std::mt19937 random(447);
  const std::u32string kinds = U"\0\0a\n\u00E4\u20AC\U0001F600"s;
  for (std::size_t i = 0; i < 2000; ++i) {
    std::u32string text;
    for (std::size_t size = random() % 200, of = 2 + random() % (kinds.size() - 1); text.size() < size;)
      text += kinds[random() % of];
    const std::string plain = utf8(text), bytes = encoded(text);
    const std::size_t line_feed = text.rfind(U'\n');
    const std::u32string last_line = line_feed == std::u32string::npos ? text : text.substr(line_feed + 1);
    const auto check = [&](transcoder codec, const std::string& in, std::size_t of_line) {
      std::string out(6 * in.size() + 6, '\0');
      codec.transform(in.data(), in.size(), out.data(), out.size(), true);
      const utfilter::text_position place = codec.position();
      const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), U'\n'));
      all.check(place.offset == in.size() && place.line == lines + 1 && place.column == last_line.size() + 1 &&
                    place.line_offset == in.size() - of_line,
                "another place", in);
    };
    check(decoder(), bytes, encoded(last_line).size());
    check(encoder(), plain, utf8(last_line).size());
    const auto source_size = utfilter::detail::source_size_of(encoding::modified_utf8);
    all.check(source_size(plain.data(), plain.size()) == bytes.size(), "another size", plain);
  }
  all.summary("places");
}

// A repair is written in the target encoding, and may have any character.
BOOST_AUTO_TEST_CASE(one_character_is_encoded_as_in_a_text) {
  for (const char32_t c : U"\0\x01\x7F\u0080\u07FF\u0800\uD7FF\uFFFF\U00010000\U0010FFFF"s) {
    char bytes[transcoder::min_output];
    BOOST_TEST((std::string(bytes, encoder().encode(c, bytes)) == encoded({c})), static_cast<std::uint32_t>(c));
  }
}

BOOST_AUTO_TEST_CASE(its_names_are_accepted_and_java_is_none) {
  for (const char* name : {"MUTF-8", "mutf8", "Modified-UTF-8", "modified-utf8", "modified_utf8"})
    BOOST_TEST((encoding_from_name(name) == encoding::modified_utf8), name);
  BOOST_TEST(encoding_name(encoding::modified_utf8) == "MUTF-8");
  // GNU libiconv has another encoding of this name: ASCII with \uXXXX, as in Java's sources.
  BOOST_TEST(!encoding_from_name("java"));
  BOOST_TEST(!has_bom(encoding::modified_utf8));
}
