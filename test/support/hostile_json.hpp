// hostile_json.hpp: checks a log of JSON to which every hostile string was sent. Needs nlohmann/json.
#ifndef UTFILTER_TEST_HOSTILE_JSON_HPP
#define UTFILTER_TEST_HOSTILE_JSON_HPP

#include "support/hostile_lines.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hostile {

/// Checks that each line is an object with these members and no other, and that each member has the text of the string,
/// with U+FFFD for each error.
inline void check_json(const std::vector<std::string>& lines, const std::vector<named_string>& sent,
                       const std::vector<std::string>& members) {
  BOOST_TEST_REQUIRE(lines.size() == sent.size());
  for (std::size_t i = 0; i != lines.size(); ++i) {
    const nlohmann::json parsed = nlohmann::json::parse(lines[i], nullptr, false);
    BOOST_TEST_INFO(sent[i].name);
    BOOST_TEST_REQUIRE(parsed.is_object());
    BOOST_TEST(parsed.size() == members.size());
    for (const std::string& member : members)
      BOOST_TEST((parsed.at(member).get<std::string>() == conformance::reference::replaced(sent[i].text)));
  }
}

}  // namespace hostile

#endif
