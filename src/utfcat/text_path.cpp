// text_path.cpp: passes a text through the filters to the output, and finds the places of errors.
#include "text_path.hpp"

#include <utfilter/convert.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/utf8.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace utfcat {

using utfilter::bom;
using utfilter::errc;
using utfilter::error_info;
using utfilter::odd_line;

namespace {

/// The place after a line. After a part of a line that is too long, another part follows or the text ends.
utfilter::text_position after(const odd_line& line) {
  utfilter::text_position next;
  next.offset = line.end;
  next.pass_lines(line.error.line);
  return next;
}

utfilter::text_position beginning(const odd_line& line) {
  utfilter::text_position begin;
  begin.offset = line.begin;
  begin.pass_lines(line.error.line - 1);
  return begin;
}

/// The first half-width character of katakana, U+FF61 to U+FF9F; 0 if there is none. ISO-2022-JP is read with these, but
/// written with other characters in their place.
char32_t first_half_width(std::string_view text) noexcept {
  for (std::size_t at = 0; (at = text.find('\xEF', at)) != std::string_view::npos; at += 3) {
    const auto byte = [&](std::size_t i) {
      return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]) & 0x3F);
    };
    const char32_t c = 0xF000 | byte(1) << 6 | byte(2);
    if (c >= 0xFF61 && c <= 0xFF9F) return c;
  }
  return 0;
}

bool comes_before(const found_error& a, const found_error& b) noexcept { return a.text < b.text; }

}  // namespace

text_path::text_path(const options& o, const destination* to)
    : options_(o), output_(o, to, [this](const error_info& error) { found_lacking(error); }) {}

utfilter::params text_path::decoder_params(bom policy) {
  utfilter::params p = input_params(options_, policy);
  // Otherwise found() has nothing to note, and a decoder without an observer repairs faster.
  if (options_.tells_errors() || options_.summary || options_.inspect || options_.filters_reject() ||
      options_.guesses() || policy == bom::require || policy == bom::reject)
    p.observer = [this](const error_info& error) { found(error); };
  return p;
}

//------------------------------------------------------------------------------------------------ the beginning of a text

void text_path::begin(const text_origin& origin, bom policy, inspection* instead) {
  origin_ = &origin;
  inspection_ = instead;
  keeps_bom_ = keeps_bom(options_, policy);
  // Two policies look for a byte order mark and leave it in the text. It must not get into the middle of the output.
  // (With --to same the output has written it.)
  drops_bom_ = keeps_bom_ && (follows_text() || options_.same) && (policy == bom::require || policy == bom::reject);
  has_begun_ = is_no_text_ = waits_ = ends_at_utf16_ = false;
  column_ = 1;
  damage_ = {};
  found_.clear();
  lines_.clear();
  piece_ = {};
  at_ = looked_at_ = base_ = written_ = 0;
  past_errors_ = output_.errors();
  end_.reset();

  utfilter::params of_filters = input_params(options_, bom::automatic);
  if (options_.filters_reject()) of_filters.observer = [this](const error_info& error) { found_by_filter(error); };
  filters_ = filter_chain(options_.filters, of_filters, options_.begins_file(), options_.follow);
  locates_ = locates_characters(options_);
  lacking_ = 0;
  places_.reset();
  origins_.reset();
  if (!locates_ && !options_.filters_reject() && !options_.inspect) return;
  if (filters_.size() != 0) origins_.emplace(filters_);
  places_ = std::make_unique<locator>(origin);
}

void text_path::resume(const utfilter::checkpoint& place, const std::vector<filter_memory>& memory) {
  has_begun_ = true;
  at_ = looked_at_ = base_ = place.bytes_out;
  filters_.resume(memory);
  if (origins_) origins_.emplace(filters_);
  column_ = place.column;
  if (places_) places_->resume(place);
}

/// Begins with the first text, when the encoding is decided.
void text_path::begin_text(std::string_view text) {
  has_begun_ = true;
  using utfilter::detail::utf8_bom;
  const utfilter::stream_report report = origin_->report();
  const bool has_bom = report.bom && origin_->start() == 0;
  const bool shows_bom =
      keeps_bom_ && (has_bom || (drops_bom_ && !options_.same)) && text.substr(0, utf8_bom.size()) == utf8_bom;
  if (shows_bom) passed_ = {text.substr(utf8_bom.size()), utf8_bom.size()};
  if (shows_bom && drops_bom_) base_ = utf8_bom.size();
  if (places_) places_->begin(has_bom, keeps_bom_);
  if (inspection_ == nullptr) return;
  if (origin_->shows_sizes() && !utfilter::detail::is_irregular(report.encoding))
    inspection_->begin(*places_);
  else
    places_.reset();
}

