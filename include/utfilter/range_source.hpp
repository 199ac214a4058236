// range_source.hpp: a Boost.Iostreams source of the lines of a file that begin in a range of its bytes.
// layer: sources
#ifndef UTFILTER_RANGE_SOURCE_HPP
#define UTFILTER_RANGE_SOURCE_HPP

#include <utfilter/byte_range.hpp>
#include <utfilter/checkpoint.hpp>
#include <utfilter/detail/transfer.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/range_streambuf.hpp>

#include <boost/iostreams/categories.hpp>

#include <cstddef>
#include <filesystem>
#include <ios>
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
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// ```
///
/// Copies share the file and the place in it. The last copy closes the file. A move is a copy, so a moved-from source
/// reads on. Complexity and thread safety are those of range_streambuf.
class range_source {
 public:
  using char_type = char;                         ///< Bytes.
  using category = boost::iostreams::source_tag;  ///< The category, for Boost.Iostreams.

  /// @{
  /// Opens the file and finds the first line of the range. `from` is the encoding of the file, which a byte order mark
  /// decides by default. Throws what the constructor of range_streambuf throws.
  template <class Options = utfilter::params, class = detail::if_options<Options>>
  range_source(const std::filesystem::path& path, byte_range range, encoding from, const Options& options = {})
      : lines_(std::make_shared<range_streambuf>(path, range, from, options)) {}
  template <class Options = utfilter::params, class = detail::if_options<Options>>
  range_source(const std::filesystem::path& path, byte_range range, const Options& options = {})
      : range_source(path, range, encoding::detect, options) {}
  /// @}

  /// @{
  /// A copy shares the file. (There is no move constructor, because a moved-from source must remain usable.)
  range_source(const range_source&) = default;
  range_source& operator=(const range_source&) = default;
  /// @}

  /// The place of the first line; see range_streambuf. Throws nothing. Complexity: constant.
  checkpoint start() const noexcept { return lines_->start(); }

  /// The params for a decoder of the lines; see range_streambuf. Throws std::bad_alloc, or what copying the observer
  /// throws.
  utfilter::params params() const { return lines_->params(); }

  /// Reads at most n bytes and returns their number; -1 at the end of the last line. Throws std::ios_base::failure if
  /// the file cannot be read, or has become shorter.
  std::streamsize read(char* s, std::streamsize n) {
    if (n <= 0) return 0;
    detail::streambuf_reader input(*lines_);
    if (input.size() == 0 && input.wait() < 0) return -1;
    return detail::take(input, s, static_cast<std::size_t>(n));
  }

 private:
  std::shared_ptr<range_streambuf> lines_;
};

}  // namespace utfilter

#endif
