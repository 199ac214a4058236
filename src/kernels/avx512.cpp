// avx512.cpp: the kernel table for x86-64 with AVX-512 (BW, VL, VBMI, VBMI2, BITALG): Intel since Ice Lake, AMD since Zen 4.
//
// A byte compare gives a 64-bit mask, and what a block of UTF-8 must look like is arithmetic on masks: a lead byte asks for
// continuation bytes one, two and three places on, and these must be exactly the continuation bytes that there are. Transcoding
// lets every character of a block fill a lane of fixed size, marks the bytes that do not belong to it, and squeezes those out
// (Clausecker and Lemire, "Transcoding Unicode Characters with AVX-512 Instructions", 2022). Compress works into a register:
// to memory it is microcoded on Zen 4.
#include "kernels.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include "../convert.hpp"
#include "../latin1.hpp"
#include "../surrogates.hpp"
#include "../utf16.hpp"
#include "../utf32.hpp"
#include "../utf8.hpp"

#include <utfilter/codec.hpp>

// g++ 12 warns of what its own intrinsics leave undefined on purpose.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifdef __clang__
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi,bmi2,lzcnt,popcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi,bmi2,lzcnt,popcnt")
#endif

namespace utfilter::detail {
namespace {

using mask = std::uint64_t;

constexpr std::size_t block = 64;  // bytes

std::size_t count(mask m) noexcept { return static_cast<std::size_t>(_mm_popcnt_u64(m)); }
std::size_t first(mask m) noexcept { return static_cast<std::size_t>(_tzcnt_u64(m)); }
mask        below(std::size_t n) noexcept { return _bzhi_u64(~mask{0}, static_cast<unsigned>(n)); }

__m512i load(const char* in) noexcept { return _mm512_loadu_si512(in); }
__m512i load(const char* in, mask bytes) noexcept { return _mm512_maskz_loadu_epi8(bytes, in); }
void    store(char* out, __m512i bytes) noexcept { _mm512_storeu_si512(out, bytes); }
__m512i all(unsigned byte) noexcept { return _mm512_set1_epi8(static_cast<char>(byte)); }
__m512i all_units(unsigned unit) noexcept { return _mm512_set1_epi16(static_cast<short>(unit)); }
__m512i all_values(unsigned value) noexcept { return _mm512_set1_epi32(static_cast<int>(value)); }

//----------------------------------------------------------------------------------------------------------- blocks of UTF-8

/// The second bytes that some lead bytes forbid (Unicode table 3-7), and the lead bytes that there are not, a bit each. Both tables
/// are looked up by the low six bits, which tell leads (C0..FF) and continuation bytes (80..BF) from their like.
enum forbidden : unsigned char { after_e0 = 1, after_ed = 2, after_f0 = 4, after_f4 = 8, after_none = 16 };

struct alignas(64) lookup {
  unsigned char by_lead[64] = {}, by_second[64] = {};
  std::uint64_t leads = 0;  // those with an entry

