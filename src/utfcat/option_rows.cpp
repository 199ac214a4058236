// option_rows.cpp: the table of utfcat's options.
#include "option_row.hpp"

#include "charsets.hpp"
#include "inspection.hpp"
#include "messages.hpp"
#include "names.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>

namespace utfcat {

namespace {

/// Throws usage_error for an encoding that the library lacks in this build. A charset of ICU is no substitute, because
/// it has other characters.
void refuse_left_out(const std::string& option, const std::string& name) {
  if (utfilter::detail::is_left_out(name))
    throw usage_error(option + ": " + visible(name) + ": " + utfilter::detail::why_left_out);
}

/// The encoding with this name. A number is that of a code page of Windows: 1251 means cp1251.
std::optional<utfilter::encoding> find_encoding(const std::string& name) {
  if (const auto found = utfilter::encoding_from_name(name)) return found;
  const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? utfilter::encoding_from_name("cp" + name) : std::nullopt;
}

/// Throws usage_error for the words by which Windows means a code page of its own.
void refuse_pages_of_windows(const std::string& option, const std::string& name) {
  const std::string word = lower_case(name);
  if (word == "ansi" || word == "oem")
    throw usage_error(option + ": " + visible(name) + " means another encoding on each Windows: name it, such as " +
                      (word == "ansi" ? "1252 (in Western Europe)" : "850 (in Western Europe)"));
}

utfilter::encoding look_up_encoding(const std::string& option, const std::string& name) {
  if (const auto found = find_encoding(name)) return *found;
  refuse_pages_of_windows(option, name);
  refuse_left_out(option, name);
  if (is_charset(name))
    throw usage_error(option + ": " + visible(name) +
                      " is no encoding of utfcat itself, and the charsets of ICU are for --from and --to only" +
                      advice_on_icu());
  const std::string why = option + ": there is no encoding " + visible(name);
  if (name.empty()) throw usage_error(why + " (utfcat --list shows them)");
  const bool is_given_up = lower_case(name) == "iso-8859-12";
  const auto nearest = utfilter::nearest_encoding_names(name);
  std::vector<std::string> near;
  for (std::size_t i = 0; i != nearest.size() && !nearest[i].empty(); ++i) near.push_back(lower_case(nearest[i]));
  throw usage_error(why +
                    (is_given_up    ? ", that part of ISO 8859 was never published ("
                     : near.empty() ? " ("
                                    : " (" + nearest_in_words("name", "names", near) + "; ") +
                    "utfcat --list shows all)");
}

/// The encoding with this name. If there is none, but a charset of ICU, sets the charset and returns ISO-8859-1.
utfilter::encoding look_up_encoding(const std::string& option, const std::string& name,
                                    std::shared_ptr<const charset>& charset) {
  if (const auto found = find_encoding(name)) return *found;
  refuse_pages_of_windows(option, name);
  refuse_left_out(option, name);
  charset = find_charset(name);
  if (charset) return utfilter::encoding::latin1;
  if (is_charset(name)) throw usage_error(option + ": there is no encoding " + visible(name) + advice_on_icu());
  try {
    return look_up_encoding(option, name);
  } catch (const usage_error& why) {
    throw usage_error(name.empty() ? why.what() : why.what() + advice_on_charset(name));
  }
}

// What the options set. Each function is for the members of one kind.

template <bool options::*Member>
void set_flag(options& o, const option_row&, const std::string&) {
  o.*Member = true;
}

template <std::optional<std::string> options::*Member>
void set_text(options& o, const option_row&, const std::string& value) {
  o.*Member = value;
}

template <std::size_t options::*Member, std::size_t Least, std::size_t Most>
void set_number(options& o, const option_row& row, const std::string& value) {
  std::size_t n = 0;
  const char* const end = value.data() + value.size();
  const auto done = std::from_chars(value.data(), end, n);
  if (done.ec != std::errc() || done.ptr != end || n < Least || n > Most)
    throw usage_error(row.flag() + ": " + visible(value) + " is not a number from " + std::to_string(Least) + " to " +
                      std::to_string(Most));
  o.*Member = n;
}

template <auto Member>
void set_choice(options& o, const option_row& row, const std::string& value) {
  std::string known;
  for (const choice& one : row.choices) {
    if (one.name == value) {
      o.*Member = static_cast<std::remove_reference_t<decltype(o.*Member)>>(one.value);
      return;
    }
    known += (known.empty() ? "" : ", ") + one.name;
  }
  throw usage_error(row.flag() + ": " + visible(value) + " is none of " + known);
}

// The others are for one option.

/// Sets the encoding, or the list of encodings of which the text has one. Some charsets of ICU have a comma in their name, but
/// none of these begins as an encoding of the library.
void set_from(options& o, const option_row& row, const std::string& names) {
  o.candidates = {};
  const std::size_t comma = names.find(',');
  if (comma == std::string::npos || (!find_encoding(names.substr(0, comma)) && is_charset(names))) {
    o.from = look_up_encoding(row.flag(), names, o.from_charset);
    return;
  }
  std::vector<utfilter::encoding> list;
  for (const std::string& name : names_in(names)) {
    const utfilter::encoding e = look_up_encoding(row.flag(), name);
    if (e == utfilter::encoding::detect || e == utfilter::encoding::guess)
      throw usage_error("--from: a list has only encodings, it cannot have " + visible(name));
    list.push_back(e);
  }
  o.from = utfilter::encoding::guess;
  o.from_charset = nullptr;
  o.candidates = utfilter::encoding_list(list.data(), list.size());
}

void set_fallback(options& o, const option_row& row, const std::string& name) {
  o.fallback = look_up_encoding(row.flag(), name);
}

void set_legacy(options& o, const option_row& row, const std::string& name) {
  if (name == "uchardet")
    throw usage_error(
        "--legacy: uchardet is gone: leave the option out, and the letters of the text tell its encoding");
  const utfilter::encoding e = look_up_encoding(row.flag(), name);
  if (is_decided_by_bom(e) || code_unit_size(e) != 1)
    throw usage_error("--legacy must name an encoding whose code units are bytes, it cannot be " + visible(name));
  o.legacy = e;
}

void set_to(options& o, const option_row& row, const std::string& name) {
  o.same = name == "same";
  if (o.same) return;
  o.to = look_up_encoding(row.flag(), name, o.to_charset);
  // Python, PowerShell and git mean the byte order mark by these names.
  const std::string word = lower_case(name);
  const auto has_ending = [&](const std::string& ending) {
    return word.size() >= ending.size() && word.compare(word.size() - ending.size(), ending.size(), ending) == 0;
  };
  o.to_has_bom =
      has_bom(o.to) && word != "utf8nobom" && (has_ending("bom") || has_ending("-sig") || has_ending("-signature"));
  // MySQL's and the old standard's names of what holds the Basic Multilingual Plane alone.
  const std::string_view of_bmp[] = {"utf8mb3", "ucs-2", "ucs2", "ucs-2le", "ucs-2be", "iso-10646-ucs-2"};
  o.to_bmp = std::find(std::begin(of_bmp), std::end(of_bmp), word) != std::end(of_bmp);
  if (o.to_has_bom) o.bom = utfilter::bom::add;  // unless --bom, which is read later, says otherwise
}

void set_filters(options& o, const option_row&, const std::string& names) {
  o.filters =
      read_filters(names, [](const char* option, const std::string& name) { return look_up_encoding(option, name); });
}

/// Its row comes after that of --filter, so nfc is the last filter, unless --filter has it.
void set_nfc(options& o, const option_row& row, const std::string&) {
  if (o.has_filter("nfc")) return;
  options of_nfc;
  set_filters(of_nfc, row, "nfc");
  o.filters.push_back(of_nfc.filters.front());
}

/// Kinds of findings, and "any" for --fail-on.
template <std::vector<std::string> options::*Member>
void set_kinds(options& o, const option_row& row, const std::string& names) {
  const std::vector<std::string> kinds = kinds_of_findings();
  for (const std::string& name : names_in(names)) {
    const bool is_any = name == "any" && Member == &options::fail_on;
    if (!is_any && std::find(kinds.begin(), kinds.end(), name) == kinds.end())
      throw usage_error(row.flag() + ": there is no kind " + visible(name) + " (the nearest is " +
                        nearest_of(kinds, name) + "; they are " + enumeration(kinds) + ')');
    (o.*Member).push_back(name);
  }
}

void set_line_fallbacks(options& o, const option_row& row, const std::string& names) {
  for (const std::string& name : names_in(names)) {
    if (name == "auto") {
      o.line_fallbacks.push_back(utfilter::encoding::guess);
      continue;
    }
    o.line_fallbacks.push_back(look_up_encoding(row.flag(), name));
    if (is_decided_by_bom(o.line_fallbacks.back()))
      throw usage_error("--line-fallback must name encodings that a line alone can be in, it cannot be " +
                        visible(name) + (name == "guess" ? ": write auto" : ""));
  }
}

/// Reads lines, indented, or csv[:DELIM[QUOTE]]; \t is a tab.
void set_records(options& o, const option_row&, const std::string& text) {
  using utfilter::record_kind;
  const std::string name = text.substr(0, text.find(':'));
  if (name == text && (text == "lines" || text == "indented")) {
    o.records = text == "lines" ? record_kind::line : record_kind::indented;
    return;
  }
  if (name != "csv") throw usage_error("--records: " + visible(text) + " is none of lines, indented, csv");
  o.records = record_kind::csv;
  if (name == text) return;
  std::string rest = text.substr(name.size() + 1);
  if (rest.rfind("\\t", 0) == 0) rest.replace(0, 2, "\t");
  if (rest.empty() || rest.size() > 2)
    throw usage_error("--records: " + visible(text) +
                      " is not csv:DELIM or csv:DELIMQUOTE, such as 'csv:;' or csv:\\t");
  o.delimiter = rest[0];
  if (rest.size() == 2) o.quote = rest[1];
  const auto is_no_mark = [](char c) { return static_cast<unsigned char>(c) > 0x7F || c == '\n' || c == '\r'; };
  if (is_no_mark(o.delimiter) || is_no_mark(o.quote) || o.delimiter == o.quote)
    throw usage_error("--records: " + visible(text) + " needs two different characters of ASCII that end no line");
}

/// Reads BEGIN-END. Without END the range goes on to the end of the file.
void set_range(options& o, const option_row&, const std::string& text) {
  const auto refuse = [&](const std::string& why) { throw usage_error("--range: " + visible(text) + ' ' + why); };
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](std::uint64_t& n) {
    const auto done = std::from_chars(at, end, n);
    at = done.ptr;
    if (done.ec == std::errc::result_out_of_range) refuse("has a number of 2^64 or more");
    return done.ec == std::errc();
  };
  utfilter::byte_range range{0, std::numeric_limits<std::uint64_t>::max()};
  bool right = number(range.begin) && at != end && *at == '-';
  if (right && ++at != end) right = number(range.end) && at == end;
  if (!right) refuse("is not BEGIN-END or BEGIN-, in bytes, such as 0-1048576");
  if (range.begin > range.end) refuse("ends before it begins");
  o.range = range;
}

/// The suffix of a backup, .bak by default; it may have the name of the file in it, as a * (as sed has it).
void set_backup(options& o, const option_row&, const std::string& suffix) {
  if (suffix.find_first_of("/\\") != std::string::npos)
    throw usage_error("--backup: " + visible(suffix) + " is no part of the name of a file beside the other one");
  if (suffix == "*") throw usage_error("--backup: * alone is the name of the file itself");
  o.backup = suffix.empty() ? ".bak" : suffix;
}

void set_output(options& o, const option_row&, const std::string& name) {
  if (name != "-") o.output = name;
}

// What several options refuse.

bool does_not_guess(const options& o) { return !o.guesses(); }

bool has_no_single_file(const options& o) { return o.files.size() != 1 || o.files[0] == "-"; }

bool replaces_nothing(const options& o) { return !o.in_place && !o.output; }

bool follows(const options& o) { return o.follow; }
bool does_not_follow(const options& o) { return !o.follow; }

/// Whether a filter that may find errors gets other characters than those of the line, errors of which are put aside.
bool changes_before_it_finds(const options& o) {
  const auto finds = [](const filter_choice& f) { return f.kind->find != nullptr; };
  const auto finder = std::find_if(o.filters.begin(), o.filters.end(), finds);
  return finder != o.filters.end() && std::any_of(o.filters.begin(), finder, [](const filter_choice& f) {
           const auto& never = {"lf", "crlf", "cr", "nfc", "declare"};
           return std::none_of(never.begin(), never.end(), [&](const char* name) { return f.is(name); });
         });
}

bool holds_text(const options& o) {
  return std::any_of(o.filters.begin(), o.filters.end(), [](const filter_choice& f) { return f.holds_text(); });
}

std::vector<choice> filter_choices() {
  std::vector<choice> all;
  for (const auto& [name, text] : help_on_filters()) all.push_back({name, text});
  return all;
}

std::vector<option_row> make_rows() {
  using utfilter::bom;
  using utfilter::on_error;
  using utfilter::reject_format;
  return {
      option_row('f', "from", "ENC", set_from)
          .is_to(task::read, "encoding of the files: detect (the default), guess, windows-1252, ...")
          .says(R"(
encoding of the files: `detect` (default: a byte order mark decides; without one it is that of --fallback), `guess` (as
detect, but without one the text itself decides), one of ENCODINGS, or several with commas between them: as guess, but the
text has one of these; and the charsets of ICU that --list shows, if utfcat was built with ICU: ibm852, ibm-37, euc-tw and
others)")
          .details(R"(
Of several encodings, such as `utf-8,windows-1250,iso-8859-2`, the first 1 MiB of the file decides: a byte order mark, or
the structure of UTF-8, UTF-16 and UTF-32, or the one by which alone the text decodes, or else the likeliest one. Of equally
likely ones it is the first.

Without a byte order mark, `guess` takes text for UTF-16 and UTF-32 by its zero bytes and the scripts of its
characters, for UTF-8 if most of its sequences are well-formed. Else it takes what the text declares in its first
lines, as XML and HTML do, if it decodes by that, and else the encoding of --legacy. A file with zero bytes that is
none of these is no text, which is an error. If nothing in the file shows its encoding, utfcat assumes one, and says so
on standard error. It also says if the file declares an encoding by which it does not decode, and was read in the one
that its letters tell.

IANA's aliases and the labels of the WHATWG Encoding Standard are accepted, too; --list shows them. The charsets of ICU
work neither with --jobs nor with --follow, and a file in one of them has no --range. In `utf-16` and `utf-32` without
a byte order mark, the most significant byte comes first.)")
          .proposes("detect guess CHARSETS"),
      option_row(0, "fallback", "ENC", set_fallback)
          .is_to(task::read)
          .says(R"(
encoding that `detect` assumes for a file without a byte order mark: utf-8 (default), or any of these but detect and
the charsets of ICU)")
          .proposes("guess ENCODINGS")
          .refused_if([](const options& o) { return o.fallback == utfilter::encoding::detect; },
                      "--fallback must name the encoding of text without a byte order mark, it cannot be detect")
          .refused_if(
              [](const options& o) {
                return o.fallback != utfilter::encoding::utf8 &&
                       (o.from != utfilter::encoding::detect || o.from_charset);
              },
              "--fallback is for --from detect, which is the default (with --from guess, --legacy names that encoding)"),
      option_row(0, "guess-bytes", "N", set_number<&options::guess_bytes, 1, std::size_t{1} << 30>)
          .is_to(task::read)
          .says(R"(
with guess: the first N bytes of each file decide (default 4096, and of a regular file those after its first lines in ASCII;
with --follow 512 at most, or fewer after a second of silence))")
          .details(R"(
utfcat keeps them in memory, and writes nothing before it has read them or the file has ended. A hole of 512 or more NUL at
the start does not count, up to 64 MiB: the text after it decides. Without this option, of a regular file up to 1 MiB of ASCII
at the start does not count either.)")
          .refused_if(does_not_guess, "--guess-bytes is for --from guess"),
      option_row(0, "legacy", "ENC", set_legacy)
          .is_to(task::read)
          .says(R"(
with guess: the encoding of text that is none of UTF-8, UTF-16 and UTF-32 and declares none; by default, the letters of the
text tell its language and its encoding)")
          .details(R"(
It may be any encoding of the library whose code units are bytes. Without this option, utfcat reads a text with too few
letters as windows-1252, and says that this is an assumption. If the letters tell a charset of ICU, such as IBM852,
ICU decodes it, in one thread; such a file has no --range. If utfcat cannot read the charset, because ICU lacks it or utfcat
was built without ICU, the file is not read, and the message names the charset.)")
          .proposes("BYTE_ENCODINGS")
          .refused_if(does_not_guess, "--legacy is for --from guess"),
      option_row('t', "to", "ENC", set_to)
          .is_to(task::write, "encoding of the output; same: that of the file")
          .says(R"(
encoding of the output: utf-8 (default) or any of these but detect and guess. The charsets of ICU are for --from and
--to, without --jobs and --follow. `same`: the encoding of the one file, or with --in-place of each, with a byte order
mark if the file has one)")
          .details(R"(
The names that end in -sig or -bom, such as `utf-8-sig` and `utf-16le-bom`, mean the byte order mark, too: as `-b add`, unless -b says otherwise. `utf8mb3` and `ucs-2` are UTF-8 and UTF-16 that
lack the characters above U+FFFF. A number is that of a code page of Windows.)")
          .proposes("same CHARSETS")
          .refused_if([](const options& o) { return o.to_has_bom && (o.bom == bom::require || o.bom == bom::reject); },
                      "--to names an encoding with its byte order mark, and --bom require and reject would write none: "
                      "name the encoding without the mark")
          .refused_if([](const options& o) { return o.same && (o.only_checks() || o.names_only); },
                      "--to same is about the text that is written, and a check writes none")
          .refused_if([](const options& o) { return o.same && o.follow; },
                      "--to same is for whole files, so --follow makes no sense with it")
          .refused_if([](const options& o) { return o.same && !o.in_place && (o.files.size() > 1 || o.recursive); },
                      "--to same needs one file, or --in-place: a text that is put together has one encoding"),
      option_row('e', "on-error", "P", set_choice<&options::on_error>)
          .is_to(task::repair, "errors: strict (the default), stop, replace, skip, escape, keep, ...")
          .says("what becomes of ill-formed input, and of characters that the output's encoding lacks:")
          .takes({{"strict", "end the file's text there, exit status 1 (default)", int(on_error::strict)},
                  {"stop", "the same, but the text before it counts as complete (for -o)", int(on_error::stop)},
                  {"replace", "U+FFFD; ? where the output's encoding lacks a character", int(on_error::replace)},
                  {"skip", "leave it out", int(on_error::skip)},
                  {"escape", "its bytes as `\\xHH`, a character as `\\u{HHHH}`", int(on_error::escape)},
                  {"keep", "leave the bytes as they are (`-f utf-8 -t utf-8` only)", int(on_error::keep)},
                  {"windows-1252", "read ill-formed bytes of UTF-8 as windows-1252", int(on_error::windows1252)}})
          .refused_if(
              [](const options& o) {
                const bool utf8_only =
                    o.from == utfilter::encoding::utf8 && o.to == utfilter::encoding::utf8 && !o.to_bmp;
                return o.on_error == on_error::keep && !o.only_checks() && !utf8_only;
              },
              "--on-error keep passes bytes from UTF-8 to UTF-8 only: give --from utf-8, and no other --to"),
      option_row(0, "filter", "NAME[,NAME...]", set_filters)
          .is_to(task::write, "change the text: lf, crlf, nfc, mojibake, escape-controls and others")
          .says("change the text between decoding and encoding, in this order; several --filter add up:")
          .takes(filter_choices())
          .details(R"(
With `nfc`, texts that are equal to the reader become equal bytes: each letter with its marks becomes one character, if
Unicode has one, and other marks get their order. If more than 30 marks follow each other, `nfc` puts U+034F before the
next one (the Stream-Safe Text Format), so that the memory is bounded; -s counts these joiners.

SET is `nul`, `c0`, `c1`, `controls`, `line_separators`, `bidi`, `tags`, `invisible`, `noncharacters`, `private_use`,
`replacement`, `supplementary`, `surrogate_escapes` (which UTF-8 cannot have), `non_ascii` or `ansi` (escape sequences of
terminals), or what a program does not take:
`xml10`, `xml11`, `json_text`, `postgresql`, `utf8mb3`, `ascii`, or what nobody sees: `printable`; or several, as in
`bidi+tags`. No set has TAB, LF and CR. `escape:json_text=json` makes JSON of lines whose strings have controls.

`escape-controls` changes control characters but TAB, LF and the CR of CR LF. The errors of `reject` and `reject-controls` are
treated by -e as any other, and reported by -c.

`mojibake` finds text that was made wrong twice, too. ENC is an encoding of one byte per character. The filter leaves
what looks like the end of a word before a quotation mark, a dash, an ellipsis or a no-break space, but other right
text can have such characters, too: use it on text that has mojibake, and look at what it changes. `mojibake:auto` finds
for each line whether a program has read its UTF-8 as windows-1252, -1250 or -1251, IBM850, IBM437, KOI8-R, macintosh or ISO
8859-1 or -2, up to three times, and leaves lines that look right. It restores a byte A0 that became a space, and U+FFFD
where only one character fits.

`reread` is for text of one legacy encoding that was read as another: `reread:windows-1252:windows-1251` makes Russian of
`Ïðèâåò`. Both have one byte per character. It changes right text, too.

`declare` looks at the start of the file: what `guess` believes, it updates. In LaTeX it writes the names of the package
inputenc, and in RTF the number of a code page; if the output's encoding has none there, the old name stays, and a message
says so. It is also said, without this filter, if a text still declares the encoding that it had.

A file that was put together from several may have byte order marks at the start of lines. logrotate's copytruncate
leaves NUL at the start of a log.

-s counts what each filter has changed. The place of a character that `reject-controls` finds, or that the encoding of
the output lacks, is its place in the file, whatever filters come before. If a filter has made it of several
characters, it is the place of the first one (after a restart with --state: of the first one that this run has read).
Filters make no sense with --summary or `-e keep`, and only `reject` and `reject-controls` do with -c and -q.)")
          .refused_if([](const options& o) { return o.only_checks() && !o.filters_reject(); },
                      "--check and --quiet write no text, so there is none for --filter")
          .refused_if(
              [](const options& o) { return o.follow && holds_text(o); },
              "--filter nfc, declare and mojibake:auto hold text back until more comes, so a --follow would lose it")
          .refused_if([](const options& o) { return o.same && o.has_filter("declare"); },
                      "--to same keeps the encoding, so --filter declare has no other name to write")
          .refused_if(
              [](const options& o) { return o.range && o.has_filter("declare"); },
              "--filter declare needs the whole file, as its end may declare an encoding, too: leave out --range")
          .refused_if([](const options& o) { return o.on_error == utfilter::on_error::keep; },
                      "--on-error keep leaves bytes that --filter cannot read")
          .may_be_repeated(),
      option_row(0, "nfc", "", set_nfc).is_to(task::write).says("the same as `--filter nfc`"),
      option_row(0, "rejects", "FILE", set_text<&options::rejects>)
          .is_to(task::repair, "leave out lines with errors, and write them to FILE")
          .says(
              "a line with ill-formed input is left out, and goes to FILE, whole; so is one in which --filter finds an error")
          .details(R"(
FILE gets the line before any text after it is written. It is emptied at the start, but not if the text replaces an
input (-i, and -o with the name of an input): then the lines are appended, and are on the disk before that. It must be no
input, and neither the output nor what standard error goes to, under whatever names. If it cannot be written, utfcat
ends with status 2 and writes no text after that line. A line of more than 1 MiB goes to FILE as well, in parts. utfcat
says how many lines are put aside; these lines and those in the output are all lines of the file. -s counts their
bytes, too.)")
          .refused_if(follows, "--rejects decides about whole lines, which --follow does not wait for")
          .refused_if(changes_before_it_finds,
                      "--rejects looks for characters before another filter has changed them: let one utfcat do that, "
                      "and pipe its text to another one with --rejects and --filter reject")
          .refused_if([](const options& o) { return o.only_checks(); },
                      "--check, --quiet and --names-only write no text, so --rejects has no lines to put aside")
          .refused_if([](const options& o) { return o.rejects == "-"; },
                      "--rejects needs the name of a file: the text goes to standard output"),
      option_row(0, "rejects-format", "F", set_choice<&options::reject_format>)
          .is_to(task::repair)
          .says("what --rejects writes to its file:")
          .takes({{"text", "the bytes of the line (default)", int(reject_format::text)},
                  {"jsonl", "JSON Lines: a record of the line with its place and its first error",
                   int(reject_format::jsonl)},
                  {"csv", "CSV with a first line of names: the same record", int(reject_format::csv)}})
          .details(R"(
A record has the members file, line, column, begin, end, error and bytes. Line and column are the place of the first
error, begin and end are the offsets of the line in the file, and bytes are the ill-formed ones in hexadecimal. A part
of a line of more than 1 MiB has its number in the member part, which `csv` lacks. A record does not hold the line
itself, so `jsonl` and `csv` make no sense if utfcat replaces the file that has the line.)")
          .refused_if([](const options& o) { return !o.rejects; }, "--rejects-format is for --rejects"),
      option_row(0, "line-fallback", "ENC[,ENC...]", set_line_fallbacks)
          .is_to(task::repair, "read lines with errors in the first of these encodings that fits")
          .says(R"(
a line with ill-formed input is read in the first of these encodings in which the whole line is well-formed. Other
lines are as --rejects or -e says)")
          .details(R"(
In an encoding such as windows-1252 every line is well-formed, so it should be the last one. `auto` reads a line in
the encoding in which it is likeliest to be text: one of those after `auto` or, if it is the last, of all. It reads no line
that tells too little. Several --line-fallback add up. But a line of UTF-8 that is only damaged is read in none of them: it has at least two characters beyond ASCII, and
twice as many as errors.

Without -e, --rejects, -i and -o, an error in a line that no encoding fits becomes U+FFFD, and the text goes on: each such
error is reported, and the exit status is 1.

--rejects and --line-fallback work with whole lines, so they make no sense with --follow or a charset of ICU, and one
thread reads the file, even with --jobs.)")
          .proposes("ENCODINGS")
          .refused_if(follows, "--line-fallback decides about whole lines, which --follow does not wait for")
          .may_be_repeated(),
      option_row(0, "records", "R", set_records)
          .is_to(task::repair)
          .says("what --rejects and --line-fallback take for a line, so that nothing is torn in two:")
          .takes(
              {{"lines", "a line (default)"},
               {"csv[:DELIM[QUOTE]]", "a record of CSV, whose quoted fields may have line ends; the\ndelimiter is , by "
                                      "default (csv:\\t: a tab), the quote is \""},
               {"indented", "a line, and those after it that begin with a space or a tab:\nmessages of a log, folded "
                            "headers of mail"}})
          .details(R"(
A quote opens a field only if it is the first character of the field, as RFC 4180 has it. If it is never closed, the rest of
the file is one record, or 1 MiB of it.)")
          .refused_if([](const options& o) { return !o.sorts_lines(); },
                      "--records is for --rejects and --line-fallback")
          .refused_if([](const options& o) { return o.range && o.records != utfilter::record_kind::line; },
                      "--range begins with a line, which may be the middle of a record: give --records the whole file"),
      option_row('b', "bom", "B", set_choice<&options::bom>)
          .is_to(task::write, "byte order mark: automatic, keep, strip, add, require, reject")
          .says("byte order mark of the output, which has at most one, at its beginning:")
          .takes({{"automatic",
                   "one with `-t utf-16` and `-t utf-32`; also one if -f is utf-8, utf-16le or the like and the text "
                   "begins with one (default)",
                   int(bom::automatic)},
                  {"keep", "one if the text begins with one", int(bom::keep)},
                  {"strip", "never one", int(bom::strip)},
                  {"add", "always one", int(bom::add)},
                  {"require", "each file must begin with one; otherwise as automatic", int(bom::require)},
                  {"reject", "no file may begin with one", int(bom::reject)}}),
      option_row('c', "check", "", set_flag<&options::check>)
          .is_to(task::report, "every error, as FILE:LINE:COLUMN: byte OFFSET: MESSAGE")
          .says(R"(
write no text; report every error on standard output, as FILE:LINE:COLUMN: byte OFFSET: MESSAGE. -e has no effect. With
-t, characters that this encoding lacks are errors)")
          .details(R"(
UTF-8 to which a program has added UTF-16, as >> of Windows PowerShell does, ends where that begins: one error says at which
byte, and how to read both parts. So it does without -c, unless -e repairs errors. With --rejects and --line-fallback, too,
what follows is neither written nor put aside, because lines of UTF-16 are no lines of bytes.)"),
      option_row(0, "inspect", "", set_flag<&options::inspect>)
          .is_to(task::report, "what may be wrong with well-formed text; for CI with --fail-on any")
          .says(R"(
write no text; report on standard output what may be wrong with it although it is well-formed, the first of each kind:
mixed line ends, control and invisible characters, byte order marks inside the text, mojibake, lines of more than 1,000
characters and more; and the first error. The exit status is 0, also with errors, unless --fail-on says otherwise)")
          .details(R"(
Each report is one line as those of -c, with the number of them and a hint what to do. The kinds are: line ends of more
than one kind, a last line without its end, lines of more than 1,000 characters, a hole of NUL at the start, NUL, NUL in
a row, control characters but TAB, LF and CR, characters that change the direction of text, lines in which it stays
changed, byte order marks inside the text, invisible characters, tag characters, no-break spaces, private-use
characters, noncharacters, U+FFFD and what becomes of it, mojibake and how it came about, the bytes of line ends of
UTF-16 in the wrong order, lines of two encodings, and a declaration of another encoding. Of errors, the first one and
their number are reported; -c names each. Text in an encoding whose characters do not show their sizes, such as EUC-JP,
has no offsets.)")
          .excludes({"check", "summary", "follow", "filter", "to", "line-fallback", "rejects"},
                    "reports what a file has")
          .refused_if([](const options& o) { return o.inspect && o.fail_on.empty() && (o.quiet || o.names_only); },
                      "--inspect with --quiet or --names-only needs --fail-on, which says what counts"),
      option_row(0, "fail-on", "KIND[,KIND...]", set_kinds<&options::fail_on>)
          .is_to(task::report)
          .says(R"(
with --inspect: the exit status is 1 if there is a finding of these kinds; `any` names all kinds. With -q nothing is
reported, with --names-only the names of the files that have one)")
          .details(
              "The kinds are " + enumeration(kinds_of_findings()) +
              ". Of a kind that is not in --fail-on, findings are reported, but do not fail. `lf`, `crlf` and `cr` are "
              "reported if --fail-on names them: that is for text whose lines must end otherwise.")
          .proposes("any FINDINGS")
          .refused_if([](const options& o) { return !o.inspect || o.identify; }, "--fail-on is for --inspect")
          .may_be_repeated(),
      option_row(0, "allow", "KIND[,KIND...]", set_kinds<&options::allow>)
          .is_to(task::report)
          .says("with --inspect: leaves out findings of these kinds, which then neither fail nor are reported")
          .proposes("FINDINGS")
          .refused_if([](const options& o) { return !o.inspect || o.identify; }, "--allow is for --inspect")
          .may_be_repeated(),
      option_row(0, "identify", "", set_flag<&options::identify>)
          .is_to(task::report, "encoding and language of each file; --names: the encodings alone")
          .says(R"(
write no text; report on standard output, one line for each file, its encoding, the language of the text if the letters tell
it, how sure that is (from 0 to 1), why, the line ends, and whether there is a byte order mark. The exit status is 1 if an
encoding is only assumed, or a file is no text)")
          .details(R"(
The encoding is that of `--from guess`, or that of a list such as `--from utf-8,windows-1250`. Of the files whose letters
tell the encoding with a confidence of 0.9, nine in ten are in it. With a confidence of 1 the byte order mark, the structure
or the declaration of the text has decided. Errors of the text are counted at the end of the line.)")
          .excludes({"names-only", "check", "inspect", "quiet", "summary", "stats", "follow", "filter", "to",
                     "line-fallback", "rejects", "in-place", "output", "bom"},
                    "reports the encoding of a file"),
      option_row(0, "names", "", set_flag<&options::names>)
          .is_to(task::report)
          .says(R"(
with --identify: write only the name of the encoding, by which iconv knows it, on a line for each file; `binary` for what is
no text)")
          .refused_if([](const options& o) { return o.names && !o.identify; }, "--names is for --identify")
          .excludes({"format"}, "writes names alone"),
      option_row(0, "format", "FORMAT", set_choice<&options::format>)
          .is_to(task::report, "text, json, github or sarif")
          .says("how --check, --inspect and --identify report:")
          .takes(
              {{"text", "as above (default)", int(report_format::text)},
               {"json",
                "an array of objects with the members file, line, column, offset, rule, level, count and message; of "
                "--identify: file, encoding, language, confidence, evidence, declared, line_ends, bom and errors",
                int(report_format::json)},
               {"github", "commands of GitHub's workflows, which show the reports beside the changed lines",
                int(report_format::github)},
               {"sarif", "SARIF 2.1.0, which code scanners and editors show", int(report_format::sarif)}})
          .refused_if(
              [](const options& o) {
                return o.format != report_format::text &&
                       ((!o.check && !o.inspect) || o.quiet || o.names_only || o.summary);
              },
              "--format is for the reports of --check, --inspect and --identify")
          .refused_if(
              [](const options& o) {
                return o.identify && (o.format == report_format::github || o.format == report_format::sarif);
              },
              "--identify has no places, so its --format is text or json")
          .refused_if([](const options& o) { return o.format != report_format::text && o.follow; },
                      "--format is for reports with an end, and --follow has none"),
      option_row('q', "quiet", "", set_flag<&options::quiet>)
          .is_to(task::report, "nothing: see the exit status")
          .says(R"(
write no text and report no errors in it: see the exit status. A file is read up to its first error. With --summary or
--stats, read on, and report only the files that have errors)")
          .details(R"(
Files that cannot be read are still reported, but not damage of compressed data after an error.)"),
      option_row(0, "summary", "", set_flag<&options::summary>)
          .is_to(task::report, "a few lines about the errors of each file")
          .says(R"(
report for each file, instead of its errors: its encoding, how many errors of each kind it has, and the first five with
the text around them; for several files, a total. On standard output with -c or -q, else on standard error)")
          .details("It also has the byte order mark and the number of lines. On a terminal it is in colour.")
          .excludes({"filter"}, "shows the text as the file has it"),
      option_row('d', "decompress", "", set_flag<&options::decompress>)
          .is_to(task::read, "decompress gzip, bzip2, xz and zstd")
          .says(R"(
decompress gzip, bzip2, xz and zstd data, recognised by its first bytes. Data packed in another way, such as zip, is an
error; text is read as it is)"),
      option_row(0, "range", "BEGIN-END", set_range)
          .is_to(task::read, "only the lines that begin in these bytes of the file")
          .says(R"(
write or check only the lines that begin in these bytes of the one FILE. BEGIN counts from 0; END is not included, and
may be left out. So each line is in one of several ranges, wherever they meet. In reports, lines count from the first
one of the range, offsets from the start of FILE)")
          .details(R"(
FILE must be a regular file, no pipe and not standard input. A line begins with the file and after each line feed. The
output of all ranges, one after the other, is the output for the whole file. A range in which no line begins gives no
output. An empty file is the text of each range that begins at 0. The start of the file decides the encoding for every
range. Only the range that begins at 0 has the byte order mark of -b, and is checked for that of the file. If -e makes
the text end at an error, the output of the whole file ends in the range with the first error.

In reports, LINE counts from the first line of the range because the lines before it are not read. The first report
names the byte at which line 1 begins.)")
          .excludes({"decompress"}, "is in the bytes of the file itself")
          .excludes({"recursive"}, "needs the name of one file")
          .refused_if(has_no_single_file,
                      "--range needs the name of one file: standard input and other pipes have no ranges"),
      option_row(0, "jobs", "N", set_number<&options::jobs, 0, 1024>)
          .is_to(task::read, "work with N threads; 0: one for each processor")
          .says(R"(
work with N threads (default 1; 0: one for each processor) on each file, and check N small files at the same time. What
utfcat writes stays the same)")
          .details(R"(
One thread writes, the others decode and encode. If decoding takes longer than writing, one more decodes. With 1, one
thread does everything. The threads share the work on each file: one after the other reads some of it and decodes it.
What a thread has read is cut between any two characters, so a file of one line is as fast as any. A pipe and
compressed data are converted by all threads, too.

The text, the reports, their order, the exit status and the promises of -o stay the same. Each thread takes a few
megabytes of memory. A file of less than 256 KiB is read by one thread. --check, --quiet, --names-only, --inspect and
--dry-run read several files at the same time, if these have at most 1 MiB each. If the system allows fewer threads,
utfcat uses those that it has. On Windows a pipe or a console is read and converted by one thread.)"),
      option_row(0, "follow", "", set_flag<&options::follow>)
          .is_to(task::follow, "wait for more at the end of the file, like tail -F")
          .says(R"(
wait for more at the end of the one FILE, like `tail -F`: it may grow, be renamed and replaced, be truncated or
rewritten, or not exist yet. Each new file begins with its own byte order mark. SIGINT, SIGTERM and SIGHUP end it, as does ill-formed
text that -e does not repair. With -o the text is appended)")
          .details(R"(
utfcat begins with the start of FILE, and writes each character as soon as it is complete. If FILE is renamed or
deleted and another file gets its name, utfcat reads the old file until it has not grown for a second. Then it reads
the new one, which may have a byte order of its own. If FILE is shorter than what was read, utfcat says so and reads it again
from its start. If bytes that were read have changed, it says so and reads FILE again from the line with the first change;
in a large FILE it may be an earlier line, because utfcat keeps no more of FILE than its last 4096 bytes and sums of 1024
blocks. What it wrote before stays. A change in a FILE of more than a megabyte, before its last 4096 bytes, at the moment
at which FILE grows may be seen late, or when FILE is renamed. Zeros at the end of FILE are no text yet, because a program may have allocated it beforehand: they are written when
text follows them, or when FILE has been renamed or deleted.

With `-f guess` the encoding of each file is decided anew: at once by a byte order mark; otherwise by the first 512
bytes, or by those that are there when the file has not grown for a second. If only the rest of the last character
would decide, utfcat waits for that. If the file is in a charset of ICU, or in ISO-2022-JP, utfcat names it and ends
with status 2. Data that is no text ends it with status 1, unless -e repairs; then it is read in the encoding of
--legacy.

After SIGINT, SIGTERM or SIGHUP it writes all text that it has read, and ends; a second such signal ends it at once.
Ill-formed text that -e does not repair ends it with status 1. With -c it goes on, and reports each error as it comes.
With -o there is no temporary file. FILE is not standard input.)")
          .excludes({"recursive"}, "needs the name of one file")
          .excludes({"range", "decompress", "quiet", "summary", "stats", "progress"}, "has no end")
          .excludes({"jobs"}, "reads with one thread")
          .refused_if(has_no_single_file,
                      "--follow needs the name of one file: standard input and other pipes are followed anyway"),
      option_row(0, "state", "STATE", set_text<&options::state>)
          .is_to(task::follow, "keep the place in the file STATE, and go on there after a restart")
          .says(R"(
with --follow: keep the place in the file STATE, and go on there after a restart. With -o no text is lost and none
comes twice. On a pipe, the text of up to a second, and text that was not read, may come twice. A STATE is for one
utfcat at a time)")
          .details(R"(
utfcat writes STATE at most once a second, and always after the text is on the disk. With -o the output is then cut to
the size that STATE has, so no text is lost and none comes twice, even after a crash. An encoding that was guessed is
kept in STATE, too, and so is what --filter needs of the text before. Other outputs cannot be cut, and utfcat says so
when it begins. STATE then tells of text that was written to a socket, or that the reader of a pipe has read (under
Linux; other systems do not tell utfcat, so there a pipe is as a socket). After a crash, or if the reader ends, the
text that STATE does not tell of comes twice: that of up to a second, and all that is still in the pipe. Text that a
reader has read and not used is lost, and so is what the reader of a socket has not read when it ends. At its end
utfcat waits up to a second for the reader of a pipe.

FILE may be renamed, or copied and truncated, while utfcat does not run: utfcat then finds the old file beside FILE.
After FILE.3 it reads FILE.2 and FILE.1, and after FILE.20240131 those of the same form with later dates: a number of
more than five digits is a date. Only regular files count. Text is lost if FILE is truncated before STATE tells of all
its text, or if a renamed file is deleted before STATE has gone on to the next one.

If STATE is damaged or of another version, or if its file (by device, inode, first bytes and the bytes before the
place) is not found, also because it was rewritten while utfcat did not run, utfcat says so and ends with status 2. So it does if the output is another file than before, or if
the output or FILE has another encoding, or if --filter is another than before. If another utfcat has STATE, the second
one names the process that has it, and ends with status 2. So it does if another utfcat with another STATE appends to
the same output. (STATE and the output are locked, and the locks end with the process. Windows locks only STATE.) STATE
is replaced by way of a new file beside it, whose name begins with a dot.)")
          .refused_if(does_not_follow, "--state is for --follow"),
      option_row(0, "from-start", "", set_flag<&options::from_start>)
          .is_to(task::follow)
          .says("with --state: if STATE is damaged or of another file, begin with the start of FILE")
          .details(
              "So it does if the file of STATE is not found, and says so. If STATE is damaged, the output is not cut.")
          .refused_if(does_not_follow, "--from-start is for --follow")
          .refused_if([](const options& o) { return !o.state; }, "--from-start is about a --state, and there is none"),
      option_row('o', "output", "FILE", set_output)
          .is_to(task::write, "write to FILE, which is replaced when the text is complete")
          .says(R"(
write to a temporary file beside FILE, which replaces FILE when the text is complete. It gets FILE's owner, group, mode
and ACL, or fewer rights. FILE stays unchanged if a file cannot be read, or after an error that -e neither repairs nor
treats as the end (`stop`); or if the text is what FILE contains already. A pipe or a device is written directly)")
          .details(R"(
FILE stays unchanged after a signal that ends utfcat, too. If the text is what FILE contains already, utfcat removes
the temporary file and does not touch FILE: it keeps its time of modification, its inode and its hard links.

If the system does not allow the same owner, group, mode and access control list, which can happen to any user but
root, nobody gets more rights than before. An open descriptor is written directly, too: /dev/stdout, /dev/fd/N.)")
          .refused_if([](const options& o) { return o.output && o.inspect; },
                      "--inspect writes no text, so there is none for --output")
          .refused_if([](const options& o) { return o.output && o.check; },
                      "--check writes no text, so there is none for --output")
          .refused_if([](const options& o) { return o.output && o.quiet; },
                      "--quiet writes no text, so there is none for --output"),
      option_row('i', "in-place", "", set_flag<&options::in_place>)
          .is_to(task::write, "replace each file by its text")
          .says(R"(
replace each FILE by its text, as --output does, if that changes its bytes. A file that another program changes
meanwhile is left alone)")
          .details(R"(
Each file is a text of its own. A file whose text is not complete stays as it is, and is named, as is one that another
program changes. The exit status is that of the worst file.

What would make a file worse is left alone, too, with exit status 1, and a message says why: data that is no text; UTF-8
that would be read in another encoding of bytes, as happens when the same command runs twice; UTF-16 that would be read
as bytes, or bytes as UTF-16; text whose encoding is only assumed, unless --legacy or --fallback names that encoding;
and a file that has other names (hard links), which would keep the old text. `--force` writes all these. The same holds
for --output, if it replaces a file. Extended attributes stay.)")
          .excludes({"output"}, "writes each file itself")
          .excludes({"follow"}, "is for files that nobody writes to")
          .refused_if([](const options& o) { return o.only_checks() || o.names_only; },
                      "--check, --quiet and --names-only write no text, so there is none for --in-place")
          .refused_if([](const options& o) { return std::find(o.files.begin(), o.files.end(), "-") != o.files.end(); },
                      "--in-place needs the names of files: standard input cannot be replaced")
          .refused_if([](const options& o) { return o.range.has_value(); },
                      "--in-place would leave only the range of the file: give --output another name")
          .refused_if([](const options& o) { return o.decompress; },
                      "--in-place would replace the file by its decompressed text: give --output another name"),
      option_row(0, "dry-run", "", set_flag<&options::dry_run>)
          .is_to(task::write)
          .says(R"(
with --in-place: change nothing, and write the names of the files that would change. If there is one, the exit status is 1)")
          .details("The names go to standard output.")
          .refused_if([](const options& o) { return !o.in_place; },
                      "--dry-run names what --in-place would change: give both"),
      option_row(0, "force", "", set_flag<&options::force>)
          .is_to(task::write)
          .says("with --in-place and --output: write also what would be left alone: see the manual page")
          .details(R"(
--in-place says what is left alone. With --backup it also replaces an older copy. -r skips binary files all the same.)")
          .refused_if(replaces_nothing, "--force is about files that --in-place or --output replaces"),
      option_row(0, "backup", "SUFFIX", set_backup)
          .is_to(task::write)
          .says("with --in-place and --output: keep the old file beside the new one, as FILE.bak or FILESUFFIX")
          .details(R"(
If SUFFIX has a *, it is the whole name of the copy, and each * stands for the name of the file: `--backup=old-*`. The copy is
the old file itself, with its times and rights. If there is a file of that name already, the file is left alone, with exit status 1,
as the copy may be all that is left of an older text; --force replaces it. A file whose bytes do not change gets no copy. -r
takes no file that is the copy of another one.)")
          .may_lack_its_value()
          .refused_if(replaces_nothing, "--backup is about files that --in-place or --output replaces")
          .refused_if(follows, "--backup is about files that are replaced, and --follow appends"),
      option_row(0, "keep-times", "", set_flag<&options::keep_times>)
          .is_to(task::write)
          .says("with --in-place and --output: the new file has the times of the one that it replaces")
          .refused_if(replaces_nothing, "--keep-times is about files that --in-place or --output replaces")
          .refused_if(follows, "--keep-times is about files that are replaced, and --follow appends"),
      option_row('r', "recursive", "", set_flag<&options::recursive>)
          .is_to(task::read, "the text files in directories")
          .says(R"(
FILE may be a directory (default: the current one): take the regular files in it and beneath, but no symbolic links,
nothing in .git, and no binary files)")
          .details(R"(
The files are taken in the order of their names. A symbolic link that is named is followed. Binary files are skipped
and counted: what has the first bytes of a picture, an archive, a program, a font or another known format (compressed data
only without -d), and files whose first 4096 bytes have NUL or many control characters, but are neither UTF-16 nor
UTF-32. If such a file is text all the same, as a log with a hole is, name it.)"),
      option_row(0, "names-only", "", set_flag<&options::names_only>)
          .is_to(task::report, "the names of the files that have errors")
          .says("write only the names of the files that have errors, as `grep -l` does")
          .details("Each file is read up to its first error.")
          .excludes({"summary"}, "writes names alone"),
      option_row('s', "stats", "", set_flag<&options::stats>)
          .is_to(task::report)
          .says("report one line of figures for each file, on standard error"),
      option_row('p', "progress", "", set_flag<&options::progress>)
          .is_to(task::report)
          .says("show a progress bar on standard error, if that is a terminal"),
      option_row('l', "list", "", set_flag<&options::list>)
          .is_to(task::learn, "the encodings, with all their names")
          .says("the encodings, each with all its names, and then ICU's charsets")
          .details("An empty line separates them. The charsets of ICU follow if utfcat was built with ICU."),
      option_row('h', "help", "TOPIC", set_text<&options::help>)
          .is_to(task::learn, "more: all, encodings, filters, or an option, such as --help from")
          .says(R"(
what utfcat does, in brief; or more about TOPIC, which may also be the next word: `all` options, the `encodings`, the
`filters`, or an option, by its name)")
          .proposes("all encodings filters OPTIONS")
          .may_lack_its_value(),
      option_row(0, "manual", "", set_flag<&options::manual>)
          .is_to(task::learn)
          .says("the manual page: `utfcat --manual | man -l -` shows it"),
      option_row(0, "words", "OPTION", set_text<&options::words>)
          .is_to(task::learn)
          .says("what OPTION may have as its value, one word on each line, for the completion of a shell")
          .details("If OPTION takes no value, or is none, these are the options."),
      option_row('V', "version", "", set_flag<&options::version>)
          .is_to(task::learn, "the version, and what this utfcat was built with")
          .says("the version of utfilter, and what this utfcat was built with")};
}

}  // namespace

const std::vector<option_row>& option_rows() {
  static const std::vector<option_row> rows = make_rows();
  return rows;
}

}  // namespace utfcat
