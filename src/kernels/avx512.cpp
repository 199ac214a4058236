// avx512.cpp: the kernel table for x86-64 with AVX-512 (BW, VL, VBMI, VBMI2, BITALG): Intel since Ice Lake, AMD since
// Zen 4.
//
// Checking UTF-8: a lead byte asks for continuation bytes one, two or three places after it; the bytes asked for must be
// exactly the continuation bytes of the block. Where the place of an error matters, a comparison of 64 bytes gives a
// mask of 64 bits, and the rules are arithmetic on masks. In long texts they are arithmetic on bytes, which is faster,
// and only tells whether anything is wrong.
//
// Transcoding: each character of a block gets a lane of fixed size. The bytes of the lane that the character does not
// need are marked, and the compress instruction squeezes them out (Clausecker and Lemire, "Transcoding Unicode
// Characters with AVX-512 Instructions", 2022). Compress writes to a register here, because its form that writes to
// memory is slow on Zen 4 (microcode).
#if defined(__x86_64__) && defined(__GNUC__)

#  include "kernels/before_region.hpp"

// A test emulates the instructions, and defines the intrinsics before it includes this file.
#  ifndef UTFILTER_EMULATED_AVX512
// g++ 12 warns of variables that its own intrinsics leave uninitialized on purpose.
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wuninitialized"
#    ifndef __clang__
#      pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#    endif
#    include <immintrin.h>
#    pragma GCC diagnostic pop

