// help.cpp: --help, the manual page and the words of the completion, which are loops over the table of options.
#include "help.hpp"

#include "charsets.hpp"
#include "compression.hpp"
#include "inspection.hpp"
#include "messages.hpp"
#include "names.hpp"
#include "option_row.hpp"

#include <utfilter/characters.hpp>
#include <utfilter/config.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/text.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

namespace {

// Both texts have these.

constexpr char places_of_reports[] = R"(
A line ends with a line feed. COLUMN counts characters, from 1, and OFFSET counts bytes, from 0, in the file's own text
(with -d, in the decompressed text).)";

const choice exit_statuses[] = {
    {"0", "all well-formed, or repaired as asked"}, {"1", "ill-formed input"}, {"2", "usage or I/O error"}};

/// Those that do not fit into the lines of --help are in the manual page only. The first ones are those of the brief help.
constexpr std::size_t brief_examples = 4;
const choice examples[] = {
    {"utfcat -d export.csv.gz", "gzipped UTF-16 with a byte order mark to UTF-8"},
    {"utfcat -c *.txt", "what is wrong, and where"},
    {"utfcat -f guess -i --backup *.txt", "transcode files in place"},
    {"utfcat -e replace < log | less", "repair a stream, line by line as it comes"},
    {"utfcat -c --summary *.txt", "what is wrong, as a short summary of each file"},
    {"utfcat --inspect -r .", "what may be wrong with texts that are well-formed"},
    {"utfcat -q in.txt || echo \"not UTF-8\"", "for scripts, which look at the exit status"},
    {"utfcat -i -t same --filter lf -r src", "one kind of line end, and the encodings stay"},
    {"utfcat --rejects bad.csv in.csv", "the good lines; the bad ones, untouched, to bad.csv"},
    {"utfcat --line-fallback windows-1252 log", "lines in UTF-8 and lines in windows-1252, as UTF-8"},
    {"utfcat --range 1000000000- big.txt", "the lines after the first gigabyte"},
    {"utfcat --follow --state s -o out app.log", "what another program logs, as UTF-8, also after a restart"},
    {"utfcat -t utf-16le -b add in.txt", "for a program that expects UTF-16 with a byte order mark"},
    {"seq 0 1000000000 9000000000 | parallel -k 'utfcat --range {}-$(({}+1000000000)) big.txt' | wc -m",
     "ten ranges of a file at a time"}};

/// The names of the encodings for which `wanted` is true.
template <class Wanted>
std::vector<std::string> encodings_that(Wanted wanted) {
  std::vector<std::string> names;
  for (const utfilter::encoding e : utfilter::encodings())
    if (wanted(e)) names.push_back(lower_case(encoding_name(e)));
  return names;
}

std::string joined(const std::vector<std::string>& names, const char* between) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : between) + name;
  return text;
}

/// The text, with the names of encodings in the place of ENCODINGS.
std::string with_encodings(std::string text, const std::string& encodings) {
  constexpr std::string_view place = "ENCODINGS";
  const std::size_t at = text.find(place);
  return at == std::string::npos ? text : text.replace(at, place.size(), encodings);
}

/// Why the option makes no sense with some others.
std::string reason_of(const option_row& row, const exclusion& one) {
  std::vector<std::string> others;
  for (const std::string_view name : one.others) others.push_back("--" + std::string(name));
  return row.flag() + ' ' + one.why + ", so it makes no sense with " + enumeration(others) + '.';
}

//--------------------------------------------------------------------------------------------------------------- --help

/// Lines of at most 100 characters, of which the first goes on after `before`. The others begin at this column.
std::string filled(std::string before, std::size_t column, std::string_view text) {
  constexpr std::size_t width = 100;
  std::string all;
  if (before.size() + 1 > column && !before.empty()) {
    all = before + '\n';
    before.clear();
  }
  std::string line = before + std::string(column - before.size(), ' ');
  std::size_t length = column;  // of the line, in characters
  bool is_first = true;
  for (std::size_t begin = 0; begin < text.size();) {
    begin = std::min(text.find_first_not_of(" \n", begin), text.size());
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    std::string word;
    for (const char c : text.substr(begin, end - begin))
      if (c != '`') word += c;
    begin = end;
    if (word.empty()) break;
    const std::size_t size = utfilter::to_u32string(word).size();
    if (!is_first && length + 1 + size > width) {
      all += line + '\n';
      line = std::string(column, ' ');
      length = column;
      is_first = true;
    }
    line += (is_first ? "" : " ") + word;
    length += (is_first ? 0 : 1) + size;
    is_first = false;
  }
  return all + line + '\n';
}

