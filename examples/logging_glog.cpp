// logging_glog.cpp: glog whose text is always UTF-8, in its files and on std::clog.
//
//   logging_glog DIRECTORY     logs each line of standard input to glog's files there, and to standard error
//
// On a full disk glog loses records of its files and reports nothing. glog uses locks: a child process that is
// forked while another thread logs may wait for ever when it logs.
#include <utfilter/scoped_filter.hpp>
#include <utfilter/text.hpp>

#include <glog/logging.h>

#include <atomic>
#include <cstddef>
#include <ctime>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

namespace {

std::atomic<unsigned> repaired{0};  // records in files

/// Repairs the records of one severity before they reach the files of that severity. glog still names, rotates and
/// flushes the files. Each record is repaired separately. glog cuts records of more than 30000 bytes, even inside a
/// character. No function here may throw, because glog calls loggers and sinks from a destructor.
class checked_logger : public google::base::Logger {
 public:
  /// Installs a logger for the severity. glog owns it from then on.
  static void install(google::LogSeverity severity) {
    google::base::SetLogger(severity, new checked_logger(google::base::GetLogger(severity)));
  }

  void Write(bool force_flush, std::time_t time, const char* s, std::size_t n) noexcept override {
    const std::string_view record(s, n);
    if (utfilter::is_utf8(record)) return files_->Write(force_flush, time, s, n);
    ++repaired;
    try {
      const std::string clean = utfilter::sanitize(record);
      files_->Write(force_flush, time, clean.data(), clean.size());
    } catch (const std::exception&) {
      constexpr std::string_view instead = "a record that is not UTF-8, and no memory to repair it\n";
      files_->Write(force_flush, time, instead.data(), instead.size());
    }
  }
  void Flush() override { files_->Flush(); }
  google::uint32 LogSize() override { return files_->LogSize(); }

 private:
  explicit checked_logger(google::base::Logger* files) : files_(files) {}

  google::base::Logger* files_;
};

/// Writes glog's records to std::clog, where a scoped_filter can check them. glog's own output to standard error goes
/// through no stream. If std::clog fails, clear() it; the filter then goes on.
class clog_sink : public google::LogSink {
 public:
  clog_sink() { google::AddLogSink(this); }
  ~clog_sink() override { google::RemoveLogSink(this); }

  using LogSink::send;
  void send(google::LogSeverity severity, const char*, const char* file, int line, const google::LogMessageTime& time,
            const char* s, std::size_t n) override {
    std::clog << ToString(severity, file, line, time, s, n) + '\n';
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: logging_glog DIRECTORY\n";
    return 2;
  }
  FLAGS_log_dir = argv[1];
  FLAGS_stderrthreshold = google::NUM_SEVERITIES;  // glog itself writes nothing to standard error
  google::InitGoogleLogging("logging_glog");
  for (int severity = google::GLOG_INFO; severity < google::NUM_SEVERITIES; ++severity)
    checked_logger::install(severity);

  utfilter::scoped_filter check(std::clog);  // with log_params(): each error becomes U+FFFD
  {
    const clog_sink console;
    for (std::string line; std::getline(std::cin, line);) LOG(INFO) << line;
  }
  google::FlushLogFiles(google::GLOG_INFO);
  std::cout << repaired << " records repaired in files, " << check.report().errors << " errors on std::clog\n";
}
