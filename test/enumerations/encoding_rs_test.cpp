// encoding_rs_test.cpp: the seven multi-byte encodings of the WHATWG Encoding Standard, sequence by sequence, against
// the Rust crate encoding_rs: all of one and two bytes, all of four bytes in GB18030 and wrong ones, all of three bytes
// in EUC-JP, and combinations of escape sequences and other bytes in ISO-2022-JP; and in the other direction every
// scalar value. The characters must be the same, and the place and the size of each error.
//
// The reference of the other tests is compared, too: they compare the library with it in every cut and interface.
// build: optimised needs:encoding_rs
#define BOOST_TEST_MODULE encoding_rs
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/conformance_vocabulary.hpp"
#include "support/tally.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <map>
#include <random>
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
constexpr std::size_t longest = 1 << 16;  // bytes of a result
using reference::bytes;
using reference::encoding;

struct known {
  encoding value;
  utfilter::encoding ours;
  std::string_view label;
};
const std::vector<known> encodings = [] {
  std::vector<known> all;
  for (const utfilter::encoding e : utfilter::encodings())
    if (utfilter::detail::is_cjk(e)) all.push_back({conformance::to_reference(e), e, encoding_name(e)});
  return all;
}();

//--------------------------------------------------------------------------------------- texts, as encoding_rs.rs writes

using converter = std::size_t (*)(const char*, std::size_t, const char*, std::size_t, char*, std::size_t);

std::string_view by_encoding_rs(converter convert, const known& e, std::string_view text) {
  static std::vector<char> out(longest);
  return {out.data(), convert(e.label.data(), e.label.size(), text.data(), text.size(), out.data(), out.size())};
}

/// Decodes with the library: all at once, or in pieces.
std::string by_library_decoded(const known& e, std::string_view text, std::size_t piece) {
  using utfilter::codec_status;
  static std::vector<char> room(longest);
  utfilter::transcoder codec = utfilter::transcoder::decoding(e.ours, utfilter::bom::keep);
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::string_view in = text.substr(at, piece);
    const bool last = at + in.size() == text.size();
    const utfilter::codec_progress done = codec.transform(in.data(), in.size(), room.data(), room.size(), last);
    out.append(room.data(), done.produced);
    at += done.consumed;
    if (done.status == codec_status::done) return out;
    if (done.status == codec_status::malformed) {
      const auto offset = static_cast<std::size_t>(codec.error().offset);
      out += bytes({0xFF, offset >> 8, offset, codec.error().size});
    } else if (done.status == codec_status::need_output || (last && done.consumed == 0)) {
      return out + " and does not end";
    }
  }
}

/// Encodes with the library: all at once, or in pieces.
std::string by_library_encoded(const known& e, std::string_view utf8, std::size_t piece) {
  static std::vector<char> room(longest);
  static std::map<utfilter::encoding, utfilter::encoder> encoders;
  if (encoders.count(e.ours) == 0) {
    utfilter::params p{utfilter::on_error::replace, utfilter::bom::keep};
    p.replacement = "?";
    encoders.emplace(e.ours, utfilter::encoder(e.ours, p));
  }
  utfilter::encoder& text = encoders.at(e.ours);
  text.begin(utfilter::encoder::direction::writing);
  std::string out;
  for (std::size_t at = 0; at < utf8.size() || at == 0; at += piece) {
    const std::string_view in = utf8.substr(at, piece);
    const bool last = at + in.size() == utf8.size();
    const utfilter::codec_progress done = text.convert(in.data(), in.size(), room.data(), room.size(), last);
    if (done.consumed != in.size()) return out + " and stops";
    out.append(room.data(), done.produced);
    if (last) break;
  }
  return out + bytes({static_cast<std::size_t>(text.report().errors)});
}

