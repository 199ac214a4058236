// summary.hpp: the summary of the errors in one file: each kind of error with a bar, and the first errors with the text
// around them.
#ifndef UTFCAT_SUMMARY_HPP
#define UTFCAT_SUMMARY_HPP

#include <utfilter/error.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

class summary {
 public:
  /// Takes the next error of the file. Its repair has `size` bytes at this offset in the text that pass() gets next or later.
  void found(const utfilter::error_info&, std::uint64_t text, std::size_t size);

  /// Takes the next text, in whole characters, that begins at the offset `at`. Call this once more with no text after the
  /// last piece, so that errors at the end get their place.
  void pass(std::string_view text, std::uint64_t at);

  std::uint64_t errors() const noexcept { return errors_; }
  bool beyond_ascii() const noexcept { return beyond_ascii_; }  ///< Whether a well-formed character is not ASCII.

  /// The summary as lines, with colours for a terminal if wanted.
  std::string lines(bool in_colour) const;

 private:
  /// One of the first errors, and the text before and after it in its line.
  struct place {
    utfilter::error_info error;
    std::string before, after;
    std::size_t wanted;  // characters that may still be added to `after`
    bool is_full;        // nothing may be added
  };

  static constexpr std::size_t most_places = 5, context = 24;   // characters
  static constexpr std::size_t most_bytes = 4 * (context + 1);  // of them; one character more, as the first may be cut

  struct error_to_come {
    utfilter::error_info error;
    std::uint64_t text;  // the offset of its repair in the text
    std::size_t size;    // of the repair, in bytes
  };

  void extend(place&, std::string_view text);
  void pass_repair(std::string_view& text, std::uint64_t& at);
  void pass_text(std::string_view& text, std::uint64_t& at, std::uint64_t size);
  void advance(std::string_view& text, std::uint64_t& at, std::size_t size);

  std::map<utfilter::errc, std::uint64_t> kinds_;
  std::uint64_t errors_ = 0;
  bool beyond_ascii_ = false;
  std::deque<error_to_come> awaited_;  // first errors whose place the text has not reached yet
  std::size_t rest_of_repair_ = 0;     // bytes of a repair that are still to come
  std::vector<place> places_;
  std::string line_so_far_;  // the last characters of the line, at most `context`
};

}  // namespace utfcat

#endif