#    ifdef __clang__
#      pragma clang attribute push( \
          __attribute__(( \
              target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi,bmi2,lzcnt,popcnt"))), \
          apply_to = function)
#    else
#      pragma GCC push_options
#      pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,bmi,bmi2,lzcnt,popcnt")
#    endif
#  endif

#  include "kernels/clear_upper.inc"
#  include "kernels/ways.inc"

namespace utfilter::detail {
namespace {

/// A bit for each byte of a block: the first byte has the lowest bit.
///
/// Masks of fewer bits stay in their own type (__mmask16, __mmask32) until they are used. If such a mask is widened
/// early, g++ 12 may store it with its few bits, and later load 64 bits: also those that follow it in memory.
using mask = std::uint64_t;

std::size_t count(mask m) noexcept { return static_cast<std::size_t>(_mm_popcnt_u64(m)); }
std::size_t first(mask m) noexcept { return static_cast<std::size_t>(_tzcnt_u64(m)); }
/// The lowest n bits; n is at most 255.
mask below(std::size_t n) noexcept { return _bzhi_u64(~mask{0}, static_cast<unsigned>(n)); }

__m512i load(const char* in) noexcept { return _mm512_loadu_si512(in); }
__m512i load(const char* in, mask bytes) noexcept { return _mm512_maskz_loadu_epi8(bytes, in); }
/// Holds a vector in a register. Otherwise g++ loads it from memory again at each use.
[[gnu::always_inline]] inline void hold([[maybe_unused]] __m512i& x) noexcept {
#  ifndef UTFILTER_EMULATED_AVX512
  asm("" : "+v"(x));
#  endif
}

/// Keeps the compiler from making vector instructions, 2 KB of them, of a loop over less than a block.
template <class Unit>
[[gnu::always_inline]] inline void one_by_one(Unit& unit) noexcept {
  asm("" : "+r"(unit));
}
void store(char* out, __m512i bytes) noexcept { _mm512_storeu_si512(out, bytes); }

#  if !defined(__clang__) && !defined(UTFILTER_EMULATED_AVX512)
template <std::uint64_t Bits>
constexpr std::uint64_t in_memory = Bits;
#  endif

/// A vector that repeats these 64 bits, loaded from memory. Without the assembler statement g++ builds the constant
/// anew at every use: in a general register, from which it goes to a vector register through the execution port that
/// shuffles need.
template <std::uint64_t Bits>
[[gnu::always_inline]] inline __m512i all_of() noexcept {
#  if defined(__clang__) || defined(UTFILTER_EMULATED_AVX512)
  return _mm512_set1_epi64(static_cast<long long>(Bits));
#  else
  __m512i bits;
  asm("vpbroadcastq {%1, %0|%0, %1}" : "=v"(bits) : "m"(in_memory<Bits>));
  return bits;
#  endif
}
// Equal bytes need `all`: g++ for Windows makes one function of all<0x80> and all_units<0x8080>, although both are inlined
// everywhere, and then warns that it returns a vector.
template <std::uint8_t Byte>
__m512i all() noexcept {
  return all_of<Byte * 0x0101010101010101u>();
}
template <std::uint16_t Unit>
__m512i all_units() noexcept {
  return all_of<Unit * 0x0001000100010001u>();
}
template <std::uint32_t Value>
__m512i all_values() noexcept {
  return all_of<Value * 0x0000000100000001u>();
}

/// The numbers 0 to 63: the index of each byte of a vector.
struct alignas(block) numbers {
  unsigned char value[64] = {};
  constexpr numbers() noexcept {
    for (unsigned i = 0; i < 64; ++i) value[i] = static_cast<unsigned char>(i);
  }
};
constexpr numbers byte_numbers;

//------------------------------------------------------------------------------------------------------ blocks of UTF-8

/// The reasons why a continuation byte may not follow a lead byte, a bit each: bit n if it is not in the range of the
/// n-th narrow row of the table; and `after_none` after lead bytes that never occur (C0, C1, F5..FF).
constexpr unsigned char after_none = 16;

/// by_lead has the bit of the reason that belongs to a lead byte, by_second the bits of all reasons that forbid a
/// second byte. The second byte is wrong if the two have a bit in common.
///
/// The tables are looked up by the low six bits of a byte, which is how the instruction works. Lead bytes (C0..FF)
/// differ in these, and so do continuation bytes (80..BF). Only bytes after a lead byte are looked up; if such a byte
/// is no continuation byte, it is wrong anyway.
struct alignas(block) second_bytes {
  unsigned char by_lead[64] = {}, by_second[64] = {};
  // by_lead for another index: a lead byte less BF, at most 3F; 0 for all other bytes.
  unsigned char by_index[64] = {};
  // The lead bytes with an entry, and all lead bytes of four bytes: bit n stands for C0 + n. Blocks without any of them
  // need neither the tables nor the check of fourth bytes.
  std::uint64_t special = 0;

  constexpr explicit second_bytes(const utf8_table& table) noexcept {
    for (unsigned lead = 0xC0; lead <= 0xFF; ++lead)
      if (table.of(lead) == nullptr) put(lead, after_none);
    for (unsigned char& reasons : by_second) reasons = after_none;
    unsigned char reason = 1;
    for (const utf8_row& row : table.rows) {
      if (!row.is_narrow()) continue;
      for (unsigned lead = row.first_lead; lead <= row.last_lead; ++lead) put(lead, reason);
      for (unsigned second = 0x80; second <= 0xBF; ++second)
        if (!row.has_second(second)) by_second[second - 0x80] |= reason;
      reason = static_cast<unsigned char>(reason << 1);
    }
    for (unsigned lead = 0xC0; lead <= 0xFF; ++lead)
      if (by_lead[lead - 0xC0] != 0 || lead >= 0xF0) special |= std::uint64_t{1} << (lead - 0xC0);
  }

 private:
  constexpr void put(unsigned lead, unsigned char reason) noexcept {
    by_lead[lead - 0xC0] = reason;
    by_index[lead < 0xFF ? lead - 0xBF : 0x3F] = reason;  // FE and FF have the same entry
  }
};
constexpr second_bytes utf8_seconds(table_3_7), cesu8_seconds(cesu8_table);

// Three kinds of block. back(n) is the vector that begins n bytes before the block: back(0) is the block itself, and
// the bytes of back(1) are, place by place, those before the bytes of the block.

/// A block in the middle of the text. It is loaded again for each back(n), because that is cheaper than shifting.
struct whole_block {
  const char* in;

  __m512i back(int places) const noexcept { return load(in - places); }
  __m256i first_half() const noexcept { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)); }
};

/// A block at the start of the text, whose bytes are in a register. Zeros stand for the bytes before it.
struct first_block {
  __m512i x;

  __m512i back(int places) const noexcept {
    if (places == 0) return x;
    const __m512i where =
        _mm512_sub_epi8(_mm512_load_si512(byte_numbers.value), _mm512_set1_epi8(static_cast<char>(places)));
    return _mm512_maskz_permutexvar_epi8(~mask{0} << places, where, x);
  }
};

/// A block at the start of the text, or one that the text does not fill. Zeros stand for bytes outside of the text;
/// these are not read.
struct part_block {
  const char* in;
  mask known;   // the bytes of the block that are text
  bool begins;  // the text begins here

  __m512i back(int places) const noexcept {
    return load(in - places, known << places | (begins ? 0 : below(static_cast<std::size_t>(places))));
  }
  __m256i first_half() const noexcept { return _mm512_castsi512_si256(back(0)); }
};

/// The bytes of a block of UTF-8 by their kind.
struct utf8_block {
  mask continuation;  // continuation bytes
  mask second;        // bytes that must be the second of a sequence: after a lead byte
  mask third;         // bytes that must be the third: two places after a lead byte of three or four bytes
  mask fourth;        // bytes that must be the fourth: three places after a lead byte of four
  mask wrong;         // continuation bytes that no lead byte asks for or that their lead byte forbids, and bytes in the
                      // place of a missing continuation byte
};

/// Checks blocks of UTF-8, or of CESU-8, that follow each other. ASCII between them may be left out.
template <const second_bytes& Table>
class block_checker {
 public:
  template <class Block>
  [[gnu::always_inline]] utf8_block check(const Block& at, __m512i x) noexcept {
    const __m512i one = at.back(1);
    const __mmask64 second = _mm512_cmpge_epu8_mask(one, all<0xC0>());
    const __mmask64 special = _mm512_mask_bitshuffle_epi64_mask(second, all_of<Table.special>(), one);
    utf8_block b{_mm512_cmplt_epi8_mask(x, all<0xC0>()), second, _mm512_cmpge_epu8_mask(at.back(2), all<0xE0>()), 0, 0};
    // True if there is a special lead byte in this block, or in the block before: its last character may reach into
    // this one.
    if (!_kortestz_mask64_u8(special, special_before_)) {
      b.fourth = _mm512_cmpge_epu8_mask(at.back(3), all<0xF0>());
      b.wrong = _mm512_mask_test_epi8_mask(special, _mm512_permutexvar_epi8(one, _mm512_load_si512(Table.by_lead)),
                                           _mm512_permutexvar_epi8(x, _mm512_load_si512(Table.by_second)));
    }
    special_before_ = special;
    b.wrong |= b.continuation ^ (b.second | b.third | b.fourth);
    return b;
  }

  /// Call this before checking a block that does not follow the last block checked. The next check then assumes special
  /// lead bytes in the block before.
  void again() noexcept { special_before_ = ~mask{0}; }

 private:
  __mmask64 special_before_ = 0;  // the bytes after special lead bytes, in the last block checked
};
using utf8_checker = block_checker<utf8_seconds>;

/// Sums up what is wrong in whole blocks, without finding the place. Zen 4 takes two cycles for a comparison that makes
/// a mask, and half a cycle for most operations on vectors; so here each rule is arithmetic on bytes, and one mask is
/// left, to count with.
class utf8_sums {
 public:
  [[gnu::always_inline]] utf8_sums() noexcept {}

  /// Returns the number of continuation bytes.
  [[gnu::always_inline]] std::size_t add(const whole_block& at, __m512i x) noexcept {
    __m512i one = at.back(1);
    hold(one);
    // After the subtraction of C0 - 80, E0 - 80 or F0 - 80, only lead bytes of two, three or four bytes or more have
    // the highest bit.
    const __m512i asked = _mm512_ternarylogic_epi64(_mm512_subs_epu8(one, all<0xC0 - 0x80>()),
                                                    _mm512_subs_epu8(at.back(2), all<0xE0 - 0x80>()),
                                                    _mm512_subs_epu8(at.back(3), all<0xF0 - 0x80>()), 0xFE);  // or
    // Continuation bytes have the highest bit and not the next one, which the addition moves up.
    const __m512i continuation = _mm512_andnot_si512(_mm512_add_epi8(x, x), x);
    unasked_ = _mm512_ternarylogic_epi64(unasked_, continuation, asked, 0xF6);  // a | (b ^ c)
    const __m512i index = _mm512_min_epu8(_mm512_subs_epu8(one, all<0xBF>()), all<0x3F>());
    forbidden_ =
        _mm512_ternarylogic_epi64(forbidden_, _mm512_permutexvar_epi8(index, _mm512_load_si512(utf8_seconds.by_index)),
                                  _mm512_permutexvar_epi8(x, _mm512_load_si512(utf8_seconds.by_second)),
                                  0xF8);  // a | (b & c)
    return count(_mm512_movepi8_mask(continuation));
  }

  bool wrong() const noexcept {
    return (_mm512_movepi8_mask(unasked_) | _mm512_test_epi8_mask(forbidden_, forbidden_)) != 0;
  }

 private:
  // The highest bit is set in a continuation byte that no lead byte asks for, and in a byte that should be one but is
  // not.
  __m512i unasked_ = _mm512_setzero_si512();
  // Not 0 in a second byte that its lead byte forbids.
  __m512i forbidden_ = _mm512_setzero_si512();
};

mask line_feeds(__m512i x) noexcept { return _mm512_cmpeq_epi8_mask(x, all<'\n'>()); }

//---------------------------------------------------------------------------------------------- validation and the copy

/// How much of a text has been checked, and the counts of the bytes passed. A sequence that is cut off at the end of
/// the text is not wrong here; end() leaves it out.
class passage {
 public:
  explicit passage(const char* in) noexcept : in_(in) {}

  std::size_t at = 0;  // nothing before this place is wrong; the last sequence may be unfinished

  /// Passes those bytes of the block at `in + begin` that are in `good`. If one of them is wrong, passes those before
  /// it and returns false.
  [[gnu::always_inline]] bool pass(const utf8_block& b, __m512i x, std::size_t begin, mask good) noexcept {
    const mask wrong = b.wrong & good;
    if (wrong != 0) good &= below(first(wrong));
    continuations_ += count(b.continuation & good);
    lines_ += count(line_feeds(x) & good);
    at = wrong != 0 ? begin + first(wrong) : begin + block - static_cast<std::size_t>(_lzcnt_u64(good));
    return wrong == 0;
  }
  void pass_ascii(__m512i x) noexcept { pass(block, 0, count(line_feeds(x))); }
  void pass(std::size_t bytes, std::size_t continuations, std::size_t lines) noexcept {
    at += bytes;
    continuations_ += continuations;
    lines_ += lines;
  }

  [[gnu::always_inline]] run end() const noexcept { return well_formed(in_, at, continuations_, lines_); }

 private:
  const char* in_;
  std::size_t continuations_ = 0, lines_ = 0;
};

/// A text of more than two blocks, for pass_by_ways (ways.inc), which explains the public members.
template <bool Copy>
class long_text {
 public:
  [[gnu::always_inline]] long_text(const char* in, std::size_t size, char* out, passage& text) noexcept
      : in_(in), size_(size), out_(out), text_(text) {}

  static constexpr std::size_t many = 64;  // pass_marked has a mask with a bit for each block

  std::size_t left() const noexcept { return (size_ - text_.at) / block; }

  [[gnu::always_inline]] bool pass_first() noexcept {
    const first_block p{load(in_)};
    if (Copy) store(out_, p.x);
    if (_mm512_movepi8_mask(p.x) == 0) {
      text_.pass_ascii(p.x);
      return true;
    }
    return text_.pass(check_.check(p, p.x), p.x, 0, ~mask{0});
  }

  [[gnu::always_inline]] bool pass_to_alignment() noexcept {
    const std::size_t step = to_alignment(in_ + text_.at);
    if (step == block) return true;
    const whole_block p{in_ + text_.at};
    const __m512i x = p.back(0);
    put(x, text_.at);
    check_.again();
    return text_.pass(check_.check(p, x), x, text_.at, below(step));
  }

  [[gnu::always_inline]] void pass_ascii(std::size_t n) noexcept {
    if (static_cast<signed char>(in_[text_.at - 1]) < 0) return;
    const auto pass = [&](__m512i x) noexcept {
      put(x, text_.at);
      text_.pass_ascii(x);
    };
    const std::size_t end = text_.at + n * block;
    while (end - text_.at >= 4 * block) {
      const char* const next = in_ + text_.at;
      const __m512i v[4] = {load(next), load(next + block), load(next + 2 * block), load(next + 3 * block)};
      if (_mm512_movepi8_mask(_mm512_or_si512(_mm512_or_si512(v[0], v[1]), _mm512_or_si512(v[2], v[3]))) != 0) break;
      for (const __m512i& x : v) {
        fetch(in_ahead_ + text_.at);
        pass(x);
      }
    }
    while (text_.at != end) {
      const __m512i x = load(in_ + text_.at);
      if (_mm512_movepi8_mask(x) != 0) break;
      pass(x);
    }
  }

  [[gnu::always_inline]] bool pass_each(std::size_t n, std::size_t& texts) noexcept {
    const char* const start = in_ + text_.at;
    std::size_t lines = 0, continuations = 0;
    utf8_sums sums;
    for (std::size_t i = 0; i < n; ++i) {
      const whole_block p{start + i * block};
      __m512i x = p.back(0);
      hold(x);
      fetch(in_ahead_ + text_.at + i * block);
      const std::size_t in_block = sums.add(p, x);
      put(x, text_.at + i * block);
      lines += count(line_feeds(x));
      continuations += in_block;
      texts += in_block != 0;  // does not count a block in which only the last byte, a lead byte, is not ASCII
    }
    if (!sums.wrong()) {
      text_.pass(n * block, continuations, lines);
      return true;
    }
    check_.again();
    for (; n != 0; --n) {  // finds the place
      const whole_block p{in_ + text_.at};
      const __m512i x = p.back(0);
      if (!text_.pass(check_.check(p, x), x, text_.at, ~mask{0})) break;
    }
    return false;
  }

  [[gnu::always_inline]] bool pass_marked(std::size_t n, std::size_t& texts) noexcept {
    const char* const start = in_ + text_.at;
    std::size_t lines = 0;
    mask texts_at = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const whole_block p{start + i * block};
      const __m512i x = p.back(0);
      fetch(in_ahead_ + text_.at + i * block);
      put(x, text_.at + i * block);
      lines += count(line_feeds(x));
      // The bit is 1 if the block is not ASCII, or the byte before it is not: kortestc is 1 if all bits of `ascii` are
      // set. Each new bit comes in at the top; the shift after the loop brings the bit of block i to place i.
      const __mmask64 ascii = _mm512_testn_epi8_mask(_mm512_or_si512(x, p.back(1)), all<0x80>());
      texts_at = texts_at >> 1 | (mask{1} - _kortestc_mask64_u8(ascii, ascii)) << 63;
    }
    texts_at >>= 64 - n;
    texts = count(texts_at);

    mask wrong = 0;
    std::size_t continuations = 0;
    check_.again();
    for (; texts_at != 0; texts_at &= texts_at - 1) {
      const whole_block p{start + first(texts_at) * block};
      const utf8_block b = check_.check(p, p.back(0));
      wrong |= b.wrong;
      continuations += count(b.continuation);
    }
    if (wrong != 0) return pass_each(n, texts);  // finds the place
    text_.pass(n * block, continuations, lines);
    return true;
  }

  /// Checks the last block of the text, which overlaps the one before it. Only its bytes from text_.at on count.
  [[gnu::always_inline]] void pass_last() noexcept {
    if (text_.at == size_) return;
    const std::size_t begin = size_ - block;
    const whole_block p{in_ + begin};
    const __m512i x = p.back(0);
    if (Copy) store(out_ + begin, x);
    check_.again();
    text_.pass(check_.check(p, x), x, begin, ~below(text_.at - begin));
  }

 private:
  /// Copies the block `x` to the output, if that is asked for.
  [[gnu::always_inline]] void put(__m512i x, std::size_t at) noexcept {
    if (!Copy) return;
    fetch(out_ahead_ + at);
    store(out_ + at, x);
  }

  const char* in_;
  std::size_t size_;
  char* out_;
  passage& text_;
  utf8_checker check_;
  const fetch_distances& distances_ = *chosen_distances.load(std::memory_order_relaxed);
  const char* const in_ahead_ = ahead_of(in_, Copy ? distances_.convert : distances_.check);
  const char* const out_ahead_ = ahead_of(out_, distances_.write);
};

/// Checks a text that is at most two bytes longer than a block.
[[gnu::noinline]] run check_line(const char* in, std::size_t size) noexcept {
  passage text(in);
  utf8_checker check;
  const first_block start{load(in, below(size))};
  if (text.pass(check.check(start, start.x), start.x, 0, below(size)) && size > block) {
    const part_block end{in + block, below(size - block), false};
    const __m512i x = end.back(0);
    text.pass(check.check(end, x), x, block, end.known);
  }
  return text.end();
}

/// Checks a longer text, of at most two blocks. Its first and its last block, which may overlap, have been loaded.
[[gnu::noinline]] run check_two_blocks(const char* in, std::size_t size, __m512i start, __m512i end) noexcept {
  passage text(in);
  utf8_checker check;
  const std::size_t begin = size - block;
  if (text.pass(check.check(first_block{start}, start), start, 0, ~mask{0}))
    text.pass(check.check(whole_block{in + begin}, end), end, begin, ~below(block - begin));
  return text.end();
}

/// Checks and copies a text of up to two blocks. ASCII needs two vectors, which overlap.
template <bool Copy>
[[gnu::always_inline]] inline run pass_line(const char* in, std::size_t size, char* out) noexcept {
  const std::size_t second_at = size > block ? size - block : 0;  // the place where the second vector begins
  // The bytes of each vector that are text; the bytes of the second vector that are not in the first.
  const mask known = below(size), fresh = ~below(block - second_at);
  const __m512i start = load(in, known), end = load(in + second_at, known);
  if (Copy) {
    _mm512_mask_storeu_epi8(out, known, start);
    _mm512_mask_storeu_epi8(out + second_at, known, end);
  }
  if (_mm512_movepi8_mask(_mm512_or_si512(start, end)) != 0)
    return size < block + 3 ? check_line(in, size) : check_two_blocks(in, size, start, end);
  return {size, size, size, count(line_feeds(start)) + count(line_feeds(end) & fresh)};
}

template <bool Copy>
[[gnu::noinline]] run check_blocks(const char* in, std::size_t size, char* out) noexcept {
  passage passed(in);
  long_text<Copy> text(in, size, out, passed);
  if (text.pass_first()) pass_by_ways(text);
  return passed.end();
}

template <bool Copy>
[[gnu::always_inline]] inline run check_utf8(const char* in, std::size_t size, char* out) noexcept {
  return size <= 2 * block ? pass_line<Copy>(in, size, out) : check_blocks<Copy>(in, size, out);
}

run validate_utf8(const char* in, std::size_t size) noexcept { return check_utf8<false>(in, size, nullptr); }

/// Counting costs hardly anything here.
bool is_well_formed(const char* in, std::size_t size) noexcept { return validate_utf8(in, size).consumed == size; }

run copy_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return check_utf8<true>(in, std::min(size, room), out);
}

