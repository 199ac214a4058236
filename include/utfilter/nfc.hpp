// nfc.hpp: a filter that brings UTF-8 into Unicode Normalization Form C. Link utfilter::nfc.
// layer: nfc
#ifndef UTFILTER_NFC_HPP
#define UTFILTER_NFC_HPP

#include <utfilter/nfc_normalizer.hpp>
#include <utfilter/text_filter.hpp>

namespace utfilter {

/// Brings UTF-8 into Unicode Normalization Form C (NFC), so that texts can be compared byte by byte: the letter U+00E9
/// and the letter `e` with U+0301 after it become the same bytes. nfc_normalizer.hpp has the rules.
///
/// It treats ill-formed UTF-8 as params say, like utf8_validator, with the same errors at the same places. The output
/// is in NFC under every policy: repairs are part of the text that is normalized.
///
/// ```cpp
/// utfilter::normalize_nfc nfc;
/// io::filtering_istream in;
/// in.push(nfc);
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("names.txt"));
/// in.exceptions(std::ios::badbit);  // otherwise an error looks like the end of the text
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// if (nfc.report().inserted != 0) std::clog << "not a natural text: over 30 combining marks in a row\n";
/// ```
///
/// A letter waits in the filter until the next character or close, because a mark may follow. A flush writes all but
/// such a letter and its marks: a line ends with a line feed, which never waits, so a log that is flushed after each
/// line is complete. Put the filter where the text is UTF-8: after to_utf8, before from_utf8.
///
/// params::bom must be automatic, and on_error::keep is refused. Complexity and thread safety are those of
/// codec_filter.
using normalize_nfc = text_filter<changes::normalize_nfc>;

}  // namespace utfilter

#endif
