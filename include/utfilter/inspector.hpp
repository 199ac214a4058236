// inspector.hpp: the codec of inspect_text. It passes UTF-8 unchanged, and counts what may be wrong with the text.
// layer: codecs
#ifndef UTFILTER_INSPECTOR_HPP
#define UTFILTER_INSPECTOR_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/held_line.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/utf8.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace utfilter {

/// The kinds of things that an inspection finds in a text. Each character counts for itself: those of a group of
/// mojibake count under their own kinds, too.
enum class finding : std::uint8_t {
  lf,               ///< A line feed that ends a line by itself.
  crlf,             ///< A carriage return and a line feed that end a line together.
  cr,               ///< A carriage return that ends a line by itself.
  unfinished_line,  ///< The last line has no line end. The place is the end of the text, and the count is 0 or 1.
  long_line,        ///< A line of more than 1,000 characters, without its end. The place is the start of the line.
  hole,             ///< 512 or more U+0000 at the start, as skip_hole leaves them out. They count as nothing else.
  null_run,         ///< 16 or more U+0000 in a row, elsewhere. They count as nothing else.
  null,             ///< U+0000.
  c0_control,       ///< U+0001..U+001F but tab, line feed and carriage return.
  c1_control,       ///< U+007F..U+009F.
  bidi_control,     ///< A character that changes the direction of the text: Unicode's Bidi_Control.
  open_bidi,        ///< A line in which such a change is not taken back (CVE-2021-42574). The place is the line's end.
  bom,              ///< U+FEFF, but not at the start of the text.
  invisible,        ///< U+00AD, U+200B, U+2060 and others that readers do not see; see inspector.
  tag,              ///< U+E0000..U+E007F, which can hide text of ASCII, but not of a flag: after U+1F3F4, up to seven.
  no_break_space,   ///< U+00A0 or U+202F.
  private_use,      ///< A character of Unicode's general category Co.
  noncharacter,     ///< U+FDD0..U+FDEF, and the last two code points of each plane.
  replacement,      ///< U+FFFD, which stands for what was lost.
  /// What U+FFFD becomes if its UTF-8 is read as windows-1252 (ï¿½), or that of two as GBK (锟斤拷).
  replacement_mojibake,
  mojibake,       ///< A group that undo_mojibake(encoding::guess) would bring back, but not a control of C1 by itself.
  shifted_utf16,  ///< U+0A00, U+0D00, U+0A0D or U+0D0A: line ends of UTF-16 that was read shifted or swapped by a byte.
  two_encodings,  ///< A line with ill-formed UTF-8, and with characters beyond ASCII. The place is where both have been.
};

/// All kinds, for a loop over them.
inline constexpr std::array<finding, 23> all_findings = {
    finding::lf,          finding::crlf,          finding::cr,           finding::unfinished_line,
    finding::long_line,   finding::hole,          finding::null_run,     finding::null,
    finding::c0_control,  finding::c1_control,    finding::bidi_control, finding::open_bidi,
    finding::bom,         finding::invisible,     finding::tag,          finding::no_break_space,
    finding::private_use, finding::noncharacter,  finding::replacement,  finding::replacement_mojibake,
    finding::mojibake,    finding::shifted_utf16, finding::two_encodings};

/// The kind in words, in the singular, for people: "line end CR LF". Complexity: constant. Throws nothing.
UTFILTER_API const char* to_string(finding) noexcept;

/// How often something of one kind was found, and where first.
struct finding_count {
  std::uint64_t count = 0;  ///< 0 if there is none.
  text_position first;      ///< The place of the first one. It means nothing if there is none.
};

/// What an inspector has found in a text.
struct text_inspection {
  std::array<finding_count, all_findings.size()> counts;  ///< In the order of all_findings.
  encoding mojibake_read_as = encoding::detect;  ///< How the first mojibake was read last; detect if there is none.

  /// What was found of one kind. Complexity: constant. Throws nothing.
  const finding_count& operator[](finding f) const noexcept { return counts[static_cast<std::size_t>(f)]; }
};

