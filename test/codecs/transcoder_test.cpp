// transcoder_test.cpp: transcoder decodes an encoding to UTF-8, or encodes UTF-8. It repairs errors by itself if it is
// given a repairer. random_cuts_test.cpp, codec_states_test.cpp and conformance_test.cpp try its pieces and errors.
// build: portable optimised
#define BOOST_TEST_MODULE transcoder
#include <boost/test/unit_test.hpp>

#include "support/brief.hpp"
#include "support/policies.hpp"
#include "support/same_report.hpp"
#include "support/some_encodings.hpp"
#include "support/tally.hpp"
#include "support/texts.hpp"

#include <utfilter/conversion.hpp>
#include <utfilter/detail/wide_codec.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

using namespace std::string_literals;
using namespace std::string_view_literals;
using namespace utfilter;

static_assert(noexcept(std::declval<transcoder&>().transform(nullptr, 0, nullptr, 0, false)));

namespace {

/// The output of a conversion, and its report.
struct outcome {
  std::string output;
  codec_status status;
  stream_report report;
};
bool operator==(const outcome& a, const outcome& b) {
  return a.output == b.output && a.status == b.status && same_report(a.report, b.report);
}

/// What to convert, under which policies.
struct subject {
  bool decodes, wide;  // `wide`: to wchar_t, or from it
  encoding e;
  params p;

  transcoder codec() const { return decodes ? transcoder::decoding(e, p.bom) : transcoder::encoding_to(e, p.bom); }
  detail::wide_codec wide_codec() const {
    return decodes ? detail::wide_codec::reading(codec()) : detail::wide_codec::writing(codec());
  }
};

/// Converts the text in pieces and rooms of random sizes up to the two given; `seed` decides them. Each has memory of
/// exactly its size, so that the sanitizers see what is read or written outside.
template <class Codec>
outcome convert(std::string_view text, const Codec& codec, params p, bool observed, std::size_t piece, std::size_t room,
                std::uint_fast32_t seed) {
  if (observed) p.observer = [](const error_info&) {};
  conversion<Codec> text_of(codec, p);
  text_of.begin(conversion<Codec>::direction::reading);
  std::mt19937 random(seed);
  outcome result{};
  while (true) {
    const std::size_t size = std::min<std::size_t>(text.size(), random() % (piece + 1));
    const std::size_t space = transcoder::min_output + random() % (room + 1);
    const std::unique_ptr<char[]> in(new char[size]), out(new char[space]);
    text.copy(in.get(), size);
    const codec_progress done = text_of.convert(in.get(), size, out.get(), space, size == text.size());
    text.remove_prefix(done.consumed);
    result.output.append(out.get(), done.produced);
    result.status = done.status;
    if (done.status == codec_status::done || done.status == codec_status::malformed) break;
  }
  result.report = text_of.report();
  return result;
}
outcome convert(std::string_view text, const subject& s, bool observed, std::size_t piece, std::size_t room,
                std::uint_fast32_t seed) {
  return s.wide ? convert(text, s.wide_codec(), s.p, observed, piece, room, seed)
                : convert(text, s.codec(), s.p, observed, piece, room, seed);
}

/// Errors of every kind in each encoding, among text; the bytes mean something in at least one of the encodings.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> parts = texts::split(
      "a|\n|0 to 9 and A to Z.|\xFF|\xFE|\x80|\xC0|\xC1\xBF|\xE0\x80|\xE9|\xED\xA0\x80|\xED\xB0\x80|"
      "\xF0\x9F\x98|\xF0\x9F\x98\x80|\xF4\x90\x80\x80|\xE2\x82|\xE2\x82\xAC|\xC3\xA9|\xD0\x9F\xD1\x80\xD0\xB8|"
      "\xE6\xBC\xA2\xE5\xAD\x97|\0\xD8|\0\xDC|\xD8\0|\xDC\0|\0\x11\0\0|\xEF\xBB\xBF|"
      "------------------------------------------------------------------------------------------\n"sv);
  std::string text;
  for (std::size_t n = random() % (random() % 4 == 0 ? 90 : 9); n != 0; --n) {
    const std::string& part = parts[random() % std::size(parts)];
    for (std::size_t copies = random() % 5 == 0 ? random() % 40 : 1; copies != 0; --copies) text += part;
    if (random() % 7 == 0) text += static_cast<char>(random());
  }
  return text;
}

