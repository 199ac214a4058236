// boost_locale_charset.cpp: Boost.Locale's to_utf, which converts a whole string from a charset. It stops at errors, or
// skips them.
#include "driver.hpp"

#include <boost/locale/encoding.hpp>
#include <boost/version.hpp>

int main() {
  return serve(BOOST_LIB_VERSION, [](const question& asked) -> std::optional<answer> {
    namespace conv = boost::locale::conv;
    const bool unicode = asked.encoding.rfind("utf-", 0) == 0 || asked.encoding == "cesu-8";
    if (unicode || asked.mode == "replace" || asked.signature != "keep") return std::nullopt;
    answer given;
    try {
      given.output = conv::to_utf<char>(asked.whole(), asked.encoding, asked.strict() ? conv::stop : conv::skip);
    } catch (const conv::invalid_charset_error&) {
      return std::nullopt;
    } catch (const conv::conversion_error&) {
      given.told();
    }
    return given;
  });
}
