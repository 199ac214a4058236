// specification_test.cpp: the library against the specifications. Each oracle judges every short byte sequence, and the
// library must agree. Also tests examples and properties from RFC 3629 and RFC 2044.
// build: long optimised needs:utfilter_oracles cost:44 timeout:1800
#define BOOST_TEST_MODULE specification
#include <boost/test/unit_test.hpp>

#include "support/call_budget.hpp"
#include "support/oracles.hpp"
#include "support/tally.hpp"

#include <utfilter/text.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <random>

namespace {

using namespace std::string_literals;
using utfilter::errc;

/// Fourth bytes on both sides of every boundary of table 3-7: lead bytes, continuation bytes and others.
constexpr unsigned char fourths[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                     0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF};

char to_char(std::uint64_t byte) { return static_cast<char>(static_cast<unsigned char>(byte)); }

/// Calls `visit` with each sequence of `size` bytes.
template <class Visit>
void for_each_sequence(std::size_t size, Visit visit) {
  char bytes[3] = {};
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 8 * size; ++bits) {
    for (std::size_t i = 0; i < size; ++i) bytes[i] = to_char(bits >> 8 * (size - 1 - i));
    visit(std::string_view(bytes, size));
  }
}

/// The codec, fed one byte at a time. The verdict on each sequence continues the verdict on its prefix.
class byte_by_byte {
 public:
  /// Adds the last byte of a text. Returns whether the text is well-formed if it ends here.
  bool add(char byte) {
    if (!alive_) return false;
    char room[utfilter::transcoder::min_output];
    // Room for one character is enough, because one byte completes at most one.
    if (codec_.transform(&byte, 1, room, sizeof room, false).status != utfilter::codec_status::need_input)
      return alive_ = false;
    auto at_end = codec_;
    return at_end.transform(nullptr, 0, room, sizeof room, true).status == utfilter::codec_status::done;
  }
  /// False after an error. The text stays ill-formed, whatever follows.
  bool alive() const { return alive_; }

 private:
  // Byte order marks are kept, so that EF BB BF is an ordinary character in input and output.
  utfilter::transcoder codec_ = utfilter::transcoder::validating(utfilter::bom::keep);
  bool alive_ = true;
};

/// Returns whether the codec accepts the text in a single call, and outputs it unchanged.
bool codec_accepts(std::string_view text) {
  auto codec = utfilter::transcoder::validating(utfilter::bom::keep);
  char room[16];
  const auto step = codec.transform(text.data(), text.size(), room, sizeof room, true);
  return step.status == utfilter::codec_status::done && step.consumed == text.size() &&
         std::string_view(room, step.produced) == text;
}

/// The code of an ill-formed subsequence by the definitions of errc: from its bytes and the byte after it.
errc expected_code(std::string_view text, const oracles::segment& piece) {
  const auto lead = static_cast<unsigned char>(text[piece.offset]);
  const auto next = piece.offset + piece.size;
  if (lead < 0xC0) return errc::unexpected_continuation;
  if (lead < 0xC2) return errc::overlong;
  if (lead > 0xFD) return errc::unused_byte;
  if (lead > 0xF7) return errc::forbidden_length;
  if (lead > 0xF4) return errc::out_of_range;
  if (next == text.size()) return errc::incomplete_at_end;
  const auto offending = static_cast<unsigned char>(text[next]);
  if (piece.size == 1 && offending >= 0x80 && offending <= 0xBF) {
    if (lead == 0xE0 || lead == 0xF0) return errc::overlong;
    if (lead == 0xED) return errc::surrogate;
    if (lead == 0xF4) return errc::out_of_range;
  }
  return errc::truncated_sequence;
}

