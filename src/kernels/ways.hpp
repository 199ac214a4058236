// ways.hpp: how vector kernels go through a text, block by block. To be included inside the region of an instruction set.
//
// A branch on whether a block is ASCII costs as much as the check of several blocks where it is not foreseen, as in text where ASCII
// and other characters alternate and nothing repeats. So blocks are taken in one of three ways, as those before them turned out.
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace utfilter::detail {
namespace {

constexpr std::size_t block = 64;  // bytes: a cache line

/// 1 to 64 bytes. Reading and writing across cache lines costs.
std::size_t to_alignment(const char* p) noexcept { return block - reinterpret_cast<std::uintptr_t>(p) % block; }

/// Fetches what will be read, also past the end. The processor's own guess stops at each page, and the instructions that it looks ahead
/// are too few bytes of text.
void read_ahead(const char* in) noexcept { __builtin_prefetch(in + 2048); }
/// The same for what will be written: stores to memory that is in no cache fill the processor's store buffer.
void write_ahead(const char* out) noexcept { __builtin_prefetch(out + 1024); }

/// A text has
///   left()                   the whole blocks that are left;
///   pass_ascii(n)            passes up to n blocks, to the first that is not ASCII; none where the byte before is not;
///   pass_to_alignment()      checks what is left of the cache line, where there is a block;
///   pass_marked(n, texts)    marks those of n blocks that are not ASCII, or whose byte before is not, without a branch, counts them
///                            and checks them alone;
///   pass_each(n, texts)      checks n blocks, and counts those that are not ASCII;
///   pass_last()              the rest, less than a block;
///   many                     the most blocks at a time.
/// What checks is false where something is wrong, and has passed what precedes it.
///
/// A text may also be short, or soon wrong: alignment is for what has shown to be long.
template <class Text>
[[gnu::always_inline]] inline void pass_by_ways(Text& text) noexcept {
  text.pass_ascii(std::min<std::size_t>(text.left(), 4));
  bool mark = false;
  for (std::size_t most = 1; text.left() != 0; most = std::min(2 * most, Text::many)) {
    const std::size_t n     = std::min(text.left(), most);
    std::size_t       texts = 0;
    if (!(mark ? text.pass_marked(n, texts) : text.pass_each(n, texts))) return;
    if (most == 1 && text.left() >= 6 && !text.pass_to_alignment()) return;
    mark = 4 * texts <= 3 * n;
    if (texts == 0) text.pass_ascii(text.left());
  }
  text.pass_last();
}

}  // namespace
}  // namespace utfilter::detail
