// kernels.hpp: the interface between the codecs and the code for each processor. A kernel is a function that converts
// or checks many characters at once. It works on the middle of a buffer and keeps no state between calls.
//
// The codecs call the kernels through one table, which is chosen once by the features of the processor. To add a
// processor, write one file that fills a table, declare the table here, add it in dispatch.cpp, and add the file to
// CMakeLists.txt. Every table must give the same results as the conversion in reference.hpp, counts included.
#ifndef UTFILTER_KERNELS_KERNELS_HPP
#define UTFILTER_KERNELS_KERNELS_HPP

#include <atomic>
#include <cstddef>
#include <string_view>

namespace utfilter::detail {

/// How far a kernel came, and the counts of the text that it passed. One pass gives both, because reading a large text
/// a second time is slow.
struct run {
  std::size_t consumed;    // bytes of the input
  std::size_t produced;    // bytes of the output
  std::size_t characters;  // scalar values in the bytes consumed
  std::size_t line_feeds;  // U+000A among them
};

/// The last line of some well-formed text: everything after the last line feed, or the whole text if it has none.
struct line_end {
  std::size_t bytes;
  std::size_t characters;
};

/// Some text, and the carriage returns in it.
struct usual_run {
  std::size_t bytes;
  std::size_t returns;      // U+000D
  std::size_t before_feed;  // those before a line feed of the whole text
};

using convert_kernel = run (*)(const char* in, std::size_t size, char* out, std::size_t room) noexcept;
struct byte_table;  // byte_table.hpp
using table_kernel = run (*)(const byte_table&, const char* in, std::size_t size, char* out, std::size_t room) noexcept;
using count_kernel = std::size_t (*)(const char* in, std::size_t size) noexcept;
using last_line_kernel = line_end (*)(const char* in, std::size_t size) noexcept;

/// Each conversion takes whole well-formed sequences from the start of `in`. It stops before the first sequence that is
/// ill-formed, is cut off by the end of the input, is missing in the target encoding, or needs more bytes there than
/// the room that is left. It never stops earlier: if the next sequence is well-formed and exists in the target, then
/// the output has no room for it.
///
/// A conversion may write anything to `out` after the bytes that it reports, but nothing past the room. `in` and `out`
/// do not overlap. They need no alignment. Sizes may be 0, and then the pointer may be null.
///
/// The input of a last_line kernel is well-formed and ends with a whole sequence, such as the bytes that a conversion
/// has consumed.
///
/// A count kernel returns the number of code units that a text becomes in another encoding, if the text is well-formed.
/// Units of UTF-16 and UTF-32 are in the byte order of the processor.
///
/// no_controls returns the place of the first of the bytes 00..1F, 7F, C2, D8 and E2; or the size, if the text has
/// none. Characters that may control a terminal begin with these bytes. The scalar table has null in place of this
/// kernel.
///
/// is_well_formed tells whether a text is well-formed UTF-8. A table that leaves out the counts is faster there than
/// validate_utf8.
///
/// harmless_text tells whether a text is well-formed UTF-8 without the controls of ASCII and the characters of
/// is_control_beyond_ascii() in codecs/escapes.hpp. The scalar table has no such kernel, either.
///
/// usual_text passes well-formed text up to the first place at which a character may begin that an inspector counts: a
/// control of ASCII but tab, line feed and carriage return, or one of these sequences, where XX is any byte:
///
///     C2 (80..A0, AD)    (CD, D8) (8F, 9C)    E0 (A8, B4)    (E1, E3) (85, 9E) (9F, A0, A4, B4, B5)
///     E2 80..81 (80..8F, A0..BF)    EE    EF (80..A3, B7, BB, BE, BF)    F0..F2 XX BF    F3..F4
///
/// In other text than well-formed UTF-8 it may stop anywhere, but passes none of these controls. The scalar table has no
/// such kernel, either.
///
/// CESU-8 writes each code unit of UTF-16 as UTF-8 writes a code point, also each half of a surrogate pair. So
/// conversion between UTF-8 and CESU-8 goes through UTF-16LE. Two kernels convert between units and CESU-8. They do not
/// check that surrogates are paired, and count no characters and no line feeds. They work on pieces, in buffers of the
/// caller:
///   cesu8_to_units   takes whole sequences of one to three bytes, up to an ill-formed one. It may stop up to 66 bytes
///                    earlier. `units` has room for two bytes for each byte of the input, and for 128 more
///   units_to_cesu8   takes all units and returns the number of bytes written. 64 bytes after the units can be read, and
///                    are 0. `out` has room for three bytes for each unit, and for 128 more
struct kernel_table {
  const char* name;

  run (*validate_utf8)(const char* in, std::size_t size) noexcept;  // as copy_utf8, but writes nothing
  bool (*is_well_formed)(const char* in, std::size_t size) noexcept;
  convert_kernel copy_utf8;           // copies the well-formed prefix
  convert_kernel copy_utf8_to_error;  // the same; faster if an error comes soon, slower if none does

  convert_kernel utf16le_to_utf8, utf16be_to_utf8;
  convert_kernel utf32le_to_utf8, utf32be_to_utf8;
  convert_kernel latin1_to_utf8;

  convert_kernel utf8_to_utf16le, utf8_to_utf16be;
  convert_kernel utf8_to_utf32le, utf8_to_utf32be;
  convert_kernel utf8_to_latin1;

  table_kernel bytes_to_utf8, utf8_to_bytes;  // any encoding of one byte per character

  run (*cesu8_to_units)(const char* in, std::size_t size, char* units) noexcept;
  std::size_t (*units_to_cesu8)(const char* units, std::size_t size, char* out) noexcept;