/// Returns whether find_error reports the first ill-formed subsequence that the oracle finds, with the right code.
bool finds_first_error(std::string_view text, const oracles::segmenting_oracle& oracle) {
  const auto error = utfilter::find_error(text);
  for (std::size_t offset = 0; offset < text.size();) {
    const auto piece = oracle.next(text, offset);
    if (!piece.well_formed) {
      return error && error->offset == offset && error->size == piece.size &&
             error->code == expected_code(text, piece) &&
             std::memcmp(error->bytes.data(), text.data() + offset, piece.size) == 0;
    }
    offset += piece.size;
  }
  return !error;
}

/// The text with U+FFFD for each ill-formed subsequence that the oracle finds.
std::string replaced(std::string_view text, const oracles::segmenting_oracle& oracle) {
  std::string result;
  for (std::size_t offset = 0; offset < text.size();) {
    const auto piece = oracle.next(text, offset);
    result += piece.well_formed ? text.substr(offset, piece.size) : std::string_view("\xEF\xBF\xBD");
    offset += piece.size;
  }
  return result;
}

/// All errors that the codec reports, as segments.
std::vector<oracles::segment> errors_of(std::string_view text) {
  auto codec = utfilter::transcoder::validating(utfilter::bom::keep);
  std::vector<oracles::segment> result;
  char room[64];
  devices::call_budget budget;
  budget.allow_for(text.size());
  for (std::size_t at = 0;;) {
    budget.spend();
    const auto step = codec.transform(text.data() + at, text.size() - at, room, sizeof room, true);
    at += step.consumed;
    if (step.status != utfilter::codec_status::malformed) return result;
    result.push_back({codec.error().offset, codec.error().size, false});
  }
}

/// The code points of a text in UTF-8, by the codec that writes UTF-32. Empty if the codec reports an error.
std::u32string decoded(std::string_view text) {
  auto codec = utfilter::transcoder::encoding_to(utfilter::encoding::utf32be, utfilter::bom::keep);
  std::string bytes(4 * text.size() + 8, '\0');
  const auto step = codec.transform(text.data(), text.size(), bytes.data(), bytes.size(), true);
  if (step.status != utfilter::codec_status::done) return {};
  std::u32string result;
  for (std::size_t i = 0; i + 4 <= step.produced; i += 4) {
    char32_t c = 0;
    for (std::size_t j = 0; j < 4; ++j) c = c << 8 | static_cast<unsigned char>(bytes[i + j]);
    result += c;
  }
  return result;
}

