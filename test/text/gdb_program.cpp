// gdb_program.cpp: the program that gdb_test.py inspects, stopped in `stop_here`. It holds texts, each with the error
// that the library finds, and variables of all kinds.
#include <utfilter/error.hpp>
#include <utfilter/text.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct example {
  std::string text;
  const char* error;  // the text that to_string returns; empty if there is no error
};

std::vector<example> make_examples() {
  // All pairs of bytes on the bounds of table 3-7, alone and between other text. And characters around offset 65536,
  // where utf8check cuts the text into pieces.
  std::vector<std::string> texts{""};
  const std::string bounds("\0\n\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF"
                           "\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xF7\xF8\xFD\xFE\xFF",
                           29);
  for (const char first : bounds)
    for (const char second : bounds)
      for (const char* const after : {"", "\xBF", "\xBF\xBF!", ".\n\xFF"}) {
        texts.push_back(std::string{first, second} + after);
        texts.push_back("\xEF\xBB\xBF\xE3\x81\x82\n\xF0\x9F\x98\x80" + texts.back());
      }
  for (const char* const last : {"\xF0\x9F\x98\x80", "\xE3\x81\x82\xFF", "\xF0\x9F\x98", "\xC3", "\xED\xA0\x80"})
    for (std::size_t before = 65532; before <= 65537; ++before) texts.push_back(std::string(before, 'e') + last);

  static std::deque<std::string> errors;
  std::vector<example> examples;
  for (const std::string& text : texts) {
    const auto error = utfilter::find_error(text);
    examples.push_back({text, error ? errors.emplace_back(to_string(*error)).c_str() : ""});
  }
  return examples;
}

/// A text of `letters` letters and the byte `last`, directly before memory that cannot be read.
const char* at_the_end_of_memory(std::size_t letters, char last) {
  const std::size_t page = 1 << 16, size = (letters / page + 1) * page;  // a whole number of pages on any system
  void* const room = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  char* const end = static_cast<char*>(room) + size;
  std::memset(room, 'e', size);
  end[-1] = last;
  munmap(end, page);
  return end - letters - 1;
}

[[gnu::noinline]] void stop_here(const example* examples, std::size_t size) {
  asm volatile("" : : "r"(examples), "r"(size) : "memory");
}

}  // namespace

int main() {
  const std::vector<example> examples = make_examples();

  const std::string text = "gr\xC3\xBC\xC3\x9F \xC0\x80 dich";
  const std::string& reference = text;
  const std::string_view view = text;
  const char* const pointer = "caf\xC3\xA9\n\xED\xA0\x80";
  const char* const null = nullptr;
  char room[16] = "well";
  unsigned char bytes[] = {0xE2, 0x82, 0xAC, 0xE2, 0x82};
  const char controls[] = "\x1B[31m\xE2\x80\xAE\xFF\a";
  const std::u16string units = u"abc";
  const wchar_t wide[] = L"abc";
  const int number = 3;
  const std::vector<char> letters = {'a', 'b'};
  const std::string_view nowhere(reinterpret_cast<const char*>(16), 1000);
  std::string euros;
  for (int i = 0; i < 1 << 22; ++i) euros += "\xE2\x82\xAC";  // 12 MiB
  const char* const large = euros.c_str();
  const char* const eighth = large + euros.size() / 8 * 7;
  const char* const last_of_memory = at_the_end_of_memory(200'000, '\0');
  const char* const without_nul = at_the_end_of_memory(200'000, '!');
  room[10] = '\x80';
  const void* const all[] = {&reference, &view,   &pointer, &null,    room,   bytes,   controls,        &units,
                             wide,       &number, &letters, &nowhere, &large, &eighth, &last_of_memory, &without_nul};
  asm volatile("" : : "r"(all) : "memory");
  stop_here(examples.data(), examples.size());
}
