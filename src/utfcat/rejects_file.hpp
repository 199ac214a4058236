// rejects_file.hpp: the file of --rejects, which gets the lines that are put aside.
#ifndef UTFCAT_REJECTS_FILE_HPP
#define UTFCAT_REJECTS_FILE_HPP

#include "output.hpp"
#include "system.hpp"

#include <utfilter/line_sorter.hpp>
#include <utfilter/rejects.hpp>

#include <string>
#include <string_view>

namespace utfcat {

/// Gets the lines of all files. Each one is in the file before any text after it is written. Its functions throw
/// output_failure.
class rejects_file {
 public:
  /// Opens the file, or makes it. If it does not append, it empties the file, and writes the header of the format.
  rejects_file(const std::string& name, utfilter::reject_format, bool appends);

  /// Whether this is the regular file that the descriptor has open.
  bool is(int fd) const noexcept { return file_.is(fd); }

  /// `source` is the name of the file from which the line comes, `line_feed` is one in its encoding.
  void write(const utfilter::odd_line&, const std::string& source, std::string_view line_feed);

  /// Call this before the lines of a text of its own: they continue no line that is there.
  void begin_text() noexcept { begins_ = true; }

  /// Waits until all lines are on the disk. Call this before a file that has had them is replaced.
  void sync();

 private:
  void put(std::string_view record);

  const utfilter::reject_format format_;
  destination file_;
  fd_sink sink_;
  bool is_on_disk_ = true;
  std::string last_;    // the end of what is there
  bool begins_ = true;  // a text
};

}  // namespace utfcat

#endif