bool is_scalar_value(char32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

/// The UTF-8 that the library writes for a scalar value in UTF-32.
std::string library_encoded(char32_t c) {
  auto codec = utfilter::transcoder::decoding(utfilter::encoding::utf32be, utfilter::bom::keep);
  const char in[] = {0, to_char(c >> 16), to_char(c >> 8 & 0xFF), to_char(c & 0xFF)};
  char out[utfilter::transcoder::min_output];
  const auto step = codec.transform(in, sizeof in, out, sizeof out, true);
  return step.status == utfilter::codec_status::done ? std::string(out, step.produced) : "not encoded"s;
}

struct code_case {
  std::string text;
  std::vector<errc> codes;  // of all its errors, in order
};

std::vector<errc> codes_of(std::string_view text) {
  std::vector<errc> result;
  while (const auto error = utfilter::find_error(text)) {
    result.push_back(error->code);
    text.remove_prefix(static_cast<std::size_t>(error->offset) + error->size);
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_library_and_all_oracles_agree_on_every_short_sequence) {
  const auto all = oracles::all();
  tally verdicts;
  std::uint64_t well_formed = 0;
  const auto check = [&](std::string_view text, bool fed_byte_by_byte) {
    const bool verdict = utfilter::is_utf8(text);
    bool agreed = verdict == fed_byte_by_byte;
    for (const auto& oracle : all) agreed &= oracle->well_formed(text) == verdict;
    verdicts.check(agreed, "judged differently", text);
    well_formed += verdict ? 1 : 0;
  };

  check("", true);
  char bytes[4];
  for (unsigned a = 0; a < 256; ++a) {
    byte_by_byte one;
    bytes[0] = to_char(a);
    check({bytes, 1}, one.add(bytes[0]));
    for (unsigned b = 0; b < 256; ++b) {
      byte_by_byte two = one;
      bytes[1] = to_char(b);
      check({bytes, 2}, two.add(bytes[1]));
      for (unsigned c = 0; c < 256; ++c) {
        byte_by_byte three = two;
        bytes[2] = to_char(c);
        check({bytes, 3}, three.add(bytes[2]));
        for (const unsigned char d : fourths) {
          bytes[3] = to_char(d);
          if (three.alive()) {
            byte_by_byte four = three;
            check({bytes, 4}, four.add(bytes[3]));
          } else {
            check({bytes, 4}, false);
          }
        }
      }
    }
  }
  verdicts.summary(
      "sequences of up to three bytes, and of four with 16 fourth bytes, 7 oracles, is_utf8 and the codec");
  BOOST_TEST(verdicts.cases() == 1 + (1u << 8) + (1u << 16) + (1u << 24) + 16 * (1u << 24));
  std::cout << well_formed << " of them are well-formed\n";
  BOOST_TEST(well_formed > 0u);
}

BOOST_AUTO_TEST_CASE(the_codec_judges_and_copies_every_short_sequence_in_one_call) {
  const auto oracle = oracles::table();
  tally verdicts;
  for (std::size_t size = 0; size <= 3; ++size) {
    for_each_sequence(size, [&](std::string_view text) {
      verdicts.check(codec_accepts(text) == oracle->well_formed(text), "judged differently", text);
    });
  }
  verdicts.summary("sequences of up to three bytes in one call of the codec");
}

BOOST_AUTO_TEST_CASE(every_scalar_value_and_no_other_code_point_is_accepted) {
  tally verdicts;
  for (char32_t c = 0; c <= 0x1FFFFF; ++c) {
    const std::string text = oracles::encoded(c);
    const bool legal = is_scalar_value(c);
    verdicts.check(utfilter::is_utf8(text) == legal && codec_accepts(text) == legal, "code point", text);
  }
  verdicts.summary("code points to 1FFFFF");
}

BOOST_AUTO_TEST_CASE(the_first_error_of_every_short_sequence_is_the_maximal_subpart) {
  const auto oracle = oracles::enumeration();
  tally errors;
  for (std::size_t size = 0; size <= 3; ++size) {
    for_each_sequence(size, [&](std::string_view text) {
      errors.check(finds_first_error(text, *oracle), "another first error", text);
    });
  }
  errors.summary("first errors of sequences of up to three bytes");
}

BOOST_AUTO_TEST_CASE(every_error_of_every_short_sequence_is_replaced_once) {
  const auto oracle = oracles::enumeration();
  tally repairs;
  for (std::size_t size = 0; size <= 3; ++size) {
    for_each_sequence(size, [&](std::string_view text) {
      repairs.check(utfilter::sanitize(text) == replaced(text, *oracle), "repaired differently", text);
    });
  }
  repairs.summary("repairs of sequences of up to three bytes");
}

// With four bytes a four-byte sequence can be cut short at any place; eight bytes have room for two sequences.
BOOST_AUTO_TEST_CASE(errors_and_repairs_of_longer_sequences_are_the_maximal_subparts) {
  constexpr unsigned char bytes[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0,
                                     0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0,
                                     0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF};
  const auto oracle = oracles::enumeration();
  tally checked;
  const auto check = [&](std::string_view text) {
    std::vector<oracles::segment> errors = oracle->segments(text);
    errors.erase(std::remove_if(errors.begin(), errors.end(), [](const auto& piece) { return piece.well_formed; }),
                 errors.end());
    checked.check(finds_first_error(text, *oracle), "another first error", text);
    checked.check(errors_of(text) == errors, "other errors", text);
    checked.check(utfilter::sanitize(text) == replaced(text, *oracle), "repaired differently", text);
  };
  for (const auto a : bytes)
    for (const auto b : bytes)
      for (const auto c : bytes)
        for (const auto d : bytes) check(std::string{to_char(a), to_char(b), to_char(c), to_char(d)});
  std::mt19937 random(1998);
  for (int n = 0; n < 300'000; ++n) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += to_char(bytes[random() % std::size(bytes)]);
    check(text);
  }
  checked.summary("errors and repairs of sequences of four and eight bytes");
}

BOOST_AUTO_TEST_CASE(the_examples_of_rfc_3629_section_7_and_rfc_2044_decode) {
  const std::pair<std::string, std::u32string> examples[] = {
      {"\x41\xE2\x89\xA2\xCE\x91\x2E", U"\u0041\u2262\u0391\u002E"},        // A<NOT IDENTICAL TO><ALPHA>.
      {"\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4", U"\uD55C\uAD6D\uC5B4"},      // "hangugeo"
      {"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", U"\u65E5\u672C\u8A9E"},      // "nihongo"
      {"\xEF\xBB\xBF\xF0\xA3\x8E\xB4", U"\uFEFF\U000233B4"},                // a byte order mark, then "stump of tree"
      {"\x48\x69\x20\x4D\x6F\x6D\x20\xE2\x98\xBA\x21", U"Hi Mom \u263A!"},  // RFC 2044: "Hi Mom <WHITE SMILING FACE>!"
  };
  for (const auto& [bytes, code_points] : examples) {
    BOOST_TEST(utfilter::is_utf8(bytes), hexadecimal(bytes));
    BOOST_TEST((decoded(bytes) == code_points), hexadecimal(bytes));
  }
}

BOOST_AUTO_TEST_CASE(every_scalar_value_is_decoded_and_encoded_as_the_bit_distribution_says) {
  tally values;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_scalar_value(c)) continue;
    const std::string bytes = oracles::encoded(c);
    values.check(decoded(bytes) == std::u32string(1, c), "decoded differently", bytes);
    values.check(library_encoded(c) == bytes, "encoded differently", bytes);
  }
  values.summary("scalar values decoded and encoded");
}

