// mutants.hpp: included before everything else in builds with mutants (see sites.py). Tells whether the mutant with a
// given number runs.
//
// UTFILTER_MUTANT=N: mutant number N runs. UTFILTER_REACHED=FILE: no mutant runs, but the file, which has one byte for
// each possible mutant, records the mutants that are reached. The file is mapped, so it also records the mutants that a
// child process reaches, or a process that is killed.
#ifndef UTFILTER_TEST_MUTANTS_HPP
#define UTFILTER_TEST_MUTANTS_HPP

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace utfilter_mutants {

constexpr int most = 16384;

// Hidden, so that one comparison answers whether a mutant runs.
[[gnu::visibility("hidden")]] inline unsigned char asked[most];  // not 0: the mutant runs, or is to be recorded
[[gnu::visibility("hidden")]] inline unsigned char* reached;     // the mapped file; null if a mutant runs

[[gnu::noinline, gnu::cold, gnu::visibility("hidden")]] inline bool is_met(int number) noexcept {
  if (reached == nullptr) return true;
  reached[number] = 1;
  asked[number] = 0;  // recording it once is enough
  return false;
}

[[gnu::constructor(101)]] static void choose() noexcept {
  if (const char* const number = getenv("UTFILTER_MUTANT")) asked[atoi(number)] = 1;
  const char* const name = getenv("UTFILTER_REACHED");
  if (name == nullptr || reached != nullptr) return;
  const int file = open(name, O_RDWR | O_CLOEXEC);
  void* const bytes = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) abort();
  close(file);
  reached = static_cast<unsigned char*>(bytes);
  memset(asked, 1, most);
}

}  // namespace utfilter_mutants

[[gnu::always_inline]] inline bool utfilter_mutant(int number) noexcept {
  return __builtin_expect(utfilter_mutants::asked[number] != 0, 0) && utfilter_mutants::is_met(number);
}

/// The same for constexpr functions: at compile time no mutant runs.
[[gnu::always_inline]] constexpr inline bool utfilter_constexpr_mutant(int number) noexcept {
  return !__builtin_is_constant_evaluated() && utfilter_mutant(number);
}

#endif
