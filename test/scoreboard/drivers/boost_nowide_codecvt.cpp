// boost_nowide_codecvt.cpp: Boost.Nowide's utf8_codecvt, which replaces errors.
#include "codecvt.hpp"

#include <boost/nowide/utf8_codecvt.hpp>
#include <boost/version.hpp>

int main() {
  return serve(BOOST_LIB_VERSION, [](const question& asked) -> std::optional<answer> {
    static const boost::nowide::utf8_codecvt<wchar_t> facet(1);
    if (asked.mode != "replace" || asked.encoding != "utf-8" || asked.signature != "keep") return std::nullopt;
    return convert_by<wchar_t>(facet, asked);
  });
}