BOOST_AUTO_TEST_CASE(the_sequences_that_the_rfcs_warn_of_are_refused) {
  const auto continuation = errc::unexpected_continuation;
  const code_case cases[] = {
      // RFC 3629 section 3: "a naive implementation may decode ... C0 80 into U+0000, or a surrogate pair into
      // U+233B4".
      {"\xC0\x80", {errc::overlong, continuation}},
      {"\xED\xA1\x8C\xED\xBE\xB4",
       {errc::surrogate, continuation, continuation, errc::surrogate, continuation, continuation}},
      // Section 10: "/../" in disguise.
      {"\x2F\xC0\xAE\x2E\x2F", {errc::overlong, continuation}},
  };
  for (const auto& [text, codes] : cases) {
    BOOST_TEST(!utfilter::is_utf8(text), hexadecimal(text));
    BOOST_TEST(!codec_accepts(text), hexadecimal(text));
    BOOST_TEST((codes_of(text) == codes), hexadecimal(text));
    BOOST_TEST(decoded(text).empty(), hexadecimal(text));
  }
  BOOST_TEST(utfilter::sanitize("\x2F\xC0\xAE\x2E\x2F") == "/\xEF\xBF\xBD\xEF\xBF\xBD./");
}

BOOST_AUTO_TEST_CASE(sequences_of_five_and_six_bytes_are_reported_as_of_forbidden_length) {
  for (unsigned lead = 0xF8; lead <= 0xFD; ++lead) {
    const std::size_t length = lead < 0xFC ? 5 : 6;
    const std::string text = to_char(lead) + std::string(length - 1, '\x88');
    BOOST_TEST(!utfilter::is_utf8(text), hexadecimal(text));

    std::vector<errc> codes(length, errc::unexpected_continuation);
    codes.front() = errc::forbidden_length;
    BOOST_TEST((codes_of(text) == codes), hexadecimal(text));
    const auto error = utfilter::find_error(text);
    BOOST_REQUIRE(error.has_value());
    BOOST_TEST(error->size == 1);
    BOOST_TEST(error->message() == "sequence of a forbidden length: " + hexadecimal(text.substr(0, 1)).substr(0, 2));
  }
}

