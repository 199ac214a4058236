// hole_skipper.hpp: the codec of skip_hole. It leaves out the zeros that a truncated log begins with.
// layer: codecs
#ifndef UTFILTER_HOLE_SKIPPER_HPP
#define UTFILTER_HOLE_SKIPPER_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/text_codec.hpp>

#include <cstddef>
#include <cstdint>

namespace utfilter {

/// Leaves out a hole at the start of the text: a run of 512 or more U+0000. Such a hole is there because something,
/// such as logrotate's copytruncate, has cut a log while a program held it open and wrote on at its old place. A
/// shorter run passes, and so does every later one.
///
/// The zeros at the start wait until there are 512, or until another character or the end comes. Ill-formed UTF-8 is
/// reported as transcoder reports it. `facts().changes`, and stream_report::changes, count the zeros that are left out. The
/// places of errors are those of the input.
///
/// ```cpp
/// utfilter::hole_skipper codec;
/// char              out[64];
/// const std::string log  = std::string(600, '\0') + "started\n";
/// const auto        done = codec.transform(log.data(), log.size(), out, sizeof out, true);
/// assert(std::string_view(out, done.produced) == "started\n" && codec.facts().changes == 600);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class hole_skipper : public detail::text_codec {
 public:
  /// Throws nothing. Complexity: constant.
  hole_skipper() noexcept : text_codec(rewriter<hole_skipper>()) {}

  /// The least number of U+0000 that is a hole.
  static constexpr std::uint64_t least = 512;

 private:
  friend class detail::text_codec;

  UTFILTER_API codec_progress rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept;

  bool at_start_ = true;     // only U+0000 so far
  std::uint64_t zeros_ = 0;  // U+0000 that have been taken and not written
};

namespace detail {
template <>
inline constexpr bool has_repairs<hole_skipper> = true;
}

}  // namespace utfilter

#endif
