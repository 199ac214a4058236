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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

/// Looks at the decoded text of one file, and notes the place in the file of the first finding of each kind.
class inspection {
 public:
  /// Call this before the first text, if a locator can tell its places in the file: it is at the start of the text, and
  /// only this object passes text to it. Otherwise lines and columns are all that is known.
  void begin(locator& places);

  /// Takes the next text, in whole characters.
  void pass(std::string_view text);
  /// Call this after the last text.
  void finish();

  /// What to report, by their places. `report` is that on the whole file.
  std::vector<place_report> reports(const std::string& file, const utfilter::stream_report& report) const;

 private:
  void note_places();
  void pass(locator&, std::size_t begin, std::size_t end) const;
  void keep_end();

  utfilter::inspector inspector_;
  std::array<std::optional<utfilter::text_position>, utfilter::all_findings.size()> first_;  // in the file
  // The locator goes only forward, but a finding may begin before the piece in which it is noticed.
  locator* places_ = nullptr;
  utfilter::text_position start_;
  std::string kept_;          // the end of the text before the piece that the locator has not passed
  std::string_view piece_;    // the piece; the locator has not passed it either
  std::uint64_t passed_ = 0;  // bytes of text before what is kept
};

}  // namespace utfcat

#endif
