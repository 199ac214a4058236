// core.cpp: a user of the core alone.
#include <utfilter/fstream.hpp>
#include <utfilter/text.hpp>

#include <cstdio>
#include <string>

int main() {
  if (!utfilter::is_utf8("\xC3\xA9") || utfilter::sanitize("a\xFF") != "a\xEF\xBF\xBD") return 1;
  const char* const name = "core_consumer.txt";
  {
    utfilter::ofstream out(name, utfilter::encoding::utf16le);
    out << "\xC3\xA9\n";
    out.close();
  }
  std::string        line;
  utfilter::ifstream in(name, utfilter::encoding::utf16le);
  std::getline(in, line);
  in.close();
  return std::remove(name) == 0 && line == "\xC3\xA9" ? 0 : 1;
}
