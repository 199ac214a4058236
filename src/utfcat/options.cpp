// options.cpp: reads utfcat's command line, with Boost.Program_options.
#include "options.hpp"

#include "charsets.hpp"
#include "messages.hpp"

#include <utfilter/config.hpp>

#include <boost/any.hpp>
#include <boost/program_options.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

namespace po = boost::program_options;

namespace utfcat {

namespace {

#ifdef UTFCAT_WITH_UCHARDET
constexpr bool has_uchardet = true;
#else
constexpr bool has_uchardet = false;
#endif

/// The names of the encodings that have more than one byte per character replace ENCODINGS.
constexpr std::string_view help_template = R"(Usage: utfcat [OPTION]... [FILE]...
Write the files, as one text, to standard output: checked, repaired and transcoded.
Without FILE, or if FILE is -, read standard input.

  -f, --from ENC       encoding of the files: detect (default: a byte order mark decides; without
                       one it is that of --fallback), guess (as detect, but without a mark the
                       text itself decides) or one of
                       ENCODINGS,
                       or of one byte per character: iso-8859-1 to -16, windows-1250 to -1258,
                       koi8-r and others, which --list shows; and the charsets of ICU that --list
                       shows, if utfcat was built with ICU: ibm852, ibm-37, euc-tw and others
      --fallback ENC   encoding that detect assumes for a file without a byte order mark:
                       utf-8 (default), or any of these but detect and the charsets of ICU
      --guess-bytes N  with guess: the first N bytes of each file decide (default 4096;
                       with --follow 512 at most, or fewer after a second of silence)
      --legacy ENC     with guess: the encoding of text that is none of UTF-8, UTF-16 and UTF-32:
                       LEGACY
  -t, --to ENC         encoding of the output: utf-8 (default) or any of these but detect and guess.
                       The charsets of ICU are for --from and --to, without --jobs and --follow.
                       same: the encoding of the one file, or with --in-place of each, with a byte
                       order mark if the file has one
  -e, --on-error P     what becomes of ill-formed input, and of characters that the output's
                       encoding lacks:
                         strict        end the file's text there, exit status 1 (default)
                         stop          the same, but the text before it counts as complete (for -o)
                         replace       U+FFFD; ? where the output's encoding lacks a character
                         skip          leave it out
                         escape        \xHH, or \u{HHHH}
                         keep          leave the bytes as they are (-f utf-8 -t utf-8 only)
                         windows-1252  read ill-formed bytes of UTF-8 as windows-1252
      --filter NAME[,NAME...]
                       change the text after it is decoded, in this order:
                         FILTERS
      --nfc            --filter nfc
      --rejects FILE   a line with ill-formed input is left out, and goes to FILE, whole
      --rejects-format F
                       text: its own bytes (default); jsonl or csv: a record of it with its place
                       and its first error. A record of jsonl or csv does not hold the line itself
      --line-fallback ENC[,ENC...]
                       a line with ill-formed input is read in the first of these encodings in which
                       the whole line is well-formed. Other lines are as --rejects or -e says
  -b, --bom B          byte order mark of the output, which has at most one, at its beginning:
                         automatic     one with -t utf-16 and -t utf-32; also one if -f is utf-8,
                                       utf-16le or the like and the text begins with one (default)
                         keep          one if the text begins with one
                         strip         never one
                         add           always one
                         require       each file must begin with one; otherwise as automatic
                         reject        no file may begin with one
  -c, --check          write no text; report every error on standard output, as
                       FILE:LINE:COLUMN: byte OFFSET: MESSAGE. -e has no effect. With -t, characters
                       that this encoding lacks are errors
      --inspect        write no text; report on standard output what may be wrong with it although
                       it is well-formed, the first of each kind: mixed line ends, control
                       characters, marks inside the text, mojibake, lines of more than 1,000
                       characters and more; and the first error. The exit status is 0
      --format FORMAT  with --check and --inspect: text (default), json (an array), github (commands
                       of its workflows) or sarif (SARIF 2.1.0, for tools that show such reports)
  -q, --quiet          write no text and report no errors in it: see the exit status. A file is read
                       up to its first error. With --summary or --stats, read on, and report only
                       the files that have errors
      --summary        report for each file, instead of its errors: its encoding, how many errors of
                       each kind it has, and the first five with the text around them; for several
                       files, a total. On standard output with -c or -q, else on standard error
  -d, --decompress     decompress gzip, bzip2, xz and zstd data, recognised by its first bytes. Data
                       packed in another way, such as zip, is an error; text is read as it is
      --range BEGIN-END
                       write or check only the lines that begin in these bytes of the one FILE.
                       BEGIN counts from 0; END is not included, and may be left out. So each line
                       is in one of several ranges, wherever they meet. In reports, lines count
                       from the first one of the range, offsets from the start of FILE
      --jobs N         work with N threads (default 1; 0: one for each processor) on each file,
                       and check N small files at the same time. What utfcat writes stays the same
      --follow         wait for more at the end of the one FILE, like tail -F: it may grow, be
                       renamed and replaced, be truncated, or not exist yet. Each new file begins
                       with its own byte order mark. SIGINT, SIGTERM and SIGHUP end it, as does
                       ill-formed text that -e does not repair. With -o the text is appended
      --state STATE    with --follow: keep the place in the file STATE, and go on there after a
                       restart. With -o no text is lost and none comes twice. On a pipe, the text of
                       up to a second, and text that was not read, may come twice. A STATE is for
                       one utfcat at a time
      --from-start     with --state: if STATE is damaged or of another file, begin with the start of
                       FILE
  -o, --output FILE    write to a temporary file beside FILE, which replaces FILE when the text is
                       complete. It gets FILE's owner, group, mode and ACL, or fewer rights. FILE
                       stays unchanged if a file cannot be read, or after an error that -e neither
                       repairs nor treats as the end (stop); or if the text is what FILE contains
                       already. A pipe or a device is written directly
  -i, --in-place       replace each FILE by its text, as --output does, if that changes its bytes. A
                       file that another program changes meanwhile is left alone
      --dry-run        with --in-place: change nothing, and write the names of the files that would
                       change
  -r, --recursive      FILE may be a directory (default: the current one): take the regular files in
                       it and beneath, but no symbolic links, nothing in .git, and no binary files
      --names-only     write only the names of the files that have errors, as grep -l does
  -s, --stats          report one line of figures for each file, on standard error
  -p, --progress       show a progress bar on standard error, if that is a terminal
  -l, --list           the encodings, each with all its names, and then ICU's charsets
  -h, --help           this text
  -V, --version        the version of utfilter

A line ends with a line feed. COLUMN counts characters, from 1, and OFFSET counts bytes, from 0, in
the file's own text (with -d, in the decompressed text). Without -c, reports go to standard error as
utfcat: FILE:LINE:COLUMN: byte OFFSET: MESSAGE. The files after an error are still written.

Exit status: 0 all well-formed, or repaired as asked; 1 ill-formed input; 2 usage or I/O error.

Examples:
  utfcat -d export.csv.gz                  gzipped UTF-16 with a byte order mark to UTF-8
  utfcat -c *.txt                          what is wrong, and where
  utfcat -c --summary *.txt                the same, as a short summary of each file
  utfcat --inspect -r .                    what may be wrong with texts that are well-formed
  utfcat -q in.txt || echo "not UTF-8"     for scripts, which look at the exit status
  utfcat -f windows-1252 -i *.txt          transcode files in place
  utfcat -i -t same --filter lf -r src     one kind of line end, and the encodings stay
  utfcat --rejects bad.csv in.csv          the good lines; the bad ones, untouched, to bad.csv
  utfcat --line-fallback windows-1252 log  lines in UTF-8 and lines in windows-1252, as UTF-8
  utfcat -e replace < log | less           repair a stream, line by line as it comes
  utfcat --range 1000000000- big.txt       the lines after the first gigabyte
  utfcat --follow --state s -o out app.log what another program logs, as UTF-8
  utfcat -t utf-16le -b add in.txt         for a program that expects UTF-16 with a byte order mark
)";

std::string lower_case(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

/// The names of these encodings, in lines of at most 72 characters that begin at this column.
std::string names_of_encodings(std::size_t column) {
  std::string text, line;
  for (const utfilter::encoding e : utfilter::encodings()) {
    if (is_single_byte(e)) continue;
    const std::string name = lower_case(encoding_name(e));
    if (line.size() + name.size() + 2 > 72) {
      text += line + '\n' + std::string(column, ' ');
      line.clear();
    } else if (!line.empty()) {
      line += ' ';
    }
    line += name + ',';
  }
  text += line;
  text.pop_back();
  return text;
}

// Types for options that may be repeated: the last one counts. Boost refuses repeated options of the types it knows.
struct flag {};
struct word {
  std::string value;
};

void validate(boost::any& v, const std::vector<std::string>&, flag*, int) { v = flag{}; }
void validate(boost::any& v, const std::vector<std::string>& words, word*, int) { v = word{words.back()}; }

template <class Value>
using name_table = std::pair<std::string_view, Value>;

constexpr name_table<utfilter::on_error> policies[] = {
    {"strict", utfilter::on_error::strict},           {"stop", utfilter::on_error::stop},
    {"replace", utfilter::on_error::replace},         {"skip", utfilter::on_error::skip},
    {"escape", utfilter::on_error::escape},           {"keep", utfilter::on_error::keep},
    {"windows-1252", utfilter::on_error::windows1252}};

constexpr name_table<utfilter::bom> bom_policies[] = {
    {"automatic", utfilter::bom::automatic}, {"keep", utfilter::bom::keep},
    {"strip", utfilter::bom::strip},         {"add", utfilter::bom::add},
    {"require", utfilter::bom::require},     {"reject", utfilter::bom::reject}};

constexpr name_table<utfilter::reject_format> reject_formats[] = {{"text", utfilter::reject_format::text},
                                                                  {"jsonl", utfilter::reject_format::jsonl},
                                                                  {"csv", utfilter::reject_format::csv}};

constexpr name_table<report_format> report_formats[] = {{"text", report_format::text},
                                                        {"json", report_format::json},
                                                        {"github", report_format::github},
                                                        {"sarif", report_format::sarif}};

template <class Value, std::size_t N>
Value look_up(const name_table<Value> (&table)[N], const char* option, const std::string& name) {
  std::string known;
  for (const auto& [entry, value] : table) {
    if (entry == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(entry);
  }
  throw usage_error(std::string(option) + ": " + visible(name) + " is none of " + known);
}

/// Throws usage_error for an encoding that the library lacks in this build. A charset of ICU is no substitute, because
/// it has other characters.
void refuse_left_out(const char* option, const std::string& name) {
  if (utfilter::detail::is_left_out(name))
    throw usage_error(std::string(option) + ": " + visible(name) + ": " + utfilter::detail::why_left_out);
}

utfilter::encoding look_up_encoding(const char* option, const std::string& name) {
  if (const auto found = utfilter::encoding_from_name(name)) return *found;
  refuse_left_out(option, name);
  if (is_charset(name))
    throw usage_error(std::string(option) + ": " + visible(name) +
                      " is no encoding of utfcat itself, and the charsets of ICU are for --from and --to only" +
                      advice_on_icu());
  std::string why = std::string(option) + ": there is no encoding " + visible(name);
  if (name.empty()) throw usage_error(why + " (utfcat --list shows them)");
  const auto nearest = utfilter::nearest_encoding_names(name);
  throw usage_error(why + " (the nearest names are " + lower_case(nearest[0]) + ", " + lower_case(nearest[1]) +
                    " and " + lower_case(nearest[2]) + "; utfcat --list shows all)");
}

bool is_empty_file(const std::string& name) {
  std::error_code ignored;  // reading the file will fail with the reason
  const std::filesystem::path path = std::filesystem::u8path(name);
  return std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path, ignored) == 0;
}

/// The encoding with this name. If there is none, but a charset of ICU, sets the charset and returns ISO-8859-1.
utfilter::encoding look_up_encoding(const char* option, const std::string& name,
                                    std::shared_ptr<const charset>& charset) {
  if (const auto found = utfilter::encoding_from_name(name)) return *found;
  refuse_left_out(option, name);
  charset = find_charset(name);
  if (charset) return utfilter::encoding::latin1;
  if (is_charset(name)) throw usage_error(option + (": there is no encoding " + visible(name)) + advice_on_icu());
  try {
    return look_up_encoding(option, name);
  } catch (const usage_error& why) {
    throw usage_error(name.empty() ? why.what() : why.what() + advice_on_charset(name));
  }
}

/// Reads BEGIN-END. Without END the range goes on to the end of the file.
utfilter::byte_range read_range(const std::string& text) {
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
  return range;
}

std::size_t read_jobs(const std::string& text) {
  constexpr std::size_t most = 1024;
  std::size_t jobs = 0;
  const char* const end = text.data() + text.size();
  const auto done = std::from_chars(text.data(), end, jobs);
  if (done.ec != std::errc() || done.ptr != end || jobs > most)
    throw usage_error("--jobs: " + visible(text) + " is not a number from 0 to " + std::to_string(most));
  return jobs;
}

/// The command line without most of its files. The time that Boost.Program_options needs grows with the square of
/// the number of files.
///
/// A word must be a file if neither it nor the word before it begins with -, because an option takes at most one word.
/// Each run of such files is replaced by one word that cannot occur on a command line.
class words_without_files {
 public:
  words_without_files(int argc, const char* const* argv) {
    bool after_option = false;
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      const bool option = word.size() > 1 && word[0] == '-';
      if (option || after_option) {
        words_.emplace_back(word);
      } else {
        if (words_.empty() || words_.back() != run) {
          words_.emplace_back(run);
          runs_.emplace_back();
        }
        runs_.back().emplace_back(word);
      }
      after_option = option;
    }
  }

  const std::vector<std::string>& words() const noexcept { return words_; }

  /// All files in their order: those in `among_words`, with each replacement turned back into its run of files.
  std::vector<std::string> files(const std::vector<std::string>& among_words) const {
    std::vector<std::string> result;
    auto next = runs_.begin();
    for (const std::string& word : among_words) {
      if (word != run) {
        result.push_back(word);
      } else {
        result.insert(result.end(), next->begin(), next->end());
        ++next;
      }
    }
    return result;
  }

 private:
  static constexpr std::string_view run{"", 1};  // a zero byte, which no word of a command line contains

  std::vector<std::string> words_;
  std::vector<std::vector<std::string>> runs_;
};

/// Reads the encodings of --line-fallback.
std::vector<utfilter::encoding> read_fallbacks(const std::string& names) {
  std::vector<utfilter::encoding> all;
  for (const std::string& name : names_in(names)) {
    all.push_back(look_up_encoding("--line-fallback", name));
    if (is_decided_by_bom(all.back()))
      throw usage_error("--line-fallback must name encodings that a line alone can be in, it cannot be " +
                        visible(name));
  }
  return all;
}

/// Whether two names are those of the same file, which may not be there.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return a == b || std::filesystem::equivalent(std::filesystem::u8path(a), std::filesystem::u8path(b), ignored);
}