/// The first two blocks are enough if an error comes soon. If the first byte that is not ASCII is an error by itself,
/// no check is needed to find it.
run copy_utf8_to_error(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  size = std::min(size, room);
  if (size <= 2 * block) return pass_line<true>(in, size, out);
  const __m512i start = load(in), next = load(in + block);
  store(out, start);
  store(out + block, next);
  const mask text = _mm512_movepi8_mask(start), text_of_next = _mm512_movepi8_mask(next);
  const std::size_t at = text != 0 ? first(text) : block + first(text_of_next);  // 2 * block: all is ASCII
  run passed{at, at, at,
             count(line_feeds(start) & below(at)) + count(line_feeds(next) & below(at - std::min(at, block)))};
  if (at != 2 * block) {
    if (byte_at(in, at) < 0xC0 || !is_continuation(static_cast<unsigned char>(in[at + 1]))) return passed;
    passed = check_two_blocks(in, 2 * block, start, next);
    if (passed.consumed + 4 <= 2 * block) return passed;
  }
  return passed + check_utf8<true>(in + passed.consumed, size - passed.consumed, out + passed.consumed);
}

std::size_t no_controls(const char* in, std::size_t size) noexcept {
  for (std::size_t at = 0; at < size; at += block) {
    const mask text = below(std::min(size - at, block));
    const __m512i x = load(in + at, text);
    const mask found = _mm512_cmplt_epu8_mask(x, all<0x20>()) | _mm512_cmpeq_epi8_mask(x, all<0x7F>()) |
                       _mm512_cmpeq_epi8_mask(x, all<0xC2>()) | _mm512_cmpeq_epi8_mask(x, all<0xD8>()) |
                       _mm512_cmpeq_epi8_mask(x, all<0xE2>());
    if ((found & text) != 0) return at + first(found & text);
  }
  return size;
}

/// The bytes of a block that are wrong, controls of ASCII, or the last bytes of characters that is_control_beyond_ascii()
/// names.
template <class Block>
[[gnu::always_inline]] inline mask harmful(utf8_checker& check, const Block& at) noexcept {
  const __m512i x = at.back(0), one = at.back(1);
  const auto is = [](__m512i v, int byte) noexcept {
    return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(static_cast<char>(byte)));
  };
  const auto masked = [&](int bits) noexcept { return _mm512_and_si512(x, _mm512_set1_epi8(static_cast<char>(bits))); };
  mask found = check.check(at, x).wrong | _mm512_cmplt_epu8_mask(x, all<0x20>()) | is(x, 0x7F);
  found |= (is(one, 0xC2) & is(masked(0xE0), 0x80)) | (is(one, 0xD8) & is(x, 0x9C));
  const mask e2 = is(at.back(2), 0xE2);
  if (e2 == 0) return found;
  const __m512i pair = masked(0xFE);
  const mask of_e280 = is(pair, 0x8E) | (is(masked(0xF8), 0xA8) & ~is(x, 0xAF));  // 8E, 8F, A8..AE
  const mask of_e281 = is(pair, 0xA6) | is(pair, 0xA8);                           // A6..A9
  return found | (e2 & ((is(one, 0x80) & of_e280) | (is(one, 0x81) & of_e281)));
}

/// As harmless_text, for a text that is not ASCII.
[[gnu::noinline]] bool is_harmless_beyond_ascii(const char* in, std::size_t size) noexcept {
  utf8_checker check;
  const mask start = below(std::min(size, block));
  if ((harmful(check, first_block{load(in, start)}) & start) != 0) return false;
  for (std::size_t at = block; at < size; at += block) {
    const mask known = below(std::min(size - at, block));
    if ((harmful(check, part_block{in + at, known, false}) & known) != 0) return false;
  }
  // No sequence is unfinished.
  const auto is_lead = [&](std::size_t back, unsigned least) noexcept {
    return size >= back && byte_at(in, size - back) >= least;
  };
  return !is_lead(1, 0xC0) && !is_lead(2, 0xE0) && !is_lead(3, 0xF0);
}

bool harmless_text(const char* in, std::size_t size) noexcept {
  if (size > 2 * block) return is_harmless_beyond_ascii(in, size);
  const std::size_t second_at = size > block ? size - block : 0;  // the place where the second vector begins
  const mask known = below(size);
  const __m512i start = load(in, known), end = load(in + second_at, known);
  if (_mm512_movepi8_mask(_mm512_or_si512(start, end)) != 0) return is_harmless_beyond_ascii(in, size);
  const mask controls = _mm512_cmplt_epu8_mask(start, all<0x20>()) | _mm512_cmplt_epu8_mask(end, all<0x20>()) |
                        _mm512_cmpeq_epi8_mask(start, all<0x7F>()) | _mm512_cmpeq_epi8_mask(end, all<0x7F>());
  return (controls & known) == 0;
}

/// The sequences for which usual_text stops (see kernels.hpp): a bit for each. Such a sequence begins if all its bytes have
/// the same bit. The tables are looked up by the low six or seven bits of a byte, which is how the instructions work.
struct alignas(block) odd_sequences {
  unsigned char ascii[2][64] = {};  // 80 for the controls but tab and line feed
  unsigned char first[64] = {};     // of a lead byte, C0..FF
  unsigned char second[64] = {};    // of a continuation byte
  unsigned char third[64] = {};     // of a continuation byte

  constexpr odd_sequences() noexcept {
    enum : unsigned char { c2 = 1, d8 = 2, e0 = 4, e2 = 8, ef = 16, always = 32, f0 = 64, e1 = 128 };
    for (unsigned c = 0; c < 0x20; ++c)
      if (c != '\t' && c != '\n') ascii[0][c] = 0x80;
    ascii[1][0x7F - 0x40] = 0x80;
    const auto at = [](unsigned byte) noexcept { return byte & 0x3F; };
    first[at(0xC2)] = c2;
    first[at(0xCD)] = first[at(0xD8)] = d8;
    first[at(0xE0)] = e0;
    first[at(0xE1)] = first[at(0xE3)] = e1;
    first[at(0xE2)] = e2;
    first[at(0xEF)] = ef;
    first[at(0xEE)] = first[at(0xF3)] = first[at(0xF4)] = always;
    first[at(0xF0)] = first[at(0xF1)] = first[at(0xF2)] = f0;
    for (unsigned byte = 0x80; byte < 0xC0; ++byte) {
      second[at(byte)] = static_cast<unsigned char>(
          always | f0 | (byte <= 0xA0 || byte == 0xAD ? c2 : 0) | (byte == 0x8F || byte == 0x9C ? d8 : 0) |
          (byte == 0xA8 || byte == 0xB4 ? e0 : 0) | (byte == 0x85 || byte == 0x9E ? e1 : 0) | (byte < 0x82 ? e2 : 0) |
          (byte < 0xA4 || byte == 0xB7 || byte == 0xBB || byte >= 0xBE ? ef : 0));
      const bool of_e1 = byte == 0x9F || byte == 0xA0 || byte == 0xA4 || byte == 0xB4 || byte == 0xB5;
      third[at(byte)] = static_cast<unsigned char>((byte < 0x90 || byte >= 0xA0 ? e2 : 0) | (byte == 0xBF ? f0 : 0) |
                                                   (of_e1 ? e1 : 0));
    }
    // After C2, CD and D8 comes no third byte, and after the other lead bytes it does not matter.
    for (unsigned char& byte : third) byte |= c2 | d8 | e0 | ef | always;
  }
};
constexpr odd_sequences odd_table;

__m512i look_up(const unsigned char (&row)[64], __m512i bytes) noexcept {
  return _mm512_permutexvar_epi8(bytes, _mm512_load_si512(row));
}

/// A bit for each byte of a block beyond ASCII for which usual_text stops. Reads two bytes more.
[[gnu::always_inline]] inline mask may_be_odd(const char* in, __m512i x) noexcept {
  const __m512i second = load(in + 1), third = load(in + 2);
  const __m512i lead =
      _mm512_maskz_permutexvar_epi8(_mm512_cmpge_epu8_mask(x, all<0xC0>()), x, _mm512_load_si512(odd_table.first));
  const __m512i agree = _mm512_ternarylogic_epi64(lead, look_up(odd_table.second, second),
                                                  look_up(odd_table.third, third), 0x80);  // a & b & c
  return _mm512_test_epi8_mask(agree, agree);
}

/// The text that usual_text has passed.
class usual_passage {
 public:
  // Written out: the compiler would make an implicit one without this instruction set, and would not inline it.
  [[gnu::always_inline]] usual_passage() noexcept {}

  usual_run done{0, 0, 0};

  static constexpr std::size_t step = 2 * block;

  [[gnu::always_inline]] static void copy_rest(char (&to)[3 * step], const char* at, std::size_t left) noexcept {
    for (std::size_t i = 0; i != sizeof to; i += block) store(to + i, all<after_end>());
    std::memcpy(to, at, left);
  }

