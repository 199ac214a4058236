// evidence.cpp: the names of the reasons why a text is read in an encoding.
#include <utfilter/encoding.hpp>

namespace utfilter {

const char* to_string(evidence why) noexcept {
  switch (why) {
    case evidence::named: return "named";
    case evidence::bom: return "bom";
    case evidence::declaration: return "declaration";
    case evidence::structure: return "structure";
    case evidence::statistics: return "statistics";
    case evidence::assumption: return "assumption";
  }
  return "unknown";
}

}  // namespace utfilter
