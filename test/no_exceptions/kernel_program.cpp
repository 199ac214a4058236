// kernel_program.cpp: calls every kernel of every table that this processor can run, with uninitialised bytes before
// the input, after it and in the output buffer, for many lengths, alignments and sizes of the buffer. The results must
// equal those of the scalar table. The memory sanitizer and valgrind report every result that depends on an
// uninitialised byte. The program prints what it covered, and exits with 1 if a check failed. It needs no library, not
// even streams, so the memory sanitizer sees all its code.
#include "support/kernel_list.hpp"
#include "support/texts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace std::string_literals;
using namespace kernel_list;
using texts::text32;

constexpr std::size_t around = 128;  // bytes: two of the largest blocks

std::uint64_t cases = 0, failed = 0;

void check(bool passed, const kernel_table& table, const char* kernel, std::size_t size, std::size_t room) {
  ++cases;
  if (!passed && ++failed <= 10)
    std::printf("failed: %s: %s, %zu bytes, room for %zu\n", table.name, kernel, size, room);
}

/// Newly allocated memory. Only the given bytes are initialised; `shift` moves their start within a block.
class unwritten {
 public:
  unwritten(std::size_t size, std::size_t shift)
      : memory_(new char[size + 2 * around + shift]), begin_(memory_.get() + around + shift) {}
  unwritten(std::string_view bytes, std::size_t shift) : unwritten(bytes.size(), shift) {
    std::copy(bytes.begin(), bytes.end(), begin_);
  }

  char* begin() const { return begin_; }

 private:
  std::unique_ptr<char[]> memory_;
  char* begin_;
};

void check(const conversion& c, const std::string& text, std::size_t room, std::size_t shift) {
  std::string clean(room, '\0');
  const run expected = c.call(scalar_kernels, text.data(), text.size(), &clean[0], room);
  for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
    const unwritten in(text, shift), out(room, 2 * shift);
    const run got = c.call(**table, in.begin(), text.size(), out.begin(), room);
    const bool same = got == expected && (!c.writes || std::memcmp(out.begin(), clean.data(), expected.produced) == 0);
    check(same, **table, c.name, text.size(), room);
  }
}

void check(const line_counter& l, const std::string& text, std::size_t shift) {
  const line_end expected = (scalar_kernels.*l.kernel)(text.data(), text.size());
  for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
    const unwritten in(text, shift);
    const line_end got = ((*table)->*l.kernel)(in.begin(), text.size());
    check(got.bytes == expected.bytes && got.characters == expected.characters, **table, l.name, text.size(), 0);
  }
}

/// Keeps the low byte of each character: in ISO-8859-1 any bytes are text.
std::string latin1(const text32& text) {
  std::string bytes;
  for (const char32_t c : text) bytes += static_cast<char>(static_cast<unsigned char>(c & 0xFF));
  return bytes;
}

struct form {
  encoding name;
  std::string (*encode)(const text32&);
  std::string error;
};
const form forms[] = {
    {encoding::utf8, texts::utf8, "\xED\xA0\x80"},
    {encoding::utf16le, texts::utf16le, "\x01\xDC"s},
    {encoding::utf16be, texts::utf16be, "\xDC\x01"s},
    {encoding::utf32le, texts::utf32le, "\x00\xD8\x00\x00"s},
    {encoding::utf32be, texts::utf32be, "\x00\x11\x00\x00"s},
    {encoding::latin1, latin1, ""},
};

/// Texts of characters of one length, and of all lengths: kernels have a separate path for each of these.
const text32 patterns[] = {U"a",
                           U"\u00E9",
                           U"\u20AC",
                           U"\U0001F600",
                           U"one\ntw\u00F6 \u0416\u20AC\U0001F600\U0010FFFF\n.",
                           text32(70, U'.') + U"\u00E9\n"};

/// Repeats the pattern's characters until they fill `size` bytes.
std::string text_of(const form& f, const text32& pattern, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += f.encode({pattern[i % pattern.size()]});
  return text;
}

/// Checks a text: whole, cut after `size` bytes, and with an error in the middle.
void check_texts(const form& f, const text32& pattern, std::size_t size) {
  const std::string whole = text_of(f, pattern, size), cut = whole.substr(0, size);
  const std::string middle = text_of(f, pattern, size / 2) + f.error + text_of(f, pattern, size / 2);
  const std::size_t shift = 7 * size % 64;
  for (const conversion& c : conversions) {
    if (c.from != f.name) continue;
    for (const std::string& text : {cut, whole, middle}) {
      std::string out(4 * text.size(), '\0');
      const std::size_t made = c.call(scalar_kernels, text.data(), text.size(), &out[0], out.size()).produced;
      for (const std::size_t room : {made, made - std::min<std::size_t>(made, 1), made / 2, 3 * made + around})
        check(c, text, room, shift);
    }
  }
  for (const line_counter& l : line_counters)
    if (l.of == f.name) check(l, whole, shift);
}

}  // namespace

int main() {
  for (const form& f : forms)
    for (const text32& pattern : patterns) {
      for (std::size_t size = 0; size <= 150; ++size) check_texts(f, pattern, size);
      for (const std::size_t size : {300u, 700u, 1500u}) check_texts(f, pattern, size);
    }
  std::string names;
  for (const auto* table = usable_kernels(); *table != nullptr; ++table) names += std::string(" ") + (*table)->name;
  std::printf("kernels%s: %llu cases, %llu failed\n", names.c_str(), static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(failed));
  return failed != 0;
}
