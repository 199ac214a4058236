// encoding_rs_test.cpp: the seven multi-byte encodings of the WHATWG Encoding Standard, sequence by sequence, against
// the Rust crate encoding_rs: all of one and two bytes, all of four bytes in GB18030 and wrong ones, all of three bytes
// in EUC-JP, and combinations of escape sequences and other bytes in ISO-2022-JP; and in the other direction every
// scalar value. The characters must be the same, and the place and the size of each error.
//
// The references of the other tests are compared, too, so that those tests compare the library with what is here.
// build: optimised needs:encoding_rs
#define BOOST_TEST_MODULE encoding_rs
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance_reference.hpp"
#include "support/tally.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
std::size_t encoding_rs_decode(const char* label, std::size_t label_size, const char* text, std::size_t size, char* out,
                               std::size_t room);
std::size_t encoding_rs_encode(const char* label, std::size_t label_size, const char* text, std::size_t size, char* out,
                               std::size_t room);
}

namespace {

namespace reference = conformance::reference;
using reference::bytes;
using reference::encoding;

struct known {
  encoding value;
  std::string_view label;
};
constexpr known encodings[] = {{encoding::shift_jis, "shift_jis"},
                               {encoding::euc_jp, "euc-jp"},
                               {encoding::iso_2022_jp, "iso-2022-jp"},
                               {encoding::euc_kr, "euc-kr"},
                               {encoding::gbk, "gbk"},
                               {encoding::gb18030, "gb18030"},
                               {encoding::big5, "big5"}};

//--------------------------------------------------------------------------------------- texts, as encoding_rs.rs writes

using converter = std::size_t (*)(const char*, std::size_t, const char*, std::size_t, char*, std::size_t);

std::string_view by_encoding_rs(converter convert, const known& e, std::string_view text) {
  static std::array<char, 256> out;
  return {out.data(), convert(e.label.data(), e.label.size(), text.data(), text.size(), out.data(), out.size())};
}

std::string by_reference_decoded(const known& e, std::string_view text) {
  std::string out;
  reference::text_state state;
  for (std::size_t at = 0; at < text.size();) {
    const reference::item next = reference::decode(e.value, text.substr(at), state);
    if (!next.good) {
      out += bytes({0xFF, at, next.size});
    } else {
      if (next.characters != 0) out += reference::utf8(next.value);
      if (next.characters == 2) out += reference::utf8(next.second);
    }
    at += next.size;
  }
  return out;
}

std::string by_reference_encoded(const known& e, const std::u32string& text) {
  std::string out;
  reference::text_state state;
  for (const char32_t c : text) {
    const std::string next = reference::encode(e.value, c, state);
    if (next.empty() && state.set == reference::character_set::jis0208)
      out += reference::escape_to(reference::character_set::ascii, state);
    out += next.empty() ? "\xFF" : next;
  }
  return out + reference::escape_to(reference::character_set::ascii, state);
}

//----------------------------------------------------------------------------------------------- the differences of 2022

/// GB18030 gave characters of Unicode to 18 pairs of bytes in 2022 that were private-use characters before. encoding_rs
/// does so since version 0.8.35.
struct changed_pair {
  std::string pair, since, before;  // UTF-8
};

std::vector<changed_pair> pairs_of_2022() {
  std::vector<changed_pair> all;
  for (const auto& [private_use, pair] : reference::gb18030_private_use) {
    const std::string two = bytes({pair / 256, pair % 256});
    all.push_back({two, reference::utf8(reference::decode_gb18030(two).value), reference::utf8(private_use)});
  }
  return all;
}
const std::vector<changed_pair> changed = pairs_of_2022();

bool is_changed(encoding e) { return e == encoding::gbk || e == encoding::gb18030; }

bool is_before_2022() {
  return by_encoding_rs(encoding_rs_decode, {encoding::gb18030, "gb18030"}, changed.front().pair) ==
         changed.front().before;
}

/// The text with the characters of before 2022.
std::string with_old_characters(std::string text) {
  for (const changed_pair& c : changed)
    for (std::size_t at = 0; (at = text.find(c.since, at)) != std::string::npos; at += c.before.size())
      text.replace(at, c.since.size(), c.before);
  return text;
}

//------------------------------------------------------------------------------------------------------------ comparison

class comparison {
 public:
  void decode(const known& e, std::string_view text) {
    const std::string got = by_reference_decoded(e, text);
    compare("decodes", e, text, got, by_encoding_rs(encoding_rs_decode, e, text));
  }