/// Where the text about an option begins.
constexpr std::size_t column = 23;

/// The option, with its letter and its value.
std::string usage_of(const option_row& row, std::string_view value) {
  const std::string letter = row.letter == 0 ? "      " : std::string("  -") + row.letter + ", ";
  std::string text = letter + row.flag();
  if (value.empty()) return text;
  if (row.is_optional) return text.append("[=").append(value) + ']';
  return text.append(" ").append(value);
}

std::string help_on(const option_row& row, const std::string& encodings) {
  std::string text = filled(usage_of(row, row.value), column, with_encodings(row.text, encodings));
  std::size_t longest = 0;
  for (const choice& one : row.choices) longest = std::max(longest, one.name.size());
  for (const choice& one : row.choices)
    text += filled(std::string(column + 2, ' ') + one.name, column + 2 + longest + 2, one.text);
  return text;
}

/// The names of the encodings of several bytes per character, and some of the others.
std::string main_encodings() {
  return joined(encodings_that([](auto e) { return !is_single_byte(e); }), ", ") +
         ", or of one byte per character: iso-8859-1 to -16, windows-1250 to -1258, koi8-r and others, which --list shows";
}

constexpr char usage[] = "Usage: utfcat [OPTION]... [FILE]...\n"
                         "Write the files, as one text, to standard output: checked, repaired and transcoded.\n"
                         "Without FILE, or if FILE is -, read standard input.\n\n";

std::string help_on_statuses() {
  std::string statuses;
  for (const choice& one : exit_statuses) statuses += (statuses.empty() ? "" : "; ") + one.name + ' ' + one.text;
  return "\nExit status: " + statuses + ".\n";
}

std::string help_on_examples(std::size_t most) {
  constexpr std::size_t longest = 40;
  std::string text = "\nExamples:\n";
  for (const choice& one : examples) {
    if (most-- == 0) break;
    if (one.name.size() <= longest)
      text += "  " + one.name + std::string(longest + 1 - one.name.size(), ' ') + one.text + '\n';
  }
  return text;
}

/// What there is to do, with the options for it. The rare options are only named.
std::string brief_help() {
  constexpr std::pair<task, const char*> tasks[] = {
      {task::read, "Read"},           {task::write, "Write"},
      {task::repair, "Treat errors"}, {task::report, "Report, and write no text"},
      {task::follow, "Follow a log"}, {task::learn, "Learn more"}};
  constexpr std::size_t wide = 27;  // of the longest option
  std::string text = usage;
  for (const auto& [what, name] : tasks) {
    text.append(name).append(":\n");
    std::string others;
    for (const option_row& row : option_rows()) {
      if (row.of != what) continue;
      if (row.brief.empty())
        others += (others.empty() ? "" : ", ") + row.flag();
      else
        text += filled(usage_of(row, row.value.substr(0, row.value.find('['))), wide, row.brief);
    }
    if (!others.empty()) text += filled("", wide, "also " + others);
  }
  return text + help_on_statuses() + help_on_examples(brief_examples);
}

std::string whole_help() {
  const std::string encodings = main_encodings();
  std::string text = usage;
  for (const option_row& row : option_rows()) text += help_on(row, encodings);
  text += '\n' + filled("", 0, std::string(places_of_reports) + R"(
Without -c, reports go to standard error as utfcat: FILE:LINE:COLUMN: byte OFFSET: MESSAGE. The files after an error are
still written.)");
  return text + help_on_statuses() + help_on_examples(std::size(examples));
}

