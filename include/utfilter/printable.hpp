// printable.hpp: prints a text that nobody has checked, such as a name, a path or a field of a log, as text that is
// well-formed and harmless.
// layer: codecs
#ifndef UTFILTER_PRINTABLE_HPP
#define UTFILTER_PRINTABLE_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/printable_pieces.hpp>
#include <utfilter/printable_options.hpp>

#include <ios>
#include <iosfwd>
#include <string>
#include <string_view>

#if __has_include(<version>)
#  include <version>
#endif
#ifdef __cpp_lib_format
#  include <utfilter/detail/printable_format.hpp>

#  include <cstddef>
#  include <cstdlib>
#  include <format>
#  include <utility>
#endif

namespace utfilter {

/// A view of a text that prints as well-formed UTF-8 which ends no line, and has no control that moves a cursor (but a
/// tab) or reorders the line. Any bytes may stand in the text. printable_options say what is escaped, and how;
/// doc/escaping.md tells what the characters that pass can do. An ill-formed byte is written as `\xHH`; in JSON, which
/// has no bytes, each ill-formed subsequence is written as U+FFFD, so that a JSON parser gives back what sanitize()
/// returns.
///
/// ```cpp
/// std::string name = "a\x1B[2Jb\xFF\n";  // from a stranger
/// std::ostringstream log;
/// log << "cannot open " << utfilter::printable(name) << ": no such file";
/// assert(log.str() == "cannot open a\\x1B[2Jb\\xFF\\x0A: no such file");
/// ```
///
/// It formats with `<<`, with std::format if the compiler has it, and with {fmt} if printable_fmt.hpp is included. The
/// format is that of a string: fill, alignment, width and precision, which may be arguments. Width and precision count
/// characters of the output. Precision cuts between characters, never inside an escape.
///
/// A text that needs no escape is written from where it is. The view does not own the text. Throws nothing. Complexity:
/// constant; writing it is linear. Thread safety: that of a plain value, such as an int.
class printable {
 public:
  /// A view of the text, which must live as long as the view. Throws nothing. Complexity: constant.
  explicit printable(std::string_view text, const printable_options& options = {}) noexcept
      : text_(text), options_(options) {}

  /// The text as it is.
  std::string_view text() const noexcept { return text_; }
  /// What is escaped, and how.
  const printable_options& options() const noexcept { return options_; }

 private:
  std::string_view text_;
  printable_options options_;
};

/// The output of printable(text, options) as a string. Complexity: linear. Throws std::bad_alloc.
///
/// ```cpp
/// utfilter::printable_options json;
/// json.style = utfilter::escape_style::json;
/// assert(utfilter::to_printable("say \"hi\"\n", json) == "say \\\"hi\\\"\\u000A");
/// ```
UTFILTER_API std::string to_printable(std::string_view text, const printable_options& = {});

namespace detail {

/// Writes well-formed text as `<<` writes a string, but counts the width in characters.
template <class Traits>
std::basic_ostream<char, Traits>& put_text(std::basic_ostream<char, Traits>& out, std::string_view text) {
  if (out.width() > 0) out.width(out.width() + static_cast<std::streamsize>(text.size() - count_characters(text)));
  return out << std::basic_string_view<char, Traits>(text.data(), text.size());
}

}  // namespace detail

/// Writes the text to a stream, as `<<` writes a string: with the stream's width (in characters), fill and adjustment,
/// and it resets the width. A text that needs escapes is first made as a whole, and then written in one piece.
/// Complexity: linear. Throws std::bad_alloc if there is no memory for that piece, and what the stream throws.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const printable& p) {
  if (p.text().size() <= p.options().limit && detail::is_harmless(p.text(), p.options()))
    return detail::put_text(out, p.text());
  return detail::put_text(out, to_printable(p.text(), p.options()));
}

}  // namespace utfilter

/// @cond
#ifdef __cpp_lib_format
/// Formats as a string does. Throws std::format_error.
template <>
struct std::formatter<utfilter::printable, char> : private utfilter::detail::printable_format {
  /// Takes the format of a string. Throws std::format_error for any other.
  template <class Context>
  constexpr auto parse(Context& context) {
    return parse_format<access>(context);
  }
  /// Writes the text.
  template <class Context>
  auto format(const utfilter::printable& p, Context& context) const {
    return write<access>(p.text(), p.options(), context);
  }

 private:
  struct access {
    /// A wrong format that the compiler sees is an error of compilation; without exceptions, another aborts the program.
    [[noreturn]] static void fail([[maybe_unused]] const char* why) {
#  if UTFILTER_HAS_EXCEPTIONS
      throw std::format_error(why);
#  else
      std::abort();
#  endif
    }
    template <class Visitor, class Context>
    static std::size_t visit(Visitor visitor, Context& context, std::size_t id) {
      return std::visit_format_arg(visitor, context.arg(id));
    }
    template <class Context, class Output>
    static Output put(Context&, Output out, std::string_view text) {
      return std::format_to(std::move(out), "{}", text);
    }
  };
};
#endif
/// @endcond

#endif
