// guesses.cpp: for confusion.py: reads samples from standard input, each after its size as a line of digits, and writes a
// line for each: the guess, the number of its evidence, its confidence and the language, between tabs. With the argument
// "whole" each sample is a whole text; otherwise its end may cut a character.
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>

#include <cstddef>
#include <iostream>
#include <string>

int main(int count, char**) {
  utfilter::params p;
  std::string sample;
  for (std::size_t size = 0; std::cin >> size;) {
    std::cin.get();
    sample.resize(size);
    if (!std::cin.read(sample.data(), static_cast<std::streamsize>(size))) return 1;
    p.guess_bytes = size + (count > 1 ? 1 : 0);
    const utfilter::charset_guess found = utfilter::guess_charset(sample, p);
    std::cout << found << '\t' << static_cast<int>(found.decided_by) << '\t' << found.confidence << '\t'
              << found.language << '\n';
  }
}
