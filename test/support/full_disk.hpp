// full_disk.hpp: a disk that has no more space, without a disk of its own: the size of all files is limited.
#ifndef UTFILTER_TEST_FULL_DISK_HPP
#define UTFILTER_TEST_FULL_DISK_HPP

#include <sys/resource.h>

#include <csignal>
#include <cstddef>

/// As long as it lives, no file can grow beyond `size` bytes. A write beyond it takes what fits; the next one fails, and
/// sends no signal that ends the program.
class full_disk {
 public:
  explicit full_disk(std::size_t size) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = size;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~full_disk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;

 private:
  rlimit before_{};
};

#endif