  /// Passes at most `known` bytes of two blocks. They share the branches, of which one is often predicted wrong in text with
  /// few characters beyond ASCII. Returns false if it stops before one of the bytes. Reads two bytes more.
  [[gnu::always_inline]] bool pass(const char* at, std::size_t known) noexcept {
    const char* const next = at + block;
    const __m512i x = load(at), y = load(next);
    const __m512i x_control = _mm512_permutex2var_epi8(low_, x, high_),
                  y_control = _mm512_permutex2var_epi8(low_, y, high_);
    const __m512i controls = _mm512_or_si512(x_control, y_control), both = _mm512_or_si512(x, y);
    if (_mm512_movepi8_mask(_mm512_or_si512(controls, both)) != 0) {
      const mask x_returns = _mm512_cmpeq_epi8_mask(x, all<'\r'>()), y_returns = _mm512_cmpeq_epi8_mask(y, all<'\r'>());
      mask x_odd = mask{_mm512_movepi8_mask(_mm512_andnot_si512(x, x_control))} & ~x_returns;
      mask y_odd = mask{_mm512_movepi8_mask(_mm512_andnot_si512(y, y_control))} & ~y_returns;
      if (_mm512_movepi8_mask(both) != 0) {
        x_odd |= may_be_odd(at, x);
        y_odd |= may_be_odd(next, y);
      }
      if ((x_odd | y_odd | x_returns | y_returns) != 0) {
        const std::size_t first_known = std::min(known, block);
        return take(at, x_odd, x_returns, first_known) && take(next, y_odd, y_returns, known - first_known);
      }
    }
    done.bytes += known;
    return true;
  }

 private:
  /// Takes the known bytes of a block.
  [[gnu::always_inline]] bool take(const char* at, mask odd, mask returns, std::size_t known) noexcept {
    odd &= below(known);
    if (odd != 0) known = first(odd);
    returns &= below(known);
    done.bytes += known;
    done.returns += count(returns);
    done.before_feed += count(returns & line_feeds(load(at + 1)));
    return odd == 0;
  }

  const __m512i low_ = _mm512_load_si512(odd_table.ascii[0]), high_ = _mm512_load_si512(odd_table.ascii[1]);
};

usual_run usual_text(const char* in, std::size_t size) noexcept {
  usual_passage text;
  return pass_usual(text, in, size);
}

line_end utf8_last_line(const char* in, std::size_t size) noexcept {
  // Looks at two blocks at a time, `before` and `x`, without a branch on which of the two has the line feed: the
  // processor would often predict it wrong. Zeros stand for bytes outside of the text.
  std::size_t bytes = 0, continuations = 0;
  mask feeds = 0;
  while (bytes < size && feeds == 0) {
    const std::size_t left = size - bytes, n = std::min(left, block), n_before = std::min(left - n, block);
    // The bits of `m` for the last bytes of a block; `last` is their number.
    const auto last_of = [](mask m, std::size_t last) noexcept { return m & ~below(block - last); };
    const __m512i x = load(in + left - block, last_of(~mask{0}, n)),
                  before = load(in + left - n - block, last_of(~mask{0}, n_before));
    const mask both = line_feeds(x) != 0 ? 0 : ~mask{0};  // all ones: the bytes of `before` count, too
    const std::size_t last_bytes = std::min(n, static_cast<std::size_t>(_lzcnt_u64(line_feeds(x))));
    const std::size_t bytes_before =
        both & std::min(n_before, static_cast<std::size_t>(_lzcnt_u64(line_feeds(before))));
    bytes += last_bytes + bytes_before;
    continuations += count(last_of(_mm512_cmplt_epi8_mask(x, all<0xC0>()), last_bytes)) +
                     count(last_of(_mm512_cmplt_epi8_mask(before, all<0xC0>()), bytes_before));
    feeds = line_feeds(x) | line_feeds(before);
  }
  return {bytes, bytes - continuations};
}

//-------------------------------------------------------------------------------------------------- UTF-16 and the like

/// Room that the conversion of 32 units needs. The first 16 become at most three bytes each; after these a whole vector
/// is written for the other 16, even if only some of its bytes count.
constexpr std::size_t block_output = 16 * 3 + block;

/// The result of converting a block of units: the units taken, the bytes written, and the surrogate pairs and line
/// feeds among the units.
struct unit_run {
  std::size_t units, bytes, pairs, lines;
  bool in_pair;       // the last unit taken is a high surrogate; its two bytes have been written
  bool twos = false;  // there are characters of two bytes, and none of more
};

/// Writes the bytes that are not FF, and returns their number. FF marks the unneeded bytes of a lane: it never occurs
/// in UTF-8.
[[gnu::always_inline]] inline std::size_t squeeze(__m512i bytes, char* out) noexcept {
  const __mmask64 used = _mm512_cmpneq_epi8_mask(bytes, all<0xFF>());
  store(out, _mm512_maskz_compress_epi8(used, bytes));
  return count(used);
}

// Below, `fields` are the bits of code units or values, moved to the bytes of UTF-8 to which they belong; `bits` is a
// mask of the bits that each byte takes from the character; `tags` are the fixed bits of UTF-8 (such as 80 in
// 10xxxxxx and E0 in 1110xxxx), or FF in an unneeded byte.
//
// multishift_epi64_epi8(from, x) moves the fields. Each byte of the result gets the eight bits of x that begin at a
// certain bit, within the same 64 bits of x; the byte of `from` in the same place is the number of that bit. In a
// register, byte 0 is the lowest byte of a lane and is written first; so the constants read from right to left.
//
// The last argument of ternarylogic is a truth table. Bit 4a + 2b + c of it is the result for the bits a, b and c: 0xEA
// is (a & b) | c, and 0xCA is a ? b : c.

/// (fields & bits) | tags
[[gnu::always_inline]] inline __m512i tagged(__m512i fields, __m512i bits, __m512i tags) noexcept {
  return _mm512_ternarylogic_epi64(fields, bits, tags, 0xEA);
}

// The fields of the last two bytes of a character, in the place of its unit: byte 0 begins at bit 6 of the unit, byte 1
// at bit 0. The four units begin at the bits 0, 10, 20 and 30 (hexadecimal) of their 64 bits.
constexpr std::uint64_t last_two_fields = 0x30362026'10160006;

/// Writes 32 units below U+0800 as UTF-8; returns the number of bytes. `beyond_ascii` has the units from U+0080 on.
///   00000aaa aabbbbbb   byte 0: 110aaaaa, byte 1: 10bbbbbb   (the tags C0 and 80: 0x80C0)
///   00000000 0bbbbbbb   byte 0: not used, byte 1: 0bbbbbbb
[[gnu::always_inline]] inline std::size_t put_two_bytes(__m512i units, __mmask32 beyond_ascii, char* out) noexcept {
  const __m512i fields = _mm512_multishift_epi64_epi8(all_of<last_two_fields>(), units);
  const __m512i two = tagged(fields, all<0x3F>(), all_units<0x80C0>());
  const __m512i bytes = _mm512_mask_slli_epi16(two, ~beyond_ascii, units, 8);
  // Byte 0 of the units beyond ASCII (0x55..., one of each two bytes), and byte 1 of all units (0xAA...).
  const mask used = _pdep_u64(beyond_ascii, 0x5555555555555555) | 0xAAAAAAAAAAAAAAAA;
  store(out, _mm512_maskz_compress_epi8(used, bytes));
  return 32 + count(beyond_ascii);
}

/// How to make a vector of UTF-8 in which each character has three bytes: it has 21 characters and a third of one.
///
/// Byte i belongs to unit i / 3. `units` are the indices of a byte permutation. It brings to each eight bytes of output
/// the four units that they are made of, from `first_unit` on. `shifts` is the bit of these four units at which the
/// bits of the output byte begin. These are bits 12 to 15 of the unit for the first byte, 6 to 11 for the second, 0 to
/// 5 for the third.
struct alignas(block) three_bytes {
  unsigned char units[64] = {}, shifts[64] = {}, bits[64] = {}, tags[64] = {};

  constexpr three_bytes() noexcept {
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned first_unit = i / 8 * 8 / 3;
      const unsigned part = i % 3;
      units[i] = static_cast<unsigned char>(2 * first_unit + i % 8);
      shifts[i] = static_cast<unsigned char>(16 * (i / 3 - first_unit) + 12 - 6 * part);
      bits[i] = part == 0 ? 0x0F : 0x3F;
      tags[i] = part == 0 ? 0xE0 : 0x80;
    }
  }
};
constexpr three_bytes threes;

/// Writes 16 units, from `first_unit` on (0 or 16), as 48 bytes. Each is U+0800 or more. The 16 bytes written after
/// these have no meaning.
[[gnu::always_inline]] inline void put_three_bytes(__m512i units, unsigned first_unit, char* out) noexcept {
  const __m512i where =
      _mm512_add_epi8(_mm512_load_si512(threes.units), _mm512_set1_epi8(static_cast<char>(2 * first_unit)));
  const __m512i fields =
      _mm512_multishift_epi64_epi8(_mm512_load_si512(threes.shifts), _mm512_permutexvar_epi8(where, units));
  store(out, tagged(fields, _mm512_load_si512(threes.bits), _mm512_load_si512(threes.tags)));
}

/// An order of units that put_lanes needs. Interleaving (unpacklo, unpackhi) works in each quarter of a vector, on the
/// low and the high four of its eight units. In this order the low fours are the first 16 units, and the high fours the
/// other 16; so both results of the interleaving have their units in the order of the text.
struct alignas(block) interleaved {
  std::uint16_t unit[32] = {};

  constexpr interleaved() noexcept {
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned quad = i / 4;
      unit[i] = static_cast<std::uint16_t>((quad % 2 == 0 ? quad / 2 : 4 + quad / 2) * 4 + i % 4);
    }
  }
};
constexpr interleaved order;

/// Writes 32 units; returns the number of bytes. Each becomes a lane of four bytes: two of `leads` (FF, then the first
/// byte of a character of three bytes, or FF), and two of `last_two`. Both are in the order of `interleaved`.
[[gnu::always_inline]] inline std::size_t put_lanes(__m512i leads, __m512i last_two, char* out) noexcept {
  const std::size_t bytes = squeeze(_mm512_unpacklo_epi16(leads, last_two), out);
  return bytes + squeeze(_mm512_unpackhi_epi16(leads, last_two), out + bytes);
}

/// The `leads` of put_lanes; `three` has the units that become three bytes. The shift by 4 brings the upper four bits
/// of a unit to the low half of byte 1.
[[gnu::always_inline]] inline __m512i first_of_three(__m512i units, __mmask32 three) noexcept {
  return _mm512_mask_blend_epi16(three, all<0xFF>(),
                                 tagged(_mm512_srli_epi16(units, 4), all_units<0x0F00>(), all_units<0xE0FF>()));
}

