// declaration.cpp: finds the name of the encoding that a text declares. Nothing here allocates, and each search passes
// over the text once.
#include "encodings/declaration.hpp"

#include "encodings/charset_names.hpp"
#include "encodings/names.hpp"
#include "encodings/two_byte.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>

namespace utfilter::detail {
namespace {

using text = std::string_view;
using predicate = const std::function<bool(std::string_view)>&;

constexpr std::size_t most = 1024;  // bytes in which declarations count
constexpr text blanks = " \t", spaces = " \t\n\f\r";

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_of_name(char c) noexcept { return is_letter(c) || is_digit(c) || text("-_.:+").find(c) != text::npos; }

/// Whether the text begins with `lower_case`, in any case.
bool begins(text t, text lower_case) noexcept {
  return t.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), t.begin(), [](char x, char y) { return x == lower(y); });
}

/// If the text begins with `lower_case`, in any case, removes that and returns true.
bool take(text& t, text lower_case) noexcept {
  if (!begins(t, lower_case)) return false;
  t.remove_prefix(lower_case.size());
  return true;
}

void skip(text& t, text any_of) noexcept { t.remove_prefix(std::min(t.find_first_not_of(any_of), t.size())); }

/// Removes everything before the first of these bytes of ASCII and returns it.
text take_until(text& t, text any_of) noexcept {
  std::uint64_t wanted[2] = {};  // a bit for each byte
  for (const char c : any_of) wanted[static_cast<unsigned char>(c) / 64] |= std::uint64_t{1} << c % 64;
  const auto is_wanted = [&](char each) {
    const auto c = static_cast<unsigned char>(each);
    return c < 0x80 && ((wanted[c / 64] >> c % 64) & 1U) != 0;
  };
  const text before = t.substr(0, static_cast<std::size_t>(std::find_if(t.begin(), t.end(), is_wanted) - t.begin()));
  t.remove_prefix(before.size());
  return before;
}

/// Goes on after the next `lower_case`, in any case. Returns false, at the end, if there is none.
bool pass(text& t, text lower_case) noexcept {
  for (; t.size() >= lower_case.size(); t.remove_prefix(1))
    if (lower(t.front()) == lower_case.front() && take(t, lower_case)) return true;
  t = {};
  return false;
}

/// Removes a line and returns it without its end.
text take_line(text& t) noexcept {
  const text line = take_until(t, "\r\n");
  if (!t.empty() && t.front() == '\r') t.remove_prefix(1);
  if (!t.empty() && t.front() == '\n') t.remove_prefix(1);
  return line;
}

/// The characters at the start of the text that belong to a name, or for which another `is_part` is true.
text name_at(text t, bool (*is_part)(char) noexcept = is_of_name) noexcept {
  const auto end = std::find_if_not(t.begin(), t.end(), is_part);
  return t.substr(0, static_cast<std::size_t>(end - t.begin()));
}

/// Whether a word follows in the line: then a name before it is a part of prose.
bool is_before_word(text line) noexcept {
  const std::size_t blank = std::min(line.find_first_not_of(blanks), line.size());
  return blank != 0 && blank != line.size() && (is_letter(line[blank]) || is_digit(line[blank]));
}

/// Whether the name may be a word or number of prose: "866", "Greek", "Mac". In a strict form, as in XML, such a name
/// counts.
bool is_of_prose(text name) noexcept {
  constexpr text words[] = {"arabic",  "binary", "chinese", "cyrillic", "greek", "hebrew",  "japanese", "korean",
                            "logical", "pck",    "r8",      "mac",      "thai",  "unicode", "visual",   "macintosh"};
  return std::all_of(name.begin(), name.end(), is_digit) ||
         std::any_of(std::begin(words), std::end(words), [&](text word) { return equal_names(name, word); });
}

/// The name at the start of the text, unless it belongs to prose.
text plain_name_at(text line) noexcept {
  const text name = name_at(line);
  return is_of_prose(name) || is_before_word(line.substr(name.size())) ? text() : name;
}

bool is_quoted(text t) noexcept { return !t.empty() && (t.front() == '"' || t.front() == '\''); }

/// The name between quotation marks at the start of the text.
text quoted_name(text t) noexcept {
  if (!is_quoted(t)) return {};
  const char quote = t.front();
  t.remove_prefix(1);
  const text name = name_at(t);
  return name.size() != t.size() && t[name.size()] == quote ? name : text();
}