//------------------------------------------------------------------------------------------------- what the decoder finds

void text_path::found(const error_info& error) {
  const bool of_bom = is_of_bom(error), is_no_text = error.code == errc::no_text;
  is_no_text_ = is_no_text_ || is_no_text;
  const utfilter::stream_report report = origin_->report();
  if (options_.tells_errors() || of_bom || options_.summary) found_.push_back({error, report.bytes_out, true});
  if (inspection_ != nullptr && !of_bom && !is_no_text && report.encoding == utfilter::encoding::utf8)
    inspection_->repaired(report.bytes_out);
  if (places_ && !of_bom && !is_no_text)
    places_->repaired(error, report.bytes_out, size_of_repair(options_, error, report.encoding));
}

error_info text_path::end_at(error_info error) {
  error.line = origin_->report().lines + 1;
  error.column = column_;
  ends_at_utf16_ = true;
  if (options_.tells_errors() || options_.summary) found_.push_back({error, at_ + piece_.size(), true});
  return error;
}

void text_path::put_aside(const odd_line& line, std::function<void(const odd_line&)> tell) {
  add_line(line, std::move(tell));
  if (!places_) return;
  const utfilter::stream_report report = origin_->report();
  places_->go_on(report.bytes_out, after(line), report.encoding);
}

void text_path::fell_back(const odd_line& line, std::function<void(const odd_line&)> tell) {
  add_line(line, std::move(tell));
  if (!places_) return;
  const utfilter::stream_report report = origin_->report();
  utfilter::params all;  // no character is a byte order mark
  all.bom = bom::keep;
  const std::size_t size = utfilter::to_utf8_string(line.text, line.read_as, all).size();
  places_->go_on(report.bytes_out, beginning(line), line.read_as);
  places_->go_on(report.bytes_out + size, after(line), report.encoding);
}

void text_path::add_line(const odd_line& line, std::function<void(const odd_line&)> tell) {
  std::function<void()> later;
  if (!places_ || !options_.ends_at_error())
    tell(line);
  else
    later = [tell = std::move(tell), text = std::string(line.text), kept = line]() mutable {
      kept.text = text;
      tell(kept);
    };
  lines_.push_back({origin_->report().bytes_out, line.error.line, std::move(later)});
}

//--------------------------------------------------------------------------------------------------------------- the text

void text_path::pass(std::string_view text, bool last, const encoded_text* encoded) {
  at_ += piece_.size();
  piece_ = text;
  passed_ = {text, at_};
  if (!has_begun_ && !text.empty()) begin_text(text);
  if (places_) places_->begin_piece(text);
  try {
    take(last, encoded);
  } catch (const utfilter::utf_error& error) {
    if (error.info().code == errc::unmappable) output_.recover();
    waits_ = false;
    end_text();
    throw;
  }
  count_columns(passed_.text);
  waits_ = !last && written_ == 0 && options_.has_filter("declare");
  if (!waits_) place_found();
  if (places_) places_->end_piece(inspection_ != nullptr ? inspection::most_kept : origins_ ? origins_->kept() : 0);
}

void text_path::count_columns(std::string_view text) {
  if (const std::size_t end = text.rfind('\n'); end != std::string_view::npos) {
    column_ = 1;
    text.remove_prefix(end + 1);
  }
  const auto begins = [](char c) { return static_cast<signed char>(c) >= -0x40; };  // not 80 to BF
  column_ += static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), begins));
}