std::string by_reference_decoded(const known& e, std::string_view text) {
  std::string out;
  reference::text_state state;
  for (std::size_t at = 0; at < text.size();) {
    const reference::item next = reference::decode(e.value, text.substr(at), state);
    if (!next.good) {
      out += bytes({0xFF, at >> 8, at, next.size});
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
  std::size_t lacking = 0;
  for (const char32_t c : text) {
    const std::string next = reference::encode(e.value, c, state);
    out += next.empty() ? reference::encode(e.value, U'?', state) : next;
    lacking += next.empty();
  }
  return out + reference::escape_to(reference::character_set::ascii, state) + bytes({lacking});
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
  return by_encoding_rs(encoding_rs_decode, encodings[5], changed.front().pair) == changed.front().before;
}

/// The text with the characters since 2022.
std::string with_new_characters(std::string text) {
  for (const changed_pair& c : changed)
    for (std::size_t at = 0; (at = text.find(c.before, at)) != std::string::npos; at += c.since.size())
      text.replace(at, c.before.size(), c.since);
  return text;
}

//------------------------------------------------------------------------------------------------------------ comparison

class comparison {
 public:
  void decode(const known& e, std::string_view text) {
    const std::string_view expected = by_encoding_rs(encoding_rs_decode, e, text);
    compare("the reference decodes", e, text, by_reference_decoded(e, text), expected);
    compare("the library decodes", e, text, by_library_decoded(e, text, text.size()), expected);
    if (brief::takes_next()) compare("the library decodes", e, text, by_library_decoded(e, text, 1), expected);
  }

  void encode(const known& e, const std::u32string& text) {
    std::string utf8;
    for (const char32_t c : text) utf8 += reference::utf8(c);
    const std::string_view expected = by_encoding_rs(encoding_rs_encode, e, utf8);
    compare("the reference encodes", e, utf8, by_reference_encoded(e, text), expected);
    compare("the library encodes", e, utf8, by_library_encoded(e, utf8, utf8.size()), expected);
    if (brief::takes_next()) compare("the library encodes", e, utf8, by_library_encoded(e, utf8, 1), expected);
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
      BOOST_ERROR(e.label << ": " << what << ' ' << hexadecimal(text) << "to " << hexadecimal(got) << "and not to "
                          << hexadecimal(expected));
  }

  /// Whether the result differs only because of the changes of 2022. Counts the texts of which this is true.
  bool differs_since_2022(const char* what, const known& e, std::string_view text, const std::string& got,
                          std::string_view expected) {
    static const bool applies = is_before_2022();
    if (!applies || !is_changed(e.value)) return false;
    bool differs = false;
    if (std::string_view(what).find("decodes") != std::string_view::npos) {
      differs = with_new_characters(got) == with_new_characters(std::string(expected));
    } else {
      // Before 2022 GB18030 had four bytes for the characters, and GBK had none.
      for (const changed_pair& c : changed)
        differs |= text.find(c.since) != std::string_view::npos && got.find(c.pair) != std::string::npos;
    }
    differences_ += differs && std::string_view(what).find("reference") != std::string_view::npos;
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
  all.differ(2 * 2 * changed.size());  // in two encodings, with and without an A
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

//------------------------------------------------------------------------------------------------------------- long texts

namespace {

/// All characters of an encoding that are not ASCII, in their order. Those that changed in 2022 are left out.
std::u32string characters_of(const known& e) {
  std::u32string all;
  for (char32_t c = 0x80; c < 0x30000; ++c) {
    if ((c >= 0xD800 && c <= 0xDFFF) || reference::encode(e.value, c).empty()) continue;
    const std::string utf8 = reference::utf8(c);
    if (std::none_of(changed.begin(), changed.end(), [&](const changed_pair& p) { return p.since == utf8; })) all += c;
  }
  return all;
}

/// Runs of characters of one kind, so that the bulk conversions meet each kind alone and each change between two.
std::u32string random_text(const std::u32string& characters, std::mt19937& random) {
  std::u32string text;
  const std::size_t size = random() % 600;
  while (text.size() < size) {
    const std::size_t kind = random() % 6;
    const std::size_t from = random() % characters.size();
    for (std::size_t n = random() % (random() % 4 == 0 ? 100 : 6); n != 0; --n) switch (kind) {
        case 0: text += static_cast<char32_t>(random() % 0x80); break;
        case 1: text += static_cast<char32_t>('a' + random() % 26); break;
        case 2: text += random() % 8 == 0 ? U'\U0001F600' : U'\u00E9'; break;
        case 3: text += characters[(from + n) % characters.size()]; break;
        default: text += characters[random() % characters.size()];
      }
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(long_texts_are_encoded_and_decoded_alike) {
  comparison all;
  std::mt19937 random(1);
  for (const known& e : encodings) {
    const std::u32string characters = characters_of(e);
    for (std::size_t at = 0; at < characters.size(); at += 5000) {
      const std::u32string part = characters.substr(at, 5000);
      all.encode(e, part);
      all.decode(e, reference::encode(e.value, part));
    }
    for (std::size_t n = 0; n < 20'000; n += brief::nth) {
      const std::u32string text = random_text(characters, random);
      all.encode(e, text);
      std::string in = reference::encode(e.value, text);
      // Other bytes, at a few places or at many; and one byte too few.
      for (std::size_t damage = random() % 4 == 0 ? in.size() / 8 : random() % 3; damage != 0 && !in.empty(); --damage)
        in[random() % in.size()] = static_cast<char>(static_cast<unsigned char>(random()));
      if (random() % 8 == 0 && !in.empty()) in.pop_back();
      all.decode(e, in);
    }
  }
}
