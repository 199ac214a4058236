// strip_marks.hpp: filters that leave out what should not be at the start of a text: byte order marks, and a hole.
// layer: filters
#ifndef UTFILTER_STRIP_MARKS_HPP
#define UTFILTER_STRIP_MARKS_HPP

#include <utfilter/filter.hpp>
#include <utfilter/hole_skipper.hpp>
#include <utfilter/mark_stripper.hpp>

namespace utfilter {

/// Leaves out each U+FEFF at the start of the text, at the start of a line, and after another that is left out. A file
/// that was put together from files with byte order marks has such characters. Inside a line U+FEFF passes.
/// report().changes counts those left out. It reads UTF-8 and treats ill-formed UTF-8 as params say, like
/// utf8_validator.
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::strip_marks());
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("all_months.csv"));  // cat jan.csv feb.csv
/// ```
///
/// bom_filter changes the byte order mark alone, and also in other encodings. params::bom must be automatic here.
/// Complexity and thread safety are those of codec_filter.
class strip_marks : public codec_filter<mark_stripper> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit strip_marks(const Options& options = {}) : codec_filter(mark_stripper(), options) {}
};
BOOST_IOSTREAMS_PIPABLE(strip_marks, 0)

/// Leaves out a hole at the start of the text: 512 or more U+0000, which logrotate's copytruncate leaves in front of
/// what a program writes later. report().changes counts them. It reads UTF-8 and treats ill-formed UTF-8 as params say,
/// like utf8_validator.
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::skip_hole());
/// in.push(utfilter::to_utf8(utfilter::encoding::utf8));
/// in.push(io::file_descriptor_source("app.log"));
/// ```
///
/// An initial U+FEFF is a character, so params::bom must be automatic. Complexity and thread safety are those of
/// codec_filter.
class skip_hole : public codec_filter<hole_skipper> {
 public:
  /// Throws std::invalid_argument, with the reason, for params that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit skip_hole(const Options& options = {}) : codec_filter(hole_skipper(), options) {}
};
BOOST_IOSTREAMS_PIPABLE(skip_hole, 0)

}  // namespace utfilter

#endif
