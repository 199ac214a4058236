// text_filter_rows.hpp: one row for each filter that changes text, for the tests that try all of them.
#ifndef UTFILTER_TEST_TEXT_FILTER_ROWS_HPP
#define UTFILTER_TEST_TEXT_FILTER_ROWS_HPP

#include <utfilter/changes.hpp>

#include <string>

namespace text_filters {

/// Calls use(name, change, text, changed): `changed` is what becomes of the text, with ! for what the change refuses. (The
/// numbers of the fuzz target change.cpp are those of the rows: add new rows at the end.)
template <class Use>
void for_each_change(Use use) {
  using namespace utfilter::changes;
  using utfilter::newline;
  using namespace std::string_literals;
  use("convert_newlines, LF", convert_newlines(newline::lf), "a\r\nb\rc\n"s, "a\nb\nc\n"s);
  use("convert_newlines, CR LF", convert_newlines(newline::crlf), "a\r\nb\rc\n"s, "a\r\nb\r\nc\r\n"s);
  use("convert_newlines, CR", convert_newlines(newline::cr), "a\r\nb\rc\n"s, "a\rb\rc\r"s);
  use("remove_controls", remove_controls(), "a\x1B[1m\t\u0085"s, "a[1m\t"s);
  use("reject_controls", reject_controls(), "a\x1B\t\u0085"s, "a!\t!"s);
  use("strip_boms", strip_boms(), "\uFEFF\uFEFFid\n\uFEFF\u00E9\uFEFF"s, "id\n\u00E9\uFEFF"s);
  use("skip_hole", skip_hole(), std::string(600, '\0') + "a\0"s, "a\0"s);
  use("undo_mojibake", undo_mojibake(), "caf\u00C3\u00A9, \u00C3\u0192\u00C2\u00A9."s, "caf\u00E9, \u00E9."s);
  use("update_declaration", update_declaration(), "@charset \"latin1\";\u00E9"s, "@charset \"utf-8\";\u00E9"s);
}

}  // namespace text_filters

#endif
