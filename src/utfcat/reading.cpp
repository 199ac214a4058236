// reading.cpp: what the options mean for the text of one file; and what is said about a guess and about damage.
#include "reading.hpp"

#include "charsets.hpp"
#include "messages.hpp"
#include "reports.hpp"
#include "system.hpp"
#include "utf16_watch.hpp"

#include <utfilter/changes.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

namespace utfcat {

using utfilter::bom;
using utfilter::errc;
using utfilter::error_info;
using utfilter::evidence;
using utfilter::on_error;

namespace {

/// During a check this text replaces each ill-formed subsequence. It is one character, because an error counts as one
/// column.
constexpr std::string_view repair_of_check = "?";

/// Whether the encoding has every character. Only encodings of all of Unicode have its last character.
bool encodes_all_characters(utfilter::encoding e) {
  char last[utfilter::transcoder::min_output];
  return utfilter::transcoder::encoding_to(e, bom::keep).encode(U'\U0010FFFF', last) != 0;
}

bool is_printable_ascii(char32_t byte) noexcept { return byte >= 0x20 && byte <= 0x7E; }

/// The first ideographs of Unicode's blocks of them. The punctuation and the symbols before them may be next to any
/// script.
constexpr char32_t first_ideograph = 0x3400;

/// The last character of UTF-8 before `end`, if its code unit in UTF-16 has the bytes of two printable characters of
/// ASCII, or else 0. These characters, U+2020 to U+7E7E, have three bytes.
char32_t two_ascii_bytes_before(std::string_view text, std::size_t end) noexcept {
  if (end < 3) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[end - 3 + i])); };
  if (byte(0) < 0xE2 || byte(0) > 0xE7) return 0;
  const char32_t c = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return is_printable_ascii(c >> 8) && is_printable_ascii(c & 0xFF) ? c : 0;
}

/// Where UTF-8 has the bytes of UTF-16, or npos: zero bytes, and between them bytes that are not zero. Six are more
/// than a list of short names has.
std::size_t find_zeros_of_utf16(std::string_view text) {
  constexpr std::size_t zeros = 6;
  for (std::size_t at = 0; (at = text.find('\0', at)) != std::string_view::npos; ++at) {
    std::size_t n = 1;
    while (n != zeros && at + 2 * n < text.size() && text[at + 2 * n] == 0 && text[at + 2 * n - 1] != 0) ++n;
    if (n == zeros) return at;
    at += 2 * (n - 1);
    while (at + 1 < text.size() && text[at + 1] == 0) ++at;  // a hole, which may be large
  }
  return std::string_view::npos;
}

/// Where the first control character of the set C1 is in UTF-8, or npos. NEL ends lines on IBM's systems.
std::size_t find_c1_control(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('\xC2', at)) != std::string_view::npos; ++at) {
    const auto next = static_cast<unsigned char>(text[at + 1]);
    if (next < 0xA0 && next != 0x85) return at;
  }
  return std::string_view::npos;
}

/// Whether --range may be given beside the other options. The text is UTF-8 in a file that has a name or in standard input.
bool may_have_range(const options& o) {
  return o.has_one_file && !o.in_place && !o.recursive && !o.follow && !o.decompress && !o.has_filter("declare") &&
         !utfilter::detail::has_states(o.to) && !(o.to_charset && o.to_charset->is_stateful());
}

/// The encoding of Windows for the languages of an encoding of ISO 8859, in which most of its text really is.
std::string_view windows_relative(utfilter::encoding e) {
  using utfilter::encoding;
  switch (e) {
    case encoding::latin1:
    case encoding::iso8859_15: return "windows-1252";
    case encoding::iso8859_2: return "windows-1250";
    case encoding::iso8859_5: return "windows-1251";
    case encoding::iso8859_6: return "windows-1256";
    case encoding::iso8859_7: return "windows-1253";
    case encoding::iso8859_8: return "windows-1255";
    case encoding::iso8859_9: return "windows-1254";
    case encoding::iso8859_13: return "windows-1257";
    default: return "";
  }
}

}  // namespace

