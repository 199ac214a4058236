// driver.hpp: shared by the drivers in C++. A driver reads one question from each line, and answers it before the next.
//
// A question is "MODE ENCODING SIGNATURE PIECES". MODE is strict, replace or skip. ENCODING is a name of the corpus.
// SIGNATURE is keep or strip. PIECES are in hexadecimal, each followed by a bar ("61||e2|" has an empty one).
//
// An answer is "OUTPUT|ERRORS". OUTPUT is in hexadecimal. ERRORS is empty if no error was reported; "told" if an error
// was reported without its place; otherwise "OFFSET:SIZE," for each error, without the size if that was not reported.
// The answer is "n/a" if the library does not offer the conversion. The answer to the question "version" is the version
// of the library.
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

/// Appends the UTF-8 of a code point. A surrogate is encoded, too, so that it shows in the output.
inline void append_utf8(std::string& out, unsigned long c) {
  const auto put = [&out](unsigned long byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
    return;
  }
  const int trailing = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  put((0xF00ul >> (trailing + 1) & 0xFF) | c >> 6 * trailing);
  for (int i = trailing; i-- > 0;) put(0x80 | (c >> 6 * i & 0x3F));
}

/// Answers all questions. `answer_to` returns nothing if the library does not offer the conversion.
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
