// files.hpp: files and directories of a test. They are removed after it, even if it fails.
#ifndef UTFILTER_TEST_FILES_HPP
#define UTFILTER_TEST_FILES_HPP

#include <filesystem>
#include <fstream>
#include <istream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace files {

inline void write(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

inline void append(const std::filesystem::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary | std::ios::app) << content;
}

/// Reads the rest of the stream.
inline std::string rest(std::istream& in) { return {std::istreambuf_iterator<char>(in), {}}; }

inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return rest(in);
}

/// A new empty directory, which only the user may enter. Its destructor removes it with everything in it.
class directory {
 public:
  directory() {
    std::random_device random;
    do
      path_ =
          std::filesystem::temp_directory_path() / ("utfilter-" + std::to_string(random()) + std::to_string(random()));
    while (!std::filesystem::create_directory(path_));
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  directory(const directory&) = delete;
  directory& operator=(const directory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of a file in the directory.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// A file in a directory of its own.
class temporary_file {
 public:
  explicit temporary_file(const std::string& bytes = "") { write(path(), bytes); }

  std::filesystem::path path() const { return directory_.path() / "file"; }
  std::string content() const { return files::content(path()); }

 private:
  directory directory_;
};

}  // namespace files

#endif
