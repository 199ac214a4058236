// inspection.cpp: the findings of an inspector as reports on a file.
#include "inspection.hpp"

#include "messages.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <utility>

namespace utfcat {
namespace {

using utfilter::all_findings;
using utfilter::finding;
using utfilter::text_position;

struct finding_kind {
  const char* rule;
  const char* what;  // the message about the first one
  const char* hint;
  place_report::level severity = place_report::level::warning;
};

constexpr const char* about_line_ends = "--filter lf or crlf gives all lines one kind";

finding_kind kind_of(finding f) noexcept {
  using level = place_report::level;
  switch (f) {
    case finding::lf: return {"mixed-line-ends", "line end LF", about_line_ends};
    case finding::crlf: return {"mixed-line-ends", "line end CR LF", about_line_ends};
    case finding::cr: return {"mixed-line-ends", "line end CR", about_line_ends};
    case finding::unfinished_line:
      return {"unfinished-line", "the last line has no line end", "text that is appended continues it", level::note};
    case finding::long_line:
      return {"long-line", "line of more than 1,000 characters", "are its line ends lost?", level::note};
    case finding::hole:
      return {"hole", "hole of NUL at the start, as copytruncate leaves it", "--filter skip-hole leaves it out"};
    case finding::null_run:
      return {"nul-run", "NUL in a row",
              "a program or the machine has stopped while it wrote; skip-controls leaves them out"};
    case finding::null:
      return {"nul", "NUL", "data that is no text has it, or UTF-16; --filter skip-controls leaves it out"};
    case finding::c0_control:
      return {"c0-control", "control character", "--filter escape-controls shows it, skip-controls leaves it out"};
    case finding::c1_control:
      return {"c1-control", "control character of the set C1, or DEL",
              "is the text windows-1252? --filter escape-controls shows it"};
    case finding::bidi_control:
      return {"bidi-control", "character that changes the direction of the text",
              "the text may read otherwise than it is; --filter escape-controls shows it"};
    case finding::open_bidi:
      return {"open-bidi", "line in which the direction of the text stays changed",
              "code or names may read otherwise than they are, see CVE-2021-42574; --filter escape:bidi shows it"};
    case finding::bom:
      return {"mark-inside", "byte order mark inside the text",
              "--filter strip-boms leaves out those that begin lines"};
    case finding::invisible:
      return {"invisible", "character that nobody sees",
              "--filter escape:invisible shows it, remove:invisible leaves it out"};
    case finding::tag:
      return {"tag", "tag character, which nobody sees",
              "such characters can hide text; --filter escape:tags shows them, remove:tags leaves them out"};
    case finding::no_break_space:
      return {"no-break-space", "no-break space", "programs may not take it for a space", level::note};
    case finding::private_use:
      return {"private-use", "private-use character", "only who made the text knows what it is", level::note};
    case finding::noncharacter: return {"noncharacter", "noncharacter", "no text should have one"};
    case finding::replacement:
      return {"replacement", "U+FFFD, in the place of what was lost", "only the text from which this was made has it"};
    case finding::replacement_mojibake:
      return {"replacement-mojibake",
              "looks like U+FFFD that was read as windows-1252 or GBK, in the place of what was lost",
              "only the text from which this was made has it"};
    case finding::mojibake:
      return {"mojibake", "looks like mojibake, UTF-8 that was read as ", "--filter mojibake:auto undoes it"};
    case finding::two_encodings:
      return {"two-encodings", "line of two encodings: UTF-8, and bytes that are ill-formed in it",
              "--line-fallback reads each line by itself, and --rejects keeps it"};
    case finding::shifted_utf16: break;
  }
  return {"shifted-utf16", "the bytes of a line end, swapped or shifted, as a character of UTF-16",
          "a byte is lost or added before it, or the byte order is wrong"};
}

/// The kinds that are no findings, unless somebody asks for one of them.
constexpr std::pair<finding, const char*> line_ends[] = {
    {finding::lf, "lf"}, {finding::crlf, "crlf"}, {finding::cr, "cr"}};

bool is_line_end(finding f) noexcept { return f == finding::lf || f == finding::crlf || f == finding::cr; }

const char* name_of_line_end(finding f) noexcept {
  return f == finding::crlf ? "CR LF" : f == finding::cr ? "CR" : "LF";
}

/// The kind of line end that most lines have.
finding usual_line_end(const utfilter::text_inspection& found) noexcept {
  return std::max({finding::lf, finding::crlf, finding::cr},
                  [&](finding a, finding b) { return found[a].count < found[b].count; });
}

std::string message_of(finding f, const utfilter::text_inspection& found) {
  const finding_kind kind = kind_of(f);
  const std::uint64_t count = found[f].count;
  std::string message = kind.what;
  if (f == finding::mojibake) message += encoding_name(found.mojibake_read_as);
  if (f == finding::hole || f == finding::null_run)
    message += ": " + std::to_string(count) + " bytes";
  else if (count != 1)
    message += ", the first of " + std::to_string(count);
  if (is_line_end(f)) {
    const finding usual = usual_line_end(found);
    const std::uint64_t lines = found[usual].count;
    if (f != usual)
      message +=
          ", but " + counted(lines, "line") + (lines == 1 ? " ends" : " end") + " with " + name_of_line_end(usual);
  }
  return message + " (" + kind.hint + ')';
}

}  // namespace

std::vector<std::string> kinds_of_findings() {
  std::vector<std::string> kinds = {"ill-formed", "utf16-inside", "declaration"};
  for (const auto& [f, name] : line_ends) kinds.emplace_back(name);
  for (const finding f : all_findings)
    if (kinds.back() != kind_of(f).rule) kinds.emplace_back(kind_of(f).rule);
  return kinds;
}

void inspection::begin(const locator& places) {
  places_ = &places;
  start_ = places.here();
}

void inspection::pass(std::string_view text, bool last) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  has_non_ascii_ = has_non_ascii_ || !std::all_of(text.begin(), text.end(), is_ascii);
  std::array<char, 256> out;
  for (; !repairs_.empty() && repairs_.front() < passed_ + text.size(); repairs_.pop_front()) {
    const auto before = static_cast<std::size_t>(repairs_.front() - passed_);
    inspect(text.substr(0, before));
    inspector_.transform("\xFF", 1, out.data(), out.size(), false);  // for the inspector, it is ill-formed
    text.remove_prefix(before + 1);
    ++passed_;
  }
  inspect(text);
  if (last) inspector_.transform(nullptr, 0, out.data(), out.size(), true);
  note_places();
}

