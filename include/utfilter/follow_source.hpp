// follow_source.hpp: a Boost.Iostreams source of a file that is being written.
// layer: sources
#ifndef UTFILTER_FOLLOW_SOURCE_HPP
#define UTFILTER_FOLLOW_SOURCE_HPP

#include <utfilter/detail/transfer.hpp>
#include <utfilter/follow_streambuf.hpp>

#include <boost/iostreams/categories.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <ios>
#include <memory>
#include <optional>
#include <string>

namespace utfilter {

/// A Source of the bytes of a file that is being written. follow_streambuf documents what it does when the file grows,
/// is replaced or truncated, and each of these functions. Each file needs a chain of its own, because it is a text of its
/// own:
///
/// ```cpp
/// void follow(utfilter::follow_source log) {
///   do {
///     io::filtering_istream in;
///     in.push(utfilter::to_utf8(utfilter::on_error::replace));
///     in.push(log);
///     for (std::string line; std::getline(in, line);) std::cout << line << std::endl;
///   } while (log.next_file());
/// }
/// ```
///
/// Copies share the file and the place in it. The last copy closes the file. A move is a copy, so a moved-from source
/// reads on. Complexity and thread safety are those of follow_streambuf.
class follow_source {
 public:
  using char_type = char;                         ///< Bytes.
  using category = boost::iostreams::source_tag;  ///< The category, for Boost.Iostreams.

  /// Opens the file, if it exists. Throws what the constructor of follow_streambuf throws.
  explicit follow_source(const std::filesystem::path& path, const follow_options& options = {})
      : file_(std::make_shared<follow_streambuf>(path, options)) {}

  /// @{
  /// A copy shares the file. (There is no move constructor, because a moved-from source must remain usable.)
  follow_source(const follow_source&) = default;
  follow_source& operator=(const follow_source&) = default;
  /// @}

  /// @{
  /// See follow_streambuf.
  bool next_file() { return file_->next_file(); }
  std::optional<file_end> ended() const noexcept { return file_->ended(); }
  bool wait_for(std::chrono::milliseconds time) { return file_->wait_for(time); }
  void stop() noexcept { file_->stop(); }
  std::string identity() const { return file_->identity(); }
  /// @}

  /// Waits for the first byte, reads at most n bytes and returns their number; -1 at the end of a file. Throws
  /// std::ios_base::failure if the file cannot be read.
  std::streamsize read(char* s, std::streamsize n) {
    if (n <= 0) return 0;
    detail::streambuf_reader input(*file_);
    if (input.size() == 0 && input.wait() < 0) return -1;
    return detail::take(input, s, static_cast<std::size_t>(n));
  }

 private:
  std::shared_ptr<follow_streambuf> file_;
};

}  // namespace utfilter

#endif
