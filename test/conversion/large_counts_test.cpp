// large_counts_test.cpp: offsets, lines, columns and sizes have 64 bits, even if size_t has 32. The texts start at
// positions shortly before a limit of 32 bits. (large_stream_test.cpp reads all the way to the limits.)
// build: portable
#define BOOST_TEST_MODULE large_counts
#include <boost/test/unit_test.hpp>

#include "support/call_budget.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace utfilter {

/// Moves a codec to a position far into a text.
struct codec_state {
  template <class Codec>
  static Codec moved(Codec codec, const text_position& to) {
    codec.position_ = to;
    return codec;
  }
};

}  // namespace utfilter

namespace {

using namespace utfilter;
using texts::text32;

static_assert(std::is_same_v<decltype(text_position::offset), std::uint64_t>);
static_assert(std::is_same_v<decltype(error_info::offset), std::uint64_t>);
static_assert(std::is_same_v<decltype(stream_report::bytes_in), std::uint64_t>);
static_assert(std::is_same_v<decltype(stream_report::bytes_out), std::uint64_t>);
static_assert(std::is_same_v<decltype(stream_report::errors), std::uint64_t>);
static_assert(std::is_same_v<decltype(params::error_limit), std::uint64_t>);

using encode_function = std::string (*)(const text32&);

/// The end position of a text that begins at `at`.
text_position end_position(text_position at, const text32& text, encode_function encode) {
  for (const char32_t c : text) {
    at.offset += encode({c}).size();
    ++at.column;
    if (c != U'\n') continue;
    ++at.line;
    at.column = 1;
    at.line_offset = at.offset;
  }
  return at;
}

/// Reads the text, one error, and the text again, in pieces, with positions on both sides of each limit. Checks the
/// position of the error and of the end.
template <class Codec>
void check(const char* name, const Codec& initial, encode_function encode, const std::string& error, tally& all) {
  const text32 lines = text32(70, U'x') + U"\n\u20AC\U0001F600\n" + text32(40, U'y'), line(150, U'\u20AC');
  for (const text32& text : {lines, line}) {
    const std::string bytes = encode(text) + error + encode(text);
    for (const unsigned bits : {31u, 32u, 33u})
      for (const std::uint64_t before : {0u, 1u, 2u, 100u, 150u, 400u, 900u})
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
          const std::uint64_t limit = std::uint64_t{1} << bits;
          const text_position start{limit - before, limit - before, limit - before, limit - before};
          const text_position at_error = end_position(start, text, encode);
          const text_position past_it = {at_error.offset + error.size(), at_error.line, at_error.column + 1,
                                         at_error.line_offset};
          const text_position at_end = end_position(past_it, text, encode);
          Codec codec = codec_state::moved(initial, start);
          bool right = false;
          std::string_view rest = bytes;
          codec_status status = codec_status::need_input;
          devices::call_budget budget;
          budget.allow_for(bytes.size());
          while (status != codec_status::done) {
            budget.spend();
            char out[4096];
            const std::size_t taken = std::min(piece, rest.size());
            const codec_progress step = codec.transform(rest.data(), taken, out, sizeof out, taken == rest.size());
            rest.remove_prefix(step.consumed);
            status = step.status;
            if (status == codec_status::malformed) {
              const error_info& e = codec.error();
              right = static_cast<const text_position&>(e) == at_error;
            }
          }
          all.check(right && codec.position() == at_end, name, error);
        }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(positions_pass_every_limit_of_32_bits) {
  const auto decoding = [](encoding e) { return transcoder::decoding(e, bom::keep); };
  tally all;
  check("UTF-8", decoding(encoding::utf8), texts::utf8, "\xFF", all);
  check("UTF-8, controls escaped", control_escaper(), texts::utf8, "\xFF", all);
  check("UTF-16LE", decoding(encoding::utf16le), texts::utf16le, {"\x00\xDC", 2}, all);
  check("UTF-16BE", decoding(encoding::utf16be), texts::utf16be, {"\xDC\x00", 2}, all);
  check("UTF-32LE", decoding(encoding::utf32le), texts::utf32le, "\xFF\xFF\xFF\xFF", all);
  check("UTF-32BE", decoding(encoding::utf32be), texts::utf32be, "\xFF\xFF\xFF\xFF", all);
  check("CESU-8", decoding(encoding::cesu8), texts::cesu8, "\xFF", all);
  for (const encoding to :
       {encoding::utf16le, encoding::utf16be, encoding::utf32le, encoding::utf32be, encoding::cesu8})
    check("from UTF-8", transcoder::encoding_to(to, bom::keep), texts::utf8, "\xFF", all);
  all.summary("positions at the limits of 32 bits");
}

// Few but long repairs make more than 2^32 bytes of output.
BOOST_AUTO_TEST_CASE(the_count_of_output_bytes_passes_32_bits) {
  constexpr std::size_t size = 1 << 26, times = 65;
  params p = log_params();
  p.replacement = std::string(size, 'x');
  decoder conversion(encoding::utf8, p);
  std::vector<char> out(size);
  tally all;
  std::uint64_t produced = 0;
  for (std::size_t i = 0; i < times; ++i) {
    const codec_progress step = conversion.convert("\xFF", 1, out.data(), out.size(), false);
    produced += step.produced;
    all.check(step.produced == size && conversion.report().bytes_out == produced, "bytes_out", "\xFF");
  }
  BOOST_TEST(produced > std::uint64_t{1} << 32);
  all.summary("repairs of 64 MiB");
}
