// streams.cpp: a program that uses streams and files, with encodings of the library and with a codec.
#include <utfilter/control_escaper.hpp>
#include <utfilter/fstream.hpp>

#include <cstdio>
#include <string>

int main() {
  const char* const name = "streams_consumer.txt";
  {
    utfilter::ofstream out(name, utfilter::encoding::utf16le);
    out << "\xC3\xA9\n";
    out.close();
  }
  std::string line;
  utfilter::ifstream in(name, utfilter::encoding::utf16le);
  std::getline(in, line);
  in.close();
  if (line != "\xC3\xA9" || utfilter::read_file(name, utfilter::encoding::utf16le) != line + '\n') return 1;

  utfilter::codec_ifstream bytes(name, utfilter::control_escaper(), utfilter::on_error::skip);
  std::getline(bytes, line);
  bytes.close();
  return std::remove(name) == 0 && line == "\\x00" ? 0 : 1;
}
