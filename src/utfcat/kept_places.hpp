// kept_places.hpp: places in a file that is followed, from which it is read again after it was rewritten.
#ifndef UTFCAT_KEPT_PLACES_HPP
#define UTFCAT_KEPT_PLACES_HPP

#include "filters.hpp"
#include "follow_state.hpp"
#include "options.hpp"

#include <utfilter/checkpoint.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace utfcat {

/// A place, and all that must be known of the text before it.
struct kept_place {
  std::optional<utfilter::checkpoint> at = {};  // empty: the start of the file
  std::vector<filter_memory> filters = {};
  fingerprint_maker text = {};

  std::uint64_t offset() const noexcept { return at ? at->offset : 0; }
};

/// The start of a file and some of the places after it, 64 at most.
class kept_places {
 public:
  /// Whether a place at this offset is to be kept: it is far enough from the last one.
  bool wants(std::uint64_t offset) const noexcept { return offset >= next_; }
  /// Keeps a place after the last one.
  void add(kept_place);
  /// Forgets all places after the offset. Returns the last one from which the line with the offset can be found: its start
  /// is there or after that.
  kept_place cut(std::uint64_t offset);

 private:
  static constexpr std::size_t most = 64;
  static constexpr std::uint64_t shortest_distance = 4096;  // in bytes

  std::vector<kept_place> places_;
  std::uint64_t distance_ = shortest_distance, next_ = shortest_distance;
};

/// Decodes text again that was decoded before, and finds the start of its last line.
class line_search {
 public:
  /// Begins at a place. At the start of the file, the encoding and the params are those by which it was decoded.
  line_search(const options&, kept_place from, utfilter::encoding, utfilter::params);

  /// The next bytes from there on.
  void take(std::string_view bytes);
  /// The offset after them.
  std::uint64_t offset() const noexcept { return place_.offset() + rest_.size(); }

  /// The start of the last line so far, or where the search has begun.
  const kept_place& place() const noexcept { return place_; }
  /// The bytes after it.
  const std::string& rest() const noexcept { return rest_; }

 private:
  void decode(std::string_view bytes);

  kept_place place_;
  utfilter::decoder decoder_;
  filter_chain filters_;
  std::string rest_;
};

}  // namespace utfcat

#endif
