// option_row.hpp: the table of utfcat's options. The parser, --help, the manual page and the
// completion are loops over it.
#ifndef UTFCAT_OPTION_ROW_HPP
#define UTFCAT_OPTION_ROW_HPP

#include "options.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

/// One of a few words that an option takes as its value.
struct choice {
  std::string name;
  std::string text;  // what it means
  int value = 0;     // of its enumerator
};

/// Options that make no sense with another one.
struct exclusion {
  std::vector<std::string_view> others;
  const char* why;  // "--NAME WHY, so --OTHER makes no sense with it"
};

/// What is refused about an option that was given, and why. All options have been read by then.
struct refusal {
  bool (*given)(const options&);
  const char* why;
};

/// What a user wants to do: the groups of --help.
enum class task { read, write, repair, report, follow, learn };

/// One option.
///
/// In texts, `quotes` mark what the user writes as it is; --help leaves them out. An empty line begins a paragraph.
struct option_row {
  char letter;  // 0 if it has none
  std::string_view name;
  std::string_view value;  // the name of its value; empty if it takes none
  void (*set)(options&, const option_row&, const std::string& value);
  std::string text;             // for --help and the manual page; the choices follow
  std::vector<choice> choices;  // of the value
  std::string more;             // for the manual page, and for --help with the name of the option
  task of = task::learn;
  std::string brief;       // for --help, which names the option among others if this is empty
  std::string_view words;  // what the completion proposes besides the choices
  std::vector<exclusion> exclusions;
  std::vector<refusal> refusals;
  bool adds_up = false;      // it may be repeated, and its value is a list
  bool is_optional = false;  // its value, which then follows an equals sign

  option_row(char letter_, std::string_view name_, std::string_view value_, decltype(set) set_)
      : letter(letter_), name(name_), value(value_), set(set_) {}

  std::string flag() const { return "--" + std::string(name); }
  bool needs_value() const noexcept { return !value.empty() && !is_optional; }

  // A row is written as a chain of these.

  option_row& says(std::string what) {
    text = std::move(what);
    return *this;
  }
  option_row& is_to(task what, std::string in_brief = "") {
    of = what;
    brief = std::move(in_brief);
    return *this;
  }
  option_row& takes(std::vector<choice> what) {
    choices = std::move(what);
    return *this;
  }
  option_row& details(std::string what) {
    more = std::move(what);
    return *this;
  }
  /// Some words. CHARSETS, ENCODINGS, BYTE_ENCODINGS, FINDINGS and OPTIONS stand for the names of these.
  option_row& proposes(std::string_view what) {
    words = what;
    return *this;
  }
  option_row& excludes(std::vector<std::string_view> others, const char* why) {
    exclusions.push_back({std::move(others), why});
    return *this;
  }
  option_row& refused_if(bool (*given)(const options&), const char* why) {
    refusals.push_back({given, why});
    return *this;
  }
  option_row& may_be_repeated() {
    adds_up = true;
    return *this;
  }
  option_row& may_lack_its_value() {
    is_optional = true;
    return *this;
  }
};

/// All options, in the order of --help.
const std::vector<option_row>& option_rows();

/// The option that the user names, --NAME or -L, where NAME may be the start of one name only. Null if there is none,
/// or if there are several.
const option_row* find_option(std::string_view word);

}  // namespace utfcat

#endif
