// driver.hpp: what the drivers in C++ have in common: they read a question a line, and answer each before the next.
//
// A question is "MODE ENCODING SIGNATURE PIECES": strict, replace or skip; as the corpus names it; keep or strip; the
// pieces in hexadecimal, each followed by a bar ("61||e2|" has an empty one). An answer is "OUTPUT|ERRORS": in
// hexadecimal; and nothing where no error was told, "told" where the place was not, or "OFFSET:SIZE," for each, the
// size left out where that was not. "n/a" is for what the library does not offer. The question "version" is answered by
// the version of what is tried.
#ifndef UTFILTER_SCOREBOARD_DRIVER_HPP
#define UTFILTER_SCOREBOARD_DRIVER_HPP

#include <cstddef>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

struct question {
  std::string mode, encoding, signature;
  std::vector<std::string> pieces;

  bool strict() const { return mode == "strict"; }
  std::string whole() const {
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    return all;
  }
};

struct answer {
  std::string output, errors;

  void told() { errors = "told"; }
  void told_at(std::size_t offset) { errors += std::to_string(offset) + ":,"; }
  void told_at(std::size_t offset, std::size_t size) {
    errors += std::to_string(offset) + ':' + std::to_string(size) + ',';
  }
};

/// Appends a code point as UTF-8 would have it, a surrogate too, so that it is seen.
inline void append_utf8(std::string& out, unsigned long c) {
  const auto put = [&out](unsigned long byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) return put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  if (c < 0x10000) return put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
}

/// Answers all questions. `answer_to` returns nothing for what the library does not offer.
template <class AnswerTo>
int serve(const std::string& version, AnswerTo answer_to) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "version") {
      std::cout << version << std::endl;
      continue;
    }
    question asked;
    std::string hex, digits;
    std::istringstream words(line);
    words >> asked.mode >> asked.encoding >> asked.signature >> hex;
    for (std::size_t at = 0, end; (end = hex.find('|', at)) != std::string::npos; at = end + 1) {
      std::string& piece = asked.pieces.emplace_back();
      for (; at < end; at += 2)
        piece += static_cast<char>(static_cast<unsigned char>(std::stoul(hex.substr(at, 2), nullptr, 16)));
    }
    const std::optional<answer> given = answer_to(asked);
    if (!given) {
      std::cout << "n/a" << std::endl;
      continue;
    }
    constexpr char hexadecimal[] = "0123456789abcdef";
    for (const char c : given->output) {
      const auto byte = static_cast<unsigned char>(c);
      (digits += hexadecimal[byte / 16]) += hexadecimal[byte % 16];
    }
    std::cout << digits << '|' << given->errors << std::endl;
  }
  return 0;
}

#endif
