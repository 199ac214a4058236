// printable_format.hpp: what std::format and {fmt} have in common in formatting a printable.
// layer: codecs
#ifndef UTFILTER_DETAIL_PRINTABLE_FORMAT_HPP
#define UTFILTER_DETAIL_PRINTABLE_FORMAT_HPP

#include <utfilter/detail/printable_pieces.hpp>
#include <utfilter/printable_options.hpp>
#include <utfilter/utf8.hpp>

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

namespace utfilter::detail {

/// The format of a string: [[fill]align][width][.precision][s]. A width or precision may be `{}` or `{N}`, an argument.
///
/// `Access` has what differs between the two libraries: fail(why) throws their exception, visit(visitor, context, id)
/// visits an argument, and put(context, out, text) writes text and returns the end of the output.
class printable_format {
 public:
  /// Returns the end of the format.
  template <class Access, class Context>
  constexpr auto parse_format(Context& context) {
    auto at = context.begin();
    const auto end = context.end();
    if (at == end || *at == '}') return at;

    // A fill is one character of any size, and an alignment follows it.
    auto after = at;
    for (std::size_t bytes = length_by_lead(static_cast<unsigned char>(*at)); bytes != 0 && after != end; --bytes)
      ++after;
    if (after != end && is_alignment(*after)) {
      if (*at == '{') Access::fail("utfilter::printable: the fill cannot be {");
      fill_size_ = 0;
      while (at != after) fill_[fill_size_++] = *at++;
    }
    if (is_alignment(*at)) alignment_ = *at++;

    if (at != end && *at == '0') Access::fail("utfilter::printable: a text cannot be padded with zeros by 0");
    width_ = parse_count<Access>(at, end, context, 0);
    if (at != end && *at == '.') {
      ++at;
      if (at == end || (*at != '{' && !is_digit(*at))) Access::fail("utfilter::printable: a precision is missing");
      precision_ = parse_count<Access>(at, end, context, printable_pieces::unlimited);
    }
    if (at != end && *at == 's') ++at;
    if (at != end && *at != '}') Access::fail("utfilter::printable: this is no format of a string");
    return at;
  }

  /// Writes the output of a printable; returns the end of the output.
  template <class Access, class Context>
  auto write(std::string_view text, const printable_options& options, Context& context) const {
    const std::size_t width = value_of<Access>(width_, context), precision = value_of<Access>(precision_, context);
    if (width == 0 && text.size() <= precision && text.size() <= options.limit && is_harmless(text, options))
      return Access::put(context, context.out(), text);
    std::size_t before = 0, after = 0;
    if (width != 0) {
      const std::size_t used = printable_pieces::characters(text, options, precision);
      const std::size_t padding = used < width ? width - used : 0;
      before = alignment_ == '>' ? padding : alignment_ == '^' ? padding / 2 : 0;
      after = padding - before;
    }
    auto out = pad<Access>(context, context.out(), before);
    printable_pieces pieces(text, options, precision);
    for (std::string_view piece = pieces.next(); !piece.empty(); piece = pieces.next())
      out = Access::put(context, out, piece);
    return pad<Access>(context, out, after);
  }

 private:
  /// A number, or the argument that has it.
  struct count {
    std::size_t value = 0;
    bool is_argument = false;
  };

  static constexpr const char* too_large = "utfilter::printable: the number is too large";

  static constexpr bool is_alignment(char c) noexcept { return c == '<' || c == '>' || c == '^'; }
  static constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

  template <class Access, class Iterator>
  static constexpr std::size_t parse_number(Iterator& at, Iterator end) {
    std::size_t value = 0;
    for (; at != end && is_digit(*at); ++at) {
      value = 10 * value + static_cast<std::size_t>(*at - '0');
      if (value > static_cast<std::size_t>((std::numeric_limits<int>::max)())) Access::fail(too_large);
    }
    return value;
  }

  template <class Access, class Iterator, class Context>
  static constexpr count parse_count(Iterator& at, Iterator end, Context& context, std::size_t otherwise) {
    if (at == end || (*at != '{' && !is_digit(*at))) return {otherwise, false};
    if (*at != '{') return {parse_number<Access>(at, end), false};
    ++at;
    count argument{0, true};
    if (at != end && is_digit(*at)) {
      argument.value = parse_number<Access>(at, end);
      // The parameter of check_arg_id is an int in {fmt}.
      context.check_arg_id(static_cast<decltype(context.next_arg_id())>(argument.value));
    } else {
      argument.value = static_cast<std::size_t>(context.next_arg_id());
    }
    if (at == end || *at != '}') Access::fail("utfilter::printable: } is missing after the number of an argument");
    ++at;
    return argument;
  }

  template <class Access, class Context>
  static std::size_t value_of(const count& c, Context& context) {
    if (!c.is_argument) return c.value;
    const auto as_size = [](auto value) -> std::size_t {
      using type = decltype(value);
      if constexpr (std::is_integral_v<type> && !std::is_same_v<type, bool> && !std::is_same_v<type, char>) {
        if constexpr (std::is_signed_v<type>)
          if (value < 0) Access::fail("utfilter::printable: a width or precision is negative");
        if (value > static_cast<type>((std::numeric_limits<int>::max)())) Access::fail(too_large);
        return static_cast<std::size_t>(value);
      } else {
        Access::fail("utfilter::printable: a width or precision is no integer");
      }
    };
    return Access::visit(as_size, context, c.value);
  }

  template <class Access, class Context, class Output>
  Output pad(Context& context, Output out, std::size_t times) const {
    for (; times != 0; --times) out = Access::put(context, out, {fill_, fill_size_});
    return out;
  }

  char fill_[4] = {' '};
  std::size_t fill_size_ = 1;
  char alignment_ = '<';
  count width_;
  count precision_{printable_pieces::unlimited, false};
};

}  // namespace utfilter::detail

#endif
