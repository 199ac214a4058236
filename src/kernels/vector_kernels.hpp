// vector_kernels.hpp: the kernels for processors that compare 16 or 32 bytes and shuffle 16, written once over a vector type.
//
// UTF-8 is checked by three lookups of nibbles (Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", 2021);
// the bytes before each byte are loaded again rather than shifted in, so that nothing is carried from block to block. Transcoding
// works out for every lane what its character is in the target and squeezes out what is unused by shuffles from a table (Lemire
// and Mula, "Transcoding billions of Unicode characters per second with SIMD instructions", 2022); here a surrogate is a lane of
// two bytes like any other, and every byte of UTF-8 is a lane that the end of a character keeps.
//
// An instruction set's file opens a region of its target, defines a type `vector`, includes this header inside the region and
// fills a table. All that is included here must have been included outside the region before, and all that is defined here is in
// an unnamed namespace: no function compiled for one instruction set may be what the linker takes for another.
//
// `vector` is 16 or 32 bytes, seen as lanes of 16: see avx2.cpp for what it must have.
#include "../byte_order.hpp"
#include "../surrogates.hpp"
#include "kernels.hpp"
#include "positions.hpp"
#include "shuffles.hpp"
#include "ways.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace utfilter::detail {
namespace {

using mask = std::uint64_t;  // a bit for each byte of a block or a vector

constexpr std::size_t per_block  = block / vector::size;
constexpr mask        all_bytes  = ~mask{0} >> (64 - vector::size);
constexpr std::size_t unit_lanes = vector::size / 2;
constexpr std::size_t chunk      = 63;  // blocks that are looked at before anything is summed up
static_assert(chunk * per_block <= 255, "a byte counts what is marked");

mask below(std::size_t n) noexcept { return n < 64 ? (mask{1} << n) - 1 : ~mask{0}; }

template <std::size_t N>
void copy_ends(char* out, const char* in, std::size_t n) noexcept {
  char head[N], tail[N];
  std::memcpy(head, in, N);
  std::memcpy(tail, in + n - N, N);
  std::memcpy(out, head, N);
  std::memcpy(out + n - N, tail, N);
}

/// memcpy of up to 128 bytes, without the call.
void copy_short(char* out, const char* in, std::size_t n) noexcept {
  if (n >= 64) return copy_ends<64>(out, in, n);
  if (n >= 32) return copy_ends<32>(out, in, n);
  if (n >= 16) return copy_ends<16>(out, in, n);
  if (n >= 8) return copy_ends<8>(out, in, n);
  if (n >= 4) return copy_ends<4>(out, in, n);
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

template <std::uint8_t Byte>
[[gnu::always_inline]] inline vector all() noexcept { return vector::repeated<Byte * 0x0101010101010101u>(); }
template <std::uint16_t Unit>
[[gnu::always_inline]] inline vector all_units() noexcept { return vector::repeated<Unit * 0x0001000100010001u>(); }
template <std::uint32_t Value>
[[gnu::always_inline]] inline vector all_values() noexcept { return vector::repeated<Value * 0x0000000100000001u>(); }

/// FF where a byte is a continuation byte.
vector continuations_of(vector x) noexcept { return greater(all<0xC0>(), x); }
vector line_feeds_of(vector x) noexcept { return equal(x, all<'\n'>()); }

//----------------------------------------------------------------------------------------------------------- blocks of UTF-8

/// Unicode table 3-7 as pairs of neighbours that must not be. Each is a bit, the product of three sets of nibbles: the high one
/// and the low one of the first byte, the high one of the second.
struct pair_rule {
  unsigned first_high, first_low, second_high;
};
constexpr pair_rule pair_rules[8] = {
    {0xF000, 0xFFFF, 0xF0FF},  // a lead, no continuation
    {0x00FF, 0xFFFF, 0x0F00},  // ASCII, a continuation
    {0x1000, 0x0003, 0x0F00},  // C0, C1: overlong
    {0x4000, 0x0001, 0x0300},  // E0 80..9F: overlong
    {0x4000, 0x2000, 0x0C00},  // ED A0..BF: surrogates
    {0x8000, 0xFFE1, 0x0100},  // F0 80..8F: overlong; F5..FF: out of range
    {0x8000, 0xFFF0, 0x0E00},  // F4 90..BF, F5..FF: out of range
    {0x0F00, 0xFFFF, 0x0F00},  // two continuations: wrong unless they belong to a longer sequence, and that bit is the sign
};

struct pair_lookup {
  unsigned char first_high[16] = {}, first_low[16] = {}, second_high[16] = {};

  constexpr pair_lookup() noexcept {
    for (unsigned nibble = 0; nibble < 16; ++nibble)
      for (unsigned bit = 0; bit < 8; ++bit) {
        const auto entry = [&](unsigned set) noexcept { return static_cast<unsigned char>((set >> nibble & 1) << bit); };
        first_high[nibble] |= entry(pair_rules[bit].first_high);
        first_low[nibble] |= entry(pair_rules[bit].first_low);
        second_high[nibble] |= entry(pair_rules[bit].second_high);
      }
  }
};
constexpr pair_lookup pairs;

/// The rules in registers. Constructors stand here since one that the compiler adds is not of this instruction set, and is called.
struct pair_check {
  [[gnu::always_inline]] pair_check() noexcept {}

  vector first_high = vector::each_lane(pairs.first_high), first_low = vector::each_lane(pairs.first_low),
         second_high = vector::each_lane(pairs.second_high), low_nibble = all<0x0F>(), below_e0 = all<0xE0 - 0x80>(),
         below_f0 = all<0xF0 - 0x80>(), sign = all<0x80>();

  /// Not 0 where a byte of `x` is wrong, given the vectors of bytes one, two and three places before: where a continuation should
  /// be or should not be, or is of a kind that its lead forbids. The first such byte is that of the first ill-formed sequence,
  /// or the one behind.
  vector wrong(vector x, vector one, vector two, vector three) const noexcept {
    const vector pair = lookup(first_high, one.units_down<4>() & low_nibble) & lookup(first_low, one & low_nibble) &
                        lookup(second_high, x.units_down<4>() & low_nibble);
    // The sign where the third or fourth byte of a sequence must be.
    return pair ^ ((minus_to_0(two, below_e0) | minus_to_0(three, below_f0)) & sign);
  }
  vector wrong_at(const char* in) const noexcept {
    return wrong(vector::load(in), vector::load(in - 1), vector::load(in - 2), vector::load(in - 3));
  }
};

/// Whether a sequence is open before `in`, where three bytes can be read.
bool open_before(const char* in) noexcept {
  const unsigned one = byte_at(in - 1, 0), two = byte_at(in - 2, 0), three = byte_at(in - 3, 0);
  return std::max({one, two - std::min(two, 0x20u), three - std::min(three, 0x30u)}) >= 0xC0;  // without a branch
}

/// One block, a bit for each byte. `wrong`: as pair_check says.
struct utf8_block {
  mask wrong, continuations, line_feeds;
};

template <bool Start>
[[gnu::noinline]] void look_at_text(const char* in, utf8_block& b) noexcept {
  const pair_check check;
  for (std::size_t i = 0; i < per_block; ++i) {
    const char* const at = in + i * vector::size;
    const vector      x  = vector::load(at);
    const vector wrong   = Start && i == 0 ? check.wrong(x, x.moved_up<1>(), x.moved_up<2>(), x.moved_up<3>()) : check.wrong_at(at);
    b.wrong |= (equal(wrong, vector::zero()).bits() ^ all_bytes) << i * vector::size;
    b.continuations |= continuations_of(x).bits() << i * vector::size;
  }
}

/// Start: nothing stands before the block. Otherwise three bytes can be read there.
template <bool Start>
[[gnu::always_inline]] inline utf8_block look_at(const char* in) noexcept {
  utf8_block b{0, 0, 0};
  vector     any = vector::zero();
  for (std::size_t i = 0; i < per_block; ++i) {
    const vector x = vector::load(in + i * vector::size);
    any            = any | x;
    b.line_feeds |= line_feeds_of(x).bits() << i * vector::size;
  }
  if (any.bits() != 0)
    look_at_text<Start>(in, b);
  else
    b.wrong = !Start && open_before(in);
  return b;
}

//--------------------------------------------------------------------------------------------------- validation and the copy

/// What is known before a block.
struct so_far {
  std::size_t at, continuations, line_feeds;

  /// Adds the bytes of a block at `at` that are marked in `these`, which reach up to `end`. False if one of them is wrong: the
  /// first such is at `at` then.
  bool take(const utf8_block& b, mask these, std::size_t end) noexcept {
    const mask wrong = b.wrong & these;
    const mask good  = wrong != 0 ? these & ((wrong & (0 - wrong)) - 1) : these;
    continuations += count(b.continuations & good);
    line_feeds += count(b.line_feeds & good);
    at = wrong != 0 ? at + first(wrong) : end;
    return wrong == 0;
  }
  run result(const char* in) const noexcept { return well_formed(in, at, continuations, line_feeds); }
};

/// A text of up to 66 bytes.
template <bool Copy>
run check_short(const char* in, std::size_t size, char* out) noexcept {
  alignas(block) char text[2 * block] = {};
  copy_short(text, in, size);
  if (Copy) copy_short(out, in, size);
  so_far done{0, 0, 0};
  if (done.take(look_at<true>(text), ~mask{0}, std::min(size, block)) && size > block)
    done.take(look_at<false>(text + block), ~mask{0}, size);
  return done.result(in);
}

/// A block in registers.
struct text_block {
  vector part[per_block];

  explicit text_block(const char* in) noexcept {
    for (std::size_t i = 0; i < per_block; ++i) part[i] = vector::load(in + i * vector::size);
  }
  void store(char* out) const noexcept {
    for (std::size_t i = 0; i < per_block; ++i) part[i].store(out + i * vector::size);
  }
  vector any() const noexcept {
    vector bits = part[0];
    for (std::size_t i = 1; i < per_block; ++i) bits = bits | part[i];
    return bits;
  }
  bool is_ascii() const noexcept { return any().bits() == 0; }
};

/// The blocks of a long text, which ways.hpp leads through.
template <bool Copy>
class long_text {
 public:
  long_text(const char* in, std::size_t size, char* out) noexcept : in_(in), size_(size), out_(out), done_{0, 0, 0} {}

  static constexpr std::size_t many = chunk;

  std::size_t left() const noexcept { return (size_ - done_.at) / block; }
  run         result() const noexcept {
    so_far done = done_;
    done.continuations += continuations_.total();
    done.line_feeds += line_feeds_.total();
    return done.result(in_);
  }

  bool pass_first() noexcept {
    const text_block x(in_);
    counters         sums;
    pass(x, in_, sums.line_feeds);
    if (!x.is_ascii()) {
      const vector first = x.part[0];
      sums.wrong         = check_.wrong(first, first.moved_up<1>(), first.moved_up<2>(), first.moved_up<3>());
      check(x, in_, sums, vector::size);
    }
    return sums.wrong.any() ? done_.take(look_at<true>(in_), ~mask{0}, block) : pass(1, sums);
  }

  [[gnu::always_inline]] bool pass_to_alignment() noexcept {
    const std::size_t step = to_alignment(in_ + done_.at);
    if (step == block) return true;
    if (Copy) text_block(in_ + done_.at).store(out_ + done_.at);
    return done_.take(look_at<false>(in_ + done_.at), below(step), done_.at + step);
  }

  [[gnu::always_inline]] void pass_ascii(std::size_t most) noexcept {
    if (static_cast<signed char>(in_[done_.at - 1]) < 0) return;
    while (most != 0) {
      const char*       at         = in_ + done_.at;
      const std::size_t n          = std::min(most, chunk);
      const char* const end        = at + n * block;
      vector            line_feeds = vector::zero();
      for (; at != end; at += block) {
        const text_block x(at);
        if (!x.is_ascii()) break;
        pass(x, at, line_feeds);
      }
      done_.at    = static_cast<std::size_t>(at - in_);
      line_feeds_ = plus_wide(line_feeds_, line_feeds.byte_sums());
      if (at != end) break;
      most -= n;
    }
  }

  [[gnu::always_inline]] bool pass_each(std::size_t n, std::size_t& texts) noexcept {
    const char* const start = in_ + done_.at;
    counters          sums;
    for (std::size_t i = 0; i < n; ++i) {
      const char* const at = start + i * block;
      const text_block  x(at);
      pass(x, at, sums.line_feeds);
      check(x, at, sums);
      texts += !x.is_ascii();
    }
    return pass(n, sums);
  }

  [[gnu::always_inline]] bool pass_marked(std::size_t n, std::size_t& texts) noexcept {
    const char* const start = in_ + done_.at;
    counters          sums;
    mask              marks = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const char* const at = start + i * block;
      const text_block  x(at);
      pass(x, at, sums.line_feeds);
      marks = marks >> 1 | mask{(x.any() | vector::load(at - 1)).bits() != 0} << 63;
    }
    marks >>= 64 - n;
    texts = count(marks);
    for (; marks != 0; marks &= marks - 1) {
      const char* const at = start + first(marks) * block;
      check(text_block(at), at, sums);
    }
    return pass(n, sums);
  }

  /// The last block, of which some has been seen.
  [[gnu::always_inline]] void pass_last() noexcept {
    if (done_.at == size_) return;
    const std::size_t start = size_ - block;
    const mask        rest  = ~below(done_.at - start);
    const text_block  x(in_ + start);
    counters          sums;
    pass(x, in_ + start, sums.line_feeds);
    if (!x.is_ascii()) check(x, in_ + start, sums);
    done_.at = start;
    if (sums.wrong.any()) {
      done_.take(look_at<false>(in_ + start), rest, size_);
      return;
    }
    utf8_block last{0, 0, 0};
    for (std::size_t i = 0; i < per_block; ++i) {
      last.continuations |= continuations_of(x.part[i]).bits() << i * vector::size;
      last.line_feeds |= line_feeds_of(x.part[i]).bits() << i * vector::size;
    }
    done_.take(last, rest, size_);
  }

 private:
  /// Of some blocks, byte by byte of a vector.
  struct counters {
    [[gnu::always_inline]] counters() noexcept {}

    vector line_feeds = vector::zero(), continuations = vector::zero(), wrong = vector::zero();
  };

  [[gnu::always_inline]] void pass(const text_block& x, const char* at, vector& line_feeds) noexcept {
    read_ahead(at);
    if (Copy) {
      write_ahead(out_ + (at - in_));
      x.store(out_ + (at - in_));
    }
    for (const vector part : x.part) line_feeds = minus(line_feeds, equal(part, line_feed_));
  }
  /// From the vector at `begin` on, the continuations of all.
  [[gnu::always_inline]] void check(const text_block& x, const char* at, counters& sums, std::size_t begin = 0) noexcept {
    for (std::size_t i = begin; i < block; i += vector::size) sums.wrong = sums.wrong | check_.wrong_at(at + i);
    for (const vector part : x.part) sums.continuations = minus(sums.continuations, greater(below_lead_, part));
  }
  /// Passes so many blocks, or those before the first wrong byte.
  [[gnu::always_inline]] bool pass(std::size_t blocks, const counters& sums) noexcept {
    if (sums.wrong.any()) {
      while (done_.take(look_at<false>(in_ + done_.at), ~mask{0}, done_.at + block)) {}
      return false;
    }
    done_.at += blocks * block;
    continuations_ = plus_wide(continuations_, sums.continuations.byte_sums());
    line_feeds_    = plus_wide(line_feeds_, sums.line_feeds.byte_sums());
    return true;
  }

  const char* in_;
  std::size_t size_;
  char*       out_;
  so_far      done_;                                                          // but for what is counted in these two
  vector      continuations_ = vector::zero(), line_feeds_ = vector::zero();  // in parts of 64 bits
  pair_check  check_;
  vector      line_feed_ = all<'\n'>(), below_lead_ = all<0xC0>();
};

/// The line feeds of a text of a vector or more, if it is ASCII; else more than it has bytes.
template <bool Copy>
[[gnu::always_inline]] inline std::size_t pass_ascii_line(const char* in, std::size_t size, char* out) noexcept {
  vector      any   = vector::zero();
  std::size_t lines = 0;
  const auto  look  = [&](std::size_t at, std::size_t seen) noexcept {
    const vector x = vector::load(in + at);
    if (Copy) x.store(out + at);
    any = any | x;
    lines += count(line_feeds_of(x).bits() >> seen);
  };
  for (std::size_t at = 0; at + vector::size <= size; at += vector::size) look(at, 0);
  if (size % vector::size != 0) look(size - vector::size, vector::size - size % vector::size);
  return any.bits() == 0 ? lines : size + 1;
}

template <bool Copy>
[[gnu::noinline]] run check_blocks(const char* in, std::size_t size, char* out) noexcept {
  if (size < block + 3) return check_short<Copy>(in, size, out);
  long_text<Copy> text(in, size, out);
  if (text.pass_first()) pass_by_ways(text);
  return text.result();
}

template <bool Copy>
[[gnu::always_inline]] inline run check_utf8(const char* in, std::size_t size, char* out) noexcept {
  if (size >= vector::size && size <= 2 * block) {
    const std::size_t lines = pass_ascii_line<Copy>(in, size, out);
    if (lines <= size) return {size, size, size, lines};
  }
  return check_blocks<Copy>(in, size, out);
}

run validate_utf8(const char* in, std::size_t size) noexcept { return check_utf8<false>(in, size, nullptr); }

run copy_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  return check_utf8<true>(in, std::min(size, room), out);
}

