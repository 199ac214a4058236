// changes.hpp: the changes of text_filters.hpp, for text_codec and the adaptors without Boost. Each says what becomes of a
// text; `facts().changes` of the codec, and stream_report::changes, count what each one changes.
// layer: codecs
#ifndef UTFILTER_CHANGES_HPP
#define UTFILTER_CHANGES_HPP

#include <utfilter/characters.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/held_line.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/printable_options.hpp>
#include <utfilter/text_codec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace utfilter {

namespace detail {
struct cursor;
struct encoding_scheme;

/// How to find the characters of a set.
struct character_search {
  UTFILTER_API explicit character_search(characters of) noexcept;

  characters set;
  std::uint64_t leads;           // see leads_of
  std::uint8_t low[2], high[2];  // these bytes are in one of these ranges; an empty range has low > high
};

/// How far an escape sequence of a terminal has come.
enum class escape_part : std::uint8_t {
  none,           // there is none
  escape,         // after ESC
  intermediate,   // after ESC and a byte 20..2F
  control,        // in a control sequence
  string,         // in a control string
  string_escape,  // after ESC in it
  shift,          // after a single shift
};
}  // namespace detail

/// The kinds of line end that text files have.
enum class newline : std::uint8_t {
  lf,    ///< U+000A, of Unix.
  crlf,  ///< U+000D U+000A, of Windows, and of the protocols of the Internet (RFC 5198 section 2).
  cr,    ///< U+000D, of Mac OS before 2001.
};

namespace changes {

/// Gives all line ends of a text the same kind: LF, CR LF and a lone CR become the kind that was named, by default LF. All
/// other characters pass. So do U+0085, U+2028 and U+2029, because text files do not end lines with them. The count is of
/// line ends that were of another kind.
///
/// Nothing waits: a carriage return is written as the new line end at once, and a line feed that follows it later is left
/// out. So a CR LF is never cut, neither in the text nor between two writes. The line ends of repairs become the same kind.
/// In the places of errors, which are those of the input, only line feeds end a line.
struct convert_newlines : private detail::steady_change {
  /// Throws nothing. Complexity: constant.
  convert_newlines(newline to = newline::lf) noexcept : to_(to) {}

  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;

 private:
  newline to_;
  bool after_return_ = false;  // the text ends with a carriage return so far, which has been written as a line end
};

/// Leaves out the characters of a set, and counts them: `remove_characters(characters::bidi)`.
///
/// With characters::ansi it leaves out whole escape sequences of terminals, each as one: two bytes, control sequences
/// (`ESC [ 31 m`) with their parameters, single shifts with their character, and control strings such as the title of a
/// window to their end. A control string without an end ends with its line. (Without the sequences, what is left is text,
/// but it looks odd: remove_controls leaves `[31m`.)
struct remove_characters : private detail::steady_change {
  /// Throws nothing. Complexity: constant.
  remove_characters(characters set) noexcept : search_(set) {}

  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;

 private:
  detail::character_search search_;
  detail::escape_part part_ = detail::escape_part::none;  // of the sequence that is left out
};

/// Refuses the characters of a set: each is an error, errc::forbidden, which the policy treats as any other error. So
/// on_error::strict throws, on_error::replace writes U+FFFD, and on_error::escape writes `\xHH` or `\u{HHHH}`. Such a
/// character in a repair becomes ?. Of characters::ansi the first character of a sequence is refused.
struct reject_characters : private detail::steady_change {
  /// Throws nothing. Complexity: constant.
  reject_characters(characters set) noexcept : search_(set) {}

  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts&) noexcept;

 private:
  detail::character_search search_;
};

/// Writes the characters of a set as visible ASCII, and counts them: as `\xHH` or `\u{HHHH}`, or as the escapes of JSON. So
/// `escape_characters(characters::json_text, escape_style::json)` makes the lines of JSON Lines valid whose strings have
/// control characters. Backslashes pass, so the escapes cannot be undone. Of characters::ansi the first character of a
/// sequence is escaped, and the rest is text. (escape_controls also decides about line feeds and quotes.)
struct escape_characters : private detail::steady_change {
  /// In bytes: the size of the longest escape, a surrogate pair in JSON.
  static constexpr std::size_t min_output = 12;

