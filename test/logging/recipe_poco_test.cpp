// recipe_poco_test.cpp: doc/log_recipes.md's formatter under Poco: every byte that reaches the file is well-formed, and
// each record is one harmless line.
// build: needs:Poco::Foundation needs:log_recipes needs:PkgConfig::PARSERS by_itself
#define BOOST_TEST_MODULE recipe_poco
#include <boost/test/unit_test.hpp>

#include "logging/recipe_cost.hpp"
#include "support/files.hpp"
#include "support/hostile_json.hpp"
#include "support/hostile_lines.hpp"

#include <Poco/AutoPtr.h>
#include <Poco/FileChannel.h>
#include <Poco/FormattingChannel.h>
#include <Poco/Logger.h>
#include <Poco/Message.h>

#include <string>
#include <vector>

#include <log_recipes/json_object.hpp>
#include <log_recipes/poco.hpp>

namespace {

const auto strings = hostile::strings(20'000);

/// Logs each hostile string as message, as source, as thread and as parameter. Returns the lines.
std::vector<std::string> logged(const Poco::Formatter::Ptr& formatter) {
  const files::directory dir;
  Poco::AutoPtr<Poco::Channel> file(new Poco::FileChannel(dir / "log"));
  const Poco::AutoPtr<Poco::Channel> lines(new Poco::FormattingChannel(formatter, file));
  for (const auto& [name, text] : strings) {
    Poco::Message message("n" + text, text, Poco::Message::PRIO_INFORMATION);
    message.setThread(text);
    message["user"] = text;
    Poco::Logger& log = Poco::Logger::get("n" + text);
    log.setChannel(lines);
    log.log(message);
    log.setChannel(nullptr);
  }
  file->close();
  return hostile::lines_of(files::content(dir / "log"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_record_is_one_harmless_line) {
  hostile::check_lines(logged(new printable_formatter("%s [%[user]] [%T] %t")), strings,
                       [](const std::string& text) { return "n" + text + " [" + text + "] [" + text + "] " + text; });
}

BOOST_AUTO_TEST_CASE(a_text_that_is_cut_inside_a_character_is_repaired) {
  for (const char* pattern : {"%v[1]|%v[2]", "%v[3]", "%v[5] %t"})
    hostile::check_harmless(logged(new printable_formatter(pattern)), strings);
}

BOOST_AUTO_TEST_CASE(each_record_is_a_line_of_json) {
  struct json_formatter : Poco::Formatter {
    void format(const Poco::Message& message, std::string& text) override {
      text = json_object({{"user", message["user"]}, {"text", message.getText()}});
    }
  };
  hostile::check_json(logged(new json_formatter), strings, {"user", "text"});
}

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  const auto write = [](const char* name, const Poco::Formatter::Ptr& formatter) {
    const Poco::AutoPtr<Poco::Channel> file(new Poco::FileChannel("/dev/null"));
    const Poco::AutoPtr<Poco::Channel> lines(new Poco::FormattingChannel(formatter, file));
    Poco::Logger& log = Poco::Logger::create(name, lines);
    return [&log](const std::string& text) { log.information(text); };
  };
  recipe_cost::row("Poco", write("raw", new Poco::PatternFormatter("%s %t")),
                   write("app", new printable_formatter("%s %t")));
}
