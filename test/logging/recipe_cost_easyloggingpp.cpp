// recipe_cost_easyloggingpp.cpp: what the recipe for easylogging++ costs.
// build: needs:PkgConfig::EASYLOGGINGPP option:-DELPP_NO_DEFAULT_LOG_FILE
#include "recipe_cost.hpp"

#include <log_recipes/easyloggingpp.hpp>

INITIALIZE_EASYLOGGINGPP

int main() {
  el::Configurations choice;
  choice.setToDefault();
  choice.setGlobally(el::ConfigurationType::ToStandardOutput, "false");
  choice.setGlobally(el::ConfigurationType::ToFile, "true");
  choice.setGlobally(el::ConfigurationType::Filename, "/dev/null");
  el::Loggers::setDefaultConfigurations(choice, true);
  el::Loggers::getLogger("raw");
  el::Loggers::getLogger("app");
  printable_builder::install("app");
  recipe_cost::row(
      "easylogging++", [](const std::string& text) { CLOG(INFO, "raw") << text; },
      [](const std::string& text) { CLOG(INFO, "app") << text; });
}
