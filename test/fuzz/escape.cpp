// escape.cpp: a fuzz target that compares the control_escaper with its reference, under every policy, with line feeds
// passed or escaped. The input decides how the text is cut, and the room for the output.
#include "fuzz.hpp"

#include <utfilter/control_escaper.hpp>

namespace {

using namespace fuzz;
using utfilter::control_escaper;
using line_feeds = control_escaper::line_feeds;

/// Escapes the line ends of an outcome in which all other control characters are escaped already.
void escape_line_ends(outcome& o) {
  std::string line;
  for (const char c : o.output) line += c == '\r' ? "\\x0D" : c == '\n' ? "\\x0A" : std::string(1, c);
  o.output = line;
  o.report.bytes_out = line.size();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  choices choose(data, size);
  const auto s = any_setup(choose);
  const bool escapes = choose.one_in(2);
  feeding f(choose);
  if (!s || s->params.on_error == utfilter::on_error::keep || s->params.bom != utfilter::bom::automatic) return 0;
  if (escapes) f.watched = plan::everything;  // checks no early output: only the reference keeps a carriage return back

  observation observed;
  utfilter::conversion<control_escaper> conv(control_escaper(escapes ? line_feeds::escape : line_feeds::pass),
                                             observed.params(s->params));
  const auto wanted = [&](std::string_view input, bool ends) {
    outcome o = expected_escaped(s->params, input, f.writing, ends);
    if (escapes) escape_line_ends(o);
    return o;
  };
  check(conv, observed, f, wanted,
        (escapes ? "controls and line feeds, as " : "controls, as ") + conformance::text_of(*s));
  return 0;
}
