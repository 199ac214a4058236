// reporter.cpp: writes messages to standard error, and reports to the output.
#include "reporter.hpp"

#include "messages.hpp"

#include <ios>

namespace utfcat {

void reporter::tell(const options& o, const std::string& file, const utfilter::error_info& error,
                    const std::string& hints, bool has_offset) {
  place_report told = report_on(file, error, hints);
  told.has_offset = has_offset;
  if (o.only_checks())
    report(told);
  else
    say(error.code == utfilter::errc::no_text ? visible(file) + ": is " + told.message : text_of(told));
}

direct_reporter::direct_reporter(const options& o, const destination* to, bool shows_progress, std::uint64_t total)
    : reports_to_output_(o.only_checks() || o.dry_run),
      to_(to),
      reports_(to),
      writer_(o.format, reports_),
      progress_(shows_progress, total) {}

/// Ends the line of text that stands on the same terminal.
void direct_reporter::begin_line() {
  progress_.erase();
  if (to_ == nullptr || !to_->is_inside_line() || !is_terminal(to_->fd()) || !is_terminal(standard_error)) return;
  write_fully(standard_error, "\n", 1);
  to_->wrote('\n');
}

void direct_reporter::say(const std::string& message) {
  begin_line();
  complain(message);
}

void direct_reporter::print(const std::string& lines) {
  begin_line();
  write_fully(standard_error, lines.data(), lines.size());
}

void direct_reporter::report(const std::string& lines) {
  if (reports_to_output_) {
    reports_.write(lines.data(), static_cast<std::streamsize>(lines.size()));
    reports_.flush();
  } else {
    begin_line();
    if (!write_fully(standard_error, lines.data(), lines.size())) failed_ = true;
  }
}

void direct_reporter::finish() {
  writer_.finish();
  reports_.flush();
  progress_.erase();
}

}  // namespace utfcat