//------------------------------------------------------------------------------------------------------------- the last line

/// A bit for each character of a vector and for each line feed, at the same byte of both.
struct marks {
  mask characters, line_feeds;
};

/// Looks at vectors from the end; `Of` marks them.
template <marks (*Of)(vector) noexcept>
line_end last_line_of(const char* in, std::size_t size) noexcept {
  line_end last{0, 0};
  while (last.bytes < size) {
    const std::size_t left = size - last.bytes;
    const std::size_t n    = std::min(left, vector::size);
    marks             m;
    if (left >= vector::size) {
      m = Of(vector::load(in + left - vector::size));
    } else {
      // The first bytes, with what stands behind them or zeros, moved to the end of the masks.
      char text[vector::size] = {};
      if (size < vector::size) copy_short(text, in, left);
      m = Of(vector::load(size < vector::size ? text : in));
      m = {m.characters << (vector::size - n), m.line_feeds << (vector::size - n)};
    }
    m.characters &= all_bytes;  // what stands behind has no line feed, it was looked at
    if (m.line_feeds != 0) {
      const std::size_t before = last_of(m.line_feeds) + 1;
      return {last.bytes + vector::size - before, last.characters + count(m.characters >> before)};
    }
    last.bytes += n;
    last.characters += count(m.characters);
  }
  return last;
}