/// The text without the blanks around it.
text trimmed(text t) noexcept {
  skip(t, spaces);
  return t.substr(0, t.find_last_not_of(spaces) + 1);
}

text of_xml(text t, predicate knows) noexcept {
  skip(t, spaces);
  if (!take(t, "<?xml") || t.empty() || spaces.find(t.front()) == text::npos) return {};
  t = t.substr(0, t.find("?>"));
  while (pass(t, "encoding")) {
    skip(t, spaces);
    if (!take(t, "=")) continue;
    skip(t, spaces);
    const text name = quoted_name(t);
    return knows(name) ? name : text();
  }
  return {};
}

text of_css(text t, predicate knows) noexcept {
  constexpr text begin = "@charset \"";
  if (t.substr(0, begin.size()) != begin) return {};
  t.remove_prefix(begin.size());
  const text name = name_at(t);
  return t.substr(name.size(), 2) == "\";" && knows(name) ? name : text();
}

/// The name in the value of an attribute or header, such as "text/html; charset=NAME".
text charset_in(text t) noexcept {
  while (pass(t, "charset")) {
    skip(t, spaces);
    if (!take(t, "=")) continue;
    skip(t, spaces);
    if (!is_quoted(t)) return name_at(t);
    const std::size_t end = t.find(t.front(), 1);
    return end != text::npos ? trimmed(t.substr(1, end - 1)) : text();
  }
  return {};
}

/// The same in the field of a header, where a name before another word is a part of prose.
text charset_in_field(text field) noexcept {
  const text name = charset_in(field);
  if (name.empty()) return {};
  return is_before_word(field.substr(static_cast<std::size_t>(name.data() + name.size() - field.data()))) ? text()
                                                                                                          : name;
}

struct attribute {
  text name, value;
};

/// Takes the next attribute of an HTML tag; std::nullopt at the end of the tag.
std::optional<attribute> take_attribute(text& t) noexcept {
  skip(t, " \t\n\f\r/");
  if (t.empty() || t.front() == '>') return std::nullopt;
  attribute found;
  const text all = t;
  t.remove_prefix(1);  // a name may begin with an equals sign
  take_until(t, " \t\n\f\r/>=");
  found.name = all.substr(0, all.size() - t.size());
  skip(t, spaces);
  if (t.empty() || t.front() != '=') return found;
  t.remove_prefix(1);
  skip(t, spaces);
  if (is_quoted(t)) {
    const text quote = t.substr(0, 1);
    t.remove_prefix(1);
    found.value = take_until(t, quote);
    if (t.empty()) return std::nullopt;  // the value has no end
    t.remove_prefix(1);
  } else {
    found.value = take_until(t, " \t\n\f\r>");
  }
  return found;
}

bool same(text a, text lower_case) noexcept { return a.size() == lower_case.size() && begins(a, lower_case); }

/// The name in an element meta, whose attributes are next.
text of_meta(text& t) noexcept {
  bool is_content_type = false;
  text by_charset, by_content;
  while (const auto next = take_attribute(t)) {
    if (same(next->name, "http-equiv")) is_content_type = is_content_type || same(next->value, "content-type");
    if (same(next->name, "content") && by_content.empty()) by_content = charset_in(next->value);
    if (same(next->name, "charset") && by_charset.empty()) by_charset = trimmed(next->value);
  }
  if (!by_charset.empty()) return by_charset;
  return is_content_type ? by_content : text();
}

/// Whether browsers refuse pages that declare this charset (WHATWG's encoding "replacement"). It makes other characters of
/// ASCII, so a script can hide in its text.
bool is_refused_in_html(text name) noexcept {
  return is_among(declared_charset_named(name), "ISO-2022-KR ISO-2022-CN ISO-2022-CN-EXT HZ-GB-2312");
}

text of_html(text t, predicate knows) noexcept {
  while (true) {
    take_until(t, "<");
    if (t.empty()) return {};
    if (begins(t, "<!--")) {
      t.remove_prefix(2);  // in the comment <!-->, the hyphens of the beginning are those of the end
      if (!pass(t, "-->")) return {};
    } else if (begins(t, "<meta") && t.size() > 5 && text(" \t\n\f\r/").find(t[5]) != text::npos) {
      t.remove_prefix(5);
      const text name = of_meta(t);
      if (knows(name) && !is_refused_in_html(name)) return name;
    } else if (t.size() > 1 && (is_letter(t[1]) || (t[1] == '/' && t.size() > 2 && is_letter(t[2])))) {
      take_until(t, " \t\n\f\r>");
      while (take_attribute(t)) {
      }
    } else if (t.size() > 1 && text("!/?").find(t[1]) != text::npos) {
      take_until(t, ">");
    } else {
      t.remove_prefix(1);
    }
  }
}

