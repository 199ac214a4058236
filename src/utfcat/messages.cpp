// messages.cpp: the messages of utfcat.
#include "messages.hpp"

#include "names.hpp"
#include "system.hpp"

#include <utfilter/printable.hpp>

#include <cstdlib>
#include <cstring>
#include <system_error>

namespace utfcat {

std::string visible(std::string_view text) {
  utfilter::printable_options o;
  o.tab = true;
  return text.empty() ? "''" : utfilter::to_printable(text, o);
}

std::string because(std::string_view name, int error) {
  return visible(name) + ": " + std::generic_category().message(error);
}

void cannot_write(std::string_view name, int error) { throw output_failure(because(name, error)); }

std::string counted(std::uint64_t n, std::string_view what) {
  return std::to_string(n) + ' ' + std::string(what) + (n == 1 ? "" : "s");
}

std::string nearest_in_words(const std::string& one, const std::string& several,
                             const std::vector<std::string>& names) {
  return "the nearest " + (names.size() == 1 ? one + " is " : several + " are ") + enumeration(names);
}

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