marks utf8_marks(vector x) noexcept { return {~continuations_of(x).bits(), line_feeds_of(x).bits()}; }

line_end utf8_last_line(const char* in, std::size_t size) noexcept { return last_line_of<utf8_marks>(in, size); }

/// Of each unit the second byte.
template <bool Big>
marks utf16_marks(vector x) noexcept {
  constexpr mask second = 0xAAAAAAAAAAAAAAAA;
  const vector   low    = equal_units(x & all_units<Big ? 0x00FC : 0xFC00>(), all_units<Big ? 0x00DC : 0xDC00>());
  return {~low.bits() & second, equal_units(x, all_units<Big ? 0x0A00 : 0x000A>()).bits() & second};
}

template <bool Big>
line_end utf16_last_line(const char* in, std::size_t size) noexcept {
  return last_line_of<utf16_marks<Big>>(in, size);
}

//------------------------------------------------------------------------------------------------------- UTF-16 and the like

/// Bytes of output that a vector may write, whatever it reports.
constexpr std::size_t vector_output = 2 * vector::size;

/// What became of some units.
struct unit_run {
  std::size_t units, bytes, pairs, lines;
};

/// Writes lanes of one or two bytes; returns the bytes. `one`: those of one byte, a bit each, a lane's at each 16 bits.
[[gnu::always_inline]] inline std::size_t put_twos(vector two, mask one, char* out) noexcept {
  two.shuffled(keep_one_or_two, one).store_lanes(out, 16 - count(one & 0xFF));
  return vector::size - count(one & vector::one_byte_of_lanes);
}