/// Writes 32 units; returns the number of bytes. A surrogate becomes three bytes, like its neighbours in value. The last
/// two bytes of each unit are:
///   below U+0080      FF and 0xxxxxxx (the tags 0x00FF)
///   below U+0800      110xxxxx and 10xxxxxx (0x80C0)
///   from U+0800 on    10xxxxxx and 10xxxxxx (0x8080)
[[gnu::always_inline]] inline std::size_t put_three_or_less(__m512i x, char* out) noexcept {
  const __m512i units = _mm512_permutexvar_epi16(_mm512_load_si512(order.unit), x);
  const __mmask32 two = _mm512_test_epi16_mask(units, all_units<0xFF80>());
  const __mmask32 three = _mm512_test_epi16_mask(units, all_units<0xF800>());
  const __m512i fields = _mm512_multishift_epi64_epi8(all_of<last_two_fields>(), units);
  const __m512i bits = _mm512_mask_blend_epi16(two, all_units<0x7F00>(), all_units<0x3F3F>());
  const __m512i tags =
      _mm512_mask_mov_epi16(_mm512_mask_blend_epi16(two, all_units<0x00FF>(), all_units<0x80C0>()), three, all<0x80>());
  return put_lanes(first_of_three(units, three), tagged(fields, bits, tags), out);
}

/// The same, in a shorter way if all units are in `three`: from U+0800 on.
[[gnu::always_inline]] inline std::size_t put_up_to_three(__m512i x, __mmask32 three, char* out) noexcept {
  if (three != 0xFFFFFFFF) return put_three_or_less(x, out);
  put_three_bytes(x, 0, out);
  put_three_bytes(x, 16, out + 48);
  return 96;
}

/// Converts 32 units, some of them surrogates; `predecessors` has the unit before each. The result does not count line
/// feeds. If a surrogate is unpaired, nothing is converted; a high surrogate that is the last unit counts as paired. If
/// `open` is set, such a high surrogate is left out.
///
/// A pair 110110ww wwzzzzyy 110111yy yyxxxxxx is 11110uuu 10uuzzzz 10yyyyyy 10xxxxxx, where uuuuu = wwww + 1 (Unicode
/// tables 3-5 and 3-6). The high surrogate becomes the first two bytes. The low one becomes the last two, with the tags
/// 0x8080; its first two bits of y come from the unit before it.
[[gnu::always_inline]] inline unit_run put_pairs(__m512i x, __m512i predecessors, bool open, char* out) noexcept {
  const __m512i units = _mm512_permutexvar_epi16(_mm512_load_si512(order.unit), x);
  const __m512i before = _mm512_permutexvar_epi16(_mm512_load_si512(order.unit), predecessors);
  const __mmask32 two = _mm512_test_epi16_mask(units, all_units<0xFF80>());
  const __mmask32 three = _mm512_test_epi16_mask(units, all_units<0xF800>());
  const __m512i kind = _mm512_and_si512(units, all_units<0xFC00>());
  const __mmask32 high = _mm512_cmpeq_epi16_mask(kind, all_units<0xD800>());
  const __mmask32 low = _mm512_cmpeq_epi16_mask(kind, all_units<0xDC00>());
  const __mmask32 paired = _mm512_cmpeq_epi16_mask(_mm512_and_si512(before, all_units<0xFC00>()), all_units<0xD800>());
  if (low != paired) return {};

  // A low surrogate keeps its ten bits, yyyyxxxxxx, and gets the two bits yy of the one before it at bits 10 and 11.
  const __m512i with_bits = _mm512_ternarylogic_epi64(all_units<0x03FF>(), units, _mm512_slli_epi16(before, 10), 0xCA);
  // A high surrogate becomes uuuuuzzzzyy: minus D800, then plus 40, which is 1 at bit 6, where the w begin. In 16 bits
  // that is plus 2840.
  const __m512i values =
      _mm512_mask_add_epi16(_mm512_mask_mov_epi16(units, low, with_bits), high, units, all_units<0x2840>());
  // In a high surrogate byte 0 begins at bit 8 (uuu), byte 1 at bit 2 (uuzzzz).
  const __m512i shifts = _mm512_mask_mov_epi16(all_of<last_two_fields>(), high, all_of<0x32382228'12180208>());
  const __m512i fields = _mm512_multishift_epi64_epi8(shifts, values);
  const __m512i bits = _mm512_mask_blend_epi16(two, all_units<0x7F00>(), all_units<0x3F3F>());
  __m512i tags = _mm512_mask_blend_epi16(two, all_units<0x00FF>(), all_units<0x80C0>());
  tags = _mm512_mask_mov_epi16(tags, three, all<0x80>());
  tags = _mm512_mask_mov_epi16(tags, high, all_units<0x80F0>());
  const __mmask32 left = open ? high & 0x80000000 : 0;  // the last unit, which is the last in both orders
  tags = _mm512_mask_mov_epi16(tags, left, all<0xFF>());
  const std::size_t bytes = put_lanes(first_of_three(units, three & ~(high | low)), tagged(fields, bits, tags), out);
  return {std::size_t{32} - (left >> 31), bytes, count(low), 0, (high & ~left) >> 31 != 0};
}

/// The number of units before the first unpaired surrogate; there must be one. A low surrogate must be in each place
/// after a high one, and nowhere else. At the first place that breaks this rule, either the low surrogate there or the
/// high one before it is unpaired.
[[gnu::always_inline]] inline std::size_t paired_units(__m512i x) noexcept {
  const __m512i kind = _mm512_and_si512(x, all_units<0xFC00>());
  const mask after_high = mask{_mm512_cmpeq_epi16_mask(kind, all_units<0xD800>())} << 1;
  const mask odd = after_high ^ _mm512_cmpeq_epi16_mask(kind, all_units<0xDC00>());
  return first(odd) - static_cast<std::size_t>(after_high >> first(odd) & 1);
}

/// Converts the first `known` units of `x`, in the shortest way that their characters allow; zeros follow them.
/// `predecessors()` returns the vector of the units before each. Zeros are converted, too, as one byte each, which the
/// result leaves out.
///
/// If `open` is set, stops before an unpaired surrogate, and before a high surrogate that is the last unit. If `open`
/// is not set, converts nothing if a surrogate is unpaired; a high surrogate that is the last unit becomes two bytes,
/// and the low one after it, in the next block, the other two.
template <class Predecessors>
[[gnu::always_inline]] inline unit_run put_units(__m512i x, Predecessors predecessors, std::size_t known, bool open,
                                                 char* out) noexcept {
  const __mmask32 beyond_ascii = _mm512_test_epi16_mask(x, all_units<0xFF80>());
  std::size_t lines = count(_mm512_cmpeq_epi16_mask(x, all_units<'\n'>()));
  if (beyond_ascii == 0) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi16_epi8(x));
    return {known, known, 0, lines, false};
  }
  const __mmask32 beyond_two = _mm512_test_epi16_mask(x, all_units<0xF800>());
  if (beyond_two == 0) return {known, put_two_bytes(x, beyond_ascii, out) - (32 - known), 0, lines, false, true};

  const __m512i kind = _mm512_and_si512(x, all_units<0xF800>());
  const __mmask32 surrogates = _mm512_cmpeq_epi16_mask(kind, all_units<0xD800>());
  if (surrogates == 0) return {known, put_up_to_three(x, beyond_two, out) - (32 - known), 0, lines, false};
  unit_run done = put_pairs(x, predecessors(), open, out);
  if (done.units == 0 && open) {
    known = paired_units(x);
    const auto whole = static_cast<__mmask32>(below(known));
    x = _mm512_maskz_mov_epi16(whole, x);
    lines = count(_mm512_cmpeq_epi16_mask(x, all_units<'\n'>()));
    done = put_pairs(x, _mm512_maskz_mov_epi16(whole, predecessors()), open, out);
  }
  return {done.units - (32 - known), done.bytes - (32 - known), done.pairs, lines, done.in_pair};
}

//---------------------------------------------------------------------------------- other encodings as sources of units

// The sources of to_utf8: the encodings that it reads. Each has
//   size                            the bytes of a code unit
//   units                           the code units of a block
//   put(block, known, open, out)    converts the first `known` units of a block, as put_units does
//   is_low(unit)                    whether the unit at this address is a low surrogate
//   batch                           64 code units in registers. If is_ascii(), put_ascii(out) writes 64 bytes
//                                   and returns them. UTF-16: if is_below_800(), put_twos(out) writes them, too
template <bool Big>
struct utf16_source {
  static constexpr std::size_t size = 2, units = 32;

  [[gnu::always_inline]] static __m512i native(__m512i bytes) noexcept {
    return Big ? _mm512_shldi_epi16(bytes, bytes, 8) : bytes;
  }
  template <class Block>
  [[gnu::always_inline]] static unit_run put(const Block& at, std::size_t known, bool open, char* out) noexcept {
    return put_units(
        native(at.back(0)), [&]() noexcept { return native(at.back(2)); }, known, open, out);
  }
  static bool is_low(const char* unit) noexcept { return is_low_surrogate(unit_at(Big, unit)); }

  struct batch {
    __m512i a, b;

    [[gnu::always_inline]] explicit batch(const char* in) noexcept : a(load(in)), b(load(in + block)) {}
    bool is_ascii() const noexcept { return !has_any_of<(Big ? 0x80FF : 0xFF80)>(); }
    bool is_below_800() const noexcept { return !has_any_of<(Big ? 0x00F8 : 0xF800)>(); }
    [[gnu::always_inline]] __m512i put_ascii(char* out) const noexcept {
      const __m512i quarters =
          Big ? _mm512_packus_epi16(_mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8)) : _mm512_packus_epi16(a, b);
      const __m512i x = _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), quarters);
      store(out, x);
      return x;
    }
    [[gnu::always_inline]] unit_run put_twos(char* out) const noexcept {
      const __m512i x = native(a), y = native(b);
      const std::size_t bytes = put_two_bytes(x, _mm512_test_epi16_mask(x, all_units<0xFF80>()), out);
      const std::size_t both = bytes + put_two_bytes(y, _mm512_test_epi16_mask(y, all_units<0xFF80>()), out + bytes);
      const mask feeds =
          _mm512_kunpackd(_mm512_cmpeq_epi16_mask(x, all_units<'\n'>()), _mm512_cmpeq_epi16_mask(y, all_units<'\n'>()));
      return {64, both, 0, count(feeds), false};
    }

   private:
    template <std::uint16_t Bits>
    bool has_any_of() const noexcept {
      return _mm512_test_epi16_mask(_mm512_or_si512(a, b), all_units<Bits>()) != 0;
    }
  };
};

struct latin1_source {
  static constexpr std::size_t size = 1, units = 32;

