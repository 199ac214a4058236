// paths.cpp: the only file of the tests that is compiled with absolute paths. A compiler cache can therefore share the
// objects of all other files between checkouts in different places.
#include "support/paths.hpp"

namespace paths {

std::string source(const std::string& name) { return UTFILTER_SOURCE "/" + name; }
std::string program(const std::string& name) { return UTFILTER_PROGRAMS "/" + name; }

}  // namespace paths
