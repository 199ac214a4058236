// hostile_lines.hpp: checks a log to which every hostile string was sent.
#ifndef UTFILTER_TEST_HOSTILE_LINES_HPP
#define UTFILTER_TEST_HOSTILE_LINES_HPP

#include "support/hostile_strings.hpp"
#include "support/printable_reference.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace hostile {

/// What is escaped in a record that must stay on its line: what a printable escapes by default.
inline constexpr conformance::reference::escape_choice one_line = {true, false, false, false, false};

/// The text as it must stand in the line of a record.
inline std::string shown(const std::string& text) {
  return conformance::reference::joined(conformance::reference::printable_units(text, one_line));
}

/// The same within this many bytes.
inline std::string shown_within(const std::string& text, std::size_t limit) {
  namespace reference = conformance::reference;
  return reference::joined(reference::cut_to_bytes(reference::printable_units(text, one_line), limit));
}

/// The lines of a log; each must end with a line feed.
inline std::vector<std::string> lines_of(const std::string& log) {
  std::vector<std::string> lines;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  BOOST_TEST((log.empty() || log.back() == '\n'));
  return lines;
}

/// Checks that there is one line for each string, and that each is well-formed and harmless.
inline void check_harmless(const std::vector<std::string>& lines, const std::vector<named_string>& sent) {
  BOOST_TEST_REQUIRE(lines.size() == sent.size());
  for (std::size_t i = 0; i != lines.size(); ++i) {
    BOOST_TEST_INFO(sent[i].name);
    BOOST_TEST(conformance::reference::harm(lines[i], one_line) == "");
  }
}

/// Checks that there is one line for each string: `before_escapes(text)`, with every escape that it needs and no other.
template <class Line>
void check_lines(const std::vector<std::string>& lines, const std::vector<named_string>& sent,
                 const Line& before_escapes) {
  check_harmless(lines, sent);
  for (std::size_t i = 0; i != lines.size(); ++i) {
    BOOST_TEST_INFO(sent[i].name << ": " << lines[i].substr(0, 200));
    BOOST_TEST((lines[i] == shown(before_escapes(sent[i].text))));
  }
}

/// Checks a record of syslog: a harmless line that ends with this text.
inline void check_datagram(const std::string& record, const std::string& end) {
  BOOST_TEST_REQUIRE(record.size() > end.size());
  BOOST_TEST((record.substr(record.size() - end.size()) == end));
  BOOST_TEST(conformance::reference::harm(record, one_line) == "");
}

}  // namespace hostile

#endif
