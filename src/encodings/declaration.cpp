// declaration.cpp: finds the name of the encoding that a text declares. Nothing here allocates, and each search passes
// over the text once.
#include "encodings/declaration.hpp"

#include "encodings/names.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace utfilter::detail {
namespace {

using text = std::string_view;
using predicate = bool (*)(std::string_view) noexcept;

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

/// Removes everything before the first of these bytes and returns it.
text take_until(text& t, text any_of) noexcept {
  const text before = t.substr(0, t.find_first_of(any_of));
  t.remove_prefix(before.size());
  return before;
}

/// Goes on after the next `lower_case`, in any case. Returns false, at the end, if there is none.
bool pass(text& t, text lower_case) noexcept {
  for (; t.size() >= lower_case.size(); t.remove_prefix(1))
    if (take(t, lower_case)) return true;
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

/// The name at the start of the text.
text name_at(text t) noexcept {
  const auto end = std::find_if_not(t.begin(), t.end(), is_of_name);
  return t.substr(0, static_cast<std::size_t>(end - t.begin()));
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
    return is_quoted(t) ? quoted_name(t) : name_at(t);
  }
  return {};
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
    if (same(next->name, "charset") && by_charset.empty()) by_charset = next->value;
  }
  if (!by_charset.empty()) return by_charset;
  return is_content_type ? by_content : text();
}

text of_html(text t, predicate knows) noexcept {
  while (true) {
    take_until(t, "<");
    if (t.empty()) return {};
    if (begins(t, "<!--")) {
      t.remove_prefix(2);  // the comment <!--> ends with the hyphens with which it began
      if (!pass(t, "-->")) return {};
    } else if (begins(t, "<meta") && t.size() > 5 && text(" \t\n\f\r/").find(t[5]) != text::npos) {
      t.remove_prefix(5);
      const text name = of_meta(t);
      if (knows(name)) return name;
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

/// The name after `coding:` or `coding=`, as Python searches it in a comment.
text after_coding(text line) noexcept {
  while (pass(line, "coding")) {
    if (!take(line, ":") && !take(line, "=")) continue;
    skip(line, blanks);
    return name_at(line);
  }
  return {};
}

text of_comment(text line) noexcept {
  skip(line, " \t\f");
  return take(line, "#") ? after_coding(line) : text();
}

text of_emacs(text line) noexcept {
  if (!pass(line, "-*-")) return {};
  const text inner = line.substr(0, line.find("-*-"));
  return inner.size() != line.size() ? after_coding(inner) : text();
}

/// The option fileencoding in a line of settings for Vim: `vim: set fenc=NAME :` or `vim: fenc=NAME`.
text of_vim(text line) noexcept {
  bool is_word = true;  // "vim:" stands at the start of the line or after a blank
  while (!line.empty()) {
    if (is_word && (take(line, "vim:") || take(line, "vi:") || take(line, "ex:"))) break;
    is_word = blanks.find(line.front()) != text::npos;
    line.remove_prefix(1);
  }
  while (!line.empty()) {
    skip(line, " \t:");
    if (take(line, "fileencoding=") || take(line, "fenc=")) return name_at(line.substr(0, line.find(':')));
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

/// The name in a header field, which may go on in lines that begin with a blank. In gettext's files the field begins with
/// a quotation mark.
text of_header(text t, predicate knows) noexcept {
  while (!t.empty()) {
    text line = take_line(t);
    take(line, "\"");
    if (!take(line, "content-type:")) continue;
    text name = charset_in(line);
    while (name.empty() && !t.empty() && blanks.find(t.front()) != text::npos) name = charset_in(take_line(t));
    if (knows(name)) return name;
  }
  return {};
}

text of_tex_line(text line) noexcept {
  skip(line, blanks);
  if (take(line, "%")) {
    skip(line, blanks);
    if (!take(line, "!tex")) return {};
    skip(line, blanks);
    if (!take(line, "encoding")) return {};
    skip(line, blanks);
    if (!take(line, "=")) return {};
    skip(line, blanks);
    return name_at(line);
  }
  if (take(line, "\\inputencoding{")) return name_at(line);
  if (!take(line, "\\usepackage[")) return {};
  const text name = name_at(line);
  return begins(line.substr(name.size()), "]{inputenc}") ? name : text();
}

text of_hunspell_line(text line) noexcept {
  if (line.substr(0, 4) != "SET ") return {};
  line.remove_prefix(4);
  skip(line, blanks);
  const text name = name_at(line);
  return line.find_first_not_of(blanks, name.size()) == text::npos ? name : text();
}

text of_lines(text t, predicate knows) noexcept {
  while (!t.empty()) {
    const text line = take_line(t);
    for (const text name : {of_tex_line(line), of_hunspell_line(line)})
      if (knows(name)) return name;
  }
  return {};
}

}  // namespace

std::string_view declared_name(std::string_view t, bool is_whole, predicate knows) noexcept {
  const text first = t.substr(0, most);
  for (const auto find : {of_xml, of_css, of_html, of_first_lines, of_header, of_lines})
    if (const text name = find(first, knows); !name.empty()) return name;
  return is_whole ? of_last_lines(t, knows) : text();
}

}  // namespace utfilter::detail
