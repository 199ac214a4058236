// options.hpp: what the user of utfcat asked for.
#ifndef UTFCAT_OPTIONS_HPP
#define UTFCAT_OPTIONS_HPP

#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace utfcat {

/// What the user asked for cannot be done; the reason is for people.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct options {
  utfilter::encoding from = utfilter::encoding::detect;
  utfilter::encoding fallback = utfilter::encoding::utf8;  // of text without a mark, where from is detect
  utfilter::encoding to = utfilter::encoding::utf8;
  utfilter::on_error on_error = utfilter::on_error::strict;
  utfilter::bom bom = utfilter::bom::automatic;
  bool check = false;
  bool quiet = false;
  bool summary = false;
  bool decompress = false;
  bool stats = false;
  bool progress = false;
  bool list = false;
  bool help = false;
  bool version = false;
  std::optional<std::string> output;  // nothing for standard output
  std::vector<std::string> files;     // at least one; "-" is standard input

  /// Whether all text is looked at and none is written.
  bool only_checks() const noexcept { return check || quiet; }

  /// Whether the text of a file ends at its first error.
  bool ends_at_error() const noexcept {
    return !only_checks() && (on_error == utfilter::on_error::strict || on_error == utfilter::on_error::stop);
  }

  /// Whether ill-formed text is one in the exit status: not where it is repaired, as asked.
  bool tells_errors() const noexcept { return only_checks() || ends_at_error(); }
};

/// Throws usage_error.
options parse(int argc, const char* const* argv);

/// The text of --help.
std::string help_text();

}  // namespace utfcat

#endif
