// text.cpp: a fuzz target that compares the functions of text.hpp, for UTF-8 in memory, with the reference and with
// each other.
#include "fuzz.hpp"

#include <utfilter/text.hpp>

namespace {

using namespace fuzz;
using conformance::text_of;
using conformance::to_hex;
using utfilter::bom;
using utfilter::on_error;

setup validator(on_error policy, bom b) {
  setup s{filter_kind::validator, utfilter::encoding::utf8, {}};
  s.params.on_error = policy;
  s.params.bom = b;
  return s;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  const auto policy = static_cast<on_error>(choose.below(7));
  const std::string whole = choose.text(2000);
  const std::vector<char> bytes(whole.begin(), whole.end());  // a copy of exactly the right size
  const std::string_view text(bytes.data(), bytes.size());
  const auto check = [&](bool good, const auto& what) {
    if (!good) fail(what() + ": " + to_hex(text));
  };

  const auto error = utfilter::find_error(text);
  const auto wanted = expected(validator(on_error::strict, bom::strip), text, false).thrown;
  check(same_error(error, wanted), [&] { return "find_error finds " + text_of(error) + ", not " + text_of(wanted); });
  check(utfilter::is_utf8(text) == !wanted, [] { return std::string("is_utf8"); });

  const bool repairs = policy == on_error::skip || policy == on_error::escape || policy == on_error::windows1252;
  const outcome repaired = expected(validator(repairs ? policy : on_error::replace, bom::keep), text, false);
  const std::string clean = utfilter::sanitize(text, policy);
  check(clean == repaired.output,
        [&] { return "sanitize makes " + to_hex(clean) + ", not " + to_hex(repaired.output); });
  check(utfilter::is_utf8(clean) && !utfilter::find_error(clean),
        [] { return std::string("the output of sanitize is ill-formed"); });
  check(utfilter::sanitize(clean, policy) == clean, [] { return std::string("sanitize changes its own output"); });
  check(wanted || clean == text, [] { return std::string("sanitize changes well-formed text"); });

  const auto& last = repaired.report.last_error;
  const bool cut = last && last->code == utfilter::errc::incomplete_at_end;
  const std::size_t prefix = utfilter::complete_prefix(text);
  check(prefix == (cut ? last->offset : text.size()), [&] { return "complete_prefix is " + std::to_string(prefix); });
  return 0;
}
