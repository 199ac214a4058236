// kernel_list.hpp: lists the kernels of a table, and the conversion that each must do.
#ifndef UTFILTER_TEST_KERNEL_LIST_HPP
#define UTFILTER_TEST_KERNEL_LIST_HPP

#include "support/conformance_reference.hpp"
#include "support/texts.hpp"

#include "kernels/byte_table.hpp"
#include "kernels/kernels.hpp"

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace kernel_list {

using conformance::reference::encoding;
using utfilter::detail::kernel_table;
using utfilter::detail::line_end;
using utfilter::detail::run;
using utfilter::detail::scalar_kernels;
using utfilter::detail::usable_kernels;

inline bool operator==(const run& a, const run& b) {
  return a.consumed == b.consumed && a.produced == b.produced && a.characters == b.characters &&
         a.line_feeds == b.line_feeds;
}

inline std::string text_of(const run& r) {
  return std::to_string(r.consumed) + " consumed, " + std::to_string(r.produced) + " produced, " +
         std::to_string(r.characters) + " characters, " + std::to_string(r.line_feeds) + " line feeds";
}

/// The bytes of a code unit.
inline std::size_t unit_of(encoding e) {
  return e == encoding::utf16le || e == encoding::utf16be   ? 2
         : e == encoding::utf32le || e == encoding::utf32be ? 4
                                                            : 1;
}

/// Strings of code units of any value, which are written in hexadecimal digits, with a space between two strings.
inline std::vector<std::string> units(encoding e, std::string_view digits) {
  const std::size_t unit = unit_of(e);
  std::vector<std::string> all;
  for (const std::string& word : texts::split(digits, ' ')) {
    all.emplace_back();
    for (std::size_t i = 0; i < word.size(); i += 2 * unit)
      all.back() +=
          conformance::reference::store(static_cast<char32_t>(std::stoul(word.substr(i, 2 * unit), nullptr, 16)), unit,
                                        e == encoding::utf16le || e == encoding::utf32le);
  }
  return all;
}

/// A kernel that converts, and its encodings. Validation counts as a conversion that writes nothing; the bytes that it
/// accepts count as produced.
struct conversion {
  const char* name;
  encoding from, to;
  bool writes;
  run (*call)(const kernel_table&, const char* in, std::size_t size, char* out, std::size_t room);
  bool (*is_scalar)(const kernel_table&);  // whether this is the scalar kernel itself, which needs no comparison
};

template <utfilter::detail::convert_kernel kernel_table::*Kernel>
run call(const kernel_table& table, const char* in, std::size_t size, char* out, std::size_t room) {
  return (table.*Kernel)(in, size, out, room);
}
inline run call_validation(const kernel_table& table, const char* in, std::size_t size, char*, std::size_t) {
  return table.validate_utf8(in, size);
}
/// A table with these characters for the bytes 80..FF.
inline utfilter::detail::byte_table_with_pages<64> table_of(char32_t (*character)(unsigned byte)) {
  char16_t characters[128];
  for (unsigned i = 0; i < 128; ++i) characters[i] = static_cast<char16_t>(character(0x80 + i));
  return utfilter::detail::byte_table_with_pages<64>(characters);
}
template <utfilter::detail::table_kernel kernel_table::*Kernel>
run call_with_table(const kernel_table& table, const char* in, std::size_t size, char* out, std::size_t room) {
  static const auto windows1252 = table_of(conformance::reference::windows1252);
  return (table.*Kernel)(windows1252, in, size, out, room);
}
template <auto Kernel>
bool is_scalar(const kernel_table& table) {
  return table.*Kernel == utfilter::detail::scalar_kernels.*Kernel;
}

template <utfilter::detail::convert_kernel kernel_table::*Kernel>
constexpr conversion by(const char* name, encoding from, encoding to) {
  return {name, from, to, true, call<Kernel>, is_scalar<Kernel>};
}

template <utfilter::detail::table_kernel kernel_table::*Kernel>
constexpr conversion by(const char* name, encoding from, encoding to) {
  return {name, from, to, true, call_with_table<Kernel>, is_scalar<Kernel>};
}

inline constexpr conversion conversions[] = {
    {"validate_utf8", encoding::utf8, encoding::utf8, false, call_validation, is_scalar<&kernel_table::validate_utf8>},
    by<&kernel_table::copy_utf8>("copy_utf8", encoding::utf8, encoding::utf8),
    by<&kernel_table::copy_utf8_to_error>("copy_utf8_to_error", encoding::utf8, encoding::utf8),
    by<&kernel_table::utf16le_to_utf8>("utf16le_to_utf8", encoding::utf16le, encoding::utf8),
    by<&kernel_table::utf16be_to_utf8>("utf16be_to_utf8", encoding::utf16be, encoding::utf8),
    by<&kernel_table::utf32le_to_utf8>("utf32le_to_utf8", encoding::utf32le, encoding::utf8),
    by<&kernel_table::utf32be_to_utf8>("utf32be_to_utf8", encoding::utf32be, encoding::utf8),
    by<&kernel_table::latin1_to_utf8>("latin1_to_utf8", encoding::latin1, encoding::utf8),
    by<&kernel_table::utf8_to_utf16le>("utf8_to_utf16le", encoding::utf8, encoding::utf16le),
    by<&kernel_table::utf8_to_utf16be>("utf8_to_utf16be", encoding::utf8, encoding::utf16be),
    by<&kernel_table::utf8_to_utf32le>("utf8_to_utf32le", encoding::utf8, encoding::utf32le),
    by<&kernel_table::utf8_to_utf32be>("utf8_to_utf32be", encoding::utf8, encoding::utf32be),
    by<&kernel_table::utf8_to_latin1>("utf8_to_latin1", encoding::utf8, encoding::latin1),
    by<&kernel_table::bytes_to_utf8>("bytes_to_utf8", encoding::windows1252, encoding::utf8),
    by<&kernel_table::utf8_to_bytes>("utf8_to_bytes", encoding::utf8, encoding::windows1252),
};

/// A kernel that measures the last line of a text.
struct line_counter {
  const char* name;
  encoding of;
  utfilter::detail::last_line_kernel kernel_table::*kernel;
};

inline constexpr line_counter line_counters[] = {
    {"utf8_last_line", encoding::utf8, &kernel_table::utf8_last_line},
    {"utf16le_last_line", encoding::utf16le, &kernel_table::utf16le_last_line},
    {"utf16be_last_line", encoding::utf16be, &kernel_table::utf16be_last_line},
};

// kernel_test tests the two halves of CESU-8, the four counts, the three searches, and is_well_formed by themselves.
constexpr std::size_t others = 2 + 4 + 3 + 1;
static_assert(sizeof(kernel_table) == sizeof(void*) * (1 + std::size(conversions) + std::size(line_counters) + others),
              "a kernel that is not in the lists above is not tested");

}  // namespace kernel_list

#endif
