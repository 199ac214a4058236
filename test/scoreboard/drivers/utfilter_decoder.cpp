// utfilter_decoder.cpp: utfilter::decoder.
#include "utfilter.hpp"

#include <utfilter/decoder.hpp>

int main() {
  return serve("of this tree", [](const question& asked) -> std::optional<answer> {
    const std::optional<utfilter::encoding> from = utfilter::encoding_from_name(asked.encoding);
    if (!from) return std::nullopt;
    answer given;
    utfilter::decoder text(*from, params_for(asked, given));
    convert_by(text, asked, given);
    return given;
  });
}