/// Units below U+0800 in two bytes: lead and continuation, or nothing that matters and ASCII.
[[gnu::always_inline]] inline vector two_bytes_of(vector x, vector ascii) noexcept {
  return x.units_down<6>() | (x.units_up<8>() & (ascii | all_units<0x3F00>())) | and_not(all_units<0x80C0>(), ascii);
}

/// The last two of any unit in the same way.
[[gnu::always_inline]] inline vector last_two_bytes_of(vector x, vector ascii) noexcept {
  return (x.units_down<6>() & all_units<0x001F>()) | (x.units_up<8>() & (ascii | all_units<0x3F00>())) | and_not(all_units<0x80C0>(), ascii);
}

/// Writes lanes of one to three bytes; returns the bytes. `two` has the last two of each; the pattern is that of keep_one_to_four.
[[gnu::always_inline]] inline std::size_t put_threes(vector x, vector two, mask lengths, char* out) noexcept {
  const vector lead_and_second = x.units_down<12>() | (x.units_up<2>() & all_units<0x3F00>()) | all_units<0x80E0>();
  const auto   end             = [&](std::size_t groups) noexcept { return 12 * groups - count(lengths & below(8 * groups)); };
  store_halves(interleave_low_units(two, lead_and_second).shuffled(keep_one_to_four, lengths),
               interleave_high_units(two, lead_and_second).shuffled(keep_one_to_four, lengths >> 8), out, end);
  return end(vector::size / 8);
}

