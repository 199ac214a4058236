// reports.cpp: the formats of reports: text, JSON, the commands of GitHub's workflows, and SARIF 2.1.0.
#include "reports.hpp"

#include "help.hpp"
#include "messages.hpp"
#include "utf16_watch.hpp"

#include <utfilter/config.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ios>
#include <iterator>
#include <string_view>

namespace utfcat {
namespace {

/// A name of a file as text. Bytes of it that are no UTF-8 become \xHH.
std::string name_as_text(const std::string& name) { return utfilter::sanitize(name, utfilter::on_error::escape); }

/// A string of JSON (RFC 8259 section 7).
std::string json_string(std::string_view text) {
  utfilter::printable_options o;
  o.style = utfilter::escape_style::json;
  return '"' + utfilter::to_printable(text, o) + '"';
}

/// The text, in which %HH stands for each byte that must be encoded.
template <class Must>
std::string percent_encoded(std::string_view text, Must must_be_encoded) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (must_be_encoded(c))
      result += {'%', digits[byte / 16], digits[byte % 16]};
    else
      result += c;
  }
  return result;
}

/// A value or, with `is_property`, a property of a workflow command of GitHub.
std::string for_github(std::string_view text, bool is_property) {
  const std::string_view special = is_property ? "%\r\n:," : "%\r\n";
  return percent_encoded(text, [&](char c) { return special.find(c) != std::string_view::npos; });
}

/// The name of a file as a reference (RFC 3986 section 2): all but the unreserved characters and / are encoded.
std::string uri_of(const std::string& name) {
  return percent_encoded(name, [](char c) {
    const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return !is_letter && !(c >= '0' && c <= '9') && std::string_view("-._~/").find(c) == std::string_view::npos;
  });
}

const char* name_of(place_report::level level) noexcept {
  switch (level) {
    case place_report::level::note: return "note";
    case place_report::level::warning: return "warning";
    case place_report::level::error: break;
  }
  return "error";
}

std::string as_json(const place_report& r) {
  return "{\"file\":" + json_string(name_as_text(r.file)) + ",\"line\":" + std::to_string(r.at.line) +
         ",\"column\":" + std::to_string(r.at.column) +
         ",\"offset\":" + (r.has_offset ? std::to_string(r.at.offset) : "null") + ",\"rule\":" + json_string(r.rule) +
         ",\"level\":" + json_string(name_of(r.severity)) + ",\"count\":" + std::to_string(r.count) +
         ",\"message\":" + json_string(r.message) + '}';
}

std::string as_github(const place_report& r) {
  const bool is_note = r.severity == place_report::level::note;
  return std::string("::") + (is_note ? "notice" : name_of(r.severity)) +
         " file=" + for_github(name_as_text(r.file), true) + ",line=" + std::to_string(r.at.line) +
         ",col=" + std::to_string(r.at.column) + ",title=" + for_github(r.rule, true) +
         "::" + for_github(r.message, false) + '\n';
}

std::string as_sarif(const place_report& r) {
  const std::string offset = r.has_offset ? ",\"byteOffset\":" + std::to_string(r.at.offset) : "";
  return "{\"ruleId\":" + json_string(r.rule) + ",\"level\":" + json_string(name_of(r.severity)) +
         ",\"message\":{\"text\":" + json_string(r.message) + "},\"occurrenceCount\":" + std::to_string(r.count) +
         ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":" + json_string(uri_of(r.file)) +
         "},\"region\":{\"startLine\":" + std::to_string(r.at.line) +
         ",\"startColumn\":" + std::to_string(r.at.column) + offset + "}}}]}";
}

constexpr char begin_of_sarif[] =
    "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\","
    "\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"results\":[";

bool is_text(const identity_report& r) { return r.encoding != encoding_name(utfilter::encoding::detect); }

/// With two digits. Rounded down, so that 1.00 is certain.
std::string digits_of(double confidence) {
  char text[8];
  std::snprintf(text, sizeof text, "%.2f", std::floor(100 * confidence + 1e-6) / 100);
  return text;
}

/// NAME: ENCODING, language LANGUAGE, confidence 0.00, REASON, LINE ENDS, BYTE ORDER MARK.
std::string text_of(const identity_report& r) {
  const std::string name = visible(r.file) + ": ";
  if (!is_text(r)) return name + "no text\n";
  const std::string language = r.language.empty() ? "" : "language " + std::string(r.language) + ", ";
  const std::string declared = r.declared.empty() ? "" : ", though it declares " + r.declared;
  const std::string errors = r.errors == 0 ? "" : ", " + counted(r.errors, "error");
  return name + r.encoding + ", " + language + "confidence " + digits_of(r.confidence) + ", " +
         words_for_evidence(r.why) + declared + ", line ends " + std::string(r.line_ends) +
         (r.bom ? ", byte order mark" : ", no byte order mark") + errors + '\n';
}