  /// Throws nothing. Complexity: constant.
  escape_characters(characters set, escape_style style = escape_style::backslash) noexcept
      : search_(set), style_(style) {}

  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;

 private:
  detail::character_search search_;
  escape_style style_;
};

/// remove_characters for characters::controls. (XML, JSON and PostgreSQL refuse some or all of these in a text; they have
/// sets of their own.)
struct remove_controls : remove_characters {
  /// Throws nothing. Complexity: constant.
  remove_controls() noexcept : remove_characters(characters::controls) {}
};

/// reject_characters for characters::controls.
struct reject_controls : reject_characters {
  /// Throws nothing. Complexity: constant.
  reject_controls() noexcept : reject_characters(characters::controls) {}
};

/// Leaves out, and counts, each U+FEFF at the start of the text, at the start of a line, and after another that is left
/// out. A file that was put together from files with byte order marks has such characters. Inside a line U+FEFF is the zero
/// width no-break space, and passes. A line begins after a line feed or a carriage return.
struct strip_boms : private detail::steady_change {
  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;

 private:
  bool at_start_ = true;  // of the text or of a line
};

/// Leaves out a hole at the start of the text: a run of 512 or more U+0000, and counts these. Such a hole is there because
/// something, such as logrotate's copytruncate, has cut a log while a program held it open and wrote on at its old place. A
/// shorter run passes, and so does every later one. The zeros at the start wait until there are 512, or until another
/// character or the end comes.
struct skip_hole : private detail::steady_change {
  /// The least number of U+0000 that is a hole.
  static constexpr std::uint64_t least = 512;

  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;

 private:
  bool at_start_ = true;     // only U+0000 so far
  std::uint64_t zeros_ = 0;  // U+0000 that have been taken and not written
};

/// Undoes mojibake: characters that are the bytes of one character's UTF-8, because a program has read them in an encoding
/// of one byte per character and written them as UTF-8 again. `Ã©` becomes `é`, and `â‚¬` becomes `€`. The count is of the
/// characters that come back.
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
/// The characters of a group wait until it is complete, at most 35 bytes. Characters that come back are no errors, but
/// adaptors show each to params::observer, with the code errc{}: at the place of the group in the input, with its first six
/// bytes, and with the character that it becomes as the code point. Repairs stay as they are.
///
/// With encoding::guess it finds out for each line how it was read: as windows-1252 or ISO 8859-1, windows-1251, IBM850,
/// IBM437, KOI8-R, macintosh, windows-1250 or ISO 8859-2, up to three times. A line changes if it then looks less odd: fewer
/// capitals after small letters, symbols within words, words of two scripts. Text that looks right stays, and a line that
/// two of the encodings explain equally. Besides, in such a line,
///
/// - a character comes back of which the byte A0 became a space, if only one fits;
/// - U+FFFD in the place of a byte becomes the character that fits, if only one does. If more do, the group becomes U+FFFD:
///   the observer sees it;
/// - two groups that are a surrogate pair become its character (CESU-8).
///
/// A control character of C1 becomes the one that windows-1252 has in its place. A line waits from its first character
/// beyond ASCII until it ends. It is divided after 1,024 bytes, where ASCII stands if it can.
///
/// Look at what it changes. What it brings back can be a control character that was harmless before: so escape_controls,
/// remove_controls and reject_controls must get the text after it.
struct undo_mojibake : private detail::steady_change {
  /// The text was read in this encoding, such as windows1252, windows1251 or latin1, or in those that guess finds. If that is
  /// not an encoding of one byte per character, nothing is undone, and adaptors throw std::invalid_argument. Throws nothing.
  /// Complexity: constant.
  UTFILTER_API undo_mojibake(encoding read_as = encoding::windows1252) noexcept;

  /// @{
  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;
  UTFILTER_API const char* why_not() const noexcept;
  void observe(bool is_observed) noexcept { is_observed_ = is_observed; }
  error_info told() const noexcept { return told_; }
  /// @}

