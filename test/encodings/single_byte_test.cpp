// single_byte_test.cpp: the encodings with one byte for each character, byte by byte and character by character,
// against the tables in data/single_byte/.
// build: portable
#define BOOST_TEST_MODULE single_byte
#include <boost/test/unit_test.hpp>

#include "support/single_byte_tables.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using single_byte::table;
using utfilter::encoding;
using utfilter::on_error;

encoding encoding_of(const table& t) { return utfilter::encoding_from_name(t.names.front()).value(); }

template <class Converter>
std::string converted(Converter& text, const std::string& in) {
  std::string out(8 * in.size() + 64, '\0');
  const auto done = text.convert(in.data(), in.size(), out.data(), out.size(), true);
  BOOST_TEST((done.status == utfilter::codec_status::done));
  out.resize(done.produced);
  return out;
}

char to_char(unsigned byte) { return static_cast<char>(static_cast<unsigned char>(byte)); }

/// All bytes that are assigned, four times, so that the kernels take most of them.
std::string all_bytes(const table& t) {
  std::string bytes;
  for (unsigned i = 0; i < 4 * 256; ++i)
    if (t.assigns(i % 256)) bytes += to_char(i);
  return bytes;
}

std::string all_characters(const table& t) {
  std::string text;
  for (const char byte : all_bytes(t)) text += texts::utf8({t.characters[static_cast<unsigned char>(byte)]});
  return text;
}

/// What a policy makes of an unassigned byte.
struct repair {
  on_error policy;
  std::string text;
};

std::vector<repair> repairs_of(unsigned byte) {
  constexpr char digits[] = "0123456789ABCDEF";
  return {{on_error::replace, "\xEF\xBF\xBD"},
          {on_error::skip, ""},
          {on_error::escape, std::string("\\x") + digits[byte / 16] + digits[byte % 16]}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_encoding_of_one_byte_has_a_table) {
  for (const encoding e : utfilter::encodings()) {
    const auto has_table = [&](const table& t) { return t.names.front() == utfilter::encoding_name(e); };
    const bool found = std::any_of(single_byte::tables().begin(), single_byte::tables().end(), has_table);
    BOOST_CHECK_MESSAGE(found == is_single_byte(e), to_string(e)
                                                        << ": data/single_byte/ lacks a table, or has one too many");
  }
}

BOOST_AUTO_TEST_CASE(each_byte_is_decoded_to_its_character) {
  for (const table& t : single_byte::tables()) {
    BOOST_TEST_INFO_SCOPE(t.names.front());
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (!t.assigns(byte)) continue;
      utfilter::decoder text(encoding_of(t));
      BOOST_TEST(converted(text, std::string(1, to_char(byte))) == texts::utf8({t.characters[byte]}));
      BOOST_TEST(text.report().lines == (byte == '\n' ? 1u : 0u));
    }
    utfilter::decoder text(encoding_of(t));
    BOOST_TEST(converted(text, all_bytes(t)) == all_characters(t));
    BOOST_TEST(text.report().lines == 4u);
    BOOST_TEST(text.report().errors == 0u);
  }
}

// The byte stands alone, and among so much text that a kernel meets it.
BOOST_AUTO_TEST_CASE(each_unassigned_byte_is_an_error_that_every_policy_treats) {
  unsigned holes = 0;
  for (const table& t : single_byte::tables())
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (t.assigns(byte)) continue;
      ++holes;
      BOOST_TEST_CONTEXT(t.names.front() << ", byte " << byte) {
        for (const std::string& before : {std::string("\n"), "\n" + std::string(200, 'a')}) {
          const std::string in = before + to_char(byte) + std::string(100, 'z');
          const std::string place = std::to_string(before.size());
          const std::string message =
              "line 2, column " + place + " (byte " + place +
              "): byte that the encoding does not assign: " + hexadecimal({&in[before.size()], 1});
          const auto check_error = [&](const utfilter::error_info& error) {
            BOOST_TEST(to_string(error) + ' ' == message);
            BOOST_TEST((error.code_point == U'\0'));
          };
          for (const repair& r : repairs_of(byte)) {
            utfilter::decoder text(encoding_of(t), r.policy);
            BOOST_TEST(converted(text, in) == before + r.text + std::string(100, 'z'));
            BOOST_TEST(text.report().errors == 1u);
            check_error(text.report().last_error.value());
          }
          utfilter::decoder strict(encoding_of(t), on_error::strict);
          std::string out(2 * in.size(), '\0');
          const auto good = strict.convert(in.data(), in.size(), out.data(), out.size(), true);
          BOOST_TEST((good.status == utfilter::codec_status::malformed));
          BOOST_TEST(out.substr(0, good.produced) == before);
          check_error(strict.report().last_error.value());
          utfilter::decoder stopping(encoding_of(t), on_error::stop);
          BOOST_TEST(converted(stopping, in) == before);
          check_error(stopping.report().last_error.value());
        }
      }
    }
  BOOST_TEST(holes != 0u);
}

BOOST_AUTO_TEST_CASE(each_character_is_encoded_to_its_byte_and_all_others_are_unmappable) {
  for (const table& t : single_byte::tables()) {
    BOOST_TEST_INFO_SCOPE(t.names.front());
    utfilter::encoder text(encoding_of(t));
    std::string written = all_bytes(t);
    for (char& byte : written) byte = to_char(t.written_for(static_cast<unsigned char>(byte)));
    BOOST_TEST(converted(text, all_characters(t)) == written);

    std::vector<int> bytes(0x110000, -1);  // the byte of each character
    for (unsigned byte = 0; byte < 256; ++byte)
      if (t.assigns(byte)) bytes[t.characters[byte]] = static_cast<int>(t.written_for(byte));
    const auto codec = utfilter::transcoder::encoding_to(encoding_of(t), utfilter::bom::keep);
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      char out[utfilter::transcoder::min_output];
      const auto size = codec.encode(c, out);
      const int byte = bytes[c];
      if (byte < 0 ? size != 0 : size != 1 || static_cast<unsigned char>(out[0]) != byte)
        BOOST_ERROR("U+" << std::hex << static_cast<unsigned long>(c));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unmappable_character_is_reported_with_its_position) {
  for (const table& t : single_byte::tables()) {
    BOOST_TEST_INFO_SCOPE(t.names.front());
    utfilter::encoder text(encoding_of(t), on_error::replace);
    BOOST_TEST(converted(text, "a\nb\U0001F600c") == "a\nb?c");
    BOOST_TEST(to_string(text.report().last_error.value()) ==
               "line 2, column 2 (byte 3): the target encoding lacks U+1F600: F0 9F 98 80");
  }
}

BOOST_AUTO_TEST_CASE(a_bom_that_the_encoding_lacks_is_dropped) {
  for (const table& t : single_byte::tables()) {
    BOOST_TEST_INFO_SCOPE(t.names.front());
    utfilter::encoder text(encoding_of(t));
    BOOST_TEST(converted(text, "\uFEFFa") == "a");
    BOOST_TEST(text.report().bom);
    BOOST_TEST(!has_bom(encoding_of(t)));
  }
}
