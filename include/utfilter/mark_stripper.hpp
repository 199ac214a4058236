// mark_stripper.hpp: the codec of strip_marks. It leaves out byte order marks that stand in the text.
// layer: codecs
#ifndef UTFILTER_MARK_STRIPPER_HPP
#define UTFILTER_MARK_STRIPPER_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/text_codec.hpp>

#include <cstddef>

namespace utfilter {

/// Leaves out each U+FEFF at the start of the text, at the start of a line, and after another that is left out. A file
/// that was put together from files with byte order marks has such characters. Inside a line U+FEFF is the zero width
/// no-break space, and passes. A line begins after a line feed or a carriage return.
///
/// Ill-formed UTF-8 is reported as transcoder reports it, and repairs are part of the text. `facts().changes`, and
/// stream_report::changes, count the characters that are left out.
///
/// ```cpp
/// utfilter::mark_stripper codec;
/// char       out[64];
/// const auto done = codec.transform("\xEF\xBB\xBF\xEF\xBB\xBFid\n\xEF\xBB\xBFid\n", 15, out, sizeof out, true);
/// assert(std::string_view(out, done.produced) == "id\nid\n" && codec.facts().changes == 3);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class mark_stripper : public detail::text_codec {
 public:
  /// Throws nothing. Complexity: constant.
  mark_stripper() noexcept : text_codec(rewriter<mark_stripper>()) {}

 private:
  friend class detail::text_codec;

  UTFILTER_API codec_progress rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept;

  bool at_start_ = true;  // of the text or of a line
};

namespace detail {
template <>
inline constexpr bool has_repairs<mark_stripper> = true;
}

}  // namespace utfilter

#endif
