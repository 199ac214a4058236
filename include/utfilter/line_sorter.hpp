// line_sorter.hpp: the codec of to_utf8_lines. It decides by the line, or by the record, what becomes of text with errors.
// layer: codecs
#ifndef UTFILTER_LINE_SORTER_HPP
#define UTFILTER_LINE_SORTER_HPP

#include <utfilter/codec.hpp>
#include <utfilter/config.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/transcoder.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfilter {

namespace detail {

struct encoding_scheme;

/// Where the search for the end of a record stands.
struct record_search {
  std::size_t at = 0;                    // bytes that have been looked at
  const encoding_scheme* row = nullptr;  // of the bytes after them; null for that of the text
  std::uint8_t within = 0;               // the place in a field of CSV
};

/// Whole records at the start of some bytes.
struct found_records {
  std::size_t size = 0;     // bytes
  std::uint64_t count = 0;  // 0 if a record is a line: then line feeds are counted
};

}  // namespace detail

/// What becomes of a line with an error.
enum class line_policy {
  keep,       ///< It stays in the text, and params::on_error treats each error, as in to_utf8.
  put_aside,  ///< It is left out, and goes to line_rules::sink, whole and with its own bytes.
  /// It is read, whole, by the first of line_rules::fallbacks in which it is well-formed. If there is none, it is put
  /// aside; without a sink, it stays in the text as under `keep`. So it is with a line of UTF-8 that is damaged, which a
  /// fallback would make mojibake of: it has at least two well-formed characters beyond ASCII, and at least twice as many
  /// of them as errors.
  fall_back,
};

/// What is decided about as a whole, and so passes, is put aside, or is read by a fallback without being divided.
enum class record_kind : std::uint8_t {
  line,  ///< A line.
  /// A record of CSV (RFC 4180), whose quoted fields may have line feeds. A field is quoted if a quote is its first
  /// character; it ends at the next quote that is not doubled. Any other quote is a character of its field.
  csv,
  /// A line, and the lines after it that begin with a space or a tab: a message with its stack trace, a folded header of
  /// mail. It is complete when the first character of the next one has arrived.
  indented,
};

/// A line (or a record: everything said of lines below holds for records, too) that is put aside or read by a fallback, or
/// a part of one that is longer than line_rules::limit. All offsets are bytes of the source, from its start.
struct odd_line {
  /// The bytes of the source, with the line end. They are valid until the sink or the observer returns.
  std::string_view text;
  std::uint64_t first_line = 1;  ///< The number of the line in which `text` begins.
  std::uint64_t line_feeds = 0;  ///< Line feeds in `text`.
  std::uint64_t begin = 0;       ///< The offset of the first byte of `text`.
  std::uint64_t end = 0;         ///< The offset after its last byte.
  /// 0 for a whole line. The parts of a line that is longer than the limit have the numbers 1, 2 and so on.
  std::uint64_t part = 0;
  /// The first error of the line. A part has none: `code` is no enumerator, `size` is 0, and the place is that of the
  /// beginning of its line.
  error_info error;
  encoding read_as = encoding::detect;  ///< The fallback that reads the line; encoding::detect if it is put aside.

  /// The kind of the error in words, or "line too long" for a part. Complexity: constant. Throws std::bad_alloc.
  UTFILTER_API std::string reason() const;
};

/// How many lines and bytes of the source passed, and how many were put aside. All that was read did one of the two:
/// `lines_passed + lines_put_aside` lines, and `bytes_passed + bytes_put_aside` bytes. A last line without a line feed
/// counts, too. The bytes of a byte order mark pass, and are no part of a line. A line longer than the limit is one
/// line.
struct line_counts {
  std::uint64_t lines_passed = 0;       ///< Lines that are in the output.
  std::uint64_t lines_put_aside = 0;    ///< Lines that the sink has got.
  std::uint64_t lines_fallen_back = 0;  ///< Of the lines that passed, those that were read by a fallback.
  std::uint64_t bytes_passed = 0;       ///< Bytes of lines_passed, and of the byte order mark.
  std::uint64_t bytes_put_aside = 0;    ///< Bytes of lines_put_aside.
  std::uint64_t bytes_fallen_back = 0;  ///< Bytes of lines_fallen_back.
  /// @{
  /// The same for records: as many as lines, unless line_rules::records says otherwise.
  std::uint64_t records_passed = 0;
  std::uint64_t records_put_aside = 0;
  std::uint64_t records_fallen_back = 0;
  /// @}
};

/// The default of line_rules::limit: 1 MiB.
inline constexpr std::size_t default_line_limit = std::size_t{1} << 20;

