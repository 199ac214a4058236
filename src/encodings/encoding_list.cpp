// encoding_list.cpp: keeps the lists of encodings that a program makes.
#include <utfilter/encoding.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>

namespace utfilter {
namespace {

/// A list that is kept until the program ends.
struct kept_list {
  std::unique_ptr<encoding[]> encodings;
  std::size_t size;
  const kept_list* older;

  const encoding* begin() const noexcept { return encodings.get(); }
  const encoding* end() const noexcept { return encodings.get() + size; }
};
std::atomic<const kept_list*> newest{nullptr};  // of the lists; none of them is ever deleted

}  // namespace

encoding_list::encoding_list(const encoding* begin, std::size_t size) {
  if (size == 0) return;
  const encoding* const end = begin + size;
  std::unique_ptr<kept_list> made;
  const kept_list* seen = nullptr;  // this one and older ones are not equal
  while (true) {
    const kept_list* const first = newest.load(std::memory_order_acquire);
    for (const kept_list* each = first; each != seen; each = each->older)
      if (std::equal(each->begin(), each->end(), begin, end)) {
        begin_ = each->begin();
        end_ = each->end();
        return;
      }
    seen = first;
    if (made == nullptr) {
      made = std::make_unique<kept_list>(kept_list{std::make_unique<encoding[]>(size), size, nullptr});
      std::copy(begin, end, made->encodings.get());
    }
    made->older = first;
    const kept_list* expected = first;
    if (!newest.compare_exchange_strong(expected, made.get(), std::memory_order_release, std::memory_order_relaxed))
      continue;
    begin_ = made->begin();
    end_ = made->end();
    static_cast<void>(made.release());
    return;
  }
}

}  // namespace utfilter
