// decoded_start.hpp: decodes a whole text if it is as texts usually are. Not for users.
// layer: codecs
#ifndef UTFILTER_DETAIL_DECODED_START_HPP
#define UTFILTER_DETAIL_DECODED_START_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace utfilter::detail {

/// How far decode_start came.
struct decoded_start {
  bool is_whole = false;
  std::optional<checkpoint> end = {};  // if not, where decoding must go on; none is the start of the text
};

/// @{
/// Decodes the well-formed start of a text, as a decoder without a byte order mark to handle does. It does not begin with
/// an encoding that it must guess or that has states. The first function is for UTF-8, UTF-16 and UTF-32; the second is
/// for all encodings and needs their tables. Linear. Throws std::bad_alloc.
UTFILTER_API std::string decode_unicode_start(std::string_view bytes, encoding from, decoded_start&);
UTFILTER_API std::string decode_any_start(std::string_view bytes, encoding from, decoded_start&);
inline std::string decode_start(std::string_view bytes, encoding from, decoded_start& start) {
  return is_unicode(from) ? decode_unicode_start(bytes, from, start) : decode_any_start(bytes, from, start);
}
/// @}

/// @{
/// Whether the options make sense with each encoding, and whether a text without errors and byte order mark is decoded
/// under them as under any others. False for some such options, too.
constexpr bool is_usual(on_error policy) noexcept { return policy != on_error::keep; }
UTFILTER_API bool is_usual(const params&) noexcept;
/// @}

}  // namespace utfilter::detail

#endif