  void encode(const known& e, const std::u32string& text) {
    std::string utf8;
    for (const char32_t c : text) utf8 += reference::utf8(c);
    compare("encodes", e, utf8, by_reference_encoded(e, text), by_encoding_rs(encoding_rs_encode, e, utf8));
  }

  ~comparison() {
    tally_.summary();
    std::cout << differences_ << " differences, of GB18030's changes of 2022\n";
  }

  /// Checks how many results differ because of the changes of 2022, if encoding_rs is older.
  void differ(std::size_t expected) const { BOOST_TEST(differences_ == (is_before_2022() ? expected : 0)); }

 private:
  void compare(const char* what, const known& e, std::string_view text, const std::string& got,
               std::string_view expected) {
    if (tally_.failed(got == expected || differs_since_2022(what, e, text, got, expected)))
      BOOST_ERROR(e.label << " " << what << " " << hexadecimal(text) << ": " << hexadecimal(got) << "and not "
                          << hexadecimal(expected));
  }

  /// Whether the result differs only because of the changes of 2022. Counts these differences.
  bool differs_since_2022(const char* what, const known& e, std::string_view text, const std::string& got,
                          std::string_view expected) {
    static const bool applies = is_before_2022();
    if (!applies || !is_changed(e.value)) return false;
    bool differs = false;
    if (what[0] == 'd') {
      differs = with_old_characters(got) == expected;
    } else {
      // Before 2022 GB18030 had four bytes for the characters, and GBK had none.
      for (const changed_pair& c : changed)
        differs |= text.find(c.since) != std::string_view::npos && got.find(c.pair) != std::string::npos;
    }
    differences_ += differs;
    return differs;
  }

