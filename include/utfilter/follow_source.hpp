// follow_source.hpp: a Boost.Iostreams source of a file that is being written.
// layer: sources
#ifndef UTFILTER_FOLLOW_SOURCE_HPP
#define UTFILTER_FOLLOW_SOURCE_HPP

#include <utfilter/detail/shared_source.hpp>
#include <utfilter/follow_streambuf.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace utfilter {

/// A Source of the bytes of a file that is being written. follow_streambuf documents what it does when the file grows,
/// is replaced or truncated, and each of these functions. Each file needs a chain of its own, because it is a text of
/// its own:
///
/// ```cpp
/// void follow(utfilter::follow_source log) {
///   do {
///     io::filtering_istream in;
///     in.push(utfilter::to_utf8(utfilter::on_error::replace));
///     in.push(log);
///     in.exceptions(std::ios::badbit);  // otherwise an error looks like the end of the text
///     for (std::string line; std::getline(in, line);) std::cout << line << std::endl;
///   } while (log.next_file());
/// }
/// ```
///
/// Copies share the file and the place in it. The last copy closes the file. A move is a copy, so a moved-from source
/// reads on. Complexity and thread safety are those of follow_streambuf.
class follow_source : public detail::shared_source<follow_streambuf> {
 public:
  /// Opens the file, if it exists. Throws what the constructor of follow_streambuf throws.
  explicit follow_source(const std::filesystem::path& path, const follow_options& options = {})
      : shared_source(std::make_shared<follow_streambuf>(path, options)) {}

  /// @{
  /// See follow_streambuf.
  bool next_file(std::uint64_t offset = 0) { return shared().next_file(offset); }
  std::uint64_t unchanged() const noexcept { return shared().unchanged(); }
  std::optional<file_end> ended() const noexcept { return shared().ended(); }
  bool wait_for(std::chrono::milliseconds time) { return shared().wait_for(time); }
  void stop() noexcept { shared().stop(); }
  std::string identity() const { return shared().identity(); }
  /// @}
};

}  // namespace utfilter

#endif
