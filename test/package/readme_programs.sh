#!/usr/bin/env bash
# readme_programs.sh README DIRECTORY: writes the README's programs, its first three blocks of C++, into the directory: readme_reader.cpp
# as it stands; readme_writer.cpp and readme_files.cpp, of which it shows a part, with what that part needs around it.
set -euo pipefail
cd "$2"

# block NUMBER
block() {
  awk -v wanted="$1" '
    $0 == "```" { inside = 0 }
    inside && number == wanted { print; found = 1 }
    $0 == "```cpp" { inside = 1; ++number }
    END { exit !found }' "$readme"
}
readme=$1

block 1 > readme_reader.cpp
cat > readme_writer.cpp << END
#include <boost/iostreams/device/file_descriptor.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <iostream>
#include <utfilter/utfilter.hpp>
namespace io = boost::iostreams;
int main(int, char** argv) {
  const char* message = argv[1];
$(block 2)
}
END
cat > readme_files.cpp << END
#include <iostream>
#include <utfilter/fstream.hpp>
int main() {
$(block 3)
  std::cout << text << any.rdbuf();
}
END
