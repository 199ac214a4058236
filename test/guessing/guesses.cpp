// guesses.cpp: for confusion.py: reads samples from standard input, each after its size as a line of digits, and writes a
// line for each: the guess by structure alone, a tab, and the guess with uchardet.
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>
#ifdef UTFILTER_TEST_WITH_UCHARDET
#  include <utfilter/uchardet.hpp>
#endif

#include <cstddef>
#include <iostream>
#include <string>

int main() {
  utfilter::params alone, with_uchardet;
#ifdef UTFILTER_TEST_WITH_UCHARDET
  with_uchardet.guess_legacy = utfilter::uchardet_guesser;
#endif
  std::string sample;
  for (std::size_t size = 0; std::cin >> size;) {
    std::cin.get();
    sample.resize(size);
    if (!std::cin.read(sample.data(), static_cast<std::streamsize>(size))) return 1;
    alone.guess_bytes = with_uchardet.guess_bytes = size;  // the end may cut a character
    std::cout << utfilter::guess_charset(sample, alone) << '\t' << utfilter::guess_charset(sample, with_uchardet)
              << '\n';
  }
}