/// Throws usage_error for options that need to begin in the middle of a text, if its encoding has states.
void check_states(const options& o) {
  for (const utfilter::encoding e : {o.from, o.to}) {
    if (!utfilter::detail::has_states(e)) continue;
    const std::string given = (e == o.from ? "--from " : "--to ") + std::string(encoding_name(e)) + why_states;
    if (o.follow) throw usage_error(given + "--follow");
    if (o.range && e == o.from) throw usage_error(given + "--range");
  }
}

/// Throws usage_error for options that do not work with a charset of ICU.
void check_charsets(const options& o) {
  for (const auto& [charset, option] : {std::pair(o.from_charset, "--from "), std::pair(o.to_charset, "--to ")}) {
    if (!charset) continue;
    const std::string given = option + charset->name();
    if (o.jobs != 1) throw usage_error(given + " is a charset of ICU, so one thread converts it: leave out --jobs");
    if (o.follow) throw usage_error(given + " is " + why_no_following);
    if (!o.range || charset != o.from_charset) continue;
    throw usage_error(
        given + (charset->is_stateful() ? std::string(why_states) + "--range" : std::string(" is ") + why_no_range));
  }
}

std::size_t read_guess_bytes(const std::string& text) {
  constexpr std::size_t most = std::size_t{1} << 30;
  std::size_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto done = std::from_chars(text.data(), end, bytes);
  if (done.ec != std::errc() || done.ptr != end || bytes == 0 || bytes > most)
    throw usage_error("--guess-bytes: " + visible(text) + " is not a number from 1 to " + std::to_string(most));
  return bytes;
}

