// summary.cpp: the summary of the errors in one file.
#include "summary.hpp"

#include "messages.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace utfcat {
namespace {

using utfilter::errc;
using utfilter::error_info;

bool begins_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// The size in bytes of the first `characters` characters of the text, or of all of it.
std::size_t size_of(std::string_view text, std::uint64_t characters) noexcept {
  std::size_t i = 0;
  for (; characters != 0 && i < text.size(); --characters)
    i += utfilter::detail::length_by_lead(static_cast<unsigned char>(text[i]));
  return std::min(i, text.size());
}

std::uint64_t count_characters(std::string_view text) noexcept {
  return static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), begins_character));
}

/// The last `characters` characters of the text, or all of it. The text may begin inside a character.
std::string_view last(std::string_view text, std::uint64_t characters) noexcept {
  for (std::size_t i = text.size(); i != 0; --i)
    if (begins_character(text[i - 1]) && --characters == 0) return text.substr(i - 1);
  return text;
}

/// The bytes of the error, or the character that the target encoding lacks.
std::string shown(const error_info& error) {
  char text[16];
  if (error.code == errc::unmappable) {
    std::snprintf(text, sizeof text, "U+%04lX", static_cast<unsigned long>(error.code_point));
    return text;
  }
  std::string bytes;
  for (std::size_t i = 0; i < error.size; ++i) {
    std::snprintf(text, sizeof text, i == 0 ? "%02X" : " %02X", static_cast<unsigned>(error.bytes[i]));
    bytes += text;
  }
  return bytes;
}

using rows = std::vector<std::array<std::string, 2>>;

std::size_t width_of(const rows& all, std::size_t column) noexcept {
  std::size_t width = 0;
  for (const auto& row : all) width = std::max(width, row[column].size());
  return width;
}

std::string padded(std::string text, std::size_t width, bool right) {
  const std::string spaces(width > text.size() ? width - text.size() : 0, ' ');
  return right ? spaces + std::move(text) : std::move(text) + spaces;
}

constexpr std::size_t bar_width = 40;

}  // namespace

void summary::found(const error_info& error, std::size_t size) {
  ++kinds_[error.code];
  if (++errors_ <= most_places) awaited_.push_back({error, size});
}

void summary::pass(std::string_view text, bool has_bom) {
  if (has_bom) {
    text.remove_prefix(3);
    // The output's encoding may lack the byte order mark, which has no column of its own.
    if (!awaited_.empty() && awaited_.front().error.offset == 0 && awaited_.front().error.code == errc::unmappable) {
      places_.push_back({awaited_.front().error, "", "", context, false});
      awaited_.pop_front();
    }
  }
  const std::size_t repair = std::min(rest_of_repair_, text.size());
  for (place& p : places_)
    if (&p != &places_.back()) extend(p, text.substr(0, repair));
  pass_repair(text.substr(0, repair));
  rest_of_repair_ -= repair;
  text.remove_prefix(repair);

  beyond_ascii_ =
      beyond_ascii_ || std::any_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) < 0; });
  for (place& p : places_) extend(p, text);
  for (; !awaited_.empty(); awaited_.pop_front()) {
    const auto& [error, size] = awaited_.front();
    // Goes on to the place of the error, which may be in a later piece.
    while (line_ != error.line) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) return advance(text);
      advance(text.substr(0, end + 1));
      text.remove_prefix(end + 1);
    }
    const std::size_t before = size_of(text, error.column - column_);
    advance(text.substr(0, before));
    text.remove_prefix(before);
    if (column_ != error.column || (text.empty() && size != 0)) return;

    places_.push_back({error, line_so_far_, "", context, false});
    const std::size_t own = std::min(size, text.size());
    extend(places_.back(), text.substr(own));
    pass_repair(text.substr(0, own));
    rest_of_repair_ = size - own;
    text.remove_prefix(own);
    const bool of_text =
        error.code == errc::missing_bom || error.code == errc::unexpected_bom || error.code == errc::no_text;
    if (!of_text) column_ = error.column + 1;
  }
  advance(text);
}

/// A repair is shown as part of the text around other errors. It does not change line_ and column_: the error counts as
/// one character of the file, the repair does not count.
void summary::pass_repair(std::string_view text) {
  const std::uint64_t line = line_, column = column_;
  advance(text);
  line_ = line;
  column_ = column;
}

/// Bytes that on_error::keep has left as they are belong to the character before them, wherever a piece ends.
void summary::extend(place& p, std::string_view text) {
  for (const char c : text) {
    p.is_full = p.is_full || c == '\n' || p.after.size() == most_bytes || (begins_character(c) && p.wanted == 0);
    if (p.is_full) return;
    p.wanted -= begins_character(c);
    p.after += c;
  }
}

void summary::advance(std::string_view text) {
  const auto feeds = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  if (feeds != 0) {
    line_ += feeds;
    column_ = 1;
    line_so_far_.clear();
    text.remove_prefix(text.rfind('\n') + 1);
  }
  column_ += count_characters(text);
  const auto end_of = [](std::string_view all) { return all.substr(all.size() - std::min(all.size(), most_bytes)); };
  line_so_far_ += end_of(text);
  line_so_far_.erase(0, line_so_far_.size() - last(end_of(line_so_far_), context).size());
}

std::string summary::lines(bool in_colour) const {
  const auto coloured = [&](const char* colour, const std::string& text) {
    return in_colour ? colour + text + "\x1B[0m" : text;
  };
  const auto of_text = [](const std::string& text) { return text.empty() ? text : visible(text); };
  constexpr const char* red = "\x1B[31m";
  constexpr const char* highlighted = "\x1B[1;31m";

  std::string result;
  std::vector<std::pair<errc, std::uint64_t>> by_count(kinds_.begin(), kinds_.end());
  std::sort(
      by_count.begin(), by_count.end(),  // equally frequent kinds are in the order of errc
      [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
  rows kinds;
  for (const auto& [code, count] : by_count)
    kinds.push_back({utfilter::utf_category().message(static_cast<int>(code)), std::to_string(count)});
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto share = static_cast<double>(by_count[i].second) / static_cast<double>(by_count.front().second);
    const auto bar = std::max<std::size_t>(1, static_cast<std::size_t>(share * bar_width));
    result += "  " + padded(kinds[i][0], width_of(kinds, 0), false) + "  " +
              padded(kinds[i][1], width_of(kinds, 1), true) + "  " + coloured(red, std::string(bar, '#')) + '\n';
  }

  rows heads;
  for (const place& p : places_)
    heads.push_back({std::to_string(p.error.line) + ':' + std::to_string(p.error.column), p.error.message()});
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const place& p = places_[i];
    const auto wrong = shown(p.error);
    result += "  " + padded(heads[i][0], width_of(heads, 0), true) + "  " +
              padded(heads[i][1], width_of(heads, 1), false) + "  " + of_text(p.before) +
              (wrong.empty() ? wrong : coloured(highlighted, '[' + wrong + ']')) + of_text(p.after) + '\n';
  }
  return result;
}

}  // namespace utfcat
