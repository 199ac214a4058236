// rejects_file.cpp: opens and writes the file of --rejects.
#include "rejects_file.hpp"

#include <algorithm>
#include <fstream>
#include <ios>
#include <utility>

namespace utfcat {

namespace {

/// The last bytes of a file, as many as a line feed may have.
std::string end_of(const std::string& name) {
  std::ifstream file(path_of(name), std::ios::binary | std::ios::ate);
  const auto size = std::min<std::streamoff>(file.tellg(), sizeof(char32_t));
  std::string end(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)), '\0');
  file.seekg(-size, std::ios::end).read(end.data(), size);
  return end;
}

}  // namespace

rejects_file::rejects_file(const std::string& name, utfilter::reject_format format, bool appends)
    : format_(format), file_(name, destination::way::append), sink_(&file_) {
  if (appends) {
    if (file_.size().value_or(0) != 0) last_ = end_of(name);
    return;
  }
  if (file_.size()) file_.cut(0);
  put(utfilter::reject_header(format));
}

void rejects_file::write(const utfilter::odd_line& line, const std::string& source, std::string_view line_feed) {
  const std::size_t size = std::min(last_.size(), line_feed.size());
  const bool is_ended = last_.empty() || last_.compare(last_.size() - size, size, line_feed) == 0;
  if (std::exchange(begins_, false) && format_ == utfilter::reject_format::text && !is_ended) put(line_feed);
  last_ = line.text.substr(line.text.size() - std::min(line.text.size(), sizeof(char32_t)));
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
