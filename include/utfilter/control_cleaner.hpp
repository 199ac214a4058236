// control_cleaner.hpp: the codec of remove_controls and reject_controls. Its UTF-8 output has no control characters.
// layer: codecs
#ifndef UTFILTER_CONTROL_CLEANER_HPP
#define UTFILTER_CONTROL_CLEANER_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/text_codec.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter {

/// Leaves control characters out, or refuses them, and passes all other characters on. Control characters are those of
/// Unicode's general category Cc: U+0000..U+001F and U+007F..U+009F. But tab, line feed and carriage return pass. (XML 1.0
/// section 2.2, JSON in RFC 8259 section 7, and PostgreSQL refuse some or all of these characters in a text.)
///
/// Ill-formed UTF-8 is reported as transcoder reports it. A control character in a repair is left out, too, or written as ?
/// if control characters are refused. `facts().changes`, and stream_report::changes, count the characters that are left out.
///
/// ```cpp
/// utfilter::control_cleaner codec(utfilter::control_cleaner::controls::remove);
/// char       out[64];
/// const auto done = codec.transform("a\x1B[1mb\t", 7, out, sizeof out, true);
/// assert(std::string_view(out, done.produced) == "a[1mb\t" && codec.facts().changes == 1);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class control_cleaner : public detail::text_codec {
 public:
  /// What becomes of a control character: it is left out, or it is an error, errc::control.
  enum class controls : std::uint8_t { remove, reject };

  /// Throws nothing. Complexity: constant.
  explicit control_cleaner(controls c = controls::remove) noexcept
      : text_codec(rewriter<control_cleaner>()), controls_(c) {}

 private:
  friend class detail::text_codec;

  UTFILTER_API codec_progress rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept;

  controls controls_;
};

namespace detail {
template <>
inline constexpr bool has_repairs<control_cleaner> = true;
}

}  // namespace utfilter

#endif
