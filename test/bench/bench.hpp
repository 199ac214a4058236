// bench.hpp: tasks and who competes in them, and how each proves once that it does the work it is measured for.
//
// A measurement is called WHAT/CORPUS/WHO; report.py makes the tables from these names.
#ifndef UTFILTER_BENCH_BENCH_HPP
#define UTFILTER_BENCH_BENCH_HPP

#include "corpora.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace bench {

constexpr std::size_t chunk = 65536;  // bytes that a user reads or writes at a time

/// Compares what is made with what should be, piece by piece.
class verifier {
 public:
  /// The text is expected that many times in a row.
  explicit verifier(std::string_view expected, std::size_t times = 1)
      : expected_(expected), left_(expected.size() * times) {}

  void operator()(const char* s, std::size_t n);
  void operator()(std::string_view s) { (*this)(s.data(), s.size()); }
  bool passed() const noexcept { return right_ && left_ == 0; }

 private:
  std::string_view expected_;
  std::size_t at_ = 0;  // in expected_
  std::size_t left_;
  bool right_ = true;
};

/// Does the work once. Where there is a verifier, what it made is shown to it, and no time is taken.
using action = std::function<void(verifier*)>;
/// The same; returns the seconds that it took.
using timed_action = std::function<double(verifier*)>;

/// Work that several can do. The texts are not owned.
struct task {
  std::string what;
  std::string corpus;
  std::size_t bytes;          // of input
  std::string_view expected;  // the output
  std::size_t times = 1;      // in a row
  std::size_t lines = 0;      // where it is the time for one that counts

  void add(const std::string& who, action) const;
  void add_timed(const std::string& who, timed_action) const;
};

/// What all tasks are about.
struct corpus {
  corpus(const std::string& name_or_file, std::size_t bytes, std::string working_directory);

  std::string name;
  excerpt memory;              // more than the caches hold
  excerpt hot8, hot16;         // 128 KiB of UTF-8, of UTF-16
  std::string directory;       // for files
  std::size_t file_size;       // bytes of these, about
  mutable std::string output;  // room for any output
};

// One of these for each source file.
void add_kernels(const corpus&);
void add_others(const corpus&);
void add_chains(const corpus&);
void add_lines(const corpus&);
void add_files(const corpus&);

}  // namespace bench

#endif