  constexpr lookup() noexcept {
    for (unsigned lead = 0xC0; lead <= 0xFF; ++lead) {
      const unsigned char entry = lead == 0xE0   ? after_e0
                                  : lead == 0xED ? after_ed
                                  : lead == 0xF0 ? after_f0
                                  : lead == 0xF4 ? after_f4
                                  : lead < 0xC2 || lead > 0xF4 ? after_none
                                                               : 0;
      by_lead[lead - 0xC0] = entry;
      // All leads of four bytes are looked at, so that only blocks which hold one ask where they are.
      if (entry != 0 || lead >= 0xF0) leads |= std::uint64_t{1} << (lead - 0xC0);
    }
    for (unsigned second = 0x80; second <= 0xBF; ++second)
      by_second[second - 0x80] = static_cast<unsigned char>(after_none | (second < 0xA0 ? after_e0 : after_ed) |
                                                            (second < 0x90 ? after_f0 : after_f4));
  }
};
constexpr lookup table;

/// What the masks of one block tell.
struct utf8_block {
  mask continuation, lead, lead_of_3;  // lead_of_3: of three bytes or four
  mask lead_of_4;
  mask wrong;  // continuation bytes that should not be, or are missing, or are of a kind that their lead forbids
};

/// Looks at one block after the other. What one leaves open is carried to the next.
class utf8_checker {
 public:
  /// `x` is what stands at `in`, where `known` bytes before and at it can be read.
  utf8_block check(__m512i x, const char* in, mask known) noexcept {
    utf8_block   b;
    const auto   noted = _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(static_cast<long long>(table.leads)), x);
    b.continuation     = _mm512_cmplt_epi8_mask(x, all(0xC0));
    b.lead             = _mm512_cmpge_epu8_mask(x, all(0xC0));
    b.lead_of_3        = _mm512_cmpge_epu8_mask(x, all(0xE0));
    b.lead_of_4        = 0;
    mask expected      = b.lead << 1 | b.lead_of_3 << 2 | expected_;
    const mask special = noted & b.lead;
    expected_          = b.lead >> 63 | b.lead_of_3 >> 62;
    b.wrong            = 0;
    if ((special | special_) != 0) {
      b.lead_of_4 = _mm512_cmpge_epu8_mask(x, all(0xF0));
      expected |= b.lead_of_4 << 3;
      expected_ |= b.lead_of_4 >> 61;
      const __m512i before = load(in - 1, known << 1 | mask{known_before_});
      const mask    second = _mm512_test_epi8_mask(_mm512_permutexvar_epi8(before, _mm512_load_si512(table.by_lead)),
                                                   _mm512_permutexvar_epi8(x, _mm512_load_si512(table.by_second)));
      b.wrong              = second & (special << 1 | special_);
      special_             = special >> 63;
    }
    b.wrong |= b.continuation ^ expected;
    known_before_ = true;
    return b;
  }

  /// The same for a block of ASCII: bit 0 where a sequence was left open.
  mask check_ascii() noexcept {
    const mask missing = expected_ & 1;
    expected_ = special_ = 0;
    known_before_        = true;
    return missing;
  }

  bool open() const noexcept { return expected_ != 0; }

 private:
  mask expected_     = 0;  // continuation bytes at the start of the next block
  mask special_      = 0;  // bit 0: the last byte is a lead that forbids some second bytes
  bool known_before_ = false;
};

//--------------------------------------------------------------------------------------------------- validation and the copy

mask line_feeds(__m512i x) noexcept { return _mm512_cmpeq_epi8_mask(x, all('\n')); }

/// Where the last whole well-formed sequence before `wrong_at` ends. All before it is well-formed but for one sequence at its
/// end, which may be ill-formed, cut off, or followed by what is wrong.
std::size_t end_of_good(const char* in, std::size_t wrong_at, std::size_t size) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(in);
  for (std::size_t back = 1; back <= std::min<std::size_t>(wrong_at, 4); ++back) {
    const std::size_t start = wrong_at - back;
    if (is_continuation(bytes[start])) continue;
    const sequence last = decode_utf8(bytes + start, size - start, false);
    return last.what == sequence::kind::scalar ? start + last.size : start;
  }
  return wrong_at;
}

/// The well-formed prefix: what is known once a byte is wrong, or the text has ended.
run well_formed(const char* in, std::size_t size, std::size_t wrong_at, std::size_t continuations, std::size_t lines) noexcept {
  const std::size_t end = end_of_good(in, wrong_at, size);
  return {end, 0, wrong_at - continuations - (end < wrong_at), lines};
}

