// rejects_file.cpp: opens and writes the file of --rejects.
#include "rejects_file.hpp"

#include <algorithm>
#include <ios>
#include <utility>

namespace utfcat {

rejects_file::rejects_file(const std::string& name, utfilter::reject_format format, bool appends)
    : format_(format), file_(name, destination::way::append), sink_(&file_) {
  if (appends) return;
  if (file_.size()) file_.cut(0);
  put(utfilter::reject_header(format));
}

void rejects_file::write(const utfilter::odd_line& line, const std::string& source) {
  if (!line_end_.empty()) put(std::exchange(line_end_, ""));
  last_ = line.text.substr(line.text.size() - std::min(line.text.size(), sizeof(char32_t)));
  put(utfilter::to_record(line, format_, source));
}

void rejects_file::end_text(std::string_view line_end) {
  const bool is_ended =
      last_.size() >= line_end.size() && std::string_view(last_).substr(last_.size() - line_end.size()) == line_end;
  if (format_ == utfilter::reject_format::text && !last_.empty() && !is_ended) line_end_ = line_end;
  last_.clear();
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
