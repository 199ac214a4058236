// policies.hpp: all policies, and params with those that a test names.
#ifndef UTFILTER_TEST_POLICIES_HPP
#define UTFILTER_TEST_POLICIES_HPP

#include <utfilter/params.hpp>

#include <string>

namespace every {

using utfilter::bom;
using utfilter::on_error;

inline constexpr on_error policy[] = {on_error::strict, on_error::stop, on_error::replace,    on_error::skip,
                                      on_error::escape, on_error::keep, on_error::windows1252};
inline constexpr bom mark[] = {bom::automatic, bom::keep, bom::strip, bom::add, bom::require, bom::reject};

}  // namespace every

inline utfilter::params with(utfilter::on_error policy, utfilter::bom b = utfilter::bom::automatic) {
  return {policy, b};
}
inline utfilter::params with(utfilter::bom b, utfilter::on_error policy = utfilter::on_error::strict) {
  return {policy, b};
}
inline utfilter::params replacing_with(const std::string& text,
                                       utfilter::on_error policy = utfilter::on_error::replace) {
  utfilter::params p{policy};
  p.replacement = text;
  return p;
}

#endif
