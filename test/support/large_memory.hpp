// large_memory.hpp: gigabytes of address space that need almost no memory: the same two megabytes are mapped again and
// again.
#ifndef UTFILTER_TEST_LARGE_MEMORY_HPP
#define UTFILTER_TEST_LARGE_MEMORY_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <set>
#include <string_view>
#include <system_error>

class large_memory {
 public:
  static constexpr std::size_t period = 1 << 21;  // bytes; whole pages of any processor

  /// Maps `size` bytes, rounded up to whole periods. All are zero at first. A write to one period is seen in all.
  explicit large_memory(std::size_t size)
      : size_((size + period - 1) / period * period), file_(memfd_create("period", MFD_CLOEXEC)) {
    if (file_ < 0 || ftruncate(file_, period) != 0) fail("memfd_create");
    // The period after the end stays inaccessible.
    begin_ = map(nullptr, size_ + period, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (std::size_t at = 0; at < size_; at += period) map_shared(at, period);
  }
  ~large_memory() {
    munmap(begin_, size_ + period);
    close(file_);
  }
  large_memory(const large_memory&) = delete;
  large_memory& operator=(const large_memory&) = delete;

  char* begin() const { return begin_; }
  std::size_t size() const { return size_; }
  bool contains(const void* p) const { return p >= begin_ && p < begin_ + size_; }

  /// Fills the memory with copies of `unit`, whose size is a power of two. This undoes every patch.
  void fill(std::string_view unit) {
    for (const std::size_t page : copied_) map_shared(page, page_size());
    copied_.clear();
    for (std::size_t at = 0; at < period; at += unit.size()) std::copy(unit.begin(), unit.end(), begin_ + at);
  }

  /// Writes bytes at this place alone: its pages become private copies, which other writes do not change.
  void patch(std::size_t at, std::string_view bytes) {
    for (std::size_t page = at / page_size() * page_size(); page < at + bytes.size(); page += page_size())
      if (copied_.insert(page).second) map_at(page, page_size(), MAP_PRIVATE);
    std::copy(bytes.begin(), bytes.end(), begin_ + at);
  }

 private:
  static std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

  [[noreturn]] static void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

  static char* map(char* at, std::size_t size, int protection, int flags, int file, off_t offset) {
    void* const memory = mmap(at, size, protection, flags, file, offset);
    if (memory == MAP_FAILED) fail("mmap");
    return static_cast<char*>(memory);
  }

  void map_at(std::size_t at, std::size_t size, int flags) {
    map(begin_ + at, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED, file_, static_cast<off_t>(at % period));
  }
  void map_shared(std::size_t at, std::size_t size) { map_at(at, size, MAP_SHARED | MAP_POPULATE); }

  std::size_t size_;
  int file_;
  char* begin_;
  std::set<std::size_t> copied_;  // pages
};

#endif