vector ascii_of(vector x) noexcept { return equal_units(x & all_units<0xFF80>(), vector::zero()); }
vector below_800_of(vector x) noexcept { return equal_units(x & all_units<0xF800>(), vector::zero()); }
vector surrogates_of(vector x) noexcept { return equal_units(x & all_units<0xF800>(), all_units<0xD800>()); }

/// The pattern of keep_one_to_four. `few`: one byte or two, as halves of pairs have.
mask lengths_of(vector ascii, vector few) noexcept { return (few & (ascii | all_units<0xFF00>())).bits(); }

/// Writes units that are no surrogates; returns the bytes.
[[gnu::always_inline]] inline std::size_t put_up_to_three(vector x, char* out) noexcept {
  const vector ascii = ascii_of(x);
  return put_threes(x, last_two_bytes_of(x, ascii), lengths_of(ascii, below_800_of(x)), out);
}

/// Any units, of which `known` count and the others are 0. Stops before an unpaired surrogate, also at the end.
[[gnu::noinline]] unit_run put_any(vector x, std::size_t known, char* out) noexcept {
  const vector surrogates = surrogates_of(x);
  const vector high       = equal_units(x & all_units<0xFC00>(), all_units<0xD800>());
  const vector low        = surrogates ^ high;
  const mask   h = high.bits(), l = low.bits();
  const mask   odd = h << 2 ^ l;  // also behind the last unit where that is a high one: its pair goes into the next vector
  const auto   n   = odd == 0 ? known : first(odd) / 2 - (h << 2 >> first(odd) & 1);

  // 110110ww wwzzzzyy 110111yy yyxxxxxx: 11110uuu 10uuzzzz 10yyyyyy 10xxxxxx, where uuuuu = wwww + 1.
  const vector plus       = plus_units(x & all_units<0x03FF>(), all_units<0x0040>());
  const vector first_two  = plus.units_down<8>() | (plus.units_up<6>() & all_units<0x3F00>()) | all_units<0x80F0>();
  const vector second_two = (x.units_down<6>() & all_units<0x000F>()) | (x.moved_up<2>().units_up<4>() & all_units<0x0030>()) |
                            (x.units_up<8>() & all_units<0x3F00>()) | all_units<0x8080>();
  const vector ascii = ascii_of(x);
  const vector two = choose(surrogates, choose(low, second_two, first_two), last_two_bytes_of(x, ascii));
  const vector few = below_800_of(x) | surrogates;

  const mask known_bits = below(2 * n);
  unit_run   done{n, 0, count(l & known_bits) / 2, count(equal_units(x, all_units<'\n'>()).bits() & known_bits) / 2};
  if (few.bits() == all_bytes) {
    put_twos(two, narrowed_bits(ascii, ascii), out);
    done.bytes = 2 * n - count(ascii.bits() & known_bits) / 2;
  } else {
    const mask lengths = lengths_of(ascii, few);
    put_threes(x, two, lengths, out);
    done.bytes = 3 * n - count(lengths & known_bits);
  }
  return done;
}

/// Some values of 32 bits, of which `known` count and the others are 0. Stops before what is no scalar value.
[[gnu::noinline]] unit_run put_values(vector x, std::size_t known, char* out) noexcept {
  const auto   none_of = [&](vector bits) noexcept { return equal_values(x & bits, vector::zero()); };
  const vector ascii = none_of(all_values<0xFFFFFF80>()), few = none_of(all_values<0xFFFFF800>()), in_bmp = none_of(all_values<0xFFFF0000>());
  const vector surrogates = equal_values(x & all_values<0xFFFFF800>(), all_values<0xD800>());
  const vector beyond     = equal_values(maximum_values(x, all_values<0x110000>()), x);
  const mask   wrong      = (surrogates | beyond).bits();
  const auto   n          = wrong == 0 ? known : std::min(known, first(wrong) / 4);

  // Of one to three bytes: the second last, the last, the first of three, the second of three. Of four: the first, the last, the
  // second, the third.
  const vector last  = x.values_up<8>() & (ascii | all_values<0x3F00>());
  const vector three = (x.values_down<6>() & all_values<0x1F>()) | (x.values_up<4>() & all_values<0x000F0000>()) | all_values<0x00E000C0>();
  const vector four  = (x.values_down<18>() & all_values<0x07>()) | (x.values_up<4>() & all_values<0x003F0000>()) | all_values<0x008000F0>();
  const vector lanes = choose(in_bmp, three, four) | last | (x.values_up<18>() & all_values<0x3F000000>()) |
                       and_not(all_values<0x80008000>(), ascii & all_values<0xFFFF>());

  // The pattern of keep_one_to_four.
  const vector pattern = ((ascii | (in_bmp ^ all<0xFF>())) & all_values<0xFFFF>()) | (few & all_values<0xFFFF0000>());
  const mask   lengths = narrowed_bits(pattern, pattern);
  const auto   bytes   = [&](mask of) noexcept {
    return 3 * count(of) / 4 - count(pattern.bits() & of) / 2 + count(~in_bmp.bits() & of) / 2;
  };
  lanes.shuffled(keep_one_to_four, lengths).store_lanes(out, bytes(below(16)));
  const mask taken = below(4 * n);
  return {n, bytes(taken), 0, count(equal_values(x, all_values<'\n'>()).bits() & taken) / 4};
}

