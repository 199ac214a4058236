// repeated_errors_test.cpp: runs of equal errors, which a conversion takes at once, under every policy that repairs:
// the output, the counts, the place of the last error, the limit of errors, and what the observer sees. The text is cut
// and the room is small in many ways. The expected values are written down or multiplied here; those of runs of different
// errors come from a conversion that takes each error by itself.
// build: portable
#define BOOST_TEST_MODULE repeated_errors
#include <boost/test/unit_test.hpp>

#include "support/encoding_rows.hpp"
#include "support/outcomes.hpp"
#include "support/tally.hpp"
#include "support/text_filter_rows.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/decoder.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using texts::repeated;
using utfilter::codec_status;
using utfilter::encoding;
using utfilter::errc;
using utfilter::on_error;

/// An error that can repeat itself, in an encoding.
struct repeatable : encoding_rows::repeatable {
  encoding from;
};
const std::vector<repeatable> all_repeatable = [] {
  std::vector<repeatable> all;
  for (const encoding_rows::row& row : encoding_rows::all())
    for (const encoding_rows::repeatable& error : row.errors) all.push_back({error, row.value});
  return all;
}();

/// What may stand after a run of an error.
using tail = encoding_rows::repeatable::tail;
std::vector<tail> tails_of(const repeatable& r) {
  const bool little = r.from == encoding::utf16le || r.from == encoding::utf32le;
  std::vector<tail> tails = {{texts::code_units(utfilter::code_unit_size(r.from), little, {'a'})[0], "a", false}};
  tails.insert(tails.end(), r.tails.begin(), r.tails.end());
  return tails;
}

std::string repair_of(const repeatable& r, on_error policy) {
  switch (policy) {
    case on_error::replace: return "\xEF\xBF\xBD";
    case on_error::escape: return r.escaped;
    case on_error::keep: return r.bytes;
    case on_error::windows1252: return r.as_windows1252.empty() ? "\xEF\xBF\xBD" : r.as_windows1252;
    default: return "";
  }
}

/// The lengths of runs: around the number of bytes that must follow before a run is taken at once, and longer ones.
const std::vector<std::size_t> run_lengths = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 33, 100};

template <class Case>
void for_each_run(Case&& each) {
  for (const repeatable& r : all_repeatable)
    for (const tail& after : tails_of(r))
      for (const std::size_t n : run_lengths) each(r, after, n);
}

