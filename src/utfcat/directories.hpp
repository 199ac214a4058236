// directories.hpp: -r, which finds the files of directories.
#ifndef UTFCAT_DIRECTORIES_HPP
#define UTFCAT_DIRECTORIES_HPP

#include <filesystem>
#include <string>
#include <vector>

namespace utfcat {

/// The path as a name of utfcat. (In C++20 u8string() returns a string of char8_t.)
std::string name_of(const std::filesystem::path&);

/// What -r has found.
struct found_files {
  std::vector<std::string> names;  // those of one directory in the order of their bytes
  bool is_complete = true;         // each directory could be read
};

/// Replaces each directory among the names by the regular files in it and beneath. Symbolic links in directories are not
/// followed, and directories with the name .git are left out. Complains about a directory that cannot be read.
found_files files_of(const std::vector<std::string>& names);

}  // namespace utfcat

#endif
