// rejects_file.cpp: opens and writes the file of --rejects.
#include "rejects_file.hpp"

#include <ios>

namespace utfcat {

rejects_file::rejects_file(const std::string& name, utfilter::reject_format format, bool appends)
    : format_(format), file_(name, destination::way::append), sink_(&file_) {
  if (appends) return;
  if (file_.size()) file_.cut(0);
  put(utfilter::reject_header(format));
}

void rejects_file::write(const utfilter::odd_line& line, const std::string& source) {
  put(utfilter::to_record(line, format_, source));
}

void rejects_file::sync() {
  if (!is_on_disk_) file_.sync();
  is_on_disk_ = true;
}

void rejects_file::put(std::string_view record) {
  is_on_disk_ = false;
  sink_.write(record.data(), static_cast<std::streamsize>(record.size()));
  sink_.flush();
}

}  // namespace utfcat