template <bool Copy>
run check_utf8(const char* in, std::size_t size, char* out) noexcept {
  utf8_checker check;
  std::size_t  at = 0, continuations = 0, lines = 0;
  while (size - at >= block) {
    const __m512i x = load(in + at);
    if (Copy) store(out + at, x);
    if (_mm512_movepi8_mask(x) == 0) {
      if (check.check_ascii() != 0) return well_formed(in, size, at, continuations, lines);
      lines += count(line_feeds(x));
      at += block;
      for (; size - at >= 4 * block; at += 4 * block) {
        const __m512i a = load(in + at), b = load(in + at + block), c = load(in + at + 2 * block), d = load(in + at + 3 * block);
        if (_mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d))) != 0) break;
        if (Copy) {
          store(out + at, a);
          store(out + at + block, b);
          store(out + at + 2 * block, c);
          store(out + at + 3 * block, d);
        }
        lines += (count(line_feeds(a)) + count(line_feeds(b))) + (count(line_feeds(c)) + count(line_feeds(d)));
      }
      continue;
    }
    const utf8_block b = check.check(x, in + at, ~mask{0});
    const mask       n = line_feeds(x);
    if (b.wrong != 0) {
      const mask good = below(first(b.wrong));
      return well_formed(in, size, at + first(b.wrong), continuations + count(b.continuation & good), lines + count(n & good));
    }
    continuations += count(b.continuation);
    lines += count(n);
    at += block;
  }
  // The rest, with zeros behind it, so that a sequence which the end cuts off is wrong there.
  const mask       rest = below(size - at);
  const __m512i    x    = load(in + at, rest);
  const utf8_block b    = check.check(x, in + at, rest);
  if (Copy) _mm512_mask_storeu_epi8(out + at, rest, x);
  const mask good = b.wrong != 0 ? below(first(b.wrong)) : rest;
  return well_formed(in, size, b.wrong != 0 ? at + first(b.wrong) : size, continuations + count(b.continuation & good),
                     lines + count(line_feeds(x) & good));
}

run validate_utf8(const char* in, std::size_t size) noexcept { return check_utf8<false>(in, size, nullptr); }

run copy_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  run done      = check_utf8<true>(in, std::min(size, room), out);
  done.produced = done.consumed;
  return done;
}

line_end utf8_last_line(const char* in, std::size_t size) noexcept {
  line_end last{0, 0};
  while (last.bytes < size) {
    const std::size_t n = std::min(size - last.bytes, block);
    const __m512i     x = load(in + size - last.bytes - n, below(n));
    const mask        characters = _mm512_mask_cmpge_epi8_mask(below(n), x, all(0xC0));
    const mask        feeds      = line_feeds(x);
    if (feeds != 0) {
      const auto behind = static_cast<std::size_t>(_lzcnt_u64(feeds)) - (block - n);
      return {last.bytes + behind, last.characters + count(characters & ~below(n - behind))};
    }
    last.bytes += n;
    last.characters += count(characters);
  }
  return last;
}

//------------------------------------------------------------------------------------------------------- UTF-16 and the like

/// Bytes of output a block of 32 units may write, whatever it reports.
constexpr std::size_t block_output = 32 * 3 + block;

/// 32 units of 16 bits below U+0800 as UTF-8. Returns the bytes produced.
std::size_t put_two_bytes(__m512i units, __mmask32 beyond_ascii, char* out) noexcept {
  // Each lane: a lead byte and a continuation byte, or FF and a byte of ASCII.
  const __m512i fields = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x30362026'10160006), units);
  const __m512i bits   = _mm512_mask_blend_epi16(beyond_ascii, all_units(0x7F00), all_units(0x3F1F));
  const __m512i tags   = _mm512_mask_blend_epi16(beyond_ascii, all_units(0x00FF), all_units(0x80C0));
  const __m512i bytes  = _mm512_ternarylogic_epi64(fields, bits, tags, 0xEA);  // (fields & bits) | tags
  const mask    used   = _mm512_cmpneq_epi8_mask(bytes, all(0xFF));
  store(out, _mm512_maskz_compress_epi8(used, bytes));
  return count(used);
}

/// Where each byte of a run of characters of three bytes comes from: 64 bytes of output of 21 units and a third.
struct alignas(64) three_bytes {
  unsigned char units[64] = {}, shifts[64] = {}, bits[64] = {}, tags[64] = {};

  constexpr three_bytes() noexcept {
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned first_unit = i / 8 * 8 / 3;  // of the four that this byte's group of eight is made of
      const unsigned part       = i % 3;
      units[i]  = static_cast<unsigned char>(2 * first_unit + i % 8);
      shifts[i] = static_cast<unsigned char>(16 * (i / 3 - first_unit) + 12 - 6 * part);
      bits[i]   = part == 0 ? 0x0F : 0x3F;
      tags[i]   = part == 0 ? 0xE0 : 0x80;
    }
  }
};
constexpr three_bytes threes;

