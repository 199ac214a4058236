// recipe_boost_test.cpp: doc/log_recipes.md's backends for Boost.Log: streams, files, syslog, and wide loggers. Every byte
// that they write is well-formed, each record is one harmless line, and nothing is thrown into the program.
// build: needs:Boost::log needs:log_recipes needs:PkgConfig::PARSERS option:-DBOOST_LOG_USE_NATIVE_SYSLOG
#define BOOST_TEST_MODULE recipe_boost
#include <boost/test/unit_test.hpp>

// First, because a recipe must include all that it needs.
#include <log_recipes/boost_log.hpp>
#include <log_recipes/boost_log_wide.hpp>
#include <log_recipes/json_object.hpp>

#include "logging/recipe_cost.hpp"
#include "support/datagrams.hpp"
#include "support/files.hpp"
#include "support/hostile_json.hpp"
#include "support/hostile_lines.hpp"

#include <boost/log/attributes/constant.hpp>
#include <boost/log/attributes/value_extraction.hpp>
#include <boost/log/core.hpp>
#include <boost/log/expressions.hpp>
#include <boost/log/sinks/sync_frontend.hpp>
#include <boost/log/sinks/syslog_backend.hpp>
#include <boost/log/sinks/text_file_backend.hpp>
#include <boost/log/sinks/text_ostream_backend.hpp>
#include <boost/log/sources/logger.hpp>
#include <boost/log/sources/record_ostream.hpp>
#include <boost/log/utility/formatting_ostream.hpp>
#include <boost/make_shared.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace {

namespace logging = boost::log;
namespace sinks = boost::log::sinks;
namespace expr = boost::log::expressions;
namespace keywords = boost::log::keywords;

