// recipe_cost_poco.cpp: what the recipe for Poco costs.
// build: needs:Poco::Foundation
#include "recipe_cost.hpp"

#include <Poco/AutoPtr.h>
#include <Poco/FileChannel.h>
#include <Poco/FormattingChannel.h>
#include <Poco/Logger.h>

#include <log_recipes/poco.hpp>

int main() {
  const auto write = [](const char* name, const Poco::Formatter::Ptr& formatter) {
    const Poco::AutoPtr<Poco::Channel> file(new Poco::FileChannel("/dev/null"));
    const Poco::AutoPtr<Poco::Channel> lines(new Poco::FormattingChannel(formatter, file));
    Poco::Logger& log = Poco::Logger::create(name, lines);
    return [&log](const std::string& text) { log.information(text); };
  };
  recipe_cost::row("Poco", write("raw", new Poco::PatternFormatter("%s %t")),
                   write("app", new printable_formatter("%s %t")));
}
