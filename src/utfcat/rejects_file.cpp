// rejects_file.cpp: opens and writes the file of --rejects.
#include "rejects_file.hpp"

#include "messages.hpp"

#include <cerrno>
#include <filesystem>
#include <ios>
#include <system_error>

namespace utfcat {
namespace {

/// Calls the function, and throws output_failure, with the system's reason, if it cannot write.
template <class Write>
void written_to(const std::string& name, Write write) {
  try {
    write();
  } catch (const std::ios_base::failure& why) {
    if (why.code().category() == std::generic_category()) cannot_write(name, why.code().value());
    throw output_failure(visible(name) + ": " + why.what());
  }
}

}  // namespace

rejects_file::rejects_file(const std::string& name, utfilter::reject_format format) : name_(name) {
  errno = 0;
  file_.open(std::filesystem::u8path(name), std::ios::binary);
  if (!file_) cannot_write(name);
  written_to(name, [&] { rejects_.emplace(file_, format); });
}

void rejects_file::write(const utfilter::odd_line& line) {
  written_to(name_, [&] { (*rejects_)(line); });
}

}  // namespace utfcat
