// overwrite.hpp: makes a string whose memory is written once. Before C++23 the standard has no function for that: resize
// writes zeros first.
#ifndef UTFILTER_CODECS_OVERWRITE_HPP
#define UTFILTER_CODECS_OVERWRITE_HPP

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace utfilter::detail {

// libstdc++ before GCC 14 has such a function only for its own use.
#if !defined(__cpp_lib_string_resize_and_overwrite) && defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 14 && \
    _GLIBCXX_USE_CXX11_ABI
#  define UTFILTER_SETS_LENGTH
void set_length(std::string&, std::size_t) noexcept;
void set_length(std::u16string&, std::size_t) noexcept;
void set_length(std::u32string&, std::size_t) noexcept;
void set_length(std::wstring&, std::size_t) noexcept;
#endif

template <class String, class = void>
constexpr bool overwrites = false;
template <class String>
constexpr bool overwrites<
    String, std::void_t<decltype(std::declval<String&>().__resize_and_overwrite(
                std::size_t(), std::declval<std::size_t (*)(typename String::value_type*, std::size_t)>()))>> = true;

template <class String, class = void>
constexpr bool resizes = false;
template <class String>
constexpr bool resizes<String, std::void_t<decltype(std::declval<String&>().__resize_default_init(std::size_t()))>> =
    true;

/// Gives the string `size` units and calls write(all, size), which may write any of them but those that the string has,
/// and returns how many it is to keep. `write` throws nothing.
template <class String, class Write>
void overwrite(String& s, std::size_t size, const Write& write) {
#ifdef __cpp_lib_string_resize_and_overwrite
  s.resize_and_overwrite(size, write);
#else
  if constexpr (overwrites<String>) {
    s.__resize_and_overwrite(size, write);
  } else if constexpr (resizes<String>) {
    s.__resize_default_init(size);
    s.__resize_default_init(write(s.data(), size));
  } else {
#  ifdef UTFILTER_SETS_LENGTH
    s.reserve(size);
    set_length(s, size);
    set_length(s, write(s.data(), size));
#  else
    s.resize(size);
    s.resize(write(s.data(), size));
#  endif
  }
#endif
}

}  // namespace utfilter::detail

#endif
