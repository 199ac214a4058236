// nfc.cpp: a fuzz target that compares the nfc_normalizer, under every policy, with the normalization of the whole
// repaired text by utf8proc. The input decides how the text is cut, and the room for the output.
#include "fuzz.hpp"
#include "nfc/nfc_reference.hpp"

#include <utfilter/nfc_normalizer.hpp>

namespace {

using namespace fuzz;
namespace reference = conformance::reference;
using utfilter::nfc_normalizer;

/// Moves the watched piece to the next one that ends a line: nothing waits after a line feed. Otherwise a letter may
/// wait, and the output is not checked before the end.
void watch_a_line(feeding& f) {
  const pieces all = cut(f.text, f.sizes);
  while (f.watched < all.size() && (all[f.watched].empty() || all[f.watched].back() != '\n')) ++f.watched;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  choose_kernels(choose);
  setup s{filter_kind::validator, utfilter::encoding::utf8, any_params(choose)};
  s.params.bom = utfilter::bom::automatic;
  feeding f(choose);
  if (s.params.on_error == utfilter::on_error::keep) return 0;
  watch_a_line(f);

  observation observed;
  static const nfc_normalizer codec;
  utfilter::conversion<nfc_normalizer> conv(codec, observed.params(s.params));
  const auto wanted = [&](std::string_view input, bool ends) {
    outcome o = expected(s, input, f.writing, ends);
    std::size_t inserted = 0;
    o.output = reference::nfc(reference::stream_safe(o.output, inserted));
    o.report.bytes_out = o.output.size();
    o.report.inserted = inserted;
    return o;
  };
  check(conv, observed, f, wanted, "NFC, as " + conformance::text_of(s));
  return 0;
}
