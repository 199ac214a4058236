// printable_json_test.cpp: what is written with the escapes of JSON stands in any JSON string, and a parser gives the
// text back. control_escaper writes the same.
// build: needs:PkgConfig::PARSERS
#define BOOST_TEST_MODULE printable_json
#include <boost/test/unit_test.hpp>

#include "support/hostile_strings.hpp"
#include "support/printable_reference.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/printable.hpp>

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

using nlohmann::json;
namespace reference = conformance::reference;

namespace {

utfilter::printable_options json_options() {
  utfilter::printable_options o;
  o.style = utfilter::escape_style::json;
  return o;
}

/// The value of the member "msg" of a record; how it is wrong, if it is no JSON.
std::string message_of(const std::string& record) {
  const json parsed = json::parse(record, nullptr, false);
  if (parsed.is_discarded()) return "no JSON";
  return parsed.size() == 2 ? parsed.at("msg").get<std::string>() : "members were added";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_json_parser_gives_each_hostile_string_back) {
  for (const auto& hostile : hostile::strings()) {
    for (const bool invisible : {false, true}) {
      utfilter::printable_options o = json_options();
      o.invisible = invisible;
      // Whatever these say, JSON needs the escapes.
      o.line_feed = o.tab = o.backslash = o.quote = false;
      std::ostringstream record;
      record << R"({"level":"info","msg":")" << utfilter::printable(hostile.text, o) << "\"}";
      BOOST_TEST_INFO(hostile.name);
      BOOST_TEST((record.str().find_first_of("\n\r") == std::string::npos));
      BOOST_TEST((message_of(record.str()) == reference::replaced(hostile.text)));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cut_json_string_is_valid_at_every_limit) {
  for (const auto& hostile : hostile::strings(200)) {
    const std::string whole = reference::replaced(hostile.text);
    for (std::size_t limit = 0; limit < 300; ++limit) {
      utfilter::printable_options o = json_options();
      o.limit = limit;
      const std::string cut = utfilter::to_printable(hostile.text, o);
      std::string message = message_of(R"({"level":"info","msg":")" + cut + "\"}");
      BOOST_TEST_INFO(hostile.name << " within " << limit);
      BOOST_TEST((cut.size() <= limit));
      if (message != whole && !message.empty()) {
        BOOST_TEST((message.size() >= 3 && message.substr(message.size() - 3) == "\u2026"));
        message.resize(message.size() - 3);
      }
      BOOST_TEST((whole.compare(0, message.size(), message) == 0));
    }
  }
}

BOOST_AUTO_TEST_CASE(control_escaper_writes_json_under_each_policy) {
  using utfilter::on_error;
  for (const auto& hostile : hostile::strings(2000)) {
    for (const on_error policy : {on_error::replace, on_error::skip, on_error::escape, on_error::windows1252}) {
      utfilter::codec_decoder codec(utfilter::control_escaper(json_options()), policy);
      std::string escaped(16 * hostile.text.size() + 100, '?');
      const auto step = codec.convert(hostile.text.data(), hostile.text.size(), escaped.data(), escaped.size(), true);
      BOOST_TEST((step.status == utfilter::codec_status::done));
      escaped.resize(step.produced);
      const std::string message = message_of(R"({"level":"info","msg":")" + escaped + "\"}");
      BOOST_TEST_INFO(hostile.name);
      BOOST_TEST((message != "no JSON"));
      if (policy == on_error::replace) BOOST_TEST((message == reference::replaced(hostile.text)));
    }
  }
}