/// All that is known about an option.
std::string help_on_option(const option_row& row) {
  std::string text = help_on(row, main_encodings());
  for (std::string_view rest = row.more; !rest.empty();) {
    const std::size_t end = std::min(rest.find("\n\n", 1), rest.size());
    text += '\n' + filled("", column, rest.substr(0, end));
    rest.remove_prefix(end);
  }
  for (const exclusion& one : row.exclusions) text += '\n' + filled("", column, reason_of(row, one));
  return text;
}

std::string help_on_encodings() {
  const auto list = [](const char* what, auto wanted) {
    return std::string(what) + ":\n" + filled("", 2, joined(encodings_that(wanted), ", "));
  };
  const auto is_of_unicode = [](utfilter::encoding e) {
    return utfilter::detail::is_unicode(e) || e == utfilter::encoding::cesu8 || e == utfilter::encoding::modified_utf8;
  };
  return list("Unicode", is_of_unicode) +
         list("Several bytes per character", [&](auto e) { return !is_of_unicode(e) && !is_single_byte(e); }) +
         list("One byte per character", [](auto e) { return is_single_byte(e); }) +
         "\nutfcat --list shows their other names, and the charsets of ICU.\n"
         "For --from: detect, guess, and several encodings with commas between them; see utfcat --help from.\n";
}

//------------------------------------------------------------------------------------------------------------- --manual

/// What the user writes as it is: bold, and with the hyphens of ASCII.
std::string literal(std::string_view text) {
  std::string all = "\\fB\\%";
  for (const char c : text) {
    if (c == '\'')
      all += "\\(aq";
    else
      all += c == '-' ? "\\-" : c == '\\' ? "\\e" : std::string(1, c);
  }
  return all + "\\fR";
}

/// The names that stand for other words: the values of options, and the parts of a report.
std::set<std::string> placeholders() {
  std::set<std::string> names{"LINE", "COLUMN", "OFFSET", "MESSAGE", "FILE"};
  for (const option_row& row : option_rows()) {
    std::string name;
    for (const char c : std::string(row.value) + ' ') {
      if (c >= 'A' && c <= 'Z')
        name += c;
      else if (!name.empty())
        names.insert(std::exchange(name, ""));
    }
  }
  return names;
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Text in the language of man(7): options and `quotes` are bold, placeholders are italic, each sentence begins a line,
/// and each paragraph but the first begins with the macro.
std::string roff(std::string_view text, std::string_view macro = ".IP") {
  static const std::set<std::string> names = placeholders();
  const auto end_of = [&](std::size_t from, auto is_part) {
    while (from != text.size() && is_part(text[from])) ++from;
    return from;
  };
  std::string all;
  text.remove_prefix(end_of(0, [](char c) { return c == '\n'; }));
  for (std::size_t i = 0, end; i < text.size(); i = end) {
    const char before = i == 0 ? ' ' : text[i - 1], c = text[i];
    end = i + 1;
    if (c == '`') {
      end = text.find('`', end) + 1;
      all += literal(text.substr(i + 1, end - i - 2));
    } else if (text.substr(i, 2) == "\n\n") {
      ++end;
      all.append("\n").append(macro).append("\n");
    } else if (c == ' ' || c == '\n') {
      all += before == '.' || (before == ')' && i > 1 && text[i - 2] == '.') ? '\n' : ' ';
    } else if (c == '-' && (before == ' ' || before == '\n' || before == '(') &&
               (is_letter(text[end]) || text[end] == '-')) {
      end = end_of(end, [](char part) { return part == '-' || is_letter(part); });
      all += literal(text.substr(i, end - i));
    } else if (is_letter(c)) {
      end = end_of(end, is_letter);
      const std::string word(text.substr(i, end - i));
      all += names.count(word) != 0 ? "\\fI\\%" + word + "\\fR" : word;
    } else {
      all += c == '\\' ? "\\e" : std::string(1, c);
    }
  }
  return all;
}

/// A paragraph with a tag.
std::string tagged(const std::string& tag, const std::string& text) { return ".TP\n" + tag + '\n' + text + '\n'; }

/// Text of --help as a sentence.
std::string sentence(std::string text) {
  text.erase(0, text.find_first_not_of('\n'));
  if (const char first = text[0]; first >= 'a' && first <= 'z') text[0] = static_cast<char>(first - 'a' + 'A');
  return text.back() == ':' ? text : text + '.';
}

std::string manual_of(const option_row& row, const std::string& encodings) {
  std::string tag = row.letter == 0 ? "" : literal(std::string("-") + row.letter) + ", ";
  tag += literal(row.flag());
  if (!row.value.empty()) tag += row.is_optional ? "[=" + roff(row.value) + ']' : '=' + roff(row.value);
  std::string page = tagged(tag, with_encodings(roff(sentence(row.text)), encodings));
  if (!row.choices.empty()) page += ".RS\n";
  for (const choice& one : row.choices) page += tagged(literal(one.name), roff(one.text));
  if (!row.choices.empty()) page += ".RE\n";
  std::string more = row.more;
  for (const exclusion& one : row.exclusions) more += (more.empty() ? "" : " ") + reason_of(row, one);
  if (!more.empty()) page += (row.choices.empty() ? "" : ".IP\n") + roff(more) + '\n';
  return page;
}

constexpr char description[] = R"(
Writes the files to standard output, as one text: decoded from any of the encodings below, checked, repaired if asked,
and encoded. Without FILE, or if FILE is `-`, it reads standard input, and writes each line as it comes.

In UTF-8, each ill-formed sequence that is reported or repaired is a maximal subpart of the Unicode standard (section
3.9): the longest sequence of bytes that could begin a character, or else a single byte. The byte after it is never
skipped.

The report of an error is FILE:LINE:COLUMN: byte OFFSET: MESSAGE.

Reports go to standard error, after the prefix "utfcat: "; with -c they go to standard output, without the prefix. In
messages, control characters of names and text are shown as `\xHH` or `\u{HHHH}`.)";

