// decoder_test.cpp: decoder and encoder give what the filters give, for every cut and every room, and refuse what those refuse.
#define BOOST_TEST_MODULE decoder
#include <boost/test/unit_test.hpp>

#include "texts.hpp"

#include <utfilter/decoder.hpp>

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;

static_assert(noexcept(std::declval<transcoder&>().transform(nullptr, 0, nullptr, 0, false)));

namespace {

const texts::text32 text  = U"\uFEFFone\n\u20AC\U0001F600\u00E4\n";
const std::string   clean = texts::utf8(text.substr(1));

struct result {
  std::string    output;
  codec_progress last{0, 0, codec_status::need_input};
};

/// In pieces of so many bytes, and with so much room, to the end.
result fed(conversion<transcoder>& converter, const std::string& input, std::size_t size, std::size_t room) {
  result            got;
  std::vector<char> out(room);
  for (std::size_t at = 0; got.last.status == codec_status::need_input; at += size) {
    const bool  last  = at >= input.size();
    std::string piece = last ? "" : input.substr(at, size);
    do {
      got.last = converter.convert(piece.data(), piece.size(), out.data(), room, last);
      piece.erase(0, got.last.consumed);
      got.output.append(out.data(), got.last.produced);
    } while (got.last.status == codec_status::need_output);
  }
  return got;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_decoder_has_begun_and_detects) {
  for (const auto encode : {texts::utf8, texts::utf16le, texts::utf16be, texts::utf32le}) {
    const std::string input = encode(text);
    for (const std::size_t size : {1u, 2u, 3u, 5u, 1000u}) {
      for (const std::size_t room : {6u, 7u, 100u}) {
        decoder      converter;
        BOOST_TEST((converter.use() == decoder::direction::reading));
        const result got = fed(converter, input, size, room);
        BOOST_TEST(got.output == clean);
        BOOST_TEST((got.last.status == codec_status::done));
        BOOST_TEST(converter.report().bom);
        BOOST_TEST(converter.report().lines == 2u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_encoder_has_begun) {
  for (const std::size_t size : {1u, 3u, 1000u}) {
    encoder little(encoding::utf16le), marked(encoding::utf16);
    BOOST_TEST((little.use() == encoder::direction::writing));
    BOOST_TEST(fed(little, clean, size, 100).output == texts::utf16le(text.substr(1)));
    BOOST_TEST(fed(marked, clean, size, 100).output == texts::utf16be(text));
  }
}

BOOST_AUTO_TEST_CASE(an_error_is_in_the_report_and_is_the_failure) {
  decoder      converter;
  const result got = fed(converter, "ab\n\xFF" "c", 1, 10);
  BOOST_TEST(got.output == "ab\n");
  BOOST_TEST((got.last.status == codec_status::malformed));
  BOOST_TEST(to_string(*converter.report().last_error) == "line 2, column 1 (byte 3): byte that no text contains: FF");
  BOOST_CHECK_THROW(std::rethrow_exception(converter.failure()), utf_error);

  converter.begin(decoder::direction::reading);
  BOOST_TEST(fed(converter, "d", 1, 10).output == "d");
  BOOST_TEST(converter.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(policies_are_followed) {
  params p;
  p.on_error    = on_error::replace;
  p.replacement = "?";
  p.fallback    = encoding::utf16le;
  decoder fallback(p), escaping(on_error::escape), named(encoding::utf16be, on_error::skip), stopping(on_error::stop);
  BOOST_TEST(fed(fallback, "a\0\0\xD8"s, 1, 10).output == "a?");
  BOOST_TEST(fed(escaping, "a\xFF", 1, 10).output == "a\\xFF");
  BOOST_TEST(fed(named, "\0a\xD8\0\0b"s, 1, 10).output == "ab");
  BOOST_TEST(fed(stopping, "a\xFF" "b", 1, 10).output == "a");
  BOOST_TEST((stopping.failure() == nullptr));  // a decoder reads

  encoder lossy(encoding::latin1, on_error::replace), stopped(encoding::latin1, on_error::stop);
  BOOST_TEST(fed(lossy, clean, 1, 10).output == "one\n??\xE4\n");
  BOOST_TEST((fed(stopped, clean, 1, 10).last.status == codec_status::malformed));  // an encoder writes
  BOOST_TEST((stopped.failure() != nullptr));
}

BOOST_AUTO_TEST_CASE(params_that_make_no_sense_are_refused_by_name) {
  const auto why = [](auto construct) -> std::string {
    try {
      construct();
    } catch (const std::invalid_argument& refusal) {
      return refusal.what();
    }
    return "nothing";
  };
  params marked;
  marked.bom = bom::add;
  BOOST_TEST(why([&] { decoder(encoding::cesu8, marked); }).find("utfilter::decoder(CESU-8): ") == 0u);
  BOOST_TEST(why([&] { encoder(encoding::latin1, marked); }).find("utfilter::encoder(ISO-8859-1): ") == 0u);
  BOOST_TEST(why([&] { encoder{encoding::detect}; }).find("utfilter::encoder(") == 0u);
  BOOST_TEST(why([&] { decoder(encoding::utf16, on_error::keep); }).find("utfilter: on_error::keep") == 0u);
}
