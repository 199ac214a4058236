// boost_locale_codecvt.cpp: Boost.Locale's utf8_codecvt, the facet that its locales carry.
#include "codecvt.hpp"

#include <boost/locale/utf8_codecvt.hpp>
#include <boost/version.hpp>

int main() {
  return serve(BOOST_LIB_VERSION, [](const question& asked) -> std::optional<answer> {
    static const boost::locale::utf8_codecvt<wchar_t> facet(1);
    if (!asked.strict() || asked.encoding != "utf-8" || asked.signature != "keep") return std::nullopt;
    return convert_by<wchar_t>(facet, asked);
  });
}
