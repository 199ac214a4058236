// printable_lines.cpp: prints what printable_oracle.py asks for. Each line of the input is: the style (backslash or
// json), one digit for each of line_feed, tab, backslash, quote and invisible, the limit (or -), and the text in
// hexadecimal, after a dot. The output is in hexadecimal, too.
#include <utfilter/printable.hpp>

#include <cstddef>
#include <iostream>
#include <string>

namespace {

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string style, choices, limit, text; std::cin >> style >> choices >> limit >> text;) {
    utfilter::printable_options o;
    o.style = style == "json" ? utfilter::escape_style::json : utfilter::escape_style::backslash;
    o.line_feed = choices[0] == '1';
    o.tab = choices[1] == '1';
    o.backslash = choices[2] == '1';
    o.quote = choices[3] == '1';
    o.invisible = choices[4] == '1';
    if (limit != "-") o.limit = std::stoul(limit);
    for (const char c : utfilter::to_printable(from_hex(text.substr(1)), o)) {
      const auto byte = static_cast<unsigned char>(c);
      std::cout << "0123456789abcdef"[byte >> 4] << "0123456789abcdef"[byte & 15];
    }
    std::cout << '\n';
  }
}
