// kernels.cpp: a fuzz target that compares each kernel of every table of this processor with the reference: the bytes
// consumed and produced, the counts, and the output. Input and output lie directly before a page that nobody may touch,
// or anywhere after one. The memory beside them is poisoned for the address sanitizer.
#include "fuzz.hpp"

#include "support/guarded_memory.hpp"
#include "support/kernel_list.hpp"

#include <cstring>

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
using kernel_list::conversion;
using kernel_list::operator==;
using kernel_list::text_of;
namespace reference = conformance::reference;

constexpr std::size_t longest = 1 << 11, most_room = 4 * longest + 256;

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

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const guarded_memory in_memory(longest + 64), out_memory(most_room + 64);
  choices choose(data, size);
  const conversion& c = choose.any_of(kernel_list::conversions);
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
  if (!c.writes) room = most_room;
  const expectation wanted(c, text, room);

  const place in(in_memory, text.size(), in_at_end, in_offset);
  std::memcpy(in.begin(), text.data(), text.size());
  for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
    const place out(out_memory, room, out_at_end, out_offset);
    const run got = c.call(**table, in.begin(), text.size(), out.begin(), room);
    const char* what = c.writes ? out.begin() : in.begin();
    if (!(got == wanted.done) || std::memcmp(what, wanted.output.data(), got.produced) != 0)
      fail(std::string((*table)->name) + ", " + c.name + ", " + to_hex(text) + ", room for " + std::to_string(room) +
           "\n  expected " + text_of(wanted.done) + ": " + to_hex(wanted.output) + "\n  got      " + text_of(got) +
           ": " + to_hex({what, std::min(got.produced, room)}));
  }

  for (const kernel_list::line_counter& counter : kernel_list::line_counters) {
    if (counter.of != c.from) continue;
    const place good(in_memory, wanted.done.consumed, in_at_end, in_offset);
    std::memcpy(good.begin(), text.data(), wanted.done.consumed);
    for (const auto* table = usable_kernels(); *table != nullptr; ++table) {
      const line_end got = ((*table)->*counter.kernel)(good.begin(), wanted.done.consumed);
      if (got.bytes != wanted.last.bytes || got.characters != wanted.last.characters)
        fail(std::string((*table)->name) + ", last line of " +
             to_hex(std::string_view(text).substr(0, wanted.done.consumed)) + ": expected " +
             std::to_string(wanted.last.bytes) + " bytes, " + std::to_string(wanted.last.characters) +
             " characters, got " + std::to_string(got.bytes) + ", " + std::to_string(got.characters));
    }
  }
  return 0;
}
