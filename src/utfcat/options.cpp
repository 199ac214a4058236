// options.cpp: reads utfcat's command line by the table of options.
#include "options.hpp"

#include "charsets.hpp"
#include "messages.hpp"
#include "names.hpp"
#include "option_row.hpp"
#include "system.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace utfcat {

namespace {

[[noreturn]] void refuse_word(const std::string& why) { throw usage_error(why + " (see utfcat --help)"); }

/// Throws usage_error for an option that does not exist, with the nearest name if it is near.
[[noreturn]] void refuse_unknown(std::string_view word, std::string_view name) {
  std::vector<std::string> known;
  for (const option_row& row : option_rows()) known.push_back(row.flag());
  const std::string nearest = nearest_of(known, name);
  const std::string why = "unrecognised option '" + visible(word) + "' (";
  const bool is_near = 3 * distance(nearest, name) <= name.size();
  throw usage_error(why + (is_near ? "the nearest is " + nearest + "; " : "") + "see utfcat --help)");
}

/// The rows with this long name, or else those whose names begin so.
std::vector<const option_row*> rows_by_name(std::string_view name) {
  std::vector<const option_row*> found;
  for (const option_row& row : option_rows()) {
    if (row.name == name) return {&row};
    if (row.name.substr(0, name.size()) == name) found.push_back(&row);
  }
  return found;
}

const option_row* row_by_letter(char letter) {
  for (const option_row& row : option_rows())
    if (row.letter == letter) return &row;
  return nullptr;
}

/// The words of a command line, sorted: the values of each option, and the files.
///
/// --name=VALUE and --name VALUE are the same, and the name may be cut short; so are -xVALUE and -x VALUE; -xyz is
/// -x -y -z. After -- all words are files, and - is always one. Throws usage_error.
class command_line {
 public:
  command_line(int argc, const char* const* argv)
      : next_(argv + std::min(argc, 1)), end_(argv + argc), values_(option_rows().size()) {
    while (next_ != end_) {
      const std::string_view word = *next_++;
      if (word == "--") {
        files_.insert(files_.end(), next_, end_);
        return;
      }
      if (word.size() < 2 || word[0] != '-')
        files_.emplace_back(word);
      else if (word[1] == '-')
        read_name(word);
      else
        read_letters(word);
    }
  }

  std::vector<std::string>& files() noexcept { return files_; }
  /// The values that the option has got, in their order. For an option without a value: one empty string each time.
  const std::vector<std::string>& values(const option_row& row) const { return values_[index_of(row)]; }

 private:
  static std::size_t index_of(const option_row& row) { return static_cast<std::size_t>(&row - option_rows().data()); }

  void add(const option_row& row, std::string_view value) { values_[index_of(row)].emplace_back(value); }

  void read_name(std::string_view word) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string_view name = word.substr(0, equals);
    auto found = rows_by_name(name.substr(2));
    if (found.empty() || name.size() == 2) refuse_unknown(word, name);
    if (found.size() > 1) {
      std::sort(found.begin(), found.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
      std::string why = "option '" + visible(word) + "' is ambiguous and matches ";
      for (const auto* row : found)
        why += (row == found.front() ? "'" : row == found.back() ? ", and '" : ", '") + row->flag() + '\'';
      refuse_word(why);
    }
    const option_row& row = *found.front();
    const bool has_value = equals != word.size();
    if (has_value && equals + 1 == word.size())
      refuse_word("the argument for option '" + row.flag() + "' should follow immediately after the equal sign");
    if (has_value && row.value.empty()) refuse_word("option '" + row.flag() + "' does not take any arguments");
    if (has_value)
      add(row, word.substr(equals + 1));
    else
      add(row, row.needs_value() ? next_value(row) : "");
  }

  void read_letters(std::string_view word) {
    for (std::size_t i = 1; i != word.size(); ++i) {
      const option_row* const row = row_by_letter(word[i]);
      if (row == nullptr) refuse_unknown(word, word);
      if (row->needs_value()) return add(*row, i + 1 == word.size() ? next_value(*row) : word.substr(i + 1));
      add(*row, "");
    }
  }

  /// The next word. It is missing, too, if that word is the letter of an option.
  std::string_view next_value(const option_row& row) {
    const std::string_view word = next_ == end_ ? "-" : *next_;
    if (next_ == end_ || (word.size() == 2 && word[0] == '-' && row_by_letter(word[1]) != nullptr))
      refuse_word("the required argument for option '" + row.flag() + "' is missing");
    ++next_;
    return word;
  }

