// kept_places.cpp: keeps places, and finds lines after them.
#include "kept_places.hpp"

#include "reading.hpp"

#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <utility>

namespace utfcat {
namespace {

utfilter::params starting_at(utfilter::params p, const kept_place& place) {
  p.start = place.at;
  p.observer = nullptr;
  return p;
}

/// The size of the bytes up to the end of the first line, or of all. In UTF-16 and UTF-32 zeros may belong to a line feed.
/// Each is a piece of its own, because it may also belong to the next character.
std::size_t size_of_line(std::string_view bytes) {
  constexpr std::size_t most_zeros = 3;
  const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
  if (zeros != 0 && zeros <= most_zeros) return 1;
  return std::min(bytes.find('\n'), bytes.size() - 1) + 1;
}

}  // namespace

void kept_places::add(kept_place place) {
  next_ = place.offset() + distance_;
  places_.push_back(std::move(place));
  if (places_.size() < most) return;
  for (std::size_t i = 0; i != most / 2; ++i) places_[i] = std::move(places_[2 * i + 1]);
  places_.resize(most / 2);
  distance_ *= 2;
  next_ = places_.back().offset() + distance_;
}

kept_place kept_places::cut(std::uint64_t offset) {
  while (!places_.empty() && places_.back().offset() > offset) places_.pop_back();
  next_ = (places_.empty() ? 0 : places_.back().offset()) + distance_;
  if (places_.empty()) return {};
  const std::uint64_t line = places_.back().at->line_offset;
  const auto found = std::find_if(places_.rbegin(), places_.rend(), [&](const kept_place& place) {
    return place.offset() == line || place.at->line_offset < line;
  });
  return found == places_.rend() ? kept_place() : *found;
}

line_search::line_search(const options& o, kept_place from, utfilter::encoding read_as, utfilter::params p)
    : place_(std::move(from)),
      decoder_(read_as, starting_at(std::move(p), place_)),
      filters_(o.filters, input_params(o, utfilter::bom::automatic), o.begins_file(), true) {
  if (place_.at) filters_.resume(place_.filters);
}

void line_search::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, size_of_line(bytes));
    bytes.remove_prefix(piece.size());
    decode(piece);
    rest_ += piece;
    const utfilter::checkpoint here = decoder_.here();
    if (here.column != 1 || here.line == 1 || here.offset != offset()) continue;
    place_.at = here;
    place_.filters = filters_.memory();
    place_.text.add(rest_);
    rest_.clear();
  }
}

/// The text was passed on before. So no error ends it.
void line_search::decode(std::string_view bytes) {
  char text[4096];
  utfilter::codec_progress done{};
  do {
    done = decoder_.convert(bytes.data(), bytes.size(), text, sizeof text, false);
    bytes.remove_prefix(done.consumed);
    filters_.pass({text, done.produced}, false);
  } while (done.status == utfilter::codec_status::need_output);
}

}  // namespace utfcat