bom bom_of_input(const options& o, bool follows) {
  const bom none = has_bom(o.from) ? bom::strip : bom::automatic;
  if (o.same && (o.bom == bom::automatic || o.bom == bom::keep)) return none;  // the encoder adds the same one
  switch (o.bom) {
    case bom::automatic:
    case bom::keep: return follows ? none : o.bom;
    case bom::add: return none;  // the output's encoder adds it
    case bom::strip:
    case bom::require:
    case bom::reject: break;
  }
  return o.bom;
}

bool keeps_bom(const options& o, bom policy) {
  return policy == bom::keep || policy == bom::reject || (policy != bom::strip && !is_decided_by_bom(o.from));
}

on_error policy_of(const options& o) {
  if (!o.only_checks()) return o.on_error;
  return o.ends_at_error() ? on_error::strict : on_error::replace;
}

utfilter::params input_params(const options& o, bom policy) {
  utfilter::params p;
  p.bom = policy;
  p.fallback = o.fallback;
  constexpr std::size_t of_list = std::size_t{1} << 20;
  p.guess_bytes = o.candidates.empty() ? o.guess_bytes : std::max(o.guess_bytes, of_list);
  if (o.legacy) {
    p.legacy = *o.legacy;
    p.least_confidence = 1;  // the user knows better than statistics
  }
  p.candidates = o.candidates;
  p.on_error = policy_of(o);
  if (o.only_checks()) p.replacement = repair_of_check;
  return p;
}

bool is_of_bom(const error_info& error) noexcept {
  return error.code == errc::missing_bom || error.code == errc::unexpected_bom;
}

std::size_t size_of_repair(const options& o, const error_info& error, utfilter::encoding read_as) {
  if (error.code == errc::unmappable) return error.size;  // the character itself
  if (is_start_of_utf16(error.code)) return 0;
  if (o.only_checks() && !is_of_bom(error) && error.code != errc::no_text) return repair_of_check.size();
  const utfilter::repairer by(policy_of(o));
  return by.size_of_repair(error, read_as == utfilter::encoding::utf8);
}

bool locates_characters(const options& o) {
  return (o.tells_errors() || o.summary) && (o.same || o.to_bmp || !encodes_all_characters(o.to));
}

std::string doubt_of(const options& o, const std::string& encoding, const utfilter::stream_report& report) {
  const bool is_ascii = is_single_byte(report.encoding) && report.bytes_in == report.bytes_out;
  if (is_ascii || report.bytes_in == 0) return "";
  const bool guesses = o.guesses();
  const std::string declared(report.unused_declaration);
  if (report.decided_by == evidence::statistics && !declared.empty())
    return "read as " + encoding + " by statistics: the text declares " + declared +
           ", but does not decode by it (if " + encoding + " is wrong, --from names the right one)";
  if (report.decided_by != evidence::assumption) return "";
  const std::string why = !guesses           ? "there is no byte order mark"
                          : declared.empty() ? "the text does not show its encoding"
                                             : "the text declares " + declared + ", but does not decode by it";
  return "read as " + encoding + ", which is an assumption: " + why + " (--from names it, " +
         (guesses ? "--legacy" : "--fallback") + " assumes another)";
}

bool ends_at_utf16(const options& o) { return o.tells_errors() || o.only_checks(); }

std::string parts_of(const options& o, const std::string& file, const error_info& start, bool is_decompressed) {
  const std::string from = start.size != 0 ? "utf-16" : start.code == utf16be_begins ? "utf-16be" : "utf-16le";
  std::string hint = " (tail -c +" + std::to_string(start.offset + 1) +
                     (is_decompressed ? " of the decompressed text" : "") + " with --from " + from + " reads it";
  // A range has whole lines of the file's encoding. So it may end where a line of UTF-16 begins, but not begin there.
  const std::optional<file_size> size =
      start.line != 1 && start.column == 1 && may_have_range(o) ? size_of(file) : std::nullopt;
  if (size && size->regular)
    hint += ", --range " + std::to_string(o.range ? o.range->begin : 0) + '-' + std::to_string(start.offset) +
            " the text before it";
  return hint + ')';
}

