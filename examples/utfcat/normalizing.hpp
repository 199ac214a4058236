// normalizing.hpp: --nfc, which brings the decoded text of a file into Unicode Normalization Form C.
#ifndef UTFCAT_NORMALIZING_HPP
#define UTFCAT_NORMALIZING_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ios>

namespace utfcat {

/// Reads at most so many bytes of text; returns -1 at its end, as the devices of Boost.Iostreams do.
using text_reader = std::function<std::streamsize(char*, std::streamsize)>;

/// Why utfcat cannot normalize: null if it can.
const char* why_not_normalizing() noexcept;

/// Reads the normalized text of `read`. Exceptions pass through, after the text before them. Adds the number of
/// characters that were inserted into it to `inserted`, when the text ends.
text_reader normalized(text_reader read, std::uint64_t& inserted);

}  // namespace utfcat

#endif
