// text_filter.hpp: makes a filter of a change: of a small object that rewrites well-formed UTF-8.
// layer: filters
#ifndef UTFILTER_TEXT_FILTER_HPP
#define UTFILTER_TEXT_FILTER_HPP

#include <utfilter/filter.hpp>
#include <utfilter/text_codec.hpp>

#include <type_traits>

namespace utfilter {

/// The filter of a change, which text_codec describes. text_filters.hpp has those of the library. Of your own:
///
/// ```cpp
/// struct tabs_to_spaces {
///   utfilter::codec_progress operator()(utfilter::text_piece in, char* out, std::size_t room,
///                                       utfilter::text_facts&) noexcept {
///     const std::size_t n = in.fitting(room);
///     std::replace_copy(in.text.begin(), in.text.begin() + n, out, '\t', ' ');
///     return in.progress(n, n);
///   }
/// };
/// io::filtering_istream in;
/// in.push(utfilter::text_filter<tabs_to_spaces>());
/// in.push(utfilter::to_utf8());
/// in.push(io::file_descriptor_source("Makefile"));
/// ```
///
/// It reads UTF-8 and treats ill-formed UTF-8 as params say, like utf8_validator, and repairs are changed, too. In a chain
/// that writes another encoding, push it before from_utf8; in a chain that reads one, before to_utf8. report().changes
/// counts what it changes. An initial U+FEFF is a character, so params::bom must be automatic. Complexity and thread safety
/// are those of codec_filter.
template <class Change>
class text_filter : public codec_filter<text_codec<Change>> {
 public:
  /// @{
  /// Throws std::invalid_argument, with the reason, for a change and for params that make no sense, such as
  /// on_error::keep.
  template <class Options = params, class = detail::if_options<Options>>
  explicit text_filter(const Change& change, const Options& options = {})
      : codec_filter<text_codec<Change>>(text_codec<Change>(change), options) {}
  template <class Options = params, class = detail::if_options<Options>, class C = Change,
            class = std::enable_if_t<std::is_default_constructible_v<C>>>
  explicit text_filter(const Options& options = {}) : text_filter(C(), options) {}
  /// @}
};
BOOST_IOSTREAMS_PIPABLE(text_filter, 1)

}  // namespace utfilter

#endif
