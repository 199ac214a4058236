// headers_and_macros.cpp: includes public headers after function-like macros named min and max, which windows.h defines.
// Only the standard headers come before the macros: they cannot come after them. Then the macros stand between the
// headers and the code that uses them, as they do if a program includes windows.h last.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <istream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))

#include UTFILTER_HEADER

#ifdef UTFILTER_CONVERT_HPP
std::string use_after_the_macros(std::u16string_view text);
std::string use_after_the_macros(std::u16string_view text) { return utfilter::to_utf8_string(text); }
#endif
