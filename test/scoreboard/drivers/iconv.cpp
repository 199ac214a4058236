// iconv.cpp: iconv(3) of the C library, to UTF-8. As its manual says, the bytes of an incomplete sequence are passed
// again with the next piece. At the end of the input they are an error.
#include "driver.hpp"

#include <gnu/libc-version.h>
#include <iconv.h>

#include <cerrno>
#include <map>

int main() {
  return serve(std::string("glibc ") + gnu_get_libc_version(), [](const question& asked) -> std::optional<answer> {
    static const std::map<std::string, const char*> names = {
        {"utf-8 keep", "UTF-8"},       {"utf-16le keep", "UTF-16LE"}, {"utf-16be keep", "UTF-16BE"},
        {"utf-32le keep", "UTF-32LE"}, {"utf-32be keep", "UTF-32BE"}, {"utf-16 strip", "UTF-16"},
        {"utf-32 strip", "UTF-32"}};
    const auto name = names.find(asked.encoding + ' ' + asked.signature);
    if (!asked.strict() || (name == names.end() && asked.signature == "strip")) return std::nullopt;
    const iconv_t converter = iconv_open("UTF-8", name == names.end() ? asked.encoding.c_str() : name->second);
    if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
    answer given;
    std::string left;
    std::size_t consumed = 0;
    for (const std::string& piece : asked.pieces) {
      left += piece;
      char out[1024];
      char *from = left.data(), *to = out;
      std::size_t size = left.size(), room = sizeof out;
      const bool failed = iconv(converter, &from, &size, &to, &room) == static_cast<std::size_t>(-1);
      const int why = errno;
      given.output.append(out, to);
      consumed += left.size() - size;
      left.erase(0, left.size() - size);
      if (failed && why != EINVAL) {
        given.told_at(consumed);
        break;
      }
    }
    if (given.errors.empty()) {
      if (!left.empty()) given.told_at(consumed);
      char out[64];
      char* to = out;
      std::size_t room = sizeof out;
      iconv(converter, nullptr, nullptr, &to, &room);  // a character that could have been composed with the next
      given.output.append(out, to);
    }
    iconv_close(converter);
    return given;
  });
}
