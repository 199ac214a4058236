// filter_stacks.hpp: filters in a row, as in a chain; a text for them; and the output that the reference expects after
// each number of bytes of the text.
#ifndef UTFILTER_TEST_FILTER_STACKS_HPP
#define UTFILTER_TEST_FILTER_STACKS_HPP

#include "support/conformance.hpp"
#include "support/escape_controls_reference.hpp"
#include "support/texts.hpp"

#include <utfilter/escape_controls.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace filter_stacks {

namespace io = boost::iostreams;
using conformance::bom;
using conformance::encoding;
using conformance::error_info;
using conformance::filter_kind;
using conformance::from_reference;
using conformance::on_error;
using conformance::outcome;
using conformance::setup;
using conformance::to_reference;
using conformance::reference::starts_with;

/// One filter. Its copies share one state.
class filter {
 public:
  explicit filter(const setup& s) : setup_(s), filter_(conformance::filter_of(s, s.params)) {}
  static filter escaper(const utfilter::params& p) { return filter(p); }
  /// A new filter with the same setup.
  filter unused() const { return escapes() ? escaper(setup_.params) : filter(setup_); }

  outcome expected(std::string_view input, bool writing, bool ends) const {
    if (escapes())
      return from_reference(
          conformance::reference::escaper(to_reference(setup_.params), input, writing, ends).result());
    return from_reference(conformance::reference::converter(to_reference(setup_), input, writing, ends).result());
  }
  /// Whether the filter stops before the end of its input.
  bool stops(const outcome& o) const {
    return o.thrown || (setup_.params.on_error == on_error::stop && o.report.errors != 0);
  }

  template <class Use>
  decltype(auto) visit(Use&& use) const {
    return std::visit(std::forward<Use>(use), filter_);
  }
  template <class Use>
  decltype(auto) visit(Use&& use) {
    return std::visit(std::forward<Use>(use), filter_);
  }

 private:
  explicit filter(const utfilter::params& p)
      : setup_{filter_kind::validator, encoding::utf8, p}, filter_(utfilter::escape_controls(p)) {}

  bool escapes() const { return std::holds_alternative<utfilter::codec_filter<utfilter::control_escaper>>(filter_); }

  setup setup_;
  conformance::any_filter filter_;
};

/// Filters, in the order in which the data passes them, and a text for them.
struct stack {
  std::string name;
  std::vector<filter> filters;
  std::string text;
};

inline stack unused(stack s) {
  for (filter& f : s.filters) f = f.unused();
  return s;
}

/// The expected outcome.
struct due {
  std::string output;
  std::optional<error_info> thrown;  // if several filters fail in writing: the error of one of them
  std::vector<error_info> errors;    // every error that a filter throws
  std::size_t found = 0;             // number of errors in all filters
};

/// The expected outcomes after each number of bytes of the text.
class expectation {
 public:
  expectation(const stack& s, bool writing) : stack_(s), writing_(writing) {
    for (auto& known : due_) known.resize(s.text.size() + 1);
  }

  const due& of(std::size_t n, bool ends) const {
    std::optional<due>& known = due_[ends][n];
    if (!known) known = computed(stack_.text.substr(0, n), ends);
    return *known;
  }
  const due& of_all() const { return of(stack_.text.size(), true); }
  /// The outcome if the work on the bytes from `from` to `to` was cut short: everything before the first error in them.
  const due& before_errors(std::size_t from, std::size_t to) const {
    while (from != to && of(from + 1, false).found == of(from, false).found) ++from;
    return of(from, false);
  }

 private:
  due computed(std::string input, bool ends) const {
    due all;
    for (const filter& f : stack_.filters) {
      const outcome one = f.expected(input, writing_, ends);
      input = one.output;
      all.found += one.report.errors;
      if (one.thrown) all.errors.push_back(*one.thrown);
      if (!f.stops(one)) continue;
      // In reading, the next filter does not see the end of its input after an error. In writing, the next filter is
      // closed in any case. The last filter that stops decides: the filters before it may not have reached their
      // errors.
      if (!writing_) ends = !one.thrown;
      all.thrown = one.thrown;
    }
    all.output = std::move(input);
    return all;
  }

  stack stack_;
  bool writing_;
  mutable std::vector<std::optional<due>> due_[2];  // computed when first needed
};

inline setup setup_of(filter_kind kind, encoding e, on_error policy = on_error::strict, bom b = bom::automatic) {
  setup s{kind, e, {}};
  s.params.on_error = policy;
  s.params.bom = b;
  return s;
}

inline const std::string mixed_text = "a\u00E4\n\u20AC\U0001F600b\r\nz";  // 17 bytes
inline const std::string wrong_text = "p\xC3\n\xE2\x82"
                                      "b\xFF\xF0\x9F\x98\xED\xA0\x80\xC3\xA4z\xE2\x82";  // seven errors

