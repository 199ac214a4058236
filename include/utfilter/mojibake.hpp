// mojibake.hpp: a filter that undoes mojibake.
// layer: filters
#ifndef UTFILTER_MOJIBAKE_HPP
#define UTFILTER_MOJIBAKE_HPP

#include <utfilter/filter.hpp>
#include <utfilter/mojibake_undoer.hpp>

#include <stdexcept>
#include <string>

namespace utfilter {

/// Undoes mojibake in UTF-8: `Ã©` becomes `é` again. mojibake_undoer.hpp says what it undoes and what it leaves.
/// report().changes counts the characters; the observer sees each of them as errc::mojibake, but they are no errors. It
/// treats ill-formed UTF-8 as params say, like utf8_validator.
///
/// ```cpp
/// io::filtering_istream in;
/// in.push(utfilter::undo_mojibake());  // the database had read UTF-8 as windows-1252
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("export.csv"));
/// ```
///
/// Use it on text that has mojibake, and look at what it changes: right text can have such characters, too. Those that
/// a word ends with before a quotation mark, as in `»Ä«`, stay; mojibake_undoer.hpp has the rule. An initial U+FEFF is a
/// character, so params::bom must be automatic. Complexity and thread safety are those of codec_filter.
///
/// What it brings back can be a control character that was harmless before. So escape_controls, remove_controls and
/// reject_controls must get the text after it: when you write, push them after it, and when you read, before it.
class undo_mojibake : public codec_filter<mojibake_undoer> {
 public:
  /// @{
  /// The encoding is the one in which the UTF-8 was read, such as windows1252, windows1251 or latin1. Throws
  /// std::invalid_argument, with the reason, for an encoding that is not of one byte per character, and for params that
  /// make no sense, such as on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit undo_mojibake(encoding e, const Options& options = {})
      : codec_filter(codec(e, detail::to_params(options)), options) {}
  template <class Options = params, class = detail::if_options<Options>>
  explicit undo_mojibake(const Options& options = {}) : undo_mojibake(encoding::windows1252, options) {}
  /// @}

 private:
  static mojibake_undoer codec(encoding e, const params& p) {
    if (const char* why = mojibake_undoer::why_not(e))
      throw std::invalid_argument(std::string("utfilter::undo_mojibake: ") + why);
    return mojibake_undoer(e, p.observer != nullptr);
  }
};
BOOST_IOSTREAMS_PIPABLE(undo_mojibake, 0)

}  // namespace utfilter

#endif