/// The 16 units from the first one on (0 or 16), all of U+0800..U+FFFF but surrogates: 48 bytes.
void put_three_bytes(__m512i units, unsigned first_unit, char* out) noexcept {
  const __m512i where  = _mm512_add_epi8(_mm512_load_si512(threes.units), all(2 * first_unit));
  const __m512i fields = _mm512_multishift_epi64_epi8(_mm512_load_si512(threes.shifts), _mm512_permutexvar_epi8(where, units));
  store(out, _mm512_ternarylogic_epi64(fields, _mm512_load_si512(threes.bits), _mm512_load_si512(threes.tags), 0xEA));
}

/// Which lanes need at least two bytes, at least three, and four; and which are to be left out.
struct lanes {
  __mmask16 two, three, four, none;
};

/// 16 scalar values as UTF-8. Returns the bytes produced.
std::size_t put_values(__m512i values, const lanes& l, char* out) noexcept {
  // Each lane: what its character has of four bytes at its end, FF before that.
  const __m512i fields = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x20262C32'00060C12), values);
  __m512i       bits   = _mm512_mask_blend_epi32(l.two, all_values(0x7F000000), all_values(0x3F1F0000));
  __m512i       tags   = _mm512_mask_blend_epi32(l.two, all_values(0x00FFFFFF), all_values(0x80C0FFFF));
  bits                 = _mm512_mask_mov_epi32(bits, l.three, all_values(0x3F3F0F00));
  tags                 = _mm512_mask_mov_epi32(tags, l.three, all_values(0x8080E0FF));
  bits                 = _mm512_mask_mov_epi32(bits, l.four, all_values(0x3F3F3F07));
  tags                 = _mm512_mask_mov_epi32(tags, l.four, all_values(0x808080F0));
  tags                 = _mm512_mask_mov_epi32(tags, l.none, all_values(0xFFFFFFFF));
  const __m512i bytes  = _mm512_ternarylogic_epi64(fields, bits, tags, 0xEA);
  const mask    used   = _mm512_cmpneq_epi8_mask(bytes, all(0xFF));
  store(out, _mm512_maskz_compress_epi8(used, bytes));
  return count(used);
}

__m512i half(__m512i units, int which) noexcept {
  return _mm512_cvtepu16_epi32(which == 0 ? _mm512_castsi512_si256(units) : _mm512_extracti64x4_epi64(units, 1));
}

struct alignas(64) numbers {
  std::uint16_t value[32] = {};
  constexpr numbers() noexcept {
    for (unsigned i = 0; i < 32; ++i) value[i] = static_cast<std::uint16_t>(i);
  }
};
constexpr numbers unit_numbers;

/// What became of a block of up to 32 units, of which the last may be left over.
struct unit_run {
  std::size_t units, bytes, pairs, lines;
};

unit_run put_pairs(__m512i x, __mmask32 beyond_ascii, __mmask32 beyond_two, mask feeds, std::size_t known, char* out) noexcept {
  const __m512i kind = _mm512_and_si512(x, all_units(0xFC00));
  const mask    high = _mm512_cmpeq_epi16_mask(kind, all_units(0xD800));
  const mask    low  = _mm512_cmpeq_epi16_mask(kind, all_units(0xDC00));
  const mask    odd  = high << 1 ^ low;  // bit 32: the last unit is a high one, whose pair goes into the next block
  std::size_t   n    = known;
  if (first(odd) <= n) n = first(odd) - static_cast<std::size_t>(high << 1 >> first(odd) & 1);

  // U+10000 + (high - D800) * 400 + (low - DC00)
  const __m512i  next = _mm512_permutexvar_epi16(_mm512_add_epi16(_mm512_load_si512(unit_numbers.value), all_units(1)), x);
  const mask     none = low | ~below(n);
  unit_run       done{n, 0, count(low & below(n)), count(feeds & below(n))};
  for (int i = 0; i < 2; ++i) {
    const auto    part   = [&](mask m) noexcept { return static_cast<__mmask16>(m >> 16 * i); };
    const __m512i single = half(x, i);
    const __m512i pair   = _mm512_add_epi32(_mm512_add_epi32(_mm512_slli_epi32(single, 10), half(next, i)),
                                            all_values(0x10000u - (0xD800u << 10) - 0xDC00u));
    const __m512i values = _mm512_mask_mov_epi32(single, part(high), pair);
    done.bytes += put_values(values, {part(beyond_ascii), part(beyond_two), part(high), part(none)}, out + done.bytes);
  }
  return done;
}

