// recipe_spdlog_test.cpp: doc/log_recipes.md's loggers of spdlog: into one file, into files that rotate, from a thread of
// spdlog, and with a mapped diagnostic context. Each record is one harmless line.
// build: needs:spdlog::spdlog needs:log_recipes
#define BOOST_TEST_MODULE recipe_spdlog
#include <boost/test/unit_test.hpp>

#include "logging/recipe_cost.hpp"
#include "support/files.hpp"
#include "support/hostile_lines.hpp"

#include <spdlog/common.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <string>

#include <log_recipes/spdlog.hpp>

namespace {

const auto strings = hostile::strings(20'000);

void log_strings(spdlog::logger& log) {
  log.set_error_handler([](const std::string& why) { BOOST_ERROR(why); });
  for (const auto& [name, text] : strings) log.log(spdlog::level::info, spdlog::string_view_t(text));
}

std::string line(const std::string& text) { return "[info] " + text; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_gets_one_harmless_line_for_each_record) {
  const files::directory dir;
  const auto log = file_log(dir / "log");
  log->set_pattern("[%l] %v");
  log_strings(*log);
  log->flush();
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings, line);
  BOOST_CHECK_THROW(file_log("/dev/null/none"), spdlog::spdlog_ex);
}

BOOST_AUTO_TEST_CASE(files_that_rotate_get_one_harmless_line_for_each_record) {
  const files::directory dir;
  const auto log = rotating_log(dir / "log", 150'000);
  log->set_pattern("[%l] %v");
  log_strings(*log);
  log->flush();
  BOOST_TEST(std::filesystem::exists(dir / "log.1"));
  BOOST_TEST(!std::filesystem::exists(dir / "log.3"));
  std::string all;
  for (const char* name : {"log.2", "log.1", "log"}) all += files::content(dir / name);
  hostile::check_lines(hostile::lines_of(all), strings, line);
}

BOOST_AUTO_TEST_CASE(a_thread_writes_one_harmless_line_for_each_record) {
  const files::directory dir;
  const auto log = async_log(dir / "log");
  log->set_pattern("[%l] %v");
  log_strings(*log);
  log->flush();
  spdlog::shutdown();  // waits for the thread
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings, line);
}

BOOST_AUTO_TEST_CASE(a_user_in_the_pattern_is_escaped_too) {
  const files::directory dir;
  const auto log = file_log(dir / "log");
  set_pattern_with_user(*log, "[%*] %v");
  for (const auto& [name, text] : strings) {
    user_flag::user = text;
    log->log(spdlog::level::info, spdlog::string_view_t(text));
  }
  log->flush();
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings,
                       [](const std::string& text) { return '[' + text + "] " + text; });
}

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  const auto write = [](const std::shared_ptr<spdlog::logger>& log) {
    return [log](const std::string& text) { log->info(spdlog::string_view_t(text)); };
  };
  const auto raw =
      std::make_shared<spdlog::logger>("app", std::make_shared<spdlog::sinks::basic_file_sink_mt>("/dev/null"));
  const auto checked = file_log("/dev/null");
  recipe_cost::row("spdlog", write(raw), write(checked));
  user_flag::user = "ann";
  for (const auto& log : {raw, checked}) set_pattern_with_user(*log, "[%Y-%m-%d %T.%e] [%n] [%l] [%*] %v");
  recipe_cost::row("spdlog with a context of your own", write(raw), write(checked));
}
