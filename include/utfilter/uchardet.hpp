// uchardet.hpp: guesses of legacy charsets by uchardet, for encoding::guess.
// layer: uchardet
#ifndef UTFILTER_UCHARDET_HPP
#define UTFILTER_UCHARDET_HPP

#include <utfilter/config.hpp>

#include <string_view>

namespace utfilter {

/// The charset that uchardet finds in the sample, for params::guess_legacy. It knows charsets by the frequency of the
/// letters of some thirty languages, so it needs a few sentences. The name is that of the encoding in this library, or
/// the name of a charset that the library lacks, such as "EUC-TW"; empty if uchardet finds none, or memory is
/// short. It lives as long as the program.
///
/// ```cpp
/// utfilter::params p;
/// p.fallback = utfilter::encoding::guess;
/// p.guess_legacy = utfilter::uchardet_guesser;
/// utfilter::ifstream in("letter.txt", p);
/// if (!in.is_open()) throw std::runtime_error("letter.txt: " + in.open_error().message());
/// ```
///
/// Complexity: linear, with a large factor. It allocates memory, and frees it before it returns.
/// Thread safety: any number of threads may call it.
UTFILTER_UCHARDET_API std::string_view uchardet_guesser(std::string_view sample) noexcept;

}  // namespace utfilter

#endif