// RFC 3629 section 1: "The byte-value lexicographic sorting order of UTF-8 strings is the same as if ordered by
// character numbers."
BOOST_AUTO_TEST_CASE(the_order_of_bytes_is_the_order_of_code_points) {
  std::string previous;
  tally order;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_scalar_value(c)) continue;
    std::string next = library_encoded(c);
    order.check(previous < next, "out of order", next);
    previous = std::move(next);
  }
  std::mt19937 random(2044);
  const auto any_text = [&] {
    std::u32string text;
    while (text.size() < 1 + random() % 5) {
      const char32_t c = static_cast<char32_t>(random() % 0x110000) >> random() % 21;
      if (is_scalar_value(c)) text += c;
    }
    return text;
  };
  const auto bytes_of = [](const std::u32string& text) {
    std::string bytes;
    for (const char32_t c : text) bytes += library_encoded(c);
    return bytes;
  };
  for (int n = 0; n < 100'000; ++n) {
    const std::u32string a = any_text(), b = any_text();
    const std::string x = bytes_of(a), y = bytes_of(b);
    order.check((a < b) == (x < y) && (a == b) == (x == y), "out of order", x + '|' + y);
  }
  order.summary("order of code points and bytes");
}

// RFC 2044: "the first octet of a multi-octet sequence indicates the number of octets in the sequence", and "character
// boundaries are easily found from anywhere in an octet stream".
BOOST_AUTO_TEST_CASE(the_first_byte_gives_the_length_and_no_other_byte_looks_like_a_first_byte) {
  tally lengths;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!is_scalar_value(c)) continue;
    const std::string bytes = library_encoded(c);
    const auto lead = static_cast<unsigned char>(bytes[0]);
    const std::size_t said = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    bool right = said == bytes.size() && (lead & 0xC0) != 0x80;
    for (std::size_t i = 1; i < bytes.size(); ++i) right &= (static_cast<unsigned char>(bytes[i]) & 0xC0) == 0x80;
    lengths.check(right, "length", bytes);
  }
  lengths.summary("lengths by the first byte");
}

BOOST_AUTO_TEST_CASE(a_boundary_is_found_from_any_byte) {
  std::mt19937 random(2279);
  tally cuts;
  for (int n = 0; n < 20'000; ++n) {
    std::string text;
    std::vector<std::size_t> boundaries = {0};
    while (boundaries.size() < 10) {
      const char32_t c = static_cast<char32_t>(random() % 0x110000) >> random() % 21;
      if (!is_scalar_value(c)) continue;
      text += oracles::encoded(c);
      boundaries.push_back(text.size());
    }
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      // Forward over the continuation bytes; backward by complete_prefix.
      std::size_t forward = cut;
      while (forward < text.size() && (static_cast<unsigned char>(text[forward]) & 0xC0) == 0x80) ++forward;
      const auto next = std::lower_bound(boundaries.begin(), boundaries.end(), cut);
      const auto last = *next == cut ? cut : *(next - 1);
      cuts.check(forward == *next, "forward", std::string_view(text).substr(cut));
      cuts.check(utfilter::complete_prefix(std::string_view(text).substr(0, cut)) == last, "backward",
                 text.substr(0, cut));
      cuts.check(utfilter::is_utf8(std::string_view(text).substr(forward)), "the rest", text.substr(forward));
    }
  }
  cuts.summary("boundaries found from every byte");
}
