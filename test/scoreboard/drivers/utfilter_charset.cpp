// utfilter_charset.cpp: utfilter::charset_decoder of the component icu, for the encodings that utfilter::decoder lacks.
#include "utfilter.hpp"

#include <utfilter/charset.hpp>
#include <utfilter/encoding.hpp>

#include <unicode/uversion.h>

int main() {
  return serve("of this tree, ICU " U_ICU_VERSION, [](const question& asked) -> std::optional<answer> {
    const bool built_in = utfilter::encoding_from_name(asked.encoding).has_value();
    if (built_in || asked.signature == "strip" || !utfilter::charset::exists(asked.encoding)) return std::nullopt;
    answer given;
    utfilter::params p = params_for(asked, given);
    p.bom = {};
    utfilter::charset_decoder text(utfilter::charset(asked.encoding), p);
    convert_by(text, asked, given);
    return given;
  });
}
