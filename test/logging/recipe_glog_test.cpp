// recipe_glog_test.cpp: doc/log_recipes.md's logger under glog: every byte that reaches the file is well-formed, and each
// record is one harmless line.
// build: needs:glog::glog needs:log_recipes needs:PkgConfig::PARSERS
#define BOOST_TEST_MODULE recipe_glog
#include <boost/test/unit_test.hpp>

#include "logging/recipe_cost.hpp"
#include "support/files.hpp"
#include "support/hostile_json.hpp"
#include "support/hostile_lines.hpp"

#include <glog/logging.h>

#include <cstddef>
#include <string>
#include <vector>

#include <log_recipes/glog.hpp>
#include <log_recipes/json_object.hpp>

namespace {

/// The lines of the file without the four that glog writes at its start.
std::vector<std::string> records(const std::string& file) {
  std::vector<std::string> lines = hostile::lines_of(file);
  BOOST_TEST_REQUIRE(lines.size() > 4u);
  lines.erase(lines.begin(), lines.begin() + 4);
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_record_is_one_harmless_line) {
  const files::directory dir;
  FLAGS_log_dir = dir / "";
  FLAGS_stderrthreshold = google::NUM_SEVERITIES;
  google::InitGoogleLogging("recipe_glog_test");
  printable_logger::install(google::GLOG_INFO);
  const auto strings = hostile::strings(20'000);
  for (const auto& [name, text] : strings) LOG(INFO) << text;
  google::FlushLogFiles(google::GLOG_INFO);
  const auto lines = records(files::content(dir / "recipe_glog_test.INFO"));
  hostile::check_harmless(lines, strings);
  for (std::size_t i = 0; i != lines.size(); ++i) {
    BOOST_TEST_INFO(strings[i].name);
    std::string text = strings[i].text;
    if (!text.empty() && text.back() == '\n') text.pop_back();  // glog adds no second line feed
    const std::size_t start = lines[i].find("] ");
    BOOST_TEST_REQUIRE(start != std::string::npos);
    if (text.size() < 30'000) BOOST_TEST((lines[i].substr(start + 2) == hostile::shown(text)));
  }
}

BOOST_AUTO_TEST_CASE(a_sink_gets_each_record_as_a_line_of_json) {
  struct json_sink : google::LogSink {
    void send(google::LogSeverity, const char*, const char*, int, const google::LogMessageTime&, const char* s,
              std::size_t n) override {
      log += json_object({{"text", {s, n}}}) + '\n';
    }
    using LogSink::send;
    std::string log;
  };
  auto strings = hostile::strings(2000);
  json_sink sink;
  google::AddLogSink(&sink);
  for (auto& [name, text] : strings) {
    LOG(INFO) << text;
    if (!text.empty() && text.back() == '\n') text.pop_back();  // glog passes a text without the line feed at its end
  }
  google::RemoveLogSink(&sink);
  hostile::check_json(hostile::lines_of(sink.log), strings, {"text"});
}

namespace {

/// Writes to /dev/null, as glog's own loggers write to their files.
struct null_logger : google::base::Logger {
  void Write(bool, std::time_t, const char* s, std::size_t n) override { std::fwrite(s, 1, n, file); }
  void Flush() override { std::fflush(file); }
  google::uint32 LogSize() override { return 0; }
  std::FILE* const file = std::fopen("/dev/null", "w");
};

}  // namespace

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  FLAGS_stderrthreshold = google::NUM_SEVERITIES;
  google::InitGoogleLogging("recipe_glog_test");
  const auto write = [](const std::string& text) { LOG(INFO) << text; };
  google::base::Logger* const raw = new null_logger;
  google::base::SetLogger(google::GLOG_INFO, raw);
  printable_logger::install(google::GLOG_INFO);
  google::base::Logger* const checked = google::base::GetLogger(google::GLOG_INFO);
  recipe_cost::row("glog", write, write, [&](const std::string&, bool is_checked) {
    google::base::SetLogger(google::GLOG_INFO, is_checked ? checked : raw);
  });
}