std::string about_passed_utf16(const options& o, const std::string& file, const error_info& start,
                               bool is_decompressed) {
  return "byte " + std::to_string(start.offset) + ": " + kind_of(start.code) + ", but read as UTF-8" +
         parts_of(o, file, start, is_decompressed);
}

bool begins_with_bom(std::string_view bytes) noexcept {
  constexpr std::size_t longest = utfilter::detail::longest_bom;
  return bytes.size() >= longest && utfilter::guess_charset(bytes.substr(0, longest)).decided_by == evidence::bom;
}

std::size_t deciding_size::of(std::string_view sample) noexcept {
  constexpr std::size_t most = std::size_t{64} << 20;  // it is kept in memory
  while (zeros_ != sample.size() && zeros_ != most && sample[zeros_] == '\0') ++zeros_;
  const bool is_hole = zeros_ == sample.size() || zeros_ >= utfilter::changes::skip_hole::least;
  const std::size_t start = is_hole && zeros_ != most ? zeros_ : 0;
  if (!skips_ascii_) return guess_bytes_ + start;
  constexpr std::size_t most_ascii = std::size_t{1} << 20;
  const auto is_plain = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; };
  while (start + ascii_ < sample.size() && ascii_ != most_ascii && is_plain(sample[start + ascii_])) ++ascii_;
  return guess_bytes_ + start + (ascii_ != most_ascii ? ascii_ : 0);
}

std::string_view look_of_charset(const utfilter::charset_guess& guess) {
  if (utfilter::encoding_from_name(guess) || guess == encoding_name(utfilter::encoding::detect)) return "";
  return guess.decided_by == evidence::declaration ? ": declares " : ": looks like ";
}

void damage_watch::look(std::string_view piece, const utfilter::stream_report& report, bool may_have_zeros,
                        std::uint64_t line) {
  if (line_ != 0) return;
  std::size_t at = std::string_view::npos;
  std::string with_end;
  if (code_unit_size(report.encoding) == 2)
    at = find_line_feed_in_unit(piece);
  else if ((report.decided_by == evidence::declaration || report.decided_by == evidence::statistics) &&
           is_single_byte(report.encoding))
    at = find_c1_control(piece);
  else if (report.encoding == utfilter::encoding::utf8) {
    if (may_have_zeros) {
      char both[2 * size_of_end];  // the end of the last piece, and the beginning of this one
      const std::size_t size = end_.copy(both, size_of_end);
      if (find_zeros_of_utf16({both, size + piece.copy(both + size, size_of_end)}) <
          size)  // they begin in the last one
        piece = with_end.assign(end_).append(piece);
    }
    if (report.decided_by != evidence::named && report.decided_by != evidence::bom) at = piece.find("\x1B$");
    if (may_have_zeros) {
      at = std::min(at, find_zeros_of_utf16(piece));
      keep_end(piece);
    } else {
      end_.clear();
    }
  }
  if (at == std::string_view::npos) return;
  const std::string_view rest = piece.substr(at);
  if (rest[0] == '\xC2')
    found_ = static_cast<unsigned char>(rest[1]);
  else if (rest[0] != '\xE0')
    found_ = static_cast<unsigned char>(rest[0]);
  line_ = line - static_cast<std::uint64_t>(std::count(rest.begin(), rest.end(), '\n'));
  encoding_ = report.encoding;
}

/// Where the first character is whose code unit in UTF-16 has the byte of a line feed in the wrong place, or npos:
/// U+0A00, U+0A0D, or one of Gurmukhi after two bytes of ASCII. (In Gurmukhi itself the character before is another
/// one.)
std::size_t damage_watch::find_line_feed_in_unit(std::string_view piece) {
  for (std::size_t at = 0; (at = piece.find('\xE0', at)) != std::string_view::npos;)
    for (; at < piece.size() && piece[at] == '\xE0'; at += 3)  // such characters come in words
      if ((piece[at + 1] & '\xFE') == '\xA8' && is_line_feed_in_unit(piece, at)) return at;
  keep_end(piece);
  return std::string_view::npos;
}