/// The encoding of --legacy; nothing for uchardet.
std::optional<utfilter::encoding> read_legacy(const std::string& name) {
  if (name == "uchardet") {
    if (!has_uchardet)
      throw usage_error("--legacy: this utfcat was built without uchardet, which needs Debian's package "
                        "libuchardet-dev and the build option UTFILTER_BUILD_UCHARDET");
    return std::nullopt;
  }
  const utfilter::encoding e = look_up_encoding("--legacy", name);
  if (is_decided_by_bom(e) || code_unit_size(e) != 1)
    throw usage_error("--legacy must name an encoding whose code units are bytes, it cannot be " + visible(name));
  return e;
}

/// Throws usage_error if the user gave what makes no sense.
void refuse(bool given, std::string_view why) {
  if (given) throw usage_error(std::string(why));
}

/// Throws usage_error for options about the place of the output and the names of files that make no sense together.
void check_places(const options& o) {
  const bool has_standard_input = std::find(o.files.begin(), o.files.end(), "-") != o.files.end();
  const bool may_be_several = o.files.size() > 1 || o.recursive;
  refuse(o.dry_run && !o.in_place, "--dry-run names what --in-place would change: give both");
  if (o.in_place) {
    refuse(o.output.has_value(), "--in-place writes each file itself, so --output makes no sense with it");
    refuse(o.only_checks() || o.names_only,
           "--check, --quiet and --names-only write no text, so there is none for --in-place");
    refuse(has_standard_input, "--in-place needs the names of files: standard input cannot be replaced");
    refuse(o.follow, "--in-place is for files that nobody writes to, so --follow makes no sense with it");
    refuse(o.range.has_value(), "--in-place would leave only the range of the file: give --output another name");
    refuse(o.decompress, "--in-place would replace the file by its decompressed text: give --output another name");
  }
  if (o.same) {
    refuse(o.only_checks() || o.names_only, "--to same is about the text that is written, and a check writes none");
    refuse(o.follow, "--to same is for whole files, so --follow makes no sense with it");
    refuse(may_be_several && !o.in_place,
           "--to same needs one file, or --in-place: a text that is put together has one encoding");
  }
  refuse(o.names_only && o.summary, "--names-only writes names alone, so --summary makes no sense with it");
  refuse(o.recursive && o.follow, "--follow needs the name of one file, so --recursive makes no sense with it");
  refuse(o.recursive && o.range, "--range needs the name of one file, so --recursive makes no sense with it");
}