  template <class Block>
  [[gnu::always_inline]] static unit_run put(const Block& at, std::size_t known, bool, char* out) noexcept {
    const __m512i x = _mm512_cvtepu8_epi16(at.first_half());
    const __mmask32 beyond_ascii = _mm512_test_epi16_mask(x, all_units<0x80>());
    const __mmask32 feeds = _mm512_cmpeq_epi16_mask(x, all_units<'\n'>());
    return {known, put_two_bytes(x, beyond_ascii, out) - (32 - known), 0, count(feeds), false};
  }
  static bool is_low(const char*) noexcept { return false; }

  struct batch {
    __m512i x;

    [[gnu::always_inline]] explicit batch(const char* in) noexcept : x(load(in)) {}
    bool is_ascii() const noexcept { return _mm512_movepi8_mask(x) == 0; }
    __m512i put_ascii(char* out) const noexcept {
      store(out, x);
      return x;
    }
  };
};

/// Any encoding of one byte per character. An unassigned byte becomes an unpaired surrogate, before which put_units stops.
struct table_source {
  static constexpr std::size_t size = 1, units = 32;
  const byte_table& table;

  using batch = latin1_source::batch;

  template <class Block>
  [[gnu::always_inline]] unit_run put(const Block& at, std::size_t known, bool open, char* out) const noexcept {
    const __m512i bytes = _mm512_cvtepu8_epi16(at.first_half());
    const __m512i beyond = _mm512_mask_blend_epi8(0xAAAAAAAAAAAAAAAA, of_rows(table.low, bytes),
                                                  of_rows(table.high, _mm512_slli_epi16(bytes, 8)));
    const __m512i x = _mm512_mask_mov_epi16(bytes, _mm512_test_epi16_mask(bytes, all_units<0x80>()), beyond);
    unit_run done = put_units(
        x, [&]() noexcept { return _mm512_setzero_si512(); }, known, open, out);
    done.twos = false;
    return done;
  }
  static bool is_low(const char*) noexcept { return false; }

 private:
  /// Looks up each byte of `x` by its low seven bits.
  [[gnu::always_inline]] static __m512i of_rows(const unsigned char (&rows)[8][16], __m512i x) noexcept {
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(rows), x, _mm512_loadu_si512(rows + 4));
  }
};

/// Writes 16 scalar values as UTF-8, without those in `none`; returns the number of bytes. The bytes of each character
/// are at the end of its lane of four bytes, and FF before them. The fields of bytes 0 to 3 begin at the bits 18, 12, 6
/// and 0 of the value: 12, 0C, 06 and 00 hexadecimal. The second of two values in 64 bits begins at bit 20 hexadecimal.
[[gnu::always_inline]] inline std::size_t put_values(__m512i values, __mmask16 none, char* out) noexcept {
  const auto at_least = [&](__m512i value) noexcept { return _mm512_cmpge_epu32_mask(values, value); };
  const __mmask16 two = at_least(all_values<0x80>()), three = at_least(all_values<0x800>()),
                  four = at_least(all_values<0x10000>());
  const __m512i fields = _mm512_multishift_epi64_epi8(all_of<0x20262C32'00060C12>(), values);
  __m512i bits = _mm512_mask_blend_epi32(two, all_values<0x7F000000>(), all_values<0x3F3F0000>());
  __m512i tags = _mm512_mask_blend_epi32(two, all_values<0x00FFFFFF>(), all_values<0x80C0FFFF>());
  bits = _mm512_mask_mov_epi32(bits, three, all_values<0x3F3F3F07>());
  tags = _mm512_mask_mov_epi32(tags, three, all_values<0x8080E0FF>());
  tags = _mm512_mask_mov_epi32(tags, four, all_values<0x808080F0>());
  tags = _mm512_mask_mov_epi32(tags, none, all<0xFF>());
  return squeeze(tagged(fields, bits, tags), out);
}

template <bool Big>
struct utf32_source {
  static constexpr std::size_t size = 4, units = 16;

  template <class Block>
  [[gnu::always_inline]] static unit_run put(const Block& at, std::size_t known, bool, char* out) noexcept {
    const __m512i bytes = at.back(0);
    const __m512i swapped = _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203);
    const __m512i x = Big ? _mm512_shuffle_epi8(bytes, swapped) : bytes;
    const __mmask16 surrogates =
        _mm512_cmpeq_epi32_mask(_mm512_and_si512(x, all_values<0xFFFFF800>()), all_values<0xD800>());
    const __mmask16 too_high = _mm512_cmpgt_epu32_mask(x, all_values<0x10FFFF>());
    const auto n = std::min(known, first(mask{surrogates} | too_high));
    const __mmask16 feeds = _mm512_cmpeq_epi32_mask(x, all_values<'\n'>());
    return {n, put_values(x, static_cast<__mmask16>(~below(n)), out), 0, count(feeds & below(n)), false};
  }
  static bool is_low(const char*) noexcept { return false; }

  struct batch {
    __m512i x[4];

    [[gnu::always_inline]] explicit batch(const char* in) noexcept
        : x{load(in), load(in + block), load(in + 2 * block), load(in + 3 * block)} {}
    bool is_ascii() const noexcept {
      const __m512i any = _mm512_or_si512(_mm512_or_si512(x[0], x[1]), _mm512_or_si512(x[2], x[3]));
      return _mm512_test_epi32_mask(any, all_values<(Big ? 0x80FFFFFF : 0xFFFFFF80)>()) == 0;
    }
    __m512i put_ascii(char* out) const noexcept {
      for (int i = 0; i < 4; ++i) {
        const __m512i values = Big ? _mm512_srli_epi32(x[i], 24) : x[i];
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 16 * i), _mm512_cvtepi32_epi8(values));
      }
      return load(out);
    }
  };
};

/// The whole characters at the start of UTF-8 that fit into the room, and the code units that they came from. If
/// `in_pairs` is set, a character from U+10000 on is a pair of units.
[[gnu::noinline]] unit_run cut_to(const char* utf8, std::size_t room, bool in_pairs) noexcept {
  while (is_continuation(static_cast<unsigned char>(utf8[room]))) --room;
  unit_run fits{0, room, 0, 0, false};
  for (std::size_t i = 0; i < room; ++i) {
    auto byte = static_cast<unsigned char>(utf8[i]);
    one_by_one(byte);
    fits.units += !is_continuation(byte);
    fits.pairs += in_pairs && byte >= 0xF0;
    fits.lines += byte == '\n';
  }
  fits.units += fits.pairs;
  return fits;
}

/// Converts 64 units at a time while all of them are below U+0800. Ends after 64 that are ASCII: to_utf8 has a shorter
/// way for these.
template <class Source>
[[gnu::noinline]] unit_run put_twos(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  const fetch_distances& distances = *chosen_distances.load(std::memory_order_relaxed);
  const char* const in_ahead = ahead_of(in, distances.convert);
  const char* const out_ahead = ahead_of(out, distances.write);
  unit_run done{0, 0, 0, 0, false};
  while (size - done.units * 2 >= 2 * block && room - done.bytes >= 2 * block) {
    const typename Source::batch x(in + done.units * 2);
    if (!x.is_below_800()) break;
    for (std::size_t i = 0; i < 2 * block; i += block) {
      fetch(in_ahead + done.units * 2 + i);
      fetch(out_ahead + done.bytes + i);
    }
    const unit_run part = x.put_twos(out + done.bytes);
    done.units += part.units;
    done.bytes += part.bytes;
    done.lines += part.lines;
    if (part.bytes == block) break;
  }
  return done;
}

/// Converts block by block, ASCII in longer steps, and the rest in parts.
template <class Source>
run to_utf8_from(Source source, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  constexpr std::size_t unit = Source::size, units = Source::units;
  const fetch_distances& distances = *chosen_distances.load(std::memory_order_relaxed);
  const char* const in_ahead = ahead_of(in, distances.convert);
  const char* const out_ahead = ahead_of(out, distances.write);
  std::size_t at = 0, produced = 0, pairs = 0, lines = 0;
  const std::size_t end = size - size % unit;
  const auto done = [&]() noexcept -> run { return {at, produced, at / unit - pairs, lines}; };
  const auto pass = [&](const unit_run& part) noexcept {
    at += part.units * unit;
    produced += part.bytes;
    pairs += part.pairs;
    lines += part.lines;
  };
  bool in_pair = false;  // the last unit converted is a high surrogate
  while (end - at >= units * unit && room - produced >= block_output) {
    // The high surrogate at the end of the last block is unpaired. (& instead of &&: one branch, not two.)
    if (static_cast<unsigned>(in_pair) & static_cast<unsigned>(!Source::is_low(in + at))) break;
    fetch(in_ahead + at);
    fetch(out_ahead + produced);
    const unit_run part = at == 0 ? source.put(part_block{in, below(units * unit), true}, units, false, out)
                                  : source.put(whole_block{in + at}, units, false, out + produced);
    if (part.units == 0) break;
    pass(part);
    in_pair = part.in_pair;
    if (part.bytes != units && !part.twos) continue;
    // Goes on with 64 units at a time while they have one or two bytes each. After five batches of ASCII in a row the
    // output is aligned; after three in a row that are not ASCII, put_twos is faster.
    for (std::size_t ascii = 0, twos = 0; end - at >= 64 * unit && room - produced >= 2 * block;) {
      for (std::size_t i = 0; i < unit; ++i) fetch(in_ahead + at + i * 64);
      fetch(out_ahead + produced);
      const typename Source::batch x(in + at);
      if (x.is_ascii()) {
        const __m512i text = x.put_ascii(out + produced);
        const std::size_t step = ++ascii == 5 ? to_alignment(out + produced) : 64;
        lines += count(line_feeds(text) & below(step));
        at += step * unit;
        produced += step;
        twos = 0;
        continue;
      }
      if constexpr (unit == 2)
        if (x.is_below_800()) {
          pass(x.put_twos(out + produced));
          ascii = 0;
          if (++twos < 3) continue;
          pass(put_twos<Source>(in + at, end - at, out + produced, room - produced));
        }
      break;
    }
  }
  if (in_pair) {  // takes the half of a pair back: below it is converted with its other half, or is an error
    at -= unit;
    produced -= 2;
  }
  // The end of the input, or of the room. If the room is too small for the longest output, `part_out` gets the output,
  // and the characters that fit are copied.
  while (at != end && produced != room) {
    char part_out[block_output];
    const bool direct = room - produced >= block_output;
    const std::size_t known = std::min((end - at) / unit, units);
    unit_run part =
        source.put(part_block{in + at, below(known * unit), true}, known, true, direct ? out + produced : part_out);
    if (part.units == 0) return done();
    const bool full = part.bytes > room - produced;
    if (full) part = cut_to(part_out, room - produced, unit == 2);
    if (!direct) std::memcpy(out + produced, part_out, part.bytes);
    pass(part);
    if (full) return done();
  }
  return done();
}

template <class Source>
run to_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return to_utf8_from(Source(), in, size, out, room);
}
run bytes_to_utf8(const byte_table& from, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return to_utf8_from(table_source{from}, in, size, out, room);
}

