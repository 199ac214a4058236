// code_points_test.cpp: every code point in six encodings, to UTF-8 and back, in one piece and byte by byte. A scalar
// value has the code units of RFC 3629 section 3, RFC 2781 section 2, Unicode D90 and UTR 26. A surrogate is an error.
// build: long optimised
#define BOOST_TEST_MODULE code_points
#include <boost/test/unit_test.hpp>

#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/transcoder.hpp>

#include <optional>

namespace {

using utfilter::codec_status;
using utfilter::encoding;
using utfilter::errc;
using utfilter::transcoder;

struct form {
  encoding name;
  std::string (*encode)(const texts::text32&);
};
constexpr form forms[] = {{encoding::utf8, texts::utf8},
                          {encoding::utf16le, texts::utf16le},
                          {encoding::utf16be, texts::utf16be},
                          {encoding::utf32le, texts::utf32le},
                          {encoding::utf32be, texts::utf32be},
                          {encoding::cesu8, texts::cesu8},
                          {encoding::modified_utf8, texts::modified_utf8}};

constexpr char32_t code_points = 0x110000;

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

/// The codec's output for two characters, of which the second may be a line feed. Returns nothing if the codec reports
/// an error, does not consume all of the text, or counts its position wrongly.
std::optional<std::string> converted(transcoder codec, std::string_view text, std::size_t piece,
                                     bool feeds_line = false) {
  char room[24];
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const std::string_view part = text.substr(at, piece);
    const auto step = codec.transform(part.data(), part.size(), room, sizeof room, false);
    if (step.status != codec_status::need_input || step.consumed != part.size()) return std::nullopt;
    out.append(room, step.produced);
  }
  const auto end = codec.transform(nullptr, 0, room, sizeof room, true);
  if (end.status != codec_status::done) return std::nullopt;
  out.append(room, end.produced);
  const auto at = codec.position();
  const bool next_line = at.line == 2 && at.column == 1 && at.line_offset == text.size();
  const bool same_line = at.line == 1 && at.column == 3 && at.line_offset == 0;
  return at.offset == text.size() && (feeds_line ? next_line : same_line) ? std::optional(out) : std::nullopt;
}

/// The first error in the text.
std::optional<utfilter::error_info> first_error(transcoder codec, std::string_view text) {
  char room[24];
  const auto step = codec.transform(text.data(), text.size(), room, sizeof room, true);
  if (step.status != codec_status::malformed) return std::nullopt;
  return codec.error();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_scalar_value_is_decoded_and_encoded) {
  for (const form& f : forms) {
    const transcoder decoder = transcoder::decoding(f.name, utfilter::bom::keep);
    const transcoder encoder = transcoder::encoding_to(f.name, utfilter::bom::keep);
    tally decoded, encoded;
    for (char32_t c = 0; c < code_points; ++c) {
      if (is_surrogate(c)) continue;
      const texts::text32 after_another = {U'x', c};  // U+FEFF is no byte order mark after another character
      const std::string text = f.encode(after_another), utf8 = texts::utf8(after_another);
      const bool feeds_line = c == U'\n';
      for (const std::size_t piece : {text.size(), std::size_t{1}})
        decoded.check(converted(decoder, text, piece, feeds_line) == utf8, "decoded", text);
      for (const std::size_t piece : {utf8.size(), std::size_t{1}})
        encoded.check(converted(encoder, utf8, piece, feeds_line) == text, "encoded", utf8);
    }
    decoded.summary("from " + std::string(encoding_name(f.name)));
    encoded.summary("to " + std::string(encoding_name(f.name)));
    BOOST_TEST(decoded.cases() == 2 * (code_points - 0x800));
  }
}

BOOST_AUTO_TEST_CASE(every_surrogate_is_an_error) {
  struct expected {
    errc high, low;
    std::size_t size;
  };
  const auto expectation = [](encoding e) -> expected {
    switch (e) {
      case encoding::utf8: return {errc::surrogate, errc::surrogate, 1};
      case encoding::utf32le:
      case encoding::utf32be: return {errc::surrogate, errc::surrogate, 4};
      case encoding::cesu8:
      case encoding::modified_utf8: return {errc::unpaired_high_surrogate, errc::unpaired_low_surrogate, 3};
      default: return {errc::unpaired_high_surrogate, errc::unpaired_low_surrogate, 2};
    }
  };
  tally errors;
  for (const form& f : forms) {
    const expected e = expectation(f.name);
    for (char32_t c = 0xD800; c <= 0xDFFF; ++c) {
      // texts::utf16 encodes a surrogate as the code unit of that value.
      const std::string text = f.encode({c}) + f.encode(U"A");
      const auto error = first_error(transcoder::decoding(f.name, utfilter::bom::keep), text);
      errors.check(error && error->offset == 0 && error->code == (c < 0xDC00 ? e.high : e.low) && error->size == e.size,
                   "refused", text);
    }
  }
  errors.summary("surrogates");
}

// The two halves of a pair are one character. In the wrong order they are two errors.
BOOST_AUTO_TEST_CASE(every_surrogate_pair_is_decoded_to_its_character) {
  tally pairs;
  for (char32_t c = 0x10000; c < code_points; ++c) {
    const char32_t high = 0xD800 + ((c - 0x10000) >> 10), low = 0xDC00 + ((c - 0x10000) & 0x3FF);
    for (const form& f : forms) {
      if (f.name == encoding::utf8 || code_unit_size(f.name) == 4) continue;  // these have no surrogates
      const std::string pair = f.encode({U'x', high, low}), reversed = f.encode({low}) + f.encode({high});
      const auto codec = transcoder::decoding(f.name, utfilter::bom::keep);
      pairs.check(converted(codec, pair, pair.size()) == texts::utf8({U'x', c}), "joined", pair);
      const auto error = first_error(codec, reversed);
      pairs.check(error && error->code == errc::unpaired_low_surrogate && error->offset == 0, "refused", reversed);
    }
  }
  pairs.summary("pairs of surrogates");
}