/// Throws usage_error for options that make no sense with --inspect and --format.
void check_inspection(const options& o, bool names_target) {
  if (o.format != report_format::text) {
    refuse((!o.check && !o.inspect) || o.quiet || o.names_only || o.summary,
           "--format is for the reports of --check and --inspect");
    refuse(o.follow, "--format is for reports with an end, and --follow has none");
  }
  if (!o.inspect) return;
  for (const auto& [given, name] :
       {std::pair(o.check, o.names_only ? "--names-only" : "--check"), std::pair(o.quiet, "--quiet"),
        std::pair(o.summary, "--summary"), std::pair(o.follow, "--follow"), std::pair(!o.filters.empty(), "--filter"),
        std::pair(names_target, "--to"), std::pair(o.sorts_lines(), "--line-fallback")})
    if (given)
      throw usage_error(std::string("--inspect reports what a file has, so ") + name + " makes no sense with it");
}

/// Throws usage_error for options that make no sense with --rejects and --line-fallback.
void check_lines(const options& o) {
  if (!o.sorts_lines()) return;
  const std::string name = o.rejects ? "--rejects" : "--line-fallback";
  refuse(o.follow, name + " decides about whole lines, which --follow does not wait for");
  if (o.from_charset) throw usage_error("--from " + o.from_charset->name() + " is " + why_no_lines);
  for (const utfilter::encoding e : o.line_fallbacks)
    refuse(!is_decided_by_bom(o.from) && code_unit_size(e) != code_unit_size(o.from),
           "--line-fallback: a line of " + std::string(encoding_name(o.from)) + " cannot be " +
               std::string(encoding_name(e)) + ", whose code units have another size");
  if (!o.rejects) return;
  refuse(o.only_checks(), "--check, --quiet and --names-only write no text, so --rejects has no lines to put aside");
  refuse(*o.rejects == "-", "--rejects needs the name of a file: the text goes to standard output");
  bool is_replaced = o.in_place;
  for (const std::string& file : o.files) {
    if (file == "-") continue;
    refuse(is_same_file(*o.rejects, file), "--rejects: " + visible(file) + " is an input file as well");
    is_replaced = is_replaced || (o.output && is_same_file(*o.output, file));
  }
  refuse(o.output && is_same_file(*o.rejects, *o.output),
         "--rejects: " + visible(*o.rejects) + " is the output as well");
  refuse(is_replaced && o.reject_format != utfilter::reject_format::text,
         "--rejects-format jsonl and csv do not hold the lines themselves, which would be lost when the file is "
         "replaced: leave it out, or write to another file");
}

