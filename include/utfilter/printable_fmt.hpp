// printable_fmt.hpp: formats a printable with {fmt}, version 9 or newer. Needs {fmt}; utfilter.hpp does not include it.
// layer: logs
#ifndef UTFILTER_PRINTABLE_FMT_HPP
#define UTFILTER_PRINTABLE_FMT_HPP

#include <utfilter/detail/printable_format.hpp>
#include <utfilter/printable.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

/// @file
/// Formats a printable with {fmt} and so with spdlog:
///
/// ```cpp
/// spdlog::logger log("app", std::make_shared<spdlog::sinks::basic_file_sink_mt>("app.log"));
/// std::string name = "eve\n", message(1000, 'x');
/// log.info("{} said {:.80}", utfilter::printable(name), utfilter::printable(message));
/// ```

/// @cond
/// Formats as a string does: fill, alignment, width and precision, which may be arguments. Throws fmt::format_error.
template <>
struct fmt::formatter<utfilter::printable, char> : private utfilter::detail::printable_format {
  /// Takes the format of a string. Throws fmt::format_error for any other.
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
    [[noreturn]] static void fail(const char* why) { FMT_THROW(fmt::format_error(why)); }
    template <class Visitor, class Context>
    static std::size_t visit(Visitor visitor, Context& context, std::size_t id) {
      const auto argument = context.arg(static_cast<int>(id));
#if FMT_VERSION >= 110000
      return argument.visit(visitor);
#else
      return fmt::visit_format_arg(visitor, argument);
#endif
    }
    template <class Context, class Output>
    static Output put(Context& context, Output out, std::string_view text) {
      context.advance_to(out);
      return fmt::formatter<fmt::string_view>().format({text.data(), text.size()}, context);
    }
  };
};
/// @endcond

#endif
