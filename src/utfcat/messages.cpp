// messages.cpp: the messages of utfcat.
#include "messages.hpp"

#include "system.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/text.hpp>

#include <cstdlib>
#include <cstring>
#include <system_error>

namespace utfcat {

std::string printable(std::string_view text) {
  const std::string well_formed = utfilter::sanitize(text, utfilter::on_error::escape);
  utfilter::control_escaper escaper(utfilter::control_escaper::line_feeds::escape);
  // The result has at most four times as many bytes: \u{HHHH} replaces two bytes or more, \xHH replaces one.
  std::string result(4 * well_formed.size() + utfilter::control_escaper::min_output, '\0');
  result.resize(escaper.transform(well_formed.data(), well_formed.size(), result.data(), result.size(), true).produced);
  for (std::size_t tab = 0; (tab = result.find('\t', tab)) != std::string::npos;) result.replace(tab, 1, "\\x09");
  return result.empty() ? "''" : result;
}

std::string because(std::string_view name, int error) {
  return printable(name) + ": " + std::generic_category().message(error);
}

void cannot_write(std::string_view name, int error) { throw output_failure(because(name, error)); }

void complain(std::string_view message) {
  const std::string line = "utfcat: " + std::string(message) + '\n';
  write_fully(standard_error, line.data(), line.size());
}

bool shows_colours(int fd) noexcept {
  const char* const unwanted = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return is_terminal(fd) && (unwanted == nullptr || *unwanted == '\0') &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

}  // namespace utfcat
