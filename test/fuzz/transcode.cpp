// transcode.cpp: a fuzz target that compares the transcoder, in every encoding that the reference has, and the
// bom_codec with the reference, under every policy. The input decides how the text is cut, and the room for the output.
#include "fuzz.hpp"

#include <utfilter/decoder.hpp>

namespace {

using namespace fuzz;
using conformance::any_conversion;
using utfilter::conversion;

/// Makes the conversion as users do, by decoder.hpp if that has a class for it.
any_conversion conversion_of(const setup& s, const utfilter::params& p) {
  if (s.kind == filter_kind::decoder) return utfilter::decoder(s.text, p);
  if (s.kind == filter_kind::encoder) return utfilter::encoder(s.text, p);
  return conformance::with_codec(s, [&](const auto& codec) { return any_conversion(conversion(codec, p)); });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  const auto s = any_setup(choose);
  const feeding f(choose);
  if (!s) return 0;

  observation observed;
  const auto wanted = [&](std::string_view input, bool ends) { return expected(*s, input, f.writing, ends); };
  any_conversion used = conversion_of(*s, observed.params(s->params));
  std::visit([&](auto& c) { check(c, observed, f, wanted, conformance::text_of(*s)); }, used);
  return 0;
}
