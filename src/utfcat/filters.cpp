// filters.cpp: the table of --filter: names, help and factories.
#include "filters.hpp"

#include "messages.hpp"
#include "names.hpp"

#include <utfilter/changes.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/escape_controls.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/text_codec.hpp>
#include <utfilter/text_filters.hpp>
#include <utfilter/utf8.hpp>
#ifdef UTFCAT_WITH_NFC
#  include <utfilter/nfc.hpp>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <ios>
#include <utility>

namespace utfcat {
namespace {

using utfilter::encoding;
using utfilter::newline;
using utfilter::params;

template <class Codec>
std::unique_ptr<text_filter> filter_by(const utfilter::codec_filter<Codec>& filter, const params& p);

/// A text_filter by a filter of the library.
template <class Filter>
class by_filter final : public text_filter {
 public:
  explicit by_filter(const Filter& filter) : filter_(filter) {}

  void write(std::string_view text, std::string& to) override {
    string_sink sink(to);
    filter_.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  }
  void finish(std::string& to) override {
    string_sink sink(to);
    filter_.close(sink, std::ios_base::out);
  }
  utfilter::stream_report report() const override { return filter_.report(); }
  std::unique_ptr<text_filter> copy(const params& p) const override { return filter_by(filter_, p); }

 private:
  Filter filter_;
};

/// A text_filter by the codec of a filter, as it stands.
template <class Codec>
std::unique_ptr<text_filter> filter_by(const utfilter::codec_filter<Codec>& filter, const params& p) {
  using by_codec = utfilter::codec_filter<Codec>;
  return std::make_unique<by_filter<by_codec>>(by_codec(filter.codec(), p));
}

template <class Filter>
std::unique_ptr<text_filter> make(const params& p, const filter_choice&) {
  return std::make_unique<by_filter<Filter>>(Filter(p));
}
std::unique_ptr<text_filter> make_mojibake(const params& p, const filter_choice& f) {
  return std::make_unique<by_filter<utfilter::undo_mojibake>>(utfilter::undo_mojibake(f.encoding, p));
}
std::unique_ptr<text_filter> make_reread(const params& p, const filter_choice& f) {
  return std::make_unique<by_filter<utfilter::reread_legacy>>(utfilter::reread_legacy(f.encoding, f.is_in, p));
}
std::unique_ptr<text_filter> make_declaration(const params& p, const filter_choice& f) {
  using change = utfilter::changes::update_declaration;
  return std::make_unique<by_filter<utfilter::update_declaration>>(
      utfilter::update_declaration(f.charset.empty() ? change(f.encoding) : change(std::string_view(f.charset)), p));
}

std::unique_ptr<text_filter> make_reject(const params& p, const filter_choice& f) {
  return std::make_unique<by_filter<utfilter::reject_characters>>(utfilter::reject_characters(f.set, p));
}
std::unique_ptr<text_filter> make_remove(const params& p, const filter_choice& f) {
  return std::make_unique<by_filter<utfilter::remove_characters>>(utfilter::remove_characters(f.set, p));
}
std::unique_ptr<text_filter> make_escape(const params& p, const filter_choice& f) {
  return std::make_unique<by_filter<utfilter::escape_characters>>(utfilter::escape_characters(f.set, f.style, p));
}

/// The first character of the set in a text.
std::optional<utfilter::error_info> find_set(std::string_view text, const filter_choice& f) {
  utfilter::text_codec codec{utfilter::changes::reject_characters(f.set)};
  std::array<char, 4096> out;
  while (true) {
    const auto done = codec.transform(text.data(), text.size(), out.data(), out.size(), true);
    if (done.status == utfilter::codec_status::malformed) return codec.error();
    if (done.status != utfilter::codec_status::need_output) return std::nullopt;
    text.remove_prefix(done.consumed);
  }
}

std::optional<utfilter::error_info> find_controls(std::string_view text, const filter_choice&) {
  filter_choice controls{nullptr, encoding::utf8};
  controls.set = utfilter::characters::controls;
  return find_set(text, controls);
}

template <newline To>
std::unique_ptr<text_filter> make_newlines(const params& p, const filter_choice&) {
  return std::make_unique<by_filter<utfilter::convert_newlines>>(utfilter::convert_newlines(To, p));
}

//-------------------------------------------------------------------------------------------------------------- memories

bool ends_line(char c) noexcept { return c == '\n' || c == '\r'; }

/// A line feed after a carriage return belongs to it.
std::string memory_of_return(std::string_view text, const filter_choice&) {
  return !text.empty() && text.back() == '\r' ? "\r" : "";
}

/// A letter, if the text ends inside a line. A new strip_boms is at the start of one.
std::string memory_of_line(std::string_view text, const filter_choice&) {
  using utfilter::detail::utf8_bom;
  while (text.size() >= utf8_bom.size() && text.substr(text.size() - utf8_bom.size()) == utf8_bom)
    text.remove_suffix(utf8_bom.size());
  return text.empty() || ends_line(text.back()) ? "" : "x";
}

/// The zeros as far as they count, or a letter if the hole is over.
std::string memory_of_hole(std::string_view text, const filter_choice&) {
  constexpr auto most = static_cast<std::size_t>(utfilter::changes::skip_hole::least);
  return text.find_first_not_of('\0') == std::string_view::npos ? std::string(text.substr(0, most)) : "x";
}

/// The beginning of an escape sequence that has not ended: it is left out to its end.
std::string memory_of_sequence(std::string_view text, const filter_choice& f) {
  constexpr utfilter::characters ansi = utfilter::characters::ansi;
  if ((f.set & ansi) == utfilter::characters::none) return "";
  utfilter::changes::remove_characters change(f.set);
  utfilter::text_facts facts;
  char out[4];
  std::size_t begin = 0, at = 0;
  while (at != text.size()) {
    std::size_t n = 1;
    while (at + n != text.size() && (text[at + n] & 0xC0) == 0x80) ++n;
    change({text.substr(at, n)}, out, sizeof out, facts);
    at += n;
    // An A ends most sequences, and is a part of all of them.
    auto copy = change;
    if (copy({"A"}, out, sizeof out, facts).produced != 0) begin = at;
  }
  return std::string(text.substr(begin));
}

/// The group that waits, after a letter that means the same for it as the character before it.
std::string memory_of_mojibake(std::string_view text, const filter_choice& f) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  const auto last_ascii = std::find_if(text.rbegin(), text.rend(), is_ascii);  // which is in no group
  if (last_ascii != text.rend()) text = text.substr(static_cast<std::size_t>(text.rend() - last_ascii) - 1);

