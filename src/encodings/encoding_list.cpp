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
  // Looks among the lists from `first` on that are newer than `known`.
  const auto find = [&](const kept_list* first, const kept_list* known) {
    while (first != known && !std::equal(first->begin(), first->end(), begin, begin + size)) first = first->older;
    return first != known ? first : nullptr;
  };
  std::unique_ptr<kept_list> made;
  const kept_list* first = newest.load(std::memory_order_acquire);
  const kept_list* found = find(first, nullptr);
  while (found == nullptr) {
    if (made == nullptr) {
      made = std::make_unique<kept_list>(kept_list{std::make_unique<encoding[]>(size), size, nullptr});
      std::copy_n(begin, size, made->encodings.get());
    }
    const kept_list* const known = first;
    made->older = known;
    if (newest.compare_exchange_weak(first, made.get(), std::memory_order_acq_rel, std::memory_order_acquire))
      found = made.release();
    else
      found = find(first, known);  // another thread has made a list
  }
  begin_ = found->begin();
  end_ = found->end();
}

}  // namespace utfilter