/// A filter of each kind, with errors and without.
inline std::vector<stack> single_filters() {
  using k = filter_kind;
  const auto le = texts::utf16le(U"\uFEFFa\u20AC\U0001F600\nz"), lone = texts::utf16be(U"p\xD800\u20AC\xDC00");
  const auto utf8 = [](on_error p) { return filter(setup_of(k::validator, encoding::utf8, p)); };
  utfilter::params escape{on_error::escape};
  std::vector<stack> all = {
      {"validator", {utf8(on_error::strict)}, mixed_text},
      {"validator, strict", {utf8(on_error::strict)}, "pq\u00E4r\xE2\x82stu\xFF"},
      {"validator, stop", {utf8(on_error::stop)}, "pq\u00E4r\xE2\x82stu\xFF"},
      {"validator, replace", {utf8(on_error::replace)}, wrong_text},
      {"validator, keep", {utf8(on_error::keep)}, wrong_text},
      {"validator, byte order mark",
       {filter(setup_of(k::validator, encoding::utf8, on_error::skip, bom::strip))},
       "\xEF\xBB\xBF" + wrong_text},
      {"detect", {filter(setup_of(k::decoder, encoding::detect))}, le},
      {"from UTF-16BE", {filter(setup_of(k::decoder, encoding::utf16be, on_error::escape))}, lone + "\xD8"},
      {"from windows-1252", {filter(setup_of(k::decoder, encoding::windows1252))}, wrong_text},
      {"to UTF-16", {filter(setup_of(k::encoder, encoding::utf16))}, mixed_text},
      {"to UTF-32LE", {filter(setup_of(k::encoder, encoding::utf32le, on_error::replace))}, wrong_text},
      {"to latin1", {filter(setup_of(k::encoder, encoding::latin1))}, mixed_text},
      {"byte order mark", {filter(setup_of(k::bom, encoding::utf16le, on_error::strict, bom::strip))}, le},
      {"escape_controls", {filter::escaper(escape)}, "p\x1B\r\n\xC2\x9B\xFF\r" + mixed_text},
  };
  return all;
}

/// Two filters in a row, with an error in the first, in the second, in both, or in none.
inline std::vector<stack> double_filters() {
  using k = filter_kind;
  const auto utf8 = [](on_error p) { return filter(setup_of(k::validator, encoding::utf8, p)); };
  const auto encode = [](encoding e) { return filter(setup_of(k::encoder, e)); };
  const auto decode = [](encoding e) { return filter(setup_of(k::decoder, e)); };
  const auto lone = texts::utf16le(U"\uFEFFa\u20AC\xD800z");
  return {
      {"validator, to UTF-16", {utf8(on_error::replace), encode(encoding::utf16)}, wrong_text},
      {"to UTF-16LE and back", {encode(encoding::utf16le), decode(encoding::utf16le)}, mixed_text},
      {"the first fails", {decode(encoding::detect), encode(encoding::cesu8)}, lone},
      {"the second fails", {utf8(on_error::strict), encode(encoding::latin1)}, mixed_text},
      {"both fail", {utf8(on_error::strict), encode(encoding::latin1)}, mixed_text + "\xFF"},
      {"the first stops", {utf8(on_error::stop), encode(encoding::utf32be)}, wrong_text},
      {"escape_controls", {decode(encoding::utf16be), filter::escaper({})}, texts::utf16be(U"a\r\n\u009B\r\u20AC")},
  };
}

/// Adds an observer that allocates memory.
inline setup observed(setup s) {
  s.params.observer = [](const error_info& error) { static_cast<void>(error.message()); };
  return s;
}

/// Stacks of filters. Some of the filters allocate memory for each error, to throw it or to observe it.
inline std::vector<stack> filters_that_allocate() {
  std::vector<stack> all = double_filters();
  for (std::size_t i = 0; i < std::size(conformance::on_error_names); ++i) {
    for (const auto& [kind, e] :
         {std::pair(filter_kind::validator, encoding::utf8), std::pair(filter_kind::decoder, encoding::detect),
          std::pair(filter_kind::encoder, encoding::utf16be)}) {
      const setup s = setup_of(kind, e, static_cast<on_error>(i));
      if (kind != filter_kind::validator && s.params.on_error == on_error::keep) continue;
      all.push_back(
          {"observed, " + std::string(conformance::on_error_names[i]), {filter(observed(s))}, "ab" + wrong_text + 'z'});
    }
  }
  return all;
}

inline std::string text_of(const due& d) {
  return conformance::to_hex(d.output) + ", thrown " + conformance::text_of(d.thrown);
}

inline bool same(const due& a, const due& b) { return a.output == b.output && same_error(a.thrown, b.thrown); }

}  // namespace filter_stacks

#endif
