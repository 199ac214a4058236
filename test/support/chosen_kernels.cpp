// chosen_kernels.cpp: can be linked into any program that has the library's objects, or the static library.
#include "support/chosen_kernels.hpp"

#include "kernels/kernels.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

void choose_kernels_from_environment() noexcept {
  const char* const name = std::getenv("UTFILTER_KERNELS");
  if (name == nullptr || *name == '\0') return;
  for (const auto* table = utfilter::detail::usable_kernels(); *table != nullptr; ++table) {
    if (std::strcmp((*table)->name, name) != 0) continue;
    utfilter::detail::choose_kernels();  // also chooses the distances
    utfilter::detail::chosen_kernels = *table;
    return;
  }
  std::fprintf(stderr, "utfilter: this processor has no kernels named %s\n", name);
  std::abort();
}

namespace {

const struct at_start {
  at_start() noexcept { choose_kernels_from_environment(); }
} chosen;

}  // namespace