/// Each source has the bytes of a unit; load() a vector of units; plain(): whether units of 16 bits can hold the next two
/// vectors; and put_some(), for units of any kind: some_units of them, stored in up to a vector.
template <bool Big>
struct utf16_source {
  static constexpr std::size_t size = 2, some_units = unit_lanes;

  static vector   load(const char* in) noexcept { return Big ? vector::load(in).swapped_units() : vector::load(in); }
  static bool     plain(const char*) noexcept { return true; }
  static unit_run put_some(const char* in, std::size_t known, char* out) noexcept { return put_any(load(in), known, out); }
};

struct latin1_source {
  static constexpr std::size_t size = 1, some_units = unit_lanes;

  static vector   load(const char* in) noexcept { return vector::load_widened(in); }
  static bool     plain(const char*) noexcept { return true; }
  static unit_run put_some(const char* in, std::size_t known, char* out) noexcept { return put_any(load(in), known, out); }
};

template <bool Big>
struct utf32_source {
  static constexpr std::size_t size = 4, some_units = vector::size / 4;

  static vector values(const char* in) noexcept { return Big ? vector::load(in).swapped_values() : vector::load(in); }
  static vector load(const char* in) noexcept { return narrow(values(in), values(in + vector::size)); }
  static bool   plain(const char* in) noexcept {
    vector any = vector::load(in);
    for (std::size_t i = 1; i < 4; ++i) any = any | vector::load(in + i * vector::size);
    return !(any & all_values<Big ? 0x0000FFFF : 0xFFFF0000>()).any();
  }
  static unit_run put_some(const char* in, std::size_t known, char* out) noexcept { return put_values(values(in), known, out); }
};

/// The characters at the start of UTF-8 that fit into the room, which is less than a vector writes: their bytes, and the units of
/// UTF-16 they are.
struct cut {
  std::size_t bytes, characters, pairs, lines;
};
cut cut_to(const char* utf8, std::size_t room) noexcept {
  while ((byte_at(utf8, room) & 0xC0) == 0x80) --room;
  cut c{room, 0, 0, 0};
  for (std::size_t i = 0; i < vector_output; i += vector::size) {
    const vector x    = vector::load(utf8 + i);
    const mask   rest = below(room > i ? room - i : 0) & all_bytes;
    c.characters += count(~continuations_of(x).bits() & rest);
    c.pairs += count(minus_to_0(x, all<0xF0 - 0x80>()).bits() & rest);
    c.lines += count(line_feeds_of(x).bits() & rest);
  }
  return c;
}

template <class Source>
run to_utf8(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  constexpr std::size_t step = unit_lanes * Source::size;
  std::size_t           left = size / Source::size, at = 0, produced = 0, pairs_seen = 0, lines = 0;
  while (left >= 2 * unit_lanes && room - produced >= 2 * vector_output) {
    read_ahead(in + at);
    write_ahead(out + produced);
    const vector a = Source::load(in + at), b = Source::load(in + at + step);
    char* const  to    = out + produced;
    const bool   plain = Source::plain(in + at);
    if (plain && !((a | b) & all_units<0xFF80>()).any()) {
      const vector packed = pack(a, b);
      packed.store(to);
      lines += count(line_feeds_of(packed).bits());
      produced += vector::size;
    } else if (plain && !((a | b) & all_units<0xF800>()).any()) {
      const vector ascii_a = ascii_of(a), ascii_b = ascii_of(b);
      const mask   one     = narrowed_bits(ascii_a, ascii_b);
      const auto   first_bytes = put_twos(two_bytes_of(a, ascii_a), one, to);
      produced += first_bytes + put_twos(two_bytes_of(b, ascii_b), one >> 8, to + first_bytes);
      lines += count(narrowed_bits(equal_units(a, all_units<'\n'>()), equal_units(b, all_units<'\n'>())));
    } else if (plain && !(surrogates_of(a) | surrogates_of(b)).any()) {
      const auto first_bytes = put_up_to_three(a, to);
      produced += first_bytes + put_up_to_three(b, to + first_bytes);
      lines += count(narrowed_bits(equal_units(a, all_units<'\n'>()), equal_units(b, all_units<'\n'>())));
    } else {
      const unit_run part = Source::put_some(in + at, Source::some_units, to);
      if (part.units == 0) break;
      at += part.units * Source::size;
      left -= part.units;
      produced += part.bytes;
      pairs_seen += part.pairs;
      lines += part.lines;
      continue;
    }
    at += 2 * step;
    left -= 2 * unit_lanes;
  }
  // The rest of the input, or of the room.
  while (left != 0 && produced < room) {
    char              units[vector::size], utf8[vector_output];
    const std::size_t known  = std::min(left, Source::some_units);
    const bool        whole  = known == Source::some_units, direct = room - produced >= vector_output;
    if (!whole) {
      vector::zero().store(units);
      copy_short(units, in + at, known * Source::size);
    }
    if (!direct)
      for (std::size_t i = 0; i < vector_output; i += vector::size) vector::zero().store(utf8 + i);
    unit_run part = Source::put_some(whole ? in + at : units, known, direct ? out + produced : utf8);
    if (part.units == 0) break;
    const bool full = part.bytes > room - produced;
    if (full) {
      const cut  c         = cut_to(utf8, room - produced);
      const bool has_pairs = Source::size == 2;
      part                 = {c.characters + (has_pairs ? c.pairs : 0), c.bytes, has_pairs ? c.pairs : 0, c.lines};
    }
    if (!direct) copy_short(out + produced, utf8, part.bytes);
    at += part.units * Source::size;
    produced += part.bytes;
    pairs_seen += part.pairs;
    lines += part.lines;
    left -= part.units;
    if (full) break;
  }
  return {at, produced, at / Source::size - pairs_seen, lines};
}