  count_kernel utf16_units_of_utf8, utf32_units_of_utf8, utf8_bytes_of_utf16, utf8_bytes_of_utf32;
  count_kernel no_controls;
  bool (*harmless_text)(const char* in, std::size_t size) noexcept;
  usual_run (*usual_text)(const char* in, std::size_t size) noexcept;

  last_line_kernel utf8_last_line;
  last_line_kernel utf16le_last_line, utf16be_last_line;
};

extern std::atomic<const kernel_table*> chosen_kernels;  // null before the first call
const kernel_table& choose_kernels() noexcept;

/// The table for this processor: the first of usable_kernels(). Thread-safe: the first caller chooses, and two callers
/// at the same time choose the same table.
inline const kernel_table& kernels() noexcept {
  const kernel_table* const chosen =
      chosen_kernels.load(std::memory_order_relaxed);  // relaxed is enough: the tables are constants
  return chosen != nullptr ? *chosen : choose_kernels();
}

/// How many bytes ahead a kernel fetches memory into the cache: text that it only checks, text that it copies or
/// converts, and memory that it writes. The distance 0 fetches only bytes that the kernel uses next anyway.
struct fetch_distances {
  std::size_t check, convert, write;
};
/// Measured on texts larger than the caches. Intel's processors and AMD's Zen 3 and Zen 5 need the distances far_ahead:
/// on Zen 5 near_ahead costs a third of the speed. Zen 4 reads far enough ahead by itself: there far_ahead costs up to
/// 40 % of the speed.
inline constexpr fetch_distances far_ahead{2048, 2048, 1024}, near_ahead{512, 0, 0};

/// The distances for the vector kernels. choose_kernels() chooses; until then, these are far_ahead.
extern std::atomic<const fetch_distances*> chosen_distances;

/// The family of an x86 processor, from register EAX of CPUID leaf 1: Intel's manual of instructions, at CPUID, and AMD's
/// Architecture Programmer's Manual, volume 3, appendix E.3.2.
constexpr unsigned family_of(unsigned leaf_1_eax) noexcept {
  const unsigned base = leaf_1_eax >> 8 & 0xF;
  return base == 0xF ? base + (leaf_1_eax >> 20 & 0xFF) : base;
}

/// The distances for a processor, by the vendor's name in CPUID leaf 0, by its family, and by whether it can run the
/// kernels of AVX-512. AMD's family 0x19 is Zen 3, which has no AVX-512, and Zen 4. All others get far_ahead, also
/// those that nobody has measured: far_ahead gains much on a processor that does not read ahead by itself, and mostly
/// costs little on one that does.
constexpr const fetch_distances& distances_for(std::string_view vendor, unsigned family, bool has_avx512) noexcept {
  return vendor == "AuthenticAMD" && family == 0x19 && has_avx512 ? near_ahead : far_ahead;
}

/// UTF-16 from this many bytes of UTF-8, or more, is larger than most caches. The kernels write long runs of ASCII in
/// it past the caches, so that the processor need not read that memory before it writes it.
inline constexpr std::size_t beyond_caches = std::size_t{16} << 20;

/// The tables that this processor can run, the best first, the scalar one last, then null.
const kernel_table* const* usable_kernels() noexcept;

/// A list of up to seven tables. A null pointer ends it.
struct kernel_tables {
  const kernel_table* tables[8] = {};

  kernel_tables& add(const kernel_table& table) noexcept {
    const kernel_table** end = tables;
    while (*end != nullptr) ++end;
    *end = &table;
    return *this;
  }
};

/// The features of an x86-64 processor that decide which tables it can run.
struct x86_64_features {
  bool ssse3, sse41, popcnt, avx2, bmi, bmi2, avx512bw, avx512vl, avx512vbmi, avx512vbmi2, avx512bitalg;
};
/// The tables that a processor with these features can run, in the order of usable_kernels(). On x86-64 only.
kernel_tables kernels_with(const x86_64_features& has) noexcept;

/// Calls one kernel of the chosen table. The rows of the encodings are constants, made before the table is chosen: they
/// hold a pointer to this function instead of a kernel.
template <convert_kernel kernel_table::*Kernel>
run by_kernel(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return (kernels().*Kernel)(in, size, out, room);
}
template <last_line_kernel kernel_table::*Kernel>
line_end by_kernel(const char* in, std::size_t size) noexcept {
  return (kernels().*Kernel)(in, size);
}
/// The size in bytes of the code units that a text becomes, if a code unit has `Unit` bytes.
template <count_kernel kernel_table::*Kernel, std::size_t Unit>
std::size_t by_kernel(const char* in, std::size_t size) noexcept {
  return Unit * (kernels().*Kernel)(in, size);
}

extern const kernel_table scalar_kernels;
extern const kernel_table sse41_kernels;   // x86-64
extern const kernel_table avx2_kernels;    // x86-64
extern const kernel_table avx512_kernels;  // x86-64
extern const kernel_table neon_kernels;    // AArch64

// The generic kernels are for these processors; one of s390x must have vectors (z13). clang++ shuffles by variable
// indices for WebAssembly only. (A test compiles the kernels for other processors, too.)
#if defined(__wasm_simd128__)
#  define UTFILTER_GENERIC_KERNELS
#elif defined(__s390x__) && !defined(__clang__)
#  define UTFILTER_GENERIC_KERNELS
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__) && defined(__POWER8_VECTOR__) && !defined(__clang__)
#  define UTFILTER_GENERIC_KERNELS
#endif
extern const kernel_table generic_kernels;

}  // namespace utfilter::detail

#endif
