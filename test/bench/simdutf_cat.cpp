// simdutf_cat.cpp: simdutf_cat utf8|utf16le FILE: writes the file to standard output as UTF-8, with read(2), simdutf
// and write(2), without streams. utfcat is compared with it.
#include <simdutf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace {

constexpr std::size_t buffer_size = 65536;

// The buffers begin at a page. Malloc returns large blocks 16 bytes after one; the system fills such a buffer at a
// fifth of the speed on AMD's Zen 3.
alignas(4096) char in[buffer_size];
alignas(4096) char out[buffer_size / 2 * 3];

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "simdutf_cat: %s\n", what);
  std::exit(1);
}

void write_fully(const char* s, std::size_t n) {
  while (n != 0) {
    const ssize_t taken = write(STDOUT_FILENO, s, n);
    if (taken <= 0) fail("write");
    s += taken;
    n -= static_cast<std::size_t>(taken);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: simdutf_cat utf8|utf16le FILE");
  const bool utf8 = std::strcmp(argv[1], "utf8") == 0;
  const int file = open(argv[2], O_RDONLY);

  std::size_t carried = 0;  // bytes of a cut sequence, at the beginning of the buffer
  while (true) {
    const ssize_t got = read(file, in + carried, buffer_size - carried);
    if (got < 0) fail("read");
    if (got == 0) break;
    const std::size_t size = carried + static_cast<std::size_t>(got);
    const auto* const units = reinterpret_cast<const char16_t*>(in);
    const std::size_t whole =
        utf8 ? simdutf::trim_partial_utf8(in, size) : simdutf::trim_partial_utf16le(units, size / 2) * 2;
    if (utf8) {
      if (!simdutf::validate_utf8(in, whole)) fail("ill-formed");
      write_fully(in, whole);
    } else {
      const std::size_t made = simdutf::convert_utf16le_to_utf8(units, whole / 2, out);
      if (made == 0 && whole != 0) fail("ill-formed");
      write_fully(out, made);
    }
    carried = size - whole;
    std::memmove(in, in + whole, carried);
  }
  if (carried != 0) fail("cut off");
}
