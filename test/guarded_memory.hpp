// guarded_memory.hpp: memory between two pages that nobody may touch: who reads or writes one byte beside it ends the program.
#ifndef UTFILTER_TEST_GUARDED_MEMORY_HPP
#define UTFILTER_TEST_GUARDED_MEMORY_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

class guarded_memory {
 public:
  /// Of that many bytes, rounded up to whole pages.
  explicit guarded_memory(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_           = (size + page - 1) / page * page;
    void* const all = mmap(nullptr, size_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    begin_ = static_cast<char*>(all) + page;
    if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) throw std::system_error(errno, std::generic_category(), "mprotect");
  }
  guarded_memory(const guarded_memory&) = delete;
  guarded_memory& operator=(const guarded_memory&) = delete;

  char* begin() const { return begin_; }
  char* end() const { return begin_ + size_; }

 private:
  char*       begin_;
  std::size_t size_;
};

#endif
