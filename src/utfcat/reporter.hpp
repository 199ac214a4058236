// reporter.hpp: tells the user what utfcat finds: messages, reports and how far it is.
#ifndef UTFCAT_REPORTER_HPP
#define UTFCAT_REPORTER_HPP

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "reports.hpp"
#include "system.hpp"

#include <cstdint>
#include <string>

namespace utfcat {

/// Takes what is to be told. Its functions throw output_failure.
class reporter {
 public:
  virtual ~reporter() = default;

  /// A message, without the name of the program.
  virtual void say(const std::string& message) = 0;
  /// Lines that go to standard error as they are.
  virtual void print(const std::string& lines) = 0;
  /// Lines that go to the output if no text goes there (--check, --dry-run), otherwise to standard error.
  virtual void report(const std::string& lines) = 0;
  /// A place. It may be written later than report(), but before flush() returns.
  virtual void report(const place_report&) = 0;
  virtual void report(const identity_report&) = 0;
  /// An error: a report if all text is checked, otherwise a message. `hints` come after it. Without `has_offset` only its
  /// line and column are known.
  void tell(const options&, const std::string& file, const utfilter::error_info&, const std::string& hints,
            bool has_offset);
  virtual void flush() = 0;
  /// How many bytes of the current file have been read.
  virtual void show_progress(std::uint64_t bytes) = 0;
  /// The current file had so many bytes.
  virtual void end_file(std::uint64_t bytes) = 0;
};

/// Tells everything at once.
class direct_reporter final : public reporter {
 public:
  /// `to` is where the reports go, null for none. `total` is the size of all files in bytes, 0 if it is not known.
  direct_reporter(const options&, const destination* to, bool shows_progress, std::uint64_t total);

  void say(const std::string& message) override;
  void print(const std::string& lines) override;
  void report(const std::string& lines) override;
  void report(const place_report& place) override { writer_.write(place); }
  void report(const identity_report& identity) override { writer_.write(identity); }
  void flush() override { reports_.flush(); }
  void show_progress(std::uint64_t bytes) override { progress_.show(bytes_before_ + bytes); }
  void end_file(std::uint64_t bytes) override { progress_.show(bytes_before_ += bytes); }

  /// Call this after the last report: it ends the document that the reports are.
  void finish();

  /// The bytes that were written to the output.
  std::uint64_t written() const noexcept { return reports_.written(); }

  /// Whether a report could not be written to standard error.
  bool failed() const noexcept { return failed_; }

 private:
  void begin_line();

  const bool reports_to_output_;
  const destination* to_;
  fd_sink reports_;
  report_writer writer_;  // to reports_
  progress progress_;
  std::uint64_t bytes_before_ = 0;  // in the files before the current one
  bool failed_ = false;
};

}  // namespace utfcat

#endif
