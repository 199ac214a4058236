// write_in.hpp: writes repairs in an encoding that may have states.
#ifndef UTFILTER_CODECS_WRITE_IN_HPP
#define UTFILTER_CODECS_WRITE_IN_HPP

#include "encodings/encoding_scheme.hpp"

#include <utfilter/repair.hpp>
#include <utfilter/utf8.hpp>

#include <cstddef>
#include <string_view>

namespace utfilter::detail {

/// As write_repair, in the encoding of a row. If the encoding has states, `target` becomes the row of the state after
/// the repair.
inline repair_progress write_in(const encoding_scheme*& target, std::string_view text, char* out,
                                std::size_t room) noexcept {
  constexpr std::size_t longest = 6;
  if (target->after == nullptr) return write_repair<longest>(text, out, room, target->encode);
  repair_progress all{0, 0};
  while (all.consumed != text.size()) {
    const std::size_t size = length_by_lead(static_cast<unsigned char>(text[all.consumed]));
    char* const to = out + all.produced;
    const repair_progress one =
        write_repair<longest>(text.substr(all.consumed, size), to, room - all.produced, target->encode);
    if (one.consumed == 0) break;
    target = target->after(to, one.produced);
    all = {all.consumed + one.consumed, all.produced + one.produced};
  }
  return all;
}

}  // namespace utfilter::detail

#endif
