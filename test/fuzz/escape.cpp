// escape.cpp: a fuzz target that compares the control_escaper with its reference, under every policy, with every choice
// of what is escaped, and how. The input decides how the text is cut, and the room for the output.
#include "fuzz.hpp"

#include <utfilter/control_escaper.hpp>

namespace {

using namespace fuzz;
using utfilter::control_escaper;

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  const auto s = any_setup(choose);
  conformance::reference::escape_choice choice;
  choice.line_feed = choose.one_in(2);
  choice.tab = choose.one_in(2);
  choice.backslash = choose.one_in(2);
  choice.quote = choose.one_in(2);
  choice.json = choose.one_in(4);
  feeding f(choose);
  if (!s || s->params.on_error == utfilter::on_error::keep || s->params.bom != utfilter::bom::automatic) return 0;

  observation observed;
  utfilter::printable_options o;
  o.line_feed = choice.line_feed;
  o.tab = choice.tab;
  o.backslash = choice.backslash;
  o.quote = choice.quote;
  o.style = choice.json ? utfilter::escape_style::json : utfilter::escape_style::backslash;
  utfilter::conversion<control_escaper> conv(control_escaper(o), observed.params(s->params));
  const auto wanted = [&](std::string_view input, bool ends) {
    return expected_escaped(s->params, input, f.writing, ends, choice);
  };
  check(conv, observed, f, wanted,
        (choice.json ? "controls in JSON, as " : "controls, as ") + conformance::text_of(*s));
  return 0;
}