//------------------------------------------------------------------------------------------------------ UTF-8 to UTF-16

/// 32 bytes of ASCII as UTF-16 units.
[[gnu::always_inline]] inline __m512i ascii_units(bool big, __m256i bytes) noexcept {
  const __m512i units = _mm512_cvtepu8_epi16(bytes);
  return big ? _mm512_slli_epi16(units, 8) : units;
}

/// Writes 64 bytes of ASCII as 64 units.
[[gnu::always_inline]] inline void put_ascii_units(bool big, __m512i x, char* out) noexcept {
  store(out, ascii_units(big, _mm512_castsi512_si256(x)));
  store(out + block, ascii_units(big, _mm512_extracti64x4_epi64(x, 1)));
}
/// Does the same, but writes only the first `units` units.
[[gnu::always_inline]] inline void put_ascii_units(bool big, __m512i x, char* out, std::size_t units) noexcept {
  const mask written = below(units);
  _mm512_mask_storeu_epi16(out, static_cast<__mmask32>(written), ascii_units(big, _mm512_castsi512_si256(x)));
  if (units <= block / 2) return;  // `out + block` may be past the buffer, and must not be computed then
  _mm512_mask_storeu_epi16(out + block, static_cast<__mmask32>(written >> 32),
                           ascii_units(big, _mm512_extracti64x4_epi64(x, 1)));
}

/// Computes a UTF-16 unit at each byte of the block, as if a character ended there, and writes the units of the bytes
/// at which a character ends. Also writes the unit of each third byte of four, which makes the high surrogate; the
/// fourth byte makes the low one. Only bytes in `wanted` make units: they belong to whole characters, the first of
/// which may have begun in the block before. Returns the number of bytes produced; always writes 128.
template <class Block>
[[gnu::always_inline]] inline std::size_t put_units_of(bool big, const Block& at, __m512i x, const utf8_block& b,
                                                       __mmask64 wanted, char* out) noexcept {
  // 1110aaaa 10bbbbcc 10dddddd is the unit aaaabbbb ccdddddd; `high` and `low` are its bytes.
  // 110bbbcc 10dddddd lacks the a, and 0ddddddd also the b and c: `one` has bytes only before continuation bytes.
  const __m512i one = _mm512_maskz_mov_epi8(b.continuation, at.back(1));
  const __m512i two = at.back(2);
  const __m512i last = _mm512_mask_sub_epi8(x, b.continuation, x, all<0x80>());
  // The bytes that make no unit: lead bytes, and the second bytes of three or four.
  __mmask64 open = _mm512_cmpge_epu8_mask(x, all<0xC0>()) | _mm512_cmpge_epu8_mask(at.back(1), all<0xE0>());
  __m512i low = _mm512_ternarylogic_epi64(_mm512_slli_epi16(one, 6), all<0xC0>(), last, 0xEA);
  __m512i high = _mm512_ternarylogic_epi64(all<0x0F>(), _mm512_srli_epi16(one, 2),
                                           _mm512_slli_epi16(_mm512_maskz_mov_epi8(b.third, two), 4), 0xCA);
  const __mmask64 of_four = _mm512_mask_cmpge_epu8_mask(b.third, two, all<0xF0>());  // the third bytes of four
  if ((of_four | b.fourth) != 0) {
    // 11110aaa 10bbbbbb 10cccccc 10dddddd is the pair D7C0 + (aaabbbbbbcc), DC00 + (ccccdddddd): D7C0 is D800 - 40,
    // where 40 is 10000, which a pair subtracts from the code point, shifted down by 10 bits. (Numbers are
    // hexadecimal.)
    //
    // At the third byte, `low_of_pair` is bbbbbbcc. The low byte of the unit is bbbbbbcc + C0, which is bbbbbbcc - 40
    // in a byte. The high byte is D7 + aaa and the carry of that sum: D8 + aaa, less 1 if bbbbbbcc is below 40.
    //
    // At the fourth byte, `low` is ccdddddd already, and the lowest two bits of `high` are the other two of cccc.
    const __m512i low_of_pair =
        _mm512_ternarylogic_epi64(all<0xFC>(), _mm512_slli_epi16(one, 2), _mm512_srli_epi16(x, 4), 0xCA);
    const __m512i high_of_pair = _mm512_add_epi8(_mm512_and_si512(two, all<0x07>()), all<0xD8>());
    const mask borrow = _mm512_cmplt_epu8_mask(low_of_pair, all<0x40>());
    low = _mm512_mask_sub_epi8(low, of_four, low_of_pair, all<0x40>());
    high = _mm512_mask_mov_epi8(high, of_four, _mm512_mask_sub_epi8(high_of_pair, borrow, high_of_pair, all<1>()));
    high = _mm512_mask_mov_epi8(high, b.fourth, tagged(high, all<0x03>(), all<0xDC>()));
  }
  const __mmask64 ends = wanted & ~open;
  // Interleaving works in each quarter of a vector, on its low and its high eight bytes. So eight bytes of the first
  // half and eight of the second come into each quarter.
  const __m512i quarters = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
  const __m512i lows = _mm512_permutexvar_epi64(quarters, _mm512_maskz_compress_epi8(ends, low));
  const __m512i highs = _mm512_permutexvar_epi64(quarters, _mm512_maskz_compress_epi8(ends, high));
  if (big) {
    store(out, _mm512_unpacklo_epi8(highs, lows));
    store(out + block, _mm512_unpackhi_epi8(highs, lows));
  } else {
    store(out, _mm512_unpacklo_epi8(lows, highs));
    store(out + block, _mm512_unpackhi_epi8(lows, highs));
  }
  return 2 * count(ends);
}

/// The number of bytes of UTF-8 that these units of whole characters came from; a pair counts at its low surrogate,
/// because its high surrogate may be in the block before.
[[gnu::noinline]] std::size_t utf8_bytes_of(bool big, const char* units, std::size_t size) noexcept {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < size; i += 2) {
    char32_t unit = unit_at(big, units + i);
    one_by_one(unit);
    if (!is_high_surrogate(unit)) bytes += unit < 0x80 ? 1u : unit < 0x800 ? 2u : is_low_surrogate(unit) ? 4u : 3u;
  }
  return bytes;
}

/// Converts whole blocks in place as long as nothing is wrong; then one block at an edge, through a buffer if the room
/// is too small for the longest output.
class utf16_writer {
 public:
  [[gnu::always_inline]] utf16_writer(bool big, const char* in, std::size_t size, char* out, std::size_t room) noexcept
      : big_(big), in_(in), size_(size), out_(out), room_(room) {}

  [[gnu::always_inline]] run write() noexcept {
    do pass_whole_blocks();
    while (pass_edge());
    return {at_, produced_, at_ - continuations_, lines_};
  }

 private:
  [[gnu::always_inline]] bool is_whole() const noexcept {
    return size_ - at_ >= block && room_ - produced_ >= 2 * block;
  }
  [[gnu::always_inline]] bool follows_ascii() const noexcept { return static_cast<signed char>(in_[at_ - 1]) >= 0; }

  [[gnu::always_inline]] void add(const utf8_block& b, __m512i x, mask good) noexcept {
    continuations_ += count(b.continuation & good);
    lines_ += count(line_feeds(x) & good);
  }

  /// Passes whole blocks without an error. Leaves the first block of the text to pass_edge, because nothing can be read
  /// before it.
  [[gnu::always_inline]] void pass_whole_blocks() noexcept {
    while (at_ != 0 && is_whole()) {
      if (sparse_ && follows_ascii()) {
        pass_ascii();
        if (!is_whole()) return;
      }
      const whole_block p{in_ + at_};
      const __m512i x = p.back(0);
      const utf8_block b = check_.check(p, x);
      if (b.wrong != 0) return;
      produced_ += put_units_of(big_, p, x, b, ~mask{0}, out_ + produced_);
      add(b, x, ~mask{0});
      at_ += block;
      sparse_ = (b.continuation | b.second) == 0;
    }
  }

  /// Passes whole blocks of ASCII; of the first one only as many bytes as align the output after them.
  [[gnu::always_inline]] void pass_ascii() noexcept {
    std::size_t step = (block + to_alignment(out_ + produced_)) / 2;  // bytes of input
    for (; is_whole(); at_ += step, produced_ += 2 * step, step = block) {
      const __m512i x = load(in_ + at_);
      if (_mm512_movepi8_mask(x) != 0) return;
      put_ascii_units(big_, x, out_ + produced_);
      lines_ += count(line_feeds(x) & below(step));
    }
  }

  /// Passes a block at an edge: there the text begins or ends, or the room ends, or a byte is wrong. Returns false if
  /// that was the end of the conversion.
  [[gnu::always_inline]] bool pass_edge() noexcept {
    const std::size_t rest = std::min(size_ - at_, block);
    const part_block p{in_ + at_, below(rest), at_ == 0};
    const __m512i x = p.back(0);
    if (_mm512_movepi8_mask(x) == 0 && (at_ == 0 || follows_ascii())) {
      const std::size_t taken = std::min(rest, (room_ - produced_) / 2);
      put_ascii_units(big_, x, out_ + produced_, taken);
      lines_ += count(line_feeds(x) & below(taken));
      at_ += taken;
      produced_ += 2 * taken;
      return taken == rest && at_ != size_;
    }
    check_.again();
    const utf8_block b = check_.check(p, x);
    const std::size_t end = b.wrong == 0 ? at_ + rest : end_of_good(in_, at_ + first(b.wrong));
    char part[2 * block];
    const bool direct = room_ - produced_ >= sizeof part;
    const std::size_t units =
        put_units_of(big_, p, x, b, below(end > at_ ? end - at_ : 0), direct ? out_ + produced_ : part);
    const std::size_t taken = std::min(units, (room_ - produced_) / 2 * 2);
    if (!direct && taken != 0) std::memcpy(out_ + produced_, part, taken);
    if (b.wrong == 0 && rest == block && taken == units) {
      add(b, x, ~mask{0});
      at_ += block;
      produced_ += units;
      return true;
    }
    const std::size_t total = without_half_pair(produced_ + taken);
    finish(b, x, total, taken == units ? end : end_of_output(total));
    return false;
  }

  /// The size of the output up to `total` without a high surrogate at its end, which this block or the one before has
  /// written: its character is not complete.
  [[gnu::always_inline]] std::size_t without_half_pair(std::size_t total) const noexcept {
    return total >= 2 && is_high_surrogate(unit_at(big_, out_ + total - 2)) ? total - 2 : total;
  }

  /// The place in the input after the last character of the output up to `total`.
  [[gnu::always_inline]] std::size_t end_of_output(std::size_t total) const noexcept {
    const std::size_t size = total > produced_ ? total - produced_ : 0;
    return end_of_good(in_, at_) + utf8_bytes_of(big_, out_ + produced_, size);
  }

