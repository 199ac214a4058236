// rows.cpp: finds the row of an encoding.
#include "encodings/encoding_scheme.hpp"

namespace utfilter::detail {

// There is no default, so that compilers warn of an enumerator without a row.
const encoding_scheme* scheme_of(encoding e) noexcept {
  switch (e) {
    case encoding::detect:
    case encoding::guess: return nullptr;
#ifdef UTFILTER_WITHOUT_CJK
#  define UTFILTER_CJK_ROW(name) \
    case encoding::name: \
      return nullptr;
#endif
#define UTFILTER_ROW(name) \
  case encoding::name: \
    return &name##_scheme;
#include "encodings/rows.inc"
#undef UTFILTER_ROW
  }
  return nullptr;
}

// encodings() lists the encodings in the order of rows.inc, which must be the order of the enumerators.
static_assert(
    [] {
      constexpr encoding rows[] = {
          encoding::detect,
          encoding::guess,
#define UTFILTER_ROW(name) encoding::name,
#include "encodings/rows.inc"
#undef UTFILTER_ROW
      };
      int place = 0;
      for (const encoding e : rows)
        if (static_cast<int>(e) != place++) return false;
      return true;
    }(),
    "utfilter: the rows of the encodings are not in the order of the enumerators");

}  // namespace utfilter::detail
