// guesses.cpp: for confusion.py: reads samples from standard input, each after its size as a line of digits, and writes a
// line for each: the guess of the core alone, that with uchardet, and the number of the evidence for each, between tabs.
// With the argument "whole" each sample is a whole text; otherwise its end may cut a character.
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>
#ifdef UTFILTER_TEST_WITH_UCHARDET
#  include <utfilter/uchardet.hpp>
#endif

#include <cstddef>
#include <iostream>
#include <string>

int main(int count, char**) {
  utfilter::params alone, with_uchardet;
#ifdef UTFILTER_TEST_WITH_UCHARDET
  with_uchardet.guess_legacy = utfilter::uchardet_guesser;
#endif
  std::string sample;
  for (std::size_t size = 0; std::cin >> size;) {
    std::cin.get();
    sample.resize(size);
    if (!std::cin.read(sample.data(), static_cast<std::streamsize>(size))) return 1;
    alone.guess_bytes = with_uchardet.guess_bytes = size + (count > 1 ? 1 : 0);
    const auto a = utfilter::guess_charset(sample, alone), b = utfilter::guess_charset(sample, with_uchardet);
    std::cout << a << '\t' << b << '\t' << static_cast<int>(a.decided_by) << '\t' << static_cast<int>(b.decided_by)
              << '\n';
  }
}
