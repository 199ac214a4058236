// recipe_cost_boost.cpp: what the recipes for Boost.Log cost.
// build: needs:Boost::log
#include "recipe_cost.hpp"

#include <boost/log/sources/logger.hpp>
#include <boost/log/sources/record_ostream.hpp>

#include <fstream>
#include <locale>

#include <log_recipes/boost_log.hpp>
#include <log_recipes/boost_log_wide.hpp>

namespace {

namespace logging = boost::log;
namespace sinks = boost::log::sinks;
namespace expr = boost::log::expressions;

template <class Backend>
auto sink_to(const boost::shared_ptr<typename Backend::stream_type>& out) {
  const auto backend = boost::make_shared<Backend>();
  backend->add_stream(out);
  backend->auto_flush();
  return boost::make_shared<sinks::synchronous_sink<Backend>>(backend);
}

}  // namespace

int main() {
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