std::string as_json(const identity_report& r) {
  const auto or_null = [](std::string_view text) { return text.empty() ? "null" : json_string(text); };
  return "{\"file\":" + json_string(name_as_text(r.file)) +
         ",\"encoding\":" + or_null(is_text(r) ? r.encoding : std::string()) + ",\"language\":" + or_null(r.language) +
         ",\"confidence\":" + digits_of(r.confidence) + ",\"evidence\":" + json_string(to_string(r.why)) +
         ",\"declared\":" + or_null(r.declared) + ",\"line_ends\":" + json_string(r.line_ends) +
         ",\"bom\":" + (r.bom ? "true" : "false") + ",\"errors\":" + std::to_string(r.errors) + '}';
}

}  // namespace

std::string kind_of(utfilter::errc error) {
  if (error == utf16le_begins) return "from here UTF-16LE";
  if (error == utf16be_begins) return "from here UTF-16BE";
  return utfilter::to_string(error);
}

std::string message_of(const utfilter::error_info& error) {
  return is_start_of_utf16(error.code) ? kind_of(error.code) : error.message();
}

place_report report_on(const std::string& file, const utfilter::error_info& error, const std::string& hints) {
  place_report report;
  report.file = file;
  report.at = error;
  report.rule_text = kind_of(error.code);
  report.rule = is_start_of_utf16(error.code) ? "utf16-inside" : report.rule_text;
  std::replace(report.rule.begin(), report.rule.end(), ' ', '-');
  report.message = message_of(error) + hints;
  return report;
}

const char* words_for_evidence(utfilter::evidence why) noexcept {
  using utfilter::evidence;
  switch (why) {
    case evidence::named: return "as you say";
    case evidence::bom: return "by its byte order mark";
    case evidence::declaration: return "as it declares";
    case evidence::structure: return "by its structure";
    case evidence::statistics: return "by statistics";
    case evidence::assumption: break;
  }
  return "assumed";
}

std::string name_for_iconv(const identity_report& r) {
  struct other_name {
    std::string_view ours, name;
  };
  // Those of Windows have more characters than the standards that iconv means by the names of the library.
  constexpr other_name others[] = {{"detect", "binary"},
                                   {"Shift_JIS", "CP932"},
                                   {"EUC-KR", "CP949"},
                                   {"Big5", "BIG5-HKSCS"},
                                   {"GBK", "GB18030"},
                                   {"ISO-8859-8-I", "ISO-8859-8"},
                                   {"x-mac-cyrillic", "MAC-CYRILLIC"}};
  const auto* const found = std::find_if(std::begin(others), std::end(others),
                                         [&](const other_name& each) { return each.ours == r.encoding; });
  if (found != std::end(others)) return std::string(found->name);
  const bool has_order = r.bom && (r.encoding.rfind("UTF-16", 0) == 0 || r.encoding.rfind("UTF-32", 0) == 0);
  return has_order ? r.encoding.substr(0, 6) : r.encoding;  // then iconv drops the byte order mark
}

std::string text_of(const place_report& r) {
  return visible(r.file) + ':' + std::to_string(r.at.line) + ':' + std::to_string(r.at.column) +
         (r.has_offset ? ": byte " + std::to_string(r.at.offset) : "") + ": " + r.message;
}

void report_writer::put(const std::string& text) { to_.write(text.data(), static_cast<std::streamsize>(text.size())); }

/// Begins the document, or a report after others.
void report_writer::begin_item() {
  if (has_begun_)
    put(",\n");
  else
    put(format_ == report_format::json ? "[\n" : std::string(begin_of_sarif) + '\n');
  has_begun_ = true;
}

void report_writer::write(const place_report& r) {
  switch (format_) {
    case report_format::text: return put(text_of(r) + '\n');
    case report_format::github: return put(as_github(r));
    case report_format::json: begin_item(); return put(as_json(r));
    case report_format::sarif: break;
  }
  begin_item();
  rules_.emplace(r.rule, r.rule_text);
  put(as_sarif(r));
}

void report_writer::write(const identity_report& r) {
  if (format_ != report_format::json) return put(text_of(r));
  begin_item();
  put(as_json(r));
}

void report_writer::finish() {
  if (format_ == report_format::json) return put(has_begun_ ? "\n]\n" : "[]\n");
  if (format_ != report_format::sarif) return;
  std::string end = has_begun_ ? "\n" : std::string(begin_of_sarif);
  end += "],\"tool\":{\"driver\":{\"name\":\"utfcat\",\"version\":" + json_string(version_number()) + ",\"rules\":[";
  for (const auto& [rule, text] : rules_) {
    if (end.back() != '[') end += ',';
    end += "{\"id\":" + json_string(rule) + ",\"shortDescription\":{\"text\":" + json_string(text) + "}}";
  }
  put(end + "]}}}]}\n");
}

}  // namespace utfcat