//------------------------------------------------------------------------------------------------------------ UTF-8 to UTF-16

/// A vector of UTF-8, the vector that begins a byte behind it, and those that begin one, two and three bytes before it.
struct window {
  vector next, x, one, two, three;

  explicit window(const char* in) noexcept
      : next(vector::load(in + 1)), x(vector::load(in)), one(vector::load(in - 1)), two(vector::load(in - 2)), three(vector::load(in - 3)) {}
  struct start {};
  window(const char* in, start) noexcept
      : next(vector::load(in + 1)), x(vector::load(in)), one(x.moved_up<1>()), two(x.moved_up<2>()), three(x.moved_up<3>()) {}
  /// Of the bytes of `next`: whether a character ends at a byte is only sure when the byte behind it is right.
  vector wrong(const pair_check& check) const noexcept { return check.wrong(next, x, one, two); }
  mask   ends() const noexcept { return continuations_of(next).bits() ^ all_bytes; }

  /// Whether a sequence of four bytes may end here.
  bool   has_fours() const noexcept { return minus_to_0(maximum(two, three), all<0xEF>()).any(); }
  vector thirds_of_four() const noexcept { return greater(vector::zero(), minus_to_0(two, all<0xF0 - 0x80>())); }
  vector fourths() const noexcept { return greater(vector::zero(), minus_to_0(three, all<0xF0 - 0x80>())); }
};

/// Writes the unit of each byte in `ends`: of a character that ends there, and at the third byte of four of its first half.
/// Returns the bytes produced; twice the vector's size may be written.
template <bool Big, bool Fours>
[[gnu::always_inline]] inline std::size_t put_units_of(const window& w, mask ends, char* out) noexcept {
  // 1110aaaa 10bbbbcc 10cccccc, where a shorter character lacks the first, and ASCII two.
  const vector first  = minus_to_0(w.two, all<0xE0>());
  const vector before = w.one & greater(vector::zero(), w.x);
  vector       low    = (before.units_up<6>() & all<0xC0>()) | (w.x & all<0x7F>());
  vector       high   = (before.units_down<2>() & all<0x0F>()) | (Fours ? first & all<0x0F>() : first).units_up<4>();
  if (Fours) {
    // 11110aaa 10bbbbbb 10cccccc 10dddddd: D7C0 + (aaabbbbbbcc), and DC00 + (ccccdddddd).
    const vector thirds = w.thirds_of_four(), fourths = w.fourths();
    const vector bc     = (w.one.units_up<2>() & all<0xFC>()) | (w.x.units_down<4>() & all<0x03>());
    const vector borrow = equal(minimum(bc, all<0x3F>()), bc);
    low  = choose(thirds, minus(bc, all<0x40>()), low);
    high = choose(thirds, plus(w.two & all<0x07>(), all<0xD8>()), high);
    high = plus(high, borrow & thirds);
    high = choose(fourths, (high & all<0x03>()) | all<0xDC>(), high);
  }
  const vector former = Big ? high : low, latter = Big ? low : high;
  const auto   at     = [&](std::size_t halves) noexcept { return 2 * count(ends & below(8 * halves)); };
  store_halves(interleave_low_bytes(former, latter).shuffled(keep_marked, ends),
               interleave_high_bytes(former, latter).shuffled(keep_marked, ends >> 8), out, at);
  return 2 * count(ends);
}

/// A vector of ASCII: two vectors.
template <bool Big>
[[gnu::always_inline]] inline void put_ascii_units(const char* in, char* out) noexcept {
  for (std::size_t i = 0; i < 2; ++i) {
    const vector half = vector::load_widened(in + i * unit_lanes);
    (Big ? half.units_up<8>() : half).store(out + i * vector::size);
  }
}

/// What becomes of a block.
struct block_units {
  std::size_t bytes, pairs, lines;
  bool        good;
};

/// A block with text on both sides, or at the start, and room for whatever it is.
template <bool Big, bool Start>
[[gnu::always_inline]] inline block_units put_block(const pair_check& check, const char* in, char* out) noexcept {
  block_units made{0, 0, 0, true};
  vector      wrong = vector::zero();
  for (std::size_t i = 0; i < block; i += vector::size) {
    const window w = Start && i == 0 ? window(in, window::start{}) : window(in + i);
    wrong          = wrong | w.wrong(check);
    if (w.has_fours()) {
      made.bytes += put_units_of<Big, true>(w, w.ends() | w.thirds_of_four().bits(), out + made.bytes);
      made.pairs += count(w.fourths().bits());
    } else {
      made.bytes += put_units_of<Big, false>(w, w.ends(), out + made.bytes);
    }
    made.lines += count(line_feeds_of(w.x).bits());
  }
  made.good = !wrong.any();
  return made;
}
template <bool Big>
[[gnu::noinline]] block_units put_first_block(const pair_check& check, const char* in, char* out) noexcept {
  return put_block<Big, true>(check, in, out);
}

/// What a block at an edge becomes: of the text, of the room, or of what is well-formed.
template <bool Big>
class edge_block {
 public:
  mask wrong = 0;  // of the bytes behind each
  mask ends = 0, fourths = 0, line_feeds = 0;
  char units[2 * block];  // those of `ends`

