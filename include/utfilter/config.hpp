// config.hpp: the namespace, the version, and what marks a name as part of the library's binary interface.
#ifndef UTFILTER_CONFIG_HPP
#define UTFILTER_CONFIG_HPP

// An include that fails ends the compilation, so that what else an old compiler would say does not bury the reason.
#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#  error utfilter needs C++17 or newer: compile with -std=c++17
#  include <utfilter/needs_cxx17>
#endif

/// @file
/// The version.

/// Major * 10000 + minor * 100 + patch. The build, the packages and utfcat take the version from here.
#define UTFILTER_VERSION 200

/// The library. utfilter.hpp includes all of it but spdlog_sink.hpp, which needs spdlog.
namespace utfilter {}

/// @cond
// UTFILTER_API marks what is in the library of the core, UTFILTER_STREAMS_API what is in that of the streams. A DLL
// exports its own names, and imports those of the other one.
#if defined(_WIN32) && defined(UTFILTER_SHARED)
#  ifdef UTFILTER_BUILDING_CORE
#    define UTFILTER_API __declspec(dllexport)
#  else
#    define UTFILTER_API __declspec(dllimport)
#  endif
#  ifdef UTFILTER_BUILDING_STREAMS
#    define UTFILTER_STREAMS_API __declspec(dllexport)
#  else
#    define UTFILTER_STREAMS_API __declspec(dllimport)
#  endif
#elif defined(__GNUC__)
#  define UTFILTER_API __attribute__((visibility("default")))
#  define UTFILTER_STREAMS_API UTFILTER_API
#else
#  define UTFILTER_API
#  define UTFILTER_STREAMS_API
#endif

// A class that is in its header alone is no library's, but the same in all of them: it is visible, and on Windows
// nothing else.
#if defined(__GNUC__) && !defined(_WIN32)
#  define UTFILTER_VISIBLE __attribute__((visibility("default")))
#else
#  define UTFILTER_VISIBLE
#endif

// INLINE: for small functions that take a closure; built in memory and read back at once, it costs more than what they
// do. NOINLINE: for what is seldom done inside of what is often done, which would save registers for it.
#if defined(__GNUC__)
#  define UTFILTER_INLINE [[gnu::always_inline]] inline
#  define UTFILTER_NOINLINE [[gnu::noinline]]
#else
#  define UTFILTER_INLINE inline
#  define UTFILTER_NOINLINE
#endif
/// @endcond

#endif
