// filters.hpp: --filter, which changes the text of a file between decoding and encoding.
#ifndef UTFCAT_FILTERS_HPP
#define UTFCAT_FILTERS_HPP

#include <utfilter/characters.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/printable_options.hpp>

#include <boost/iostreams/categories.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <ios>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

/// A sink that appends to a string.
class string_sink {
 public:
  using char_type = char;
  struct category : boost::iostreams::sink_tag, boost::iostreams::flushable_tag {};

  explicit string_sink(std::string& to) noexcept : to_(&to) {}
  std::streamsize write(const char* s, std::streamsize n) {
    to_->append(s, static_cast<std::size_t>(n));
    return n;
  }
  bool flush() { return true; }

 private:
  std::string* to_;
};

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
  /// A filter that goes on as this one would, from the text that has passed so far. Its params are `p`.
  virtual std::unique_ptr<text_filter> copy(const utfilter::params& p) const = 0;
};

struct filter_choice;

/// What follows the name of a filter and a colon.
enum class filter_argument { none, encoding, encodings, characters };

/// A row of the table of filters.
struct filter_kind {
  std::string_view name;
  const char* help;
  std::unique_ptr<text_filter> (*make)(const utfilter::params&, const filter_choice&);
  const char* changed;  // what report().changes counts, in the singular, such as "line end"; null: nothing
  /// A short text after which a new filter goes on as it does after this text; null if every text is forgotten.
  std::string (*memory)(std::string_view text, const filter_choice&) = nullptr;
  filter_argument takes = filter_argument::none;
  /// Returns the first error that it finds in a text; null if it finds none in any.
  std::optional<utfilter::error_info> (*find)(std::string_view text, const filter_choice&) = nullptr;
  bool holds_text = false;        // it may hold text back until more comes
  bool at_start = false;          // it changes nothing but the start of a file
  const char* why_not = nullptr;  // why this utfcat does not have it
};

/// A filter that the user named.
struct filter_choice {
  const filter_kind* kind;
  utfilter::encoding encoding;  // if it takes one, or if it declares one; guess for "auto"
  std::string charset = {};     // if it declares a charset of ICU instead
  std::string set_name = {};    // if it takes a set of characters, such as "bidi+tags" or "controls=json"
  utfilter::characters set = utfilter::characters::none;
  utfilter::escape_style style = utfilter::escape_style::backslash;
  utfilter::encoding is_in = utfilter::encoding::detect;  // if it takes a second one

  bool is(std::string_view name) const noexcept { return kind->name == name; }
  /// Whether it may hold text back until more comes.
  bool holds_text() const noexcept { return kind->holds_text || encoding == utfilter::encoding::guess; }
  /// As the user writes it, such as mojibake:windows-1251.
  std::string full_name() const;
};

/// What a filter knows of the text that it has taken.
struct filter_memory {
  std::string filter;  // its full name
  std::string text;    // a new filter that takes this text goes on as the filter does, if what it gives is left out
};

/// The filter `declare`, for a text that will be in this encoding, or if the name is not empty, in this charset of ICU.
filter_choice declaring(utfilter::encoding, std::string charset);

/// Reads NAME[:ARGUMENT][,NAME[:ARGUMENT]...]. Throws usage_error for a name that nobody has, and for filters that make no sense in
/// this order. `look_up` finds an encoding by its name, or throws usage_error.
std::vector<filter_choice> read_filters(const std::string& names,
                                        utfilter::encoding (*look_up)(const char* option, const std::string& name));

/// Each filter as the user writes it, NAME, NAME[:ENC] or NAME:SET, and what it does.
std::vector<std::pair<std::string, std::string>> help_on_filters();

/// The filters of one file, one after the other.
class filter_chain {
 public:
  /// Without filters, text passes as it is.
  filter_chain() = default;
  /// The choices must live as long as the chain. `p` are the params of each filter. Without `begins_file` the text is a
  /// later part of a file, which begins with a line. With `remembers` the chain has a memory.
  filter_chain(const std::vector<filter_choice>&, const utfilter::params& p, bool begins_file, bool remembers = false);

  /// @{
  /// A chain that goes on as this one would, or as its first `n` filters would, but without an observer.
  filter_chain copy(std::size_t n) const;
  filter_chain copy() const { return copy(size()); }
  /// @}

  /// What each filter needs to go on in another chain.
  std::vector<filter_memory> memory() const;
  /// Goes on as the chain with this memory, which has the same filters. Call this before any text passes.
  void resume(const std::vector<filter_memory>&);

  std::size_t size() const noexcept { return filters_.size(); }
  /// How many filters come before the one that may find errors; all, if there is none.
  std::size_t size_before_errors() const noexcept;

  /// What becomes of whole characters, as far as that is decided. With `last` the text ends after them, and nothing is held
  /// back. The view is valid until the next call.
  std::string_view pass(std::string_view text, bool last);

  /// The error at which the text ends. It comes after the text that pass() has returned. Null if there is none.
  std::exception_ptr failure() const noexcept { return failure_; }

  /// The bytes that the last filter has given.
  std::uint64_t made() const noexcept { return filters_.empty() ? 0 : filters_.back().made; }
  /// Whether each filter of `later`, which has gone on as this chain would, has given all that this one holds back.
  bool holds_nothing_after(const filter_chain& later) const;
  /// The errors that all filters have found.
  std::uint64_t errors() const;

  /// The counts of all filters, such as ", 3 line ends changed, 1 joiner inserted"; empty if nothing was changed.
  std::string counts() const;

 private:
  struct link {
    const filter_choice* choice;
    std::unique_ptr<text_filter> filter;
    std::string text = {};    // that it has given last
    std::uint64_t made = 0;   // bytes that it has given
    std::string memory = {};  // of it, if the chain remembers
  };

  utfilter::params params_;
  bool remembers_ = false;
  std::vector<link> filters_;
  std::exception_ptr failure_;
};

}  // namespace utfcat

#endif
