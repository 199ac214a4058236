// rejects.cpp: the records of lines that are put aside.
#include <utfilter/rejects.hpp>

#include "unicode/hex.hpp"

#include <utfilter/detail/transfer.hpp>
#include <utfilter/text.hpp>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

namespace utfilter {
namespace {

/// The ill-formed subsequence in hexadecimal.
std::string hex_of(const error_info& error) {
  std::string hex;
  std::for_each(error.bytes.begin(), error.bytes.begin() + error.size,
                [&](unsigned char byte) { detail::write_hex(byte, 2, std::back_inserter(hex)); });
  return hex;
}

/// A string of JSON (RFC 8259 section 7). Precondition: the text is UTF-8.
std::string quoted_for_json(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      quoted += "\\u";
      detail::write_hex(static_cast<unsigned char>(c), 4, std::back_inserter(quoted));
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted += '"';
}

/// A field of CSV (RFC 4180 section 2).
std::string quoted_for_csv(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted += '"';
}

std::string to_json(const odd_line& line, const std::string& file) {
  std::string record = "{\"file\":" + quoted_for_json(file);
  const auto add = [&](const char* name, std::uint64_t value) {
    record.append(",\"").append(name).append("\":").append(std::to_string(value));
  };
  add("line", line.error.line);
  add("column", line.error.column);
  add("begin", line.begin);
  add("end", line.end);
  record += ",\"error\":" + quoted_for_json(line.reason());
  record += ",\"bytes\":" + quoted_for_json(hex_of(line.error));
  if (line.part != 0) add("part", line.part);
  return record += "}\n";
}

std::string to_csv(const odd_line& line, const std::string& file) {
  std::string record = quoted_for_csv(file);
  for (const std::uint64_t value : {line.error.line, line.error.column, line.begin, line.end})
    record += ',' + std::to_string(value);
  return record += ',' + quoted_for_csv(line.reason()) + ',' + hex_of(line.error) + "\r\n";
}

}  // namespace

std::string reject_header(reject_format format) {
  return format == reject_format::csv ? "file,line,column,begin,end,error,bytes\r\n" : "";
}

std::string to_record(const odd_line& line, reject_format format, std::string_view file) {
  switch (format) {
    case reject_format::text: break;
    case reject_format::jsonl: return to_json(line, sanitize(file, on_error::escape));
    case reject_format::csv: return to_csv(line, sanitize(file, on_error::escape));
  }
  return std::string(line.text);
}

struct rejects::state {
  std::ostream& to;
  reject_format format;
  std::string file;

  void write(std::string_view record) {
    errno = 0;
    to.write(record.data(), static_cast<std::streamsize>(record.size())).flush();
    if (!to) detail::fail("the lines put aside could not be written");
  }
};

rejects::rejects(std::ostream& to, reject_format format, std::string file)
    : state_(std::make_shared<state>(state{to, format, std::move(file)})) {
  state_->write(reject_header(format));
}

void rejects::set_file(std::string name) { state_->file = std::move(name); }

void rejects::operator()(const odd_line& line) const {
  if (state_->format == reject_format::text)
    state_->write(line.text);
  else
    state_->write(to_record(line, state_->format, state_->file));
}

}  // namespace utfilter
