// reading.cpp: what the options mean for the text of one file; and what is said about a guess and about damage.
#include "reading.hpp"

#include "messages.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/transcoder.hpp>
#ifdef UTFCAT_WITH_UCHARDET
#  include <utfilter/uchardet.hpp>
#endif

#include <algorithm>
#include <string_view>

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

}  // namespace

bom bom_of_input(const options& o, bool follows) {
  const bom none = has_signature(o.from) ? bom::strip : bom::automatic;
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

bool keeps_signature(const options& o, bom signature) {
  return signature == bom::keep || signature == bom::reject ||
         (signature != bom::strip && !is_decided_by_signature(o.from));
}

on_error policy_of(const options& o) {
  if (!o.only_checks()) return o.on_error;
  return o.ends_at_error() ? on_error::strict : on_error::replace;
}

utfilter::params input_params(const options& o, bom signature) {
  utfilter::params p;
  p.bom = signature;
  p.fallback = o.fallback;
  p.guess_bytes = o.guess_bytes;
  if (o.legacy) p.legacy = *o.legacy;
#ifdef UTFCAT_WITH_UCHARDET
  if (!o.legacy) p.guess_legacy = utfilter::uchardet_guesser;
#endif
  p.on_error = policy_of(o);
  if (o.only_checks()) p.replacement = repair_of_check;
  return p;
}

bool is_of_signature(const error_info& error) noexcept {
  return error.code == errc::missing_bom || error.code == errc::unexpected_bom;
}

std::size_t size_of_repair(const options& o, const error_info& error, utfilter::encoding read_as) {
  if (is_of_signature(error) || error.code == errc::no_text) return 0;
  if (error.code == errc::unmappable) return error.size;  // the character itself
  if (o.only_checks()) return repair_of_check.size();
  utfilter::repair_buffer text;
  switch (o.on_error) {
    case on_error::strict:
    case on_error::stop:
    case on_error::skip: return 0;
    case on_error::keep: return error.size;
    case on_error::escape: return utfilter::escape_error(error, text);
    case on_error::windows1252:
      if (read_as == utfilter::encoding::utf8) return utfilter::windows1252_error(error, text);
      break;
    case on_error::replace: break;
  }
  return utfilter::params().replacement.size();
}

bool locates_characters(const options& o) { return (o.tells_errors() || o.summary) && !encodes_all_characters(o.to); }

std::string report_of(const options& o, const std::string& file, const error_info& error) {
  if (error.code == errc::no_text && !o.only_checks()) return printable(file) + ": is " + error.message();
  return printable(file) + ':' + std::to_string(error.line) + ':' + std::to_string(error.column) + ": byte " +
         std::to_string(error.offset) + ": " + error.message();
}

std::string assumption_of(const options& o, const std::string& file, const std::string& encoding,
                          const utfilter::stream_report& report) {
  const bool is_ascii = code_unit_size(report.encoding) == 1 && report.bytes_in == report.bytes_out;
  if (report.decided_by != evidence::assumption || is_ascii || report.bytes_in == 0) return "";
  const bool guesses = o.guesses();
  const std::string declared(report.unused_declaration);
  const std::string why = !guesses           ? "there is no byte order mark"
                          : declared.empty() ? "the text does not show its encoding"
                                             : "the text declares " + declared + ", but does not decode by it";
  return printable(file) + ": read as " + encoding + ", which is an assumption: " + why + " (--from names it, " +
         (guesses ? "--legacy" : "--fallback") + " assumes another)";
}

bool begins_with_mark(std::string_view bytes) noexcept {
  constexpr std::size_t longest_mark = 4;
  return bytes.size() >= longest_mark &&
         utfilter::guess_charset(bytes.substr(0, longest_mark)).decided_by == evidence::mark;
}

std::string_view look_of_charset(const utfilter::charset_guess& guess) {
  if (utfilter::encoding_from_name(guess) || guess == encoding_name(utfilter::encoding::detect)) return "";
  return guess.decided_by == evidence::declaration ? ": declares " : ": looks like ";
}

void line_feed_watch::look(std::string_view piece, const utfilter::stream_report& report) {
  if (line_ != 0 || code_unit_size(report.encoding) != 2) return;
  constexpr std::string_view exchanged = "\u0A00", after_return = "\u0A0D";
  const std::size_t at = std::min(piece.find(exchanged), piece.find(after_return));
  if (at == std::string_view::npos) return;
  const std::string_view rest = piece.substr(at);
  has_return_ = rest.substr(0, after_return.size()) == after_return;
  line_ = report.lines + 1 - static_cast<std::uint64_t>(std::count(rest.begin(), rest.end(), '\n'));
}

std::string line_feed_watch::warning(const std::string& file) const {
  if (line_ == 0) return "";
  return printable(file) + ": line " + std::to_string(line_) + " has " +
         (has_return_
              ? "U+0A0D, which is no character, but a carriage return in the middle of a line feed: a program "
                "has changed the ends of the lines as if the text were ASCII, and the lines after them are wrong"
              : "U+0A00, which is no character, but a line feed with its bytes exchanged: either a byte is missing "
                "or too many before it, or the text is UTF-16 of the other byte order");
}

}  // namespace utfcat
