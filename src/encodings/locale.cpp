// locale.cpp: asks the system for the encoding of its own texts.
// layer: locale
#include <utfilter/encoding.hpp>

#include <optional>
#include <string_view>

#ifdef _WIN32
#  ifndef NOMINMAX
#    define NOMINMAX  // libstdc++ for Windows defines it
#  endif
#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>

#  include <charconv>
#elif __has_include(<langinfo.h>)
#  include <langinfo.h>
#endif

namespace utfilter {

encoding locale_encoding() noexcept {
#ifdef _WIN32
  char name[16] = "cp";
  const auto end = std::to_chars(name + 2, name + sizeof name, GetACP()).ptr;
  const std::string_view told(name, static_cast<std::size_t>(end - name));
#elif defined(CODESET)
  const std::string_view told = nl_langinfo(CODESET);
#else
  const std::string_view told;
#endif
  return encoding_from_name(told).value_or(encoding::detect);
}

}  // namespace utfilter
