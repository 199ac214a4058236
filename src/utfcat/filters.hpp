// filters.hpp: --filter, which changes the text of a file between decoding and encoding.
#ifndef UTFCAT_FILTERS_HPP
#define UTFCAT_FILTERS_HPP

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

/// A filter that takes the text of one file, which is UTF-8, piece by piece.
class text_filter {
 public:
  virtual ~text_filter() = default;

  /// Takes whole characters, and appends what becomes of them to `to`, as far as that is decided. Throws utf_error, after
  /// the text before the error has been appended.
  virtual void write(std::string_view text, std::string& to) = 0;
  /// Appends the rest, at the end of the text.
  virtual void finish(std::string& to) = 0;
  virtual utfilter::stream_report report() const = 0;
};

/// A row of the table of filters.
struct filter_kind {
  std::string_view name;
  const char* help;
  std::unique_ptr<text_filter> (*make)(const utfilter::params&, utfilter::encoding);
  const char* changed;            // what report().changes counts, in the singular, such as "line end"; null: nothing
  bool takes_encoding = false;    // NAME:ENC
  bool rejects = false;           // it may find errors
  bool holds_text = false;        // it may hold the last character of a line back
  const char* why_not = nullptr;  // why this utfcat does not have it
};

/// A filter that the user named.
struct filter_choice {
  const filter_kind* kind;
  utfilter::encoding encoding;  // if it takes one
};

/// Reads NAME[:ENC][,NAME[:ENC]...]. Throws usage_error for a name that nobody has, and for filters that make no sense in
/// this order. `look_up` finds an encoding by its name, or throws usage_error.
std::vector<filter_choice> read_filters(const std::string& names,
                                        utfilter::encoding (*look_up)(const char* option, const std::string& name));

/// Each filter as the user writes it, NAME or NAME[:ENC], and what it does.
std::vector<std::pair<std::string, std::string>> help_on_filters();

/// The filters of one file, one after the other.
class filter_chain {
 public:
  /// Without filters, text passes as it is.
  filter_chain() = default;
  /// `p` are the params of each filter.
  filter_chain(const std::vector<filter_choice>&, const utfilter::params& p);

  bool is_empty() const noexcept { return filters_.empty(); }

  /// What becomes of whole characters, as far as that is decided. The view is valid until the next call.
  std::string_view pass(std::string_view text);
  /// The rest, at the end of the text.
  std::string_view finish();

  /// The error at which the text ends. It comes after the text that pass() or finish() has returned. Null if there is none.
  std::exception_ptr failure() const noexcept { return failure_; }

  /// The counts of all filters, such as ", 3 line ends changed, 1 joiner inserted"; empty if nothing was changed.
  std::string counts() const;

 private:
  struct link {
    const filter_kind* kind;
    std::unique_ptr<text_filter> filter;
    std::string text;  // that it has given
  };

  std::string_view run(std::string_view text, bool last);

  std::vector<link> filters_;
  std::exception_ptr failure_;
};

}  // namespace utfcat

#endif
