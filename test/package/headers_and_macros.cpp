// headers_and_macros.cpp: includes public headers after function-like macros named min and max, which windows.h defines.
// Only the headers of the standard and of logging libraries come before the macros: they cannot come after them. Then the
// macros stand between the headers and the code that uses them, as they do if a program includes windows.h last.
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

#ifdef UTFILTER_OF_LOGS
#  include <fmt/format.h>
#  include <spdlog/common.h>
#  include <spdlog/details/console_globals.h>
#  include <spdlog/details/null_mutex.h>
#  include <spdlog/formatter.h>
#  include <spdlog/pattern_formatter.h>
#  include <spdlog/sinks/base_sink.h>
#  include <spdlog/sinks/dist_sink.h>
#  include <spdlog/sinks/sink.h>
#  include <spdlog/sinks/stdout_sinks.h>
#endif

#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))

#include UTFILTER_HEADER

#ifdef UTFILTER_CONVERT_HPP
std::string use_after_the_macros(std::u16string_view text);
std::string use_after_the_macros(std::u16string_view text) { return utfilter::to_utf8_string(text); }
#endif
