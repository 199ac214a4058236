// locator.hpp: finds the place in the input file from which a piece of the output's text comes.
#ifndef UTFCAT_LOCATOR_HPP
#define UTFCAT_LOCATOR_HPP

#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/detail/source_map.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

namespace utfcat {

/// Follows the decoded text of one file. utfcat needs this for characters that the output's encoding lacks: the encoder
/// finds them, but knows only their place in the UTF-8 text of all files. In a text in a charset, only lines and
/// columns are places.
class locator {
 public:
  /// The error, with the place after the text passed so far.
  utfilter::error_info here(utfilter::error_info error) const noexcept {
    static_cast<utfilter::text_position&>(error) = at_;
    error.column = std::max<std::uint64_t>(at_.column, 1);
    return error;
  }

  /// The size that text without repairs has in the file, in bytes.
  std::uint64_t source_size(std::string_view text) const noexcept { return map_.source_size(text); }

  /// Call this before the first text, with the file's encoding and the offset of the text in the file.
  void begin(utfilter::encoding from, std::uint64_t offset) {
    map_.read_as(from);
    at_.offset = at_.line_offset = offset;
  }

  /// Call this next, if the file begins with a byte order mark: `decoded` says whether the decoded text has it, and
  /// `kept` whether the text that pass() gets still does. A byte order mark is no column.
  void bom(bool decoded, bool kept) noexcept {
    using utfilter::detail::utf8_bom;
    if (kept) {
      at_.column = 0;
    } else {
      at_.offset = map_.source_size(utf8_bom);
      text_ = decoded ? utf8_bom.size() : 0;
    }
  }

  /// Call this instead of begin(), if the text begins in the middle of the file.
  void resume(const utfilter::checkpoint& start) {
    map_ = map({start.bytes_out, start.offset});
    map_.read_as(start.encoding);
    passed_ = map_.end();
    text_ = start.bytes_out;
    at_ = static_cast<const utfilter::text_position&>(start);
  }

  /// Call this for each error, before pass() gets the text with its repair. `text` is the number of bytes of decoded
  /// text before the repair, and `size` that of the repair, which may be 0.
  void repaired(const utfilter::error_info& error, std::uint64_t text, std::size_t size) {
    map_.add({text, {text + size, error.offset + error.size}, map_.end().last.errors + 1});
  }

  /// Call this if the source goes on elsewhere after `text` bytes of decoded text, before pass() gets the byte after
  /// them. That byte comes from the place `to` in the source. The text from there on was read in this encoding.
  void go_on(std::uint64_t text, const utfilter::text_position& to, utfilter::encoding read_as) {
    moves_.push_back({text, map_.end().last.errors, to, read_as});
  }

  /// Whether the next character of the text is part of a repair.
  bool in_repair() const noexcept {
    return text_ < passed_.last.end.text || (map_.has_next(passed_) && map_.next(passed_).last.begin == text_);
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

 private:
  using map = utfilter::detail::source_map;

  struct move {
    std::uint64_t text;
    std::uint64_t errors;  // before it
    utfilter::text_position to;
    utfilter::encoding read_as;
  };

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

  map map_{{0, 0}};
  map::cursor passed_ = map_.end();  // after the patches that have begun
  std::uint64_t text_ = 0;           // bytes of decoded text passed so far
  utfilter::text_position at_;
  std::deque<move> moves_;  // in the text that is still to come
};

/// A locator, and the piece of text that is being written. What takes the text finds errors in it, and knows their
/// offsets in all the text that it has taken.
class piece_locator {
 public:
  /// Begins a file. If places are not wanted, this object does nothing.
  void reset(bool is_wanted) { places_ = is_wanted ? std::make_unique<locator>() : nullptr; }

  explicit operator bool() const noexcept { return places_ != nullptr; }
  locator& operator*() noexcept { return *places_; }
  locator* operator->() noexcept { return places_.get(); }

  /// Begins a piece, before which so many bytes have been taken.
  void begin(std::string_view piece, std::uint64_t taken) noexcept {
    piece_ = piece;
    start_ = taken;
    located_ = 0;
  }
  /// The place of an error in the piece. Empty if it is in a repair, such as U+FFFD, which is not part of the file.
  std::optional<utfilter::error_info> find(const utfilter::error_info& error) {
    const auto offset = static_cast<std::size_t>(std::max(error.offset, start_ + located_) - start_);
    places_->pass(piece_.substr(located_, offset - located_));
    located_ = offset;
    if (places_->in_repair()) return std::nullopt;
    return places_->here(error);
  }
  /// The piece up to and with the character of the error that find() has found last, and that character's size in the
  /// file.
  std::string_view through(const utfilter::error_info& error) const noexcept {
    return piece_.substr(0, located_ + error.size);
  }
  std::uint64_t size_of(const utfilter::error_info& error) const noexcept {
    return places_->source_size(piece_.substr(located_, error.size));
  }
  /// Ends the piece.
  void end() {
    if (places_) places_->pass(piece_.substr(located_));
  }

 private:
  std::unique_ptr<locator> places_;
  std::string_view piece_;
  std::uint64_t start_ = 0;  // the offset of piece_ in the text
  std::size_t located_ = 0;  // bytes of piece_ that the locator has passed
};

}  // namespace utfcat

#endif