  utfilter::changes::undo_mojibake change(f.encoding);
  change.observe(true);
  std::string_view before;  // the last characters that passed; empty after a group
  utfilter::codec_progress done{};
  do {
    char out[256];
    utfilter::text_facts facts;
    done = change({text, utfilter::text_piece::follows::unknown}, out, sizeof out, facts);
    if (done.status == utfilter::codec_status::told)
      before = {};
    else if (done.consumed != 0)
      before = text.substr(0, done.consumed);
    text.remove_prefix(done.consumed);
  } while (done.status != utfilter::codec_status::need_input);

  const auto ends_with = [&](std::string_view c) {
    return before.size() >= c.size() && before.substr(before.size() - c.size()) == c;
  };
  std::string letter;
  if (before.empty() || ends_with("\uFEFF") || ends_with("\uFFFD"))
    letter = "";
  else if (!is_ascii(before.back()))
    letter = "A";  // a capital letter and a character beyond ASCII mean the same
  else
    letter = before.back();
  return letter + std::string(text);
}

#ifdef UTFCAT_WITH_NFC
constexpr auto make_nfc = make<utfilter::normalize_nfc>;
constexpr const char* why_no_nfc = nullptr;
#else
constexpr std::unique_ptr<text_filter> (*make_nfc)(const params&, const filter_choice&) = nullptr;
constexpr const char* why_no_nfc =
    "this utfcat was built without it: build it with libutf8proc-dev (Debian) and UTFILTER_BUILD_NFC";
#endif

constexpr filter_kind kinds[] = {
    {"nfc", "Unicode Normalization Form C, so that equal texts become\nequal bytes", make_nfc, nullptr, nullptr,
     filter_argument::none, nullptr, true, false, why_no_nfc},
    {"lf", "each line end, LF, CR LF or CR, becomes LF", make_newlines<newline::lf>, "line end", memory_of_return},
    {"crlf", "it becomes CR LF", make_newlines<newline::crlf>, "line end", memory_of_return},
    {"cr", "it becomes CR", make_newlines<newline::cr>, "line end", memory_of_return},
    {"reject", "the characters of SET are errors, as ill-formed bytes are", make_reject, nullptr, nullptr,
     filter_argument::characters, find_set},
    {"remove", "leave out the characters of SET; of ansi, whole escape\nsequences", make_remove, "character",
     memory_of_sequence, filter_argument::characters},
    {"escape", "they become \\xHH or \\u{HHHH}; with =json, the escapes of\nJSON", make_escape, "character", nullptr,
     filter_argument::characters},
    {"escape-controls", "control characters, and those that change the direction of\ntext, become \\xHH or \\u{HHHH}",
     make<utfilter::escape_controls>, "control character", memory_of_return},
    {"skip-controls", "leave out control characters but TAB, LF and CR", make<utfilter::remove_controls>,
     "control character"},
    {"reject-controls", "control characters but TAB, LF and CR are errors, as\nill-formed bytes are",
     make<utfilter::reject_controls>, nullptr, nullptr, filter_argument::none, find_controls},
    {"mojibake",
     "undo what a program has made that read UTF-8 as ENC\n(default: windows-1252; auto: as it is found for each\nline): "
     "caf\u00C3\u00A9 becomes caf\u00E9",
     make_mojibake, "character", memory_of_mojibake, filter_argument::encoding},
    {"reread", "undo what a program has made that read text in ENC2 as\ntext in ENC", make_reread, "character", nullptr,
     filter_argument::encodings},
    {"strip-boms", "leave out byte order marks at the start of lines", make<utfilter::strip_boms>, "byte order mark",
     memory_of_line},
    {"skip-hole", "leave out 512 or more NUL at the start of the file", make<utfilter::skip_hole>, "NUL",
     memory_of_hole, filter_argument::none, nullptr, false, true},
    {"declare",
     "write the name of the output's encoding where the text declares\nanother, as XML, HTML, PO files and LaTeX do",
     make_declaration, "declaration", nullptr, filter_argument::none, nullptr, true, true},
};

/// A filter that finds nothing after some other filters, or undoes their work.
struct no_sense {
  std::string_view second;                // makes no sense
  std::array<std::string_view, 3> first;  // after any of these
  const char* why;
};
constexpr no_sense in_vain[] = {
    {"lf", {"crlf", "cr"}, "the last one alone decides about the line ends"},
    {"crlf", {"lf", "cr"}, "the last one alone decides about the line ends"},
    {"cr", {"lf", "crlf"}, "the last one alone decides about the line ends"},
    {"escape-controls", {"cr"}, "a CR without LF is a control character, which would be escaped"},
    {"escape-controls",
     {"skip-controls"},
     "only CR and the characters that change the direction of text are left: give escape-controls alone"},
    {"skip-controls", {"escape-controls"}, "there are no control characters any more"},
    {"reject-controls", {"escape-controls", "skip-controls"}, "there are no control characters any more"},
    {"mojibake",
     {"escape-controls", "skip-controls", "reject-controls"},
     "mojibake may have control characters, which do not pass before it: give mojibake first"},
    {"skip-hole",
     {"escape-controls", "skip-controls", "reject-controls"},
     "the NULs of a hole are control characters, which do not pass before it: give skip-hole first"},
    {"skip-hole",
     {"strip-boms"},
     "a byte order mark after the hole is at the start of the text only then: give skip-hole first"},
};

const filter_kind* kind_named(std::string_view name) {
  return std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return k.name == name; });
}

