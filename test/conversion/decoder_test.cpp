// decoder_test.cpp: decoder and encoder give the same results as the filters, for every cut and every room, and refuse
// the same params.
// build: portable
#define BOOST_TEST_MODULE decoder
#include <boost/test/unit_test.hpp>

#include "support/outcomes.hpp"
#include "support/texts.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/utf_error.hpp>

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;

static_assert(std::is_nothrow_move_constructible_v<decoder> && std::is_nothrow_move_assignable_v<decoder>);
static_assert(std::is_nothrow_move_constructible_v<encoder> && std::is_nothrow_move_assignable_v<encoder>);
static_assert(!std::is_copy_constructible_v<decoder> && !std::is_copy_assignable_v<decoder>);
static_assert(!std::is_copy_constructible_v<encoder> && !std::is_copy_assignable_v<encoder>);

namespace {

const texts::text32 text = U"\uFEFFone\n\u20AC\U0001F600\u00E4\n";
const std::string clean = texts::utf8(text.substr(1));

struct result {
  std::string output;
  codec_progress last{0, 0, codec_status::need_input};
};

/// Converts all input in pieces of `size` bytes, with room for `room` bytes in each call.
result fed(conversion<transcoder>& converter, const std::string& input, std::size_t size, std::size_t room) {
  result got;
  std::vector<char> out(room);
  for (std::size_t at = 0; got.last.status == codec_status::need_input; at += size) {
    const bool last = at >= input.size();
    std::string piece = last ? "" : input.substr(at, size);
    do {
      got.last = converter.convert(piece.data(), piece.size(), out.data(), room, last);
      piece.erase(0, got.last.consumed);
      got.output.append(out.data(), got.last.produced);
    } while (got.last.status == codec_status::need_output);
  }
  return got;
}

BOOST_AUTO_TEST_CASE(a_new_decoder_is_ready_to_read_and_detects_the_encoding) {
  for (const auto encode : {texts::utf8, texts::utf16le, texts::utf16be, texts::utf32le}) {
    const std::string input = encode(text);
    for (const std::size_t size : {1u, 2u, 3u, 5u, 1000u})
      for (const std::size_t room : {6u, 7u, 100u}) {
        decoder converter;
        BOOST_TEST((converter.use() == decoder::direction::reading));
        const result got = fed(converter, input, size, room);
        BOOST_TEST(got.output == clean);
        BOOST_TEST((got.last.status == codec_status::done));
        BOOST_TEST(converter.report().bom);
        BOOST_TEST(converter.report().lines == 2u);
      }
  }
}

BOOST_AUTO_TEST_CASE(a_new_encoder_is_ready_to_write) {
  for (const std::size_t size : {1u, 3u, 1000u}) {
    encoder little(encoding::utf16le), marked(encoding::utf16);
    BOOST_TEST((little.use() == encoder::direction::writing));
    BOOST_TEST(fed(little, clean, size, 100).output == texts::utf16le(text.substr(1)));
    BOOST_TEST(fed(marked, clean, size, 100).output == texts::utf16be(text));
  }
}

BOOST_AUTO_TEST_CASE(an_error_is_in_the_report_and_in_the_failure) {
  decoder converter;
  const result got = fed(converter, "pq\n\xFFr", 1, 10);
  BOOST_TEST(got.output == "pq\n");
  BOOST_TEST((got.last.status == codec_status::malformed));
  BOOST_TEST(to_string(*converter.report().last_error) == "line 2, column 1 (byte 3): byte that no text contains: FF");
  BOOST_CHECK_THROW(std::rethrow_exception(converter.failure()), utf_error);

  converter.begin(decoder::direction::reading);
  BOOST_TEST(fed(converter, "s", 1, 10).output == "s");
  BOOST_TEST(converter.report().errors == 0u);
}

BOOST_AUTO_TEST_CASE(policies_are_followed) {
  params p{on_error::replace};
  p.replacement = "?";
  p.fallback = encoding::utf16le;
  decoder fallback(p), escaping(on_error::escape), named(encoding::utf16be, on_error::skip), stopping(on_error::stop);
  BOOST_TEST(fed(fallback, "p\0\0\xD8"s, 1, 10).output == "p?");
  BOOST_TEST(fed(escaping, "p\xFF", 1, 10).output == "p\\xFF");
  BOOST_TEST(fed(named, "\0p\xD8\0\0q"s, 1, 10).output == "pq");
  BOOST_TEST(fed(stopping, "p\xFFq", 1, 10).output == "p");
  BOOST_TEST((stopping.failure() == nullptr));  // a decoder reads: stop is no failure

  encoder lossy(encoding::latin1, on_error::replace), stopped(encoding::latin1, on_error::stop);
  BOOST_TEST(fed(lossy, clean, 1, 10).output == "one\n??\xE4\n");
  BOOST_TEST((fed(stopped, clean, 1, 10).last.status == codec_status::malformed));  // an encoder writes: stop fails
  BOOST_TEST((stopped.failure() != nullptr));
}

BOOST_AUTO_TEST_CASE(invalid_params_are_refused_with_the_reason) {
  const params marked{on_error::strict, bom::add};
  const auto begins = [](std::string_view reason, const auto& make) {
    return thrown_by<std::invalid_argument>(make).find(reason) == 0;
  };
  BOOST_TEST(begins("utfilter: reading CESU-8: ", [&] { decoder(encoding::cesu8, marked); }));
  BOOST_TEST(begins("utfilter: writing ISO-8859-1: ", [&] { encoder(encoding::latin1, marked); }));
  BOOST_TEST(begins("utfilter: writing detect: ", [&] { encoder{encoding::detect}; }));
  BOOST_TEST(begins("utfilter: on_error::keep", [&] { decoder(encoding::utf16, on_error::keep); }));
}

}  // namespace