/// What to do with lines that have errors. An aggregate: in C++20, `{.policy = line_policy::put_aside, .sink =
/// rejects}`.
struct line_rules {
  line_policy policy = line_policy::keep;  ///< What becomes of a line with an error.
  /// For line_policy::fall_back: the encodings to try, in order, with code units as large as the text's; windows1252 fits
  /// every line. encoding::guess stands for the likeliest of those after it (of all, if it is last), if one is likely.
  std::vector<encoding> fallbacks = {};
  /// The size of the longest line that is held until it is whole, in bytes of the source, with its line end. At least
  /// 8; rounded down to a multiple of 4. A longer line is put aside in parts of this size, even if it has no error;
  /// without a sink, it stays in the text as under line_policy::keep.
  std::size_t limit = default_line_limit;
  /// Gets each line that is put aside, in order, before any text after it is delivered. If it throws, the stream fails
  /// with that exception, as with one of params::observer. `rejects` (rejects.hpp) writes the lines to a stream.
  std::function<void(const odd_line&)> sink = {};
  /// Is told each line that a fallback reads, in order, before its text is delivered. If it throws, the stream fails,
  /// too.
  std::function<void(const odd_line&)> observer = {};
  /// What counts as a line.
  record_kind records = record_kind::line;
  /// @{
  /// For record_kind::csv: two characters of ASCII, which differ, and are neither line feed nor carriage return.
  char delimiter = ',', quote = '"';
  /// @}
  /// Finds what shall be an error of its line although it is well-formed, such as a control character. It gets decoded
  /// text: whole characters of UTF-8, of a part of a line or of many lines. It returns the first such character as an
  /// error_info, whose `offset` is the place in this text; the codec puts the place in the source there. No fallback reads
  /// a line that is well-formed, or in which the finder finds something then, too. In a line that stays in the text it is
  /// no error. A finder that throws ends the program.
  std::function<std::optional<error_info>(std::string_view)> finder = {};
};

/// Decodes to UTF-8 as transcoder does, but decides by the line what becomes of errors: line_rules says how.
///
/// A line ends with U+000A in the encoding of the text. Its bytes are found without decoding: the byte 0A, or in UTF-16
/// and UTF-32 the code unit. So an ill-formed sequence never takes a line feed into another line. Lines are counted by
/// these line feeds, as text_position counts them. Text without errors passes in bulk. A line that the end of the input
/// cuts is carried, up to `limit` bytes, because the decision is about the whole line. line_rules::records gathers lines
/// to records, which are decided about as lines are. A quote or a delimiter of CSV is a whole character, never a byte of
/// another one. A quoted field that is not closed ends with the text, or after `limit` bytes: then the record is put aside.
///
/// The errors of lines that are put aside or read by a fallback do not count: report().errors has only those of the
/// lines that stay, and only these fail the text and are observed. `facts().changes`, and stream_report::changes, count
/// the lines that are put aside or read by a fallback. In ISO-2022-JP, the line after such a line begins in the same
/// state as that line.
///
/// ```cpp
/// utfilter::line_rules rules;
/// rules.policy = utfilter::line_policy::fall_back;
/// rules.fallbacks = {utfilter::encoding::windows1252};
/// utfilter::codec_decoder text{
///     utfilter::line_sorter(utfilter::transcoder::validating(utfilter::bom::keep), rules)};
/// char out[64];
/// const auto done = text.convert("caf\xC3\xA9\ncaf\xE9\n", 11, out, sizeof out, true);
/// assert(std::string_view(out, done.produced) == "caf\u00E9\ncaf\u00E9\n");
/// assert(text.codec().counts().lines_fallen_back == 1);
/// ```
///
/// Complexity: linear in the bytes that pass, and in the number of fallbacks for lines with errors. Memory: `limit`
/// bytes, which the constructor and copying allocate; the system provides them when lines need them. Thread safety:
/// that of a plain value, such as an int; the sink is called in the thread that converts. A moved-from line_sorter can
/// only be destroyed or assigned to.
class line_sorter : public transcoder {
 public:
  /// Decodes by `decoder`, which has read nothing and decodes to UTF-8. Precondition: why_not(encoding, rules) returns
  /// null for the encoding that it reads. Throws std::bad_alloc, and what copying the sink throws.
  UTFILTER_API line_sorter(const transcoder& decoder, const line_rules& rules);

  /// Returns the reason why the rules make no sense for text in this encoding, as a sentence for people; null if they
  /// make sense. The encoding may be detect or guess. Throws nothing. Complexity: linear in the number of fallbacks.
  UTFILTER_API static const char* why_not(encoding, const line_rules&) noexcept;

