// change.cpp: a fuzz target for the codecs that change text, sort lines and inspect text. What comes out must not depend
// on how the text is cut, on the room for the output, or on the kernels. The tests of these codecs have references; this
// target looks for accesses outside of buffers, for lost progress, and for decisions that a cut changes.
#include "fuzz.hpp"

#include "support/text_filter_rows.hpp"

#include <utfilter/inspector.hpp>
#include <utfilter/line_sorter.hpp>

#include <type_traits>

namespace {

using namespace fuzz;

/// The lines that a line_sorter has put aside or read by a fallback.
std::string odd_lines;

template <class Codec>
void run(const Codec& codec, const utfilter::params& p, const feeding& f, const char* what) {
  using direction = typename utfilter::conversion<Codec>::direction;
  observation observed;
  utfilter::conversion<Codec> conv(codec, observed.params(p));
  const pieces all = cut(f.text, f.sizes);
  outcome whole;
  std::string lines;
  for (const bool is_cut : {false, true}) {
    observed.errors.clear();
    odd_lines.clear();
    conv.begin(f.writing ? direction::writing : direction::reading);
    outcome got = is_cut ? converted(conv, all, f.rooms) : converted(conv, {f.text}, {});
    got.observed = observed.errors;
    if constexpr (std::is_same_v<Codec, utfilter::inspector>)
      for (const utfilter::finding kind : utfilter::all_findings) {
        const utfilter::finding_count& found = conv.codec().inspection()[kind];
        odd_lines += std::to_string(found.count) + ':' + std::to_string(found.first.offset) + ' ';
      }
    if (is_cut) {
      compare(got, whole, [&] { return what + (", " + conformance::text_of(all)); });
      if (odd_lines != lines) fail(what + (", " + conformance::text_of(all)) + ": " + odd_lines + "\nnot " + lines);
    }
    whole = got;
    lines = odd_lines;
  }
}

utfilter::line_sorter line_sorter_of(choices& choose) {
  utfilter::line_rules rules;
  const auto note = [](const utfilter::odd_line& line) {
    odd_lines.append(line.text) += std::to_string(line.begin) + ' ' + std::to_string(line.part) + ' ' + line.reason();
  };
  rules.limit = 8 + choose.below(60);
  rules.policy = choose.one_in(2) ? utfilter::line_policy::fall_back : utfilter::line_policy::put_aside;
  if (rules.policy == utfilter::line_policy::fall_back) {
    rules.fallbacks = {utfilter::encoding::shift_jis, utfilter::encoding::windows1252};
    rules.observer = note;
  }
  if (rules.policy == utfilter::line_policy::put_aside || choose.one_in(2)) rules.sink = note;
  return {utfilter::transcoder::validating(utfilter::bom::keep), rules};
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  utfilter::params p = any_params(choose);
  p.bom = utfilter::bom::automatic;
  std::size_t changes = 0, number = 0;
  text_filters::for_each_change([&](const auto&...) { ++changes; });
  const std::size_t kind = choose.below(changes + 2);  // the last two: inspection, and lines
  if (p.on_error == utfilter::on_error::keep && kind != changes) return 0;
  const utfilter::line_sorter sorter = line_sorter_of(choose);
  const feeding f(choose);
  text_filters::for_each_change([&](const char* name, const auto& change, const auto&...) {
    if (number++ == kind) run(utfilter::text_codec(change), p, f, name);
  });
  if (kind == changes) run(utfilter::inspector(), p, f, "inspection");
  if (kind == changes + 1) run(sorter, p, f, "lines");
  return 0;
}
