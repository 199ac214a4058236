// locator.hpp: finds the place in the file from which a character of its decoded text comes.
#ifndef UTFCAT_LOCATOR_HPP
#define UTFCAT_LOCATOR_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/detail/source_map.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>

namespace utfcat {

/// What decodes the text of a file.
class text_origin {
 public:
  virtual ~text_origin() = default;
  virtual utfilter::stream_report report() const = 0;
  /// Whether the text may have U+0000. A file without a zero byte has none.
  virtual bool may_have_zeros() const noexcept = 0;
  /// The offset in the file of the first byte of the text.
  virtual std::uint64_t start() const noexcept = 0;
  /// Whether the decoded text shows the sizes of its characters in the file. Otherwise place_of() finds the offsets.
  virtual bool shows_sizes() const = 0;
  /// Whether anything finds them. In lines that a rule decides about, only line and column are known without sizes.
  virtual bool knows_offsets() const { return true; }
  /// The place in the file of a character of the last piece.
  virtual utfilter::text_position place_of(std::uint64_t line, std::uint64_t column) const = 0;
};

/// Follows the decoded text of one file, piece by piece. All offsets in the text count the bytes that the decoder has
/// given, repairs and the byte order mark included.
class locator {
 public:
  explicit locator(const text_origin& origin) noexcept : origin_(&origin) {}

  /// Call this before the first text, when the encoding is decided. With `has_bom` the text begins with its byte order
  /// mark, or did so in the file if the decoder does not keep it. A byte order mark is no column.
  void begin(bool has_bom, bool keeps_bom) {
    if (origin_->shows_sizes()) map_.read_as(origin_->report().encoding);
    at_.offset = at_.line_offset = origin_->start();
    if (has_bom && keeps_bom) at_.column = 0;
    if (has_bom && !keeps_bom) at_.offset = map_.source_size(utfilter::detail::utf8_bom);
  }

  /// Call this instead of begin(), if the text begins in the middle of the file.
  void resume(const utfilter::checkpoint& start) {
    map_ = map({start.bytes_out, start.offset});
    map_.read_as(start.encoding);
    passed_ = map_.end();
    text_ = start.bytes_out;
    at_ = static_cast<const utfilter::text_position&>(start);
  }

  /// Call this for each error, before the piece with its repair. `text` is the offset of the repair, and `size` its size in
  /// bytes, which may be 0.
  void repaired(const utfilter::error_info& error, std::uint64_t text, std::size_t size) {
    map_.add({text, {text + size, error.offset + error.size}, map_.end().last.errors + 1});
  }

  /// Call this before the piece with the byte at `text`, if that byte comes from the place `to` in the source. The text from
  /// there on was read in this encoding.
  void go_on(std::uint64_t text, const utfilter::text_position& to, utfilter::encoding read_as) {
    moves_.push_back({text, map_.end().last.errors, to, read_as});
  }

  /// The next text, in whole characters.
  void begin_piece(std::string_view text) {
    rest_ = text;
    if (kept_.empty()) return;
    kept_ += text;
    rest_ = kept_;
  }
  /// In the next piece, go_to() can go back to the last `kept` bytes of this one, if it has not been farther.
  void end_piece(std::size_t kept) {
    go_to(text_ + rest_.size() - std::min(kept, rest_.size()));
    kept_.assign(rest_.data(), rest_.size());
  }

  /// Goes on to the character at this offset in the text.
  void go_to(std::uint64_t text) {
    const auto size = static_cast<std::size_t>(std::max(text, text_) - text_);
    pass(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }

  /// The size of the character in the text, in bytes.
  std::size_t size() const noexcept {
    const std::size_t size = rest_.empty() ? 0 : utfilter::detail::length_by_lead(static_cast<unsigned char>(rest_[0]));
    return std::min(size, rest_.size());
  }

  /// Whether the character is part of a repair, such as U+FFFD, which is not part of the file.
  bool in_repair() const noexcept {
    return text_ < passed_.last.end.text || (map_.has_next(passed_) && map_.next(passed_).last.begin == text_);
  }

  /// The place of the character in the file.
  utfilter::text_position here() const { return in_file(at_); }
  /// The place after the character, which is no line feed.
  utfilter::text_position after() const {
    utfilter::text_position at = at_;
    at.pass_columns(1, map_.source_size(rest_.substr(0, size())));
    return in_file(at);
  }

 private:
  using map = utfilter::detail::source_map;

  struct move {
    std::uint64_t text;
    std::uint64_t errors;  // before it
    utfilter::text_position to;
    utfilter::encoding read_as;
  };

  utfilter::text_position in_file(utfilter::text_position at) const {
    at.column = std::max<std::uint64_t>(at.column, 1);
    return origin_->shows_sizes() ? at : origin_->place_of(at.line, at.column);
  }

  /// Takes the next text, in whole characters.
  void pass(std::string_view text) {
    for (; !moves_.empty() && moves_.front().text <= text_ + text.size(); moves_.pop_front()) {
      const move& next = moves_.front();
      const auto before = static_cast<std::size_t>(next.text - text_);
      pass_up_to_move(text.substr(0, before), next.errors);
      text.remove_prefix(before);
      at_ = next.to;
      map_.read_as(next.read_as);
    }
    pass_up_to_move(text, std::numeric_limits<std::uint64_t>::max());
  }

  /// Takes text with at most so many errors before and in it.
  void pass_up_to_move(std::string_view text, std::uint64_t errors) {
    skip_patch(text);
    while (passed_.last.errors != errors && map_.has_next(passed_)) {
      const map::cursor next = map_.next(passed_);
      const map::patch& patch = next.last;
      // A repair without text is passed with the text before it, any other with its own first byte.
      const bool has_text = patch.begin != patch.end.text;
      if (patch.begin + has_text > text_ + text.size()) break;
      const auto before = static_cast<std::size_t>(patch.begin - text_);
      count(text.substr(0, before));
      text.remove_prefix(before);
      at_.offset = patch.end.source;
      at_.column += patch.errors - passed_.last.errors;
      passed_ = next;
      skip_patch(text);
    }
    count(text);
    if (2 * passed_.at > map_.end().at) map_.forget(passed_);
  }

  /// Takes the text of the patch that has begun.
  void skip_patch(std::string_view& text) {
    const std::uint64_t end = std::max(passed_.last.end.text, text_);
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(text.size(), end - text_));
    text_ += size;
    text.remove_prefix(size);
  }

  /// Counts text without patches.
  void count(std::string_view text) {
    text_ += text.size();
    const std::string_view lines = text.substr(0, text.rfind('\n') + 1);
    if (!lines.empty()) {
      at_.offset += map_.source_size(lines);
      at_.pass_lines(static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n')));
      text.remove_prefix(lines.size());
    }
    const auto begins = [](char c) { return static_cast<signed char>(c) >= -0x40; };  // not 80 to BF
    const auto characters = static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), begins));
    at_.pass_columns(characters, map_.source_size(text));
  }

  const text_origin* origin_;
  map map_{{0, 0}};
  map::cursor passed_ = map_.end();  // after the patches that have begun
  std::uint64_t text_ = 0;           // bytes of decoded text passed so far
  utfilter::text_position at_;
  std::deque<move> moves_;  // in the text that is still to come
  std::string kept_;        // text of earlier pieces that is not passed, and the piece after it
  std::string_view rest_;   // the text that is there and not passed
};

}  // namespace utfcat

#endif