  edge_block(const pair_check& check, const char* in, std::size_t at, std::size_t size) noexcept {
    const std::size_t n = std::min(size - at, block);
    if (at != 0) std::memcpy(text_, in + at - margin, margin);
    copy_short(text_ + margin, in + at, n);
    if (size - at > block) text_[margin + block] = in[at + block];
    if (text_block(text_ + margin).is_ascii()) {
      ascii_ = true;
      ends   = below(n);
      for (std::size_t i = 0; i < block; i += vector::size)
        line_feeds |= line_feeds_of(vector::load(text_ + margin + i)).bits() << i;
      return;
    }
    for (std::size_t i = 0; i < block; i += vector::size) {
      const char* const here = text_ + margin + i;
      const window      w(here);
      wrong |= (equal(w.wrong(check), vector::zero()).bits() ^ all_bytes) << i;
      ends |= (w.ends() | w.thirds_of_four().bits()) << i;
      fourths |= w.fourths().bits() << i;
      line_feeds |= line_feeds_of(w.x).bits() << i;
    }
  }
  /// Makes the units; returns the bytes.
  std::size_t put_all() noexcept {
    if (ascii_) {
      for (std::size_t i = 0; i < block; i += vector::size) put_ascii_units<Big>(text_ + margin + i, units + 2 * i);
      return 2 * count(ends);
    }
    std::size_t produced = 0;
    for (std::size_t i = 0; i < block; i += vector::size) {
      const window w(text_ + margin + i);
      const mask   these = ends >> i & all_bytes;
      produced += w.has_fours() ? put_units_of<Big, true>(w, these, units + produced) : put_units_of<Big, false>(w, these, units + produced);
    }
    return produced;
  }
  /// The same up to `end`, where a character ends.
  std::size_t put(std::size_t end) noexcept {
    const mask wanted = below(end);
    ends              = (ends & wanted) | (wanted ^ wanted >> 1);
    return put_all();
  }

 private:
  static constexpr std::size_t margin = 16;
  bool                         ascii_ = false;
  char                         text_[margin + block + vector::size] = {};
};

template <bool Big>
char32_t unit_at(const char* units) noexcept {
  return Big ? big_endian::load16(units) : little_endian::load16(units);
}

template <bool Big>
run utf8_to_utf16(const char* in, std::size_t size, char* out, std::size_t room) noexcept {
  if (size == 0 || is_continuation(static_cast<unsigned char>(*in))) return {0, 0, 0, 0};
  const auto  starts = [in](std::size_t i) noexcept { return !is_continuation(static_cast<unsigned char>(in[i])); };
  std::size_t at = 0, produced = 0, pairs_seen = 0, lines = 0;
  const pair_check check;
  const auto ahead = [&]() noexcept {
    read_ahead(in + at);
    write_ahead(out + produced);
    write_ahead(out + produced + block);
  };
  while (true) {
    // Whole blocks with text on both sides and room for whatever they are. Up to the byte at `at` all is right, but if it was
    // ASCII that stands before it.
    while (size - at > block && room - produced >= 2 * block) {
      ahead();
      text_block x(in + at);
      if (x.is_ascii()) {
        std::size_t run = 0;
        do {
          const std::size_t step = ++run == 4 ? to_alignment(out + produced) / 2 : block;
          mask feeds = 0;
          for (std::size_t i = 0; i < per_block; ++i) {
            put_ascii_units<Big>(in + at + i * vector::size, out + produced + 2 * i * vector::size);
            feeds |= line_feeds_of(x.part[i]).bits() << i * vector::size;
          }
          lines += count(feeds & below(step));
          at += step;
          produced += 2 * step;
          if (size - at <= block || room - produced < 2 * block) break;
          ahead();
          x = text_block(in + at);
        } while (x.is_ascii());
        if (!starts(at)) break;
        continue;
      }
      const block_units made =
          at == 0 ? put_first_block<Big>(check, in, out) : put_block<Big, false>(check, in + at, out + produced);
      if (!made.good) break;
      produced += made.bytes;
      pairs_seen += made.pairs;
      lines += made.lines;
      at += block;
    }

    if (!starts(at) && byte_at(in, at - 1) < 0x80) return {at, produced, produced / 2 - pairs_seen, lines};
    edge_block<Big>   edge(check, in, at, size);
    const bool        last = size - at <= block;
    const std::size_t end  = edge.wrong != 0 ? end_of_good(in, at + first(edge.wrong) + 1) : size;
    const bool        on   = edge.wrong == 0 && !last;
    const std::size_t made = on ? edge.put_all() : edge.put(end > at ? end - at : 0);
    const std::size_t taken = std::min(made, (room - produced) / 2 * 2);
    copy_short(out + produced, edge.units, taken);
    produced += taken;
    if (on && taken == made) {
      pairs_seen += count(edge.fourths);
      lines += count(edge.line_feeds);
      at += block;
      continue;
    }

    // Wrong, at the end, or full. Half of a pair goes back, which this block or the one before has written.
    std::size_t taken_end = end;
    if (taken < made) {
      mask left = edge.ends;
      for (std::size_t i = 0; i < taken; i += 2) left &= left - 1;
      taken_end = at + (taken == 0 ? 0 : last_of(edge.ends ^ left) + 1);
      taken_end = end_of_good(in, taken_end);
    }
    if (produced >= 2 && is_high_surrogate(unit_at<Big>(out + produced - 2))) produced -= 2;
    const mask good = below(taken_end > at ? taken_end - at : 0);
    pairs_seen += count(edge.fourths & good);
    lines += count(edge.line_feeds & good);
    return {taken_end, produced, produced / 2 - pairs_seen, lines};
  }
}

}  // namespace
}  // namespace utfilter::detail