/// Reads SET[+SET...][=json].
void read_set(filter_choice& choice, const std::string& text) {
  const std::string option = "--filter " + std::string(choice.kind->name);
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string set = text.substr(0, equals), style = text.substr(equals);
  if (!style.empty() && (style != "=json" || !choice.is("escape")))
    throw usage_error(option + ": " + visible(style) + (choice.is("escape") ? " is not =json" : " makes no sense"));
  for (std::size_t begin = 0; begin <= set.size();) {
    const std::size_t end = std::min(set.find('+', begin), set.size());
    const std::string one = set.substr(begin, end - begin);
    if (!utfilter::characters_from_name(one))
      throw usage_error(option + ": there is no set " + visible(one) + " (the nearest name is " +
                        nearest_of(words_of(utfilter::characters_names()), one) + "; utfcat --help filters shows all)");
    begin = end + 1;
  }
  choice.set_name = text;
  choice.set = *utfilter::characters_from_name(set);
  if (!style.empty()) choice.style = utfilter::escape_style::json;
}

filter_choice read_filter(const std::string& text, encoding (*look_up)(const char*, const std::string&)) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const filter_kind* const kind = kind_named(name);
  if (kind == std::end(kinds)) {
    std::vector<std::string> known;
    for (const filter_kind& one : kinds) known.emplace_back(one.name);
    throw usage_error("--filter: there is no filter " + visible(name) + " (the nearest name is " +
                      nearest_of(known, name) + "; utfcat --help filters shows all)");
  }
  if (kind->why_not != nullptr) throw usage_error("--filter " + name + ": " + kind->why_not);
  filter_choice choice{kind, encoding::windows1252};
  const bool has_argument = colon != std::string::npos;
  const auto single_byte = [&](const std::string& wanted) {
    const encoding found = look_up("--filter", wanted);
    if (!is_single_byte(found))
      throw usage_error("--filter: " + name + " needs an encoding of one byte per character, it cannot be " +
                        visible(wanted));
    return found;
  };
  switch (kind->takes) {
    case filter_argument::none:
      if (has_argument) throw usage_error("--filter: " + name + " takes no encoding: " + visible(text));
      break;
    case filter_argument::characters:
      if (!has_argument)
        throw usage_error("--filter: " + name + " needs a set of characters, such as " + name + ":bidi");
      read_set(choice, text.substr(colon + 1));
      break;
    case filter_argument::encoding:
      if (!has_argument) break;
      if (text.substr(colon + 1) == "auto")
        choice.encoding = encoding::guess;
      else
        choice.encoding = single_byte(text.substr(colon + 1));
      break;
    case filter_argument::encodings: {
      const std::size_t second = has_argument ? text.find(':', colon + 1) : std::string::npos;
      if (second == std::string::npos)
        throw usage_error("--filter: " + name + " needs two encodings, such as " + name + ":windows-1252:windows-1251");
      choice.encoding = single_byte(text.substr(colon + 1, second - colon - 1));
      choice.is_in = single_byte(text.substr(second + 1));
      if (choice.is_in == choice.encoding)
        throw usage_error("--filter: " + name + " with the same encoding twice changes nothing: " + visible(text));
    }
  }
  return choice;
}

}  // namespace

