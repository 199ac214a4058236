// single_byte_tables.hpp: reads the tables of the single-byte encodings in data/single_byte/. The library's own tables
// are not used.
#ifndef TEST_SUPPORT_SINGLE_BYTE_TABLES_HPP
#define TEST_SUPPORT_SINGLE_BYTE_TABLES_HPP

#include "support/paths.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace single_byte {

/// The content of a file: "enumerator NAME", "names NAME NAME...", then lines "BYTE CHARACTER CHARACTER..." in
/// hexadecimal, each with the characters of eight bytes, the first of which is BYTE. The character of an unassigned byte
/// is "----".
struct table {
  std::string enumerator;
  std::vector<std::string> names;  // the preferred name first, in its usual case
  std::array<char32_t, 256> characters;

  bool assigns(unsigned byte) const { return characters[byte] != unassigned; }
  /// The byte that is written for the character of this byte: the first one that has it.
  unsigned written_for(unsigned byte) const {
    return static_cast<unsigned>(std::find(characters.begin(), characters.end(), characters[byte]) -
                                 characters.begin());
  }
  static constexpr char32_t unassigned = 0xFFFFFFFF;
};

inline table read_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  const auto wrong = [&](const std::string& why) { return std::runtime_error(path.string() + ": " + why); };
  table result;
  std::string word;
  if (!(file >> word >> result.enumerator) || word != "enumerator") throw wrong("the first line names no enumerator");
  std::string line;
  std::getline(file >> word, line);
  if (word != "names") throw wrong("the second line has no names");
  std::istringstream names(line);
  for (std::string name; names >> name;) result.names.push_back(name);
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned number = 0;
    if (byte % 8 == 0 && (!(file >> std::hex >> number) || number != byte))
      throw wrong("the line of a byte is missing");
    if (!(file >> word)) throw wrong("the character of a byte is missing");
    result.characters[byte] = word == "----" ? table::unassigned : static_cast<char32_t>(std::stoul(word, nullptr, 16));
  }
  return result;
}

inline const std::vector<table>& tables() {
  static const std::vector<table> all = [] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(paths::source("test/data/single_byte")))
      paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<table> result;
    for (const auto& path : paths) result.push_back(read_table(path));
    return result;
  }();
  return all;
}

}  // namespace single_byte

#endif
