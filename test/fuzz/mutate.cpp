// mutate.cpp: how libFuzzer changes inputs. Besides its own changes it puts in runs of characters in one of the
// encodings, so that some texts are long and mostly well-formed, and changes single choices of the header.
#include "fuzz.hpp"

#include "support/texts.hpp"

#include <cstring>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using fuzz::header_size;

class dice {
 public:
  explicit dice(unsigned seed) : engine_(seed) {}
  /// 0 to n - 1.
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

  /// A character of any length in UTF-8. Line ends, U+FEFF, controls, and the edges of ranges are frequent.
  char32_t character() {
    constexpr char32_t edges[] = {U'\n', U'\r',  0,      0x7F,   0x80,   0x9F,   0xFF,    0x7FF,
                                  0x800, 0x2028, 0xD7FF, 0xE000, 0xFEFF, 0xFFFF, 0x10000, 0x10FFFF};
    switch (below(7)) {
      case 0: return edges[below(std::size(edges))];
      case 6: return static_cast<char32_t>(0x300 + below(0x70));  // marks
      case 1: return static_cast<char32_t>(0x80 + below(0x780));
      case 2: return static_cast<char32_t>((one_in(2) ? 0x1000 : 0x3000) + below(0xA000));
      case 3: return static_cast<char32_t>(0x10000 + below(0x100000));
      default: return static_cast<char32_t>(' ' + below(95));
    }
  }

 private:
  std::minstd_rand engine_;
};

/// `of_the_web` chooses one of the encodings of several bytes a character.
std::string encoded(char32_t c, std::size_t encoding, std::size_t of_the_web) {
  constexpr auto first = static_cast<std::size_t>(conformance::reference::encoding::shift_jis);
  const auto any_of_the_web = static_cast<conformance::reference::encoding>(first + of_the_web);
  const texts::text32 text(1, c);
  std::string bytes;
  switch (encoding) {
    case 0: return texts::utf16le(text);
    case 1: return texts::utf16be(text);
    case 2: return texts::utf32le(text);
    case 3: bytes = texts::utf32le(text); return {bytes.rbegin(), bytes.rend()};
    case 4: return texts::cesu8(text);
    case 5:  // two bytes of a charset like Shift_JIS
      return {static_cast<char>(0x81 + c % 0x7E), static_cast<char>(0x40 + c / 0x7E % 0xBF)};
    case 6: return conformance::reference::encode(any_of_the_web, text);
    default: return texts::utf8(text);
  }
}

std::string run_of_characters(dice& random) {
  const std::size_t encoding = random.below(11), of_the_web = random.below(7);
  std::string run;
  if (random.one_in(2)) {  // one character, again and again
    const std::string one = encoded(random.character(), encoding, of_the_web);
    for (std::size_t n = 1 + random.below(random.one_in(3) ? 100 : 3); n != 0; --n) run += one;
  } else {
    for (std::size_t n = 1 + random.below(40); n != 0; --n) run += encoded(random.character(), encoding, of_the_web);
  }
  return run;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  dice random(seed);
  if (max_size <= header_size || size < header_size || random.one_in(3)) return LLVMFuzzerMutate(data, size, max_size);
  if (random.one_in(4)) {
    data[random.below(header_size)] = static_cast<std::uint8_t>(random.below(256));
    return size;
  }
  std::uint8_t* const text = data + header_size;
  if (random.one_in(2)) return header_size + LLVMFuzzerMutate(text, size - header_size, max_size - header_size);

  // The run mostly begins where code units do. It replaces bytes, or is inserted between them.
  const std::string run = run_of_characters(random);
  std::size_t at = random.below(size - header_size + 1);
  if (!random.one_in(4)) at -= at % 4;
  const std::size_t tail = size - header_size - at;
  const std::size_t kept = random.one_in(3) ? tail - std::min(tail, run.size()) : tail;
  if (header_size + at + run.size() + kept > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memmove(text + at + run.size(), text + size - header_size - kept, kept);
  std::copy(run.begin(), run.end(), text + at);
  return header_size + at + run.size() + kept;
}
