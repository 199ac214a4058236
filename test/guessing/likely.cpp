// likely.cpp: the likely encodings of texts by the library's own statistics. For each text it writes a line: name,
// language, confidence, and cost in bits of each encoding, then a tab; at the end the cost if it is in no encoding, and
// the number of pairs that tell it.
//
//   likely FILE...          each line begins with the name of the file
//   likely -                the texts come on standard input, each after its size as a line of digits: for alone.py
//   likely --time FILE...   writes how long the decision takes instead: the shortest of many times, in microseconds
#include "encodings/detector.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

namespace {

void tell(std::string_view text) {
  const utfilter::detail::ranking found = utfilter::detail::rank_encodings(text);
  for (const auto& each : found)
    std::cout << each.name << ' ' << each.language << ' ' << each.confidence << ' ' << each.cost << '\t';
  std::cout << found.noise << ' ' << found.pairs << '\n';
}

bool tell_samples() {
  std::string sample;
  for (std::size_t size = 0; std::cin >> size;) {
    std::cin.get();
    sample.resize(size);
    if (!std::cin.read(sample.data(), static_cast<std::streamsize>(size))) return false;
    tell(sample);
  }
  return true;
}

std::string content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void tell_time(const std::string& name) {
  using clock = std::chrono::steady_clock;
  const std::string text = content_of(name);
  clock::duration shortest = clock::duration::max();
  std::size_t decided = 0;
  for (int i = 0; i != 1000; ++i) {
    const clock::time_point begin = clock::now();
    decided += utfilter::detail::rank_encodings(text).size;
    shortest = std::min(shortest, clock::now() - begin);
  }
  std::cout << name << ": " << text.size() << " bytes, " << std::chrono::duration<double, std::micro>(shortest).count()
            << " microseconds" << (decided == 0 ? ", no encoding" : "") << '\n';
}

}  // namespace

int main(int count, char** arguments) {
  bool times = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "-") return tell_samples() ? 0 : 1;
    if (argument == "--time") {
      times = true;
    } else if (times) {
      tell_time(argument);
    } else {
      std::cout << argument << ": ";
      tell(content_of(argument));
    }
  }
}