  tally tally_;
  std::size_t differences_ = 0;
};

std::string_view view(const unsigned char* text, std::size_t size) {
  return {reinterpret_cast<const char*>(text), size};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_sequence_of_one_and_two_bytes_is_decoded_alike) {
  comparison all;
  for (const known& e : encodings)
    for (unsigned first = 0; first < 256; ++first) {
      all.decode(e, bytes({first}));
      for (unsigned second = 0; second < 256; ++second) {
        all.decode(e, bytes({first, second}));
        all.decode(e, bytes({first, second, 'A'}));
      }
    }
  all.differ(2 * 2 * changed.size());  // two encodings, with and without an A
}

BOOST_AUTO_TEST_CASE(every_sequence_of_four_bytes_of_gb18030_is_decoded_alike) {
  comparison all;
  const known gb18030 = encodings[5];
  unsigned char text[4];
  for (unsigned first = 0x81; first <= 0xFE; ++first)
    for (unsigned second = 0x30; second <= 0x39; ++second)
      for (unsigned third = 0x81; third <= 0xFE; ++third)
        for (unsigned fourth = 0x30; fourth <= 0x39; ++fourth) {
          std::size_t size = 0;
          for (const unsigned byte : {first, second, third, fourth}) text[size++] = static_cast<unsigned char>(byte);
          all.decode(gb18030, view(text, 4));
        }
}

BOOST_AUTO_TEST_CASE(wrong_sequences_of_four_bytes_are_decoded_alike) {
  comparison all;
  for (const known& e : {encodings[4], encodings[5]})
    for (const unsigned first : {0x81U, 0x84U, 0x85U, 0x90U, 0xA6U, 0xE3U, 0xE4U, 0xFEU})
      for (unsigned second = 0x30; second <= 0x39; ++second)
        for (unsigned third = 0; third < 256; ++third) {
          all.decode(e, bytes({first, second, third}));
          for (const unsigned fourth : {0x1BU, 0x2FU, 0x30U, 0x39U, 0x3AU, 0x40U, 0x80U, 0x81U, 0xA6U, 0xFFU}) {
            all.decode(e, bytes({first, second, third, fourth}));
            all.decode(e, bytes({first, second, third, fourth, 0x30, 0xD9}));
          }
        }
}

BOOST_AUTO_TEST_CASE(every_sequence_of_three_bytes_of_euc_jp_is_decoded_alike) {
  comparison all;
  const known euc_jp = encodings[1];
  for (unsigned second = 0; second < 256; ++second)
    for (unsigned third = 0; third < 256; ++third) {
      for (const unsigned first : {0x8EU, 0x8FU, 0xA4U}) {
        all.decode(euc_jp, bytes({first, second, third}));
        all.decode(euc_jp, bytes({first, second, third, 0xA1}));
      }
    }
}

// Bytes of every kind, three of them in every order.
BOOST_AUTO_TEST_CASE(mixtures_of_lead_bytes_trail_bytes_and_ascii_are_decoded_alike) {
  comparison all;
  constexpr unsigned kinds[] = {0x0A, 0x1B, 0x30, 0x40, 0x41, 0x7E, 0x7F, 0x80, 0x81, 0x87,
                                0x88, 0x8E, 0x8F, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xC6,
                                0xC9, 0xDF, 0xE0, 0xEF, 0xF0, 0xF9, 0xFC, 0xFD, 0xFE, 0xFF};
  for (const known& e : encodings)
    for (const unsigned first : kinds)
      for (const unsigned second : kinds)
        for (const unsigned third : kinds) {
          all.decode(e, bytes({first, second, third}));
          for (const unsigned fourth : kinds)
            if (brief::takes_next()) all.decode(e, bytes({first, second, third, fourth}));
        }
}

BOOST_AUTO_TEST_CASE(every_sequence_in_each_character_set_of_iso_2022_jp_is_decoded_alike) {
  comparison all;
  const known iso_2022_jp = encodings[2];
  for (const auto& [escape, set] : reference::escape_sequences)
    for (unsigned first = 0; first < 256; ++first) {
      all.decode(iso_2022_jp, std::string(escape) + bytes({first}));
      for (unsigned second = 0; second < 256; ++second) {
        all.decode(iso_2022_jp, std::string(escape) + bytes({first, second}));
        all.decode(iso_2022_jp, std::string(escape) + bytes({first, second, 0x5C}));
        all.decode(iso_2022_jp, bytes({0x1B, first, second, 0x5C}));
      }
    }
}

BOOST_AUTO_TEST_CASE(combinations_of_escape_sequences_are_decoded_alike) {
  using namespace std::string_view_literals;
  comparison all;
  const known iso_2022_jp = encodings[2];
  constexpr std::string_view tokens[] = {"\x1B(B"sv,   "\x1B(J"sv, "\x1B(I"sv, "\x1B$@"sv, "\x1B$B"sv, "\x1B$"sv,
                                         "\x1B("sv,    "\x1B"sv,   "\x1B$A"sv, "\x1B(H"sv, "$"sv,      "("sv,
                                         "B"sv,        "\x21"sv,   "\x5C"sv,   "\x7E"sv,   "\x0A"sv,   "\x0E"sv,
                                         "\x24\x22"sv, "\x7F"sv,   "\x80"sv,   "\xFF"sv};
  const auto grow = [&](const auto& self, const std::string& text, int left) -> void {
    if (!text.empty() && (left > 0 || brief::takes_next())) all.decode(iso_2022_jp, text);
    if (left != 0)
      for (const std::string_view token : tokens) self(self, text + std::string(token), left - 1);
  };
  grow(grow, "", 4);
}

// A character alone, and in ISO-2022-JP between characters of other sets.
BOOST_AUTO_TEST_CASE(every_scalar_value_is_encoded_alike) {
  comparison all;
  for (const known& e : encodings)
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      all.encode(e, {c});
      if (e.value != encoding::iso_2022_jp || (c > 0xFFFF && c % 64 != 0)) continue;
      all.encode(e, {U'\u00A5', c, U'~'});
      all.encode(e, {U'\u3042', c, U'~'});
      all.encode(e, {U'a', c, U'\u3042'});
    }
  all.differ(2 * changed.size());  // in two encodings
}