/// The name after `coding:` or `coding=`, as Python searches for it in a comment.
text after_coding(text line) noexcept {
  while (pass(line, "coding")) {
    if (!take(line, ":") && !take(line, "=")) continue;
    skip(line, blanks);
    return plain_name_at(line);
  }
  return {};
}

text of_comment(text line) noexcept {
  skip(line, " \t\f");
  return take(line, "#") ? after_coding(line) : text();
}

/// The line may have several lists of variables between -*- and -*-.
text of_emacs(text line) noexcept {
  constexpr text mark = "-*-";
  while (pass(line, mark)) {
    const text inner = line.substr(0, line.find(mark));
    if (inner.size() == line.size()) break;
    if (const text name = after_coding(inner); !name.empty()) return name;
    line.remove_prefix(inner.size() + mark.size());
  }
  return {};
}

/// Takes the word that begins settings for Vim: `vi:`, `ex:`, `vim:`, or a condition about Vim's version, such as
/// `vim700:`, `vim<702:` or `vim>=600:`.
bool take_vim(text& line) noexcept {
  text rest = line;
  if (take(rest, "vim")) {
    skip(rest, "<=>");
    rest.remove_prefix(name_at(rest, is_digit).size());
  } else if (!take(rest, "vi") && !take(rest, "ex")) {
    return false;
  }
  if (!take(rest, ":")) return false;
  line = rest;
  return true;
}

/// The option fileencoding in a line of settings for Vim: `vim: set fenc=NAME :` or `vim: fenc=NAME`.
text of_vim(text line) noexcept {
  bool is_word = true;  // the word stands at the start of the line or after a blank
  while (!line.empty()) {
    if (is_word && take_vim(line)) break;
    is_word = line.front() == ' ' || line.front() == '\t';
    line.remove_prefix(1);
  }
  while (!line.empty()) {
    skip(line, " \t:");
    if (take(line, "fileencoding=") || take(line, "fenc=")) {
      const text name = name_at(line.substr(0, line.find(':')));
      return is_of_prose(name) ? text() : name;
    }
    take_until(line, " \t:");
  }
  return {};
}

text of_first_lines(text t, predicate knows) noexcept {
  for (int i = 0; i != 2 && !t.empty(); ++i) {
    const text line = take_line(t);
    for (const text name : {of_emacs(line), of_vim(line), of_comment(line)})
      if (knows(name)) return name;
  }
  return {};
}

/// Vim reads its settings in the last five lines, too.
text of_last_lines(text t, predicate knows) noexcept {
  t = t.substr(t.size() - std::min(t.size(), most));
  for (int i = 0; i != 5 && !t.empty(); ++i) {
    if (t.back() == '\n') t.remove_suffix(1);
    const std::size_t end = t.find_last_of('\n');
    const text line = end == text::npos ? t : t.substr(end + 1);
    if (const text name = of_vim(line); knows(name)) return name;
    t.remove_suffix(line.size());
  }
  return {};
}

/// Emacs reads the values of variables at the end, too, between the lines `Local Variables:` and `End:`.
text of_local_variables(text t, predicate knows) noexcept {
  t = t.substr(t.size() - std::min(t.size(), most));
  if (!pass(t, "local variables:")) return {};
  while (!t.empty()) {
    text line = take_line(t);
    if (const text name = after_coding(line); knows(name)) return name;
    if (pass(line, "end:")) break;
  }
  return {};
}

/// The name in a header field, which may go on in lines that begin with a blank.
text of_header(text t, predicate knows) noexcept {
  while (!t.empty()) {
    text line = take_line(t);
    if (!take(line, "content-type:")) continue;
    text name = charset_in_field(line);
    while (name.empty() && !t.empty() && blanks.find(t.front()) != text::npos) name = charset_in_field(take_line(t));
    if (knows(name)) return name;
  }
  return {};
}

/// Removes the first item of a list that is separated by commas, and returns it without the blanks around it.
text take_item(text& list) noexcept {
  const text item = take_until(list, ",");
  list.remove_prefix(std::min<std::size_t>(1, list.size()));
  return trimmed(item);
}