subject random_subject(std::mt19937& random) {
  constexpr on_error policies[] = {on_error::replace, on_error::skip,   on_error::escape,      on_error::keep,
                                   on_error::stop,    on_error::strict, on_error::windows1252, on_error::escape};
  const std::string replacements[] = {
      "\xEF\xBF\xBD", "", "?", "\xE2\x82\xAC", "<a long one of thirty bytes \xE2\x82\xAC>", std::string(120, '#')};
  static const std::vector<encoding> encodings_here = some_encodings();
  while (true) {
    subject s{random() % 2 == 0, random() % 3 == 0, encodings_here[random() % encodings_here.size()], {}};
    if (random() % 2 == 0) s.e = encoding::utf8;
    s.p.on_error = policies[random() % std::size(policies)];
    if (random() % 4 == 0) s.p.bom = every::mark[random() % std::size(every::mark)];
    s.p.replacement = replacements[random() % std::size(replacements)];
    if (random() % 3 == 0) s.p.error_limit = random() % 30;
    if (s.p.on_error == on_error::keep && (s.wide || s.e != encoding::utf8)) continue;
    const char* const why_not = s.decodes ? transcoder::why_not_decoding(s.e, s.p.bom, encoding::utf8)
                                          : transcoder::why_not_encoding(s.e, s.p.bom);
    if (why_not == nullptr) return s;
  }
}

}  // namespace

// So a conversion need not be asked at each error.
BOOST_AUTO_TEST_CASE(it_repairs_by_itself_if_it_is_given_a_repairer) {
  transcoder codec = transcoder::decoding(encoding::utf8, bom::keep);
  repairer by(on_error::escape);
  char out[64];
  const std::string in = "a\xFF\xFF\xFE\xC3z";
  const codec_progress done = codec.transform(in.data(), in.size(), out, sizeof out, true, by);
  BOOST_TEST(std::string(out, done.produced) == "a\\xFF\\xFF\\xFE\\xC3z");
  BOOST_TEST((done.status == codec_status::done && by.errors() == 4 && by.first()->offset == 1));

  for (const on_error policy : {on_error::strict, on_error::stop}) {
    transcoder other = transcoder::decoding(encoding::utf8, bom::keep);
    repairer none(policy);
    BOOST_TEST((other.transform(in.data(), in.size(), out, sizeof out, true, none).status == codec_status::malformed));
    BOOST_TEST(none.errors() == 0u);
  }
}

// After its first error the carried text may begin with a sequence that is not finished. The input goes on with that.
BOOST_AUTO_TEST_CASE(what_is_carried_comes_before_the_errors_side_by_side) {
  transcoder codec = transcoder::decoding(encoding::cesu8, bom::automatic);
  char out[64];
  BOOST_TEST(codec.transform("\xED\xA0\x80\xED", 4, out, sizeof out, false).consumed == 4u);
  params p{on_error::replace};
  p.replacement = "#";
  repairer by(p);
  constexpr std::string_view rest = "\xA0\x81\xFFlast!!";
  const codec_progress done = codec.transform(rest.data(), rest.size(), out, sizeof out, true, by);
  BOOST_TEST(std::string(out, done.produced) == "###last!!");
  BOOST_TEST(by.errors() == 3u);
}