  const char* const* next_;
  const char* const* end_;
  std::vector<std::string> files_;
  std::vector<std::vector<std::string>> values_;  // of each row
};

/// The value of an option that was given. Throws usage_error if it was given more often than it may be.
std::string value_of(const option_row& row, const std::vector<std::string>& values) {
  if (row.value.empty()) return "";
  if (values.size() > 1 && !row.adds_up) throw usage_error(row.flag() + " is given twice");
  std::string all = values.front();
  for (std::size_t i = 1; i != values.size(); ++i) all += ',' + values[i];
  return all;
}

bool is_empty_file(const std::string& name) {
  std::error_code ignored;  // reading the file will fail with the reason
  const std::filesystem::path path = path_of(name);
  return std::filesystem::is_regular_file(path, ignored) && std::filesystem::file_size(path, ignored) == 0;
}

/// Throws usage_error if the user gave what makes no sense.
void refuse(bool given, std::string_view why) {
  if (given) throw usage_error(std::string(why));
}

/// Throws usage_error for what the rows of the given options refuse.
void check_rows(const command_line& line, const options& o) {
  const auto is_given = [&](const option_row& row) {
    if (row.name == "filter") return !o.filters.empty();  // --nfc is a filter, too
    // These values say no more than no option.
    if ((row.name == "jobs" && o.jobs == 1) || (row.name == "output" && !o.output)) return false;
    return !line.values(row).empty();
  };
  for (const option_row& row : option_rows())
    if (is_given(row))
      for (const exclusion& one : row.exclusions)
        for (const std::string_view other : one.others)
          if (is_given(*rows_by_name(other).front()))
            throw usage_error(row.flag() + ' ' + one.why + ", so --" + std::string(other) + " makes no sense with it");
  for (const option_row& row : option_rows())
    if (is_given(row))
      for (const refusal& one : row.refusals) refuse(one.given(o), one.why);
}

/// Throws usage_error for options that need to begin in the middle of a text, if its encoding has states.
void check_states(const options& o) {
  for (const utfilter::encoding e : {o.from, o.to}) {
    if (!utfilter::detail::has_states(e)) continue;
    const std::string given = (e == o.from ? "--from " : "--to ") + std::string(encoding_name(e)) + why_states;
    refuse(o.follow, given + "--follow");
    refuse(o.range.has_value(), given + "--range");
  }
}

/// Throws usage_error for options that do not work with a charset of ICU.
void check_charsets(const options& o) {
  for (const auto& [charset, option] : {std::pair(o.from_charset, "--from "), std::pair(o.to_charset, "--to ")}) {
    if (!charset) continue;
    const std::string given = option + charset->name();
    refuse(o.jobs != 1, given + " is a charset of ICU, so one thread converts it: leave out --jobs");
    refuse(o.follow, given + " is " + why_no_following);
    refuse(o.range && (charset == o.from_charset || charset->is_stateful()),
           given + (charset->is_stateful() ? std::string(why_states) + "--range" : std::string(" is ") + why_no_range));
  }
  if (o.sorts_lines() && o.from_charset) throw usage_error("--from " + o.from_charset->name() + " is " + why_no_lines);
}

/// Throws usage_error for a fallback of lines that cannot be in one file with other lines.
void check_line_fallbacks(const options& o) {
  for (const utfilter::encoding e : o.line_fallbacks)
    refuse(!is_decided_by_bom(o.from) && code_unit_size(e) != code_unit_size(o.from),
           "--line-fallback: a line of " + std::string(encoding_name(o.from)) + " cannot be " +
               (e == utfilter::encoding::guess ? "auto" : std::string(encoding_name(e))) +
               ", whose code units have another size");
}

}  // namespace

const option_row* find_option(std::string_view word) {
  if (word.size() == 2 && word[0] == '-') return row_by_letter(word[1]);
  if (word.substr(0, 2) != "--") return nullptr;
  const auto found = rows_by_name(word.substr(2));
  return found.size() == 1 ? found.front() : nullptr;
}

filter_choice declaration_of_output(const options& o) {
  using utfilter::encoding;
  encoding e = o.to;
  // With a byte order mark, the name that leaves the byte order to it is the right one.
  if (o.bom == utfilter::bom::add && (e == encoding::utf16le || e == encoding::utf16be)) e = encoding::utf16;
  if (o.bom == utfilter::bom::add && (e == encoding::utf32le || e == encoding::utf32be)) e = encoding::utf32;
  return declaring(e, o.to_charset ? o.to_charset->name() : "");
}

options parse(int argc, const char* const* argv) {
  command_line line(argc, argv);
  options o;
  for (const option_row& row : option_rows())
    if (const auto& values = line.values(row); !values.empty()) row.set(o, row, value_of(row, values));
  // One damaged line must not end a log whose other lines a fallback reads. But a file is replaced by no such text.
  const bool names_policy = !line.values(*row_by_letter('e')).empty();
  o.tells_repairs = !names_policy && !o.line_fallbacks.empty() && !o.rejects && !o.in_place && !o.output;
  if (o.tells_repairs) o.on_error = utfilter::on_error::replace;
  for (filter_choice& f : o.filters)
    if (f.is("declare")) f = declaration_of_output(o);
  o.check = o.check || (o.names_only && !o.quiet && !o.inspect);
  if (o.identify) {
    o.inspect = true;
    if (o.from == utfilter::encoding::detect) o.from = utfilter::encoding::guess;
  }
  o.files = std::move(line.files());
  if (o.files.empty()) o.files = {o.recursive ? "." : "-"};

  check_rows(line, o);
  check_states(o);
  check_charsets(o);
  check_line_fallbacks(o);
  // Range 0-0 of an empty file begins the file, as range_streambuf says. That of any other file has nothing.
  if (o.range && *o.range == utfilter::byte_range{0, 0} && is_empty_file(o.files[0])) o.range->end = 1;
  return o;
}

}  // namespace utfcat
