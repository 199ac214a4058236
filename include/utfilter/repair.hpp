// repair.hpp: the text that on_error::escape and on_error::windows1252 write for an error.
#ifndef UTFILTER_REPAIR_HPP
#define UTFILTER_REPAIR_HPP

#include <utfilter/config.hpp>
#include <utfilter/error.hpp>

#include <array>
#include <cstddef>

namespace utfilter {

/// Room for the longest repair: six bytes, each as `\xHH`.
using repair_buffer = std::array<char, 24>;

/// The repair of on_error::escape: writes a lone surrogate or an unmappable character as `\u{HHHH}`, and each remaining
/// byte of the error as `\xHH`. Returns the number of bytes written. Complexity: constant.
UTFILTER_API std::size_t escape_error(const error_info&, repair_buffer& out) noexcept;

/// The repair of on_error::windows1252: reads each byte of the ill-formed subsequence as windows-1252 and writes it as
/// UTF-8. Returns the number of bytes written. Complexity: constant.
UTFILTER_API std::size_t windows1252_error(const error_info&, repair_buffer& out) noexcept;

}  // namespace utfilter

#endif
