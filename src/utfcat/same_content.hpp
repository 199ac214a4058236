// same_content.hpp: compares two files.
#ifndef UTFCAT_SAME_CONTENT_HPP
#define UTFCAT_SAME_CONTENT_HPP

#include "system.hpp"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <string>
#include <vector>

namespace utfcat {

/// Whether both names are regular files with the same content. False if one of them cannot be read.
inline bool same_content(const std::string& name, const std::string& other) {
  const std::optional<file_size> size = size_of(name), other_size = size_of(other);
  if (!size || !other_size || !size->regular || !other_size->regular || size->bytes != other_size->bytes) return false;
  std::ifstream file(std::filesystem::u8path(name), std::ios::binary);
  std::ifstream other_file(std::filesystem::u8path(other), std::ios::binary);
  std::vector<char> some(65536), others(some.size());
  while (file.good() && other_file.good()) {
    file.read(some.data(), static_cast<std::streamsize>(some.size()));
    other_file.read(others.data(), static_cast<std::streamsize>(others.size()));
    if (file.gcount() != other_file.gcount()) return false;
    if (std::memcmp(some.data(), others.data(), static_cast<std::size_t>(file.gcount())) != 0) return false;
  }
  return file.eof() && !file.bad() && other_file.eof() && !other_file.bad();
}

}  // namespace utfcat

#endif
