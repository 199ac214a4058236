// kernels.hpp: the seam between the codecs and the processor: bulk, stateless work on the middle of a buffer.
//
// The codecs call these through one table, chosen once by what the processor has. Adding a processor is one file that
// fills a table and one line in dispatch.cpp; scalar.cpp is the reference that every other table must equal, counts
// included.
#ifndef UTFILTER_KERNELS_KERNELS_HPP
#define UTFILTER_KERNELS_KERNELS_HPP

#include <atomic>
#include <cstddef>

namespace utfilter::detail {

/// How far a kernel came, and what it passed on the way. One pass tells both: text is too large to be looked at twice.
struct run {
  std::size_t consumed;    // bytes of the input
  std::size_t produced;    // bytes of the output
  std::size_t characters;  // scalar values in what was consumed
  std::size_t line_feeds;  // U+000A among them
};

/// The last line of some well-formed text: what stands behind the last line feed, or all of it where there is none.
struct line_end {
  std::size_t bytes;
  std::size_t characters;
};

using convert_kernel = run (*)(const char* in, std::size_t size, char* out, std::size_t room) noexcept;
using last_line_kernel = line_end (*)(const char* in, std::size_t size) noexcept;

/// Each conversion takes whole well-formed sequences from the start of `in` and stops before the first that is
/// ill-formed, cut off by the end of the input, missing in the target, or longer there than the room that is left. It
/// always goes as far as that: where it stopped with well-formed input before it that the target has, the output is
/// full. It may write anything to the room behind what it reports, nothing past the room. `in` and `out` do not
/// overlap. Alignment is arbitrary, sizes may be 0, and what has no bytes may be null.
///
/// A last_line kernel takes whole well-formed sequences, as a conversion has consumed them.
struct kernel_table {
  const char* name;

  run (*validate_utf8)(const char* in, std::size_t size) noexcept;  // the well-formed prefix, which stays in place
  convert_kernel copy_utf8;

  convert_kernel utf16le_to_utf8, utf16be_to_utf8;
  convert_kernel utf32le_to_utf8, utf32be_to_utf8;
  convert_kernel latin1_to_utf8;

  convert_kernel utf8_to_utf16le, utf8_to_utf16be;
  convert_kernel utf8_to_utf32le, utf8_to_utf32be;
  convert_kernel utf8_to_latin1;

  last_line_kernel utf8_last_line;
  last_line_kernel utf16le_last_line, utf16be_last_line;
};

extern std::atomic<const kernel_table*> chosen_kernels;  // null before the first call
const kernel_table& choose_kernels() noexcept;

/// The table for this processor: the first of usable_kernels(). Thread-safe: the choice is made by whoever comes first,
/// and two who come at once choose the same.
inline const kernel_table& kernels() noexcept {
  const kernel_table* const chosen =
      chosen_kernels.load(std::memory_order_relaxed);  // a constant: there is nothing to wait for
  return chosen != nullptr ? *chosen : choose_kernels();
}

/// The tables that this processor can run, the best first, the scalar one last, then null.
const kernel_table* const* usable_kernels() noexcept;

/// Some tables, then null.
struct kernel_tables {
  const kernel_table* tables[8] = {};

  kernel_tables& add(const kernel_table& table) noexcept {
    const kernel_table** end = tables;
    while (*end != nullptr) ++end;
    *end = &table;
    return *this;
  }
};

/// What tables ask of a processor of x86-64.
struct x86_64_features {
  bool ssse3, sse41, popcnt, avx2, bmi, bmi2, avx512bw, avx512vl, avx512vbmi, avx512vbmi2, avx512bitalg;
};
/// As usable_kernels(), on a processor that has these. On x86-64 only.
kernel_tables kernels_with(const x86_64_features& has) noexcept;

/// A kernel of that table as a function, for tables that are made before the choice.
template <convert_kernel kernel_table::*Kernel>
run by_kernel(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return (kernels().*Kernel)(in, size, out, room);
}
template <last_line_kernel kernel_table::*Kernel>
line_end by_kernel(const char* in, std::size_t size) noexcept {
  return (kernels().*Kernel)(in, size);
}

extern const kernel_table scalar_kernels;
extern const kernel_table sse41_kernels;   // x86-64
extern const kernel_table avx2_kernels;    // x86-64
extern const kernel_table avx512_kernels;  // x86-64
extern const kernel_table neon_kernels;    // AArch64

}  // namespace utfilter::detail

#endif