/// Throws usage_error for options that make no sense with --follow, or only with it.
void check_follow(const options& o) {
  if (!o.follow && (o.state || o.from_start))
    throw usage_error(std::string(o.state ? "--state" : "--from-start") + " is for --follow");
  if (!o.follow) return;
  if (o.files.size() != 1 || o.files[0] == "-")
    throw usage_error("--follow needs the name of one file: standard input and other pipes are followed anyway");
  for (const auto& [given, name] : {std::pair(o.range.has_value(), "--range"), std::pair(o.decompress, "--decompress"),
                                    std::pair(o.quiet, "--quiet"), std::pair(o.summary, "--summary"),
                                    std::pair(o.stats, "--stats"), std::pair(o.progress, "--progress")})
    if (given) throw usage_error(std::string("--follow has no end, so ") + name + " makes no sense with it");
  if (o.jobs != 1) throw usage_error("--follow reads with one thread, so --jobs makes no sense with it");
  if (o.from_start && !o.state) throw usage_error("--from-start is about a --state, and there is none");
}

bool has_nfc(const options& o) {
  return std::any_of(o.filters.begin(), o.filters.end(), [](const filter_choice& f) { return f.kind->name == "nfc"; });
}

/// Throws usage_error for options that make no sense with filters.
void check_filters(const options& o) {
  if (o.filters.empty()) return;
  const bool holds_text =
      std::any_of(o.filters.begin(), o.filters.end(), [](const filter_choice& f) { return f.kind->holds_text; });
  for (const auto& [given, why] :
       {std::pair(o.only_checks() && !o.filters_reject(),
                  "--check and --quiet write no text, so there is none for --filter"),
        std::pair(o.summary, "--summary shows the text as the file has it, so --filter makes no sense with it"),
        std::pair(o.follow && holds_text,
                  "--filter nfc holds a letter back until the next one comes, so a --follow would lose it"),
        std::pair(o.state.has_value(), "--state keeps the place in the file, but not what --filter has seen before it"),
        std::pair(o.on_error == utfilter::on_error::keep, "--on-error keep leaves bytes that --filter cannot read")})
    if (given) throw usage_error(why);
}

}  // namespace

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::string version_number() {
  constexpr int v = UTFILTER_VERSION;
  return std::to_string(v / 10000) + '.' + std::to_string(v / 100 % 100) + '.' + std::to_string(v % 100);
}

