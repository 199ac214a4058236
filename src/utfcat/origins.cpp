// origins.cpp: filters the last text again, to find the characters from which filters have made a text.
#include "origins.hpp"

#include <utfilter/utf8.hpp>

#include <algorithm>
#include <utility>

namespace utfcat {

void filter_origins::state::take(std::string_view text) {
  filters.pass(text, false);
  taken += text.size();
}

/// The bytes that the filters have made if the text ends here.
std::uint64_t filter_origins::state::made_at_end() const {
  filter_chain ended = filters.copy(filters.size());
  ended.pass({}, true);
  return ended.made();
}

/// Forgets the text before newer_ when the filters hold nothing of it back any more.
void filter_origins::begin_piece(const filter_chain& chain, std::string_view text) {
  constexpr std::size_t least = 2048;  // bytes: few copies are made of filters that take short pieces
  here_.reset();
  const std::uint64_t end = older_.taken + text_.size();
  if (end - newer_.taken >= least && newer_.filters.holds_nothing_after(chain)) {
    text_.erase(0, static_cast<std::size_t>(newer_.taken - older_.taken));
    older_ = std::exchange(newer_, {chain.copy(), end});
  }
  text_ += text;
}

/// The character comes after the longest beginning of the text that makes no more than these bytes. Large steps come close
/// to it. Then each step is one character, because what a filter holds back may become fewer bytes with the next one.
std::uint64_t filter_origins::find(std::size_t n, std::uint64_t made) {
  if (!here_ || here_->filters.size() != n || here_->made_at_end() > made) here_ = older_.copy(n);
  if (state newer = newer_.copy(n); newer.taken > here_->taken && newer.made_at_end() <= made) here_ = std::move(newer);
  for (std::size_t step = 4096; step != 0; step /= 8)
    while (go_on(step, made)) {
    }
  state ahead = here_->copy(n);
  for (std::string_view next; ahead.filters.made() <= made && !(next = text_after(ahead, 1)).empty();) {
    ahead.take(next);
    if (ahead.made_at_end() <= made) here_ = ahead.copy(n);
  }
  return here_->taken;
}

filter_chain filter_origins::ended_at(std::uint64_t taken) const {
  const bool is_late = taken >= newer_.taken;
  state at = (is_late ? newer_ : older_).copy(older_.filters.size());
  at.filters.pass(text_after(at, taken - at.taken), true);
  return std::move(at.filters);
}

/// The next whole characters, of at most so many bytes.
std::string_view filter_origins::text_after(const state& at, std::uint64_t most) const noexcept {
  const std::string_view rest = std::string_view(text_).substr(static_cast<std::size_t>(at.taken - older_.taken));
  if (rest.empty() || most == 0) return {};
  auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, rest.size()));
  while (size != 0 && size != rest.size() && (rest[size] & '\xC0') == '\x80') --size;
  return rest.substr(0, std::max(size, utfilter::detail::length_by_lead(static_cast<unsigned char>(rest[0]))));
}

/// Goes on by one step, unless that makes more than these bytes.
bool filter_origins::go_on(std::size_t most, std::uint64_t made) {
  const std::string_view next = text_after(*here_, most);
  if (next.empty()) return false;
  state ahead = here_->copy(here_->filters.size());
  ahead.take(next);
  if (ahead.made_at_end() > made) return false;
  here_ = std::move(ahead);
  return true;
}

}  // namespace utfcat
