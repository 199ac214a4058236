// reading.hpp: what the options mean for the text of one file: its byte order mark, its errors, and their repairs;
// and what is said about a guess and about damage.
#ifndef UTFCAT_READING_HPP
#define UTFCAT_READING_HPP

#include "options.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace utfcat {

/// How to treat the byte order mark of a file. The output has at most one, at its beginning; `follows` tells that text
/// precedes this file's text there.
utfilter::bom bom_of_input(const options&, bool follows);

/// Whether the decoded text begins with the byte order mark, if the file has one.
bool keeps_bom(const options&, utfilter::bom);

/// What becomes of ill-formed input, and of characters that the output's encoding lacks. A check does not repair, but
/// goes on after an error if the user wants to know of all.
utfilter::on_error policy_of(const options&);

/// The params to decode a file, without an observer.
utfilter::params input_params(const options&, utfilter::bom);

/// Whether the error is missing_bom or unexpected_bom.
bool is_of_bom(const utfilter::error_info&) noexcept;

/// How many bytes of the decoded text replace an error of a file that is read in this encoding.
std::size_t size_of_repair(const options&, const utfilter::error_info&, utfilter::encoding read_as);

/// Whether characters that the output's encoding lacks must be found in the file, because they are reported.
bool locates_characters(const options&);

/// What to say if nothing tells the encoding of the text, or if the text declares another one than statistics have
/// found; empty if that needs no word. ASCII needs none, as it is the same in most encodings. `encoding` is its name
/// for the user.
std::string doubt_of(const options&, const std::string& encoding, const utfilter::stream_report&);

/// Whether UTF-8 ends where UTF-16 begins, which is an error then. Where errors are repaired in silence, it goes on with the
/// zero bytes of UTF-16.
bool ends_at_utf16(const options&);

/// How to read the text before UTF-16 begins in a file, and after that: a hint with the options that do so.
std::string parts_of(const options&, const std::string& file, const utfilter::error_info& start, bool is_decompressed);

/// What to say if UTF-16 is read as UTF-8 all the same.
std::string about_passed_utf16(const options&, const std::string& file, const utfilter::error_info& start,
                               bool is_decompressed);

/// Whether the bytes begin with a byte order mark. At least four bytes tell.
bool begins_with_bom(std::string_view bytes) noexcept;

/// Finds how many bytes at the start of a file decide a guess. Those of a hole there do not count, up to 64 MiB. Nor does
/// ASCII, up to 1 MiB, where nobody waits for the text: it shows no encoding.
class deciding_size {
 public:
  explicit deciding_size(std::size_t guess_bytes, bool skips_ascii = false) noexcept
      : guess_bytes_(guess_bytes), skips_ascii_(skips_ascii) {}

  /// The number, as far as the sample tells: the start of the file, which has grown since the last call.
  std::size_t of(std::string_view sample) noexcept;
  /// Whether the sample has nothing but zeros so far.
  bool is_hole(std::string_view sample) const noexcept { return zeros_ == sample.size(); }

 private:
  std::size_t guess_bytes_;
  bool skips_ascii_;
  std::size_t zeros_ = 0;  // at the start
  std::size_t ascii_ = 0;  // after these
};

/// How a file shows its charset, if that is no encoding of the library, such as ": looks like "; empty for an encoding
/// of the library and for data that is no text.
std::string_view look_of_charset(const utfilter::charset_guess&);

/// Looks at the decoded text of a file for characters that no text has, and that show another encoding or damage
/// without being errors:
/// - In UTF-16 a line feed becomes U+0A00 or U+0A0D where a byte is lost or added; what follows is other characters.
/// - In UTF-16 the bytes of a line of ASCII become ideographs and then, with the line feed, a character of Gurmukhi.
/// - In UTF-8 each second byte of UTF-16 is zero.
/// - In a text whose encoding it declares or statistics found, control characters of the set C1 are letters of another
///   encoding, and so is what follows an escape sequence of ISO-2022.
class damage_watch {
 public:
  /// Looks at a piece of whole characters, which ends in this line of the file.
  void look(std::string_view piece, const utfilter::stream_report&, bool may_have_zeros, std::uint64_t line);

  /// What to say of the first one; empty if there was none, or this function has already returned it.
  std::string take_warning(const std::string& file);

 private:
  static constexpr std::size_t size_of_end = 12;  // of four characters

  std::size_t find_line_feed_in_unit(std::string_view piece);
  bool is_line_feed_in_unit(std::string_view piece, std::size_t at);
  bool ends_with_ascii_bytes(std::string_view text);
  void keep_end(std::string_view piece);

  std::uint64_t line_ = 0;  // of the first one, or 0
  bool is_told_ = false;
  char32_t before_ = 0, found_ = 0;  // `before_` is the character before it, if that is the sign
  std::string end_;                  // of UTF-16 and UTF-8: the end of the last piece
  utfilter::encoding encoding_ = utfilter::encoding::detect;
};

}  // namespace utfcat

#endif
