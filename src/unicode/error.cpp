// error.cpp: the messages of the errors.
#include <utfilter/error.hpp>

#include "unicode/hex.hpp"

#include <utfilter/characters.hpp>

#include <cstddef>
#include <iterator>

namespace utfilter {
namespace {

const char* in_words(errc code) noexcept {
  switch (code) {
    case errc::unexpected_continuation: return "unexpected continuation byte";
    case errc::truncated_sequence: return "truncated sequence";
    case errc::overlong: return "overlong encoding";
    case errc::surrogate: return "encoded surrogate";
    case errc::out_of_range: return "beyond U+10FFFF";
    case errc::forbidden_length: return "sequence of a forbidden length";
    case errc::unused_byte: return "byte that no text contains";
    case errc::unpaired_high_surrogate: return "unpaired high surrogate";
    case errc::unpaired_low_surrogate: return "unpaired low surrogate";
    case errc::incomplete_at_end: return "incomplete at the end of the input";
    case errc::missing_bom: return "missing byte order mark";
    case errc::unexpected_bom: return "unexpected byte order mark";
    case errc::unmappable: return "the target encoding lacks";
    case errc::unassigned: return "byte that the encoding does not assign";
    case errc::no_text: return "no text: zero bytes or control characters, but neither UTF-16 nor UTF-32";
    case errc::forbidden: return "forbidden character";
  }
  return "unknown error";
}

class utf_category_type final : public std::error_category {
 public:
  const char* name() const noexcept override { return "utf"; }

  std::string message(int value) const override {
    const auto code = static_cast<errc>(value);
    return code == errc::unmappable ? "character that the target encoding lacks" : in_words(code);
  }

  std::error_condition default_error_condition(int) const noexcept override {
    return std::make_error_condition(std::errc::illegal_byte_sequence);
  }
};

}  // namespace

const std::error_category& utf_category() noexcept {
  static const utf_category_type category;
  return category;
}

std::string error_info::message() const {
  const std::string_view set = code == errc::forbidden ? set_of(code_point) : std::string_view();
  const bool is_control = set == "nul" || set == "c0" || set == "c1" || set == "controls";
  std::string text = code == errc{} ? "changed to" : is_control ? "control character" : in_words(code);
  if (code_point != 0) {
    text += code == errc::incomplete_at_end ? ", after U+" : " U+";
    detail::write_hex(code_point, detail::code_point_digits(code_point), std::back_inserter(text));
  }
  if (!set.empty() && !is_control) text.append(" (").append(set) += ')';
  for (std::size_t i = 0; i < size && i < bytes.size(); ++i) {
    text += i == 0 ? ": " : " ";
    detail::write_hex(bytes[i], 2, std::back_inserter(text));
  }
  // FF or FE at the start may be half of a byte order mark: UTF-16LE (or UTF-32LE) has FF FE, UTF-16BE has FE FF.
  const bool first = code == errc::unused_byte && offset == 0;
  if (first && bytes[0] == 0xFF) text += " (looks like UTF-16LE)";
  if (first && bytes[0] == 0xFE) text += " (looks like UTF-16BE)";
  // Only modified UTF-8 lacks this byte.
  if (code == errc::unused_byte && size == 1 && bytes[0] == 0) text += " (modified UTF-8 writes U+0000 as C0 80)";
  return text;
}

bool operator==(const error_info& a, const error_info& b) noexcept {
  return static_cast<const text_position&>(a) == b && a.code == b.code && a.bytes == b.bytes && a.size == b.size &&
         a.code_point == b.code_point;
}

std::string to_string(const error_info& error) {
  return "line " + std::to_string(error.line) + ", column " + std::to_string(error.column) + " (byte " +
         std::to_string(error.offset) + "): " + error.message();
}

}  // namespace utfilter