/// The list between `open` and `close` at the start of the text; removes it, and the blanks around it. An option or a
/// package has neither brackets nor a command, so the search for the end passes over each byte once.
std::optional<text> take_list(text& t, text open, text close) noexcept {
  skip(t, blanks);
  if (!take(t, open)) return std::nullopt;
  const text list = take_until(t, "[]{}\\%");
  if (!take(t, close)) return std::nullopt;
  skip(t, blanks);
  return list;
}

/// The option of LaTeX's package inputenc, if the package stands next: `[NAME]{inputenc}`. The last name counts.
text of_inputenc(text t, predicate knows) noexcept {
  const std::optional<text> options = take_list(t, "[", "]");
  const std::optional<text> packages = options ? take_list(t, "{", "}") : std::nullopt;
  if (!packages) return {};
  bool is_inputenc = false;
  for (text rest = *packages; !rest.empty();) is_inputenc = take_item(rest) == "inputenc" || is_inputenc;
  text last;
  for (text rest = is_inputenc ? *options : text(); !rest.empty();)
    if (const text name = take_item(rest); name_at(name) == name && knows(name)) last = name;
  return last;
}

/// The name in a comment for editors: `!TEX encoding = NAME`.
text of_tex_comment(text comment) noexcept {
  skip(comment, blanks);
  if (!take(comment, "!tex")) return {};
  skip(comment, blanks);
  if (!take(comment, "encoding")) return {};
  skip(comment, blanks);
  if (!take(comment, "=")) return {};
  skip(comment, blanks);
  return name_at(comment);
}

/// The name in a command of LaTeX anywhere in the line, or in a comment for editors that is all of the line.
text of_tex_line(text line, predicate knows) noexcept {
  skip(line, blanks);
  if (take(line, "%")) return of_tex_comment(line);
  while (true) {
    take_until(line, "\\%");
    if (line.empty() || line.front() == '%') return {};  // a comment
    text name;
    if (take(line, "\\usepackage") || take(line, "\\requirepackage")) {
      name = of_inputenc(line, knows);
    } else if (take(line, "\\inputencoding")) {
      text list = line;
      name = take_list(list, "{", "}").value_or(text());
    } else {
      line.remove_prefix(std::min<std::size_t>(2, line.size()));  // in \%, the sign begins no comment
    }
    if (knows(name)) return name;
  }
}

/// The name that is the rest of a line.
text last_name(text line) noexcept {
  const std::size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  const text name = name_at(line.substr(begin));
  return line.find_first_not_of(blanks, begin + name.size()) == text::npos ? name : text();
}

/// Takes a word and the blanks after it.
bool take_word(text& line, text lower_case) noexcept {
  text rest = line;
  if (!take(rest, lower_case) || rest.empty() || blanks.find(rest.front()) == text::npos) return false;
  skip(rest, blanks);
  line = rest;
  return true;
}

text of_hunspell_line(text line) noexcept {
  const text name = line.substr(0, 4) == "SET " ? last_name(line.substr(4)) : text();
  return is_of_prose(name) ? text() : name;
}

/// The line `=encoding NAME` of Perl's documentation, POD.
text of_pod_line(text line) noexcept { return take_word(line, "=encoding") ? last_name(line) : text(); }

/// The line `scriptencoding NAME` of a Vim script.
text of_vim_script_line(text line) noexcept {
  skip(line, blanks);
  return take_word(line, "scriptencoding") || take_word(line, "scripte") ? last_name(line) : text();
}

/// The line `SET client_encoding = 'NAME';` of a dump of PostgreSQL.
text of_postgresql_line(text line) noexcept {
  skip(line, blanks);
  if (!take_word(line, "set") || !take(line, "client_encoding")) return {};
  skip(line, blanks);
  if (!take(line, "=") && !take_word(line, "to")) return {};
  skip(line, blanks);
  return is_quoted(line) ? quoted_name(line) : name_at(line);
}

/// The line `#pragma code_page(NUMBER)` of a resource script of Windows.
text of_resource_line(text line) noexcept {
  skip(line, blanks);
  if (!take(line, "#")) return {};
  skip(line, blanks);
  if (!take_word(line, "pragma") || !take(line, "code_page")) return {};
  skip(line, blanks);
  if (!take(line, "(")) return {};
  skip(line, blanks);
  const text name = name_at(line);
  line.remove_prefix(name.size());
  skip(line, blanks);
  return begins(line, ")") ? name : text();
}

