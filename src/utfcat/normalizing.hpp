// normalizing.hpp: --nfc, which brings the decoded text of a file into Unicode Normalization Form C.
#ifndef UTFCAT_NORMALIZING_HPP
#define UTFCAT_NORMALIZING_HPP

#include "text_reader.hpp"

#include <cstdint>

namespace utfcat {

/// Why utfcat cannot normalize: null if it can.
const char* why_not_normalizing() noexcept;

/// Reads the normalized text of `read`. Exceptions pass through, after the text before them. Adds the number of
/// characters that were inserted into it to `inserted`, when the text ends.
text_reader normalized(text_reader read, std::uint64_t& inserted);

}  // namespace utfcat

#endif
