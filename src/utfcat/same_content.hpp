// same_content.hpp: compares files, what is to be written with a file, and a file with itself at a later time.
#ifndef UTFCAT_SAME_CONTENT_HPP
#define UTFCAT_SAME_CONTENT_HPP

#include "system.hpp"

#include <utfilter/follow_streambuf.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace utfcat {

/// A file whose bytes are compared with others, in their order.
class comparison {
 public:
  explicit comparison(const std::string& name) : file_(path_of(name), std::ios::binary) {}

  void take(std::string_view bytes) {
    found_.resize(std::max(found_.size(), bytes.size()));
    if (is_same_) file_.read(found_.data(), static_cast<std::streamsize>(bytes.size()));
    is_same_ = is_same_ && file_.gcount() == static_cast<std::streamsize>(bytes.size()) &&
               std::equal(bytes.begin(), bytes.end(), found_.begin());
  }
  /// Whether the bytes were those of the whole file.
  bool is_same() { return is_same_ && file_.peek() == std::ifstream::traits_type::eof(); }

 private:
  std::ifstream file_;
  std::vector<char> found_;
  bool is_same_ = true;
};

/// Facts about a file that change when the file is written to or replaced: equal facts mean that nobody has done so.
struct file_version {
  explicit file_version(const std::string& name) {
    const std::filesystem::path path = path_of(name);
    std::error_code none;
    identity_ = utfilter::follow_streambuf::identity_of(path);
    size_ = std::filesystem::file_size(path, none);
    time_ = std::filesystem::last_write_time(path, none);
  }
  bool operator==(const file_version& other) const {
    return identity_ == other.identity_ && size_ == other.size_ && time_ == other.time_;
  }

 private:
  std::string identity_;
  std::uintmax_t size_;
  std::filesystem::file_time_type time_;
};

/// Whether both names are regular files with the same content. False if one of them cannot be read.
inline bool same_content(const std::string& name, const std::string& other) {
  const std::optional<file_size> size = size_of(name), other_size = size_of(other);
  if (!size || !other_size || !size->regular || !other_size->regular || size->bytes != other_size->bytes) return false;
  std::ifstream file(path_of(name), std::ios::binary);
  comparison others(other);
  std::vector<char> some(65536);
  while (file.good()) {
    file.read(some.data(), static_cast<std::streamsize>(some.size()));
    others.take({some.data(), static_cast<std::size_t>(file.gcount())});
  }
  return file.eof() && !file.bad() && others.is_same();
}

}  // namespace utfcat

#endif