/// Takes the piece. Each line that is not in it has its turn between the text before it and the text after it.
void text_path::take(bool last, const encoded_text* encoded) {
  if (inspection_ != nullptr) inspection_->pass(piece_, last);
  std::string_view rest = piece_.substr(at_ == 0 ? static_cast<std::size_t>(base_) : 0);
  const std::uint64_t end = at_ + piece_.size();
  for (; !lines_.empty() && lines_.front().text <= end; lines_.pop_front()) {
    const line_in_text& line = lines_.front();
    const std::size_t before =
        rest.size() - static_cast<std::size_t>(std::min<std::uint64_t>(end - line.text, rest.size()));
    filter(rest.substr(0, before), false, nullptr);
    rest.remove_prefix(before);
    look_for_damage(line.text, line.line);
    if (line.tell) line.tell();
  }
  filter(rest, last, encoded);
  look_for_damage(end, origin_->report().lines + 1);
}

void text_path::filter(std::string_view text, bool last, const encoded_text* encoded) {
  if (inspection_ != nullptr) return;
  if (origins_) origins_->begin_piece(filters_, text);
  write(filters_.pass(text, last), encoded);
  if (filters_.failure()) std::rethrow_exception(filters_.failure());
}

void text_path::write(std::string_view text, const encoded_text* encoded) {
  if (text.empty()) return;
  if (options_.same && lacking_ == 0 && options_.to == utfilter::encoding::iso_2022_jp)
    lacking_ = first_half_width(text);
  encoded_ = output_.bytes_taken();
  output_.write(text, encoded);
  written_ += text.size();
}

/// Looks at the text before an offset, which is in this line.
void text_path::look_for_damage(std::uint64_t end, std::uint64_t line) {
  if (end < looked_at_) return;
  damage_.look(piece_.substr(static_cast<std::size_t>(looked_at_ - at_), static_cast<std::size_t>(end - looked_at_)),
               origin_->report(), origin_->may_have_zeros(), line);
  looked_at_ = end;
}

//----------------------------------------------------------------------------------- what the filters and the output find

void text_path::found_by_filter(const error_info& error) {
  if (error.code == errc::forbidden && options_.tells_errors())
    note(error, filters_.size_before_errors(), error.offset);
}

/// Notes a character that the output's encoding lacks. The encoder finds it in the text of all files.
void text_path::found_lacking(const error_info& error) {
  if (options_.same && lacking_ == 0 && error.code_point != U'\uFFFD') lacking_ = error.code_point;
  if (locates_) note(error, filters_.size(), written_ + error.offset - encoded_);
}

/// Notes an error in what the first filters have made, after so many bytes of it.
void text_path::note(const error_info& error, std::size_t filters, std::uint64_t made) {
  found_.push_back({error, base_ + (filters == 0 ? made : origins_->find(filters, made)), false});
}

/// Brings the errors into the order of their places. A character of a repair, such as U+FFFD, has none in the file.
void text_path::place_found() {
  std::stable_sort(found_.begin(), found_.end(), comes_before);
  const auto has_no_place = [this](found_error& found) {
    if (found.is_placed) return false;
    place(found);
    return places_->in_repair();
  };
  found_.erase(std::remove_if(found_.begin(), found_.end(), has_no_place), found_.end());
}

void text_path::place(found_error& found) {
  places_->go_to(found.text);
  static_cast<utfilter::text_position&>(found.error) = places_->here();
}

/// Ends the text at the first character that a filter or the output refuses. The decoder, and filters, have gone on to the
/// end of the piece, but what they found after the character does not count.
void text_path::end_text() {
  lines_.clear();
  std::stable_sort(found_.begin(), found_.end(), comes_before);
  const auto last = std::find_if(found_.begin(), found_.end(), [](const found_error& one) { return !one.is_placed; });
  if (last == found_.end()) return;
  place(*last);
  end_ = places_->after();
  end_text_ = last->text;
  const std::uint64_t end = last->text + places_->size();
  passed_.text = passed_.text.substr(0, static_cast<std::size_t>(std::max(end, passed_.at) - passed_.at));
  look_for_damage(end, end_->line);
  found_.erase(last + 1, found_.end());
}

utfilter::stream_report text_path::report() const {
  utfilter::stream_report report = origin_->report();
  report.errors += filters_.errors() + output_.errors() - past_errors_ + ends_at_utf16_;
  if (!end_) return report;
  report.errors = 1;
  if (origin_->knows_offsets()) report.bytes_in = end_->offset;
  report.lines = end_->line - 1;
  return report;
}

std::string text_path::changes() const {
  return end_ && origins_ ? origins_->ended_at(end_text_ - base_).counts() : filters_.counts();
}

}  // namespace utfcat
