// recipe_cost_glog.cpp: what the recipe for glog costs.
// build: needs:glog::glog
#include "recipe_cost.hpp"

#include <log_recipes/glog.hpp>

namespace {

/// Writes to /dev/null, as glog's own loggers write to their files.
struct null_logger : google::base::Logger {
  void Write(bool, std::time_t, const char* s, std::size_t n) override { std::fwrite(s, 1, n, file); }
  void Flush() override { std::fflush(file); }
  google::uint32 LogSize() override { return 0; }
  std::FILE* const file = std::fopen("/dev/null", "w");
};

}  // namespace

int main(int, char** argv) {
  FLAGS_stderrthreshold = google::NUM_SEVERITIES;
  google::InitGoogleLogging(argv[0]);
  const auto write = [](const std::string& text) { LOG(INFO) << text; };
  google::base::Logger* const raw = new null_logger;
  google::base::SetLogger(google::GLOG_INFO, raw);
  printable_logger::install(google::GLOG_INFO);
  google::base::Logger* const checked = google::base::GetLogger(google::GLOG_INFO);
  recipe_cost::row("glog", write, write, [&](const std::string&, bool is_checked) {
    google::base::SetLogger(google::GLOG_INFO, is_checked ? checked : raw);
  });
}
