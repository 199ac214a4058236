// range_streambuf.hpp: a stream buffer over the lines of a file that begin in a range of its bytes. Standard C++ alone,
// no Boost.
// layer: streams
#ifndef UTFILTER_RANGE_STREAMBUF_HPP
#define UTFILTER_RANGE_STREAMBUF_HPP

#include <utfilter/byte_range.hpp>
#include <utfilter/checkpoint.hpp>
#include <utfilter/config.hpp>
#include <utfilter/detail/lossless_streambuf.hpp>
#include <utfilter/detail/naming.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ios>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace utfilter {

/// A stream buffer that reads the lines of a file which begin in a range of its bytes. It returns the bytes of the
/// file; params() are the params to decode them. So several threads, processes or machines can read one file, each a
/// range.
///
/// A line begins at offset 0, byte order mark included, and after each line feed (U+000A). In UTF-16 and UTF-32 a line
/// feed is a code unit at a multiple of its size from the start of the file. A line ends after its line feed; the last
/// line ends with the file. So each line is in exactly one range, wherever the file is cut: inside a character, a code
/// unit, a CR LF or a byte order mark, or beyond the end of the file. Range 0-1 is the whole file if it has no line
/// feed. A range has no lines if none begins in it.
///
/// The encoding is that of the whole file: the constructor reads the first four bytes of the file to decide it, or for
/// encoding::guess the first params::guess_bytes. If they are no text, it fails with errc::no_text.
///
/// ```cpp
/// utfilter::range_streambuf lines("words.txt", {1000000, 2000000});
/// utfilter::istream in(lines, lines.params());
/// for (std::string line; std::getline(in, line);) std::cout << line << '\n';
/// if (in.bad()) std::rethrow_exception(in.report().failure);
/// ```
///
/// The text of all ranges, one after the other, is the text of the file, for each policy that goes on after an error;
/// under on_error::strict and on_error::stop a text ends in the range with the first error. merge() makes the report on
/// the file from those of the ranges. An empty range, such as 0-0, is no text, so bom::add and bom::require mean
/// nothing there. But an empty file is an empty text, which is in each range that begins at 0.
///
/// The file must be a regular file. Its size is that at the time of the constructor: bytes that are appended later are
/// not read. If the file becomes shorter, a read that misses bytes of these lines throws std::ios_base::failure, which
/// names the range and the first byte that is missing. If the file cannot be read, the failure has the system's reason.
/// In both cases all bytes before have been returned.
///
/// Complexity: the constructor is linear in the distance from the start of the range to its first line, or to its end
/// if no line begins in it; reading is linear in the bytes of the lines. At most 64 KiB after the last line are read,
/// too. Memory: 128 KiB. Thread safety: one thread at a time. The buffer cannot seek.
class UTFILTER_STREAMS_API range_streambuf : public detail::lossless_streambuf {
 public:
  /// @{
  /// Opens the file and finds the first line of the range. `from` is the encoding of the file, which a byte order mark
  /// decides by default. Throws std::invalid_argument for a range that ends before it begins, for params that make no
  /// sense, and for params::start; std::ios_base::failure with the path and the reason if the file cannot be opened or
  /// read, or is no regular file.
  template <class Options = utfilter::params, class = detail::if_options<Options>>
  range_streambuf(const std::filesystem::path& path, byte_range range, detail::named_encoding from,
                  const Options& options = {})
      : path_(path), range_(range), params_(detail::to_params(options)) {
    open(from);
  }
  template <class Options = utfilter::params, class = detail::if_options<Options>>
  range_streambuf(const std::filesystem::path& path, byte_range range, const Options& options = {})
      : range_streambuf(path, range, encoding::detect, options) {}
  /// @}

  /// Closes the file.
  ~range_streambuf() override;
  range_streambuf(const range_streambuf&) = delete;
  range_streambuf& operator=(const range_streambuf&) = delete;

  /// The place of the first line: its offset in the file, the encoding, and whether the file begins with a byte order
  /// mark. The line is line 1, because the lines before the range are not known. At offset 0, checkpoint::bom is false:
  /// the byte order mark is still to come. If no line begins in the range, the offset is that of the range. Throws
  /// nothing. Complexity: constant.
  checkpoint start() const noexcept { return start_; }

  /// The params for a decoder of the lines, such as to_utf8(source.params()): those given to the constructor, with
  /// params::start and params::declared. Throws std::bad_alloc, or what copying the observer throws.
  utfilter::params params() const { return params_; }

 protected:
  int_type underflow() override;

 private:
  void open(encoding from);
  void open_file();
  void decide_encoding(transcoder codec);
  std::optional<std::uint64_t> find_first_line();
  void seek(std::uint64_t offset);
  void fill(std::size_t most);
  std::size_t read(std::size_t n, std::error_code& error);
  void show(std::uint64_t from);
  std::optional<std::uint64_t> end_of_line(std::uint64_t from, std::uint64_t to) const noexcept;
  std::uint64_t unit_before(std::uint64_t offset) const noexcept;
  [[noreturn]] void fail(const std::string& what, std::errc why) const;

  std::filesystem::path path_;
  byte_range range_;
  utfilter::params params_;
  checkpoint start_;
  std::array<char, transcoder::min_output> line_feed_ = {};  // U+000A in the encoding of the file
  std::size_t unit_ = 1;                                     // bytes of a code unit
  detail::file file_;
  std::uint64_t size_ = 0;        // of the file, when it was opened
  std::vector<char> area_;        // bytes of the file, from the start of a code unit
  std::uint64_t area_begin_ = 0;  // their offset in the file
  std::uint64_t area_end_ = 0;    // the offset after them, where the file is read on
  bool is_shorter_ = false;       // the file has ended at area_end_, before size_
  bool found_end_ = false;        // the last line ends in the area, or there is none
};

}  // namespace utfilter

#endif
