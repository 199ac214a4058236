// recipe_cost_log4cplus.cpp: what the recipe for log4cplus costs.
// build: needs:log4cplus::log4cplus
#include "recipe_cost.hpp"

#include <log4cplus/fileappender.h>
#include <log4cplus/initializer.h>
#include <log4cplus/loggingmacros.h>

#include <log_recipes/log4cplus.hpp>

int main() {
  const log4cplus::Initializer initializer;
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
