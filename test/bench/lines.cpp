// lines.cpp: short texts: one line through an existing chain, and one line through a chain that is built for it.
#include "filters.hpp"

#include <utfilter/text.hpp>

namespace bench {
namespace {

namespace io = boost::iostreams;

constexpr std::size_t lines = 1000;  // in each run

template <class Push>
void build(io::filtering_ostream& chain, Push push, verifier* seen) {
  push(chain);
  chain.push(sink{seen});
  chain.exceptions(std::ios::badbit);
}

}  // namespace

void add_lines(const corpus& c) {
  static std::string line;
  line = std::string_view(c.memory.utf8)
             .substr(0, utfilter::complete_prefix(std::string_view(c.memory.utf8).substr(0, 99)));
  line += '\n';
  const auto size = static_cast<std::streamsize>(line.size());

  const task write{"write and flush a line of 100 bytes", c.name, lines * line.size(), line, lines, lines};
  const task whole{"build a chain, write a line, close", c.name, lines * line.size(), line, lines, lines};
  for_each_validator([&](const char* who, auto push) {
    write.add(who, [=](verifier* seen) {
      io::filtering_ostream chain;
      build(chain, push, seen);
      for (std::size_t n = lines; n != 0; --n) chain.write(line.data(), size).flush();
      chain.reset();
    });
    whole.add(who, [=](verifier* seen) {
      for (std::size_t n = lines; n != 0; --n) {
        io::filtering_ostream chain;
        build(chain, push, seen);
        chain.write(line.data(), size);
        chain.reset();
      }
    });
  });
}

}  // namespace bench
