// repair.hpp: the text that stands for ill-formed bytes under the policies that look at them.
#ifndef UTFILTER_REPAIR_HPP
#define UTFILTER_REPAIR_HPP

#include <utfilter/config.hpp>
#include <utfilter/error.hpp>

#include <array>
#include <cstddef>

namespace utfilter {

/// Room for the longest of these texts: six bytes as `\xHH`.
using repair_buffer = std::array<char, 24>;

/// on_error::escape: a lone surrogate or an unmappable character as `\u{HHHH}`, other bytes as `\xHH`. Returns the
/// bytes written. Complexity: constant.
UTFILTER_API std::size_t escape_error(const error_info&, repair_buffer& out) noexcept;

/// on_error::windows1252: each byte of the ill-formed subsequence read as windows-1252, in UTF-8. Returns the bytes
/// written. Complexity: constant.
UTFILTER_API std::size_t windows1252_error(const error_info&, repair_buffer& out) noexcept;

}  // namespace utfilter

#endif
