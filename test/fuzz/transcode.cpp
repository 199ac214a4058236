// transcode.cpp: fuzz target: every form of the transcoder under every policy, cut and given room as the input says, against the
// reference.
#include "fuzz.hpp"

#include <utfilter/decoder.hpp>

namespace {

using namespace fuzz;
using conformance::conversion;

/// As users make it, where decoder.hpp does.
std::unique_ptr<conversion> conversion_of(const setup& s, const utfilter::params& p) {
  if (s.kind == filter_kind::decoder) return std::make_unique<utfilter::decoder>(s.text, p);
  if (s.kind == filter_kind::encoder) return std::make_unique<utfilter::encoder>(s.text, p);
  return std::make_unique<conversion>(conformance::codec_of(s), p);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  const auto    s = any_setup(choose);
  const feeding f(choose);
  if (!s) return 0;

  observation observed;
  const auto  wanted = [&](std::string_view input, bool ends) { return expected(*s, input, f.writing, ends); };
  check(*conversion_of(*s, observed.params(s->params)), observed, f, wanted, conformance::text_of(*s));
  return 0;
}
