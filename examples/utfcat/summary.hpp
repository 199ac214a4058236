// summary.hpp: what was found in one file, for people: each kind of error with a bar, and the first places with their
// text.
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
  /// The next error of the file, for which `size` bytes stand in the text. They are in the bytes that pass() gets next,
  /// or later.
  void found(const utfilter::error_info&, std::size_t size);

  /// The next bytes of the text, whole characters. `signature`: it begins with one, which is no text. No bytes after
  /// the last ones: what was found at the end has its place, too.
  void pass(std::string_view text, bool signature);

  std::uint64_t errors() const noexcept { return errors_; }
  bool beyond_ascii() const noexcept { return beyond_ascii_; }  ///< Whether a character is that is well-formed.

  /// In lines, with colours for a terminal.
  std::string lines(bool in_colour) const;

 private:
  /// One of the first errors, and what stands before and behind it in its line.
  struct place {
    utfilter::error_info error;
    std::string before, behind;
    std::size_t wanted;  // characters that may still come behind
  };

  static constexpr std::size_t most_places = 5, context = 24;  // characters

  struct error_to_come {
    utfilter::error_info error;
    std::size_t size;  // of what stands for it, in bytes
  };

  void extend(place&, std::string_view text);
  void pass_repair(std::string_view text);
  void advance(std::string_view text);

  std::map<utfilter::errc, std::uint64_t> kinds_;
  std::uint64_t errors_ = 0;
  bool beyond_ascii_ = false;
  std::deque<error_to_come> awaited_;  // of the first errors, those whose place has not come
  std::size_t rest_of_repair_ = 0;     // bytes of what stands for an error, still to come
  std::vector<place> places_;
  std::uint64_t line_ = 1, column_ = 1;  // of what comes next
  std::string line_so_far_;              // its end, of `context` characters at most
};

}  // namespace utfcat

#endif
