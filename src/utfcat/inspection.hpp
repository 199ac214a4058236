// inspection.hpp: --inspect, which names what may be wrong with a text that is well-formed.
#ifndef UTFCAT_INSPECTION_HPP
#define UTFCAT_INSPECTION_HPP

#include "locator.hpp"
#include "reports.hpp"

#include <utfilter/inspector.hpp>
#include <utfilter/params.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

/// The names of all kinds of findings: the rules of place_report. Those of the command's own are "ill-formed", "utf16-inside"
/// and "declaration".
std::vector<std::string> kinds_of_findings();

/// Looks at the decoded text of one file, and notes the place in the file of the first finding of each kind.
class inspection {
 public:
  /// A finding may begin before the piece in which it is noticed, by at most this many bytes. The longest one is a line of
  /// 1,001 characters of four bytes each.
  static constexpr std::size_t most_kept = 4096;

  /// Call this before the first text, if a locator that keeps most_kept bytes can tell its places in the file. Otherwise
  /// lines and columns are all that is known.
  void begin(const locator& places);

  /// Call this before the text in which ill-formed UTF-8 is repaired: so far into all of it, by one byte.
  void repaired(std::uint64_t offset) { repairs_.push_back(offset); }

  /// Takes the next text, in whole characters, that the locator has got before. With `last` the text ends after it.
  void pass(std::string_view text, bool last);

  /// What the text has so far.
  const utfilter::text_inspection& found() const noexcept { return inspector_.inspection(); }
  bool has_non_ascii() const noexcept { return has_non_ascii_; }

  /// What to report, by their places. `report` is that on the whole file. Line ends of one kind are reported if they are
  /// among the kinds that are asked for.
  std::vector<place_report> reports(const std::string& file, const utfilter::stream_report& report,
                                    const std::vector<std::string>& asked) const;

 private:
  void inspect(std::string_view text);
  void note_places();

  utfilter::inspector inspector_;
  std::array<std::optional<utfilter::text_position>, utfilter::all_findings.size()> first_;  // in the file
  const locator* places_ = nullptr;
  bool has_non_ascii_ = false;
  std::uint64_t passed_ = 0;           // bytes of text
  std::deque<std::uint64_t> repairs_;  // in text that has not passed
  utfilter::text_position start_;
};

}  // namespace utfcat

#endif
