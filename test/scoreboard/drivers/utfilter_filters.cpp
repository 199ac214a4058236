// utfilter_filters.cpp reading|writing: utfilter::to_utf8 in a chain of Boost.Iostreams.
#include "chain.hpp"
#include "utfilter.hpp"

#include <utfilter/to_utf8.hpp>

int main(int argc, char** argv) {
  const bool reading = argc == 2 && argv[1] == std::string("reading");
  return serve("of this tree", [=](const question& asked) -> std::optional<answer> {
    const std::optional<utfilter::encoding> from = utfilter::encoding_from_name(asked.encoding);
    if (!from) return std::nullopt;
    answer given;
    convert_in_chain(utfilter::to_utf8(*from, params_for(asked, given)), reading, asked, given);
    return given;
  });
}
