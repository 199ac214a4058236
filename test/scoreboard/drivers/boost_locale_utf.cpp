// boost_locale_utf.cpp: Boost.Locale's utf_to_utf, which converts a whole string. It stops at errors, or skips them.
#include "driver.hpp"

#include <boost/locale/encoding_utf.hpp>
#include <boost/version.hpp>

namespace {

template <class Char>
std::string to_utf8(const std::basic_string<Char>& text, bool strict) {
  namespace conv = boost::locale::conv;
  return conv::utf_to_utf<char>(text, strict ? conv::stop : conv::skip);
}

/// The code units in the machine's byte order. Returns nothing for half a code unit: no caller could have one.
template <class Char>
std::optional<std::basic_string<Char>> units(const std::string& bytes, bool little) {
  std::basic_string<Char> all;
  if (bytes.size() % sizeof(Char) != 0) return std::nullopt;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Char)) {
    unsigned long unit = 0;
    for (std::size_t i = 0; i < sizeof(Char); ++i)
      unit = unit << 8 | static_cast<unsigned char>(bytes[at + (little ? sizeof(Char) - 1 - i : i)]);
    all += static_cast<Char>(unit);
  }
  return all;
}

}  // namespace

int main() {
  return serve(BOOST_LIB_VERSION, [](const question& asked) -> std::optional<answer> {
    if (asked.mode == "replace" || asked.signature != "keep") return std::nullopt;
    answer given;
    const bool little = asked.encoding.substr(asked.encoding.size() - 2) == "le";
    try {
      if (asked.encoding == "utf-8") {
        given.output = to_utf8(asked.whole(), asked.strict());
      } else if (asked.encoding == "utf-16le" || asked.encoding == "utf-16be") {
        const auto text = units<char16_t>(asked.whole(), little);
        if (!text) return std::nullopt;
        given.output = to_utf8(*text, asked.strict());
      } else if (asked.encoding == "utf-32le" || asked.encoding == "utf-32be") {
        const auto text = units<char32_t>(asked.whole(), little);
        if (!text) return std::nullopt;
        given.output = to_utf8(*text, asked.strict());
      } else {
        return std::nullopt;
      }
    } catch (const boost::locale::conv::conversion_error&) {
      given.told();
    }
    return given;
  });
}