  /// Ends the conversion in this block: at `end` in the input, at `total` in the output.
  [[gnu::always_inline]] void finish(const utf8_block& b, __m512i x, std::size_t total, std::size_t end) noexcept {
    // If the last character began in the block before, its continuation bytes there have been counted.
    if (end < at_)
      continuations_ -= at_ - end - 1;
    else
      add(b, x, below(end - at_));
    at_ = end;
    produced_ = total;
  }

  bool big_;
  const char* in_;
  std::size_t size_;
  char* out_;
  std::size_t room_;
  std::size_t at_ = 0, produced_ = 0, continuations_ = 0, lines_ = 0;
  utf8_checker check_;
  bool sparse_ = true;  // the last block was ASCII, except perhaps its last byte
};

/// Converts text of any length, here and in convert_past_caches (ways.inc).
struct to_utf16 {
  bool big;

  [[gnu::noinline]] run convert(const char* in, std::size_t size, char* out, std::size_t room) const noexcept {
    return size != 0 ? utf16_writer(big, in, size, out, room).write() : run{};
  }
  [[gnu::always_inline]] static bool is_ascii(const char* in) noexcept { return _mm512_movepi8_mask(load(in)) == 0; }
  [[gnu::always_inline]] std::size_t put_ascii(const char* in, char* out) const noexcept {
    const __m512i x = load(in);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out), ascii_units(big, _mm512_castsi512_si256(x)));
    _mm512_stream_si512(reinterpret_cast<__m512i*>(out + block), ascii_units(big, _mm512_extracti64x4_epi64(x, 1)));
    return count(line_feeds(x));
  }
  static void end() noexcept { _mm_sfence(); }
};

/// Converts a text of one or two blocks. There must be room for two bytes for each byte of these blocks.
[[gnu::always_inline]] inline run put_line(bool big, const char* in, std::size_t size, char* out,
                                           std::size_t room) noexcept {
  const first_block start{load(in, below(size))};
  if (size <= block && _mm512_movepi8_mask(start.x) == 0) {
    put_ascii_units(big, start.x, out);
    return {size, 2 * size, size, count(line_feeds(start.x))};
  }
  utf8_checker check;
  utf8_block b = check.check(start, start.x);
  std::size_t produced = put_units_of(big, start, start.x, b, below(size), out);
  std::size_t continuations = count(b.continuation), lines = count(line_feeds(start.x));
  mask wrong = b.wrong;
  if (size > block) {
    const part_block end{in + block, below(size - block), false};
    const __m512i x = end.back(0);
    b = check.check(end, x);
    produced += put_units_of(big, end, x, b, end.known, out + produced);
    continuations += count(b.continuation);
    lines += count(line_feeds(x));
    wrong |= b.wrong;
  }
  // The text is ill-formed, or ends inside a character.
  if (wrong != 0 || end_of_good(in, size) != size) return to_utf16{big}.convert(in, size, out, room);
  return {size, produced, size - continuations, lines};
}

UTFILTER_ONE_COPY run utf8_to_units(bool big, const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  if (size == 0) return {};  // `in` may be null, and there is no address before that
  if (size <= 2 * block && room >= 4 * block) return put_line(big, in, size, out, room);
  if (size >= beyond_caches) return convert_past_caches(to_utf16{big}, in, size, out, room);
  return to_utf16{big}.convert(in, size, out, room);
}
template <bool Big>
run utf8_to_utf16(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return utf8_to_units(Big, in, size, out, room);
}

//--------------------------------------------------------------------------------------------------------------- CESU-8

/// Converts whole blocks.
run cesu8_to_units(const char* in, std::size_t size, char* units) noexcept {
  if (size < block) return {};
  block_checker<cesu8_seconds> check;
  std::size_t at = 0, produced = 0;
  const auto pass = [&](const auto& p) noexcept {
    const __m512i x = p.back(0);
    const utf8_block b = check.check(p, x);
    if (b.wrong != 0) return false;
    produced += put_units_of(false, p, x, b, ~mask{0}, units + produced);
    at += block;
    return true;
  };
  bool good = pass(first_block{load(in)});
  while (good && size - at >= block) good = pass(whole_block{in + at});
  return {end_of_good(in, at), produced, 0, 0};
}

std::size_t units_to_cesu8(const char* units, std::size_t size, char* out) noexcept {
  std::size_t at = 0, produced = 0;
  for (; at < size; at += block) {
    const __m512i x = load(units + at);
    produced += put_up_to_three(x, _mm512_test_epi16_mask(x, all_units<0xF800>()), out + produced);
  }
  return produced - (at - size) / 2;  // without the zeros
}

//------------------------------------------------------------------------------- UTF-8 to other encodings, by UTF-16

/// Copies a block if it is ASCII.
[[gnu::always_inline]] inline bool copy_ascii_block(const char* in, char* out, std::size_t& lines) noexcept {
  const __m512i x = load(in);
  if (_mm512_movepi8_mask(x) != 0) return false;
  store(out, x);
  lines += count(line_feeds(x));
  return true;
}

// by_units.inc explains these functions.
constexpr std::size_t batch = 64;

/// The low bytes of 64 units.
[[gnu::always_inline]] inline __m512i low_bytes(__m512i a, __m512i b) noexcept {
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi16_epi8(a)), _mm512_cvtepi16_epi8(b), 1);
}
/// A bit for each of 64 units: whether the unit has any of `Bits`.
template <std::uint16_t Bits>
[[gnu::always_inline]] inline mask has_any_of(__m512i a, __m512i b) noexcept {
  return _mm512_kunpackd(_mm512_test_epi16_mask(b, all_units<Bits>()), _mm512_test_epi16_mask(a, all_units<Bits>()));
}

std::size_t put_latin1(const char* units, char* out) noexcept {
  const __m512i a = load(units), b = load(units + block);
  if (_mm512_test_epi16_mask(_mm512_or_si512(a, b), all_units<0xFF00>()) != 0) return 0;
  store(out, low_bytes(a, b));
  return batch;
}

/// Looks up the characters of one page after the other.
std::size_t put_bytes(const byte_table& to, const char* units, char* out) noexcept {
  const __m512i a = load(units), b = load(units + block), x = low_bytes(a, b);
  const mask beyond = has_any_of<0xFF80>(a, b);
  const __m512i first_a = _mm512_and_si512(a, all_units<0xFFC0>()), first_b = _mm512_and_si512(b, all_units<0xFFC0>());
  __m512i bytes = x;
  for (mask rest = beyond; rest != 0;) {
    const char32_t c = little_endian::load16(units + 2 * first(rest));
    const byte_table::page& page = to.pages[to.page_of[c / 64 % 256]];
    const __m512i wanted = _mm512_set1_epi16(static_cast<short>(page.first));
    const __mmask64 here =
        _mm512_kunpackd(_mm512_cmpeq_epi16_mask(first_b, wanted), _mm512_cmpeq_epi16_mask(first_a, wanted));
    bytes = _mm512_mask_permutexvar_epi8(bytes, here, x, _mm512_loadu_si512(page.bytes));
    const mask left = rest & ~here;
    if (left == rest) return 0;
    rest = left;
  }
  if (_mm512_mask_testn_epi8_mask(beyond, bytes, bytes) != 0) return 0;
  store(out, bytes);
  return batch;
}

template <bool Big>
std::size_t put_utf32(const char* in, char* out) noexcept {
  const auto values = [&](std::size_t at) noexcept {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + at)));
  };
  const auto put = [&](__m512i x, std::size_t at) noexcept {
    const __m512i swapped = _mm512_set4_epi32(0x0C0D0E0F, 0x08090A0B, 0x04050607, 0x00010203);
    store(out + at, Big ? _mm512_shuffle_epi8(x, swapped) : x);
  };
  const auto surrogates = [&](std::size_t at) noexcept {
    return _mm512_cmpeq_epi16_mask(_mm512_and_si512(load(in + at), all_units<0xF800>()), all_units<0xD800>());
  };
  if ((surrogates(0) | surrogates(block)) == 0) {
    for (std::size_t at = 0; at < 2 * batch; at += 32) put(values(at), 2 * at);
    return 4 * batch;
  }
  std::size_t produced = 0;
  for (std::size_t at = 0; at < 2 * batch; at += 32) {
    const __m512i x = values(at), kind = _mm512_and_si512(x, all_values<0xFC00>());
    const __mmask16 high = _mm512_cmpeq_epi32_mask(kind, all_values<0xD800>());
    const __mmask16 low = _mm512_cmpeq_epi32_mask(kind, all_values<0xDC00>());
    // The sum of a pair is too large by (D800 << 10) + DC00 - 10000. (Numbers are hexadecimal.)
    const __m512i pair = _mm512_add_epi32(_mm512_slli_epi32(x, 10), values(at + 2));
    const __m512i joined = _mm512_mask_sub_epi32(x, high, pair, all_values<0x035FDC00>());
    put(_mm512_maskz_compress_epi32(static_cast<__mmask16>(~low), joined), produced);
    produced += block - 4 * count(low);
  }
  return produced;
}

}  // namespace
}  // namespace utfilter::detail

#  include "kernels/by_units.inc"

namespace utfilter::detail {
namespace {

//-------------------------------------------------------------------------------------------------------- the last line

/// Goes through the text from its end, block by block, to the last line feed. A low surrogate is not counted, because
/// its pair is one character.
template <bool Big>
line_end utf16_last_line(const char* in, std::size_t size) noexcept {
  line_end last{0, 0};
  while (last.bytes < size) {
    const std::size_t n = std::min(size - last.bytes, block);
    const __m512i x = load(in + size - last.bytes - n, below(n));
    const __mmask32 low = _mm512_cmpeq_epi16_mask(_mm512_and_si512(x, all_units<(Big ? 0x00FC : 0xFC00)>()),
                                                  all_units<(Big ? 0x00DC : 0xDC00)>());
    const __mmask32 feeds = _mm512_cmpeq_epi16_mask(x, all_units<(Big ? 0x0A00 : 0x000A)>());
    if (feeds != 0) {
      const std::size_t before = block - static_cast<std::size_t>(_lzcnt_u64(feeds));  // units up to the line feed
      const std::size_t after = n / 2 - before;                                        // units after it
      return {last.bytes + 2 * after, last.characters + after - count(mask{low} >> before)};
    }
    last.bytes += n;
    last.characters += n / 2 - count(low);
  }
  return last;
}

}  // namespace
}  // namespace utfilter::detail

#  include "kernels/vector_table.inc"

namespace utfilter::detail {

const kernel_table avx512_kernels = vector_table<clear_upper>("avx512");

}  // namespace utfilter::detail

#  ifdef UTFILTER_EMULATED_AVX512
#  elif defined(__clang__)
#    pragma clang attribute pop
#  else
#    pragma GCC pop_options
#  endif

#endif