/// Up to 32 units, with zeros behind them, as UTF-8. Stops before an unpaired surrogate, also at the end of the block.
unit_run put_units(__m512i x, std::size_t known, char* out) noexcept {
  const std::size_t unknown      = 32 - known;
  const __mmask32   beyond_ascii = _mm512_test_epi16_mask(x, all_units(0xFF80));
  const mask        feeds        = _mm512_cmpeq_epi16_mask(x, all_units('\n'));
  if (beyond_ascii == 0) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi16_epi8(x));
    return {known, known, 0, count(feeds)};
  }
  const __mmask32 beyond_two = _mm512_test_epi16_mask(x, all_units(0xF800));
  if (beyond_two == 0) return {known, put_two_bytes(x, beyond_ascii, out) - unknown, 0, count(feeds)};

  const __mmask32 surrogates = _mm512_cmpeq_epi16_mask(_mm512_and_si512(x, all_units(0xF800)), all_units(0xD800));
  if (surrogates != 0) return put_pairs(x, beyond_ascii, beyond_two, feeds, known, out);
  if (beyond_two == 0xFFFFFFFF) {
    put_three_bytes(x, 0, out);
    put_three_bytes(x, 16, out + 48);
    return {32, 96, 0, 0};
  }
  std::size_t bytes = 0;
  for (int i = 0; i < 2; ++i) {
    const auto part = [&](__mmask32 m) noexcept { return static_cast<__mmask16>(m >> 16 * i); };
    bytes += put_values(half(x, i), {part(beyond_ascii), part(beyond_two), 0, 0}, out + bytes);
  }
  return {known, bytes - unknown, 0, count(feeds)};
}


//------------------------------------------------------------------------------------------- other encodings as sources of units

/// Where the low bytes of 64 units are in two vectors.
struct alignas(64) low_bytes {
  unsigned char of_little[64] = {}, of_big[64] = {};
  constexpr low_bytes() noexcept {
    for (unsigned i = 0; i < 64; ++i) {
      of_little[i] = static_cast<unsigned char>(2 * i);
      of_big[i]    = static_cast<unsigned char>(2 * i + 1);
    }
  }
};
constexpr low_bytes packed;

/// Each source has the bytes of a unit, the units of a block, put(), which is put_units for bytes, and put_ascii(): 64 characters
/// of ASCII at once, if that is what they are.
template <bool Big>
struct utf16_source {
  static constexpr std::size_t size = 2, units = 32;

  static unit_run put(__m512i bytes, std::size_t known, char* out) noexcept {
    return put_units(Big ? _mm512_shldi_epi16(bytes, bytes, 8) : bytes, known, out);
  }
  static bool put_ascii(const char* in, char* out) noexcept {
    const __m512i a = load(in), b = load(in + block);
    if (_mm512_test_epi8_mask(_mm512_or_si512(a, b), all_units(Big ? 0x80FF : 0xFF80)) != 0) return false;
    store(out, _mm512_permutex2var_epi8(a, _mm512_load_si512(Big ? packed.of_big : packed.of_little), b));
    return true;
  }
};

struct latin1_source {
  static constexpr std::size_t size = 1, units = 32;

  static unit_run put(__m512i bytes, std::size_t known, char* out) noexcept {
    const __m512i   x            = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
    const __mmask32 beyond_ascii = _mm512_test_epi16_mask(x, all_units(0x80));
    const mask      feeds        = _mm512_cmpeq_epi16_mask(x, all_units('\n'));
    return {known, put_two_bytes(x, beyond_ascii, out) - (32 - known), 0, count(feeds)};
  }
  static bool put_ascii(const char* in, char* out) noexcept {
    const __m512i a = load(in);
    if (_mm512_movepi8_mask(a) != 0) return false;
    store(out, a);
    return true;
  }
};

template <bool Big>
struct utf32_source {
  static constexpr std::size_t size = 4, units = 16;

