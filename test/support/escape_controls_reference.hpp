// escape_controls_reference.hpp: the output that escape_controls must give, computed the slow way: over the whole input
// at once, from the list of escaped characters. This file may include nothing of include/ or src/.
#ifndef UTFILTER_TEST_ESCAPE_CONTROLS_REFERENCE_HPP
#define UTFILTER_TEST_ESCAPE_CONTROLS_REFERENCE_HPP

#include "support/conformance_reference.hpp"

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conformance::reference {

struct escape_format {
  char32_t first, last;
  const char* format;
};

constexpr escape_format escapes[] = {
    {0x0000, 0x0008, "\\x%02X"},   {0x000B, 0x001F, "\\x%02X"},   {0x007F, 0x007F, "\\x%02X"},  // ASCII
    {0x0080, 0x009F, "\\u{%04X}"},                                                              // C1
    {0x2028, 0x2028, "\\u{%04X}"}, {0x2029, 0x2029, "\\u{%04X}"},                               // LS, PS
    {0x061C, 0x061C, "\\u{%04X}"},                                                              // ALM
    {0x200E, 0x200E, "\\u{%04X}"}, {0x200F, 0x200F, "\\u{%04X}"},                               // LRM, RLM
    {0x202A, 0x202E, "\\u{%04X}"},  // LRE, RLE, PDF, LRO, RLO
    {0x2066, 0x2069, "\\u{%04X}"},  // LRI, RLI, FSI, PDI
};

/// What is escaped beside the characters above, and how.
struct escape_choice {
  bool line_feed = false;  // otherwise line feeds pass, and the carriage returns before them
  bool tab = false, backslash = false, quote = false;
  bool json = false;  // escapes all of these, too
};

/// A character as the filter writes it; a carriage return as if no line feed followed.
inline std::string shown(char32_t c, const escape_choice& choice = {}) {
  char text[16];
  if ((c == U'\\' && (choice.backslash || choice.json)) || (c == U'"' && (choice.quote || choice.json)))
    return {'\\', static_cast<char>(c)};
  const char* format = nullptr;
  if ((c == U'\n' && (choice.line_feed || choice.json)) || (c == U'\t' && (choice.tab || choice.json)))
    format = "\\x%02X";
  for (const auto& row : escapes)
    if (c >= row.first && c <= row.last) format = row.format;
  if (format == nullptr) return utf8(c);
  std::snprintf(text, sizeof text, choice.json ? "\\u%04X" : format, static_cast<unsigned>(c));
  return text;
}

/// Escapes the whole input. Without `ends` the outcome is the one that a stream must show once these bytes have arrived
/// and more may follow.
class escaper {
 public:
  escaper(const params& p, std::string_view input, bool writing, bool ends, const escape_choice& choice = {})
      : choice_(choice) {
    const bool passes_line_feeds = !choice.line_feed && !choice.json;
    while (at_.offset < input.size()) {
      const std::string_view rest = input.substr(static_cast<std::size_t>(at_.offset));
      const item next = decode(encoding::utf8, rest);
      if (!ends && (next.code == errc::incomplete_at_end || (passes_line_feeds && rest == "\r"))) break;
      if (next.good) {
        const bool of_line_end = passes_line_feeds && rest.substr(0, 2) == "\r\n";
        put(of_line_end ? "\r\n" : shown(next.value, choice_), rest.substr(0, of_line_end ? 2 : next.size));
        at_.offset += of_line_end ? 2 : next.size;
        ++at_.column;
        if (of_line_end || next.value == U'\n') {
          ++at_.line;
          at_.column = 1;
          at_.line_offset = at_.offset;
        }
        continue;
      }
      error_info error = at_;
      error.code = next.code;
      error.bytes = rest.substr(0, next.size);
      result_.observed.push_back(error);
      steps_.push_back({{}, error});
      at_.offset += next.size;
      ++at_.column;
      const bool stops = p.on_error == on_error::stop && !writing;
      if (p.on_error == on_error::strict || (p.on_error == on_error::stop && writing) ||
          result_.observed.size() > p.error_limit)
        result_.thrown = error;
      if (result_.thrown || stops) break;
      repair(p, error.bytes);
    }
    stream_report& report = result_.report;
    report.encoding = encoding::utf8;
    report.bytes_in = at_.offset;
    report.bytes_out = result_.output.size();
    report.lines = at_.line - 1;
    report.errors = result_.observed.size();
    if (report.errors == 0) return;
    report.first_error = result_.observed.front();
    report.last_error = result_.observed.back();
  }

  const outcome& result() const { return result_; }
  const std::vector<step>& steps() const { return steps_; }
  const error_info& place() const { return at_; }

  /// The offsets in the output at which a character begins or ends.
  const std::vector<std::size_t>& boundaries() const { return boundaries_; }

 private:
  void put(const std::string& character, std::string_view before) {
    result_.output += character;
    result_.report.changes += character != before;
    steps_.push_back({character, std::nullopt});
    boundaries_.push_back(result_.output.size());
  }

  void repair(const params& p, std::string_view wrong) {
    std::string_view replacement = p.replacement;
    if (p.on_error == on_error::replace) {
      while (!replacement.empty()) {
        const item next = decode(encoding::utf8, replacement);
        put(shown(next.value, choice_), utf8(next.value));
        replacement.remove_prefix(next.size);
      }
    }
    for (const char c : wrong) {
      const unsigned byte = byte_of(c);
      char text[8];
      std::snprintf(text, sizeof text, "\\x%02X", byte);
      if (p.on_error == on_error::windows1252) put(shown(windows1252(byte), choice_), utf8(windows1252(byte)));
      if (p.on_error != on_error::escape) continue;
      for (const char digit : std::string_view(text)) put(shown(static_cast<char32_t>(digit), choice_), {&digit, 1});
    }
  }

  escape_choice choice_;
  error_info at_;  // the place in the input; the other members are not used
  outcome result_;
  std::vector<step> steps_;
  std::vector<std::size_t> boundaries_;
};

}  // namespace conformance::reference

#endif
