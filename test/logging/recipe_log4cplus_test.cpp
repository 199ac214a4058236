// recipe_log4cplus_test.cpp: doc/log_recipes.md's layout under log4cplus: every byte that reaches the file is
// well-formed, and each record is one harmless line.
// build: needs:log4cplus::log4cplus needs:log_recipes needs:PkgConfig::PARSERS
#define BOOST_TEST_MODULE recipe_log4cplus
#include <boost/test/unit_test.hpp>

#include "logging/recipe_cost.hpp"
#include "support/files.hpp"
#include "support/hostile_json.hpp"
#include "support/hostile_lines.hpp"

#include <log4cplus/configurator.h>
#include <log4cplus/fileappender.h>
#include <log4cplus/initializer.h>
#include <log4cplus/logger.h>
#include <log4cplus/loggingmacros.h>
#include <log4cplus/mdc.h>
#include <log4cplus/ndc.h>
#include <log4cplus/spi/loggingevent.h>
#include <log4cplus/thread/threads.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <log_recipes/json_object.hpp>
#include <log_recipes/log4cplus.hpp>

namespace {

const log4cplus::Initializer initializer;
const auto strings = hostile::strings(20'000);

/// Logs each hostile string as message, as name, as a value of the MDC, in the NDC and as the thread's name. Returns the
/// lines.
std::vector<std::string> logged(std::unique_ptr<log4cplus::Layout> layout) {
  const files::directory dir;
  log4cplus::SharedAppenderPtr appender(new log4cplus::FileAppender(dir / "log"));
  appender->setLayout(std::move(layout));
  for (const auto& [name, text] : strings) {
    log4cplus::Logger log = log4cplus::Logger::getInstance("n" + text);
    log.addAppender(appender);
    log4cplus::getMDC().put("user", text);
    log4cplus::thread::setCurrentThreadName("t" + text);
    const log4cplus::NDCContextCreator context(text);
    LOG4CPLUS_INFO(log, text);
    log.removeAllAppenders();
  }
  appender->close();
  return hostile::lines_of(files::content(dir / "log"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_record_is_one_harmless_line) {
  using layout = printable_layout<log4cplus::PatternLayout>;
  hostile::check_lines(
      logged(std::make_unique<layout>("%c [%X{user}] [%x] [%t] %m%n")), strings,
      [](const std::string& text) { return "n" + text + " [" + text + "] [" + text + "] [t" + text + "] " + text; });
  hostile::check_lines(logged(std::make_unique<printable_layout<log4cplus::SimpleLayout>>()), strings,
                       [](const std::string& text) { return "INFO - " + text; });
}

BOOST_AUTO_TEST_CASE(a_text_that_is_cut_inside_a_character_is_repaired) {
  for (const char* pattern : {"%.1m|%.2m%n", "%.3m%n", "%.5m"})
    hostile::check_harmless(logged(std::make_unique<printable_layout<log4cplus::PatternLayout>>(pattern)), strings);
}

BOOST_AUTO_TEST_CASE(threads_that_share_appenders_write_whole_lines) {
  constexpr int records = 30'000;  // so many that the threads run at the same time
  const files::directory dir;
  std::vector<std::thread> threads;
  for (const char* name : {"a", "b"}) {
    log4cplus::SharedAppenderPtr appender(new log4cplus::FileAppender(dir / name));
    appender->setLayout(std::make_unique<printable_layout<log4cplus::PatternLayout>>("%c %m%n"));
    log4cplus::Logger log = log4cplus::Logger::getInstance(name);
    log.addAppender(appender);
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([log] {
        for (int n = 0; n < records; ++n) LOG4CPLUS_INFO(log, "one\nline");
      });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char* name : {"a", "b"}) {
    log4cplus::Logger::getInstance(name).removeAllAppenders();  // this closes the file
    const std::vector<std::string> wanted(2 * records, std::string(name) + " one\\x0Aline");
    BOOST_TEST((hostile::lines_of(files::content(dir / name)) == wanted));
  }
}

BOOST_AUTO_TEST_CASE(each_record_is_a_line_of_json) {
  struct json_layout : log4cplus::Layout {
    void formatAndAppend(log4cplus::tostream& out, const log4cplus::spi::InternalLoggingEvent& event) override {
      out << json_object({{"user", event.getMDC("user")}, {"text", event.getMessage()}}) + '\n';
    }
  };
  hostile::check_json(logged(std::make_unique<json_layout>()), strings, {"user", "text"});
}

BOOST_AUTO_TEST_CASE(a_file_of_properties_names_the_layout) {
  const files::directory dir;
  register_printable_layout();
  files::write(dir / "properties", "log4cplus.rootLogger=INFO, F\nlog4cplus.appender.F=log4cplus::FileAppender\n"
                                   "log4cplus.appender.F.File=" +
                                       dir / "log" +
                                       "\nlog4cplus.appender.F.layout=printable\n"
                                       "log4cplus.appender.F.layout.ConversionPattern=%p: %m%n\n");
  log4cplus::PropertyConfigurator::doConfigure(dir / "properties");
  for (const auto& [name, text] : strings) LOG4CPLUS_WARN(log4cplus::Logger::getRoot(), text);
  log4cplus::Logger::getRoot().removeAllAppenders();
  hostile::check_lines(hostile::lines_of(files::content(dir / "log")), strings,
                       [](const std::string& text) { return "WARN: " + text; });
}

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  const auto write = [](const char* name, std::unique_ptr<log4cplus::Layout> layout) {
    const log4cplus::SharedAppenderPtr file(new log4cplus::FileAppender("/dev/null"));
    file->setLayout(std::move(layout));
    log4cplus::Logger log = log4cplus::Logger::getInstance(name);
    log.addAppender(file);
    return [log](const std::string& text) { LOG4CPLUS_INFO(log, text); };
  };
  using layout = log4cplus::PatternLayout;
  recipe_cost::row("log4cplus", write("raw", std::make_unique<layout>("%c %m%n")),
                   write("app", std::make_unique<printable_layout<layout>>("%c %m%n")));
}
