// reading.hpp: what the options mean for the text of one file: its byte order mark, its errors, and their repairs.
#ifndef UTFCAT_READING_HPP
#define UTFCAT_READING_HPP

#include "options.hpp"

#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>

#include <cstddef>
#include <string>

namespace utfcat {

/// How to treat the signature of a file. The output has at most one, at its beginning; `follows` tells that text
/// precedes this file's text there.
utfilter::bom bom_of_input(const options&, bool follows);

/// Whether the decoded text begins with the signature, if the file has one.
bool keeps_signature(const options&, utfilter::bom);

/// What becomes of ill-formed input, and of characters that the output's encoding lacks. A check does not repair, but
/// goes on after an error if the user wants to know of all.
utfilter::on_error policy_of(const options&);

/// The params to decode a file, without an observer.
utfilter::params input_params(const options&, utfilter::bom);

/// Whether the error is missing_bom or unexpected_bom.
bool is_of_signature(const utfilter::error_info&) noexcept;

/// How many bytes of the decoded text replace an error of a file that is read in this encoding.
std::size_t size_of_repair(const options&, const utfilter::error_info&, utfilter::encoding read_as);

/// Whether characters that the output's encoding lacks must be found in the file, because they are reported.
bool locates_characters(const options&);

/// The report of an error: FILE:LINE:COLUMN: byte OFFSET: MESSAGE.
std::string report_of(const std::string& file, const utfilter::error_info&);

}  // namespace utfcat

#endif