  static unit_run put(__m512i bytes, std::size_t known, char* out) noexcept {
    const __m512i x          = Big ? _mm512_shuffle_epi8(bytes, _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203)) : bytes;
    const mask    surrogates = _mm512_cmpeq_epi32_mask(_mm512_and_si512(x, all_values(0xFFFFF800)), all_values(0xD800));
    const mask    beyond     = _mm512_cmpgt_epu32_mask(x, all_values(0x10FFFF));
    const mask    wrong      = surrogates | beyond;
    const auto    n          = std::min(known, first(wrong));
    const mask    feeds      = _mm512_cmpeq_epi32_mask(x, all_values('\n'));
    const auto    at_least   = [&](unsigned value) noexcept { return _mm512_cmpge_epu32_mask(x, all_values(value)); };
    const lanes   l{at_least(0x80), at_least(0x800), at_least(0x10000), static_cast<__mmask16>(~below(n))};
    return {n, put_values(x, l, out), 0, count(feeds & below(n))};
  }
  static bool put_ascii(const char* in, char* out) noexcept {
    const __m512i x[4] = {load(in), load(in + block), load(in + 2 * block), load(in + 3 * block)};
    const __m512i any  = _mm512_or_si512(_mm512_or_si512(x[0], x[1]), _mm512_or_si512(x[2], x[3]));
    if (_mm512_test_epi32_mask(any, all_values(Big ? 0x80FFFFFF : 0xFFFFFF80)) != 0) return false;
    for (int i = 0; i < 4; ++i) {
      const __m512i values = Big ? _mm512_srli_epi32(x[i], 24) : x[i];
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 16 * i), _mm512_cvtepi32_epi8(values));
    }
    return true;
  }
};

/// The characters at the start of UTF-8 that fit into the room: their bytes, and the units of UTF-16 they are.
struct cut {
  std::size_t bytes, characters, pairs, lines;
};
cut cut_to(const char* utf8, std::size_t room) noexcept {
  while (is_continuation(static_cast<unsigned char>(utf8[room]))) --room;
  cut c{room, 0, 0, 0};
  for (std::size_t i = 0; i < room; i += block) {
    const mask    rest = below(std::min(room - i, block));
    const __m512i x    = load(utf8 + i, rest);
    c.characters += count(_mm512_mask_cmpge_epi8_mask(rest, x, all(0xC0)));
    c.pairs += count(_mm512_mask_cmpge_epu8_mask(rest, x, all(0xF0)));
    c.lines += count(line_feeds(x));
  }
  return c;
}

template <class Source>
run to_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  std::size_t left = size / Source::size;
  run         done{};
  bool        ascii = true;
  const auto  take  = [&](const unit_run& part) noexcept {
    done.consumed += part.units * Source::size;
    done.produced += part.bytes;
    done.characters += part.units - part.pairs;
    done.line_feeds += part.lines;
    left -= part.units;
  };
  while (left >= Source::units && room - done.produced >= block_output) {
    while (ascii && left >= 64 && room - done.produced >= 64 && Source::put_ascii(in + done.consumed, out + done.produced))
      take({64, 64, 0, count(line_feeds(load(out + done.produced)))});
    if (left < Source::units || room - done.produced < block_output) break;
    const unit_run part = Source::put(load(in + done.consumed, below(Source::units * Source::size)), Source::units, out + done.produced);
    if (part.units == 0) return done;
    ascii = part.bytes == Source::units;
    take(part);
  }
  // The rest of the input, or of the room.
  while (left != 0 && done.produced < room) {
    alignas(block) char part_out[block_output];
    const std::size_t   known = std::min(left, Source::units);
    unit_run            part  = Source::put(load(in + done.consumed, below(known * Source::size)), known, part_out);
    if (part.units == 0) return done;
    const bool full = part.bytes > room - done.produced;
    if (full) {
      const cut c = cut_to(part_out, room - done.produced);
      const bool has_pairs = Source::size == 2;
      part        = {c.characters + (has_pairs ? c.pairs : 0), c.bytes, has_pairs ? c.pairs : 0, c.lines};
    }
    std::memcpy(out + done.produced, part_out, part.bytes);
    take(part);
    if (full) return done;
  }
  return done;
}

//------------------------------------------------------------------------------------------------------------ UTF-8 to UTF-16

template <bool Big>
char32_t unit_at(const char* units) noexcept {
  return Big ? big_endian::load16(units) : little_endian::load16(units);
}