/// The header field of gettext's files, whose first lines may be a long licence. Each line of the header is a string, in
/// which a backslash and an n end a field. The first string may stand after the word msgstr.
text of_gettext_line(text line) noexcept {
  if (take(line, "msgstr")) skip(line, blanks);
  if (!take(line, "\"")) return {};
  constexpr text end = "\\n";
  while (!line.empty()) {
    text field = line.substr(0, line.find(end));
    line.remove_prefix(std::min(field.size() + end.size(), line.size()));
    if (take(field, "content-type:")) return charset_in_field(field);
  }
  return {};
}

/// Searches the lines that begin in the first 1,024 bytes. Comments at the start, such as a long licence, are searched, but
/// not counted.
declaration of_lines(text t, predicate knows) noexcept {
  bool is_comment = true;
  for (std::size_t before = 0; !t.empty() && before < most;) {
    const std::size_t rest = t.size();
    const text line = take_line(t);
    is_comment = is_comment && (line.empty() || line.front() == '#' || line.front() == '%');
    if (!is_comment) before += rest - t.size();
    if (const text name = of_tex_line(line, knows); knows(name))
      return {name, trimmed(line).front() == '%' ? name_form::plain : name_form::tex};
    for (const auto find : {of_hunspell_line, of_gettext_line})
      if (const text name = find(line); knows(name)) return {name, name_form::page};
    for (const auto find : {of_pod_line, of_vim_script_line, of_postgresql_line, of_resource_line})
      if (const text name = find(line); knows(name)) return {name};
  }
  return {};
}

/// The number of a code page in the header of RTF, before its first group: `{\rtf1\ansi\ansicpg1252{`.
text of_rtf(text t, predicate knows) noexcept {
  if (!take(t, "{\\rtf")) return {};
  t = t.substr(0, t.find('{'));
  const text number = pass(t, "\\ansicpg") ? name_at(t, is_digit) : text();
  return knows(number) ? number : text();
}

}  // namespace

declaration find_declaration(std::string_view t, bool is_whole, predicate knows) noexcept {
  const text first = t.substr(0, most);
  // Where the text is cut, "iso-8859-15" may have become "iso-8859-1".
  const auto is_uncut = [&](text name) {
    if (name.empty()) return false;
    const std::size_t end = static_cast<std::size_t>(name.data() - t.data()) + name.size();
    return end == t.size() ? is_whole : end != first.size() || !is_of_name(t[end]);
  };
  for (const auto find : {of_xml, of_css, of_rtf})
    if (const text name = find(first, knows); is_uncut(name)) return {name};
  if (const text name = of_html(first, knows); is_uncut(name)) return {name, name_form::html};
  for (const auto find : {of_first_lines, of_header})
    if (const text name = find(first, knows); is_uncut(name)) return {name};
  if (const declaration found = of_lines(t, knows); is_uncut(found.name)) return found;
  if (is_whole)
    for (const auto find : {of_last_lines, of_local_variables})
      if (const text name = find(t, knows); !name.empty()) return {name};
  return {};
}

std::size_t size_of_line_ending(std::string_view name) noexcept {
  for (const std::string_view ending : {"-unix", "-dos", "-mac"}) {
    const std::size_t size = name.size() - std::min(name.size(), ending.size());
    if (equal_names(name.substr(size), ending)) return ending.size();
  }
  return 0;
}

declared_meaning meaning_of(std::string_view name) noexcept {
  name.remove_suffix(size_of_line_ending(name));
  if (name.empty()) return {};
  // Emacs writes latin-2 and iso-latin-2 for latin2.
  constexpr std::string_view latin = "latin-", iso_latin = "iso-latin-";
  if (equal_names(name.substr(0, iso_latin.size()), iso_latin)) name.remove_prefix(iso_latin.size() - latin.size());
  char number[8] = "latin";
  if (equal_names(name.substr(0, latin.size()), latin) && name.size() < latin.size() + 3)
    name = {number, name.substr(latin.size()).copy(number + latin.size() - 1, 2) + latin.size() - 1};
  // In RTF and in Windows' resource scripts 1252 means cp1252.
  char page[8] = "cp";
  if (name.size() < sizeof page - 2 && is_number(name)) name = {page, name.copy(page + 2, name.size()) + 2};
  for (const encoding e : encodings())
    if (is_among(name, encoding_names(e)))
      return {e, find_cjk_charset_names(encoding_name(e)) != nullptr ? encoding_name(e) : std::string_view()};
  return {std::nullopt, declared_charset_named(name)};
}

}  // namespace utfilter::detail