void inspection::inspect(std::string_view text) {
  std::array<char, 256> out;
  for (std::size_t at = inspector_.check(text.data(), text.size()); at != text.size();
       at += inspector_.check(text.data() + at, text.size() - at)) {  // a byte order mark is not checked in place
    const std::size_t n = std::min(text.size() - at, out.size() / 2);
    at += inspector_.transform(text.data() + at, n, out.data(), out.size(), false).consumed;
  }
  passed_ += text.size();
}

/// Notes the places of the findings that are new, in the order of these places.
void inspection::note_places() {
  const utfilter::text_inspection& found = inspector_.inspection();
  const auto offset_of = [&](finding f) { return found[f].first.offset; };
  std::vector<finding> fresh;
  for (const finding f : all_findings)
    if (found[f].count != 0 && !first_[static_cast<std::size_t>(f)]) fresh.push_back(f);
  if (fresh.empty()) return;
  std::sort(fresh.begin(), fresh.end(), [&](finding a, finding b) { return offset_of(a) < offset_of(b); });
  // A copy goes on, because a finding that is noticed later may begin before these.
  std::optional<locator> ahead;
  if (places_ != nullptr) ahead = *places_;
  for (const finding f : fresh) {
    auto& place = first_[static_cast<std::size_t>(f)];
    place = found[f].first;
    if (!ahead) continue;
    ahead->go_to(offset_of(f));
    place = offset_of(f) == 0 ? start_ : ahead->here();
  }
}

std::vector<place_report> inspection::reports(const std::string& file, const utfilter::stream_report& report,
                                              const std::vector<std::string>& asked) const {
  const utfilter::text_inspection& found = inspector_.inspection();
  std::vector<place_report> all;
  if (report.first_error) {
    const utfilter::error_info& error = *report.first_error;
    std::string message = error.message();
    if (report.errors != 1) message += ", the first of " + counted(report.errors, "error");
    all.push_back({file, error, true, "ill-formed", "ill-formed text", message + " (--check names each)", report.errors,
                   place_report::level::error});
  }
  const auto asks_for = [&](std::string_view name) {
    return std::find(asked.begin(), asked.end(), name) != asked.end();
  };
  const finding usual = usual_line_end(found);
  for (const finding f : all_findings) {
    const utfilter::finding_count& here = found[f];
    if (here.count == 0) continue;
    const finding_kind kind = kind_of(f);
    const auto add = [&](const char* rule, const char* text) {
      all.push_back({file, *first_[static_cast<std::size_t>(f)], places_ != nullptr, rule, text, message_of(f, found),
                     here.count, kind.severity});
    };
    bool is_told = false;
    for (const auto& [line_end, name] : line_ends) {
      if (f != line_end || !asks_for(name)) continue;
      add(name, kind.what);
      is_told = true;
    }
    if (f != usual && (!is_told || asks_for(kind.rule)))
      add(kind.rule, is_line_end(f) ? "lines end in different ways" : kind.what);
  }
  std::stable_sort(all.begin(), all.end(), [](const place_report& a, const place_report& b) {
    return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column;
  });
  return all;
}

}  // namespace utfcat
