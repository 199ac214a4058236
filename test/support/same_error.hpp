// same_error.hpp: compares errors of a text in all members.
#ifndef UTFILTER_TEST_SAME_ERROR_HPP
#define UTFILTER_TEST_SAME_ERROR_HPP

#include <utfilter/error.hpp>

#include <algorithm>
#include <optional>

inline bool same_error(const utfilter::error_info& a, const utfilter::error_info& b) {
  return a.code == b.code && a.offset == b.offset && a.line == b.line && a.column == b.column &&
         a.line_offset == b.line_offset && a.size == b.size &&
         std::equal(a.bytes.begin(), a.bytes.begin() + a.size, b.bytes.begin()) && a.code_point == b.code_point;
}
inline bool same_error(const std::optional<utfilter::error_info>& a, const std::optional<utfilter::error_info>& b) {
  return a.has_value() == b.has_value() && (!a || same_error(*a, *b));
}

#endif
