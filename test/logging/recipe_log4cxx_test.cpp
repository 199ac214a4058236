// recipe_log4cxx_test.cpp: doc/log_recipes.md's layout under log4cxx: every byte that reaches the file is well-formed, and
// each record is one harmless line.
// build: needs:PkgConfig::LOG4CXX needs:log_recipes needs:PkgConfig::PARSERS by_itself
#define BOOST_TEST_MODULE recipe_log4cxx
#include <boost/test/unit_test.hpp>

#include "logging/recipe_cost.hpp"
#include "support/files.hpp"
#include "support/hostile_json.hpp"
#include "support/hostile_lines.hpp"
#include "support/process.hpp"

#include <log4cxx/fileappender.h>
#include <log4cxx/logger.h>
#include <log4cxx/mdc.h>
#include <log4cxx/ndc.h>
#include <log4cxx/propertyconfigurator.h>

#include <clocale>
#include <memory>
#include <string>

#include <log_recipes/json_object.hpp>
#include <log_recipes/log4cxx.hpp>

namespace {

const auto strings = hostile::strings(20'000);

/// Logs each hostile string as message, as name, as a value of the MDC and in the NDC to a file.
void log_strings(const std::string& file, const log4cxx::LayoutPtr& layout) {
  const auto appender = std::make_shared<log4cxx::FileAppender>(layout, file);
  for (const auto& [name, text] : strings) {
    const auto log = log4cxx::Logger::getLogger("n" + text);
    log->addAppender(appender);
    const log4cxx::MDC user("user", text);
    const log4cxx::NDC context(text);
    LOG4CXX_INFO(log, text);
    log->removeAppender(appender);
  }
  appender->close();
}

}  // namespace

// The first case, because log4cxx keeps the charset of its first record. The child has no locale but "C".
BOOST_AUTO_TEST_CASE(without_a_locale_each_record_is_one_harmless_line) {
  const files::directory dir;
  processes::in_child(
      [&] { log_strings(dir / "log", std::make_shared<log4cxx::printable_layout>("%c [%X{user}] [%x] %m%n")); });
  hostile::check_harmless(hostile::lines_of(files::content(dir / "log")), strings);
}

BOOST_AUTO_TEST_CASE(each_record_is_one_harmless_line) {
  BOOST_REQUIRE(std::setlocale(LC_ALL, "C.UTF-8") != nullptr);
  const files::directory dir;
  log_strings(dir / "log", std::make_shared<log4cxx::printable_layout>("%c [%X{user}] [%x] %m%n"));
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings,
                       [](const std::string& text) { return "n" + text + " [" + text + "] [" + text + "] " + text; });
}

BOOST_AUTO_TEST_CASE(a_text_that_is_cut_inside_a_character_is_repaired) {
  for (const char* pattern : {"%.1m|%.2m%n", "%.3m%n", "%.5m"}) {
    const files::directory dir;
    log_strings(dir / "log", std::make_shared<log4cxx::printable_layout>(pattern));
    hostile::check_harmless(hostile::lines_of(files::content(dir / "log")), strings);
  }
}

BOOST_AUTO_TEST_CASE(each_record_is_a_line_of_json) {
  struct json_layout : log4cxx::PatternLayout {
    void format(log4cxx::LogString& to, const log4cxx::spi::LoggingEventPtr& event,
                log4cxx::helpers::Pool&) const override {
      log4cxx::LogString user;
      event->getMDC("user", user);
      to += json_object({{"user", user}, {"text", event->getRenderedMessage()}}) + '\n';
    }
  };
  const files::directory dir;
  log_strings(dir / "log", std::make_shared<json_layout>());
  hostile::check_json(hostile::lines_of(files::content(dir / "log")), strings, {"user", "text"});
}

BOOST_AUTO_TEST_CASE(a_file_of_properties_names_the_layout) {
  const files::directory dir;
  files::write(dir / "properties", "log4j.rootLogger=INFO, F\nlog4j.appender.F=org.apache.log4j.FileAppender\n"
                                   "log4j.appender.F.File=" +
                                       dir / "log" +
                                       "\nlog4j.appender.F.Encoding=UTF-8\nlog4j.appender.F.layout=printable_layout\n"
                                       "log4j.appender.F.layout.ConversionPattern=%p: %m%n\n");
  log4cxx::PropertyConfigurator::configure(log4cxx::File(dir / "properties"));
  for (const auto& [name, text] : strings) LOG4CXX_WARN(log4cxx::Logger::getRootLogger(), text);
  log4cxx::Logger::getRootLogger()->removeAllAppenders();
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings,
                       [](const std::string& text) { return "WARN: " + text; });
}

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  std::setlocale(LC_ALL, "C.UTF-8");
  const auto write = [](const char* name, const log4cxx::LayoutPtr& layout) {
    const auto file = std::make_shared<log4cxx::FileAppender>();
    file->setLayout(layout);
    file->setFile("/dev/null");
    file->setEncoding("UTF-8");
    log4cxx::helpers::Pool pool;
    file->activateOptions(pool);
    const auto log = log4cxx::Logger::getLogger(name);
    log->addAppender(file);
    return [log](const std::string& text) { LOG4CXX_INFO(log, text); };
  };
  recipe_cost::row("log4cxx", write("raw", std::make_shared<log4cxx::PatternLayout>("%c %m%n")),
                   write("app", std::make_shared<log4cxx::printable_layout>("%c %m%n")));
}