filter_choice declaring(encoding e, std::string charset) { return {kind_named("declare"), e, std::move(charset)}; }

std::vector<filter_choice> read_filters(const std::string& names,
                                        encoding (*look_up)(const char* option, const std::string& name)) {
  std::vector<filter_choice> choices;
  for (const std::string& name : names_in(names)) choices.push_back(read_filter(name, look_up));
  for (auto second = choices.begin(); second != choices.end(); ++second)
    for (auto first = choices.begin(); first != second; ++first) {
      const std::string_view before = first->kind->name, after = second->kind->name;
      if (first->full_name() == second->full_name() || (before == after && first->set_name.empty()))
        throw usage_error("--filter: " + second->full_name() + " is given twice");
      for (const no_sense& row : in_vain)
        if (row.second == after && std::find(row.first.begin(), row.first.end(), before) != row.first.end())
          throw usage_error("--filter: " + std::string(after) + " after " + std::string(before) +
                            " makes no sense: " + row.why);
    }
  return choices;
}

namespace {

const char* words_for(filter_argument takes) {
  switch (takes) {
    case filter_argument::none: return "";
    case filter_argument::encoding: return "[:ENC]";
    case filter_argument::encodings: return ":ENC:ENC2";
    case filter_argument::characters: return ":SET";
  }
  return "";
}

std::string name_of(encoding e) { return e == encoding::guess ? "auto" : std::string(encoding_name(e)); }

}  // namespace