/// 64 bytes of ASCII: 128 bytes.
template <bool Big>
void put_ascii_units(__m512i x, char* out) noexcept {
  const __m512i first_half  = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(x));
  const __m512i second_half = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(x, 1));
  store(out, Big ? _mm512_slli_epi16(first_half, 8) : first_half);
  store(out + block, Big ? _mm512_slli_epi16(second_half, 8) : second_half);
}

/// The leads of the block before, whose characters may end in this one.
struct open_leads {
  mask two = 0, three = 0, four = 0;
};

/// Writes a unit for each byte that ends a character, and one for the third byte of four: the pair. Up to 128 bytes; returns the
/// bytes produced. `wanted`: the bytes of whole characters, those of the block before included.
template <bool Big>
std::size_t put_units_of(__m512i x, const char* in, bool known_before, mask known, mask wanted, const utf8_block& b,
                         const open_leads& before, open_leads& now, char* out) noexcept {
  now                = {b.lead & ~b.lead_of_3, b.lead_of_3 & ~b.lead_of_4, b.lead_of_4};
  const mask ascii   = known & ~(b.lead | b.continuation);
  const mask third   = now.three << 2 | before.three >> 62;
  const mask of_four = now.four << 2 | before.four >> 62;  // the third bytes
  const mask fourth  = now.four << 3 | before.four >> 61;
  const mask ends    = (ascii | now.two << 1 | before.two >> 63 | third | of_four | fourth) & wanted;

  // The unit of bytes 1110aaaa 10bbbbcc 10cccccc, of which a shorter character lacks the first, in two halves.
  const mask    edge = known_before ? 3 : 0;
  const __m512i one  = _mm512_maskz_mov_epi8(b.continuation, load(in - 1, known << 1 | (edge & 1)));
  const __m512i two  = load(in - 2, known << 2 | edge);
  const __m512i last = _mm512_mask_mov_epi8(x, b.continuation, _mm512_and_si512(x, all(0x3F)));
  __m512i       low  = _mm512_ternarylogic_epi64(_mm512_slli_epi16(one, 6), all(0xC0), last, 0xEA);
  __m512i       high = _mm512_ternarylogic_epi64(all(0x0F), _mm512_srli_epi16(one, 2),
                                                 _mm512_slli_epi16(_mm512_maskz_mov_epi8(third, two), 4), 0xCA);
  if ((of_four | fourth) != 0) {
    // 11110aaa 10bbbbbb 10cccccc 10dddddd: D7C0 + (aaabbbbbbcc), and DC00 + (ccccdddddd).
    const __m512i low_of_pair  = _mm512_ternarylogic_epi64(all(0xFC), _mm512_slli_epi16(one, 2), _mm512_srli_epi16(x, 4), 0xCA);
    const __m512i high_of_pair = _mm512_add_epi8(_mm512_and_si512(two, all(0x07)), all(0xD8));
    const mask    borrow       = _mm512_cmplt_epu8_mask(low_of_pair, all(0x40));
    low  = _mm512_mask_sub_epi8(low, of_four, low_of_pair, all(0x40));
    high = _mm512_mask_mov_epi8(high, of_four, _mm512_mask_sub_epi8(high_of_pair, borrow, high_of_pair, all(1)));
    high = _mm512_mask_mov_epi8(high, fourth, _mm512_ternarylogic_epi64(high, all(0x03), all(0xDC), 0xEA));
  }
  // The quarters of each half change places, so that interleaving within quarters leaves the units in order.
  const __m512i order  = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
  const __m512i lows   = _mm512_permutexvar_epi64(order, _mm512_maskz_compress_epi8(ends, low));
  const __m512i highs  = _mm512_permutexvar_epi64(order, _mm512_maskz_compress_epi8(ends, high));
  const __m512i former = Big ? highs : lows, latter = Big ? lows : highs;
  store(out, _mm512_unpacklo_epi8(former, latter));
  store(out + block, _mm512_unpackhi_epi8(former, latter));
  return 2 * count(ends);
}

/// The bytes of UTF-8 that units of whole characters came from. The first may be the latter half of a pair.
template <bool Big>
std::size_t utf8_bytes_of(const char* units, std::size_t size) noexcept {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < size; i += 2) {
    const char32_t unit = unit_at<Big>(units + i);
    if (!is_high_surrogate(unit)) bytes += unit < 0x80 ? 1u : unit < 0x800 ? 2u : is_low_surrogate(unit) ? 4u : 3u;
  }
  return bytes;
}

