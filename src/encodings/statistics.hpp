// statistics.hpp: guesses a legacy encoding by the models of languages, or by asking another detector, whose answer it
// checks.
#ifndef UTFILTER_ENCODINGS_STATISTICS_HPP
#define UTFILTER_ENCODINGS_STATISTICS_HPP

#include "encodings/detector.hpp"
#include "encodings/guess.hpp"

#include <string_view>

namespace utfilter::detail {

/// Whether a sample, decoded as this encoding of single bytes or as UTF-8, is text without errors and without the control
/// characters of ISO 6429's set C1. The end of a sample that is not whole may cut a sequence. Complexity: linear.
bool decodes_as(encoding e, std::string_view sample, bool is_whole) noexcept;

/// Whether a guess by statistics names a charset of single bytes for languages in Latin script. Complexity: constant.
bool is_of_latin_script(const guess&) noexcept;

/// Whether the sample is likely text in this encoding of single bytes, apart from a few bytes that are no characters.
/// False for an encoding in which the bytes 80 to 9F are control characters. Complexity: linear.
bool is_damaged_text_of(encoding e, std::string_view sample) noexcept;

/// Whether the sample is likely text in `legacy`, and long enough to say so. Then it is no text in a charset whose table
/// the library lacks. Complexity: linear.
bool contradicts_declaration(encoding legacy, std::string_view sample) noexcept;

/// The guess about a sample that is no UTF-8, by the models of languages: one of the candidates, if there are any.
/// Complexity: linear.
guess guess_by_models(std::string_view sample, bool is_whole, const guess_rules&) noexcept;

/// The same by the answer of params::guess_legacy. If the sample is unlikely text by that answer, for example with
/// capitals after small letters, the guess is another encoding: a similar one, a two-byte charset, or `legacy` as an
/// assumption. Complexity: linear, and that of guess_legacy.
guess guess_by_asking(std::string_view sample, bool is_whole, const guess_rules&) noexcept;

}  // namespace utfilter::detail

#endif
