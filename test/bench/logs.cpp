// logs.cpp: records that spdlog logs with a checked sink and without, to a sink that drops them and to one that formats a
// line and writes it; and records that are written to a stream like std::clog, piece by piece.
#include "bench.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/spdlog_sink.hpp>
#include <utfilter/utf8.hpp>

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace bench {
namespace {

constexpr std::size_t records = 1000;  // in each run

using base_sink = spdlog::sinks::base_sink<std::mutex>;

/// Drops each record, as spdlog's null_sink does.
class dropping_sink : public base_sink {
 public:
  explicit dropping_sink(verifier* seen) : seen_(seen) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (seen_ != nullptr) (*seen_)(message.payload.data(), message.payload.size());
  }
  void flush_() override {}

  verifier* seen_;
};

/// Formats each record and writes the line to /dev/null, as spdlog's basic_file_sink does.
class file_sink : public base_sink {
 public:
  explicit file_sink(verifier* seen) : file_(std::fopen("/dev/null", "wb")), seen_(seen) {
    if (file_ == nullptr) throw std::runtime_error("/dev/null cannot be opened");
  }
  ~file_sink() override { std::fclose(file_); }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    std::fwrite(line.data(), 1, line.size(), file_);
    if (seen_ == nullptr) return;
    // Without the time, the level and the line feed: "[...] [app] [info] "
    const std::string_view all(line.data(), line.size() - 1);
    (*seen_)(all.substr(all.find("[info] ") + 7));
  }
  void flush_() override { std::fflush(file_); }

  std::FILE* file_;
  verifier* seen_;
};

using make_sink = std::shared_ptr<spdlog::sinks::sink> (*)(verifier*);

/// Logs the record with each kind of check.
void add_logger(const task& t, const std::string& record, make_sink make) {
  const auto add = [&](const char* who, auto checked) {
    t.add(who, [&record, make, checked](verifier* seen) {
      spdlog::logger log("app", checked(make(seen)));
      for (std::size_t n = records; n != 0; --n) log.info(spdlog::string_view_t(record));
    });
  };
  if (t.expected == record) add("no check", [](auto sink) { return sink; });
  add("spdlog_sink", [](auto sink) { return std::make_shared<utfilter::spdlog_sink>(std::move(sink)); });
  add("escaping_spdlog_sink",
      [](auto sink) { return std::make_shared<utfilter::escaping_spdlog_sink>(std::move(sink)); });
}

void add_loggers(const corpus& c, const std::string& what, const std::string& record, std::string_view expected) {
  const std::size_t bytes = records * record.size();
  add_logger({"log " + what + ", dropped", c.name, bytes, expected, records, records}, record,
             [](verifier* seen) -> spdlog::sink_ptr { return std::make_shared<dropping_sink>(seen); });
  add_logger({"log " + what + ", to a file", c.name, bytes, expected, records, records}, record,
             [](verifier* seen) -> spdlog::sink_ptr { return std::make_shared<file_sink>(seen); });
}

/// Writes a record in four pieces.
void add_stream(const corpus& c, const std::string& field) {
  static std::string record;
  record = "user: " + field + ", 4096\n";
  const task write{"write a record of four pieces", c.name, records * record.size(), record, records, records};
  const auto add = [&](const char* who, auto check) {
    write.add(who, [&field, check](verifier* seen) {
      shown_buffer buffer(seen);
      std::ostream log(&buffer);
      const auto checked = check(log);
      static_cast<void>(checked);
      for (std::size_t n = records; n != 0; --n)
        log << "user: " << field << ", "
            << "4096\n";
    });
  };
  add("no check", [](std::ostream&) { return 0; });
  add("scoped_filter", [](std::ostream& log) { return std::make_unique<utfilter::scoped_filter>(log); });
  add("codec_scoped_filter, control_escaper", [](std::ostream& log) {
    return std::make_unique<utfilter::codec_scoped_filter<utfilter::control_escaper>>(log, utfilter::control_escaper());
  });
}

}  // namespace

void add_logs(const corpus& c) {
  constexpr std::size_t sizes[] = {60, 120, 500};
  static std::string clean[std::size(sizes)], one_bad, repaired, all_bad, all_repaired, field;
  const auto start = [&](std::size_t n) {
    const std::string_view text = std::string_view(c.memory.utf8).substr(0, n);
    std::string result(text.substr(0, utfilter::complete_prefix(text)));
    std::replace(result.begin(), result.end(), '\n', ' ');
    return utfilter::to_printable(result);  // random text has controls
  };
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    clean[i] = start(sizes[i]);
    add_loggers(c, "a record of " + std::to_string(sizes[i]) + " bytes", clean[i], clean[i]);
  }
  one_bad = clean[2] + '\xE9';
  repaired = clean[2] + "\uFFFD";
  add_loggers(c, "a record of 500 bytes, one bad", one_bad, repaired);
  all_bad.assign(500, '\xE9');
  all_repaired.clear();
  for (std::size_t i = 0; i < all_bad.size(); ++i) all_repaired += "\uFFFD";
  add_loggers(c, "a record of 500 bad bytes", all_bad, all_repaired);
  field = start(15);
  add_stream(c, field);
}

}  // namespace bench
