// summary.cpp: the summary of the errors in one file.
#include "summary.hpp"

#include "messages.hpp"
#include "reports.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace utfcat {
namespace {

using utfilter::errc;
using utfilter::error_info;

bool begins_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

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

void summary::found(const error_info& error, std::uint64_t text, std::size_t size) {
  ++kinds_[error.code];
  if (++errors_ <= most_places) awaited_.push_back({error, text, size});
}

void summary::pass(std::string_view text, std::uint64_t at) {
  pass_repair(text, at);
  beyond_ascii_ =
      beyond_ascii_ || std::any_of(text.begin(), text.end(), [](char c) { return static_cast<signed char>(c) < 0; });
  for (; !awaited_.empty(); awaited_.pop_front()) {
    const error_to_come next = awaited_.front();
    pass_text(text, at, std::max(next.text, at) - at);
    if (at < next.text || (text.empty() && next.size != 0)) return;  // its place is in a later piece
    places_.push_back({next.error, line_so_far_, "", context, false});
    // The output's encoding may lack the byte order mark, which is before the text.
    rest_of_repair_ = next.size - std::min(next.size, static_cast<std::size_t>(at - next.text));
    pass_repair(text, at);
  }
  pass_text(text, at, text.size());
}

/// Takes the rest of the last error's repair, which is part of the text around other errors.
void summary::pass_repair(std::string_view& text, std::uint64_t& at) {
  const std::string_view repair = text.substr(0, rest_of_repair_);
  for (place& p : places_)
    if (&p != &places_.back()) extend(p, repair);
  rest_of_repair_ -= repair.size();
  advance(text, at, repair.size());
}

/// Takes text before the next error.
void summary::pass_text(std::string_view& text, std::uint64_t& at, std::uint64_t size) {
  const std::string_view some = text.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(size, text.size())));
  for (place& p : places_) extend(p, some);
  advance(text, at, some.size());
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

/// Goes on in the line.
void summary::advance(std::string_view& text, std::uint64_t& at, std::size_t size) {
  std::string_view some = text.substr(0, size);
  text.remove_prefix(size);
  at += size;
  if (const std::size_t end = some.rfind('\n'); end != std::string_view::npos) {
    line_so_far_.clear();
    some.remove_prefix(end + 1);
  }
  const auto end_of = [](std::string_view all) { return all.substr(all.size() - std::min(all.size(), most_bytes)); };
  line_so_far_ += end_of(some);
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
  for (const auto& [code, count] : by_count) kinds.push_back({kind_of(code), std::to_string(count)});
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto share = static_cast<double>(by_count[i].second) / static_cast<double>(by_count.front().second);
    const auto bar = std::max<std::size_t>(1, static_cast<std::size_t>(share * bar_width));
    result += "  " + padded(kinds[i][0], width_of(kinds, 0), false) + "  " +
              padded(kinds[i][1], width_of(kinds, 1), true) + "  " + coloured(red, std::string(bar, '#')) + '\n';
  }

  rows heads;
  for (const place& p : places_)
    heads.push_back({std::to_string(p.error.line) + ':' + std::to_string(p.error.column), message_of(p.error)});
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
