// references.cpp: the outcomes that the fuzz targets expect.
#include "fuzz.hpp"

#include "support/conformance_vocabulary.hpp"

namespace fuzz {

using conformance::from_reference;
using conformance::to_reference;
namespace reference = conformance::reference;

outcome expected(const setup& s, std::string_view input, bool writing, bool ends) {
  return from_reference(reference::converter(to_reference(s), input, writing, ends).result());
}

outcome expected_escaped(const utfilter::params& p, std::string_view input, bool writing, bool ends,
                         const reference::escape_choice& choice) {
  return from_reference(reference::escaper(to_reference(p), input, writing, ends, choice).result());
}

}  // namespace fuzz
