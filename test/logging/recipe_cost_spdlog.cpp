// recipe_cost_spdlog.cpp: what the recipes for spdlog cost.
// build: needs:spdlog::spdlog
#include "recipe_cost.hpp"

#include <log_recipes/spdlog.hpp>

int main() {
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
