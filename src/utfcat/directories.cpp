// directories.cpp: finds the files of directories, with std::filesystem.
#include "directories.hpp"

#include "messages.hpp"
#include "system.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace utfcat {
namespace {

namespace fs = std::filesystem;

void add_files_of(const std::string& directory, found_files& found) {
  std::error_code error;
  fs::directory_iterator next(path_of(directory), error);
  std::vector<fs::directory_entry> entries;
  for (; !error && next != fs::directory_iterator(); next.increment(error)) entries.push_back(*next);
  const auto fail = [&](const std::string& name) {
    complain(visible(name) + ": " + error.message());
    ++found.unread;
  };
  if (error) fail(directory);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.path() < b.path(); });
  for (const fs::directory_entry& entry : entries) {
    const std::string name = name_of(entry.path());
    const fs::file_status status = entry.symlink_status(error);
    if (status.type() == fs::file_type::none) fail(name);
    if (status.type() == fs::file_type::regular) found.names.push_back(name);
    if (status.type() == fs::file_type::directory && entry.path().filename() != ".git") add_files_of(name, found);
  }
}

}  // namespace

found_files files_of(const std::vector<std::string>& names) {
  found_files found;
  std::error_code none;  // reading the file will fail with the reason
  for (const std::string& name : names)
    if (name != "-" && fs::is_directory(path_of(name), none))
      add_files_of(name, found);
    else
      found.names.push_back(name);
  return found;
}

}  // namespace utfcat
