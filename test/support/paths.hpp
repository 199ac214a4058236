// paths.hpp: where the tests find files of the source tree, and programs that the build made.
#ifndef UTFILTER_TEST_PATHS_HPP
#define UTFILTER_TEST_PATHS_HPP

#include <string>

namespace paths {

/// A file or folder of the source tree, for example source("test/data").
std::string source(const std::string& name);

/// A program that tests run, or a module that they load, for example program("utfcat").
std::string program(const std::string& name);

}  // namespace paths

#endif
