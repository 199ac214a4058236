// origins.hpp: finds the characters from which filters have made a text.
#ifndef UTFCAT_ORIGINS_HPP
#define UTFCAT_ORIGINS_HPP

#include "filters.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace utfcat {

/// Keeps the last text that a chain of filters has taken, and copies of the filters before it. So it can filter the text
/// again, and see what each character adds.
class filter_origins {
 public:
  /// The chain has taken no text yet.
  explicit filter_origins(const filter_chain& chain) : older_{chain.copy()}, newer_{chain.copy()} {}

  /// Call this before the chain takes the next text.
  void begin_piece(const filter_chain& chain, std::string_view text);

  /// The bytes at the end of the text in which find() finds, also after the next text.
  std::size_t kept() const noexcept { return text_.size(); }

  /// How many bytes of the text come before the character from which the first `n` filters have made a byte. `made` bytes
  /// come before that byte in what they have made.
  std::uint64_t find(std::size_t n, std::uint64_t made);

  /// The filters, after a text that ends after so many bytes. No more than the last piece comes after them.
  filter_chain ended_at(std::uint64_t taken) const;

 private:
  /// Filters that have taken some text.
  struct state {
    state copy(std::size_t n) const { return {filters.copy(n), taken}; }
    void take(std::string_view text);
    std::uint64_t made_at_end() const;

    filter_chain filters;
    std::uint64_t taken = 0;  // in bytes
  };

  std::string_view text_after(const state&, std::uint64_t most) const noexcept;
  bool go_on(std::size_t most, std::uint64_t made);

  state older_, newer_;        // before text_, and before the last pieces of it
  std::optional<state> here_;  // at the character that was found last
  std::string text_;           // after older_
};

}  // namespace utfcat

#endif