 private:
  codec_progress undo_lines(const text_piece&, char* out, std::size_t room, text_facts&) noexcept;
  void decide(bool is_full) noexcept;
  codec_status give(detail::cursor&, std::ptrdiff_t begins, text_facts&) noexcept;
  void tell(std::ptrdiff_t begins, const detail::undone_line::place&) noexcept;

  const detail::encoding_scheme* read_as_ = nullptr;  // null if it guesses, or if the encoding makes no sense
  unsigned char first_lead_ = 0xFF, last_lead_ = 0;   // with these bytes begin the characters that can begin a group
  bool is_observed_ = false;                          // it stops after each change
  bool guesses_ = false;
  char32_t before_ = 0;  // the last character that has passed; 0 if there is none, or if that was a group or an error
  error_info told_;
  detail::held_line line_;      // if it guesses
  detail::undone_line undone_;  // what the line becomes, while it is written
};

/// Undoes what a program has done that read text of one legacy encoding as another, both of one byte per character:
/// `reread_legacy(encoding::windows1252, encoding::windows1251)` makes `Привет` of `Ïðèâåò`. The count is of the characters
/// that change. ASCII passes, and so does a character that the first encoding lacks, or whose byte the second lacks. Right
/// text changes, too: look at what it changes.
struct reread_legacy : private detail::steady_change {
  /// The text was read in the first encoding, but is in the second. If these are not encodings of one byte per character,
  /// adaptors throw std::invalid_argument. Throws nothing. Complexity: constant.
  UTFILTER_API reread_legacy(encoding read_as, encoding is_in) noexcept;

  /// @{
  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;
  UTFILTER_API const char* why_not() const noexcept;
  /// @}

 private:
  const detail::encoding_scheme *read_as_, *is_in_;  // null if the encoding makes no sense
};

/// Writes the name of another encoding where the text declares its own: in XML, HTML, CSS, PO files, mail, TeX, RTF,
/// Hunspell's dictionaries, comments for Emacs, Vim and Python, and whatever else encoding::guess reads (doc/guessing.md
/// lists all). It is for text that is transcoded: its declaration still names the encoding that it had before. All other
/// bytes stay as they are. The count is of the names that it has changed.
///
/// The name becomes the preferred MIME name of the encoding: in lower case if the old name had no capital letter. Where a
/// reader knows other names, it gets those: RTF the number of a code page, LaTeX a name of inputenc, PO files cp1251. A name
/// stays if it means the encoding already, if no one knows it, or if there is none of its kind. UTF-16 stands for UTF-16LE
/// and UTF-16BE, too, and UTF-32 likewise.
///
/// The first 4,096 bytes wait until they are complete or the text ends; declarations count there alone. In a text that is
/// shorter, those at its end count, too.
struct update_declaration {
  /// @{
  /// The text will be written in this encoding, or in the charset with this name, which must live as long as the change and
  /// its copies. Adaptors throw std::invalid_argument for encoding::detect and guess, and for an empty name. Throws nothing.
  /// Complexity: linear in the number of encodings.
  UTFILTER_API update_declaration(encoding written_in = encoding::utf8) noexcept;
  explicit update_declaration(std::string_view charset) noexcept : name_(charset) {}
  /// @}

  /// @{
  /// See text_codec.
  UTFILTER_API codec_progress operator()(text_piece in, char* out, std::size_t room, text_facts& facts) noexcept;
  const char* why_not() const noexcept {
    return name_.empty() ? "utfilter: update_declaration needs the encoding in which the text will be written"
                         : nullptr;
  }
  /// @}

 private:
  static constexpr std::size_t most = 4096, longest_growth = 256;  // bytes

  void update(bool is_whole, text_facts& facts) noexcept;

  std::string_view name_;
  std::array<char, most + longest_growth> start_ = {};  // the start of the text
  std::uint16_t size_ = 0, given_ = 0;                  // bytes of it, and those that have been written
  bool is_updated_ = false;
};

}  // namespace changes

}  // namespace utfilter

#endif
