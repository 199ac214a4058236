// recipe_easyloggingpp_test.cpp: doc/log_recipes.md's builder under easylogging++: every byte that reaches the file and
// standard output is well-formed, and each record is one harmless line.
// build: needs:PkgConfig::EASYLOGGINGPP needs:log_recipes needs:PkgConfig::PARSERS option:-DELPP_NO_DEFAULT_LOG_FILE
#define BOOST_TEST_MODULE recipe_easyloggingpp
#include <boost/test/unit_test.hpp>

#include "logging/recipe_cost.hpp"
#include "support/files.hpp"
#include "support/hostile_json.hpp"
#include "support/hostile_lines.hpp"
#include "support/process.hpp"

#include <utfilter/printable.hpp>

#include <easylogging++.cc>

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include <log_recipes/easyloggingpp.hpp>
#include <log_recipes/json_object.hpp>

INITIALIZE_EASYLOGGINGPP

namespace {

const auto strings = hostile::strings(20'000);

/// Makes the loggers write to this file, or to standard output if it is empty.
void configure(const std::string& file, const std::string& pattern) {
  el::Configurations choice;
  choice.setToDefault();
  choice.setGlobally(el::ConfigurationType::Format, pattern);
  choice.setGlobally(el::ConfigurationType::ToStandardOutput, file.empty() ? "true" : "false");
  choice.setGlobally(el::ConfigurationType::ToFile, file.empty() ? "false" : "true");
  if (!file.empty()) choice.setGlobally(el::ConfigurationType::Filename, file);
  el::Loggers::setDefaultConfigurations(choice, true);
}

/// The text as far as easylogging++ prints it.
std::string up_to_nul(const std::string& text) { return text.c_str(); }

}  // namespace

BOOST_AUTO_TEST_CASE(each_record_is_one_harmless_line) {
  const files::directory dir;
  configure(dir / "log", "%level %logger [%thread] %msg");
  printable_builder::install();
  for (const auto& [name, text] : strings) {
    el::Helpers::setThreadName("t" + text);
    LOG(INFO) << text;
  }
  el::Helpers::setThreadName("main");
  el::Loggers::flushAll();
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings,
                       [](const std::string& text) { return "INFO default [t" + text + "] " + up_to_nul(text); });
}

BOOST_AUTO_TEST_CASE(a_printable_text_does_not_end_at_a_nul) {
  const files::directory dir;
  configure(dir / "log", "%msg");
  printable_builder::install();
  for (const auto& [name, text] : strings) LOG(INFO) << utfilter::printable(text);
  el::Loggers::flushAll();
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings,
                       [](const std::string& text) { return text; });
}

BOOST_AUTO_TEST_CASE(a_logger_that_is_made_later_is_checked_too) {
  const files::directory dir;
  configure(dir / "log", "%logger: %msg");
  printable_builder::install();
  el::Loggers::getLogger("later");
  for (const auto& [name, text] : strings) CLOG(INFO, "later") << text;
  el::Loggers::flushAll();
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings,
                       [](const std::string& text) { return "later: " + up_to_nul(text); });
}

BOOST_AUTO_TEST_CASE(standard_output_gets_one_harmless_line_for_each_record) {
  const files::directory dir;
  configure("", "%msg");
  printable_builder::install();
  std::fflush(stdout);
  std::cout.flush();
  processes::in_child([&] {
    if (std::freopen((dir / "out").c_str(), "w", stdout) == nullptr) return;
    for (const auto& [name, text] : strings) LOG(INFO) << text;
    std::fflush(stdout);
  });
  hostile::check_lines(hostile::lines_of(files::content(dir / "out")), strings,
                       [](const std::string& text) { return up_to_nul(text); });
}

BOOST_AUTO_TEST_CASE(each_record_is_a_line_of_json) {
  struct json_builder : el::LogBuilder {
    std::string build(const el::LogMessage* message, bool) const override {
      return json_object({{"text", message->message()}}) + '\n';
    }
  };
  const files::directory dir;
  configure(dir / "log", "%msg");
  el::Loggers::getLogger("default")->setLogBuilder(std::make_shared<json_builder>());
  auto sent = strings;
  for (auto& [name, text] : sent) {
    LOG(INFO) << text;
    text = up_to_nul(text);
  }
  el::Loggers::flushAll();
  hostile::check_json(hostile::lines_of(files::content(dir / "log")), sent, {"text"});
}

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  configure("/dev/null", "%datetime %level [%logger] %msg");
  el::Loggers::getLogger("raw");
  el::Loggers::getLogger("app");
  printable_builder::install("app");
  recipe_cost::row(
      "easylogging++", [](const std::string& text) { CLOG(INFO, "raw") << text; },
      [](const std::string& text) { CLOG(INFO, "app") << text; });
}
