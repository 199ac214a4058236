// range_source.hpp: a Boost.Iostreams source of the lines of a file that begin in a range of its bytes.
// layer: sources
#ifndef UTFILTER_RANGE_SOURCE_HPP
#define UTFILTER_RANGE_SOURCE_HPP

#include <utfilter/byte_range.hpp>
#include <utfilter/checkpoint.hpp>
#include <utfilter/detail/naming.hpp>
#include <utfilter/detail/shared_source.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/range_streambuf.hpp>

#include <filesystem>
#include <memory>

namespace utfilter {

/// A Source of the bytes of the lines of a file which begin in a range of its bytes. range_streambuf documents which
/// lines these are, and what happens if the file becomes shorter.
///
/// ```cpp
/// utfilter::range_source lines("words.txt", {1000000, 2000000}, utfilter::on_error::replace);
/// io::filtering_istream in;
/// in.push(utfilter::to_utf8(lines.params()));
/// in.push(lines);
/// in.exceptions(std::ios::badbit);  // otherwise an error looks like the end of the text
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// Copies share the file and the place in it. The last copy closes the file. A move is a copy, so a moved-from source
/// reads on. Complexity and thread safety are those of range_streambuf.
class range_source : public detail::shared_source<range_streambuf> {
 public:
  /// @{
  /// Opens the file and finds the first line of the range. `from` is the encoding of the file, which a byte order mark
  /// decides by default. Throws what the constructor of range_streambuf throws.
  template <class Options = utfilter::params, class = detail::if_options<Options>>
  range_source(const std::filesystem::path& path, byte_range range, detail::named_encoding from,
               const Options& options = {})
      : shared_source(std::make_shared<range_streambuf>(path, range, from, options)) {}
  template <class Options = utfilter::params, class = detail::if_options<Options>>
  range_source(const std::filesystem::path& path, byte_range range, const Options& options = {})
      : range_source(path, range, encoding::detect, options) {}
  /// @}

  /// The place of the first line; see range_streambuf. Throws nothing. Complexity: constant.
  checkpoint start() const noexcept { return shared().start(); }

  /// The params for a decoder of the lines; see range_streambuf. Throws std::bad_alloc, or what copying the observer
  /// throws.
  utfilter::params params() const { return shared().params(); }
};

}  // namespace utfilter

#endif
