// escaped_text.cpp: escapes its input and writes it, for escaping_page.py. The first argument names what escapes:
// printable, control_escaper, escape_controls, or ascii (escape_controls, then from_utf8). The others are the names of
// printable_options and of a policy, which is strict if none is given.
#include <utfilter/control_escaper.hpp>
#include <utfilter/escape_controls.hpp>
#include <utfilter/from_utf8.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/scoped_filter.hpp>

#include <boost/iostreams/filtering_stream.hpp>

#include <iostream>
#include <iterator>
#include <map>
#include <string>

namespace io = boost::iostreams;
using utfilter::on_error;
using utfilter::printable_options;

namespace {

const std::map<std::string, bool printable_options::*> choices = {
    {"line_feed", &printable_options::line_feed}, {"tab", &printable_options::tab},
    {"backslash", &printable_options::backslash}, {"quote", &printable_options::quote},
    {"invisible", &printable_options::invisible},
};

const std::map<std::string, on_error> policies = {
    {"strict", on_error::strict}, {"replace", on_error::replace},         {"skip", on_error::skip},
    {"escape", on_error::escape}, {"windows1252", on_error::windows1252},
};

/// Writes the text by the filter and, if there is one, by the filter after it.
template <class... After>
void write(const std::string& text, const utfilter::escape_controls& filter, const After&... after) {
  io::filtering_ostream out;
  out.push(filter);
  (out.push(after), ...);
  out.push(std::cout);
  out.exceptions(std::ios::badbit);
  out << text;
  out.reset();
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::string who = argv[1];
  printable_options o;
  bool has_options = who == "printable";
  on_error policy = on_error::strict;
  for (int i = 2; i < argc; ++i) {
    if (policies.count(argv[i]) != 0) {
      policy = policies.at(argv[i]);
      continue;
    }
    if (std::string(argv[i]) == "json")
      o.style = utfilter::escape_style::json;
    else
      o.*choices.at(argv[i]) = true;
    has_options = true;
  }
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  if (who == "printable") {
    std::cout << utfilter::printable(text, o);
  } else if (who == "control_escaper") {
    const utfilter::control_escaper codec = has_options ? utfilter::control_escaper(o) : utfilter::control_escaper();
    utfilter::codec_scoped_filter<utfilter::control_escaper> filter(std::cout, codec, policy);
    std::cout << text;
  } else if (who == "escape_controls") {
    write(text, has_options ? utfilter::escape_controls(o, policy) : utfilter::escape_controls(policy));
  } else {
    write(text, utfilter::escape_controls(policy), utfilter::from_utf8(utfilter::encoding::ascii, on_error::escape));
  }
  std::cout.flush();
  return std::cout ? 0 : 1;
}
