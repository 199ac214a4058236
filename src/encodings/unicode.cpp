// unicode.cpp: the rows of UTF-8, UTF-16 and UTF-32, and the facts about encodings that these rows alone tell. So a
// program that reads no other encoding has no tables of others.
#include <utfilter/encoding.hpp>

#include "encodings/encoding_scheme.hpp"

#include <cstddef>
#include <iterator>
#include <string_view>

namespace utfilter {
namespace {

constexpr encoding all_encodings[] = {
#define UTFILTER_ROW(name) encoding::name,
#include "encodings/rows.inc"
#undef UTFILTER_ROW
};

constexpr auto first_unicode = static_cast<unsigned>(encoding::utf8);

/// Whether UTF-8, UTF-16 and UTF-32 come first, in the order of the enumerators.
constexpr bool have_rows_in_order() noexcept {
  for (unsigned i = 0; i != detail::unicode_encodings; ++i)
    if (!detail::is_unicode(all_encodings[i]) || static_cast<unsigned>(all_encodings[i]) != first_unicode + i)
      return false;
  return !detail::is_unicode(all_encodings[detail::unicode_encodings]);
}
static_assert(have_rows_in_order());

bool is_listed(encoding e) noexcept {
  switch (e) {
#define UTFILTER_ROW(name) case encoding::name:
#include "encodings/rows.inc"
#undef UTFILTER_ROW
    return true;
    default: return false;
  }
}

}  // namespace

const detail::encoding_scheme* const detail::unicode_rows[unicode_encodings] = {
#define UTFILTER_UNICODE_ROW(name) &name##_scheme,
#define UTFILTER_ROW(name)
#include "encodings/rows.inc"
#undef UTFILTER_ROW
};

const detail::encoding_scheme* detail::unicode_scheme_of(encoding e) noexcept {
  // A switch would be an indirect jump, which processors often mispredict.
  const unsigned place = static_cast<unsigned>(e) - first_unicode;
  return place < unicode_encodings ? unicode_rows[place] : nullptr;
}

encoding_list encodings() noexcept { return {std::begin(all_encodings), std::end(all_encodings)}; }

bool has_bom(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::unicode_scheme_of(e);
  return detail::is_undecided(e) || (row != nullptr && !row->bom.empty());
}

bool is_decided_by_bom(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::unicode_scheme_of(e);
  return detail::is_undecided(e) || (row != nullptr && row->without_bom != e);
}

std::size_t code_unit_size(encoding e) noexcept {
  const detail::encoding_scheme* const row = detail::unicode_scheme_of(e);
  return row != nullptr ? row->code_unit : 1;
}

std::string_view detail::unicode_name(encoding e) noexcept {
  const std::string_view names = unicode_scheme_of(e)->names;
  return names.substr(0, names.find(' '));
}

bool detail::is_cjk(encoding e) noexcept {
  switch (e) {
#define UTFILTER_ROW(name)
#define UTFILTER_CJK_ROW(name) case encoding::name:
#include "encodings/rows.inc"
#undef UTFILTER_ROW
    return true;
    default: return false;
  }
}

const char* detail::why_no_candidates(const encoding_list& list) noexcept {
  constexpr std::ptrdiff_t most = 255;
  if (list.end() - list.begin() > most) return "params::candidates names more than 255 encodings";
  for (const encoding e : list) {
    if (is_undecided(e)) return "params::candidates must name encodings, it cannot have detect or guess";
    if (const char* const why = why_missing(e)) return why;
  }
  return nullptr;
}

const char* detail::why_missing(encoding e) noexcept {
  if (is_undecided(e) || is_listed(e)) return nullptr;
  return is_cjk(e) ? why_left_out : "there is no such encoding";
}

}  // namespace utfilter
