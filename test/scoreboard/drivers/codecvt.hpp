// codecvt.hpp: a std::codecvt facet, fed as the standard says: the bytes of a piece that in() does not take are passed
// again with the next piece. If bytes are left at the end, the input is incomplete.
#ifndef UTFILTER_SCOREBOARD_CODECVT_HPP
#define UTFILTER_SCOREBOARD_CODECVT_HPP

#include "driver.hpp"

#include <cwchar>
#include <locale>

/// Converts all pieces. If the facet replaces errors itself, the bytes left at the end are replaced here, as its user
/// would do.
template <class Char>
answer convert_by(const std::codecvt<Char, char, std::mbstate_t>& facet, const question& asked) {
  answer given;
  std::mbstate_t state{};
  std::string left;
  std::size_t consumed = 0;
  for (const std::string& piece : asked.pieces) {
    left += piece;
    std::codecvt_base::result status;
    bool moved;
    do {
      Char out[64];
      const char* next = left.data();
      Char* end = out;
      status = facet.in(state, left.data(), left.data() + left.size(), next, out, out + 64, end);
      for (const Char* unit = out; unit != end; ++unit) append_utf8(given.output, static_cast<unsigned long>(*unit));
      moved = next != left.data() || end != out;
      consumed += static_cast<std::size_t>(next - left.data());
      left.erase(0, static_cast<std::size_t>(next - left.data()));
    } while (status != std::codecvt_base::error && moved && !left.empty());
    if (status == std::codecvt_base::error) {
      given.told_at(consumed);
      return given;
    }
  }
  if (!left.empty()) {
    given.told_at(consumed);
    if (!asked.strict()) append_utf8(given.output, 0xFFFD);
  }
  return given;
}

#endif
