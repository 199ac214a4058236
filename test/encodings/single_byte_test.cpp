// single_byte_test.cpp: the encodings with one byte for each character, byte by byte and character by character,
// against the tables in data/single_byte/.
// build: portable
#define BOOST_TEST_MODULE single_byte
#include <boost/test/unit_test.hpp>

#include "support/single_byte_tables.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>

#include <map>
#include <string>

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

std::string utf8(char32_t c) {
  char bytes[4];
  return {bytes, utfilter::encode_utf8(c, bytes)};
}

/// All 256 bytes four times, so that the kernels take most of them.
std::string all_bytes() {
  std::string bytes;
  for (unsigned i = 0; i < 4 * 256; ++i) bytes += static_cast<char>(static_cast<unsigned char>(i));
  return bytes;
}

std::string all_characters(const table& t) {
  std::string text;
  for (const char byte : all_bytes()) text += utf8(t.characters[static_cast<unsigned char>(byte)]);
  return text;
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
    BOOST_TEST_CONTEXT(t.names.front()) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        utfilter::decoder text(encoding_of(t));
        BOOST_TEST(converted(text, std::string(1, static_cast<char>(static_cast<unsigned char>(byte)))) ==
                   utf8(t.characters[byte]));
        BOOST_TEST(text.report().lines == (byte == '\n' ? 1u : 0u));
      }
      utfilter::decoder text(encoding_of(t));
      BOOST_TEST(converted(text, all_bytes()) == all_characters(t));
      BOOST_TEST(text.report().lines == 4u);
      BOOST_TEST(text.report().errors == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_character_is_encoded_to_its_byte_and_all_others_are_unmappable) {
  for (const table& t : single_byte::tables()) {
    BOOST_TEST_CONTEXT(t.names.front()) {
      utfilter::encoder text(encoding_of(t));
      BOOST_TEST(converted(text, all_characters(t)) == all_bytes());

      std::map<char32_t, unsigned char> bytes;
      for (unsigned byte = 0; byte < 256; ++byte) bytes[t.characters[byte]] = static_cast<unsigned char>(byte);
      BOOST_TEST(bytes.size() == 256u);
      const auto codec = utfilter::transcoder::encoding_to(encoding_of(t), utfilter::bom::keep);
      for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        char out[utfilter::transcoder::min_output];
        const auto size = codec.encode(c, out);
        const auto found = bytes.find(c);
        const bool right =
            found == bytes.end() ? size == 0 : size == 1 && static_cast<unsigned char>(out[0]) == found->second;
        if (!right) BOOST_ERROR("U+" << std::hex << static_cast<unsigned long>(c));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_unmappable_character_is_reported_with_its_position) {
  for (const table& t : single_byte::tables()) {
    BOOST_TEST_CONTEXT(t.names.front()) {
      utfilter::encoder text(encoding_of(t), on_error::replace);
      BOOST_TEST(converted(text, "a\nb\xF0\x9F\x98\x80"
                                 "c") == "a\nb?c");
      const auto error = text.report().last_error.value();
      BOOST_TEST((error.code == utfilter::errc::unmappable));
      BOOST_TEST((error.code_point == U'\U0001F600'));
      BOOST_TEST(error.offset == 3u);
      BOOST_TEST(error.line == 2u);
      BOOST_TEST(error.column == 2u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_signature_that_the_encoding_lacks_is_dropped) {
  for (const table& t : single_byte::tables()) {
    BOOST_TEST_CONTEXT(t.names.front()) {
      utfilter::encoder text(encoding_of(t));
      BOOST_TEST(converted(text, "\xEF\xBB\xBF"
                                 "a") == "a");
      BOOST_TEST(text.report().bom);
      BOOST_TEST(!has_signature(encoding_of(t)));
    }
  }
}
