// charset_interrupted_test.cpp: a signal that interrupts the opening of a file does not keep a codec_ofstream from
// appending to it.
// build: unsanitized needs:utfilter::icu
#define BOOST_TEST_MODULE charset_interrupted
#include "support/files.hpp"

#include <utfilter/icu.hpp>

#include <boost/test/unit_test.hpp>

#include <dlfcn.h>

#include <cerrno>
#include <cstdio>
#include <ios>

namespace {

/// Calls of fopen that still fail with EINTR.
int interruptions = 0;

std::FILE* open_by(const char* function, const char* path, const char* mode) {
  if (interruptions != 0) {
    --interruptions;
    errno = EINTR;
    return nullptr;
  }
  using opener = std::FILE* (*)(const char*, const char*);
  return reinterpret_cast<opener>(dlsym(RTLD_NEXT, function))(path, mode);
}

}  // namespace

/// The program's own functions, by one of which libstdc++ opens files: that of g++ 12 by the second.
extern "C" std::FILE* fopen(const char* path, const char* mode) { return open_by("fopen", path, mode); }
#ifdef __GLIBC__
extern "C" std::FILE* fopen64(const char* path, const char* mode) { return open_by("fopen64", path, mode); }
#endif

BOOST_AUTO_TEST_CASE(a_file_is_appended_to_although_signals_come) {
  for (int i = 0; i != 4; ++i) {
    const files::temporary_file file("abc\n");
    interruptions = i;
    utfilter::codec_ofstream out(file.path(), "Big5", {}, std::ios::app);
    BOOST_TEST(interruptions == 0);
    BOOST_TEST(out.is_open());
    out << "\u4E2D\n";
    out.close();
    BOOST_TEST(file.content() == "abc\n\xA4\xA4\n");
  }
}
