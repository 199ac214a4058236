// mutants.hpp: included before all else where mutants are built in (see sites.py): whether the mutant of a number is
// the one that runs.
//
// UTFILTER_MUTANT=N makes it the one of that number. UTFILTER_REACHED=FILE makes it none, and marks in the file, of as
// many bytes as there can be mutants, those that are reached. A process that is killed has marked them, and so have its
// children.
#ifndef UTFILTER_TEST_MUTANTS_HPP
#define UTFILTER_TEST_MUTANTS_HPP

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace utfilter_mutants {

constexpr int most = 16384;

// Hidden, so that one is asked for with one comparison.
[[gnu::visibility("hidden")]] inline unsigned char asked[most];  // not 0: its number is asked for
[[gnu::visibility("hidden")]] inline unsigned char* reached;     // the file; null where a mutant runs

[[gnu::noinline, gnu::cold, gnu::visibility("hidden")]] inline bool is_met(int number) noexcept {
  if (reached == nullptr) return true;
  reached[number] = 1;
  asked[number] = 0;  // once is enough
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

/// The same in a constexpr function: where it is evaluated at compile time there is none.
[[gnu::always_inline]] constexpr inline bool utfilter_constexpr_mutant(int number) noexcept {
  return !__builtin_is_constant_evaluated() && utfilter_mutant(number);
}

#endif
