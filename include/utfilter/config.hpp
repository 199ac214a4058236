// config.hpp: the namespace, the version, and the macros that export and inline functions.
// layer: unicode
#ifndef UTFILTER_CONFIG_HPP
#define UTFILTER_CONFIG_HPP

// If the compiler is too old, the failing #include ends the compilation at once. Otherwise its other messages would
// bury the reason.
#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#  error utfilter needs C++17 or newer: compile with -std=c++17
#  include <utfilter/needs_cxx17>
#endif

/// @file
/// The version.

/// The version: major * 10000 + minor * 100 + patch, so that 0.2.0 is 200. The build, the packages and utfcat read it
/// here.
#define UTFILTER_VERSION 300

/// The library. utfilter.hpp includes all public headers except spdlog_sink.hpp, which needs spdlog, printable_fmt.hpp,
/// which needs {fmt}, and those of the components icu and nfc.
namespace utfilter {}

/// @cond
// UTFILTER_API marks the names that the core library exports. UTFILTER_STREAMS_API, UTFILTER_ICU_API and UTFILTER_NFC_API
// mark those of the other libraries. A DLL exports its own names and imports those of the others.
#if defined(_WIN32) && defined(UTFILTER_SHARED)
#  define UTFILTER_EXPORT __declspec(dllexport)
#  define UTFILTER_IMPORT __declspec(dllimport)
#elif defined(__GNUC__)
#  define UTFILTER_EXPORT __attribute__((visibility("default")))
#  define UTFILTER_IMPORT UTFILTER_EXPORT
#else
#  define UTFILTER_EXPORT
#  define UTFILTER_IMPORT
#endif
#ifdef UTFILTER_BUILDING_CORE
#  define UTFILTER_API UTFILTER_EXPORT
#else
#  define UTFILTER_API UTFILTER_IMPORT
#endif
#ifdef UTFILTER_BUILDING_STREAMS
#  define UTFILTER_STREAMS_API UTFILTER_EXPORT
#else
#  define UTFILTER_STREAMS_API UTFILTER_IMPORT
#endif
#ifdef UTFILTER_BUILDING_ICU
#  define UTFILTER_ICU_API UTFILTER_EXPORT
#else
#  define UTFILTER_ICU_API UTFILTER_IMPORT
#endif
#ifdef UTFILTER_BUILDING_NFC
#  define UTFILTER_NFC_API UTFILTER_EXPORT
#else
#  define UTFILTER_NFC_API UTFILTER_IMPORT
#endif

// UTFILTER_VISIBLE marks a class that is defined in its header alone. No library exports such a class, but it must be
// the same type in all libraries, so its symbols are visible. On Windows the macro is empty.
#if defined(__GNUC__) && !defined(_WIN32)
#  define UTFILTER_VISIBLE __attribute__((visibility("default")))
#else
#  define UTFILTER_VISIBLE
#endif

// UTFILTER_INLINE: for small functions that take a closure. If they are not inlined, the compiler builds the closure in
// memory and reads it back at once, which costs more than the function itself.
//
// UTFILTER_NOINLINE: keeps a rare path out of a hot function. Otherwise the hot function would save registers for the
// rare path.
#if defined(__GNUC__)
#  define UTFILTER_INLINE [[gnu::always_inline]] inline
#  define UTFILTER_NOINLINE [[gnu::noinline]]
#else
#  define UTFILTER_INLINE inline
#  define UTFILTER_NOINLINE
#endif

// UTFILTER_HAS_EXCEPTIONS: 1, or 0 under -fno-exceptions.
//
// A program may have source files of both kinds. Inline functions that throw in one kind and abort in the other must
// have different names then, so these macros put them into a namespace of their own.
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#  define UTFILTER_HAS_EXCEPTIONS 1
#  define UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE
#  define UTFILTER_END_EXCEPTIONS_NAMESPACE
#else
#  define UTFILTER_HAS_EXCEPTIONS 0
#  define UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE inline namespace without_exceptions {
#  define UTFILTER_END_EXCEPTIONS_NAMESPACE }
#endif
/// @endcond

#endif
