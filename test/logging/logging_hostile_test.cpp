// logging_hostile_test.cpp: what strangers put into a log arrives as one harmless line for each record, whatever stands
// in the message, in the name or in a flag of the pattern: through spdlog, through a stream, and through a chain.
// build: needs:spdlog::spdlog needs:PkgConfig::PARSERS
#define BOOST_TEST_MODULE logging_hostile
#include <boost/test/unit_test.hpp>

#include "support/hostile_json.hpp"
#include "support/hostile_lines.hpp"
#include "support/spdlog_flags.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/escape_controls.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/spdlog_sink.hpp>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <nlohmann/json.hpp>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>

#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace io = boost::iostreams;
using hostile::lines_of;
using nlohmann::json;
using utfilter::control_escaper;
using utfilter::escape_style;
using utfilter::printable_options;

/// Large strings have this many bytes, and ten times as many.
constexpr std::size_t large = 20'000;

/// Logs each hostile string as message, as name and as the value of a flag. Returns the lines.
template <class Make>
std::vector<std::string> logged(const std::string& pattern, const Make& make) {
  std::ostringstream file;
  const auto sink = make(std::make_shared<spdlog::sinks::ostream_sink_mt>(file));
  for (const auto& hostile : hostile::strings(large)) {
    spdlog::logger log(hostile.text, sink);
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<text_flag>('*', hostile.text).set_pattern(pattern);
    log.set_formatter(std::move(formatter));
    log.set_error_handler([](const std::string& why) { BOOST_ERROR(why); });
    log.log(spdlog::level::info, spdlog::string_view_t(hostile.text));
  }
  return lines_of(file.str());
}

/// Checks that there is one harmless line for each string.
void check(const std::vector<std::string>& lines) { hostile::check_harmless(lines, hostile::strings(large)); }

}  // namespace

BOOST_AUTO_TEST_CASE(spdlog_writes_one_harmless_line_for_each_record) {
  check(logged("%n [%*] %v", [](auto sink) { return std::make_shared<utfilter::escaping_spdlog_sink>(sink); }));
}

// Cut by widths, in the middle of characters.
BOOST_AUTO_TEST_CASE(spdlog_writes_harmless_lines_of_cut_texts) {
  for (const char* pattern : {"%1!n %2!v", "%3!n %4!v", "%5!n %6!v", "%^%7!v%$"})
    check(logged(pattern, [](auto sink) { return std::make_shared<utfilter::escaping_spdlog_sink>(sink); }));
}

BOOST_AUTO_TEST_CASE(spdlog_writes_valid_json_that_gives_the_message_back) {
  const auto strings = hostile::strings(large);
  for (const bool invisible : {false, true}) {
    printable_options o;
    o.style = escape_style::json;
    o.invisible = invisible;
    const auto lines = logged(R"({"name":"%n","text":"%v"})",
                              [&](auto sink) { return std::make_shared<utfilter::escaping_spdlog_sink>(sink, o); });
    hostile::check_json(lines, strings, {"name", "text"});
  }
}

// quill writes these members, and its caller's own ones after them; Debian has no quill.
BOOST_AUTO_TEST_CASE(records_in_the_layout_of_quill_are_valid_json_that_gives_each_text_back) {
  const auto strings = hostile::strings(large);
  printable_options o;
  o.style = escape_style::json;
  const std::vector<std::string> members = {"timestamp", "file_name", "line",    "thread_id",
                                            "logger",    "log_level", "message", "user"};
  std::ostringstream log;
  for (const auto& hostile : strings) {
    char before = '{';
    for (const std::string& member : members) {
      log << before << '"' << member << "\":\"" << utfilter::printable(hostile.text, o) << '"';
      before = ',';
    }
    log << "}\n";
  }
  hostile::check_json(lines_of(log.str()), strings, members);
}

// A record that is JSON already must not be changed. Only spdlog_sink is right for it.
BOOST_AUTO_TEST_CASE(spdlog_passes_records_that_a_json_library_has_made) {
  const auto strings = hostile::strings(large);
  std::ostringstream file;
  spdlog::logger log("app",
                     std::make_shared<utfilter::spdlog_sink>(std::make_shared<spdlog::sinks::ostream_sink_mt>(file)));
  log.set_pattern("%v");
  for (const auto& hostile : strings) log.info(json{{"text", utfilter::sanitize(hostile.text)}}.dump());
  hostile::check_json(lines_of(file.str()), strings, {"text"});
}

BOOST_AUTO_TEST_CASE(a_stream_gets_one_harmless_line_for_each_record) {
  std::ostringstream log;
  for (const auto& hostile : hostile::strings(large)) {
    {
      utfilter::codec_scoped_filter field(log, control_escaper(control_escaper::line_feeds::escape));
      log << hostile.text;
    }
    log << '\n';
  }
  check(lines_of(log.str()));
}

BOOST_AUTO_TEST_CASE(a_chain_gets_one_harmless_line_for_each_record) {
  std::string log;
  for (const auto& hostile : hostile::strings(large)) {
    io::filtering_ostream out;
    out.push(utfilter::escape_controls(printable_options(), utfilter::log_params()));
    out.push(io::back_inserter(log));
    out << hostile.text;
    out.reset();
    log += '\n';
  }
  check(lines_of(log));
}
