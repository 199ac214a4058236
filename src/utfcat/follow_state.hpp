// follow_state.hpp: what utfcat --follow --state keeps: the place in a file, and how to recognise that file.
#ifndef UTFCAT_FOLLOW_STATE_HPP
#define UTFCAT_FOLLOW_STATE_HPP

#include "filters.hpp"

#include <utfilter/checkpoint.hpp>
#include <utfilter/encoding.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

/// How to recognise a text that was read up to a place: check sums of its first bytes and of the last bytes before the
/// place.
struct fingerprint {
  static constexpr std::size_t longest_head = 512, longest_tail = 64;

  std::size_t head_size = 0, tail_size = 0;  // in bytes
  std::uint32_t head_sum = 0, tail_sum = 0;  // CRC-32

  friend bool operator==(const fingerprint& a, const fingerprint& b) noexcept {
    return a.head_size == b.head_size && a.tail_size == b.tail_size && a.head_sum == b.head_sum &&
           a.tail_sum == b.tail_sum;
  }
};

/// Makes the fingerprint of a text while it is read.
class fingerprint_maker {
 public:
  /// Begins with the text of a file up to the place; nothing if the file cannot be read, is no regular file, or ends
  /// before. Never waits.
  static std::optional<fingerprint_maker> of_file(const std::string& name, std::uint64_t place);

  void add(std::string_view bytes);
  /// Bytes that were added.
  std::uint64_t size() const noexcept { return size_; }
  /// Leaves out what comes after a place, which is at most 16 bytes before the end of what was added.
  void cut(std::uint64_t place);
  /// The fingerprint up to a place, which is at most 16 bytes before the end of what was added.
  fingerprint at(std::uint64_t place) const;

 private:
  static constexpr std::size_t most_carried = 16;

  std::string head_, tail_;
  std::uint64_t size_ = 0;
};

struct follow_state {
  std::uint64_t process = 0;                  // the process that has written the state
  std::string file;                           // its identity; empty if there was none yet
  fingerprint text;                           // of the file, up to the place
  std::optional<utfilter::checkpoint> place;  // empty: the start of the file
  std::vector<filter_memory> filters;         // at the place
  std::string output;                         // the identity of the file of --output; empty if there is none
  std::uint64_t output_size = 0;              // in bytes
  utfilter::encoding to = utfilter::encoding::utf8;

  std::uint64_t offset() const noexcept { return place ? place->offset : 0; }
};

/// The state as text, with a version and a check sum.
std::string to_string(const follow_state&);

/// The state that to_string has written; nothing for any other text.
std::optional<follow_state> follow_state_from_string(const std::string&);

}  // namespace utfcat

#endif