constexpr char about_options[] =
    "An option whose value is a list may be repeated: its lists add up. Any other option with a value is given once.";

constexpr char after_exit_statuses[] = R"(
The files after an error are still written. If the reader of a pipe goes away, as `head` does, SIGPIPE ends utfcat, as
it ends `cat`.)";

}  // namespace

std::string version_number() {
  constexpr int v = UTFILTER_VERSION;
  return std::to_string(v / 10000) + '.' + std::to_string(v / 100 % 100) + '.' + std::to_string(v % 100);
}

std::string version_text() {
  std::vector<std::string> with, without;
  const auto add = [&](bool is_there, const char* what) { (is_there ? with : without).emplace_back(what); };
  add(advice_on_icu().empty(), "ICU's charsets");
#ifdef UTFCAT_WITH_NFC
  add(true, "NFC");
#else
  add(false, "NFC");
#endif
  add(can_decompress(compression::zstd), "zstd");
  add(can_decompress(compression::xz), "xz");
  add(utfilter::encoding_from_name("gbk").has_value(), "the multi-byte encodings of Chinese, Japanese and Korean");
  const utfilter::encoding_guess german = utfilter::guess_encoding("f\xFCr sch\xF6ne M\xFCnzen");
  add(german.decided_by == utfilter::evidence::statistics, "models of languages");
  std::string text = "utfcat (utfilter) " + version_number() + '\n';
  if (!with.empty()) text += "built with " + enumeration(with) + '\n';
  if (!without.empty()) text += "built without " + enumeration(without) + '\n';
  return text;
}

std::string help_text(const std::string& topic) {
  if (topic.empty()) return brief_help();
  if (topic == "all") return whole_help();
  if (topic == "encodings") return help_on_encodings();
  const std::size_t begin = std::min(topic.find_first_not_of('-'), topic.size());
  const bool is_letter = begin == 1 || topic.size() == 1;
  const std::string name = topic == "filters" ? "--filter" : (is_letter ? "-" : "--") + topic.substr(begin);
  if (const option_row* const row = find_option(name)) return help_on_option(*row);
  std::vector<std::string> known{"all", "encodings", "filters"};
  for (const option_row& row : option_rows()) known.emplace_back(row.name);
  throw usage_error("--help: there is no topic " + visible(topic) + " (the nearest is " + nearest_of(known, topic) +
                    "; they are all, encodings, filters and the names of options)");
}