std::vector<std::pair<std::string, std::string>> help_on_filters() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const filter_kind& kind : kinds) all.emplace_back(std::string(kind.name) + words_for(kind.takes), kind.help);
  return all;
}

std::string filter_choice::full_name() const {
  switch (kind->takes) {
    case filter_argument::encoding: return std::string(kind->name) + ':' + name_of(encoding);
    case filter_argument::encodings: return std::string(kind->name) + ':' + name_of(encoding) + ':' + name_of(is_in);
    case filter_argument::characters: return std::string(kind->name) + ':' + set_name;
    case filter_argument::none: break;
  }
  return std::string(kind->name);
}

filter_chain::filter_chain(const std::vector<filter_choice>& choices, const params& p, bool begins_file, bool remembers)
    : params_(p), remembers_(remembers) {
  for (const filter_choice& choice : choices)
    if (begins_file || !choice.kind->at_start) filters_.push_back({&choice, choice.kind->make(p, choice)});
  params_.observer = nullptr;
}

filter_chain filter_chain::copy(std::size_t n) const {
  filter_chain result;
  result.params_ = params_;
  for (std::size_t i = 0; i != n; ++i)
    result.filters_.push_back({filters_[i].choice, filters_[i].filter->copy(params_), {}, filters_[i].made});
  return result;
}

std::vector<filter_memory> filter_chain::memory() const {
  std::vector<filter_memory> all;
  for (const link& one : filters_) all.push_back({one.choice->full_name(), one.memory});
  return all;
}

void filter_chain::resume(const std::vector<filter_memory>& memory) {
  for (std::size_t i = 0; i != filters_.size(); ++i) {
    filters_[i].memory = memory[i].text;
    std::string given_before;
    filters_[i].filter->write(memory[i].text, given_before);
  }
}

std::size_t filter_chain::size_before_errors() const noexcept {
  const auto rejects = [](const link& one) { return one.choice->kind->find != nullptr; };
  return static_cast<std::size_t>(std::find_if(filters_.begin(), filters_.end(), rejects) - filters_.begin());
}

/// After a failure nothing passes. The filters after the one that has failed still get the text before the error, and
/// the end of it.
std::string_view filter_chain::pass(std::string_view text, bool last) {
  if (failure_) return {};
  for (link& one : filters_) {
    one.text.clear();
    if (const auto memory = one.choice->kind->memory; remembers_ && memory != nullptr)
      one.memory = memory(one.memory.append(text), *one.choice);
    try {
      one.filter->write(text, one.text);
      if (last) one.filter->finish(one.text);
    } catch (const utfilter::utf_error&) {
      failure_ = std::current_exception();
      last = true;
    }
    text = one.text;
    one.made += text.size();
  }
  return text;
}

bool filter_chain::holds_nothing_after(const filter_chain& later) const {
  filter_chain ended = copy();
  ended.pass({}, true);
  return std::equal(ended.filters_.begin(), ended.filters_.end(), later.filters_.begin(),
                    [](const link& one, const link& after) { return one.made <= after.made; });
}

std::uint64_t filter_chain::errors() const {
  std::uint64_t n = 0;
  for (const link& one : filters_) n += one.filter->report().errors;
  return n;
}

std::string filter_chain::counts() const {
  std::string text;
  for (const link& one : filters_) {
    const utfilter::stream_report report = one.filter->report();
    if (report.changes != 0) text += ", " + counted(report.changes, one.choice->kind->changed) + " changed";
    if (report.inserted != 0) text += ", " + counted(report.inserted, "joiner") + " inserted";
  }
  return text;
}

}  // namespace utfcat
