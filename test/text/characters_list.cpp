// characters_list.cpp: prints each set of characters.hpp on a line, with its name: the scalar values, as ranges. For
// characters_oracle.py.
#include <utfilter/characters.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

void print(std::string_view name, utfilter::characters set) {
  std::string line(name);
  char32_t first = 0, last = 0;
  bool is_open = false;
  for (char32_t c = 0; c <= 0x110000; ++c) {
    const bool is_there = c < 0x110000 && utfilter::contains(set, c);
    if (is_there && !is_open) first = c;
    if (!is_there && is_open) {
      char text[32];
      std::snprintf(text, sizeof text, " %X-%X", static_cast<unsigned>(first), static_cast<unsigned>(last));
      line += text;
    }
    is_open = is_there;
    last = c;
  }
  std::puts(line.c_str());
}

}  // namespace

int main() {
  std::string_view names = utfilter::characters_names();
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    if (const auto set = utfilter::characters_from_name(name)) print(name, *set);
    names.remove_prefix(name.size() + (name.size() != names.size()));
  }
}