template <bool Big>
run utf8_to_utf16(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  utf8_checker check;
  open_leads   before, now;
  std::size_t  at = 0, produced = 0, continuations = 0, lines = 0;
  while (true) {
    const std::size_t rest   = std::min(size - at, block);
    const mask        known  = below(rest);
    const __m512i     x      = load(in + at, known);
    const mask        feeds  = line_feeds(x);
    const bool        direct = room - produced >= 2 * block;
    if (direct && rest == block && !check.open() && _mm512_movepi8_mask(x) == 0) {
      check.check_ascii();
      put_ascii_units<Big>(x, out + produced);
      before = {};
      lines += count(feeds);
      at += block;
      produced += 2 * block;
      continue;
    }

    const utf8_block  b      = check.check(x, in + at, known);
    const std::size_t end    = b.wrong == 0 ? at + rest : end_of_good(in, at + first(b.wrong), size);
    const mask        wanted = below(end > at ? end - at : 0);
    char              part[2 * block];
    const std::size_t units  = put_units_of<Big>(x, in + at, at != 0, known, wanted, b, before, now, direct ? out + produced : part);
    const std::size_t taken  = direct ? units : std::min(units, (room - produced) / 2 * 2);
    if (!direct) std::memcpy(out + produced, part, taken);
    if (b.wrong == 0 && rest == block && taken == units) {
      continuations += count(b.continuation);
      lines += count(feeds);
      at += block;
      produced += units;
      before = now;
      continue;
    }

    // Wrong, at the end, or full. A half of a pair goes back, which this block or the one before has written.
    std::size_t total = produced + taken;
    if (total >= 2 && is_high_surrogate(unit_at<Big>(out + total - 2))) total -= 2;
    std::size_t taken_end = end;
    if (taken < units) {
      taken_end = end_of_good(in, at, at);
      if (total > produced) taken_end += utf8_bytes_of<Big>(out + produced, total - produced);
    }
    if (taken_end < at) return {taken_end, total, taken_end - (continuations - (at - taken_end - 1)), lines};
    const mask good = below(taken_end - at);
    return {taken_end, total, taken_end - continuations - count(b.continuation & good), lines + count(feeds & good)};
  }
}

//------------------------------------------------------------------------------------------------------------- the last line

template <class Order>
line_end utf16_last_line(const char* in, std::size_t size) noexcept {
  const bool big = std::is_same_v<Order, big_endian>;
  line_end   last{0, 0};
  while (last.bytes < size) {
    const std::size_t n     = std::min(size - last.bytes, block);
    const __m512i     x     = load(in + size - last.bytes - n, below(n));
    const mask        low   = _mm512_cmpeq_epi16_mask(_mm512_and_si512(x, all_units(big ? 0x00FC : 0xFC00)), all_units(big ? 0x00DC : 0xDC00));
    const mask        feeds = _mm512_cmpeq_epi16_mask(x, all_units(big ? 0x0A00 : 0x000A));
    if (feeds != 0) {
      const std::size_t before = block - static_cast<std::size_t>(_lzcnt_u64(feeds));  // units, that line feed included
      const std::size_t behind = n / 2 - before;
      return {last.bytes + 2 * behind, last.characters + behind - count(low >> before)};
    }
    last.bytes += n;
    last.characters += n / 2 - count(low);
  }
  return last;
}

}  // namespace

const kernel_table avx512_kernels = {
    "avx512",
    validate_utf8,
    copy_utf8,
    to_utf8<utf16_source<false>>,
    to_utf8<utf16_source<true>>,
    to_utf8<utf32_source<false>>,
    to_utf8<utf32_source<true>>,
    to_utf8<latin1_source>,
    utf8_to_utf16<false>,
    utf8_to_utf16<true>,
    convert<decode_utf8, encode_utf32<little_endian>>,
    convert<decode_utf8, encode_utf32<big_endian>>,
    convert<decode_utf8, encode_latin1>,
    utf8_last_line,
    utf16_last_line<little_endian>,
    utf16_last_line<big_endian>,
};

}  // namespace utfilter::detail

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
