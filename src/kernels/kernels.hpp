// kernels.hpp: the seam between the codecs and the processor: bulk, stateless work on the middle of a buffer.
//
// The codecs call these through one table, chosen once by what the processor has. Adding a processor is one file that
// fills a table and one line in dispatch.cpp; scalar.cpp is the reference that every other table must equal, counts
// included.
#ifndef UTFILTER_KERNELS_KERNELS_HPP
#define UTFILTER_KERNELS_KERNELS_HPP

#include <cstddef>

namespace utfilter::detail {

/// How far a kernel came, in bytes of its input and its output.
struct run {
  std::size_t consumed;
  std::size_t produced;
};

/// What a stretch of well-formed text holds.
struct text_counts {
  std::size_t line_feeds;
  std::size_t characters;  // scalar values behind the last line feed; all of them where there is none
  std::size_t tail;        // bytes behind the last line feed; all of them where there is none
};

using convert_kernel = run (*)(const char* in, std::size_t size, char* out, std::size_t room) noexcept;
using count_kernel   = text_counts (*)(const char* in, std::size_t size) noexcept;

/// Each conversion takes whole well-formed sequences from the start of `in` and stops before the first that is ill-formed,
/// cut off by the end of the input, or longer in the target than the room that is left. It always goes as far as that:
/// where it stopped with well-formed input before it, the output is full. It writes nothing past what it reports.
/// `in` and `out` do not overlap. Alignment is arbitrary, sizes may be 0.
///
/// A count takes whole well-formed sequences, as a conversion has consumed them.
struct kernel_table {
  const char* name;

  std::size_t (*validate_utf8)(const char* in, std::size_t size) noexcept;  // bytes of the well-formed prefix
  convert_kernel copy_utf8;

  convert_kernel utf16le_to_utf8, utf16be_to_utf8;
  convert_kernel utf32le_to_utf8, utf32be_to_utf8;
  convert_kernel latin1_to_utf8;

  convert_kernel utf8_to_utf16le, utf8_to_utf16be;
  convert_kernel utf8_to_utf32le, utf8_to_utf32be;
  convert_kernel utf8_to_latin1;

  count_kernel count_utf8;
  count_kernel count_utf16le, count_utf16be;
};

/// The table for this processor. Thread-safe; the choice is made once.
const kernel_table& kernels() noexcept;

/// A kernel of that table as a function, for tables that are made before the choice.
template <convert_kernel kernel_table::*Kernel>
run by_kernel(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return (kernels().*Kernel)(in, size, out, room);
}
template <count_kernel kernel_table::*Kernel>
text_counts by_kernel(const char* in, std::size_t size) noexcept {
  return (kernels().*Kernel)(in, size);
}

extern const kernel_table scalar_kernels;

}  // namespace utfilter::detail

#endif
