// shell.hpp: programs run as their users run them, by the shell, and a directory for their files.
#ifndef UTFILTER_TEST_SHELL_HPP
#define UTFILTER_TEST_SHELL_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace shell {

struct outcome {
  int         status;
  std::string output;

  friend bool operator==(const outcome& a, const outcome& b) { return a.status == b.status && a.output == b.output; }
  friend std::ostream& operator<<(std::ostream& out, const outcome& o) { return out << o.status << ", " << o.output; }
};

/// What the command writes to standard output, and how it ends: 128 and more for a signal.
inline outcome run(const std::string& command) {
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  std::string output;
  for (int c; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output};
}

/// An empty directory, removed with all that is in it.
class scratch_directory {
 public:
  scratch_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "utfilter.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no directory for temporary files");
    path_ = name;
  }
  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::string& file, const std::string& content) { std::ofstream(file, std::ios::binary) << content; }

}  // namespace shell

#endif
