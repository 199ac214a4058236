// utf_error.hpp: the exception that filters throw for ill-formed text. It is defined in this header, so that the core
// needs no exceptions.
// layer: exceptions
#ifndef UTFILTER_UTF_ERROR_HPP
#define UTFILTER_UTF_ERROR_HPP

#include <utfilter/detail/needs_exceptions.hpp>

#include <utfilter/error.hpp>

#include <ios>
#include <stdexcept>

namespace utfilter {

/// The exception for an error under on_error::strict (writing, also under on_error::stop), and for the first error
/// beyond params::error_limit. It is a std::ios_base::failure, so that code which knows only the standard streams can
/// catch it. code() is the errc.
///
/// ```cpp
/// try {
///   std::cout << utfilter::read_file("notes.txt");
/// } catch (const utfilter::utf_error& error) {
///   std::cerr << "notes.txt: " << error.what() << '\n';
///   // notes.txt: line 3, column 14 (byte 71): overlong encoding: C0
///   if (error.code() == utfilter::errc::incomplete_at_end) std::cerr << "Is all of it there?\n";
/// }
/// ```
///
/// Complexity: constant. Thread safety: that of any exception.
class UTFILTER_VISIBLE utf_error : public std::ios_base::failure {
 public:
  /// Throws std::bad_alloc. Copying the exception throws nothing.
  explicit utf_error(const error_info& info)
      : failure(info.message(), make_error_code(info.code)), info_(info), what_(to_string(info)) {}

  /// The kind, the place and the bytes of the error.
  const error_info& info() const noexcept { return info_; }

  /// The same as to_string(info()): "line 3, column 14 (byte 71): overlong encoding: C0".
  const char* what() const noexcept override { return what_.what(); }

 private:
  error_info info_;
  std::runtime_error what_;  // holds the string, because copying a std::runtime_error throws nothing
};

}  // namespace utfilter

#endif
