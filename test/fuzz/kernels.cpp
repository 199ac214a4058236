// kernels.cpp: a fuzz target that compares each kernel of every table of this processor with the reference: the bytes
// consumed and produced, the counts, and the output. Input and output lie directly before a page that nobody may touch,
// or anywhere after one. The memory beside them is poisoned for the address sanitizer.
#include "fuzz.hpp"

#include "support/guarded_memory.hpp"

#include <cstring>
#include <limits>

// The header is included only if the address sanitizer is on: clang++ alone comes without the header.
#if defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define UTFILTER_POISONS_MEMORY
#  endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(UTFILTER_POISONS_MEMORY)
#  include <sanitizer/asan_interface.h>
#else
#  define ASAN_POISON_MEMORY_REGION(begin, size) (static_cast<void>(begin), static_cast<void>(size))
#  define ASAN_UNPOISON_MEMORY_REGION(begin, size) (static_cast<void>(begin), static_cast<void>(size))
#endif

namespace {

using namespace fuzz;
using namespace utfilter::detail;
using conformance::to_hex;
namespace reference = conformance::reference;

constexpr std::size_t longest = 1 << 11, most_room = 4 * longest + 256;

struct conversion {
  reference::encoding from, to;
  convert_kernel kernel_table::*kernel;  // null for validation, which writes nothing
};

using e = reference::encoding;
constexpr conversion conversions[] = {
    {e::utf8, e::utf8, nullptr},
    {e::utf8, e::utf8, &kernel_table::copy_utf8},
    {e::utf8, e::utf8, &kernel_table::copy_utf8_to_error},
    {e::utf16le, e::utf8, &kernel_table::utf16le_to_utf8},
    {e::utf16be, e::utf8, &kernel_table::utf16be_to_utf8},
    {e::utf32le, e::utf8, &kernel_table::utf32le_to_utf8},
    {e::utf32be, e::utf8, &kernel_table::utf32be_to_utf8},
    {e::latin1, e::utf8, &kernel_table::latin1_to_utf8},
    {e::utf8, e::utf16le, &kernel_table::utf8_to_utf16le},
    {e::utf8, e::utf16be, &kernel_table::utf8_to_utf16be},
    {e::utf8, e::utf32le, &kernel_table::utf8_to_utf32le},
    {e::utf8, e::utf32be, &kernel_table::utf8_to_utf32be},
    {e::utf8, e::latin1, &kernel_table::utf8_to_latin1},
};

/// The kernel that counts the last line of a text in this encoding, or null.
last_line_kernel kernel_table::*line_counter(reference::encoding of) {
  switch (of) {
    case e::utf8: return &kernel_table::utf8_last_line;
    case e::utf16le: return &kernel_table::utf16le_last_line;
    case e::utf16be: return &kernel_table::utf16be_last_line;
    default: return nullptr;
  }
}

/// `size` bytes at the end of guarded memory, or `offset` bytes after its start. The rest of that memory is poisoned.
class place {
 public:
  place(const guarded_memory& memory, std::size_t size, bool at_end, std::size_t offset)
      : memory_(memory), begin_(at_end ? memory.end() - size : memory.begin() + offset) {
    ASAN_POISON_MEMORY_REGION(memory.begin(), static_cast<std::size_t>(memory.end() - memory.begin()));
    ASAN_UNPOISON_MEMORY_REGION(begin_, size);
  }
  ~place() { ASAN_UNPOISON_MEMORY_REGION(memory_.begin(), static_cast<std::size_t>(memory_.end() - memory_.begin())); }
  place(const place&) = delete;
  place& operator=(const place&) = delete;

  char* begin() const { return begin_; }

 private:
  const guarded_memory& memory_;
  char* begin_;
};

/// The result that a kernel must have: its counts, its output, and the last line of the text that it consumes.
struct expectation {
  run done{};
  std::string output;
  line_end last{};

  expectation(const conversion& c, std::string_view text, std::size_t room) {
    while (done.consumed < text.size()) {
      const auto next = reference::decode(c.from, text.substr(done.consumed));
      if (!next.good) break;
      const std::string bytes = reference::encode(c.to, next.value);
      if (bytes.empty() || bytes.size() > room - done.produced) break;
      output += bytes;
      done.consumed += next.size;
      done.produced = output.size();
      ++done.characters;
      last.bytes += next.size;
      ++last.characters;
      if (next.value != U'\n') continue;
      ++done.line_feeds;
      last = {};
    }
  }
};

bool same(const run& a, const run& b) {
  return a.consumed == b.consumed && a.produced == b.produced && a.characters == b.characters &&
         a.line_feeds == b.line_feeds;
}

std::string text_of(const run& r) {
  return std::to_string(r.consumed) + " consumed, " + std::to_string(r.produced) + " produced, " +
         std::to_string(r.characters) + " characters, " + std::to_string(r.line_feeds) + " line feeds";
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const guarded_memory in_memory(longest + 64), out_memory(most_room + 64);
  choices choose(data, size);
  const conversion& c = choose.any_of(conversions);
  const bool in_at_end = choose.one_in(2), out_at_end = choose.one_in(2);
  const std::size_t in_offset = choose.below(64), out_offset = choose.below(64);
  const std::size_t room_given = choose.byte(), room_short = choose.byte();
  const std::string text = choose.text(longest);

  // The room is as much as is needed, a little less or more, or a part of it.
  const std::size_t needed = expectation(c, text, most_room).done.produced;
  std::size_t room = room_given < 0x40   ? needed
                     : room_given < 0x80 ? needed - std::min(needed, room_short)
                     : room_given < 0xC0 ? needed + room_short
                                         : needed * room_short / 256;
  if (c.kernel == nullptr) room = most_room;
  const expectation wanted(c, text, room);

  const place in(in_memory, text.size(), in_at_end, in_offset);
  std::memcpy(in.begin(), text.data(), text.size());
  for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
    const place out(out_memory, room, out_at_end, out_offset);
    const run got = c.kernel == nullptr ? (*table)->validate_utf8(in.begin(), text.size())
                                        : ((*table)->*c.kernel)(in.begin(), text.size(), out.begin(), room);
    const char* what = c.kernel == nullptr ? in.begin() : out.begin();
    if (!same(got, wanted.done) || std::memcmp(what, wanted.output.data(), got.produced) != 0)
      fail(std::string((*table)->name) + ", conversion " + std::to_string(&c - conversions) + ", " + to_hex(text) +
           ", room for " + std::to_string(room) + "\n  expected " + text_of(wanted.done) + ": " +
           to_hex(wanted.output) + "\n  got      " + text_of(got) + ": " +
           to_hex({what, std::min(got.produced, room)}));
  }

  if (const auto counter = line_counter(c.from)) {
    const place good(in_memory, wanted.done.consumed, in_at_end, in_offset);
    std::memcpy(good.begin(), text.data(), wanted.done.consumed);
    for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
      const line_end got = ((*table)->*counter)(good.begin(), wanted.done.consumed);
      if (got.bytes != wanted.last.bytes || got.characters != wanted.last.characters)
        fail(std::string((*table)->name) + ", last line of " +
             to_hex(std::string_view(text).substr(0, wanted.done.consumed)) + ": expected " +
             std::to_string(wanted.last.bytes) + " bytes, " + std::to_string(wanted.last.characters) +
             " characters, got " + std::to_string(got.bytes) + ", " + std::to_string(got.characters));
    }
  }
  return 0;
}