/// Whether the character at this place is that. It is one of U+0A00 to U+0A7F, which begin with E0 A8 or E0 A9.
bool damage_watch::is_line_feed_in_unit(std::string_view piece, std::size_t at) {
  const auto second = static_cast<unsigned char>(piece[at + 1]), third = static_cast<unsigned char>(piece[at + 2]);
  found_ = 0x0A00 + (second & 1U) * 0x40 + (third & 0x3FU);
  if (found_ == U'\u0A00' || found_ == U'\u0A0D') return true;
  if (at >= 3 && piece[at - 3] == '\xE0') return false;  // within a word of Gurmukhi
  if (!is_printable_ascii(found_ & 0xFF)) return false;
  if (at >= size_of_end) return ends_with_ascii_bytes(piece.substr(at - size_of_end, size_of_end));
  return ends_with_ascii_bytes(end_ + std::string(piece.substr(0, at)));
}

/// Whether the text ends with characters whose code units in UTF-16 have the bytes of ASCII, an ideograph among them.
bool damage_watch::ends_with_ascii_bytes(std::string_view text) {
  before_ = two_ascii_bytes_before(text, text.size());
  for (char32_t c = before_; c != 0; c = two_ascii_bytes_before(text, text.size())) {
    if (c >= first_ideograph) return true;
    text.remove_suffix(3);
  }
  return false;
}

/// Keeps the end for the next piece.
void damage_watch::keep_end(std::string_view piece) {
  if (piece.size() < size_of_end)
    end_ += piece;
  else
    end_ = piece.substr(piece.size() - size_of_end);
  end_.erase(0, end_.size() - std::min(end_.size(), size_of_end));
}

std::string damage_watch::take_warning(const std::string& file) {
  if (line_ == 0 || std::exchange(is_told_, true)) return "";
  const std::string where = visible(file) + ": line " + std::to_string(line_) + " has ";
  if (found_ == U'\u0A0D')
    return where +
           "U+0A0D, which is no character, but a carriage return and a line feed in one code unit: a program has "
           "changed the end of a line, or written a line, as if the text were ASCII; from there on text may be "
           "wrong";
  if (found_ == U'\u0A00')
    return where +
           "U+0A00, which is no character, but a line feed with its bytes exchanged: either a byte is missing or too "
           "many before it, or the text is UTF-16 of the other byte order";
  if (found_ > U'\u0A00') {
    char units[20];
    std::snprintf(units, sizeof units, "U+%04X U+%04X", static_cast<unsigned>(before_), static_cast<unsigned>(found_));
    std::string bytes;
    for (const char32_t unit : {before_, found_}) {
      const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
      bytes += encoding_ == utfilter::encoding::utf16le ? std::string{low, high} : std::string{high, low};
    }
    return where + units + ", which are the ASCII bytes \"" + visible(bytes) +
           "\": a program has written text into the file that is not " + std::string(encoding_name(encoding_)) +
           ", and there the characters are wrong";
  }
  if (found_ == U'\0')
    return where + "a zero byte beside each character, as UTF-16 has: " +
           (line_ == 1 ? "either the encoding is UTF-16LE or UTF-16BE (--from names it), or " : "") +
           "a program has written UTF-16 into this UTF-8; from there on text may be wrong";
  if (found_ == U'\x1B')
    return where + "an escape sequence of ISO-2022, which begins characters of two bytes: the encoding is another than "
                   "UTF-8, perhaps ISO-2022-JP (--from names it)";
  char control[8];
  std::snprintf(control, sizeof control, "U+%04X", static_cast<unsigned>(found_));
  const std::string other(windows_relative(encoding_));
  return where + "the control character " + control + ", which no text has: the encoding is another than " +
         std::string(encoding_name(encoding_)) + (other.empty() ? "" : ", perhaps " + other) + " (--from names it)";
}

}  // namespace utfcat
