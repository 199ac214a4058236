// rejects_file.hpp: the file of --rejects, which gets the lines that are put aside.
#ifndef UTFCAT_REJECTS_FILE_HPP
#define UTFCAT_REJECTS_FILE_HPP

#include <utfilter/line_sorter.hpp>
#include <utfilter/rejects.hpp>

#include <fstream>
#include <optional>
#include <string>

namespace utfcat {

/// Gets the lines of all files. Each one is in the file before any text after it is written.
class rejects_file {
 public:
  /// Empties the file, or makes it, and writes the header of the format. Throws output_failure.
  rejects_file(const std::string& name, utfilter::reject_format);

  /// Names the file from which the lines come that follow.
  void set_source(const std::string& name) { rejects_->set_file(name); }

  /// Throws output_failure.
  void write(const utfilter::odd_line&);

 private:
  std::string name_;
  std::ofstream file_;
  std::optional<utfilter::rejects> rejects_;
};

}  // namespace utfcat

#endif
