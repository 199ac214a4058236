// boost_code_converter.cpp: Boost.Iostreams' code_converter. It reads wide characters with a facet, here Boost.Locale's
// facet.
#include "driver.hpp"
#include "pieces_source.hpp"

#include <boost/iostreams/code_converter.hpp>
#include <boost/iostreams/stream.hpp>
#include <boost/locale/utf8_codecvt.hpp>
#include <boost/version.hpp>

#include <cwchar>

namespace io = boost::iostreams;

namespace {

// code_converter needs the state_type of the facet's base class, but utf8_codecvt hides it with its own.
struct facet : boost::locale::utf8_codecvt<wchar_t> {
  using state_type = std::mbstate_t;
};

}  // namespace

int main() {
  return serve(BOOST_LIB_VERSION, [](question asked) -> std::optional<answer> {
    if (!asked.strict() || asked.encoding != "utf-8" || asked.signature != "keep") return std::nullopt;
    answer given;
    io::stream<io::code_converter<pieces_source, facet>> in((pieces_source(asked.pieces)));
    in.exceptions(std::ios::badbit);
    try {
      for (std::wint_t c; (c = in.get()) != WEOF;) append_utf8(given.output, c);
    } catch (const std::exception&) {
      given.told();
    }
    return given;
  });
}
