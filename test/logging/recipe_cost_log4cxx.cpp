// recipe_cost_log4cxx.cpp: what the recipe for log4cxx costs.
// build: needs:PkgConfig::LOG4CXX
#include "recipe_cost.hpp"

#include <log4cxx/fileappender.h>
#include <log4cxx/logger.h>

#include <clocale>
#include <memory>

#include <log_recipes/log4cxx.hpp>

int main() {
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
