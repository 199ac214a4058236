// logging_disk_test.cpp: a disk that is full for a while, beneath spdlog, Boost.Log, a std::ostream and a file stream of
// this library, each with a filter and without. With the filter at least as many records are whole, while the disk is full
// and afterwards, and no more lines are torn. (What a std::filebuf holds when a write fails, it writes again, also the
// part that the disk has taken.)
// build: posix needs:spdlog::spdlog needs:Boost::log
#define BOOST_TEST_MODULE logging_disk
#include "support/files.hpp"
#include "support/full_disk.hpp"
#include "support/tally.hpp"
#include "support/test_devices.hpp"

#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/spdlog_sink.hpp>
#include <utfilter/utf8_validator.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>

#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/log/core.hpp>
#include <boost/log/expressions.hpp>
#include <boost/log/sinks/sync_frontend.hpp>
#include <boost/log/sinks/text_ostream_backend.hpp>
#include <boost/log/sources/logger.hpp>
#include <boost/log/sources/record_ostream.hpp>
#include <boost/make_shared.hpp>
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <fstream>
#include <functional>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

namespace io = boost::iostreams;
namespace logging = boost::log;
using namespace utfilter;

namespace {

/// A log to a file. `log` writes a record and flushes it. After a failure it clears what its reader is told to clear.
struct backend {
  virtual ~backend() = default;
  virtual void log(const std::string& record) = 0;
};

/// A backend and its name; both are given whether they check.
struct kind {
  const char* name;
  std::function<std::unique_ptr<backend>(const std::string& file, bool checks)> make;
};

struct spdlog_backend : backend {
  spdlog_backend(const std::string& file, bool checks)
      : logger("disk", checks ? spdlog::sink_ptr(std::make_shared<spdlog_sink>(sink_to(file))) : sink_to(file)) {
    logger.set_pattern("%v");
    logger.flush_on(spdlog::level::info);
    logger.set_error_handler([](const std::string&) {});
  }
  static spdlog::sink_ptr sink_to(const std::string& file) {
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(file, true);
  }
  void log(const std::string& record) override { logger.info(record); }
  spdlog::logger logger;
};

struct ostream_backend : backend {
  ostream_backend(const std::string& file, bool checks) : to(file, std::ios::binary), out(to.rdbuf()) {
    if (checks) check = std::make_unique<scoped_filter>(out);
  }
  void log(const std::string& record) override {
    out.clear();
    out << record << '\n' << std::flush;
  }
  std::ofstream to;
  std::ostream out;
  std::unique_ptr<scoped_filter> check;
};

template <class Stream>
struct file_backend : backend {
  explicit file_backend(const std::string& file) : out(file, std::ios::binary) { out.exceptions(std::ios::goodbit); }
  void log(const std::string& record) override {
    out.clear();
    out << record << '\n' << std::flush;
  }
  Stream out;
};

struct boost_backend : backend {
  boost_backend(const std::string& file, bool checks) : checked(checks), check(log_params()) {
    if (checks) out->push(check);
    out->push(io::file_descriptor_sink(file, std::ios::binary));
    const auto text = boost::make_shared<logging::sinks::text_ostream_backend>();
    text->add_stream(out);
    text->auto_flush();
    sink = boost::make_shared<logging::sinks::synchronous_sink<logging::sinks::text_ostream_backend>>(text);
    sink->set_formatter(logging::expressions::stream << logging::expressions::smessage);
    logging::core::get()->add_sink(sink);
  }
  ~boost_backend() override { logging::core::get()->remove_all_sinks(); }
  void log(const std::string& record) override {
    {
      const auto locked = sink->locked_backend();
      if (checked && !out->good()) check.resume();
      out->clear();
    }
    BOOST_LOG(logger) << record;
  }
  bool checked;
  utf8_validator check;
  boost::shared_ptr<io::filtering_ostream> out = boost::make_shared<io::filtering_ostream>();
  boost::shared_ptr<logging::sinks::synchronous_sink<logging::sinks::text_ostream_backend>> sink;
  logging::sources::logger logger;
};

const kind kinds[] = {
    {"spdlog", [](const std::string& f, bool c) { return std::make_unique<spdlog_backend>(f, c); }},
    {"std::ostream", [](const std::string& f, bool c) { return std::make_unique<ostream_backend>(f, c); }},
    {"file streams",
     [](const std::string& f, bool c) -> std::unique_ptr<backend> {
       if (c) return std::make_unique<file_backend<utfilter::ofstream>>(f);
       return std::make_unique<file_backend<std::ofstream>>(f);
     }},
    {"Boost.Log", [](const std::string& f, bool c) { return std::make_unique<boost_backend>(f, c); }},
};

std::string record_of(const char* when, std::size_t i) {
  return when + (' ' + std::to_string(i)) + " \u20AC \U0001F600 caf\u00E9 end";
}

constexpr std::size_t each = 8;  // records before, during and after the time when the disk is full

struct found {
  std::size_t before = 0, during = 0, after = 0, torn = 0;
};

found log_while_full(const kind& k, const std::string& file, bool checks, std::size_t room) {
  {
    const std::unique_ptr<backend> log = k.make(file, checks);
    for (std::size_t i = 0; i < each; ++i) log->log(record_of("before", i));
    {
      const full_disk full(files::content(file).size() + room);
      for (std::size_t i = 0; i < each; ++i) log->log(record_of("during", i));
    }
    for (std::size_t i = 0; i < each; ++i) log->log(record_of("after", i));
  }
  found result;
  std::istringstream lines(files::content(file));
  for (std::string line; std::getline(lines, line);) {
    const std::string when = line.substr(0, line.find(' '));
    std::size_t* const counter = when == "before"   ? &result.before
                                 : when == "during" ? &result.during
                                 : when == "after"  ? &result.after
                                                    : nullptr;
    const std::size_t number = result.before + result.during + result.after;
    const bool whole = counter != nullptr && number < 3 * each && line.size() > 4 &&
                       line.substr(line.size() - 4) == " end" && line.find(" end") == line.size() - 4;
    ++(whole ? *counter : result.torn);
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(after_a_disk_was_full_each_backend_logs_on_with_the_check_as_without) {
  const devices::watchdog dog("logs on a disk that is full for a while");
  const files::directory dir;
  const std::string file = dir / "log";
  for (const kind& k : kinds) {
    tally runs;
    found all_raw, all_checked;
    for (std::size_t room = 0; room < 300; ++room) {
      const found raw = log_while_full(k, file, false, room), checked = log_while_full(k, file, true, room);
      for (const auto& [sum, one] : {std::pair(&all_raw, raw), std::pair(&all_checked, checked)}) {
        sum->before += one.before;
        sum->during += one.during;
        sum->after += one.after;
        sum->torn += one.torn;
      }
      const bool right = checked.before == each && checked.after >= raw.after && checked.after + 1 >= each &&
                         checked.during >= raw.during && checked.torn <= raw.torn;
      if (runs.failed(right))
        BOOST_ERROR(k.name << ", room for " << room << ": raw " << raw.before << ' ' << raw.during << ' ' << raw.after
                           << ", torn " << raw.torn << "; checked " << checked.before << ' ' << checked.during << ' '
                           << checked.after << ", torn " << checked.torn);
    }
    BOOST_TEST_MESSAGE(k.name << ": whole records during and after, and torn lines: raw " << all_raw.during << ' '
                              << all_raw.after << ' ' << all_raw.torn << ", checked " << all_checked.during << ' '
                              << all_checked.after << ' ' << all_checked.torn);
    runs.summary(k.name);
  }
}