/// Checks a codec with texts of these parts. `Codec` repairs the errors by itself; but if there is an observer, conversion
/// repairs each.
template <class Codec>
void check_mixtures(const Codec& codec, const std::vector<std::string>& parts, tally& cases) {
  const std::vector<std::string> replacements = {"\uFFFD", "", "?", "\n", "\r", "\r\n", "\uFEFF", "\uFEFF\n", "\u00C3"};
  std::mt19937 random(17);
  for (int run = 0; run < 400; ++run) {
    std::string text;
    while (random() % 40 != 0) text += parts[random() % parts.size()];
    utfilter::params p;
    p.on_error = std::vector<on_error>{on_error::replace, on_error::replace, on_error::skip, on_error::escape,
                                       on_error::windows1252}[random() % 5];
    p.replacement = replacements[random() % 2 == 0 ? 0 : random() % replacements.size()];
    if (random() % 4 == 0) p.error_limit = random() % 40;
    utfilter::params observed = p;
    std::size_t seen = 0;
    observed.observer = [&](const utfilter::error_info& e) { seen += e.code != errc{}; };
    const std::size_t piece = 1 + random() % (random() % 2 == 0 ? 10 : 500),
                      room = Codec::min_output + random() % (random() % 2 == 0 ? 10 : 3000);
    utfilter::codec_decoder<Codec> at_once(codec, p), one_by_one(codec, observed);
    const bool same = converted(at_once, text, piece, room) == converted(one_by_one, text, piece, room);
    const utfilter::stream_report a = at_once.report(), b = one_by_one.report();
    cases.check(same && a.errors == b.errors && a.errors == seen && a.first_error == b.first_error &&
                    a.last_error == b.last_error && a.bytes_in == b.bytes_in && a.bytes_out == b.bytes_out &&
                    a.lines == b.lines && a.changes == b.changes && (a.failure == nullptr) == (b.failure == nullptr),
                "not the same", text);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_of_errors_gives_the_repair_of_each) {
  tally cases;
  for_each_run([&](const repeatable& r, const tail& after, std::size_t n) {
    for (const on_error policy :
         {on_error::replace, on_error::skip, on_error::escape, on_error::keep, on_error::windows1252}) {
      if (policy == on_error::keep && r.from != encoding::utf8) continue;
      const std::string text = repeated(r.bytes, n) + after.bytes;
      const std::size_t errors = n - after.completes;
      const std::string expected = repeated(repair_of(r, policy), errors) + after.utf8;
      for (const std::size_t piece : {1u, 2u, 7u, 16u, 1000u})
        for (const std::size_t room : {6u, 7u, 20u, 1000u}) {
          utfilter::decoder decoder(r.from, policy);
          const std::string out = converted(decoder, text, piece, room);
          const utfilter::stream_report report = decoder.report();
          bool good = out == expected && report.errors == errors && report.bytes_out == expected.size() &&
                      report.bytes_in == text.size() && report.first_error.has_value() == (errors != 0);
          if (good && errors != 0) {
            const utfilter::error_info& last = *report.last_error;
            good = last.offset == (errors - 1) * r.bytes.size() && last.column == errors && last.line == 1 &&
                   last.size == r.bytes.size() && report.first_error->offset == 0;
          }
          cases.check(good, "wrong output or report", text);
        }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_report_is_right_within_a_run) {
  tally cases;
  for (const repeatable& r : all_repeatable) {
    const std::string text = repeated(r.bytes, 100);
    utfilter::decoder decoder(r.from, on_error::replace);
    std::string_view in = text;
    char part[40];
    codec_status status = codec_status::need_output;
    while (status == codec_status::need_output) {
      const utfilter::codec_progress done = decoder.convert(in.data(), in.size(), part, sizeof part, true);
      in.remove_prefix(done.consumed);
      status = done.status;
      const utfilter::stream_report report = decoder.report();
      cases.check(report.errors == report.bytes_in / r.bytes.size() && report.last_error->column == report.errors &&
                      report.last_error->offset == (report.errors - 1) * r.bytes.size(),
                  "wrong report", text);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_limit_of_errors_ends_a_run) {
  tally cases;
  for_each_run([&](const repeatable& r, const tail& after, std::size_t n) {
    const std::string text = repeated(r.bytes, n) + after.bytes;
    const std::size_t errors = n - after.completes;
    for (const std::size_t limit : {std::size_t{1}, n / 2, n - 1, n, n + 1}) {
      utfilter::params p{on_error::replace};
      p.error_limit = limit;
      utfilter::decoder decoder(r.from, p);
      const std::string out = converted(decoder, text, 1000, 1000);
      const bool fails = errors > limit;
      const std::string expected = repeated("\xEF\xBF\xBD", fails ? limit : errors) + (fails ? "" : after.utf8);
      cases.check(
          out == expected && decoder.failed() == fails && decoder.report().errors == (fails ? limit + 1 : errors),
          "the limit was not kept", text);
    }
  });
}

BOOST_AUTO_TEST_CASE(the_observer_sees_each_error_of_a_run) {
  tally cases;
  for_each_run([&](const repeatable& r, const tail& after, std::size_t n) {
    const std::string text = repeated(r.bytes, n) + after.bytes;
    std::vector<std::uint64_t> seen, expected;
    for (std::size_t i = 0; i < n - after.completes; ++i) expected.push_back(i * r.bytes.size());
    utfilter::params p{on_error::skip};
    p.observer = [&](const utfilter::error_info& e) { seen.push_back(e.offset); };
    utfilter::decoder decoder(r.from, p);
    converted(decoder, text, 1000, 1000);
    cases.check(seen == expected, "the observer missed an error", text);
  });
}

BOOST_AUTO_TEST_CASE(at_the_end_of_a_text_a_cut_sequence_is_an_error_of_its_own) {
  tally cases;
  for (const repeatable& r : all_repeatable) {
    if (tails_of(r).size() < 2 || !tails_of(r)[1].completes) continue;
    for (const std::size_t n : run_lengths) {
      utfilter::decoder decoder(r.from, on_error::replace);
      const std::string text = repeated(r.bytes, n);
      const std::string out = converted(decoder, text, 1000, 1000);
      const utfilter::stream_report report = decoder.report();
      cases.check(out == repeated("\xEF\xBF\xBD", n) && report.errors == n &&
                      report.last_error->code == errc::incomplete_at_end &&
                      report.last_error->offset == (n - 1) * r.bytes.size(),
                  "wrong end", text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_run_of_characters_that_the_target_lacks_is_replaced_one_by_one) {
  for (const std::size_t n : run_lengths) {
    utfilter::encoder encoder(encoding::latin1, on_error::replace);
    const std::string text = "\n" + repeated("\xE2\x82\xAC", n) + "\xC3\xA9";
    std::string out(1000, '\0');
    const utfilter::codec_progress done = encoder.convert(text.data(), text.size(), out.data(), out.size(), true);
    BOOST_TEST(out.substr(0, done.produced) == "\n" + std::string(n, '?') + "\xE9");
    BOOST_TEST(encoder.report().errors == n);
    BOOST_TEST(encoder.report().last_error->line == 2u);
    BOOST_TEST(encoder.report().last_error->column == n);
    BOOST_TEST(encoder.report().last_error->line_offset == 1u);
  }
}

BOOST_AUTO_TEST_CASE(different_errors_that_follow_each_other_are_repaired_as_one_by_one) {
  tally cases;
  for (const repeatable& r : all_repeatable) {
    std::vector<std::string> parts;
    for (const repeatable& other : all_repeatable)
      if (other.from == r.from) parts.push_back(other.bytes);
    for (const tail& after : tails_of(r)) parts.push_back(after.bytes);
    parts.insert(parts.end(), {"\xFF", "\x81", "\xA0"});
    check_mixtures(utfilter::transcoder::decoding(r.from, utfilter::bom::keep), parts, cases);
  }
  const std::vector<std::string> parts = {"\xFF", "\xFF\xFF\xFF", "\x80",         "\xC3", "\xE9",   "\xE2\x82",
                                          "\r",   "\n",           "\xF0\x9F\x98", "a",    "\uFEFF", "\u00C3\u00A9"};
  check_mixtures(utfilter::control_escaper(), parts, cases);
  text_filters::for_each_change([&](const char*, const auto& change, const auto&...) {
    check_mixtures(utfilter::text_codec(change), parts, cases);
  });
  cases.summary("texts with different errors");
}