std::string help_text() {
  std::string text(help_template);
  constexpr std::string_view place = "ENCODINGS";
  const std::size_t found = text.find(place);
  const std::size_t column = found - text.rfind('\n', found) - 1;
  text.replace(found, place.size(), names_of_encodings(column));
  constexpr std::string_view filters = "FILTERS";
  const std::size_t at = text.find(filters);
  text.replace(at, filters.size(), help_on_filters(at - text.rfind('\n', at) - 1));
  constexpr std::string_view legacy = "LEGACY";
  constexpr std::string_view choice =
      has_uchardet ? "what uchardet says (uchardet, the default), or any but UTF-16, UTF-32, ICU's"
                   : "windows-1252 (default), or any but UTF-16, UTF-32 and ICU's";
  return text.replace(text.find(legacy), legacy.size(), choice);
}

options parse(int argc, const char* const* argv) {
  po::options_description known;
  const auto takes = [](const char* name) { return po::value<word>()->value_name(name); };
  const auto bare = [] { return po::value<flag>()->zero_tokens(); };
  known.add_options()("from,f", takes("ENC"))("fallback", takes("ENC"))("guess-bytes", takes("N"))(
      "legacy", takes("ENC"))("to,t", takes("ENC"))("on-error,e", takes("P"))("bom,b", takes("B"))("check,c", bare())(
      "inspect", bare())("format", takes("FORMAT"))("quiet,q", bare())("summary", bare())("stats,s", bare())(
      "progress,p", bare())("decompress,d", bare())("in-place,i", bare())("dry-run", bare())("recursive,r", bare())(
      "names-only", bare())("range", takes("BEGIN-END"))("jobs", takes("N"))("output,o", takes("FILE"))(
      "filter", takes("NAME"))("nfc", bare())("rejects", takes("FILE"))("rejects-format", takes("F"))(
      "line-fallback", takes("ENC"))("follow", bare())("state", takes("STATE"))("from-start", bare())("list,l", bare())(
      "help,h", bare())("version,V", bare());

  options result;
  po::variables_map given;
  try {
    const words_without_files line(argc, argv);
    const auto parsed = po::command_line_parser(line.words()).options(known).run();
    po::store(parsed, given);
    result.files = line.files(po::collect_unrecognized(parsed.options, po::include_positional));
  } catch (const po::error& why) {
    throw usage_error(visible(why.what()) + " (see utfcat --help)");
  }

  const auto value = [&](const char* name) { return given.count(name) ? &given[name].as<word>().value : nullptr; };
  if (const auto* name = value("from")) result.from = look_up_encoding("--from", *name, result.from_charset);
  if (const auto* name = value("fallback")) result.fallback = look_up_encoding("--fallback", *name);
  if (const auto* text = value("guess-bytes")) result.guess_bytes = read_guess_bytes(*text);
  if (!has_uchardet) result.legacy = utfilter::encoding::windows1252;
  if (const auto* name = value("legacy")) result.legacy = read_legacy(*name);
  result.same = value("to") != nullptr && *value("to") == "same";
  if (const auto* name = value("to"); name && !result.same)
    result.to = look_up_encoding("--to", *name, result.to_charset);
  if (const auto* name = value("on-error")) result.on_error = look_up(policies, "--on-error", *name);
  if (const auto* name = value("bom")) result.bom = look_up(bom_policies, "--bom", *name);
  if (const auto* name = value("rejects")) result.rejects = *name;
  if (const auto* name = value("rejects-format"))
    result.reject_format = look_up(reject_formats, "--rejects-format", *name);
  if (const auto* names = value("line-fallback")) result.line_fallbacks = read_fallbacks(*names);
  if (const auto* names = value("filter")) result.filters = read_filters(*names, look_up_encoding);
  if (given.count("nfc") != 0 && !has_nfc(result)) result.filters.push_back(read_filters("nfc", look_up_encoding)[0]);
  if (const auto* name = value("output"); name && *name != "-") result.output = *name;
  if (const auto* text = value("range")) result.range = read_range(*text);
  if (const auto* text = value("jobs")) result.jobs = read_jobs(*text);
  result.check = given.count("check") != 0;
  result.inspect = given.count("inspect") != 0;
  if (const auto* name = value("format")) result.format = look_up(report_formats, "--format", *name);
  result.quiet = given.count("quiet") != 0;
  result.in_place = given.count("in-place") != 0;
  result.dry_run = given.count("dry-run") != 0;
  result.recursive = given.count("recursive") != 0;
  result.names_only = given.count("names-only") != 0;
  result.summary = given.count("summary") != 0;
  result.decompress = given.count("decompress") != 0;
  result.stats = given.count("stats") != 0;
  result.progress = given.count("progress") != 0;
  result.follow = given.count("follow") != 0;
  if (const auto* name = value("state")) result.state = *name;
  result.from_start = given.count("from-start") != 0;
  result.check = result.check || (result.names_only && !result.quiet);
  result.list = given.count("list") != 0;
  result.help = given.count("help") != 0;
  result.version = given.count("version") != 0;
  if (result.files.empty()) result.files = {result.recursive ? "." : "-"};

  if (result.only_checks() && result.output)
    throw usage_error(std::string(result.inspect ? "--inspect"
                                  : result.check ? "--check"
                                                 : "--quiet") +
                      " writes no text, so there is none for --output");
  if (result.range && result.decompress)
    throw usage_error("--range is in the bytes of the file itself, so --decompress makes no sense with it");
  if (result.range && (result.files.size() != 1 || result.files[0] == "-"))
    throw usage_error("--range needs the name of one file: standard input and other pipes have no ranges");
  // Range 0-0 of an empty file begins the file, as range_streambuf says. That of any other file has nothing.
  if (result.range && *result.range == utfilter::byte_range{0, 0} && is_empty_file(result.files[0]))
    result.range->end = 1;
  for (const char* const name : {"guess-bytes", "legacy"})
    if (given.count(name) != 0 && !result.guesses())
      throw usage_error(std::string("--") + name + " is for --from guess");
  if (given.count("rejects-format") != 0 && !result.rejects) throw usage_error("--rejects-format is for --rejects");
  check_inspection(result, given.count("to") != 0);
  check_places(result);
  check_lines(result);
  check_follow(result);
  check_states(result);
  check_charsets(result);
  check_filters(result);
  if (result.fallback == utfilter::encoding::detect)
    throw usage_error("--fallback must name the encoding of text without a byte order mark, it cannot be detect");
  const bool utf8_only = result.from == utfilter::encoding::utf8 && result.to == utfilter::encoding::utf8;
  if (result.on_error == utfilter::on_error::keep && !result.only_checks() && !utf8_only)
    throw usage_error("--on-error keep passes bytes from UTF-8 to UTF-8 only: give --from utf-8, and no other --to");
  return result;
}

}  // namespace utfcat
