// mojibake_undoer.hpp: the codec of undo_mojibake. It brings back characters whose UTF-8 was read in another encoding.
// layer: codecs
#ifndef UTFILTER_MOJIBAKE_UNDOER_HPP
#define UTFILTER_MOJIBAKE_UNDOER_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/text_codec.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>

#include <cstddef>
#include <functional>

namespace utfilter {

namespace detail {
struct encoding_scheme;
}

/// Undoes mojibake: characters that are the bytes of one character's UTF-8, because a program has read them in an encoding
/// of one byte per character and written them as UTF-8 again. `Ã©` becomes `é`, and `â‚¬` becomes `€`.
///
/// A group of two to four characters is undone if its bytes in the encoding are a well-formed sequence of UTF-8 (Unicode
/// table 3-7) beyond ASCII. A character that was read wrong twice is undone twice. Everything else passes: a lone `Ã`,
/// characters that the encoding lacks, and groups that a line feed or an ill-formed byte divides. Programs differ in the
/// bytes that an encoding lacks: here U+0080 to U+009F count for these bytes.
///
/// Right text can have such a group where a word ends: `»Ä«` could be `»ī`. A group stays if it looks like that:
///
/// - Another character of the word stands before it: a capital letter of ASCII, or a character beyond ASCII that is in no
///   group and is neither U+FEFF nor U+FFFD. Before ß, and before a group of three or four, it may be a small letter, too.
/// - All its other characters are quotation marks, dashes, ellipses or no-break spaces.
/// - No letter or digit of ASCII and no character with which a group may begin follows it.
/// - It does not begin with Â or Ã, and gives no character of U+1E00 to U+1EFF, which Vietnamese has.
///
/// The characters of a group wait until it is complete, at most 35 bytes. Ill-formed UTF-8 is reported as transcoder reports
/// it, and what is not well-formed is no part of a group. `facts().changes`, and stream_report::changes, count the
/// characters that are undone. They are no errors, but conversion shows each to the observer, as errc::mojibake: at the
/// place of the group in the input, with its first six bytes, and with the character that it becomes as the code point.
///
/// ```cpp
/// utfilter::mojibake_undoer codec;
/// char       out[64];
/// const auto done = codec.transform("caf\xC3\x83\xC2\xA9", 7, out, sizeof out, true);
/// assert(std::string_view(out, done.produced) == "caf\xC3\xA9" && codec.facts().changes == 1);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class mojibake_undoer : public detail::text_codec {
 public:
  /// The text was read in this encoding. `tells` says whether transform stops after each character that is undone, with
  /// codec_status::told. Precondition: why_not(e) returns null. Throws nothing. Complexity: constant.
  UTFILTER_API explicit mojibake_undoer(encoding e = encoding::windows1252, bool tells = false) noexcept;

  /// Returns the reason why an encoding makes no sense, as a sentence for people; null if it makes sense.
  UTFILTER_API static const char* why_not(encoding) noexcept;

  /// Shows the observer, if there is one, the character that the last call of transform has undone. Throws what the
  /// observer throws. For conversion. Precondition: transform has returned codec_status::told.
  void tell(const std::function<void(const error_info&)>& observer) const {
    if (observer) observer(note_);
  }

 private:
  friend class detail::text_codec;

  UTFILTER_API codec_progress rewrite(const char* in, std::size_t size, follows, char* out, std::size_t room) noexcept;
  void note_change(const char* in, std::size_t at, std::size_t size, char32_t c) noexcept;

  const detail::encoding_scheme* read_as_;
  unsigned char first_lead_ = 0, last_lead_ = 0;  // with these bytes begin the characters that can begin a group
  bool tells_;
  char32_t before_ = 0;  // the last character that has passed; 0 if there is none, or if that was a group or an error
  error_info note_;
};

namespace detail {
template <>
inline constexpr bool has_repairs<mojibake_undoer> = true;
}

}  // namespace utfilter

#endif
