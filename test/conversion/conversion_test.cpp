// conversion_test.cpp: conversion runs a codec, applies params to its errors, and keeps the report. A use lasts from
// begin() to end(). A conversion can be moved at any time, and goes on from there. decoder_test.cpp has the plain use.
// build: portable
#define BOOST_TEST_MODULE conversion
#include <boost/test/unit_test.hpp>

#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/same_report.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/decoder.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;

namespace {

/// A codec that has all members itself.
class without_base {
 public:
  static constexpr std::size_t min_output = 1;

  codec_progress transform(const char*, std::size_t, char*, std::size_t, bool) noexcept {
    return {0, 0, codec_status::done};
  }
  std::size_t encode(char32_t, char*) const noexcept { return 0; }
  const error_info& error() const noexcept { return error_; }
  text_position position() const noexcept { return {}; }
  text_facts facts() const noexcept { return {encoding::latin1, true, false}; }

 private:
  error_info error_;
};

BOOST_AUTO_TEST_CASE(the_report_has_the_facts_of_a_codec_without_codec_base) {
  conversion text{without_base()};
  text.begin(decltype(text)::direction::reading);
  BOOST_TEST((text.report().encoding == encoding::latin1));
  BOOST_TEST(text.report().bom);
}

BOOST_AUTO_TEST_CASE(the_bytes_that_the_codec_carries_are_pending) {
  conversion text{control_escaper()};
  text.begin(decltype(text)::direction::reading);
  char room[control_escaper::min_output];
  BOOST_TEST(text.pending() == 0u);
  text.convert("\xF0\x9F\x98", 3, room, sizeof room, false);
  BOOST_TEST(text.pending() == 3u);
  text.convert("\x80\r", 2, room, sizeof room, false);
  BOOST_TEST(text.pending() == 1u);
}

// A codec of the library refuses params before conversion sees them. Any other codec leaves it to conversion.
BOOST_AUTO_TEST_CASE(params_that_make_no_sense_for_any_codec_are_refused_with_the_reason) {
  params p;
  p.fallback = encoding::detect;
  BOOST_TEST(thrown_by<std::invalid_argument>([&] { conversion(without_base(), p); }) ==
             "utfilter: params::fallback must name an encoding, it cannot be detect");
}

// The report still tells the failure after end(), as the filters' reports do.
BOOST_AUTO_TEST_CASE(the_last_failure_is_told_until_a_new_text_begins) {
  const std::string of_text = "utf_error: line 1, column 2 (byte 1): byte that no text contains: FF";
  const auto broken = std::make_exception_ptr(std::runtime_error("the sink is broken"));
  decoder converter(encoding::utf8, on_error::strict);
  char room[100];
  BOOST_TEST((message_of(converter.failure()) + message_of(converter.report().failure)).empty());

  converter.convert("a\xFF", 2, room, sizeof room, false);
  BOOST_TEST(message_of(converter.failure()) == of_text);
  BOOST_TEST(message_of(converter.report().failure) == of_text);
  converter.end();
  BOOST_TEST(message_of(converter.failure()).empty());
  BOOST_TEST(message_of(converter.report().failure) == of_text);

  converter.begin(decoder::direction::reading);
  BOOST_TEST((message_of(converter.failure()) + message_of(converter.report().failure)).empty());
  converter.fail(broken);
  BOOST_TEST(message_of(converter.failure()) == "the sink is broken");

  converter.begin(decoder::direction::reading);
  BOOST_TEST(message_of(converter.report().failure).empty());
  converter.convert("a\xFF", 2, room, sizeof room, false);
  converter.fail(broken);  // the later failure is told
  BOOST_TEST(message_of(converter.report().failure) == "the sink is broken");
}

BOOST_AUTO_TEST_CASE(resume_goes_on_after_a_failure_of_a_neighbour_and_no_other) {
  const auto broken = std::make_exception_ptr(std::ios_base::failure("the sink is broken"));
  char room[16];
  decoder converter;
  converter.begin(decoder::direction::writing);
  BOOST_TEST(converter.resume());  // nothing has failed
  converter.convert("a\xE2\x82", 3, room, sizeof room, false);
  converter.fail(broken);
  BOOST_TEST(converter.convert("\xAC", 1, room, sizeof room, false).consumed == 0u);
  BOOST_TEST(converter.resume());
  BOOST_TEST(!converter.failure());
  const codec_progress rest = converter.convert("\xAC", 1, room, sizeof room, false);
  BOOST_TEST(std::string(room, rest.produced) == "\u20AC");
  BOOST_TEST(message_of(converter.report().failure) == message_of(broken));

  converter.convert("\xFF", 1, room, sizeof room, false);
  BOOST_TEST(!converter.resume());
  converter.fail(broken);  // this does not make the error of the text pass
  BOOST_TEST(!converter.resume());
  BOOST_TEST(converter.convert("b", 1, room, sizeof room, false).consumed == 0u);
}

//--------------------------------------------------------------------------------------------------------------- moving

/// How the converter moves before each call: not at all, into a new object, or into an object that was in the middle of
/// another repair.
enum class moves { none, construct, assign };

/// Does the same as `fed`, one byte at a time, with a move before each call. The room is so small that a repair, too,
/// takes several calls.
template <class Converter, class... Arguments>
std::string moved(const std::string& input, moves how, std::vector<std::uint64_t>& observed, encoding e, params p) {
  constexpr std::size_t room = Converter::min_output;
  p.observer = [&](const error_info& error) { observed.push_back(error.offset); };
  auto converter = std::make_unique<Converter>(e, p);
  std::string output;
  char out[room];
  for (std::size_t at = 0;;) {
    if (how == moves::construct) {
      converter = std::make_unique<Converter>(std::move(*converter));
    } else if (how == moves::assign) {
      auto other = std::make_unique<Converter>(encoding::utf8, on_error::escape);
      other->convert("\xFF\xFF", 2, out, 1, false);
      *other = std::move(*converter);
      converter = std::move(other);
    }
    const bool last = at == input.size();
    const codec_progress done = converter->convert(input.data() + at, last ? 0 : 1, out, room, last);
    output.append(out, done.produced);
    at += done.consumed;
    if (done.status == codec_status::done || done.status == codec_status::malformed) break;
  }
  return output + '|' + in_words(converter->report());
}

BOOST_AUTO_TEST_CASE(a_moved_conversion_continues_in_every_state) {
  const std::string long_replacement(100, '*');
  const texts::text32 text = U"\uFEFFone\n\u20AC\U0001F600\u00E4\n";
  const std::string inputs[] = {texts::utf8(text),
                                texts::utf16le(text),
                                texts::utf16be(text),
                                "p\xFFq\xE2\x82r\n\xF0\x9F\x98s\xC3",
                                "\xFE\xFF\xD8\x00\x00p\xDC\x00\x00"s,
                                "\xEF\xBBx"};
  std::size_t cases = 0;
  for (const std::string& input : inputs)
    for (const on_error policy : every::policy)
      for (const std::string& replacement : {"\xEF\xBF\xBD"s, "?"s, ""s, "<bad text>"s, long_replacement})
        for (const std::uint64_t limit : {no_limit, std::uint64_t(1)}) {
          params p{policy};
          p.replacement = replacement;
          p.error_limit = limit;
          const auto check = [&](auto run) {
            std::vector<std::uint64_t> expected_observed, observed;
            const std::string expected = run(moves::none, expected_observed);
            for (const moves how : {moves::construct, moves::assign}) {
              observed.clear();
              BOOST_TEST(run(how, observed) == expected);
              BOOST_TEST(observed == expected_observed);
              ++cases;
            }
          };
          for (const encoding from : {encoding::detect, encoding::utf8, encoding::utf16})
            if (policy != on_error::keep || from == encoding::utf8)
              check([&](moves how, auto& observed) { return moved<decoder>(input, how, observed, from, p); });
          for (const encoding to : {encoding::utf8, encoding::utf16, encoding::latin1})
            if (policy != on_error::keep || to == encoding::utf8)
              check([&](moves how, auto& observed) { return moved<encoder>(input, how, observed, to, p); });
        }
  BOOST_TEST(cases > 1000u);
}

BOOST_AUTO_TEST_CASE(a_moved_from_decoder_can_be_assigned_to_and_restarted) {
  params p = log_params();
  p.replacement = "<bad text, in so many words that they are on the heap>";
  decoder first(p);
  char out[10];
  BOOST_TEST(first.convert("\xFF", 1, out, sizeof out, true).produced == 10u);
  decoder second(std::move(first));
  first = decoder(on_error::escape);  // makes it usable again
  char room[100];
  auto done = first.convert("\xFF", 1, room, sizeof room, true);
  BOOST_TEST(std::string(room, done.produced) == "\\xFF");
  done = second.convert("", 0, room, sizeof room, true);
  BOOST_TEST(std::string(out, 10) + std::string(room, done.produced) == p.replacement);

  decoder& self = second;
  second = std::move(self);
  second.begin(decoder::direction::reading);
  BOOST_TEST(second.report().errors == 0u);
  done = second.convert("ok\xFF", 3, room, sizeof room, true);
  BOOST_TEST(std::string(room, done.produced) == "ok" + p.replacement);

  decoder failed;
  failed.convert("\xFF", 1, room, sizeof room, true);
  decoder still(std::move(failed));
  BOOST_TEST((still.failure() != nullptr));
  BOOST_TEST((still.convert("x", 1, room, sizeof room, true).status == codec_status::malformed));
}

// std::string keeps a short text inside the object and a long one on the heap, at a lower or a higher address.
BOOST_AUTO_TEST_CASE(a_move_within_a_replacement_of_any_size_loses_nothing) {
  for (const std::size_t size : {3u, 15u, 16u, 100u, 10'000u, 1'000'000u})
    for (const std::size_t written : {1u, 3u, 10u}) {
      params p = log_params();
      p.replacement.clear();
      while (p.replacement.size() < size) p.replacement += static_cast<char>('a' + p.replacement.size() % 26);
      std::string out(size + 6, ' ');
      auto first = std::make_unique<decoder>(p);
      const auto begun = first->convert("\xFF", 1, out.data(), written, true);
      auto next = std::make_unique<decoder>(std::move(*first));
      first.reset();
      const auto rest = next->convert("", 0, out.data() + begun.produced, size + 6 - begun.produced, true);
      out.resize(begun.produced + rest.produced);
      BOOST_TEST((out == p.replacement), size << " bytes, of which " << written << " were written before");
    }
}

BOOST_AUTO_TEST_CASE(a_move_takes_along_the_encoding_the_direction_and_the_failure) {
  char room[100];
  decoder ended(encoding::utf16le);
  ended.convert("\0\xDC", 2, room, sizeof room, true);
  ended.end();
  decoder other(encoding::utf8, on_error::replace);
  other.convert("\xFF", 1, room, sizeof room, false);
  other = std::move(ended);
  BOOST_TEST((other.use() == decoder::direction::none));
  BOOST_TEST((other.failure() == nullptr));
  BOOST_TEST((other.report().failure != nullptr));
  BOOST_TEST(other.report().errors == 1u);
  other.begin(decoder::direction::reading);
  auto done = other.convert("A\0", 2, room, sizeof room, true);
  BOOST_TEST(std::string(room, done.produced) == "A");

  decoder at_its_end;
  done = at_its_end.convert("A", 1, room, sizeof room, true);
  BOOST_TEST((done.status == codec_status::done));
  decoder still_there(std::move(at_its_end));
  done = still_there.convert("B", 1, room, sizeof room, true);
  BOOST_TEST((done.status == codec_status::done && done.consumed == 0 && done.produced == 0));

  // When writing, on_error::stop fails as strict does.
  for (const auto use : {decoder::direction::reading, decoder::direction::writing}) {
    decoder stopping(on_error::stop);
    stopping.begin(use);
    decoder moved_to;
    moved_to = std::move(stopping);
    moved_to.convert("\xFF", 1, room, sizeof room, true);
    BOOST_TEST((moved_to.failure() != nullptr) == (use == decoder::direction::writing));
  }

  for (const std::size_t size : {3u, 9u}) {
    decoder full(encoding::utf16be);
    done = full.convert("\x20\xAC\x20\xAC\x20\xAC\x20\xAC", size - 1, room, 6, false);
    BOOST_TEST(full.needs_input() == (size == 3));
    decoder moved_to(encoding::utf8);
    moved_to = std::move(full);
    BOOST_TEST(moved_to.needs_input() == (size == 3));
  }
}

BOOST_AUTO_TEST_CASE(decoders_can_be_kept_in_a_container) {
  std::vector<decoder> all;
  for (int i = 0; i < 20; ++i) {
    all.emplace_back(on_error::replace);
    for (decoder& one : all) {
      char out[16];
      const auto done = one.convert("\xE2", 1, out, sizeof out, false);  // E2 is carried; the next E2 cuts it short
      BOOST_TEST(done.consumed == 1u);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST(all[i].report().errors == 19 - i);
}

}  // namespace