// An observer sees each error by itself. Without one, the transcoder repairs many errors in one call, and so does the
// codec of the wide streams. The output and the report must be the same. The texts are random; the seed is fixed.
BOOST_AUTO_TEST_CASE(errors_that_nobody_observes_are_repaired_as_those_that_someone_does) {
  std::mt19937 random(20);
  tally all;
  std::uint64_t errors = 0;
  for (std::size_t turn = 0; turn < 200'000 / brief::nth; ++turn) {
    const std::string text = random_text(random);
    const subject s = random_subject(random);
    const std::size_t piece = random() % 3 == 0 ? text.size() : random() % 70,
                      room = random() % 3 == 0 ? 9000 : random() % 90;
    const auto seed = static_cast<std::uint_fast32_t>(random());
    const outcome seen = convert(text, s, true, piece + 1, room, seed),
                  unseen = convert(text, s, false, piece + 1, room, seed);
    errors += seen.report.errors;
    if (all.failed(seen == unseen))
      BOOST_ERROR((s.wide ? "wchar_t, " : "")
                  << (s.decodes ? "from " : "to ") << encoding_name(s.e) << ", on_error "
                  << static_cast<int>(s.p.on_error) << ", bom " << static_cast<int>(s.p.bom) << ", limit "
                  << s.p.error_limit << ", replacement " << s.p.replacement << ": " << hexadecimal(text));
  }
  all.summary();
  BOOST_TEST(errors > 10 * all.cases());
}

// The code units that are decoded at once are as many as surely fit in the room. A character has one or two.
BOOST_AUTO_TEST_CASE(characters_of_two_code_units_at_the_end_of_the_room_are_not_lost) {
  const std::string pair = "\xD2\xBB", four = "\x90\x30\x81\x30";  // U+4E00 and U+10000 in GB18030
  tally cases;
  for (std::size_t pairs = 0; pairs != 40; ++pairs) {
    std::string in, text;
    for (std::size_t i = 0; i != pairs + 24; ++i) {
      in += i < pairs ? pair : four;
      text += i < pairs ? "\u4E00" : "\U00010000";
    }
    for (std::size_t room = transcoder::min_output; room != 260; ++room) {
      transcoder codec = transcoder::decoding(encoding::gb18030, bom::keep);
      std::string got, out(room, '\0');
      std::size_t at = 0;
      codec_progress done{1, 0, codec_status::need_output};
      while (at != in.size() && done.consumed + done.produced != 0) {
        done = codec.transform(in.data() + at, in.size() - at, out.data(), room, false);
        at += done.consumed;
        got.append(out, 0, done.produced);
      }
      if (cases.failed(got == text)) BOOST_ERROR("after " << pairs << " pairs, with room for " << room);
    }
  }
  cases.summary("rooms");
}

BOOST_AUTO_TEST_CASE(a_combination_that_makes_no_sense_has_a_reason) {
  const auto none = static_cast<encoding>(99);
  const std::string no_such = "there is no such encoding";
  BOOST_TEST(transcoder::why_not_decoding(encoding::utf8, bom::automatic, encoding::detect) ==
             "params::fallback must name an encoding, it cannot be detect"s);
  BOOST_TEST(transcoder::why_not_decoding(none, bom::automatic, encoding::utf8) == no_such);
  BOOST_TEST(transcoder::why_not_decoding(encoding::utf8, bom::automatic, none) == no_such);
  BOOST_TEST(transcoder::why_not_encoding(none, bom::automatic) == no_such);
}

BOOST_AUTO_TEST_CASE(a_mark_is_added_to_no_text_that_may_begin_with_one) {
  tally all;
  for (const encoding from : encodings()) {
    if (has_bom(from) || transcoder::why_not_decoding(from, bom::add, encoding::utf8) != nullptr) continue;
    for (const encoding other : encodings()) {
      char bytes[transcoder::min_output], text[64];
      const std::size_t size = transcoder::encoding_to(other, bom::keep).encode(U'\uFEFF', bytes);
      const codec_progress done = transcoder::decoding(from, bom::add).transform(bytes, size, text, sizeof text, true);
      if (all.failed(std::string(text, done.produced).find(texts::feff, texts::feff.size()) == std::string::npos))
        BOOST_ERROR(encoding_name(from) << " reads the mark of " << encoding_name(other) << " as a character");
    }
  }
  all.summary();
}