const auto strings = hostile::strings(20'000);

/// Makes the backend the only sink of Boost.Log, as long as it lives. A line is the attribute "user" and the message.
template <class Backend>
class only_sink {
 public:
  explicit only_sink(const boost::shared_ptr<Backend>& backend)
      : sink_(boost::make_shared<sinks::synchronous_sink<Backend>>(backend)) {
    sink_->set_formatter(expr::stream << '[' << expr::attr<std::string>("user") << "] " << expr::smessage);
    logging::core::get()->add_sink(sink_);
  }
  ~only_sink() { logging::core::get()->remove_all_sinks(); }
  only_sink(const only_sink&) = delete;
  only_sink& operator=(const only_sink&) = delete;

 private:
  boost::shared_ptr<sinks::synchronous_sink<Backend>> sink_;
};

/// Logs the text as message and as attribute.
void log(const std::string& text) {
  logging::sources::logger logger;
  logger.add_attribute("user", logging::attributes::constant<std::string>(text));
  BOOST_CHECK_NO_THROW(BOOST_LOG(logger) << text);
}

std::string line(const std::string& text) { return '[' + text + "] " + text; }

BOOST_AUTO_TEST_CASE(a_stream_gets_one_harmless_line_for_each_record) {
  const auto out = boost::make_shared<std::ostringstream>();
  {
    using backend = printable_backend<sinks::text_ostream_backend>;
    const auto lines = boost::make_shared<backend>();
    lines->add_stream(out);
    const only_sink<backend> sink(lines);
    for (const auto& [name, text] : strings) log(text);
  }
  hostile::check_lines(hostile::lines_of(out->str()), strings, line);
}

BOOST_AUTO_TEST_CASE(files_get_one_harmless_line_for_each_record) {
  const files::directory dir;
  {
    using backend = printable_backend<sinks::text_file_backend>;
    const only_sink<backend> sink(
        boost::make_shared<backend>(keywords::file_name = dir / "log.%N", keywords::rotation_size = 100'000));
    for (const auto& [name, text] : strings) log(text);
  }
  std::string all;
  for (int i = 0; std::filesystem::exists(dir / ("log." + std::to_string(i))); ++i)
    all += files::content(dir / ("log." + std::to_string(i)));
  BOOST_TEST(!std::filesystem::exists(dir / "log.9"));
  BOOST_TEST(std::filesystem::exists(dir / "log.1"));
  hostile::check_lines(hostile::lines_of(all), strings, line);
}

BOOST_AUTO_TEST_CASE(a_formatter_makes_each_record_a_line_of_json) {
  const auto out = boost::make_shared<std::ostringstream>();
  using backend = printable_backend<sinks::text_ostream_backend>;
  const auto lines = boost::make_shared<backend>();
  lines->add_stream(out);
  const auto sink = boost::make_shared<sinks::synchronous_sink<backend>>(lines);
  sink->set_formatter([](const logging::record_view& record, logging::formatting_ostream& to) {
    to << json_object({{"user", *logging::extract<std::string>("user", record)},
                       {"text", *logging::extract<std::string>("Message", record)}});
  });
  logging::core::get()->add_sink(sink);
  for (const auto& [name, text] : strings) log(text);
  logging::core::get()->remove_all_sinks();
  hostile::check_json(hostile::lines_of(out->str()), strings, {"user", "text"});
}

//--------------------------------------------------------------------------------------------------------------- syslog

/// A socket that takes datagrams of UDP.
class udp_server {
 public:
  udp_server() : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* const address = reinterpret_cast<sockaddr*>(&address_);
    BOOST_REQUIRE(::bind(socket_, address, size) == 0);
    BOOST_REQUIRE(::getsockname(socket_, address, &size) == 0);
  }
  ~udp_server() { ::close(socket_); }
  udp_server(const udp_server&) = delete;
  udp_server& operator=(const udp_server&) = delete;

  unsigned short port() const { return ntohs(address_.sin_port); }
  std::string next() const { return datagrams::next(socket_); }

 private:
  int socket_;
  sockaddr_in address_ = {};
};

using syslog_backend = printable_backend<sinks::syslog_backend>;

BOOST_AUTO_TEST_CASE(a_syslog_server_gets_one_harmless_record_for_each_text) {
  const udp_server server;
  const auto backend = boost::make_shared<syslog_backend>(keywords::use_impl = sinks::syslog::udp_socket_based);
  backend->set_target_address("127.0.0.1", server.port());
  backend->options.limit = 900;
  const only_sink<syslog_backend> sink(backend);
  for (const auto& [name, text] : strings) {
    BOOST_TEST_INFO(name);
    log(text);
    const std::string record = server.next();
    BOOST_TEST(record.size() < 1024u);
    hostile::check_datagram(record, hostile::shown_within(line(text), 900));
    BOOST_TEST(server.next() == "");
  }
}

BOOST_AUTO_TEST_CASE(the_system_s_log_gets_one_harmless_record_for_each_text) {
  const datagrams::syslog_daemon daemon;
  for (const auto& [name, text] : strings) {
    BOOST_TEST_INFO(name);
    const bool logged = daemon.serve([&, &text = text] {
      const auto backend = boost::make_shared<syslog_backend>(keywords::use_impl = sinks::syslog::native);
      backend->options.limit = 2000;
      const only_sink<syslog_backend> sink(backend);
      log(text);
    });
    if (!logged) {
      std::cout << "skipped: syslog(3), because nobody may change the root directory here\n";
      return;
    }
    hostile::check_datagram(daemon.next(), hostile::shown_within(line(text), 2000));
    BOOST_TEST(daemon.next() == "");
  }
}

//----------------------------------------------------------------------------------------------------------------- wide

/// Each byte as a character, so that the hostile strings of bytes become wide ones, and each ill-formed character.
struct wide_string {
  const char* name;
  std::wstring text;
  std::string shown;
};

std::vector<wide_string> wide_strings() {
  std::vector<wide_string> all;
  for (const auto& [name, text] : strings)
    all.push_back({name, utfilter::to_wstring(text), conformance::reference::replaced(text)});
  const std::wstring lone = {L'a', static_cast<wchar_t>(0xD800), L'b', static_cast<wchar_t>(0xDFFF)};
  all.push_back({"lone surrogates", lone, "a\uFFFDb\uFFFD"});
  all.push_back({"a lone surrogate at the end", lone.substr(0, 2), "a\uFFFD"});
  if constexpr (sizeof(wchar_t) == 4) {
    const std::wstring large = {static_cast<wchar_t>(0x110000), L'\n', static_cast<wchar_t>(-1)};
    all.push_back({"no characters", large, "\uFFFD\n\uFFFD"});
  }
  return all;
}

template <class Backend>
std::string logged_wide() {
  const files::directory dir;
  log_wide_to<Backend>(dir / "log");
  logging::sources::wlogger logger;
  for (const auto& hostile : wide_strings()) BOOST_CHECK_NO_THROW(BOOST_LOG(logger) << hostile.text);
  logging::core::get()->remove_all_sinks();
  return files::content(dir / "log");
}

BOOST_AUTO_TEST_CASE(a_wide_logger_writes_utf8_and_loses_no_record) {
  for (const char* locale : {"C", "C.UTF-8"}) {
    const std::locale before = std::locale::global(std::locale(locale));
    std::string all;
    for (const auto& hostile : wide_strings()) {
      all += hostile.shown;
      if (hostile.shown.empty() || all.back() != '\n') all += '\n';  // Boost.Log adds no second one
    }
    BOOST_TEST((logged_wide<sinks::wtext_ostream_backend>() == all));

    std::string lines;
    for (const auto& hostile : wide_strings()) lines += hostile::shown(hostile.shown) + '\n';
    BOOST_TEST((logged_wide<printable_backend<sinks::wtext_ostream_backend>>() == lines));
    std::locale::global(before);
  }
}

BOOST_AUTO_TEST_CASE(a_wide_log_on_a_full_disk_throws_nothing_into_the_program) {
  log_wide_to<sinks::wtext_ostream_backend>("/dev/full");
  logging::sources::wlogger logger;
  for (int i = 0; i < 3; ++i) BOOST_CHECK_NO_THROW(BOOST_LOG(logger) << L"lost");
  logging::core::get()->remove_all_sinks();
  BOOST_CHECK_THROW(log_wide_to<sinks::wtext_ostream_backend>("/dev/null/none"), std::system_error);
}

template <class Backend>
auto sink_to(const boost::shared_ptr<typename Backend::stream_type>& out) {
  const auto backend = boost::make_shared<Backend>();
  backend->add_stream(out);
  backend->auto_flush();
  return boost::make_shared<sinks::synchronous_sink<Backend>>(backend);
}

BOOST_AUTO_TEST_CASE(cost, *boost::unit_test::disabled()) {
  const auto core = logging::core::get();
  const auto out = boost::make_shared<std::ofstream>("/dev/null");
  const auto raw = sink_to<sinks::text_ostream_backend>(out);
  raw->set_formatter(expr::stream << expr::smessage);
  const auto checked = sink_to<printable_backend<sinks::text_ostream_backend>>(out);
  checked->set_formatter(expr::stream << expr::smessage);
  logging::sources::logger narrow_log;
  const auto write = [&](const std::string& text) { BOOST_LOG(narrow_log) << text; };
  recipe_cost::row("Boost.Log", write, write, [&](const std::string&, bool is_checked) {
    core->remove_all_sinks();
    is_checked ? core->add_sink(checked) : core->add_sink(raw);
  });

  const auto wide_out = boost::make_shared<std::wofstream>("/dev/null");
  wide_out->imbue(std::locale("C.UTF-8"));
  const auto wide_raw = sink_to<sinks::wtext_ostream_backend>(wide_out);
  wide_raw->set_formatter(expr::stream << expr::wmessage);
  logging::sources::wlogger wide_log;
  std::wstring wide;
  const auto write_wide = [&](const std::string&) { BOOST_LOG(wide_log) << wide; };
  const auto wide_row = [&](const char* name, auto add_recipe) {
    recipe_cost::row(name, write_wide, write_wide, [&](const std::string& text, bool is_checked) {
      wide = utfilter::to_wstring(text);
      core->remove_all_sinks();
      is_checked ? add_recipe("/dev/null") : core->add_sink(wide_raw);
    });
  };
  wide_row("Boost.Log, wide", log_wide_to<sinks::wtext_ostream_backend>);
  wide_row("Boost.Log, wide, escaped", log_wide_to<printable_backend<sinks::wtext_ostream_backend>>);
}

}  // namespace
