// directories.hpp: -r, which finds the files of directories.
#ifndef UTFCAT_DIRECTORIES_HPP
#define UTFCAT_DIRECTORIES_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace utfcat {

/// What -r has found.
struct found_files {
  std::vector<std::string> names;  // those of one directory in the order of their bytes
  std::size_t unread = 0;          // directories that could not be read
};

/// Replaces each directory among the names by the regular files in it and beneath. Symbolic links in directories are not
/// followed, and directories with the name .git are left out. Complains about a directory that cannot be read.
found_files files_of(const std::vector<std::string>& names);

}  // namespace utfcat

#endif
