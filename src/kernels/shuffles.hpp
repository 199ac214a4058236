// shuffles.hpp: tables of byte shuffles. Each shuffle takes 16 bytes, keeps some of them, and moves these to the front,
// in the order in which they are written. A table has one shuffle for each pattern of eight bits. Data only: every
// instruction set that shuffles 16 bytes by 16 indices can use them.
#ifndef UTFILTER_KERNELS_SHUFFLES_HPP
#define UTFILTER_KERNELS_SHUFFLES_HPP

namespace utfilter::detail {

/// entry[p][i] is, for the pattern p, the index of the byte that comes to place i. The places after the kept bytes get
/// byte 0; nobody reads them.
struct alignas(64) shuffles {
  unsigned char entry[256][16];
};

/// Eight lanes of two bytes. If bit i of the pattern is set, lane i keeps its second byte only, else both.
constexpr shuffles make_keep_one_or_two() noexcept {
  shuffles all{};
  for (unsigned p = 0; p < 256; ++p) {
    unsigned n = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((p >> lane & 1) == 0) all.entry[p][n++] = static_cast<unsigned char>(2 * lane);
      all.entry[p][n++] = static_cast<unsigned char>(2 * lane + 1);
    }
  }
  return all;
}
inline constexpr shuffles keep_one_or_two = make_keep_one_or_two();

/// Four lanes of four bytes 0, 1, 2, 3. Bits 2i + 1 and 2i of the pattern say how many bytes lane i keeps, and in which
/// order:
///   11 byte 1    10 bytes 0, 1    00 bytes 2, 3, 1    01 bytes 0, 2, 3, 1
/// In each case byte 1 comes last: it is the last byte of the character, whatever the character's length. So a kernel
/// can compute that byte in one way for all lanes.
constexpr shuffles make_keep_one_to_four() noexcept {
  constexpr unsigned char kept[4][4] = {{2, 3, 1, 0xFF}, {0, 2, 3, 1}, {0, 1, 0xFF, 0xFF}, {1, 0xFF, 0xFF, 0xFF}};
  shuffles all{};
  for (unsigned p = 0; p < 256; ++p) {
    unsigned n = 0;
    for (unsigned lane = 0; lane < 4; ++lane)
      for (const unsigned char byte : kept[p >> 2 * lane & 3])
        if (byte != 0xFF) all.entry[p][n++] = static_cast<unsigned char>(4 * lane + byte);
  }
  return all;
}
inline constexpr shuffles keep_one_to_four = make_keep_one_to_four();

/// Eight lanes of two bytes. If bit i of the pattern is set, lane i is kept; `swapped` exchanges its two bytes.
constexpr shuffles make_keep_marked(bool swapped) noexcept {
  shuffles all{};
  for (unsigned p = 0; p < 256; ++p) {
    unsigned n = 0;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((p >> lane & 1) == 0) continue;
      all.entry[p][n++] = static_cast<unsigned char>(2 * lane + (swapped ? 1 : 0));
      all.entry[p][n++] = static_cast<unsigned char>(2 * lane + (swapped ? 0 : 1));
    }
  }
  return all;
}
inline constexpr shuffles keep_marked = make_keep_marked(false), keep_marked_swapped = make_keep_marked(true);

}  // namespace utfilter::detail

#endif
