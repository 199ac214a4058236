// text_filters.hpp: the filters that change text. What each does is told at its change, in changes.hpp; what all have in
// common, in text_filter.hpp.
// layer: filters
#ifndef UTFILTER_TEXT_FILTERS_HPP
#define UTFILTER_TEXT_FILTERS_HPP

#include <utfilter/changes.hpp>
#include <utfilter/text_filter.hpp>

namespace utfilter {

/// Gives all line ends the same kind:
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::convert_newlines(utfilter::newline::lf));
/// in.push(utfilter::to_utf8());  // the text may be UTF-16
/// in.push(io::file_descriptor_source("from_windows.txt"));
/// in.exceptions(std::ios::badbit);  // otherwise an error looks like the end of the text
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
using convert_newlines = text_filter<changes::convert_newlines>;

/// Leaves the characters of a set out (characters.hpp):
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::remove_characters(utfilter::characters::ansi));  // a log without the colours of a terminal
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("build.log"));
/// ```
using remove_characters = text_filter<changes::remove_characters>;

/// Refuses the characters of a set as errors:
///
/// ```cpp
/// io::filtering_ostream out;
/// out.push(utfilter::reject_characters(utfilter::characters::xml10));  // throws, with the place of the character
/// out.push(io::file_descriptor_sink("feed.xml", std::ios::binary));
/// ```
using reject_characters = text_filter<changes::reject_characters>;

/// Writes the characters of a set as escapes:
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::escape_characters(utfilter::characters::bidi));  // source code for a review
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("patch.diff"));
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class escape_characters : public codec_filter<text_codec<changes::escape_characters>> {
 public:
  /// @{
  /// Throws std::invalid_argument, with the reason, for params that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit escape_characters(characters set, const Options& options = {})
      : escape_characters(set, escape_style::backslash, options) {}
  template <class Options = params, class = detail::if_options<Options>>
  escape_characters(characters set, escape_style style, const Options& options = {})
      : codec_filter(text_codec(changes::escape_characters(set, style)), options) {}
  /// @}
};
BOOST_IOSTREAMS_PIPABLE(escape_characters, 0)

/// remove_characters for characters::controls:
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::remove_controls());
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("dump.txt"));
/// ```
using remove_controls = text_filter<changes::remove_controls>;

/// reject_characters for characters::controls.
using reject_controls = text_filter<changes::reject_controls>;

/// Leaves out byte order marks at the start of the text and of lines; bom_filter changes only that of the whole text:
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::strip_boms());
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("all_months.csv"));  // cat jan.csv feb.csv
/// ```
using strip_boms = text_filter<changes::strip_boms>;

/// Leaves out the zeros that a truncated log begins with:
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::skip_hole());
/// in.push(utfilter::to_utf8(utfilter::encoding::utf8));
/// in.push(io::file_descriptor_source("app.log"));
/// ```
using skip_hole = text_filter<changes::skip_hole>;

/// Brings back characters whose UTF-8 was read in another encoding:
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::undo_mojibake());  // the database had read UTF-8 as windows-1252
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("export.csv"));
/// ```
using undo_mojibake = text_filter<changes::undo_mojibake>;

/// Undoes what a program has done that read text of one legacy encoding as another:
///
/// ```cpp
/// io::filtering_istream in;
/// // a player had read Russian tags as windows-1252
/// in.push(utfilter::reread_legacy(utfilter::encoding::windows1252, utfilter::encoding::windows1251));
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("songs.txt"));
/// ```
///
/// Complexity and thread safety are those of codec_filter.
class reread_legacy : public codec_filter<text_codec<changes::reread_legacy>> {
 public:
  /// Throws std::invalid_argument, with the reason, for encodings that do not have one byte per character, and for params
  /// that make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit reread_legacy(encoding read_as, encoding is_in, const Options& options = {})
      : codec_filter(text_codec(changes::reread_legacy(read_as, is_in)), options) {}
};
BOOST_IOSTREAMS_PIPABLE(reread_legacy, 0)

/// Changes the name of the encoding that a text declares:
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::update_declaration());  // <?xml version="1.0" encoding="UTF-8"?>
/// in.push(utfilter::to_utf8(utfilter::encoding::guess));
/// in.push(io::file_descriptor_source("latin2.xml"));
/// ```
using update_declaration = text_filter<changes::update_declaration>;

}  // namespace utfilter

#endif
