// boost_nowide_widen.cpp: Boost.Nowide's widen, which converts a whole string and replaces errors.
#include "driver.hpp"

#include <boost/nowide/convert.hpp>
#include <boost/version.hpp>

int main() {
  return serve(BOOST_LIB_VERSION, [](const question& asked) -> std::optional<answer> {
    if (asked.mode != "replace" || asked.encoding != "utf-8" || asked.signature != "keep") return std::nullopt;
    answer given;
    for (const wchar_t c : boost::nowide::widen(asked.whole()))
      append_utf8(given.output, static_cast<unsigned long>(c));
    return given;
  });
}