/// Passes UTF-8 unchanged, and counts what may be wrong with it: `finding` lists the kinds. A line ends with LF, CR LF
/// or CR.
///
/// The places are those of the text that the inspector reads, and are counted as for errors: only a line feed begins a
/// new text_position::line. Ill-formed UTF-8 is reported as transcoder reports it. It is one character of its line, and
/// belongs to no finding but two_encodings. Repairs are not inspected.
///
/// Invisible are the characters of characters::invisible, but not those of bidi, tags and U+FEFF, which have kinds of their
/// own; not variation selectors and the controls of Mongolian, shorthand and music, which select a form; and not U+200C and
/// U+200D after a character beyond ASCII, where emoji and many scripts need them.
///
/// ```cpp
/// utfilter::inspector codec;
/// char out[64];
/// codec.transform("a\r\nb\n", 5, out, sizeof out, true);
/// const utfilter::text_inspection& found = codec.inspection();
/// assert(found[utfilter::finding::crlf].count == 1 && found[utfilter::finding::lf].first.line == 2);
/// ```
///
/// Throws nothing. Complexity: linear in the bytes that pass. Thread safety: that of a plain value, such as an int.
class inspector {
 public:
  /// In bytes: the longest character of UTF-8.
  static constexpr std::size_t min_output = 4;
  /// In characters: a line that has more is a finding.
  static constexpr std::uint64_t longest_line = 1000;

  /// Throws nothing. Complexity: constant.
  inspector() noexcept : input_(transcoder::validating(bom::keep)) {}

  /// What was found so far. It is complete when the text has ended; until then, what the next character decides may be
  /// missing. If an error ends the text, the last line does not count as unfinished. Throws nothing. Complexity:
  /// constant.
  const text_inspection& inspection() const noexcept { return found_; }

  /// Converts one piece; doc/codecs.md has the rules. Linear in size.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// @{
  /// See codec_base.
  bool in_place() const noexcept { return true; }
  UTFILTER_API std::size_t check(const char* in, std::size_t size) noexcept;
  const error_info& error() const noexcept { return input_.error(); }
  text_position position() const noexcept { return input_.position(); }
  const text_facts& facts() const noexcept { return input_.facts(); }
  std::size_t encode(char32_t c, char* out) const noexcept { return encode_utf8(c, out); }
  /// @}

 private:
  struct piece;

  void look_at(piece) noexcept;
  void end_run(const text_position& at) noexcept;
  void count_line_ends(const piece&, bool after_return) noexcept;
  void count_long_lines(const piece&) noexcept;
  bool lengthen_line(std::size_t bytes, std::size_t characters) noexcept;
  void count_characters(piece&) noexcept;
  void pass_tag(const std::array<char, 4>& last) noexcept;
  std::array<char, 4> last_before(const piece&, std::size_t at) const noexcept;
  void count_bidi(char32_t) noexcept;
  void close_bidi(const text_position&) noexcept;
  std::size_t pass_zeros(const piece&, std::size_t at) noexcept;
  void note_zeros() noexcept;
  void end_zeros() noexcept;
  finding kind_of_zeros() const noexcept;
  void find_mojibake(const piece&) noexcept;
  std::size_t hold_line(const piece&, std::size_t at, bool stops) noexcept;
  void decide_about_line(const piece&, std::ptrdiff_t begins, bool is_full) noexcept;
  void look_for_two_encodings(const piece&) noexcept;
  void note(finding, const text_position&, std::uint64_t count = 1) noexcept;
  bool is_new(finding f) const noexcept { return found_[f].count == 0; }

  transcoder input_;  // checks the text, counts its lines and columns, and carries an unfinished sequence
  text_inspection found_;
  std::uint64_t line_bytes_ = 0;       // of the line that has not ended
  std::uint64_t line_characters_ = 0;  // the same
  std::uint64_t zeros_ = 0;            // U+0000 at the end so far
  std::uint64_t zeros_noted_ = 0;      // those that have been counted
  text_position zeros_at_;             // where they begin
  std::uint64_t bidi_isolates_ = 0;    // bit n for change n before the last one: whether it is an isolate
  std::uint8_t bidi_depth_ = 0;        // changes of direction in the line that are not taken back
  bool at_start_ = true;               // nothing but U+0000 so far
  bool after_return_ = false;          // the text ends with a carriage return so far, not counted yet
  std::array<char, 4> last_ = {};      // bytes
  std::uint8_t flag_tags_ = 0;         // tags of a flag so far
  bool line_has_non_ascii_ = false, line_has_error_ = false, line_is_counted_ = false;  // for two_encodings
  detail::held_line line_;                                                              // for mojibake
};

}  // namespace utfilter

#endif