  /// Converts one piece; doc/codecs.md has the rules. Linear in size + room, and in the line that it carries.
  UTFILTER_API codec_progress transform(const char* in, std::size_t size, char* out, std::size_t room,
                                        bool last) noexcept;

  /// See codec_base. It is true if both encodings are UTF-8, and no line is carried.
  bool in_place() const noexcept {
    return stage_ == stage::gathering && line_.size == 0 && part_ == 0 && transcoder::in_place();
  }
  /// See codec_base. It passes whole lines. Precondition: in_place(). Linear in size.
  UTFILTER_API std::size_t check(const char* in, std::size_t size) noexcept;

  /// Whether a line is carried that check could pass, if it got the whole line. Constant.
  bool gives_back() const noexcept {
    return stage_ == stage::gathering && line_.size != 0 && part_ == 0 && transcoder::in_place();
  }
  /// Writes the carried bytes to `out`, forgets them, and returns their number. For conversion. Precondition:
  /// gives_back(). Linear in that number.
  UTFILTER_API std::size_t give_back(char* out) noexcept;

  /// Gives the line to the sink or to the observer of the rules, and throws what that throws; then the line is still to
  /// be told. For conversion. Precondition: transform has returned codec_status::told.
  UTFILTER_API void tell(const std::function<void(const error_info&)>&);

  /// The counts of the lines that have been decided. The sums hold at any time. Throws nothing. Complexity: constant.
  UTFILTER_API line_counts counts() const noexcept;

 private:
  /// What is done with the line in line_, once it is whole.
  enum class stage : std::uint8_t {
    gathering,  // it is not whole yet
    passing,    // it is being decoded, by this transcoder
    falling,    // it is being decoded, by fallback_
    telling,    // it is put aside as soon as tell() is called
    observing,  // fallback_ decodes it as soon as tell() is called
  };

  /// The bytes of a line, with memory for `limit` bytes and a few more. A copy has memory of its own.
  struct held_line {
    held_line() = default;
    UTFILTER_API explicit held_line(std::size_t capacity);
    UTFILTER_API held_line(const held_line&);
    held_line(held_line&&) noexcept = default;
    UTFILTER_API held_line& operator=(const held_line&);
    held_line& operator=(held_line&&) noexcept = default;
    ~held_line() = default;

    std::unique_ptr<char[]> bytes;
    std::size_t capacity = 0;
    std::size_t size = 0;
    std::size_t extra = 0;  // bytes after these, which begin the next record
  };

  std::size_t limit() const noexcept { return rules_.limit - rules_.limit % 4; }
  detail::found_records find_records(const char* in, std::size_t size) const noexcept;
  std::optional<error_info> find(std::string_view text) const noexcept;
  std::optional<error_info> first_error(transcoder codec, const char* in, std::size_t size, bool last) const noexcept;
  void note_passed(std::size_t passed, std::size_t found) noexcept;
  std::optional<codec_status> begin_lines(detail::cursor&, bool last) noexcept;
  std::optional<codec_status> step(detail::cursor&, bool last) noexcept;
  std::optional<codec_status> pass_lines(detail::cursor&) noexcept;
  std::optional<codec_status> gather(detail::cursor&, bool last) noexcept;
  bool gather_to_line_feed(detail::cursor&) noexcept;
  bool gather_to_end_of_record(detail::cursor&, bool last) noexcept;
  std::optional<codec_status> decide(detail::cursor&) noexcept;
  bool find_fallback() noexcept;
  std::optional<codec_status> drain(detail::cursor&) noexcept;
  std::uint64_t line_feeds() const noexcept;
  std::uint64_t lines_here() const noexcept;
  void finish_line(std::uint64_t& lines, std::uint64_t& bytes, std::uint64_t& records) noexcept;
  void count_passed(const text_position& before, std::uint64_t records) noexcept;

  line_rules rules_;
  held_line line_;
  std::size_t drained_ = 0;         // bytes of line_ that have been decoded
  std::size_t reach_ = 256;         // bytes in which find_records looks, if a record ends there
  detail::record_search search_{};  // in line_
  stage stage_ = stage::gathering;
  bool is_ended_ = false;     // line_ ends where its line or record does
  bool is_last_ = false;      // line_ ends with the text, without a line feed
  std::uint64_t part_ = 0;    // the part of a line longer than the limit that line_ is; 0 for a line
  text_position begin_;       // of the text
  text_position line_begin_;  // of the line
  error_info line_error_;     // the first error of the line that is put aside or read by fallback_
  transcoder fallback_;       // decodes the line in stage::falling
  line_counts counts_;
};

namespace detail {
template <>
inline constexpr bool ends_at_failure<line_sorter> = true;
}

}  // namespace utfilter

#endif