std::string manual_page() {
  std::vector<std::string> names = encodings_that([](auto) { return true; });
  for (std::string& name : names) name = literal(name);
  const std::string encodings = joined(names, ", ");
  std::string page = ".TH UTFCAT 1 \"\" \"utfilter " + version_number() + "\" \"User Commands\"\n" + R"(.SH NAME
utfcat \- check, repair and transcode text files
.SH SYNOPSIS
\fButfcat\fR [\fIOPTION\fR]... [\fIFILE\fR]...
.SH DESCRIPTION
)" + roff(description, ".PP") +
                     "\n.PP\n" + roff(places_of_reports) + "\n.SH OPTIONS\n" + roff(about_options) + '\n';
  for (const option_row& row : option_rows()) page += manual_of(row, encodings);
  page += ".SH EXIT STATUS\n";
  for (const choice& one : exit_statuses) page += tagged(literal(one.name), roff(sentence(one.text)));
  page += ".PP\n" + roff(after_exit_statuses) + "\n.SH ENVIRONMENT\n" +
          tagged("\\fBNO_COLOR\\fR, \\fBTERM\\fR",
                 roff("The output has no colours if `NO_COLOR` is set and not empty, or if `TERM` is `dumb`.")) +
          ".SH EXAMPLES\n";
  for (const choice& one : examples) page += tagged(literal(one.name), roff(one.text));
  page += ".SH SEE ALSO\n\\fBfile\\fR(1), \\fBiconv\\fR(1), \\fBisutf8\\fR(1), \\fButf\\-8\\fR(7)\n";

  std::string ascii;
  for (const char32_t c : utfilter::to_u32string(page)) {
    char name[16];
    if (c < 0x80)
      ascii += static_cast<char>(c);
    else
      ascii.append(name,
                   static_cast<std::size_t>(std::snprintf(name, sizeof name, "\\[u%04X]", static_cast<unsigned>(c))));
  }
  return ascii;
}

std::string words_after(const std::string& word) {
  std::vector<std::string> words;
  const option_row* const row = find_option(word);
  if (row == nullptr || row->value.empty()) {
    for (const option_row& one : option_rows()) words.push_back(one.flag());
    return joined(words, "\n") + '\n';
  }
  for (const choice& one : row->choices) {
    const std::string name = one.name.substr(0, one.name.find_first_of("[:"));
    const std::string takes = one.name.substr(name.size());
    if (takes == ":ENC:ENC2") words.push_back(name + ":windows-1252:windows-1251");
    if (one.name == "mojibake[:ENC]") words.push_back(name + ":auto");
    if (takes.empty() || takes[0] == '[') words.push_back(name);
    if (takes != ":SET") continue;
    for (const std::string& set : words_of(utfilter::characters_names())) words.emplace_back(name + ':').append(set);
  }
  const auto add_encodings = [&](auto wanted) {
    for (std::string& name : encodings_that(wanted)) words.push_back(std::move(name));
  };
  for (const std::string& one : words_of(row->words)) {
    if (one == "BYTE_ENCODINGS")
      add_encodings([](auto e) { return !is_decided_by_bom(e) && code_unit_size(e) == 1; });
    else if (one == "ENCODINGS" || one == "CHARSETS")
      add_encodings([](auto) { return true; });
    else if (one == "OPTIONS")
      for (const option_row& option : option_rows()) words.emplace_back(option.name);
    else if (one == "FINDINGS")
      for (std::string& kind : kinds_of_findings()) words.push_back(std::move(kind));
    else
      words.push_back(one);
    if (one == "CHARSETS")
      for (const auto& charset : list_of_charsets()) words.push_back(lower_case(charset.first));
  }
  return words.empty() ? "" : joined(words, "\n") + '\n';
}

}  // namespace utfcat
