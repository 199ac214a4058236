// text_path.hpp: the way of a text from its decoder to the output, and the errors that are found on it.
//
//   text_origin -> pieces of UTF-8 -> filters -> pieces of UTF-8 -> output
//                        |
//                    inspection, which takes the place of the filters and the output
#ifndef UTFCAT_TEXT_PATH_HPP
#define UTFCAT_TEXT_PATH_HPP

#include "filters.hpp"
#include "inspection.hpp"
#include "locator.hpp"
#include "options.hpp"
#include "origins.hpp"
#include "output.hpp"
#include "reading.hpp"

#include <utfilter/checkpoint.hpp>
#include <utfilter/error.hpp>
#include <utfilter/line_sorter.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace utfcat {

/// An error with its place in the file, and the offset of its character or of its repair in the decoded text.
struct found_error {
  utfilter::error_info error;
  std::uint64_t text;
  bool is_placed;  // an error that comes after the decoder gets its place at the end of the piece
};

/// Some text, and the bytes of decoded text before it.
struct text_piece {
  std::string_view text;
  std::uint64_t at;
};

/// Takes the decoded text of one file after the other. All places that it tells are places in the file.
class text_path {
 public:
  /// `to` is where the text goes; null if nothing is written. Throws std::invalid_argument if the options do not fit
  /// together.
  text_path(const options&, const destination* to);
  text_path(const text_path&) = delete;
  text_path& operator=(const text_path&) = delete;

  class output& output() noexcept {
    return output_;
  }
  const class output& output() const noexcept { return output_; }

  /// How to treat the byte order mark of the next file.
  utfilter::bom next_bom() const { return bom_of_input(options_, follows_text()); }
  /// The params to decode a file. Their observer tells this object the errors.
  utfilter::params decoder_params(utfilter::bom);

  /// Begins the text of a file. An inspection takes the place of the filters and the output.
  void begin(const text_origin&, utfilter::bom, inspection* = nullptr);
  /// Call this next, if the text does not begin with the file. The filters go on with their memory at that place.
  void resume(const utfilter::checkpoint&, const std::vector<filter_memory>&);
  /// With --follow: what the filters need to go on after the last piece.
  std::vector<filter_memory> memory() const { return filters_.memory(); }

  /// Takes an error that the decoder has found, before the piece with its repair.
  void found(const utfilter::error_info&);
  /// @{
  /// Take a line that the decoder has put aside or read by a fallback, before the piece with the text after it. `tell` is
  /// called when the text before it has been written, and not at all if the text ends there.
  void put_aside(const utfilter::odd_line&, std::function<void(const utfilter::odd_line&)> tell);
  void fell_back(const utfilter::odd_line&, std::function<void(const utfilter::odd_line&)> tell);
  /// @}

  /// Takes the next text, in whole characters. With `last` the file's text ends after it. `encoded` is the same text for the
  /// output, or null. Throws output_failure, and utf_error for a character at which the text ends.
  void pass(std::string_view text, bool last, const encoded_text* encoded = nullptr);

  /// Takes the error that UTF-16 begins after the text so far. Returns it with its place.
  utfilter::error_info end_at(utfilter::error_info start);

  /// The errors that were found up to the end of the last piece, by their places.
  std::vector<found_error> take_found() { return waits_ ? std::vector<found_error>() : std::exchange(found_, {}); }
  /// The last piece without a byte order mark, up to the end of the text.
  const text_piece& passed() const noexcept { return passed_; }

  /// The report on the file up to the end of its text, with the errors of the filters and of the output.
  utfilter::stream_report report() const;
  /// What the filters have changed in that text, such as ", 3 line ends changed".
  std::string changes() const;
  /// The place after the character at which the text ends, if it does so before the file.
  const std::optional<utfilter::text_position>& end() const noexcept { return end_; }
  /// With --to same: the first character that the encoding of the text lacks when it is written, although a file in that
  /// encoding may have it; 0 if there is none. The character of a repair does not count.
  char32_t lacking() const noexcept { return lacking_; }
  /// Whether an error says that the file is no text.
  bool is_no_text() const noexcept { return is_no_text_; }
  /// Whether the places of characters are looked for.
  bool has_places() const noexcept { return places_ != nullptr; }
  /// See damage_watch.
  std::string take_warning(const std::string& file) { return damage_.take_warning(file); }

 private:
  /// A line that is put aside or read by a fallback.
  struct line_in_text {
    std::uint64_t text;  // the offset of what comes after it, or of its own text
    std::uint64_t line;
    std::function<void()> tell;  // null if that is done
  };

  bool follows_text() const noexcept { return output_.begun() && !options_.range; }
  void begin_text(std::string_view text);
  void add_line(const utfilter::odd_line&, std::function<void(const utfilter::odd_line&)> tell);
  void count_columns(std::string_view text);
  void take(bool last, const encoded_text*);
  void filter(std::string_view text, bool last, const encoded_text*);
  void write(std::string_view text, const encoded_text*);
  void found_by_filter(const utfilter::error_info&);
  void found_lacking(const utfilter::error_info&);
  void note(const utfilter::error_info&, std::size_t filters, std::uint64_t made);
  void place_found();
  void place(found_error&);
  void end_text();
  void look_for_damage(std::uint64_t end, std::uint64_t line);

  const options& options_;
  class output output_;

  // The current file.
  const text_origin* origin_ = nullptr;
  inspection* inspection_ = nullptr;
  std::unique_ptr<locator> places_;  // null if no place is looked for
  filter_chain filters_;
  std::optional<filter_origins> origins_;  // if there are filters, and places are looked for
  damage_watch damage_;
  bool locates_ = false;    // characters that the output lacks are told
  bool keeps_bom_ = false;  // the decoder leaves a byte order mark in the text
  bool drops_bom_ = false;  // which must not get into the output
  bool has_begun_ = false;  // text has come from the decoder
  bool waits_ = false;  // a filter holds all text back: errors that come before those found may still be found in it
  bool is_no_text_ = false;
  char32_t lacking_ = 0;
  std::vector<found_error> found_;
  std::deque<line_in_text> lines_;
  std::string_view piece_;
  std::uint64_t at_ = 0;           // bytes of decoded text before the piece
  std::uint64_t looked_at_ = 0;    // bytes of decoded text that damage_ has got
  std::uint64_t base_ = 0;         // bytes of decoded text that the filters do not get
  std::uint64_t written_ = 0;      // bytes of filtered text that the output has got
  std::uint64_t encoded_ = 0;      // bytes that its encoder had taken before the present ones
  std::uint64_t column_ = 1;       // after the text so far
  bool ends_at_utf16_ = false;     // the text does, and an error says so
  std::uint64_t past_errors_ = 0;  // errors of the output in other files
  std::uint64_t end_text_ = 0;     // bytes of decoded text before the character at which the text ends
  text_piece passed_{};
  std::optional<utfilter::text_position> end_;
};

}  // namespace utfcat

#endif
