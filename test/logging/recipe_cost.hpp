// recipe_cost.hpp: measures how much longer a record takes with a recipe of doc/log_recipes.md than without. The case `cost`
// of each recipe_*_test.cpp prints rows for the table in doc/logs.md. `cmake --build BUILD --target recipe_costs` runs it.
#ifndef UTFILTER_TEST_RECIPE_COST_HPP
#define UTFILTER_TEST_RECIPE_COST_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ctime>  // also clock_gettime
#include <string>
#include <vector>

namespace recipe_cost {

/// The CPU time of the process, in nanoseconds.
inline double now() {
  std::timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Prints a row: the nanoseconds that `recipe` takes for a record more than `raw`, for 100 bytes of ASCII and of
/// Japanese. This is the median of many rounds, in each of which both log many records. Before each `batch` of records,
/// prepare(text, whether the recipe logs them) is called; its time does not count.
template <class Raw, class Recipe, class Prepare = void (*)(const std::string&, bool)>
void row(
    const char* backend, Raw raw, Recipe recipe, Prepare prepare = [](const std::string&, bool) {}, int batch = 1000) {
  constexpr int rounds = 301, records = 1000;
  std::string ascii = "GET /index.html 200 ", japanese;
  while (ascii.size() < 100) ascii += "user logged in, 42. ";
  while (japanese.size() < 99) japanese += "利用者が接続しました。";
  japanese += '.';
  std::string cost, without;
  for (const std::string& text : {ascii, japanese}) {
    const auto measure = [&](auto& log, bool checked) {
      double sum = 0;
      for (int done = 0; done < records; done += batch) {
        prepare(text, checked);
        const double start = now();
        for (int i = 0; i < batch; ++i) log(text);
        sum += now() - start;
      }
      return sum / records;
    };
    std::vector<double> times, differences;
    for (int i = 0; i < rounds; ++i) {
      times.push_back(measure(raw, false));
      differences.push_back(measure(recipe, true) - times.back());
    }
    const char* const between = cost.empty() ? "" : " / ";
    cost += between + std::to_string(std::lround(median(differences)));
    without += between + std::to_string(std::lround(median(times)));
  }
  std::printf("| %s | %s | (without the recipe %s) |\n", backend, cost.c_str(), without.c_str());
  std::fflush(stdout);
}

}  // namespace recipe_cost

#endif
